"""The index against the oracle: whatever is built, updated, deleted and merged, the answers are equal."""

from __future__ import annotations

import gzip
import random
from collections import Counter
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from efface.finders.entities import EntityFinder
from efface.knowledge.entities.build_records import fold_value
from efface.knowledge.entities.column_values import cached_column
from efface.knowledge.entities.index import EntityIndex
from efface.knowledge.entities.sources import Entity, JsonLinesSource
from efface.knowledge.entities.store import EntityStore, build, open_index
from efface.text.folding import fold_term
from tests.knowledge.entities.entity_oracle import Oracle

HPO = Path(__file__).parents[4] / "shared" / "data" / "entities" / "diseases-hpo.jsonl.gz"
VALUES = ["Ann Lee", "ann  lee", "Straße", "strasse", "Łódź", "東京", "c++", "c", "♥", "o'brien", "7", " "]
IDS = ["1", "2", "Zoë", "a b", '["1", "2"]', ""]


def _values(names: list[str]) -> st.SearchStrategy[tuple[tuple[str, str], ...]]:
    return st.lists(st.tuples(st.sampled_from(names), st.sampled_from(VALUES)), max_size=4).map(tuple)


ENTITIES = st.builds(
    Entity,
    st.sampled_from(IDS),
    _values(["name", "city"]),
    _values(["salary", "city"]),
    _values(["category"]),
    st.sampled_from([1.0, 2.5]),
)


