"""Zip packages in and out: everything that is dangerous about a zip is refused here, before any XML is read."""

from __future__ import annotations

import io
import re
import struct
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from efface.errors import InputError

MAX_ENTRIES = 10_000  # files in a package; a large presentation has a thousand
MAX_PART = 64 << 20  # bytes of one part once it is unpacked
MAX_TOTAL = 256 << 20  # bytes of all parts once they are unpacked
MAX_XML = 128 << 20  # bytes of markup: its tree takes ten times as much memory
MAX_DEPTH = 4  # packages within packages
# Deflate reaches about 1030:1 on zeros; real office XML stays under 100:1. Small parts may exceed it freely.
MAX_RATIO = 200
RATIO_MATTERS_ABOVE = 8 << 20  # bytes: a small part may be packed as well as it likes

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
_BAD_NAME = re.compile(r'(^|/)\.{1,2}(/|$)|//|^/|[\\:*?"<>|\x00-\x1f\x7f]')
_LEVEL = 4  # a few percent larger than the usual 6, in half the time
_FIXED_TIME = (1980, 1, 1, 0, 0, 0)  # the earliest that a ZIP file can write

# How a file that is no zip begins, what it then is, and what to do about it.
_OTHER_BEGINNINGS = (
    (b"%PDF", "The file is a PDF.", "Give it the extension .pdf and try again."),
    (b"{\\rtf", "The file is rich text.", "Open it in an office program and save it in the current format."),
    (
        b"<?xml",
        "The file is plain XML, not a package.",
        "Open it in an office program and save it in the current format.",
    ),
)


@dataclass(slots=True)
class Budget:
    """What one document may still unpack and parse; the packages embedded in it draw on the same."""

    total: int = MAX_TOTAL
    xml: int = MAX_XML
    depth: int = MAX_DEPTH

    def unpacked(self, size: int) -> None:
        self.total -= size
        if self.total < 0:
            raise InputError(
                "The package unpacks to far more than it should.",
                f"A part may hold {MAX_PART >> 20} MB and a package {MAX_TOTAL >> 20} MB.",
            )

    def parsed(self, size: int) -> None:
        self.xml -= size
        if self.xml < 0:
            raise InputError(
                "The file holds too much markup.", f"At most {MAX_XML >> 20} MB of XML are read."
            )

    @property
    def spent(self) -> bool:
        return self.total < 0 or self.xml < 0


def unpack(data: bytes, budget: Budget) -> dict[str, bytes]:
    """The parts of a package by name, in their order. Sizes are counted while inflating, never believed."""
    if not data.startswith(b"PK"):
        raise _not_a_package(data)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return _parts(data, archive, budget)
    except zipfile.BadZipFile:  # no directory: the file was cut short, or bytes of it were changed
        return _salvaged(data, budget)
    except (zlib.error, EOFError, OSError, ValueError, NotImplementedError, RuntimeError, struct.error):
        raise damaged() from None


def damaged() -> InputError:
    return InputError(
        "The file is damaged or cut short.", "Open it in an office program, save it again and retry."
    )


def _not_a_package(data: bytes) -> InputError:
    if not data:
        return InputError("The file is empty.", "Copy or save it again and retry.")
    if data.startswith(_OLE):
        if _ENCRYPTED in data:
            return InputError("The file is password-protected.", "Save it without a password and try again.")
        return InputError(
            "The file is in an old binary office format.", "Save it as .docx, .xlsx or .pptx and try again."
        )
    for beginning, message, hint in _OTHER_BEGINNINGS:
        if data.startswith(beginning):
            return InputError(message, hint)
    return damaged()


_LOCAL = b"PK\x03\x04"
_HEADER = struct.Struct("<4sHHHHHIIIHH")


