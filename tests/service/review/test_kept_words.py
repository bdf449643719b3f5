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


FAMILY = b"Irene Okonkwo came along. Her sister Adaeze Okonkwo stayed at home. Later Adaeze slept.\n"


def test_a_kept_name_stays_where_others_of_the_family_go(house: House) -> None:
    """The surname goes with the sister. What a reviewer keeps is not taken out for it, and a decision is never silent."""
    id = add(house, FAMILY, "family.txt", "")
    decide(house, id, {"kind": "keep", "term": "Irene Okonkwo"})
    text, found = left(house, id), view(house, id)
    assert "Irene Okonkwo" in text and "Adaeze" not in text
    row = next(term for term in found["terms"] if term["text"] == "Irene Okonkwo")
    assert (row["decision"], row["gone"], found["verdict"]) == ("keep", 0, "held")


LETTER = b"The clerk thanked Mr Ferreira. In the end Mr Ferreira left, and Tobias Winterbourne stayed.\n"


@pytest.mark.parametrize("where", [{"term": "Mr Ferreira"}, {"start": 18, "end": 29}])
def test_a_part_of_what_is_kept_is_kept(house: House, where: dict[str, object]) -> None:
    """One finder marks "Mr Ferreira" and another one "Ferreira": the reviewer has judged both."""
    id = add(house, LETTER, "letter.txt", "")
    decide(house, id, {"kind": "keep", **where})
    text, found = left(house, id), view(house, id)
    assert text.count("Mr Ferreira") == (2 if "term" in where else 1) and "Winterbourne" not in text
    assert found["verdict"] == "held", found["guarantees"][0]["left"]


def test_what_the_policy_denies_goes_out_of_what_is_kept(house: House) -> None:
    (house.service.settings.policies / "denied.yaml").write_text("find: {names: none, deny: [Ferreira]}\n")
    id = add(house, LETTER, "denied.txt", "denied")
    decide(house, id, {"kind": "keep", "term": "Mr Ferreira"})
    assert "Ferreira" not in left(house, id) and view(house, id)["verdict"] == "held"
