"""What an object holds, to see that a guarantee keeps nothing of a document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set


def strings(value: object, seen: dict[int, object]) -> Iterator[str]:
    """Every string that a value holds, however deep. `seen` holds on to all values: a number may be given twice else."""
    if id(value) in seen:
        return
    seen[id(value)] = value
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for pair in value.items():
            yield from strings(pair, seen)
    elif isinstance(value, Sequence | Set) and not isinstance(value, bytes):
        for each in value:
            yield from strings(each, seen)
    else:
        slots = [name for kind in type(value).__mro__ for name in getattr(kind, "__slots__", ())]
        held = [getattr(value, name, None) for name in slots]
        yield from strings([*held, *getattr(value, "__dict__", {}).values()], seen)
