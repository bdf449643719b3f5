"""The search that every release must survive: is anything that was removed still there, in any disguise?"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from efface.attacks.disguises import DISGUISE_MINIMUM, disguises
from efface.attacks.readers.pdf_pages import SEAMS, runs_over_the_end
from efface.attacks.sign_codes import with_codes_of_signs
from efface.core import Document, Leakage, SpanSet
from efface.text.disguises.code_units import without_halves
from efface.text.disguises.spaced_letters import Look, find_spaced_letters, joined
from efface.text.folding import Folded, fold_term, foldings
from efface.text.search.string_search import Strings, stands_alone

if TYPE_CHECKING:
    from ahocorasick_rs import AhoCorasick

_BLOCK = 1 << 20  # characters that are searched at once
_MARGIN = 4096  # characters around a block: a string may stand across its end
_CONTEXT = 8  # letters and digits on each side that distinguish one occurrence from another
_LOOK = 64  # how far to look for them
REACH = 2 * _LOOK  # how much text that takes: a placeholder across the end of the look must be seen whole
# No neighbours: placeholders, which two readers may meet in another order, and the escapes of their brackets.
# Placeholders, with or without their brackets, also of columns such as ADDRESS2. "CV_Mehta_2024" is a file.
_OURS = re.compile(
    r"(?i)(?:\[|%5b)[a-z][a-z0-9_]*[0-9](?:\]|%5d)"
    r"|\b[a-z][a-z0-9]*(?:_[a-z0-9]+)*_(?!(?:19|20)[0-9]{2}\b)[0-9]+|%[0-9a-f]{2}"
)
_SHORT = 2  # characters: so little means nothing away from its place
_NEAR = 4  # letters and digits that must agree for a place to be the same
_FEW = 100  # strings that are looked for one by one before anything slower is tried
_GLUED_MINIMUM = 4  # letters of a string that is looked for inside a longer token


class Removed(NamedTuple):
    """A string that was taken out, its type, and what is on both sides of the place now, if that is known.

    `glued`: it is also looked for inside a longer token, where the token has a seam ("JWhitcombe1957").
    """

    text: str
    type: str
    around: tuple[str, str] | None = None
    glued: bool = False


@dataclass(frozen=True, slots=True)
class _Sighting:
    """One occurrence: which string, how it is written, and the letters and digits around it."""

    key: str
    surface: str
    before: str
    after: str


@dataclass(frozen=True)
class ForbiddenTerms:
    """Terms that no document of a policy may hold. They are many, so they are prepared once for all documents."""

    terms: tuple[str, ...] = field(repr=False)
    type: str = "DENIED"

    @cached_property
    def keys(self) -> frozenset[str]:
        return frozenset(map(fold_term, self.terms)) - {""}

    def find(self, folded: str) -> Iterator[tuple[str, int, int, bool]]:
        """Yields (key, start, end, whether it stands alone) for every place of a term in a folded text."""
        if self.keys:
            keys, automaton = self._automaton
            for index, start, end in automaton.find_matches_as_indexes(folded, overlapping=True):
                yield keys[index], start, end, stands_alone(folded, start, end)

    def spaced_letters(self, text: str, folded: Folded) -> Iterator[tuple[str, int, int]]:
        """Yields (key, start, end) wherever spaces or signs separate the letters of a term."""
        if self.keys:
            keys, automaton = self._joined_automaton
            look = partial(automaton.find_matches_as_indexes, overlapping=True)
            for index, start, end in find_spaced_letters(text, folded, look, keys):
                yield keys[index], start, end

    @cached_property
    def _automaton(self) -> tuple[list[str], AhoCorasick]:
        return _smallest(sorted((key, key) for key in self.keys))

    @cached_property
    def _joined_automaton(self) -> tuple[list[str], AhoCorasick]:
        return _smallest(sorted((joined(key), key) for key in self.keys if joined(key)))


def _smallest(keys: Sequence[tuple[str, str]]) -> tuple[list[str], AhoCorasick]:
    """The keys by number, and the search for their spellings."""
    from ahocorasick_rs import AhoCorasick, Implementation

    automaton = AhoCorasick([written for written, _ in keys], implementation=Implementation.ContiguousNFA)
    return [key for _, key in keys], automaton


NOTHING = ForbiddenTerms(())


def search(
    removed: Iterable[Removed],
    parts: Iterable[tuple[str, str]],
    kept: Document | Callable[[], Document],
    placeholders: Iterable[str] = (),
    standing: ForbiddenTerms = NOTHING,
    exempt: SpanSet | None = None,
) -> tuple[Leakage, ...]:
    """What of `removed` and `standing` the parts still hold, beyond what `kept` holds on purpose: the document as
    planned, or a way to make it when something is seen. With `exempt`, what was removed is held on purpose only
    where it touches these places. Numbers inside placeholders ("[URL_26]") are ignored."""
    types, places, glued = _gathered_removals(removed)
    if not types and not standing.terms:
        return ()
    ours = frozenset(placeholders)
    wanted = _Wanted(tuple(sorted(types)), standing, ours, glued)
    seen: dict[tuple[str, str, _Sighting], None] = {}
    for part, text in parts:
        is_seams = part.endswith(SEAMS)
        for encoding, reading in disguises(text, ours):
            for sighting, start, end in wanted.located(reading, plain=encoding == "plain"):
                if not is_seams or runs_over_the_end(reading, start, end):
                    seen.setdefault((part, encoding, sighting))
    if not seen:
        return ()
    allowed = _kept_by_plan(wanted, kept() if callable(kept) else kept, exempt, types)
    leaks: dict[Leakage, None] = {}
    for part, encoding, sighting in seen:
        is_standing = wanted.is_standing(sighting.key)
        nearby = None if is_standing else places.get(sighting.key)
        if _is_in_place(sighting, nearby) and not allowed.explains(sighting):
            type_ = standing.type if is_standing else types[sighting.key]
            leaks.setdefault(Leakage(part, encoding, type_, sighting.surface))
    return tuple(leaks)


_WordsBeside = dict[str, set[tuple[str, str]]]  # short strings → letters and digits before and after


def is_short(text: str) -> bool:
    """Whether a string is so short that it means nothing away from its place: "12", "2.8", but not "J.W."."""
    if len(text) <= _SHORT:
        return True
    told = sum(map(str.isalnum, text))
    return told <= _SHORT and told == sum(map(str.isdigit, text))


def _gathered_removals(removed: Iterable[Removed]) -> tuple[dict[str, str], _WordsBeside, set[str]]:
    """The types by key, the places of keys too short to mean anything elsewhere, and the keys known in longer tokens."""
    types: dict[str, str] = {}
    places: _WordsBeside = {}
    anywhere: set[str] = set()
    glued: set[str] = set()
    for item in removed:
        key = fold_term(item.text)
        if item.glued:
            glued.add(key)
        if not key:
            continue
        types[key] = item.type
        if item.around is None:
            anywhere.add(key)
        elif is_short(key):
            before, after = (fold_term(text) for text in item.around)
            places.setdefault(key, set()).add((_letters_before(before), _letters_after(after)))
    return types, {key: found for key, found in places.items() if key not in anywhere}, glued


def _is_in_place(sighting: _Sighting, places: Iterable[tuple[str, str]] | None) -> bool:
    """Whether a string is where one was removed, by the text on one side at least; a long one counts anywhere."""
    if places is None or not (sighting.before or sighting.after):
        return True
    return any(
        _is_near(sighting.before[::-1], before[::-1]) or _is_near(sighting.after, after)
        for before, after in places
    )


def _is_near(one: str, other: str) -> bool:
    return min(len(one), len(other)) >= _NEAR and _agree(one, other)


class _Wanted:
    """The strings looked for, in folded text."""

    def __init__(
        self,
        keys: Sequence[str],
        standing: ForbiddenTerms,
        placeholders: Collection[str],
        glued: Collection[str] = (),
    ) -> None:
        self._strings = Strings(keys)
        self._few = tuple(keys) if len(keys) <= _FEW else None
        self._standing = standing
        self._glued = sorted(key for key in glued if len(key) >= _GLUED_MINIMUM)
        self._joined = sorted({joined(key): key for key in glued if joined(key)}.items())
        self._words_joined = [key for _, key in self._joined]
        alike = [text for text in placeholders if self._is_in(fold_term(text))]
        self._ours = _placeholders(alike) if alike else None

    def _is_in(self, text: str) -> bool:
        """Whether one of the strings stands alone in a folded text."""
        if not self._may_hold(text):
            return False
        found = (alone for _, _, _, alone in self._standing.find(text))
        return any(True for _ in self._strings.find(text)) or any(found)

    def _may_hold(self, folded: str) -> bool:
        """Whether the slower searches could find a string in a folded text. False is a proof.

        Few strings are searched for one by one, inside words too, in one pass of C code that covers every place the
        slower searches know. Denied terms and spaced letters have searches of their own.
        """
        if self._few is None or self._joined or self._standing.keys:
            return True
        return any(map(folded.__contains__, self._few))

    def is_standing(self, key: str) -> bool:
        """Whether the policy itself denies the string."""
        return key in self._standing.keys

    def sightings(self, text: str, *, plain: bool = True) -> Iterator[_Sighting]:
        """Every occurrence that stands alone; in a decoded disguise only strings that are not noise."""
        for sighting, _, _ in self.located(text, plain=plain):
            yield sighting

    def located(self, text: str, *, plain: bool = True) -> Iterator[tuple[_Sighting, int, int]]:
        """The occurrences of `sightings`, each with its start and end."""
        for start in range(0, max(len(text), 1), _BLOCK):
            low = max(0, start - _MARGIN)
            window = without_halves(text[low : start + _BLOCK + _MARGIN])
            if self._ours is not None:
                window = self._ours.sub(_blank, window)
            for folded in foldings(window):
                if not self._may_hold(folded.text):
                    continue
                for key, begin, end in self._everywhere(folded, window):
                    span = folded.span(begin, end)
                    if not start <= span.start + low < start + _BLOCK:
                        continue
                    if plain or len(key) >= DISGUISE_MINIMUM:
                        sighting = _sighting(key, folded, begin, end, window[span.start : span.end])
                        yield sighting, span.start + low, span.end + low

    def _everywhere(self, folded: Folded, window: str) -> Iterator[tuple[str, int, int]]:
        standing = list(self._standing.find(folded.text))
        yield from self._strings.find(folded.text)
        yield from ((key, begin, end) for key, begin, end, alone in standing if alone)
        glued = ((key, begin, end) for key, begin, end, alone in standing if not alone)
        yield from self._inside(folded, window, glued)
        yield from self._standing.spaced_letters(window, folded)
        if self._joined:
            for index, begin, end in find_spaced_letters(
                window, folded, self._joined_search, self._words_joined
            ):
                yield self._words_joined[index], begin, end

    def _inside(
        self, folded: Folded, window: str, standing: Iterable[tuple[str, int, int]]
    ) -> Iterator[tuple[str, int, int]]:
        """Places of a string inside a longer token, with a seam on both sides."""
        long = (found for found in standing if found[2] - found[1] >= _GLUED_MINIMUM)
        for key, begin, end in chain(self._glued_in(folded), long):
            span = folded.span(begin, end)
            if _is_seam(window, span.start) and _is_seam(window, span.end):
                yield key, begin, end

    def _glued_in(self, folded: Folded) -> Iterator[tuple[str, int, int]]:
        if not self._glued:
            return
        for index, begin, end in self._glued_search.find_matches_as_indexes(folded.text, overlapping=True):
            if not folded.stands_alone(begin, end):
                yield self._glued[index], begin, end

    @cached_property
    def _joined_search(self) -> Look:
        return partial(_smallest(self._joined)[1].find_matches_as_indexes, overlapping=True)

    @cached_property
    def _glued_search(self) -> AhoCorasick:
        from ahocorasick_rs import AhoCorasick

        return AhoCorasick(self._glued)


def _is_seam(text: str, at: int) -> bool:
    """Whether a token changes here: no letter on one side, a capital beside a small letter, or the S of "GROUPS"."""
    if not 0 < at < len(text) or not (text[at - 1].isalpha() and text[at].isalpha()):
        return True
    following = text[at + 1 : at + 2]
    is_plural = text[at] == "S" and not following.isalpha()
    return text[at].isupper() and (text[at - 1].islower() or following.islower() or is_plural)


def _placeholders(ours: Collection[str]) -> re.Pattern[str]:
    """Placeholders as files hold them: as they are, in a link, and in a small box of a PDF without their brackets."""
    whole = _any_of({form for text in ours for form in (text, quote(text))})
    bare = _any_of({text.removeprefix("[").removesuffix("]") for text in ours})
    return re.compile(rf"{whole}|(?<![\w\[]){bare}(?![\w\]])")


def _any_of(strings: Collection[str]) -> str:
    """An expression for any of the strings; they are compared only where one may begin."""
    firsts = "".join(sorted({re.escape(string[0]) for string in strings}))
    return f"(?=[{firsts}])(?:{'|'.join(map(re.escape, sorted(strings)))})"


def _blank(match: re.Match[str]) -> str:
    return " " * len(match.group())


def _sighting(key: str, folded: Folded, start: int, end: int, surface: str) -> _Sighting:
    before, after = (
        _letters_before(folded.text[max(0, start - REACH) : start]),
        _letters_after(folded.text[end : end + REACH]),
    )
    return _Sighting(key, " ".join(unicodedata.normalize("NFKC", surface).split()), before, after)


def _letters_before(text: str) -> str:
    return "".join(filter(str.isalnum, _OURS.sub(_blank, text)[-_LOOK:]))[-_CONTEXT:]


def _letters_after(text: str) -> str:
    return "".join(filter(str.isalnum, _OURS.sub(_blank, text)[:_LOOK]))[:_CONTEXT]


def _kept_by_plan(
    wanted: _Wanted, kept: Document, exempt: SpanSet | None, removed: Collection[str]
) -> _Allowed:
    """Returns the occurrences that the plan keeps. A removed string may stay only where it touches an exempt
    place."""
    allowed = _Allowed()
    for text in {kept.text, with_codes_of_signs(kept.text)}:
        for start, end in {(0, len(text)), *((part.start, part.end) for part in kept.parts)}:
            for sighting, low, high in wanted.located(text[start:end]):
                place = start + low, start + high
                if text[slice(*place)] != kept.text[slice(*place)]:
                    continue  # the letters of signs explain words beside them, and are none themselves
                is_free = exempt is None or sighting.key not in removed
                if is_free or (exempt is not None and exempt.touches(*place)):
                    allowed.add(sighting)
    return allowed


class _Allowed:
    """Occurrences that the plan keeps, to ask quickly whether one explains another.

    Neighbours agree when one is a beginning of the other: a part may end where the whole text goes on. Nearly all
    neighbours are equally long, so occurrences are kept by the lengths of theirs, and for each pair of lengths the
    comparison is one look into a set.
    """

    def __init__(self) -> None:
        self._by_lengths: dict[tuple[int, int], set[_Sighting]] = {}
        self._cut: dict[tuple[int, int, int, int], set[tuple[str, str, str, str]]] = {}

    def add(self, sighting: _Sighting) -> None:
        self._by_lengths.setdefault((len(sighting.before), len(sighting.after)), set()).add(sighting)

    def explains(self, sighting: _Sighting) -> bool:
        """Whether the plan keeps an occurrence written this way between these neighbours."""
        own = len(sighting.before), len(sighting.after)
        for lengths in self._by_lengths:
            shared = min(own[0], lengths[0]), min(own[1], lengths[1])
            if _context_of(sighting, *shared) in self._cut_to(lengths, shared):
                return True
        return False

    def _cut_to(self, lengths: tuple[int, int], shared: tuple[int, int]) -> set[tuple[str, str, str, str]]:
        """The occurrences of those lengths, with neighbours cut to what they share with another."""
        known = self._cut.get((*lengths, *shared))
        if known is None:
            known = {_context_of(sighting, *shared) for sighting in self._by_lengths[lengths]}
            self._cut[*lengths, *shared] = known
        return known


def _context_of(sighting: _Sighting, before: int, after: int) -> tuple[str, str, str, str]:
    near = sighting.before[len(sighting.before) - before :], sighting.after[:after]
    return sighting.key, sighting.surface, *near


def _agree(one: str, other: str) -> bool:
    """Equal as far as both reach: a part may end where the whole text goes on."""
    shorter = min(len(one), len(other))
    return one[:shorter] == other[:shorter]
