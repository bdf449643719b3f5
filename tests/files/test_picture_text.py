"""Pictures of words: what can hold a word is read, whatever its size and ground, and cleared."""

from __future__ import annotations

import io
import struct
import zlib

import pytest
from PIL import Image, ImageDraw, ImageFont

from efface.files import ocr, picture_text
from efface.files.picture_blocks import blocks

SAID = "Patient: Zanzibarov"

pytestmark = pytest.mark.skipif(not ocr.available(), reason="needs the `ocr` extra")


def picture(
    size: tuple[int, int] = (170, 24),
    letters: int = 14,
    at: tuple[int, int] = (4, 3),
    ink: tuple[int, ...] = (0, 0, 0),
    ground: tuple[int, ...] = (255, 255, 255),
) -> Image.Image:
    drawn = Image.new("RGBA" if len(ground) == 4 else "RGB", size, ground)
    ImageDraw.Draw(drawn).text(at, SAID, fill=ink, font=ImageFont.load_default(letters))
    return drawn


PICTURES = {
    "small": picture(),
    "very small": picture((95, 12), 8, (2, 1)),
    "large and nearly blank": picture((1200, 900), 14, (300, 300)),
    "white on black": picture(ink=(255, 255, 255), ground=(0, 0, 0)),
    "faint": picture(ink=(250, 250, 250)),
    "black on nothing": picture(ink=(0, 0, 0, 255), ground=(0, 0, 0, 0)),
    "white on nothing": picture(ink=(255, 255, 255, 255), ground=(255, 255, 255, 0)),
    "invisible, but in the pixels": picture(ink=(0, 0, 0, 0), ground=(255, 255, 255, 0)),
}


@pytest.mark.parametrize("name", PICTURES)
def test_words_are_read_and_cleared(name: str) -> None:
    frame = picture_text.read(PICTURES[name])
    assert "Zanzibarov" in frame.text
    start = frame.text.index("Zanzibarov")
    words = picture_text.touched_words(frame, [(start, start + 10)])
    again = picture_text.read(picture_text.cleared(frame.picture, words))
    assert "anzi" not in again.text


@pytest.mark.parametrize("degrees", [15, 45, 90, 180, 270])
def test_a_turned_picture_loses_the_word_and_not_another(degrees: int) -> None:
    upright = picture((420, 70), 28, (10, 15))
    frame = picture_text.read(upright.rotate(degrees, expand=True, fillcolor="white"))
    start = frame.text.index("Zanzibarov")
    words = picture_text.touched_words(frame, [(start, start + 10)])
    cleared = picture_text.cleared(frame.picture, words).rotate(-degrees, expand=True, fillcolor="white")
    again = picture_text.read(cleared).text
    assert "anzi" not in again and "barov" not in again
    assert degrees in (90, 270) or "Patient" in again  # a line that is read sideways goes whole


def test_what_holds_no_word_is_not_looked_at() -> None:
    assert not picture_text.can_hold_words(Image.new("RGB", (500, 500), "navy"))
    assert not picture_text.can_hold_words(picture((500, 5)))
    assert picture_text.can_hold_words(picture())
    assert picture_text.read(Image.new("RGB", (500, 500), "navy")).lines == ()


def test_every_frame_of_an_animation() -> None:
    buffer = io.BytesIO()
    blank = Image.new("RGB", (170, 24), "white")
    blank.save(buffer, "GIF", save_all=True, append_images=[picture()])
    assert [bool(picture_text.read(frame).lines) for frame in picture_text.frames(buffer.getvalue())] == [
        False,
        True,
    ]


@pytest.mark.parametrize("data", [b"", b"BM" + bytes(100), b"II\xbc\x01" + bytes(100)])
def test_what_cannot_be_opened_is_told(data: bytes) -> None:
    with pytest.raises(picture_text.Unreadable):
        picture_text.frames(data)


def test_a_picture_that_claims_too_many_pixels_is_not_unpacked() -> None:
    buffer = io.BytesIO()
    Image.new("1", (64, 64)).save(buffer, "PNG")
    header = b"IHDR" + struct.pack(">II", 40_000, 40_000) + buffer.getvalue()[24:29]
    claiming = (
        buffer.getvalue()[:12] + header + struct.pack(">I", zlib.crc32(header)) + buffer.getvalue()[33:]
    )
    with pytest.raises(Image.DecompressionBombError):  # so the claim is understood
        Image.open(io.BytesIO(claiming))
    with pytest.raises(picture_text.Unreadable):
        picture_text.frames(claiming)


def test_blocks_hold_all_ink() -> None:
    drawn = Image.new("L", (2000, 3000), 255)
    draw = ImageDraw.Draw(drawn)
    for number in range(40):
        draw.text((100 + 700 * (number % 2), 60 * number), SAID, fill=0, font=ImageFont.load_default(20))
    rest = drawn.copy()
    for block in blocks(drawn):
        rest.paste(255, (block.left, block.top, block.right, block.bottom))
    assert rest.getextrema() == (255, 255)
    assert all(block.bottom - block.top < 1100 for block in blocks(drawn))


@pytest.mark.parametrize(("given", "threads"), [("1", 1), ("4", 4), ("0", -1), ("many", -1), ("", -1)])
def test_the_engine_takes_no_more_threads_than_it_is_given(
    monkeypatch: pytest.MonkeyPatch, given: str, threads: int
) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", given)
    assert ocr._threads() == threads
