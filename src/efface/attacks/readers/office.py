"""What an attacker reads in a released office file, by the standard library alone.

Everything is unzipped, decoded and read again by other means than the writer's: text by paragraph over runs
(as it reads now, as it read before tracked changes, without hidden text), every text node alone, attributes,
comments and instructions of the markup, names of parts, strings in binary parts, packages and base64 inside.
Left out is only what the format itself needs: numbers and tokens of the layout, built-in names, pixels.
"""

from __future__ import annotations

import base64
import binascii
import html
import io
import re
import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from urllib.parse import unquote

from efface.attacks.readers.office_markup import SHORTEST_BLOB, Markup, PackageClues
from efface.attacks.readers.office_structure import NUMBERS_AS_DATES, is_usual_name
from efface.attacks.readers.rasters import CHANCE, besides_pixels
from efface.text.disguises.code_units import with_pairs_joined

PartText = tuple[str, str]

_MAX_DEPTH = 6  # packages within packages; the formats refuse at fewer
_RUNS = re.compile(rb"[\x20-\x7e\x80-\xff]{5,}")
_WIDE_RUNS = re.compile(rb"(?:[\x20-\xff][\x00-\x06]){3,}")
_ESCAPES = re.compile(r"%[0-9A-Fa-f]{2}|_x[0-9A-Fa-f]{4}_|_[0-9a-f]{2,4}_|\\u[0-9A-Fa-f]{4}|&[#\w]+;")
_BASE64 = re.compile(r"[A-Za-z0-9+/\s]+={0,2}\s*")
_DATA_ADDRESS = re.compile(r"base64,([A-Za-z0-9+/\s=%]{8,})")


def extract(data: bytes) -> Iterator[PartText]:
    """Yields (place, text) for everything readable in a package."""
    yield from _package("", data, 0)


def picture(data: bytes) -> Iterator[PartText]:
    """The text in a picture's metadata."""
    yield from _content("picture", data, _MAX_DEPTH, PackageClues())


def _package(prefix: str, data: bytes, depth: int) -> Iterator[PartText]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        entries = archive.infolist()
        parts = {entry.filename: archive.read(entry) for entry in entries}
        comments = [archive.comment, *(entry.comment + entry.extra for entry in entries)]
    yield prefix + "names", "\n".join(name for name in parts if not is_usual_name(name))
    yield prefix + "comments", "\n".join(_strings(b"\0\0".join(comments)))
    yield prefix + "gaps", "\n".join(_strings(_outside(data, entries)))
    shown = parts.get("xl/styles.xml", b"").decode("utf-8", "replace").replace("'", '"')
    told = PackageClues(_has_dates(shown), _date_styles(shown), _hiding(parts))
    for name, content in parts.items():
        yield from _content(prefix + _plain_name(name), content, depth, told)


def _plain_name(part: str) -> str:
    """The name of a part without the words by which we say that nobody is to judge it."""
    return part.replace(CHANCE, "").replace(NUMBERS_AS_DATES, "")


def _outside(data: bytes, entries: Iterable[zipfile.ZipInfo]) -> bytes:
    """The bytes of a zip before, between and after its entries, the directory aside."""
    left: list[bytes] = []
    position = 0
    for entry in sorted(entries, key=lambda entry: entry.header_offset):
        left.append(data[position : entry.header_offset])
        name, extra = struct.unpack_from("<HH", data, entry.header_offset + 26)
        position = entry.header_offset + 30 + name + extra + entry.compress_size
    directory = data.find(b"PK\1\2", position)
    return b"\0\0".join((*left, data[position : max(directory, position)]))


def _content(name: str, data: bytes, depth: int, told: PackageClues) -> Iterator[PartText]:
    if data.startswith(b"PK\3\4") and depth < _MAX_DEPTH:
        try:
            yield from _package(name + "/", data, depth + 1)
        except (zipfile.BadZipFile, zlib.error, struct.error):
            yield name, "\n".join(_strings(data))
        return
    if data.lstrip(b"\xef\xbb\xbf\xff\xfe\0 \t\r\n").startswith(b"<"):
        for where, values in _markup(name, data, told):
            yield from _readings(where, "\n".join(values))
            yield from _blobs(where, values, depth, told)
        return
    said, pixels = besides_pixels(data)
    yield name, "\n".join(_strings(said))
    yield name + CHANCE, "\n".join(_strings(pixels))
    if data[40:44] == b" EMF":
        yield name, _metafile_text(data)


def _readings(where: str, text: str) -> Iterator[PartText]:
    """Yields a text, and those of its lines that change when their escapes are undone."""
    if not text.strip():
        return
    yield where, text
    if _ESCAPES.search(text):
        lines = [line for line in text.split("\n") if _ESCAPES.search(line)]
        for encoding in ("utf-8", "latin-1"):
            yield f"{where} (decoded as {encoding})", "\n".join(_decoded(line, encoding) for line in lines)


def _decoded(line: str, encoding: str) -> str:
    line = unquote(line, encoding=encoding)
    line = re.sub("_x([0-9A-Fa-f]{4})_|_([0-9a-f]{2,4})_", _character, line)
    line = re.sub(r"\\u([0-9A-Fa-f]{4})()", _character, line)
    return html.unescape(with_pairs_joined(line))


def _character(match: re.Match[str]) -> str:
    return chr(int(match[1] or match[2], 16))


