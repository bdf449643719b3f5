"""Tokens that one person makes for another: both know them, so they reach no further than their maker does."""

from __future__ import annotations

from typing import Any

import pytest

from tests.service.auth.test_teams import MAIL, furnish
from tests.service.hospital import House


@pytest.fixture
def made(house: House) -> dict[str, str]:
    """Lara administers the team law alone. She takes a reviewer of two other teams into it, and makes a token for them.
    The ids of what is theirs and none of her business."""
    ids = furnish(house)
    house.service.people.put("rita", "reviewer", teams={"tax": "reviewer"})
    ids["token"], house.tokens["rita"] = house.service.people.issue("rita", label="for the tax office")
    ids["job"] = house.post("rita", "/v1/jobs", files={"file": ("m.txt", MAIL)}).json()["id"]
    member = "/v1/teams/law/members/rita"
    assert house.client.put(member, json={"role": "reviewer"}, headers=house.as_("lara")).status_code == 204
    house.tokens["made"] = house.post("lara", "/v1/tokens", json={"user": "rita"}).json()["token"]
    house.tokens["child"] = house.post("made", "/v1/tokens", json={}).json()["token"]
    return ids


@pytest.mark.parametrize("by", ["made", "child"])
def test_the_jobs_of_no_team_are_their_senders_alone(house: House, made: dict[str, str], by: str) -> None:
    """A report holds the original's words."""
    assert house.get(by, "/v1/jobs").json()["jobs"] == []
    for what in ("", "/file", "/report", "/certificate"):
        assert house.get(by, f"/v1/jobs/{made['job']}{what}").status_code == 404, what
    gone = house.client.delete(f"/v1/jobs/{made['job']}", headers=house.as_(by))
    assert gone.status_code == 404
    assert house.get("rita", f"/v1/jobs/{made['job']}").status_code == 200


def test_a_job_that_was_sent_with_a_made_token_is_seen_with_it(house: House) -> None:
    """An administrator of two teams makes a token that counts in both: what is sent with it belongs to neither."""
    furnish(house)
    house.service.people.put("anna", "admin", teams={"law": "admin"})
    house.service.people.put("rita", "reviewer", teams={"law": "reviewer"})
    for name in ("anna", "rita"):
        house.tokens[name] = house.service.people.issue(name)[1]
    house.tokens["made"] = house.post("anna", "/v1/tokens", json={"user": "rita"}).json()["token"]
    job = house.post("made", "/v1/jobs", files={"file": ("m.txt", MAIL)}).json()["id"]
    for by in ("made", "rita"):
        assert house.get(by, f"/v1/jobs/{job}").status_code == 200, by
        assert [each["id"] for each in house.get(by, "/v1/jobs").json()["jobs"]] == [job]


@pytest.mark.parametrize("by", ["made", "child"])
def test_a_made_token_lists_and_revokes_none_but_its_like(
    house: House, made: dict[str, str], by: str
) -> None:
    listed = house.get(by, "/v1/tokens").json()["tokens"]
    assert {each["makers"] for each in listed} == {"lara"}
    gone = house.client.delete(f"/v1/tokens/{made['token']}", headers=house.as_(by))
    assert gone.status_code == 404
    assert house.get("rita", "/v1/me").status_code == 200
    assert house.client.delete(f"/v1/tokens/{listed[-1]['id']}", headers=house.as_(by)).status_code == 204


def test_whoever_no_longer_administers_a_team_has_no_token_of_its_people(house: House, made: object) -> None:
    member = "/v1/teams/law/members/lara"
    house.service.people.put_member("law", "leo", "admin")
    demoted = house.client.put(member, json={"role": "reader"}, headers=house.as_("leo"))
    assert demoted.status_code == 204
    assert house.get("lara", "/v1/me").status_code == 200
    assert [house.get(by, "/v1/me").status_code for by in ("made", "child", "rita")] == [401, 401, 200]


@pytest.mark.parametrize("change", ["demoted", "removed"])
def test_a_former_administrator_acts_as_nobody_else(house: House, change: str) -> None:
    house.service.people.put("boss", "admin")
    house.tokens["boss"] = house.service.people.issue("boss")[1]
    house.tokens["own"] = house.post("boss", "/v1/tokens", json={}).json()["token"]
    house.tokens["made"] = house.post("boss", "/v1/tokens", json={"user": "reviewer"}).json()["token"]
    admin = house.as_("admin")
    if change == "demoted":
        house.client.put("/v1/users/boss", json={"role": "reviewer"}, headers=admin)
    else:
        house.client.delete("/v1/users/boss", headers=admin)
    assert house.get("made", "/v1/me").status_code == 401
    assert house.get("own", "/v1/me").status_code == (200 if change == "demoted" else 401)
    assert house.get("reviewer", "/v1/me").status_code == 200


def test_what_somebody_with_a_company_account_made_ends_with_them(house: House) -> None:
    """Such a maker has no token here, so nothing but their name stands on what they made."""
    from efface.service.auth.identity import Identity, allowed

    boss = Identity("boss", "admin", "boss", allowed("admin"), "session")
    house.service.sessions.begin(boss)
    house.tokens["made"] = house.service.people.issue("reviewer", within=boss)[1]
    assert house.get("made", "/v1/me").status_code == 200
    assert house.client.delete("/v1/users/boss", headers=house.as_("admin")).status_code == 204
    assert house.get("made", "/v1/me").status_code == 401


def _with_session(house: House, cookie: str, path: str) -> Any:
    house.client.cookies.clear()
    return house.client.get(path, headers={"Cookie": f"efface={cookie}"})


def test_an_administrator_of_a_team_logs_nobody_out_of_others(house: House) -> None:
    """They may take anybody into their team. What somebody is in that team changes at once, and nothing else."""
    furnish(house)
    member, lara = "/v1/teams/law/members/admin", house.as_("lara")
    cookie = house.client.post("/v1/session", headers=house.as_("admin")).cookies["efface"]
    assert house.client.put(member, json={"role": "reader"}, headers=lara).status_code == 204
    assert _with_session(house, cookie, "/v1/users").status_code == 200
    later = house.client.post("/v1/session", headers=house.as_("admin")).cookies["efface"]
    assert _with_session(house, later, "/v1/teams").json()["teams"] == {"main": "admin", "law": "reader"}
    assert house.client.delete(member, headers=lara).status_code == 204
    assert _with_session(house, later, "/v1/teams").json()["teams"] == {"main": "admin"}
    assert _with_session(house, later, "/v1/users").status_code == 200
