"""The names finder: the model's words, put together with what the whole document says.

A text is read in blocks of bounded memory. What the model then knows of each word is judged once for the
document: a name that is sure in one place is the same name in another, in capitals or in part; a mention
that identifies the person the text is about does so wherever it stands.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from efface.core import Mention
from efface.folding import fold_term
from efface.terms.names.decoding import Found, Small, decode, trimmed
from efface.terms.names.model import NAMES, PACKAGED, SUBJECT, TYPES, Judged, Logits, NamesModel, load_model
from efface.terms.names.people import TITLES, keys
from efface.terms.names.subject import probabilities
from efface.terms.names.tokens import LETTER, LOWER, Pieces

BLOCK = 400_000  # characters read at a time
EVIDENCE = 0.7  # how sure a mention must be to speak for others
SUPPORT = 0.02  # what the model must at least think of another occurrence of a sure name,
WORDY = 0.25  # and of one that the text also uses as a plain word
SHORTEST = 3
CANDIDATE = 0.2  # how probable a mention or a mask must be to be judged with the others of its kind
PERSON = TYPES.index("PERSON")

TYPE_NAMES = {"ADDRESS": "LOCATION"}
DEFAULT_TYPES = frozenset({"PERSON", "LOCATION", "ORGANIZATION", "DATE_TIME", "NRP"})
ALL_TYPES = frozenset(TYPE_NAMES.get(name, name) for name in TYPES)

Ints = npt.NDArray[np.int64]
Halves = npt.NDArray[np.float16]
Decoder = Callable[[Judged, Mapping[str, float], Small, Small], Iterable[Found]]


@dataclass(frozen=True, slots=True)
class NameFinder:
    """Finds names, places, organisations, dates and more with the packaged model, or one in `folder`.

    `risk` "all" marks whatever is of the `types`; "subject" marks what identifies the person that the text
    is about, of any type, and leaves public facts.
    """

    folder: Path = PACKAGED
    preset: str = "recall"
    risk: str = "all"
    types: frozenset[str] = DEFAULT_TYPES

    def find(self, text: str) -> Iterator[Mention]:
        """Mentions in order of their start. Offsets are code points of `text`."""
        if not text or text.isspace():
            return
        model = load_model(self.folder, SUBJECT if self.risk == "subject" else NAMES)
        decoder = candidates if self.risk == "subject" else decode
        # Plain sentences hold no names, but they may hold facts, sums and trades.
        whole = self.risk == "subject" or not self.types <= DEFAULT_TYPES
        page = read(text, model, decoder, model.settings.thresholds[self.preset], whole)
        if self.risk == "subject":
            found = subject(page, model.settings.subject, model.settings.mask_thresholds[self.preset])
        else:
            found = [one for one in page.found if TYPE_NAMES.get(one.type, one.type) in self.types]
            found = with_repeats(page, found)
        yield from mentions_of(page, found)


@dataclass(frozen=True, slots=True)
class Page:
    """A text with its words, what was found among them, and how probably each is of a person's name or
    identifies the person that the text is about."""

    text: str
    starts: Ints = field(repr=False)
    ends: Ints = field(repr=False)
    cases: Small = field(repr=False)
    heads: Pieces = field(repr=False)  # first pieces
    person: Halves = field(repr=False)
    mask: Halves = field(repr=False)
    found: list[Found] = field(repr=False)

    def word(self, at: int) -> str:
        return self.text[self.starts[at] : self.ends[at]]


def read(
    text: str, model: NamesModel, decoder: Decoder, thresholds: Mapping[str, float], whole: bool
) -> Page:
    """The model's view of a text, block by block; a block ends where a line or at least a word does."""
    columns: list[tuple[Ints, Ints, Small, Pieces, Halves, Halves]] = []
    found: list[Found] = []
    known: dict[bytes, Logits] = {}
    count = 0
    for low, high in blocks(text):
        words = model.vocabulary.words(text[low:high])
        judged = model.judge(words, known, whole)
        for one in decoder(judged, thresholds, words.cases, words.gaps):
            found.append(replace(one, first=one.first + count, last=one.last + count))
        count += len(words)
        person = judged.types[:, PERSON].astype(np.float16)
        heads = words.pieces[words.heads[:-1]]
        mask = judged.mask.astype(np.float16)
        columns.append((words.starts + low, words.ends + low, words.cases, heads, person, mask))
    starts, ends, cases, heads, person, mask = (
        np.concatenate(column) for column in zip(*columns, strict=True)
    )
    page = Page(text, starts, ends, cases, heads, person, mask, found)
    return replace(page, found=whole_names(page, with_titles(page, found)))


