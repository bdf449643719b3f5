"""A redaction is the same, byte for byte, when no search is left out and nothing counts as cut already."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from efface import Redaction, Sanitizer
from efface.attacks import leaks
from efface.attacks.leaks import Removed, search
from efface.core import Document, Edit
from efface.finders.patterns.trigger_groups import TriggerGroup
from efface.formats.plain.text import GIVEN_TEXT, GivenText, PlainText
from efface.pipeline.propagation import spread
from efface.pipeline.propagation.hidden_places import NOTHING_CUT
from efface.text.search import string_search
from tests.text.hiding import TEXTS, WORDS, every_search

DENYING = Sanitizer({"find": {"names": "none", "patterns": "default", "deny": [*WORDS, "Project Falcon"]}})
BY_SHAPE = Sanitizer({"find": {"names": "none", "patterns": "default"}})


def _told(sanitizer: Sanitizer, text: str) -> tuple[str, tuple[object, ...], str]:
    made: Redaction = next(iter(sanitizer.redact_many([text])))
    return made.text if made.verdict == "held" else "", tuple(made.edits), made.verdict


@contextmanager
def _the_long_way() -> Iterator[None]:
    """No stage is left out because of what is known of the text."""
    everywhere = patch.object(TriggerGroup, "may_begin", lambda *_: True)
    uncut = patch.object(spread, "AlreadyCut", lambda *_: NOTHING_CUT)
    follows = patch.object(spread, "nothing_follows", lambda *_: False)
    patched = patch.object(GivenText, "write", PlainText.write)
    looks = patch.object(leaks._Wanted, "_may_hold", lambda *_: True)
    with every_search(), everywhere, uncut, follows, patched, looks:
        yield


@pytest.mark.parametrize("sanitizer", [DENYING, BY_SHAPE], ids=["denying", "by shape"])
@given(text=TEXTS)
@settings(max_examples=30, deadline=None)
def test_nothing_is_lost_by_a_short_cut(sanitizer: Sanitizer, text: str) -> None:
    short = _told(sanitizer, text)
    with _the_long_way():
        assert _told(sanitizer, text) == short


@given(st.lists(st.sampled_from(WORDS), min_size=1, unique=True), st.booleans(), TEXTS)
@settings(max_examples=100, deadline=None)
def test_no_leak_is_lost_by_a_short_cut(words: list[str], glued: bool, text: str) -> None:
    removed = [Removed(word, "PERSON", glued=glued) for word in words]

    def found() -> object:
        return search(removed, [("body", text)], Document("d", "text", "Nothing was kept."))

    short = found()
    with patch.object(leaks._Wanted, "_may_hold", lambda *_: True):
        assert found() == short


@given(st.text(), st.lists(st.tuples(st.integers(0, 40), st.integers(1, 5), st.text(max_size=8)), max_size=4))
@settings(max_examples=100, deadline=None)
def test_a_given_text_is_written_as_any_text(text: str, drawn: list[tuple[int, int, str]]) -> None:
    text = text.encode("utf-8", "replace").decode("utf-8")
    edits: list[Edit] = []
    for start, length, words in sorted(drawn):
        free = edits[-1].end if edits else 0
        if free <= start and start + length <= len(text):
            words = words.encode("utf-8", "replace").decode("utf-8")
            edits.append(Edit(start, start + length, "PERSON", "", "", words))
    document = GIVEN_TEXT.read(text.encode("utf-8"), "text.txt")
    assert GIVEN_TEXT.write(document, edits) == PlainText.write(GIVEN_TEXT, document, edits)


@given(st.lists(st.text("ab", min_size=1, max_size=4), max_size=6, unique=True), st.text("abc", max_size=60))
@settings(max_examples=200, deadline=None)
def test_strings_are_counted_alike_one_by_one_and_together(strings: list[str], text: str) -> None:
    one_by_one = string_search.counts(strings, text)
    with patch.object(string_search, "_SHORT_SEARCH", -1):
        assert not strings or string_search.counts(strings, text) == one_by_one
    assert one_by_one == [sum(text.startswith(s, at) for at in range(len(text))) for s in strings]
