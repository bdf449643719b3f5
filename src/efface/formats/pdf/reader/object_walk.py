"""Visits every object that can be reached from the trailer, once, without recursion.

Objects are looked at as their serialised bytes first: that is one call into qpdf, and most objects hold
nothing of interest. Only the others are opened as Python values.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

import pikepdf

ObjGen = tuple[int, int]
Visit = Callable[[pikepdf.Object, str], None]
Step = str | int

_REFERENCE = re.compile(rb"(?:(/[^\s/<>\[\](){}%]+) )?(\d{1,10}) (\d{1,5}) R\b")
TRAILER_INFO = "trailer /Info"


def serialised(obj: pikepdf.Object) -> bytes:
    """The object itself, what it refers to left as references; of a stream its dictionary."""
    if isinstance(obj, pikepdf.Stream):
        return obj.stream_dict.unparse()
    return obj.unparse(resolved=True)


def walk(pdf: pikepdf.Pdf, visit: Visit) -> None:
    """Calls `visit(object, key)` for each; `key` is the dictionary key that led there first, or ''."""
    trailer = pdf.trailer
    queue: deque[tuple[ObjGen, str]] = deque()
    for key, name in (("/Root", ""), ("/Info", TRAILER_INFO)):
        target = trailer.get(key)
        if isinstance(target, pikepdf.Object) and target.is_indirect:
            queue.append((target.objgen, name))
    seen: set[ObjGen] = set()
    while queue:
        objgen, key = queue.popleft()
        if objgen in seen:
            continue
        seen.add(objgen)
        obj: Any = pdf.get_object(objgen)
        if not isinstance(obj, pikepdf.Object):  # a number, which qpdf hands over as such
            continue
        visit(obj, key)
        for match in _REFERENCE.finditer(serialised(obj)):
            target_id = (int(match[2]), int(match[3]))
            if target_id not in seen:
                queue.append((target_id, match[1].decode("latin-1") if match[1] else ""))


def containers(obj: pikepdf.Object, key: str) -> Iterator[tuple[pikepdf.Object, str]]:
    """The object and every dictionary or array that is written inside it, with the key that leads there.

    What a caller deletes from a dictionary before asking for the next is not visited.
    """
    stack: list[tuple[pikepdf.Object, str]] = [(obj, key)]
    while stack:
        container, led_by = stack.pop()
        yield container, led_by
        for step, child in members(container):
            if isinstance(child, (pikepdf.Dictionary, pikepdf.Array)) and not child.is_indirect:
                stack.append((child, step if isinstance(step, str) else led_by))


def copied(holder: pikepdf.Object) -> pikepdf.Dictionary:
    """A dictionary with the same entries, or an empty one where there is none to copy."""
    return pikepdf.Dictionary({str(key): value for key, value in members(holder)})


def name_of(value: pikepdf.Object) -> str:
    """A name or operator as text, whatever bytes it is made of."""
    try:
        return str(value)
    except UnicodeDecodeError:
        return value.unparse(resolved=True).decode("latin-1")


def members(container: pikepdf.Object) -> list[tuple[Step, Any]]:
    if isinstance(container, (pikepdf.Dictionary, pikepdf.Stream)):
        return [(key, value) for key, value in container.items() if value is not None]
    if isinstance(container, pikepdf.Array):
        return list(enumerate(container))
    return []
