"""Which triggers of the tables have no needle in a text: one pass of one automaton tells it of all of them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from efface.finders.patterns.row import TRIGGERS

if TYPE_CHECKING:
    from ahocorasick_rs import AhoCorasick

# A needle of one character stands in nearly every text, so nothing is proved by looking for it.
NEEDLES: Mapping[str, tuple[str, ...]] = {
    name: trigger.needles
    for name, trigger in TRIGGERS.items()
    if trigger.needles and min(map(len, trigger.needles)) > 1
}
_NAMES = frozenset(NEEDLES)


def absent_triggers(text: str) -> frozenset[str]:
    """The names of triggers without any needle in the text. It says nothing about triggers that are not in
    `NEEDLES`."""
    automaton, names = _automaton()
    try:
        found = automaton.find_matches_as_indexes(text, overlapping=True)
    except UnicodeEncodeError:  # half of a pair of surrogates: the automaton reads no such text
        return frozenset()
    return _NAMES.difference([names[which] for which, _, _ in found])


@lru_cache(maxsize=1)
def _automaton() -> tuple[AhoCorasick, list[str]]:
    """The automaton of all needles, and the trigger of each."""
    from ahocorasick_rs import AhoCorasick

    names: list[str] = []
    listed: list[str] = []
    for name, needles in NEEDLES.items():
        listed += needles
        names += [name] * len(needles)
    return AhoCorasick(listed), names
