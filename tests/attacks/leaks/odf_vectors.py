"""Where a secret can hide in OpenDocument text and sheets: one row a hiding place."""

from __future__ import annotations

import base64

from tests.attacks.leaks.docx_vectors import S as S
from tests.attacks.leaks.office_packages import ODF, docx, emf, gif, jpeg, ods, odt, paragraph, png

HALF, REST = S[:5], S[5:]
N = "5550137421"


def _p(content: str) -> str:
    return f"<text:p>{content}</text:p>"


def _styles(content: str, kind: str = "master-styles") -> str:
    return f"<office:document-styles {ODF}><office:{kind}>{content}</office:{kind}></office:document-styles>"


def _meta(content: str) -> str:
    return f"<office:document-meta {ODF}><office:meta>{content}</office:meta></office:document-meta>"


def _settings(content: str) -> str:
    return (
        f"<office:document-settings {ODF}><office:settings><config:config-item-set config:name='ooo:configuration-settings'>"
        f"{content}</config:config-item-set></office:settings></office:document-settings>"
    )


def _picture(data: bytes, name: str = "image1.png") -> bytes:
    frame = f"<draw:frame draw:name='Image1'><draw:image xlink:href='Pictures/{name}'/></draw:frame>"
    return odt(_p(frame), parts={f"Pictures/{name}": data})


def _chart(content: str) -> str:
    return f"<office:document-content {ODF}><office:body><office:chart>{content}</office:chart></office:body></office:document-content>"


_ENCRYPTED = "<manifest:file-entry manifest:full-path='x'><manifest:encryption-data manifest:checksum='x'/></manifest:file-entry>"