def blocks(text: str) -> Iterator[tuple[int, int]]:
    """Stretches of about `BLOCK` characters."""
    low = 0
    while low < len(text):
        high = min(low + BLOCK, len(text))
        if high < len(text):
            for mark in ("\n\n", "\n", " "):
                at = text.rfind(mark, low + BLOCK // 2, high)
                if at > 0:
                    high = at + len(mark)
                    break
        yield low, high
        low = high


def with_repeats(page: Page, found: list[Found]) -> list[Found]:
    """The mentions, and further occurrences of the persons' names that the model alone let go."""
    sure: dict[str, float] = {}
    heads: set[int] = set()
    for one in found:
        if one.type == "PERSON" and one.score >= EVIDENCE:
            for at in range(one.first, one.last):
                folded = _folded(page.word(at))
                if len(folded) > 1 and folded.isalpha() and folded not in TITLES:
                    sure[folded] = max(sure.get(folded, 0.0), one.score)
                    heads.add(int(page.heads[at]))
    if not sure:
        return found
    taken = np.zeros(len(page.starts), bool)
    for one in found:
        taken[one.first : one.last] = True
    likely = np.flatnonzero(~taken & np.isin(page.heads, list(heads)))  # the same word has the same pieces
    open_ = [at for at in likely.tolist() if _folded(page.word(at)) in sure]
    plain = {_folded(page.word(at)) for at in open_ if page.cases[at] == LOWER}
    more = []
    for at in open_:
        folded = _folded(page.word(at))
        if page.cases[at] == LOWER or not (_after_title(page, at) or _is_likely(page, at, folded, plain)):
            continue
        more.append(Found(at, at + 1, "PERSON", 0.9 * sure[folded], float(page.mask[at])))
    return sorted([*found, *more], key=lambda one: one.first)


def _after_title(page: Page, at: int) -> bool:
    """ "Patient He": only a name follows."""
    return (
        at > 0 and page.starts[at] == page.ends[at - 1] + 1 and _folded(page.word(at - 1)) in TITLES - {"the"}
    )


def _is_likely(page: Page, at: int, folded: str, plain: set[str]) -> bool:
    """Whether the model sees some reason; short words are too often something else."""
    return len(folded) >= SHORTEST and bool(page.person[at] >= (WORDY if folded in plain else SUPPORT))


def with_titles(page: Page, found: list[Found]) -> list[Found]:
    """A title that stands by itself is no person; before a name it belongs to it."""
    joined: list[Found] = []
    title: Found | None = None
    for one in found:
        words = (
            [_folded(page.word(at)) for at in range(one.first, one.last)] if one.type == "PERSON" else ["-"]
        )
        if all(word in TITLES or word == "." for word in words):
            title = one
            continue
        if title and one.type == "PERSON" and title.last == one.first:
            one = replace(one, first=title.first)
        joined.append(one)
        title = None
    return joined


def whole_names(page: Page, found: list[Found]) -> list[Found]:
    """Parts of one name as one: "Michael J. McDermott", and "Garcia, Sofia" in a form or a list."""
    joined: list[Found] = []
    for one in found:
        last = joined[-1] if joined else None
        if last and last.type == one.type == "PERSON" and _is_one_name(page, last, one):
            score, mask = (last.score + one.score) / 2, (last.mask + one.mask) / 2
            joined[-1] = replace(last, last=one.last, score=score, mask=mask)
        else:
            joined.append(one)
    return joined


def _is_one_name(page: Page, given: Found, other: Found) -> bool:
    between = page.text[page.ends[given.last - 1] : page.starts[other.first]]
    if between == ", ":
        start, end = int(page.starts[given.first]), int(page.ends[other.last - 1])
        before, after = (
            page.text[max(0, start - 9) : start].rstrip(" \t"),
            page.text[end : end + 9].lstrip(" \t"),
        )
        single = given.last - given.first == other.last - other.first == 1
        return single and (not before or before[-1] in _BEFORE) and (not after or after[0] in _AFTER)
    if between == " ":  # V K Choudhry
        return given.last - given.first == 1 and bool(page.cases[given.first] == LETTER)
    return bool(_INITIAL.fullmatch(between)) and between[1].isupper()


# What stands around "Garcia, Sofia" when it is one name.
_BEFORE = frozenset('\n:;"“')
_AFTER = frozenset('\r\n;<[("”')
_INITIAL = re.compile(r" [^\W\d_]\.? ")


def _folded(word: str) -> str:
    return word.lower() if word.isascii() else fold_term(word)


def subject(page: Page, weights: Mapping[str, float], limit: float) -> list[Found]:
    """What identifies the person that the text is about: judged for all mentions of a thing together."""
    found, surfaces, things = considered(page)
    judged = probabilities(surfaces, found, things, weights)
    return [
        replace(one, score=probability)
        for one, probability in zip(found, judged.tolist(), strict=True)
        if probability >= limit
    ]


def considered(page: Page) -> tuple[list[Found], list[str], list[str]]:
    """The mentions that may identify the subject, their texts, and keys of the things that they mean."""
    found = with_repeats(page, page.found)
    surfaces = [_surface(page, one) for one in found]
    return found, surfaces, _keys(found, surfaces)


def candidates(judged: Judged, thresholds: Mapping[str, float], cases: Small, gaps: Small) -> Iterator[Found]:
    """What may be masked: mentions of any type, and words that the mask head marks by itself."""
    best = judged.types.argmax(1)
    rows = np.arange(len(best))
    lifted = np.array(judged.types)
    lifted[rows, best] = np.maximum(lifted[rows, best], judged.mask)
    low = {kind: min(CANDIDATE, limit) for kind, limit in thresholds.items()}
    return decode(Judged(lifted, judged.begins, judged.mask), low, cases, gaps)


def _keys(found: Sequence[Found], surfaces: Sequence[str]) -> list[str]:
    """Normal keys: of persons by coreference, of dates and the rest by their folded words."""
    people = keys(surface for one, surface in zip(found, surfaces, strict=True) if one.type == "PERSON")
    return [
        people.get(surface, "") if one.type == "PERSON" else _plain_key(surface)
        for one, surface in zip(found, surfaces, strict=True)
    ]


_ARTICLE = re.compile(r"(?:the|a|an) (?=.)")


def _plain_key(surface: str) -> str:
    return _ARTICLE.sub("", fold_term(surface), count=1)


def mentions_of(page: Page, found: list[Found]) -> Iterator[Mention]:
    """What was found, as the document's mentions; persons under one key are one."""
    people = keys(_surface(page, one) for one in found if one.type == "PERSON")
    for one in found:
        start, end = place(page, one)
        surface = page.text[start:end]
        if any(map(str.isalnum, surface)):
            kind = TYPE_NAMES.get(one.type, one.type)
            key = people.get(surface) if one.type == "PERSON" else None
            because = f"names model: {kind}"
            yield Mention(start, end, kind, key or _plain_key(surface), round(one.score, 3), because)


def place(page: Page, one: Found) -> tuple[int, int]:
    return trimmed(page.text, int(page.starts[one.first]), int(page.ends[one.last - 1]))


def _surface(page: Page, one: Found) -> str:
    start, end = place(page, one)
    return page.text[start:end]
