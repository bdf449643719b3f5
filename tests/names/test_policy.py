"""`find.names` in a policy."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from efface.adapters.spacy_finder import SpacyFinder
from efface.binding import bind
from efface.cli import app
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


@pytest.mark.parametrize("policy", [None, "efface: 1\nfind: {names: default}\n"])
def test_the_command_line_says_when_names_were_not_looked_for(tmp_path: Path, policy: str | None) -> None:
    page, released = tmp_path / "page.txt", tmp_path / "released.txt"
    page.write_text("Maria Gonzalez wrote from maria@example.org.", "utf-8")
    command = ["redact", str(page), "-o", str(released)]
    if policy:
        (tmp_path / "p.yaml").write_text(policy, "utf-8")
        command += ["--policy", str(tmp_path / "p.yaml")]
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 0
    assert ("Names were not looked for" in result.output) == (policy is None)
    assert ("Gonzalez" in released.read_text("utf-8")) == (policy is None)
