"""What stands in the text afterwards is English: nothing is cut through, and no word is taken for another."""

from __future__ import annotations

from functools import lru_cache

import pytest

from efface.core import Term
from efface.finders.phrases import PhraseFinder
from efface.guarantees.semantic.english.surfaces import surfaces_of
from efface.guarantees.semantic.english.wording import agreeing, is_owned, needing_article
from efface.guarantees.semantic.guarantee import Semantic
from efface.guarantees.semantic.term_queries import TermQueries
from efface.guarantees.semantic.terms import Generaliser
from efface.knowledge.corpus.counts import wikipedia
from efface.knowledge.taxonomy.concepts import wordnet
from efface.knowledge.taxonomy.countability import countability
from efface.knowledge.taxonomy.definitions import definitions
from efface.knowledge.vectors.word_vectors import packaged_vectors


@lru_cache(maxsize=8)
def hidden(name: str, general: str) -> Semantic:
    return Semantic(
        {name: general}, wikipedia(), (wordnet(),), vectors=packaged_vectors(), definitions=definitions()
    )


def generaliser() -> Generaliser:
    return Generaliser(TermQueries(wikipedia(), 3), (wordnet(),), (), vectors=packaged_vectors())


def labels(term: str) -> list[str]:
    """What may stand for a term by itself, without a gap."""
    options = generaliser().options(term.lower(), [term])[1:-1]
    return [option.label for option in options if not option.gap]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It moved to Redmond eleven years later.", ["Redmond", "years"]),
        ("He took lamivudine eight months ago.", ["lamivudine", "months"]),
        ("At the twenty-week scan she was fine.", ["twenty-week", "scan"]),
        ("He has type 2 diabetes.", ["type 2 diabetes"]),
        ("There were repeats of the disease months later.", ["repeats", "disease", "months"]),
        ("It is seen in those who drink coffee or tea.", ["coffee", "tea"]),
        ("With other antipsychotics clozapine may help.", ["antipsychotics", "clozapine"]),
        ("The illness, also spelled leukaemia, is rare.", ["illness", "leukaemia"]),
        ("He opened a savings account.", ["savings account"]),
    ],
)
def test_a_number_word_parts_phrases_unless_a_hyphen_ties_it(text: str, expected: list[str]) -> None:
    found = [text[m.start : m.end] for m in PhraseFinder().find(text) if m.because == "noun phrase"]
    assert found == expected


@pytest.mark.parametrize(
    "text", ["She works part-time now.", "He is HIV-positive.", "They walked hand-in-hand."]
)
def test_no_hyphen_between_content_words_is_cut_through(text: str) -> None:
    ends = {text[m.end : m.end + 1] + text[m.end + 1 : m.end + 4] for m in PhraseFinder().find(text)}
    assert not ends & {"-tim", "-pos"}


def test_a_part_of_a_name_does_not_stand_for_the_name() -> None:
    assert "Gates" not in labels("Bill Gates")
    assert "month" not in labels("last month")


@pytest.mark.parametrize(
    ("term", "wrong"),
    [
        ("auction", "bridge"),
        ("supplier", "capitalist"),
        ("foetus", "animal"),
        ("parent", "ancestor"),
        ("rent", "sum"),
    ],
)
def test_a_label_that_is_far_or_means_something_else_first_is_passed_over(term: str, wrong: str) -> None:
    assert wrong not in labels(term)


@pytest.mark.parametrize(("term", "right"), [("pneumonia", "disease"), ("oak", "tree")])
def test_the_nearest_word_comes_first(term: str, right: str) -> None:
    assert right in labels(term)


def test_what_is_counted_was_learned() -> None:
    known = countability()
    assert all(map(known.is_mass, ["meat", "furniture", "money", "clothing", "violence"]))
    assert not any(map(known.is_mass, ["illness", "injury", "disease", "mother", "condition"]))
    assert known.is_counted("hospital") and not known.is_counted("meat")


def test_articles_go_with_what_is_counted() -> None:
    assert needing_article("He eats pork.", 8, 12, "meat") == "meat"
    assert needing_article("He has pneumonia.", 7, 16, "infection") == "an infection"
    assert needing_article("bottles of vodka", 11, 16, "liquid") == "liquid"


def test_a_name_that_ends_in_s_is_one_thing() -> None:
    assert agreeing("person", "Gates") == "person"
    assert agreeing("person", "creditors") == "people"


def test_a_name_that_begins_a_sentence_stays_a_name() -> None:
    text = "Sam's doctor called. Every doctor called."
    terms = [Term(text[m.start : m.end], m.type, (m,), "phrases") for m in PhraseFinder().find(text)]
    assert {spelled for term in terms for spelled in surfaces_of(term, text)} >= {"Sam's doctor"}
    assert needing_article(text, 0, 12, "Sam's relative") == "Sam's relative"


def test_whose_it_is_is_seen() -> None:
    assert is_owned("His partner", 4) and is_owned("Anna's partner", 7) and not is_owned("The partner", 4)


def test_rivals_are_things_that_the_text_could_be_about() -> None:
    readers = hidden("cannabis", "drug").readers
    assert readers is not None
    rivals = {rival.name for rival in readers.entities[0].rivals}
    assert {"opium", "heroin", "cocaine"} <= rivals
    assert not rivals & {"geneva", "manhattan", "max", "Elvis", "collins", "cure-all"}


def test_a_dictionary_knows_what_articles_do_not() -> None:
    readers = hidden("cannabis", "drug").readers
    assert readers is not None
    joint, table = readers.source.for_look(wikipedia()).of(["joint", "table"])
    own = int(readers.places[0][0][0])
    assert joint[0, own] > 1 and table[0, own] < 1
    assert readers.defines_entity("joint") and not readers.defines_entity("table")


def test_definitions_answer_for_several_things_at_once() -> None:
    found = definitions().related([["marijuana"], ["HIV"], ["no such word"]])
    assert 0 in found["joint"] and found["lamivudine"] == {1}
    assert not any(2 in things for things in found.values())


def test_plurals_come_without_checks_of_types_at_run_time() -> None:
    """typeguard makes the checks by rewriting inflect's source as it is imported, which takes over two seconds."""
    import typeguard

    from efface.guarantees.semantic.english.plurals import ENGINE

    assert "TypeCheckMemo" not in ENGINE.plural_noun.__code__.co_names
    assert typeguard.typechecked.__module__.startswith("typeguard"), "others still have what they ask for"
