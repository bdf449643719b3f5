"""What a reviewer decides about words is true of the bytes: in any disguise, at each place, and in the words that they write."""

from __future__ import annotations

from typing import Any

import pytest

from efface.api.sanitizer import Sanitizer
from efface.service.review.decisions import LogEntry, Recorded, decided, digest_of_text
from efface.service.review.run_with_decisions import ReviewInput, ReviewResult, run

SANITIZER = Sanitizer("efface: 1\nfind: {names: none, deny: [Project Falcon]}\n")
MAIL = "Write to ann@example.org or to bob@example.org. Again: ann@example.org. Grey cat, grey cat."


def checked(text: str, *made: dict[str, Any]) -> ReviewResult:
    prepared = ReviewInput.of(text.encode(), "a.txt", SANITIZER.bind())
    entries: list[LogEntry] = []
    for number, each in enumerate(made, 1):
        place = {"text_digest": digest_of_text(text)} if "start" in each else {}
        entries.append(LogEntry(number, "reviewer", 0.0, Recorded.model_validate({**each, **place})))
    return run(prepared, decided(entries))


def left(result: ReviewResult) -> str:
    assert result.report is not None and result.report.released is not None, result.problem
    return result.report.released.decode()


@pytest.mark.parametrize(
    "disguise",
    ["Brandtners", "xBrandtnerx", "user_brandtner", "B r a n d t n e r", "Brandt\u00adner", "BRANDTNER-Lang"],
)
def test_a_word_that_is_redacted_everywhere_goes_in_any_disguise(disguise: str) -> None:
    """It was searched for as a whole word only, and the verdict was `held`."""
    found = left(checked(f"Brandtner came, and {disguise} too.", {"kind": "redact", "term": "Brandtner"}))
    assert "brandtner" not in found.lower().replace(" ", "").replace("\u00ad", "")
    assert "came, and" in found


def test_words_joined_by_signs_go_with_the_phrase_and_longer_words_stay() -> None:
    text = "Grey cat, grey-cat, GreyCat. An annual plan of Ann."
    phrase, name = {"kind": "redact", "term": "grey cat"}, {"kind": "redact", "term": "Ann"}
    assert left(checked(text, phrase, name)) == (
        "[REDACTED_1], [REDACTED_1], [REDACTED_1]. An annual plan of [REDACTED_2]."
    )


def test_one_place_of_a_redacted_word_is_kept() -> None:
    """The decision was recorded, and the place went all the same."""
    everywhere = {"kind": "redact", "term": "ann@example.org"}
    here = {"kind": "keep", "term": "ann@example.org", "start": 9, "end": 24}
    found = checked(MAIL, everywhere, here)
    assert left(found).startswith("Write to ann@example.org or to [EMAIL")
    assert left(found).count("ann@example.org") == 1


def test_one_place_is_redacted_and_the_same_word_stays_elsewhere() -> None:
    found = left(checked(MAIL, {"kind": "redact", "term": "cat", "start": 77, "end": 80}))
    assert found.endswith("Grey [REDACTED_1], grey cat.")


@pytest.mark.parametrize(
    "words", ["the grey cat", "DE89 3704 0044 0532 0130 00", "carl@example.org", "Project Falcon"]
)
def test_words_in_the_place_of_others_are_judged(words: str) -> None:
    """They were not: what efface puts into a text is no find, and so was what a reviewer wrote."""
    gone, other = {"kind": "redact", "term": "cat"}, {"kind": "replace", "term": "Again", "text": words}
    found = checked(MAIL, gone, other)
    assert found.verdict.value == "broken" and "identify by themselves" in found.problem
    assert words not in found.problem
    wider = {"kind": "replace", "term": "Again", "text": "in March 2024"}
    assert "in March 2024" in left(checked(MAIL, gone, wider))


def test_the_claim_says_what_stays_because_a_reviewer_decided_so() -> None:
    kept = checked(MAIL, {"kind": "keep", "term": "ann@example.org"}, {"kind": "strength", "value": 0.9})
    assert kept.report is not None
    sentence = kept.report.outcomes[0].claim.sentence
    assert "decided that 1 of them stays" in sentence and "less than 90% sure stay" in sentence
    untouched = checked(MAIL).report
    assert untouched is not None and "decided" not in untouched.outcomes[0].claim.sentence
