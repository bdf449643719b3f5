"""Approvals bind what leaves: bytes, policy, knowledge and decisions; any change asks again."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from efface.service.auth.identity import ROLES, Identity
from efface.service.jobs.processes import RequestContext
from efface.service.review.approvals import Shown, has_four_eyes
from tests.service.hospital import House, Open
from tests.service.review.test_review import add, decide, export, view

PAIRS = "efface: 1\nfind: {names: none}\nreview: {four_eyes: true}\n"
PATIENT = b"Brandt of Oslo came. Okonkwo of Oslo came along."


@pytest.fixture
def pairs(open_house: Open) -> House:
    house = open_house()
    policies = house.service.settings.policies
    (policies / "pairs.yaml").write_text(PAIRS)
    (policies / "ward_pairs.yaml").write_text(
        (policies / "wards.yaml").read_text() + "review: {four_eyes: true}\n"
    )
    for name in ("second", "third"):
        house.service.people.put(name, "reviewer")
        house.tokens[name] = house.service.people.issue(name)[1]
    return house


def approve(house: House, id: str, who: str) -> Any:
    """Look at what would leave, as the page does, and approve it."""
    assert house.get(who, f"/v1/reviews/{id}/view").status_code == 200
    return decide(house, id, {"kind": "approve"}, who=who)


def test_four_eyes_are_of_two_people(pairs: House) -> None:
    id = add(pairs, policy="pairs")
    assert export(pairs, id).status_code == 409
    assert approve(pairs, id, "reviewer").status_code == 200
    assert approve(pairs, id, "reviewer").status_code == 200
    assert export(pairs, id).status_code == 409, "one person has two eyes"
    assert approve(pairs, id, "second").status_code == 200
    assert export(pairs, id).status_code == 200
    decide(pairs, id, {"kind": "redact", "term": "cat"})
    assert export(pairs, id).status_code == 409, "what was approved is no longer what would leave"


def test_what_was_shown_to_whoever_made_their_token_was_not_shown_to_them(pairs: House) -> None:
    """Nobody approves what they have not opened, also when somebody else opened it in their name."""
    id = add(pairs, policy="pairs")
    pairs.tokens["made"] = pairs.post("admin", "/v1/tokens", json={"user": "second"}).json()["token"]
    assert pairs.get("made", f"/v1/reviews/{id}/view").status_code == 200
    assert decide(pairs, id, {"kind": "approve"}, who="second").status_code == 409
    assert approve(pairs, id, "second").status_code == 200


def test_a_weaker_policy_asks_again(pairs: House) -> None:
    """The penetration test: two people approve, and a weaker policy exports the original."""
    id = add(pairs, policy="pairs")
    for who in ("reviewer", "second"):
        approve(pairs, id, who)
    policy = pairs.service.settings.policies / "pairs.yaml"
    blind = "find: {patterns: none, names: none}\n"
    keeping = PAIRS.replace("names: none", "names: none, keep: [ann@example.org]")
    for weaker in (PAIRS.replace("find: {names: none}\n", blind), blind, keeping):
        policy.write_text(weaker)
        answer = export(pairs, id)
        assert answer.status_code == 409, (weaker, answer.text)
        assert b"ann@example.org" not in answer.content
        assert export(pairs, id, what="certificate").status_code == 409
    policy.write_text(PAIRS)
    assert export(pairs, id).status_code == 200, "the approved state is back"


def test_a_change_that_leaves_the_bytes_as_they_are_asks_again(pairs: House) -> None:
    """The approvals were of this policy and of these decisions, not only of these bytes."""
    id = add(pairs, policy="pairs")
    for who in ("reviewer", "second"):
        approve(pairs, id, who)
    policy = pairs.service.settings.policies / "pairs.yaml"
    policy.write_text(PAIRS.replace("names: none", "names: none, deny: [elephant]"))
    assert export(pairs, id).status_code == 409, "another policy"
    policy.write_text(PAIRS)
    assert export(pairs, id).status_code == 200
    decide(pairs, id, {"kind": "redact", "term": "elephant"})
    assert export(pairs, id).status_code == 409, "another decision"


def test_knowledge_that_changes_asks_again(pairs: House) -> None:
    id = add(pairs, PATIENT, "note.txt", "ward_pairs")
    for who in ("reviewer", "second"):
        assert approve(pairs, id, who).status_code == 200
    assert export(pairs, id).status_code == 200
    pairs.sql("INSERT INTO patient VALUES (5, 'Nobody', 'Rome', 'gout', 'LOW')")  # the bytes stay the same
    assert export(pairs, id).status_code == 409


def test_nobody_approves_what_they_have_not_opened(pairs: House) -> None:
    id = add(pairs, policy="pairs")
    assert decide(pairs, id, {"kind": "approve"}).status_code == 409
    assert pairs.get("reviewer", f"/v1/reviews/{id}").status_code == 200
    assert decide(pairs, id, {"kind": "approve"}).status_code == 409, "the original is not what leaves"
    assert approve(pairs, id, "reviewer").status_code == 200
    decide(pairs, id, {"kind": "redact", "term": "cat"}, who="second")
    assert decide(pairs, id, {"kind": "approve"}).status_code == 409, "they saw another state"
    (pairs.service.settings.policies / "pairs.yaml").write_text(PAIRS.replace("none", "none, deny: [grey]"))
    assert decide(pairs, id, {"kind": "approve"}, who="second").status_code == 409


def test_whoever_changed_it_last_is_not_the_second_pair_of_eyes(pairs: House) -> None:
    id = add(pairs, policy="pairs")
    decide(pairs, id, {"kind": "redact", "term": "cat"}, who="second")
    approve(pairs, id, "reviewer")
    approve(pairs, id, "second")
    answer = export(pairs, id)
    assert answer.status_code == 409 and "second" in answer.json()["detail"]
    assert view(pairs, id)["missing_eyes"] == answer.json()["detail"], "the page says what the service would"
    approve(pairs, id, "third")
    assert export(pairs, id).status_code == 200
    assert view(pairs, id)["missing_eyes"] == ""


def test_a_certificate_tells_the_roles_of_those_who_approved_and_no_names(pairs: House) -> None:
    id = add(pairs, policy="pairs")
    for who in ("reviewer", "admin", "reviewer"):
        assert approve(pairs, id, who).status_code == 200
    answer = export(pairs, id, what="certificate")
    assert answer.json()["approved_by_roles"] == ["admin", "reviewer"], "a person counts once"
    decide(pairs, id, {"kind": "redact", "term": "cat"})
    overridden = export(pairs, id, "admin", what="certificate", override="asked for by the court")
    assert overridden.json()["approved_by_roles"] == [], "the others approved another state"


def test_an_approval_is_what_the_service_says_it_is(pairs: House) -> None:
    id = add(pairs, policy="pairs")
    pairs.get("reviewer", f"/v1/reviews/{id}/view")
    forged = {"state": "0" * 64, "release": "0" * 64, "policy": "0" * 64, "knowledge": "0" * 64}
    assert decide(pairs, id, {"kind": "approve", "approval": forged}).status_code == 422
    entry = approve(pairs, id, "reviewer").json()["entries"][0]
    assert len(entry["approval"]["release"]) == 64
    record = next(r for r in pairs.service.trail.records() if r.action == "approve")
    assert entry["approval"]["release"] in record.detail


def _four_eyes(approvers: list[frozenset[str]], author: frozenset[str]) -> bool:
    """The definition: somebody approves, and later somebody else does who is not the author, whoever of those who know
    a token used it."""
    return any(
        all(a != b and b != c for a in first for b in second for c in author)
        for first, second in itertools.combinations(approvers, 2)
    )


hands = st.frozensets(st.sampled_from("abcd"), min_size=1, max_size=2)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.lists(hands, max_size=6), hands)
def test_four_eyes_as_defined(approvers: list[frozenset[str]], author: frozenset[str]) -> None:
    assert has_four_eyes(approvers, author) == _four_eyes(approvers, author)


def test_nobody_is_two_people_by_a_token_that_they_made(pairs: House) -> None:
    """An administrator makes a token for a reviewer, and with it gives the second approval too."""
    made = pairs.post("admin", "/v1/tokens", json={"user": "second"}).json()["token"]
    own = pairs.client.post("/v1/tokens", json={}, headers={"Authorization": f"Bearer {made}"}).json()
    pairs.tokens["second by admin"] = own["token"]
    id = add(pairs, policy="pairs")
    for who in ("admin", "second by admin"):
        assert approve(pairs, id, who).status_code == 200
    answer = export(pairs, id)
    assert answer.status_code == 409 and "One person made" in answer.json()["detail"]
    records = [record for record in pairs.service.trail.records() if record.action == "approve"]
    assert [record.actor for record in records] == ["admin", "second (token made by admin)"]
    assert approve(pairs, id, "second").status_code == 200, "with a token that nobody else knows"
    assert export(pairs, id).status_code == 200


def test_nobody_approves_their_own_change_by_a_token_that_they_made(pairs: House) -> None:
    made = pairs.post("admin", "/v1/tokens", json={"user": "second"}).json()["token"]
    session = pairs.client.post("/v1/session", headers={"Authorization": f"Bearer {made}"})
    id = add(pairs, policy="pairs")
    decide(pairs, id, {"kind": "redact", "term": "cat"}, who="admin")
    approve(pairs, id, "reviewer")
    by_page = {"Cookie": f"efface={session.cookies['efface']}", "X-CSRF-Token": session.json()["csrf"]}
    pairs.client.cookies.clear()
    shown = pairs.client.get(f"/v1/reviews/{id}/view", headers=by_page).json()
    wanted = {"seen": shown["version"], "decisions": [{"kind": "approve"}]}
    sent = pairs.client.post(f"/v1/reviews/{id}/decisions", json=wanted, headers=by_page)
    assert sent.status_code == 200, sent.text
    assert export(pairs, id).status_code == 409


def _removed(house: House) -> None:
    house.service.people.remove("second")


def _demoted(house: House) -> None:
    house.service.people.put("second", "reader")


def _out_of_the_team(house: House) -> None:
    house.service.people.put_member("main", "second", "")


def _somebody_else_of_that_name(house: House) -> None:
    house.service.people.remove("second")
    house.service.people.put("second", "reviewer")


@pytest.mark.parametrize("leave", [_removed, _demoted, _out_of_the_team, _somebody_else_of_that_name])
def test_an_approval_counts_only_while_its_author_is_a_reviewer(
    pairs: House, leave: Callable[[House], None]
) -> None:
    id = add(pairs, policy="pairs")
    pairs.client.patch("/v1/reviews", json={"ids": [id], "matter": "F"}, headers=pairs.as_("reviewer"))
    for who in ("reviewer", "second"):
        assert approve(pairs, id, who).status_code == 200
    leave(pairs)
    answer = export(pairs, id)
    assert answer.status_code == 409 and "second counts no more" in answer.json()["detail"]
    shown = view(pairs, id)
    assert (shown["approved"], shown["lapsed"]) == (["reviewer"], ["second"])
    assert shown["missing_eyes"] == answer.json()["detail"], "the page says what the service would"
    queue = pairs.get("reviewer", "/v1/reviews").json()["reviews"]
    assert [row["approved"] for row in queue if row["id"] == id] == [["reviewer"]]
    assert pairs.post("reviewer", "/v1/matters/F/export", json={}).status_code == 409
    signed = export(pairs, id, "admin", what="certificate", override="asked for by the court").json()
    assert signed["approved_by_roles"] == ["reviewer"]
    approve(pairs, id, "third")
    assert export(pairs, id).status_code == 200
    assert view(pairs, id)["missing_eyes"] == ""


def test_an_approver_of_another_team_is_nobody_in_this_one(pairs: House) -> None:
    """Their role elsewhere stays; the one in the document's team decides."""
    (pairs.service.settings.policies / "law.pairs.yaml").write_text(PAIRS)
    for name in ("second", "third"):
        pairs.service.people.put_member("law", name, "reviewer")
    id = add(pairs, policy="law.pairs", who="second")
    for who in ("second", "third"):
        assert approve(pairs, id, who).status_code == 200
    pairs.service.people.put_member("law", "third", "")
    assert export(pairs, id, "second").status_code == 409
    pairs.service.people.put_member("law", "third", "reviewer")
    assert export(pairs, id, "second").status_code == 200


