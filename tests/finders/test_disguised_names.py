"""A hidden name goes however a token disguises it, also where nothing else of the text names the entity."""

from __future__ import annotations

import pytest

from efface import Sanitizer
from efface.finders.disguised_names import DisguisedNames

POLICY = "efface: 1\nfind: {patterns: none, names: none}\nguarantees:\n  - semantic: {hide: {diabetes: disease, leukemia: cancer}}\n"


@pytest.fixture(scope="module")
def sanitizer() -> Sanitizer:
    return Sanitizer.from_text(POLICY)


@pytest.mark.parametrize(
    "written",
    [
        "&#100;iabetes",
        "&#x64;iabetes",
        "%64iabetes",
        "dia<b>be</b>tes",
        "dia**be**tes",
        "setebaid",
        "ZGlhYmV0ZXM=",
        "1diabetes",
        "2xdiabetes",
        "DiabetesNurse",
        "our_diabetes_page",
        "livingwithdiabetes",
        "ourdiabetesclinic",
        "#livingwithdiabetes",
        "nonleukemia",
    ],
)
def test_a_disguised_name_goes(sanitizer: Sanitizer, written: str) -> None:
    redaction = sanitizer.redact(f"The man wrote {written} on a table.")
    left = redaction.text.lower()
    assert "betes" not in left
    assert "iab" not in left
    assert "leuk" not in left
    assert left.endswith("on a table.")


def test_words_that_stand_as_they_are_are_left_to_the_phrases() -> None:
    names = DisguisedNames(frozenset(("diabetes", "diabetes mellitus", "ALL")))
    assert list(names.find("Diabetes, a case of diabetes-mellitus, all of it in AllHands.")) == []


def test_the_key_is_the_names() -> None:
    ((span, key),) = DisguisedNames(frozenset(("HIV",))).find("See HIVclinic now.")
    assert (span.start, span.end, key) == (4, 13, "HIV")
