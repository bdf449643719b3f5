"""GreedySanitize: ratios measured side by side in one run.

    python -m benchmarks.identifiers [--quick]

  greedy   a whole run with CRF over one CRF learned from the same texts, features included in both
  apply    a model on raw text: tokens a second on one core, and over crfsuite's own tagging of features that
           are prepared already (as lists of strings, and as its own sequences), as often as there are CRFs in the model

Times are processor time of this process, best of three with the sides taking turns. The texts are the mails of
the English Web Treebank at ../shared/data, or letters made up here.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from efface.knowledge.identifiers.corpus import LabelledSpan, LabelledText, read_labelled
from efface.knowledge.identifiers.files import dumps, loads
from efface.knowledge.identifiers.model import GreedyModel, IdentifierSettings
from efface.knowledge.identifiers.training import TrainingTexts, train
from efface.learners.classifier import Costs
from efface.learners.crf import Crf, items_of, learned

MAILS = Path(__file__).resolve().parents[2] / "shared" / "data" / "ner" / "uner-ewt.jsonl.gz"
SETTINGS = IdentifierSettings(learner="crf", loss_ratio=100.0)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.identifiers")
    parser.add_argument("--quick", action="store_true", help="fewer texts, once")
    options = parser.parse_args()
    documents = _documents()[: 15 if options.quick else None]
    times = 1 if options.quick else 3
    model = greedy(documents, times)
    applying(model, documents, times)


def _documents() -> list[LabelledText]:
    if not MAILS.is_file():
        print("letters made up here: the English Web Treebank is not at ../shared/data/ner")
        return _letters()
    mails = (document for document in read_labelled(MAILS) if document.name.startswith("email"))
    return [LabelledText(d.name, d.text, tuple(s for s in d.spans if s.type == "PERSON")) for d in mails]


def _letters() -> list[LabelledText]:
    rng = np.random.default_rng(0)
    syllables = "ba de fi go lu ma ne pi ro su ta ve".split()
    found = []
    for number in range(60):
        words = ["".join(rng.choice(syllables, rng.integers(1, 4))) for _ in range(800)]
        spans, length = [], 0
        for at, word in enumerate(words):
            if rng.random() < 0.04:
                words[at] = word.capitalize()
                spans.append(LabelledSpan(length, length + len(word), "PERSON"))
            length += len(word) + 1
        found.append(LabelledText(str(number), " ".join(words), tuple(spans)))
    return found


def processor_time(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def greedy(documents: Sequence[LabelledText], times: int) -> GreedyModel:
    def once() -> None:
        learned.cache_clear()
        material = TrainingTexts.of(documents)
        Crf().fit(material.view, material.labels["PERSON"], Costs())

    def whole_run() -> GreedyModel:
        learned.cache_clear()
        return train(documents, SETTINGS)

    model = whole_run()
    rounds = len(model.categories[0].rounds)
    pairs = [(processor_time(whole_run), processor_time(once)) for _ in range(times)]
    whole, single = min(one for one, _ in pairs), min(other for _, other in pairs)
    print(
        f"greedy: {whole:.2f} s for {rounds} rounds (the last not applied), one CRF {single:.2f} s: "
        f"{whole / single:.2f}x (at most {rounds + 1}x)"
    )
    return model


def applying(model: GreedyModel, documents: Sequence[LabelledText], times: int) -> None:
    import pycrfsuite

    material = TrainingTexts.of(documents)
    lists = [items for _, items in items_of(material.view)]
    sequences = [pycrfsuite.ItemSequence(items) for items in lists]
    models = sum(len(one.parts) for one in model.categories[0].classifiers)
    texts = [document.text for document in documents]
    tokens = len(material.view)
    with tempfile.TemporaryDirectory() as folder:
        tagger = _tagger(material, str(Path(folder) / "model"))
        found = [
            (
                _fresh(model, texts),
                processor_time(lambda: [tagger.tag(one) for _ in range(models) for one in lists]),
                processor_time(lambda: [tagger.tag(one) for _ in range(models) for one in sequences]),
            )
            for _ in range(times)
        ]
    ours, as_lists, prepared = (min(column) for column in zip(*found, strict=True))
    print(f"apply: {tokens / ours:,.0f} tokens a second with {models} CRFs (at least 20,000)")
    print(
        f"apply: {ours / as_lists:.2f}x crfsuite's tagging of prepared lists, {ours / prepared:.2f}x of its own "
        "sequences (at most 1.5x)"
    )


def _fresh(model: GreedyModel, texts: Sequence[str]) -> float:
    """A model just loaded: it remembers no word of the texts yet."""
    loaded = loads(dumps(model))
    return processor_time(lambda: [loaded.find(text) for text in texts])


def _tagger(material: TrainingTexts, path: str) -> Any:
    import pycrfsuite

    trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
    trainer.set_params({"c2": Crf().penalty, "max_iterations": Crf().iterations})
    labels = material.labels["PERSON"]
    for first, items in items_of(material.view):
        trainer.append(items, ["1" if hidden else "0" for hidden in labels[first : first + len(items)]])
    trainer.train(path)
    tagger = pycrfsuite.Tagger()
    tagger.open(path)
    return tagger


if __name__ == "__main__":
    main()
