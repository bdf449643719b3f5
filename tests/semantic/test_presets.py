"""Ready policies: every entity is known to the packaged corpus and measurable against its generalisation."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import pytest
import yaml

from efface.guarantees.semantic import Semantic
from efface.knowledge.corpus import wikipedia
from efface.knowledge.taxonomy import wordnet
from tests.semantic.oracle import reading

PRESETS = ("gdpr-special", "hipaa-like")


def semantic(name: str) -> Semantic:
    policy: dict[str, Any] = yaml.safe_load((files("efface") / "presets" / f"{name}.yaml").read_text("utf-8"))
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
