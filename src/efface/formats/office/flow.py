"""The reading flow of one OOXML part: paragraphs in order, terms whole over their runs.

Three views of a paragraph may differ: as it reads now, as it read before its tracked changes, and as it reads
when hidden text is not shown. All are mapped, so a term is found in whichever view it stands; the second and
third become streams of their own, and only for paragraphs where they differ.
"""

from __future__ import annotations

from lxml import etree

from efface.formats.office import grammar
from efface.formats.office.codecs import shown
from efface.formats.office.names import local, tags
from efface.formats.office.xmltext import DROP, TEXT, Composer, Element, Piece, Place

BEFORE_CHANGES = "before changes"
WITHOUT_HIDDEN = "without hidden text"

_INSERTED, _DELETED, _HIDDEN = 1, 2, 4
_Run = tuple[str, Place, int]


class _Paragraph:
    """A paragraph being read, with the text boxes that hang in it."""

    __slots__ = ("after", "mark", "runs")

    def __init__(self) -> None:
        self.runs: list[_Run] = []
        self.after: list[Piece] = []
        self.mark = 0  # whether its end was inserted or deleted


class _Frame:
    """Where paragraphs go: the part's own stream, or that of an aside."""

    __slots__ = ("open", "out")

    def __init__(self, out: list[Piece]) -> None:
        self.out = out
        self.open: list[_Paragraph] = []


class Flow:
    """Reads one part into a stream of the composer."""

    def __init__(self, composer: Composer, part: str, stream: str) -> None:
        self._composer = composer
        self._part = part
        self._frames = [_Frame(composer.stream(stream))]
        self._inserted = 0
        self._deleted = 0
        self._hidden: set[Element | None] = set()

    def read(self, root: Element) -> None:
        for event, element in etree.iterwalk(root, events=("start", "end"), tag=list(grammar.FLOW)):
            name = element.tag
            if event == "start":
                self._start(element, name)
            elif name in grammar.PARAGRAPHS:
                self._close()
            elif name in grammar.ASIDES:
                self._close()
                self._frames.pop()
            elif name in grammar.INSERTED:
                self._inserted -= 1
            elif name in grammar.DELETED:
                self._deleted -= 1

    def _start(self, element: Element, name: str) -> None:
        if name in grammar.RUN_TEXT:
            self._add(element.text, Place(self._part, element), element)
        elif name in grammar.PARAGRAPHS:
            self._frames[-1].open.append(_Paragraph())
        elif name in grammar.CHARACTERS:
            if not _is_setting(element):
                self._add(grammar.CHARACTERS[name], Place(self._part, element, DROP), element)
        elif name in grammar.INSERTED:
            self._inserted += 1
            self._mark_end(element, _INSERTED)
        elif name in grammar.DELETED:
            self._deleted += 1
            self._mark_end(element, _DELETED)
        elif name in grammar.ASIDES:
            frame = _Frame(self._composer.stream(grammar.ASIDES[name]))
            frame.open.append(_Paragraph())
            self._frames.append(frame)
        else:
            self._start_other(element, name)

    def _start_other(self, element: Element, name: str) -> None:
        if name in grammar.LINE_TEXT:
            if element.text:
                value = shown(element.text, "number"), (Place(self._part, element, TEXT, "number"),)
                self._frames[-1].out += (value, ("\n", ()))
        elif name in grammar.FIELD_CODES:
            if element.text:
                code = (
                    shown(element.text, "url"),
                    (Place(self._part, element, TEXT, "url"),),
                )
                self._composer.stream("field code").append(code)
        elif name in grammar.FIELD_MARKS:
            self._composer.stream("field code").append(("\n", ()))
        elif name in grammar.HIDING:
            self._hidden.add(_run_of(element))
        elif name in grammar.SYMBOLS:
            self._add(_symbol(element), Place(self._part, element, DROP), element)

    def _add(self, text: str | None, place: Place, element: Element) -> None:
        if not text:
            return
        flags = (_INSERTED if self._inserted else 0) | (_DELETED if self._deleted else 0)
        if self._hidden and element.getparent() in self._hidden:
            flags |= _HIDDEN
        opened = self._frames[-1].open
        if opened:
            opened[-1].runs.append((text, place, flags))
        else:
            self._frames[-1].out += ((text, (place,)), ("\n", ()))

    def _mark_end(self, element: Element, flag: int) -> None:
        """An empty mark in a paragraph's properties says that the paragraph's end came or went."""
        properties = element.getparent()
        holder = properties.getparent() if properties is not None else None
        if holder is not None and holder.tag in grammar.PARAGRAPH_PROPERTIES and self._frames[-1].open:
            self._frames[-1].open[-1].mark |= flag

    def _close(self) -> None:
        frame = self._frames[-1]
        paragraph = frame.open.pop()
        out = frame.open[-1].after if frame.open else frame.out
        now = _view(paragraph, without=_DELETED)
        out += now
        out += paragraph.after
        if not (paragraph.mark or any(flags for _, _, flags in paragraph.runs)):
            return
        for name, without in ((BEFORE_CHANGES, _INSERTED), (WITHOUT_HIDDEN, _DELETED | _HIDDEN)):
            view = _view(paragraph, without)
            if view != now and len(view) > 1:
                self._composer.stream(name).extend(view)


def _view(paragraph: _Paragraph, without: int) -> list[Piece]:
    pieces: list[Piece] = [(text, (place,)) for text, place, flags in paragraph.runs if not flags & without]
    if not paragraph.mark & without:
        pieces.append(("\n", ()))
    return pieces


def _run_of(mark: Element) -> Element | None:
    """The run that a formatting mark hides, unless the mark is switched off."""
    if any(local(name) == "val" and value in ("0", "false", "off") for name, value in mark.items()):
        return None
    properties = mark.getparent()
    return properties.getparent() if properties is not None else None


_TAB_STOPS = tags("w:tabs")


def _is_setting(element: Element) -> bool:
    """A tab stop in paragraph properties has the name of a tab character."""
    parent = element.getparent()
    return parent is not None and parent.tag in _TAB_STOPS


def _symbol(element: Element) -> str:
    """The character of a symbol. Symbol fonts keep theirs in a private area that repeats Latin-1."""
    code = next((value for name, value in element.items() if local(name) == "char"), "")
    try:
        number = int(code, 16)
    except ValueError:
        return ""
    number = number - 0xF000 if 0xF020 <= number <= 0xF0FF else number
    return chr(number) if 0x20 <= number < 0xD800 or 0xE000 <= number <= 0xFFFD else ""
