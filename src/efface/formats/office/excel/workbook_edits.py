"""Edits of a workbook carried out: cells, formulas, and every name that others refer to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from efface.formats.office import grammar
from efface.formats.office.excel import cells
from efface.formats.office.excel import headers_footers as running_lines
from efface.formats.office.excel import shared_tables as tables
from efface.formats.office.excel.formulas import distinct, outside_references, renamed
from efface.formats.office.namespaces import local, tags
from efface.formats.office.ooxml import Rewrite
from efface.formats.office.string_codecs import shown
from efface.formats.office.xmltext import TEXT, Element, XmlChange, XmlPlace, apply_change, remove, stored

_SHEETS, _CELL_FORMULA, _STRINGS = tags("x:sheet"), tags("x:f"), tags("x:si")
_HYPERLINKS, _SOURCES, _ITEMS = tags("x:hyperlink"), tags("x:worksheetSource"), tags("x:sharedItems")
_NAMED = tags("x:definedName x:table")
_TABLE_FORMULAS = tags("x:calculatedColumnFormula x:totalsRowFormula")


def rewrite(work: Rewrite) -> None:
    """Apply the changes to the trees, then put right what refers to what changed."""
    before = _sheet_names(work.origin.trees)
    edited: dict[Element, dict[str, Sequence[XmlChange]]] = {}
    lines: dict[Element, dict[str, Sequence[XmlChange]]] = {}
    for place, changes in work.changes.items():
        if place.slot in (cells.SHOWN, cells.PLAIN) or place.slot.startswith(cells.RUN):
            edited.setdefault(place.element, {})[place.slot] = changes
        elif place.slot.startswith(running_lines.STRETCH):
            lines.setdefault(place.element, {})[place.slot] = changes
        elif place.codec in ("formula", "spoken"):
            _change_formula(place, changes, before)
        else:
            apply_change(place, changes)
    for line, stretches in lines.items():
        running_lines.change(line, stretches)
    _change_cells(work, edited)
    _rename_sheets(work, before)
    _keep_names_distinct(work)
    _follow_headers(work)
    _keep_items_distinct(work)
    strings = cells.part_with(work.trees, "x:sst")
    if edited and strings:
        work.tree(strings)
        tables.blank_unused_strings(work.trees)


def _sheet_names(trees: Mapping[str, Element]) -> list[str]:
    part = cells.part_with(trees, "x:workbook")
    return [sheet.get("name", "") for sheet in trees[part].iter(*_SHEETS)]


def _change_formula(place: XmlPlace, changes: Sequence[XmlChange], sheets: Sequence[str]) -> None:
    left = changes if place.codec == "spoken" else outside_references(stored(place), changes, sheets)
    if not left:
        return
    cell = place.element.getparent()
    if place.slot == TEXT and cell is not None and cell.tag in cells.CELLS:
        drop_formula(place.element)
    else:
        apply_change(place, left)


def drop_formula(formula: Element) -> None:
    """Take a formula out of its cell, and out of the cells that share it."""
    if formula.getparent() is None:  # gone already
        return
    if formula.get("t") == "shared":
        sheet = next(above for above in formula.iterancestors() if above.getparent() is None)
        group = formula.get("si")
        for other in [other for other in sheet.iter(*_CELL_FORMULA) if other.get("si") == group]:
            remove(other)
    else:
        remove(formula)


def _change_cells(work: Rewrite, edited: Mapping[Element, Mapping[str, Sequence[XmlChange]]]) -> None:
    if not edited:
        return
    part = cells.part_with(work.origin.trees, "x:sst")
    strings = list(work.origin.trees[part].iterchildren(*_STRINGS)) if part else []
    styles = cells.read_styles(work.origin.trees)
    for cell, changes in edited.items():
        formula = cells.formula_of(cell)
        if formula is not None:
            drop_formula(formula)
        value = shown(cells.value_of(cell), "xstring")
        string = strings[int(value)] if cell.get("t") == "s" else None
        cells.edit_cell(cell, changes, string, styles)


def _rename_sheets(work: Rewrite, before: Sequence[str]) -> None:
    workbook = cells.part_with(work.trees, "x:workbook")
    if _sheet_names(work.trees) == before:
        return
    taken: list[str] = [name for name in before if name in _sheet_names(work.trees)]
    names: dict[str, str] = {}
    for old, sheet in zip(before, work.tree(workbook).iter(*_SHEETS), strict=True):
        new = sheet.get("name", "")
        if new != old:
            new = distinct(new, taken)
            taken.append(new)
            sheet.set("name", new)
            names[old.lower()] = new
    for part in list(work.trees):
        if not part.endswith(".rels"):
            _follow_sheets(work.tree(part), names)


def _follow_sheets(tree: Element, names: Mapping[str, str]) -> None:
    for formula in tree.iter(*grammar.FORMULAS):
        if formula.text:
            formula.text = renamed(formula.text, names)
    for link in tree.iter(*_HYPERLINKS):
        if link.get("location"):
            link.set("location", renamed(link.get("location", ""), names))
    for source in tree.iter(*_SOURCES):
        if source.get("sheet", "").lower() in names:
            source.set("sheet", names[source.get("sheet", "").lower()])


def _keep_names_distinct(work: Rewrite) -> None:
    """Ranges and tables that became namesakes get numbers; a range may repeat on another sheet."""
    taken: dict[str, list[str]] = {}
    for part in sorted(work.trees, key=lambda part: part in work.copied):  # what is unchanged keeps its name
        for element in work.trees[part].iter(*_NAMED):
            for attribute in ("name", "displayName"):
                old = element.get(attribute)
                if old is not None:
                    scope = f"{local(element.tag)} {attribute} {element.get('localSheetId')}"
                    new = distinct(old, taken.setdefault(scope, []))
                    taken[scope].append(new)
                    if new != old and part in work.copied:
                        element.set(attribute, new)


def _follow_headers(work: Rewrite) -> None:
    """Header cells and column names stay equal; formulas that name a renamed column go."""
    held = {part for part, tree in work.trees.items() if tree.tag in tags("x:table")}
    sheets = {part for part, tree in work.trees.items() if tree.tag in tags("x:worksheet")}
    with_tables = {part for part, _ in tables.sheets_with_tables(work.trees)}
    if not held or not (held | with_tables) & work.copied:
        return
    for part in held | with_tables:
        work.tree(part)
    columns = tables.name_columns(work.trees, tell_apart=True)
    if columns:
        for part in sorted(held | sheets):
            _drop_formulas_that_name(work.tree(part), columns)


def _drop_formulas_that_name(tree: Any, columns: Iterable[str]) -> None:
    """A formula that names a column by a header that is gone would keep the header's words."""
    gone = tuple(f"[{name.lower()}" for name in columns)
    for formula in list(tree.iter(*_CELL_FORMULA, *_TABLE_FORMULAS)):
        text = (formula.text or "").lower()
        if any(name in text for name in gone):
            drop_formula(formula)