def groups_of(index: EntityIndex, terms: Sequence[str], selected: bool = False) -> Counter[frozenset[str]]:
    """What the index answers, in the words of the oracle."""
    selection = index.everyone() if selected else None
    found = index.signatures(terms, selection)
    answer: Counter[frozenset[str]] = Counter()
    for row, count in zip(found.groups, found.selected if selected else found.counts, strict=True):
        has = {term for at, term in enumerate(found.terms) if int(row[at // 64]) >> at % 64 & 1}
        assert has, "the empty signature is not a group"
        assert frozenset(has) not in answer, "groups are distinct"
        answer[frozenset(has)] = int(count)
    if found.empty:
        answer[frozenset()] = found.empty
    return answer


def check(index: EntityIndex, oracle: Oracle, terms: Sequence[str]) -> None:
    """Every question, both ways."""
    assert len(index) == len(oracle.known)
    assert groups_of(index, terms) == oracle.groups(terms, oracle.known)
    found = index.signatures(terms)
    for group, row in enumerate(found.groups):
        has = frozenset(term for at, term in enumerate(found.terms) if int(row[at // 64]) >> at % 64 & 1)
        members = [id for _, id in found.members([group])]
        assert len(members) == len(set(members)) == found.counts[group]
        assert set(members) == oracle.members(has, terms)
        assert found.crowd(row) == sum(has <= oracle.context(id) for id in oracle.known)
    every = [(group, id) for group in range(found.counts.size) for _, id in found.members([group])]
    assert sorted(found.members(range(found.counts.size))) == sorted(every)
    known = index.attributes_of(terms)
    for key in terms:
        assert {(a.name, a.role) for a in known.get(key, ())} == oracle.attributes(key)
        assert (key in index) == bool(oracle.attributes(key))
        assert index.crowd(key) == sum(key in oracle.context(id) for id in oracle.known)
    for id in IDS:
        assert index.holds(id) == (id in oracle.known)
        expected = set(oracle.known[id].terms) if id in oracle.known else set()
        assert set(index.context(id)) == expected
    for entity in index.entities():
        wanted = oracle.known[entity.id]
        assert set(entity.terms) == set(wanted.terms)
        assert set(entity.sensitive) == set(wanted.sensitive)
        assert entity.weight == wanted.weight
    for value in VALUES:
        assert set(index.ids(index.where("category", value))) == oracle.labelled("category", value)


@settings(max_examples=30, deadline=None, derandomize=True)
@given(
    st.lists(ENTITIES, max_size=8),
    st.lists(
        st.one_of(
            st.lists(ENTITIES, max_size=3).map(lambda entities: ("upsert", entities)),
            st.lists(st.sampled_from(IDS), max_size=2).map(lambda ids: ("delete", ids)),
            st.just(("compact", ())),
        ),
        max_size=6,
    ),
)
def test_any_history_gives_the_answers_of_the_oracle(
    entities: list[Entity], history: list[tuple[str, list[Entity] | list[str]]]
) -> None:
    terms = [*sorted({fold_term(value) for value in VALUES} - {""}), "not there"]
    with TemporaryDirectory() as folder:
        path, oracle = Path(folder) / "index", Oracle()
        build(entities, path)
        oracle.upsert(entities)
        store = EntityStore(path)
        check(store.snapshot(), oracle, terms)
        for action, argument in history:
            if action == "compact":
                store.compact()
            else:
                getattr(store, action)(argument)
                getattr(oracle, action)(argument)
            check(store.snapshot(), oracle, terms)
        check(open_index(path), oracle, terms)


def _crowd(count: int, terms: int, seed: int) -> list[Entity]:
    """Entities with terms from very common (in nearly all) to rare (in one)."""
    rng = random.Random(seed)
    shares = [rng.random() ** 4 for _ in range(terms)]
    held = [[number for number, share in enumerate(shares) if rng.random() < share] for _ in range(count)]
    return [
        Entity(str(at), tuple(("t", f"term {number}") for number in mine)) for at, mine in enumerate(held)
    ]


def test_lists_bitmaps_many_terms_and_the_dead(tmp_path: Path) -> None:
    """Enough entities for both kinds of postings, over 64 terms and over 16 bitmaps, some entities dead."""
    oracle, rng = Oracle(), random.Random(5)
    entities = _crowd(700, 150, 3)
    build(entities, tmp_path / "index")
    oracle.upsert(entities)
    store = EntityStore(tmp_path / "index")
    for _ in range(2):
        for terms in (3, 20, 64, 65, 150):
            chosen = [f"term {number}" for number in rng.sample(range(150), terms)]
            index = store.snapshot()
            assert groups_of(index, chosen) == oracle.groups(chosen, oracle.known)
            assert groups_of(index, chosen, selected=True) == oracle.groups(chosen, oracle.known)
        dead = [str(number) for number in rng.sample(range(700), 90)]
        store.delete(dead)
        oracle.delete(dead)
        again = _crowd(40, 150, 9)
        store.upsert(again)
        oracle.upsert(again)


def test_a_selection_is_counted_in_each_group(tmp_path: Path) -> None:
    oracle, entities = Oracle(), _crowd(300, 30, 4)
    build(entities, tmp_path / "index")
    oracle.upsert(entities)
    index = open_index(tmp_path / "index")
    ids = [str(number) for number in range(0, 300, 7)]
    terms = [f"term {number}" for number in range(30)]
    selection = index.select([*ids, "nobody"])
    assert len(selection) == len(ids)
    assert sorted(index.ids(selection)) == sorted(ids)
    found = index.signatures(terms, selection)
    expected = oracle.groups(terms, ids)
    for group, row in enumerate(found.groups):
        has = frozenset(term for at, term in enumerate(terms) if int(row[0]) >> at & 1)
        assert found.selected[group] == expected[has]
        assert {id for _, id in found.members([group], selection)} == oracle.members(has, terms) & set(ids)
    assert found.selected.sum() + expected[frozenset()] == len(ids)


def test_a_selection_is_of_one_snapshot(tmp_path: Path) -> None:
    build(_crowd(3, 3, 1), tmp_path / "index")
    old, new = open_index(tmp_path / "index"), open_index(tmp_path / "index")
    with pytest.raises(ValueError, match="another snapshot"):
        new.signatures(["x"], old.everyone())


@pytest.mark.skipif(not HPO.exists(), reason="needs ../shared/data, which is not here")
def test_rare_diseases(tmp_path: Path) -> None:
    """Real contexts: a tenth of 12,680 diseases and their phenotypes."""
    with gzip.open(HPO, "rt", encoding="utf-8") as lines:
        (tmp_path / "some.jsonl").write_text("".join(islice(lines, 0, None, 10)), encoding="utf-8")
    source = JsonLinesSource(tmp_path / "some.jsonl")
    build(source, tmp_path / "index", fingerprint=source.fingerprint())
    index, oracle = open_index(tmp_path / "index", expect=source.fingerprint()), Oracle()
    oracle.upsert(source)
    text = (
        "Seizures and global developmental delay; short stature, tonic seizure, muscle spasm and Hand Tremor."
    )
    terms = list(dict.fromkeys(mention.key for mention in EntityFinder(index, "hpo").find(text)))
    assert {"tonic seizure", "global developmental delay", "short stature", "hand tremor"} <= set(terms)
    assert groups_of(index, terms) == oracle.groups(terms, oracle.known)


def test_terms_are_asked_once_and_unknown_ones_match_nobody(tmp_path: Path) -> None:
    build([Entity("1", (("name", "Ann"),))], tmp_path / "index")
    found = open_index(tmp_path / "index").signatures(["ann", "ann", "bob"])
    assert found.terms == ("ann", "bob")
    assert found.groups.tolist() == [[1]]
    assert found.crowd(found.mask([1])) == 0
    assert found.crowd(found.mask([])) == 1


def test_no_entities_at_all(tmp_path: Path) -> None:
    build([], tmp_path / "index")
    index = open_index(tmp_path / "index")
    found = index.signatures(["x"])
    assert (len(index), found.groups.shape, found.empty) == (0, (0, 1), 0)
    assert "x" not in index
    assert list(index.ids(index.everyone())) == []


def test_chunks_do_not_show(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A build in many chunks, with values and ids that come back later, is as one in a single chunk."""
    from efface.knowledge.entities import build_records as gather

    entities = _crowd(200, 40, 8) + _crowd(150, 40, 9)
    oracle = Oracle()
    oracle.upsert(entities)
    monkeypatch.setattr(gather, "_CHUNK", 50)
    build(entities, tmp_path / "index")
    index = open_index(tmp_path / "index")
    terms = [f"term {number}" for number in range(40)]
    assert groups_of(index, terms) == oracle.groups(terms, oracle.known)
    for id in ("0", "149", "150", "199"):
        assert {key for _, key in index.context(id)} == oracle.context(id)


@pytest.mark.parametrize("distinct", [1, 3])
def test_grouping_survives_equal_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, distinct: int) -> None:
    """Rows are grouped by a hash; when hashes are equal the rows decide."""
    from efface.knowledge.entities import signatures

    monkeypatch.setattr(signatures, "extend", lambda prefixes, words: prefixes % np.uint64(distinct))
    entities = _crowd(80, 90, 12)
    oracle = Oracle()
    oracle.upsert(entities)
    build(entities, tmp_path / "index")
    terms = [f"term {number}" for number in range(90)]
    index = open_index(tmp_path / "index")
    assert (
        groups_of(index, terms)
        == groups_of(index, terms, selected=True)
        == oracle.groups(terms, oracle.known)
    )
    found = index.signatures(terms)
    members = list(found.members(range(found.counts.size)))
    assert Counter(group for group, _ in members) == dict(enumerate(found.counts.tolist()))
    assert len({id for _, id in members}) == len(members)


@given(st.text(alphabet=st.characters(codec="utf-8") | st.sampled_from(" \t\u00a0aÄß\u200b-"), max_size=12))
@settings(max_examples=300, deadline=None, derandomize=True)
def test_the_short_way_to_fold_is_the_long_one(value: str) -> None:
    assert fold_value(value) == fold_term(value)


def test_a_column_of_many_entities_is_made_once(tmp_path: Path) -> None:
    """It belongs to the index and to no document: a part of a value ("101**") asks for every column."""
    build([Entity(str(number), (("name", f"n{number}"),)) for number in range(30_000)], tmp_path / "i.index")
    index = open_index(tmp_path / "i.index")
    column = cached_column(index, "name")
    index.kept.clear()
    assert cached_column(index, "name") is column
