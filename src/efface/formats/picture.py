"""Pictures by themselves: files, attachments of mails, and pictures in the addresses of a web page.

The text is what OCR reads in the pixels, and removed words are painted black. Metadata always goes. Reading a release
again may give other words than the edited text: a picture with cleared words may be read otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from efface.core import Document, Edit, Gap, Part, Pictures
from efface.errors import InputError
from efface.formats.office import pictures as picture_files
from efface.formats.office.picture_parts import NOWHERE, PICTURE, PictureParts, look_at
from efface.formats.office.xmltext import XmlPlace

_PART = "picture"


@dataclass(frozen=True, slots=True)
class PictureOrigin:
    """The picture without its metadata, and what was read in it."""

    parts: PictureParts

    @property
    def gaps(self) -> tuple[Gap, ...]:
        return self.parts.gaps

    @property
    def notes(self) -> tuple[str, ...]:
        return self.parts.notes


@dataclass(frozen=True, slots=True)
class PictureFile:
    """core.Format for raster pictures."""

    pictures: Pictures = Pictures.READ

    def with_pictures(self, pictures: Pictures) -> PictureFile:
        """The format under a policy that says what becomes of pictures."""
        return replace(self, pictures=pictures)

    def read(self, data: bytes, name: str) -> Document:
        plain = picture_files.cleaned(data)
        if plain == picture_files.BLANK != data:
            raise InputError(
                "The file is damaged, or is no picture of a kind that efface reads.",
                "Open it in another program and save it as PNG or JPEG.",
            )
        parts = look_at({_PART: plain}, [_PART], (), self.pictures)
        text = parts.said[_PART].text if _PART in parts.said else ""
        return Document(name, "picture", text, (Part(_PART, 0, len(text)),), PictureOrigin(parts))

    def write(self, document: Document, edits: Sequence[Edit]) -> bytes:
        origin = document.origin
        assert isinstance(origin, PictureOrigin)
        changes = [(edit.start, edit.end, edit.replacement or "") for edit in edits]
        return origin.parts.written({XmlPlace(_PART, NOWHERE, PICTURE): changes})[_PART]


PICTURE_FILE = PictureFile()
