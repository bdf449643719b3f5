"""Learns linear chains with crfsuite, and packs their weights: one for all languages, and one for each that has texts."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from training.languages.data import LANGUAGES, read_texts
from training.languages.synthetic import LOCALES, Values, synthetic
from training.names.passages import TAGS, Passage, cased, noisy, passage, swapped

from efface.finders.names.chain import LABELS, PAD, PLACES, features, hashed, placed
from efface.finders.names.tokens import Vocabulary
from efface.learners.extras import crfsuite

# How often a source's texts are used; of those without any name only some are taken.
SHARES = {
    "de.europeana": 0.1,
    "de.germeval14": 1.0,
    "de.ler": 0.15,
    "de.mobie": 0.25,
    "de.uner-pud": 1.5,
    "de.wikiann": 0.5,
    "es.meddocan": 0.5,
    "es.pud-projected": 2.0,
    "es.wikiann": 1.2,
    "fr.europeana": 0.25,
    "fr.pud-projected": 2.0,
    "fr.wikiann": 1.2,
    "it.pud-projected": 2.5,
    "nl.europeana": 0.25,
    "nl.wikiann": 1.0,
    "pt.lener-br": 0.2,
    "pt.uner-pt-bosque": 0.6,
    "pt.uner-pud": 1.0,
    "pt.wikiann": 0.8,
    "da.uner-da-ddt": 0.7,
    "sv.swedish-ner-corpus": 0.5,
    "sv.uner-pud": 1.0,
    "sv.uner-sv-talbanken": 0.3,
    "no.norne": 0.25,
    "fi.finer-wikipedia": 0.6,
    "fi.pud-projected": 1.0,
    "fi.turku": 0.3,
    "tr.pud-projected": 1.0,
    "tr.turkish-wiki-ner": 0.2,
    "pl.pud-projected": 1.0,
    "pl.wikiann": 0.6,
    "cs.pud-projected": 1.5,
    "sk.uner-sk-snk": 0.3,
    "ru.factrueval16": 0.8,
    "ru.uner-pud": 0.8,
    "ru.wikiann": 0.4,
}
EMPTY = 0.4
FIRST = ("de", "fr", "es", "it", "nl", "pt")  # these count most
MORE = 0.8  # of these shares
OTHERS = 0.5  # and of other languages' texts
SYNTHETIC = 500  # texts of each of the first languages; of others a fifth
SETTINGS = {
    "c1": 0.05,
    "c2": 0.02,
    "max_iterations": 60,
    "feature.minfreq": 2,
    "feature.possible_transitions": True,
}
_LEAST = 0.02  # smaller weights are left out

Lines = Iterator[tuple[list[str], list[str]]]


def learn_chain(data: Path, vocabulary: Vocabulary, path: Path, seed: int = 13) -> None:
    """Write the packed weights."""
    pycrfsuite = crfsuite()
    trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=True)
    trainer.set_params(SETTINGS)
    count = 0
    for words, labels in _lines(data, vocabulary, random.Random(seed)):
        trainer.append(pycrfsuite.ItemSequence(_items(words)), labels)
        count += len(words)
    print(count, "words", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        trainer.train(f"{folder}/chain")
        tagger = pycrfsuite.Tagger()
        with tagger.open(f"{folder}/chain"):
            pack(tagger.info(), path)


def pack(model: Any, path: Path) -> None:
    """Write the weights."""
    arrays = packed(model, _LEAST)
    np.savez_compressed(path, **arrays)
    print(len(arrays["keys"]), "features", path.stat().st_size, "bytes", flush=True)


def packed(model: Any, least: float) -> dict[str, Any]:
    """Eight bits a weight; a feature is known by the checksum of its name."""
    rows: dict[int, np.ndarray] = {}
    for (feature, label), weight in model.state_features.items():
        if abs(weight) >= least:
            row = rows.setdefault(hashed(feature), np.zeros(len(LABELS), np.float32))
            row[LABELS.index(label)] += weight
    keys = np.array(sorted(rows), np.uint32)
    weights = np.stack([rows[int(key)] for key in keys]).clip(-6, 6)
    steps = np.zeros((len(LABELS), len(LABELS)), np.float32)
    for (before, after), weight in model.transitions.items():
        steps[LABELS.index(before), LABELS.index(after)] = weight
    scale = np.float32(np.abs(weights).max() / 127)
    return {
        "keys": keys,
        "weights": np.rint(weights / scale).astype(np.int8),
        "scale": np.array(scale),
        "steps": steps,
    }


def _items(words: list[str]) -> list[list[str]]:
    edge = [PAD] * max(PLACES)
    own = [features(word) for word in (*edge, *words, *edge)]
    found = []
    for at in range(len(words)):
        item: list[str] = []
        for place in PLACES:
            item += placed(own[at + 2 + place], place)
        found.append(item)
    return found


def _lines(data: Path, vocabulary: Vocabulary, rng: random.Random) -> Lines:
    values = {language: Values(language, 7) for language in LANGUAGES if language != "ru"}
    for text in read_texts(data, "train", rng, tuple(values)):
        language = text.source.split(".")[0]
        share = (
            MORE
            * SHARES[text.source]
            * (1.0 if text.spans else EMPTY)
            * (1.0 if language in FIRST else OTHERS)
        )
        for _ in range(int(share) + (rng.random() < share % 1)):
            one = swapped(passage(text, vocabulary), values[language], 0.35)  # type: ignore[arg-type]
            yield from labelled_lines(changed(one, rng))
    for language in LOCALES:
        count = SYNTHETIC if language in FIRST else SYNTHETIC // 5
        for text in synthetic(language, count if language != "ru" else 0, 5):
            yield from labelled_lines(changed(passage(text, vocabulary), rng))


def changed(one: Passage, rng: random.Random) -> Passage:
    if rng.random() < 0.08:
        one = noisy(one, rng, 0.01)
    return cased(one, rng) if rng.random() < 0.3 else one


def labelled_lines(one: Passage) -> Lines:
    """A passage by lines, with the labels of the chain: addresses are places, dates and codes are nothing."""
    words: list[str] = []
    labels: list[str] = []
    for word, gap, target in zip(one.words, one.gaps, one.targets, strict=True):
        if gap >= 2 and words:
            yield words, labels
            words, labels = [], []
        words.append(word)
        tag = TAGS[target].replace("ADDRESS", "LOCATION") if target < len(TAGS) else "O"
        labels.append(tag if tag in LABELS else "O")
    if words:
        yield words, labels
