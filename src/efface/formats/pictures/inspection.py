"""What pictures say, what was not read, and how they leave.

A raster picture is read by OCR and its removed words are painted black. A metafile draws text with records that
hold it, and may hold bitmaps; one with words to remove is replaced by an empty one of its size.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from efface.core import Gap, Pictures
from efface.errors import Refused
from efface.files import ocr, picture_text
from efface.formats import picture_gaps
from efface.formats.pictures import cleaning, metafiles, painted

if TYPE_CHECKING:
    from PIL.Image import Image

_GREY = (217, 217, 217)


@dataclass(frozen=True, slots=True)
class PictureText:
    """What one picture says: the lines of its images, then the strings in its data."""

    frames: tuple[picture_text.PictureFrame, ...]
    strings: str

    @property
    def text(self) -> str:
        return "\n".join(filter(None, (*(frame.text for frame in self.frames), self.strings)))


NOTHING_SAID = PictureText((), "")


@dataclass(slots=True)
class PictureInspection:
    """One look at all pictures of a file, under the policy."""

    policy: Pictures
    binaries: dict[str, bytes]
    said: dict[str, PictureText] = field(default_factory=dict)
    unread: int = 0
    doubtful: int = 0
    kept: int = 0
    removed: int = 0
    blanked: int = 0

    def picture(self, part: str) -> None:
        """Reads one of the binaries."""
        data = self.binaries[part]
        images, readable = _images(data)
        strings = cleaning.words(data)
        if images and not metafiles.is_metafile(data) and painted.hides(data):
            self.binaries[part] = data = painted.stored(data, images)
            strings = ""
        holding = [image for image in images if picture_text.can_hold_words(image)]
        frames: tuple[picture_text.PictureFrame, ...] = ()
        if self.policy is Pictures.REMOVE and (holding or not readable):
            self.binaries[part] = _removed(data, images)
            self.removed += 1
            strings = cleaning.words(self.binaries[part])
        elif self.policy is Pictures.KEEP:
            self.kept += bool(holding) or not readable
        elif not readable or (holding and not ocr.available()):
            self.unread += 1
        else:
            frames = tuple(map(picture_text.read, images)) if holding else ()
            self.doubtful += any(frame.unread for frame in frames)
        said = PictureText(frames, strings)
        if said.text:
            self.said[part] = said

    def must_go(self, data: bytes) -> bool:
        """Whether a picture whose words have no place in the text goes as a whole."""
        images, readable = _images(data)
        holding = [image for image in images if picture_text.can_hold_words(image)]
        if readable and not holding:
            return False
        if self.policy is Pictures.KEEP:
            self.kept += 1
            return False
        if self.policy is Pictures.REMOVE:
            self.removed += 1
            return True
        if not readable or not ocr.available():
            self.unread += 1
            return False
        read = list(map(picture_text.read, holding))
        says = any(frame.lines or frame.unread for frame in read)
        self.blanked += says
        return says

    @property
    def gaps(self) -> tuple[Gap, ...]:
        left = (*picture_gaps.unread(self.unread), *picture_gaps.doubtful(self.doubtful))
        return (*left, *picture_gaps.kept(self.kept), *picture_gaps.removed(self.removed))

    @property
    def notes(self) -> tuple[str, ...]:
        """A removed picture is no gap of the released file, so a note says of the original what happened to it."""
        notes = [picture_gaps.sentence(gap) for gap in picture_gaps.removed(self.removed)]
        if self.blanked:
            notes.append("Pictures in the markup of drawings that show words are removed.")
        return tuple(notes)


def hides(data: bytes) -> bool:
    """Whether a picture that can be opened holds more than it paints."""
    return _images(data)[1] and painted.hides(data)


def _images(data: bytes) -> tuple[list[Image], bool]:
    """The images of a picture, and whether all of it could be opened."""
    try:
        if not metafiles.is_metafile(data):
            return picture_text.frames(data), True
        found = [frame for bitmap in metafiles.bitmaps(data) for frame in picture_text.frames(bitmap)]
        return found, not metafiles.draws_glyphs(data)
    except (picture_text.Unreadable, ValueError, struct.error):
        return [], False


def without(data: bytes, said: PictureText, spans: Sequence[tuple[int, int]]) -> bytes:
    """The picture without the words at these places of what it says."""
    if metafiles.is_metafile(data):
        return metafiles.blanked(data)
    if not said.frames:
        raise Refused(
            "A picture of the file holds removed words in its data.",
            "Convert the file's pictures to PNG and retry.",
        )
    images, at = [], 0
    for frame in said.frames:
        words = picture_text.touched_words(frame, [(start - at, end - at) for start, end in spans])
        images.append(picture_text.cleared(frame.picture, words))
        at += len(frame.text) + 1 if frame.text else 0
    return painted.stored(data, images)


def _removed(data: bytes, images: Sequence[Image]) -> bytes:
    """A picture of the same kind in one colour."""
    from PIL import Image as PillowImage

    if metafiles.is_metafile(data):
        return metafiles.blanked(data)
    if not images:
        return cleaning.BLANK
    return painted.stored(data, [PillowImage.new("RGB", (1, 1), _GREY)])
