"""Long texts for models that read only so much at once: stretches that end with a line or a word."""

from __future__ import annotations

from collections.abc import Iterator


def pieces(text: str, size: int) -> Iterator[tuple[int, str]]:
    """(offset, stretch) of at most `size` characters, together the whole text."""
    low = 0
    while low < len(text):
        high = min(low + size, len(text))
        if high < len(text):
            cut = max(text.rfind("\n", low, high), text.rfind(". ", low, high))
            cut = cut if cut > low + size // 2 else text.rfind(" ", low, high)
            high = cut + 1 if cut > low else high
        yield low, text[low:high]
        low = high
