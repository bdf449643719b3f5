"""Ready policies: every entity is known to the packaged corpus and measurable against its generalisation."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from efface.api.sanitizer import Sanitizer
from efface.core import Verdict
from efface.errors import PolicyError
from efface.guarantees.semantic.guarantee import Semantic
from efface.guarantees.semantic.unknown_words import is_abbreviation, is_special
from efface.policy.model import PRESETS, load, preset
from tests.guarantees.semantic.oracle import reading


@cache
def sanitizer(name: str) -> Sanitizer:
    """One for all tests: what it learns of its entities takes two seconds."""
    return Sanitizer.from_text(preset(name))


def semantic(name: str) -> Semantic:
    (promise,) = (one for one in sanitizer(name).bind().guarantees if isinstance(one, Semantic))
    return promise


@pytest.mark.parametrize("name", ("hipaa-like", "gdpr-special"))
def test_a_preset_can_be_bound_and_finds_what_it_hides(name: str) -> None:
    guarantee = semantic(name)
    assert len(guarantee.warnings()) <= 3  # the comments in the preset say which
    assert not guarantee.assess(reading("The train was late."))
    for entity in guarantee.hide:
        assert entity in {finding.secret for finding in guarantee.assess(reading(f"It was {entity}."))}


def test_religion_is_inferred_from_what_goes_with_it() -> None:
    found = semantic("gdpr-special").assess(reading("He fasts during Ramadan and reads the Quran."))
    assert "Islam" in {finding.secret for finding in found}


@pytest.mark.parametrize(
    "text",
    [
        "After his mother's death he moved to Leeds.",
        "The delivery is three weeks old.",
        "Her sister votes in every election and plays chess.",
        "She speaks Catalan at home; the Catalan neighbour was born in Girona.",
    ],
)
def test_everyday_words_betray_no_special_category(text: str) -> None:
    assert semantic("gdpr-special").assess(reading(text)) == ()


@pytest.mark.parametrize(
    ("text", "entity"),
    [("She saw the midwife.", "pregnancy"), ("It is in the collective bargaining agreement.", "trade union")],
)
def test_what_goes_with_a_special_category_betrays_it(text: str, entity: str) -> None:
    assert entity in {finding.secret for finding in semantic("gdpr-special").assess(reading(text))}


PAGES = {
    "health": (
        "Thank you for seeing this man of 34. He has been on dolutegravir since March and his viral load is now low. He was "
        "offered PrEP before that. He goes to AA meetings on Tuesdays and was discharged from the ward in May. He works as "
        "a carpenter. The kitchen roof needs repair.",
        ("dolutegravir", "viral load", "PrEP", "AA", "ward"),
        ("carpenter", "The kitchen roof needs repair."),
    ),
    "money": (
        "The insolvency practitioner has told us that an individual voluntary arrangement was agreed with your creditors, "
        "and that you are three months in arrears with the mortgage. The heating in the flat was mended on Friday.",
        ("insolvency", "voluntary arrangement", "creditors", "arrears", "mortgage"),
        ("The heating in the flat was mended on Friday.",),
    ),
    "politics-religion": (
        "She fasts during Ramadan, prays at the mosque and reads the Quran. Last year she was shop steward. On Saturday "
        "she plays tennis with her cousin, who is a dentist.",
        ("Ramadan", "mosque", "Quran", "steward"),
        ("tennis with her cousin",),
    ),
    "sexuality": (
        "He came out to his parents, met his boyfriend in a gay bar and marched at Pride. He teaches mathematics.",
        ("came out", "boyfriend", "gay", "Pride"),
        ("He teaches mathematics.",),
    ),
    "crime": (
        "After two years in prison he was released on parole and sees his probation officer. He had been convicted of theft. "
        "He now works in a bakery.",
        ("prison", "parole", "probation", "convicted", "theft"),
        ("He now works in a bakery.",),
    ),
    "gdpr-special": (
        "She is expecting and saw the midwife. She takes dolutegravir and goes to the synagogue on Saturdays. The office "
        "will be painted.",
        ("expecting", "midwife", "dolutegravir", "synagogue"),
        ("The office will be painted.",),
    ),
}


MORE_PAGES = {
    "health": (
        "He has been sober for two years; his sponsor drives him. He lost his licence after the breathalyser test. His wife's "
        "first scan was in June, and the obstetrician wants to see her again. The kitchen roof needs repair.",
        ("sober", "sponsor", "breathalyser", "scan", "obstetrician"),
        ("The kitchen roof needs repair.",),
    ),
    "money": (
        "He was made bankrupt, pays by instalments and lives on benefits since he was laid off. The garden is in flower.",
        ("bankrupt", "instalments", "benefits", "laid off"),
        ("The garden is in flower.",),
    ),
    "politics-religion": (
        "She unrolls her prayer mat, keeps Passover, marched with the union and campaigned for a seat. The roof leaks.",
        ("prayer mat", "Passover", "marched", "campaigned"),
        ("The roof leaks.",),
    ),
    "crime": (
        "He served two years at HMP Leeds for burglary and saw the parole board in May. The bakery opens at six.",
        ("served two years", "HMP", "burglary", "parole"),
        ("The bakery opens at six.",),
    ),
}


@pytest.mark.parametrize(
    ("name", "page"),
    [*PAGES.items(), *MORE_PAGES.items()],
    ids=[*PAGES, *(f"{name}-2" for name in MORE_PAGES)],
)
def test_what_a_preset_is_for_does_not_get_through(
    name: str, page: tuple[str, tuple[str, ...], tuple[str, ...]]
) -> None:
    text, gone, kept = page
    report = sanitizer(name).sanitize(text.encode(), name="page.txt")
    assert report.verdict is Verdict.HELD
    assert report.released is not None
    left = report.released.decode()
    assert [word for word in gone if word.lower() in left.lower()] == []
    assert [words for words in kept if words not in left] == []


@pytest.mark.parametrize(
    ("word", "special"),
    [
        ("dolutegravir", True),
        ("CYP2D6", True),
        ("iPhone", True),
        ("Qzorvane", True),
        ("transglutaminase", True),
        ("cystoscopies", True),
        ("laminectomy", True),
        ("diagnosis", False),
        ("pillowcase", False),
        ("blorple", False),
        ("quaxing", False),
    ],
)
def test_unknown_words_are_told_by_their_shape(word: str, special: bool) -> None:
    assert is_special([word]) is special


@pytest.mark.parametrize(
    ("word", "short"),
    [
        ("CTO", True),
        ("FSM", True),
        ("OCBs", True),
        ("HR", False),
        ("MRI", False),
        ("WARD", False),
        ("NHS", False),
        ("Ward", False),
    ],
)
def test_abbreviations_that_not_every_office_uses(word: str, short: bool) -> None:
    assert is_abbreviation(word) is short


@pytest.mark.parametrize(
    ("name", "text", "gone"),
    [
        (
            "gdpr-special",
            "She is off for Jumu'ah and flies to Jeddah for the pilgrimage.",
            ("Jumu", "Jeddah", "pilgrimage"),
        ),
        (
            "gdpr-special",
            "Tomasz is our new rep; subs go by check-off. #solidarity",
            ("rep", "check-off", "solidarity"),
        ),
        ("gdpr-special", "He had glecaprevir, SVR12, ICD-10: B18.2.", ("glecaprevir", "SVR12", "B18")),
        (
            "hipaa-like",
            "She was reactive: HLA-B*5701 negative, VL 38,000 copies/mL. Z21.",
            ("HLA", "copies", "Z21", "VL"),
        ),
        ("health", "Jo is 14+3; baby's due in June, then mat leave.", ("14+3", "due", "mat leave")),
        ("health", "Dean is on a script, 60 mls daily, and uses on top.", ("script", "mls", "on top")),
        ("health", "She is on a CTO and gets Depixol at the CMHT.", ("CTO", "Depixol", "CMHT")),
        ("money", "He would pay 12p in the pound; his girl gets FSM.", ("pound", "FSM")),
        ("politics-religion", "Priya chairs the CLP and sang the Red Flag.", ("CLP", "Red Flag")),
        ("politics-religion", "Their boys have payot and go to cheder.", ("payot", "cheder")),
        ("sexuality", "She is on E and spiro and waits for GRS.", ("on E", "spiro", "GRS")),
        ("crime", "He did eighteen months and is on a tag; he sees his PO.", ("eighteen", "tag", "PO")),
    ],
)
def test_abbreviations_codes_and_slang_do_not_get_through(
    name: str, text: str, gone: tuple[str, ...]
) -> None:
    report = sanitizer(name).sanitize(
        f"{text} The tram was late.".encode(), name="note.txt", allow_unproven=True
    )
    assert report.released is not None
    left = report.released.decode()
    assert [words for words in gone if words in left] == []
    assert "The tram was late." in left


@pytest.mark.parametrize("name", ["health", "gdpr-special"])
def test_allergies_and_the_calendar_stay(name: str) -> None:
    text = b"He comes three times a week until the end of the month. He is allergic to sulfa and dust mites."
    assert sanitizer(name).sanitize(text, name="note.txt").released == text


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_a_policy_by_its_name(name: str) -> None:
    policy = load(Path(name))
    assert policy.guarantees or "default" in (policy.find.names, policy.find.patterns)
    with pytest.raises(PolicyError):
        preset("none-such")


@pytest.mark.parametrize("label", ["DOB", "MRN", "NHS", "GP"])
def test_a_label_of_a_form_is_no_brand(label: str) -> None:
    assert not is_special([label])


def test_hipaa_like_keeps_no_employer() -> None:
    text = "Name: Ann Whitcombe\nShe was seen in Leeds and works for Halden Shipyard."
    report = sanitizer("hipaa-like").sanitize(text.encode(), name="letter.txt")
    assert report.released is not None
    released = report.released.decode()
    assert not [word for word in ("Halden", "Shipyard", "Whitcombe", "Leeds") if word in released]
