"""The members of groups of entities, by comparing codes and by looking them up."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from efface.knowledge.entities import signatures
from efface.knowledge.entities.sources import Entity
from efface.knowledge.entities.store import build, open_index

TERMS = [f"common {at}" for at in range(6)] + [f"rare {at}" for at in range(6)]


@pytest.mark.parametrize("few", [0, 16, 1000])
def test_members_are_those_with_exactly_the_groups_terms(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    monkeypatch.setattr(signatures, "_FEW_CODES", few)
    rng = random.Random(3)
    contexts = {
        str(at): frozenset(term for term in TERMS if rng.random() < (0.5 if "common" in term else 0.01))
        for at in range(2000)
    }
    build(
        (Entity(id, tuple(("t", term) for term in sorted(held))) for id, held in contexts.items() if held),
        tmp_path / "index",
    )
    found = open_index(tmp_path / "index").signatures(TERMS)
    assert found._layers[0].codes is not None, "common terms are bitmaps"
    by_group: dict[int, set[str]] = {}
    for group, id in found.members(range(len(found.groups))):
        by_group.setdefault(group, set()).add(id)
    for group, row in enumerate(found.groups):
        held = frozenset(term for at, term in enumerate(found.terms) if int(row[0]) >> at & 1)
        assert by_group[group] == {id for id, terms in contexts.items() if terms == held}


@pytest.mark.parametrize("width", [1, 130])
def test_some_of_the_terms_are_counted_as_if_they_were_asked_for_alone(tmp_path: Path, width: int) -> None:
    rng = random.Random(4)
    terms = [*TERMS, *(f"more {at}" for at in range(width - 1))]
    contexts = [tuple(("t", term) for term in terms if rng.random() < 0.2) for _ in range(300)]
    build((Entity(str(at), held) for at, held in enumerate(contexts)), tmp_path / "index")
    index = open_index(tmp_path / "index")
    whole = index.signatures(terms)
    for some in ([], terms[3:9], [terms[-1], terms[0]], rng.sample(terms, len(terms) // 2)):
        found, places = whole.only(some)
        alone = index.signatures(some)
        assert found.terms == alone.terms and found.empty == alone.empty
        assert {(*row.tolist(), count) for row, count in zip(found.groups, found.counts, strict=True)} == {
            (*row.tolist(), count) for row, count in zip(alone.groups, alone.counts, strict=True)
        }
        for group, row in enumerate(whole.groups):
            held = {term for at, term in enumerate(terms) if int(row[at // 64]) >> at % 64 & 1} & set(some)
            mask = found.mask([at for at, term in enumerate(found.terms) if term in held])
            place = int(places[group])
            assert place == -1 if not held else (found.groups[place] == mask).all()
