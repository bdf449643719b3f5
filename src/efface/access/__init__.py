"""Database and viewer in, what that viewer may not learn out. Whatever goes wrong denies."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from efface.errors import PolicyError


@dataclass(frozen=True, slots=True)
class Denial:
    """What is denied of what was asked about, and why. The reason names rules, never rows or values.

    `values` are the columns that the viewer is shown otherwise, or not at all, of entities that are not denied.
    `columns` are those that the viewer may not select at the moment of this answer; only answers about entities have them.
    `note` tells a report what the reasons of single places do not: why rights could not be asked for.
    """

    denied: frozenset[str]
    reason: str
    values: Mapping[str, frozenset[str]] = field(default_factory=dict, repr=False)
    columns: frozenset[str] = frozenset()
    note: str = ""


class Access(Protocol):
    """What one viewer may not see, asked for at the moment of reading and never remembered."""

    def denied_entities(self, ids: Sequence[str]) -> Denial: ...

    def denied_columns(self, columns: Sequence[str]) -> Denial: ...

    @property
    def can_mask(self) -> bool:
        """Whether the viewer may be shown a row with other values in it."""
        ...


class NoAnswerError(Exception):
    """The viewer's rights could not be asked, for a reason that the message tells."""


def everything(asked: Collection[str], reason: str, note: str = "") -> Denial:
    """Denies all that was asked about: the answer when the viewer's rights are unknown."""
    return Denial(frozenset(asked), reason, note=note)


def closed(asked: Sequence[str], ask: Callable[[], Denial]) -> Denial:
    """The answer, or everything denied when the database gives none. Driver messages are not passed on."""
    if not asked:
        return Denial(frozenset(), "nothing was asked")
    try:
        return ask()
    except PolicyError:
        raise
    except NoAnswerError as error:
        reason = f"{error}, so everything is denied"
    except Exception as error:
        reason = f"the database gave no answer ({type(error).__name__}), so everything is denied"
    return everything(asked, reason, reason)
