"""What an attacker reads in an XML file: its words as they stand between tags and in them, its sentences without tags, and
the names of elements and attributes that are no ordinary words."""

from __future__ import annotations

from collections.abc import Iterator
from xml.parsers import expat

from efface.attacks.readers.html_page import APART
from efface.text.form_labels import is_ordinary_label


class _XmlWords:
    """A file that was read once from its beginning to its end."""

    def __init__(self, data: bytes) -> None:
        self.words: list[str] = []
        self.names: dict[str, None] = {}
        # For each open element: where its text begins, and whether it has text of its own.
        self._open: list[tuple[int, bool]] = []
        self._texts: list[str] = []
        self._ranges: list[tuple[int, int]] = []  # of sentences in what is said; none is within another
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.CommentHandler = self.words.append
        parser.ProcessingInstructionHandler = lambda target, data: self.words.append(f"{target} {data}")
        parser.Parse(data, True)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._name(name)
        for key, value in attributes.items():
            self._name(key)
            self.words.append(value)
        self._open.append((len(self._texts), False))

    def _name(self, name: str) -> None:
        if not is_ordinary_label(name):
            self.names[name] = None

    def _text(self, text: str) -> None:
        self.words.append(text)
        self._texts.append(text)
        if text.strip():
            self._open[-1] = (self._open[-1][0], True)

    def _end(self, _name: str) -> None:
        begin, has_text = self._open.pop()
        end = len(self._texts)
        # An element with no more than one text says nothing that does not stand in the words.
        if has_text and end - begin > 1:
            while self._ranges and self._ranges[-1][0] >= begin:
                self._ranges.pop()
            self._ranges.append((begin, end))

    def sentences(self) -> Iterator[str]:
        for begin, end in self._ranges:
            yield "".join(self._texts[begin:end])


def read(data: bytes) -> Iterator[tuple[str, str]]:
    """Yields (place, text) for everything in the file. Raises expat.ExpatError if the file is not XML."""
    file = _XmlWords(data)
    yield "text", "\n".join(file.words)
    yield "sentences", APART.join(file.sentences())
    yield "markup names", "\n".join(file.names)
