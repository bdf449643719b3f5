"""Where a secret can hide in a presentation: one row a hiding place."""

from __future__ import annotations

from tests.attacks.leaks.docx_vectors import CORE
from tests.attacks.leaks.docx_vectors import S as S
from tests.attacks.leaks.office_packages import (
    DECLARATIONS,
    MS,
    NAMESPACES,
    OOXML,
    POWERPOINT,
    Relation,
    docx,
    emf,
    jpeg,
    paragraph,
    png,
    pptx,
    shape,
    xlsx,
)

HALF, REST = S[:5], S[5:]
SHOW, ONE = "ppt/presentation.xml", "ppt/slides/slide1.xml"


def _part(
    source: str, kind: str, name: str, content: str | bytes, content_type: str = "", **options: str
) -> bytes:
    path = f"ppt/{name}"
    types = {path: content_type} if content_type else {}
    return pptx(parts={path: content}, types=types, relations=[(source, kind, "/" + path)], **options)


def _sheet(source: str, kind: str, name: str, root: str, content: str) -> bytes:
    return _part(
        source, kind, name, f"<p:{root} {DECLARATIONS}><p:cSld><p:spTree>{content}</p:spTree></p:cSld></p:{root}>",
        f"{POWERPOINT}{root}+xml",
    )  # fmt: skip


def _legacy_comments(author: str, initials: str, text: str) -> bytes:
    return pptx(
        parts={
            "ppt/commentAuthors.xml": f"<p:cmAuthorLst {DECLARATIONS}><p:cmAuthor id='0' name='{author}' initials='{initials}' "
            "lastIdx='1' clrIdx='0'/></p:cmAuthorLst>",
            "ppt/comments/comment1.xml": f"<p:cmLst {DECLARATIONS}><p:cm authorId='0' dt='2020-01-01T00:00:00.000' idx='1'>"
            f"<p:pos x='1' y='1'/><p:text>{text}</p:text></p:cm></p:cmLst>",
        },
        types={
            "ppt/commentAuthors.xml": POWERPOINT + "commentAuthors+xml",
            "ppt/comments/comment1.xml": POWERPOINT + "comments+xml",
        },
        relations=[
            (SHOW, "commentAuthors", "commentAuthors.xml"),
            (ONE, "comments", "../comments/comment1.xml"),
        ],
    )


def _modern_comments(author: str, text: str) -> bytes:
    space = f"xmlns:p188='{MS}powerpoint/2018/8/main' {DECLARATIONS}"
    return pptx(
        parts={
            "ppt/authors.xml": f"<p188:authorLst {space}><p188:author id='{{00000000-0000-0000-0000-000000000001}}' "
            f"name='{author}' initials='{author}' userId='{author}' providerId='AD'/></p188:authorLst>",
            "ppt/comments/modernComment_100_0.xml": f"<p188:cmLst {space}><p188:cm id='{{00000000-0000-0000-0000-000000000002}}' "
            f"created='2020-01-01T00:00:00.000'><p188:txBody><a:p><a:r><a:t>{text}</a:t></a:r></a:p></p188:txBody></p188:cm>"
            "</p188:cmLst>",
        },
        types={
            "ppt/authors.xml": "application/vnd.ms-powerpoint.authors+xml",
            "ppt/comments/modernComment_100_0.xml": "application/vnd.ms-powerpoint.comments+xml",
        },
        relations=[
            (SHOW, f"{MS}2018/10/relationships/authors", "authors.xml"),
            (ONE, f"{MS}2018/10/relationships/comments", "../comments/modernComment_100_0.xml"),
        ],
    )


