"""Which words an article about a thing keeps using: what a reader who knows the article recognises in a text.

The packaged ones are of the articles whose titles are nouns of WordNet (`python -m training.semantic --only subjects`).
Of each word that an article uses at least twice they hold one number, its tf-idf; no text and no order.
"""

from __future__ import annotations

import lzma
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from efface.files.array_file import ArrayKind, Bytes, open_arrays, write_arrays

KIND = ArrayKind("subjects")
PACKAGED = Path(__file__).parent / "data" / "wikipedia.subjects"
TENTHS = 10.0  # a weight is stored in tenths of a bit, in one byte

Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class SubjectArticles:
    """For each title, in normal form, the words that its article repeats, with their weights in bits."""

    places: Mapping[str, int] = field(repr=False)
    words: Sequence[str] = field(repr=False)
    ends: Numbers = field(repr=False)  # where the words of each article end
    numbers: Numbers = field(repr=False)  # of the words, article after article
    tenths: Bytes = field(repr=False)

    def knows(self, title: str) -> bool:
        return title in self.places

    def typical_words(self, title: str) -> dict[str, float]:
        """The weight in bits of each word for the subject of an article. Empty if there is no article."""
        place = self.places.get(title)
        if place is None:
            return {}
        rows = slice(int(self.ends[place - 1]) if place else 0, int(self.ends[place]))
        words = (self.words[number] for number in self.numbers[rows].tolist())
        return dict(zip(words, (self.tenths[rows] / TENTHS).tolist(), strict=True))


def subject_articles(rows: Mapping[str, Mapping[str, float]]) -> SubjectArticles:
    """From titles and the bits of their words. Bits are rounded as in a file."""
    words = sorted(set().union(*rows.values()))
    places = {word: place for place, word in enumerate(words)}
    titles = {title: at for at, title in enumerate(sorted(rows))}
    numbers: list[int] = []
    bits: list[float] = []
    ends: list[int] = []
    for title in titles:
        row = sorted((places[word], amount) for word, amount in rows[title].items())
        numbers += [number for number, _ in row]
        bits += [amount for _, amount in row]
        ends.append(len(numbers))
    tenths = np.clip(np.rint(np.array(bits, float) * TENTHS), 0, 255).astype(np.uint8)
    return SubjectArticles(titles, words, np.array(ends, np.int64), np.array(numbers, np.int64), tenths)


def write_subject_articles(path: Path, articles: SubjectArticles, attribution: str) -> None:
    """Numbers of words are written as steps, which are small and pack well."""
    steps = np.diff(articles.numbers, prepend=0)
    starts = np.concatenate([[0], articles.ends[:-1]])
    starts = starts[starts < articles.ends]
    steps[starts] = articles.numbers[starts]
    sections = {
        "titles": lzma.compress("\n".join(articles.places).encode()),
        "words": lzma.compress("\n".join(articles.words).encode()),
        "ends": lzma.compress(articles.ends.astype("<u4").tobytes()),
        "steps": lzma.compress(steps.astype("<u4").tobytes()),
        "tenths": lzma.compress(articles.tenths.tobytes()),
    }
    write_arrays(
        path, KIND, {"articles": len(articles.places), "attribution": attribution}, sections, force=True
    )


def open_subject_articles(path: Path) -> SubjectArticles:
    """Open a file and check its seal."""
    sections = {
        name: lzma.decompress(data.tobytes()) for name, data in open_arrays(path, KIND).arrays.items()
    }
    ends = np.frombuffer(sections["ends"], "<u4").astype(np.int64)
    sums = np.cumsum(np.frombuffer(sections["steps"], "<u4").astype(np.int64))
    lengths = np.diff(ends, prepend=0)
    before = np.concatenate([[0], sums])[ends - lengths]  # the sum up to where an article begins
    titles, words = (sections[name].decode().split("\n") for name in ("titles", "words"))
    return SubjectArticles(
        {title: place for place, title in enumerate(titles)},
        words,
        ends,
        sums - np.repeat(before, lengths),
        np.frombuffer(sections["tenths"], np.uint8),
    )


@lru_cache(maxsize=1)
def packaged_subjects() -> SubjectArticles:
    """What the package carries, of articles of the English Wikipedia."""
    return open_subject_articles(PACKAGED)
