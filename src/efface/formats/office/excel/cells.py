"""Cells of a worksheet: how they read, and what becomes of one whose text was edited.

Strings are shown run by run. A number is shown with the fifteen digits that Excel shows of it; a date as year-month-day; a number with a mask
of digits (000-00-0000) or with letters ("EMP-"0000) as the mask shows it, and a long one once more plain. An edited cell becomes an inline string with
the formatting of its runs, and loses its formula: the value must not be computed again.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice

from lxml import etree

from efface.formats.office.namespaces import local, tags
from efface.formats.office.string_codecs import shown, shown_number, written_xstring
from efface.formats.office.xmltext import TEXT, Element, XmlChange, XmlPiece, XmlPlace, splice

# Slots of a cell: what it shows, the plain number behind a mask, and its runs by number.
SHOWN = "\0shown"
PLAIN = "\0plain"
RUN = "\0run "

ROWS = tags("x:row")
CELLS = tags("x:c")
_VALUE, _FORMULA, _INLINE, _TEXT = tags("x:v"), tags("x:f"), tags("x:is"), tags("x:t")
_FORMATS, _CELL_FORMATS, _PROPERTIES = tags("x:numFmt"), tags("x:cellXfs"), tags("x:workbookPr")

# Number formats that Excel has built in and shows as dates or times.
_DATE_FORMATS = frozenset((*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)))
_QUOTED = re.compile(r'"[^"]*"|\\.|\[[^\]]*\]|_.')
_DATE_LETTERS = re.compile(r"[ymdhs]", re.IGNORECASE)
_MASK = re.compile(r"[0() /.+-]*0[0() /.+-]*[() /+-][0() /.+-]*0[0() /.+-]*|0{3,}")
# Letters that a format writes around a whole number, as many numbers of files and people have them: "EMP-"0000.
_WRITTEN = r"(?:\"[^\"0#]*\"|\\[^0#]|[_*].|\[[^\]0#]*\]|[-() /.+:])*"
# Letters in quotes or behind a backslash; then gaps, fillings and colours, which show no letters.
_SHOWN_OR_NOT = re.compile(r"\"([^\"]*)\"|\\(.)|[_*].|\[[^\]]*\]")
_LETTERED = re.compile(rf"{_WRITTEN}(?:0+|#+0*|General){_WRITTEN}")
_TOUCHING = re.compile(r"[^\W\d_][-/._]?(?:0|#|General)|(?:0|General)[-/._]?[^\W\d_]")
_TEXT_FORMAT = re.compile(rf"({_WRITTEN})@({_WRITTEN})")
_WIDEST_GAP = 64  # columns left out that are shown as such
_LATEST_DATE = 2_958_465  # 31 December 9999


@dataclass(frozen=True, slots=True)
class Styles:
    """What the number formats of a workbook do to a value, by the cell's style."""

    formats: Sequence[str]  # "date", a mask of digits, or nothing
    epoch: datetime
    texts: Sequence[tuple[str, str]] = ()  # what is shown before and after a text

    def around_text(self, style: str) -> tuple[str, str]:
        """What a cell of this style shows before and after its text."""
        return self.texts[int(style)] if style.isdecimal() and int(style) < len(self.texts) else ("", "")

    def show(self, value: str, style: str) -> str:
        kind = self.formats[int(style)] if style.isdecimal() and int(style) < len(self.formats) else ""
        if not kind:
            return shown_number(value)
        return (self._date(value) if kind == "date" else _masked(value, kind)) or value

    def _date(self, value: str) -> str:
        try:
            serial = float(value)
        except ValueError:
            return ""
        if not 0 <= serial <= _LATEST_DATE:
            return ""
        moment = self.epoch + timedelta(days=serial)
        moment = moment.replace(microsecond=0) + timedelta(seconds=moment.microsecond >= 500_000)
        if serial < 1:
            return moment.strftime("%H:%M:%S")
        return moment.strftime("%Y-%m-%d") + ("" if serial == int(serial) else moment.strftime(" %H:%M:%S"))


def part_with(trees: Mapping[str, Element], root: str) -> str:
    """The first part with this root element, or nothing."""
    names = tags(root)
    return next((part for part, tree in trees.items() if tree.tag in names), "")


