"""The guessing game: what is played, what a guess is worth, and errors beside the automatic attackers."""

from __future__ import annotations

import json
import time
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from efface.attacks.class_readers import STRONGER
from efface.knowledge.classes import RecordFields, TrainingSettings, read_corpus, save, train
from efface.knowledge.classes.model import ClassModel, LabelledDocument
from efface.service.game import guessing_game
from efface.service.game.guessing_game import points
from efface.service.review.review_tables import games, posts
from tests.service.browser import PHONE, WIDE, axe, enter, expect, needed, serious
from tests.service.hospital import House
from tests.service.jobs.test_killable import until
from tests.service.processes import Running

MEMOS = files("efface.demo").joinpath("consulting", "memos.jsonl").read_bytes()
POLICY = "find: {patterns: none, names: none}\nguarantees: [{k-confusability: {model: clients.model, k: 3, truth: guess}}]\n"
NASTY = "<img src=x onerror=alert(5)>"


def furnish(policies: Path, memos: bytes = MEMOS) -> ClassModel:
    """A model of who the memos are about, and a policy that hides it."""
    (policies / "memos.jsonl").write_bytes(memos)
    fields = RecordFields("client", ("industry",))
    model = train(
        read_corpus(policies / "memos.jsonl", fields),
        TrainingSettings(sensitive="client", utility=("industry",)),
    )
    save(model, policies / "clients.model", force=True)
    (policies / "clients.yaml").write_text(POLICY)
    return model


def begin(house: House, who: str = "reviewer", **given: str) -> Any:
    data = {
        "policy": "clients",
        "title": "Which bank?",
        "k": "1,2,3",
        "documents": "9",
        "players": "low, high",
        "tells": "true",
        **given,
    }
    answer = house.post(who, "/v1/games", files={"file": ("memos.jsonl", MEMOS)}, data=data)
    if answer.status_code == 201:
        assert until(lambda: not house.service.games._making, 120)
    return answer


def test_a_game_that_is_never_made_ends_with_its_host(house: House) -> None:
    """It is made in a worker process, one at a time for each host."""
    policies = house.service.settings.policies
    furnish(policies)
    looping = POLICY.replace(
        "names: none}", 'names: none, custom: [{use: "tests.service.endless:LoopingFinder"}]}'
    )
    (policies / "looping.yaml").write_text(looping)
    memos = MEMOS.replace(b'"text": "', b'"text": "Sisyphus ')
    data = {"policy": "looping", "k": "2", "documents": "1"}
    sent = {"files": {"file": ("memos.jsonl", memos)}, "data": data}
    id = house.post("reviewer", "/v1/games", **sent).json()["id"]
    assert until(lambda: bool(house.service.processes._busy))
    assert house.post("reviewer", "/v1/games", **sent).status_code == 409
    assert house.client.delete(f"/v1/games/{id}", headers=house.as_("reviewer")).status_code == 204
    assert until(lambda: not house.service.processes._busy and not house.service.games._making)
    assert house.get("reviewer", "/v1/games").json()["games"] == []


