"""The pictures of a package: what they say, what was not read, and how they leave.

A raster picture is read by OCR and its removed words are painted black. A metafile draws text with records that
hold it, and may hold bitmaps; one with words to remove is replaced by an empty one of its size. A picture that
is written into an address of the markup (data:image/png;base64,…) is blanked when it shows words.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lxml import etree

from efface.core import Gap, Pictures
from efface.errors import Refused
from efface.files import ocr, picture_text
from efface.formats import picture_gaps
from efface.formats.office import metafiles, painted, pictures
from efface.formats.office.namespaces import tag, tags
from efface.formats.office.xmltext import (
    TAIL,
    TEXT,
    Change,
    Changes,
    Composer,
    Element,
    XmlPlace,
    stored,
)

if TYPE_CHECKING:
    from PIL.Image import Image

PICTURE = "\0picture"
NOWHERE = etree.Element("nowhere")
STREAM = "picture"
# Text of drawings, in markup of its own kind.
_DRAWN_TEXT = ("{http://www.w3.org/2000/svg}text", tag("v:textbox"))
_WORD_TEXT = tags("w:txbxContent")
_GREY = (217, 217, 217)


@dataclass(frozen=True, slots=True)
class Said:
    """What one picture says: the lines of its images, then the strings in its data."""

    frames: tuple[picture_text.PictureFrame, ...]
    strings: str

    @property
    def text(self) -> str:
        return "\n".join(filter(None, (*(frame.text for frame in self.frames), self.strings)))


@dataclass(frozen=True, slots=True)
class PictureParts:
    """The pictures as they were read, by part."""

    binaries: Mapping[str, bytes] = field(default_factory=dict)
    said: Mapping[str, Said] = field(default_factory=dict)
    gaps: tuple[Gap, ...] = ()
    notes: tuple[str, ...] = ()

    def written(self, changes: Changes) -> dict[str, bytes]:
        """The pictures as they leave."""
        result = dict(self.binaries)
        for part, said in self.said.items():
            wanted = changes.get(XmlPlace(part, NOWHERE, PICTURE))
            if wanted:
                result[part] = _without(self.binaries[part], said, wanted)
        return result


@dataclass(slots=True)
class _Look:
    """One look at all pictures of a package, under the policy."""

    policy: Pictures
    binaries: dict[str, bytes]
    said: dict[str, Said] = field(default_factory=dict)
    unread: int = 0
    doubtful: int = 0
    kept: int = 0
    removed: int = 0
    blanked: int = 0

    def picture(self, part: str) -> None:
        data = self.binaries[part]
        images, readable = _images(data)
        strings = pictures.words(data)
        if images and not metafiles.is_metafile(data) and painted.hides(data):
            self.binaries[part] = data = painted.stored(data, images)
            strings = ""
        holding = [image for image in images if picture_text.can_hold_words(image)]
        frames: tuple[picture_text.PictureFrame, ...] = ()
        if self.policy is Pictures.REMOVE and (holding or not readable):
            self.binaries[part] = _removed(data, images)
            self.removed += 1
            strings = pictures.words(self.binaries[part])
        elif self.policy is Pictures.KEEP:
            self.kept += bool(holding) or not readable
        elif not readable or (holding and not ocr.available()):
            self.unread += 1
        else:
            frames = tuple(map(picture_text.read, images)) if holding else ()
            self.doubtful += any(frame.unread for frame in frames)
        said = Said(frames, strings)
        if said.text:
            self.said[part] = said

    def addresses(self, tree: Element) -> None:
        """Pictures in the markup itself. Their words have no place in the text, so those with words go."""
        for element in tree.iter():
            for name, value in element.items():
                data = pictures.addressed(value)
                if data is not None and (self._goes(data) or _hides(data)):
                    element.set(name, pictures.BLANK_ADDRESS)

    def _goes(self, data: bytes) -> bool:
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


def look_at(
    binaries: Mapping[str, bytes],
    parts: Iterable[str],
    addressing: Iterable[Element],
    policy: Pictures,
) -> PictureParts:
    """Reads the pictures among the binaries, named by `parts`, and those in the addresses of some trees."""
    look = _Look(policy, dict(binaries))
    for part in parts:
        look.picture(part)
    for tree in addressing:
        look.addresses(tree)
    gone = picture_gaps.removed(look.removed)
    left = (*picture_gaps.unread(look.unread), *picture_gaps.doubtful(look.doubtful))
    gaps = (*left, *picture_gaps.kept(look.kept), *gone)
    # A removed picture is no gap of the released file, so a note says of the original what happened to it.
    notes = [picture_gaps.sentence(gap) for gap in gone]
    if look.blanked:
        notes.append("Pictures in the markup of drawings that show words are removed.")
    return PictureParts(look.binaries, look.said, gaps, tuple(notes))


def compose_drawn(trees: Mapping[str, Element], composer: Composer) -> None:
    """What drawings in markup say."""
    for part, tree in trees.items():
        for text in tree.iter(*_DRAWN_TEXT):
            if next(text.iter(*_WORD_TEXT), None) is not None:
                continue
            pieces = composer.stream("drawing text")
            for element in text.iter():
                for slot in (TEXT, TAIL) if element is not text else (TEXT,):
                    place = XmlPlace(part, element, slot)
                    pieces.append((stored(place), (place,)))
            pieces.append(("\n", ()))


def compose_said(parts: PictureParts, composer: Composer) -> None:
    """What pictures say, a paragraph for each."""
    for part, said in parts.said.items():
        composer.line(STREAM, said.text, XmlPlace(part, NOWHERE, PICTURE))


def _hides(data: bytes) -> bool:
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


def _without(data: bytes, said: Said, changes: Sequence[Change]) -> bytes:
    """The picture without the words that the changes name."""
    if metafiles.is_metafile(data):
        return metafiles.blanked(data)
    if not said.frames:
        raise Refused(
            "A picture of the file holds removed words in its data.",
            "Convert the file's pictures to PNG and retry.",
        )
    spans = [(start, end) for start, end, _ in changes]
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
        return pictures.BLANK
    return painted.stored(data, [PillowImage.new("RGB", (1, 1), _GREY)])
