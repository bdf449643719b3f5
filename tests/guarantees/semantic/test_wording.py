"""What stands around a replacement: determiners, adverbs, brackets, verbs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from efface.core import Edit, Mention, apply_edits
from efface.finders.phrases import PhraseFinder
from efface.guarantees.semantic.edits import GROUPED, worded_edit
from efface.guarantees.semantic.english.fitting import is_fitting, without_classes_of_themselves
from efface.guarantees.semantic.english.heads import heads
from efface.guarantees.semantic.english.wording import (
    agreeing,
    degree_start,
    leaves_degree,
    merged,
    needing_article,
    shares_determiner,
    shares_head,
)
from efface.guarantees.semantic.term_queries import TermQueries
from efface.guarantees.semantic.terms import Generaliser, Option
from efface.knowledge.corpus.counts import wikipedia
from efface.knowledge.corpus.text_runs import term_keys
from efface.knowledge.taxonomy.concepts import lexicon, wordnet
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


def test_things_with_articles_of_their_own_are_merged_too() -> None:
    text = "I began hydroxychloroquine and a little prednisolone there."
    changes = ("hydroxychloroquine", "a drug"), ("little prednisolone", "drug")
    assert edited(text, *changes) == "I began two drugs there."
    text = "A tulip and an orchid stood there."
    assert edited(text, ("tulip", "flower"), ("orchid", "flower")) == "Two flowers stood there."


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
    return Generaliser(TermQueries(wikipedia(), 3), (wordnet(),), (), vectors=packaged_vectors())


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
    options = generaliser.options(term.lower(), [term])
    assert wrong not in {option.label for option in options if not option.gap}


@pytest.mark.parametrize(
    ("text", "stood", "label"),
    [
        ("The cities of Mecca and others.", "Mecca", "city"),
        ("Symptoms may include fever.", "fever", "symptom"),
        ("branches of a religion such as Judaism may be", "Judaism", "religion"),
        ("the Wernicke–Korsakoff syndrome", "Wernicke", "disease"),
        ("by CD8+ cells", "CD8", "protein"),
        ('known as "the great imitator" by', "great imitator", "disease"),
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
            "… is a condition of the brain.",
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
            "Treatment may then involve some combination of rest and surgery.",
            [("surgery", "a treatment")],
            "Treatment may then involve some combination of rest and ….",
        ),
        (
            "Leukemias both belong to a broader group that holds tumors.",
            [("Leukemias", "Illnesses"), ("tumors", "illnesses")],
            "Illnesses both belong to a broader group that holds ….",
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


@pytest.mark.parametrize(
    ("phrase", "expected"),
    [
        ("young immune system", ["immune system"]),
        ("blood tests", ["tests"]),
        ("bladder control", []),
        ("weight loss", []),
        ("20th century", []),
        ("largest city", []),
        ("second-busiest airport", []),
        ("eastern part", []),
        ("her mother's rare illness", ["her mother's illness"]),
        ("social worker", []),
    ],
)
def test_an_end_of_a_phrase_stands_for_it_where_it_says_enough(phrase: str, expected: list[str]) -> None:
    words = phrase.split()
    found = [" ".join((*words[: head.whose], *words[head.start :])) for head in heads(words, (wordnet(),))]
    assert found == expected


@pytest.mark.parametrize(
    ("term", "unsaid"),
    [
        ("water", "material"),
        ("alcohol", "food"),
        ("desk", "furniture"),
        ("chest X-ray", "electromagnetic radiation"),
        ("lung", "body part"),
        ("host", "person"),
        ("parks", "person"),
        ("Bayer", "medicine"),
        ("last winter", "season"),
        ("insolvency", "condition"),
    ],
)
def test_a_class_that_nobody_would_write_there_is_not_offered(term: str, unsaid: str) -> None:
    generaliser = Generaliser(TermQueries(wikipedia(), 3), (wordnet(),), (), vectors=packaged_vectors())
    key = " ".join(term_keys(term, lexicon()))
    assert unsaid not in [option.label for option in generaliser.options(key, [term])]


@pytest.mark.parametrize(
    ("text", "words", "is_broken"),
    [
        ("one of the world's most valuable companies", "valuable companies", True),
        ("most companies there", "companies", False),
        ("some types cause more severe disease than others", "severe disease", True),
    ],
)
def test_no_adverb_is_left_without_its_adjective(text: str, words: str, is_broken: bool) -> None:
    assert leaves_degree(text, text.index(words), words.split()) == is_broken


@pytest.mark.parametrize(
    ("text", "phrase", "expected"),
    [
        ("It is caused by hearing or vision problems there.", "vision problems", "hearing or … problems"),
        ("It is caused by the vision problems of them.", "vision problems", "by the … problems"),
        ("It is caused by vision problems of them.", "vision problems", "by problems of"),
        ("some types cause more severe illness than others", "severe illness", "cause more … than"),
        ("My partner Joseph fled there.", "partner Joseph", "My … Joseph fled"),
    ],
)
def test_words_go_unseen_only_where_nothing_leans_on_them(text: str, phrase: str, expected: str) -> None:
    start = text.index(phrase)
    mention = Mention(start, start + len(phrase), "TERM", phrase, 1.0, GROUPED)
    first, last = phrase.split()
    own = Option(phrase, ((phrase,),), (first, last), 9.0)
    other = Option(last, ((last,),), (last,), 5.0, suffix=1)
    if last == "illness":
        other = Option("condition", (("condition",),), ("condition",), 5.0)
    edit = worded_edit(text, mention, own, other)
    assert expected in apply_edits(text, [replace(edit, replacement=edit.replacement or "…")])


def test_an_acronym_of_a_phrase_loses_no_words() -> None:
    text = "a neurocognitive disorder (NCD) of old age"
    own = Option("neurocognitive disorder", (("NCD",),), ("NCD", "disorder"), 9.0)
    head = Option("disorder", (("disorder",),), ("disorder",), 5.0, suffix=1)
    start = text.index("NCD")
    edit = worded_edit(text, Mention(start, start + 3, "TERM", "disorder|NCD", 1.0, GROUPED), own, head)
    assert (text[edit.start : edit.end], edit.replacement) == ("NCD", None)


def test_a_singular_that_shares_a_determiner_gets_no_article() -> None:
    text = "Her lungs, kidneys and liver were normal."
    assert shares_determiner(text, text.index("liver"), "liver")
    assert not shares_determiner("He has malaria and hepatitis.", 19, "hepatitis")


def test_antibiotics_are_many_and_genetics_is_one_science() -> None:
    assert agreeing("medicine", "antibiotics") == "medicines"
    assert agreeing("medicine", "antidiabetics") == "medicines"  # hardly anybody has counted them
    assert agreeing("science", "genetics") == "science"


def test_a_name_with_an_apostrophe_is_no_plural() -> None:
    assert agreeing("holiday", "B'Av") == "holiday"
    assert agreeing("drug", "ARVs") == "drugs"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The group states that it helps.", ["group"]),
        ("Damage to the brain results in pain.", ["Damage", "brain", "pain"]),
        ("Some people experience insomnia.", ["people", "insomnia"]),
    ],
)
def test_a_verb_that_could_be_a_plural_is_seen(text: str, expected: list[str]) -> None:
    found = [text[m.start : m.end] for m in PhraseFinder().find(text) if m.because == "noun phrase"]
    assert found == expected


@pytest.mark.parametrize(
    ("text", "stood", "label"),
    [
        ("Prague (Czech: Praha) is old.", "Praha", "city"),
        ("The pimple-like rash.", "pimple", "illness"),
        ("sessions with a psychologist", "psychologist", "person"),
        ("the Republic of Genoa was", "Genoa", "city"),
    ],
)
def test_a_gloss_a_compound_and_a_new_person_get_a_placeholder(text: str, stood: str, label: str) -> None:
    start = text.index(stood)
    assert not is_fitting(text, start, start + len(stood), label)


def test_the_other_one_is_one() -> None:
    assert agreeing("relative", "spouse", "for the other ") == "relative"
    assert agreeing("relative", "spouse", "and other ") == "relatives"


def test_an_adjective_with_a_hyphen_follows_its_article() -> None:
    assert needing_article("a pimple-like rash", 14, 18, "symptom") == "symptom"


def test_two_clauses_are_no_list() -> None:
    text = "Along with Bratislava, Vienna grows."
    assert edited(text, ("Bratislava", "a city"), ("Vienna", "a city")) == "Along with a city, a city grows."


@pytest.mark.parametrize(
    "text",
    [
        "See diabetes.pdf for more.",
        "The tag is #diabetes now.",
        "Write to diabetes@home now.",
        "Some diabetes(es) are rare.",
        "The field is diagnosis=diabetes in the log.",
        "Diagnosis:diabetes was noted.",
        "p .diabetes{color:red}",
    ],
)
def test_no_words_stand_inside_a_token(text: str) -> None:
    start = text.index("diabetes")
    assert not is_fitting(text, start, start + len("diabetes"), "disease")


def test_words_stand_before_a_mark() -> None:
    for mark in (".", ",", ";", ":", "…", " (", "†"):
        text = f"She has diabetes{mark} He knows."
        assert is_fitting(text, 8, 16, "disease")
