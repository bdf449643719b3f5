"""Workbooks: cells, formulas, names and tables, read again by openpyxl."""

from __future__ import annotations

import datetime
import io
import zipfile
from typing import Any

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl.worksheet.table import Table

from efface import Sanitizer
from efface.core import Verdict, apply_edits
from efface.formats.office import XLSX
from efface.formats.office.excel.cells import _kind, _masked
from efface.formats.office.excel.formulas import distinct, outside_references, renamed
from tests.attacks.leaks.office_packages import complaints, xlsx
from tests.attacks.leaks.office_redaction import edits_of, redact
from tests.attacks.leaks.xlsx_vectors import _pivot, _row, _shared, _text_cell

DENIED = Sanitizer.from_text("find: {names: none, patterns: none, deny: [Whitcombe]}")


def _saved(book: openpyxl.Workbook) -> bytes:
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def _opened(data: bytes) -> Any:
    return openpyxl.load_workbook(io.BytesIO(data))


def _values(data: bytes) -> list[list[object]]:
    return [[cell.value for cell in row] for row in _opened(data).active.iter_rows()]


def test_sheets_read_by_rows() -> None:
    book = openpyxl.Workbook()
    book.active.title = "People"
    book.active.append(["Ann", 41, datetime.date(1980, 5, 17), True])
    book.active.append(["Bob", 1.5])
    other = book.create_sheet("Hidden")
    other.sheet_state = "hidden"
    other.append(["secret"])
    text = XLSX.read(_saved(book), "x.xlsx").text
    assert text.startswith("People\nAnn\t41\t1980-05-17\tTRUE\nBob\t1.5\t\t\nHidden\nsecret\n")


def test_one_of_two_cells_with_the_same_string() -> None:
    data = xlsx(_row(_shared("A1"), _shared("B1")), strings="<si><t>John</t></si>")
    document = XLSX.read(data, "x.xlsx")
    released = XLSX.write(document, edits_of(document, ("John",))[:1])
    assert _values(released) == [["[X]", "John"]]
    assert XLSX.read(released, "x.xlsx").text == document.text.replace("John", "[X]", 1)


def test_runs_keep_their_formatting() -> None:
    strings = (
        "<si><r><rPr><b/></rPr><t>Jo</t></r><r><rPr><i/></rPr><t xml:space='preserve'>hn Smith</t></r></si>"
    )
    released = redact("xlsx", xlsx(_row(_shared()), strings=strings), "John")
    cell = openpyxl.load_workbook(io.BytesIO(released), rich_text=True).active["A1"].value
    assert [(run.text, run.font.b, run.font.i) for run in cell] == [
        ("[X]", True, False),
        (" Smith", False, True),
    ]


def test_numbers_dates_and_results_become_text() -> None:
    book = openpyxl.Workbook()
    book.active.append([5550137421, datetime.date(1980, 5, 17), 7])
    released = redact("xlsx", _saved(book), "5550137421", "1980-05-17")
    assert _values(released) == [["[X]", "[X]", 7]]


def test_a_number_edited_behind_its_mask() -> None:
    styles = (
        "<numFmts count='1'><numFmt numFmtId='170' formatCode='000-00-0000'/></numFmts>"
        "<cellXfs count='2'><xf numFmtId='0'/><xf numFmtId='170'/></cellXfs>"
    )
    data = xlsx(_row("<c r='A1' s='1'><v>123456789</v></c>"), styles=styles)
    assert "123-45-6789" in XLSX.read(data, "x").text
    for secret in ("123456789", "123-45-6789"):
        released = redact("xlsx", data, secret)
        assert XLSX.read(released, "x").text.startswith("Data\n[X]\n")


def test_an_edited_result_is_never_computed_again() -> None:
    data = xlsx(_row("<c r='A1' t='str'><f>B1&amp;C1</f><v>John Smith</v></c>", _text_cell("John", "B1")))
    assert _values(redact("xlsx", data, "John Smith")) == [["[X]", "John"]]


def test_an_edited_formula_leaves_its_value() -> None:
    data = xlsx(_row("<c r='A1'><f>IF(B1=\"John\",1,0)</f><v>1</v></c>"))
    assert _values(redact("xlsx", data, "John")) == [[1]]


def test_a_shared_formula_goes_from_all_its_cells() -> None:
    data = xlsx(
        "<row r='1'><c r='A1'><f t='shared' ref='A1:A2' si='0'>IF(B1=\"John\",1,0)</f><v>1</v></c></row>"
        "<row r='2'><c r='A2'><f t='shared' si='0'/><v>0</v></c></row>"
    )
    assert _values(redact("xlsx", data, "John")) == [[1], [0]]


