"""Teams: what belongs to one is not there for the others, on every route."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from efface.cli.main import app
from efface.service.audit import Record
from efface.service.auth.identity import Identity, allowed
from efface.service.settings import Oidc, load
from tests.service.auth.test_people import believer, signed
from tests.service.hospital import House, Open

MAIL = b"Write to ann@example.org about the trial."


def furnish(house: House) -> dict[str, str]:
    """A second team with a folder, a policy, a document, a review and a job of its own. Their ids."""
    service = house.service
    (service.settings.policies / "law.letters.yaml").write_text("find: {names: none}\n")
    for name, role in (("lara", "admin"), ("lena", "reviewer"), ("leo", "reader")):
        service.people.put(name, "", teams={"law": role})
        house.tokens[name] = service.people.issue(name)[1]
    put = house.client.put("/v1/folders/law.cases", json={"policy": "law.letters"}, headers=house.as_("lara"))
    assert put.status_code == 204, put.text
    sent = {"files": {"file": ("m.txt", MAIL)}}
    document = house.post("lena", "/v1/folders/law.cases/documents", **sent).json()["id"]
    review = house.post("lena", "/v1/reviews", data={"policy": "law.letters"}, **sent).json()["id"]
    job = house.post("lena", "/v1/jobs", data={"policy": "law.letters"}, **sent).json()["id"]
    return {"document": document, "review": review, "job": job}


ROUTES = [
    ("GET", "/v1/documents/{document}"),
    ("GET", "/v1/documents/{document}/certificate"),
    ("GET", "/v1/documents/{document}/as/leo"),
    ("GET", "/v1/preview/{document}"),
    ("GET", "/v1/preview/{document}/as/leo"),
    ("DELETE", "/v1/documents/{document}"),
    ("PUT", "/v1/folders/law.cases"),
    ("DELETE", "/v1/folders/law.cases"),
    ("POST", "/v1/folders/law.cases/documents"),
    ("GET", "/v1/policies/law.letters"),
    ("POST", "/v1/policies/law.letters/versions/1/approval"),
    ("GET", "/v1/jobs/{job}"),
    ("GET", "/v1/jobs/{job}/file"),
    ("GET", "/v1/jobs/{job}/report"),
    ("GET", "/v1/jobs/{job}/certificate"),
    ("DELETE", "/v1/jobs/{job}"),
    ("GET", "/v1/reviews/{review}"),
    ("GET", "/v1/reviews/{review}/pages"),
    ("GET", "/v1/reviews/{review}/pages/0"),
    ("GET", "/v1/reviews/{review}/pages/0/image"),
    ("POST", "/v1/reviews/{review}/preparation"),
    ("GET", "/v1/reviews/{review}/view"),
    ("GET", "/v1/reviews/{review}/progress"),
    ("GET", "/v1/reviews/{review}/rendered"),
    ("GET", "/v1/reviews/{review}/curve"),
    ("GET", "/v1/reviews/{review}/released"),
    ("GET", "/v1/reviews/{review}/released/0/image"),
    ("GET", "/v1/reviews/{review}/decisions"),
    ("POST", "/v1/reviews/{review}/decisions"),
    ("POST", "/v1/reviews/{review}/export"),
    ("POST", "/v1/matters/none/decisions"),
    ("POST", "/v1/matters/none/export"),
    ("DELETE", "/v1/reviews/{review}"),
    ("GET", "/v1/games/{review}/turn"),
    ("GET", "/v1/games/{review}/results"),
]
BODIES: dict[str, dict[str, Any]] = {
    "/v1/folders/law.cases": {"json": {"policy": "law.letters"}},
    "/v1/folders/law.cases/documents": {"files": {"file": ("m.txt", MAIL)}},
    "/v1/reviews/{review}/decisions": {"json": {"decisions": [{"kind": "redact", "term": "trial"}]}},
    "/v1/matters/none/decisions": {"json": {"kind": "redact", "term": "trial"}},
    "/v1/matters/none/export": {"json": {"partial": True}},
    "/v1/reviews/{review}/export": {"json": {"what": "file", "override": "because"}},
}


def test_what_is_another_teams_is_not_there_on_any_route(house: House) -> None:
    ids = furnish(house)
    for method, path in ROUTES:
        for name in ("admin", "reviewer"):
            there = path.format(**ids)
            sent = BODIES.get(path, {}) if method in ("POST", "PUT") else {}
            answer = house.client.request(method, there, headers=house.as_(name), **sent)
            expected = (404,) if name == "admin" else (403, 404)
            assert answer.status_code in expected, (name, method, path, answer.text)
            assert b"ann@" not in answer.content
    assert house.get("leo", f"/v1/documents/{ids['document']}").status_code == 200
    assert house.get("lena", f"/v1/reviews/{ids['review']}").status_code == 200
    assert house.get("lena", f"/v1/jobs/{ids['job']}").status_code == 200


WALKED: dict[str, Any] = {
    "PUT /v1/folders/{name}": {"json": {"policy": "law.letters"}},
    "POST /v1/folders/{name}/documents": {"files": {"file": ("m.txt", MAIL)}},
    "POST /v1/reviews/{id}/decisions": {"json": {"decisions": [{"kind": "redact", "term": "trial"}]}},
    "POST /v1/reviews/{id}/export": {"json": {"what": "report"}},
    "POST /v1/matters/{name}/decisions": {"json": {"kind": "redact", "term": "trial"}},
    "POST /v1/matters/{name}/export": {"json": {"partial": True}},
    "POST /v1/games/{id}/answers": {"json": {"document": 0, "guesses": ["a"]}},
    "PUT /v1/teams/{team}/members/{name}": {"json": {"role": "admin"}},
    "PUT /v1/users/{name}": {"json": {"role": "admin"}},
}
RUNS_THE_SERVICE = ("/v1/users/{name}",)  # for administrators of the main team, whoever is named


def test_a_stranger_finds_nothing_of_a_team_on_any_route_of_the_description(house: House) -> None:
    """An administrator of another team, with every scope, on every route that names something."""
    ids = furnish(house)
    service = house.service
    service.people.put("tina", "", teams={"tax": "admin"})
    house.tokens["tina"] = service.people.issue("tina")[1]
    lena = service.people.identify(house.tokens["lena"])
    assert lena is not None and lena.token is not None
    game = service.games.begin(lena, "Whose?", "law.letters", ("lena",))
    put = {"ids": [ids["review"]], "matter": "Falcon"}
    house.client.patch("/v1/reviews", json=put, headers=house.as_("lena"))
    named = {"documents": ids["document"], "preview": ids["document"], "jobs": ids["job"], "reviews": ids["review"],
             "games": game, "tokens": lena.token, "folders": "law.cases", "policies": "law.letters",
             "matters": "Falcon", "teams": "law", "users": "leo"}  # fmt: skip
    more = {"number": "0", "user": "leo", "version": "1", "record": "report", "team": "law"}
    tried = 0
    for path, operations in house.get("tina", "/openapi.json").json()["paths"].items():
        if "{" not in path or not path.startswith("/v1/"):
            continue
        kind = path.split("/")[2]
        own = {**more, "id": named[kind], "name": "leo" if kind == "teams" else named[kind]}
        for method in operations:
            sent = WALKED.get(f"{method.upper()} {path}", {})
            answer = house.client.request(method, path.format(**own), headers=house.as_("tina"), **sent)
            expected = 403 if path in RUNS_THE_SERVICE else 404
            assert answer.status_code == expected, (method, path, answer.text)
            assert not any(word in answer.text for word in ("ann@", "lena", "m.txt", "Falcon")), path
            tried += 1
    assert tried > 40
    assert house.get("leo", f"/v1/documents/{ids['document']}").status_code == 200


def test_the_records_of_a_team_are_its_administrators(house: House) -> None:
    ids = furnish(house)
    own = house.add("note.txt", b"Nothing to see of Geneva.")
    house.get("leo", f"/v1/documents/{ids['document']}")
    house.get("low", f"/v1/documents/{own}")
    for name in ("leo", "low"):
        assert house.get(name, "/v1/documents?q=trial").status_code == 200
    made = {"decisions": [{"kind": "redact", "term": "trial", "propose": True}]}
    house.post("lena", f"/v1/reviews/{ids['review']}/decisions", json=made)
    for path in (
        f"/v1/reviews/{ids['review']}/view",
        f"/v1/reviews/{ids['review']}/decisions",
        "/v1/proposals",
    ):
        assert house.get("lena", path).status_code == 200
    assert house.get("leo", "/v1/audit").status_code == 403
    law = [json.loads(line) for line in house.get("lara", "/v1/audit").text.splitlines()]
    assert {row["detail"]["team"] for row in law} == {"law"}
    assert {"set policy", "add", "review", "read", "search", "decide", "read original"} <= {
        row["action"] for row in law
    }
    assert [row["detail"]["found"] for row in law if row["action"] == "search"] == ["1"]
    main = house.get("admin", "/v1/audit").text
    assert own in main and not any(
        word in main for word in (*ids.values(), "law.cases", "law.letters", "lena")
    )


def test_an_export_without_other_teams_records_is_verified(house: House) -> None:
    furnish(house)
    house.add("note.txt", b"Nothing to see of Geneva.")
    trail = house.service.trail
    lines = house.get("admin", "/v1/audit").text.splitlines()
    while (
        "withheld" in lines[-1]
    ):  # a job may have ended meanwhile; what is last has nothing after it that seals it
        lines.pop()
    hidden = [at for at, line in enumerate(lines) if "withheld" in line]
    assert hidden

    def trouble(kept: list[str]) -> tuple[str, ...]:
        return trail.check_records(map(Record.parse, kept), None, is_export=True).trouble

    assert trouble(lines) == ()
    found = trail.check_records(map(Record.parse, lines), None, is_export=True)
    assert any("other teams" in each for each in found.unknown)
    assert trouble([line for at, line in enumerate(lines) if at != hidden[0]])
    sealed = next(
        at for at in hidden if at + 1 not in hidden
    )  # the seal of the record after it covers its own
    forged = json.dumps({**json.loads(lines[sealed]), "mac": "0" * 64})
    assert trouble([forged if at == sealed else line for at, line in enumerate(lines)])
    assert trouble([json.dumps({**json.loads(lines[-1]), "withheld": True, "mac": "0" * 64}), *lines])


def test_every_route_with_an_id_is_among_those_that_were_tried(house: House) -> None:
    tried = {path.format(document="{id}", job="{id}", review="{id}") for _, path in ROUTES}
    for path in house.get("admin", "/openapi.json").json()["paths"]:
        named = "{id}" in path and not path.startswith(("/v1/tokens", "/v1/games"))
        plain = path.replace("{number}", "0").replace("{user}", "leo")
        records = {plain.replace("{record}", each) for each in ("report", "certificate")}
        assert not named or records & tried, path


def test_lists_hold_ones_own_teams_alone(house: House) -> None:
    ids = furnish(house)
    own = house.add("note.txt", b"Nothing to see of Geneva.")
    for name in ("admin", "reviewer", "low"):
        found = house.get(name, "/v1/documents").json()["documents"]
        assert [row["id"] for row in found] == [own]
    assert [row["id"] for row in house.get("leo", "/v1/documents").json()["documents"]] == [ids["document"]]
    for path, key in (("/v1/reviews", "reviews"), ("/v1/jobs", "jobs")):
        assert house.get("admin", path).json()[key] == []
        assert len(house.get("lara", path).json()[key]) == 1
    assert "law.letters" not in house.get("admin", "/v1/policies").json()["policies"]
    assert house.get("lena", "/v1/policies").json()["policies"] == ["law.letters"]
    assert house.get("reviewer", "/v1/folders").json()["folders"] == {"wards": "wards"}
    assert house.get("lena", "/v1/folders").json()["folders"] == {"law.cases": "law.letters"}
    root = house.client.request("PROPFIND", "/dav/", headers={**house.as_("low"), "Depth": "1"})
    assert "law.cases" not in root.text and "wards" in root.text


def test_a_matter_holds_what_is_of_ones_own_teams_alone(house: House) -> None:
    ids = furnish(house)
    sent = {"files": {"file": ("m.txt", MAIL)}}
    mine = house.post(
        "reviewer", "/v1/reviews", data={"policy": "patterns", "matter": "Falcon"}, **sent
    ).json()["id"]
    both = {"ids": [ids["review"], mine], "matter": "Falcon"}
    assert house.client.patch("/v1/reviews", json=both, headers=house.as_("admin")).json() == {"documents": 1}
    assert house.get("lena", "/v1/matters").json()["matters"] == []
    theirs = {"ids": [ids["review"]], "matter": "Falcon"}
    house.client.patch("/v1/reviews", json=theirs, headers=house.as_("lena"))
    assert [row["documents"] for row in house.get("lena", "/v1/matters").json()["matters"]] == [1]
    everywhere = {"kind": "redact", "term": "trial"}
    assert house.post("lena", "/v1/matters/Falcon/decisions", json=everywhere).json() == {
        "documents": 1,
        "left_out": 0,
    }
    assert house.get("reviewer", f"/v1/reviews/{mine}/decisions").json()["entries"] == []
    archive = house.post("reviewer", "/v1/matters/Falcon/export", json={"partial": True})
    assert archive.content.count(b"001/m.txt") and not archive.content.count(b"002/m.txt")


def test_a_policy_of_another_team_is_unknown_wherever_it_is_named(house: House) -> None:
    furnish(house)
    sent = {"files": {"file": ("m.txt", MAIL)}}
    for path in ("/v1/redact", "/v1/assess", "/v1/jobs", "/v1/reviews"):
        for name, policy in (("admin", "law.letters"), ("lara", "wards"), ("lara", "nothing")):
            answer = house.post(name, path, data={"policy": policy}, **sent)
            assert answer.status_code == 404, (path, name, policy)
            assert answer.json()["detail"] == "There is no policy of this name."
    mixed = house.client.put("/v1/folders/law.new", json={"policy": "wards"}, headers=house.as_("lara"))
    assert mixed.status_code == 404


def test_an_administrator_of_a_team_does_not_run_the_service(house: House) -> None:
    furnish(house)
    for path in ("/v1/users", "/v1/audit/check"):
        assert house.get("lara", path).status_code == 403, path
    put = house.client.put("/v1/users/eve", json={"role": "admin"}, headers=house.as_("lara"))
    assert put.status_code == 403
    for name in ("admin", "high"):
        assert house.post("lara", "/v1/tokens", json={"user": name}).status_code == 404
    assert {row["user"] for row in house.get("lara", "/v1/tokens").json()["tokens"]} == {"lara"}
    own = house.add("note.txt", b"Nothing to see.")
    assert house.get("lara", f"/v1/documents/{own}/as/high").status_code == 404


def test_nobody_becomes_somebody_in_a_team_by_a_token(house: House) -> None:
    """Whoever runs the service may make tokens for people, but not for the teams that are not theirs."""
    ids = furnish(house)
    assert house.post("admin", "/v1/tokens", json={"user": "lara"}).status_code == 404
    house.service.people.put_member("law", "low", "reviewer")
    house.tokens["made"] = house.post("admin", "/v1/tokens", json={"user": "low"}).json()["token"]
    assert house.get("made", f"/v1/documents/{ids['document']}").status_code == 404
    assert house.get("low", f"/v1/documents/{ids['document']}").status_code == 200
    house.tokens["law"] = house.post("lara", "/v1/tokens", json={"user": "low"}).json()["token"]
    assert house.get("law", "/v1/teams").json()["teams"] == {"law": "reviewer"}
    house.tokens["child"] = house.post("law", "/v1/tokens", json={}).json()["token"]
    assert house.get("child", "/v1/teams").json()["teams"] == {"law": "reviewer"}


def test_members_come_and_go_at_once(house: House) -> None:
    ids = furnish(house)
    member = "/v1/teams/law/members/low"
    lara = house.as_("lara")
    assert house.client.put(member, json={"role": "reader"}, headers=house.as_("reviewer")).status_code == 403
    assert house.client.put(member, json={"role": "reader"}, headers=lara).status_code == 204
    assert house.get("low", f"/v1/documents/{ids['document']}").status_code == 200
    assert house.get("lara", "/v1/teams/law").json()["members"]["low"] == "reader"
    assert house.get("lara", "/v1/teams/main").status_code == 404
    moved = house.client.put("/v1/teams/main/members/lara", json={"role": "admin"}, headers=lara)
    assert moved.status_code == 404
    assert house.client.delete(member, headers=lara).status_code == 204
    assert house.get("low", f"/v1/documents/{ids['document']}").status_code == 404
    assert house.client.delete(member, headers=lara).status_code == 404
    session = house.client.post("/v1/session", headers=house.as_("leo"))
    assert session.status_code == 201 and session.json()["teams"] == {"law": "reader"}
    actions = [record.action for record in house.service.trail.records()]
    assert "set member" in actions and "remove member" in actions


def test_a_job_is_gone_with_the_team(house: House) -> None:
    ids = furnish(house)
    house.service.people.put_member("main", "lena", "reviewer")
    house.service.people.put_member("law", "lena", "")
    assert house.get("lena", f"/v1/jobs/{ids['job']}").status_code == 404
    assert house.get("lena", "/v1/jobs").json()["jobs"] == []


def test_somebody_of_several_teams_says_whose_queue(house: House) -> None:
    furnish(house)
    house.service.people.put_member("law", "reviewer", "reviewer")
    sent = {"files": {"file": ("m.txt", MAIL)}}
    assert house.post("reviewer", "/v1/reviews", **sent).status_code == 422
    assert house.post("reviewer", "/v1/reviews", data={"team": "tax"}, **sent).status_code == 404
    id = house.post("reviewer", "/v1/reviews", data={"team": "law"}, **sent).json()["id"]
    assert house.get("lena", f"/v1/reviews/{id}").status_code == 200
    assert house.get("admin", f"/v1/reviews/{id}").status_code == 404
    job = house.post("reviewer", "/v1/jobs", **sent).json()["id"]
    assert house.get("reviewer", f"/v1/jobs/{job}").status_code == 200
    for name in ("admin", "lara"):
        assert house.get(name, f"/v1/jobs/{job}").status_code == 404


def test_an_older_store_belongs_to_the_main_team(house: House) -> None:
    """Rows from before there were teams have no word of them."""
    who = Identity("ann", "reviewer", "ann", allowed("reviewer"), "token")
    assert who.teams_with("review") == ["main"] and who.may_in("main", "review")
    assert not who.may_in("law", "read") and not who.may_in("", "read")
    assert house.get("admin", "/v1/me").json()["teams"] == {"main": "admin"}


def test_settings_map_a_provider_to_teams() -> None:
    given = {"issuer": "i", "audience": "a", "jwks": "file:/x"}
    assert Oidc.model_validate({**given, "teams": {"lawyers": "law/reviewer"}}).teams
    for wrong in ("main/admin", "law", "law/owner", "a b/reader"):
        with pytest.raises(ValueError):
            Oidc.model_validate({**given, "teams": {"lawyers": wrong}})


def test_a_company_account_is_in_the_teams_of_its_roles(open_house: Open, tmp_path: Path) -> None:
    given = believer(tmp_path)
    mapped = {"lawyers": "law/reviewer", "partners": "law/admin"}
    given["oidc"] = given["oidc"].model_copy(update={"teams": mapped})
    house = open_house(**given)
    both = signed(roles=["partners", "lawyers"])
    assert house.client.get("/v1/teams", headers={"Authorization": f"Bearer {both}"}).json()["teams"] == {
        "law": "admin"
    }
    users = house.client.get("/v1/users", headers={"Authorization": f"Bearer {both}"})
    assert users.status_code == 403


def test_the_command_line_puts_people_into_teams(tmp_path: Path) -> None:
    home = ["--home", str(tmp_path / "home")]
    for team in ("law", "tax"):
        made = CliRunner().invoke(app, ["token", "issue", "ann", "--role", "reader", "--team", team, *home])
        assert made.exit_code == 0, made.output
    from efface.service.app import Service

    service = Service.open(load(None, home=tmp_path / "home"))
    found = service.people.identify(made.output.strip().splitlines()[-1])
    assert found is not None and found.roles == {"law": "reader", "tax": "reader"} and not found.operates
    service.store.close()


def test_a_matter_of_another_team_tells_nothing(house: House) -> None:
    id = furnish(house)["review"]
    put = {"ids": [id], "matter": "Falcon"}
    assert house.client.patch("/v1/reviews", json=put, headers=house.as_("lena")).json() == {"documents": 1}
    assert house.get("lena", "/v1/matters/Falcon/learning").status_code == 200
    assert house.get("reviewer", "/v1/matters/Falcon/learning").status_code == 404
    assert house.post("reviewer", "/v1/matters/Falcon/export", json={"partial": True}).status_code == 404
    assert house.get("reviewer", "/v1/matters").json() == {"matters": []}
