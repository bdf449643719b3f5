"""A redaction is the same, byte for byte, when no search is left out and nothing counts as cut already."""

from __future__ import annotations

from unittest.mock import patch

from hypothesis import given, settings

from efface import Redaction, Sanitizer
from efface.finders.patterns import finder as patterns
from efface.pipeline.propagation import spread
from efface.pipeline.propagation.hidden_places import NOTHING_CUT
from tests.text.hiding import TEXTS, WORDS, every_search

SANITIZER = Sanitizer({"find": {"names": "none", "patterns": "default", "deny": [*WORDS, "Project Falcon"]}})


def _told(text: str) -> tuple[str, tuple[object, ...], str]:
    made: Redaction = next(iter(SANITIZER.redact_many([text])))
    return made.text if made.verdict == "held" else "", tuple(made.edits), made.verdict


@given(TEXTS)
@settings(max_examples=40, deadline=None)
def test_nothing_is_lost_by_a_short_cut(text: str) -> None:
    short = _told(text)
    everywhere = patch.object(patterns._TriggerGroup, "may_begin", lambda *_: True)
    uncut = patch.object(spread, "AlreadyCut", lambda *_: NOTHING_CUT)
    with every_search(), everywhere, uncut:
        assert _told(text) == short