def test_an_approval_with_a_company_account_counts_until_it_is_removed(pairs: House) -> None:
    """The service does not know the people of an identity provider, only those that were removed here."""
    kim = Identity("kim", "reviewer", "kim", frozenset(ROLES["reviewer"]), "jwt")
    id = add(pairs, policy="pairs")
    assert approve(pairs, id, "reviewer").status_code == 200
    asker = RequestContext("kim")
    store = pairs.service.review_store
    store.shown.note(id, "kim", store.result(id, asker).state)
    store.approve(id, kim, store.result(id, asker).decided.version, asker)
    assert export(pairs, id).status_code == 200
    pairs.service.sessions.begin(kim)
    assert pairs.client.delete("/v1/users/kim", headers=pairs.as_("admin")).status_code == 204
    assert export(pairs, id).status_code == 409
    assert view(pairs, id)["lapsed"] == ["kim"]


@pytest.mark.parametrize("leave", [_removed, _demoted, _somebody_else_of_that_name])
def test_nobody_approves_who_was_removed_while_it_was_checked(
    pairs: House, leave: Callable[[House], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Checking what would leave may take minutes. An approval that ended after them would count as their successor's."""
    id = add(pairs, policy="pairs")
    assert pairs.get("second", f"/v1/reviews/{id}/view").status_code == 200
    require = Shown.require

    def leaving(*given: Any) -> None:
        require(*given)
        leave(pairs)

    monkeypatch.setattr(Shown, "require", leaving)
    assert decide(pairs, id, {"kind": "approve"}, who="second").status_code == 403
    assert pairs.service.review_store.log.entries(id) == []


def test_every_look_at_an_original_is_on_the_record(pairs: House) -> None:
    pytest.importorskip("reportlab", reason="reportlab is not installed")
    id = add(pairs, _pdf(), "page.pdf", "patterns")
    looks = ["", "/pages", "/view", "/curve", "/pages/0", "/pages/0/image"]
    for number, path in enumerate(looks, 1):
        assert pairs.get("reviewer", f"/v1/reviews/{id}{path}").status_code == 200, path
        seen = [r for r in pairs.service.trail.records() if r.action == "read original" and r.object == id]
        assert len(seen) == number, path


def test_whatever_shows_a_word_of_an_original_is_on_the_record(pairs: House) -> None:
    """Every route of the description that answers with a word or a picture of the document, asked as a reviewer."""
    pytest.importorskip("reportlab", reason="reportlab is not installed")
    word = b"ann@example.org"
    id = add(pairs, _pdf(), "page.pdf", "patterns")
    decide(pairs, id, {"kind": "redact", "term": word.decode(), "propose": True})
    put = {"ids": [id], "matter": "Falcon"}
    pairs.client.patch("/v1/reviews", json=put, headers=pairs.as_("reviewer"))
    text = {"files": {"file": ("n.txt", b"Write to " + word)}, "data": {"policy": "patterns"}}
    asked: list[tuple[str, str, dict[str, Any]]] = [("POST", "/v1/assess", text)]
    for what in ("file", "report", "report.html", "certificate", "index.csv", "index.docx"):
        asked.append(("POST", f"/v1/reviews/{id}/export", {"json": {"what": what}}))
    for path, operations in pairs.get("reviewer", "/openapi.json").json()["paths"].items():
        if "get" in operations and path.startswith(
            ("/v1/reviews", "/v1/matters", "/v1/proposals", "/v1/jobs")
        ):
            asked.append(("GET", path.format(id=id, number=0, name="Falcon", record="report"), {}))
    showing = set()
    for method, path, sent in asked:
        before = pairs.service.trail.head()
        answer = pairs.client.request(method, path, headers=pairs.as_("reviewer"), **sent)
        shows = word in answer.content or answer.headers.get("content-type", "").startswith("image/")
        if answer.status_code == 200 and shows:
            showing.add(path.replace(id, "ID"))
            assert pairs.service.trail.head() != before, path
    assert {"/v1/reviews/ID/decisions", "/v1/proposals"} <= showing
    assert {"/v1/reviews/ID/export", "/v1/reviews/ID", "/v1/reviews/ID/pages/0/image"} <= showing
    before = pairs.service.trail.head()
    assert pairs.get("reviewer", f"/v1/reviews/{id}/decisions?after=9").json()["entries"] == []
    assert pairs.service.trail.head() == before, (
        "a page that asks for news all the time does not fill the trail"
    )


def _pdf() -> bytes:
    import io

    from reportlab.pdfgen.canvas import Canvas

    data = io.BytesIO()
    page = Canvas(data, pagesize=(400, 300))
    page.drawString(50, 250, "Write to ann@example.org today")
    page.save()
    return data.getvalue()
