"""Words in the cases of Polish, Czech, Slovak and Finnish: Kowalskiego of Kowalski, Novákovi of Novák, Virtasella of Virtanen.

Their endings are endings of English words and names too (Roberta is no case of Robert there), so they are taken off only in
text of the language. All of it is folded: ą is a, č is c.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType

_LEAST_STEM = 3  # letters that are left of a word without its ending

# Endings, and those that the same word has in the nominative; `-` for none.
_POLISH = {
    "iego": "i", "ego": "y", "iemu": "i", "emu": "y", "im": "i", "ym": "y", "ich": "i", "imi": "i", "iej": "a", "ej": "a",
    "owi": "- o", "iem": "-", "em": "- o", "a": "- o", "u": "- o", "ie": "- a o", "y": "a", "e": "a -", "i": "a -", "ii": "ia",
    "o": "a", "ce": "ka", "dze": "ga", "rze": "r ra", "ze": "-", "ka": "ek", "kowi": "ek", "kiem": "ek", "ku": "ek", "la": "el",
    "lowi": "el", "lem": "el", "cie": "t ta", "dzie": "d da", "le": "l la",
}  # fmt: skip
_CZECH = {
    "eho": "y", "emu": "y", "ym": "y", "ych": "y", "ymi": "y", "ove": "ova", "ovou": "ova", "ovi": "- a", "em": "- o",
    "a": "- o", "u": "- a o", "ou": "a", "y": "a -", "e": "- a o", "ii": "ie ia", "i": "e -", "ka": "ek", "kovi": "ek", "kem": "ek",
    "ku": "ek", "la": "el", "lovi": "el", "lem": "el", "ze": "ha", "ce": "ka", "re": "ra",
}  # fmt: skip
_FINNISH_CASES = ("n", "ssa", "sta", "lla", "lta", "lle", "na", "ksi")
_FINNISH = {f"se{case}": "nen" for case in _FINNISH_CASES}
_FINNISH |= {f"{vowel}{case}": "-" for case in _FINNISH_CASES for vowel in ("", "i", "e")}
_FINNISH |= {
    "sta": "nen -",
    "seen": "nen",
    "een": "e",
    "aan": "a",
    "oon": "o",
    "iin": "i",
    "aa": "a",
    "ia": "-",
    "oa": "o",
    "eta": "e",
}
# Consonants in the middle of a Finnish word, and what they are in the nominative: Helsingissä, Matille.
_GRADES = {
    "ng": "nk",
    "nn": "nt",
    "mm": "mp",
    "ll": "lt",
    "rr": "rt",
    "k": "kk",
    "p": "pp",
    "t": "tt",
    "d": "t",
    "v": "p",
}
_ENDINGS = MappingProxyType({"pl": _POLISH, "cs": _CZECH, "sk": _CZECH, "fi": _FINNISH})

LANGUAGES = frozenset(_ENDINGS)
# Before a family name, in the cases that they have.
TITLES = frozenset(
    "doktor profesor herra rouva pana panu panem panovi pania paniej panny doktora doktorowi doktorem doktorovi profesora profesorowi profesorem "
    "profesorovi herran herralle rouvan rouvalle tohtori tohtorin tohtorille".split()
)
SMALL_TITLES = frozenset({"pan", "pani"})  # with a capital they are names as well


def case_of(word: str, language: str) -> Iterator[str]:
    """The words that a folded word may be a case of."""
    for ending, others in _ENDINGS[language].items():
        stem = word.removesuffix(ending)
        if stem == word or len(stem) < _LEAST_STEM:
            continue
        for other in others.split():
            whole = stem + other.strip("-")
            yield whole
            if language == "fi":
                yield from _strong_grade(whole)


def _strong_grade(word: str) -> Iterator[str]:
    """The word with other consonants before its last vowel."""
    for weak, strong in _GRADES.items():
        if word[:-1].endswith(weak):
            yield word[: -1 - len(weak)] + strong + word[-1]