ODT_VECTORS: dict[str, bytes] = {
    "moment in a field": odt(_p("<text:date text:date-value='1980-05-17T00:00:00' text:fixed='true'>x</text:date>")),
    "paragraph": odt(_p(f"in {S} here")),
    "heading": odt(f"<text:h>{S}</text:h>"),
    "split over spans": odt(_p(f"in <text:span>{HALF}</text:span><text:span>{REST[:3]}</text:span>{REST[3:]} here")),
    "split around a bookmark": odt(_p(f"{HALF}<text:bookmark text:name='b'/>{REST}")),
    "split around a comment": odt(_p(f"{HALF}<office:annotation><dc:creator>Ann</dc:creator><text:p>zz</text:p></office:annotation>{REST}")),
    "split around a note": odt(_p(f"{HALF}<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>zz</text:p></text:note-body></text:note>{REST}")),
    "split around a frame": odt(_p(f"{HALF}<draw:frame><draw:text-box><text:p>zz</text:p></draw:text-box></draw:frame>{REST}")),
    "list": odt(f"<text:list><text:list-item>{_p(S)}</text:list-item></text:list>"),
    "table": odt(f"<table:table table:name='T'><table:table-row><table:table-cell>{_p(S)}</table:table-cell></table:table-row></table:table>"),
    "text box": odt(_p(f"<draw:frame><draw:text-box>{_p(HALF + '<text:span>' + REST + '</text:span>')}</draw:text-box></draw:frame>")),
    "shape": odt(_p(f"<draw:custom-shape draw:name='{S}'>{_p(S)}</draw:custom-shape>")),
    "section": odt(f"<text:section text:name='{S}' text:display='none'>{_p('x')}</text:section>"),
    "linked section": odt(f"<text:section text:name='s'><text:section-source xlink:href='file:///C:/{S}.odt'/></text:section>"),
    "stray text": odt(f"<text:list>{S}</text:list>"),
    "header": odt(parts={"styles.xml": _styles(f"<style:master-page style:name='Standard'><style:header>{_p(S)}</style:header></style:master-page>")}),
    "footer": odt(parts={"styles.xml": _styles(f"<style:master-page style:name='Standard'><style:footer>{_p(HALF + '<text:span>' + REST + '</text:span>')}</style:footer></style:master-page>")}),
    "footnote": odt(_p(f"x<text:note text:note-class='footnote'><text:note-citation>1</text:note-citation><text:note-body>{_p(S)}</text:note-body></text:note>")),
    "comment": odt(_p(f"x<office:annotation><dc:creator>Ann</dc:creator><dc:date>2020-01-01</dc:date>{_p(S)}</office:annotation>")),
    "comment author": odt(_p(f"x<office:annotation><dc:creator>{S}</dc:creator><meta:creator-initials>{S}</meta:creator-initials>{_p('x')}</office:annotation>")),
    "tracked deletion": odt(
        "<text:tracked-changes><text:changed-region text:id='c1'><text:deletion><office:change-info><dc:creator>Ann</dc:creator>"
        f"</office:change-info>{_p(S)}</text:deletion></text:changed-region></text:tracked-changes>" + _p("a<text:change text:change-id='c1'/>b")
    ),
    "term around a deletion": odt(
        f"<text:tracked-changes><text:changed-region text:id='c1'><text:deletion>{_p('zz')}</text:deletion></text:changed-region>"
        "</text:tracked-changes>" + _p(f"{HALF}<text:change text:change-id='c1'/>{REST}")
    ),
    "term over a deletion": odt(
        f"<text:tracked-changes><text:changed-region text:id='c1'><text:deletion>{_p(S)}</text:deletion></text:changed-region>"
        "</text:tracked-changes>" + _p(f"{HALF}<text:change text:change-id='c1'/> x")
    ),
    "tracked insertion": odt(
        f"<text:tracked-changes><text:changed-region text:id='c1'><text:insertion><office:change-info><dc:creator>{S}</dc:creator>"
        "</office:change-info></text:insertion></text:changed-region></text:tracked-changes>"
        + _p(f"<text:change-start text:change-id='c1'/>{S}<text:change-end text:change-id='c1'/>")
    ),
    "hidden text": odt(_p(f"<text:hidden-text text:condition='ooow:1' text:string-value='{S}' text:is-hidden='true'/>")),
    "term around a field that is hidden": odt(_p(f"{HALF}<text:hidden-text text:is-hidden='true'>zz</text:hidden-text>{REST}")),
    "term around text hidden by a style": odt(
        _p(f"{HALF}<text:span text:style-name='T1'>zz</text:span>{REST}"),
        automatic="<style:style style:name='T1' style:family='text' style:parent-style-name='T0'/><style:style style:name='T0' "
        "style:family='text'><style:text-properties text:display='none'/></style:style>",
    ),
    "hidden paragraph": odt(_p(f"<text:hidden-paragraph text:condition='ooow:{S}'/>x")),
    "conditional text": odt(_p(f"<text:conditional-text text:string-value-if-true='{S}' text:string-value-if-false='{N}'>x</text:conditional-text>")),
    "user field": odt(f"<text:user-field-decls><text:user-field-decl office:value-type='string' office:string-value='{S}' text:name='{S}'/></text:user-field-decls>"),
    "variable": odt(_p(f"<text:variable-set text:name='v' office:value-type='float' office:value='{N}'>x</text:variable-set>")),
    "placeholder": odt(_p(f"<text:placeholder text:description='{S}'>x</text:placeholder>")),
    "author field": odt(_p(f"<text:author-name text:fixed='true'>{S}</text:author-name>")),
    "script": odt(_p(f"<text:script script:language='x'>{S}</text:script>x")),
    "bookmark": odt(_p(f"<text:bookmark-start text:name='{S}'/>x<text:bookmark-end text:name='{S}'/>")),
    "reference mark": odt(_p(f"<text:reference-mark text:name='{S}'/>x")),
    "hyperlink": odt(_p(f"<text:a xlink:href='http://x.example/{S}' office:title='{S}' office:name='{S}'>x</text:a>")),
    "hyperlink, percent-encoded": odt(_p("<text:a xlink:href='mailto:" + "".join(f"%{ord(c):02X}" for c in S) + "'>x</text:a>")),
    "index entry": odt(_p(f"<text:alphabetical-index-mark text:string-value='{S}' text:key1='{S}'/>x")),
    "bibliography": odt(_p(f"<text:bibliography-mark text:identifier='x' text:author='{S}' text:title='{S}'>x</text:bibliography-mark>")),
    "ruby": odt(_p(f"<text:ruby><text:ruby-base>x</text:ruby-base><text:ruby-text>{S}</text:ruby-text></text:ruby>")),
    "alternative text": odt(_p(f"<draw:frame draw:name='{S}'><svg:title>{S}</svg:title><svg:desc>{S}</svg:desc></draw:frame>")),
    "form": odt(f"<office:forms><form:form form:name='f' form:datasource='{S}'><form:text form:name='{S}' form:value='{S}' form:current-value='{N}'/></form:form></office:forms>"),
    "form property": odt(f"<office:forms><form:form form:name='f'><form:text><form:properties><form:property form:property-name='Tag' office:string-value='{S}'/></form:properties></form:text></form:form></office:forms>"),
    "database connection": odt(f"<office:forms><form:form form:name='f'><form:connection-resource xlink:href='sdbc:{S}'/></form:form></office:forms>"),
    "style name": odt(f"<text:p text:style-name='{S}'>x</text:p>", automatic=f"<style:style style:name='{S}' style:family='paragraph'/>"),
    "style name with escapes": odt(parts={"styles.xml": _styles(f"<style:style style:name='A_{ord(S[0]):x}_{S[1:]}' style:display-name='{S}'/>", "styles")}),
    "font": odt(before=f"<office:font-face-decls><style:font-face style:name='{S} Sans' svg:font-family='{S}'/></office:font-face-decls>"),
    "event": odt(before=f"<office:scripts><office:event-listeners><script:event-listener xlink:href='vnd.sun.star.script:{S}'/></office:event-listeners></office:scripts>"),
    "title": odt(parts={"meta.xml": _meta(f"<dc:title>{S}</dc:title><dc:subject>{S}</dc:subject><dc:description>{S}</dc:description><meta:keyword>{S}</meta:keyword>")}),
    "creator": odt(parts={"meta.xml": _meta(f"<dc:creator>{S}</dc:creator><meta:initial-creator>{S}</meta:initial-creator><meta:printed-by>{S}</meta:printed-by>")}),
    "user-defined property": odt(parts={"meta.xml": _meta(f"<meta:user-defined meta:name='{S}'>{S}</meta:user-defined>")}),
    "template": odt(parts={"meta.xml": _meta(f"<meta:template xlink:href='file:///C:/{S}.ott' xlink:title='{S}'/>")}),
    "printer": odt(parts={"settings.xml": _settings(f"<config:config-item config:name='PrinterName' config:type='string'>{S}</config:config-item><config:config-item config:name='PrinterSetup' config:type='base64Binary'>{base64.b64encode(S.encode() * 3).decode()}</config:config-item>")}),
    "setting": odt(parts={"settings.xml": _settings(f"<config:config-item config:name='{S}' config:type='boolean'>{S}</config:config-item>")}),
    "macro": odt(parts={"Basic/Standard/Module1.xml": f"<x>{S}</x>", "Scripts/python/x.py": S.encode()}),
    "thumbnail": odt(parts={"Thumbnails/thumbnail.png": png((b"tEXt", S.encode()))}),
    "configuration": odt(parts={"Configurations2/menubar/menubar.xml": f"<x>{S}</x>"}),
    "RDF": odt(parts={"manifest.rdf": f"<x>{S}</x>"}),
    "signature": odt(parts={"META-INF/documentsignatures.xml": f"<x>{S}</x>"}),
    "file nobody shows": odt(parts={f"Pictures/{S}.png": png(), "hidden.txt": S.encode()}),
    "manifest entry": odt(manifest=f"<manifest:file-entry manifest:full-path='{S}' manifest:media-type='{S}'/>"),
    "PNG text": _picture(png((b"tEXt", S.encode()))),
    "JPEG EXIF": _picture(jpeg(0xE1, b"Exif\0\0" + S.encode()), "image1.jpg"),
    "GIF comment": _picture(gif(S.encode()), "image1.gif"),
    "metafile": _picture(emf(S), "image1.emf"),
    "name of a picture": _picture(png(), f"{S}.png"),
    "SVG": _picture(f"<svg xmlns='http://www.w3.org/2000/svg'><text>{HALF}<tspan>{REST}</tspan></text></svg>".encode(), "image1.svg"),
    "picture in base64": odt(_p(f"<draw:frame><draw:image><office:binary-data>{base64.b64encode(S.encode() * 3).decode()}</office:binary-data></draw:image></draw:frame>")),
    "embedded chart": odt(
        _p("<draw:frame><draw:object xlink:href='./Object 1'/><draw:image xlink:href='./ObjectReplacements/Object 1'/></draw:frame>"),
        parts={"Object 1/content.xml": _chart(f"<chart:chart><chart:title>{_p(S)}</chart:title></chart:chart>"),
               "Object 1/meta.xml": _meta(f"<dc:creator>{S}</dc:creator>"), "ObjectReplacements/Object 1": b"VCLMTF" + S.encode()},
    ),
    "formula with a note": odt(
        _p("<draw:frame><draw:object xlink:href='./Object 1'/></draw:frame>"),
        parts={"Object 1/content.xml": "<math xmlns='http://www.w3.org/1998/Math/MathML'><semantics><mrow><mi>"
               f"{HALF}</mi><mi>{REST}</mi></mrow><annotation encoding='StarMath 5.0'>x over y</annotation></semantics></math>"},
    ),
    "OLE object": odt(_p("<draw:frame><draw:object-ole xlink:href='./Object 1'/></draw:frame>"), parts={"Object 1": b"\xd0\xcf\x11\xe0" + S.encode()}),
    "embedded Word document": odt(_p("<draw:frame><draw:object xlink:href='./Object 1'/></draw:frame>"), parts={"Object 1": docx(paragraph(S))}),
    "foreign attribute": odt(f"<text:p xmlns:z='urn:z' z:n='{N}'>x</text:p>"),
    "value no schema allows": odt(f"<text:p text:cond-style-name='{S.lower()}' text:is-list-header='{S}'>x</text:p>"),
    "XML comment": odt(f"<!-- {S} -->"),
    "password": odt(manifest=_ENCRYPTED),
}  # fmt: skip


