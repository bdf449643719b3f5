"""Every text in a PDF by eyes of its own: PDFium's reading of the pages, and the raw bytes.

The raw bytes are not parsed as a document at all: every stream that can be unpacked is, whether or not
anything refers to it, and every string and name in it is decoded. So text in old revisions, in orphaned
objects and in odd places is seen. Fonts, colour profiles and pictures are not text and are left out.
"""

from __future__ import annotations

import base64
import binascii
import io
import re
import zipfile
import zlib
from collections.abc import Iterator

from efface.attacks.pdf_pages import pages

Parts = Iterator[tuple[str, str]]

_MAX_STREAM = 1 << 26
_MAX_TOTAL = 1 << 30
_MAX_MEMBERS = 200
_MAX_MARKS = 2_000  # marked content within marked content: PDFium takes quadratic memory over it
_MAX_CONTENT = 1 << 24
_TOO_MUCH = "content too large or too deep for PDFium"

_STREAM = re.compile(rb"(?<!end)stream\r?\n")
_FILTER = re.compile(rb"/Filter\s*(\[[^\]]{0,200}\]|/[A-Za-z0-9]+)")
_LENGTH = re.compile(rb"/Length\s+(\d{1,10})(?!\s+\d+\s+R)")
_STRING = re.compile(rb"\((?:[^()\\]|\\.|\((?:[^()\\]|\\.|\([^()]*+\))*+\))*+\)|<[0-9A-Fa-f\s]*+>", re.DOTALL)
_SHOWN = re.compile(
    rb"\((?:[^()\\]|\\.|\((?:[^()\\]|\\.)*+\))*+\)|<[0-9A-Fa-f\s]*+>|-?\d*\.?\d+|[A-Za-z'\"*]+|\[|\]|/[^\s/<>\[\](){}%]*",
    re.DOTALL,
)
_ESCAPE = re.compile(rb"\\([0-7]{1,3}|\r\n|[\s\S])")
_NAME = re.compile(rb"/([^\s/<>\[\](){}%]{2,127})")
_COMMENT = re.compile(rb"%([^\r\n]{3,})")
_COLLECTIONS = (b"Adobe", b"Identity", b"UCS", b"Japan1", b"GB1", b"CNS1", b"Korea1", b"KR")
_COLLECTION = re.compile(  # the character collection of a font: words of the format, not of a document
    rb"/(?:Registry|Ordering)\s*(?:\((?:%s)\)|<(?i:%s)>)"
    % (b"|".join(_COLLECTIONS), b"|".join(binascii.hexlify(name) for name in _COLLECTIONS))
)
_OPERATORS = re.compile(rb"\b(?:BT|Tj|TJ|Tf|BDC|BMC|Do|cm|re|rg)\b")
_MARKS = re.compile(rb"\b(?:BMC|BDC|EMC)\b")
_SILENT = dict.fromkeys(range(1, 32))  # no font shows anything for them
_LETTERS = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f"}
_NOT_TEXT = (
    b"\x00\x01\x00\x00",
    b"OTTO",
    b"true",
    b"ttcf",
    b"%!",
    b"\x01\x00\x04",
    b"\xff\xd8",
    b"\x00\x00\x00\x0cjP",
)

_FONTS = (b"\x00\x01\x00\x00", b"OTTO", b"true", b"%!")

