"""A list of patients, in every format that has tables: no name and no number of a labelled column is left."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable

import docx
import openpyxl
import pptx
import pytest
from odf.opendocument import OpenDocumentText
from odf.table import Table, TableCell, TableRow
from odf.text import P

from efface import Sanitizer
from efface.core import Verdict
from efface.formats import detect, get_format
from tests.formats.pdf.build import line, new_pdf, save

HEAD = ["MRN", "Surname", "Forename", "Status"]
ROWS = [
    ["4000157", "King", "Sue", "for discharge"],
    ["4000194", "Power", "", "stable"],
    ["4000231", "Baker", "Autumn", "stable"],
    ["4000268", "Strong", "Bill", "awaiting bloods"],
    ["4000305", "Price", "Ama", "stable"],
]


def as_csv() -> bytes:
    out = io.StringIO()
    csv.writer(out).writerows([HEAD, *ROWS])
    return out.getvalue().encode()


def as_xlsx() -> bytes:
    book = openpyxl.Workbook()
    for at, row in enumerate([HEAD, *ROWS], 1):
        for column, value in enumerate(row, 1):
            if value:  # an empty cell is left out, as programs do
                book.active.cell(at, column, value)
    return _saved(book.save)


def as_docx() -> bytes:
    document = docx.Document()
    table = document.add_table(1 + len(ROWS), len(HEAD))
    _fill(table)
    return _saved(document.save)


def as_pptx() -> bytes:
    show = pptx.Presentation()
    slide = show.slides.add_slide(show.slide_layouts[6])
    _fill(slide.shapes.add_table(1 + len(ROWS), len(HEAD), 0, 0, 9000, 9000).table)
    return _saved(show.save)


def as_odt() -> bytes:
    document = OpenDocumentText()
    table = Table()
    for values in [HEAD, *ROWS]:
        row = TableRow()
        for value in values:
            cell = TableCell()
            if value:
                cell.addElement(P(text=value))
            row.addElement(cell)
        table.addElement(row)
    document.text.addElement(table)
    return _saved(document.write)


def as_html() -> bytes:
    rows = ("".join(f"<td>{value}</td>" for value in row) for row in [HEAD, *ROWS])
    return f"<table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>".encode()


def as_json() -> bytes:
    return json.dumps([dict(zip(HEAD, row, strict=True)) for row in ROWS]).encode()


def as_markdown() -> bytes:
    head, *rows = (f"| {' | '.join(row)} |" for row in [HEAD, *ROWS])
    return "\n".join([head, "|---|---|---|---|", *rows]).encode()


def as_pdf() -> bytes:
    """The table painted column by column, as some programs do."""
    cells = []
    for column in range(len(HEAD)):
        for at, row in enumerate([HEAD, *ROWS]):
            cells.append(line(row[column], y=250 - 20 * at, x=30 + 90 * column))
    return save(new_pdf(b"".join(cells)))


def as_text() -> bytes:
    lines = ("".join(value.ljust(12) for value in row) for row in [HEAD, *ROWS])
    return "\n".join(lines).encode()


def _fill(table: docx.table.Table) -> None:
    for at, row in enumerate([HEAD, *ROWS]):
        for column, value in enumerate(row):
            table.cell(at, column).text = value


def _saved(save: Callable[[io.BytesIO], object]) -> bytes:
    out = io.BytesIO()
    save(out)
    return out.getvalue()


MAKERS = {
    "list.csv": as_csv,
    "list.xlsx": as_xlsx,
    "list.docx": as_docx,
    "list.pptx": as_pptx,
    "list.odt": as_odt,
    "list.html": as_html,
    "list.json": as_json,
    "list.md": as_markdown,
    "list.pdf": as_pdf,
    "list.txt": as_text,
}


@pytest.mark.parametrize("name", MAKERS)
def test_no_labelled_value_is_left(name: str) -> None:
    sanitizer = Sanitizer()
    report = sanitizer.sanitize(MAKERS[name](), name=name)
    assert report.verdict is Verdict.HELD
    assert report.released is not None
    text = get_format(detect(name, report.released)).read(report.released, name).text
    left = [value for row in ROWS for value in row[:3] if value and value in text]
    assert left == []
    assert all(label in text for label in HEAD)
    assert sanitizer.verify(report.released, name=name).verdict is Verdict.HELD


def test_a_name_in_two_cells_of_a_word_table_empties_none() -> None:
    document = docx.Document()
    document.add_paragraph("We act for Miss Theodora Vandersloot. Theodora Vandersloot came.")
    table = document.add_table(1, 3)
    for column, value in enumerate(["Vandersloot", "Theodora", "PI"]):
        table.cell(0, column).text = value
    report = Sanitizer().sanitize(_saved(document.save), name="letter.docx")
    assert report.released is not None
    released = docx.Document(io.BytesIO(report.released)).tables[0]
    first, second = released.cell(0, 0).text, released.cell(0, 1).text
    assert first == second == "[PERSON_1]"


def test_a_surname_and_the_given_name_beside_it_are_one_person() -> None:
    rows = "Surname,Forename,NextOfKin\nSmith,Jane,Paul Smith\nSmith,John,Smith\n"
    report = Sanitizer().sanitize(rows.encode(), name="list.csv")
    jane, john = (line.split(",") for line in (report.released or b"").decode().splitlines()[1:])
    assert jane[0] == jane[1]
    assert john[0] == john[1]
    assert len({jane[0], jane[2], john[0], john[2]}) == 4


def test_records_of_json_are_people() -> None:
    people = [{"surname": "King", "forename": "Sue"}, {"surname": "King", "forename": "Bill"}]
    data = {"people": people, "note": "Sue King met Bill King."}
    report = Sanitizer().sanitize(json.dumps(data).encode(), name="people.json")
    released = json.loads(report.released or b"")
    sue, bill = (set(person.values()) for person in released["people"])
    assert len(sue) == len(bill) == 1
    assert sue != bill
    before, after = released["note"].split(" met ")
    assert before.startswith(sue.pop())
    assert after == f"{bill.pop()}."


def test_a_verb_that_is_a_name_in_another_cell() -> None:
    """Half a placeholder at the end of what the search compares set the place of a verb apart from the planned one."""
    rows = (
        "emp_id,surname,forename,phone,manager,notes\n"
        "10023,Bloom,Will,07700 900555,Oduya,Will will be late\n"
        "10026,Oduya,Femi,07700 900558,,retiring; replaced by Ms Bloom\n"
    )
    report = Sanitizer().sanitize(rows.encode(), name="staff.csv")
    assert report.verdict is Verdict.HELD
    assert b"] will be late" in (report.released or b"")


def test_rows_of_a_workbook_that_end_early_or_late() -> None:
    book = openpyxl.Workbook()
    for row in (["Surname", "Ward", "Remark"], ["King"], ["Power", "B2"], ["Baker", "B2", "late", "", "x"]):
        book.active.append(row)
    out = io.BytesIO()
    book.save(out)
    report = Sanitizer().sanitize(out.getvalue(), name="list.xlsx")
    assert report.verdict is Verdict.HELD and report.released is not None
    text = get_format("xlsx").read(report.released, "list.xlsx").text
    assert not [name for name in ("King", "Power", "Baker") if name in text]