def read_styles(trees: Mapping[str, Element]) -> Styles:
    """The number formats of the cell styles, and the day that cell dates count from.

    Excel counts a 29 February 1900, which never was. Its dates from 1 March 1900 on therefore count from 30 December
    1899.
    """
    workbook, part = part_with(trees, "x:workbook"), part_with(trees, "x:styleSheet")
    properties = next(trees[workbook].iter(*_PROPERTIES), None) if workbook else None
    from_1904 = properties is not None and properties.get("date1904") in ("1", "true")
    epoch = datetime(1904, 1, 1) if from_1904 else datetime(1899, 12, 30)
    if not part:
        return Styles((), epoch)
    root = trees[part]
    codes = {entry.get("numFmtId", ""): entry.get("formatCode", "") for entry in root.iter(*_FORMATS)}
    styles = next(root.iter(*_CELL_FORMATS), None)
    ids = [entry.get("numFmtId", "0") for entry in styles] if styles is not None else []
    kinds = [_kind(identity, codes.get(identity)) for identity in ids]
    return Styles(kinds, epoch, [_around_text(codes.get(identity, "")) for identity in ids])


def _around_text(code: str) -> tuple[str, str]:
    """What a format writes before and after a text, where its letters touch the text: "Dr"@."""
    found = _TEXT_FORMAT.fullmatch(code.rpartition(";")[2])
    if found is None:
        return "", ""
    before, after = map(_as_shown, found.groups())
    return before if before[-1:].isalpha() else "", after if after[:1].isalpha() else ""


def _as_shown(code: str) -> str:
    """The letters that a part of a format shows, without signs that only say how."""
    return _SHOWN_OR_NOT.sub(lambda found: found[1] or found[2] or "", code)


def _kind(identity: str, code: str | None) -> str:
    if code is None:
        return "date" if identity.isdecimal() and int(identity) in _DATE_FORMATS else ""
    bare = _QUOTED.sub("", code)
    if _DATE_LETTERS.search(bare) and "general" not in bare.lower():
        return "date"
    section = code.partition(";")[0]
    plain = _as_shown(section)
    if _MASK.fullmatch(plain):
        return plain
    lettered = _LETTERED.fullmatch(section)
    return re.sub("#+0*|General", "0", plain) if lettered and _TOUCHING.search(plain) else ""


def _masked(value: str, mask: str) -> str:
    """Digits put into the zeros of a mask from the right, as `000-00-0000` shows a number."""
    digits = value if value.isdecimal() else ""
    if not digits:
        return ""
    digits = digits.rjust(mask.count("0"), "0")
    first = mask.index("0")
    result: list[str] = []
    for char in reversed(mask[first + 1 :]):
        if char == "0":
            result.append(digits[-1])
            digits = digits[:-1]
        else:
            result.append(char)
    # The first zero shows all digits that are left.
    return mask[:first] + digits + "".join(reversed(result))


def column_of(cell: Element) -> int:
    """The number of a cell's column, from 1; 0 when the cell does not say where it is."""
    number = 0
    for char in cell.get("r", ""):
        if not "A" <= char <= "Z":
            break
        number = number * 26 + ord(char) - 64
    return number


def _is_next(last: str, row: Element) -> bool:
    """Whether a row follows the one with the number `last`; a row need not say its number."""
    number = row.get("r", "")
    return not (last.isdecimal() and number.isdecimal()) or int(number) == int(last) + 1


