"""Pictures of office files that hold more than they paint leave as what they paint."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Callable

import pytest
from PIL import Image

from efface.core import Verdict
from efface.files import ocr
from efface.formats.pictures import cleaning, painted
from efface.pipeline.sanitize import sanitize
from efface.policy.bind import bind
from efface.policy.model import parse
from tests.formats.office.test_picture_words import _replaced, picture, word

DENY = "efface: 1\nfind: {patterns: none, names: none, deny: [Zanzibarov, Oskar]}\n"


def _file(image: Image.Image, kind: str, **options: object) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, kind, **options)
    return buffer.getvalue()


def _letters() -> Image.Image:
    with Image.open(io.BytesIO(picture())) as opened:
        return opened.convert("L").point(lambda level: 1 if level < 128 else 0)


def _equal_colours() -> Image.Image:
    letters = _letters()
    image = Image.frombytes("P", letters.size, letters.tobytes())
    image.putpalette([255, 255, 255] * 2)
    return image


def _white() -> Image.Image:
    return Image.new("RGB", (20, 20), "white")


def _with_header(data: bytes, at: int, value: bytes) -> bytes:
    """A PNG with another entry in its header."""
    header = data[12 : 16 + at] + value + data[16 + at + len(value) : 29]
    return data[:12] + header + struct.pack(">I", zlib.crc32(header)) + data[33:]


def _png(depth: int, rows: bytes, behind: bytes = b"") -> bytes:
    def chunk(kind: bytes, content: bytes) -> bytes:
        return (
            struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
        )

    header = chunk(b"IHDR", struct.pack(">IIBBBBB", 180, 26, depth, 0, 0, 0, 0))
    return cleaning.PNG + header + chunk(b"IDAT", zlib.compress(rows) + behind) + chunk(b"IEND", b"")


def _second_bytes() -> bytes:
    """A grey picture of two bytes a pixel whose letters are in the lower one."""
    samples = [b"\x80" + bytes((0x80 + level,)) for level in _letters().tobytes()]
    lines = [b"\0" + b"".join(samples[at : at + 180]) for at in range(0, len(samples), 180)]
    return _png(16, b"".join(lines))


HIDING: dict[str, Callable[[], bytes]] = {
    "a palette of equal colours, PNG": lambda: _file(_equal_colours(), "PNG"),
    "a palette of equal colours, GIF": lambda: _file(_equal_colours(), "GIF"),
    "a palette of equal colours, BMP": lambda: _file(_equal_colours(), "BMP"),
    "a palette of equal colours, TIFF": lambda: _file(_equal_colours(), "TIFF"),
    "the second byte of every pixel": _second_bytes,
    "rows below the last": lambda: _with_header(picture(), 4, struct.pack(">I", 2)),
    "behind the compressed pixels": lambda: _png(8, b"\0" * 181 * 26, b"Oskar"),
    "metadata of a TIFF": lambda: _file(_white(), "TIFF", description="Oskar"),
    "long metadata of a TIFF": lambda: _file(_white(), "TIFF", description="Zanzibarov"),
    "behind a PNG": lambda: _file(_white(), "PNG") + b"Oskar",
    "behind a JPEG": lambda: _file(_white(), "JPEG") + b"Oskar",
    "behind a BMP": lambda: _file(_white(), "BMP") + b"Oskar",
    "metadata of a WebP": lambda: _file(_white(), "WEBP", exif=b"Exif\0\0Oskar"),
    "damaged metadata of a WebP": lambda: _file(_white(), "WEBP", exif=b"Exif\0\0II+\0\x08\0\0\0Oskar"),
}


@pytest.mark.parametrize("name", HIDING)
def test_what_is_not_painted_does_not_leave(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ocr, "available", lambda: False)  # what is painted holds no word
    data = HIDING[name]()
    report = sanitize(_replaced(word(picture(text="")), data), "file.docx", bind(parse(DENY)))
    assert report.verdict is Verdict.HELD
    assert report.released is not None
    with zipfile.ZipFile(io.BytesIO(report.released)) as archive:
        (media,) = [archive.read(name) for name in archive.namelist() if "/media/" in name]
    assert b"Oskar" not in media
    assert b"Zanzibarov" not in media
    with Image.open(io.BytesIO(media)) as left, Image.open(io.BytesIO(data)) as came:
        assert left.size == came.size
        assert left.format == came.format
        assert len(left.getcolors() or ()) == 1


def test_an_ordinary_picture_stays_as_it_is() -> None:
    with Image.open(io.BytesIO(picture())) as opened:
        plain = opened.convert("RGB")
    for data in (
        picture(),
        _file(plain.quantize(16), "PNG"),
        _file(plain, "GIF", save_all=True, append_images=[_white().resize(plain.size)]),
        _file(plain.convert("1"), "PNG"),
    ):
        assert not painted.hides(cleaning.cleaned(data))


def test_an_interlaced_picture_ends_where_it_ends() -> None:
    assert painted._size(_with_header(_png(8, b""), 12, b"\1")) == sum(
        tall * (1 + wide) for wide, tall in ((23, 4), (22, 4), (45, 3), (45, 7), (90, 6), (90, 13), (180, 13))
    )
