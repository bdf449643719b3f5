"""A phrase that must lose a word keeps the others, with a gap; a name, an owner and a telling phrase are not parted."""

from __future__ import annotations

from dataclasses import replace

import pytest

from efface.core import Mention, apply_edits
from efface.guarantees.semantic.edits import GROUPED, worded_edit
from efface.guarantees.semantic.english.gaps import gaps
from efface.guarantees.semantic.guarantee import Semantic
from efface.guarantees.semantic.terms import Option
from efface.knowledge.corpus.counts import wikipedia
from efface.knowledge.taxonomy.concepts import Taxonomy, wordnet
from tests.guarantees.semantic.oracle import ToyCorpus, reading, toy

NOTHING = Taxonomy.of("nothing", [])


def left(phrase: str, taxonomy: Taxonomy) -> list[str]:
    words = phrase.split()
    found = []
    for gap in gaps(words, (taxonomy,)):
        found.append(" ".join((*words[: gap.before], "…", *words[len(words) - gap.after :])))
    return found


def test_any_neighbouring_words_may_leave_a_gap_the_smallest_first() -> None:
    expected = ["… epileptic seizures", "recurrent … seizures", "recurrent epileptic …", "… seizures"]
    assert left("recurrent epileptic seizures", NOTHING)[:4] == expected


@pytest.mark.parametrize(
    ("phrase", "never"),
    [
        ("weak immune system", "weak immune …"),
        ("mother's sudden death", "… death"),
        ("famous Bill Gates", "… Gates"),
        ("vitamin D ointment", "… D ointment"),
    ],
)
def test_what_is_beside_a_gap_does_not_mislead_or_call_for_it(phrase: str, never: str) -> None:
    assert never not in left(phrase, wordnet())
    assert left(phrase, wordnet())


def released(guarantee: Semantic, text: str) -> str:
    seen = reading(text)
    edits = guarantee.plan(seen, guarantee.assess(seen)).edits
    return apply_edits(text, [replace(edit, replacement=edit.replacement or "…") for edit in edits])


def semantic(corpus: ToyCorpus, entity: str = "HIV") -> Semantic:
    return Semantic({entity: "virus"}, corpus, (NOTHING,), support=1, common=1.0, reader="terms")


def test_only_the_telling_word_of_a_phrase_goes() -> None:
    corpus = toy("8 HIV virus thrush", "30 virus", "30 painful", "30 throat", "60 table")
    assert released(semantic(corpus), "A painful thrush throat.") == "A painful … throat."


def test_of_a_name_of_several_words_at_most_the_last_one_stays() -> None:
    name = "blue heron fever"
    corpus = toy("30 virus", "30 blue", "30 heron", "30 fever", "30 clinic", "60 table")
    texts = [*corpus.texts, *[frozenset({name, "virus"})] * 8]
    text = released(semantic(ToyCorpus(texts), name), f"He came from the {name} clinic.")
    assert not {"blue", "heron"} & {*text.split()}


def test_no_part_of_a_telling_phrase_stays_beside_a_gap() -> None:
    guarantee = Semantic({"HIV": "virus"}, wikipedia(), (wordnet(),))
    assert "viral load" in guarantee.telling
    text = released(guarantee, "His viral load results were fine.")
    assert "viral" not in text
    assert "load" not in text
    assert "results" in text


def test_a_brand_that_is_a_synonym_gets_a_placeholder_and_the_word_its_class() -> None:
    guarantee = Semantic({"aspirin": "medicine"}, wikipedia(), (wordnet(),))
    assert "a medicine" in released(guarantee, "He takes aspirin now.")
    text = released(guarantee, "A chemist at Bayer made aspirin then.")
    assert "at a medicine" not in text
    assert "Bayer" not in text


def test_a_capital_that_begins_a_sentence_makes_no_name_of_an_adjective() -> None:
    text = "Pregnant colleagues should not sit there."
    own = Option("pregnant colleagues", (("colleague",),), ("pregnant", "colleague"), 9.0)
    head = Option("colleagues", (("colleague",),), ("colleague",), 5.0, suffix=1)
    edit = worded_edit(text, Mention(0, 19, "TERM", "pregnant colleague", 1.0, GROUPED), own, head)
    assert (text[edit.start : edit.end], edit.replacement) == ("Pregnant", None)


def test_a_number_that_belongs_to_a_name_keeps_a_gap_beside_it() -> None:
    """`He crossed 25 bridges` was left."""
    text = "He crossed 25 Abril bridges."
    own = Option("Abril bridges", (("bridge",),), ("abril", "bridge"), 9.0)
    head = Option("bridges", (("bridge",),), ("bridge",), 5.0, suffix=1)
    edit = worded_edit(text, Mention(14, 27, "TERM", "abril bridge", 1.0, GROUPED), own, head)
    assert (text[edit.start : edit.end], edit.replacement) == ("Abril", None)
    text = text.replace("Abril", "fever")
    own = replace(own, label="fever bridges")
    edit = worded_edit(text, Mention(14, 27, "TERM", "fever bridge", 1.0, GROUPED), own, head)
    assert edit.replacement == "bridges"
