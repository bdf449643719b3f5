"""How classes are spelled: two spellings are one class, wherever a class is named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from efface.api.sanitizer import Sanitizer
from efface.cli.main import app
from efface.errors import EffaceError, PolicyError, UsageError
from efface.guarantees.confusability.rounds import train_in_rounds
from efface.knowledge.classes import LabelledDocument, TrainingSettings, find_names, save, train
from efface.knowledge.classes.files import dumps
from efface.knowledge.classes.labels import one_spelling
from tests.guarantees.confusability.strategies import WORDS

SETTINGS = TrainingSettings(min_count=1)
SPELLINGS = {"Société Ash": ["Société Ash", "SOCIETE ASH", "société  ash"], "Birch": ["Birch", "birch"]}


def documents(*, one_way: bool) -> list[LabelledDocument]:
    """Each class has words of its own; the first spelling of a class is the commonest."""
    found = []
    for number, (name, ways) in enumerate({**SPELLINGS, "Cedar": ["Cedar"], "Dune": ["Dune"]}.items()):
        for at, way in enumerate([name, *ways, *ways]):
            text = f"{WORDS[number]} {WORDS[number + 1]} {WORDS[at]} memo report"
            found.append(
                LabelledDocument(text, name if one_way else way, ("steel" if number % 2 else "STEEL",))
            )
    return found


def test_spellings_of_one_class_are_one_class() -> None:
    """As several classes they were one another's crowd, so that all of them named the truth."""
    model = train(documents(one_way=False), SETTINGS)
    assert model.sensitive.names == ("Birch", "Cedar", "Dune", "Société Ash")
    assert len(model.utility.names) == 1
    assert dumps(model) == dumps(train(documents(one_way=True), SETTINGS))
    assert one_spelling(["b", "B", "a", "B", "A"]) == {"b": "B", "B": "B", "a": "A", "A": "A"}
    assert one_spelling(["--", "++"]) == {"--": "--", "++": "++"}


def test_readers_of_redacted_documents_have_the_classes_of_the_model() -> None:
    one, several = (
        train_in_rounds(documents(one_way=way), SETTINGS, {}, rounds=1, k=2) for way in (True, False)
    )
    assert dumps(one) == dumps(several)


@pytest.mark.parametrize("written", ["Société Ash", "SOCIETE ASH", "société  ash"])
def test_other_names_are_those_of_the_class_however_it_is_spelled(written: str, tmp_path: Path) -> None:
    model = train(documents(one_way=True), SETTINGS, {written: ["Project Falcon"]})
    assert model.aliases == {"Société Ash": ("Project Falcon",)}
    assert find_names("about Project Falcon", model.spellings(written))
    save(model, tmp_path / "m.model")
    (tmp_path / "p.yaml").write_text(
        "find: {patterns: none, names: none}\n"
        f"guarantees: [{{k-confusability: {{model: m.model, k: 2, truth: {written}}}}}]\n"
    )
    left = Sanitizer.from_policy(tmp_path / "p.yaml").redact("Project Falcon: bank steel loan rail ship drug")
    assert "Falcon" not in left.text


def test_other_names_of_an_unknown_class_are_refused() -> None:
    """They were passed over, so that a slip in a list of names left the names in the text."""
    with pytest.raises(UsageError, match="does not know"):
        train(documents(one_way=True), SETTINGS, {"Ahs": ["Project Falcon"]})


def test_a_class_learned_at_run_time_may_be_known_already() -> None:
    model = train(documents(one_way=True), SETTINGS).with_class("BIRCH", ["steel cable"], ["Bee"])
    assert model.sensitive.names == ("Birch", "Cedar", "Dune", "Société Ash")
    assert model.aliases == {"Birch": ("Bee",)}


def test_a_model_with_two_spellings_of_one_class_is_refused(tmp_path: Path) -> None:
    """Such models were made before spellings were joined."""
    model = train(documents(one_way=True), SETTINGS)
    names = ("Birch", "BIRCH", *model.sensitive.names[2:])
    object.__setattr__(model.sensitive, "names", names)
    save(model, tmp_path / "m.model")
    (tmp_path / "p.yaml").write_text(
        "guarantees: [{k-confusability: {model: m.model, k: 2, truth: Birch}}]\n"
    )
    with pytest.raises(PolicyError, match="two spellings"):
        Sanitizer.from_policy(tmp_path / "p.yaml").redact("steel bank")


def test_attackers_are_right_in_every_spelling(tmp_path: Path) -> None:
    """A class that the released documents spell otherwise counted as never named."""
    rows = documents(one_way=True)
    save(train(rows, SETTINGS), tmp_path / "m.model")
    for name, upper in (("corpus", False), ("plain", False), ("upper", True)):
        lines = []
        for row in rows:
            label = row.sensitive.upper() if upper else row.sensitive
            lines.append(json.dumps({"sensitive": label, "text": row.text}))
        (tmp_path / f"{name}.jsonl").write_text("\n".join(lines))
    found = []
    for name in ("plain", "upper"):
        arguments = ["attack", "classes", tmp_path / f"{name}.jsonl", "--model", tmp_path / "m.model"]
        arguments += ["--corpus", tmp_path / "corpus.jsonl", "--json"]
        done = CliRunner().invoke(app, [str(argument) for argument in arguments])
        assert done.exit_code == 0, done.output
        found.append(json.loads(done.output))
    assert found[0] == found[1]


def test_nothing_of_the_name_is_in_an_error() -> None:
    with pytest.raises(EffaceError) as caught:
        train(documents(one_way=True), SETTINGS, {"Zebra Holding": ["x"]})
    assert "Zebra" not in str(caught.value)