def test_a_renamed_sheet_is_followed() -> None:
    book = openpyxl.Workbook()
    book.active.title = "John Smith"
    book.active["A1"] = "='John Smith'!B1+1"
    other = book.create_sheet("Sum")
    other["A1"] = "=SUM('John Smith'!A1:A9)&\"'John Smith'!\""
    book.create_sheet("John's")
    released = redact("xlsx", _saved(book), "John Smith")
    again = _opened(released)
    assert again.sheetnames == ["(X)", "Sum", "John's"]
    assert again["(X)"]["A1"].value == "='(X)'!B1+1"
    assert again["Sum"]["A1"].value is None, "a formula with more than the reference goes"
    assert complaints(released) == []


def test_sheets_that_become_namesakes_stay_apart() -> None:
    book = openpyxl.Workbook()
    book.active.title = "John"
    book.create_sheet("Smith")
    released = redact("xlsx", _saved(book), "John", "Smith")
    assert _opened(released).sheetnames == ["(X)", "(X2"]


def test_a_font_of_a_header_that_is_called_like_a_name_goes_with_it() -> None:
    book = openpyxl.Workbook()
    book.active.append(["Perpetua called"])
    book.active.oddHeader.left.text = '&"Perpetua,Bold"Plans of Perpetua'
    book.active.oddFooter.left.text = '&"Garamond,Bold"Page &P'
    released = redact("xlsx", _saved(book), "Perpetua")
    with zipfile.ZipFile(io.BytesIO(released)) as archive:
        sheet = archive.read("xl/worksheets/sheet1.xml").decode()
    assert "Perpetua" not in sheet
    assert '&amp;"[X],Bold"Plans of [X]' in sheet
    assert '&amp;"Garamond,Bold"Page &amp;P' in sheet


def test_header_cells_and_columns_of_a_table_agree() -> None:
    book = openpyxl.Workbook()
    for row in (["John", "Smith", "c"], [1, 2, 3]):
        book.active.append(row)
    book.active.add_table(Table(displayName="T", ref="A1:C2"))
    released = redact("xlsx", _saved(book), "John", "Smith")
    again = _opened(released).active
    names = [column.name for column in again.tables["T"].tableColumns]
    assert names == ["[X]", "[X2", "c"]
    assert [cell.value for cell in again[1]] == names


def test_ranges_and_tables_get_names_they_may_have() -> None:
    workbook = (
        "<definedNames><definedName name='John'>Data!$A$1</definedName><definedName name='_xlnm.Print_Area' "
        "localSheetId='0'>Data!$A$1</definedName></definedNames>"
    )
    released = redact("xlsx", xlsx(_row(_text_cell("x")), workbook=workbook), "John")
    assert list(_opened(released).defined_names) == ["_X_"]


def test_a_pivot_number_that_becomes_words_is_a_string() -> None:
    data = _pivot(
        " containsSemiMixedTypes='0' containsString='0' containsNumber='1' count='2'><n v='1'/><n v='5550137421'/>"
    )
    released = redact("xlsx", data, "5550137421")
    with zipfile.ZipFile(io.BytesIO(released)) as archive:
        cache = archive.read("xl/pivotCache/pivotCacheDefinition1.xml").decode()
    assert '<s v="[X]"/>' in cache
    assert '<n v="1"/>' in cache
    assert 'containsMixedTypes="1"' in cache
    assert "pivotCacheRecords1.xml" not in "".join(zipfile.ZipFile(io.BytesIO(released)).namelist())


FORMATS = [
    ("14", None, "date"), ("0", None, ""), ("170", "yyyy-mm-dd", "date"), ("170", '0.00"days"', ""),
    ("170", "[h]:mm", "date"), ("170", "000-00-0000", "000-00-0000"), ("170", "#,##0.00", ""), ("170", "General", ""),
    ("170", "00000", "00000"), ("170", '"d"0', "d0"), ("170", '"EMP-"0000', "EMP-0000"),
    ("170", '\\E\\M\\P#', "EMP0"), ("170", '0000"-B"', "0000-B"), ("170", '"K"General', "K0"), ("170", '0" kg"', ""),
    ("170", '"A0"0', ""), ("170", '"$"#,##0', ""), ("170", '_-* 0\\ "EUR"_-', ""),
]  # fmt: skip


@pytest.mark.parametrize(("identity", "code", "kind"), FORMATS)
def test_kinds_of_number_format(identity: str, code: str | None, kind: str) -> None:
    assert _kind(identity, code) == kind


