"""Phrases of everyday words, brand names and abbreviations that tell an entity go wherever it is hidden."""

from __future__ import annotations

from functools import cache

import pytest

from efface.api.sanitizer import Sanitizer
from efface.core import Verdict
from efface.guarantees.semantic.english.letter_words import LETTER_WORDS
from efface.guarantees.semantic.guarantee import Semantic
from efface.guarantees.semantic.telling_phrases import phrase_pattern, telling_phrases
from efface.guarantees.semantic.unknown_words import is_addressed
from efface.knowledge.corpus.counts import wikipedia
from efface.knowledge.corpus.text_runs import term_key
from efface.knowledge.taxonomy.concepts import wordnet
from efface.knowledge.vectors.word_vectors import packaged_vectors


@cache
def hiding(entity: str, general: str) -> Sanitizer:
    return Sanitizer.from_text(
        "efface: 1\nfind: {patterns: none, names: none}\n"
        f"guarantees:\n  - semantic: {{hide: {{{entity}: {general}}}, max_group: 1}}\n"
    )


@pytest.mark.parametrize(
    ("entity", "general", "text", "gone"),
    [
        ("pregnancy", "condition", "Her due date is in May. The tram was late.", ("due date",)),
        (
            "pregnancy",
            "condition",
            "She asked about maternity\nleave. The tram was late.",
            ("maternity", "leave"),
        ),
        ("HIV", "virus", "He takes Biktarvy; las pruebas: VIH. The tram was late.", ("Biktarvy", "VIH")),
        ("HIV", "virus", "Die Viral Loads waren niedrig. The tram was late.", ("Viral Load",)),
        ("epilepsy", "disorder", "It showed epileptiform waves. The tram was late.", ("epileptiform",)),
        ("imprisonment", "punishment", "He was sent down for it. The tram was late.", ("sent down",)),
        (
            "epilepsy",
            "disorder",
            "He was given alteplase and atorvastatins. The tram was late.",
            ("plase", "atorva"),
        ),
        ("epilepsy", "disorder", "The rheumatologist called. The tram was late.", ("rheumatologist",)),
        ("diabetes", "disease", "She has T2DM and takes Ozempic. The tram was late.", ("T2DM", "Ozempic")),
    ],
)
def test_what_tells_an_entity_goes_outside_presets(
    entity: str, general: str, text: str, gone: tuple[str, ...]
) -> None:
    report = hiding(entity, general).sanitize(text.encode(), name="a.txt", allow_unproven=True)
    assert report.released is not None
    left = report.released.decode()
    assert [words for words in gone if words.lower() in left.lower()] == []
    assert "The tram was late." in left


@pytest.mark.parametrize(
    ("entity", "text"),
    [
        ("dementia", "He has had trouble finding the right words."),
        ("dementia", "She could recall one of three objects."),
        ("dementia", "He drew the clock with both hands at twelve."),
        ("communism", "She speaks of the means of production."),
        ("communism", "He sells a weekly newspaper there."),
        ("Judaism", "They keep two sets of plates."),
        ("Judaism", "A parchment is nailed to the door frame."),
        ("Christianity", "A crucifix hung there."),
        ("homosexuality", "It is a bar where men dance with men."),
        ("homosexuality", "He said that men like me must go."),
        ("imprisonment", "The judge gave him six years."),
        ("theft", "He took his phone and wallet."),
        ("debt", "They are four months behind with the rent."),
    ],
)
def test_descriptions_in_plain_words_are_told(entity: str, text: str) -> None:
    pattern = phrase_pattern(telling_phrases(term_key(entity)))
    assert pattern is not None and pattern.search(text)


@pytest.mark.parametrize("entity", ["dementia", "Judaism", "homosexuality", "imprisonment", "debt"])
@pytest.mark.parametrize(
    "text",
    [
        "The committee asked for the minutes and a list of costs.",
        "The order arrived on Tuesday, and the invoice was paid.",
        "The children found the museum closed and went to the park.",
    ],
)
def test_ordinary_sentences_tell_nothing(entity: str, text: str) -> None:
    pattern = phrase_pattern(telling_phrases(term_key(entity)))
    assert pattern is not None and not pattern.search(text)


def test_the_paper_alone_knows_no_phrases() -> None:
    policy = "efface: 1\nfind: {patterns: none, names: none}\nguarantees:\n  - semantic: {hide: {HIV: virus}, reader: terms}\n"
    report = Sanitizer.from_text(policy).sanitize(b"He was tested at the GUM clinic.", name="a.txt")
    assert report.verdict is Verdict.HELD and report.released == b"He was tested at the GUM clinic."


def test_phrases_are_found_in_any_number_case_and_spacing_and_names_as_they_are_written() -> None:
    pattern = phrase_pattern(["due date", "AA", "Momentum", "twelve-step"])
    assert pattern is not None
    found = [
        match.group()
        for match in pattern.finditer("Due  dates, AA, aa, Momentum, momentum, twelve step, AAA")
    ]
    assert found == ["Due  dates", "AA", "Momentum", "twelve step"]
    assert phrase_pattern([]) is None