def _salvaged(data: bytes, budget: Budget) -> dict[str, bytes]:
    """The parts that are whole in a package without a directory, found by their own headers."""
    parts: dict[str, bytes] = {}
    at = data.find(_LOCAL)
    count = 0
    while at >= 0:
        count += 1
        if count > MAX_ENTRIES or at + _HEADER.size > len(data):
            break
        name, content = _salvage(data, at, budget)
        if name and content is not None and not _BAD_NAME.search(name):
            parts[name] = content
        at = data.find(_LOCAL, at + len(_LOCAL))
    if not parts:
        raise damaged()
    return parts


def _salvage(data: bytes, at: int, budget: Budget) -> tuple[str, bytes | None]:
    """One part by its header; None for its content when it is not whole."""
    _, _, flags, method, _, _, _, size, _, name_length, extra_length = _HEADER.unpack_from(data, at)
    start = at + _HEADER.size + name_length + extra_length
    name = data[at + _HEADER.size : at + _HEADER.size + name_length].decode("utf-8", "replace")
    if flags & 1:
        raise InputError("The file is password-protected.", "Save it without a password and try again.")
    if method == zipfile.ZIP_STORED:
        content = data[start : start + size]
        budget.unpacked(len(content))
        return name, content if len(content) == size and not flags & 8 else None
    if method != zipfile.ZIP_DEFLATED:
        return name, None
    engine = zlib.decompressobj(-15)
    limit = min(MAX_PART, budget.total) + 1
    try:
        content = engine.decompress(data[start:], limit)
    except zlib.error:
        return name, None
    budget.unpacked(MAX_TOTAL + 1 if len(content) == limit else len(content))
    return name, content if engine.eof else None


def _parts(data: bytes, archive: zipfile.ZipFile, budget: Budget) -> dict[str, bytes]:
    entries = archive.infolist()
    if len(entries) > MAX_ENTRIES:
        raise InputError("The package has too many parts.", f"At most {MAX_ENTRIES} are read.")
    parts: dict[str, bytes] = {}
    seen: set[str] = set()
    for entry in entries:
        if entry.flag_bits & 0x1:
            raise InputError("The file is password-protected.", "Save it without a password and try again.")
        name = entry.filename
        # zipfile cuts names at a NUL byte; the original name tells.
        if _BAD_NAME.search(entry.orig_filename.rstrip("/")) or name.lower() in seen:
            raise InputError(
                "The package has an unsafe or repeated part name.", "Save it again in an office program."
            )
        seen.add(name.lower())
        if not name.endswith("/"):
            parts[name] = _inflate(data, entry, budget)
    return parts


def _inflate(data: bytes, entry: zipfile.ZipInfo, budget: Budget) -> bytes:
    """One entry's content. Reading it here costs a tenth of what a file object over it does."""
    name_length, extra_length = struct.unpack_from("<HH", data, entry.header_offset + 26)
    start = entry.header_offset + 30 + name_length + extra_length
    packed = data[start : start + entry.compress_size]
    likely = max(RATIO_MATTERS_ABOVE, MAX_RATIO * len(packed))
    limit = min(MAX_PART, budget.total, likely) + 1
    if entry.compress_type == zipfile.ZIP_DEFLATED:
        engine = zlib.decompressobj(-15)
        content = engine.decompress(packed, limit)
        whole = engine.eof
    else:
        content = packed[:limit]
        whole = entry.compress_type == zipfile.ZIP_STORED
    budget.unpacked(MAX_TOTAL + 1 if len(content) == limit else len(content))
    if not whole or zlib.crc32(content) != entry.CRC:
        raise damaged()
    return content


def pack(parts: Mapping[str, bytes], *, stored: Iterable[str] = ()) -> bytes:
    """The parts as a zip that depends on nothing but them: fixed times, given order, no extra fields."""
    uncompressed = frozenset(stored)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in parts.items():
            entry = zipfile.ZipInfo(name, _FIXED_TIME)
            entry.compress_type = zipfile.ZIP_STORED if name in uncompressed else zipfile.ZIP_DEFLATED
            entry.create_system = 0
            archive.writestr(entry, content, compresslevel=_LEVEL)
    return buffer.getvalue()
