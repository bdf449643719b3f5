"""Every string of a file by the standard library and pdftotext alone: what a stranger finds who opens the bytes.

No module of the package is used, so that nothing which the package overlooks is overlooked here, too.
"""

from __future__ import annotations

import email
import html
import io
import re
import shutil
import subprocess
import unicodedata
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from email import policy

_TAG = re.compile(r"<[^>]*>")
_STREAM = re.compile(rb"stream\r?\n(.*?)endstream", re.DOTALL)
_NO_LETTER = re.compile(r"[\W_]+")
_GLUED = 5  # letters of a word that is looked for without what stands between its letters


def released_strings(name: str, data: bytes) -> Iterator[str]:
    """The strings of a file, of the files within it, and of their names."""
    yield name
    if data.startswith(b"PK\x03\x04"):
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            for entry in package.infolist():
                yield from released_strings(entry.filename, package.read(entry))
    elif data.startswith(b"%PDF-"):
        yield from _of_pdf(data)
    elif name.endswith(".eml"):
        yield from _of_mail(data)
    else:
        text = data.decode("utf-8", "replace")
        yield text
        for without_tags in (text, _TAG.sub("", text), _TAG.sub(" ", text)):
            yield html.unescape(without_tags)


def _of_mail(data: bytes) -> Iterator[str]:
    yield data.decode("utf-8", "replace")
    for part in email.message_from_bytes(data, policy=policy.default).walk():
        yield from (f"{key}: {value}" for key, value in part.items())
        body = part.get_payload(decode=True)
        if isinstance(body, bytes):
            yield from released_strings(part.get_filename() or "body", body)


def _of_pdf(data: bytes) -> Iterator[str]:
    for raw in (data, *_inflated(data)):
        yield raw.decode("latin-1")
        yield from (raw[at:].decode("utf-16-be", "replace") for at in (0, 1))
    if shutil.which("pdftotext"):
        for layout in ("-raw", "-layout"):
            shown = subprocess.run(
                ["pdftotext", layout, "-", "-"], input=data, capture_output=True, check=True
            )
            yield shown.stdout.decode("utf-8", "replace")


def _inflated(data: bytes) -> Iterator[bytes]:
    for stream in _STREAM.finditer(data):
        try:
            yield zlib.decompressobj().decompress(stream[1])
        except zlib.error:
            continue


def left_of(words: Iterable[str], strings: Iterable[str]) -> list[str]:
    """The words that the strings still hold: in any case, without accents, inside others, or with something between."""
    folded = [_folded(string) for string in strings]
    glued = [_NO_LETTER.sub("", string) for string in folded]
    found = []
    for word in map(_folded, words):
        is_there = any(word in string for string in folded)
        if is_there or (len(word) >= _GLUED and any(word in string for string in glued)):
            found.append(word)
    return found


def _folded(string: str) -> str:
    decomposed = unicodedata.normalize("NFKD", string.casefold())
    return "".join(char for char in decomposed if not unicodedata.combining(char))
