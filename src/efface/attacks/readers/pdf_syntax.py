"""What a PDF's own syntax says in raw bytes: strings, comments and names, in objects and in content."""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

Parts = Iterator[tuple[str, str]]

_STRING = re.compile(rb"\((?:[^()\\]|\\.|\((?:[^()\\]|\\.|\([^()]*+\))*+\))*+\)|<[0-9A-Fa-f\s]*+>", re.DOTALL)
_SHOWN = re.compile(
    rb"\((?:[^()\\]|\\.|\((?:[^()\\]|\\.)*+\))*+\)|<[0-9A-Fa-f\s]*+>|-?\d*\.?\d+|[A-Za-z'\"*]+|\[|\]|/[^\s/<>\[\](){}%]*",
    re.DOTALL,
)
_ESCAPE = re.compile(rb"\\([0-7]{1,3}|\r\n|[\s\S])")
_WRITTEN = frozenset(  # the words of content, beside numbers, names and strings
    b"b b* B B* BDC BI BMC BT BX c cm cs CS d d0 d1 Do DP EI EMC ET EX f f* F g G gs h i ID j J k K l m M MP n q Q "
    b"re rg RG ri s S sc SC scn SCN sh T* Tc Td TD Tf Tj TJ TL Tm Tr Ts Tw Tz v w W W* y ' \" [ ] << >>".split()
)
_SHOWING = frozenset((b"Tj", b"TJ", b"'", b'"'))
_SPACE = -180  # thousandths of an em: a number of TJ below it moves the pen so far that a reader sees a space
_RESOURCE_NAME = 3  # characters: shorter names are those of resources (F1, Im0), which say nothing
_OPERAND = re.compile(rb"[-+.0-9]++|/[^\s/<>\[\](){}%]*+")
_NAME = re.compile(rb"/([^\s/<>\[\](){}%]{2,127})")
_DIFFERENCES = re.compile(rb"/Differences\s*\[[^\[\]]*+\]")
COMMENT = re.compile(rb"%([^\r\n]{3,})")
_COLLECTIONS = (b"Adobe", b"Identity", b"UCS", b"Japan1", b"GB1", b"CNS1", b"Korea1", b"KR")
_COLLECTION = re.compile(  # the character collection of a font: words of the format, not of a document
    rb"/(?:Registry|Ordering)\s*(?:\((?:%s)\)|<(?i:%s)>)"
    % (b"|".join(_COLLECTIONS), b"|".join(binascii.hexlify(name) for name in _COLLECTIONS))
)
_SILENT = dict.fromkeys(range(1, 32))  # no font shows anything for them
_LETTERS = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f"}

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


_FILE_ID = re.compile(rb"/ID\s{0,4}\[\s{0,4}<([0-9A-Fa-f]{32})>\s{0,4}<([0-9A-Fa-f]{32})>\s{0,4}\]")
_FOUR_LETTERS = re.compile(rb"[A-Za-z]{4}")
_FIXED_COMMENTS = (b"PDF-", b"%EOF")  # the first and the last line of every file


def objects(data: bytes, part: str) -> Parts:
    """The strings, the comments and the chosen names of object syntax."""
    data = _FILE_ID.sub(_readable_id, _COLLECTION.sub(b"/Registry", data))
    strings = [_string(match.group()) for match in _STRING.finditer(data)]
    yield part, "\n".join(text for text in strings if text and not _noise(text))
    # A text may be shown letter by letter, so letters by themselves are read one after another, too.
    letters = [text.strip() for text in strings if len(text.strip()) == 1]
    if letters:
        yield f"{part} letters", "\n".join(letters)
    without_strings = _STRING.sub(b" ", data)
    names = _chosen_names(_NAME.findall(_DIFFERENCES.sub(_without_glyphs, without_strings)))
    if names:
        yield f"{part} names", "\n".join(names)
    comments = _comments(without_strings)
    if comments is not None:
        yield f"{part} comments", comments


def _comments(syntax: bytes) -> str | None:
    """The comments in object syntax, without those that every file has, or None if there are none."""
    found = [text for text in COMMENT.findall(syntax) if not text.startswith(_FIXED_COMMENTS)]
    if not found:
        return None
    return "\n".join(comment.decode("latin-1") for comment in filter(is_printable, found))


def _readable_id(found: re.Match[bytes]) -> bytes:
    """The identifier of a file, if a word may be written in it; a digest of sixteen bytes says nothing."""
    digests = map(binascii.unhexlify, found.groups())
    return found.group() if any(_FOUR_LETTERS.search(digest) for digest in digests) else b"/ID []"


