"""Office packages built from raw parts, and what an independent reader demands of one."""

from __future__ import annotations

import io
import posixpath
import re
import struct
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from typing import Any
from xml.etree import ElementTree

OOXML = "http://schemas.openxmlformats.org"
REL = OOXML + "/officeDocument/2006/relationships/"
MS = "http://schemas.microsoft.com/office/"
NAMESPACES = {
    "w": f"{OOXML}/wordprocessingml/2006/main",
    "r": f"{OOXML}/officeDocument/2006/relationships",
    "a": f"{OOXML}/drawingml/2006/main",
    "pic": f"{OOXML}/drawingml/2006/picture",
    "wp": f"{OOXML}/drawingml/2006/wordprocessingDrawing",
    "wps": f"{MS}word/2010/wordprocessingShape",
    "c": f"{OOXML}/drawingml/2006/chart",
    "dgm": f"{OOXML}/drawingml/2006/diagram",
    "m": f"{OOXML}/officeDocument/2006/math",
    "mc": f"{OOXML}/markup-compatibility/2006",
    "v": "urn:schemas-microsoft-com:vml",
    "o": "urn:schemas-microsoft-com:office:office",
    "w14": f"{MS}word/2010/wordml",
    "w15": f"{MS}word/2012/wordml",
    "p": f"{OOXML}/presentationml/2006/main",
    "p14": f"{MS}powerpoint/2010/main",
    "xdr": f"{OOXML}/drawingml/2006/spreadsheetDrawing",
    "xm": f"{MS}excel/2006/main",
    "x14": f"{MS}spreadsheetml/2009/9/main",
    "x15ac": f"{MS}spreadsheetml/2010/11/ac",
}
DECLARATIONS = " ".join(f'xmlns:{prefix}="{uri}"' for prefix, uri in NAMESPACES.items())
SHEET = f'xmlns="{OOXML}/spreadsheetml/2006/main" {DECLARATIONS}'
HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
RELATIONS_TYPE = "application/vnd.openxmlformats-package.relationships+xml"
XML = "application/xml"

Content = str | bytes
# A relationship: source part ("" is the package), type, target, and whether it is external.
Relation = tuple[str, str, str] | tuple[str, str, str, bool]


def zipped(parts: Mapping[str, bytes], *, stored: Sequence[str] = (), comment: bytes = b"") -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            kind = zipfile.ZIP_STORED if name in stored else zipfile.ZIP_DEFLATED
            archive.writestr(zipfile.ZipInfo(name), content, compress_type=kind)
        archive.comment = comment
    return buffer.getvalue()


def package(
    parts: Mapping[str, Content], types: Mapping[str, str], relations: Sequence[Relation], **zip_options: Any
) -> bytes:
    """An open package. Relationship ids count up from rId1 in each source part."""
    by_source: dict[str, list[str]] = {}
    for source, kind, target, *external in relations:
        entries = by_source.setdefault(source, [])
        kind = kind if "/" in kind else REL + kind
        mode = ' TargetMode="External"' if external and external[0] else ""
        target = target.replace("&", "&amp;").replace('"', "&quot;")
        entries.append(f'<Relationship Id="rId{len(entries) + 1}" Type="{kind}" Target="{target}"{mode}/>')
    overrides = "".join(
        f'<Override PartName="/{name}" ContentType="{kind}"/>' for name, kind in types.items()
    )
    known = {"rels": RELATIONS_TYPE, "xml": XML, "png": "image/png", "jpeg": "image/jpeg", "gif": "image/gif",
             "svg": "image/svg+xml", "emf": "image/x-emf", "wmf": "image/x-wmf", "tiff": "image/tiff", "bin": "application/octet-stream",
             "vml": "application/vnd.openxmlformats-officedocument.vmlDrawing", "mp4": "video/mp4",
             "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
             "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document"}  # fmt: skip
    defaults = "".join(f'<Default Extension="{end}" ContentType="{kind}"/>' for end, kind in known.items())
    files: dict[str, bytes] = {
        "[Content_Types].xml": (
            f'{HEAD}<Types xmlns="{OOXML}/package/2006/content-types">{defaults}{overrides}</Types>'.encode()
        )
    }
    for source, entries in by_source.items():
        folder, name = posixpath.split(source)
        path = posixpath.join(folder, "_rels", f"{name}.rels")
        files[path] = (
            f'{HEAD}<Relationships xmlns="{OOXML}/package/2006/relationships">{"".join(entries)}</Relationships>'
        ).encode()
    for name, content in parts.items():
        files[name] = content if isinstance(content, bytes) else (HEAD + content).encode()
    return zipped(files, **zip_options)


WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml."


