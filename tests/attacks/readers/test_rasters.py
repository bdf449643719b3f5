"""What a picture says besides its pixels is judged; what its packed pixels happen to spell is only searched."""

from __future__ import annotations

import io
import random
import zipfile

import pytest
from PIL import Image, PngImagePlugin, TiffImagePlugin

from efface.attacks.readers.extract import extract
from efface.attacks.readers.office import picture
from efface.attacks.readers.rasters import CHANCE, besides_pixels
from efface.core import Document
from efface.pipeline.reread import with_unseen_lines

WORD = b"Zanzibarov"


def _saved(kind: str, **options: object) -> bytes:
    noise = random.Random(5)
    pixels = bytes(noise.choice(b"abcdefghijklmnopqrstuvwxyz") for _ in range(64 * 64 * 3))
    out = io.BytesIO()
    Image.frombytes("RGB", (64, 64), pixels).save(out, kind, **options)
    return out.getvalue()


def _with_words(kind: str) -> bytes:
    if kind == "PNG":
        info = PngImagePlugin.PngInfo()
        info.add_text("Comment", WORD.decode())
        return _saved(kind, pnginfo=info)
    if kind == "TIFF":
        tags = TiffImagePlugin.ImageFileDirectory_v2()
        tags[270] = WORD.decode()
        return _saved(kind, tiffinfo=tags)
    if kind == "GIF":
        return _saved(kind, comment=WORD)
    exif = Image.Exif()
    exif[0x010E] = WORD.decode()
    return _saved(kind, exif=exif)


@pytest.mark.parametrize("kind", ["PNG", "TIFF", "GIF", "JPEG", "WEBP"])
def test_words_beside_the_pixels_are_judged(kind: str) -> None:
    said, _ = besides_pixels(_with_words(kind))
    assert WORD in said
    assert WORD not in besides_pixels(_saved(kind))[0]


@pytest.mark.parametrize("kind", ["PNG", "TIFF", "GIF", "JPEG", "WEBP", "BMP"])
def test_pixels_are_nothing_to_judge(kind: str) -> None:
    data = _saved(kind)
    own = Document("a.png", "picture", "")
    assert not with_unseen_lines(own, extract(data, "picture")).text.strip("\u241e\n")


def test_words_that_are_written_as_pixels_are_searched() -> None:
    data = _saved("BMP").replace(b"abc", WORD[:3])
    at = len(data) // 2
    data = data[:at] + WORD + data[at + len(WORD) :]
    assert [part for part, text in picture(data) if WORD.decode() in text] == ["picture" + CHANCE]


@pytest.mark.parametrize(
    "data",
    [b"II*\0", b"MM\0*\0\0\0\x08\xff\xff", b"RIFF\xff\xff\xff\xffWEBPVP8 ", b"BM", b"\x89PNG\r\n\x1a\n\0"],
)
def test_a_picture_that_ends_early_is_no_error(data: bytes) -> None:
    assert besides_pixels(data)


def test_a_directory_that_leads_to_itself_ends() -> None:
    assert besides_pixels(b"II*\0\x08\0\0\0\0\0\x08\0\0\0") == (b"", b"")


def test_no_part_can_be_named_out_of_judgment() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as package:
        package.writestr(f"word/a.xml{CHANCE}", b"<a>Zanzibarov</a>")
    parts = [part for part, text in extract(out.getvalue(), "docx") if "Zanzibarov" in text]
    assert parts and not any(part.endswith(CHANCE) for part in parts)
