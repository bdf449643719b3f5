"""What each reader says of the words of sentences that were not learned from; the blend and its thresholds, chosen on some of
them; and how the blend does on others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np
from training.languages.data import FOLDER, LATIN, labelled, rows_of
from training.names.data import Labelled

from efface.finders.names.chain import KINDS, load_chain
from efface.finders.names.languages import judged_types
from efface.finders.names.model import NamesModel, load_model

LOOKED_AT = 300  # sentences of each file that were looked at while settings were chosen
MOST = 100  # sentences of a file to choose by, or to report on
READERS = ("english", "chain", "languages")

Floats = np.ndarray
Table = dict[str, "Words"]  # by source


@dataclass(slots=True)
class Words:
    """The words of a source: their kind (one of `KINDS` from 1 on, 0 for none), and what each reader says of them."""

    truth: Floats
    said: dict[str, Floats]


def tuning(data: Path) -> Iterator[Labelled]:
    """Every second of the sentences that were looked at."""
    for path in sorted((data / FOLDER).glob("*.dev.jsonl.gz")):
        if path.name.split(".")[0] in LATIN:
            yield from (labelled([row], "tune") for row in rows_of(path)[0:LOOKED_AT:2][:MOST])


def reported(data: Path) -> Iterator[Labelled]:
    """Sentences after those that were looked at, and those that may only be measured with."""
    paths = [*(data / FOLDER).glob("*.dev.jsonl.gz"), *(data / FOLDER).glob("local-only/*")]
    for path in sorted(paths):
        if path.name.split(".")[0] in LATIN:
            yield from (labelled([row], "report") for row in rows_of(path)[LOOKED_AT:][:MOST])


def read(texts: Iterator[Labelled], package: Path, network: NamesModel) -> Table:
    """All words with what the three readers say."""
    english, chain = load_model(package), load_chain(package)
    found: dict[str, list[Words]] = {}
    for text in texts:
        words = english.vocabulary.words(text.text)
        if not len(words):
            continue
        places = list(zip(words.starts.tolist(), words.ends.tolist(), strict=True))
        each = [text.text[start:end] for start, end in places]
        labels = chain.probabilities(each, np.array([0]))
        said = {
            "english": judged_types(english.judge(words, {}, True)),
            "chain": labels[:, 1::2] + labels[:, 2::2],
            "languages": judged_types(network.judge(network.vocabulary.cut_again(words, each), {}, True)),
        }
        truth = np.array([_kind(text, start, end) for start, end in places])
        known = (truth >= 0) & np.array([any(map(str.isalnum, word)) for word in each])
        found.setdefault(text.source, []).append(
            Words(truth[known], {name: one[known] for name, one in said.items()})
        )
    return {source: _joined(some) for source, some in found.items()}


def _kind(text: Labelled, start: int, end: int) -> int:
    if any(low < end and high > start for low, high, _ in text.open):
        return -1
    return next((1 + KINDS.index(k) for low, high, k in text.spans if low < end and high > start), 0)


def _joined(some: list[Words]) -> Words:
    return Words(
        np.concatenate([one.truth for one in some]),
        {name: np.concatenate([one.said[name] for one in some]) for name in READERS},
    )


def blended(words: Words, weights: Mapping[str, float]) -> Floats:
    parts = [weight * words.said[name] for name, weight in weights.items()]
    return np.asarray(np.sum(parts, axis=0))


def figures(
    words: Words, weights: Mapping[str, float], limits: Mapping[str, float]
) -> dict[str, tuple[float, float]]:
    """Recall and precision of each kind and of all, as `benchmarks.languages` counts them."""
    chances = blended(words, weights)
    best = chances.argmax(1)
    enough = chances[np.arange(len(best)), best] >= np.array([limits[kind] for kind in KINDS])[best]
    marked = np.where(enough, best + 1, 0)
    found = {}
    for number, kind in enumerate(KINDS, 1):
        there, said = words.truth == number, marked == number
        found[kind] = (_share(there & (marked > 0), there), _share(there & said, said))
    there, said = words.truth > 0, marked > 0
    found["all"] = (_share(there & said, there), _share(there & said, said))
    return found


def _share(some: Floats, of: Floats) -> float:
    return float(some.sum() / of.sum()) if of.sum() else 1.0


def simplex(steps: int = 8) -> Iterator[dict[str, float]]:
    """Weights of the three readers that make one."""
    for first, second in product(range(steps + 1), repeat=2):
        if first + second <= steps:
            values = (first / steps, second / steps, (steps - first - second) / steps)
            yield dict(zip(READERS, values, strict=True))