def _blobs(where: str, values: Iterable[str], depth: int, told: PackageClues) -> Iterator[PartText]:
    """What strings in base64 decode to."""
    for value in values:
        whole = [value] if len(value) >= SHORTEST_BLOB and _BASE64.fullmatch(value) else []
        for blob in whole or _DATA_ADDRESS.findall(value):
            compact = "".join(unquote(blob).split())
            try:
                data = base64.b64decode(compact + "=" * (-len(compact) % 4), validate=True)
            except binascii.Error:
                continue
            yield from _content(where + " (base64)", data, depth + 1, told)


def _strings(data: bytes) -> Iterator[str]:
    """Readable runs of bytes, as UTF-8 or Latin-1 and as UTF-16, even and odd."""
    for match in _RUNS.finditer(data):
        yield match[0].decode("utf-8", "ignore")
        if not match[0].isascii():
            yield match[0].decode("latin-1")
    for match in _WIDE_RUNS.finditer(data + b"\0"):
        yield match[0].decode("utf-16-le", "ignore")


def _metafile_text(data: bytes) -> str:
    """The text that a metafile draws, record after record."""
    drawn, position = "", 0
    while position + 8 <= len(data):
        kind, size = struct.unpack_from("<II", data, position)
        if kind == 84 and size >= 76:
            count, offset = struct.unpack_from("<II", data, position + 44)
            drawn += data[position + offset : position + offset + 2 * count].decode("utf-16-le", "replace")
        position += max(size, 8)
    return drawn


def _markup(name: str, data: bytes, told: PackageClues) -> Iterator[tuple[str, list[str]]]:
    """The strings of a markup part, by their place in it."""
    markup = Markup(name, told)
    if not markup.feed(data):
        text = data.decode("utf-8", "replace")
        yield name, [re.sub("<[^>]*>", "", text)]
        yield name + " tags", [text]
        return
    for view in markup.views():
        yield name, [view]
    yield name + " nodes", markup.nodes
    yield name + NUMBERS_AS_DATES, markup.numbers_as_dates
    yield name + " comments", markup.comments
    yield name + " attributes", list(markup.attributes)
    yield name + " names", list(markup.names)


_CUSTOM_DATE = re.compile(r'numFmtId="(\d+)" formatCode="[^"]*[ymd][^"]*"')
_FORMAT_ID = re.compile(r'numFmtId="(\d+)"')
_CELL_STYLES = re.compile(r"<(?:\w+:)?cellXfs\b.*?</(?:\w+:)?cellXfs>", re.DOTALL)
_CELL_STYLE = re.compile(r"<(?:\w+:)?xf\b[^>]*>")
_CONDITIONAL = re.compile(r"<(?:\w+:)?dxfs\b.*?</(?:\w+:)?dxfs>", re.DOTALL)
_BUILT_IN_DATES = frozenset(map(str, (*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59))))


def _has_dates(styles: str) -> bool:
    """Whether a workbook has a style that shows numbers as dates."""
    return not _date_formats(styles).isdisjoint(_FORMAT_ID.findall(styles))


def _date_formats(styles: str) -> frozenset[str]:
    return _BUILT_IN_DATES.union(_CUSTOM_DATE.findall(styles))


def _date_styles(styles: str) -> frozenset[str] | None:
    """The numbers of the cells' styles that show dates. None where a condition may show any cell as one."""
    dates = _date_formats(styles)
    conditional = _CONDITIONAL.search(styles)
    cells = _CELL_STYLES.search(styles)
    if cells is None or (conditional and not dates.isdisjoint(_FORMAT_ID.findall(conditional.group()))):
        return None
    found = set()
    for number, style in enumerate(_CELL_STYLE.findall(cells.group())):
        format_id = _FORMAT_ID.search(style)
        if format_id and format_id[1] in dates:
            found.add(str(number))
    return frozenset(found)


_STYLE = re.compile(r"<(?:\w+:)?style\s")
_STYLE_END = re.compile(r"</(?:\w+:)?style>")
_STYLE_ID = re.compile(r"""(?:styleId|style:name)=["']([^"']*)""")
_STYLE_BASE = re.compile(r"""(?:parent-style-name=|basedOn\s[^>]{0,80}?val=)["']([^"']*)""")
_HIDES = re.compile(
    r"""<\w+:(?:vanish|specVanish|webHidden)(?:\s?/|\s[^>]{0,80}?val=["'](?:1|true|on))|text:display=["']none
    |fo:color=["']\#(?:ffffff|FFFFFF)|fo:font-size=["'](?:0?\.\d+|[01])pt""",
    re.VERBOSE,
)


def _hiding(parts: dict[str, bytes]) -> frozenset[str]:
    """The styles that hide their text, by themselves or by the style they build on."""
    bases: dict[str, str] = {}
    hiding: set[str] = set()
    for name, data in parts.items():
        if name.endswith(".xml") and any(
            word in data for word in (b"anish", b"webHidden", b"text:display", b"fo:color", b"fo:font-size")
        ):
            for style in _STYLE.split(data.decode("utf-8", "replace"))[1:]:
                style = _STYLE_END.split(style, 1)[0]
                identity, base = _STYLE_ID.search(style), _STYLE_BASE.search(style)
                if identity is not None:
                    bases[identity[1]] = base[1] if base is not None else ""
                    if _HIDES.search(style):
                        hiding.add(identity[1])
    while inherited := {style for style, base in bases.items() if base in hiding} - hiding:
        hiding |= inherited
    return frozenset(hiding)
