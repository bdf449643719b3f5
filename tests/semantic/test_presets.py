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


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_can_be_bound_and_finds_what_it_hides(name: str) -> None:
    guarantee = semantic(name)
    assert len(guarantee.warnings()) <= 1
    assert not guarantee.assess(reading("The train was late."))
    for entity in guarantee.hide:
        assert entity in {finding.secret for finding in guarantee.assess(reading(f"It was {entity}."))}


def test_religion_is_inferred_from_what_goes_with_it() -> None:
    found = semantic("gdpr-special").assess(reading("He fasts during Ramadan and reads the Quran."))
    assert "Islam" in {finding.secret for finding in found}


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_a_policy_by_its_name(name: str) -> None:
    assert load(Path(name)).guarantees
    with pytest.raises(PolicyError):
        preset("none-such")
