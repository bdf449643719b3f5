"""What wraps a finder or a guarantee has its abilities, as every version of Python asks for them."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from efface.core import Document, Gap, GapKind, Mention, TellsGaps, traits_of
from efface.guarantees.reviewer_decisions import WithoutKeptEdits
from efface.service.review.wrappers import Remembering, WithoutKeptPlaces


@dataclass(frozen=True, slots=True)
class _Halting:
    types: tuple[str, ...] = ("TICKET",)

    def find(self, text: str) -> Iterable[Mention]:
        return ()

    def gaps(self, document: Document) -> Iterator[Gap]:
        yield Gap(GapKind.LANGUAGE, "names", "not read", "read it")


class _Plain:
    types = ("TICKET",)

    def find(self, text: str) -> Iterable[Mention]:
        return ()


@pytest.mark.parametrize(
    "wrapped",
    [
        Remembering(_Halting()),
        WithoutKeptPlaces(_Halting(), _Plain()),
        Remembering(WithoutKeptPlaces(_Halting(), _Plain())),
    ],
)
def test_a_wrapper_has_the_abilities_of_its_finder(wrapped: Any) -> None:
    inspect.getattr_static(wrapped, "gaps")  # as Python 3.12 asks
    assert wrapped.types == ("TICKET",)
    assert isinstance(wrapped, TellsGaps)
    assert len(list(wrapped.gaps(Document("a", "text", "")))) == 1


@pytest.mark.parametrize("wrapped", [Remembering(_Plain()), WithoutKeptPlaces(_Plain(), _Plain())])
def test_a_wrapper_has_no_ability_that_its_finder_lacks(wrapped: Any) -> None:
    assert not isinstance(wrapped, TellsGaps)
    with pytest.raises(AttributeError):
        inspect.getattr_static(wrapped, "gaps")
    assert traits_of(wrapped) == traits_of(_Plain())


class _Ranking:
    claim = None

    def with_key(self, key: bytes) -> _Ranking:
        return self

    def ranking(self, text: str) -> str:
        return text


def test_another_guarantee_that_a_wrapped_one_makes_is_wrapped_too() -> None:
    wrapped: Any = WithoutKeptEdits(_Ranking(), _Plain())  # type: ignore[arg-type]
    inspect.getattr_static(wrapped, "ranking")
    assert wrapped.ranking("a") == "a"
    assert isinstance(wrapped.with_key(b"k"), WithoutKeptEdits)
