"""What is released as held is held for `verify`, which has nothing but the released bytes."""

from __future__ import annotations

import datetime
import io
import re
from collections.abc import Iterator
from pathlib import Path

import openpyxl
import pytest
from openpyxl.worksheet.worksheet import Worksheet

from efface.api.sanitizer import Sanitizer
from efface.core import Document, Mention, Part, Span, Verdict
from efface.finders.names.model import Logits, NamesModel
from efface.finders.names.windows import WindowRow
from efface.operators import OwnOperator
from efface.pipeline.mention_filters.labels import UnreadMentions, filter_labels
from efface.pipeline.reread import SeenAgain, with_unseen_lines
from tests.formats.pdf import build


class Words:
    """Finds the given strings."""

    def __init__(self, *words: str) -> None:
        self._words = words

    def find(self, text: str) -> Iterator[Mention]:
        for word in self._words:
            at = text.find(word)
            if at >= 0:
                yield Mention(at, at + len(word), "PERSON", word, 0.9, "test")


def test_a_word_of_the_text_that_a_raw_stream_breaks_is_no_news() -> None:
    raw = "seen in the line before\nRu\nles and others are known here\n"
    assert not list(UnreadMentions(Words("Ru\nles and others"), "The Rules and others.").find(raw))


def test_a_name_that_only_a_raw_stream_holds_is_news() -> None:
    raw = "seen in the line before\nJona\nthan Smith is known here\n"
    assert list(UnreadMentions(Words("Jona\nthan Smith"), "The Rules and others.").find(raw))


def test_what_was_seen_again_is_found_beside_the_finds_of_the_finder() -> None:
    finder = SeenAgain(Words("Ann"), {"haystack": "LOCATION"})
    found = [(mention.start, mention.type) for mention in finder.find("Ann: Outer_Haystack, haystacks")]
    assert found == [(0, "PERSON"), (11, "LOCATION")]


def test_the_fonts_that_a_reader_lists_are_no_full_name() -> None:
    own = Document("list.pdf", "pdf", "Surname", (Part("page 1", 0, 7),))
    seen = with_unseen_lines(own, [("object stream names", "Courier\nHelvetica")])
    found = [Mention(seen.text.index("Courier"), len(seen.text), "PERSON", "x", 0.9, "test")]
    assert not list(filter_labels(seen.text, found, seen.parts))


def test_the_font_of_a_placeholder_is_no_term() -> None:
    own = Document("list.pdf", "pdf", "Surname", (Part("page 1", 0, 7),))
    assert with_unseen_lines(own, [("object stream names", "EffaceHelvetica")]).text == "Surname"


def test_lines_that_meet_by_chance_make_no_address() -> None:
    """The end of one line and the start of another were read as `out.in`, and a release did not verify."""
    own = Document("list.pdf", "pdf", "zoom out.\nin time", (Part("page 1", 0, 17),))
    assert with_unseen_lines(own, [("page 1, columns", "out.in")]).text == own.text


REAL = (
    "covered/boxed_by_path.pdf",
    "docx/apache__tika__testPDFEmbeddingAndEmbedded.docx",
    "pdf/mozilla__pdf.js__file_pdfjs_test.pdf",
)


@pytest.mark.parametrize("name", REAL)
def test_real_files_verify(name: str, shared_data: Path) -> None:
    path = shared_data / "documents" / name
    if not path.exists():
        pytest.skip("the file is not beside the project")
    sanitizer = Sanitizer()
    report = sanitizer.sanitize(path)
    assert report.released is not None
    assert sanitizer.verify(report.released, name=path.name).verdict is report.verdict


@pytest.mark.parametrize("first", ["(Zanzibarov)", "(clerk)"])
def test_a_word_under_the_box_of_another_goes_with_it(first: str) -> None:
    """The box over a removed word hides what is painted in the same place. Such a release did not verify."""
    words = sorted(
        ["1 0 0 1 40 200 Tm (Zanzibarov) Tj", "1 0 0 1 44 203 Tm (clerk) Tj"], key=lambda w: first not in w
    )
    page = build.save(build.new_pdf(f"BT /F1 10 Tf {' '.join(words)} ET".encode()))
    sanitizer = Sanitizer({"find": {"names": "none", "deny": ["Zanzibarov"]}})
    report = sanitizer.sanitize(page, name="x.pdf")
    assert report.verdict is Verdict.HELD
    assert report.released is not None
    assert sanitizer.verify(report.released, name="x.pdf").verdict is Verdict.HELD


