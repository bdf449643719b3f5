"""`find.names` in a policy."""

from __future__ import annotations

import pytest

from efface.adapters.spacy_finder import SpacyFinder
from efface.binding import bind
from efface.errors import PolicyError
from efface.policy import Policy, parse
from efface.terms.names.finder import DEFAULT_TYPES, NameFinder


def _finder(names: str) -> object:
    return bind(parse(f"efface: 1\nfind:\n  names: {names}\n")).finders.get("names")


@pytest.mark.parametrize(
    ("names", "finder"),
    [
        ("default", NameFinder()),
        ("none", None),
        ("{preset: precision}", NameFinder(preset="precision")),
        ("{model: default, risk: subject}", NameFinder(risk="subject")),
        ("{types: [PERSON, LOCATION]}", NameFinder(types=frozenset({"PERSON", "LOCATION"}))),
        ("{spacy: en_core_web_md}", SpacyFinder("en_core_web_md")),
    ],
)
def test_the_policy_chooses_the_finder(names: str, finder: object) -> None:
    assert _finder(names) == finder


def test_a_policy_that_does_not_ask_gets_no_names() -> None:
    assert "names" not in bind(Policy()).finders
    assert NameFinder().types == DEFAULT_TYPES


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ("{types: [PERSN]}", "PERSON"),
        ("{preset: both}", "recall"),
        ("{spacy: a, gliner: b}", "one of"),
        ("{modell: a}", "model"),
        ("sometimes", "names"),
    ],
)
def test_mistakes_are_named(names: str, said: str) -> None:
    with pytest.raises(PolicyError, match=said):
        _finder(names)


def test_operators_know_the_types() -> None:
    bind(
        parse(
            "efface: 1\nfind: {names: default}\noperators: {PERSON: surrogate, ORGANIZATION: redact, NRP: keep}\n"
        )
    )
