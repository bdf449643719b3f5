"""The reading flow of one OOXML part: paragraphs in order, terms whole over their runs.

Five views of a paragraph may differ: as it reads now, as it read before its tracked changes, as it reads when
hidden text is not shown, as an office program shows its changes: what was inserted beside what was deleted, and as it
reads behind the letters of its list. All are mapped, so a term is found in whichever view it is; all but the first become streams of their own, and only for
paragraphs where they differ.
"""

from __future__ import annotations

from collections.abc import Set
from itertools import takewhile

from lxml import etree

from efface.formats.office import grammar
from efface.formats.office.list_prefixes import WITH_LIST_TEXT, ListPrefixes
from efface.formats.office.namespaces import local, tags
from efface.formats.office.string_codecs import shown
from efface.formats.office.xmltext import DROP, TEXT, Composer, Element, XmlPiece, XmlPlace

BEFORE_CHANGES = "before changes"
WITHOUT_HIDDEN = "without hidden text"
SHOWN_CHANGES = "with changes shown"

OFF = frozenset(("0", "false", "off"))
_INSERTED, _DELETED, _HIDDEN = 1, 2, 4
# Characters at the end of a paragraph among which the large first letter of the next may stand.
_INITIAL = 8
_OTHER_VIEWS = ((BEFORE_CHANGES, _INSERTED), (WITHOUT_HIDDEN, _DELETED | _HIDDEN))
_TextRun = tuple[str, XmlPlace, int]
# Views of a field code: every run of it, as it is now, as it was before the tracked changes.
_CODE_VIEWS = (0, _DELETED, _INSERTED)


class _FlowParagraph:
    """A paragraph being read, with the text boxes that hang in it."""

    __slots__ = ("after", "hidden", "mark", "runs")

    def __init__(self) -> None:
        self.runs: list[_TextRun] = []
        self.after: list[XmlPiece] = []
        self.mark = 0  # whether its end was inserted, deleted, hidden, or only parts a large first letter
        self.hidden = False  # by its style


class _Frame:
    """Where paragraphs go: the part's own stream, or that of an aside."""

    __slots__ = ("joined", "open", "out")

    def __init__(self, out: list[XmlPiece]) -> None:
        self.out = out
        self.open: list[_FlowParagraph] = []
        self.joined: set[str] = set()  # views in which the next paragraph goes on with the last one


