"""Case endings of names: "Onnin" and "Onnille" are forms of Onni, "Virtasen" of Virtanen, in Finnish."""

from __future__ import annotations

import re
from collections.abc import Iterator

HAS_CASE_ENDINGS = frozenset({"fi"})
_SHORTEST = 3  # letters of a stem
# Folded endings of nouns, the longest first, so that "lla" is not taken for "a".
_ENDINGS = (
    *(
        "issa",
        "ista",
        "illa",
        "ille",
        "ilta",
        "iksi",
        "iden",
        "ien",
        "ten",
        "ssa",
        "sta",
        "lla",
        "lle",
        "lta",
        "ksi",
    ),
    *(
        "han",
        "hen",
        "hin",
        "hon",
        "hun",
        "een",
        "aan",
        "iin",
        "oon",
        "uun",
        "en",
        "an",
        "on",
        "in",
        "ta",
        "na",
        "ja",
    ),
    *("n", "a", "t"),
)
_DOUBLED = re.compile("(kk|pp|tt)(?=[aeiouy]$)")


def finnish_stems(word: str) -> Iterator[str]:
    """What may stay of a folded name in all its cases: the name itself, and it without what may be an ending.

    A name in "nen" has "se" in the other cases, and a double consonant may be a single one: "Matin" is of Matti.
    """
    for bare in (word, *(word.removesuffix(ending) for ending in _ENDINGS if word.endswith(ending))):
        if len(bare) < _SHORTEST:
            continue
        if bare.endswith("nen"):
            yield f"{bare.removesuffix('nen')}s"
        elif bare.endswith("se"):
            yield bare.removesuffix("e")
        yield _DOUBLED.sub(lambda double: double[1][0], bare)
