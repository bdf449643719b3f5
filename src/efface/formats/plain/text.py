"""Plain text and Markdown: the text is the file.

Reading a release again gives exactly the edited text, with two exceptions: replacement characters that the
file's encoding lacks are brought down to ASCII, and a file of mixed encodings may be read otherwise once
the edits have removed the characters that its encoding was recognised by.
"""

from __future__ import annotations

from collections.abc import Sequence

from efface.core import Document, Edit, Part, apply_edits
from efface.formats.patching.source_patching import PLAIN, SourceSlot, rewrite
from efface.formats.plain.encoding import Decoded, decode

_COPIED = 1 << 20  # characters of a text that is copied as a whole


class PlainText:
    """core.Format for .txt and .md."""

    def read(self, data: bytes, name: str, charset: str | None = None) -> Document:
        source = decode(data, charset)
        return Document(name, "text", source.text, (Part("body", 0, len(source.text)),), source)

    def write(self, document: Document, edits: Sequence[Edit]) -> bytes:
        source = document.origin
        assert isinstance(source, Decoded)
        length = len(source.text)
        return rewrite(source, lambda _: (SourceSlot(0, length, length, PLAIN),), edits)


class GivenText(PlainText):
    """core.Format for a text that a caller gave as such: UTF-8, whatever it begins with."""

    def read(self, data: bytes, name: str, charset: str | None = None) -> Document:
        text = data.decode("utf-8")
        return Document(name, "text", text, (Part("body", 0, len(text)),), Decoded(text, "utf-8"))

    def write(self, document: Document, edits: Sequence[Edit]) -> bytes:
        """The edited text in UTF-8, in which every character fits. A large one is patched, without a copy of it."""
        if len(document.text) > _COPIED:
            return super().write(document, edits)
        return apply_edits(document.text, edits).encode("utf-8")


TEXT = PlainText()
GIVEN_TEXT = GivenText()


def format_of_text(text: str | bytes) -> GivenText | None:
    """The format of a text, or of its UTF-8. One with NUL characters is read as a file is: it may be UTF-16."""
    has_nul = "\0" in text if isinstance(text, str) else b"\0" in text
    return None if has_nul else GIVEN_TEXT
