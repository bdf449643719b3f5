"""Where a secret can hide in a workbook: one row a hiding place."""

from __future__ import annotations

from tests.attacks.leaks.docx_vectors import CORE
from tests.attacks.leaks.docx_vectors import S as S
from tests.attacks.leaks.office_packages import (
    DECLARATIONS,
    EXCEL,
    MS,
    OOXML,
    SHEET,
    Relation,
    docx,
    emf,
    paragraph,
    png,
    xlsx,
)

HALF, REST = S[:5], S[5:]
N = "5550137421"
BOOK, ONE = "xl/workbook.xml", "xl/worksheets/sheet1.xml"
_DRAWING_TYPE = "application/vnd.openxmlformats-officedocument."


def _row(*cells: str) -> str:
    return f"<row r='1'>{''.join(cells)}</row>"


def _text_cell(text: str, place: str = "A1") -> str:
    return f"<c r='{place}' t='inlineStr'><is><t>{text}</t></is></c>"


def _shared(place: str = "A1", index: int = 1, more: str = "") -> str:
    return f"<c r='{place}' t='s'>{more}<v>{index}</v></c>"


def _part(
    source: str, kind: str, path: str, content: str | bytes, content_type: str = "", **options: str
) -> bytes:
    target = "/" + path
    types = {path: content_type} if content_type else {}
    return xlsx(
        _row(_text_cell("x")),
        parts={path: content},
        types=types,
        relations=[(source, kind, target)],
        **options,
    )


def _sheet_part(kind: str, name: str, content: str | bytes, content_type: str = "", after: str = "") -> bytes:
    return _part(ONE, kind, f"xl/{name}", content, content_type, after=after)


def _book_part(
    kind: str, name: str, content: str | bytes, content_type: str = "", workbook: str = ""
) -> bytes:
    return _part(BOOK, kind, f"xl/{name}", content, content_type, workbook=workbook)


def _comments(author: str, text: str) -> bytes:
    return _sheet_part(
        "comments", "comments1.xml",
        f"<comments {SHEET}><authors><author>{author}</author></authors><commentList><comment ref='A1' authorId='0'>"
        f"<text>{text}</text></comment></commentList></comments>", EXCEL + "comments+xml",
    )  # fmt: skip


def _threaded(text: str, name: str, user: str) -> bytes:
    space = f"xmlns='{MS}spreadsheetml/2018/threadedcomments'"
    return xlsx(
        _row(_text_cell("x")),
        parts={
            "xl/threadedComments/threadedComment1.xml": f"<ThreadedComments {space}><threadedComment ref='A1' "
            f"dT='2020-01-01T00:00:00.00' personId='{{00000000-0000-0000-0000-000000000001}}' "
            f"id='{{00000000-0000-0000-0000-000000000002}}'><text>{text}</text></threadedComment></ThreadedComments>",
            "xl/persons/person1.xml": f"<personList {space}><person displayName='{name}' userId='{user}' providerId='AD' "
            "id='{00000000-0000-0000-0000-000000000001}'/></personList>",
        },
        relations=[
            (ONE, f"{MS}2017/10/relationships/threadedComment", "/xl/threadedComments/threadedComment1.xml"),
            (BOOK, f"{MS}2017/10/relationships/person", "/xl/persons/person1.xml"),
        ],
    )


def _table(
    columns: str, rows: str, strings: str = "", attributes: str = "name='Table1' displayName='Table1'"
) -> bytes:
    return xlsx(
        rows, strings=strings, after="<tableParts count='1'><tablePart r:id='rId1'/></tableParts>",
        parts={"xl/tables/table1.xml": f"<table {SHEET} id='1' {attributes} ref='A1:B2'><autoFilter ref='A1:B2'/>"
               f"<tableColumns count='2'>{columns}</tableColumns></table>"},
        types={"xl/tables/table1.xml": EXCEL + "table+xml"}, relations=[(ONE, "table", "../tables/table1.xml")],
    )  # fmt: skip


