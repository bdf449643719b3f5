"""Phrases of everyday words, brand names and abbreviations that tell an entity go wherever it is hidden."""

from __future__ import annotations

from functools import cache

import pytest

from efface.api.sanitizer import Sanitizer
from efface.core import Verdict
from efface.guarantees.semantic.telling_phrases import phrase_pattern, telling_phrases


@cache
def hiding(entity: str, general: str) -> Sanitizer:
    return Sanitizer.from_text(
        "efface: 1\nfind: {patterns: none, names: none}\n"
        f"guarantees:\n  - semantic: {{hide: {{{entity}: {general}}}, max_group: 1}}\n"
    )


@pytest.mark.parametrize(
    ("entity", "general", "text", "gone"),
    [
        ("pregnancy", "condition", "Her due date is in May. The tram was late.", ("due date",)),
        (
            "pregnancy",
            "condition",
            "She asked about maternity\nleave. The tram was late.",
            ("maternity", "leave"),
        ),
        ("HIV", "virus", "He takes Biktarvy; las pruebas: VIH. The tram was late.", ("Biktarvy", "VIH")),
        ("HIV", "virus", "Die Viral Loads waren niedrig. The tram was late.", ("Viral Load",)),
        ("epilepsy", "disorder", "It showed epileptiform waves. The tram was late.", ("epileptiform",)),
        ("imprisonment", "punishment", "He was sent down for it. The tram was late.", ("sent down",)),
        ("diabetes", "disease", "She has T2DM and takes Ozempic. The tram was late.", ("T2DM", "Ozempic")),
    ],
)
def test_what_tells_an_entity_goes_outside_presets(
    entity: str, general: str, text: str, gone: tuple[str, ...]
) -> None:
    report = hiding(entity, general).sanitize(text.encode(), name="a.txt", allow_unproven=True)
    assert report.released is not None
    left = report.released.decode()
    assert [words for words in gone if words.lower() in left.lower()] == []
    assert "The tram was late." in left


def test_the_paper_alone_knows_no_phrases() -> None:
    policy = "efface: 1\nfind: {patterns: none, names: none}\nguarantees:\n  - semantic: {hide: {HIV: virus}, reader: terms}\n"
    report = Sanitizer.from_text(policy).sanitize(b"He was tested at the GUM clinic.", name="a.txt")
    assert report.verdict is Verdict.HELD and report.released == b"He was tested at the GUM clinic."


def test_phrases_are_found_in_any_number_case_and_spacing_and_names_as_they_are_written() -> None:
    pattern = phrase_pattern(["due date", "AA", "Momentum", "twelve-step"])
    assert pattern is not None
    found = [
        match.group()
        for match in pattern.finditer("Due  dates, AA, aa, Momentum, momentum, twelve step, AAA")
    ]
    assert found == ["Due  dates", "AA", "Momentum", "twelve step"]
    assert phrase_pattern([]) is None


def test_an_entity_has_the_phrases_of_all_its_lines() -> None:
    assert {"viral load", "Biktarvy", "VIH"} <= {*telling_phrases("HIV")}
    assert telling_phrases("chess") == ()