def _chart(content: str, workbook: bytes | None = None) -> bytes:
    parts: dict[str, str | bytes] = {
        "ppt/charts/chart1.xml": f"<c:chartSpace {DECLARATIONS}>{content}</c:chartSpace>"
    }
    relations: list[Relation] = [(ONE, "chart", "../charts/chart1.xml")]
    if workbook is not None:
        parts["ppt/embeddings/Microsoft_Excel_Sheet1.xlsx"] = workbook
        relations.append(("ppt/charts/chart1.xml", "package", "../embeddings/Microsoft_Excel_Sheet1.xlsx"))
    frame = "<p:graphicFrame><a:graphic><a:graphicData><c:chart r:id='rId1'/></a:graphicData></a:graphic></p:graphicFrame>"
    kind = "application/vnd.openxmlformats-officedocument.drawingml.chart+xml"
    return pptx(frame, parts=parts, types={"ppt/charts/chart1.xml": kind}, relations=relations)


def _ole(data: bytes, name: str, kind: str, *, shown: bool = True) -> bytes:
    preview = (
        "<p:pic><p:nvPicPr><p:cNvPr id='0' name=''/></p:nvPicPr><p:blipFill><a:blip r:embed='rId2'/></p:blipFill></p:pic>"
        if shown else ""
    )  # fmt: skip
    frame = (
        "<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id='4' name='Object 3'/></p:nvGraphicFramePr><a:graphic><a:graphicData "
        "uri='http://schemas.openxmlformats.org/presentationml/2006/ole'><mc:AlternateContent><mc:Choice Requires='v'>"
        "<p:oleObj r:id='rId1' progId='Package'><p:embed/></p:oleObj></mc:Choice><mc:Fallback>"
        f"<p:oleObj r:id='rId1' progId='Package'><p:embed/>{preview}</p:oleObj></mc:Fallback></mc:AlternateContent>"
        "</a:graphicData></a:graphic></p:graphicFrame>"
    )
    return pptx(
        frame,
        parts={f"ppt/embeddings/{name}": data, "ppt/media/image1.png": png()},
        relations=[(ONE, kind, f"../embeddings/{name}"), (ONE, "image", "../media/image1.png")],
    )


def _video() -> bytes:
    picture = (
        "<p:pic><p:nvPicPr><p:cNvPr id='4' name='Video 3'/><p:nvPr><a:videoFile r:link='rId1'/><p:extLst><p:ext uri='x'>"
        "<p14:media r:embed='rId2'/></p:ext></p:extLst></p:nvPr></p:nvPicPr><p:blipFill><a:blip r:embed='rId3'/></p:blipFill></p:pic>"
    )
    return pptx(
        picture,
        slide="<p:timing><p:tnLst><p:par><p:video><p:cMediaNode/></p:video></p:par></p:tnLst></p:timing>",
        parts={"ppt/media/media1.mp4": S.encode(), "ppt/media/image1.png": png()},
        relations=[
            (ONE, "video", "../media/media1.mp4"),
            (ONE, f"{MS}2007/relationships/media", "../media/media1.mp4"),
            (ONE, "image", "../media/image1.png"),
        ],
    )


