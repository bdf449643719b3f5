"""Originals back into a text that was written about a redacted one, a language model's answer for instance.

The answer may change the case of a placeholder, drop its brackets, escape it for Markdown, put an ending behind it
or cut it between two chunks of a stream. A placeholder that was never given out stays and is told. Nothing is
restored into a link: whoever fetches it would get the original.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from efface.api.link_places import link_places
from efface.core import Span, SpanSet
from efface.errors import UsageError
from efface.operators.kinds import KINDS
from efface.text.entity_types import TYPES

_LABELS = frozenset({*KINDS, *TYPES})  # what an invented placeholder is known by
_PARSED = re.compile(r"\[([A-Z][A-Z0-9_]{0,63})_([1-9][0-9]{0,6})\]")
_ENDING = 4  # letters that an inflected surrogate may have behind it
_STEM = 4  # letters of a surrogate that may be inflected
_ODD = frozenset(
    "\\\u017f\u212a\u0130\u0131"
)  # a sign of escapes, and letters that are also s, k and i in another case
_LONG = 1024  # characters that a stream holds back before it looks less often whether they are settled
_PART = 3  # letters of a part of a name that is known by itself


class Restored(str):
    """A text with its originals. `invented` are placeholders that were never given out, `missing` those that the
    text does not mention, `withheld` those that stand where no original may.

    >>> from efface.api.restoring import restore
    >>> answer = restore("Dear [PERSON_1], ask [PERSON_7].", {"[PERSON_1]": "Anna"})
    >>> str(answer), answer.invented
    ('Dear Anna, ask [PERSON_7].', ('[PERSON_7]',))
    """

    invented: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    withheld: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Originals:
    """What stands for what. `people` are replacements that name persons: their parts are known by themselves.
    `literal` are placeholders that the text held before; `never` are replacements that are not restored.

    >>> from efface.api.restoring import Originals
    >>> Originals({"[PERSON_1]": "Anna"}).mapping["[PERSON_1]"]
    'Anna'
    """

    mapping: Mapping[str, str] = field(repr=False)
    people: frozenset[str] = frozenset()
    literal: frozenset[str] = frozenset()
    never: frozenset[str] = frozenset()
    links: bool = False  # whether originals may stand in links
    in_json: bool = False  # whether they are put into strings of JSON


@dataclass(slots=True)
class RestoringTally:
    """What one restoring met: replacements used, placeholders invented, and those withheld."""

    used: set[str] = field(default_factory=set)
    invented: dict[str, None] = field(default_factory=dict)
    withheld: dict[str, None] = field(default_factory=dict)


def restore(text: str, originals: Originals | Mapping[str, str]) -> Restored:
    """The text with every known replacement turned back.

    >>> from efface.api.restoring import restore
    >>> str(restore("person_1's note", {"[PERSON_1]": "Anna"}))
    "Anna's note"
    """
    restorer = Restorer(originals)
    return restorer.told("".join((restorer.feed(text), restorer.close())))


class Restorer:
    """Restores a stream chunk by chunk. The pieces together are what the whole text would have become.

    >>> from efface.api.restoring import Restorer
    >>> restorer = Restorer({"[PERSON_1]": "Anna"})
    >>> "".join([restorer.feed("Dear [PER"), restorer.feed("SON_1],"), restorer.close()])
    'Dear Anna,'
    """

    def __init__(self, originals: Originals | Mapping[str, str]) -> None:
        self._originals = originals if isinstance(originals, Originals) else Originals(originals)
        self._forms = _PlaceholderForms(self._originals)
        self._buffer = ""
        self._last = ""  # the character before the buffer
        self._next_look = 0  # characters in the buffer at which it is worth to look for a cut again
        self._tally = RestoringTally()

    def feed(self, chunk: str) -> str:
        """What of the stream is settled: nothing that comes later can change it.

        >>> from efface.api.restoring import Restorer
        >>> Restorer({"[PERSON_1]": "Anna"}).feed("This is settled, this is not: [PER")
        'This is settled, this is not: '
        """
        if not isinstance(chunk, str):
            raise UsageError(f"A text was expected, not {type(chunk).__name__}.", "Give a str.")
        self._buffer += chunk
        if len(self._buffer) < self._next_look:
            return ""
        cut = self._cut()
        if cut:
            self._next_look = 0
            return self._emit(cut)
        # A long tag or link is not read again for every chunk, or a hostile answer would take quadratic time.
        self._next_look = len(self._buffer) * 9 // 8 if len(self._buffer) > _LONG else 0
        return ""

    def close(self) -> str:
        """The rest of the stream.

        >>> from efface.api.restoring import Restorer
        >>> restorer = Restorer({"[PERSON_1]": "Anna"})
        >>> restorer.feed("[PERSON_1]") + restorer.close()
        'Anna'
        """
        return self._emit(len(self._buffer))

    def told(self, text: str) -> Restored:
        """The restored text with what was noticed on the way.

        >>> from efface.api.restoring import Restorer
        >>> restorer = Restorer({"[PERSON_1]": "Anna"})
        >>> restorer.told(restorer.feed("Nobody.") + restorer.close()).missing
        ('[PERSON_1]',)
        """
        restored = Restored(text)
        mapping = self._originals.mapping
        restored.invented = tuple(self._tally.invented)
        restored.withheld = tuple(self._tally.withheld)
        restored.missing = tuple(one for one in mapping if one not in self._tally.used)
        return restored

    def _emit(self, cut: int) -> str:
        text = self._last + self._buffer
        restored = self._forms.restored(text, len(self._last), len(self._last) + cut, self._tally)
        self._last = text[: len(self._last) + cut][-1:]
        self._buffer = self._buffer[cut:]
        return restored

    def _cut(self) -> int:
        """The last place before which all is settled: outside of every form and link, after a character that
        cannot be inside of an address, and before every form that the stream has begun and not ended."""
        farthest = min(len(self._buffer) - 1, self._forms.unfinished(self._buffer))
        if farthest <= 0:
            return 0
        busy = SpanSet(Span(*span) for span in self._forms.busy(self._last + self._buffer))
        shift = len(self._last)
        for cut in range(farthest, 0, -1):
            in_address = "!" <= self._buffer[cut - 1] <= "~"
            if not in_address and not busy.covers(cut + shift - 1, cut + shift + 1):
                return cut
        return 0


class _BegunForms:
    """What a stream may end with that is the beginning of a form, so that what follows decides."""

    def __init__(self, labels: Iterable[str], literals: Iterable[str]) -> None:
        self._labels = {f"{_plain_gaps(label)}_" for label in labels}
        self._literals = {_plain_gaps(literal) for literal in literals}
        self._beginnings = {
            form[:end] for form in (*self._labels, *self._literals) for end in range(1, len(form) + 1)
        }
        self._is_ascii = all(form.isascii() for form in self._beginnings)

    def first(self, text: str) -> int:
        """Where the first of them begins. A text with escapes may be one from its beginning on, and so may any where
        letters beyond ASCII are of a form, since these are alike in more ways than by their case."""
        if not self._is_ascii or not _ODD.isdisjoint(text):
            return 0
        bracket = text.rfind("[")
        end = bracket if bracket >= 0 and text.find("]", bracket) < 0 else len(text)
        plain = _plain_gaps(text)
        for start in range(end):
            if self._is_one(plain[start:]):
                return start
        return end

    def _is_one(self, text: str) -> bool:
        """Whether a text is a beginning, a label with digits of its number, or a surrogate with letters of its ending."""
        if text in self._beginnings or text.rstrip("0123456789") in self._labels:
            return True
        stems = (text[: len(text) - letters] for letters in range(_ENDING + 2))
        return any(stem in self._literals and text[len(stem) :].isalpha() for stem in stems)


def _plain_gaps(text: str) -> str:
    """A text in small letters, with one sign for all that may stand between the words of a form."""
    return text.lower().replace(" ", "_").replace("-", "_")


class _PlaceholderForms:
    """Every way in which the replacements may be written, as one expression."""

    def __init__(self, originals: Originals) -> None:
        self._originals = originals
        self._numbered: dict[tuple[str, str], str] = {}
        self._literal: dict[str, tuple[str, str]] = {}  # lower case → replacement, original
        for replacement, original in originals.mapping.items():
            parsed = _PARSED.fullmatch(replacement)
            if parsed:
                self._numbered[parsed[1], parsed[2]] = replacement
            elif replacement.strip():
                self._literal[replacement.lower()] = replacement, original
        self._add_parts()
        self._pattern = self._compiled()
        longest = max(map(len, (*self._literal, *originals.mapping, "")))
        self._longest = 2 * longest + _ENDING + 80  # escapes double a placeholder, an invented one has 75
        self._begun = _BegunForms({label for label, _ in self._numbered} | _LABELS, self._literal)

    def _add_parts(self) -> None:
        """The words of persons' surrogates, each for the word of the original at its place."""
        owners: dict[str, list[tuple[str, str]]] = {}
        for replacement in self._originals.people:
            original = self._originals.mapping.get(replacement, "")
            fakes, words = replacement.split(), original.split()
            if _PARSED.fullmatch(replacement) or len(fakes) != len(words) or len(fakes) < 2:
                continue
            for fake, word in zip(fakes, words, strict=True):
                if len(fake) >= _PART and fake.isalpha():
                    owners.setdefault(fake.lower(), []).append((fake, word))
        for lower, pairs in owners.items():
            if len({word for _, word in pairs}) == 1:  # a word of two persons' names stands for neither
                self._literal.setdefault(lower, pairs[0])

    def _compiled(self) -> re.Pattern[str]:
        given = {label for label, _ in self._numbered}
        labels = sorted(given | _LABELS, key=lambda one: (-len(one), one))
        named = "|".join("_".join(map(re.escape, label.split("_"))) for label in labels)
        named = named.replace("_", r"\\?[_ -]")
        number = r"(?P<{}>[1-9][0-9]{{0,6}})"
        bracketed = rf"\\?\[(?P<label>{named})\\?[_ -]{number.format('number')}\\?\]"
        bare = rf"(?<![\w\[])(?P<bare>{named})\\?_{number.format('bare_number')}(?![0-9_\]])"
        literals = sorted(self._literal, key=lambda one: (-len(one), one))
        written = "|".join(_literal_form(one) for one in literals)
        options = [bracketed, bare, *([f"(?P<literal>{written})"] if written else ())]
        return re.compile("|".join(options), re.IGNORECASE)

    def unfinished(self, text: str) -> int:
        """Where the first form may begin that the end of the text leaves unfinished; the end where there is none."""
        start = max(0, len(text) - self._longest - 1)
        return start + self._begun.first(text[start:])

    def busy(self, text: str) -> Iterator[tuple[int, int]]:
        """Stretches that must not be cut."""
        yield from (match.span() for match in self._pattern.finditer(text))
        yield from link_places(text, is_unfinished=True)

    def restored(self, text: str, start: int, end: int, tally: RestoringTally) -> str:
        """`text[start:end]` with its originals; what stands outside is read as context."""
        links = link_places(text) if not self._originals.links else []
        starts = [begin for begin, _ in links]

        def original(match: re.Match[str]) -> str:
            at = bisect_right(starts, match.start() - 1) - 1
            inside = at >= 0 and match.start() < links[at][1]
            return self._original(match, tally, inside=inside)

        pieces: list[str] = []
        position = start
        for match in self._pattern.finditer(text, start):
            if match.start() >= end:
                break
            pieces += text[position : match.start()], original(match)
            position = match.end()
        return "".join([*pieces, text[position:end]])

    def _original(self, match: re.Match[str], tally: RestoringTally, *, inside: bool) -> str:
        groups = match.groupdict()
        if groups.get("literal") is not None:
            replacement, original = self._literal[match.group().lower()]
            original = _cased(original, replacement, match.group())
        else:
            label = re.sub(r"\\?[_ -]", "_", groups["label"] or groups["bare"]).upper()
            number = groups["number"] or groups["bare_number"]
            replacement = self._numbered.get((label, number), "")
            if not replacement:
                if match.group() not in self._originals.literal:
                    tally.invented.setdefault(match.group())
                return match.group()
            original = self._originals.mapping[replacement]
        tally.used.add(replacement)
        if inside or replacement in self._originals.never:
            tally.withheld.setdefault(replacement)
            return match.group()
        return json.dumps(original, ensure_ascii=False)[1:-1] if self._originals.in_json else original


