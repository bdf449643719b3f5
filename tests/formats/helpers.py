"""What the tests of the formats share: edits by term, random edits, and the slow definition of writing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from hypothesis import strategies as st

from efface.core import Document, Edit, apply_edits
from efface.formats import detect, get_format

NASTY = "a1 X\"'`<>&;#%+=-/\\\n\r\t,|[]{}é€\U0001f600"


def an_edit(start: int, end: int, replacement: str) -> Edit:
    return Edit(start, end, "TERM", "key", "test", replacement)


def edits_of(text: str, term: str, replacement: str) -> tuple[Edit, ...]:
    """Every occurrence of the term."""
    edits = []
    at = text.find(term)
    while at >= 0:
        edits.append(an_edit(at, at + len(term), replacement))
        at = text.find(term, at + len(term))
    return tuple(edits)


@st.composite
def edits_within(draw: st.DrawFn, start: int, end: int, alphabet: str = NASTY) -> tuple[Edit, ...]:
    """Sorted, disjoint, non-empty edits of a stretch."""
    cuts = draw(st.lists(st.integers(start, end), max_size=8, unique=True).map(sorted))
    pairs = [(low, high) for low, high in pairwise(cuts) if draw(st.booleans())]
    return tuple(an_edit(low, high, draw(st.text(alphabet, max_size=6))) for low, high in pairs)


def read(name: str, data: bytes) -> Document:
    return get_format(detect(name, data)).read(data, name)


def write(document: Document, edits: Sequence[Edit]) -> bytes:
    return get_format(document.format).write(document, edits)


def redact(name: str, data: bytes, term: str, replacement: str = "[X_1]") -> bytes:
    """The bytes with every occurrence of the term in the text replaced; reading them again must agree."""
    document = read(name, data)
    edits = edits_of(document.text, term, replacement)
    assert edits, "the term must be found for the test to mean anything"
    released = write(document, edits)
    assert read(name, released).text == apply_edits(document.text, edits)
    return released


@dataclass
class Place:
    """The slow definition: a stretch of text that may change (`free`), or structure that may not."""

    text: str
    free: bool = True


def carried_out(places: Sequence[Place], edits: Sequence[Edit]) -> list[str]:
    """What each place shows after the edits: a replacement goes where its edit first meets a free place."""
    out = ["" for _ in places]
    placed: set[int] = set()
    position = 0
    for index, place in enumerate(places):
        for char in place.text:
            hit = next((n for n, edit in enumerate(edits) if edit.start <= position < edit.end), None)
            if hit is None or not place.free:
                out[index] += char
            elif hit not in placed:
                placed.add(hit)
                out[index] += edits[hit].replacement or ""
            position += 1
    return out
