"""Where a secret can hide in a Word document: one row a hiding place."""

from __future__ import annotations

import base64
import zlib

from tests.attacks.leaks.office_packages import (
    DECLARATIONS,
    MS,
    NAMESPACES,
    OOXML,
    WORD,
    Relation,
    docx,
    emf,
    gif,
    jpeg,
    package,
    paragraph,
    picture,
    png,
    profile,
    word_part,
    xlsx,
    zipped,
)

S = "Zanzibarquokka"
HALF, REST = S[:5], S[5:]
DOC = "word/document.xml"
CORE = f"{OOXML}/package/2006/relationships/metadata/core-properties"
PROPERTIES = f"{OOXML}/officeDocument/2006/relationships"


def _run(text: str, properties: str = "") -> str:
    return f"<w:r><w:rPr>{properties}</w:rPr><w:t>{text}</w:t></w:r>"


def _tracked(tag: str, text: str, element: str = "t") -> str:
    return f"<w:{tag} w:id='1' w:author='Ann' w:date='2020-01-01T00:00:00Z'><w:r><w:{element}>{text}</w:{element}></w:r></w:{tag}>"


def _field(*code: str) -> str:
    middle = "".join(f"<w:r><w:instrText>{piece}</w:instrText></w:r>" for piece in code)
    return paragraph(
        "<w:r><w:fldChar w:fldCharType='begin'/></w:r>", middle,
        "<w:r><w:fldChar w:fldCharType='separate'/></w:r>", "shown", "<w:r><w:fldChar w:fldCharType='end'/></w:r>",
    )  # fmt: skip


def _with(kind: str, name: str, content: str | bytes, content_type: str = "", body: str = "") -> bytes:
    """A document with one more part."""
    types = {f"word/{name}": content_type} if content_type else {}
    return docx(body, parts={f"word/{name}": content}, types=types, relations=[(DOC, kind, name)])


def _word(kind: str, root: str, content: str, body: str = "") -> bytes:
    return _with(kind, f"{kind}1.xml", word_part(root, content), f"{WORD}{kind}+xml", body)


def _settings(content: str, *relations: Relation) -> bytes:
    return docx(
        parts={"word/settings.xml": word_part("settings", content)},
        types={"word/settings.xml": WORD + "settings+xml"},
        relations=[(DOC, "settings", "settings.xml"), *relations],
    )


def _styled(body: str, styles: str) -> bytes:
    return docx(
        body,
        parts={"word/styles.xml": word_part("styles", styles)},
        types={"word/styles.xml": WORD + "styles+xml"},
        relations=[(DOC, "styles", "styles.xml")],
    )


def _core(content: str) -> bytes:
    return docx(
        parts={"docProps/core.xml": f'<cp:coreProperties xmlns:cp="{OOXML}/package/2006/metadata/core-properties" '
               'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/">'
               f"{content}</cp:coreProperties>"},
        types={"docProps/core.xml": "application/vnd.openxmlformats-package.core-properties+xml"},
        relations=[("", CORE, "docProps/core.xml")],
    )  # fmt: skip


def _app(content: str) -> bytes:
    return docx(
        parts={"docProps/app.xml": f'<Properties xmlns="{OOXML}/officeDocument/2006/extended-properties">{content}</Properties>'},
        types={"docProps/app.xml": "application/vnd.openxmlformats-officedocument.extended-properties+xml"},
        relations=[("", "extended-properties", "docProps/app.xml")],
    )  # fmt: skip


def _custom(name: str, value: str) -> bytes:
    return docx(
        parts={"docProps/custom.xml": f'<Properties xmlns="{OOXML}/officeDocument/2006/custom-properties" xmlns:vt="{OOXML}/'
               f'officeDocument/2006/docPropsVTypes"><property fmtid="{{D5CDD505-2E9C-101B-9397-08002B2CF9AE}}" pid="2" '
               f'name="{name}"><vt:lpwstr>{value}</vt:lpwstr></property></Properties>'},
        types={"docProps/custom.xml": "application/vnd.openxmlformats-officedocument.custom-properties+xml"},
        relations=[("", "custom-properties", "docProps/custom.xml")],
    )  # fmt: skip


def _image(data: bytes, name: str) -> bytes:
    return docx(picture(), parts={f"word/media/{name}": data}, relations=[(DOC, "image", f"media/{name}")])


def _ole(data: bytes, name: str, kind: str = "oleObject") -> bytes:
    body = paragraph(
        "<w:r><w:object><v:shape id='_x0000_i1025'><v:imagedata r:id='rId2'/></v:shape>"
        "<o:OLEObject Type='Embed' ProgID='Package' ShapeID='_x0000_i1025' DrawAspect='Content' r:id='rId1'/>"
        "</w:object></w:r>"
    )
    return docx(
        body,
        parts={f"word/embeddings/{name}": data, "word/media/image1.png": png()},
        relations=[(DOC, kind, f"embeddings/{name}"), (DOC, "image", "media/image1.png")],
    )


