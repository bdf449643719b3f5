"""Decisions through the one flow: what they do, how two people's merge, and what may leave."""

from __future__ import annotations

import io
import json
import time
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from efface.api.sanitizer import Sanitizer
from efface.service.review import review_tasks
from efface.service.review.decisions import Decision, EffectiveDecisions, LogEntry, Recorded, decided
from efface.service.review.review_store import ReviewStore
from efface.service.review.run_with_decisions import ReviewInput, ReviewResult, run
from tests.service.hospital import House

MAIL = b"Write to ann@example.org or to bob@example.org. Again: ann@example.org. Grey cat, grey cat."


def add(
    house: House, data: bytes = MAIL, name: str = "mail.txt", policy: str = "patterns", who: str = "reviewer"
) -> str:
    answer = house.post(who, "/v1/reviews", files={"file": (name, data)}, data={"policy": policy})
    assert answer.status_code == 201, answer.text
    id: str = answer.json()["id"]
    return id


def decide(
    house: House, id: str, *made: dict[str, Any], who: str = "reviewer", seen: int | None = None
) -> Any:
    if seen is None:
        seen = house.get(who, f"/v1/reviews/{id}/decisions").json()["version"]
    return house.post(who, f"/v1/reviews/{id}/decisions", json={"seen": seen, "decisions": list(made)})


def view(house: House, id: str) -> dict[str, Any]:
    answer = house.get("reviewer", f"/v1/reviews/{id}/view")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def export(house: House, id: str, who: str = "reviewer", **wanted: str) -> Any:
    return house.post(who, f"/v1/reviews/{id}/export", json=wanted)


def test_text_that_no_finder_reads_is_shown_and_counts_once_it_is_redacted(house: House) -> None:
    """The place is one of the original, also behind a replacement that is longer than what it stands for."""
    unread = "Lorem ipsum dolor sit amet, consectetur adipiscing elit, vestibulum fringilla bibendum urna."
    text = f"Write to a@b.org.\n{unread}\nThe grey cat sleeps on the mat all day long.\n"
    id = add(house, text.encode(), "note.txt", policy="")
    found = view(house, id)
    assert found["verdict"] == "unproven"
    assert [text[start:end] for start, end in found["unread"]] == [unread]
    start, end = found["unread"][0]
    assert decide(house, id, {"kind": "redact", "start": start, "end": end}).status_code == 200
    found = view(house, id)
    assert (found["verdict"], found["unread"]) == ("held", [])


def test_every_view_says_what_was_not_looked_for(house: House) -> None:
    """Also where the finders look for everything: then no guarantee is about what the rest tells."""
    told = {
        "": [
            "Not looked for: what the words that stay tell together. No guarantee of the policy is about that."
        ],
        "wards": ["Not looked for: names of persons"],
        "patterns": ["Not looked for: names of persons", "Not looked for: what the words that stay"],
    }
    for policy, lines in told.items():
        found = view(house, add(house, b"Nothing at all.", policy=policy))["coverage"]
        assert len(found) == len(lines), found
        assert all(line.startswith(start) for line, start in zip(found, lines, strict=True)), found


def test_a_document_without_decisions_leaves_as_redact_would_make_it(house: House) -> None:
    id = add(house)
    found = view(house, id)
    assert found["verdict"] == "held"
    assert [(term["text"], len(term["places"]), term["gone"]) for term in found["terms"]] == [
        ("ann@example.org", 2, 2),
        ("bob@example.org", 1, 1),
    ]
    assert all("identifies" in sentence for term in found["terms"] for sentence in term["why"])
    released = export(house, id)
    twin = house.post(
        "reviewer", "/v1/redact", files={"file": ("mail.txt", MAIL)}, data={"policy": "patterns"}
    )
    assert released.status_code == 200 and released.content == twin.content