# Names that the format itself uses; any other name was chosen by a producer.
_STANDARD = frozenset(
    """
AA AC AESV2 AESV3 AF AIS AP AS ASCII85Decode ASCIIHexDecode AcroForm Action ActualText Adobe Aligned All
AllOff AllOn AllPages Alpha Alt Alternate AlternateImages Alternates Annot Annots AnyOff AnyOn Art ArtBox
Artifact Ascent Attached Author AvgWidth BBox BC BE BG BM BS Background Base BaseEncoding BaseFont BaseState
BaseVersion BibEntry BitsPerComponent BitsPerCoordinate BitsPerFlag BitsPerSample BlackIs1 BlackPoint
BleedBox Block BlockAlign BlockQuote Border BorderColor BorderStyle BorderThickness Bounds Btn ByteRange CA
CCITTFaxDecode CIDFontType0 CIDFontType0C CIDFontType2 CIDInit CIDSet CIDSystemInfo CIDToGIDMap CMap
CMapName CMapType CO CalGray CalRGB Cap CapHeight Caption Caret Catalog Center Ch CharProcs CharSet CheckSum
Circle ClassMap Code ColSpan Color ColorSpace ColorTransform Colorants Colors Column ColumnCount Columns
Compatible Contents Coords Count CreationDate Creator CreatorInfo CropBox Crypt DA DCTDecode DL DR DV DW DW2
Data Decode DecodeParms Default DefaultCMYK DefaultGray DefaultRGB Desc DescendantFonts Descent Dest
DestOutputProfile Dests DeviceCMYK DeviceGray DeviceN DeviceRGB Difference Differences Direction
DisplayDocTitle Div Document Domain Duplex EF Em EmbeddedFile EmbeddedFiles Encode EncodedByteAlign Encoding
Encrypt End EndOfBlock EndOfLine Event ExtGState Extend Extensions FT Fields Figure FileAttachment Filespec
Filter First FirstChar Fit FitB FitBH FitBV FitH FitR FitV Flags FlateDecode Font FontBBox FontDescriptor
FontFamily FontFile FontFile2 FontFile3 FontMatrix FontName FontStretch FontWeight Footer Form FormType
Formula FreeText Frequency Function FunctionType Functions Gamma GoTo GoToR Group Header Height Hide
Highlight IC ICCBased ID IRT ITXT Identity Identity-H Identity-V Image ImageB ImageC ImageI ImageMask Index
Indexed Info Ink InkList Inline Interpolate Invert ItalicAngle JBIG2Decode JPXDecode JavaScript Justify
Keywords Kids LBody LE LI LL LZWDecode Lab Lang Last LastChar LastModified Layout Lbl Leading Left Length
Length1 Length2 Length3 Limits Line LineHeight Link List ListNumbering Luminosity MCID MCR MK MMType1
MacExpertEncoding MacRomanEncoding MarkInfo Marked Mask Matrix Matte MaxLen MaxWidth MediaBox Metadata
MissingWidth ModDate Multiply NM Name Named Names NeedAppearances Next NonStruct None Normal Note Nums OBJR
OC OCG OCGs OCMD OCProperties OFF ON OP OPM Obj ObjStm Off Open OpenAction OpenType Opt Order Ordering
Outlines OutputIntent OutputIntents PDF Page PageLabels PageLayout PageMode Pages PaintType Paragraph Parent
ParentTree ParentTreeNextKey Part Pattern PatternType Perceptual Pg PieceInfo Placement Popup Predictor Prev
Print PrintState Private ProcSet Producer Properties QuadPoints Quote RC RD RI RV Range Rect Reference
Registry RelativeColorimetric Resources Right RoleMap Root Rotate Row RowSpan Rows RunLengthDecode SMask
SMaskInData Saturation Screen Sect Separation SetOCGState Shading ShadingType Sig SigFlags SinglePage Size
SpaceAfter SpaceBefore Span Square Squiggly Stamp StandardEncoding Start State StemH StemV StrikeOut Strong
StructElem StructParent StructParents StructTreeRoot Style Subj Subject Subtype Supplement TBody TD TFoot TH
THead TM TOC TOCI TR TR2 TU TabOrder Table Tabs Text TextAlign TextIndent Thumb TilingType Title ToUnicode
Top Trans Transparency TrimBox TrueType Tx Type Type0 Type1 Type1C Type3 UR3 URI Underline Unit Unknown
Usage UseCMap UseNone UseOutlines UserUnit VE Version Vertices View ViewState ViewerPreferences WMode
WhitePoint Widget Width Widths WinAnsiEncoding WritingMode XFA XHeight XML XObject XRef XStep XYZ YStep Yes
""".split()
)


def extract(data: bytes) -> Parts:
    """Every text in the bytes, part by part."""
    parts = list(_raw(data, ""))
    if not any(part == _TOO_MUCH for part, _ in parts):
        yield from pages(data)
    yield from parts


