"""What the pictures of a file say: opened within limits, read by OCR, cleared where words go.

A picture that is too small or has one colour holds no word, so it counts as read without being looked at.
"""

from __future__ import annotations

import hashlib
import io
import warnings
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING

from efface.files import ocr, ocr_retries

if TYPE_CHECKING:
    from PIL.Image import Image

MAX_PIXELS = 80_000_000  # about 240 MB as colours in memory
_MAX_FRAMES = 50  # frames of an animation, or pages of a file with many
MIN_SHORT_SIDE = ocr.LOWEST  # pixels
MIN_LONG_SIDE = 12  # pixels
_CACHED = 512  # pictures whose text is remembered, by a digest of their pixels
_PAD = 1  # pixels around a cleared word
_SAME_CORNER = 8  # pixels by which two looks may differ about a corner


class Unreadable(Exception):
    """The picture cannot be opened, so what it shows is unknown."""


@dataclass(frozen=True, slots=True)
class PictureFrame:
    """One image of a picture file as it is displayed, with its text."""

    picture: Image
    lines: tuple[ocr.OcrLine, ...]
    unread: bool = False  # something looks like writing and could not be read

    @property
    def text(self) -> str:
        """The words in reading order, a space between two words and a line break between two lines."""
        lines = []
        for line in self.lines:
            lines.append(" ".join(word.text for word in line.words))
        return "\n".join(lines)


def frames(data: bytes) -> list[Image]:
    """The images in a picture file. One that cannot be opened within the limits is unreadable."""
    from PIL import Image as PillowImage
    from PIL import ImageSequence

    try:
        with warnings.catch_warnings(action="ignore"), PillowImage.open(io.BytesIO(data)) as opened:
            count = getattr(opened, "n_frames", 1)
            if opened.width * opened.height * count > MAX_PIXELS or count > _MAX_FRAMES:
                raise Unreadable
            return [_as_shown(frame) for frame in ImageSequence.Iterator(opened)]
    except Unreadable:
        raise
    except Exception as error:  # every decoder of the library has errors of its own
        raise Unreadable from error


def _as_shown(frame: Image) -> Image:
    """The image as displayed, in RGB, with an alpha channel if it has transparent pixels."""
    frame = _upright(frame)
    if frame.mode.startswith(("I", "F")):
        # Whole numbers have 16 bits: 65,535 is 255 times 257.
        return frame.point(lambda level: level / 257 if frame.mode != "F" else level).convert("RGB")
    is_transparent = "A" in frame.getbands() or "transparency" in frame.info
    return frame.convert("RGBA" if is_transparent else "RGB")


def _upright(frame: Image) -> Image:
    """The image rotated by its Exif data. With damaged data it stays as it is stored."""
    from PIL import ImageOps

    try:
        return ImageOps.exif_transpose(frame)
    except Exception:  # a damaged header raises errors of several kinds, a SyntaxError among them
        return frame


def can_hold_words(picture: Image) -> bool:
    """Whether the picture is large enough for a word and has more than one colour."""
    if min(picture.size) < MIN_SHORT_SIDE or max(picture.size) < MIN_LONG_SIDE:
        return False
    extrema = picture.getextrema()
    bands = extrema if isinstance(extrema[0], tuple) else (extrema,)
    return any(low != high for low, high in bands)


def read(picture: Image) -> PictureFrame:
    """Returns the text of a picture. Pixels under transparent parts are read too, because they are in the file."""
    found: list[ocr.OcrLine] = []
    unread = False
    for look in _looks(picture):
        reading = _reading(look)
        unread = unread or reading.unread
        for line in reading.lines:
            if not any(_is_same_line(line, known) for known in found):
                found.append(line)
    return PictureFrame(picture, tuple(found), unread)


def _looks(picture: Image) -> list[Image]:
    """The picture on white, on black, and without its transparency, as far as these differ and can be read."""
    from PIL import Image as PillowImage

    if picture.mode != "RGBA":
        return [picture] if can_hold_words(picture) else []
    looks = [picture.convert("RGB")]
    if picture.getchannel("A").getextrema() != (255, 255):
        for ground in ("white", "black"):
            whole = PillowImage.new("RGBA", picture.size, ground)
            whole.alpha_composite(picture)
            looks.append(whole.convert("RGB"))
    distinct = {look.tobytes(): look for look in looks if can_hold_words(look)}
    return list(distinct.values())


def _is_same_line(one: ocr.OcrLine, other: ocr.OcrLine) -> bool:
    """Whether two looks saw the same line in the same place."""
    near = all(
        abs(x - u) + abs(y - v) < _SAME_CORNER
        for (x, y), (u, v) in zip(one.corners, other.corners, strict=True)
    )
    return near and one.text == other.text


_CACHE: OrderedDict[bytes, ocr_retries.PictureReading] = OrderedDict()
_CACHE_LOCK = Lock()


def _reading(picture: Image) -> ocr_retries.PictureReading:
    """What a picture says. A released file holds most pictures of the original, so they are remembered."""
    size = f"{picture.mode} {picture.size} ".encode()
    key = hashlib.blake2b(size + picture.tobytes(), digest_size=32).digest()
    with _CACHE_LOCK:
        known = _CACHE.get(key)
    if known is not None:
        return known
    found = ocr_retries.read(picture)
    with _CACHE_LOCK:
        _CACHE[key] = found
        if len(_CACHE) > _CACHED:
            _CACHE.popitem(last=False)
    return found


def touched_words(
    frame: PictureFrame, spans: Iterable[tuple[int, int]]
) -> list[tuple[ocr.OcrLine, ocr.OcrWord]]:
    """The words of the frame's text that share a character with one of the spans."""
    wanted = list(spans)
    found, at = [], 0
    for line in frame.lines:
        for word in line.words:
            end = at + len(word.text)
            if any(start < end and at < stop for start, stop in wanted):
                found.append((line, word))
            at = end + 1
    return found


def cleared(picture: Image, words: Sequence[tuple[ocr.OcrLine, ocr.OcrWord]]) -> Image:
    """A copy of the picture in which the words are black."""
    from PIL import ImageDraw

    copy = picture.copy()
    draw = ImageDraw.Draw(copy)
    black = (0, 0, 0, 255) if copy.mode == "RGBA" else (0, 0, 0)
    for line, word in words:
        corners = _corners(line, word)
        draw.polygon(corners, fill=black)
        draw.line([*corners, corners[0]], fill=black, width=2 * _PAD + 1)
    return copy


def _corners(line: ocr.OcrLine, word: ocr.OcrWord) -> list[ocr.Point]:
    top_left, top_right, bottom_right, bottom_left = line.corners
    return [
        _point_between(top_left, top_right, word.start),
        _point_between(top_left, top_right, word.end),
        _point_between(bottom_left, bottom_right, word.end),
        _point_between(bottom_left, bottom_right, word.start),
    ]


def _point_between(one: ocr.Point, other: ocr.Point, part: float) -> ocr.Point:
    return one[0] + (other[0] - one[0]) * part, one[1] + (other[1] - one[1]) * part
