"""The letters that a list puts before a paragraph: a bullet of Word or PowerPoint, or the text of Word's numbers.

They stand in another part of the file, and a page shows them before the first word: the bullet "Z" and "anzibarov".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from efface.formats.office.namespaces import local, tags
from efface.formats.office.open_packages import Package
from efface.formats.office.xmltext import Element, XmlPiece, XmlPlace

WITH_LIST_TEXT = "with the text of its list"

_LEVELS, _LEVEL_TEXTS = tags("w:lvl"), tags("w:lvlText")
_ABSTRACT, _NUMBERS, _OVERRIDES = tags("w:abstractNum"), tags("w:num"), tags("w:lvlOverride")
_STYLES = tags("w:style")
_ENDS_IN_LETTERS = re.compile(r"[^\W\d_][\W_]*+$")  # a prefix that may go on in the text; "%1" counts
_LETTER = re.compile(r"[^\W\d_]")
_MOST_BASES = 20  # styles that a style is based on, one on another


class ListPrefixes:
    """The prefixes of the lists of one package that end in a letter. Numbers that a program counts end in none."""

    def __init__(self, package: Package) -> None:
        self._by_level: dict[tuple[str, str], XmlPiece] = {}
        self._by_style: dict[str, tuple[str, str]] = {}
        self._bases: dict[str, str] = {}
        for part in package.of_kind("numbering"):
            self._by_level.update(_levels_of(part, package.trees[part]))
        for part in package.of_kind("styles") if self._by_level else ():
            self._read_styles(package.trees[part])

    def before(self, part: str, paragraph: Element) -> XmlPiece | None:
        """What a list shows before the paragraph, if it ends in a letter."""
        properties = _child(paragraph, "pPr")
        if properties is None:
            return None
        bullet = _child(properties, "buChar")
        if bullet is not None:
            return _in_letters(part, bullet)
        return self._by_level.get(self._level_of(properties)) if self._by_level else None

    def _level_of(self, properties: Element) -> tuple[str, str]:
        """The list of a paragraph and the level in it: its own, or those of its style."""
        own = _numbering_of(properties)
        style = _value(_child(properties, "pStyle"))
        for _ in range(_MOST_BASES):
            if own[0] or not style:
                break
            number, level = self._by_style.get(style, ("", ""))
            own = number, own[1] or level
            style = self._bases.get(style, "")
        return own[0], own[1] or "0"

    def _read_styles(self, root: Element) -> None:
        for style in root.iter(*_STYLES):
            identity = next((value for key, value in style.items() if local(key) == "styleId"), "")
            self._bases[identity] = _value(_child(style, "basedOn"))
            properties = _child(style, "pPr")
            if properties is not None:
                self._by_style[identity] = _numbering_of(properties)


def _levels_of(part: str, root: Element) -> Iterator[tuple[tuple[str, str], XmlPiece]]:
    """The prefixes that end in a letter, by the id of the list and the level."""
    abstract = {_attribute(each, "abstractNumId"): dict(_texts(part, each)) for each in root.iter(*_ABSTRACT)}
    for number in root.iter(*_NUMBERS):
        levels = dict(abstract.get(_value(_child(number, "abstractNumId")), {}))
        for override in number.iter(*_OVERRIDES):
            levels.update(_texts(part, override))
        for level, text in levels.items():
            if text is not None:
                yield (_attribute(number, "numId"), level), text


def _texts(part: str, holder: Element) -> Iterator[tuple[str, XmlPiece | None]]:
    for level in holder.iter(*_LEVELS):
        text = next(level.iter(*_LEVEL_TEXTS), None)
        yield _attribute(level, "ilvl"), _in_letters(part, text) if text is not None else None


def _in_letters(part: str, element: Element) -> XmlPiece | None:
    """The value of the element, if it ends in a letter. A bullet of one letter stays, since it discloses nothing."""
    for name, value in element.items():
        if local(name) in ("val", "char") and _ENDS_IN_LETTERS.search(value):
            told = len(_LETTER.findall(value)) > 1
            return value, (XmlPlace(part, element, name),) if told else ()
    return None


def _numbering_of(properties: Element) -> tuple[str, str]:
    numbering = _child(properties, "numPr")
    if numbering is None:
        return "", ""
    return _value(_child(numbering, "numId")), _value(_child(numbering, "ilvl"))


def _child(element: Element, name: str) -> Element | None:
    return next((child for child in element if _name(child) == name), None)


def _name(element: Element) -> str:
    return local(element.tag) if isinstance(element.tag, str) else ""


def _value(element: Element | None) -> str:
    return _attribute(element, "val") if element is not None else ""


def _attribute(element: Element, name: str) -> str:
    return next((value for key, value in element.items() if local(key) == name), "")