class Sheet:
    """Reads the cells of one worksheet."""

    def __init__(
        self, part: str, strings: Sequence[Sequence[str]], styles: Styles, answered: set[tuple[Element, str]]
    ) -> None:
        self._part = part
        self._answered = answered  # the strings of the XML that cells show
        self._strings = strings
        self._styles = styles
        self.plain: list[XmlPiece] = []  # numbers that a mask shows otherwise

    def read(self, root: Element) -> Iterator[XmlPiece]:
        """The rows, a line each. A row that ends early has the empty cells that the row above it has, so that its values
        stand under their labels."""
        above, last = 0, ""  # tabs of the row above, and its number
        for row in root.iter(*ROWS):
            column, written = 1, 0
            above = above if _is_next(last, row) else 0
            for at, cell in enumerate(row.iterchildren(*CELLS)):
                place = column_of(cell) or column + bool(at)
                gap = place - column
                # A cell that is left out parts its neighbours as an empty one does, so that columns stay columns.
                tabs = max(gap if gap <= _WIDEST_GAP else 1, int(at > 0))
                if tabs:
                    yield "\t" * tabs, ()
                column, written = place, written + tabs
                yield from self._cell(cell)
            missing = above - written if len(row) else 0
            if 0 < missing <= _WIDEST_GAP:
                yield "\t" * missing, ()
            above, last = max(above, written) if len(row) else 0, row.get("r", "")
            yield "\n", ()

    def _cell(self, cell: Element) -> Iterator[XmlPiece]:
        kind = cell.get("t", "n")
        if kind == "inlineStr":
            texts = inline_texts(cell)
            self._answered.update((text, TEXT) for text in texts)
            runs = [shown(text.text or "", "xstring") for text in texts]
        elif kind == "s":
            runs = list(self._shared(cell))
        else:
            yield from self._value(cell)
            return
        before, after = self._styles.around_text(cell.get("s", "0"))
        if before:
            yield before, ()
        for number, text in enumerate(runs):
            yield text, (XmlPlace(self._part, cell, f"{RUN}{number}"),)
        if after:
            yield after, ()

    def _shared(self, cell: Element) -> Sequence[str]:
        index = value_of(cell)
        known = index.isdecimal() and int(index) < len(self._strings)
        if known:
            self._answer_value(cell)
        return self._strings[int(index)] if known else ()

    def _value(self, cell: Element) -> Iterator[XmlPiece]:
        value, text = value_of(cell), shown_value(cell, self._styles)
        self._answer_value(cell)
        if text:
            yield text, (XmlPlace(self._part, cell, SHOWN),)
        if text != value and len(value) > 5 and value.isdecimal():
            self.plain += ((value, (XmlPlace(self._part, cell, PLAIN),)), ("\n", ()))

    def _answer_value(self, cell: Element) -> None:
        self._answered.update((value, TEXT) for value in islice(cell.iterchildren(*_VALUE), 1))


def shown_value(cell: Element, styles: Styles) -> str:
    """How a cell without runs reads."""
    kind, value = cell.get("t", "n"), shown(value_of(cell), "xstring")
    if kind == "b":
        return {"1": "TRUE", "0": "FALSE"}.get(value, value)
    if kind == "d":
        return shown(value, "moment")
    return styles.show(value, cell.get("s", "0")) if kind == "n" else value


def value_of(cell: Element) -> str:
    value = next(cell.iterchildren(*_VALUE), None)
    return (value.text or "") if value is not None else ""


def inline_texts(holder: Element) -> list[Element]:
    return list(holder.iter(*_TEXT))


def formula_of(cell: Element) -> Element | None:
    return next(cell.iterchildren(*_FORMULA), None)


def edit_cell(
    cell: Element, changes: Mapping[str, Sequence[XmlChange]], string: Element | None, styles: Styles
) -> None:
    """Make an edited cell an inline string. `string` is the shared string it used."""
    namespace = cell.tag.partition("}")[0] + "}"
    inline = etree.Element(namespace + "is")
    source = string if string is not None else next(cell.iterchildren(*_INLINE), None)
    if source is not None:
        inline.extend(copy.deepcopy(child) for child in source)
        for number, text in enumerate(inline_texts(inline)):
            old = shown(text.text or "", "xstring")
            _set_text(text, splice(old, changes.get(f"{RUN}{number}", ())))
    else:
        slot = SHOWN if SHOWN in changes else PLAIN
        read = shown_value(cell, styles) if slot == SHOWN else shown(value_of(cell), "xstring")
        _set_text(etree.SubElement(inline, namespace + "t"), splice(read, changes[slot]))
    for child in list(cell):
        if local(child.tag) in ("v", "f", "is"):
            cell.remove(child)
    cell.insert(0, inline)
    cell.set("t", "inlineStr")
    if any(styles.around_text(cell.get("s", "0"))):
        cell.attrib.pop("s")  # its format would write half of what was removed around the replacement


def _set_text(element: Element, text: str) -> None:
    element.text = written_xstring(text)
    if text != text.strip() or "\n" in text:
        element.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")
