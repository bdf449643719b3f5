"""The class's own names in a text."""

from __future__ import annotations

import pytest

from efface.knowledge.classes import ClassModel, LabelledDocument, train
from efface.knowledge.classes.names import find_names, name_parts, spellings


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
        ("General Motors Works", (), "GMW, G.M.W. and G. M. W.; gmw", ["GMW", "G.M.W", "G. M. W"]),
        ("General Motors Corporation", (), "GMC or G.M.C.", ["GMC", "G.M.C"]),
        ("Bank of Avalon", (), "BoA, BOA; a boa, Boa, BA", ["BoA", "BOA"]),
        ("PelagosFreight", (), "Pelagos Freight", ["Pelagos Freight"]),
        ("MasterCard", (), "Master-Card, mastercard", ["Master-Card", "mastercard"]),
        ("AT&T", (), "AT&T, AT & T, AT and T; at a time", ["AT&T", "AT & T", "AT and T"]),
        ("Marks & Spencer", (), "Marks&Spencer", ["Marks&Spencer"]),
        ("Müller AG", (), "Müller, Mueller, MUELLER, Muller", ["Müller", "Mueller", "MUELLER", "Muller"]),
        ("Bjørn Å", (), "Bjoern Aa", ["Bjoern Aa"]),
        ("AT&T", (), "ATT, AT+T, AT&amp;T or at t", ["ATT", "AT+T", "AT&amp;T"]),
        ("Müller & Söhne", (), "Müller und Söhne, Müller+Söhne", ["Müller und Söhne", "Müller+Söhne"]),
        ("Marks & Spencer Works", (), "M&S&W and MSW", ["M&S&W", "MSW"]),
        ("3M", (), "3M™, 3M®, 3 M and 3-M; 3 m", ["3M", "3M", "3 M", "3-M"]),
        ("O'Brien", (), "O Brien, O&#39;Brien", ["O Brien", "O&#39;Brien"]),
        ("Quillmore", (), "&#81;uillmore %51uillmore", ["&#81;uillmore", "%51uillmore"]),
        ("Quillmore", (), "Quill<b>more</b> UXVpbGxtb3Jl", ["Quill<b>more", "UXVpbGxtb3Jl"]),
        ("Quillmore", (), "Qu1llm0re, eromlliuQ", ["Qu1llm0re", "eromlliuQ"]),
        ("Quillmore", (), "ourquillmoredeal", ["quillmore"]),
        ("Comfort", (), "uncomfortable, comfortably", []),
        ("Cisco", (), "San Francisco", []),
    ],
)
def test_names(label: str, aliases: tuple[str, ...], text: str, found: list[str]) -> None:
    spans = find_names(text, spellings(label, aliases))
    assert [text[span.start : span.end] for span in spans] == found


def test_overlapping_names_are_one() -> None:
    spans = find_names("New York Bank of York", spellings("New York Bank", ("York Bank of York",)))
    assert [(span.start, span.end) for span in spans] == [(0, 21)]


@pytest.mark.parametrize(
    ("label", "aliases", "parts"),
    [
        ("Pelagos Freight", (), ("pelagos", "freight", "pf")),
        ("Pelagos Ltd.", (), ()),
        ("Bank of the Orrin 1855", ("Project Falcon",), ("bank", "orrin", "project", "falcon", "pf")),
        ("A B", (), ()),
        ("Ivory Towers", (), ("ivory", "towers")),
        ("東芝 電機工", (), ("電機工", "東電")),
    ],
)
def test_parts(label: str, aliases: tuple[str, ...], parts: tuple[str, ...]) -> None:
    assert name_parts(label, aliases) == parts


def _clients() -> ClassModel:
    """Freight is everybody's word, `shell` the second client's, `orbis` a name that all three mention."""
    texts = {
        "Pelagos Freight": "pelagos pelagos freight cargo crane orbis",
        "Shell Lines": "shell shell freight cargo berth orbis",
        "Orbis Cargo": "freight freight cargo berth crane orbis",
    }
    return train(LabelledDocument(text, name, ()) for name, text in texts.items() for _ in range(3))


@pytest.mark.parametrize(
    ("label", "text", "found"),
    [
        ("Pelagos Freight", "Pelagos, pelagos, PF; the Freight, freight", ["Pelagos", "pelagos", "PF"]),
        ("Pelagos Freight", "P.F., P. F., pf, Pf", ["P.F", "P. F"]),
        ("Shell Lines", "SL, S.L.", ["SL", "S.L"]),
        ("Pelagos Freight", "info@pelagos.example, Pela\u00adgos", ["pelagos", "Pela\u00adgos"]),
        ("Shell Lines", "Shell said so. A shell. SHELL", ["Shell", "SHELL"]),
        ("Orbis Cargo", "Orbis, orbis; Cargo", ["Orbis"]),
    ],
)
def test_a_part_of_the_name_that_names_the_class(label: str, text: str, found: list[str]) -> None:
    """A word that English lacks and that the class has to itself always; one of the two with a capital."""
    spans = find_names(text, _clients().spellings(label))
    assert [text[span.start : span.end] for span in spans] == found


def test_a_part_of_the_name_goes_of_a_class_learned_at_run_time() -> None:
    model = _clients().with_class("Tarn Shipping", ["cargo for the dock"])
    assert [
        model.sensitive.names[3],
        len(find_names("Tarn, tarn; Shipping", model.spellings("Tarn Shipping"))),
    ] == [
        "Tarn Shipping",
        2,
    ]