def test_an_entity_has_the_phrases_of_all_its_lines() -> None:
    assert {"viral load", "Biktarvy", "VIH"} <= {*telling_phrases("HIV")}
    assert telling_phrases("chess") == ()


# Sentences of offices, wards, schools and shops in which no phrase of the list may be found.
_EVERYDAY = """
We are expecting a delivery of chairs on Wednesday. Petra will scan it straight to email. The candidate has good references.
The transition to the new system went well. Sales rose and complaints fell. The joint was stable three weeks ago.
He may return to light duties. Either party may end this agreement. The termination of the contract is in clause 4.
Owing to the weather the bus was late. The benefits of exercise are known. The sponsor of the cup is a bank. Read the sentence twice.
With caution, lift the lid. Put the letters into the ring binder. Sorry for the confusion. I bet it rains. What are the odds?
The shop is known as the corner shop. She works inside. It is a stretch of road. The report is in draft. Our sales rep called.
The dispute about the fence is over. The same question came up. It fits in the box. The wig is for the play's second act.
"""


@pytest.mark.parametrize(
    "entity", ["pregnancy", "alcoholism", "imprisonment", "debt", "trade union", "homosexuality", "diabetes"]
)
def test_everyday_words_are_no_telling_phrases(entity: str) -> None:
    pattern = phrase_pattern(telling_phrases(term_key(entity)))
    assert pattern is not None
    assert [match.group() for match in pattern.finditer(_EVERYDAY)] == []


@pytest.mark.parametrize(
    ("entity", "text", "told"),
    [
        ("pregnancy", "She is 14+3 and had her twelve-week scan", ["14+3", "twelve-week scan"]),
        ("pregnancy", "G2P1, on #MatLeave", ["G2P1", "MatLeave"]),
        ("dementia", "scored 14/30", ["14/30"]),
        ("hepatitis", "ICD-10: B18.2", ["B18"]),
        ("debt", "12p in the pound", ["12p in the pound"]),
        ("Judaism", "on Tisha B’Av", ["Tisha B’Av"]),
        ("heroin", "sixty mls daily, uses on top", ["sixty mls", "uses on top"]),
        ("imprisonment", "did eighteen months", ["did eighteen months"]),
        ("transsexual", "uses she/her, GRS in May", ["she/her", "GRS"]),
    ],
)
def test_numbers_codes_and_hashtags_tell(entity: str, text: str, told: list[str]) -> None:
    pattern = phrase_pattern(telling_phrases(term_key(entity)))
    assert pattern is not None
    assert [match.group() for match in pattern.finditer(text)] == told


@pytest.mark.parametrize(
    ("entity", "text", "told"),
    [
        ("hepatitis", "his eyes had turned yellow", ["eyes had turned yellow"]),
        ("hepatitis", "his eyes hurt. The leaves were yellow", []),
        ("epilepsy", "both arms began to jerk", ["arms began to jerk"]),
        ("Judaism", "once the sun has set", ["sun has set"]),
    ],
)
def test_words_of_a_phrase_may_stand_apart_in_one_sentence(entity: str, text: str, told: list[str]) -> None:
    pattern = phrase_pattern(telling_phrases(term_key(entity)))
    assert pattern is not None
    assert [match.group() for match in pattern.finditer(text)] == told


def test_how_people_are_addressed_stays() -> None:
    report = hiding("murder", "violence").sanitize(b"Dear Dr Rao,\nMr Okafor will ring.", name="a.txt")
    assert report.released == b"Dear Dr Rao,\nMr Okafor will ring."
    assert is_addressed("Note.\n\nHi Priya,\nhe came.", 7, 15)
    assert not is_addressed("He said Hi Priya there.", 8, 16)
    assert not is_addressed("Hi Dolutegravir,", 0, 15)


def test_words_that_tell_a_subject_together_are_evidence_in_a_letter() -> None:
    telling = {"job", "work", "apply", "client", "pay", "sell", "delivery", "expecting", "absent", "slot"}
    assert not telling & LETTER_WORDS
    assert {"meeting", "monday", "asked"} <= LETTER_WORDS


@pytest.mark.parametrize(
    ("name", "general", "phrase"),
    [
        ("type 2 diabetes", "disease", "HbA1c"),
        ("diabetes mellitus", "disease", "HbA1c"),
        ("gay", "person", "Pride"),
        ("Christianity", "religion", "Vatican"),  # of Catholicism, which is a kind of it
    ],
)
def test_phrases_are_those_of_the_entity_under_any_name(name: str, general: str, phrase: str) -> None:
    hidden = Semantic({name: general}, wikipedia(), (wordnet(),), vectors=packaged_vectors())
    assert phrase in hidden.telling


def test_phrases_of_what_may_be_known_stay() -> None:
    hidden = Semantic({"bowel cancer": "cancer"}, wikipedia(), (wordnet(),), vectors=packaged_vectors())
    assert "chemo" not in hidden.telling