_KINDS = {"n": re.compile(r"[-+.\deE]+"), "d": re.compile(r"[-+.:TZ\d]+")}


def _keep_items_distinct(work: Rewrite) -> None:
    """The items of a pivot cache: a number that became words is a string, and no two are equal."""
    for part in work.copied:
        for shared in work.trees[part].iter(*_ITEMS):
            taken: list[str] = []
            retold = False
            for item in shared:
                kind = _KINDS.get(local(item.tag))
                if kind is not None and not kind.fullmatch(item.get("v", "")):
                    item.tag = item.tag.rpartition("}")[0] + "}s"
                    retold = True
                if local(item.tag) == "s":
                    item.set("v", distinct(item.get("v", ""), taken))
                    taken.append(item.get("v", ""))
            if retold:
                _describe(shared)


def _describe(shared: Element) -> None:
    """Say again which kinds of value a field holds."""
    kinds = {local(item.tag) for item in shared}
    numbers, dates, words = "n" in kinds, "d" in kinds, bool(kinds & {"s", "b", "e"})
    flags = {
        "containsString": (words, True),
        "containsNumber": (numbers, False),
        "containsInteger": (False, False),
        "containsDate": (dates, False),
        "containsMixedTypes": (words + numbers + dates > 1, False),
        "containsSemiMixedTypes": (words or "m" in kinds, True),
        "containsNonDate": (words or numbers, True),
    }
    for name, (value, default) in flags.items():
        shared.attrib.pop(name, None)
        if value != default:
            shared.set(name, "1" if value else "0")
    for name in ("minValue", "maxValue", "minDate", "maxDate"):
        shared.attrib.pop(name, None)