def test_a_game_whose_process_has_died_does_not_stand_in_its_hosts_way(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever makes a game gives signs of life. Without them another game may be made soon."""
    monkeypatch.setattr(guessing_game, "_LEASE", 1.5)
    monkeypatch.setattr(guessing_game, "_RENEWED", 0.2)
    policies = house.service.settings.policies
    furnish(policies)
    looping = POLICY.replace(
        "names: none}", 'names: none, custom: [{use: "tests.service.endless:LoopingFinder"}]}'
    )
    (policies / "looping.yaml").write_text(looping)
    memos = MEMOS.replace(b'"text": "', b'"text": "Sisyphus ')
    data = {"policy": "looping", "k": "2", "documents": "1"}
    sent = {"files": {"file": ("memos.jsonl", memos)}, "data": data}
    id = house.post("reviewer", "/v1/games", **sent).json()["id"]
    time.sleep(3)  # longer than the lease
    assert house.get("reviewer", "/v1/games").json()["games"][0]["state"] == "making"
    assert house.post("reviewer", "/v1/games", **sent).status_code == 409
    assert house.client.delete(f"/v1/games/{id}", headers=house.as_("reviewer")).status_code == 204
    monkeypatch.setattr(guessing_game.Games, "make_later", lambda *_: None)  # as if the process died here
    assert house.post("reviewer", "/v1/games", **sent).status_code == 201
    assert house.post("reviewer", "/v1/games", **sent).status_code == 409

    def listed() -> Any:
        return house.get("reviewer", "/v1/games").json()["games"][0]

    assert until(lambda: listed()["state"] == "failed" and "has ended" in listed()["problem"], 20)
    assert house.post("reviewer", "/v1/games", **sent).status_code == 201


def play(house: House, id: str, who: str, guesses: int, right: bool) -> dict[str, Any]:
    """Answer the next document, knowing the truth from the originals."""
    turn = house.get(who, f"/v1/games/{id}/turn").json()
    truth = json.loads(MEMOS.splitlines()[turn["document"]])["client"]
    wrong = [name for name in turn["classes"] if name != truth]
    picked = ([truth] if right else []) + wrong[: guesses - right]
    answer = house.post(
        who, f"/v1/games/{id}/answers", json={"document": turn["document"], "guesses": picked}
    )
    assert answer.status_code == 200, answer.text
    assert answer.json()["truth"] == truth and answer.json()["right"] == right
    return {**answer.json(), "document": turn["document"], "guesses": guesses}


@given(st.integers(1, 30), st.booleans())
@settings(deadline=None, derandomize=True)
def test_a_point_for_the_right_one_and_a_twentieth_less_for_each_wrong(guesses: int, right: bool) -> None:
    worth = sum(1 if number == 0 and right else -0.05 for number in range(guesses))
    assert points(right, guesses) == pytest.approx(worth)


def test_what_is_played_hides_the_class_among_k(house: House) -> None:
    model = furnish(house.service.settings.policies)
    id = begin(house).json()["id"]
    (game,) = house.get("low", "/v1/games").json()["games"]
    assert (game["state"], game["documents"], game["answered"]) == ("open", 9, 0)
    with house.service.store.read() as connection:
        rows = connection.execute(posts.select().where(posts.c.game == id)).all()
    originals = [json.loads(line) for line in MEMOS.splitlines()]
    assert {row.k for row in rows} == {1, 2, 3}
    assert len({row.truth for row in rows}) == 9, "every class has its turn before any has two"
    for row in rows:
        original = originals[row.document]
        assert row.truth == original["client"]
        if row.k == 1:
            assert row.text == original["text"]
            continue
        reader = model.without(LabelledDocument(original["text"], row.truth, (original["industry"],)))
        scores = reader.scores(row.text)
        assert int((scores > scores[reader.sensitive.index(row.truth)]).sum()) >= row.k - 1
        assert row.truth not in row.text
        ranks = json.loads(row.ranks)
        assert ranks["naive-bayes"] >= row.k
        assert set(ranks) == {"naive-bayes", *STRONGER}


def test_a_player_sees_a_document_once_and_nothing_that_tells(house: House) -> None:
    furnish(house.service.settings.policies)
    id = begin(house).json()["id"]
    turn = house.get("low", f"/v1/games/{id}/turn").json()
    assert turn == house.get("low", f"/v1/games/{id}/turn").json(), "loading again shows the same"
    assert set(turn) == {"title", "classes", "document", "text", "answered", "documents", "points"}
    seen = [play(house, id, "low", 1, right=True) for _ in range(9)]
    assert len({one["document"] for one in seen}) == 9
    over = house.get("low", f"/v1/games/{id}/turn").json()
    assert over["document"] is None and over["text"] is None and over["points"] == 9
    again = {"document": turn["document"], "guesses": turn["classes"][:1]}
    assert house.post("low", f"/v1/games/{id}/answers", json=again).status_code == 409
    assert house.post("high", f"/v1/games/{id}/answers", json={**again, "document": 999}).status_code == 404
    for guesses in (["nobody"], []):
        answer = house.post("high", f"/v1/games/{id}/answers", json={**again, "guesses": guesses})
        assert answer.status_code == 422


def test_a_game_is_by_invitation_and_tells_nothing_unless_its_host_says_so(house: House) -> None:
    furnish(house.service.settings.policies)
    id = begin(house, players="low", tells="false", k="2", documents="2").json()["id"]
    assert house.get("high", "/v1/games").json()["games"] == []
    assert house.get("high", f"/v1/games/{id}/turn").status_code == 404
    turn = house.get("low", f"/v1/games/{id}/turn").json()
    assert turn["points"] is None
    guess = {"document": turn["document"], "guesses": turn["classes"][:1]}
    assert house.post("high", f"/v1/games/{id}/answers", json=guess).status_code == 404
    worth = house.post("low", f"/v1/games/{id}/answers", json=guess).json()
    assert (worth["right"], worth["truth"], worth["points"]) == (None, None, None)
    seen = [
        (r.actor, r.action) for r in house.service.trail.records() if r.object == id and r.action == "play"
    ]
    assert seen == [("low", "play")]


def test_a_guess_is_on_the_record_though_its_document_was_never_shown(house: House) -> None:
    """Documents have numbers that one can guess, and an answer may tell the class."""
    furnish(house.service.settings.policies)
    id = begin(house, players="low", k="2", documents="2").json()["id"]
    numbers = [document for document in range(len(MEMOS.splitlines())) if _guessed(house, id, document)]
    told = [record for record in house.service.trail.records() if record.action == "guess"]
    assert len(numbers) == 2 and [record.actor for record in told] == ["low", "low"]
    assert [json.loads(record.detail)["document"] for record in told] == [str(each) for each in numbers]


def _guessed(house: House, id: str, document: int) -> bool:
    classes = house.get("low", f"/v1/games/{id}/turn").json()["classes"]
    guess = {"document": document, "guesses": classes[:1]}
    return bool(house.post("low", f"/v1/games/{id}/answers", json=guess).status_code == 200)


def test_a_player_does_not_read_in_the_results_whether_a_guess_was_right(house: House) -> None:
    """A colleague who may make games of their own is a player here like everybody else."""
    furnish(house.service.settings.policies)
    house.service.people.put("colleague", "reviewer")
    house.tokens["colleague"] = house.service.people.issue("colleague")[1]
    id = begin(house, players="colleague", tells="false", k="2", documents="2").json()["id"]
    assert house.get("colleague", f"/v1/games/{id}/turn").status_code == 200
    assert house.get("colleague", f"/v1/games/{id}/results").status_code == 403
    for who in ("reviewer", "admin"):
        assert house.get(who, f"/v1/games/{id}/results").status_code == 200


def test_errors_are_those_of_the_answers(house: House) -> None:
    """Against the definition, counted answer by answer."""
    furnish(house.service.settings.policies)
    id = begin(house).json()["id"]
    given = [play(house, id, who, 1 + number % 3, right=bool(number % 2))
             for who in ("low", "high") for number in range(9)]  # fmt: skip
    found = house.get("reviewer", f"/v1/games/{id}/results").json()
    assert (found["players"], found["answers"]) == (2, 18)
    assert found["points"] == pytest.approx(sum(one["points"] for one in given))
    for row in found["by_guesses"]:
        for guesses, people, count in zip(row["guesses"], row["people"], row["answers"], strict=True):
            mine = [one for one in given if one["k"] == row["k"] and one["guesses"] == guesses]
            assert count == len(mine)
            assert people == (
                pytest.approx(sum(not one["right"] for one in mine) / len(mine), abs=1e-3) if mine else None
            )
        for name, errors in row["attackers"].items():
            assert errors == sorted(errors, reverse=True), f"{name}: more guesses cannot miss more"
        if row["k"] > 1:
            assert row["attackers"]["naive-bayes"][: row["k"] - 1] == [1.0] * (row["k"] - 1)
    for row in found["by_k"]:
        mine = [one for one in given if one["k"] == row["k"]]
        assert row["answers"] == len(mine)
        missed = sum(not one["right"] for one in mine)
        # Which k a document is played with is drawn: one of them may come to nobody.
        assert row["people"] == (pytest.approx(missed / len(mine), abs=1e-3) if mine else None)
    assert not [name for name in ("low", "high") if f'"{name}"' in json.dumps(found)], "names no player"


def test_who_may_make_play_and_see(house: House) -> None:
    furnish(house.service.settings.policies)
    assert begin(house, "low").status_code == 403
    id = begin(house, k="2", documents="1").json()["id"]
    assert house.get("low", f"/v1/games/{id}/results").status_code == 403
    assert house.client.get(f"/v1/games/{id}/turn").status_code == 401
    assert house.client.delete(f"/v1/games/{id}", headers=house.as_("low")).status_code == 403
    assert house.client.delete(f"/v1/games/{id}", headers=house.as_("admin")).status_code == 204
    assert house.get("low", f"/v1/games/{id}/turn").status_code == 404
    trail = house.get("admin", "/v1/audit").text
    assert '"make game"' in trail and '"end game"' in trail


@pytest.mark.parametrize(
    ("policy", "data", "says"),
    [
        ("patterns", MEMOS, "hides no class"),
        ("clients", b'{"client": "Nobody", "industry": "bank", "text": "x"}', "No document of the file"),
        ("clients", b"{", "memos"),
    ],
)
def test_a_game_that_cannot_be_made_says_why(house: House, policy: str, data: bytes, says: str) -> None:
    furnish(house.service.settings.policies)
    sent = house.post("reviewer", "/v1/games", files={"file": ("memos.jsonl", data)}, data={"policy": policy})
    assert sent.status_code == 201
    assert until(lambda: not house.service.games._making, 120)
    (game,) = house.get("reviewer", "/v1/games").json()["games"]
    assert game["state"] == "failed" and game["problem"]
    assert says in game["problem"] or policy == "clients"
    assert house.get("reviewer", f"/v1/games/{game['id']}/turn").status_code == 409
    for levels in ("0", "2,", "1,2,3,4,5,6,7"):
        assert begin(house, k=levels).status_code == 422


@needed
@axe
def test_axe_finds_nothing_serious_in_the_game(browser: Any, server: Running) -> None:
    furnish(server.settings.policies)
    page = enter(browser, server, color_scheme="dark")
    id = made_game(page, server, MEMOS, "Axe", documents=1, levels="1")
    assert serious(page) == []
    for path in ("", "/results"):
        page.goto(f"{server.url}/app/game/{id}{path}")
        page.locator(".paper, .plot").first.wait_for()
        assert serious(page) == []


def made_game(
    page: Any,
    server: Running,
    memos: bytes,
    title: str,
    *,
    documents: int = 4,
    levels: str = "1, 2",
    players: str = "low",
) -> str:
    """Make a game on the page; its id."""
    page.goto(f"{server.url}/app/game")
    page.get_by_text("Make a game", exact=True).click()
    page.get_by_label("Title").fill(title)
    page.get_by_label("Policy that hides").select_option("clients")
    page.get_by_label("Labelled documents").set_input_files(
        {"name": "memos.jsonl", "mimeType": "text/plain", "buffer": memos}
    )
    page.get_by_label("Levels of k").fill(levels)
    page.get_by_label("Documents", exact=True).fill(str(documents))
    page.get_by_label("Players").fill(players)
    page.get_by_label("Tell the class").check()
    page.get_by_role("button", name="Make the game").click()
    link = page.get_by_role("link", name=title)
    link.wait_for(timeout=120_000)  # a worker process starts, and learns
    found: str = link.get_attribute("href").rpartition("/")[2]
    return found


@needed
@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_a_game_in_the_browser(browser: Any, server: Running, size: dict[str, int]) -> None:
    memos = MEMOS.replace(b"Barclow", NASTY.encode())
    furnish(server.settings.policies, memos)
    reviewer = enter(browser, server, size=size)
    title = f"{NASTY} {size['width']}"
    id = made_game(reviewer, server, memos, title)
    player = enter(browser, server, "low", size)
    player.goto(f"{server.url}/app/game/{id}")
    expect(player.get_by_text("0 of 4 answered")).to_be_visible()
    expect(player.get_by_role("button", name="Guess")).to_be_disabled()
    boxes = player.get_by_role("checkbox")
    assert boxes.count() == 9 and player.get_by_role("checkbox", name=NASTY).count() == 1
    boxes.nth(0).check()
    boxes.nth(1).check()
    expect(player.get_by_text("2 picked: at best 0.95, at worst -0.10")).to_be_visible()
    assert player.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing hangs out sideways"
    player.get_by_role("button", name="Guess").click()
    player.locator(".choices .truth").wait_for()
    player.keyboard.press("n")
    expect(player.get_by_text("1 of 4 answered")).to_be_visible()
    expect(boxes.nth(0)).not_to_be_checked()
    for _ in range(3):
        expect(player.locator(".choices input:checked")).to_have_count(0)
        player.get_by_role("checkbox").nth(2).check()
        player.get_by_role("button", name="Guess").click()
        player.get_by_role("button", name="Next").click()
    expect(player.get_by_text("You have answered every document")).to_be_visible()
    reviewer.goto(f"{server.url}/app/game/{id}/results")
    reviewer.locator("figure").first.wait_for()
    assert reviewer.locator("figcaption").all_text_contents() == [
        "Error by k, with as many guesses as people made",
        "k = 1, not redacted: error by number of guesses",
        "k = 2: error by number of guesses",
    ]
    names = reviewer.locator("figure").first.locator(".plot-names li").all_text_contents()
    assert names[0] == "people" and {"linear-svm", "naive-bayes", "nearest"} <= set(names)
    assert reviewer.locator("main img").count() == 0
    assert reviewer.troubles == [] and player.troubles == []


def test_another_team_cannot_push_games_out_of_the_list(house: House) -> None:
    house.service.people.put("rival", "", None, {"other": "reviewer"})
    rival = house.service.people.identify(house.service.people.issue("rival")[1])
    own = house.service.people.identify(house.tokens["reviewer"])
    assert rival is not None and own is not None
    first = house.service.games.begin(own, "Which bank?", "patterns", ["low"], False)
    row = {
        "title": "",
        "policy": "other.x",
        "owner": "rival",
        "team": "other",
        "state": "open",
        "players": "[]",
    }
    later = house.service.games.get(first).created + 1
    noise = [{**row, "id": f"{number:024x}", "created": later} for number in range(201)]
    with house.service.store.write() as connection:
        connection.execute(games.insert(), noise)
    assert [each["id"] for each in house.service.games.listed(own)] == [first]
    assert len(house.service.games.listed(rival)) == 200
