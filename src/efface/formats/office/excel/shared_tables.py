"""What a workbook keeps in several places at once: shared strings and their users, tables and their headers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from lxml import etree

from efface.formats.office import open_packages as opc
from efface.formats.office.excel.cells import CELLS, ROWS, inline_texts, part_with, value_of
from efface.formats.office.excel.formulas import distinct
from efface.formats.office.namespaces import tags
from efface.formats.office.string_codecs import shown
from efface.formats.office.xmltext import Element

_STRINGS, _COLUMNS = tags("x:si"), tags("x:tableColumn")
_REFERENCE = re.compile(r"\$?([A-Z]{1,3})\$?(\d{1,7})(?::.*)?")


def blank_unused_strings(trees: Mapping[str, Element]) -> None:
    """Empty the shared strings that no cell shows. Their places stay, as cells count them."""
    part = part_with(trees, "x:sst")
    if not part:
        return
    used = {
        value_of(cell)
        for tree in trees.values()
        for cell in tree.iter(*CELLS)
        if cell.get("t") == "s"
    }  # fmt: skip
    trees[part].attrib.pop("count", "")  # how often strings are used, which edits change
    for index, string in enumerate(trees[part].iterchildren(*_STRINGS)):
        if str(index) not in used and len(string):
            for child in list(string):
                string.remove(child)
            etree.SubElement(string, string.tag.partition("}")[0] + "}t")


def headed_columns(table: Element) -> list[Element]:
    """The columns of a table with a header row, whose names are those of the header's cells."""
    return [] if table.get("headerRowCount") == "0" else list(table.iter(*_COLUMNS))


def name_columns(trees: Mapping[str, Element], *, tell_apart: bool) -> dict[str, str]:
    """Give every table column the text of its header cell, as Excel demands; {old name: new name}.

    With `tell_apart` header cells that became equal are made to differ, in the cell and in the column.
    """
    renamed: dict[str, str] = {}
    strings = _strings(trees)
    for sheet, table in sheets_with_tables(trees):
        columns = list(table.iter(*_COLUMNS))
        taken: list[str] = []
        headed = bool(headed_columns(table))
        headers = _headers(trees, sheet, table) if headed else {}
        for number, column in enumerate(columns):
            old, cell = column.get("name", ""), headers.get(number)
            text = _cell_text(cell, strings) if cell is not None else ""
            text = text or (f"Column{number + 1}" if headed else old)
            name = distinct(text, taken) if tell_apart else text
            taken.append(name)
            if name != text and cell is not None:
                _set_cell(cell, name)
            stored = name.replace("\n", "_x000a_")
            if old != stored:
                renamed[old] = stored
                column.set("name", stored)
    return renamed


def sheets_with_tables(trees: Mapping[str, Element]) -> Iterator[tuple[str, Element]]:
    """Every table, with the part of its sheet."""
    names = tags("x:table")
    for part in [part for part, tree in trees.items() if tree.tag in tags("x:worksheet")]:
        relations = trees.get(opc.relations_of(part))
        for relation in relations if relations is not None else ():
            target = opc.resolve(part, relation.get("Target", ""))
            if target in trees and trees[target].tag in names:
                yield part, trees[target]


def _headers(trees: Mapping[str, Element], sheet: str, table: Element) -> dict[int, Element]:
    """The header cells by the number of their column in the table."""
    match = _REFERENCE.fullmatch(table.get("ref", ""))
    if match is None:
        return {}
    first, row_number = _column(match[1]), match[2]
    row = next((row for row in trees[sheet].iter(*ROWS) if row.get("r") == row_number), None)
    found: dict[int, Element] = {}
    for cell in row.iterchildren(*CELLS) if row is not None else ():
        place = _REFERENCE.fullmatch(cell.get("r", ""))
        if place is not None and _column(place[1]) >= first:
            found[_column(place[1]) - first] = cell
    return found


def _column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number


def _strings(trees: Mapping[str, Element]) -> list[Element]:
    part = part_with(trees, "x:sst")
    return list(trees[part].iterchildren(*_STRINGS)) if part else []


def _cell_text(cell: Element, strings: Sequence[Element]) -> str:
    """What a header cell says."""
    value = value_of(cell)
    holder = cell if cell.get("t") == "inlineStr" else None
    if cell.get("t") == "s" and value.isdecimal() and int(value) < len(strings):
        holder = strings[int(value)]
    if holder is None:
        return shown(value, "xstring")
    return "".join(shown(text.text or "", "xstring") for text in inline_texts(holder))


def _set_cell(cell: Element, text: str) -> None:
    namespace = cell.tag.partition("}")[0] + "}"
    for child in list(cell):
        cell.remove(child)
    cell.set("t", "inlineStr")
    etree.SubElement(etree.SubElement(cell, namespace + "is"), namespace + "t").text = text
