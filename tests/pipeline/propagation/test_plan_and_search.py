"""The plan and the search of the release agree: what the plan leaves is another word, or it is listed as staying."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from efface.core import Mention, Report, Verdict
from efface.guarantees.absence import Absence
from efface.operators import Operators
from efface.pipeline.bound import BoundPolicy
from efface.pipeline.sanitize import sanitize

_FORMS: tuple[Callable[[str], str], ...] = (str, str.upper, str.lower, str.title)


@dataclass(frozen=True)
class _Once:
    """A finder that knows a person in one place alone: at the beginning of the text."""

    name: str

    def find(self, text: str) -> Iterator[Mention]:
        if text.startswith(self.name):
            yield Mention(0, len(self.name), "PERSON", self.name.lower(), 0.8, "a test")


def _report(name: str, rest: str) -> Report:
    finder = _Once(name)
    bound = BoundPolicy({"once": finder}, (Absence.of({"once": finder}, frozenset(), 0.0),), Operators())
    return sanitize(f"{name} paid.\n\n{rest}\n".encode(), "a.txt", bound)


_NAMES = st.sampled_from(
    ["Mark Group", "Al Group", "Paul Bird", "Jame Chase", "Mari Whitcombe", "An Do", "Li Rose"]
)
_ENDINGS = st.sampled_from(["", "s", "S", "a", "A", "es", "ing", "'s", "ed", "_x", "7", "XY", "man", "d"])
_FIRSTS = st.sampled_from(["", "", "x", "X", "the ", "_", "7", "un", "Mc"])


@st.composite
def _rests(draw: st.DrawFn, name: str) -> str:
    """Words around the parts of a name, in any case, with something glued to them."""
    words = []
    for _ in range(draw(st.integers(1, 5))):
        part = draw(st.sampled_from([*name.split(), "armed", "and", "GROUPS", "groups", "the", "."]))
        words.append(draw(_FIRSTS) + draw(st.sampled_from(_FORMS))(part) + draw(_ENDINGS))
    line = draw(st.sampled_from([" ", "\n\n", ", "])).join(words)
    return line.upper() if draw(st.booleans()) else line


@given(st.data())
@settings(max_examples=60, deadline=None, derandomize=True)
def test_no_release_is_refused_for_a_word_that_the_plan_leaves(data: st.DataObject) -> None:
    name = data.draw(_NAMES)
    report = _report(name, data.draw(_rests(name)))
    assert report.verdict is Verdict.HELD, [(leak.part, leak.encoding) for leak in report.leaks]


@pytest.mark.parametrize(
    ("name", "rest", "stays"),
    [
        ("Al Group", "ARMED GROUPS AND PARTIES\n\nMany groups left.", ["groups"]),
        ("Mark Group", "Groups of men sing. Many groups left.", ["groups"]),
        ("Paul Bird", "PAULA SANG. Paula left.", []),
    ],
)
def test_an_ordinary_plural_is_listed(name: str, rest: str, stays: list[str]) -> None:
    report = _report(name, rest)
    assert report.verdict is Verdict.HELD
    assert report.released is not None
    assert rest.encode() in report.released
    assert [exemption.word for exemption in report.coverage.exemptions] == stays