def _pivot(
    items: str, *, records: str = "", attributes: str = "", field: str = "f", source: str = ""
) -> bytes:
    cache = "xl/pivotCache/pivotCacheDefinition1.xml"
    parts: dict[str, str | bytes] = {
        cache: f"<pivotCacheDefinition {SHEET} {attributes} r:id='rId1' recordCount='1'><cacheSource type='worksheet'>"
        f"<worksheetSource ref='A1:B2' sheet='Data'{source}/></cacheSource><cacheFields count='1'><cacheField name='{field}'>"
        f"<sharedItems{items}</sharedItems></cacheField></cacheFields></pivotCacheDefinition>",
        "xl/pivotCache/pivotCacheRecords1.xml": f"<pivotCacheRecords {SHEET} count='1'>{records}</pivotCacheRecords>",
    }
    relations: list[Relation] = [
        (BOOK, "pivotCacheDefinition", "pivotCache/pivotCacheDefinition1.xml"),
        (cache, "pivotCacheRecords", "pivotCacheRecords1.xml"),
    ]
    return xlsx(
        _row(_text_cell("x")), parts=parts, relations=relations,
        types={cache: EXCEL + "pivotCacheDefinition+xml",
               "xl/pivotCache/pivotCacheRecords1.xml": EXCEL + "pivotCacheRecords+xml"},
        workbook="<pivotCaches><pivotCache cacheId='1' r:id='rId4'/></pivotCaches>",
    )  # fmt: skip


def _external(target: str, sheet: str, value: str) -> bytes:
    path = "xl/externalLinks/externalLink1.xml"
    return xlsx(
        _row(_text_cell("x")),
        parts={path: f"<externalLink {SHEET}><externalBook r:id='rId1'><sheetNames><sheetName val='{sheet}'/></sheetNames>"
               f"<sheetDataSet><sheetData sheetId='0'><row r='1'><cell r='A1' t='str'><v>{value}</v></cell></row></sheetData>"
               "</sheetDataSet></externalBook></externalLink>"},
        types={path: EXCEL + "externalLink+xml"},
        relations=[(BOOK, "externalLink", "externalLinks/externalLink1.xml"), (path, "externalLinkPath", target, True)],
        workbook="<externalReferences><externalReference r:id='rId4'/></externalReferences>",
    )  # fmt: skip


def _drawing(content: str) -> bytes:
    return _sheet_part("drawing", "drawings/drawing1.xml", f"<xdr:wsDr {DECLARATIONS}>{content}</xdr:wsDr>",
                       _DRAWING_TYPE + "drawing+xml", after="<drawing r:id='rId1'/>")  # fmt: skip


def _chart(content: str) -> bytes:
    return xlsx(
        _row(_text_cell("x")), after="<drawing r:id='rId1'/>",
        parts={"xl/drawings/drawing1.xml": f"<xdr:wsDr {DECLARATIONS}><c:chart r:id='rId1'/></xdr:wsDr>",
               "xl/charts/chart1.xml": f"<c:chartSpace {DECLARATIONS}>{content}</c:chartSpace>"},
        types={"xl/drawings/drawing1.xml": _DRAWING_TYPE + "drawing+xml",
               "xl/charts/chart1.xml": _DRAWING_TYPE + "drawingml.chart+xml"},
        relations=[(ONE, "drawing", "../drawings/drawing1.xml"),
                   ("xl/drawings/drawing1.xml", "chart", "../charts/chart1.xml")],
    )  # fmt: skip


def _connection(attributes: str, inner: str) -> bytes:
    return _book_part("connections", "connections.xml",
                      f"<connections {SHEET}><connection id='1' {attributes}>{inner}</connection></connections>",
                      EXCEL + "connections+xml")  # fmt: skip