PPTX_VECTORS: dict[str, bytes] = {
    "slide": pptx(shape(f"in {S} here")),
    "split over runs": pptx(shape("in ", HALF, REST, " here")),
    "field": pptx(f"<p:sp><p:txBody><a:p><a:fld id='x' type='slidenum'><a:t>{S}</a:t></a:fld></a:p></p:txBody></p:sp>"),
    "table": pptx(
        "<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tr><a:tc><a:txBody><a:p>"
        f"<a:r><a:t>{HALF}</a:t></a:r><a:r><a:t>{REST}</a:t></a:r></a:p></a:txBody></a:tc></a:tr></a:tbl></a:graphicData>"
        "</a:graphic></p:graphicFrame>"
    ),
    "group": pptx(f"<p:grpSp><p:grpSp>{shape(S)}</p:grpSp></p:grpSp>"),
    "hidden slide": pptx(shape(S), slide_attributes=" show='0'"),
    "hidden shape": pptx(shape(S, attributes=" hidden='1'")),
    "fallback branch": pptx(
        f"<mc:AlternateContent><mc:Choice Requires='p14'>{shape('x')}</mc:Choice><mc:Fallback>{shape(S)}</mc:Fallback></mc:AlternateContent>"
    ),
    "notes": _sheet(ONE, "notesSlide", "notesSlides/notesSlide1.xml", "notes", shape(HALF, REST)),
    "layout": _sheet(ONE, "slideLayout", "slideLayouts/slideLayout1.xml", "sldLayout", shape(S)),
    "master": _sheet(SHOW, "slideMaster", "slideMasters/slideMaster1.xml", "sldMaster", shape(S)),
    "notes master": _sheet(SHOW, "notesMaster", "notesMasters/notesMaster1.xml", "notesMaster", shape(S)),
    "handout master": _sheet(SHOW, "handoutMaster", "handoutMasters/handoutMaster1.xml", "handoutMaster", shape(S)),
    "comment": _legacy_comments("Ann", "A", S),
    "number in a comment": _legacy_comments("Ann", "A", "5550137421"),
    "comment author": _legacy_comments(S, S, "x"),
    "modern comment": _modern_comments("Ann", S),
    "modern comment author": _modern_comments(S, "x"),
    "alternative text": pptx(shape("x", attributes=f" descr='{S}' title='{S}'")),
    "name of a shape": pptx(shape("x").replace("Title 1", S)),
    "name of a slide": _part(SHOW, "slide", "slides/slide2.xml", f"<p:sld {DECLARATIONS}><p:cSld name='{S}'><p:spTree/></p:cSld></p:sld>", POWERPOINT + "slide+xml"),
    "slide outside the order": _sheet(SHOW, "slide", "slides/slide2.xml", "sld", shape(S)),
    "section": pptx(presentation=f"<p:extLst><p:ext uri='x'><p14:sectionLst><p14:section name='{S}' id='x'/></p14:sectionLst></p:ext></p:extLst>"),
    "custom show": pptx(presentation=f"<p:custShowLst><p:custShow name='{S}' id='0'><p:sldLst/></p:custShow></p:custShowLst>"),
    "tags": _part(ONE, "tags", "tags/tag1.xml", f"<p:tagLst {DECLARATIONS}><p:tag name='{S}' val='{S}'/></p:tagLst>", slide="<p:custDataLst><p:tags r:id='rId1'/></p:custDataLst>"),
    "hyperlink target": pptx(
        shape("x").replace("name='Title 1'/>", "name='Title 1'><a:hlinkClick r:id='rId1'/></p:cNvPr>"),
        relations=[(ONE, "hyperlink", f"http://x.example/{S}", True)],
    ),
    "hyperlink tooltip and action": pptx(
        shape("x").replace("name='Title 1'/>", f"name='Title 1'><a:hlinkClick r:id='' tooltip='{S}' action='ppaction://program?{S}'/></p:cNvPr>")
    ),
    "linked picture": pptx(
        "<p:pic><p:blipFill><a:blip r:link='rId1'/></p:blipFill></p:pic>", relations=[(ONE, "image", f"file:///C:/{S}.png", True)]
    ),
    "diagram": _part(ONE, "diagramData", "diagrams/data1.xml", f"<dgm:dataModel {DECLARATIONS}><dgm:pt><dgm:prSet custT='1' phldrT='[{S}]'/><dgm:t><a:p><a:r><a:t>{HALF}</a:t></a:r><a:r><a:t>{REST}</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:dataModel>",
                     "application/vnd.openxmlformats-officedocument.drawingml.diagramData+xml"),
    "diagram drawing": _part(ONE, f"{MS}2007/relationships/diagramDrawing", "diagrams/drawing1.xml", f"<dsp:drawing xmlns:dsp='{MS}drawing/2008/diagram' {DECLARATIONS}><dsp:sp><dsp:nvSpPr><dsp:cNvPr id='0' name='{S}' descr='{S}'/></dsp:nvSpPr><dsp:txBody><a:p><a:r><a:t>{S}</a:t></a:r></a:p></dsp:txBody></dsp:sp></dsp:drawing>"),
    "chart": _chart(f"<c:title><c:tx><c:rich><a:p><a:r><a:t>{S}</a:t></a:r></a:p></c:rich></c:tx></c:title><c:pt><c:v>{S}</c:v></c:pt>"),
    "chart workbook": _chart("<c:externalData r:id='rId1'/>", xlsx("<row r='1'><c r='A1' t='s'><v>1</v></c></row>", strings=f"<si><t>{S}</t></si>")),
    "embedded document": _ole(docx(paragraph(S)), "Microsoft_Word_Document1.docx", "package"),
    "OLE object": _ole(b"\xd0\xcf\x11\xe0" + S.encode("utf-16-le"), "oleObject1.bin", "oleObject"),
    "OLE object without a picture": _ole(b"\xd0\xcf\x11\xe0" + S.encode("utf-16-le"), "oleObject1.bin", "oleObject", shown=False),
    "video": _video(),
    "control": _part(ONE, "control", "activeX/activeX1.xml", f"<ocx value='{S}'/>", slide="<p:controls><p:control r:id='rId1' name='c'/></p:controls>"),
    "thumbnail": pptx(
        parts={"docProps/thumbnail.jpeg": jpeg(0xFE, S.encode())},
        relations=[("", f"{OOXML}/package/2006/relationships/metadata/thumbnail", "docProps/thumbnail.jpeg")],
    ),
    "picture": _part(ONE, "image", "media/image1.png", png((b"tEXt", S.encode()))),
    "metafile": _part(ONE, "image", "media/image1.emf", emf(S)),
    "change log": _part(SHOW, f"{MS}2016/11/relationships/changesInfo", "changesInfos/changesInfo1.xml", f"<x name='{S}'/>"),
    "revision info": _part(SHOW, f"{MS}2015/10/relationships/revisionInfo", "revisionInfo.xml", f"<x id='{S}'/>"),
    "presentation properties": _part(SHOW, "presProps", "presProps.xml", f"<p:presentationPr {DECLARATIONS}><p:htmlPubPr title='{S}'/></p:presentationPr>", POWERPOINT + "presProps+xml"),
    "view properties": _part(SHOW, "viewProps", "viewProps.xml", f"<p:viewPr {DECLARATIONS}><p:unheardOf x='{S}'/></p:viewPr>", POWERPOINT + "viewProps+xml"),
    "table styles": _part(SHOW, "tableStyles", "tableStyles.xml", f"<a:tblStyleLst {DECLARATIONS}><a:tblStyle styleName='{S}'/></a:tblStyleLst>", POWERPOINT + "tableStyles+xml"),
    "theme": _part(SHOW, "theme", "theme/theme1.xml", f"<a:theme {DECLARATIONS} name='{S}'><a:themeElements><a:clrScheme name='{S}'/></a:themeElements></a:theme>", "application/vnd.openxmlformats-officedocument.theme+xml"),
    "custom XML": _part(SHOW, "customXml", "customXml/item1.xml", f"<x>{S}</x>"),
    "write protection": pptx(presentation=f"<p:modifyVerifier hashData='{S}'/>"),
    "properties": pptx(
        parts={"docProps/core.xml": f'<cp:coreProperties xmlns:cp="{OOXML}/package/2006/metadata/core-properties" '
               f'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{S}</dc:title><dc:creator>{S}</dc:creator></cp:coreProperties>',
               "docProps/app.xml": f"<Properties xmlns='{OOXML}/officeDocument/2006/extended-properties'><Company>{S}</Company></Properties>"},
        types={"docProps/core.xml": "application/vnd.openxmlformats-package.core-properties+xml"},
        relations=[("", CORE, "docProps/core.xml"), ("", "extended-properties", "docProps/app.xml")],
    ),
    "extension list": pptx(shape("x").replace("name='Title 1'/>", f"name='Title 1'><a:extLst><a:ext uri='x'><z xmlns='urn:z' n='{S}'>{S}</z></a:ext></a:extLst></p:cNvPr>")),
    "text outside a shape": pptx(f"<a:t xmlns:a='{NAMESPACES['a']}'>{S}</a:t>"),
}  # fmt: skip
