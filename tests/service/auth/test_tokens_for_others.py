"""Tokens that an administrator makes for somebody else: they last as long as the maker's right to make them."""

from __future__ import annotations

from pathlib import Path

from tests.service.auth.test_people import bearer, believer, signed, status
from tests.service.hospital import House, Open


def chief_with_token_for(house: House, other: str, **teams: str) -> tuple[str, str]:
    """An administrator's own token, and one that they made for another."""
    house.service.people.put("chief", "admin", teams=teams)
    own = house.service.people.issue("chief")[1]
    made = house.client.post("/v1/tokens", json={"user": other}, headers=bearer(own))
    assert made.status_code == 201
    return own, made.json()["token"]


def test_a_demoted_maker_keeps_their_own_token(house: House) -> None:
    own, _ = chief_with_token_for(house, "low")
    mine = house.client.post("/v1/tokens", json={}, headers=bearer(own)).json()["token"]
    house.service.people.put("chief", "reader")
    assert [status(house, token) for token in (own, mine)] == [200, 200]
    assert [status(house, token, "/v1/users") for token in (own, mine)] == [403, 403]


def test_a_maker_who_stays_an_administrator_takes_nothing_away(house: House) -> None:
    _, made = chief_with_token_for(house, "low", litigation="reviewer")
    house.service.people.put("chief", "admin", teams={})
    house.service.people.put_member("litigation", "chief", "reader")
    assert status(house, made) == 200


def test_removing_a_company_account_ends_the_tokens_that_it_made(open_house: Open, tmp_path: Path) -> None:
    """Such a person may have nothing else here: neither a user, nor a token, nor a session."""
    allowing = believer(tmp_path)
    allowing["oidc"] = allowing["oidc"].model_copy(update={"tokens": True})
    house = open_house(**allowing)
    made = house.client.post("/v1/tokens", json={"user": "low"}, headers=bearer(signed(roles=["admin"])))
    assert status(house, made.json()["token"]) == 200
    assert house.client.delete("/v1/users/kim", headers=house.as_("admin")).status_code == 204
    assert status(house, made.json()["token"]) == 401