def _styled(value: str, style: str, code: str = "") -> bytes:
    formats = f"<numFmts count='1'><numFmt numFmtId='170' formatCode='{code}'/></numFmts>" if code else ""
    return xlsx(
        _row(f"<c r='A1' s='1'><v>{value}</v></c>"),
        styles=f"{formats}<cellXfs count='2'><xf numFmtId='0'/><xf numFmtId='{style}'/></cellXfs>",
    )


_LINK = "<hyperlinks><hyperlink ref='A1' {0}/></hyperlinks>"
_TWO = f"<row r='1'>{_text_cell('{0}')}{_text_cell('b', 'B1')}</row><row r='2'><c r='A2'><v>1</v></c></row>"

XLSX_VECTORS: dict[str, bytes] = {
    "shared string": xlsx(_row(_shared()), strings=f"<si><t>in {S} here</t></si>"),
    "shared string in two cells": xlsx(_row(_shared(), _shared("B1")), strings=f"<si><t>{S}</t></si>"),
    "rich shared string, split": xlsx(
        _row(_shared()), strings=f"<si><r><rPr><b/></rPr><t>{HALF}</t></r><r><t xml:space='preserve'>{REST} x</t></r></si>"
    ),
    "shared string nobody uses": xlsx(_row(_shared(index=0)), strings=f"<si><t>{S}</t></si>"),
    "phonetic guide": xlsx(_row(_shared()), strings=f"<si><t>x</t><rPh sb='0' eb='1'><t>{S}</t></rPh></si>"),
    "escaped string": xlsx(
        _row(_shared()), strings="<si><t>" + "".join(f"_x{ord(c):04X}_" for c in S) + "</t></si>"
    ),
    "inline string": xlsx(_row(_text_cell(S))),
    "rich inline string, split": xlsx(_row(f"<c r='A1' t='inlineStr'><is><r><t>{HALF}</t></r><r><t>{REST}</t></r></is></c>")),
    "number": xlsx(_row(f"<c r='A1'><v>{N}</v></c>")),
    "number with a mask": _styled(N, "170", "000-000-0000"),
    "date": _styled("29358", "14"),
    "date with a format": _styled("29358.5", "170", "dd.mm.yyyy hh:mm"),
    "ISO date": xlsx(_row(f"<c r='A1' t='d'><v>{N}</v></c>")),
    "formula with words": xlsx(_row(f"<c r='A1'><f>IF(B1=\"{S}\",1,0)</f><v>0</v></c>")),
    "formula that joins strings": xlsx(_row(f"<c r='A1'><f>\"{HALF}\" &amp; (\"{REST}\")</f></c>")),
    "formula that lists strings": xlsx(_row(f"<c r='A1'><f>_xlfn.CONCAT(\"{HALF}\",\"{REST}\")</f></c>")),
    "formula of single characters": xlsx(
        _row("<c r='A1'><f>" + "&amp;".join(f"CHAR({ord(c)})" for c in S) + "</f></c>")
    ),
    "shared formula that joins strings": xlsx(
        _row(f"<c r='A1'><f t='shared' ref='A1:A2' si='0'>\"{HALF}\"&amp;\"{REST}\"</f></c>")
        + _row("<c r='A2'><f t='shared' si='0'/></c>").replace("r='1'", "r='2'")
    ),
    "name that joins strings": xlsx(
        workbook=f"<definedNames><definedName name='n'>\"{HALF}\"&amp;\"{REST}\"</definedName></definedNames>"
    ),
    "cached words of a formula": xlsx(_row(f"<c r='A1' t='str'><f>B1&amp;C1</f><v>{S}</v></c>")),
    "cached number of a formula": xlsx(_row(f"<c r='A1'><f>B1+C1</f><v>{N}</v></c>")),
    "shared formula": xlsx(
        f"<row r='1'><c r='A1'><f t='shared' ref='A1:A2' si='0'>IF(B1=\"{S}\",1,0)</f><v>0</v></c></row>"
        "<row r='2'><c r='A2'><f t='shared' si='0'/><v>0</v></c></row>"
    ),
    "array formula": xlsx(_row(f"<c r='A1' t='str'><f t='array' ref='A1'>\"{S}\"</f><v>{S}</v></c>")),
    "sheet name": xlsx(_row(_text_cell("x")), sheet_name=S),
    "sheet name with formulas": xlsx(
        _row(f"<c r='A1'><f>{S}!B1+'{S}'!B2</f><v>0</v></c>"), sheet_name=S,
        workbook=f"<definedNames><definedName name='total'>{S}!$A$1</definedName></definedNames>",
    ),
    "hidden sheet": xlsx(_row(_text_cell(S)), sheet_attributes=" state='veryHidden'"),
    "hidden row": xlsx(f"<row r='1' hidden='1'>{_text_cell(S)}</row>"),
    "hidden column": xlsx(_row(_text_cell(S)), before="<cols><col min='1' max='1' hidden='1'/></cols>"),
    "name of a range": xlsx(workbook=f"<definedNames><definedName name='{S}'>Data!$A$1</definedName></definedNames>"),
    "words in a range": xlsx(workbook=f"<definedNames><definedName name='n'>\"{S}\"</definedName></definedNames>"),
    "number in a range": xlsx(workbook=f"<definedNames><definedName name='n'>{N}</definedName></definedNames>"),
    "comment of a range": xlsx(
        workbook=f"<definedNames><definedName name='n' comment='{S}' description='{S}'>Data!$A$1</definedName></definedNames>"
    ),
    "comment": _comments("Ann", f"<r><t>{HALF}</t></r><r><t>{REST}</t></r>"),
    "comment author": _comments(S, "<t>x</t>"),
    "threaded comment": _threaded(S, "Ann", "u"),
    "person": _threaded("x", S, S),
    "comment box": _sheet_part(
        "vmlDrawing", "drawings/vmlDrawing1.vml",
        "<xml xmlns:v='urn:schemas-microsoft-com:vml' xmlns:x='urn:schemas-microsoft-com:office:excel'><v:shape id='_x0000_s1025'>"
        f"<v:textbox><div style='text-align:left'><font>{HALF}</font>{REST}<br></div></v:textbox><x:ClientData ObjectType='Note'>"
        f"<x:FmlaMacro>{S}</x:FmlaMacro></x:ClientData></v:shape></xml>",
        after="<legacyDrawing r:id='rId1'/>",
    ),
    "header and footer": xlsx(
        after=f"<headerFooter><oddHeader>&amp;L{S}</oddHeader><firstFooter>&amp;C{S}</firstFooter></headerFooter>"
    ),
    "number in a header": xlsx(after=f"<headerFooter><oddHeader>{N}</oddHeader></headerFooter>"),
    "header split by codes": xlsx(
        after=f"<headerFooter><oddHeader>&amp;L{HALF}&amp;B{REST[:3]}&amp;\"Arial,Italic\"{REST[3:]}&amp;P</oddHeader></headerFooter>"
    ),
    "header behind a colour": xlsx(after=f"<headerFooter><oddFooter>&amp;C&amp;KFF0000{S}</oddFooter></headerFooter>"),
    "number in another notation": xlsx(_row("<c r='A1'><v>5.550137421E9</v></c>")),
    "number with noise": xlsx(_row("<c r='A1'><v>5550137420.9999999</v></c>")),
    "moment": xlsx(_row("<c r='A1' t='d'><v>1980-05-17T12:00:00</v></c>")),
    "date of a timeline": _book_part(
        f"{MS}2011/relationships/timelineCache", "timelineCaches/timelineCache1.xml",
        f"<timelineCacheDefinition xmlns='{MS}spreadsheetml/2010/11/main' name='t' sourceName='s'><state><selection "
        "startDate='1980-05-17T00:00:00' endDate='1980-05-17T00:00:00'/></state></timelineCacheDefinition>",
    ),
    "limit of a data bar": xlsx(
        after="<conditionalFormatting sqref='A1'><cfRule type='dataBar' priority='1'><dataBar><cfvo type='num' "
        f"val='{N}'/></dataBar></cfRule></conditionalFormatting>"
    ),
    "number format, letter by letter": xlsx(
        styles="<numFmts count='1'><numFmt numFmtId='170' formatCode='0" + "".join("\\" + c for c in S) + "'/></numFmts>"
    ),
    "validation list": xlsx(
        after=f"<dataValidations count='1'><dataValidation type='list' sqref='A1'><formula1>\"{S},x\"</formula1>"
        "</dataValidation></dataValidations>"
    ),
    "validation messages": xlsx(
        after=f"<dataValidations count='1'><dataValidation sqref='A1' prompt='{S}' promptTitle='{S}' error='{S}' "
        f"errorTitle='{S}'/></dataValidations>"
    ),
    "conditional format": xlsx(
        after=f"<conditionalFormatting sqref='A1'><cfRule type='containsText' priority='1' operator='containsText' text='{S}'>"
        f"<formula>SEARCH(\"{S}\",A1)</formula></cfRule></conditionalFormatting>"
    ),
    "hyperlink target": xlsx(
        after=_LINK.format("r:id='rId1'"), relations=[(ONE, "hyperlink", f"mailto:{S}@x.example", True)]
    ),
    "hyperlink texts": xlsx(after=_LINK.format(f"location='Data!A1' tooltip='{S}' display='{S}'")),
    "hyperlink place": xlsx(after=_LINK.format(f"location='{S}'")),
    "hyperlink to a renamed sheet": xlsx(after=_LINK.format(f"location=\"'{S}'!A1\""), sheet_name=S),
    "filter": xlsx(
        after=f"<autoFilter ref='A1:B2'><filterColumn colId='0'><filters><filter val='{S}'/><filter val='{N}'/></filters>"
        f"</filterColumn><filterColumn colId='1'><customFilters><customFilter val='{S}*'/></customFilters></filterColumn>"
        "</autoFilter>"
    ),
    "scenario": xlsx(
        after=f"<scenarios><scenario name='{S}' user='{S}' comment='{S}'><inputCells r='A1' val='{S}'/></scenario></scenarios>"
    ),
    "protected range": xlsx(
        after=f"<protectedRanges><protectedRange name='{S}' sqref='A1' securityDescriptor='{S}'/></protectedRanges>"
    ),
    "sparkline": xlsx(
        after="<extLst><ext uri='{05C60535-1F16-4fd2-B633-F4F36F0B64E0}'><x14:sparklineGroups><x14:sparklineGroup>"
        f"<x14:sparklines><x14:sparkline><xm:f>'{S}'!A1</xm:f><xm:sqref>A1</xm:sqref></x14:sparkline></x14:sparklines>"
        "</x14:sparklineGroup></x14:sparklineGroups></ext></extLst>"
    ),
    "table header": _table(
        f"<tableColumn id='1' name='{S}'/><tableColumn id='2' name='b'/>", _TWO.format(S)
    ),
    "table headers that become equal": _table(
        f"<tableColumn id='1' name='{S}'/><tableColumn id='2' name='{S.upper()}'/>",
        f"<row r='1'>{_text_cell(S)}{_text_cell(S, 'B1')}</row>",
    ),
    "table header other than its cell": _table(
        f"<tableColumn id='1' name='{S}'/><tableColumn id='2' name='b'/>", _TWO.format("a")
    ),
    "table without a header": _table(
        f"<tableColumn id='1' name='{S}'/><tableColumn id='2' name='b'/>", _TWO.format("a"),
        attributes="name='Table1' displayName='Table1' headerRowCount='0'",
    ),
    "table name": _table(
        "<tableColumn id='1' name='a'/><tableColumn id='2' name='b'/>", _TWO.format("a"),
        attributes=f"name='{S}' displayName='{S}' comment='{S}'",
    ),
    "table formulas": _table(
        f"<tableColumn id='1' name='a' totalsRowLabel='{S}'><calculatedColumnFormula>\"{S}\"</calculatedColumnFormula>"
        "</tableColumn><tableColumn id='2' name='b'/>", _TWO.format("a"),
    ),
    "formula on a renamed column": _table(
        f"<tableColumn id='1' name='{S}'/><tableColumn id='2' name='b'/>",
        f"<row r='1'>{_text_cell(S)}{_text_cell('b', 'B1')}</row><row r='2'><c r='A2'><f>SUM(Table1[{S}])</f><v>1</v></c></row>",
    ),
    "pivot items": _pivot(f" count='2'><s v='{S}'/><s v='x'/>"),
    "pivot items that become equal": _pivot(f" count='2'><s v='{S}'/><s v='{S.upper()}'/>"),
    "pivot number": _pivot(
        f" containsSemiMixedTypes='0' containsString='0' containsNumber='1' minValue='1' maxValue='{N}' count='2'><n v='1'/><n v='{N}'/>"
    ),
    "pivot records": _pivot(">", records=f"<r><s v='{S}'/><n v='{N}'/></r>"),
    "pivot author": _pivot(">", attributes=f"refreshedBy='{S}'"),
    "pivot field": _pivot(">", field=S),
    "pivot source": _pivot(">", source=f" name='{S}'"),
    "pivot table captions": _sheet_part(
        "pivotTable", "pivotTables/pivotTable1.xml",
        f"<pivotTableDefinition {SHEET} name='{S}' rowHeaderCaption='{S}' dataCaption='{S}'><pivotFields count='1'>"
        f"<pivotField name='{S}'><items count='1'><item n='{S}'/></items></pivotField></pivotFields>"
        f"<dataFields count='1'><dataField name='{S}' fld='0'/></dataFields></pivotTableDefinition>", EXCEL + "pivotTable+xml",
    ),
    "path of another workbook": _external(f"file:///C:/{S}/book.xlsx", "Sheet1", "x"),
    "sheet of another workbook": _external("book.xlsx", S, "x"),
    "value of another workbook": _external("book.xlsx", "Sheet1", S),
    "number of another workbook": _external("book.xlsx", "Sheet1", N),
    "connection": _connection(
        f"name='{S}' description='{S}' odcFile='C:\\{S}.odc' sourceFile='{S}'",
        f"<dbPr connection='Provider=x;User={S}' command='SELECT {S}'/>",
    ),
    "web connection": _connection("name='c'", f"<webPr url='http://x.example/{S}' post='{S}'/>"),
    "text connection": _connection("name='c'", f"<textPr sourceFile='C:\\{S}.txt'/>"),
    "query table": _sheet_part("queryTable", "queryTables/queryTable1.xml", f"<queryTable {SHEET} name='{S}' connectionId='1'/>",
                               EXCEL + "queryTable+xml"),
    "chart title": _chart(f"<c:title><c:tx><c:rich><a:p><a:r><a:t>{HALF}</a:t></a:r><a:r><a:t>{REST}</a:t></a:r></a:p></c:rich></c:tx></c:title>"),
    "chart cache": _chart(f"<c:strRef><c:f>Data!$A$1</c:f><c:strCache><c:pt idx='0'><c:v>{S}</c:v></c:pt></c:strCache></c:strRef>"),
    "chart number": _chart(f"<c:numRef><c:f>Data!$A$1</c:f><c:numCache><c:pt idx='0'><c:v>{N}</c:v></c:pt></c:numCache></c:numRef>"),
    "chart reference": _chart(f"<c:strRef><c:f>'{S}'!$A$1</c:f></c:strRef>"),
    "text box": _drawing(f"<xdr:sp><xdr:txBody><a:p><a:r><a:t>{HALF}</a:t></a:r><a:r><a:t>{REST}</a:t></a:r></a:p></xdr:txBody></xdr:sp>"),
    "alternative text": _drawing(f"<xdr:pic><xdr:nvPicPr><xdr:cNvPr id='1' name='{S}' descr='{S}' title='{S}'/></xdr:nvPicPr></xdr:pic>"),
    "shape linked to a cell": _drawing(f"<xdr:sp textlink=\"'{S}'!A1\" macro='{S}'/>"),
    "number format": xlsx(styles=f"<numFmts count='1'><numFmt numFmtId='170' formatCode='0 \"{S}\"'/></numFmts>"),
    "cell style": xlsx(styles=f"<cellStyles count='1'><cellStyle name='{S}' xfId='0'/></cellStyles>"),
    "code name": xlsx(workbook=f"<workbookPr codeName='{S}'/>"),
    "path of the file": xlsx(
        workbook=f"<mc:AlternateContent><mc:Choice Requires='x15'><x15ac:absPath url='C:\\{S}\\'/></mc:Choice></mc:AlternateContent>"
    ),
    "reserved by": xlsx(workbook=f"<fileSharing userName='{S}'/>"),
    "custom view": xlsx(workbook=f"<customWorkbookViews><customWorkbookView name='{S}' guid='x'/></customWorkbookViews>"),
    "revision log": _book_part("revisionHeaders", "revisions/revisionHeaders.xml", f"<headers {SHEET} userName='{S}'/>"),
    "printer settings": _sheet_part("printerSettings", "printerSettings/printerSettings1.bin", S.encode("utf-16-le"),
                                    after="<pageSetup orientation='portrait' r:id='rId1'/>"),
    "calculation chain": _book_part("calcChain", "calcChain.xml", f"<calcChain {SHEET}><c r='A1' i='1'/><!--{S}--></calcChain>"),
    "custom XML": _book_part("customXml", "customXml/item1.xml", f"<x>{S}</x>"),
    "embedded document": _sheet_part("package", "embeddings/Microsoft_Word_Document1.docx", docx(paragraph(S)),
                                     after="<oleObjects><oleObject progId='Word.Document.12' shapeId='1025' r:id='rId1'/></oleObjects>"),
    "OLE object": _sheet_part("oleObject", "embeddings/oleObject1.bin", b"\xd0\xcf\x11\xe0" + S.encode("utf-16-le"),
                              after=f"<oleObjects><oleObject progId='{S}' shapeId='1025' r:id='rId1'/></oleObjects>"),
    "control": _sheet_part("ctrlProp", "ctrlProps/ctrlProp1.xml", f"<formControlPr xmlns='{MS}spreadsheetml/2009/9/main' fmlaLink='{S}'/>"),
    "picture": _sheet_part("image", "media/image1.png", png((b"tEXt", S.encode()))),
    "metafile": _sheet_part("image", "media/image1.emf", emf(S)),
    "properties": xlsx(
        parts={"docProps/core.xml": f'<cp:coreProperties xmlns:cp="{OOXML}/package/2006/metadata/core-properties" '
               f'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{S}</dc:title><dc:creator>{S}</dc:creator></cp:coreProperties>',
               "docProps/app.xml": f"<Properties xmlns='{OOXML}/officeDocument/2006/extended-properties'><TitlesOfParts>{S}</TitlesOfParts></Properties>"},
        types={"docProps/core.xml": "application/vnd.openxmlformats-package.core-properties+xml"},
        relations=[("", CORE, "docProps/core.xml"), ("", "extended-properties", "docProps/app.xml")],
    ),
    "slicer": _book_part(f"{MS}2007/relationships/slicerCache", "slicerCaches/slicerCache1.xml",
                         f"<slicerCacheDefinition xmlns='{MS}spreadsheetml/2009/9/main' name='{S}' sourceName='{S}'/>"),
    "rich value": _book_part(f"{MS}2017/06/relationships/rdRichValue", "richData/rdrichvalue.xml", f"<rvData xmlns='{MS}spreadsheetml/2017/richdata'><rv s='0'><v>{S}</v></rv></rvData>"),
}  # fmt: skip
