"""One suite of checks that every guarantee passes."""

from __future__ import annotations

import importlib
import json
import pkgutil
import re
import sqlite3
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import efface.guarantees
from efface.api.sanitizer import Sanitizer
from efface.core import Document, Guarantee, Reading
from efface.finders.entities import EntityFinder
from efface.guarantees import reviewer_decisions
from efface.guarantees.abilities import HidesClass, KeepsForLook, KnowsTerms
from efface.guarantees.columns import DeniedColumns
from efface.guarantees.confusability.guarantee import Confusability
from efface.guarantees.confusability.people import PeopleConfusability
from efface.guarantees.ksafety.exposure import id_and_column
from efface.guarantees.values import HiddenValues
from efface.knowledge.classes import LabelledDocument, train
from efface.knowledge.people.build import build_people
from efface.knowledge.people.index import PeopleIndex
from efface.operators import Operators
from efface.pipeline.bound import BoundPolicy
from efface.pipeline.find import find
from efface.policy.guarantee_entries import GuaranteeEntry
from efface.text.alignment import Alignment
from tests.guarantees.held_strings import strings

WORDS = ("Falcon", "flies", "to", "a@b.example.org", "Oslo", "fever", "cough", "rash", "he", "\n\n")
words = st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join)


def absence() -> BoundPolicy:
    return Sanitizer.from_text("find: {names: none, deny: [Falcon, Oslo]}").bind()


def k_safety() -> BoundPolicy:
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
        "find: {patterns: none, names: none}\nknowledge: {things: {entities: d.jsonl}}\n"
        "guarantees: [{k-safety: {over: things, k: 3}}]"
    )
    return Sanitizer.from_policy(folder / "p.yaml").bind()


def k_confusability() -> BoundPolicy:
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
    return BoundPolicy({}, (promise,), Operators(), types=("WORD",))


def people() -> BoundPolicy:
    backgrounds = {
        "Osprey Falcon": "fever cough fever",
        "Kite Heron": "rash cough cough Oslo",
        "Wren Swift": "fever rash flies",
        "Robin Finch": "Oslo flies cough",
        "Jay Martin": "fever cough rash rash",
    }
    folder = Path(tempfile.mkdtemp())
    rows = [LabelledDocument(text, name) for name, text in backgrounds.items()]
    build_people(rows, folder / "people.index")
    index = PeopleIndex.open(folder / "people.index")
    template = Confusability(index.model(""), 2, objective="count")
    promise = PeopleConfusability(index, template).bind("", "Osprey Falcon")
    return BoundPolicy({}, (promise,), Operators(), types=("WORD",))


def identifiers() -> BoundPolicy:
    from efface.finders.identifiers import IdentifierFinder
    from efface.guarantees.identifiers import Identifiers
    from efface.knowledge.identifiers.corpus import LabelledSpan, LabelledText
    from efface.knowledge.identifiers.model import IdentifierSettings
    from efface.knowledge.identifiers.training import train as learn

    texts = ("Falcon flies to Oslo", "fever cough rash", "Oslo he flies", "a rash to Falcon")
    labelled = [
        LabelledText(
            str(number),
            text,
            tuple(
                LabelledSpan(at, at + len(word), "NAME")
                for word in ("Falcon", "Oslo")
                if (at := text.find(word)) >= 0
            ),
        )
        for number, text in enumerate(texts * 4)
    ]
    model = learn(labelled, IdentifierSettings(learner="crf", min_remaining=1))
    promise = Identifiers("identifiers", 10.0, "crf", 1)
    return BoundPolicy({"identifiers": IdentifierFinder(model)}, (promise,), Operators(), types=("NAME",))


def semantic() -> BoundPolicy:
    return Sanitizer.from_text(
        "find: {patterns: none, names: none}\nguarantees: [{semantic: {hide: {fever: symptom}}}]"
    ).bind()


def columns() -> BoundPolicy:
    """The viewer may see every row, but not the column that holds the city."""
    folder = Path(tempfile.mkdtemp())
    connection = sqlite3.connect(folder / "people.db")
    connection.executescript(
        "CREATE TABLE people (id TEXT, bird TEXT, city TEXT, label TEXT);"
        "INSERT INTO people VALUES ('1', 'Falcon', 'Oslo', 'LOW'), ('2', 'Heron', 'Oslo', 'LOW');"
    )
    connection.close()
    (folder / "p.yaml").write_text(
        "find: {patterns: none, names: none}\n"
        "knowledge: {people: {database: 'sqlite:///people.db', entities: people, identifying: [bird, city],"
        " access: {labels: {levels: [LOW, HIGH], rows: label, columns: {city: HIGH}, users: {ann: LOW}}}}}\n"
    )
    bound = Sanitizer.from_policy(folder / "p.yaml").bind("ann")
    promises = tuple(promise for promise in bound.guarantees if isinstance(promise, DeniedColumns))
    return replace(bound, guarantees=promises)  # without the k-safety of rows that this viewer is denied


def values() -> BoundPolicy:
    """The viewer's session shows every row, and shows the city in none of them."""
    bound = columns()
    finder = bound.finders["people"]
    assert isinstance(finder, EntityFinder)

    def denied(ids: Sequence[str]) -> list[str]:
        return [id for id in ids if id_and_column(id)[1] == "city"]

    promise = HiddenValues(finder.index, "people", denied, {"bird": "BIRD", "city": "CITY"})
    return replace(bound, guarantees=(promise,))


