"""Wrappers of finders, guarantees and formats: they have the abilities of what they wrap, or remember what it read.

Whether something has an ability is asked by `isinstance` with a protocol. Since Python 3.12 that looks at classes and never
calls `__getattr__`, so a wrapper has the attributes of what it wraps in a class of its own.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Self, TypeVar

from efface.core import Document, Edit, Finder, Format, Mention

_TEXTS = 10  # that a finder remembers: the original, and what the rounds of the last decisions made of it
_READS = 3  # files that are remembered: the original, and what the last decisions made of it

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Forwarding:
    """Base of a wrapper. The first argument of a subclass is what it wraps."""

    def __new__(cls, wrapped: object, *_: object) -> Self:
        own = {*dir(cls), *getattr(cls, "__dataclass_fields__", ())}
        abilities = frozenset(name for name in dir(wrapped) if not name.startswith("_")) - own
        wrapper: Any = cls
        made: Self = object.__new__(_with_abilities(wrapper, abilities))
        return made

    def forwarded(self, name: str) -> Any:
        """The ability of what is wrapped."""
        raise NotImplementedError


@lru_cache(maxsize=256)
def _with_abilities(wrapper: type[Any], abilities: frozenset[str]) -> type[Any]:
    return type(wrapper.__name__, (wrapper,), {name: _forward(name) for name in sorted(abilities)})


def _forward(name: str) -> property:
    return property(lambda wrapper: wrapper.forwarded(name))


def remembered(
    known: OrderedDict[Key, Value], key: Key, most: int, make: Callable[[], Value], first_stays: bool = False
) -> Value:
    """What is known under the key, or made now. Of more than `most` the one that was asked for longest ago is forgotten;
    with `first_stays` never the first one."""
    if key in known:
        if not first_stays or key != next(iter(known)):
            known.move_to_end(key)
        return known[key]
    value = known[key] = make()
    while len(known) > most:
        forgotten = list(known)[1 if first_stays else 0]
        del known[forgotten]
    return value


@dataclass(frozen=True)
class Remembering(Forwarding):
    """A finder that does not read the same text twice: decisions change little of a document.

    It is made for one document. So is what it wraps, which may remember parts of a text from one decision to the next.
    """

    finder: Finder
    _known: OrderedDict[str, tuple[Mention, ...]] = field(default_factory=OrderedDict, repr=False)

    def find(self, text: str) -> Iterable[Mention]:
        return remembered(self._known, text, _TEXTS, lambda: tuple(self.finder.find(text)), first_stays=True)

    def for_one_document(self) -> Self:
        """Itself. A copy that the pipeline makes for each run would begin with nothing."""
        return self

    def forwarded(self, name: str) -> Any:
        return getattr(self.finder, name)


@dataclass(frozen=True)
class RememberingFormat:
    """A format that does not read the same bytes twice: every decision begins with the original, and its release is
    looked at by the pipeline, by the policy and by the page."""

    format: Format
    _known: OrderedDict[tuple[bytes, str], Document] = field(default_factory=OrderedDict, repr=False)

    def read(self, data: bytes, name: str) -> Document:
        return remembered(
            self._known, (data, name), _READS, lambda: self.format.read(data, name), first_stays=True
        )

    def write(self, document: Document, edits: Sequence[Edit]) -> bytes:
        return self.format.write(document, edits)
