"""Inference blocking: ratios measured side by side in one run.

    python -m benchmarks.classes [--posts N]

  train    20 Newsgroups learned by efface over the same by scikit-learn (CountVectorizer, MultinomialNB)
  lp       a 1,000-word document against 450 classes: planning over classifying it
  batch    20 Newsgroups, k = 3, `simple`: bound, assessed, planned, applied and assessed again, on two cores
  slider   a 20-page document (10,000 words) against 450 classes: once, then a step

Times are processor time of this process, best of three with the two sides taking turns; `batch` is wall
time. Training and batch need ../shared/data; the rest is synthetic.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from efface.core import Document, Edit, Finding, Reading, apply_edits
from efface.errors import Infeasible
from efface.guarantees.confusability.guarantee import Confusability
from efface.knowledge.classes import ClassModel, LabelledDocument, RecordFields, read_corpus, train

POSTS = Path(__file__).resolve().parents[2] / "shared" / "data" / "classes" / "newsgroups20.jsonl.gz"
WORDS, CLASSES = 12_000, 450


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.classes")
    parser.add_argument("--posts", type=int, default=18_846, help="posts in the batch (default: all)")
    options = parser.parse_args()
    model = synthetic_model()
    planning(model)
    slider(model)
    if not POSTS.is_file():
        print("train, batch: left out, the 20 Newsgroups are not at ../shared/data/classes")
        return
    documents = list(read_corpus(POSTS, RecordFields("label")))
    training(documents)
    batch(train(documents), documents[: options.posts])


def processor_time(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def training(documents: Sequence[LabelledDocument]) -> None:
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.naive_bayes import MultinomialNB

    texts, labels = [d.text for d in documents], [d.sensitive for d in documents]

    def peer() -> None:
        counts = CountVectorizer(stop_words="english", min_df=2).fit_transform(texts)
        MultinomialNB().fit(counts, labels)

    ours, theirs = _turns(lambda: train(documents), peer)
    print(f"train: {ours:.2f} s, scikit-learn {theirs:.2f} s: {ours / theirs:.2f}x (at most 2x)")


def planning(model: ClassModel) -> None:
    texts = [synthetic_text(label, 1_000, seed=label) for label in range(0, CLASSES, 30)]
    for k in (2, 3, 5):
        cases = []
        for text in texts:
            bound = Confusability(model, k).bind(text)
            reading = Reading(Document("d", "text", text), ())
            cases.append((bound, reading, bound.assess(reading)))
        lp, classify = _turns(partial(_plan_all, cases), lambda: [model.scores(text) for text in texts])
        print(f"lp, k = {k}: {1e3 * lp / len(texts):.1f} ms, {lp / classify:.1f}x classifying (under 25x)")


def _plan_all(cases: Sequence[tuple[Confusability, Reading, tuple[Finding, ...]]]) -> None:
    for bound, reading, findings in cases:
        bound.plan(reading, findings)


def slider(model: ClassModel) -> None:
    text = synthetic_text(7, 10_000, seed=7)
    bound = Confusability(model, 2).bind(text)
    reading = Reading(Document("d", "text", text), ())
    once = processor_time(lambda: bound.sensitivity(reading, 10))
    curve = bound.sensitivity(reading, 10)
    steps = [processor_time(partial(curve.at, 5, step)) for step in range(0, 500, 25)]
    print(f"slider: {1e3 * once:.0f} ms once, then {1e3 * max(steps):.1f} ms a step at most (under 50 ms)")


_SHARED: list[Confusability] = []


def batch(model: ClassModel, documents: Sequence[LabelledDocument]) -> None:
    _SHARED[:] = [Confusability(model, 3, method="simple")]
    before = os.times()
    with multiprocessing.get_context("fork").Pool(2) as pool:
        outcomes = pool.map(_release, documents, chunksize=200)
        pool.close()
        pool.join()
    after = os.times()
    wall = after.elapsed - before.elapsed
    worked = after.children_user + after.children_system - before.children_user - before.children_system
    print(
        f"batch: {len(documents)} posts, {len(documents) / wall:.0f} a second on two cores (at least 500); "
        f"{1e3 * worked / len(documents):.2f} ms of processor time each; "
        f"{outcomes.count('refused')} refused, {outcomes.count('broken')} broken"
    )


def _release(document: LabelledDocument) -> str:
    bound = _SHARED[0].bind(document.text, document.sensitive)
    reading = Reading(Document("d", "text", document.text), ())
    findings = bound.assess(reading)
    try:
        plan = bound.plan(reading, findings)
    except Infeasible:
        return "refused"
    filled = [
        Edit(edit.start, edit.end, edit.type, edit.key, edit.reason, f"[WORD_{number}]")
        for number, edit in enumerate(plan.edits, 1)
    ]
    again = Reading(Document("d", "text", apply_edits(document.text, filled)), ())
    return "broken" if bound.assess(again) else "held"


def _turns(ours: Callable[[], object], theirs: Callable[[], object]) -> tuple[float, float]:
    times = [(processor_time(ours), processor_time(theirs)) for _ in range(3)]
    return min(mine for mine, _ in times), min(other for _, other in times)


def synthetic_text(label: int, length: int, seed: int) -> str:
    """Words by Zipf's law, every seventh or so one of the class's own 150."""
    rng = np.random.default_rng([seed, length])
    own = np.random.default_rng(label).choice(WORDS, 150, replace=False)
    weights = 1 / np.arange(1, WORDS + 1) ** 0.9
    common = rng.choice(WORDS, length, p=weights / weights.sum())
    drawn = np.where(rng.random(length) < 0.15, rng.choice(own, length), common)
    return " ".join(f"w{word}" for word in drawn)


def synthetic_model() -> ClassModel:
    return train(
        LabelledDocument(
            synthetic_text(label, 200, 1_000 * label + n), f"client{label}", (f"industry{label % 12}",)
        )
        for label in range(CLASSES)
        for n in range(5)
    )


if __name__ == "__main__":
    main()
