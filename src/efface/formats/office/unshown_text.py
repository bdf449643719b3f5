"""Everything of a part that the reading flow does not show: attributes, and text in unusual positions.

An unknown part can hide no term: what is not provably structure is shown and can be edited. Equal
values share one line of the text, so that an id and the references to it change together.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Set
from itertools import groupby

from efface.formats.office import grammar
from efface.formats.office.excel.formulas import spoken
from efface.formats.office.namespaces import published
from efface.formats.office.string_codecs import is_glued, is_moment, shown
from efface.formats.office.vocabulary import built_in, has_long_number, structural
from efface.formats.office.xmltext import MARKUP, STYLES, TAIL, TEXT, Composer, Element, XmlPiece, XmlPlace

_NO_TABLE: Mapping[str, tuple[str, str]] = {}
FORMULA = "formula"
JOINED = "run together"
PROPERTY = "property"
# What scrubbing calls authors and connections.
_NEUTRAL = re.compile(r"Author \d+|A|None|Connection\d+")


class UnshownTextReader:
    """Sweeps the parts of one package for what the composer does not show yet. `free_text` names attributes that
    are words whatever they look like, `neutral` those that scrubbing made neutral, `codec` how one is written.
    `style_parts` are the parts that hold themes, fonts or styles."""

    def __init__(
        self,
        composer: Composer,
        free_text: grammar.FreeTextTable,
        *,
        neutral: Set[str] = frozenset(),
        formulas: Set[str] = grammar.FORMULAS,
        cells: bool = False,
        codec: Callable[[str], str] = lambda _: "plain",
        style_parts: Set[str] = frozenset(),
    ) -> None:
        self._composer = composer
        self._free_text = free_text
        self._neutral = neutral
        self._formulas = formulas
        self._cells = cells
        self._codec = codec
        self._style_parts = style_parts
        self._seen = composer.seen()
        self._structural_values: set[str] = set()
        self._free_values: set[str] = set()
        self._given: set[str] = set()
        self._custom: set[str] = set()
        self._shared: dict[tuple[str, str], list[XmlPlace]] = {}

    def part(self, part: str, root: Element, *, foreign: bool, stream: str = MARKUP) -> None:
        """Show what is left of a part. In a `foreign` part no value counts as structure unless the names of
        its element and attribute are published ones."""
        dull, tables, seen = self._structural_values, self._free_text, self._seen
        stray: list[XmlPiece] = []
        for element in root.iter():
            values = element.values()
            if values:
                table = tables.get(element.tag, _NO_TABLE)
                known = self._show_known_attributes(part, element, table) if table else 0
                if foreign:
                    self._foreign(part, element, table)
                elif known < len(values):
                    for value in values:
                        if value not in dull:
                            self._attributes(part, element, table)
                            break
            text = element.text
            if text and not text.isspace() and (element, TEXT) not in seen:
                stray += self._text(part, element, TEXT, text, stream)
            text = element.tail
            if text and not text.isspace() and (element, TAIL) not in seen:
                stray += self._text(part, element, TAIL, text, stream)
        # A word may go on in the next element, or in the next of its name, but no property goes on in another.
        if len(stray) > 1 and stream != PROPERTY:
            joined = self._composer.stream(JOINED)
            joined.extend((*stray, ("\n", ())))
            for _, group in groupby(stray, key=lambda piece: piece[1][0].element.tag):
                joined.extend((*group, ("\n", ())))

    def finish(self) -> None:
        """Write the shared values; call it after the last part."""
        for (value, codec), places in self._shared.items():
            stream = STYLES if all(map(self._is_style, places)) else MARKUP
            self._composer.line(stream, shown(value, codec), *places)

    def _is_style(self, place: XmlPlace) -> bool:
        """Whether a value names a font or a style, or is in a part that holds nothing else."""
        element, slot = place.element, place.slot
        if place.part in self._style_parts or element.tag in grammar.FONTS or grammar.names_style(slot):
            return True
        return self._free_text.get(element.tag, _NO_TABLE).get(slot, ("", ""))[0] == grammar.NAMED

    def _show_known_attributes(
        self, part: str, element: Element, table: Mapping[str, tuple[str, str]]
    ) -> int:
        """Show the attributes that a table knows, and count them."""
        count = 0
        for attribute, (stream, codec) in table.items():
            value = element.get(attribute)
            if value is None:
                continue
            count += 1
            if not value or stream == grammar.REWRITTEN:
                continue
            if stream == grammar.ELSEWHERE:
                if (element, attribute) not in self._seen and not _NEUTRAL.fullmatch(value):
                    self._note_shared_value(part, element, attribute, value)
            elif stream == grammar.NUMBERED:
                if has_long_number(value) or not self._is_structure(value):
                    self._note_shared_value(part, element, attribute, value)
            elif stream != grammar.NAMED:
                place = XmlPlace(part, element, attribute, codec)
                self._composer.line(stream, shown(value, codec), place)
                for words in spoken(value) if stream == FORMULA else ():
                    self._composer.line(stream, words, place)
            elif not self._is_given(value):
                self._note_shared_value(part, element, attribute, value)
        return count

    def _attributes(self, part: str, element: Element, table: Mapping[str, tuple[str, str]]) -> None:
        for attribute, value in element.items():
            if attribute in table or (attribute in self._neutral and _NEUTRAL.fullmatch(value)):
                continue
            if not self._is_structure(value):
                self._note_shared_value(part, element, attribute, value)

    def _foreign(self, part: str, element: Element, table: Mapping[str, tuple[str, str]]) -> None:
        home = element.tag[1:].partition("}")[0] if element.tag[0] == "{" else ""
        for attribute, value in element.items():
            owner = attribute[1:].partition("}")[0] if attribute[0] == "{" else home
            if attribute not in table and not (published(owner) and self._is_structure(value)):
                self._note_shared_value(part, element, attribute, value)

    def _note_shared_value(self, part: str, element: Element, attribute: str, value: str) -> None:
        if value and not value.isspace():
            codec = "moment" if is_moment(value) else "glued" if is_glued(value) else self._codec(attribute)
            codec = "format" if attribute == "formatCode" else codec
            self._shared.setdefault((value, codec), []).append(XmlPlace(part, element, attribute, codec))

    def _is_structure(self, value: str) -> bool:
        if value in self._structural_values:
            return True
        if value in self._free_values:
            return False
        found = structural(value, cells=self._cells)
        (self._structural_values if found else self._free_values).add(value)
        return found

    def _is_given(self, name: str) -> bool:
        if name in self._given or name in self._custom:
            return name in self._given
        given = built_in(name)
        if given:
            self._structural_values.add(
                name
            )  # a given name is structure wherever it is; a token is no given name
        (self._given if given else self._custom).add(name)
        return given

    def _text(self, part: str, element: Element, slot: str, text: str, stream: str) -> Iterable[XmlPiece]:
        """Show a string on a line of its own, unless it is a measure or neutral; the string as a piece."""
        if slot == TEXT and element.tag in self._formulas:
            self._composer.line(FORMULA, text, XmlPlace(part, element, TEXT, "formula"))
            for words in spoken(text):
                self._composer.line(FORMULA, words, XmlPlace(part, element, TEXT, "spoken"))
            return ()
        if slot == TEXT and (self._is_measure(element.tag, text) or _is_neutral(element.tag, text)):
            return ()
        place = XmlPlace(part, element, slot)
        self._composer.line(stream, text, place)
        return ((text, (place,)),)

    def _is_measure(self, name: str, text: str) -> bool:
        namespace, _, local_name = name.rpartition("}")
        measured = local_name in grammar.MEASURES or namespace[1:] in grammar.MEASURING
        return measured and self._is_structure(text.strip())


def _is_neutral(name: str, text: str) -> bool:
    return name.endswith(("}author", "}creator")) and _NEUTRAL.fullmatch(text) is not None
