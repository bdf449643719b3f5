"""Plans against readers, terms and groups together: they hold, and nothing can be given back. The definition is the oracle."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from efface.guarantees.semantic.guarantee import Semantic
from efface.guarantees.semantic.whole_text_readers import ALLOWANCE, PURSUED_ALLOWANCE
from tests.guarantees.semantic.oracle import ToyCorpus, Words, is_risky, reading
from tests.guarantees.semantic.test_document_reader import (
    CLUES,
    KINDS,
    VIRUSES,
    stands_out,
    text_scores,
    world,
)

# All rivals must be ahead, whatever rank is drawn between k and 2k.
K = len(VIRUSES)


def semantic(documents: Sequence[Words]) -> Semantic:
    return Semantic(
        {"HIV": "virus"},
        ToyCorpus(documents),
        (KINDS,),
        support=1,
        common=1.0,
        max_group=2,
        k=K,
        rivals={"HIV": VIRUSES[1:]},
        probability="standard",
    )


def is_held(documents: Sequence[Words], words: Sequence[str], allowance: float = ALLOWANCE) -> bool:
    """The definition: no term and no pair tells more than `virus` does, and no reader of all words finds HIV."""
    entity, general = (("HIV",),), (("virus",),)
    known = [word for word in dict.fromkeys(words) if any(word in each for each in documents)]
    queries = [((word,),) for word in known]
    groups = [*((query,) for query in queries), *combinations(queries, 2)]
    if any(is_risky(documents, entity, general, group, "standard") for group in groups):
        return False
    seen = reading(". ".join(f"the {word}" for word in words))
    return not stands_out(text_scores(documents, seen), K, allowance)


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.lists(st.sampled_from(CLUES), max_size=5), min_size=len(VIRUSES), max_size=len(VIRUSES)),
    st.lists(st.sampled_from((*CLUES, "table")), min_size=2, max_size=10, unique=True),
)
def test_a_plan_holds_and_no_word_can_be_given_back(clues: list[list[str]], words: list[str]) -> None:
    documents = world(dict(zip(VIRUSES, clues, strict=True))).texts
    seen = reading(". ".join(f"the {word}" for word in words))
    guarantee = semantic(documents)
    findings = guarantee.assess(seen)
    assert bool(findings) != is_held(documents, words)
    gone = {edit.key for edit in guarantee.plan(seen, findings).edits} if findings else set()
    left = [word for word in words if word not in gone]
    # A plan leaves next to nothing of what the text was about.
    is_subject = stands_out(text_scores(documents, seen), K)
    allowance = PURSUED_ALLOWANCE if is_subject else ALLOWANCE
    assert is_held(documents, left, allowance)
    for word in gone:
        assert not is_held(documents, [*left, word], allowance), f"`{word}` went without need"