@pytest.mark.parametrize(
    ("made", "left"),
    [
        ({"kind": "keep", "term": "ann@example.org"}, b"ann@example.org or to [EMAIL_ADDRESS_1]. Again: ann@example.org."),
        ({"kind": "keep", "term": "", "start": 9, "end": 24}, b"ann@example.org or to"),
        ({"kind": "redact", "term": "grey"}, b"[REDACTED_1] cat, [REDACTED_1] cat."),
        ({"kind": "redact", "term": "cat", "start": 77, "end": 80}, b"Grey [REDACTED_1], grey cat."),
        ({"kind": "replace", "term": "ann@example.org", "text": "a colleague"}, b"Again: a colleague."),
        ({"kind": "strength", "value": 1.0}, b"Write to"),
    ],
)  # fmt: skip
def test_a_decision_shapes_what_leaves(house: House, made: dict[str, Any], left: bytes) -> None:
    id = add(house)
    assert decide(house, id, made).status_code == 200
    found = view(house, id)
    assert found["verdict"] == "held", found
    content = export(house, id).content
    assert left in content
    if made["kind"] == "keep" and "start" in made:
        assert content.count(b"ann@example.org") == 1


ONE_PLACE = {"term": "ann@example.org", "start": 9, "end": 24}


def test_a_later_decision_about_all_places_holds_in_each(house: House) -> None:
    """After "Keep this one only", "Redact all" leaves none, and the other way round."""
    id = add(house)
    decide(house, id, {"kind": "keep", **ONE_PLACE})
    assert export(house, id).content.count(b"ann@") == 1
    decide(house, id, {"kind": "redact", "term": "Ann@example.org"})
    assert b"ann@" not in export(house, id).content
    decide(house, id, {"kind": "undo", "of": 2})
    assert export(house, id).content.count(b"ann@") == 1
    decide(house, id, {"kind": "redact", **ONE_PLACE}, {"kind": "keep", "term": "ann@example.org"})
    assert export(house, id).content.count(b"ann@") == 2
    decide(house, id, {"kind": "redact", **ONE_PLACE})
    assert export(house, id).content.count(b"ann@") == 1
    bob = {"term": "bob@example.org", "start": 31, "end": 46}
    decide(house, id, {"kind": "keep", **bob}, {"kind": "redact", "term": "bob@example.org"})
    assert b"bob@" not in export(house, id).content


def test_nobody_overrules_unseen_what_another_decided_about_one_place(house: House) -> None:
    id = add(house)
    assert decide(house, id, {"kind": "keep", **ONE_PLACE}, who="admin").status_code == 200
    made = {"kind": "redact", "term": "ann@example.org"}
    assert decide(house, id, made, seen=0).status_code == 409
    assert decide(house, id, made).status_code == 200


def test_what_is_cut_under_review_is_cut_everywhere(house: House) -> None:
    """A name that a finder sees once goes wherever it stands, as it does on the command line."""
    letter = b"Dear Mr Jonathan Whitcombe,\nThe login is jwhitcombe1957. Whitcombe's file is closed.\n"
    id = add(house, letter, "letter.txt", "")
    content = export(house, id).content.lower()
    assert b"whitcombe" not in content, content


def test_undo_and_redo_have_no_limit(house: House) -> None:
    id = add(house)
    for term in ("grey", "cat", "write"):
        decide(house, id, {"kind": "redact", "term": term})
    full = export(house, id).content
    for of in (3, 2, 1):
        assert decide(house, id, {"kind": "undo", "of": of}).status_code == 200
    assert b"Grey cat" in export(house, id).content
    for of in (1, 2, 3):
        decide(house, id, {"kind": "redo", "of": of})
    assert export(house, id).content == full
    assert decide(house, id, {"kind": "undo", "of": 99}).status_code == 404


def test_keeping_what_the_policy_protects_breaks_the_verdict(house: House) -> None:
    """The attacker's knowledge does not change because somebody decides so."""
    id = add(house, b"Brandt of Oslo came. Okonkwo of Oslo came along.", "note.txt", "wards")
    first = view(house, id)
    assert first["verdict"] == "held"
    hard = [term["text"] for term in first["terms"] if term["hard"]]
    assert "Brandt" in hard
    decide(house, id, *({"kind": "keep", "term": term} for term in hard))
    broken = view(house, id)
    assert broken["verdict"] == "broken"
    found = [promise for promise in broken["guarantees"] if promise["after"]]
    assert found and not any(
        promise["measures"] for promise in found
    )  # a crowd of 2 was shown beside "fits only 1"
    assert export(house, id).status_code == 422
    assert export(house, id, what="certificate").status_code == 422
    assert export(house, id, override="the patient asked for it").status_code == 403
    released = export(house, id, "admin", override="the patient asked for it")
    assert released.status_code == 200 and b"Brandt" in released.content
    trail = [json.loads(line) for line in house.get("admin", "/v1/audit").text.splitlines()]
    override = [row for row in trail if row["action"] == "override"]
    assert [(row["actor"], row["detail"]["reason"], row["detail"]["verdict"]) for row in override] == [
        ("admin", "the patient asked for it", "broken")
    ]


