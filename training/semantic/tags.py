"""Learns word classes in their place from plain text: `python -m training.semantic --only tags`.

WordNet says what a word can be, and how often its lemma was what in its tagged texts; expectation maximisation
over sentences of the articles learns what follows what, and corrects how often a form is what.
"""

from __future__ import annotations

import json
import lzma
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

import numpy as np
import numpy.typing as npt
from training.semantic.wordnet import entries, exceptions, tagged_lemmas

from efface.files.array_file import write_arrays
from efface.knowledge.corpus.text_runs import TOKEN
from efface.knowledge.taxonomy.pos_tagger import (
    KIND,
    TAGS,
    TAGS_FILE,
    Weights,
    guessed,
    possible,
    shape_weights,
)
from efface.text.folding import fold_term

SENTENCES = 60_000
LENGTH = 40  # words; longer sentences are cut
ROUNDS = 6
TRUST = 10.0  # documents' worth of belief in WordNet's counts
# What does not follow what. It tells pasts from participles, which no list of words can.
FORBIDDEN = {
    **dict.fromkeys("D G P".split(), "vb vz vd X M T"),
    **dict.fromkeys("M T".split(), "vz vd vn vg ns np a D"),
    "X": "vz vd",
    "O": "vn",
}
_NUMBER = {tag: number for number, tag in enumerate(TAGS)}


def listed(folder: Path) -> dict[str, Weights]:
    """What each form of each word of WordNet can be, by the counts of its lemma."""
    counts = tagged_lemmas(folder)
    found: dict[str, Counter[str]] = {}

    def add(form: str, tag: str, weight: float) -> None:
        if form.isalpha() and form.islower():
            found.setdefault(form, Counter())[tag] += weight  # type: ignore[assignment]

    irregular = {"noun": _irregular(folder, "noun"), "verb": _irregular(folder, "verb")}
    for name, letter in (("noun", "n"), ("verb", "v"), ("adj", "a"), ("adv", "r")):
        for fields in entries(folder / f"index.{name}"):
            lemma, weight = fields[0], counts[fields[0], letter] + 0.5
            for form, tag, share in _forms(lemma, letter, irregular.get(name, {})):
                add(form, tag, weight * share)
    return {form: _row(tags) for form, tags in found.items()}


