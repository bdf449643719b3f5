"""The words of a person in a page's style sheets: comments and shown text. Everything else is for the browser."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from efface.core import Part, PartKind

_STYLES = frozenset(["style", "attribute style", "attribute face"])
# A comment that does not end goes on to the end, as browsers read it. What a property of the author's own (`--x`) holds may be shown.
_SAID = re.compile(
    r"/\*.*?(?:\*/|\Z)|(?:\b(?:content|quotes)|--[\w-]{1,60})\s{0,20}:(?:[^;}\"'\n]++|\"[^\"\n]*+\"|'[^'\n]*+')*+",
    re.DOTALL | re.IGNORECASE,
)


def with_kinds(text: str, parts: Iterable[Part]) -> Iterator[Part]:
    """The parts, with style sheets marked as code. The words in them that a person wrote stay prose."""
    for part in parts:
        if part.name in _STYLES:
            yield from _split(text, part)
        else:
            yield part


def _split(text: str, part: Part) -> Iterator[Part]:
    position = part.start
    for said in _SAID.finditer(text, part.start, part.end):
        yield from _code(part, position, said.start())
        yield replace(part, start=said.start(), end=said.end())
        position = said.end()
    yield from _code(part, position, part.end)


def _code(part: Part, start: int, end: int) -> Iterator[Part]:
    if start < end:
        yield replace(part, start=start, end=end, kind=PartKind.CODE)