def _raw(data: bytes, where: str) -> Parts:
    """The bytes between streams, and each stream unpacked."""
    budget = _MAX_TOTAL
    position = 0
    outside: list[bytes] = []
    for match in _STREAM.finditer(data):
        if match.start() < position:
            continue
        head = data[max(position, match.start() - 4000) : match.start()]
        outside.append(data[position : match.start()])
        end = _end(data, match.end(), head)
        yield from _picture(data[match.end() : end], where)
        unpacked = _unpack(data[match.end() : end], head, min(budget, _MAX_STREAM))
        budget -= len(unpacked)
        position = end
        yield from _stream(unpacked, head, where)
        if budget <= 0:
            break
    outside.append(data[position:])
    yield from _objects(b"\n".join(outside), f"{where}objects")


def _end(data: bytes, start: int, head: bytes) -> int:
    """Where a stream ends: by its length when that holds, else at the next mark."""
    lengths = _LENGTH.findall(head)
    if lengths:
        end = start + int(lengths[-1])
        if data[end : end + 12].lstrip().startswith(b"endstream"):
            return end
    found = data.find(b"endstream", start)
    return found if found >= 0 else len(data)


def _unpack(data: bytes, head: bytes, limit: int) -> bytes:
    filters = _FILTER.findall(head)
    names = re.findall(rb"/([A-Za-z0-9]+)", filters[-1]) if filters else []
    for name in names:
        if name in (b"FlateDecode", b"Fl"):
            data = _inflate(data, limit)
        elif name in (b"ASCII85Decode", b"A85"):
            data = _ascii85(data)
        elif name in (b"ASCIIHexDecode", b"AHx"):
            data = bytes.fromhex(re.sub(rb"[^0-9A-Fa-f]", b"", data)[: len(data) // 2 * 2].decode() or "00")
        elif name in (b"LZWDecode", b"LZW") and len(data) < 1 << 20:
            data = _lzw(data)
        elif name in (b"RunLengthDecode", b"RL"):
            data = _run_length(data, limit)
        else:
            return b""
    return data[:limit]


def _inflate(data: bytes, limit: int) -> bytes:
    inflater = zlib.decompressobj()
    try:
        unpacked = inflater.decompress(data, limit)
    except zlib.error:
        try:
            return zlib.decompressobj(-15).decompress(data[2:], limit)
        except zlib.error:
            return b""
    return unpacked + b"\n" + inflater.unused_data[:_MAX_STREAM]


def _ascii85(data: bytes) -> bytes:
    try:
        return base64.a85decode(data.strip().removeprefix(b"<~").partition(b"~>")[0])
    except ValueError:
        return b""


def _lzw(data: bytes) -> bytes:
    from pdfminer.lzw import lzwdecode

    try:
        return lzwdecode(data)
    except Exception:  # a broken stream has no text that a reader would show
        return b""


def _run_length(data: bytes, limit: int) -> bytes:
    out = bytearray()
    at = 0
    while at < len(data) and data[at] != 128 and len(out) < limit:
        length = data[at]
        if length < 128:
            out += data[at + 1 : at + 2 + length]
            at += length + 2
        else:
            out += data[at + 1 : at + 2] * (257 - length)
            at += 2
    return bytes(out)


def _stream(data: bytes, head: bytes, where: str) -> Parts:
    """What one unpacked stream says, by what it is."""
    if data.startswith(_FONTS):
        yield f"{where}font", "\n".join(_font_names(data))
    elif data[36:40] == b"acsp":
        yield f"{where}profile", "\n".join(_profile_words(data))
    if not data or data.startswith(_NOT_TEXT) or data[36:40] == b"acsp":
        return
    if data.startswith(b"PK\x03\x04"):
        yield from _archive(data, where)
    elif data.startswith(b"%PDF-") and not where:
        yield from _raw(data, "attached ")
    elif b"/ObjStm" in head[-400:]:
        yield from _objects(data, f"{where}object stream")
    elif b"begincmap" in data[:2000]:
        yield f"{where}map", "\n".join(comment.decode("latin-1") for comment in _COMMENT.findall(data))
    elif _OPERATORS.search(data[:20_000]) and b"/Subtype/XML" not in head.replace(b" ", b""):
        if len(data) > _MAX_CONTENT or _depth(data) > _MAX_MARKS:
            yield _TOO_MUCH, ""
        yield from _content(data[:_MAX_CONTENT], f"{where}content")
    elif _printable(data):
        yield f"{where}stream", _decode_text(data)


def _picture(data: bytes, where: str) -> Parts:
    """What a JPEG says beside its picture: comments, EXIF and the like."""
    at = 2
    while data[:2] == b"\xff\xd8" and at + 4 <= len(data) and data[at] == 0xFF and data[at + 1] != 0xDA:
        length = int.from_bytes(data[at + 2 : at + 4])
        if data[at + 1] not in (0xE0, 0xE2, 0xEE) and data[at + 1] >= 0xE1:
            yield f"{where}picture", data[at + 4 : at + 2 + length].decode("latin-1")
        at += 2 + max(length, 2)


def _font_names(data: bytes) -> Iterator[str]:
    """The words in a font program: names, notices and comments, not outlines."""
    if data.startswith(b"%!"):
        head = data.partition(b"eexec")[0]
        yield from (match.decode("latin-1") for match in re.findall(rb"\(([^()]{3,})\)|%[^\r\n]{3,}", head))
        return
    for at in range(12, 12 + 16 * min(int.from_bytes(data[4:6]), 100), 16):
        if data[at : at + 4] == b"name":
            start, length = (int.from_bytes(data[at + n : at + n + 4]) for n in (8, 12))
            table = data[start : start + length]
            count, texts = int.from_bytes(table[2:4]), int.from_bytes(table[4:6])
            for record in range(6, 6 + 12 * min(count, 1000), 12):
                size, offset = (int.from_bytes(table[record + n : record + n + 2]) for n in (8, 10))
                raw = table[texts + offset : texts + offset + size]
                yield from (raw.decode("latin-1"), raw.decode("utf-16-be", "replace"))


def _profile_words(data: bytes) -> Iterator[str]:
    """The words in a colour profile; shorter ones are the signatures of its tables."""
    yield from (match.decode("ascii") for match in re.findall(rb"[\x20-\x7e]{8,}", data))
    yield from (match.decode("utf-16-be") for match in re.findall(rb"(?:\0[\x20-\xff]){5,}", data))


def _archive(data: bytes, where: str) -> Parts:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for info in archive.infolist()[:_MAX_MEMBERS]:
                yield f"{where}attached name", info.filename
                if info.file_size < 1 << 22:
                    yield f"{where}attached file", archive.read(info).decode("utf-8", "replace")
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, zlib.error):
        return


def _printable(data: bytes) -> bool:
    """Whether the bytes look like text: mostly ASCII, or UTF-8, or marked as UTF-16."""
    sample = data[:4096]
    if sample[:2] in (b"\xfe\xff", b"\xff\xfe"):
        return True
    if 20 * sum(byte < 9 or 13 < byte < 32 for byte in sample) >= len(sample):
        return False
    if 4 * sum(byte < 128 for byte in sample) >= 3 * len(sample):
        return True
    try:
        sample[:-4].decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _decode_text(data: bytes) -> str:
    for mark, encoding in (
        (b"\xfe\xff", "utf-16-be"),
        (b"\xff\xfe", "utf-16-le"),
        (b"\xef\xbb\xbf", "utf-8"),
    ):
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def _objects(data: bytes, part: str) -> Parts:
    """The strings, the comments and the chosen names of object syntax."""
    data = _COLLECTION.sub(b"/Registry", data)
    found = [_string(match.group()) for match in _STRING.finditer(data)]
    yield part, "\n".join(text for text in found if text and not _noise(text))
    names = {_unescaped(name) for name in _NAME.findall(_STRING.sub(b" ", data))}
    chosen = sorted(name for name in names if name not in _STANDARD and not _noise(name))
    if chosen:
        yield f"{part} names", "\n".join(chosen)
    comments = [c for c in _COMMENT.findall(_STRING.sub(b" ", data)) if not c.startswith((b"PDF-", b"%EOF"))]
    if comments:
        yield f"{part} comments", "\n".join(c.decode("latin-1") for c in comments if _printable(c))


def _noise(text: str) -> bool:
    """Bytes that are no text: identifiers, digests, palettes."""
    odd = sum(not (char.isprintable() or char.isspace()) for char in text)
    return odd * 4 > len(text)


def _unescaped(name: bytes) -> str:
    raw = re.sub(rb"#([0-9A-Fa-f]{2})", lambda match: bytes([int(match[1], 16)]), name)
    return raw.decode("utf-8", "replace")


def _string(token: bytes) -> str:
    return _decode_string(_string_bytes(token))


def _string_bytes(token: bytes) -> bytes:
    if token.startswith(b"<"):
        digits = b"".join(token[1:-1].split())
        try:
            return binascii.unhexlify(digits + b"0" * (len(digits) % 2))
        except binascii.Error:
            return b""
    return _ESCAPE.sub(_escaped, token[1:-1])


def _escaped(match: re.Match[bytes]) -> bytes:
    body = match[1]
    if body[0] in b"01234567":
        return bytes([int(body, 8) & 255])
    if body in (b"\r\n", b"\n", b"\r"):
        return b""
    return _LETTERS.get(body, body)


def _decode_string(raw: bytes) -> str:
    if raw.startswith(b"\xfe\xff"):
        return raw[2:].decode("utf-16-be", "replace")
    if raw.startswith(b"\xff\xfe"):
        return raw[2:].decode("utf-16-le", "replace")
    if raw.startswith(b"\xef\xbb\xbf"):
        return raw[3:].decode("utf-8", "replace")
    return raw.decode("cp1252", "replace")


def _content(data: bytes, part: str) -> Parts:
    """The strings that content shows, joined as they are shown; those in property lists apart."""
    shown: list[str] = []
    asides: list[str] = []
    array: list[str] = []
    names: set[str] = set()
    inside = False
    for match in _SHOWN.finditer(_COMMENT.sub(b" ", data) if b"%" in data else data):
        token = match.group()
        first = token[:1]
        if first == b"[":
            inside, array = True, []
        elif first == b"]":
            inside = False
        elif first in b"(<":
            raw = _string_bytes(token)
            (asides if raw[:2] in (b"\xfe\xff", b"\xff\xfe") else array).append(_decode_string(raw))
        elif first == b"/":
            names.add(_unescaped(token[1:]))
        elif inside and first in b"-.0123456789":
            array.append(" " if float(token) < -180 else "")
        elif token in (b"Tj", b"TJ", b"'", b'"'):
            shown.append("".join(array).translate(_SILENT))
            array = []
        elif first.isalpha() and not inside:
            asides.extend(array)
            array = []
    yield part, _plausible("\n".join(shown))
    yield f"{part} letters", _plausible("\n".join(_letters(shown)))
    yield f"{part} properties", "\n".join(text for text in asides if not _noise(text))
    yield (
        f"{part} names",
        "\n".join(sorted(name for name in names if len(name) > 3 and name not in _STANDARD)),
    )
    comments = [comment.decode("latin-1") for comment in _COMMENT.findall(_STRING.sub(b" ", data))]
    if comments:
        yield f"{part} comments", "\n".join(comments)


def _depth(data: bytes) -> int:
    """How deep marked content is nested, roughly."""
    if data.count(b"BMC") + data.count(b"BDC") <= _MAX_MARKS:
        return 0
    depth = deepest = 0
    for mark in _MARKS.findall(data):
        depth += -1 if mark == b"EMC" else 1
        deepest = max(deepest, depth)
    return deepest


def _letters(shown: list[str]) -> Iterator[str]:
    """Words that are shown letter by letter, or with a gap after each."""
    word = ""
    for text in shown:
        apart = text.split(" ")
        if len(apart) > 2 and all(len(letter) < 2 for letter in apart):
            yield "".join(apart)
        if len(text) <= 2:
            word += text
        elif word:
            yield word
            word = ""
    yield word


def _plausible(text: str) -> str:
    """Codes of a font with its own encoding look like text now and then: of such only long words stay."""
    ordinary = sum(char.isalnum() or char.isspace() or char in ".,;:!?-'\"()[]/&%@" for char in text)
    if ordinary * 20 >= len(text) * 19:
        return text
    return "\n".join(re.findall(r"\w{4,}(?:[ \-]\w{4,})*", text))