def _irregular(folder: Path, name: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for form, lemma in exceptions(folder / f"{name}.exc"):
        found.setdefault(lemma, []).append(form)
    return found


def _forms(lemma: str, letter: str, irregular: dict[str, list[str]]) -> Iterator[tuple[str, str, float]]:
    """Forms of a lemma, their class, and the share of the lemma's uses."""
    if letter in "ar":
        yield lemma, letter, 1.0
        return
    endings = lemma.endswith(("s", "x", "z", "ch", "sh", "o"))
    with_s = (
        f"{lemma[:-1]}ies"
        if lemma.endswith("y") and lemma[-2:-1] not in "aeiou"
        else f"{lemma}{'es' if endings else 's'}"
    )
    if letter == "n":
        yield lemma, "ns", 0.7
        for form in irregular.get(lemma, [with_s]):
            yield form, "np", 0.3
        return
    yield lemma, "vb", 0.3
    yield with_s, "vz", 0.2
    for form, tag in _verb_forms(lemma, irregular.get(lemma, [])):
        yield form, tag, 0.2


def _verb_forms(lemma: str, irregular: list[str]) -> Iterator[tuple[str, str]]:
    stem = lemma[:-1] if lemma.endswith("e") else lemma
    past = f"{lemma[:-1]}i" if lemma.endswith("y") and lemma[-2:-1] not in "aeiou" else stem
    doubled = [form for form in irregular if form.endswith(("ing", "ed"))]
    for form in doubled or [f"{lemma if lemma.endswith('ee') else stem}ing"]:
        if form.endswith("ing"):
            yield form, "vg"
    pasts = [form for form in irregular if not form.endswith("ing") and not form.endswith("s")]
    for form in pasts or [f"{past}ed"]:
        yield form, "vd"
        yield form, "vn"


def _row(tags: Counter[str]) -> Weights:
    row = np.zeros(len(TAGS))
    for tag, weight in tags.items():
        row[_NUMBER[tag]] = weight
    return np.asarray(row / row.sum())


def sentences(documents: Iterable[str]) -> Iterator[list[str]]:
    """Sentences as the tagger reads them, with hyphens between the words that they tie."""
    for text in documents:
        sentence: list[str] = []
        end = -1
        for match in TOKEN.finditer(text):
            if text[end : match.start()] in ("-", "‐", "‑"):
                sentence.append("-")
            sentence.append(match.group())
            end = match.end()
            if match.group() in ".!?\n":
                if len(sentence) > 4:
                    yield sentence[:LENGTH]
                sentence = []


class _Vocabulary:
    """Numbers of words; the rows of all that can be learned come first by spelling."""

    def __init__(self, known: dict[str, Weights]) -> None:
        self._known = known
        self.numbers: dict[str, int] = {}
        self.rows: list[Weights] = []
        self.learned: dict[str, int] = {}

    def number(self, spelled: str, opens: bool) -> int:
        key = (
            spelled
            if shape_weights(spelled) is not None
            else f"{spelled[0].isupper() * (2 - opens)}{fold_term(spelled)}"
        )
        if key not in self.numbers:
            self.numbers[key] = len(self.rows)
            self.rows.append(possible(self._known, spelled, opens))
            if key[0] == "0" and spelled.isalpha():
                self.learned[fold_term(spelled)] = self.numbers[key]
        return self.numbers[key]


def learn(documents: Iterable[str], known: dict[str, Weights]) -> tuple[dict[str, Weights], Weights, Weights]:
    """P(class | word) of the words that were seen, P(class | class before), P(class)."""
    vocabulary = _Vocabulary(known)
    batch = np.zeros((SENTENCES, LENGTH), np.int64)
    lengths = np.zeros(SENTENCES, np.int64)
    for at, sentence in enumerate(islice(sentences(documents), SENTENCES)):
        batch[at, : len(sentence)] = [vocabulary.number(w, i == 0) for i, w in enumerate(sentence)]
        lengths[at] = len(sentence)
    used = lengths > 0
    batch, lengths = batch[used], lengths[used]
    prior = np.stack(vocabulary.rows)
    rows = prior.copy()
    follows = allowed = _allowed()
    usual = np.full(len(TAGS), 1 / len(TAGS))
    for _ in range(ROUNDS):
        expected, pairs = _expect(batch, lengths, rows / usual, follows)
        follows = (pairs + 0.1) * allowed
        follows /= follows.sum(axis=1, keepdims=True)
        total = expected.sum(axis=1, keepdims=True)
        fixed = np.ones(len(rows), bool)
        fixed[list(vocabulary.learned.values())] = False
        rows = np.where(fixed[:, None], prior, (expected + TRUST * prior) / (total + TRUST))
        usual = (expected.sum(axis=0) + 1) / (expected.sum() + len(TAGS))
    words = dict(known)
    seen = expected.sum(axis=1)
    words.update({word: rows[number] for word, number in vocabulary.learned.items() if seen[number] >= 5})
    return words, follows, usual


def _allowed() -> Weights:
    """One where a class may follow a class, next to nothing where it may not."""
    table = np.ones((len(TAGS), len(TAGS)))
    for before, after in FORBIDDEN.items():
        for tag in after.split():
            table[_NUMBER[before], _NUMBER[tag]] = 1e-4
    return table


def _expect(
    batch: npt.NDArray[np.int64], lengths: npt.NDArray[np.int64], emit: Weights, follows: Weights
) -> tuple[Weights, Weights]:
    """Expected counts of words by class and of pairs of classes (forward and backward, scaled)."""
    expected = np.zeros_like(emit)
    pairs = np.zeros_like(follows)
    for start in range(0, len(batch), 4096):
        part, sizes = batch[start : start + 4096], lengths[start : start + 4096]
        steps = int(sizes.max())
        ahead = np.zeros((steps, len(part), len(TAGS)))
        previous = np.zeros((len(part), len(TAGS)))
        previous[:, _NUMBER["."]] = 1
        first = previous
        for at in range(steps):
            alive = (at < sizes)[:, None]
            now = (previous @ follows) * emit[part[:, at]]
            now = np.where(alive, now / now.sum(axis=1, keepdims=True), previous)
            ahead[at] = previous = now
        behind = np.ones((len(part), len(TAGS)))
        for at in range(steps - 1, -1, -1):
            alive = at < sizes
            share = ahead[at] * behind
            share /= share.sum(axis=1, keepdims=True)
            np.add.at(expected, part[alive, at], share[alive])
            before = ahead[at - 1] if at else first
            seen = emit[part[:, at]] * behind
            back = seen @ follows.T
            whole = (before * back).sum(axis=1, keepdims=True)
            pairs += follows * ((before / whole)[alive].T @ seen[alive])
            behind = np.where(alive[:, None], back / back.sum(axis=1, keepdims=True), behind)
    return expected, pairs


def write_tags(words: dict[str, Weights], follows: Weights, usual: Weights, path: Path = TAGS_FILE) -> None:
    """Rows in ninths; words that their ending gives away are left out."""
    table: dict[str, list[str]] = {}
    for word, row in sorted(words.items()):
        packed = _packed(row)
        if packed != _packed(guessed(word)):
            table.setdefault(packed, []).append(word)
    facts = {"follows": np.round(follows, 6).tolist(), "usual": np.round(usual, 6).tolist()}
    content = json.dumps({row: " ".join(words) for row, words in sorted(table.items())})
    write_arrays(path, KIND, facts, {"words": lzma.compress(content.encode())}, force=True)


def _packed(row: Weights) -> str:
    ninths = np.round(9 * row / row.max()).astype(int)
    return " ".join(f"{TAGS[at]}{ninths[at]}" for at in np.flatnonzero(ninths))
