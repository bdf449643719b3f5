"""Entities drawn from a folder with one text each: an encyclopedia, a directory, a compendium.

The context of an entity is what its text says: its content words, and the phrases it uses more than once.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import compress
from pathlib import Path

from efface.errors import InputError
from efface.files.local import read_input
from efface.knowledge.entities.sources import Entity
from efface.text.folding import fold, words

MAX_PHRASE = 4  # words of a phrase that is a term
SUFFIXES = (".txt", ".md")

# Words that say nothing about anybody; in folded form.
STOP_WORDS = frozenset(
    """
    a about above across after again against all almost alone along already also although always am among an
    and another any anyone anything are around as at away back be became because become been before behind
    being below between both but by came can cannot could did do does doing done down during each either else
    enough etc even ever every everyone everything far few find first for from further gave get give given
    goes going gone got had has have having he hence her here hers herself him himself his how however i if in
    indeed instead into is it its itself just keep kept know known last later least less let like likely made
    mainly make many may maybe me mean might mine more most mostly much must my myself near need neither never
    next no nobody none nor not nothing now nowhere of off often on once one only onto or other others
    otherwise our ours ourselves out over own part per perhaps please quite rather really said same saw say
    says see seem seemed seems seen several shall she should show shown side since so some someone something
    sometimes somewhere soon still such take taken than that the their theirs them themselves then there
    thereby therefore these they thing things this those though three through throughout thus to together too
    took toward towards two under unless until up upon us use used uses using usually various very via want
    was way we well went were what whatever when where whereas whether which while who whole whom whose why
    will with within without would yes yet you your yours yourself
    """.split()
)


@dataclass(frozen=True, slots=True)
class FolderSource:
    """Every text file below a folder; its path without the suffix is the entity's id."""

    folder: Path

    def __iter__(self) -> Iterator[Entity]:
        for path in self._files():
            name = path.relative_to(self.folder).with_suffix("").as_posix()
            yield Entity(name, tuple(context(_text(path))))

    def fingerprint(self) -> str:
        mark = hashlib.blake2b(digest_size=16)
        for path in self._files():
            mark.update(hashlib.blake2b(path.relative_to(self.folder).as_posix().encode()).digest())
            mark.update(hashlib.blake2b(read_input(path)).digest())
        return mark.hexdigest()

    def _files(self) -> list[Path]:
        if not self.folder.is_dir():
            raise InputError(f"{self.folder.name} is not a folder.", "Give a folder with one text an entity.")
        return sorted(
            path for path in self.folder.rglob("*") if path.suffix.lower() in SUFFIXES and path.is_file()
        )


def _text(path: Path) -> str:
    try:
        return read_input(path).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"{path.name} is not UTF-8 text.", "Save it as UTF-8.") from None


def context(text: str) -> Iterator[tuple[str, str]]:
    """The content words of a text, and phrases of content words at both ends that occur at least twice."""
    folded = fold(text).text
    spans = words(folded)
    content = [_says_something(folded[start:end]) for start, end in spans]
    for word in sorted({folded[start:end] for start, end in compress(spans, content)}):
        yield "word", word
    counts = Counter(_phrases(folded, spans, content))
    for phrase, count in sorted(counts.items()):
        if count > 1:
            yield "phrase", phrase


def _phrases(folded: str, spans: Sequence[tuple[int, int]], content: Sequence[bool]) -> Iterator[str]:
    """Runs of two words or more, with nothing but spaces and hyphens between them."""
    for first in range(len(spans)):
        if not content[first]:
            continue
        for last in range(first + 1, min(first + MAX_PHRASE, len(spans))):
            if folded[spans[last - 1][1] : spans[last][0]] not in (" ", "-", ""):
                break
            if content[last]:
                yield folded[spans[first][0] : spans[last][1]]


def _says_something(word: str) -> bool:
    return word not in STOP_WORDS and (len(word) > 2 or not word.isascii())
