"""The strings of one markup part of an office file, read by expat in one pass.

Text comes by paragraph over its runs, in several views: as it reads now, before tracked changes, without hidden
text, without what hangs in it; then texts outside paragraphs, comments and instructions, attributes, and names
of elements, attributes and namespaces that no published vocabulary has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from xml.parsers import expat

from efface.attacks.readers.office_structure import (
    NEUTRAL_AUTHOR,
    OFFICIAL,
    is_layout,
    is_usual_tag,
    is_usual_uri,
    position,
    says_nothing,
)

SHORTEST_BLOB = 40  # characters of a value that may be a file as code

# Marks of a run of text.
_DELETED, _INSERTED, _HIDDEN, _ASIDE, _CODE, _CHOICE, _FALLBACK = 1, 2, 4, 8, 16, 32, 64
_BESIDE = _ASIDE | _FALLBACK
_INITIAL = 128  # characters at the end of a paragraph that only holds the large first letter of the next
_MARKS = {
    "del": _DELETED,
    "moveFrom": _DELETED,
    "ins": _INSERTED,
    "moveTo": _INSERTED,
    "Choice": _CHOICE,
    "Fallback": _FALLBACK,
    "txbxContent": _ASIDE,
    "rt": _ASIDE,
    "rPh": _ASIDE,
    "annotation": _ASIDE,
    "note": _ASIDE,
    "text-box": _ASIDE,
    "frame": _ASIDE,
    "title": _ASIDE,
    "desc": _ASIDE,
    "ruby-text": _ASIDE,
    "instrText": _CODE,
    "delInstrText": _CODE,
}
_PARAGRAPHS = frozenset("p h tr row si comment c v pt is text definedName f tc".split())
_HIDING = frozenset(("vanish", "webHidden", "specVanish"))
_CHARACTERS = {
    "tab": "\t",
    "br": "\n",
    "cr": "\n",
    "s": " ",
    "line-break": "\n",
    "noBreakHyphen": "\u2011",
    "softHyphen": "\u00ad",
}
_TURNED = ("\u202e", "\u202c")  # letters between these are shown from right to left
_FAINT = {"color": ("FFFFFF", "ffffff"), "sz": ("1", "2")}  # white, or too small to be read
_SPECIAL = frozenset(
    (*_MARKS, *_PARAGRAPHS, *_HIDING, *_CHARACTERS, *_FAINT, "sym", "c", "framePr", "bdo", "hidden-text")
)
_CLOSING = frozenset((*_MARKS, *_PARAGRAPHS, "bdo"))
# What a view leaves out, and what it shows alone.
_VIEWS = (
    (_CODE, 0),
    (_CODE | _BESIDE, 0),
    (_CODE | _ASIDE | _CHOICE, 0),
    (_CODE | _DELETED, 0),
    (_CODE | _BESIDE | _DELETED, 0),
    (_CODE | _INSERTED, 0),
    (_CODE | _BESIDE | _INSERTED, 0),
    (_CODE | _BESIDE | _DELETED | _HIDDEN, 0),
    (0, _CODE),
    (_DELETED, _CODE),
    (_INSERTED, _CODE),
)
# Elements that name the style of a run or a paragraph.
_STYLED = frozenset("rStyle pStyle span p h a".split())
# Elements whose text is a measure or a setting when it looks like one.
_MEASURES = re.compile(r"posOffset|pct\w+|col|row|colOff|rowOff|x|y|Anchor|Row|Column|align|formatCode")
_SETTINGS = re.compile(r"\s*(?:[\W\d_]*|[a-z]+|General|True|False)\s*")
_SERIAL = re.compile(r"\d{1,7}(\.\d+)?")
_SHORT_NUMBER = 8  # characters: a program shows a number up to this long as it is written
_LONG_NUMBER = re.compile(r"-?\d+(\.\d+)?([eE][+-]?\d{1,3})?")
_PREFIX = re.compile("(?:[a-z][A-Za-z0-9]{0,12})?")
_QUOTES = re.compile(r'["\\]')
_GAPS = re.compile(r"[_*].|\[\w{1,12}\]")  # of a number format: a width, a filling, a colour
_DIGITS = re.compile("[0#?@;]")
_NUMBERS = re.compile("General|[0#?@.,%]")
# Formulas, and the strings and characters that one may put together.
_FORMULA = re.compile(
    "f|[fF]ormula[12]?|calculatedColumnFormula|totalsRowFormula|definedName|expression|condition"
)
_SINGLE = re.compile(r"\b(?:UNI)?CHAR\(\s*(\d{1,6})\s*\)", re.IGNORECASE)
_GLUE = re.compile(r'"[\s()]*&[\s()&]*"')
_LISTED = re.compile(r'"[\s()&,;]+"')
_JOINS = re.compile('["&]|CHAR', re.IGNORECASE)
# Headers and footers of sheets, and the codes between their words: places, a font, a colour, a size, others.
_RUNNING = re.compile(r"(?:odd|even|first)(?:Header|Footer)")
_BREAKS = re.compile("&[LCRPNDTFAZG]")
_CODES = re.compile(r'&"[^"]*"|&K(?:[0-9A-Fa-f]{6}|\d\d[+-]\d{3})|&\d{1,3}|&[^&]')


@dataclass(slots=True)
class PackageClues:
    """What a package's parts have taught: positions of attributes, and values there that say nothing."""

    dates: bool = False  # whether anything in it shows numbers as dates
    date_styles: frozenset[str] | None = None  # the styles of cells that do; None if any cell may
    hiding: frozenset[str] = frozenset()  # styles that hide their text
    dull: set[str] = field(default_factory=set)
    dull_elsewhere: set[tuple[str, str]] = field(default_factory=set)


