"""A line whose words are not those of the language it looks like is told: Russian or Chinese in Latin letters."""

from __future__ import annotations

import pytest

from efface.core import Document
from efface.finders.names.coverage import language_gaps
from efface.text.language import LanguageStretch, languages
from efface.text.mistaken_languages import mistaken_lines

LETTER = "Dear Ms Hollis,\nThank you for your letter about the delivery.\n{}\nKind regards, the service desk of this town\n"
SPELLED_OUT = (
    "Zvonila Marina Sokolova iz Samary, prosila peredat chto priedet zavtra vecherom s muzhem.",
    "Wang Xiaoming zhu zai Shanghai, zuotian gei Li yisheng da le dianhua.",
    "Tanaka Hanako san wa kinou Osaka no byouin ni denwa shimashita.",
    "Watashi no namae wa Sato Kenji desu. Yokohama ni sunde imasu. Yoroshiku onegai shimasu.",
    "Ana Khaled min Amman, ittasalt bil doktor imbareh ashan el natayij.",
    "Sunita ji Kanpur mein rehti hain aur kal doctor ko phone kiya tha.",
    "kalimera sas, eimai i Maria apo ti Larisa, thelo na miliso me ton giatro.",
    "Please ring back. Ya segodnya byl u vracha i on skazal chto vse normalno.",
)
ORDINARY = (
    "aspirin 75 mg od, ramipril 5 mg od, bisoprolol 2 mg bd, atorvastatin nocte",
    "ramipril, amlodipine, bisoprolol, atorvastatin, omeprazole, sertraline, metformin",
    "apt-get install -y libfoo-dev libbar-dev python3-venv nettle-dev libtasn1-bin",
    "pt seen by me today, wants to go home and is fine with that",
    "GET /api/v1/items?page=2&size=40 took 31 ms and was served from the cache",
)


def _gaps(text: str) -> list[str]:
    return [gap.where for gap in language_gaps(Document("letter.txt", "text", text, ()))]


@pytest.mark.parametrize("line", SPELLED_OUT)
def test_another_language_in_latin_letters_is_a_gap_in_an_english_letter(line: str) -> None:
    assert _gaps(LETTER.format(line)) == ["text beginning in line 3"]


@pytest.mark.parametrize("line", SPELLED_OUT)
def test_another_language_in_latin_letters_is_a_gap_by_itself(line: str) -> None:
    # The Chinese line has the small words of Italian ("da", "le"), the last one begins in English.
    if not line.startswith(("Wang", "Please")):
        assert _gaps(line) == ["text beginning in line 1"]


@pytest.mark.parametrize("line", ORDINARY)
def test_lists_commands_and_notes_are_none(line: str) -> None:
    assert _gaps(LETTER.format(line)) == []


@pytest.mark.parametrize(
    "line",
    [
        "Wir haben gestern mit der Verwaltung über den Vertrag gesprochen und warten auf eine Antwort.",
        "Nous avons bien reçu votre courrier et nous vous répondrons dans les meilleurs délais.",
        "O exame foi feito ontem e o resultado deve chegar ao seu médico na próxima semana.",
        "Vi har talat med läkaren om provet och väntar på att han ska ringa.",
    ],
)
def test_a_covered_language_is_none(line: str) -> None:
    assert mistaken_lines(line, languages(line)) == []


def test_the_policy_may_say_which_languages_there_are() -> None:
    document = Document("letter.txt", "text", SPELLED_OUT[0], ())
    assert list(language_gaps(document, known=["en"])) == []


def test_the_other_languages_are_judged_by_all_that_they_say() -> None:
    poor = "Jogando santos levantando troféus desde criança feliz campeão"
    rich = "Ele foi para a escola com o irmão e a mãe dele."
    text = f"{poor}\n{rich}"
    assert mistaken_lines(poor, [LanguageStretch(0, len(poor), "pt")]) == [1]
    assert mistaken_lines(text, [LanguageStretch(0, len(text), "pt")]) == []
