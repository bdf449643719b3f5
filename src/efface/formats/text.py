"""Plain text and Markdown: the text is the file.

Reading a release again gives exactly the edited text, with two exceptions: replacement characters that the
file's encoding lacks are brought down to ASCII, and a file of mixed encodings may be read otherwise once
the edits have removed what told its encoding.
"""

from __future__ import annotations

from collections.abc import Sequence

from efface.core import Document, Edit, Part
from efface.formats.encoding import Decoded, decode
from efface.formats.patchwork import PLAIN, Slot, rewrite


class Text:
    """core.Format for .txt and .md."""

    def read(self, data: bytes, name: str, charset: str | None = None) -> Document:
        source = decode(data, charset)
        return Document(name, "text", source.text, (Part("body", 0, len(source.text)),), source)

    def write(self, document: Document, edits: Sequence[Edit]) -> bytes:
        source = document.origin
        assert isinstance(source, Decoded)
        length = len(source.text)
        return rewrite(source, lambda _: (Slot(0, length, length, PLAIN),), edits)


TEXT = Text()