CASES: dict[str, Callable[[], BoundPolicy]] = {
    "absence": absence,
    "columns": columns,
    "values": values,
    "k-safety": k_safety,
    "k-confusability": k_confusability,
    "k-confusability: people": people,
    "semantic": semantic,
    "identifiers": identifiers,
}
IMPLIED = {"absence", "columns", "values"}  # a policy makes these without naming them under `guarantees`
GUARANTEE = ("claim", "assess", "plan")  # what makes a class a guarantee
PLUGGED_IN = {"custom"}  # somebody else's guarantee, which this suite cannot know


def test_every_guarantee_of_the_policy_is_in_this_suite() -> None:
    named = {field.alias or name for name, field in GuaranteeEntry.model_fields.items()}
    assert set(map(claimed, CASES)) == (named - PLUGGED_IN) | IMPLIED


def test_every_guarantee_that_the_code_has_is_in_this_suite() -> None:
    """One entry of a policy may become several guarantees, such as one over classes and one over people. Those of a
    reviewer are made of decisions and not from a policy (tests/service/review/test_decided_words.py)."""
    found: set[type] = set()
    for module in pkgutil.walk_packages(efface.guarantees.__path__, "efface.guarantees."):
        for value in vars(importlib.import_module(module.name)).values():
            is_own = isinstance(value, type) and value.__module__.startswith("efface.guarantees.")
            if (
                is_own
                and value.__module__ != reviewer_decisions.__name__
                and not is_protocol(value)
                and all(hasattr(value, name) for name in GUARANTEE)
            ):
                found.add(value)
    assert found == {type(guarantee_of(made(name))) for name in CASES}


@pytest.mark.parametrize("name", CASES)
def test_the_case_is_about_the_guarantee_that_it_names(name: str) -> None:
    assert guarantee_of(made(name)).claim.name == claimed(name)


@pytest.mark.parametrize("name", CASES)
def test_the_words_of_this_suite_give_the_guarantee_something_to_find(name: str) -> None:
    """Otherwise the suite would pass whatever the guarantee does. A new row may need words of its own in `WORDS`."""
    bound = made(name)
    text = " ".join(WORDS)
    assert guarantee_of(bound).assess(reading_of(bound, text))


@pytest.mark.parametrize("name", [name for name in CASES if name != "semantic"])
def test_a_guarantee_keeps_no_word_of_a_document(name: str) -> None:
    """Documents of several people go through one guarantee. What hides a class is bound to each document, and documents share
    its template. tests/guarantees/semantic/test_look.py asks semantic, which is large."""
    bound = made(name)
    promise = guarantee_of(bound)
    read = reading_of(bound, " ".join((*WORDS, "Falcon Zorbulating", "zorb@quixwords.example.org")))
    look = promise.at_look() if isinstance(promise, KeepsForLook) else promise
    look.plan(read, look.assess(read))
    if isinstance(look, KnowsTerms):
        look.unknown_terms(read)
    shared = promise.as_template() if isinstance(promise, HidesClass) else promise
    assert not [held for held in strings(shared, {}) if re.search("zorb|quix", held, re.IGNORECASE)]


@pytest.fixture(params=CASES, scope="module")
def bound(request: pytest.FixtureRequest) -> BoundPolicy:
    return made(request.param)


def reading_of(bound: BoundPolicy, text: str) -> Reading:
    return find(Document("d.txt", "text", text), bound)


@cache
def made(name: str) -> BoundPolicy:
    return CASES[name]()


def claimed(case: str) -> str:
    """The guarantee that a case is about: `k-confusability` of `k-confusability: people`."""
    return case.partition(":")[0]


def is_protocol(kind: type) -> bool:
    return bool(getattr(kind, "_is_protocol", False))


def guarantee_of(bound: BoundPolicy) -> Guarantee:
    return bound.guarantees[-1]


@settings(max_examples=25)
@given(text=words)
def test_the_same_text_gives_the_same_findings_and_plan(bound: BoundPolicy, text: str) -> None:
    guarantee = guarantee_of(bound)
    one, other = reading_of(bound, text), reading_of(bound, text)
    findings = guarantee.assess(one)
    assert findings == guarantee.assess(other)
    assert guarantee.plan(one, findings).edits == guarantee.plan(other, findings).edits


@settings(max_examples=25)
@given(text=words)
def test_nothing_is_left_to_find_after_its_own_plan(bound: BoundPolicy, text: str) -> None:
    guarantee = guarantee_of(bound)
    reading = reading_of(bound, text)
    findings = guarantee.assess(reading)
    edits = bound.operators.fill(guarantee.plan(reading, findings).edits, text) if findings else ()
    alignment = Alignment(edits)
    after = find(alignment.planned(reading.document), bound, alignment.inserted)
    assert guarantee.assess(after) == ()


@settings(max_examples=25)
@given(text=words)
def test_the_plan_touches_only_what_the_text_has_and_costs_what_it_says(
    bound: BoundPolicy, text: str
) -> None:
    guarantee = guarantee_of(bound)
    reading = reading_of(bound, text)
    plan = guarantee.plan(reading, guarantee.assess(reading))
    assert all(0 <= edit.start < edit.end <= len(text) for edit in plan.edits)
    assert plan.lower_bound <= plan.cost
    assert bool(plan.edits) == bool(guarantee.assess(reading))


def test_the_claim_can_be_published(bound: BoundPolicy) -> None:
    claim = guarantee_of(bound).claim
    assert claim.sentence.endswith(".")
    text = repr(claim).lower()
    assert not any(secret in text for secret in ("falcon", "oslo", "fever"))


def test_an_empty_document_holds(bound: BoundPolicy) -> None:
    assert guarantee_of(bound).assess(reading_of(bound, "")) == ()
