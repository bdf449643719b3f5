"""Case endings of names: "Onnin" and "Onnille" are forms of Onni, "Virtasen" of Virtanen, in Finnish."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

HAS_CASE_ENDINGS = frozenset({"fi"})
_SHORTEST = 3  # letters of a stem
# Folded endings of nouns. A word may end in several: "Onnilla" in "illa", in "lla" and in "a".
_ENDINGS = tuple(
    "issa ista illa ille ilta iksi iden ien ten ssa sta lla lle lta ksi "
    "han hen hin hon hun een aan iin oon uun en an on in ta na ja n a t".split()
)
_DOUBLED = re.compile("(kk|pp|tt)(?=[aeiouy]$)")
_SURNAME, _ORDINARY = "N", "O"  # lists of a chain: surnames, and words that are no names
# Forms of a surname in "nen": "Korhosen" and "Korhosella" are of Korhonen.
_NEN = re.compile(
    r"(?P<stem>\w{3,20})s(?:en|ell[aä]|elle|elt[aä]|est[aä]|ess[aä]|een|en[aä]|eksi|et|ten|t[aä]|ill[aä]|ille|ilt[aä])"
)


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


def listed_in_a_case(texts: Sequence[str], lists: Callable[[str], str]) -> Iterator[int]:
    """The words with a capital that are listed surnames in "nen" in another case, and no ordinary words: "Korhosten".

    Given names in a case ("Matin") stand among the ordinary words of the lists, so that these do not tell them.
    """
    for at, text in enumerate(texts):
        name = _NEN.fullmatch(text.lower()) if text.istitle() else None
        if name is not None:
            known = lists(f"{name['stem']}nen")
            if _SURNAME in known and _ORDINARY not in known:
                yield at