def docx(
    body: str = "",
    *,
    parts: Mapping[str, Content] | None = None,
    types: Mapping[str, str] | None = None,
    relations: Sequence[Relation] = (),
    document: Content | None = None,
    main: str = WORD + "document.main+xml",
    **zip_options: Any,
) -> bytes:
    """A Word document; `body` is what stands in w:body after one plain paragraph."""
    text = f"<w:document {DECLARATIONS} mc:Ignorable='w14 w15'><w:body>{paragraph('plain')}{body}</w:body></w:document>"
    return package(
        {"word/document.xml": document if document is not None else text, **(parts or {})},
        {"word/document.xml": main, **(types or {})},
        [("", "officeDocument", "word/document.xml"), *relations],
        **zip_options,
    )


def paragraph(*runs: str) -> str:
    return (
        "<w:p>"
        + "".join(run if run.startswith("<") else f"<w:r><w:t>{run}</w:t></w:r>" for run in runs)
        + "</w:p>"
    )


def word_part(root: str, content: str) -> str:
    return f"<w:{root} {DECLARATIONS}>{content}</w:{root}>"


EXCEL = "application/vnd.openxmlformats-officedocument.spreadsheetml."


PLAIN_STYLES = (
    "<fonts count='1'><font/></fonts><fills count='1'><fill><patternFill patternType='none'/></fill></fills>"
    "<borders count='1'><border/></borders><cellStyleXfs count='1'><xf/></cellStyleXfs><cellXfs count='1'><xf/></cellXfs>"
    "<cellStyles count='1'><cellStyle name='Normal' xfId='0' builtinId='0'/></cellStyles>"
)


def xlsx(
    rows: str = "",
    *,
    strings: str = "",
    before: str = "",
    after: str = "",
    workbook: str = "",
    sheet_name: str = "Data",
    sheet_attributes: str = "",
    parts: Mapping[str, Content] | None = None,
    types: Mapping[str, str] | None = None,
    relations: Sequence[Relation] = (),
    styles: str = "",
) -> bytes:
    """A workbook of one sheet; `rows` in its sheetData, `after` behind it, `workbook` behind the list of sheets."""
    sheet = f"<worksheet {SHEET}>{before}<sheetData>{rows}</sheetData>{after}</worksheet>"
    book = (
        f"<workbook {SHEET}><sheets><sheet name='{sheet_name}' sheetId='1' r:id='rId1'{sheet_attributes}/></sheets>"
        f"{workbook}</workbook>"
    )
    held: dict[str, Content] = {"xl/workbook.xml": book, "xl/worksheets/sheet1.xml": sheet}
    kinds = {"xl/workbook.xml": EXCEL + "sheet.main+xml", "xl/worksheets/sheet1.xml": EXCEL + "worksheet+xml"}
    links: list[Relation] = [
        ("", "officeDocument", "xl/workbook.xml"),
        ("xl/workbook.xml", "worksheet", "worksheets/sheet1.xml"),
        ("xl/workbook.xml", "sharedStrings", "sharedStrings.xml"),
        ("xl/workbook.xml", "styles", "styles.xml"),
    ]
    held["xl/sharedStrings.xml"] = f"<sst {SHEET}><si><t>plain</t></si>{strings}</sst>"
    kinds["xl/sharedStrings.xml"] = EXCEL + "sharedStrings+xml"
    held["xl/styles.xml"] = f"<styleSheet {SHEET}>{styles or PLAIN_STYLES}</styleSheet>"
    kinds["xl/styles.xml"] = EXCEL + "styles+xml"
    return package({**held, **(parts or {})}, {**kinds, **(types or {})}, [*links, *relations])


POWERPOINT = "application/vnd.openxmlformats-officedocument.presentationml."


def pptx(
    shapes: str = "",
    *,
    slide: str = "",
    presentation: str = "",
    parts: Mapping[str, Content] | None = None,
    types: Mapping[str, str] | None = None,
    relations: Sequence[Relation] = (),
    slide_attributes: str = "",
) -> bytes:
    """A presentation of one slide; `shapes` in its tree, `slide` behind it."""
    return package(
        {
            "ppt/presentation.xml": f"<p:presentation {DECLARATIONS}><p:sldIdLst><p:sldId id='256' r:id='rId1'/>"
            f"</p:sldIdLst>{presentation}</p:presentation>",
            "ppt/slides/slide1.xml": f"<p:sld {DECLARATIONS}{slide_attributes}><p:cSld><p:spTree>"
            f"{shape('plain')}{shapes}</p:spTree></p:cSld>{slide}</p:sld>",
            **(parts or {}),
        },
        {
            "ppt/presentation.xml": POWERPOINT + "presentation.main+xml",
            "ppt/slides/slide1.xml": POWERPOINT + "slide+xml",
            **(types or {}),
        },
        [("", "officeDocument", "ppt/presentation.xml"), ("ppt/presentation.xml", "slide", "slides/slide1.xml"),
         *relations],
    )  # fmt: skip


