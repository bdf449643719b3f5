"""The class's own names in a text."""

from __future__ import annotations

import pytest

from efface.knowledge.classes_names import find_names, spellings


@pytest.mark.parametrize(
    ("label", "aliases", "text", "found"),
    [
        ("Acme", (), "Acme, ACME and acme's; Acmeville not", ["Acme", "ACME", "acme"]),
        ("Acme Corp.", (), "Acme built it", ["Acme"]),
        ("Acme Corp.", (), "Acme Corporation", ["Acme"]),
        ("Acme Corporation", (), "the Acme-Corporation plant", ["Acme-Corporation"]),
        ("Coca-Cola", (), "Coca Cola, CocaCola, coca\ncola", ["Coca Cola", "CocaCola", "coca\ncola"]),
        ("Johnson & Johnson", (), "Johnson and Johnson; Johnson", ["Johnson and Johnson"]),
        ("McDonald's", (), "McDonalds and McDonald’s", ["McDonalds", "McDonald’s"]),
        ("International Business Machines", (), "IBM, not ibm", ["IBM"]),
        ("IBM", (), "IBM or ibm", ["IBM", "ibm"]),
        ("General Electric", ("GE",), "GE and General  Electric", ["GE", "General  Electric"]),
        (
            "soc.religion.christian",
            (),
            "Newsgroups: soc.religion.christian christian",
            ["soc.religion.christian"],
        ),
        ("Société Générale", (), "SOCIETE GENERALE", ["SOCIETE GENERALE"]),
        ("Carrefour", (), "Carre-\nfour", ["Carre-\nfour"]),
        ("Acme", (), "Аcme with a Cyrillic A", ["Аcme"]),
        ("東芝", (), "株式会社東芝の", ["東芝"]),
        ("C++", (), "C++ code", ["C++"]),
        ("The Group", (), "the group, the others", ["the group"]),
        ("...", (), "anything...", []),
    ],
)
def test_names(label: str, aliases: tuple[str, ...], text: str, found: list[str]) -> None:
    spans = find_names(text, spellings(label, aliases))
    assert [text[span.start : span.end] for span in spans] == found


def test_overlapping_names_are_one() -> None:
    spans = find_names("New York Bank of York", spellings("New York Bank", ("York Bank of York",)))
    assert [(span.start, span.end) for span in spans] == [(0, 21)]