def _chart(content: str, *, workbook: bytes | None = None) -> bytes:
    parts: dict[str, str | bytes] = {
        "word/charts/chart1.xml": f"<c:chartSpace {DECLARATIONS}>{content}</c:chartSpace>"
    }
    relations: list[Relation] = [(DOC, "chart", "charts/chart1.xml")]
    if workbook is not None:
        parts["word/embeddings/Microsoft_Excel_Sheet1.xlsx"] = workbook
        relations.append(("word/charts/chart1.xml", "package", "../embeddings/Microsoft_Excel_Sheet1.xlsx"))
    body = paragraph(
        "<w:r><w:drawing><wp:inline><wp:docPr id='1' name='Chart 1'/><a:graphic><a:graphicData "
        f"uri='{NAMESPACES['c']}'><c:chart r:id='rId1'/></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>"
    )
    kind = "application/vnd.openxmlformats-officedocument.drawingml.chart+xml"
    return docx(body, parts=parts, types={"word/charts/chart1.xml": kind}, relations=relations)


_TEXT_BOX = (
    "<mc:AlternateContent><mc:Choice Requires='wps'><w:drawing><wp:inline><wp:docPr id='1' name='Text Box 1'/>"
    "<a:graphic><a:graphicData uri='x'><wps:wsp><wps:txbx><w:txbxContent>{0}</w:txbxContent></wps:txbx></wps:wsp>"
    "</a:graphicData></a:graphic></wp:inline></w:drawing></mc:Choice><mc:Fallback><w:pict><v:rect><v:textbox>"
    "<w:txbxContent>{1}</w:txbxContent></v:textbox></v:rect></w:pict></mc:Fallback></mc:AlternateContent>"
)


def _text_box(choice: str, fallback: str) -> str:
    return paragraph("<w:r>" + _TEXT_BOX.format(paragraph(choice), paragraph(fallback)) + "</w:r>")


def _bound(content: str) -> bytes:
    sdt = (
        "<w:sdt><w:sdtPr><w:dataBinding w:xpath='/a/b' w:storeItemID='{00000000-0000-0000-0000-000000000001}'/>"
        f"</w:sdtPr><w:sdtContent>{paragraph('shown')}</w:sdtContent></w:sdt>"
    )
    return docx(
        sdt,
        parts={
            "customXml/item1.xml": f"<a><b>{content}</b></a>",
            "customXml/itemProps1.xml": f"<ds:datastoreItem xmlns:ds='{OOXML}/officeDocument/2006/customXml' "
            f"ds:itemID='{{00000000-0000-0000-0000-000000000001}}'><ds:schemaRefs><ds:schemaRef ds:uri='urn:{content}'/>"
            "</ds:schemaRefs></ds:datastoreItem>",
        },
        relations=[
            (DOC, "customXml", "../customXml/item1.xml"),
            ("customXml/item1.xml", "customXmlProps", "itemProps1.xml"),
        ],
    )


def _comments(attributes: str, text: str, *more: Relation, parts: dict[str, str] | None = None) -> bytes:
    return docx(
        parts={
            "word/comments.xml": word_part(
                "comments", f"<w:comment w:id='0' {attributes}>{paragraph(text)}</w:comment>"
            ),
            **(parts or {}),
        },
        types={"word/comments.xml": WORD + "comments+xml"},
        relations=[(DOC, "comments", "comments.xml"), *more],
    )


def _strict(text: str) -> bytes:
    uri = "http://purl.oclc.org/ooxml/wordprocessingml/main"
    half = len(text) // 2
    return docx(
        document=f"<w:document xmlns:w='{uri}' w:conformance='strict'><w:body><w:p><w:r><w:t>{text[:half]}</w:t></w:r>"
        f"<w:r><w:t>{text[half:]}</w:t></w:r></w:p></w:body></w:document>"
    )


def _renamed(data: bytes, old: str, new: str) -> bytes:
    """The same package with a name changed wherever it stands."""
    import io
    import zipfile

    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    swapped = {
        name.replace(old, new): content.replace(old.encode(), new.encode())
        if name.endswith((".xml", ".rels"))
        else content
        for name, content in parts.items()
    }
    return zipped(swapped)


UNKNOWN = f"{MS}2099/relationships/unheardOf"