def test_what_is_left_is_listed_by_its_words_in_the_original(house: House) -> None:
    """Placeholders before it move it in the release: the reviewer looks at the original."""
    note = "Brandt of Oslo has asthma. Okonkwo of Oslo came along."
    id = add(house, note.encode(), "left.txt", "wards")
    before = {term["text"] for term in view(house, id)["terms"]}
    assert "asthma" in before
    decide(house, id, {"kind": "keep", "term": "asthma"})
    found = view(house, id)
    assert found["verdict"] == "broken"
    words = {term["text"]: [note[start:end] for start, end in term["places"]] for term in found["terms"]}
    assert before <= set(words) <= {*note.replace(".", "").split()}
    assert all(set(places) == {word} for word, places in words.items())
    assert next(term["decision"] for term in found["terms"] if term["text"] == "asthma") == "keep"


def test_a_weaker_k_is_judged_by_the_policy(house: House) -> None:
    (house.service.settings.policies / "crowd.yaml").write_text(
        (house.service.settings.policies / "wards.yaml").read_text().replace("k: 2", "k: 4")
    )
    id = add(house, b"Somebody of Bern came.", "note.txt", "crowd")
    assert view(house, id)["verdict"] == "held"
    curve = house.get("reviewer", f"/v1/reviews/{id}/curve").json()
    assert curve["kind"] == "k" and curve["policy"] == 4 and 2 in curve["levels"]
    decide(house, id, {"kind": "strength", "value": 2})
    assert view(house, id)["verdict"] == "broken"


def test_two_reviewers_do_not_overwrite_each_other(house: House) -> None:
    id = add(house)
    assert decide(house, id, {"kind": "redact", "term": "grey"}, seen=0).status_code == 200
    assert decide(house, id, {"kind": "redact", "term": "cat"}, who="admin", seen=0).status_code == 200
    clash = decide(house, id, {"kind": "keep", "term": "Grey"}, who="admin", seen=0)
    assert clash.status_code == 409
    assert decide(house, id, {"kind": "keep", "term": "Grey"}, who="admin").status_code == 200
    log = house.get("reviewer", f"/v1/reviews/{id}/decisions").json()["entries"]
    assert [(row["actor"], row["kind"]) for row in log] == [
        ("reviewer", "redact"),
        ("admin", "redact"),
        ("admin", "keep"),
    ]
    assert decide(house, id, {"kind": "undo", "of": 1}, who="admin").status_code == 409


def test_readers_see_no_review(house: House) -> None:
    id = add(house)
    for path in ("", f"/{id}", f"/{id}/view", f"/{id}/curve", f"/{id}/decisions"):
        assert house.get("low", f"/v1/reviews{path}").status_code == 403, path
    assert export(house, id, "low").status_code == 403
    assert house.get("low", f"/v1/preview/{house.add('n.txt', b'hello')}").json()["text"] == "hello"
    assert house.get("reviewer", f"/v1/preview/{'0' * 24}/as/low").status_code == 403


def test_the_queue_shows_what_needs_somebody_first(house: House) -> None:
    good, bad = add(house), add(house, b"%PDF-1.4 nonsense", "bad.pdf")
    view(house, good)
    assert house.get("reviewer", f"/v1/reviews/{bad}/view").status_code == 422
    rows = house.get("reviewer", "/v1/reviews").json()["reviews"]
    assert [(row["id"], row["state"]) for row in rows] == [(bad, "failed"), (good, "held")]
    assert [row["id"] for row in house.get("reviewer", "/v1/reviews?state=held").json()["reviews"]] == [good]


