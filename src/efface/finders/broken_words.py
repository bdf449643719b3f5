"""Words that are written in pieces: by signs that no page shows, at the end of a line, or letter by letter.

`dia-⏎betes`, `H.I.V.` and `d i a b e t e s` are one word each to a reader. A word letter by letter is looked for only among
given names, because initials of people are written so too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from efface.core import Span
from efface.knowledge.taxonomy.words import Lexicon

# Signs that no page shows, and accents that are signs of their own.
_UNSEEN = "\u00ad\u180e\u200b\u200c\u200d\u2060\ufeff\u0300-\u036f"
# A word is entered at its first letter and never given back, so that a long run of letters is read once.
_PIECES = re.compile(rf"(?<![^\W_])[^\W_]++(?:(?:[{_UNSEEN}]++|[-‐‑][^\S\n]*+\n[^\S\n]*+)[^\W_]++)++")
_LETTERS = re.compile(r"(?<![^\W_])[^\W\d_](?:([.\-‐‑·•_*/ ]) ?[^\W\d_])(?:\1 ?[^\W\d_])+(?![^\W_])")
_NO_LETTER = re.compile(r"[\W_]+")


def broken_words(text: str, names: Mapping[str, str], lexicon: Lexicon) -> Iterator[tuple[Span, str]]:
    """Each word in pieces with its key. `names` has keys by their letters, in small ones and without blanks."""
    end = 0
    found = [*_PIECES.finditer(text), *_LETTERS.finditer(text)]
    for match in sorted(found, key=lambda each: each.start()):
        key = _key(match, names, lexicon)
        if key and match.start() >= end:
            end = match.end()
            yield Span(match.start(), end), key


def _key(match: re.Match[str], names: Mapping[str, str], lexicon: Lexicon) -> str:
    joined = _NO_LETTER.sub("", match.group())
    key = lexicon.key(joined)
    by_name = names.get(joined.lower()) or names.get(key.lower())
    if by_name or match.re is _LETTERS:
        return by_name or ""
    seen = "\n" not in match.group() or key in lexicon.nouns or key.lower() in lexicon.nouns
    return key if seen else ""  # `long-⏎term` is two words
