"""Planning against all readers, and an index of people, as ratios within one run.

    python -m benchmarks.people [--people 500000] [--words 40] [--documents 15]

Planning: a generated document of 1,000 words against 450 classes, all readers, over one naive Bayes classification of it.
People: an index of generated backgrounds, built in half and whole (linear means twice the time), opened, and documents
planned at k = 10, beside an index of 10,000 people.
"""

from __future__ import annotations

import argparse
import contextlib
import resource
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import median
from typing import TypeVar

import numpy as np

from efface.core import Document, Reading
from efface.errors import Infeasible
from efface.guarantees.confusability.guarantee import Confusability
from efface.guarantees.confusability.people import PeopleConfusability
from efface.guarantees.secret_rank import SecretRank
from efface.knowledge.classes import ClassModel, LabelledDocument, train
from efface.knowledge.people.build import build_people
from efface.knowledge.people.index import PeopleIndex

KEY = SecretRank(b"benchmark of people")
_VOCABULARY = 200_000

T = TypeVar("T")


def backgrounds(count: int, words: int, seed: int = 5) -> Iterator[LabelledDocument]:
    """Words as frequent as Zipf's law has them, some thousand people at a time."""
    chance = np.random.default_rng(seed)
    for first in range(0, count, 1000):
        drawn = (chance.zipf(1.25, (min(1000, count - first), words)) - 1) % _VOCABULARY
        for place, row in enumerate(drawn.tolist()):
            yield LabelledDocument(" ".join(f"w{word}" for word in row), f"Person N{first + place}")


def timed(work: Callable[[], T]) -> tuple[float, T]:
    """Seconds of this process: the machine may be busy with others."""
    start = time.process_time()
    found = work()
    return time.process_time() - start, found


def planned(promise: Confusability | PeopleConfusability, text: str) -> None:
    """Assess and plan. A document that is refused has taken its time too."""
    reading = Reading(Document("", "text", text), ())
    with contextlib.suppress(Infeasible):
        promise.plan(reading, promise.assess(reading))


def planning(classes: int = 450, words: int = 1000) -> None:
    known = list(backgrounds(classes * 3, 150))
    documents = [LabelledDocument(d.text, f"C{n % classes}") for n, d in enumerate(known)]
    model = train(documents)
    for method in ("simple", "lp"):
        ratios = [_ratio(model, documents[seed], words, seed, method) for seed in range(5)]
        shown = ", ".join(f"{ratio:.0f}" for ratio in sorted(ratios))
        print(
            f"planning by {method} over one classification, {classes} classes, {words} words, all readers: {shown} (asked: 40)"
        )


def _ratio(model: ClassModel, document: LabelledDocument, words: int, seed: int, method: str) -> float:
    """The middle of five plans over the middle of nine classifications: the clock of a busy machine jumps."""
    more = next(backgrounds(1, words - len(document.text.split()), seed=100 + seed)).text
    text = f"{document.text} {more}"
    classify = median(timed(partial(model.scores, text))[0] for _ in range(9))
    seconds = []
    for _ in range(5):
        promise = Confusability(model, 3, secret=KEY, method=method).bind(text, document.sensitive)
        seconds.append(timed(partial(planned, promise, text))[0])
    return median(seconds) / classify


def document_seconds(index: PeopleIndex, words: int, documents: int) -> float:
    found = []
    template = PeopleConfusability(
        index, Confusability(index.model(""), 10, secret=KEY, method="simple", objective="count")
    )
    for number, person in zip(range(documents), backgrounds(documents, words), strict=False):
        text = f"{person.text} and some words more, w5 w77 w1234 {number}"
        promise = template.bind(text, person.sensitive)
        found.append(timed(partial(planned, promise, text))[0])
    return median(found)


def people(count: int, words: int, documents: int, folder: Path) -> None:
    small, half, whole = folder / "small", folder / "half", folder / "whole"
    build_people(backgrounds(10_000, words), small)
    first, _ = timed(lambda: build_people(backgrounds(count // 2, words), half))
    second, _ = timed(lambda: build_people(backgrounds(count, words), whole))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(
        f"building {count:,} people over half of them: {second / first:.2f} ({second:.0f} s, peak {peak:.2f} GB)"
    )
    opened, index = timed(lambda: PeopleIndex.open(whole))
    print(f"opening: {opened:.2f} s (asked: 0.2)")
    few = document_seconds(PeopleIndex.open(small), words, documents)
    many = document_seconds(index, words, documents)
    print(f"a document: {many:.3f} s (asked: 0.5), {many / few:.1f} times that at 10,000 people (asked: 8)")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=500_000)
    parser.add_argument("--words", type=int, default=40)
    parser.add_argument("--documents", type=int, default=15)
    options = parser.parse_args()
    planning()
    with tempfile.TemporaryDirectory() as folder:
        people(options.people, options.words, options.documents, Path(folder))


if __name__ == "__main__":
    main()
