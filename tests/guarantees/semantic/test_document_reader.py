"""The reader of the whole text: its definition as a slow oracle, its plans, and entities with few rivals or many."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from efface.core import Edit, Reading, apply_edits
from efface.guarantees.secret_rank import SecretRank
from efface.guarantees.semantic.guarantee import Semantic
from efface.guarantees.semantic.whole_text_readers import ALLOWANCE, READERS, standing
from efface.knowledge.corpus.counts import Bitmaps, Query, wikipedia
from efface.knowledge.taxonomy.concepts import Concept, Taxonomy, wordnet
from efface.knowledge.vectors.word_vectors import WordVectors, packaged_vectors
from tests.guarantees.semantic.oracle import ToyCorpus, Words, count, reading, toy

VIRUSES = ("HIV", "polio", "rabies", "measles", "mumps", "ebola", "zika")
KINDS = Taxonomy.of(
    "kinds",
    [
        Concept("virus", ("virus",)),
        *(Concept(name, (name,), ("virus",)) for name in VIRUSES),
    ],
)
CLUES = ("needle", "lymph", "dog", "bite", "rash", "fever", "cave", "bat", "mosquito", "swelling")


def world(clues: Mapping[str, Sequence[str]], alike: int = 12) -> ToyCorpus:
    """Documents about each virus, with its clues, and as many again of everyday words."""
    rows = [f"{alike} {name} virus {' '.join(clues.get(name, ()))}" for name in VIRUSES]
    return toy(*rows, f"{40 * alike} table chair")


WORLD = world(
    {
        "HIV": ("needle", "lymph", "thrush", "fever"),
        "polio": ("swelling",),
        "rabies": ("dog", "bite"),
        "measles": ("rash", "fever"),
        "ebola": ("cave", "bat", "fever"),
    }
)


class LargeToyCorpus(ToyCorpus):
    """The same with rows of bits: a thousand rivals would take a slow loop too long."""

    @cached_property
    def _documents_of(self) -> Mapping[str, set[int]]:
        found: dict[str, set[int]] = {}
        for number, text in enumerate(self.texts):
            for key in text:
                found.setdefault(key, set()).add(number)
        return found

    def table(self, queries: Sequence[Query]) -> Bitmaps:  # type: ignore[override]
        rows = np.zeros((len(queries), len(self.texts)), bool)
        for row, query in zip(rows, queries, strict=True):
            for part in query:
                row[list(set.intersection(*(self._documents_of.get(key, set()) for key in part)))] = True
        packed = np.packbits(rows, axis=1)
        padded = np.zeros((len(packed), -(-packed.shape[1] // 8) * 8), np.uint8)
        padded[:, : packed.shape[1]] = packed
        return Bitmaps(padded.view(np.uint64))


def semantic(corpus: ToyCorpus = WORLD, **options: Any) -> Semantic:
    defaults = {"support": 1, "common": 1.0, "max_group": 1, "secret": SecretRank(bytes(16)), "k": 3}
    return Semantic({"HIV": "virus"}, corpus, (KINDS,), **{**defaults, **options})


# The definition, slow and obvious.


def evidence(documents: Sequence[Words], word: str, name: str) -> float:
    both = count(documents, [((word,),), ((name,),)])
    expected = count(documents, [((word,),)]) * count(documents, [((name,),)]) / len(documents)
    return max(0.0, math.log2((both + 1) / (expected + 1)) - 1) if expected else 0.0


def stands_out(scores: Sequence[float], k: int, allowance: float = ALLOWANCE) -> bool:
    own, rivals = scores[0], scores[1:]
    if own <= allowance:
        return False
    ahead = sum(rival > own for rival in rivals)
    return not rivals or ahead < min(k - 1, len(rivals))


def text_scores(documents: Sequence[Words], seen: Reading) -> list[float]:
    return [
        sum(
            (1 + math.log2(len(term.mentions))) * evidence(documents, word, name)
            for term in seen.terms
            for word in set(term.key.split(" "))
        )
        for name in VIRUSES
    ]


def said_to_stand_out(guarantee: Semantic, seen: Reading) -> bool:
    return any("all words together" in finding.because for finding in guarantee.assess(seen))


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.lists(st.sampled_from(CLUES), max_size=4), min_size=len(VIRUSES), max_size=len(VIRUSES)),
    st.lists(st.sampled_from((*CLUES, "table", "chair", "unheard")), max_size=8),
    st.integers(2, 5),
)
def test_a_text_is_judged_by_the_definition(clues: list[list[str]], words: list[str], k: int) -> None:
    corpus = world(dict(zip(VIRUSES, clues, strict=True)))
    seen = reading(". ".join(f"the {word}" for word in words))
    expected = stands_out(text_scores(corpus.texts, seen), k)
    assert said_to_stand_out(semantic(corpus, k=k), seen) == expected


@settings(max_examples=200, deadline=None)
@given(st.lists(st.integers(-40, 40).map(lambda n: n / 4), min_size=1, max_size=9), st.integers(2, 6))
def test_a_standing_is_what_the_definition_says(scores: list[float], k: int) -> None:
    found = standing(np.array(scores, np.float32), k)
    assert found.stands_out == stands_out(scores, k)
    assert found.rank == 1 + sum(score > scores[0] for score in scores[1:])


def test_words_that_are_harmless_alone_tell_together() -> None:
    text = "The needle, the lymph, the thrush and the fever."
    guarantee = semantic(k=3)
    (finding,) = [f for f in guarantee.assess(reading(text)) if "all words" in f.because]
    assert finding.secret == "HIV"
    assert {term.key for term in finding.terms} >= {"needle", "lymph"}
    assert not said_to_stand_out(semantic(reader="terms"), reading(text))


def test_hiding_more_entities_weakens_no_limit() -> None:
    seen = reading("The needle, the lymph and the thrush.")
    options: Any = {"support": 1, "common": 1.0, "k": 3}
    several = Semantic(dict.fromkeys(VIRUSES, "virus"), WORLD, (KINDS,), **options)
    assert said_to_stand_out(semantic(k=3), seen)
    assert said_to_stand_out(several, seen)


def released(guarantee: Semantic, text: str) -> str:
    for _ in range(4):
        seen = reading(text)
        findings = guarantee.assess(seen)
        if not findings:
            return text
        edits = guarantee.plan(seen, findings).edits
        text = apply_edits(
            text,
            [Edit(e.start, e.end, e.type, e.key, e.reason, e.replacement or "…") for e in edits],
        )
    raise AssertionError("it does not settle")


def test_after_its_own_plan_the_entity_does_not_stand_out() -> None:
    left = released(semantic(), "The needle, the lymph, the thrush and the fever. A chair at the table.")
    assert not semantic().assess(reading(left))
    assert "chair at the table" in left


def test_words_without_evidence_change_no_verdict() -> None:
    for text in ("The needle, the lymph and the thrush.", "The dog."):
        padded = f"{text} An unheard glorp of a quux."
        assert said_to_stand_out(semantic(), reading(text)) == said_to_stand_out(semantic(), reading(padded))
    assert not semantic().assess(reading(""))


@pytest.mark.parametrize("rivals", [0, 1, 1000])
def test_an_entity_with_no_rival_one_or_a_thousand(rivals: int) -> None:
    names = [
        f"virus{chr(97 + n // 26 // 26)}{chr(97 + n // 26 % 26)}{chr(97 + n % 26)}o" for n in range(rivals)
    ]
    rows = [f"1 {name} bite" for name in names]
    corpus = toy("12 HIV virus needle lymph thrush", *rows, "200 table")
    guarantee = semantic(LargeToyCorpus(corpus.texts), rivals={"HIV": names})
    assert guarantee.readers is not None
    assert len(guarantee.readers.entities[0].rivals) == rivals
    assert said_to_stand_out(guarantee, reading("The needle, the lymph, the thrush."))
    assert not guarantee.assess(reading(released(guarantee, "The needle, the lymph, the thrush. The table.")))
    assert not guarantee.assess(reading("The table."))


def test_an_entity_behind_enough_rivals_is_not_planned_against() -> None:
    corpus = world(dict.fromkeys(VIRUSES[1:], ("needle", "lymph", "rash")) | {"HIV": ("needle",)})
    assert not said_to_stand_out(semantic(corpus), reading("The needle, the lymph, the rash."))


def test_several_entities_are_planned_against_together() -> None:
    both = Semantic(
        {"HIV": "virus", "ebola": "virus"},
        WORLD,
        (KINDS,),
        support=1,
        common=1.0,
        max_group=1,
        k=3,
        secret=SecretRank(bytes(16)),
    )
    text = "The needle, the lymph, the thrush, the cave and the bat. The table."
    assert {finding.secret for finding in both.assess(reading(text))} == {"HIV", "ebola"}
    left = released(both, text)
    assert "table" in left
    assert not both.assess(reading(left))


def test_the_rank_to_reach_is_secret_and_at_least_k() -> None:
    ranks = {
        SecretRank(bytes([n] * 16)).draw(5, "a text", f"semantic {r}") for n in range(40) for r in READERS
    }
    assert ranks <= set(range(5, 11))
    assert len(ranks) > 3
    assert "secret" not in repr(semantic())


def test_vectors_speak_where_counts_are_silent() -> None:
    vectors = WordVectors(
        {"HIV": 0, "syringe": 1, "polio": 2, "rabies": 3, "measles": 4, "mumps": 5, "ebola": 6, "zika": 7},
        np.array([[127, 0], [127, 1], *[[0, 127]] * 6], np.int8),
    )
    text = "The syringe, the syringe, a syringe."
    assert not semantic().assess(reading(text))
    assert said_to_stand_out(semantic(vectors=vectors), reading(text))


def test_the_packaged_vectors_know_meanings() -> None:
    vectors = packaged_vectors()
    pregnancy, midwife, leave, train = vectors.of_names(["pregnancy", "midwife", "maternity", "train"])
    assert midwife @ pregnancy > train @ pregnancy + 0.1
    assert leave @ pregnancy > train @ pregnancy + 0.1
    assert not vectors.of_names(["qzorvane"]).any()


def test_the_readers_of_the_whole_text_find_what_terms_leave() -> None:
    text = (
        "The disease is spread through the air when people cough or sneeze. Classic symptoms are a chronic cough with "
        "sputum, night sweats and weight loss. Treatment takes months of antibiotics, and resistance is a growing problem."
    )
    options: dict[str, Any] = {"vectors": packaged_vectors(), "secret": SecretRank(bytes(16))}
    guarantee = Semantic({"tuberculosis": "disease"}, wikipedia(), (wordnet(),), **options)
    left = released(guarantee, text)
    assert not guarantee.assess(reading(left))


def test_the_ladder_shows_every_step_and_the_nearest_safe_one_is_taken() -> None:
    kinds = Taxonomy.of(
        "kinds",
        [
            Concept("hiv", ("HIV",), ("virus",)),
            Concept("virus", ("virus",)),
            Concept("pneumonia", ("pneumonia",), ("infection",)),
            Concept("infection", ("infection",), ("disease",)),
            Concept("disease", ("disease",), ("condition",)),
            Concept("condition", ("condition",)),
        ],
    )
    corpus = toy("8 HIV virus pneumonia", "20 virus", "20 infection", "40 disease", "90 condition")
    guarantee = Semantic({"HIV": "virus"}, corpus, (kinds,), support=1, common=1.0, reader="terms")
    seen = reading("He had pneumonia.")
    plan = guarantee.plan(seen, guarantee.assess(seen))
    (ladder,) = plan.ladders
    assert [step.words for step in ladder.steps] == ["pneumonia", "infection", "disease", "condition", ""]
    bits = [step.bits for step in ladder.steps]
    assert bits == sorted(bits, reverse=True)
    assert not ladder.steps[0].safe
    assert ladder.steps[ladder.taken].words == "infection"
    assert [edit.replacement for edit in plan.edits] == ["an infection"]
