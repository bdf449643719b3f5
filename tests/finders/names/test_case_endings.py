"""A Finnish name is the same in all its cases."""

from __future__ import annotations

import pytest

from efface.finders.names.case_endings import finnish_stems
from efface.finders.names.finder import NameFinder


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("onni", "onnin"),
        ("aino", "ainolle"),
        ("maija", "maijalla"),
        ("virtanen", "virtasen"),
        ("virtanen", "virtaselle"),
        ("korhonen", "korhosten"),
        ("matti", "matin"),
        ("pekka", "pekan"),
    ],
)
def test_forms_of_a_name_share_a_stem(name: str, form: str) -> None:
    assert set(finnish_stems(name)) & set(finnish_stems(form))


@pytest.mark.parametrize(
    ("name", "other"), [("salo", "salonen"), ("aalto", "alto"), ("rita", "rite"), ("ari", "aino")]
)
def test_other_names_share_none(name: str, other: str) -> None:
    assert not set(finnish_stems(name)) & set(finnish_stems(other))


def test_listed_surnames_are_known_in_their_cases() -> None:
    text = "Vaimo tuli eilen. Korhosten mökki on kaukana. Naisten pukuhuone on kiinni ihmisten takia."
    found = [text[mention.start : mention.end] for mention in NameFinder().find(text)]
    assert "Korhosten" in found
    assert "Naisten" not in found


def test_who_is_sure_in_one_case_is_found_in_another() -> None:
    text = "Potilas Onni Salo tuli päivystykseen. Salon kuume oli 39. Onnin isä on matkoilla eikä vastaa."
    found = [text[mention.start : mention.end] for mention in NameFinder().find(text)]
    assert {"Onni Salo", "Salon", "Onnin"} <= set(found)
