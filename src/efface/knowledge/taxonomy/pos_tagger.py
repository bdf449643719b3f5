"""Word classes in their place: a hidden Markov model over the words of a sentence (`she discussed`, `the test`).

What a word can be comes from WordNet, how often it is what and what follows what from 23,388 articles without any
tagged text (expectation maximisation, see training/semantic/tags.py). Words that are not in the table are
judged by their ending.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from efface.files.array_file import ArrayKind, open_arrays
from efface.text.folding import fold_term

TAGS_FILE = Path(__file__).parent / "data" / "english.tags"
KIND = ArrayKind("word classes")

# Nouns: singular, plural, name. Verbs: base, third person, past, participles. Then adjectives, adverbs, and the
# closed classes: determiners, possessives, prepositions, pronouns, auxiliaries, modals, `to` before a verb,
# conjunctions, wh-words, numbers, hyphens, commas and other marks, ends of sentences.
TAGS = ("ns np nn vb vz vd vn vg a r D G P O X M T C S Z H , .").split()
NOUNS = frozenset(("ns", "np", "nn"))
VERBS = frozenset(("vb", "vz", "vd", "vn", "vg"))
_NUMBER = {tag: number for number, tag in enumerate(TAGS)}
_FINITE = frozenset(("vb", "vz", "vd", "X", "M"))
_FINITE_ROW = np.array([tag in ("vb", "vz", "vd") for tag in TAGS])
_NOUN_ROW = np.array([tag in NOUNS for tag in TAGS])
_CLAUSES = frozenset(("S", "."))  # begin or end a clause
_LIKELY = 0.1  # the share of a word's uses as a verb that lets it be the verb of a clause without one

# What words of the closed classes can be; none of them is in WordNet with that meaning.
CLOSED: dict[str, str] = {
    **dict.fromkeys("a an the this these those my our your their its his whose every each no".split(), "D"),
    **dict.fromkeys("some any all both either neither another such".split(), "D O"),
    **dict.fromkeys("many few several much more most less other own same".split(), "D a"),
    **dict.fromkeys("i you he she it we they me him us them myself himself herself itself themselves yourself "
                    "ourselves someone somebody everyone everybody nobody anyone anybody something anything nothing "
                    "everything none others mine yours hers ours theirs there".split(), "O"),
    **dict.fromkeys("of in by with from at on into between among during via per through upon onto toward towards "
                    "within without against across despite throughout beside besides behind beyond near along "
                    "around about above below under over off out up down like than except".split(), "P"),
    **dict.fromkeys("after before since until as for".split(), "P S"),
    **dict.fromkeys("and or but nor yet plus".split(), "C"),
    **dict.fromkeys("if because although though while when where whereas whether unless who which what whom how why "
                    "once".split(), "S"),
    **dict.fromkeys("is are was were am be been being has have had having do does did isn't aren't wasn't weren't "
                    "hasn't haven't hadn't don't doesn't didn't i'm i've you're we're they're he's she's it's that's "
                    "we've they've you've".split(), "X"),
    **dict.fromkeys("can could may might must shall should will would cannot can't couldn't won't wouldn't shouldn't "
                    "i'll you'll he'll she'll we'll they'll i'd you'd he'd we'd they'd she'd".split(), "M"),
    **dict.fromkeys("not very also too just only even still already often never always again then now here quite "
                    "rather almost usually perhaps maybe however therefore thus hence soon ever instead else together "
                    "well especially particularly specifically respectively away back moreover furthermore "
                    "otherwise later twice".split(), "r"),
    **dict.fromkeys("one two three four five six seven eight nine ten eleven twelve twenty thirty hundred thousand "
                    "million billion".split(), "Z"),
    "that": "S D O", "her": "D O", "to": "T P", "so": "r S", "including": "P", "following": "P a",
    "according": "P", "due": "a P", "lot": "ns", "last": "a", "past": "a ns P", "next": "a", "first": "a r",
}  # fmt: skip

_ENDINGS: tuple[tuple[str, str], ...] = (
    ("ly", "r"),
    ("ing", "vg ns"),
    ("ed", "vd vn"),
    ("ous", "a"),
    ("able", "a"),
    ("ible", "a"),
    ("ical", "a"),
    ("ive", "a ns"),
    ("al", "a ns"),
    ("ic", "a ns"),
    ("ful", "a"),
    ("less", "a"),
    ("ss", "ns"),
    ("us", "ns"),
    ("is", "ns"),
    ("s", "np np np np vz"),
    ("", "ns"),
)

_NOUN = 0.002  # what any word may be where only a noun can stand (`an infiltrate`)
_NEVER = 1e-7  # a step that was never seen

Weights = npt.NDArray[np.float64]


def guessed(word: str) -> Weights:
    """What a word that is in no list may be, by its ending."""
    return weights(next(tags for ending, tags in _ENDINGS if word.endswith(ending)).split())


def weights(tags: Sequence[str]) -> Weights:
    """Equal shares, a tag that is named twice twice as much."""
    row = np.zeros(len(TAGS))
    for tag in tags:
        row[_NUMBER[tag]] += 1 / len(tags)
    return row


def shape_weights(spelled: str) -> Weights | None:
    """What a word is by its spelling alone: a mark, a number, an acronym, a possessive."""
    if not spelled[0].isalnum():
        return weights(["H" if spelled in "-‐‑" else "." if spelled in ".!?\n" else ","])
    if spelled[0].isdigit():
        return weights(["Z"] if spelled.isdecimal() else ["Z", "nn"])
    lower = spelled.lower().replace("’", "'")
    if lower in CLOSED and not (spelled.isupper() and len(spelled) > 1):
        return weights(CLOSED[lower].split())
    if lower.endswith(("'s", "s'")):
        return weights(["G"])
    return weights(["nn"]) if spelled.isupper() else None


@dataclass(frozen=True, slots=True)
class Tagger:
    """Finds the likeliest classes of the words of a sentence, all together."""

    words: Mapping[str, Weights] = field(repr=False)  # P(class | word)
    follows: npt.NDArray[np.float64] = field(repr=False)  # P(class | class before)
    usual: Weights = field(repr=False)  # P(class)

    def tags(self, spelled: Sequence[str]) -> list[str]:
        """The class of each word; marks and hyphens are words of their own. Viterbi's algorithm."""
        if not spelled:
            return []
        opens = [True, *(word in ".!?:\n" for word in spelled)]
        rows = np.stack(
            [possible(self.words, word, begins) for word, begins in zip(spelled, opens, strict=False)]
        )
        with np.errstate(divide="ignore"):
            scores = np.log(rows / self.usual)
            steps = np.log(np.maximum(self.follows, _NEVER))
        best = scores[0] + steps[_NUMBER["."]]
        back = np.empty(rows.shape, np.int64)
        for at in range(1, len(rows)):
            paths = best[:, None] + steps
            back[at] = paths.argmax(axis=0)
            best = paths.max(axis=0) + scores[at]
        chosen = [int(best.argmax())]
        for at in range(len(rows) - 1, 0, -1):
            chosen.append(int(back[at, chosen[-1]]))
        return self._with_verbs(rows, [TAGS[number] for number in reversed(chosen)])

    def _with_verbs(self, rows: Weights, tags: list[str]) -> list[str]:
        """A clause of nouns only has its verb in the last of them that can be one (`the stock rose`)."""
        start = 0
        for end in [*(at for at, tag in enumerate(tags) if tag in _CLAUSES), len(tags)]:
            clause = range(start, end)
            if not any(tags[at] in _FINITE for at in clause):
                for at in reversed(clause[1:]):
                    verb = int(np.argmax(np.where(_FINITE_ROW, rows[at], 0)))
                    before = rows[at - 1, _NOUN_ROW].sum() / rows[at - 1].sum()
                    if tags[at] in NOUNS and before > 0.5 and rows[at, verb] >= _LIKELY:
                        tags[at] = TAGS[verb]
                        tags[at - 1] = "ns" if tags[at - 1] == "a" else tags[at - 1]
                        break
            start = end + 1
        return tags