def _literal_form(replacement: str) -> str:
    """A surrogate as a word of its own; one that ends in letters may have an ending."""
    before = r"(?<!\w)" if replacement[0].isalnum() else ""
    after = ""
    if replacement[-1].isalpha() and len(replacement) >= _STEM:
        after = rf"(?=[^\W\d_]{{0,{_ENDING}}}(?!\w))"
    elif replacement[-1].isalnum():
        after = r"(?!\w)"
    return f"{before}{re.escape(replacement)}{after}"


def _cased(original: str, replacement: str, written: str) -> str:
    """The original in the case in which its surrogate was written."""
    if written == replacement:
        return original
    if written.isupper():
        return original.upper()
    return original.lower() if written.islower() else original


def originals_of(
    edits: Iterable[tuple[str, str, str]], is_person: Callable[[str], bool]
) -> tuple[dict[str, str], frozenset[str]]:
    """The mapping and its people, from (type, original, replacement). A replacement that stands for several
    things (a mask, a year) stands for none; one that stands for spellings of one thing gives the first."""
    mapping: dict[str, str] = {}
    unclear: set[str] = set()
    people: set[str] = set()
    for type_, original, replacement in edits:
        if not replacement.strip():
            continue
        known = mapping.setdefault(replacement, original)
        if known != original and not _is_numbered(replacement) and known.lower() != original.lower():
            unclear.add(replacement)
        if is_person(type_):
            people.add(replacement)
    return {one: said for one, said in mapping.items() if one not in unclear}, frozenset(people - unclear)


def _is_numbered(replacement: str) -> bool:
    return _PARSED.fullmatch(replacement) is not None
