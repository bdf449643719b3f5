"""Ready policies: every entity is known to the packaged corpus and measurable against its generalisation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from efface.errors import PolicyError
from efface.guarantees.semantic import Semantic
from efface.knowledge.corpus import wikipedia
from efface.knowledge.taxonomy import wordnet
from efface.policy import PRESETS, load, preset
from tests.semantic.oracle import reading


def semantic(name: str) -> Semantic:
    policy: dict[str, Any] = yaml.safe_load(preset(name))
    (entry,) = (entry["semantic"] for entry in policy["guarantees"])
    return Semantic(corpus=wikipedia(), taxonomies=(wordnet(),), **entry)


@pytest.mark.parametrize("name", ("hipaa-like", "gdpr-special"))
def test_a_preset_can_be_bound_and_finds_what_it_hides(name: str) -> None:
    guarantee = semantic(name)
    assert len(guarantee.warnings()) <= 3  # the comments in the preset say which
    assert not guarantee.assess(reading("The train was late."))
    for entity in guarantee.hide:
        assert entity in {finding.secret for finding in guarantee.assess(reading(f"It was {entity}."))}


def test_religion_is_inferred_from_what_goes_with_it() -> None:
    found = semantic("gdpr-special").assess(reading("He fasts during Ramadan and reads the Quran."))
    assert "Islam" in {finding.secret for finding in found}


@pytest.mark.parametrize(
    "text",
    [
        "After his mother's death he moved to Leeds.",
        "The delivery is three weeks old.",
        "Her sister votes in every election and plays chess.",
        "She speaks Catalan at home; the Catalan neighbour was born in Girona.",
    ],
)
def test_everyday_words_betray_no_special_category(text: str) -> None:
    assert semantic("gdpr-special").assess(reading(text)) == ()


@pytest.mark.parametrize(
    ("text", "entity"),
    [("She saw the midwife.", "pregnancy"), ("It is in the collective bargaining agreement.", "trade union")],
)
def test_what_goes_with_a_special_category_betrays_it(text: str, entity: str) -> None:
    assert entity in {finding.secret for finding in semantic("gdpr-special").assess(reading(text))}


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_a_policy_by_its_name(name: str) -> None:
    policy = load(Path(name))
    assert policy.guarantees or policy.find.names == "default"
    with pytest.raises(PolicyError):
        preset("none-such")
