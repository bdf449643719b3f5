"""From labelled texts to what a training step eats: windows of word pieces, changed a little every epoch.

Changes: persons swapped for drawn ones, text in lower case or capitals, single lines in capitals, two
percent of the letters wrong. The base is uncased, so a change of case changes features only.
"""

from __future__ import annotations

import random
import string
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from training.names.data import ALL, THREE, TYPES, Labelled
from training.names.synthetic import Values

from efface.finders.names.tokens import END, GAPS, START, Ints, Vocabulary, case_of

OUTSIDE = 0
TAGS = ("O", *(f"{mark}-{kind}" for kind in TYPES for mark in "BI"))
MASKS = {"NO_MASK": 0, "QUASI": 1, "DIRECT": 2}
NO_MASK_KNOWN = -1
SOFT = 0.3  # what a type that the source does not mark is worth where the source says "nothing"

# A target is a tag, or "nothing" in a source with only some types, or left open.
_DOMAINS = (
    ALL,
    THREE,
    THREE | {"MISC"},
    THREE | {"DATE_TIME", "ADDRESS", "CODE"},
    frozenset({"PERSON"}),
)
_OPEN = ("CODE", "PERSON", "ANY")


def target_weights() -> np.ndarray:
    """For every target, what each tag is worth: the loss is -log of the sum of weight times probability."""
    rows = np.zeros((len(TAGS) + len(_DOMAINS) + len(_OPEN), len(TAGS)), np.float32)
    rows[: len(TAGS)] = np.eye(len(TAGS))
    for number, known in enumerate(_DOMAINS, len(TAGS)):
        rows[number, OUTSIDE] = 1
        for tag, name in enumerate(TAGS):
            if tag and name[2:] not in known:
                rows[number, tag] = SOFT
    for number, kind in enumerate(_OPEN, len(TAGS) + len(_DOMAINS)):
        rows[number] = [kind == "ANY" or tag == "O" or tag[2:] == kind for tag in TAGS]
    return rows


@dataclass(slots=True)
class Passage:
    """The words of one text with their targets."""

    source: str
    words: list[str]
    gaps: list[int]
    targets: list[int]
    masks: list[int]


@dataclass(slots=True)
class Window:
    """What the network sees of a passage: pieces, features, and the targets at the words' first pieces."""

    ids: list[int]
    features: list[int]
    targets: list[int]  # -1 where no word begins
    masks: list[int]


def passage(labelled: Labelled, vocabulary: Vocabulary) -> Passage:
    """The labels of characters as labels of words."""
    words = vocabulary.words(labelled.text)
    outside = len(TAGS) + _DOMAINS.index(labelled.known)
    targets = [outside] * len(words)
    for start, end, kind in labelled.spans:
        first = True
        for at in _within(words.starts, words.ends, start, end):
            targets[at] = 1 + 2 * TYPES.index(kind) + (not first)
            first = False
    for start, end, kind in labelled.open:
        for at in _within(words.starts, words.ends, start, end):
            targets[at] = len(TAGS) + len(_DOMAINS) + _OPEN.index(kind)
    masks = [NO_MASK_KNOWN if labelled.masks is None else 0] * len(words)
    for start, end, kind in labelled.masks or ():
        for at in _within(words.starts, words.ends, start, end):
            masks[at] = MASKS[kind]
    texts = [labelled.text[a:b] for a, b in zip(words.starts, words.ends, strict=True)]
    return Passage(labelled.source, texts, words.gaps.tolist(), targets, masks)


def _within(starts: Ints, ends: Ints, start: int, end: int) -> range:
    first = int(np.searchsorted(ends, start, side="right"))
    last = int(np.searchsorted(starts, end, side="left"))
    return range(first, last)