def shape(*runs: str, attributes: str = "") -> str:
    text = "".join(f"<a:r><a:t>{run}</a:t></a:r>" for run in runs)
    return (
        f"<p:sp><p:nvSpPr><p:cNvPr id='2' name='Title 1'{attributes}/></p:nvSpPr>"
        f"<p:txBody><a:p>{text}</a:p></p:txBody></p:sp>"
    )


ODF_NAMESPACES = {
    name: f"urn:oasis:names:tc:opendocument:xmlns:{uri}:1.0"
    for name, uri in {
        "office": "office", "text": "text", "table": "table", "draw": "drawing", "style": "style", "meta": "meta",
        "config": "config", "script": "script", "form": "form", "chart": "chart", "svg": "svg-compatible",
        "fo": "xsl-fo-compatible", "number": "datastyle", "manifest": "manifest",
    }.items()
}  # fmt: skip
ODF_NAMESPACES |= {
    "xlink": "http://www.w3.org/1999/xlink",
    "dc": "http://purl.org/dc/elements/1.1/",
    "calcext": "urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0",
}
ODF = " ".join(f'xmlns:{prefix}="{uri}"' for prefix, uri in ODF_NAMESPACES.items())


def odf(
    kind: str,
    body: str,
    *,
    before: str = "",
    automatic: str = "",
    parts: Mapping[str, Content] | None = None,
    manifest: str = "",
) -> bytes:
    """An OpenDocument file; `parts` may replace styles.xml, meta.xml and settings.xml or add others."""
    media = f"application/vnd.oasis.opendocument.{kind}"
    content = (
        f"<office:document-content {ODF}>{before}<office:automatic-styles>{automatic}</office:automatic-styles>"
        f"<office:body><office:{kind}>{body}</office:{kind}></office:body></office:document-content>"
    )
    held: dict[str, Content] = {"content.xml": content, **(parts or {})}
    entries = "".join(
        f"<manifest:file-entry manifest:full-path='{name}' manifest:media-type='text/xml'/>" for name in held
    )
    files = {"mimetype": media.encode()}
    files |= {
        name: (data if isinstance(data, bytes) else (HEAD + data).encode())
        for name, data in {
            **held,
            "META-INF/manifest.xml": f"<manifest:manifest {ODF}><manifest:file-entry manifest:full-path='/' "
            f"manifest:media-type='{media}'/>{entries}{manifest}</manifest:manifest>",
        }.items()
    }
    return zipped(files, stored=("mimetype",))


def odt(body: str = "", **options: object) -> bytes:
    return odf("text", f"<text:p>plain</text:p>{body}", **options)  # type: ignore[arg-type]


def ods(cells: str = "", *, name: str = "Data", after: str = "", table: str = "", **options: object) -> bytes:
    body = (
        f"<table:table table:name='{name}'{table}><table:table-row><table:table-cell><text:p>plain</text:p>"
        f"</table:table-cell>{cells}</table:table-row></table:table>{after}"
    )
    return odf("spreadsheet", body, **options)  # type: ignore[arg-type]


def png(*chunks: tuple[bytes, bytes], after: bytes = b"") -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0))
    pixels = chunk(b"IDAT", zlib.compress(b"\0\x80\x80\x80"))
    extra = b"".join(chunk(kind, data) for kind, data in chunks)
    return b"\x89PNG\r\n\x1a\n" + header + extra + pixels + chunk(b"IEND", b"") + after


def jpeg(marker: int, payload: bytes, after: bytes = b"") -> bytes:
    """Not a picture that could be shown, but one with the segments of one."""
    segment = bytes((0xFF, marker)) + struct.pack(">H", len(payload) + 2) + payload
    scan = b"\xff\xda\0\x08\1\1\0\0?\0" + b"\x12\x34\xff\0\x56"
    return b"\xff\xd8\xff\xdb\0\x04\0\1" + segment + scan + b"\xff\xd9" + after


def profile(words: bytes) -> bytes:
    """A colour profile with one tag of text."""
    tag = b"text\0\0\0\0" + words
    return bytes(128) + struct.pack(">I4sII", 1, b"cprt", 144, len(tag)) + tag


def gif(comment: bytes) -> bytes:
    block = b"!\xfe" + bytes((len(comment),)) + comment + b"\0"
    return b"GIF89a\1\0\1\0\0\0\0" + block + b",\0\0\0\0\1\0\1\0\0\2\2D\1\0;"


