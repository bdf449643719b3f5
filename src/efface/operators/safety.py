"""What no replacement may do: contain what it replaces."""

from __future__ import annotations

from efface.text.folding import fold

SHORTEST = 3  # shorter originals occur in anything by chance


def holds(replacement: str, original: str) -> bool:
    """Whether the replacement contains the original, read without regard to case, accents and look-alikes."""
    term = folded(original).strip()
    return len(term) >= SHORTEST and term in folded(replacement)


def folded(text: str) -> str:
    """The folded text alone, without the map to the original."""
    # Most terms are plain; there folding only lowers the case, and this runs twice for every edit.
    plain = text.isascii() and text.isprintable() and "  " not in text
    return text.lower() if plain else fold(text).text
