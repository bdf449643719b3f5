"""Word fields whose code says what is shown, replaced by what they show.

QUOTE, SYMBOL and EQ show letters of their code, IF and its like show a word or another. Word works them out again when it
likes, so a name may stand half in a paragraph and half in a code. Such fields become plain text, as by "Unlink Fields" in
Word: what the field showed last stays; where the file does not say that, the letters of its code stand in its place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from lxml import etree

from efface.formats.office.namespaces import tags
from efface.formats.office.reading_flow import word_value
from efface.formats.office.xmltext import Element, remove

_MARKS, _CODES, _SIMPLE = tags("w:fldChar"), tags("w:instrText"), tags("w:fldSimple")
_SHOWN = tags("w:t w:sym w:tab w:br w:drawing w:pict w:object")
_TEXTS = tags("w:t")
_NAME = re.compile(r"\s*(\w+|=)")
_ARGUMENT = re.compile(r'"([^"]*)"|(\\\S+)|([^\s"\\]+)')
_SWITCH = re.compile(r"\\[a-zA-Z]+[0-9]*")
_NUMBER = re.compile(r"0[xX]([0-9A-Fa-f]{1,6})|([0-9]{1,7})")
_FEW = 3  # letters of an equation that stays one


def unlink_letters(tree: Element) -> None:
    """Replace the fields of a part whose code says what is shown."""
    for simple in list(tree.iter(*_SIMPLE)):
        _unlink_simple(simple)
    opened: list[_Field] = []
    for element in list(tree.iter(*_MARKS, *_CODES, *_SHOWN)):
        kind = word_value(element, "fldCharType") if element.tag in _MARKS else ""
        if kind == "begin":
            opened.append(_Field())
        if not opened:
            continue
        if kind == "separate":
            opened[-1].separated = True
        for one in opened:
            one.take(element, kind, is_own=one is opened[-1])
        if kind == "end":
            opened.pop().unlink()


@dataclass(slots=True)
class _Field:
    """A field being read: its marks, what stands in its code, and whether it shows something."""

    separated: bool = False
    shows: bool = False
    marks: list[Element] = field(default_factory=list)
    code: list[Element] = field(default_factory=list)  # with the fields inside

    def take(self, element: Element, kind: str, *, is_own: bool) -> None:
        if kind and is_own:
            self.marks.append(element)
        elif not self.separated:
            self.code.append(element)
        elif element.tag in _SHOWN and (element.tag not in _TEXTS or element.text):
            self.shows = True

    def unlink(self) -> None:
        """Take the field out if it is one of these, and leave what it shows."""
        code = "".join(one.text or "" for one in self.code if one.getparent() is not None)
        letters = _letters(code)
        if letters is None:
            return
        first = next((one for one in self.code if one.tag in _CODES), None)
        for element in (*self.marks, *self.code):
            if element is not first:
                remove(element)
        if first is not None and (self.shows or not letters):
            remove(first)
        elif first is not None:
            first.tag = first.tag.replace("instrText", "t")
            first.text = letters


def _unlink_simple(simple: Element) -> None:
    letters = _letters(word_value(simple, "instr"))
    parent = simple.getparent()
    if letters is None or parent is None:
        return
    shows = any(one.tag not in _TEXTS or one.text for one in simple.iter(*_SHOWN))
    if not shows and letters:
        namespace = simple.tag.rpartition("}")[0]
        run = _add_child(simple, f"{namespace}}}r")
        _add_child(run, f"{namespace}}}t").text = letters
    for child in list(simple):
        parent.insert(list(parent).index(simple), child)
    remove(simple)


def _add_child(parent: Element, name: str) -> Element:
    made: Element = etree.SubElement(parent, name)
    return made


def _letters(code: str) -> str | None:
    """What a code shows by its own letters; None if it is of another kind of field."""
    name = _NAME.match(code)
    show = _KINDS.get(name[1].upper()) if name is not None else None
    return show(code[name.end() :]) if show is not None and name is not None else None


def _arguments(rest: str) -> Iterator[str]:
    is_option = False
    for quoted, switch, word in _ARGUMENT.findall(rest):
        if switch:
            is_option = switch in ("\\*", "\\f", "\\s", "\\#", "\\@")
        elif not is_option:
            yield quoted or word
        else:
            is_option = False


def _quoted(rest: str) -> str:
    arguments = list(_arguments(rest))
    if arguments and all(map(_NUMBER.fullmatch, arguments)):
        return "".join(map(_character, arguments))
    return "".join(arguments) if '"' in rest else " ".join(arguments)


def _symbol(rest: str) -> str:
    first = next(_arguments(rest), "")
    return _character(first) if _NUMBER.fullmatch(first) else first[:1]


def _character(argument: str) -> str:
    number = _NUMBER.fullmatch(argument)
    code = (int(number[1], 16) if number[1] else int(number[2])) if number is not None else 0
    return chr(code) if 0x20 <= code < 0xD800 or 0xE000 <= code < 0xFFFE else ""


def _equation(rest: str) -> str | None:
    """The letters of an equation; None for one with few of them, which stays as it is."""
    shown = _SWITCH.sub("", rest).replace("(", "").replace(")", "").strip()
    if "\\o" in rest:  # written over one another
        shown = re.sub("[,;]", "", shown)
    return shown if sum(map(str.isalpha, shown)) > _FEW else None


def _button(rest: str) -> str:
    """What a button is called, after the macro or the place it goes to."""
    return rest.strip().partition(" ")[2]


def _nothing(_: str) -> str:
    return ""


_KINDS: dict[str, Callable[[str], str | None]] = {
    "QUOTE": _quoted,
    "SYMBOL": _symbol,
    "EQ": _equation,
    "MACROBUTTON": _button,
    "GOTOBUTTON": _button,
    **dict.fromkeys(("IF", "COMPARE", "SET", "ASK", "FILLIN"), _nothing),
}