def swapped(given: Passage, values: Values, chance: float) -> Passage:
    """Some persons under other names; the parts that are titles, initials or particles stay."""
    rng = values.rng
    person, inside = 1 + 2 * TYPES.index("PERSON"), 2 + 2 * TYPES.index("PERSON")
    words = list(given.words)
    names: dict[str, str] = {}
    for at, target in enumerate(given.targets):
        word = words[at]
        if target not in (person, inside) or len(word) < 3 or not word.isalpha() or word.lower() in _TITLES:
            continue
        if word not in names:
            last = at + 1 >= len(words) or given.targets[at + 1] != inside
            drawn = (values.last if last else values.first)() if rng.random() < chance else word
            drawn = drawn.split(" ")[0].split("-")[0] or word
            names[word] = drawn.lower() if word.islower() else drawn.upper() if word.isupper() else drawn
        words[at] = names[word]
    return Passage(given.source, words, given.gaps, given.targets, given.masks)


_TITLES = frozenset(
    "mrs miss prof professor doctor van von der den del las los the bin ibn sir judge".split()
)


_DATES = (1 + 2 * TYPES.index("DATE_TIME"), 2 + 2 * TYPES.index("DATE_TIME"))


def redated(given: Passage, rng: random.Random, chance: float) -> Passage:
    """Some of the days and years of dates changed, each the same way throughout."""
    words, changes = list(given.words), dict[str, str]()
    for at, word in enumerate(words):
        if word.isdigit() and given.targets[at] in _DATES:
            if word not in changes:
                changes[word] = _other(word, rng) if rng.random() < chance else word
            words[at] = changes[word]
    return Passage(given.source, words, given.gaps, given.targets, given.masks)


def _other(number: str, rng: random.Random) -> str:
    return str(int(number) + rng.randint(-6, 6)) if len(number) == 4 else str(rng.randint(1, 28))


def cased(given: Passage, rng: random.Random) -> Passage:
    """The text in another case, now and then."""
    draw = rng.random()
    words = given.words
    if draw < 0.16:
        words = [word.lower() for word in words]
    elif draw < 0.24:
        words = [word.upper() for word in words]
    elif draw < 0.27:
        words = [word.title() for word in words]
    elif draw < 0.40:
        words, loud = list(words), False
        for at, gap in enumerate(given.gaps):
            if gap >= 2:
                loud = rng.random() < 0.3
            if loud:
                words[at] = words[at].upper()
    return Passage(given.source, words, given.gaps, given.targets, given.masks)


def noisy(given: Passage, rng: random.Random, rate: float) -> Passage:
    """Letters wrong, missing, doubled or exchanged, as scanning and typing leave them."""
    words = list(given.words)
    for at, word in enumerate(words):
        if len(word) > 2 and word.isalnum() and rng.random() < rate * len(word):
            place = rng.randrange(len(word))
            letter = rng.choice(string.ascii_lowercase)
            words[at] = rng.choice(
                (
                    word[:place] + letter + word[place + 1 :],
                    word[:place] + word[place + 1 :],
                    word[:place] + word[place] + word[place:],
                    word[: place - 1] + word[place : place + 1] + word[place - 1 : place] + word[place + 1 :]
                    if place
                    else word[1] + word[0] + word[2:],
                )
            )
    return Passage(given.source, words, given.gaps, given.targets, given.masks)


def windows(given: Passage, vocabulary: Vocabulary, size: int, start: int = 0) -> Iterator[Window]:
    """The passage in stretches of at most `size` pieces."""
    window = Window([START], [0], [-1], [-1])
    for at in range(start, len(given.words)):
        word = given.words[at]
        pieces = vocabulary.cut(word) if len(word) < 48 else (100,)
        if len(window.ids) + len(pieces) + 1 > size:
            yield _ended(window)
            window = Window([START], [0], [-1], [-1])
        feature = case_of(word) * GAPS + given.gaps[at]
        window.ids.extend(pieces)
        window.features.extend([feature] * len(pieces))
        window.targets.extend([given.targets[at]] + [-1] * (len(pieces) - 1))
        window.masks.extend([given.masks[at]] + [-1] * (len(pieces) - 1))
    if len(window.ids) > 1:
        yield _ended(window)


def _ended(window: Window) -> Window:
    window.ids.append(END)
    window.features.append(0)
    window.targets.append(-1)
    window.masks.append(-1)
    return window
