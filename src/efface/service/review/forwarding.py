"""Wrappers of finders and guarantees that have the abilities of what they wrap.

Whether something has an ability is asked by `isinstance` with a protocol. Since Python 3.12 that looks at classes and never
calls `__getattr__`, so a wrapper has the attributes of what it wraps in a class of its own.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Self


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
