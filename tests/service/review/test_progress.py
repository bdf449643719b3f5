"""How far the work on a document is: told by the worker, kept while it lasts, and free of what the document says."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from efface.service.jobs.processes import RequestContext
from efface.service.review.review_progress import ReviewProgress, told
from efface.service.review.review_work import OpenReview
from efface.text.progress import listening, part, tell
from tests.service.hospital import House
from tests.service.review.test_review import add, view


def test_stages_and_their_pieces_are_steps_with_numbers() -> None:
    assert ReviewProgress.of_line("finding") == ReviewProgress(stage="finding", step=2)
    assert ReviewProgress.of_line("checking, round 3 40/300") == ReviewProgress(
        stage="checking", step=3, done=40, of=300
    )
    for line in ("", "Ann Meyer", "reading 1/2 of Ann", f"reading {'9' * 5000}/1"):
        assert ReviewProgress.of_line(line) is None


def test_pieces_are_told_of_the_stage_that_is_under_way() -> None:
    lines: list[str] = []
    with told(lines.append, "reading") as begin:
        tell(1, 12)  # at once after the stage: too soon to be worth a message
        begin("finding")
    tell(2, 12)  # nobody listens any more
    assert lines == ["reading", "finding"]


def test_parts_of_a_text_are_told_as_shares_of_the_whole() -> None:
    """The second half of a text said 32 % after the first had said 55 %."""
    heard: list[tuple[int, int]] = []
    with listening(lambda done, of: heard.append((done, of))):
        for start in (0, 500):
            with part(start, start + 500, 1000):
                tell(1, 2)
    assert heard == [(250, 1000), (750, 1000)]


def test_what_a_worker_tells_is_known_while_it_works() -> None:
    hand = OpenReview()
    with hand.watching("document") as reading, hand.watching("outcome") as checking:
        reading("reading 3/12")
        assert hand.progress is not None and hand.progress.done == 3
        checking("finding")
        assert hand.progress.stage == "finding"
    assert hand.progress is None


def test_the_service_tells_how_far_it_is(house: House) -> None:
    id = add(house)
    view(house, id)  # the check of the new document has ended and tells nothing any more
    hand = house.service.review_store._hand(id)
    with hand.watching("outcome") as note:
        note("reading again 3/12")
        found = house.get("reviewer", f"/v1/reviews/{id}/progress").json()["progress"]
        assert found == {"stage": "reading again", "step": 5, "steps": 6, "done": 3, "of": 12}
        assert house.get("reviewer", "/v1/reviews").json()["reviews"][0]["progress"] == found
        assert house.get("high", f"/v1/reviews/{id}/progress").status_code == 403
    assert house.get("reviewer", f"/v1/reviews/{id}/progress").json() == {"progress": None}


def test_a_worker_tells_the_steps_of_a_check(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[str] = []
    store, id = house.service.review_store, add(house)
    hand = store._hand(id)
    watching = hand.watching

    @contextmanager
    def overheard(task: str) -> Iterator[Callable[[str], None]]:
        with watching(task) as note:

            def both(line: str) -> None:
                steps.append(line)
                note(line)

            yield both

    monkeypatch.setattr(hand, "watching", overheard)
    store.result(id, RequestContext("reviewer"), fresh=True)
    assert steps[0] == "reading" and "finding" in steps and steps[-1] == "attacking"
