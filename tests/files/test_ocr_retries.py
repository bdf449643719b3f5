"""What the first look at a picture leaves is looked at again, and what stays unread is told."""

from __future__ import annotations

import pytest
from PIL import Image, ImageDraw, ImageFont

from efface.files import ocr, ocr_retries, picture_text
from efface.files.picture_rows import rows

pytestmark = pytest.mark.skipif(not ocr.available(), reason="needs the `ocr` extra")

Colour = tuple[int, int, int]


def written(
    size: tuple[int, int] = (180, 26), ink: Colour = (0, 0, 0), ground: Colour = (255, 255, 255)
) -> Image.Image:
    drawn = Image.new("RGB", size, ground)
    ImageDraw.Draw(drawn).text((6, 5), "Patient: Zanzibarov", fill=ink, font=ImageFont.load_default(14))
    return drawn


def beside_black(levels: int) -> Image.Image:
    drawn = written((180, 60), ink=(255 - levels,) * 3)
    ImageDraw.Draw(drawn).rectangle((0, 45, 179, 59), fill="black")
    return drawn


LIKE_WRITING = {
    "black": written(),
    "turned": written().rotate(90, expand=True),
    "three levels beside black": beside_black(3),
    "twelve levels beside black": beside_black(12),
    "another colour of the same grey": written(ink=(200, 0, 0), ground=(0, 102, 0)),
    "stretched": written().resize((900, 26)),
}


@pytest.mark.parametrize("name", LIKE_WRITING)
def test_what_looks_like_writing(name: str) -> None:
    assert any(row.certain for row in rows(LIKE_WRITING[name], []))


def test_what_was_read_is_no_doubt() -> None:
    picture = written()
    assert not rows(picture, [ocr_retries.box(_line("Patient: Zanzibarov", (0, 0, 180, 26)))])


def _dashes() -> Image.Image:
    drawn = Image.new("RGB", (200, 40), "white")
    for at in range(10, 190, 16):
        ImageDraw.Draw(drawn).rectangle((at, 18, at + 9, 24), outline="black")
    return drawn


def _cleared() -> Image.Image:
    drawn = Image.new("RGB", (300, 40), "white")
    for at in range(6):
        ImageDraw.Draw(drawn).rectangle((10 + 45 * at, 10, 30 + 47 * at, 24 + at % 3), fill="black")
    return drawn


NOTHING = {
    "a gradient": Image.linear_gradient("L").convert("RGB"),
    "noise": Image.effect_noise((200, 200), 60).convert("RGB"),
    "a dashed line": _dashes(),
    "words that were cleared": _cleared(),
}


@pytest.mark.parametrize("name", NOTHING)
def test_what_does_not_look_like_writing(name: str) -> None:
    assert not rows(NOTHING[name], [])


def test_mirrored_words_are_read_and_cleared_in_their_place() -> None:
    picture = written().transpose(Image.Transpose.FLIP_LEFT_RIGHT)
    frame = picture_text.read(picture)
    assert "Zanzibarov" in frame.text
    assert not frame.unread
    start = frame.text.index("Zanzibarov")
    words = picture_text.touched_words(frame, [(start, start + 10)])
    left = picture_text.cleared(picture, words).convert("L")
    assert left.crop((50, 8, 110, 18)).getextrema() == (0, 0)
    assert left.crop((126, 0, 180, 26)).tobytes() == picture.convert("L").crop((126, 0, 180, 26)).tobytes()


def _line(text: str, at: tuple[int, int, int, int] = (0, 0, 50, 20), score: float = 1.0) -> ocr.OcrLine:
    left, top, right, bottom = at
    words = tuple(ocr.OcrWord(word, 0.0, 1.0) for word in text.split())
    return ocr.OcrLine(text, score, ((left, top), (right, top), (right, bottom), (left, bottom)), words)


def test_what_no_look_reads_is_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ocr, "lines", lambda _picture: [])
    assert ocr_retries.read(written()).unread
    assert not ocr_retries.read(NOTHING["noise"]).unread


def test_a_line_without_confidence_is_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ocr, "lines", lambda _picture: [_line("voisdisns", (0, 0, 180, 26), 0.7)])
    assert ocr_retries.read(written()).unread


def test_words_left_between_what_was_cleared_are_read_by_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    """A scan was unproven for "I live at", which was sure in the original and less so beside a black box."""
    picture = written((180, 60))

    def seen(shown: Image.Image) -> list[ocr.OcrLine]:
        alone = shown.size != picture.size and shown.tobytes() == picture.crop((0, 0, *shown.size)).tobytes()
        return [_line("I live at", (0, 0, 100, 26), 0.95 if alone else 0.89)]

    monkeypatch.setattr(ocr, "lines", seen)
    assert not ocr_retries.read(picture).unread


def test_letters_set_apart_are_one_word(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ocr, "lines", lambda _picture: [_line("Patient: Z a n z i b a r o v and I")])
    (line,) = ocr_retries.read(Image.new("RGB", (60, 30), "white")).lines
    assert [word.text for word in line.words] == ["Patient:", "Zanzibarov", "and", "I"]


def test_letters_far_apart_are_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    far = [_line(letter, (70 * at, 5, 70 * at + 12, 20)) for at, letter in enumerate("Zanz")]
    monkeypatch.setattr(ocr, "lines", lambda _picture: far)
    assert ocr_retries.read(Image.new("RGB", (300, 30), "white")).unread


def test_threads_of_the_engine_sleep_while_they_wait() -> None:
    engine = ocr._engine()
    for part in (engine.text_det, engine.text_cls, engine.text_rec):
        options = part.session.session.get_session_options()
        assert options.get_session_config_entry("session.intra_op.allow_spinning") == "0"