def emf(text: str, *, split: int = 0) -> bytes:
    """A metafile that writes a text, in two records when `split` is given."""
    pieces = [text[:split], text[split:]] if split else [text]
    records = b""
    for piece in pieces:
        raw = piece.encode("utf-16-le")
        raw += b"\0" * (-len(raw) % 4)
        size = 76 + len(raw)
        fixed = struct.pack("<II4iIff", 84, size, 0, 0, 9, 9, 1, 1.0, 1.0)
        records += fixed + struct.pack("<iiIIIiiiiI", 0, 0, len(piece), 76, 0, 0, 0, 9, 9, 0) + raw
    records += struct.pack("<IIIII", 14, 20, 0, 16, 20)
    header = struct.pack("<II", 1, 108) + struct.pack("<8i", 0, 0, 9, 9, 0, 0, 99, 99) + b" EMF"
    header += struct.pack("<IIIHHIII", 0x10000, 108 + len(records), 2 + len(pieces), 1, 0, 0, 0, 0)
    return header + bytes(108 - len(header)) + records


def picture(relation: str = "rId1") -> str:
    return paragraph(
        "<w:r><w:drawing><wp:inline><wp:docPr id='1' name='Picture 1'/><a:graphic><a:graphicData uri='"
        f"{NAMESPACES['pic']}'><pic:pic><pic:nvPicPr><pic:cNvPr id='0' name='Picture 1'/></pic:nvPicPr>"
        f"<pic:blipFill><a:blip r:embed='{relation}'/></pic:blipFill></pic:pic></a:graphicData></a:graphic>"
        "</wp:inline></w:drawing></w:r>"
    )


def inflated(data: bytes, depth: int = 4) -> dict[str, bytes]:
    """Every part of a package, packages inside it opened as well."""
    found: dict[str, bytes] = {}
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for name in archive.namelist():
            content = archive.read(name)
            if content.startswith(b"PK\3\4") and depth:
                found |= {f"{name}/{inner}": raw for inner, raw in inflated(content, depth - 1).items()}
            else:
                found[name] = content
    return found


_ID = re.compile(rf"\{{{re.escape(NAMESPACES['r'])}\}}(?:id|embed|link|pict|dm|lo|qs|cs|href)$")


def complaints(data: bytes) -> list[str]:
    """What would make an office program offer to repair a package."""
    found: list[str] = []
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        entries = archive.infolist()
        parts = {entry.filename: archive.read(entry) for entry in entries}
    if any(entry.flag_bits & 8 or entry.date_time != (1980, 1, 1, 0, 0, 0) for entry in entries):
        found.append("a data descriptor or a time in the zip")
    if "[Content_Types].xml" not in parts:
        return found + ([] if entries[0].filename == "mimetype" else ["mimetype is not first"])
    if entries[0].filename != "[Content_Types].xml":
        found.append("content types are not first")
    types = ElementTree.fromstring(parts["[Content_Types].xml"])
    defaults = {entry.get("Extension", "").lower() for entry in types if entry.tag.endswith("Default")}
    overrides = {entry.get("PartName", "") for entry in types if entry.tag.endswith("Override")}
    found += [f"a type for the missing {name}" for name in overrides if name[1:] not in parts]
    for name, content in parts.items():
        if (
            "/" + name not in overrides
            and name.rpartition(".")[2].lower() not in defaults
            and name != "[Content_Types].xml"
        ):
            found.append(f"no type for {name}")
        if name.endswith(".rels"):
            found += _dangling(name, content, parts)
        elif content.lstrip().startswith(b"<"):
            found += _unlinked(name, content, parts)
    return found


def _dangling(name: str, content: bytes, parts: Mapping[str, bytes]) -> list[str]:
    source = posixpath.join(posixpath.dirname(posixpath.dirname(name)), posixpath.basename(name)[:-5])
    found = [] if source in parts or name == "_rels/.rels" else [f"relationships of the missing {source}"]
    for relation in ElementTree.fromstring(content):
        target = relation.get("Target", "")
        if relation.get("TargetMode") != "External" and not target.startswith("#"):
            path = target[1:] if target.startswith("/") else posixpath.join(posixpath.dirname(source), target)
            if posixpath.normpath(path) not in parts:
                found.append(f"{name} leads to a missing part")
    return found


def _unlinked(name: str, content: bytes, parts: Mapping[str, bytes]) -> list[str]:
    folder, base = posixpath.split(name)
    relations = parts.get(posixpath.join(folder, "_rels", base + ".rels"))
    ids = {entry.get("Id") for entry in ElementTree.fromstring(relations)} if relations else set()
    used = {
        value
        for element in ElementTree.fromstring(content).iter()
        for key, value in element.items()
        if _ID.search(key) and value
    }
    return [f"{name} uses an unknown relationship"] if used - ids else []
