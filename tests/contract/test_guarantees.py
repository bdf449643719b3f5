"""One suite of checks that every guarantee passes."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from efface.alignment import Alignment
from efface.core import Document, Guarantee, Reading
from efface.guarantees.confusability import Confusability
from efface.knowledge.classes import LabelledDocument, train
from efface.operators import Operators
from efface.pipeline import Bound, find
from efface.sanitizer import Sanitizer

words = st.lists(
    st.sampled_from(
        ["Falcon", "flies", "to", "a@b.example.org", "Oslo", "fever", "cough", "rash", "he", "\n\n"]
    ),
    max_size=14,
).map(" ".join)


def absence() -> Bound:
    return Sanitizer.from_text("find: {deny: [Falcon, Oslo]}").bind()


def k_safety() -> Bound:
    folder = Path(tempfile.mkdtemp())
    contexts = [
        ["fever", "cough"],
        ["fever", "rash"],
        ["Oslo", "rash"],
        ["fever"],
        ["Oslo", "cough", "rash"],
        ["cough"],
    ]
    rows = [{"id": f"e{at}", "terms": terms} for at, terms in enumerate(contexts)]
    (folder / "d.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (folder / "p.yaml").write_text(
        "find: {patterns: none}\nknowledge: {things: {entities: d.jsonl}}\n"
        "guarantees: [{k-safety: {over: things, k: 3}}]"
    )
    return Sanitizer.from_policy(folder / "p.yaml").bind()


def k_confusability() -> Bound:
    texts = {
        "Falcon": "fever cough fever",
        "Heron": "rash cough",
        "Osprey": "fever rash flies",
        "Kite": "Oslo flies",
    }
    model = train(
        LabelledDocument(f"{text} {text}", name)
        for name, text in texts.items()
        for _ in range(2 if name == "Falcon" else 5)  # the hidden class is no favourite
    )
    promise = Confusability(model, 2).bind("", "Falcon")
    return Bound({}, (promise,), Operators(), types=("WORD",))


def identifiers() -> Bound:
    from efface.guarantees.identifiers import Identifiers
    from efface.knowledge.identifiers import Settings
    from efface.knowledge.identifiers_corpus import Labelled, LabelledText
    from efface.knowledge.identifiers_training import train as learn
    from efface.terms.identifiers import IdentifierFinder

    texts = ("Falcon flies to Oslo", "fever cough rash", "Oslo he flies", "a rash to Falcon")
    labelled = [
        LabelledText(
            str(number),
            text,
            tuple(
                Labelled(at, at + len(word), "NAME")
                for word in ("Falcon", "Oslo")
                if (at := text.find(word)) >= 0
            ),
        )
        for number, text in enumerate(texts * 4)
    ]
    model = learn(labelled, Settings(learner="crf", min_remaining=1))
    promise = Identifiers("identifiers", 10.0, "crf", 1)
    return Bound({"identifiers": IdentifierFinder(model)}, (promise,), Operators(), types=("NAME",))


CASES: dict[str, Callable[[], Bound]] = {
    "absence": absence,
    "k-safety": k_safety,
    "k-confusability": k_confusability,
    "identifiers": identifiers,
}


@pytest.fixture(params=CASES, scope="module")
def bound(request: pytest.FixtureRequest) -> Bound:
    return CASES[request.param]()


def reading_of(bound: Bound, text: str) -> Reading:
    return find(Document("d.txt", "text", text), bound)


def guarantee_of(bound: Bound) -> Guarantee:
    return bound.guarantees[-1]


@settings(max_examples=50)
@given(text=words)
def test_the_same_text_gives_the_same_findings_and_plan(bound: Bound, text: str) -> None:
    guarantee = guarantee_of(bound)
    one, other = reading_of(bound, text), reading_of(bound, text)
    findings = guarantee.assess(one)
    assert findings == guarantee.assess(other)
    assert guarantee.plan(one, findings).edits == guarantee.plan(other, findings).edits


@settings(max_examples=50)
@given(text=words)
def test_nothing_is_left_to_find_after_its_own_plan(bound: Bound, text: str) -> None:
    guarantee = guarantee_of(bound)
    reading = reading_of(bound, text)
    findings = guarantee.assess(reading)
    edits = bound.operators.fill(guarantee.plan(reading, findings).edits, text) if findings else ()
    alignment = Alignment(edits)
    after = find(alignment.planned(reading.document), bound, alignment.inserted)
    assert guarantee.assess(after) == ()


@settings(max_examples=50)
@given(text=words)
def test_the_plan_touches_only_what_the_text_has_and_costs_what_it_says(bound: Bound, text: str) -> None:
    guarantee = guarantee_of(bound)
    reading = reading_of(bound, text)
    plan = guarantee.plan(reading, guarantee.assess(reading))
    assert all(0 <= edit.start < edit.end <= len(text) for edit in plan.edits)
    assert plan.lower_bound <= plan.cost
    assert bool(plan.edits) == bool(guarantee.assess(reading))


def test_the_claim_can_be_published(bound: Bound) -> None:
    claim = guarantee_of(bound).claim
    assert claim.sentence.endswith(".")
    text = repr(claim).lower()
    assert not any(secret in text for secret in ("falcon", "oslo", "fever"))


def test_an_empty_document_holds(bound: Bound) -> None:
    assert guarantee_of(bound).assess(reading_of(bound, "")) == ()