def test_proposals_reach_whoever_writes_the_policy(house: House) -> None:
    id = add(house)
    decide(house, id, {"kind": "redact", "term": "Grey", "propose": True})
    decide(house, id, {"kind": "keep", "term": "bob@example.org", "propose": True})
    found = house.get("reviewer", "/v1/proposals").json()["policies"]
    assert found == {"patterns": {"deny": ["Grey"], "keep": ["bob@example.org"]}}


def test_a_word_file_shows_its_shape(house: House) -> None:
    docx = pytest.importorskip("docx", reason="python-docx is not installed")
    file = docx.Document()
    file.add_heading("Letter", 1)
    file.add_paragraph("To ").add_run("ann@example.org").bold = True
    file.add_paragraph("first", style="List Bullet")
    file.add_table(1, 2).cell(0, 1).text = "in a cell"
    data = io.BytesIO()
    file.save(data)
    id = add(house, data.getvalue(), "letter.docx")
    shown = house.get("reviewer", f"/v1/reviews/{id}").json()
    said = [
        (block["kind"], "".join(shown["text"][start:end] for start, end, _ in block["runs"]), "cell" in block)
        for block in shown["blocks"]
        if "part" not in block
    ]
    assert ("h1", "Letter", False) in said
    assert ("li", "first", False) in said
    assert ("p", "in a cell", True) in said
    bold = [shown["text"][s:e] for block in shown["blocks"] for s, e, style in block["runs"] if style == "b"]
    assert bold == ["ann@example.org"]


def test_words_of_a_pdf_page_stand_where_they_are_seen(house: House) -> None:
    canvas = pytest.importorskip("reportlab.pdfgen.canvas", reason="reportlab is not installed")
    data = io.BytesIO()
    page = canvas.Canvas(data, pagesize=(400, 300))
    page.drawString(50, 250, "Write to ann@example.org today")
    page.save()
    id = add(house, data.getvalue(), "page.pdf")
    shown = house.get("reviewer", f"/v1/reviews/{id}").json()
    assert shown["pages"] == [[400.0, 300.0]]
    words = house.get("reviewer", f"/v1/reviews/{id}/pages/0").json()["words"]
    boxes = {shown["text"][start:end]: box for start, end, *box in words}
    assert list(boxes) == ["Write", "to", "ann@example.org", "today"]
    left, top, right, bottom = boxes["Write"]
    assert 48 < left < 52 < right < 100 and 38 < top < bottom < 56
    assert house.get("reviewer", f"/v1/reviews/{id}/pages/0/image").content.startswith(b"\x89PNG")
    assert house.get("reviewer", f"/v1/reviews/{id}/pages/7/image").status_code == 422


def test_the_page_may_load_nothing_from_elsewhere(house: House) -> None:
    for path in ("/app/", "/app/review/abc", "/app/app.js"):
        answer = house.client.get(path)
        assert answer.status_code == 200
        rules = answer.headers["content-security-policy"]
        assert "default-src 'none'" in rules and "frame-ancestors 'none'" in rules and "unsafe" not in rules
    for path in ("/app/__init__.py", "/app/..%2Fapp.py", "/app/review/app.js", "/app/none.js"):
        assert house.client.get(path).status_code == 404, path


KINDS = st.sampled_from(["redact", "keep", "undo", "redo", "approve"])


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.lists(st.tuples(KINDS, st.sampled_from("abc"), st.integers(1, 12)), max_size=12))
def test_what_stands_is_what_was_never_undone_for_good(rows: list[tuple[str, str, int]]) -> None:
    """Against the definition: take the undone ones out of the log, and let the last about a term decide."""
    entries = []
    for seq, (kind, term, of) in enumerate(rows, 1):
        made = Recorded.model_validate({"kind": kind, "term": term, "of": of} if kind in ("undo", "redo") else {"kind": kind, "term": term})  # fmt: skip
        entries.append(LogEntry(seq, "x", 0.0, made))
    undone = {
        seq
        for seq in range(1, 13)
        if [row[0] for row in rows if row[0] in ("undo", "redo") and row[2] == seq][-1:] == ["undo"]
    }
    expected = {}
    for seq, (kind, term, _) in enumerate(rows, 1):
        if kind in ("redact", "keep") and seq not in undone:
            expected[term] = kind
    assert {key: made.kind for key, made in decided(entries).terms.items()} == expected


