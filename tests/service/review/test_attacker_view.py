"""What the review page says of findings, by the abilities of the guarantee that made them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from efface.api.sanitizer import Sanitizer
from efface.core import Claim, Edit, Finding, Mention, Plan, Reading, Term
from efface.service.review.attacker_view import view
from efface.service.review.decisions import EffectiveDecisions
from efface.service.review.run_with_decisions import ReviewInput, run
from efface.service.review.slider_curve import curve

TEXT = b"Project Heron begins in May."


@dataclass(frozen=True)
class Birds:
    """A guarantee of somebody else: nothing says the name of a bird."""

    @property
    def claim(self) -> Claim:
        return Claim("no-birds", "No bird is left.", "birds left", legend="names a bird")

    def assess(self, reading: Reading) -> tuple[Finding, ...]:
        at = reading.document.text.find("Heron")
        if at < 0:
            return ()
        term = Term("heron", "BIRD", (Mention(at, at + 5, "BIRD", "heron", 0.75, "a bird"),), "birds")
        return (Finding("no-birds", "BIRD", (term,), 1.0, 1.0, "a bird"),)

    def plan(self, reading: Reading, findings: Sequence[Finding]) -> Plan:
        mentions = [mention for finding in findings for mention in finding.terms[0].mentions]
        return Plan(tuple(Edit(m.start, m.end, m.type, m.key, m.because) for m in mentions))


class OverrulableBirds(Birds):
    is_overrulable = True


class WeighedBirds(Birds):
    def risk(self, finding: Finding) -> float:
        return 0.25

    def explain(self, finding: Finding) -> str:
        return "It is a bird."


class TitledBirds(Birds):
    @property
    def claim(self) -> Claim:
        return replace(super().claim, title="Birds")


def prepared_for(guarantee: Birds) -> ReviewInput:
    bound = Sanitizer.from_text("find: {patterns: none, names: none}").bind()
    bound = replace(bound, guarantees=(guarantee,), types=(*bound.types, "BIRD"))
    return ReviewInput.of(TEXT, "note.txt", bound)


def seen(guarantee: Birds) -> dict[str, Any]:
    prepared = prepared_for(guarantee)
    decided = EffectiveDecisions()
    return view(prepared, decided, run(prepared, decided))


def test_a_guarantee_without_abilities_is_told_by_its_amounts() -> None:
    found = seen(Birds())
    (term,) = found["terms"]
    assert (term["risk"], term["hard"]) == (0.5, True)
    assert term["why"] == ["The policy protects it (no-birds): a bird."]
    assert found["legend"]["no-birds"] == "names a bird"


def test_a_reviewer_may_keep_what_a_guarantee_on_finds_of_somebody_else_found() -> None:
    (term,) = seen(OverrulableBirds())["terms"]
    assert (term["risk"], term["hard"]) == (0.75, False)


def test_a_guarantee_of_somebody_else_explains_and_weighs_its_findings() -> None:
    (term,) = seen(WeighedBirds())["terms"]
    assert (term["risk"], term["why"]) == (0.25, ["It is a bird."])


def test_a_guarantee_of_somebody_else_has_the_title_of_its_claim() -> None:
    (titled,) = seen(TitledBirds())["guarantees"]
    (named,) = seen(Birds())["guarantees"]
    assert (titled["title"], named["title"]) == ("Birds", "no-birds")


def test_the_slider_names_the_guarantee_on_finds_that_it_moves() -> None:
    assert curve(prepared_for(OverrulableBirds()))["guarantee"] == "no-birds"
