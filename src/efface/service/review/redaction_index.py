"""The index of redactions: what was taken out of a document, where, why and by whom, without saying what it was.

Agencies that withhold parts of a record hand such an index over with it (in the United States a Vaughn index).
"""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass
from xml.sax.saxutils import escape

from efface.core import Document, Edit, Report
from efface.service.review.decisions import Decision, EffectiveDecisions
from efface.service.review.file_names import holds
from efface.text.folding import fold_term

HEADINGS = ("document", "place", "kind", "in its place", "code", "what the code means", "decided by")
_FINDER = "policy"
_REVIEWER = "reviewer"
_OURS = re.compile(r"body|text|table|data|(?:page|attachment) [0-9]+")  # names of parts that efface gives
_UNNAMED = "a part"
_FORMULA = ("=", "+", "-", "@", "\t", "\r")  # what a spreadsheet would compute


@dataclass(frozen=True, slots=True)
class IndexRow:
    """One redaction. Nothing of what was removed is in it."""

    document: str
    place: str
    kind: str
    replacement: str
    code: str
    meaning: str
    decided_by: str


def index_rows(
    name: str, report: Report, decided: EffectiveDecisions, codes: Mapping[str, str]
) -> list[IndexRow]:
    """A row for each redaction in the text, then one for each area and page."""
    rows = []
    places = _part_names(report)
    for edit in report.edits:
        made = _decision(report.document, edit, decided)
        code = made.code if made else ""
        by = _REVIEWER if made else _FINDER
        place = _line_of(report.document, edit, places)
        rows.append(IndexRow(name, place, edit.type, edit.replacement or "", code, codes.get(code, ""), by))
    for made in decided.areas:
        kind = "area" if made.kind == "area" else "whole page"
        place = f"page {(made.page or 0) + 1}"
        rows.append(IndexRow(name, place, kind, "", made.code, codes.get(made.code, ""), _REVIEWER))
    return rows


def rows_of_json(data: bytes) -> list[IndexRow]:
    """Rows that a worker process made."""
    return [IndexRow(*row) for row in json.loads(data)]


def _decision(document: Document, edit: Edit, decided: EffectiveDecisions) -> Decision | None:
    """The reviewer's decision behind an edit, if there is one."""
    place = decided.places.get((edit.start, edit.end))
    found = place or decided.terms.get(fold_term(document.text[edit.start : edit.end]))
    return found if found is not None and found.kind != "keep" else None


def _part_names(report: Report) -> dict[str, str]:
    """What each part is called in the index: a part that the file itself named may be called after what was removed."""
    text = report.document.text
    gone = {text[edit.start : edit.end] for edit in report.edits}
    names = {part.name for part in report.document.parts}
    own = {name for name in names if _OURS.fullmatch(name) is None}
    return {name: _UNNAMED if name in own and _tells(name, gone) else name for name in names}


def _tells(name: str, gone: Iterable[str]) -> bool:
    return any(holds(name, term) for term in gone)


def _line_of(document: Document, edit: Edit, names: Mapping[str, str]) -> str:
    """The part that an edit is in, and its line there."""
    part = next((p for p in document.parts if p.start <= edit.start < p.end), None)
    start = part.start if part else 0
    line = document.text.count("\n", start, edit.start) + 1
    return f"{names[part.name] if part else 'text'}, line {line}"


def as_csv(rows: Iterable[IndexRow]) -> bytes:
    """For a spreadsheet; a cell that would be a formula there begins with an apostrophe."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(HEADINGS)
    for row in rows:
        writer.writerow([f"'{cell}" if cell.startswith(_FORMULA) else cell for cell in astuple(row)])
    return out.getvalue().encode("utf-8-sig")


def as_docx(title: str, rows: Sequence[IndexRow]) -> bytes:
    """A Word file with one table."""
    table = [_table_row(HEADINGS, bold=True), *(_table_row(astuple(row)) for row in rows)]
    body = f"{_paragraph(title, bold=True)}<w:tbl>{_BORDERS}{_GRID}{''.join(table)}</w:tbl>{_paragraph('')}"
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as package:
        for name, text in ((_TYPES, _TYPES_XML), (_LINKS, _LINKS_XML), (_BODY, _BODY_XML.format(body))):
            package.writestr(zipfile.ZipInfo(name), f'<?xml version="1.0" encoding="UTF-8"?>{text}')
    return out.getvalue()


def _table_row(cells: Sequence[str], bold: bool = False) -> str:
    inside = "".join(f"<w:tc>{_paragraph(cell, bold)}</w:tc>" for cell in cells)
    return f"<w:tr>{inside}</w:tr>"


def _paragraph(text: str, bold: bool = False) -> str:
    look = "<w:rPr><w:b/></w:rPr>" if bold else ""
    printable = "".join(char if char.isprintable() else " " for char in text)
    return f'<w:p><w:r>{look}<w:t xml:space="preserve">{escape(printable)}</w:t></w:r></w:p>'


_TYPES = "[Content_Types].xml"
_LINKS = "_rels/.rels"
_BODY = "word/document.xml"
_OFFICE = "http://schemas.openxmlformats.org"
_WORD = f"{_OFFICE}/wordprocessingml/2006/main"
_MAIN = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
_TYPES_XML = (
    f'<Types xmlns="{_OFFICE}/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    f'<Override PartName="/word/document.xml" ContentType="{_MAIN}"/></Types>'
)
_LINKS_XML = (
    f'<Relationships xmlns="{_OFFICE}/package/2006/relationships"><Relationship Id="r1" '
    f'Type="{_OFFICE}/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>'
)
_BODY_XML = f'<w:document xmlns:w="{_WORD}"><w:body>{{}}</w:body></w:document>'
_SIDES = ("top", "left", "bottom", "right", "insideH", "insideV")
_EDGES = "".join(f'<w:{side} w:val="single" w:sz="4" w:color="999999"/>' for side in _SIDES)
_BORDERS = f'<w:tblPr><w:tblW w:w="0" w:type="auto"/><w:tblBorders>{_EDGES}</w:tblBorders></w:tblPr>'
_GRID = f"<w:tblGrid>{'<w:gridCol/>' * len(HEADINGS)}</w:tblGrid>"