def test_what_was_left_unseen_is_looked_at_by_the_next_process(house: House) -> None:
    """A process that ends between taking a file and looking at it leaves no document waiting for ever."""
    service = house.service
    who = service.people.identify(house.tokens["reviewer"])
    assert who is not None
    id = service.review_store.add(who, "patterns", "left.txt", b"mail ann@example.org")
    assert service.review_store.unseen() == [id]
    service.look_at_what_waits()
    deadline = time.monotonic() + 300
    while service.review_store.get(id).state in ("waiting", "working") and time.monotonic() < deadline:
        time.sleep(0.05)
    assert service.review_store.get(id).state == "held" and service.review_store.unseen() == []


def test_an_approval_that_came_too_late_is_not_in_the_trail(house: House) -> None:
    made = house.post("reviewer", "/v1/reviews", files={"file": ("a.txt", b"mail ann@example.org")})
    path = f"/v1/reviews/{made.json()['id']}/decisions"
    house.post("admin", path, json={"decisions": [{"kind": "redact", "term": "mail"}]})
    late = house.post("reviewer", path, json={"seen": 0, "decisions": [{"kind": "approve"}]})
    assert late.status_code == 409
    assert "approve" not in [record.action for record in house.service.trail.records()]
    house.get("reviewer", f"/v1/reviews/{made.json()['id']}/view")
    again = house.post("reviewer", path, json={"seen": 1, "decisions": [{"kind": "approve"}]})
    assert again.status_code == 200
    assert [r.actor for r in house.service.trail.records() if r.action == "approve"] == ["reviewer"]


def test_a_document_that_has_left_stays_so_until_somebody_decides(house: House) -> None:
    """To look at it once more put it back among those that wait for somebody."""
    id = add(house)
    assert export(house, id).status_code == 200

    def state() -> str:
        house.service.review_store._open_reviews.clear()  # as after a while: what would leave is worked out anew
        assert view(house, id)["verdict"] == "held"
        found: str = house.get("reviewer", "/v1/reviews").json()["reviews"][0]["state"]
        return found

    assert state() == "exported"
    decide(house, id, {"kind": "redact", "term": "grey"})
    assert state() == "held"


def test_what_is_taken_back_is_not_checked_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a long file each check takes seconds. What leads to the same decisions has the same result."""
    checked: list[EffectiveDecisions] = []

    def counted(prepared: Any, made: EffectiveDecisions, *more: Any) -> ReviewResult:
        checked.append(made)
        return run(prepared, made, *more)

    monkeypatch.setattr(review_tasks, "run", counted)
    sanitizer = Sanitizer("efface: 1\nfind: {names: none}\n")
    kept = review_tasks._KeptReview(ReviewInput.of(MAIL, "a.txt", sanitizer.bind()), sanitizer.policy)
    keep: dict[str, Decision] = {"grey": Recorded(kind="redact", term="grey")}
    other: dict[str, Decision] = {"cat": Recorded(kind="redact", term="cat")}
    steps = [EffectiveDecisions(), EffectiveDecisions(terms=keep), EffectiveDecisions(terms=other)]
    released = []
    for version, made in enumerate([*steps, *steps]):
        found = kept.result(replace(made, version=version, changed=version))
        assert found.version == version and found.report is not None
        released.append(found.report.released)
    assert len(checked) == 3 and len(set(released)) == 3 and released[:3] == released[3:]


@pytest.mark.parametrize("what", ["file", "certificate"])
def test_nothing_leaves_that_was_made_before_the_last_decision(
    house: House, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """Somebody redacts a word while the file is made: the file without that decision left, and the queue said `exported`."""
    id = add(house)
    made = ReviewStore.result

    def result(store: ReviewStore, *given: Any, **named: Any) -> Any:
        found = made(store, *given, **named)
        if named.get("fresh"):
            redact = Recorded(kind="redact", term="Grey cat")
            house.service.review_store.log.append(id, "admin", 0, [redact])
        return found

    monkeypatch.setattr(ReviewStore, "result", result)
    answer = export(house, id, what=what)
    assert answer.status_code == 409 and "while the file was made" in answer.json()["detail"]
    assert house.get("reviewer", "/v1/reviews").json()["reviews"][0]["state"] != "exported"
    assert not [row for row in house.service.trail.records() if row.action == "release"]
