"""OpenDocument text and sheets, some written and read again by odfpy."""

from __future__ import annotations

import io
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st
from odf import teletype
from odf.opendocument import OpenDocumentSpreadsheet, OpenDocumentText, load
from odf.style import Style, TextProperties
from odf.table import Table, TableCell, TableRow
from odf.text import H, P, Span

from efface import Sanitizer
from efface.core import Verdict, apply_edits
from efface.formats.office import ODP, ODS, ODT
from tests.attacks.leaks.odf_vectors import ODT_VECTORS
from tests.attacks.leaks.office_packages import ODF, complaints, odf, ods, odt
from tests.attacks.leaks.office_redaction import edits_of, redact
from tests.formats.helpers import an_edit


def _saved(document: object) -> bytes:
    buffer = io.BytesIO()
    document.write(buffer)  # type: ignore[attr-defined]
    return buffer.getvalue()


def _text_document() -> bytes:
    document = OpenDocumentText()
    bold = Style(name="Bold", family="text")
    bold.addElement(TextProperties(fontweight="bold"))
    document.automaticstyles.addElement(bold)
    document.text.addElement(H(outlinelevel=1, text="Report on John"))
    line = P(text="Dear ")
    line.addElement(Span(stylename=bold, text="Jo"))
    line.addText("hn Smith, hello")
    document.text.addElement(line)
    return _saved(document)


def test_a_replacement_has_the_style_of_the_span_it_starts_in() -> None:
    released = redact("odt", _text_document(), "John")
    again = load(io.BytesIO(released))
    lines = [
        teletype.extractText(item) for item in (*again.getElementsByType(H), *again.getElementsByType(P))
    ]
    assert lines == ["Report on [X]", "Dear [X] Smith, hello"]
    assert [teletype.extractText(span) for span in again.getElementsByType(Span)] == ["[X]"]
    assert complaints(released) == []


def test_the_package_begins_with_its_type_and_lists_its_files() -> None:
    released = redact("odt", ODT_VECTORS["embedded chart"])
    with zipfile.ZipFile(io.BytesIO(released)) as archive:
        names = archive.namelist()
        first = archive.infolist()[0]
        manifest = archive.read("META-INF/manifest.xml").decode()
    assert (first.filename, first.compress_type) == ("mimetype", zipfile.ZIP_STORED)
    assert all(f'full-path="{name}"' in manifest for name in names[1:] if name != "META-INF/manifest.xml")
    assert 'full-path="Object 1/"' in manifest
    assert "ObjectReplacements/Object 1" not in names


READING = {
    "spaces and tabs": ("<text:p>a<text:s text:c='3'/>b<text:tab/>c<text:line-break/>d</text:p>", "plain\na   b\tc\nd\n"),
    "a note is read elsewhere": (
        "<text:p>a<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>n</text:p></text:note-body>"
        "</text:note>b</text:p>", "plain\nab\n"),
    "a frame after its paragraph": (
        "<text:p>a<draw:frame><draw:text-box><text:p>in</text:p></draw:text-box></draw:frame>b</text:p>", "plain\nab\nin\n"),
}  # fmt: skip


@pytest.mark.parametrize("name", READING)
def test_reading_order(name: str) -> None:
    body, expected = READING[name]
    document = ODT.read(odt(body), "x.odt")
    assert (
        next(document.text[part.start : part.end] for part in document.parts if part.name == "body")
        == expected
    )


CELLS = {
    "words": ("office:value-type='string' office:string-value='John'", "John", "John", "[X]"),
    "number": ("office:value-type='float' office:value='5550137421'", "5550137421", "5550137421", "[X]"),
    "number shown otherwise": (
        "office:value-type='float' office:value='5550137421'",
        "(555) 0137",
        "5550137421",
        "[X]",
    ),
    "shown number": (
        "office:value-type='float' office:value='5550137421'",
        "(555) 0137",
        "(555) 0137",
        "[X]",
    ),
    "date": ("office:value-type='date' office:date-value='1980-05-17'", "17 May", "17 May", "[X]"),
    "formula": ("table:formula='of:=[.B1]' office:value-type='string'", "John", "John", "[X]"),
    "inside a formula": (
        "table:formula='of:=&quot;John&quot;' office:value-type='string'",
        "kept",
        "John",
        "kept",
    ),
}


@pytest.mark.parametrize("name", CELLS)
def test_an_edited_cell_is_text(name: str) -> None:
    attributes, shown, secret, expected = CELLS[name]
    data = ods(f"<table:table-cell {attributes}><text:p>{shown}</text:p></table:table-cell>")
    again = load(io.BytesIO(redact("ods", data, secret)))
    cell = again.getElementsByType(TableCell)[1]
    assert teletype.extractText(cell) == expected
    assert cell.getAttribute("valuetype") == "string"
    assert [cell.getAttribute(key) for key in ("value", "datevalue", "stringvalue", "formula")] == [None] * 4


def test_text_that_strays_into_a_cell() -> None:
    """Found by fuzzing: the text is no attribute of the cell."""
    released = redact("ods", ods("<table:table-cell>John<text:p>plain</text:p></table:table-cell>"), "John")
    text = ODS.read(released, "x.ods").text
    assert "John" not in text
    assert "plain" in text


def test_tracked_changes_are_accepted() -> None:
    document = ODT.read(ODT_VECTORS["term over a deletion"], "x.odt")
    assert "Zanzi x\n" in document.text
    assert "quokka" not in document.text


_SPANS = st.lists(st.sampled_from(["Jo", "hn", "John", " Smith ", "x"]), min_size=1, max_size=6)


