"""Labels of forms are no names; a value that is spelled as a label is one."""

from __future__ import annotations

import pytest

from efface.core import Document, Mention
from efface.pipeline.mention_filters.within_fields import within_fields


def _left(text: str, word: str) -> list[str]:
    start = text.index(word)
    mention = Mention(start, start + len(word), "PERSON", word.lower(), 1.0, "a test")
    return [text[m.start : m.end] for m in within_fields(Document("a.txt", "text", text), [mention])]


@pytest.mark.parametrize(
    "row",
    [
        "Name\tWard\tConsultant\nAnn\tCedar\tX",
        "| Name | Ward | DOB |\n|---|",
        "\tName\t\tWard\t\tDOB\t",
        "| Name | Ward |\n|---|---|",
    ],
)
def test_a_label_in_a_row_of_labels_is_no_name(row: str) -> None:
    assert _left(row, "Ward") == []


@pytest.mark.parametrize(
    ("row", "word"),
    [
        ("Nom;Prénom;Ville;Montant\nBlanc;Rose;Nice;120,00", "Prénom"),
        ("Nom;Prénom;Ville;Montant\nBlanc;Rose;Nice;120,00", "Nom;Prénom;Ville;Montant"),
        ("Mitglied | Ort | Telefon | Beitrag\n", "Beitrag"),
        ("Lid | Woonplaats | Telefoon | Contributie\n", "Contributie"),
        ("Efternamn\tFörnamn\tFödelseort\n", "Förnamn"),
        ("Fødselsdato: 3/8", "Fødselsdato"),
        ("Siviilisääty: naimisissa", "Siviilisääty"),
        ("İşveren: Çay", "İşveren"),
    ],
)
def test_labels_in_other_languages_are_no_names(row: str, word: str) -> None:
    assert _left(row, word) == []


@pytest.mark.parametrize("row", ["Anne: Hallo!", "Veli: Terve!", "Rosa;Blanc;Nice\n"])
def test_who_speaks_is_no_label(row: str) -> None:
    assert _left(row, row[:4]) == [row[:4]]


def test_the_heading_of_a_list_of_products_is_no_name() -> None:
    assert _left("EAN\tProduct\tColour\tPrice\tStock\n4006\tPen\tBlue\t3\t5", "Price") == []
    assert _left("EAN\tPrice\tKing\tBrown\n", "Price") == ["Price"]


@pytest.mark.parametrize(
    "row",
    ["Surname\tWard", "Anna\tWard\tTown", "Surname\nWard\nFirst name\nAnna", "Surname\tWard\tTown\tLeeds"],
)
def test_a_value_that_may_be_a_name_is_one(row: str) -> None:
    assert _left(row, "Ward") == ["Ward"]


@pytest.mark.parametrize(
    ("text", "marked", "left"),
    [
        (
            "(2) MR ANTHONY PIKE            Claimants\n",
            "MR ANTHONY PIKE            Claimants",
            ["MR ANTHONY PIKE"],
        ),
        ("K. is 17\n[12/01/2024, 21:05] Dad", "17\n[12/01/2024, 21:05", ["17", "12/01/2024, 21:05"]),
        ("Grace\n(Grace Will, GMC)", "Grace\n(Grace Will", ["Grace", "Grace Will"]),
        ("Anna Roe       Tunstall\n", "Anna Roe       Tunstall", ["Anna Roe", "Tunstall"]),
        (
            "Class 4B, taught by Miss Lamb\nOlly is a bright boy who enjoys maths and reads books.",
            "Miss Lamb\nOlly",
            ["Miss Lamb", "Olly"],
        ),
        (
            "It was on the way to school that the twins saw Priscilla\nOkonjo waving at them from the bus.",
            "Priscilla\nOkonjo",
            ["Priscilla\nOkonjo"],
        ),
    ],
)
def test_a_mention_ends_with_its_column_and_with_a_short_line(
    text: str, marked: str, left: list[str]
) -> None:
    assert _left(text, marked) == left