def test_verify_reads_no_window_of_the_text_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[bytes] = []
    run = NamesModel.run

    def counted(model: NamesModel, row: WindowRow) -> Logits:
        read.append(row.key)
        return run(model, row)

    monkeypatch.setattr(NamesModel, "run", counted)
    line = b"Anna Kowalska met Omar Haddad in Leeds, and Piotr wrote to the Northgate Clinic.\n"
    Sanitizer("names").verify(line, name="note.txt")
    assert len(read) == len(set(read)) > 0


def _staff(salary: int) -> bytes:
    """A sheet as offices have it: a title, dates, and salaries that would be dates in a column of dates."""
    book = openpyxl.Workbook()
    sheet = book.active
    assert isinstance(sheet, Worksheet)
    sheet.append(["Staff list"])
    sheet.append(["Surname", "Forename", "Start date", "Salary"])
    sheet.append(["Wehbe", "Lucy", datetime.date(2019, 1, 7), salary])
    sheet.append(["Recinos", "Omar", datetime.date(2021, 9, 1), 41000])
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def test_a_salary_is_no_date() -> None:
    report = Sanitizer.from_text("efface: 1\n").sanitize(_staff(32000), name="staff.xlsx")
    assert report.verdict is Verdict.HELD and report.released is not None
    text = report.document.text
    headings = {"Surname", "Forename", "Start date", "Salary"}
    assert headings.isdisjoint(text[edit.start : edit.end] for edit in report.edits)
    checked = Sanitizer.from_text("efface: 1\n").verify(report.released, name="staff.xlsx")
    assert checked.verdict is Verdict.HELD, checked.outcomes


def test_a_removed_date_is_found_in_a_cell_that_shows_its_number() -> None:
    """The number of a day is no date to a reader of the sheet, and it is one to whoever looks for that day."""
    serial = (datetime.date(2019, 1, 7) - datetime.date(1899, 12, 30)).days
    report = Sanitizer.from_text("efface: 1\n").sanitize(_staff(serial), name="staff.xlsx")
    assert report.verdict is Verdict.BROKEN and report.released is None
    assert {leak.type for leak in report.leaks} == {"DATE_TIME"}


def test_the_first_line_of_another_reading_says_nothing_of_the_last_of_the_text() -> None:
    written = b'Employee ID,Last,First,Notes\nE00415,Meer,Anneke,"see row LT-55910"\n'
    report = Sanitizer().sanitize(written, name="staff.csv")
    assert report.released is not None
    assert Sanitizer().verify(report.released, name="staff.csv").verdict is report.verdict


def test_the_parts_of_a_name_in_a_card_stay_apart() -> None:
    card = b"BEGIN:VCARD\nVERSION:3.0\nN:Stone;Rocky;;Dr.;\nFN:Dr. Rocky Stone\nEND:VCARD\n"
    released = Sanitizer().sanitize(card, name="a.vcf").released or b""
    assert b"N:[PERSON_1];[PERSON_1];;Dr.;" in released


def test_the_rows_of_a_table_are_no_other_lines() -> None:
    own = Document("a.csv", "csv", "Surname\tReason for absence\nLopez\tmaternity leave\n")
    raw = 'Surname,Reason for absence\n"Lopez","maternity leave"\nLopez,sick leave\n'
    seen = with_unseen_lines(own, [("a.csv", raw)])
    assert seen.text.removeprefix(own.text).split("\n")[-1] == "Lopez,sick leave"
    assert "maternity" not in seen.text.removeprefix(own.text)


def test_a_table_that_was_released_under_a_preset_verifies() -> None:
    rows = "Surname,Dept,Reason for absence,Manager,Days\nKing,Payroll,depression and anxiety,Baker,14\n"
    sanitizer = Sanitizer.from_policy("gdpr-special")
    report = sanitizer.sanitize(rows.encode(), name="absence.csv")
    assert report.released is not None
    assert sanitizer.verify(report.released, name="absence.csv").verdict is Verdict.HELD


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("Name,DOB\n[PERSON_1],1980\n", Verdict.HELD),
        ("Name,DOB\n[PERSON_1],1980s\n", Verdict.HELD),
        ("Name,DOB\n[PERSON_1],12 March 1980\n", Verdict.BROKEN),
        ("Name,DOB\n[PERSON_1],12/3/1980\n", Verdict.BROKEN),
        ("Name,DOB\nAnna Kowalska,1980\n", Verdict.BROKEN),
    ],
)
def test_a_year_is_what_a_generalised_date_leaves(text: str, verdict: Verdict) -> None:
    sanitizer = Sanitizer({"operators": {"DATE_TIME": "generalise"}})
    assert sanitizer.verify(text.encode(), name="list.csv").verdict is verdict


