"""The names finder: the model's words, put together with what the whole document says.

A text is read in blocks of bounded memory. What the model then knows of each word is judged once for the
document: a name that is sure in one place is the same name in another, in capitals or in part; a mention
that identifies the person the text is about does so wherever it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt

from efface.core import Document, FinderTraits, Gap, Mention, SpanSet
from efface.finders.names.addresses import with_addresses
from efface.finders.names.capitals.capital_runs import with_capital_runs
from efface.finders.names.capitals.capitals_within import least_chances
from efface.finders.names.coverage import language_gaps
from efface.finders.names.decoding import (
    NAMED,
    DecodedMention,
    Small,
    decode,
    trimmed,
    with_unsure_kinds,
)
from efface.finders.names.introductions import lists_people
from efface.finders.names.languages import (
    COLUMNS,
    NAMED_ABROAD,
    SETTINGS,
    ForeignWords,
    OtherLanguages,
    after_titles,
    in_lists,
    load_others,
    segments,
)
from efface.finders.names.model import (
    NAMES,
    PACKAGED,
    SUBJECT,
    TYPES,
    Logits,
    NamesModel,
    WordPredictions,
    load_model,
)
from efface.finders.names.model_false_positives import without_false_alarms
from efface.finders.names.people import keys
from efface.finders.names.repeats import Halves, ReadText, folded, with_repeats
from efface.finders.names.subject import probabilities
from efface.finders.names.tokens import LETTER, Pieces, WordPieces
from efface.finders.names.whole_names import with_whole_names
from efface.text import progress
from efface.text.folding import fold_term
from efface.text.language import LanguageStretch, languages
from efface.text.person_words import TITLES

BLOCK = 400_000  # characters read at a time
CANDIDATE = 0.2  # how probable a mention or a mask must be to be judged with the others of its kind
PERSON = TYPES.index("PERSON")

TYPE_NAMES = {"ADDRESS": "LOCATION"}
DEFAULT_TYPES = frozenset({"PERSON", "LOCATION", "ORGANIZATION", "DATE_TIME", "NRP"})
ALL_TYPES = frozenset(TYPE_NAMES.get(name, name) for name in TYPES)

_TRAITS = FinderTraits(
    reads_sentence=True, reads_context_words=True, splits_at_placeholders=True, has_own_threshold=True
)
_TRAITS_OF_FACTS = replace(_TRAITS, marks_facts=True)

Ints = npt.NDArray[np.int64]
Decoder = Callable[[WordPredictions, Mapping[str, float], Small, Small], Iterable[DecodedMention]]


@dataclass(frozen=True, slots=True)
class NameFinder:
    """Finds names, places, organisations, dates and more with the packaged model, or one in `folder`.

    `risk` "all" marks whatever is of the `types`; "subject" marks what identifies the person that the text
    is about, of any type, and leaves public facts; "both" marks what either does.
    """

    folder: Path = PACKAGED
    preset: str = "recall"
    risk: str = "all"
    types: frozenset[str] = DEFAULT_TYPES
    languages: tuple[str, ...] = ()  # the only ones to expect; without them each paragraph says its own
    windows: dict[bytes, Logits] | None = field(default=None, repr=False, compare=False)  # of one document

    @property
    def traits(self) -> FinderTraits:
        """What identifies the person that the text is about need not be a name."""
        return _TRAITS if self.risk == "all" else _TRAITS_OF_FACTS

    def find(self, text: str) -> Iterator[Mention]:
        """Mentions in order of their start. Offsets are code points of `text`."""
        if not text or text.isspace():
            return
        if self.risk == "both":
            yield from self._all_and_subject(text)
            return
        model = load_model(self.folder, SUBJECT if self.risk == "subject" else NAMES)
        decoder = candidates if self.risk == "subject" else decode
        # Plain sentences hold no names, but they may hold facts, sums and trades.
        whole = self.risk == "subject" or not self.types <= DEFAULT_TYPES
        known = {} if self.windows is None else self.windows
        view = ReadingMode(model, decoder, self.preset, whole, self._other_languages())
        page = read(text, view, languages(text, self.languages) if view.others else (), known)
        if self.risk == "subject":
            found = subject(page, model.settings.subject, model.settings.mask_thresholds[self.preset])
        else:
            found = [one for one in page.found if TYPE_NAMES.get(one.type, one.type) in self.types]
            found = with_repeats(page, found)
            asked = (partial(_surface, page), partial(_text_after, page), partial(_text_between, page))
            found = with_addresses(page, without_false_alarms(found, *asked))
            found = with_capital_runs(page, with_whole_names(page, found))
        yield from mentions_of(page, found)

    def _all_and_subject(self, text: str) -> Iterator[Mention]:
        """Everything of the types, and what else identifies the person that the text is about."""
        every = list(replace(self, risk="all").find(text))
        covered = SpanSet([mention.span for mention in every])
        subject_only = replace(self, risk="subject", windows=None).find(text)
        more = [mention for mention in subject_only if not covered.covers(mention.start, mention.end)]
        yield from sorted([*every, *more], key=lambda mention: (mention.start, mention.end))

    def for_one_document(self) -> NameFinder:
        """A copy of this finder that reads no window of the document twice, since rounds change little of a text."""
        return replace(self, windows={})

    def _other_languages(self) -> OtherLanguages | None:
        """What reads other languages; a model in a folder may come without it."""
        return load_others(self.folder) if (self.folder / SETTINGS).exists() else None

    def gaps(self, document: Document) -> Iterator[Gap]:
        """Text in languages that no packaged model covers; another model's languages are its user's to know."""
        return language_gaps(document, known=self.languages) if self.folder == PACKAGED else iter(())


@dataclass(frozen=True, slots=True)
class ReadingMode:
    """The settings of a reading: the model, the preset with its thresholds, whether plain sentences are read too,
    and the reader of other languages."""

    model: NamesModel
    decoder: Decoder
    preset: str
    whole: bool
    others: OtherLanguages | None = None

    @property
    def thresholds(self) -> Mapping[str, float]:
        return self.model.settings.thresholds[self.preset]

    def reads(self, language: str) -> bool:
        """Whether something else than the English model reads a language."""
        return self.others is not None and self.others.reads(language)


def read(
    text: str,
    view: ReadingMode,
    stretches: Sequence[LanguageStretch] = (),
    known: dict[bytes, Logits] | None = None,
) -> ReadText:
    """The model's view of a text, block by block; a block ends where a line or at least a word does.

    `known` remembers windows from one reading to the next.
    """
    columns: list[tuple[Ints, Ints, Small, Pieces, Halves, Halves]] = []
    found: list[DecodedMention] = []
    foreign: list[tuple[int, int, str]] = []
    known = {} if known is None else known
    count = 0
    for low, high in blocks(text):
        words = view.model.vocabulary.words(text[low:high])
        for first, last, language in segments(words.starts + low, stretches, view.reads):
            part = words.part(first, last)
            if language:
                foreign.append((count, count + len(part), language))
            size = (high - low) / max(len(words), 1)  # of a word, roughly
            with progress.part(low + round(first * size), low + round(last * size), len(text)):
                judged, limits = _word_predictions(text[low:high], part, view, known, language)
            for one in view.decoder(judged, limits, part.cases, part.gaps):
                found.append(replace(one, first=one.first + count, last=one.last + count))
            count += len(part)
            heads = part.pieces[part.heads[:-1]]
            person, mask = judged.types[:, PERSON].astype(np.float16), judged.mask.astype(np.float16)
            columns.append((part.starts + low, part.ends + low, part.cases, heads, person, mask))
    starts, ends, cases, heads, person, mask = (
        np.concatenate(column) for column in zip(*columns, strict=True)
    )
    page = ReadText(text, starts, ends, cases, heads, person, mask, found, tuple(foreign))
    return replace(page, found=whole_names(page, with_titles(page, found)))


def _word_predictions(
    text: str, words: WordPieces, view: ReadingMode, known: dict[bytes, Logits], language: str
) -> tuple[WordPredictions, Mapping[str, float]]:
    """What is known of each word, and the thresholds that go with it; `language` is "" for English."""
    if not language or view.others is None:
        judged = after_titles(view.model.judge(words, known, view.whole), words, text)
        if lists_people(text):
            judged = in_lists(judged, words, text)
        least = least_chances(words, words.texts(text), "", NAMED[view.preset])
        return with_unsure_kinds(judged, view.thresholds, least), view.thresholds
    part = ForeignWords(language, words, words.texts(text))
    judged = view.others.judge(part, view.model, known, masks=view.decoder is candidates)
    limits = {**view.thresholds, **view.others.limits(language, view.preset)}
    least = least_chances(words, part.texts, language, NAMED_ABROAD[view.preset])
    return with_unsure_kinds(judged, limits, least, COLUMNS), limits


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


def with_titles(page: ReadText, found: list[DecodedMention]) -> list[DecodedMention]:
    """A title by itself is no person; before a name it belongs to it."""
    joined: list[DecodedMention] = []
    title: DecodedMention | None = None
    for one in found:
        words = (
            [folded(page.word(at)) for at in range(one.first, one.last)] if one.type == "PERSON" else ["-"]
        )
        if all(word in TITLES or word == "." for word in words):
            title = one
            continue
        if title and one.type == "PERSON" and title.last == one.first:
            one = replace(one, first=title.first)
        joined.append(one)
        title = None
    return joined


def whole_names(page: ReadText, found: list[DecodedMention]) -> list[DecodedMention]:
    """Parts of one name as one: "Michael J. McDermott", and "Garcia, Sofia" in a form or a list."""
    joined: list[DecodedMention] = []
    for one in found:
        last = joined[-1] if joined else None
        if last and last.type == one.type == "PERSON" and _is_one_name(page, last, one):
            score, mask = (last.score + one.score) / 2, (last.mask + one.mask) / 2
            joined[-1] = replace(last, last=one.last, score=score, mask=mask)
        else:
            joined.append(one)
    return joined


def _is_one_name(page: ReadText, given: DecodedMention, other: DecodedMention) -> bool:
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


# What is around "Garcia, Sofia" when it is one name.
_BEFORE = frozenset('\n:;"“')
_AFTER = frozenset('\r\n;<[("”')
_INITIAL = re.compile(r" [^\W\d_]\.? ")


def subject(page: ReadText, weights: Mapping[str, float], limit: float) -> list[DecodedMention]:
    """What identifies the person that the text is about: judged for all mentions of a thing together."""
    found, surfaces, things = considered(page)
    judged = probabilities(surfaces, found, things, weights)
    return [
        replace(one, score=probability)
        for one, probability in zip(found, judged.tolist(), strict=True)
        if probability >= limit
    ]


def considered(page: ReadText) -> tuple[list[DecodedMention], list[str], list[str]]:
    """The mentions that may identify the subject, their texts, and keys of the things that they mean."""
    found = with_repeats(page, page.found)
    surfaces = [_surface(page, one) for one in found]
    return found, surfaces, _keys(found, surfaces)


def candidates(
    judged: WordPredictions, thresholds: Mapping[str, float], cases: Small, gaps: Small
) -> Iterator[DecodedMention]:
    """Spans that could be masked: mentions of any type, and words that the mask head marks without a mention."""
    best = judged.types.argmax(1)
    rows = np.arange(len(best))
    lifted = np.array(judged.types)
    lifted[rows, best] = np.maximum(lifted[rows, best], judged.mask)
    low = {kind: min(CANDIDATE, limit) for kind, limit in thresholds.items()}
    return decode(WordPredictions(lifted, judged.begins, judged.mask), low, cases, gaps)


def _keys(found: Sequence[DecodedMention], surfaces: Sequence[str]) -> list[str]:
    """Normal keys: of persons by coreference, of dates and the rest by their folded words."""
    people = keys(surface for one, surface in zip(found, surfaces, strict=True) if one.type == "PERSON")
    return [
        people.get(surface, "") if one.type == "PERSON" else _plain_key(surface)
        for one, surface in zip(found, surfaces, strict=True)
    ]


_ARTICLE = re.compile(r"(?:the|a|an) (?=.)")


def _plain_key(surface: str) -> str:
    return _ARTICLE.sub("", fold_term(surface), count=1)


def mentions_of(page: ReadText, found: list[DecodedMention]) -> Iterator[Mention]:
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


def place(page: ReadText, one: DecodedMention) -> tuple[int, int]:
    return trimmed(page.text, int(page.starts[one.first]), int(page.ends[one.last - 1]))


def _text_after(page: ReadText, one: DecodedMention) -> str:
    """A few characters of what follows a mention."""
    end = place(page, one)[1]
    return page.text[end : end + 20]


def _text_between(page: ReadText, one: DecodedMention, other: DecodedMention) -> str:
    return page.text[place(page, one)[1] : place(page, other)[0]]


def _surface(page: ReadText, one: DecodedMention) -> str:
    start, end = place(page, one)
    return page.text[start:end]
