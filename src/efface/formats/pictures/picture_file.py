"""Pictures by themselves: files, attachments of mails, and pictures in the addresses of a web page.

The text is what OCR reads in the pixels, and removed words are painted black. Metadata always goes. Reading a release
again may give other words than the edited text: a picture with cleared words may be read otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from efface.core import Document, Edit, Gap, Part, Pictures
from efface.errors import InputError
from efface.formats.pictures.cleaning import BLANK, cleaned
from efface.formats.pictures.inspection import NOTHING_SAID, PictureInspection, PictureText, without

_PART = "picture"


@dataclass(frozen=True, slots=True)
class PictureOrigin:
    """The picture without its metadata, and what was read in it."""

    picture: bytes
    said: PictureText
    gaps: tuple[Gap, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PictureFile:
    """core.Format for raster pictures."""

    pictures: Pictures = Pictures.READ

    def with_pictures(self, pictures: Pictures) -> PictureFile:
        """The format under a policy that says what becomes of pictures."""
        return replace(self, pictures=pictures)

    def read(self, data: bytes, name: str) -> Document:
        plain = cleaned(data)
        if plain == BLANK != data:
            raise InputError(
                "The file is damaged, or is no picture of a kind that efface reads.",
                "Open it in another program and save it as PNG or JPEG.",
            )
        inspection = PictureInspection(self.pictures, {_PART: plain})
        inspection.picture(_PART)
        said = inspection.said.get(_PART, NOTHING_SAID)
        origin = PictureOrigin(inspection.binaries[_PART], said, inspection.gaps, inspection.notes)
        return Document(name, "picture", said.text, (Part(_PART, 0, len(said.text)),), origin)

    def write(self, document: Document, edits: Sequence[Edit]) -> bytes:
        origin = document.origin
        assert isinstance(origin, PictureOrigin)
        if not edits:
            return origin.picture
        return without(origin.picture, origin.said, [(edit.start, edit.end) for edit in edits])


PICTURE_FILE = PictureFile()