def possible(words: Mapping[str, Weights], spelled: str, opens: bool) -> Weights:
    """What a word can be, as known, by its shape or guessed. A capital inside a sentence makes a name, at its
    beginning an unknown word one."""
    by_shape = shape_weights(spelled)
    if by_shape is not None:
        return by_shape
    known = words.get(fold_term(spelled))
    if not spelled[0].isupper():
        return guessed(spelled) if known is None else known
    name = weights(["nn"])
    if known is None:
        return name
    return 0.9 * known + 0.1 * name if opens else 0.9 * name + 0.1 * known


@lru_cache(maxsize=1)
def english() -> Tagger:
    """The packaged model."""
    return open_tagger(TAGS_FILE)


def open_tagger(path: Path) -> Tagger:
    opened = open_arrays(path, KIND)
    table: dict[str, str] = json.loads(lzma.decompress(bytes(opened.arrays["words"])))
    return Tagger(
        {word: _unpacked(row) for row, words in table.items() for word in words.split(" ")},
        np.array(opened.facts["follows"]),
        np.array(opened.facts["usual"]),
    )


def _unpacked(row: str) -> Weights:
    """`ns7 vb2`: shares in tenths or so."""
    found = np.zeros(len(TAGS))
    for part in row.split(" "):
        found[_NUMBER[part[:-1]]] = int(part[-1])
    found /= found.sum()
    found[_NUMBER["ns"]] = max(found[_NUMBER["ns"]], _NOUN)
    return found
