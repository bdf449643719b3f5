"""Keeping a word that a guarantee needs gone: the file is made so, and the verdict says what it is."""

from __future__ import annotations

from importlib.resources import files

import pytest

from tests.service.game.test_game import furnish
from tests.service.hospital import House
from tests.service.review.test_review import add, decide, view

MEMO = files("efface.demo").joinpath("consulting", "memo.txt").read_bytes()
SEMANTIC = "find: {patterns: none, names: none}\nguarantees: [{semantic: {hide: {HIV: virus}}}]\n"


def left(house: House, id: str) -> str:
    """The text of the file as it would leave."""
    answer = house.get("reviewer", f"/v1/reviews/{id}/released")
    assert answer.status_code == 200, answer.text
    text: str = answer.json()["document"]["text"]
    return text


def test_the_name_of_the_hidden_class_is_kept_and_breaks_the_promise(house: House) -> None:
    furnish(house.service.settings.policies)
    id = add(house, MEMO, "memo.txt", "clients")
    first = view(house, id)
    assert first["verdict"] == "held" and "Barclow" not in left(house, id)
    decide(house, id, {"kind": "keep", "term": "Barclow"})
    found = view(house, id)
    assert found["verdict"] == "broken" and found["guarantees"][0]["verdict"] == "broken"
    assert found["guarantees"][0]["ranking"]["rank"] < first["guarantees"][0]["ranking"]["rank"]
    row = next(term for term in found["terms"] if term["text"] == "Barclow")
    assert (row["decision"], row["gone"]) == ("keep", 0)
    assert "Barclow" in left(house, id)
    decide(house, id, {"kind": "undo", "of": 1})
    assert view(house, id)["verdict"] == "held" and "Barclow" not in left(house, id)


def test_every_telling_word_can_be_kept(house: House) -> None:
    """Others are taken out instead, which does not help."""
    furnish(house.service.settings.policies)
    id = add(house, MEMO, "memo.txt", "clients")
    hard = [term["text"] for term in view(house, id)["terms"]]
    decide(house, id, *({"kind": "keep", "term": word} for word in hard))
    assert view(house, id)["verdict"] == "broken"
    text = left(house, id)
    assert [word for word in hard if word not in text] == []


@pytest.mark.parametrize("word", ["HIV", "AIDS"])
def test_a_protected_subject_is_kept_and_breaks_the_promise(house: House, word: str) -> None:
    (house.service.settings.policies / "subject.yaml").write_text(SEMANTIC)
    id = add(house, b"The patient has HIV and may develop AIDS. The weather was fine.", "note.txt", "subject")
    assert word not in left(house, id) and view(house, id)["verdict"] == "held"
    decide(house, id, {"kind": "keep", "term": word})
    assert word in left(house, id)
    assert view(house, id)["verdict"] == "broken"
