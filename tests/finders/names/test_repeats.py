"""Names that are sure in one place are found in the others, in other languages too."""

from __future__ import annotations

import pytest

from efface.finders.names.finder import NameFinder


def found(text: str) -> str:
    """The text with a mark in place of every mention."""
    for mention in sorted(NameFinder().find(text), key=lambda one: -one.start):
        text = f"{text[: mention.start]}#{text[mention.end :]}"
    return text


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (
            "Tanık Barış Güler, Umut Savaş'ın orada olduğunu söyledi. Savaş reddediyor, Güler ısrar ediyor.",
            "Savaş",
        ),
        (
            "Vittnet Sten Modig säger att My Frid var närvarande. Frid nekar, och Modigs fru håller med.",
            "Modig",
        ),
    ],
)
def test_a_surname_that_is_an_ordinary_word_is_found_alone(text: str, name: str) -> None:
    assert name not in found(text)


def test_a_postcode_and_a_street_before_a_town_are_found() -> None:
    text = "Ich kündige den Vertrag für die Wohnung Am Alten Markt 7, 18055 Rostock, zum Ende des Monats."
    assert {"Markt", "18055", "Rostock"}.isdisjoint(found(text).replace(",", "").split())


def test_a_year_before_a_town_is_no_postcode() -> None:
    assert "2012" in found("Im Sommer 2012 London zu besuchen, war für die Kinder eine Freude.").split()


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Kære fru Bro\n\nMin mand Preben bor på Nørregade 15, 7400 Herning. Cpr-nummeret er kendt.", "7400"),
        ("Adressen är Storgatan 5, 903 26 Umeå. Ring mig i morgon.", "26"),
    ],
)
def test_a_postcode_goes_whole_whatever_its_town_is_taken_for(text: str, code: str) -> None:
    assert code not in found(text).replace(",", "").split()


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("Adres: Atatürk Caddesi No: 12, Kadıköy. Anahtarları kardeşim getirecek.", "12"),
        ("Olemme muuttaneet. Osoite on Hämeenkatu 3 A 5, 33100 Tampere. Avaimet tuo naapuri.", "A 5"),
    ],
)
def test_the_flat_goes_with_its_street(text: str, rest: str) -> None:
    assert rest not in found(text)


def test_the_last_number_of_a_row_is_no_place() -> None:
    rows = "Socio | Città | Telefono | Quota\nBruno Leone | Como | 031 223344 | 50\nGioia Serra | Lodi | 0371 556677 | 50"
    assert found(rows).split("\n")[1].endswith("| 50")


def test_a_town_after_a_postcode_is_found() -> None:
    assert "Kiel" not in found(
        "Rechnung an:\nHeinz Bürger\nFeldstraße 8\n24105 Kiel\n\nBetrag: 1.250,00 EUR. Zahlbar sofort."
    )


def test_who_stands_in_a_list_of_people_is_a_person() -> None:
    assert "- Power" not in found("Minutes. Attendees:\n- Power\n- Dr Strange\n\nPower took notes.")


def test_a_telephone_number_after_a_word_for_calling_is_found() -> None:
    from efface.finders.patterns.finder import PatternFinder

    for text in (
        "Ring på 20 12 34 56.",
        "Llamar a la señora Rico al 91 123 45 67 hoy.",
        "Legen ringer Kari på 480 12 345.",
    ):
        assert [mention.type for mention in PatternFinder().find(text)] == ["PHONE_NUMBER"]