def _without_glyphs(encoding: re.Match[bytes]) -> bytes:
    """An encoding without the glyphs of Adobe's list: "ring" and "bullet" are characters there, and no words."""
    from pdfminer.glyphlist import glyphname2unicode

    names = _NAME.findall(encoding.group())
    return b" ".join(b"/" + name for name in names if name.decode("latin-1") not in glyphname2unicode)


def _chosen_names(raw: Iterable[bytes]) -> list[str]:
    """The names that a producer chose; those that the format itself defines say nothing."""
    names = {_unescaped(name) for name in raw}
    return sorted(name for name in names if name not in _STANDARD and not _noise(name))


_DELIMITER = re.compile(
    rb"<<|>>|[\[\]/]|(?<=[\[\]>])"
)  # a token begins here, with or without a blank before it


def is_content(data: bytes) -> bool:
    """Whether the bytes are clearly page content: hardly a word that its language does not have."""
    tokens = _DELIMITER.sub(rb" \g<0>", _STRING.sub(b" ", data[:20_000])).split()
    operators = sum(token in _WRITTEN for token in tokens)
    operands = sum(_OPERAND.fullmatch(token) is not None for token in tokens)
    return operators > 0 and (operators + operands) * 20 >= len(tokens) * 19


def content(data: bytes, part: str) -> Parts:
    """The strings that content shows, joined as they are shown; those in property lists by themselves."""
    found = _ContentStrings()
    found.read(COMMENT.sub(b" ", data) if b"%" in data else data)
    yield part, _plausible("\n".join(found.shown))
    yield f"{part} letters", _plausible("\n".join(_letters(found.shown)))
    yield f"{part} properties", "\n".join(text for text in found.asides if not _noise(text))
    chosen = sorted(name for name in found.names if len(name) > _RESOURCE_NAME and name not in _STANDARD)
    yield f"{part} names", "\n".join(chosen)
    comments = [comment.decode("latin-1") for comment in COMMENT.findall(_STRING.sub(b" ", data))]
    if comments:
        yield f"{part} comments", "\n".join(comments)


@dataclass(slots=True)
class _ContentStrings:
    """The strings of one content stream, by what becomes of them.

    In content, operands come before their operator. So a string waits in `waiting` until the next operator says whether
    it was shown or was part of a property list.
    """

    shown: list[str] = field(default_factory=list)
    asides: list[str] = field(default_factory=list)  # of property lists
    names: set[str] = field(default_factory=set)
    waiting: list[str] = field(default_factory=list)
    in_array: bool = False

    def read(self, data: bytes) -> None:
        for match in _SHOWN.finditer(data):
            token = match.group()
            first = token[:1]
            if first in b"(<":
                self._take_string(token)
            elif first in b"-.0123456789":
                if self.in_array:  # of TJ: the pen moves between two strings
                    self.waiting.append(" " if float(token) < _SPACE else "")
            elif first == b"/":
                self.names.add(_unescaped(token[1:]))
            elif first == b"[":
                self.in_array, self.waiting = True, []
            elif first == b"]":
                self.in_array = False
            else:
                self._take_operator(token)

    def _take_string(self, token: bytes) -> None:
        raw = _string_bytes(token)
        # No font has codes for a byte order mark, so a string that begins with one is never shown.
        is_marked = raw[:2] in (b"\xfe\xff", b"\xff\xfe")
        (self.asides if is_marked else self.waiting).append(_decode_string(raw))

    def _take_operator(self, token: bytes) -> None:
        if token in _SHOWING:
            self.shown.append("".join(self.waiting).translate(_SILENT))
            self.waiting = []
        elif token[:1].isalpha() and not self.in_array:
            self.asides.extend(self.waiting)
            self.waiting = []


def _letters(shown: list[str]) -> Iterator[str]:
    """Words that are shown letter by letter, or with a gap after each."""
    word = ""
    for text in shown:
        pieces = text.split(" ")
        if len(pieces) > 2 and all(len(piece) < 2 for piece in pieces):
            yield "".join(pieces)
        if len(text) <= 2:
            word += text
        elif word:
            yield word
            word = ""
    yield word


def _plausible(text: str) -> str:
    """Codes of a font with its own encoding look like text now and then: of such only long words stay.

    The underscores of placeholders and the stars of masks are text: a short page may consist of little else.
    """
    ordinary = sum(char.isalnum() or char.isspace() or char in ".,;:!?-'\"()[]/&%@_*" for char in text)
    if ordinary * 20 >= len(text) * 19:
        return text
    return "\n".join(re.findall(r"\w{4,}(?:[ \-]\w{4,})*", text))


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


def is_printable(data: bytes) -> bool:
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


def decoded(data: bytes) -> str:
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
