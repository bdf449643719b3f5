"""Excel workbooks.

Read in this order: each sheet by name with its rows, hidden ones too (cells apart by tabs), comments, drawings
and charts, then names, links, filters and pivot caches, formulas last. A string shared by many cells is shown
in each and can be edited in one alone.

An edited cell becomes text and loses its formula; an edited formula goes and the cell keeps its value; names of
sheets, tables and ranges are edited within their rules (brackets become parentheses or underscores, the length
stays, names stay distinct) and references to a renamed sheet follow. Column names of tables follow their header cells.

Scrubbed always: authors and persons, dates of comments, strings that no cell uses, phonetic guides, records of
pivot caches, connection strings, paths of external workbooks, custom views, revision logs, calculation chains,
printer settings, filters by date, custom XML, thumbnails, extended and custom properties, OLE objects, controls and macros.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from efface.formats.office import grammar
from efface.formats.office.excel import headers_footers as running_lines
from efface.formats.office.excel import shared_tables as tables
from efface.formats.office.excel.cells import Sheet, part_with, read_styles, value_of
from efface.formats.office.excel.formulas import makes_words
from efface.formats.office.excel.workbook_edits import drop_formula, rewrite
from efface.formats.office.namespaces import tags
from efface.formats.office.ooxml import Ooxml, compose_flows
from efface.formats.office.open_packages import Package
from efface.formats.office.string_codecs import shown
from efface.formats.office.xmltext import TEXT, Composer, Element, XmlPlace, remove

_FORMULAS = tags("x:f")
_SHEETS = tags("x:sheet")
_STRINGS = tags("x:si")
_TEXTS = tags("x:t")
_COMMENTS = tags("x:comment")
_THREADED = tags("tc:text")
_AUTHORS = tags("x:author")
_PERSONS = tags("tc:person")
_CACHED = tags("x:v")
_CACHE_DEFINITION = tags("x:pivotCacheDefinition")
_CONNECTION = tags("x:connection")
_WORKSHEET_SOURCE = tags("x:worksheetSource x:rangeSet")
_FILTERED_DATES = tags("x:dateGroupItem")
_OF_A_THREAD = re.compile(r"tc=\{[0-9A-Fa-f-]{36}\}")

_REMOVED = tuple(
    sorted(
        tags(
            "x:fileSharing x:fileRecoveryPr x:customWorkbookViews x:customSheetViews x15ac:absPath x:webPublishing "
            "x:webPublishItems x:webPublishObjects x:smartTags x:smartTagPr x:smartTagTypes x:rPh x:phoneticPr"
        )
    )
)
_STRIPPED = {
    name: attributes.split()
    for names, attributes in (
        ("x:pivotCacheDefinition", "refreshedBy refreshedDate refreshedDateIso recordCount"),
        ("tc:threadedComment", "dT"),
        ("x:connection", "description sourceFile odcFile singleSignOnId"),
        ("x:dbPr", "command serverCommand"),
        ("x:webPr", "url post editPage"),
        ("x:olapPr", "localConnection"),
        ("x:scenario", "user"),
        ("x:protectedRange", "securityDescriptor"),
    )
    for name in tags(names)
}
_BLANKED = {
    name: attribute
    for names, attribute in (("x:dbPr", "connection"), ("x:textPr", "sourceFile"))
    for name in tags(names)
}

_FREE_TEXT = grammar.merged(
    grammar.free_text((("name", "x:definedName x:table", "name displayName"),), "identifier"),
    grammar.free_text((("pivot cache", "x:worksheetSource x:rangeSet", "name"),), "identifier"),
    grammar.free_text((("reference", "x:hyperlink", "location"),), "formula"),
    # Shown with the cells, following them, or neutral.
    grammar.free_text(
        (
            (grammar.ELSEWHERE, "x:sheet x:tableColumn x:connection", "name"),
            (grammar.ELSEWHERE, "tc:person", "displayName userId providerId"),
            (grammar.ELSEWHERE, "x:worksheetSource x:rangeSet", "sheet"),
        ),
        "plain",
    ),
)


def _scrub(package: Package) -> None:
    """Takes out what Excel keeps besides the cells: authors, connections, caches, dates of filters."""
    authors: dict[str, str] = {}
    for part, tree in package.trees.items():
        if part.endswith(".rels"):
            continue
        for element in list(tree.iter(*_REMOVED)):
            remove(element)
        for element in tree.iter(*_STRIPPED):
            for attribute in _STRIPPED[element.tag]:
                element.attrib.pop(attribute, None)
        for element in tree.iter(*_BLANKED):
            element.set(_BLANKED[element.tag], "")
        _name_authors(tree, authors)
        for number, element in enumerate(tree.iter(*_CONNECTION), 1):
            element.set("name", f"Connection{number}")
        for element in tree.iter(*_CACHE_DEFINITION):
            element.set("saveData", "0")
        _forget_dates_of_filters(tree)
        if package.mentions(part, b"<f", b":f"):
            _keep_values_of_words(tree)
    _forget_missing_sheets(package)
    tables.blank_unused_strings(package.trees)
    tables.name_columns(package.trees, tell_apart=False)


def _keep_values_of_words(tree: Element) -> None:
    """Formulas that may make words nobody can look for are replaced by the values that they gave."""
    for formula in list(tree.iter(*_FORMULAS)):
        cell = formula.getparent()
        if cell is None or not formula.text:
            continue
        if makes_words(formula.text, has_value=bool(value_of(cell))):
            drop_formula(formula)


def _forget_dates_of_filters(tree: Element) -> None:
    """A filter lists the dates it lets through, year, month and day apart; the rows it hid stay hidden."""
    for filters in {item.getparent() for item in tree.iter(*_FILTERED_DATES)}:
        column = filters.getparent() if filters is not None else None
        if column is not None:
            remove(column)


def _name_authors(tree: Element, authors: dict[str, str]) -> None:
    for element in tree.iter(*_AUTHORS):
        if not _OF_A_THREAD.fullmatch(element.text or ""):
            element.text = authors.setdefault(element.text or "", f"Author {len(authors) + 1}")
    for element in tree.iter(*_PERSONS):
        name = authors.setdefault(element.get("displayName", ""), f"Author {len(authors) + 1}")
        element.set("displayName", name)
        element.set("userId", name)
        element.set("providerId", "None")


def _forget_missing_sheets(package: Package) -> None:
    """The source of a pivot table may name a sheet that is gone."""
    known = {sheet.get("name", "").lower() for sheet in package.trees[package.main].iter(*_SHEETS)}
    for tree in package.trees.values():
        for source in tree.iter(*_WORKSHEET_SOURCE):
            if source.get("sheet", "").lower() not in known:
                source.attrib.pop("sheet", None)


def _compose(package: Package, composer: Composer) -> None:
    strings, styles = _shared_strings(package.trees), read_styles(package.trees)
    shown_parts = set()
    for number, (sheet, part) in enumerate(_sheets(package), 1):
        stream = composer.stream(f"sheet {number}")
        stream += ((sheet.get("name", ""), (XmlPlace(package.main, sheet, "name", "sheet"),)), ("\n", ()))
        if part in package.trees:
            reader = Sheet(part, strings, styles, composer.answered)
            stream.extend(reader.read(package.trees[part]))
            composer.stream("number").extend(reader.plain)
            shown_parts.add(part)
    for part in package.of_kind("comments", "threadedcomment", "externallink"):
        _compose_lines(composer, part, package.trees[part])
    _note_shown_strings(package, composer)
    for part, tree in package.trees.items():
        running_lines.compose(part, tree, composer)
    rest = [part for part in package.kinds if part in package.trees and part not in shown_parts]
    compose_flows(package, composer, rest, "drawing")


def _note_shown_strings(package: Package, composer: Composer) -> None:
    """Strings that cells show, or that follow what cells and sheets are called."""
    strings = part_with(package.trees, "x:sst")
    for string in package.trees[strings].iterchildren(*_STRINGS) if strings else ():
        composer.answered.update((text, TEXT) for text in string.iter(*_TEXTS))
    for _, table in tables.sheets_with_tables(package.trees):
        composer.answered.update((column, "name") for column in tables.headed_columns(table))
    for tree in package.trees.values():
        composer.answered.update((source, "sheet") for source in tree.iter(*_WORKSHEET_SOURCE))


def _sheets(package: Package) -> Iterator[tuple[Element, str]]:
    """The sheets in their order, each with its part."""
    relations = package.relations(package.main)
    for sheet in package.trees[package.main].iter(*_SHEETS):
        identity = next((value for name, value in sheet.items() if name.endswith("}id")), "")
        yield sheet, relations.get(identity, "")


def _compose_lines(composer: Composer, part: str, root: Element) -> None:
    """Comments, and the values kept of other workbooks."""
    for comment in root.iter(*_COMMENTS):
        pieces = composer.stream("comments")
        for text in comment.iter(*_TEXTS):
            if text.text:
                pieces.append((shown(text.text, "xstring"), (XmlPlace(part, text, TEXT, "xstring"),)))
        pieces.append(("\n", ()))
    for text in root.iter(*_THREADED):
        if text.text:
            composer.line("comments", text.text, XmlPlace(part, text))
    for text in root.iter(*_CACHED):
        if text.text:
            composer.line("external values", shown(text.text, "value"), XmlPlace(part, text, TEXT, "value"))


def _shared_strings(trees: Mapping[str, Element]) -> list[list[str]]:
    """The runs of each shared string."""
    part = part_with(trees, "x:sst")
    if not part:
        return []
    strings = []
    for string in trees[part].iterchildren(*_STRINGS):
        strings.append([shown(text.text or "", "xstring") for text in string.iter(*_TEXTS)])
    return strings


XLSX = Ooxml(
    "xlsx",
    scrub=_scrub,
    compose=_compose,
    rewrite=rewrite,
    free_text=_FREE_TEXT,
    cells=True,
)
