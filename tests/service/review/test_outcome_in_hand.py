"""How long what came out of a document is used: until a decision, the policy or the data behind it change."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from efface.service.review import review_store, review_work
from tests.service.game.test_game import furnish
from tests.service.hospital import NOTE, House
from tests.service.review.test_kept_words import MEMO
from tests.service.review.test_review import add, decide, view


def _in_hand(house: House, id: str) -> object:
    return house.service.review_store._open_reviews[id].outcome


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The policy and its data are read anew at every look."""
    monkeypatch.setattr(review_work, "_FRESH", -1.0)


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("policy", ["", "wards", "clients"])
def test_where_nothing_changed_nothing_is_worked_out_again(house: House, policy: str) -> None:
    furnish(house.service.settings.policies)  # that of the clients is bound to each document
    id = add(house, MEMO if policy == "clients" else NOTE, "note.txt", policy)
    first = view(house, id)
    before, key = _in_hand(house, id), house.service.review_store._open_reviews[id].key
    assert view(house, id) == first
    assert _in_hand(house, id) is before and house.service.review_store._open_reviews[id].key != key


@pytest.mark.usefixtures("at_once")
def test_what_is_known_now_counts(house: House) -> None:
    id = add(house, NOTE, "note.txt", "wards")
    view(house, id)
    before = _in_hand(house, id)
    with closing(sqlite3.connect(house.service.settings.policies / "hospital.db")) as database, database:
        database.execute("insert into patient values (5, 'Sol', 'Oslo', 'asthma', 'LOW')")
    view(house, id)
    assert _in_hand(house, id) is not before


@pytest.mark.usefixtures("at_once")
def test_a_decision_and_another_policy_are_worked_out(house: House) -> None:
    id = add(house, b"Write to ann@example.org.", "mail.txt", "patterns")
    view(house, id)
    before = _in_hand(house, id)
    decide(house, id, {"kind": "keep", "term": "ann@example.org"})
    view(house, id)
    decided = _in_hand(house, id)
    assert decided is not before
    (house.service.settings.policies / "patterns.yaml").write_text("find: {names: none, deny: [Write]}\n")
    view(house, id)
    assert _in_hand(house, id) is not decided


def test_many_small_documents_stay_in_hand(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    ids = [add(house, b"Nothing here.", f"{number}.txt", "patterns") for number in range(12)]
    outcomes = []
    for id in ids:
        view(house, id)
        outcomes.append(_in_hand(house, id))
    assert [_in_hand(house, id) for id in ids] == outcomes
    monkeypatch.setattr(review_store, "_IN_HAND", 0)  # they have become too heavy
    view(house, ids[-1])
    assert list(house.service.review_store._open_reviews) == ids[-review_store._LEAST_IN_HAND :]
