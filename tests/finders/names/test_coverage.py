"""Text in a language that the names finder does not know is told, by line and never by its words."""

from __future__ import annotations

import pytest

from efface.core import Document, GapKind, Part, PartKind
from efface.finders.names.coverage import COVERED, language_gaps, next_step
from efface.finders.names.finder import NameFinder

ENGLISH = "The letter was signed by the patient and that was all of it.\n"
RUSSIAN = "Пациент Иванов покинул больницу в понедельник.\n"


def _document(text: str, *parts: Part) -> Document:
    return Document("letter.txt", "text", text, parts)


def test_text_in_a_covered_language_has_no_gap() -> None:
    assert list(NameFinder().gaps(_document(ENGLISH * 3))) == []


@pytest.mark.parametrize(
    "line",
    [
        "病人王小明星期一出院。\n",
        "غادر المريض أحمد حسن المستشفى يوم الاثنين.\n",
        "환자 김철수는 월요일에 퇴원했다.\n",
    ],
)
def test_text_in_another_script_is_a_gap(line: str) -> None:
    (gap,) = NameFinder().gaps(_document(ENGLISH + line))
    assert gap.kind is GapKind.LANGUAGE
    assert gap.where == "text beginning in line 2"
    assert not gap.allowed
    assert gap.next_step
    assert line.strip() not in gap.reason + gap.where + gap.next_step


def test_one_gap_a_language_names_its_lines() -> None:
    (gap,) = language_gaps(_document(ENGLISH + RUSSIAN + ENGLISH + RUSSIAN), covered={"en"})
    assert gap.where == "text beginning in line 2, 4"
    assert "Russian" in gap.reason


def test_markup_is_no_prose() -> None:
    text = ENGLISH + RUSSIAN
    markup = Part("markup", len(ENGLISH), len(text), PartKind.LABEL)
    assert list(language_gaps(_document(text, markup), covered={"en"})) == []


def test_the_next_step_names_a_pipeline_where_there_is_one() -> None:
    assert "zh_core_web_md" in next_step("zh")
    assert "find.deny" in next_step("sw")


def test_english_is_covered() -> None:
    assert "en" in COVERED


@pytest.mark.parametrize(
    "text",
    [
        "Pan Nowak przyjedzie jutro rano.",
        "Dopis přišel včera. Jan Novák",
        "Pan Kowalczyk przyjdzie jutro.",
        "Dopis přišel včera, Jana Dvořáková.",
        "nagyon szépen köszönöm Kovács úr",
    ],
)
def test_a_letter_of_one_short_sentence_in_another_language_is_a_gap(text: str) -> None:
    (gap,) = language_gaps(_document(text))
    assert gap.kind is GapKind.LANGUAGE


@pytest.mark.parametrize(
    "text",
    [
        "Seen: steel, drug.",
        "zidovudine, saliva, cat",
        "walter munro, cat",
        "Posting-Host: solntze.wpd.example.com",
        "From: A. Newell <tan102@psuvm.example.edu>",
        "prn ibuprofen",
        "qty, sku, rrp",
        "Kinder egg, muesli, schnapps",
    ],
)
def test_a_few_english_words_are_no_gap(text: str) -> None:
    assert list(language_gaps(_document(text))) == []


def test_formats_of_dates_after_empty_cells_are_no_language() -> None:
    """A sheet whose cells are all placeholders has no words, and the formats of its dates look Finnish."""
    cells = " " * 40 + "\n" + " " * 40 + "\n"
    formats = "yyyy-mm-dd\nyyyy-mm-dd h:mm:ss\n"
    parts = (
        Part("sheet 1", 0, len(cells), PartKind.PROSE),
        Part("styles", len(cells), len(cells + formats), PartKind.CODE),
    )
    assert list(language_gaps(_document(cells + formats, *parts))) == []


def test_addresses_of_a_mail_do_not_look_like_a_scan() -> None:
    text = "Von: Anna Berg <anna@firma.de>\nAn: Bernd Wolf <bernd@firma.de>\n\nHallo, wir können am Dienstag leider nicht kommen, passt dir Mittwoch?"
    assert list(language_gaps(_document(text))) == []


def test_a_quoted_mail_and_a_table_do_not_look_like_a_scan() -> None:
    quoted = "> Sehr geehrter Herr Whitfield,\n>\n> die Kaution überweisen wir auf das Konto.\n>\n> Mit freundlichen Grüßen\n"
    table = "Mitglied | Ort | Beitrag\nSabine Roth wohnt hier | Ulm | 45 Euro im Jahr\nPeter König wohnt dort | Neu-Ulm | nichts\n"
    assert list(language_gaps(_document(quoted))) == list(language_gaps(_document(table))) == []


def test_sizes_and_parts_do_not_make_a_list_a_scan() -> None:
    listed = "Die Schraube M8x40 und die Stange M10x1 passen zu der Mutter M8x20 und dem Dübel 8x40.\n"
    assert list(language_gaps(_document(listed))) == []