class Flow:
    """Reads one part into a stream of the composer. `hiding` are the ids of styles that hide text; `faint` says that
    the part may have runs that are white or tiny."""

    def __init__(
        self,
        composer: Composer,
        part: str,
        stream: str,
        hiding: Set[str] = frozenset(),
        *,
        faint: bool = False,
        prefixes: ListPrefixes | None = None,
    ) -> None:
        self._composer = composer
        self._faint = grammar.FAINT if faint else frozenset[str]()
        self._part = part
        self._prefixes = prefixes
        self._hiding = hiding
        self._frames = [_Frame(composer.stream(stream))]
        self._inserted = 0
        self._deleted = 0
        self._code: list[_TextRun] = []  # of the field being read
        self._hidden: set[Element | None] = set()  # runs hidden by a mark of their own
        self._shown: set[Element | None] = set()  # runs that a mark of their own shows
        self._styled: set[Element | None] = set()  # runs of a style that hides

    def read(self, root: Element) -> None:
        wanted = (grammar.FLOW | grammar.STYLED if self._hiding else grammar.FLOW) | self._faint
        for event, element in etree.iterwalk(root, events=("start", "end"), tag=list(wanted)):
            name = element.tag
            if event == "start":
                self._start(element, name)
            elif name in grammar.PARAGRAPHS:
                self._show_behind_list_text(element)
                self._close()
            elif name in grammar.ASIDES:
                self._close()
                self._frames.pop()
            elif name in grammar.INSERTED:
                self._inserted -= 1
            elif name in grammar.DELETED:
                self._deleted -= 1
            elif name in grammar.TABLE_CELLS:
                self._end_with("\t", instead_of="\n")
            elif name in grammar.TABLE_ROWS:
                self._end_with("\n", instead_of="\t")
        self._end_code()

    def _start(self, element: Element, name: str) -> None:
        if name in grammar.RUN_TEXT:
            self._add(element.text, XmlPlace(self._part, element), element)
        elif name in grammar.PARAGRAPHS:
            self._frames[-1].open.append(_FlowParagraph())
        elif name in grammar.CHARACTERS:
            if not _is_setting(element):
                self._add(grammar.CHARACTERS[name], XmlPlace(self._part, element, DROP), element)
        elif name in grammar.INSERTED:
            self._inserted += 1
            self._mark_end(element, _INSERTED)
        elif name in grammar.DELETED:
            self._deleted += 1
            self._mark_end(element, _DELETED)
        elif name in grammar.ASIDES:
            frame = _Frame(self._composer.stream(grammar.ASIDES[name]))
            frame.open.append(_FlowParagraph())
            self._frames.append(frame)
        else:
            self._start_other(element, name)

    def _start_other(self, element: Element, name: str) -> None:
        """Takes an element that is no paragraph and no plain run of text."""
        if name in grammar.LINE_TEXT:
            if element.text:
                value = shown(element.text, "number"), (XmlPlace(self._part, element, TEXT, "number"),)
                self._frames[-1].out += (value, ("\n", ()))
        elif name in grammar.FIELD_CODES:
            if element.text:
                code = XmlPlace(self._part, element, TEXT, "code")
                self._code.append((shown(element.text, "code"), code, self._changed()))
        elif name in grammar.FIELD_MARKS:
            self._end_code()
        elif name in grammar.HIDING:
            self._hide(element)
        elif name in self._faint:
            if _is_faint(element):
                properties = element.getparent()
                self._hidden.add(properties.getparent() if properties is not None else None)
        elif name in grammar.STYLED:
            self._style(element)
        elif name in grammar.FRAMES:
            if word_value(element, "dropCap") in ("drop", "margin") and self._frames[-1].open:
                self._frames[-1].open[-1].mark |= _INITIAL
        elif name in grammar.SYMBOLS:
            self._add(_symbol(element), XmlPlace(self._part, element, DROP), element)

    def _add(self, text: str | None, place: XmlPlace, element: Element) -> None:
        if not text:
            return
        opened = self._frames[-1].open
        if opened:
            flags = self._changed() | (_HIDDEN if self._is_hidden(element, opened[-1]) else 0)
            opened[-1].runs.append((text, place, flags))
        else:
            self._frames[-1].out += ((text, (place,)), ("\n", ()))

    def _changed(self) -> int:
        return (_INSERTED if self._inserted else 0) | (_DELETED if self._deleted else 0)

    def _hide(self, mark: Element) -> None:
        """A mark of a run, or of a paragraph's end, that hides it; or shows it, when switched off."""
        properties = mark.getparent()
        run = properties.getparent() if properties is not None else None
        if word_value(mark) in OFF:
            self._shown.add(run)
        else:
            self._hidden.add(run)
            self._mark_end(mark, _HIDDEN)

    def _style(self, reference: Element) -> None:
        """A run or a paragraph of a style that hides text."""
        if not any(value in self._hiding for value in reference.values()):
            return
        properties = reference.getparent()
        if properties is None:
            return
        if properties.tag in grammar.PARAGRAPH_PROPERTIES:
            if self._frames[-1].open:
                self._frames[-1].open[-1].hidden = True
                self._frames[-1].open[-1].mark |= _HIDDEN
        else:
            self._styled.add(properties.getparent())

    def _is_hidden(self, element: Element, paragraph: _FlowParagraph) -> bool:
        """A mark of the run decides; without one, styles of run and paragraph that both hide cancel out."""
        if not (self._hidden or self._styled or paragraph.hidden):
            return False
        run = element.getparent()
        if run in self._hidden:
            return True
        return run not in self._shown and (run in self._styled) != paragraph.hidden

    def _end_code(self) -> None:
        """A field code is over: show it, and its other views where tracked changes cut it."""
        if not self._code:
            return
        now, *others = (_pieces(self._code, without) for without in _CODE_VIEWS)
        self._composer.stream("field code").extend((*now, ("\n", ())))
        for view in others:
            if view and view != now:
                self._composer.stream(BEFORE_CHANGES).extend((*view, ("\n", ())))
        self._code = []

    def _mark_end(self, element: Element, flag: int) -> None:
        """An empty mark in a paragraph's properties says that the paragraph's end came or went."""
        properties = element.getparent()
        holder = properties.getparent() if properties is not None else None
        if holder is not None and holder.tag in grammar.PARAGRAPH_PROPERTIES and self._frames[-1].open:
            self._frames[-1].open[-1].mark |= flag

    def _end_with(self, mark: str, instead_of: str) -> None:
        """A row of a table is a line, with tabs between its cells, as in every other format."""
        frame = self._frames[-1]
        out = frame.open[-1].after if frame.open else frame.out
        if out and out[-1] == (instead_of, ()):
            out[-1] = (mark, ())

    def _show_behind_list_text(self, element: Element) -> None:
        """Shows the first words of a paragraph behind the letters that its list puts before them."""
        prefix = self._prefixes.before(self._part, element) if self._prefixes else None
        first = _first_pieces(self._frames[-1].open[-1]) if prefix else ()
        if prefix and first:
            self._composer.stream(WITH_LIST_TEXT).extend((prefix, ("\t", ()), *first, ("\n", ())))

    def _close(self) -> None:
        """Ends a paragraph: shows it as it is now, and its other views where they differ."""
        frame = self._frames[-1]
        paragraph = frame.open.pop()
        out = frame.open[-1].after if frame.open else frame.out
        now = _view(paragraph, without=_DELETED)
        out += now
        out += paragraph.after
        if not (frame.joined or paragraph.mark or any(flags for _, _, flags in paragraph.runs)):
            return
        # A view goes on into the next paragraph where the mark between them was inserted or deleted.
        for name, without in _OTHER_VIEWS:
            view = _view(paragraph, without)
            if (view != now or name in frame.joined) and view and view[0][1]:
                self._composer.stream(name).extend(view)
            (frame.joined.add if paragraph.mark & without else frame.joined.discard)(name)
        if _has_both_changes(paragraph):
            self._composer.stream(SHOWN_CHANGES).extend(_view(paragraph, without=0))


