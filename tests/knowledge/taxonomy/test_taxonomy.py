"""Taxonomies: the packaged WordNet, OBO, CSV."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from efface.errors import InputError
from efface.knowledge.taxonomy.concepts import WORDNET, Concept, Taxonomy, wordnet
from efface.knowledge.taxonomy.files import load_taxonomy, open_taxonomy, write_taxonomy

OBO = """format-version: 1.2

[Term]
id: X:1
name: abnormality

[Term]
id: X:2
name: heart defect
synonym: "cardiac defect" EXACT []
is_a: X:1 ! abnormality

[Term]
id: X:3
name: hole in the heart
is_a: X:2 {source="x"} ! heart defect
is_a: X:9 ! nowhere

[Term]
id: X:4
name: gone
is_obsolete: true

[Typedef]
id: part_of
name: part of
"""


def labels(taxonomy: Taxonomy, term: str) -> list[str]:
    return [taxonomy.names(above)[0] for above in taxonomy.ancestors(taxonomy.senses(term)[0])]


def test_wordnet_knows_what_a_virus_is() -> None:
    taxonomy = wordnet()
    assert labels(taxonomy, "semen")[:2] == ["liquid body substance", "body substance"]
    assert taxonomy.is_kind_of("HIV", "virus")
    assert taxonomy.is_kind_of("HIV", "infection")
    assert not taxonomy.is_kind_of("virus", "HIV")
    assert "human immunodeficiency virus" in {n for s in taxonomy.senses("HIV") for n in taxonomy.names(s)}
    assert taxonomy.synonyms("car")
    assert taxonomy.synonyms("no such thing") == ()


@pytest.mark.parametrize(
    ("spelled", "meant"),
    [
        ("viruses", "virus"),
        ("helper T cells", "helper T cell"),
        ("T-cell", "T cell"),
        ("STDs", "STD"),
        ("hiv", "HIV"),
        ("children", "child"),
        ("Bodily  Fluids", "bodily fluid"),
    ],
)
def test_spellings(spelled: str, meant: str) -> None:
    assert set(wordnet().senses(spelled)) & set(wordnet().senses(meant))


def test_an_acronym_is_not_the_word_it_spells() -> None:
    assert not set(wordnet().senses("AIDS")) & set(wordnet().senses("aid"))
    assert wordnet().lexicon.key("AIDS") == "AIDS"
    assert wordnet().lexicon.key("aids") == "aid"


def test_its_licence_ships_beside_it() -> None:
    assert "Princeton University" in WORDNET.with_suffix(".LICENSE").read_text()


def test_obo(tmp_path: Path) -> None:
    (tmp_path / "x.obo").write_text(OBO)
    taxonomy = load_taxonomy(tmp_path / "x.obo")
    assert labels(taxonomy, "hole in the heart") == ["heart defect", "abnormality"]
    assert taxonomy.senses("Cardiac defects") == taxonomy.senses("heart defect")
    assert not taxonomy.senses("gone") and not taxonomy.senses("part of")


def test_csv(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text(
        "term,parent,synonyms\nflu,infection,grippe|influenza\ninfection,illness,\n"
    )
    taxonomy = load_taxonomy(tmp_path / "x.csv")
    assert labels(taxonomy, "influenza") == ["infection", "illness"]


@pytest.mark.parametrize(("name", "text"), [("x.csv", "a,b\n1,2\n"), ("x.obo", ""), ("x.txt", "x")])
def test_what_is_no_taxonomy_is_refused(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError):
        load_taxonomy(tmp_path / name)


def test_cycles_end(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("term,parent\na,b\nb,c\nc,a\nd,d\n")
    taxonomy = load_taxonomy(tmp_path / "x.csv")
    assert labels(taxonomy, "a") == ["b", "c"]
    assert labels(taxonomy, "d") == []


@given(st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=20))
def test_ancestors_are_what_can_be_reached(edges: list[tuple[int, int]]) -> None:
    parents: dict[int, list[int]] = {n: [] for n in range(8)}
    for low, high in edges:
        parents[low].append(high)
    taxonomy = Taxonomy.of(
        "x", [Concept(str(n), (f"n{n}",), tuple(map(str, above))) for n, above in parents.items()]
    )
    for start in range(8):
        reached: set[int] = set()
        while (grown := reached | {h for low in reached | {start} for h in parents[low]}) != reached:
            reached = grown
        found = [int(taxonomy.ids[a]) for a in taxonomy.ancestors(taxonomy.senses(f"n{start}")[0])]
        assert sorted(found) == sorted(reached - {start})


def test_the_compact_form_comes_back(tmp_path: Path) -> None:
    taxonomy = Taxonomy.of("x", [Concept("1", ("disease",)), Concept("2", ("flu", "grippe"), ("1",))])
    write_taxonomy(tmp_path / "x.tax", taxonomy, "ours")
    again = open_taxonomy(tmp_path / "x.tax")
    assert (again.name, labels(again, "grippe")) == ("x", ["disease"])
    data = (tmp_path / "x.tax").read_bytes()
    (tmp_path / "y.tax").write_bytes(data[:-70] + b"x" + data[-69:])
    with pytest.raises(InputError):
        open_taxonomy(tmp_path / "y.tax")