class Markup:
    """One part of a package. After it was fed, `views`, `nodes`, `comments`, `attributes` and `names` hold its texts."""

    def __init__(self, part: str, told: PackageClues) -> None:
        self._part = part
        self._clues = told
        self._runs: list[tuple[str, int]] = []
        self._marks = 0
        self._names: list[str] = []  # of the open elements
        self._outside: list[int] = []  # marks outside each open element that has one
        self._endings: list[int] = []  # marks of the ends of the open paragraphs
        self._hidden_in = 0  # how deep the run or paragraph is that is hidden
        self._seen: set[tuple[str, ...]] = set()
        self._spaces: dict[str, str] = {"xml": OFFICIAL[0]}  # the namespaces of the prefixes
        self._locals: dict[str, str] = {}
        self._positions: dict[tuple[str, str], str] = {}
        self._shared = False  # in a cell whose value is the number of a string
        self._shows_date = True  # outside of cells, and in a cell whose style is one of dates
        self.nodes: list[str] = []
        self.numbers_as_dates: list[str] = []  # what would be shown if the number of a cell were a date
        self.comments: list[str] = []
        self.attributes: dict[str, None] = {}
        self.names: dict[str, None] = {}

    def feed(self, data: bytes) -> bool:
        """Read the part; False when it is not well-formed, or declares a document type."""
        parser = expat.ParserCreate()
        parser.ordered_attributes = True
        parser.buffer_text = True
        parser.buffer_size = 1 << 20
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.CommentHandler = self.comments.append
        parser.ProcessingInstructionHandler = lambda target, text: self.comments.append(f"{target} {text}")
        parser.StartDoctypeDeclHandler = _refuse
        try:
            parser.Parse(data, True)
        except (expat.ExpatError, ValueError, LookupError):
            return False
        return True

    def _start(self, tag: str, attributes: list[str]) -> None:
        """Opens an element. Equal tags with equal attributes are read once: a part repeats them thousands of times."""
        if attributes:
            whole = (tag, *attributes)
            if whole not in self._seen:
                self._seen.add(whole)
                self._read_attributes(tag, attributes)
        local = self._locals.get(tag)
        if local is None:
            local = self._locals[tag] = tag.rpartition(":")[2]
            self._tell_name(tag)
        self._names.append(local)
        if local in _SPECIAL:
            self._start_special(local, attributes)
        if self._clues.hiding and local in _STYLED and self._clues.hiding.intersection(attributes):
            self._hide(len(self._names) - (2 if local.endswith("Style") else 0))
            if local == "pStyle" and self._endings:
                self._endings[-1] |= _HIDDEN

    def _start_special(self, local: str, attributes: list[str]) -> None:
        """Note what the element changes: marks, paragraphs, characters, what hides or turns text, cells."""
        if local in _MARKS:
            self._outside.append(self._marks)
            self._marks |= _MARKS[local]
            self._mark_ending(_MARKS[local])
        if local in _PARAGRAPHS:
            self._endings.append(0)
        if local in _CHARACTERS:
            self._runs.append((_CHARACTERS[local], self._marks))
        elif local in _HIDING:
            self._hide_run()
            self._mark_ending(_HIDDEN)
        elif local in _FAINT:
            if not set(_FAINT[local]).isdisjoint(attributes):
                self._hide_run()
        elif local == "framePr" and self._endings and not {"drop", "margin"}.isdisjoint(attributes):
            self._endings[-1] |= _INITIAL
        elif local == "bdo" and "rtl" in attributes:
            self._runs.append((_TURNED[0], self._marks))
        elif local == "sym":
            self._runs.append((_symbol(attributes), self._marks))
        elif local == "hidden-text":
            self._hide(len(self._names))
        elif local == "c":
            self._start_cell(attributes)

    def _mark_ending(self, marks: int) -> None:
        """Mark the end of the paragraph, if the element is a property of it (`pPr/rPr`)."""
        if self._names[-3:-1] == ["pPr", "rPr"] and self._endings:
            self._endings[-1] |= marks

    def _hide_run(self) -> None:
        """Hide the run, if the element is a property of one (`r/rPr`)."""
        if self._names[-3:-1] == ["r", "rPr"]:
            self._hide(len(self._names) - 2)

    def _start_cell(self, attributes: list[str]) -> None:
        """Note how the number in a cell of a sheet is meant: as a shared string, or perhaps as a date."""
        pairs = dict(zip(attributes[::2], attributes[1::2], strict=True))
        self._shared = pairs.get("t") == "s"
        styles = self._clues.date_styles
        self._shows_date = styles is None or pairs.get("s", "0") in styles

    def _hide(self, depth: int) -> None:
        """What follows is hidden until the element that is this deep ends."""
        if not self._marks & _HIDDEN:
            self._marks |= _HIDDEN
            self._hidden_in = depth

    def _end(self, _: str) -> None:
        local = self._names.pop()
        if self._hidden_in and len(self._names) < self._hidden_in:
            self._marks &= ~_HIDDEN
            self._hidden_in = 0
        if local not in _CLOSING:
            return
        if local == "bdo":
            self._runs.append((_TURNED[1], self._marks))
        if local in _MARKS:
            self._marks = self._outside.pop() | (self._marks & _HIDDEN)
        if local in _PARAGRAPHS:
            ending = self._endings.pop()
            if not ending & _INITIAL:
                self._runs.append(("\n", self._marks | ending))

    def _text(self, text: str) -> None:
        """Keeps the words of an element, unless they are a setting or the number of a shared string."""
        local = self._names[-1] if self._names else ""
        if local in ("author", "creator") and NEUTRAL_AUTHOR.fullmatch(text):
            return
        if _MEASURES.fullmatch(local) and _SETTINGS.fullmatch(text):
            return
        if local == "v" and self._shared:
            return
        self._runs.append((text, self._marks))
        self._read_otherwise(local, text)
        may_be_blob = len(text) >= SHORTEST_BLOB and " " not in text
        if may_be_blob or not (self._endings or text.isspace()):
            self.nodes.append(text)

    def _read_otherwise(self, local: str, text: str) -> None:
        """What a program shows for a stored value: dates, rounded numbers, headers without their codes."""
        other = ""
        if local == "v" and self._clues.dates and _SERIAL.fullmatch(text):
            other = f"{datetime(1899, 12, 30) + timedelta(days=float(text) % 2_900_000):%Y-%m-%d}"
            if not self._shows_date:
                self.numbers_as_dates.append(other)
                return
        elif local == "v" and len(text) > _SHORT_NUMBER and _LONG_NUMBER.fullmatch(text):
            other = f"{float(text):.15g}"
        elif _FORMULA.fullmatch(local) and _JOINS.search(text):
            other = _put_together(text)
        elif "&" in text and _RUNNING.fullmatch(local):
            other = _CODES.sub("", _BREAKS.sub("\n", text)).replace("&&", "&")
        if other and other != text:
            self._runs.append((f"\n{other}\n", self._marks))

    def _tell_name(self, name: str) -> None:
        """Names of elements and attributes that are no published ones say something too."""
        prefix, _, local = name.rpartition(":")
        uri = self._spaces.get(prefix, "")
        if not (self._is_official(prefix) and is_usual_tag(uri, local)):
            self.names[local] = None

    def _read_attributes(self, tag: str, attributes: list[str]) -> None:
        """Keeps the values of attributes that say something. Values that say nothing are remembered: they are many."""
        told = self._clues
        for key, value in zip(attributes[::2], attributes[1::2], strict=True):
            kind = self._positions.get((tag, key)) or self._position(tag, key)
            if kind == "declaration":
                self._declare(key[6:], value)
                continue
            if kind == "layout":
                if value in told.dull:
                    continue
                if is_layout(value):
                    told.dull.add(value)
                    continue
            elif (kind, value) in told.dull_elsewhere:
                continue
            elif says_nothing(kind, value):
                told.dull_elsewhere.add((kind, value))
                continue
            if value:
                self.attributes[value] = None
                self._tell_as_shown(key, value)

    def _tell_as_shown(self, key: str, value: str) -> None:
        """The value as a program shows it, where that differs from how it is written."""
        if _FORMULA.fullmatch(key.rpartition(":")[2]) and _JOINS.search(value):
            self.attributes[_put_together(value)] = None
        elif key == "formatCode":  # letters of a number format may be quoted one by one
            for read in (value, _GAPS.sub("", value)):
                bare = _QUOTES.sub("", read)
                self.attributes[_DIGITS.sub(" ", bare)] = None
                self.attributes[_NUMBERS.sub("", bare)] = None  # the words around a number are read as one
        elif len(value) > _SHORT_NUMBER and _LONG_NUMBER.fullmatch(value):
            self.attributes[f"{float(value):.15g}"] = None  # as Excel does, with fifteen digits

    def _declare(self, prefix: str, uri: str) -> None:
        """Learn the namespace of a prefix. A prefix that gets another namespace is trusted no more."""
        if not (is_usual_uri(uri) and _PREFIX.fullmatch(prefix)):
            self.names[f"{prefix} {uri}"] = None
        if self._spaces.get(prefix) != uri:
            self._spaces[prefix] = "" if prefix in self._spaces else uri
            self._positions.clear()

    def _position(self, tag: str, key: str) -> str:
        """What an attribute at this place holds: a declaration, layout, or words where the vocabulary is not official."""
        prefix, _, local = tag.rpartition(":")
        own, _, name = key.rpartition(":")
        if key == "xmlns" or own == "xmlns":
            kind = "declaration"
        elif own == "xml" or (self._is_official(prefix) and (not own or self._is_official(own))):
            kind = position(local, name)
        else:
            kind = "words"
        if kind != "declaration" and own != "xml":
            self._tell_name(key if own else f"{prefix}:{key}")
        self._positions[tag, key] = kind
        return kind

    def _is_official(self, prefix: str) -> bool:
        uri = self._spaces.get(prefix, "")
        return uri.startswith(OFFICIAL) or (not prefix and not uri and self._part.endswith(".vml"))

    def views(self) -> Iterator[str]:
        """The text in each view; after the first only the lines that are new."""
        present = 0
        for _, marks in self._runs:
            present |= marks
        seen: set[str] = set()
        for without, only in _VIEWS:
            if without & present & ~_CODE or only & present or without == _CODE:
                view = "".join(
                    text for text, marks in self._runs if not marks & without and marks & only == only
                )
                lines = [line for line in view.split("\n") if line not in seen]
                seen.update(lines)
                if lines:
                    yield "\n".join(lines)


def _put_together(formula: str) -> str:
    """A formula with the strings in it joined; CHAR(65) is one."""
    glue = _LISTED if re.search("CONCAT|TEXTJOIN", formula, re.IGNORECASE) else _GLUE
    return glue.sub("", _SINGLE.sub(lambda match: f'"{chr(int(match[1]))}"', formula))


def _refuse(*_: object) -> None:
    raise ValueError("office files declare no document type")


def _symbol(attributes: list[str]) -> str:
    pairs = zip(attributes[::2], attributes[1::2], strict=True)
    code = next((value for key, value in pairs if key.endswith("char")), "")
    number = int(code, 16) if re.fullmatch("[0-9A-Fa-f]{1,5}", code) else 0
    return chr(number & 0xFF if number >> 8 == 0xF0 else number) if number else ""
