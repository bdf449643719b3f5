"""Releases judged with earlier ones, by counting."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from efface.core import Document, Mention, Reading, Term
from efface.errors import PolicyError
from efface.guarantees.abilities import EarlierCopies
from efface.guarantees.ksafety import collusion
from efface.guarantees.ksafety.exposure import Exposure, crowds_of
from efface.guarantees.ksafety.guarantee import KSafety
from efface.knowledge.entities.index import EntityIndex
from efface.knowledge.entities.sources import Entity
from efface.knowledge.entities.store import build, open_index
from efface.policy.model import parse

WORDS = ("fever", "cough", "rash", "chills", "sweats")
words = st.frozensets(st.sampled_from(WORDS))
worlds = st.dictionaries(st.sampled_from([f"e{at}" for at in range(6)]), words, min_size=1)


def index_of(folder: Path, world: dict[str, frozenset[str]]) -> EntityIndex:
    rows = [Entity(id, tuple(("term", term) for term in sorted(terms))) for id, terms in world.items()]
    build(rows, folder)
    return open_index(folder)


def reading_of(kept: frozenset[str]) -> Reading:
    text = " ".join(sorted(kept))
    terms = []
    for word in sorted(kept):
        at = text.index(word)
        terms.append(Term(word, "TERM", (Mention(at, at + len(word), "TERM", word, 1.0, ""),), "things"))
    return Reading(Document("a", "text", text), tuple(terms))


def crowd(world: dict[str, frozenset[str]], terms: frozenset[str]) -> int:
    return sum(terms <= context for context in world.values())


def is_safe(
    world: dict[str, frozenset[str]], protected: set[str], kept: frozenset[str], before: EarlierCopies, k: int
) -> bool:
    """The definition of docs/ksafety.md, with the release by itself."""
    for id in protected:
        mine = kept & world[id]
        if mine and crowd(world, mine) < k:
            return False
        if not mine <= before.least and crowd(world, (kept | before.most) & world[id]) < k:
            return False
    return True


@settings(max_examples=30, deadline=None)
@given(worlds, words, words, words, st.data(), st.integers(2, 3))
def test_what_stays_is_safe_with_what_was_released(
    tmp_path_factory: pytest.TempPathFactory,
    world: dict[str, frozenset[str]],
    text: frozenset[str],
    least: frozenset[str],
    more: frozenset[str],
    data: st.DataObject,
    k: int,
) -> None:
    protected = data.draw(st.sets(st.sampled_from(sorted(world))))
    index = index_of(tmp_path_factory.mktemp("index"), world)
    before = EarlierCopies(least, least | more)
    alone = KSafety(index, "things", k, index.select(protected), remove_infeasible=True)
    guarantee = alone.with_earlier(before, None)
    kept = text
    for _ in range(2 * len(WORDS)):
        reading = reading_of(kept)
        findings = guarantee.assess(reading)
        assert bool(findings) == (not is_safe(world, protected, kept, before, k))
        if not findings:
            return
        gone = {edit.key for edit in guarantee.plan(reading, findings).edits}
        assert gone & kept, "every plan takes something away"
        kept -= gone
    raise AssertionError("never settled")


@settings(max_examples=30, deadline=None)
@given(worlds, words, words, words, st.integers(2, 3))
def test_the_plan_of_an_entity_keeps_old_and_new_copies_safe_whoever_reads(
    tmp_path_factory: pytest.TempPathFactory,
    world: dict[str, frozenset[str]],
    text: frozenset[str],
    least: frozenset[str],
    more: frozenset[str],
    k: int,
) -> None:
    """Any two viewers who are denied an entity: their copies of today together, with all older ones."""
    index = index_of(tmp_path_factory.mktemp("index"), world)
    before = EarlierCopies(least & text, (least | more) & text)
    copies: dict[frozenset[str], frozenset[str]] = {}
    for size in range(1, len(world) + 1):
        for denied in combinations(sorted(world), size):
            copies[frozenset(denied)] = text - _struck(index, text, set(denied), before, k)
    for (one, left), (other, right) in combinations(copies.items(), 2):
        for id in one & other:
            shown = (left | right) & world[id]
            if not shown <= before.least:
                union = (shown | before.most) & world[id]
                assert crowd(world, union) >= k


def _struck(
    index: EntityIndex, text: frozenset[str], denied: set[str], before: EarlierCopies, k: int
) -> set[str]:
    selection = index.select(denied)
    terms = reading_of(text).terms
    signatures = index.signatures([term.key for term in terms], selection)
    exposure = Exposure(terms, signatures, crowds_of(signatures), signatures.selected, selection, k)
    return collusion.struck(exposure, {}, before) if exposure.unsafe else set()


@pytest.mark.parametrize(
    "options, said",
    [
        ("together: viewer, scope: paragraph", "whole documents"),
        ("together: viewer, k: all", "nothing of a protected entity is left"),
        ("together: document, reader: knows-method", "cannot both be kept"),
        ("together: everybody", "everybody"),
        ("together: {viewer: {days: 0}}", "days"),
        ("together: {viewer: {}, document: {}}", "one of"),
    ],
)
def test_a_policy_may_not_ask_for_what_has_no_meaning(options: str, said: str) -> None:
    policy = (
        "knowledge: {people: {entities: people.csv, identifying: [name]}}\n"
        f"guarantees: [k-safety: {{over: people, {options}}}]"
    )
    with pytest.raises(PolicyError, match=said):
        parse(policy)