@given(st.lists(_SPANS, min_size=1, max_size=4))
def test_reading_again_gives_the_edited_text(lines: list[list[str]]) -> None:
    body = "".join(
        "<text:p>" + "".join(f"<text:span>{word}</text:span>{word}" for word in line) + "</text:p>"
        for line in lines
    )
    document = ODT.read(odt(body), "x.odt")
    edits = edits_of(document, ("John",))
    released = ODT.write(document, edits)
    assert ODT.read(released, "x.odt").text == apply_edits(document.text, edits)


@pytest.mark.parametrize(
    "between", ["<text:s text:c='2'/>", "<text:tab/>", "<text:line-break/>", "<text:s/><text:tab/>"]
)
def test_what_follows_a_blank_within_an_edit_goes_with_it(between: str) -> None:
    document = ODT.read(odt(f"<text:p>Dear Ann{between}Smith, hello</text:p>"), "a.odt")
    at = document.text.index("Ann")
    edits = (an_edit(at, document.text.index(", hello"), "[X]"),)
    released = ODT.write(document, edits)
    assert ODT.read(released, "a.odt").text == apply_edits(document.text, edits)
    with zipfile.ZipFile(io.BytesIO(released)) as archive:
        assert b"Dear [X], hello" in archive.read("content.xml")


def test_a_sheet_of_odfpy() -> None:
    document = OpenDocumentSpreadsheet()
    table = Table(name="People")
    row = TableRow()
    for value in ("John", "Ann"):
        cell = TableCell(valuetype="string")
        cell.addElement(P(text=value))
        row.addElement(cell)
    table.addElement(row)
    document.spreadsheet.addElement(table)
    data = _saved(document)
    assert ODS.read(data, "x.ods").text.startswith("John\tAnn\n")
    again = load(io.BytesIO(redact("ods", data, "John")))
    assert [teletype.extractText(cell) for cell in again.getElementsByType(TableCell)] == ["[X]", "Ann"]


_WHITE = "<style:style style:name='w' style:family='text'><style:text-properties fo:{}/></style:style>"


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (odt("<text:p>Whit<text:conditional-text text:condition='ooow:true' text:string-value-if-true='combe'/></text:p>"), "a.odt"),
        (odt("<text:p>Whit<text:variable-set text:name='x' text:formula='ooow:combe' office:string-value='combe'/></text:p>"), "a.odt"),
        (odt("<text:p>Whit<text:drop-down text:name='a'><text:label text:value='combe'/>combe</text:drop-down></text:p>"), "a.odt"),
        (odt("<text:p>Whit<text:span text:style-name='w'>z</text:span>combe</text:p>", automatic=_WHITE.format("color='#FFFFFF'")), "a.odt"),
        (odt("<text:p>Whit<text:span text:style-name='w'>z</text:span>combe</text:p>", automatic=_WHITE.format("font-size='1pt'")), "a.odt"),
        (ods("<table:table-cell table:formula='of:=SUBSTITUTE(\"Whxitcombe\";\"x\";\"\")'><text:p>x</text:p></table:table-cell>"), "a.ods"),
    ],
)  # fmt: skip
def test_half_a_name_in_a_field_goes(data: bytes, name: str) -> None:
    report = Sanitizer({"find": {"deny": ["Whitcombe"], "names": "none"}}).sanitize(data, name=name)
    assert report.verdict is Verdict.HELD
    assert report.released is not None
    with zipfile.ZipFile(io.BytesIO(report.released)) as archive:
        assert b"combe" not in archive.read("content.xml")


SLIDE = (
    "<draw:page draw:name='Slide 1'><draw:frame><draw:text-box><text:p>Ann <text:span>John</text:span></text:p>"
    "</draw:text-box></draw:frame>"
    "<presentation:notes xmlns:presentation='urn:oasis:names:tc:opendocument:xmlns:presentation:1.0'><draw:frame><draw:text-box><text:p>Ask John</text:p>"
    "</draw:text-box></draw:frame></presentation:notes></draw:page>"
)


def test_slides_and_their_notes() -> None:
    again = ODP.read(redact("odp", odf("presentation", SLIDE), "John"), "x.odp")
    assert "John" not in again.text
    assert "Ann [X]" in again.text and "Ask [X]" in again.text


def test_a_chart_that_names_its_own_document_is_read_once() -> None:
    """LibreOffice writes so for every chart in a text; it was followed until the limit on markup refused the file."""
    chart = (
        f"<office:document-content {ODF}><office:body><office:chart><chart:chart xlink:href='.'><chart:title>"
    )
    chart += "<text:p>Costs of John</text:p></chart:title></chart:chart></office:chart></office:body></office:document-content>"
    shown = "<text:p><draw:frame><draw:object xlink:href='./Object 1'/></draw:frame></text:p>"
    data = odt(shown, parts={"Object 1/content.xml": chart})
    released = redact("odt", data, "John")
    assert ODT.read(released, "x.odt").text.count("Costs of [X]") == 1


def test_a_row_that_ends_early_has_the_empty_cells_of_the_row_above() -> None:
    document = OpenDocumentSpreadsheet()
    table = Table(name="List")
    for values in (["Surname", "Ward", "Remark"], ["King"], ["Power", "B2"]):
        row = TableRow()
        for value in values:
            cell = TableCell(valuetype="string")
            cell.addElement(P(text=value))
            row.addElement(cell)
        row.addElement(TableCell(numbercolumnsrepeated=16_384 - len(values)))
        table.addElement(row)
    document.spreadsheet.addElement(table)
    text = ODS.read(_saved(document), "x.ods").text
    assert text.startswith("Surname\tWard\tRemark\t\nKing\t\t\t\nPower\tB2\t\t\n")
