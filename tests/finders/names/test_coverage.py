"""Text in a language that the names finder does not know is told, by line and never by its words."""

from __future__ import annotations

import pytest

from efface.core import Document, GapKind, Part, PartKind
from efface.finders.names.coverage import COVERED, _small_letters, language_gaps, next_step
from efface.finders.names.finder import NameFinder
from tests.growth import assert_linear

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


CHAT = (
    "[12/03/2026, 14:02] Priya: yeah ok grace said she would pick up will from school\n"
    "[12/03/2026, 14:03] Mum: did he eat\n"
    "[12/03/2026, 14:05] Priya: think so, hope took him to the park after and then they\n"
    "went round to see marj for a bit\n"
)
STATEMENT = "ok so heres what happened. me n kayleigh was in town about nine, n this lad came over and he goes to her no"


@pytest.mark.parametrize("text", [CHAT, STATEMENT, "  " + STATEMENT, ENGLISH + 2 * (STATEMENT + "\n\n")])
def test_text_in_small_letters_is_a_gap(text: str) -> None:
    (gap,) = NameFinder().gaps(_document(text))
    assert gap.kind is GapKind.LANGUAGE
    assert not gap.allowed
    assert "small letters" in gap.reason


def test_the_gap_of_small_letters_names_the_lines_where_a_message_begins() -> None:
    (gap,) = NameFinder().gaps(_document(CHAT))
    assert gap.lines == (1, 3)


@pytest.mark.parametrize(
    "text",
    [
        "my name is anna and i live in leeds",  # too little to tell how somebody writes
        "The letter was long and it was typed by\nsomebody who wraps lines at a width of forty\nletters, so that many lines have no capital\nin them at all, as this one has not.\n",
        ENGLISH * 6 + "- stop the tablets for two weeks and then start again\n- repeat the blood test before the next visit here\n",
        "病人星期一出院。" * 20,
        "- The list of what is new is long, and each of its items goes on\n  in lines that begin with two blanks and a small letter\n" * 3,
        # What was cut is blank, and may have had the only capital.
        "             came in with a cough and was seen by            on the same day.\n" * 3,
        "                , who came in with a cough, was seen on the same day and went home again.\n" * 3,
        '{"note": "came in with a cough and went home again on the same day", "ward": "north"}\n' * 3,
        "12,north,came in with a cough and went home again on the same day\n" * 3,
    ],
)  # fmt: skip
def test_sentences_lists_and_scripts_without_capitals_are_no_gap_of_small_letters(text: str) -> None:
    assert not any("small letters" in gap.reason for gap in NameFinder().gaps(_document(text)))


def test_a_chat_from_which_names_were_cut_is_one_in_small_letters() -> None:
    cut = "[              ]        : yeah ok         said she would pick him up\n[              ]        : hope took him to the park after\n"
    (gap,) = NameFinder().gaps(_document(cut * 2))
    assert "small letters" in gap.reason


@pytest.mark.parametrize(
    "text",
    [
        '{"note": "her son will opened the parcel and the lamp was broken", "shop": "north"}\n' * 3,
        "1,north,he left it with grace at the corner shop and went home again\n" * 3,
        "        ,            ,he left it with grace at the corner shop and went home again\n" * 3,
        "<note>he left it with grace at the corner shop and went home again</note>\n" * 3,
        "- ring will and ask him for the keys of the van\n- take hope and her sister to the station\n" * 2,
        "> yes i think hope has the keys of the van. ask will\nThank you.\n" * 3,
        # A keyboard puts the first capital of a message, and nobody ends one.
        "Jazz: Did anyone hear from will about the van\nDave: Nah he was supposed to pick up hope\n" * 2,
        "Morning all. can somebody ask will about the van, i think hope has it. thanks\n" * 2,
    ],
)  # fmt: skip
def test_small_letters_in_records_lists_quotes_and_messages_are_a_gap(text: str) -> None:
    (gap,) = NameFinder().gaps(_document(text))
    assert "small letters" in gap.reason


@pytest.mark.parametrize(
    "text",
    [
        '{"rows": "number of rows that are read from the file at once", "skip": "lines that are left out"}\n' * 3,
        "Complaint: Headache for two weeks after a fall\nHistory: Asthma since childhood and a broken arm\nPlan: Scan of the head and a letter\n",
        "Notes: Cleared the cache and restarted the machine\nNotes: Called the vendor and opened a case\nNotes: Waiting for an answer from them\n",
        "I would like to see the manual, and I will pay for it.\nI have two of them at home, and both are broken.\n" * 2,
        "1.             said that he had spoken to             after the meeting.\n" * 3,
        "Dr: Did you take the tablets in the morning?\nPt: Most days, and sometimes at night.\n" * 3,
    ],
)  # fmt: skip
def test_forms_notes_and_records_of_no_people_are_no_gap_of_small_letters(text: str) -> None:
    assert not any("small letters" in gap.reason for gap in NameFinder().gaps(_document(text)))


@pytest.mark.parametrize(
    "piece", ["[1/1, 1:1] a: ", "- ", "a b\n", "a: ", "1 ", "A\n", "> ", ",a b ", "he. i "]
)
def test_small_letters_are_looked_for_in_linear_time(piece: str) -> None:
    assert_linear(lambda text: list(_small_letters(text)), piece, 100_000)
