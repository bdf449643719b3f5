"""What stands around a replacement: determiners, adverbs, brackets, verbs."""

from __future__ import annotations

import pytest

from efface.core import Edit, apply_edits
from efface.guarantees.semantic.fitting import is_fitting, without_classes_of_themselves
from efface.guarantees.semantic.judge import Judge
from efface.guarantees.semantic.terms import Generaliser
from efface.guarantees.semantic.wording import agreeing, degree_start, merged, needing_article, shares_head
from efface.knowledge.corpus.counts import wikipedia
from efface.knowledge.taxonomy.concepts import wordnet
from efface.knowledge.vectors.word_vectors import packaged_vectors


def edited(text: str, *changes: tuple[str, str | None]) -> str:
    """The text with words replaced, as a plan does it; None is a removal, shown as dots."""
    edits, at = [], 0
    for word, new in changes:
        at = text.index(word, at)
        edits.append(Edit(at, at + len(word), "TERM", word, "", new))
        at += len(word)
    done = merged(text, list(without_classes_of_themselves(text, edits)))
    return apply_edits(
        text,
        [
            Edit(e.start, e.end, e.type, e.key, "", "…" if e.replacement is None else e.replacement)
            for e in done
        ],
    )


def test_no_second_determiner_follows_a_removed_word() -> None:
    text = "Malaria is a mosquito-borne infectious disease."
    changes = ("mosquito-borne", None), ("infectious disease", "a condition")
    assert edited(text, *changes) == "Malaria is a … condition."
    assert edited(
        "It spread mosquito-borne disease.", ("mosquito-borne", None), ("disease", "a condition")
    ) == ("It spread … a condition.")


def test_the_same_words_are_not_said_again_in_brackets() -> None:
    text = "an electroencephalogram (EEG) of him"
    assert edited(text, ("electroencephalogram", "graph"), ("EEG", "graph")) == "an graph (…) of him"
    assert (
        edited("people with HIV/AIDS", ("HIV", "a condition"), ("AIDS", "a condition"))
        == "people with two conditions"
    )


def test_a_merged_list_agrees_with_its_verb() -> None:
    changes = ("doxycycline", "a drug"), ("ceftriaxone", "a drug")
    assert edited("doxycycline or ceftriaxone is used", *changes) == "a drug is used"
    assert edited("doxycycline or ceftriaxone helps", *changes) == "two drugs helps"


@pytest.mark.parametrize(
    ("text", "phrase", "expected"),
    [
        ("with very high blood pressure", "high blood pressure", "very high blood pressure"),
        ("in a more clinical usage", "clinical usage", "more clinical usage"),
        ("more severe infections than", "severe infections", "severe infections"),
        ("a delivery high up", "high", "high"),
    ],
)
def test_an_adverb_goes_with_its_adjective(text: str, phrase: str, expected: str) -> None:
    start = text.index(phrase)
    assert text[degree_start(text, start) : start + len(phrase)] == expected


def test_an_adjective_that_leans_on_the_same_noun_is_seen() -> None:
    text = "both a physical and mental illness"
    assert shares_head(text, text.index("mental"), ["mental", "illness"])
    text = "a doctor and mental illness"
    assert not shares_head(text, text.index("mental"), ["mental", "illness"])


@pytest.mark.parametrize(
    ("text", "word", "expected"),
    [
        ("It teaches that Islam is one.", "Islam", "a religion"),
        ("Of that disease nothing is known.", "disease", "religion"),
    ],
)
def test_that_is_a_determiner_only_where_it_points(text: str, word: str, expected: str) -> None:
    start = text.index(word)
    assert needing_article(text, start, start + len(word), "religion") == expected


@pytest.fixture(scope="module")
def generaliser() -> Generaliser:
    return Generaliser(Judge(wikipedia(), 3), (wordnet(),), (), vectors=packaged_vectors())


@pytest.mark.parametrize(
    ("term", "wrong"),
    [
        ("firm", "business"),
        ("romantic", "artist"),
        ("humans", "animal"),
        ("mankind", "primate"),
        ("God", "belief"),
        ("dementia", "insanity"),
        ("night sweats", "garment"),
        ("teachings", "occupation"),
        ("development", "improvement"),
        ("transmission", "sending"),
        ("species P", "chemical element"),
        ("large pupils", "person"),
        ("bacterium Treponema pallidum", "ganglion"),
        ("brown powder", "explosive"),
        ("night sweats", "clothing"),
        ("breast milk", "beverage"),
        ("culture", "society"),
        ("loss", "decline"),
        ("dry mouth", "mouth"),
        ("NASH", "person"),
    ],
)
def test_words_that_were_absurd_in_articles_stay_out(generaliser: Generaliser, term: str, wrong: str) -> None:
    assert wrong not in {option.label for option in generaliser.options(term.lower(), [term])}


@pytest.mark.parametrize(
    ("text", "stood", "label"),
    [
        ("The cities of Mecca and others.", "Mecca", "city"),
        ("Symptoms may include fever.", "fever", "symptom"),
        ("branches of a religion such as Judaism may be", "Judaism", "religion"),
        ("the Wernicke–Korsakoff syndrome", "Wernicke", "person"),
        ("by CD8+ cells", "CD8", "protein"),
        ('known as "the great imitator" by', "great imitator", "person"),
        ("An illness, also spelled leukaemia, is", "leukaemia", "growth"),
        ("people with HIV/AIDS and others", "HIV", "condition"),
    ],
)
def test_where_no_word_fits_a_placeholder_stands(text: str, stood: str, label: str) -> None:
    start = text.index(stood)
    end = start + len(stood)
    assert not is_fitting(text, start, end, label)
    assert is_fitting("He has " + stood + " now.", 7, 7 + len(stood), label)


@pytest.mark.parametrize(
    ("text", "changes", "expected"),
    [
        (
            "Syphilis brings gummas (soft, benign swellings) and pain.",
            [("Syphilis", "A condition"), ("gummas", "growths"), ("swellings", "growths")],
            "A condition brings growths (soft, benign …) and pain.",
        ),
        (
            "Epilepsy is a neurological disorder of the brain.",
            [("Epilepsy", "A condition"), ("neurological disorder", "condition")],
            "A condition is a … of the brain.",
        ),
        (
            "Gummas may include bleeding, chills, and fever.",
            [("Gummas", "Symptoms"), ("fever", "a symptom")],
            "Symptoms may include bleeding, chills, and ….",
        ),
        (
            "There are four types of leukemia, of which acute leukemia is one.",
            [("leukemia", "illness"), ("acute leukemia", "an illness")],
            "There are four types of illness, of which … is one.",
        ),
        (
            "It is rare. Malaria is a cause.",
            [("Malaria", "A condition")],
            "It is rare. A condition is a cause.",
        ),
    ],
)
def test_no_class_is_said_of_itself(text: str, changes: list[tuple[str, str]], expected: str) -> None:
    assert edited(text, *changes) == expected


def test_a_merged_list_after_a_determiner_has_no_number() -> None:
    changes = ("brain", "body part"), ("liver", "body part")
    assert edited("It affects the brain and liver.", *changes) == "It affects the body parts."


def test_the_name_of_one_illness_is_no_plural() -> None:
    assert agreeing("condition", "tremens") == "condition" == agreeing("condition", "yaws")
    assert agreeing("condition", "sores") == "conditions"
    assert agreeing("chemical", "dopamine", "not enough ") == "chemicals"
