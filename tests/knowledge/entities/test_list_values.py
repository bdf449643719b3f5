"""Texts that are lists, and texts that only have their marks."""

from __future__ import annotations

import pytest

from efface.knowledge.entities.list_values import items


@pytest.mark.parametrize(
    ("text", "parts", "parts_by_commas"),
    [
        ("lupus", [], []),
        ("lupus; gout", ["lupus", "gout"], ["lupus", "gout"]),
        ("lupus|gout\nscurvy", ["lupus", "gout", "scurvy"], ["lupus", "gout", "scurvy"]),
        ("lupus, gout", [], ["lupus", "gout"]),
        ("lupus/gout", [], ["lupus", "gout"]),
        ('["lupus", ["gout"]]', ["lupus", "gout"], ["lupus", "gout"]),
        ('{"lupus": true}', ["lupus"], ["lupus"]),
        ('{lupus,"acute gout"}', ["lupus", "acute gout"], ["lupus", "acute gout"]),
        ("['lupus', 'gout']", ["lupus", "gout"], ["lupus", "gout"]),
        ("(M32,lupus)", ["M32", "lupus"], ["M32", "lupus"]),
        ("<d><w>lupus</w> <w>gout</w></d>", ["lupus", "gout"], ["lupus", "gout"]),
        (
            "code=M32; word=lupus",
            ["code=M32", "word=lupus", "M32", "lupus"],
            ["code=M32", "word=lupus", "M32", "lupus"],
        ),
        ('{"x": "lupus; gout"}', ["lupus; gout", "lupus", "gout"], ["lupus; gout", "lupus", "gout"]),
        ("- lupus\n- gout", ["lupus", "gout"], ["lupus", "gout"]),
        ("• lupus • gout", ["lupus", "gout"], ["lupus", "gout"]),
        ('"lupus","gout"', ["lupus", "gout"], ["lupus", "gout"]),
        ("lupus (gout)", [], ["lupus", "gout"]),
        ("lupus - gout", [], ["lupus", "gout"]),
        ("lupus with gout", [], ["lupus", "gout"]),
        ("illness: lupus", [], ["lupus"]),
        ("sand and sea", [], []),
        (f"He came with his brother{' and again' * 10}.", [], []),
        ("March 12, 1980", [], []),
        ("52,000", [], []),
        ("N/A", [], []),
        ("Acme Traders, Ltd.", [], ["Acme Traders"]),
        ("; " * 60 + "lupus", [], []),
        ("a long story; " * 200, [], []),
    ],
)
def test_the_items_of_a_list_are_values(text: str, parts: list[str], parts_by_commas: list[str]) -> None:
    assert list(items(text, with_commas=False)) == parts
    assert list(items(text, with_commas=True)) == parts_by_commas