def test_a_mail_that_was_released_under_a_preset_verifies() -> None:
    mail = (
        b"From: Ann Lee <ann@x.org>\nDate: Tue, 4 Mar 2025 09:12:44 +0000\nMIME-Version: 1.0\n"
        b"Content-Type: text/plain; charset=utf-8\n\nShe was seen on 3 March 2025 and is well.\n"
    )
    sanitizer = Sanitizer.from_policy("hipaa-like")
    report = sanitizer.sanitize(mail, name="note.eml")
    assert report.released is not None
    assert sanitizer.verify(report.released, name="note.eml").verdict is Verdict.HELD


def test_a_word_of_a_file_name_that_a_guarantee_leaves_is_told() -> None:
    """A list of attachments was refused: the search saw the word in a file name, and the plan had not told that it stays."""
    text = (
        "Attachments:\n- CV_Anjali_Mehta_2024.docx\n- Mehta-A-references.pdf\n- IMG_2041.jpg\n"
        "- anjali mehta contract SIGNED.pdf\nPlease file under Recruitment/2024/MEHTA.\nAnjali Mehta starts on Monday.\n"
    )
    sanitizer = Sanitizer("gdpr-special")
    report = sanitizer.sanitize(text.encode(), name="note.txt", allow_unproven=True)
    assert not report.leaks
    assert report.released is not None


@pytest.fixture(scope="module")
def generalising() -> Sanitizer:
    return Sanitizer({"operators": {"DATE_TIME": "generalise", "AGE": "generalise"}})


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("Seen in 2019, and in the 1980s. All well.", Verdict.HELD),
        ("Seen on 5 May 2019.", Verdict.BROKEN),
        ("Collar number 2019 attended.", Verdict.BROKEN),
        ("Ring ext. 2044 for the results.", Verdict.BROKEN),
        ("Hosp no MRN 2014 was read.", Verdict.BROKEN),
        ("MRN: [MEDICAL_RECORD_1]  DOB: 1961  Ward B4", Verdict.HELD),
        ("MRN: [MEDICAL_RECORD_1]\nMRN: 1961 was admitted.", Verdict.BROKEN),
        ("MRN: [MEDICAL_RECORD_1]\nMRN:\n1961 was admitted.", Verdict.BROKEN),
        ("MRN [MEDICAL_RECORD_1] 2024 by the team", Verdict.BROKEN),
        ("A 60-69-year-old lady slept.", Verdict.HELD),
        ("A 61-63-year-old lady slept.", Verdict.BROKEN),
        ("A 66-year-old lady slept.", Verdict.BROKEN),
    ],
)
def test_years_and_bands_stay_where_dates_and_ages_are_generalised(
    text: str, verdict: Verdict, generalising: Sanitizer
) -> None:
    """`verify` took any number that looks like a year for a generalised date, also a collar number."""
    assert generalising.verify(text.encode(), name="note.txt").verdict is verdict


def test_an_age_that_is_released_as_a_band_verifies(generalising: Sanitizer) -> None:
    released = generalising.redact("Thank you for referring this pleasant 66-year-old lady.").text
    assert released is not None
    assert "60-69-year-old" in released
    assert generalising.verify(released.encode(), name="note.txt").verdict is Verdict.HELD


def test_years_do_not_stay_where_dates_become_decades() -> None:
    sanitizer = Sanitizer({"operators": {"DATE_TIME": {"generalise": {"date": "decade"}}}})
    assert sanitizer.verify(b"Seen in 2019. All well.", name="note.txt").verdict is Verdict.BROKEN
    assert sanitizer.verify(b"Seen in the 2010s. All well.", name="note.txt").verdict is Verdict.HELD


class YearOnly:
    """An operator of somebody else that leaves the year of a date."""

    def fill(self, original: str, type: str, key: str) -> str | None:
        return original[:4]


class KnownYear(YearOnly):
    """The same, and it can tell its years in a text."""

    def written_in(self, text: str, type: str) -> Iterator[Span]:
        yield from (Span(*match.span()) for match in re.finditer(r"\b20\d\d\b", text))


@pytest.mark.parametrize(("operator", "verdict"), [(YearOnly(), Verdict.BROKEN), (KnownYear(), Verdict.HELD)])
def test_an_operator_of_a_plugin_may_tell_what_it_writes(operator: OwnOperator, verdict: Verdict) -> None:
    sanitizer = Sanitizer({"find": {"names": "none"}}, operators={"DATE_TIME": operator})
    assert sanitizer.verify(b"Seen in 2019. All well.", name="note.txt").verdict is verdict
    assert sanitizer.verify(b"Seen on 2019-03-04. All well.", name="note.txt").verdict is Verdict.BROKEN