def test_masks() -> None:
    assert _masked("123456789", "000-00-0000") == "123-45-6789"
    assert _masked("5", "00000") == "00005"
    assert _masked("1234567", "00000") == "1234567"
    assert _masked("1.5", "00000") == ""
    assert _masked("42", "EMP-0000") == "EMP-0042"
    assert _masked("1234567", "EMP0") == "EMP1234567"
    assert _masked("15550137421", "(000) 000-0000") == "(1555) 013-7421"


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ('"Whit"@', "combe"),
        ('0;0;0;\\W@"combe"', "hit"),
        ('@" kg"', "Whitcombe"),
        ('[Red]"Whit"_-@', "combe"),
        ('"Whit"* @', "combe"),
    ],
)
def test_a_text_goes_with_the_letters_that_its_format_gives_it(code: str, text: str) -> None:
    """No half of it is left around the replacement, so the release is not called broken."""
    styles = (
        f"<numFmts count='1'><numFmt numFmtId='170' formatCode='{code}'/></numFmts>"
        "<cellXfs count='2'><xf numFmtId='0'/><xf numFmtId='170'/></cellXfs>"
    )
    data = xlsx(_row(f"<c r='A1' s='1' t='inlineStr'><is><t>{text}</t></is></c>"), styles=styles)
    released = DENIED.sanitize(data, name="a.xlsx")
    assert released.verdict is Verdict.HELD
    assert XLSX.read(released.released or b"", "x").text.startswith("Data\n[DENIED_1]\n")


@pytest.mark.parametrize(
    "code", ['"Whit"_x"combe"', '"Whit"[Red]"combe"', '"Whit"*-"combe"', '"Whit""combe"']
)
def test_a_number_format_that_spells_a_word_in_pieces(code: str) -> None:
    data = xlsx(styles=f"<numFmts count='1'><numFmt numFmtId='170' formatCode='{code}'/></numFmts>")
    released = DENIED.sanitize(data, name="a.xlsx")
    assert released.verdict is Verdict.HELD
    assert '"[DENIED_1]"' in XLSX.read(released.released or b"", "x").text


def test_a_number_that_its_format_gives_letters_goes_as_it_is_shown() -> None:
    styles = (
        "<numFmts count='1'><numFmt numFmtId='170' formatCode='&quot;EMP-&quot;0000'/></numFmts>"
        "<cellXfs count='2'><xf numFmtId='0'/><xf numFmtId='170'/></cellXfs>"
    )
    data = xlsx(_row("<c r='A1' s='1'><v>42</v></c>"), styles=styles)
    assert "EMP-0042" in XLSX.read(data, "x").text
    assert XLSX.read(redact("xlsx", data, "EMP-0042"), "x").text.startswith("Data\n[X]\n")


REFERENCES = [
    ("Data!A1", "'(X)'!A1"), ("'Data'!A1+Other!B1", "'(X)'!A1+Other!B1"), ('"Data!A1"', '"Data!A1"'),
    ("data!A1", "'(X)'!A1"), ("MyData!A1", "MyData!A1"), ("SUM(1,2)", "SUM(1,2)"), ("'It''s'!A1", "'It''s'!A1"),
]  # fmt: skip


@pytest.mark.parametrize(("formula", "expected"), REFERENCES)
def test_references_follow(formula: str, expected: str) -> None:
    assert renamed(formula, {"data": "(X)"}) == expected


def test_changes_inside_a_reference_are_no_changes_of_the_formula() -> None:
    formula = "'John'!A1&\"John\""
    inside, outside = (1, 5, "[X]"), (11, 15, "[X]")
    assert outside_references(formula, [inside, outside], ["john"]) == [outside]


@given(st.text("abX2", min_size=1, max_size=3), st.lists(st.text("abX2", min_size=1, max_size=3), max_size=9))
def test_distinct_names(name: str, taken: list[str]) -> None:
    result = distinct(name, taken)
    assert result.lower() not in {other.lower() for other in taken}
    if name.lower() not in {other.lower() for other in taken}:
        assert result == name


_CELLS = st.sampled_from(["John", "Smith John", "x", "", "5550137421"])


@settings(max_examples=40)
@given(st.lists(st.lists(_CELLS, min_size=1, max_size=4), min_size=1, max_size=4))
def test_reading_again_gives_the_edited_text(rows: list[list[str]]) -> None:
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append([int(value) if value.isdecimal() else value for value in row])
    document = XLSX.read(_saved(book), "x.xlsx")
    edits = edits_of(document, ("John", "5550137421"))
    released = XLSX.write(document, edits)
    assert XLSX.read(released, "x.xlsx").text == apply_edits(document.text, edits)
    assert complaints(released) == []
    expected = [[_edited(value) for value in row] for row in rows]
    got = [[cell.value or "" for cell in row] for row in _opened(released).active.iter_rows()]
    assert [[value for value in row if value] for row in got] == [
        [value for value in row if value] for row in expected
    ]


def _edited(value: str) -> str:
    return value.replace("John", "[X]").replace("5550137421", "[X]")


def test_a_row_that_ends_early_has_the_empty_cells_of_the_row_above() -> None:
    book = openpyxl.Workbook()
    for row in (["Surname", "Ward", "Remark"], ["King"], ["Power", "B2"], [], ["apart"]):
        book.active.append(row)
    text = XLSX.read(_saved(book), "x.xlsx").text
    assert "Surname\tWard\tRemark\nKing\t\t\nPower\tB2\t\n" in text
    assert "\napart\n" in text