def word_value(element: Element, name: str = "val") -> str:
    """An attribute by its local name: `w:val` in either dialect."""
    return next((value for key, value in element.items() if local(key) == name), "")


def _pieces(runs: list[_TextRun], without: int) -> list[XmlPiece]:
    return [(text, (place,)) for text, place, flags in runs if not flags & without]


def _first_pieces(paragraph: _FlowParagraph) -> list[XmlPiece]:
    """The pieces in which the first word of a paragraph may stand, as it reads now."""
    pieces = _pieces(paragraph.runs, _DELETED)
    head = list(takewhile(lambda piece: not any(map(str.isspace, piece[0])), pieces))
    return pieces[: len(head) + 1]


def _has_both_changes(paragraph: _FlowParagraph) -> bool:
    """Whether inserted and deleted text may make a word together, which is then in no other view."""
    changes = {flags & (_INSERTED | _DELETED) for _, _, flags in paragraph.runs}
    return {_INSERTED, _DELETED} <= changes


def _view(paragraph: _FlowParagraph, without: int) -> list[XmlPiece]:
    pieces = _pieces(paragraph.runs, without)
    if not paragraph.mark & (without | _INITIAL):
        pieces.append(("\n", ()))
    return pieces


_TAB_STOPS = tags("w:tabs")


def _is_setting(element: Element) -> bool:
    """A tab stop in paragraph properties has the name of a tab character."""
    parent = element.getparent()
    return parent is not None and parent.tag in _TAB_STOPS


# What a part has whose runs may be such.
FAINT_BYTES = (b"FFFFFF", b"ffffff", b'sz w:val="1"', b'sz w:val="2"')


def _is_faint(element: Element) -> bool:
    """Whether a run is white, or at most a point high. White letters on a dark ground are shown, and lose nothing by a
    view without them."""
    return word_value(element) in ("FFFFFF", "ffffff", "1", "2")


def _symbol(element: Element) -> str:
    """The character of a symbol. Symbol fonts keep theirs in a private area that repeats Latin-1."""
    code = word_value(element, "char")
    try:
        number = int(code, 16)
    except ValueError:
        return ""
    number = number - 0xF000 if 0xF020 <= number <= 0xF0FF else number
    return chr(number) if 0x20 <= number < 0xD800 or 0xE000 <= number <= 0xFFFD else ""