DOCX_VECTORS: dict[str, bytes] = {
    "body": docx(paragraph(f"in {S} here")),
    "upper case": docx(paragraph(f"in {S.upper()} here")),
    "split over runs": docx(paragraph("in ", HALF, REST[:2], REST[2:], " here")),
    "split around a bookmark and a proof mark": docx(
        paragraph(HALF, "<w:proofErr w:type='spellStart'/><w:bookmarkStart w:id='0' w:name='b'/>", REST)
    ),
    "split by a soft hyphen": docx(paragraph(HALF, "<w:r><w:softHyphen/></w:r>", REST)),
    "split by an invisible space": docx(paragraph(HALF + "\u200b" + REST)),
    "full-width letters": docx(paragraph("".join(chr(ord(c) + 0xFEE0) for c in S))),
    "character references": docx("<w:p><w:r><w:t>" + "".join(f"&#{ord(c)};" for c in S) + "</w:t></w:r></w:p>"),
    "CDATA": docx(f"<w:p><w:r><w:t><![CDATA[{S}]]></w:t></w:r></w:p>"),
    "mixed content in a run": docx(f"<w:p><w:r><w:t>x<w:b/>{S}</w:t></w:r></w:p>"),
    "stray text between elements": docx(f"<w:p>{S}<w:r><w:t>x</w:t></w:r></w:p>"),
    "stray text after an element": docx(f"<w:p><w:r/>{S}</w:p>"),
    "symbols": docx(paragraph("<w:r>" + "".join(f"<w:sym w:font='Arial' w:char='{ord(c):04X}'/>" for c in S) + "</w:r>")),
    "symbols in the private area": docx(
        paragraph("<w:r>" + "".join(f"<w:sym w:font='Symbol' w:char='F0{ord(c):02X}'/>" for c in S) + "</w:r>")
    ),
    "table": docx(f"<w:tbl><w:tr><w:tc>{paragraph(S)}</w:tc></w:tr></w:tbl>"),
    "nested table": docx(
        f"<w:tbl><w:tr><w:tc><w:tbl><w:tr><w:tc>{paragraph(HALF, REST)}</w:tc></w:tr></w:tbl></w:tc></w:tr></w:tbl>"
    ),
    "math": docx(f"<w:p><m:oMath><m:r><m:t>{HALF}</m:t></m:r><m:r><m:t>{REST}</m:t></m:r></m:oMath></w:p>"),
    "ruby": docx(
        f"<w:p><w:r><w:ruby><w:rt><w:r><w:t>{S}</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>b</w:t></w:r></w:rubyBase>"
        "</w:ruby></w:r></w:p>"
    ),
    "base around a ruby text": docx(
        f"<w:p><w:r><w:t>{HALF}</w:t></w:r><w:r><w:ruby><w:rt><w:r><w:t>zz</w:t></w:r></w:rt><w:rubyBase><w:r>"
        f"<w:t>{REST}</w:t></w:r></w:rubyBase></w:ruby></w:r></w:p>"
    ),
    "strict dialect": _strict(S),
    "UTF-16 part": docx(document=f"<?xml version='1.0' encoding='UTF-16'?><w:document {DECLARATIONS}><w:body>{paragraph(S)}</w:body></w:document>".encode("utf-16")),
    "header": _word("header", "hdr", paragraph(S)),
    "footer": _word("footer", "ftr", paragraph(HALF, REST)),
    "footnote": _word("footnotes", "footnotes", f"<w:footnote w:id='2'>{paragraph(S)}</w:footnote>"),
    "endnote": _word("endnotes", "endnotes", f"<w:endnote w:id='2'>{paragraph(S)}</w:endnote>"),
    "comment": _comments("w:author='Ann'", S),
    "comment author": _comments(f"w:author='{S}'", "text"),
    "comment initials": _comments(f"w:author='Ann' w:initials='{S}'", "text"),
    "people": _comments(
        "w:author='Ann'", "text", (DOC, f"{MS}2011/relationships/people", "people.xml"),
        parts={"word/people.xml": f"<w15:people {DECLARATIONS}><w15:person w15:author='{S}'><w15:presenceInfo "
               f"w15:providerId='AD' w15:userId='{S}'/></w15:person></w15:people>"},
    ),
    "text box, new branch": docx(_text_box(S, "other")),
    "text box, fallback branch": docx(_text_box("other", S)),
    "text box, both branches": docx(_text_box(S, S)),
    "paragraph around a text box": docx(
        paragraph(HALF, "<w:r>" + _TEXT_BOX.format(paragraph("inside"), paragraph("inside")) + "</w:r>", REST)
    ),
    "word art": docx(paragraph(f"<w:r><w:pict><v:shape><v:textpath string='{S}'/></v:shape></w:pict></w:r>")),
    "tracked insertion": docx(paragraph(_tracked("ins", S))),
    "tracked deletion": docx(paragraph(_tracked("del", S, "delText"))),
    "tracked move": docx(paragraph(_tracked("moveFrom", S)) + paragraph(_tracked("moveTo", S))),
    "term over a kept and a deleted run": docx(paragraph(HALF, _tracked("del", REST, "delText"), " x")),
    "term around a deletion": docx(paragraph(HALF, _tracked("del", "zz", "delText"), REST)),
    "term around an insertion": docx(paragraph(HALF, _tracked("ins", "zz"), REST)),
    "drop cap": docx(
        "<w:p><w:pPr><w:framePr w:dropCap='drop' w:lines='3' w:wrap='around' w:vAnchor='text' w:hAnchor='text'/></w:pPr>"
        f"<w:r><w:t>{S[0]}</w:t></w:r></w:p>" + paragraph(S[1:] + " came")
    ),
    "drop cap in the margin, cut over runs": docx(
        f"<w:p><w:pPr><w:framePr w:dropCap='margin' w:lines='2'/></w:pPr><w:r><w:t>{S[0]}</w:t></w:r></w:p>"
        + paragraph(S[1:5], S[5:])
    ),
    "from right to left": docx(paragraph("see \u202e" + S[::-1] + "\u202c now")),
    "from right to left by an element": docx(
        f"<w:p><w:bdo w:val='rtl'><w:r><w:t>{S[::-1]}</w:t></w:r></w:bdo></w:p>"
    ),
    "letters that no font shows": docx(paragraph("".join(chr(0xE0000 + ord(char)) for char in S))),
    "term that goes on in the fallback branch": docx(
        f"<w:p><w:r><w:t>{HALF}</w:t></w:r><mc:AlternateContent><mc:Choice Requires='w14'><w:r><w:t>x</w:t></w:r></mc:Choice>"
        f"<mc:Fallback><w:r><w:t>{REST}</w:t></w:r></mc:Fallback></mc:AlternateContent></w:p>"
    ),
    "term over a deleted paragraph end": docx(
        f"<w:p><w:pPr><w:rPr><w:del w:id='1' w:author='Ann'/></w:rPr></w:pPr><w:r><w:t>{HALF}</w:t></w:r></w:p>"
        + paragraph(REST)
    ),
    "deleted field code": docx(
        paragraph(
            "<w:del w:id='1' w:author='Ann'><w:r><w:fldChar w:fldCharType='begin'/></w:r><w:r>"
            f"<w:delInstrText>{S}</w:delInstrText></w:r><w:r><w:fldChar w:fldCharType='end'/></w:r></w:del>"
        )
    ),
    "author of a change": docx(paragraph(f"<w:ins w:id='1' w:author='{S}'><w:r><w:t>x</w:t></w:r></w:ins>")),
    "author of a format change": docx(
        paragraph(f"<w:r><w:rPr><w:rPrChange w:id='1' w:author='{S}'><w:rPr/></w:rPrChange></w:rPr><w:t>x</w:t></w:r>")
    ),
    "old numbering": docx(
        f"<w:p><w:pPr><w:numPr><w:numberingChange w:id='1' w:author='Ann' w:original='{S}'/></w:numPr></w:pPr></w:p>"
    ),
    "hidden text": docx(paragraph(_run(S, "<w:vanish/>"))),
    "term around hidden text": docx(paragraph(HALF, _run("zz", "<w:vanish/>"), REST)),
    "term around text hidden by a style": _styled(
        paragraph(HALF, _run("zz", "<w:rStyle w:val='Mine'/>"), REST),
        "<w:style w:type='character' w:styleId='Base'><w:rPr><w:vanish/></w:rPr></w:style>"
        "<w:style w:type='character' w:styleId='Mine'><w:basedOn w:val='Base'/></w:style>",
    ),
    "term around a paragraph hidden by its style": _styled(
        paragraph(HALF, "<w:pPr><w:rPr><w:vanish/></w:rPr></w:pPr>")
        + "<w:p><w:pPr><w:pStyle w:val='Mine'/></w:pPr><w:r><w:t>zz</w:t></w:r></w:p>" + paragraph(REST),
        "<w:style w:type='paragraph' w:styleId='Mine'><w:rPr><w:vanish/></w:rPr></w:style>",
    ),
    "term over a hidden paragraph end": docx(
        f"<w:p><w:pPr><w:rPr><w:vanish/><w:specVanish/></w:rPr></w:pPr><w:r><w:t>{HALF}</w:t></w:r></w:p>" + paragraph(REST)
    ),
    "term over an inserted paragraph end": docx(
        f"<w:p><w:pPr><w:rPr><w:ins w:id='1' w:author='Ann'/></w:rPr></w:pPr><w:r><w:t>{HALF}</w:t></w:r></w:p>" + paragraph(REST)
    ),
    "white text of size one": docx(paragraph(_run(S, "<w:color w:val='FFFFFF'/><w:sz w:val='2'/>"))),
    "content control": docx(f"<w:sdt><w:sdtContent>{paragraph(S)}</w:sdtContent></w:sdt>"),
    "number of a content control": docx("<w:sdt><w:sdtPr><w:id w:val='5550137421'/></w:sdtPr><w:sdtContent/></w:sdt>"),
    "content control title": docx(f"<w:sdt><w:sdtPr><w:alias w:val='{S}'/></w:sdtPr><w:sdtContent/></w:sdt>"),
    "content control tag": docx(f"<w:sdt><w:sdtPr><w:tag w:val='{S}'/></w:sdtPr><w:sdtContent/></w:sdt>"),
    "drop-down entry": docx(
        f"<w:sdt><w:sdtPr><w:dropDownList><w:listItem w:displayText='{S}' w:value='1'/></w:dropDownList></w:sdtPr></w:sdt>"
    ),
    "drop-down value": docx(
        f"<w:sdt><w:sdtPr><w:dropDownList><w:listItem w:displayText='a' w:value='{S}'/></w:dropDownList></w:sdtPr></w:sdt>"
    ),
    "data binding": docx(f"<w:sdt><w:sdtPr><w:dataBinding w:xpath='/{S}' w:storeItemID='x'/></w:sdtPr></w:sdt>"),
    "bound custom XML": _bound(S),
    "custom XML element": docx(f"<w:customXml w:uri='urn:x' w:element='{S}'>{paragraph('x')}</w:customXml>"),
    "custom XML attribute": docx(
        f"<w:customXml w:element='e'><w:customXmlPr><w:attr w:name='n' w:val='{S}'/></w:customXmlPr></w:customXml>"
    ),
    "name of an element": docx(f"<w:p><w:{S}/></w:p>"),
    "name of an attribute": docx(f"<w:p w:{S}='1'/>"),
    "prefix of a namespace": docx(f"<w:p xmlns:{S}='{NAMESPACES['w']}'><{S}:r><{S}:t>x</{S}:t></{S}:r></w:p>"),
    "namespace": docx(f"<w:p xmlns:q='urn:{S}' q:a='1'/>"),
    "namespace like a published one": docx(f"<w:p xmlns:q='{MS}{S}' q:a='1'/>"),
    "type of a relationship": docx(parts={"word/x.xml": "<a/>"}, relations=[(DOC, f"{MS}{S}", "x.xml")]),
    "embedded font": docx(
        parts={
            "word/fontTable.xml": word_part("fonts", "<w:font w:name='F'><w:embedRegular r:id='rId1'/></w:font>"),
            "word/fonts/font1.odttf": bytes(64) + S.encode("utf-16-be"),
        },
        types={"word/fonts/font1.odttf": "application/vnd.openxmlformats-officedocument.obfuscatedFont"},
        relations=[(DOC, "fontTable", "fontTable.xml"), ("word/fontTable.xml", "font", "fonts/font1.odttf")],
    ),
    "number as the name of a shape": docx(
        paragraph("<w:r><w:drawing><wp:inline><wp:docPr id='1' name='5550137421'/></wp:inline></w:drawing></w:r>")
    ),
    "number as the text of a list": _with(
        "numbering", "numbering.xml",
        word_part("numbering", "<w:abstractNum w:abstractNumId='0'><w:name w:val='5550137421'/><w:lvl w:ilvl='0'>"
                  "<w:lvlText w:val='5550137421'/></w:lvl></w:abstractNum>"), WORD + "numbering+xml",
    ),
    "number of a permitted editor": docx("<w:p><w:permStart w:id='1' w:ed='5550137421'/></w:p>"),
    "UTF-7 part": docx(
        document=f"<?xml version='1.0' encoding='UTF-7'?><w:document {DECLARATIONS}><w:body>{paragraph(S)}</w:body></w:document>".encode()
    ),
    "entity in UTF-7": docx(
        document=f"<?xml version='1.0' encoding='UTF-7'?>+ADwAIQ-DOCTYPE w [+ADwAIQ-ENTITY e '{S}'>]><w:document {DECLARATIONS}>"
        f"<w:body>{paragraph('&e;')}</w:body></w:document>".encode()
    ),
    "smart tag": docx(
        f"<w:p><w:smartTag w:element='place'><w:smartTagPr><w:attr w:name='ProductID' w:val='{S}'/></w:smartTagPr>"
        "<w:r><w:t>x</w:t></w:r></w:smartTag></w:p>"
    ),
    "field code": docx(_field(f' INCLUDETEXT "C:\\{S}.docx" ')),
    "field code over runs": docx(_field(" AUTHOR ", HALF, REST)),
    "field code around a deletion": docx(
        _field(" AUTHOR ", HALF).replace(
            "<w:r><w:fldChar w:fldCharType='separate'/></w:r>",
            "<w:del w:id='1' w:author='Ann'><w:r><w:delInstrText>zz</w:delInstrText></w:r></w:del>"
            f"<w:r><w:instrText>{REST} </w:instrText></w:r><w:r><w:fldChar w:fldCharType='separate'/></w:r>",
        )
    ),
    "field code around an insertion": docx(
        _field(" AUTHOR ", HALF).replace(
            "<w:r><w:fldChar w:fldCharType='separate'/></w:r>",
            "<w:ins w:id='1' w:author='Ann'><w:r><w:instrText>zz</w:instrText></w:r></w:ins>"
            f"<w:r><w:instrText>{REST} </w:instrText></w:r><w:r><w:fldChar w:fldCharType='separate'/></w:r>",
        )
    ),
    "field code, percent-encoded": docx(_field(' HYPERLINK "http://x.example/%5A%61nzibarquokka" ')),
    "simple field": docx(f"<w:p><w:fldSimple w:instr=' DOCPROPERTY {S} '><w:r><w:t>x</w:t></w:r></w:fldSimple></w:p>"),
    "field data": docx(
        paragraph("<w:r><w:fldChar w:fldCharType='begin'><w:fldData>"
                  + base64.b64encode(b"a" * 20 + S.encode("utf-16-le")).decode() + "</w:fldData></w:fldChar></w:r>")
    ),
    "form field default": docx(
        paragraph("<w:r><w:fldChar w:fldCharType='begin'><w:ffData><w:name w:val='n'/><w:textInput>"
                  f"<w:default w:val='{S}'/></w:textInput></w:ffData></w:fldChar></w:r>")
    ),
    "form field help and name": docx(
        paragraph(f"<w:r><w:fldChar w:fldCharType='begin'><w:ffData><w:name w:val='{S}'/><w:helpText w:type='text' "
                  f"w:val='{S}'/><w:statusText w:val='{S}'/></w:ffData></w:fldChar></w:r>")
    ),
    "form field list": docx(
        paragraph("<w:r><w:fldChar w:fldCharType='begin'><w:ffData><w:ddList>"
                  f"<w:listEntry w:val='{S}'/></w:ddList></w:ffData></w:fldChar></w:r>")
    ),
    "hyperlink target": docx(
        paragraph("<w:hyperlink r:id='rId1'><w:r><w:t>x</w:t></w:r></w:hyperlink>"),
        relations=[(DOC, "hyperlink", f"http://x.example/{S}?a=1&b=2", True)],
    ),
    "hyperlink target, percent-encoded": docx(
        paragraph("<w:hyperlink r:id='rId1'><w:r><w:t>x</w:t></w:r></w:hyperlink>"),
        relations=[(DOC, "hyperlink", "mailto:" + "".join(f"%{ord(c):02x}" for c in S) + "@x.example", True)],
    ),
    "hyperlink anchor and tooltip": docx(paragraph(f"<w:hyperlink w:anchor='{S}' w:tooltip='{S}'/>")),
    "attached template": _settings(
        "<w:attachedTemplate r:id='rId1'/>", ("word/settings.xml", "attachedTemplate", f"file:///C:/{S}.dotx", True)
    ),
    "mail merge": _settings(
        f"<w:mailMerge><w:dataSource r:id='rId1'/><w:query w:val='SELECT {S}'/></w:mailMerge>",
        ("word/settings.xml", "mailMergeSource", f"file:///C:/{S}.csv", True),
    ),
    "linked picture": docx(
        picture().replace("r:embed", "r:link"), relations=[(DOC, "image", f"file:///C:/{S}.png", True)]
    ),
    "linked object": docx(
        paragraph("<w:r><w:object><o:OLEObject Type='Link' r:id='rId1'/></w:object></w:r>"),
        relations=[(DOC, "oleObject", f"file:///C:/{S}.xlsx", True)],
    ),
    "subdocument": docx("<w:subDoc r:id='rId1'/>", relations=[(DOC, "subDocument", f"file:///C:/{S}.docx", True)]),
    "alternative text": docx(picture().replace("name='Picture 1'/><a:graphic>", f"name='Picture 1' descr='{S}' title='{S}'/><a:graphic>"),
                             parts={"word/media/image1.png": png()}, relations=[(DOC, "image", "media/image1.png")]),
    "name of a shape": docx(picture().replace("name='Picture 1'", f"name='{S}'"),
                            parts={"word/media/image1.png": png()}, relations=[(DOC, "image", "media/image1.png")]),
    "table caption": docx(
        f"<w:tbl><w:tblPr><w:tblCaption w:val='{S}'/><w:tblDescription w:val='{S}'/></w:tblPr></w:tbl>"
    ),
    "VML titles": docx(paragraph(f"<w:r><w:pict><v:shape alt='{S}' title='{S}' id='{S}'><v:imagedata o:title='{S}' src='{S}'/></v:shape></w:pict></w:r>")),
    "VML copy of a drawing": docx(
        paragraph("<w:r><w:pict><v:shape o:gfxdata='"
                  + base64.b64encode(zipped({"drawing.xml": f"<x>{S}</x>".encode()})).decode() + "'/></w:pict></w:r>")
    ),
    "bookmark": docx(paragraph(f"<w:bookmarkStart w:id='0' w:name='{S}'/><w:bookmarkEnd w:id='0'/>")),
    "permitted editor": docx(f"<w:permStart w:id='0' w:ed='{S}'/><w:permEnd w:id='0'/>"),
    "title": _core(f"<dc:title>{S}</dc:title>"),
    "subject, keywords, description, category": _core(
        f"<dc:subject>{S}</dc:subject><cp:keywords>{S}</cp:keywords><dc:description>{S}</dc:description>"
        f"<cp:category>{S}</cp:category>"
    ),
    "creator": _core(f"<dc:creator>{S}</dc:creator><cp:lastModifiedBy>{S}</cp:lastModifiedBy>"),
    "identifier and version": _core(f"<dc:identifier>{S}</dc:identifier><cp:version>{S}</cp:version>"),
    "company and manager": _app(f"<Company>{S}</Company><Manager>{S}</Manager>"),
    "template and hyperlink base": _app(f"<Template>{S}.dotx</Template><HyperlinkBase>{S}</HyperlinkBase>"),
    "custom property value": _custom("n", S),
    "custom property name": _custom(S, "v"),
    "embedded document": _ole(docx(paragraph(HALF, REST)), "Microsoft_Word_Document1.docx", "package"),
    "embedded workbook": _ole(
        xlsx("<row r='1'><c r='A1' t='s'><v>1</v></c></row>", strings=f"<si><t>{S}</t></si>"),
        "Microsoft_Excel_Sheet1.xlsx", "package",
    ),
    "document in a document in a document": _ole(
        _ole(docx(paragraph(S)), "Microsoft_Word_Document1.docx", "package"), "Microsoft_Word_Document1.docx", "package"
    ),
    "OLE object": _ole(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(64) + S.encode("utf-16-le"), "oleObject1.bin"),
    "OLE object that is a package": _ole(docx(paragraph(S)), "oleObject1.bin"),
    "embedded file of another kind": _ole(b"%PDF-1.4 " + S.encode(), f"{S}.pdf", "package"),
    "imported page": docx(
        "<w:altChunk r:id='rId1'/>", parts={"word/afchunk.html": f"<html><body>{S}</body></html>"},
        relations=[(DOC, "aFChunk", "afchunk.html")],
    ),
    "imported document": docx(
        "<w:altChunk r:id='rId1'/>", parts={"word/part1.docx": docx(paragraph(S))},
        relations=[(DOC, "aFChunk", "part1.docx")],
    ),
    "control": docx(
        paragraph("<w:r><w:object><w:control r:id='rId1' w:name='c'/></w:object></w:r>"),
        parts={"word/activeX/activeX1.xml": f"<ocx value='{S}'/>", "word/activeX/activeX1.bin": S.encode()},
        relations=[(DOC, "control", "activeX/activeX1.xml"),
                   ("word/activeX/activeX1.xml", f"{MS}2006/relationships/activeXControlBinary", "activeX1.bin")],
    ),
    "macros": docx(
        parts={"word/vbaProject.bin": S.encode()}, main="application/vnd.ms-word.document.macroEnabled.main+xml",
        relations=[(DOC, f"{MS}2006/relationships/vbaProject", "vbaProject.bin")],
    ),
    "macros in a plain document": _with(f"{MS}2006/relationships/vbaProject", "vbaProject.bin", S.encode()),
    "printer settings": docx(
        "<w:sectPr><w:printerSettings r:id='rId1'/></w:sectPr>", parts={"word/printerSettings1.bin": S.encode("utf-16-le")},
        relations=[(DOC, "printerSettings", "printerSettings1.bin")],
    ),
    "thumbnail": docx(
        parts={"docProps/thumbnail.jpeg": jpeg(0xFE, S.encode())},
        relations=[("", f"{OOXML}/package/2006/relationships/metadata/thumbnail", "docProps/thumbnail.jpeg")],
    ),
    "PNG text": _image(png((b"tEXt", b"Author\0" + S.encode())), "image1.png"),
    "PNG international text": _image(png((b"iTXt", b"XML:com.adobe.xmp\0\0\0\0\0" + S.encode())), "image1.png"),
    "after the end of a PNG": _image(png(after=S.encode()), "image1.png"),
    "JPEG colour profile": _image(jpeg(0xE2, b"ICC_PROFILE\0\1\1" + profile(S.encode())), "image1.jpeg"),
    "PNG colour profile": _image(png((b"iCCP", b"p\0\0" + zlib.compress(profile(S.encode())))), "image1.png"),
    "PNG palette": _image(png((b"PLTE", b"\0" + S.encode() + b"\0\0\0")), "image1.png"),
    "PNG frame": _image(png((b"fdAT", b"\0\0\0\1 " + S.encode())), "image1.png"),
    "JPEG tables": _image(jpeg(0xDB, b"\0" + S.encode() + bytes(40)), "image1.jpeg"),
    "GIF palette": _image(b"GIF89a\1\0\1\0\x83\0\0" + S.encode().ljust(48, b"\0") + b",\0\0\0\0\1\0\1\0\0\2\2D\1\0;", "image1.gif"),
    "PNG compressed text": _image(png((b"zTXt", b"k\0\0" + zlib.compress(S.encode()))), "image1.png"),
    "JPEG comment": _image(jpeg(0xFE, S.encode()), "image1.jpeg"),
    "JPEG EXIF": _image(jpeg(0xE1, b"Exif\0\0" + S.encode()), "image1.jpeg"),
    "JPEG IPTC": _image(jpeg(0xED, b"Photoshop 3.0\0" + S.encode()), "image1.jpeg"),
    "after the end of a JPEG": _image(jpeg(0xE0, b"JFIF\0\1\1\0\0\1\0\1\0\0", S.encode()), "image1.jpeg"),
    "GIF comment": _image(gif(S.encode()), "image1.gif"),
    "words in a metafile": _image(emf(f"see {S} now"), "image1.emf"),
    "words in a metafile, two records": _image(emf(S, split=6), "image1.emf"),
    "after the end of a metafile": _image(emf("x") + S.encode(), "image1.emf"),
    "TIFF data": _image(b"II*\0\x08\0\0\0" + S.encode(), "image1.tiff"),
    "a picture that is none": _image(b"no picture " + S.encode(), "image1.png"),
    "SVG": _image(f"<svg xmlns='http://www.w3.org/2000/svg'><title>{S}</title><text>{HALF}<tspan>{REST}</tspan></text></svg>".encode(), "image1.svg"),
    "picture in an SVG": _image(
        "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink'><image xlink:href='data:image/png;base64,"
        f"{base64.b64encode(png((b'tEXt', b'Author' + bytes(1) + S.encode()))).decode()}'/><image href='data:text/plain,{S}'/></svg>".encode(),
        "image1.svg",
    ),
    "chart title": _chart(f"<c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>{HALF}</a:t></a:r><a:r><a:t>{REST}</a:t></a:r></a:p></c:rich></c:tx></c:title></c:chart>"),
    "chart cache": _chart(f"<c:ser><c:cat><c:strRef><c:f>Sheet1!$A$2</c:f><c:strCache><c:pt idx='0'><c:v>{S}</c:v></c:pt></c:strCache></c:strRef></c:cat></c:ser>"),
    "chart reference": _chart(f"<c:ser><c:val><c:numRef><c:f>'{S}'!$B$2</c:f></c:numRef></c:val></c:ser>"),
    "chart workbook": _chart(
        "<c:externalData r:id='rId1'/>",
        workbook=xlsx("<row r='1'><c r='A1' t='inlineStr'><is><t>" + S + "</t></is></c></row>"),
    ),
    "diagram": _with("diagramData", "diagrams/data1.xml", f"<dgm:dataModel {DECLARATIONS}><dgm:pt><dgm:t><a:p><a:r><a:t>{HALF}</a:t></a:r><a:r><a:t>{REST}</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:dataModel>",
                     "application/vnd.openxmlformats-officedocument.drawingml.diagramData+xml"),
    "glossary": _with("glossaryDocument", "glossary/document.xml", word_part("glossaryDocument", f"<w:docParts><w:docPart><w:docPartPr><w:name w:val='{S}'/></w:docPartPr><w:docPartBody>{paragraph(S)}</w:docPartBody></w:docPart></w:docParts>"), WORD + "document.glossary+xml"),
    "document variables": _settings(f"<w:docVars><w:docVar w:name='{S}' w:val='{S}'/></w:docVars>"),
    "rsid of a paragraph and of a run": docx(f"<w:p w:rsidR='{S}' w:rsidRDefault='5550137421'><w:r w:rsidRPr='{S}'/></w:p>"),
    "rsids of the settings": _settings(f"<w:rsids><w:rsidRoot w:val='{S}'/><w:rsid w:val='5550137421'/></w:rsids>"),
    "unknown setting": _settings(f"<w:unheardOf w:val='{S}'/>"),
    "style name and id": docx(
        f"<w:p><w:pPr><w:pStyle w:val='{S}'/></w:pPr></w:p>",
        parts={"word/styles.xml": word_part("styles", f"<w:style w:type='paragraph' w:styleId='{S}'><w:name w:val='{S} 2'/></w:style>")},
        types={"word/styles.xml": WORD + "styles+xml"}, relations=[(DOC, "styles", "styles.xml")],
    ),
    "font name": docx(paragraph(_run("x", f"<w:rFonts w:ascii='{S} Sans'/>"))),
    "list text": _with("numbering", "numbering.xml", word_part("numbering", f"<w:abstractNum w:abstractNumId='0'><w:lvl w:ilvl='0'><w:lvlText w:val='{S} %1'/></w:lvl></w:abstractNum>"), WORD + "numbering+xml"),
    "theme name": _with("theme", "theme/theme1.xml", f"<a:theme {DECLARATIONS} name='{S}'/>", "application/vnd.openxmlformats-officedocument.theme+xml"),
    "value no schema allows": docx(f"<w:p><w:pPr><w:jc w:val='{S.lower()}'/></w:pPr></w:p>"),
    "value glued to a token": docx(f"<w:p><w:pPr><w:jc w:val='left{S}'/></w:pPr></w:p>"),
    "small letters in an address like Microsoft's": docx(
        picture().replace(NAMESPACES["pic"], f"{MS}{S.lower()}/2010"), parts={"word/media/image1.png": png()},
        relations=[(DOC, "image", "media/image1.png")],
    ),
    "type of content": _with(UNKNOWN, "unheardOf.xml", "<z/>", f"application/vnd.ms-{S.lower()}+xml"),
    "foreign attribute": docx(f"<w:p xmlns:z='urn:z' z:note='{S}'/>"),
    "foreign number": docx("<w:p xmlns:z='urn:z' z:note='5550137421'/>"),
    "foreign element": docx(f"<w:p><z:note xmlns:z='urn:z'>{S}</z:note></w:p>"),
    "unknown part": _with(UNKNOWN, "unheardOf.xml", f"<z xmlns='urn:z' a='{S}'>{S}<b>{S}</b>{S}</z>", "application/xml"),
    "unknown binary part": _with(UNKNOWN, "unheardOf.bin", b"\0\1\2" + S.encode()),
    "part nobody refers to": docx(parts={"word/orphan.xml": f"<x>{S}</x>"}),
    "trash of the package": docx(parts={"[trash]/0000.dat": S.encode()}),
    "XML comment": docx(document=f"<w:document {DECLARATIONS}><!-- {S} --><w:body>{paragraph('x')}</w:body></w:document>"),
    "processing instruction": docx(document=f"<w:document {DECLARATIONS}><?x {S}?><w:body>{paragraph('x')}</w:body></w:document>"),
    "name of a part": _renamed(_image(png(), "image1.png"), "image1.png", f"{S}.png"),
    "name of a folder": _renamed(_word("header", "hdr", paragraph("x")), "header1.xml", f"{S}/header1.xml"),
    "relationship id": _renamed(_image(png(), "image1.png"), "rId1", f"r{S}"),
    "comment of the archive": docx(comment=S.encode()),
    "name of an entry nobody refers to": docx(parts={f"{S}.xml": "<x/>"}),
    "before the archive": S.encode() + docx(),
    "signature": docx(
        parts={"_xmlsignatures/origin.sigs": b"", "_xmlsignatures/sig1.xml": f"<Signature>{S}</Signature>"},
        relations=[("", f"{OOXML}/package/2006/relationships/digital-signature/origin", "_xmlsignatures/origin.sigs"),
                   ("_xmlsignatures/origin.sigs", f"{OOXML}/package/2006/relationships/digital-signature/signature", "sig1.xml")],
    ),
    "sensitivity label": docx(
        parts={"docMetadata/LabelInfo.xml": f"<labelList siteId='{S}'/>"},
        relations=[("", f"{MS}2020/02/relationships/classificationlabels", "docMetadata/LabelInfo.xml")],
    ),
    "task pane": docx(
        parts={"word/webextensions/taskpanes.xml": f"<x>{S}</x>"},
        relations=[("", f"{MS}2011/relationships/webextensiontaskpanes", "word/webextensions/taskpanes.xml")],
    ),
    "key map": _with(f"{MS}2006/relationships/keyMapCustomizations", "customizations.xml", f"<x macro='{S}'/>"),
    "recipients": _settings("<w:mailMerge><w:odso><w:recipientData r:id='rId1'/></w:odso></w:mailMerge>", ("word/settings.xml", "recipientData", f"{S}.xml", True)),
    "flat package": package({"word/document.xml": f"<w:document {DECLARATIONS}><w:body><w:p><w:r><w:t>{S}</w:t></w:r></w:p></w:body></w:document>"}, {"word/document.xml": WORD + "template.main+xml"}, [("", "officeDocument", "word/document.xml")]),
}  # fmt: skip
