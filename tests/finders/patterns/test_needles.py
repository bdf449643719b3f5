"""The one pass over a text for all needles says what a search for each of them says."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from efface.finders.patterns.needles import NEEDLES, absent_triggers
from efface.finders.patterns.row import TRIGGERS

_EVERY = sorted({needle for trigger in TRIGGERS.values() for needle in trigger.needles})
# Needles that are cut, glued and laid over one another, in any script.
_PIECES = st.one_of(
    st.sampled_from(_EVERY),
    st.sampled_from(_EVERY).flatmap(lambda one: st.sampled_from([one[1:], one[:-1], one.upper()])),
    st.text(max_size=3),
    st.sampled_from(["\ud800", "é", "\U0001f600", " "]),
)


@given(st.lists(_PIECES, max_size=8).map("".join))
@example("github_pat_")
@example("\ud800sk-")
def test_an_absent_trigger_has_no_needle_in_the_text(text: str) -> None:
    present = {
        name for name, trigger in TRIGGERS.items() if any(needle in text for needle in trigger.needles)
    }
    assert present.isdisjoint(absent_triggers(text))


@given(st.lists(_PIECES, max_size=8).map("".join).filter(lambda text: text.isascii()))
def test_every_listed_trigger_without_a_needle_is_absent(text: str) -> None:
    missing = {name for name, needles in NEEDLES.items() if not any(needle in text for needle in needles)}
    assert missing == absent_triggers(text)


def test_most_triggers_with_needles_are_listed() -> None:
    listed = {name for name, trigger in TRIGGERS.items() if trigger.needles}
    assert listed - NEEDLES.keys() == {"at", "label", "reference"}