def _cell(attributes: str, shown: str = "") -> bytes:
    return ods(f"<table:table-cell {attributes}>{_p(shown) if shown else ''}</table:table-cell>")


ODS_VECTORS: dict[str, bytes] = {
    "moment": ods("<table:table-cell office:value-type='date' office:date-value='1980-05-17T12:00:00'><text:p>17.5.</text:p></table:table-cell>"),
    "number in another notation": ods("<table:table-cell office:value-type='float' office:value='5.550137421E9'><text:p>x</text:p></table:table-cell>"),
    "cell": _cell("office:value-type='string'", f"in {S} here"),
    "cell, split": _cell("office:value-type='string'", f"{HALF}<text:span>{REST}</text:span>"),
    "cell value": _cell(f"office:value-type='string' office:string-value='{S}'", S),
    "number": _cell(f"office:value-type='float' office:value='{N}' calcext:value-type='float'", N),
    "number shown otherwise": _cell(f"office:value-type='float' office:value='{N}'", "(555) 013 74 21"),
    "number not shown": _cell(f"office:value-type='float' office:value='{N}'"),
    "date": _cell("office:value-type='date' office:date-value='1980-05-17'", "17.05.1980"),
    "formula": _cell(f"table:formula='of:=IF([.A1]=&quot;{S}&quot;;1;0)' office:value-type='float' office:value='0'", "0"),
    "formula that joins strings": _cell(f"table:formula='of:=&quot;{HALF}&quot;&amp;&quot;{REST}&quot;' office:value-type='string'"),
    "result of a formula": _cell("table:formula='of:=[.A1]' office:value-type='string'", S),
    "sheet name": ods(name=S),
    "reference to a sheet": ods(f"<table:table-cell table:formula='of:=[$&apos;{S}&apos;.A1]'/>", name=S),
    "hidden sheet": ods(f"<table:table-cell>{_p(S)}</table:table-cell>", table=" table:display='false'"),
    "hidden row": ods(f"</table:table-row><table:table-row table:visibility='collapse'><table:table-cell>{_p(S)}</table:table-cell>"),
    "covered cell": ods(f"<table:covered-table-cell office:value-type='string'>{_p(S)}</table:covered-table-cell>"),
    "comment": ods(f"<table:table-cell><office:annotation><dc:creator>{S}</dc:creator>{_p(S)}</office:annotation></table:table-cell>"),
    "named range": ods(after=f"<table:named-expressions><table:named-range table:name='{S}' table:cell-range-address='$Data.$A$1'/><table:named-expression table:name='e' table:expression='&quot;{S}&quot;'/></table:named-expressions>"),
    "validation": ods(after=f"<table:content-validations><table:content-validation table:name='v' table:condition='cell-content-is-in-list(&quot;{S}&quot;)'><table:help-message table:title='{S}'>{_p(S)}</table:help-message></table:content-validation></table:content-validations>"),
    "filter": ods(after=f"<table:database-ranges><table:database-range table:name='{S}'><table:filter><table:filter-condition table:value='{N}' table:operator='='/></table:filter></table:database-range></table:database-ranges>"),
    "linked sheet": ods(f"</table:table-row><table:table-row><table:table-cell/></table:table-row></table:table><table:table table:name='L'><table:table-source xlink:href='file:///C:/{S}.ods' table:table-name='{S}'/><table:table-row><table:table-cell/>"),
    "scenario": ods(f"</table:table-row></table:table><table:table table:name='x'><table:scenario table:comment='{S}'/><table:table-row><table:table-cell/>"),
    "tracked changes": ods(after=f"<table:tracked-changes><table:cell-content-change><table:previous><table:change-track-table-cell office:value-type='string'>{_p(S)}</table:change-track-table-cell></table:previous></table:cell-content-change></table:tracked-changes>"),
    "link of a cell": ods(f"<table:table-cell>{_p('<text:a xlink:href=' + chr(39) + 'http://x.example/' + S + chr(39) + '>x</text:a>')}</table:table-cell>"),
    "pivot table": ods(after=f"<table:data-pilot-tables><table:data-pilot-table table:name='{S}'><table:data-pilot-field table:source-field-name='{S}'><table:data-pilot-member table:name='{S}'/></table:data-pilot-field></table:data-pilot-table></table:data-pilot-tables>"),
    "header": ods(parts={"styles.xml": _styles(f"<style:master-page style:name='Default'><style:header>{_p(S)}</style:header></style:master-page>")}),
    "number format": ods(automatic=f"<number:number-style style:name='N1'><number:text>{S}</number:text></number:number-style>"),
    "properties": ods(parts={"meta.xml": _meta(f"<dc:title>{S}</dc:title><meta:initial-creator>{S}</meta:initial-creator>")}),
    "embedded chart": ods(
        "<table:table-cell><draw:frame><draw:object xlink:href='./Object 1'/></draw:frame></table:table-cell>",
        parts={"Object 1/content.xml": _chart(f"<table:table table:name='local-table'><table:table-row><table:table-cell>{_p(S)}</table:table-cell></table:table-row></table:table>")},
    ),
}  # fmt: skip
