"""Which English nouns are counted: `an injury`, but `meat`, learned from articles (`python -m training.semantic`)."""

from __future__ import annotations

import lzma
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from efface.files.array_file import ArrayKind, Bytes, open_arrays, write_arrays

KIND = ArrayKind("countability")
COUNTABILITY_FILE = Path(__file__).parent / "data" / "english.countability"
# Endings of nouns that are not counted, for words that the articles hardly hold.
_MASS_LABELS = frozenset("mucus phlegm saliva urine".split())  # the articles hardly say
_COUNTED_LABELS = frozenset(("medicine", "war", "government", "sea"))  # one of several, not the science
_MASS_ENDINGS = ("ness", "ism", "ology", "ware", "hood")


@dataclass(frozen=True, slots=True)
class Countability:
    """Nouns in the singular that are not counted, that are, and that may be both."""

    mass: frozenset[str] = field(repr=False)
    counted: frozenset[str] = field(repr=False)
    both: frozenset[str] = field(repr=False)

    def is_mass(self, noun: str) -> bool:
        """Whether a noun takes neither `a` nor a plural. The ending decides for an unknown noun."""
        word = noun.lower()
        if word in _COUNTED_LABELS:
            return False
        known = word in self.counted or word in self.both
        return word in self.mass or word in _MASS_LABELS or (not known and word.endswith(_MASS_ENDINGS))

    def is_counted(self, noun: str) -> bool:
        """Whether a noun is surely counted, so that it stands without an article in set phrases only (`in bed`)."""
        return noun.lower() in self.counted


def write_countability(path: Path, lists: Mapping[str, Sequence[str]]) -> None:
    sections = {name: lzma.compress("\n".join(nouns).encode()) for name, nouns in lists.items()}
    write_arrays(path, KIND, {name: len(nouns) for name, nouns in lists.items()}, sections, force=True)


@lru_cache(maxsize=1)
def countability() -> Countability:
    """The packaged lists."""
    sections = open_arrays(COUNTABILITY_FILE, KIND).arrays
    return Countability(*(_nouns(sections[name]) for name in ("mass", "counted", "both")))


def _nouns(data: Bytes) -> frozenset[str]:
    return frozenset(lzma.decompress(data.tobytes()).decode().split("\n"))
