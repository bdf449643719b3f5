"""Information content and disclosure against a direct count over toy corpora."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from efface.errors import Infeasible, PolicyError
from efface.guarantees.semantic import disclosure_bits as semantic_measure
from efface.guarantees.semantic.disclosure_bits import (
    PROBABILITIES,
    Disclosure,
    HiddenEntity,
    check_probability,
    disclosures,
)
from efface.knowledge.corpus.counts import Query
from tests.guarantees.semantic import oracle
from tests.guarantees.semantic.oracle import ToyCorpus, toy

C: Query = (("c",), ("d",))  # an entity with two names
G: Query = (("g",),)
TERMS: list[Query] = [(("s",),), (("t",),), (("s", "t"),), (("g",),), (("c",),), (("u",), ("t",))]
DOCUMENTS = st.lists(st.frozensets(st.sampled_from("cdgstu")), min_size=1, max_size=25)
FEW_BITS = 0.7  # in so small a corpus nothing is as telling as in the world


def measure(corpus: ToyCorpus, probability: str, general: Query | None = G, support: int = 1) -> Disclosure:
    return disclosures(corpus, [HiddenEntity("c", C, general)], probability, TERMS, support)[0]


def groups(size: int) -> np.ndarray:
    return np.array(np.meshgrid(*[np.arange(len(TERMS))] * size)).reshape(size, -1).T


@settings(max_examples=40)
@given(DOCUMENTS, st.sampled_from(PROBABILITIES), st.integers(1, 2))
def test_disclosure_is_the_definition(documents: list[frozenset[str]], probability: str, size: int) -> None:
    assume(oracle.count(documents, [C, G]))
    found = measure(ToyCorpus(documents), probability)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(semantic_measure, "_TELLING", FEW_BITS)
        risk = found.risk(groups(size))
    assert math.isclose(found.limit, oracle.ic(documents, [G]))
    for row, risky, bits in zip(groups(size).tolist(), risk.risky, risk.bits, strict=True):
        group = [TERMS[at] for at in row]
        assert risky == oracle.is_risky(documents, C, G, group, probability, FEW_BITS)
        share = oracle.disclosed(documents, C, G, group, probability)
        if size == 1 or risky:
            assert math.isclose(bits, math.log2(share), abs_tol=1e-9) if share else bits == -math.inf


@settings(max_examples=40)
@given(DOCUMENTS)
def test_plain_sanitization_flags_what_never_stands_without_the_entity(
    documents: list[frozenset[str]],
) -> None:
    assume(oracle.count(documents, [C]))
    found = measure(ToyCorpus(documents), "standard", None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(semantic_measure, "_TELLING", FEW_BITS)
        risk = found.risk(groups(2))
    for row, risky in zip(groups(2).tolist(), risk.risky, strict=True):
        assert risky == oracle.is_risky(documents, C, None, [TERMS[at] for at in row], "standard", FEW_BITS)


@settings(max_examples=40)
@given(DOCUMENTS, st.sampled_from(["contextual", "joint", "scoped"]))
def test_the_generalisation_discloses_itself_and_no_more(
    documents: list[frozenset[str]], probability: str
) -> None:
    assume(oracle.count(documents, [C, G]))
    found = measure(ToyCorpus(documents), probability)
    risk = found.risk(np.array([[TERMS.index(G)]]))
    assert math.isclose(risk.bits[0], found.limit, abs_tol=1e-9)
    assert not risk.risky[0]
    assert found.own >= found.limit - 1e-9  # IC(c and g) is at least IC(g)


def test_what_never_occurs_discloses_nothing() -> None:
    found = measure(toy("2 c g", "3 g"), "contextual")
    risk = found.risk(np.array([[0]]))
    assert (bool(risk.risky[0]), risk.bits[0]) == (False, -np.inf)


def test_too_few_documents_are_no_evidence() -> None:
    corpus = toy("2 c g s", "3 c g t", "9 c g", "9 g")
    for support, risky in ((2, [True, True]), (3, [False, True]), (4, [False, False])):
        assert (
            measure(corpus, "contextual", support=support).risk(np.array([[0], [1]])).risky.tolist() == risky
        )


@pytest.mark.parametrize("corpus", [toy("3 g s"), toy("3 c s")], ids=["no entity", "no g"])
def test_what_the_corpus_never_saw_is_refused(corpus: ToyCorpus) -> None:
    with pytest.raises(Infeasible):
        measure(corpus, "contextual")


def test_a_generalisation_that_never_stands_with_the_entity_gives_its_limit_all_the_same() -> None:
    """`HIV: banana` is odd and warned of; there is no context to count in."""
    found = measure(toy("2 c s", "4 g s", "9 t"), "contextual")
    risk = found.risk(np.array([[0], [TERMS.index(((("c",)),))]]))
    assert (risk.risky.tolist(), found.limit) == ([False, True], math.log2(15 / 4))


def test_what_belongs_to_a_group_is_informative_and_points_to_the_entity() -> None:
    """`s` is rare and the entity's, `t` is the entity's but common."""
    found = measure(toy("20 c g s t", "20 c g t", "300 t", "900 g", "900 x"), "contextual")
    assert [bool(bits >= 6.25) for bits in found.telling[:2]] == [True, False]


def test_a_term_that_one_document_holds_beside_the_entity_is_in_its_sense() -> None:
    """One document says nothing about how often the generalisation is left unsaid; twenty do."""
    for times, risky in ((1, True), (20, False)):
        corpus = toy(f"{times} c s", "20 c g", "20 c", "300 g", "900 u")
        assert measure(corpus, "contextual").risk(np.array([[0]])).risky.tolist() == [risky]


def test_documents_that_leave_the_generalisation_unsaid_count() -> None:
    """As with AIDS, whose documents name HIV but seldom `virus`."""
    corpus = toy("6 c g s", "6 c g", "20 c s", "6 c", "10 s", "40 g", "200 u")
    risky = {p: bool(measure(corpus, p).risk(np.array([[0]])).risky[0]) for p in PROBABILITIES}
    assert risky == {"standard": False, "contextual": True, "joint": False, "scoped": True}


@pytest.mark.parametrize(
    ("rest", "risky"), [("400 u", True), ("4 c g", False)], ids=["hardly by chance", "easily by chance"]
)
def test_a_rare_term_is_evidence_when_chance_hardly_explains_it(rest: str, risky: bool) -> None:
    """One document of a term says something when the entity has few, nothing when it has many."""
    found = measure(toy("1 c g s", "4 c g", "9 g", rest), "contextual", support=3)
    assert found.risk(np.array([[0]])).risky.tolist() == [risky]


def test_contextual_needs_a_generalisation() -> None:
    with pytest.raises(PolicyError):
        check_probability("contextual", [HiddenEntity("c", C)])
    with pytest.raises(PolicyError):
        check_probability("wrong", [HiddenEntity("c", C, G)])
    check_probability("standard", [HiddenEntity("c", C)])
