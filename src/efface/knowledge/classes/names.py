"""A class's own names: the label, its abbreviations and aliases, and where they occur in a text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from efface.core import Span
from efface.knowledge.classes.other_readings import is_seam, with_pieces_joined
from efface.knowledge.classes.words import STOP_WORDS, blank_placeholders, is_plain
from efface.text.disguises.encoded_tokens import encoded_tokens
from efface.text.disguises.glued_tokens import glued_token, token_around
from efface.text.disguises.letter_signs import LEET, LEET_SPOT
from efface.text.disguises.spaced_letters import reversed_word
from efface.text.folding import Folded, fold, fold_term, foldings
from efface.text.legal_forms import ALL_LEGAL_FORMS
from efface.text.person_words import PARTICLES

# What a company's name is often written without. Some are other words elsewhere; here they stand behind a company's name.
_LEGAL_FORMS = ALL_LEGAL_FORMS | frozenset(
    "as asa company corporation group holding holdings incorporated kg kk lp oyj se spa".split()
)
_LITTLE_WORDS = frozenset("a an and de der des die du for la le les of the und van von".split())
_SEPARATORS = re.compile(r"[\s.,_/\\-]+")
_SOFT_HYPHEN = "\u00ad"
_GAP = r"[ .,_/\\-]{0,3}"
_AND = frozenset({"&", "+", "and", "und", "et"})
_ANY_AND = r"(?:&|\+|and|und|et)"
_SHORTEST_PART = 3  # letters of a part that is looked for by itself
_SHORTEST_INSIDE = 4  # letters of a name that is known inside of a longer token
_SHORTEST_SEAMLESS = 7  # letters of one that is known there though no seam shows it: `ourpelagosdeal`
_LETTERS_OF_ALL = 4  # letters of a name that is one abbreviation, though it has an `&`: `AT&T`
_DIGIT_SEAM = re.compile(r"(?<=[0-9])(?=[^\W\d_])|(?<=[^\W\d_])(?=[0-9])")
_PLURAL = re.compile("e?s", re.IGNORECASE)
_CUT = re.compile(r"-[ \t]*\r?\n")
_HUMP = re.compile(r"(?<=[a-z]{3})(?=[A-Z][a-z]{3})")  # the seam of `PelagosFreight`

_DIGRAPHS = str.maketrans({
    "ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss", "ø": "oe", "Ø": "Oe", "å": "aa", "Å": "Aa",
    "æ": "ae", "Æ": "Ae",
})  # fmt: skip

CAPITAL, INITIALS = 1, 2  # how many capitals make it the name


@dataclass(frozen=True, slots=True, order=True)
class Spelling:
    """One way to write a class's name, and how many capitals it needs to be the name and no other word."""

    text: str
    capitals: int = 0


@lru_cache(maxsize=1024)
def spellings(label: str, aliases: tuple[str, ...]) -> tuple[Spelling, ...]:
    """The label and its aliases, each also without its legal form and, from three letters on, as initials."""
    found: dict[Spelling, None] = {}
    for name in _written_out((label, *aliases)):
        pieces = _name_words(name)
        short = _without_form(pieces)
        found[Spelling(name)] = None
        if not _LITTLE_WORDS.issuperset(short):
            found[Spelling(" ".join(short))] = None
        found.update(dict.fromkeys(_written_loosely(short)))
        initials = (*_initials(pieces), *_initials(short))
        found.update(dict.fromkeys(Spelling(letters, INITIALS) for letters in initials if len(letters) > 2))
    return tuple(spelling for spelling in found if _name_words(spelling.text))


def _written_loosely(pieces: list[str]) -> Iterator[Spelling]:
    """A name without its `&` (`Müller Söhne`, `ATT`), from its last letter to its first, and with a gap beside a number
    (`3 M`)."""
    words = [piece for piece in pieces if piece not in _AND]
    letters = "".join(words)
    if len(words) < len(pieces):
        is_short = len(letters) <= _LETTERS_OF_ALL
        yield Spelling(letters.upper(), INITIALS) if is_short else Spelling(" ".join(words), CAPITAL)
    if len(words) == 1 == len(pieces):
        yield Spelling(reversed_word(letters))
        apart = _DIGIT_SEAM.sub(" ", letters)
        if apart != letters:
            yield Spelling(apart, CAPITAL)


def _written_out(names: Iterable[str]) -> Iterator[str]:
    """The names, and those with German or Nordic letters also as keyboards without them write them (`Mueller`)."""
    for name in names:
        yield name
        plain = unicodedata.normalize("NFC", name).translate(_DIGRAPHS)
        if plain != name:
            yield plain


@lru_cache(maxsize=1024)
def name_parts(label: str, aliases: tuple[str, ...]) -> tuple[str, ...]:
    """Words of names of several words, and initials of two letters; which of them name the class, the model judges."""
    found: dict[str, None] = {}
    for name in _written_out((label, *aliases)):
        pieces = _without_form(_name_words(name))
        if len(pieces) < 2:  # the name itself, no part of one
            continue
        found.update((part, None) for part in pieces if len(part) >= _SHORTEST_PART)
        found.update((letters.lower(), None) for letters in _initials(pieces) if len(letters) == 2)
    other = _LEGAL_FORMS | _LITTLE_WORDS | STOP_WORDS
    return tuple(part for part in found if part not in other and not part.isdecimal())


@lru_cache(maxsize=4096)
def part_spelling(part: str, *, own: bool) -> Spelling | None:
    """A part of a name as it names the class. One that English lacks always does when the class has it to itself,
    one of the two in capitals; `Freight` of `Pelagos Freight` is a common word."""
    ordinary = is_ordinary(part)
    if ordinary and not own:
        return None
    if part.upper() == part:  # a script without capitals
        return Spelling(part)
    if len(part) < _SHORTEST_PART:
        return Spelling(part.upper(), INITIALS)
    return Spelling(part, CAPITAL if ordinary or not own else 0)


def person_part(part: str, *, own: bool) -> Spelling | None:
    """A part of a person's name. With a capital it is the name, also where English has the word (`Baker`)."""
    found = part_spelling(part, own=own)
    return Spelling(part, CAPITAL) if found is None and len(part) >= _SHORTEST_PART else found


def short_person_parts(label: str, aliases: tuple[str, ...]) -> tuple[Spelling, ...]:
    """Words of two letters in a person's names: with a capital `Ng` is the name, unless it is a word of any sentence."""
    words = {
        part for name in (label, *aliases) for part in _name_words(name) if len(part) == 2 and part.isalpha()
    }
    return tuple(Spelling(part, CAPITAL) for part in sorted(words - _LITTLE_WORDS - STOP_WORDS - PARTICLES))


def is_ordinary(part: str) -> bool:
    """Whether English has the word or the abbreviation, so that it may mean something else than the class."""
    from efface.knowledge.taxonomy.concepts import lexicon

    words = lexicon()
    listed = part in words.nouns or part in words.classes or words.key(part) in words.nouns
    return listed or (len(part) < _SHORTEST_PART and part.upper() in words.nouns)


def _without_form(pieces: list[str]) -> list[str]:
    """A name's words without its legal form."""
    last = len(pieces)
    while last > 1 and pieces[last - 1] in _LEGAL_FORMS:
        last -= 1
    return pieces[:last]


def _initials(pieces: list[str]) -> Iterator[str]:
    """`BA` and `BOA` of `Bank of Avalon`."""
    for skipped in (_LITTLE_WORDS | _AND, _AND):
        yield "".join(piece[0] for piece in pieces if piece not in skipped).upper()


def find_names(text: str, names: tuple[Spelling, ...]) -> tuple[Span, ...]:
    """Where a name stands alone or between the seams of a token, however it is spaced, punctuated or disguised, and tokens
    that say it when they are decoded; overlaps are joined."""
    text = blank_placeholders(text, "|")  # a class may be called like a type: [PERSON_1] does not name it
    found = {*_written_names(text, names), *_decoded_names(text, names)}
    return tuple(_joined_spans(sorted(found)))


def _written_names(text: str, names: tuple[Spelling, ...]) -> Iterator[Span]:
    if _cannot_name(text, names):
        return
    for folded in _readings(text):
        for pattern, capitals in _patterns(names):
            for match in pattern.finditer(folded.text):
                span = folded.span(*match.span())
                written = sum(map(str.isupper, text[span.start : span.end])) if capitals else 0
                if written >= capitals and _stands(text, folded, match, span, capitals):
                    yield span


def _readings(text: str) -> Iterator[Folded]:
    """The text, with pieces of words joined, and with letters for the digits that stand for them."""
    yield from foldings(text)
    whole = with_pieces_joined(text)
    if whole != text:
        yield from foldings(whole)
    if LEET_SPOT.search(text):
        for letters in LEET:
            yield fold(text.translate(letters))


def _decoded_names(text: str, names: tuple[Spelling, ...]) -> Iterator[Span]:
    """Tokens in which a reader finds a name only when they are decoded: `&#80;elagos`, `Pela<b>gos</b>`."""
    for token in encoded_tokens(text):
        said = tuple(_written_names(token.reading, names))
        if said and len(said) > len(tuple(_written_names(text[token.start : token.end], names))):
            yield from (token.place_of(text, span.start, span.end) for span in said)


def _stands(text: str, folded: Folded, match: re.Match[str], span: Span, capitals: int) -> bool:
    """Whether a name is meant: it stands alone, or in a longer token as it does in `QuillmoreFans` and `Quillmores`."""
    start, end = match.span()
    if folded.stands_alone(start, end) or token_around(text, span.start, span.end) == (span.start, span.end):
        return True  # folding makes letters of a sign: `3M™`
    if capitals == INITIALS or end - start < _SHORTEST_INSIDE:
        return False
    plural = _PLURAL.match(text, span.end)
    ends = is_seam(text, span.end) or (plural is not None and is_seam(text, plural.end()))
    return (ends and is_seam(text, span.start)) or (not capitals and _is_meant_inside(text, span))


def _is_meant_inside(text: str, span: Span) -> bool:
    """Whether a token that is no word holds a long name that is none either."""
    written = text[span.start : span.end]
    if len(written) < _SHORTEST_SEAMLESS or not written.isalpha() or is_ordinary(written.lower()):
        return False
    return glued_token(text, span.start, span.end, loose=True) is not None


def _cannot_name(text: str, names: tuple[Spelling, ...]) -> bool:
    """Most texts do not hold a name, and in plain ASCII that shows at once."""
    if not is_plain(text) or LEET_SPOT.search(text):
        return False
    # As it is, with words whole that the end of a line cuts, and with pieces joined.
    readings = {text, _CUT.sub("", text), with_pieces_joined(text).replace(_SOFT_HYPHEN, "")}
    places = [(reading, reading.lower()) for reading in readings]
    return not any(
        _may_stand(whole, lower, anchor, capitals)
        for anchor, capitals in _anchors(names)
        for whole, lower in places
    )


def _may_stand(text: str, lower: str, anchor: str, capitals: int) -> bool:
    """Whether an anchor occurs somewhere with enough capitals."""
    at = lower.find(anchor)
    while at >= 0:
        if not capitals or sum(map(str.isupper, text[at : at + len(anchor)])) >= capitals:
            return True
        at = lower.find(anchor, at + 1)
    return False


@lru_cache(maxsize=256)
def _anchors(names: tuple[Spelling, ...]) -> tuple[tuple[str, int], ...]:
    """For each name the longest stretch of letters and digits that every way to write it has; initials as they are."""
    return tuple(
        (anchor, name.capitals if len(anchor) >= len(name.text) else 0)  # else a capital may stand beside it
        for name in names
        for anchor in _anchors_of(name)
    )


def _anchors_of(name: Spelling) -> tuple[str, ...]:
    if name.capitals == INITIALS:
        return _dotted(name)
    return (max(_runs(name), key=len, default=""),)


def _dotted(name: Spelling) -> tuple[str, ...]:
    """Initials as they are written: `IBM`, `I.B.M`, `I. B. M`, `I&B&M`."""
    letters = name.text.lower()
    return tuple(mark.join(letters) for mark in ("", ".", ". ", "&", " & ", "+"))


def _runs(name: Spelling) -> Iterator[str]:
    for piece in _name_words(name.text):
        if piece not in _AND:
            yield from re.findall(r"[^\W_]+", piece)


@lru_cache(maxsize=256)
def _patterns(names: tuple[Spelling, ...]) -> tuple[tuple[re.Pattern[str], int], ...]:
    """What to look for in a folded text, one by one: the longest that matches need not stand alone."""
    written = {(_name_pattern(name), name.capitals) for name in names}
    return tuple((re.compile(pattern), capitals) for pattern, capitals in sorted(written))


def _name_words(name: str) -> list[str]:
    return [
        piece for piece in _SEPARATORS.split(fold_term(_HUMP.sub(" ", name).replace("&", " & "))) if piece
    ]


def _name_pattern(name: Spelling) -> str:
    """The name as a pattern: any separator or none between its pieces, apostrophes optional."""
    if name.capitals == INITIALS:
        return "|".join(map(re.escape, _dotted(name)))
    return _GAP.join(
        _ANY_AND if piece in _AND else re.escape(piece).replace("'", "['’ ]?")
        for piece in _name_words(name.text)
    )


def _joined_spans(spans: Iterable[Span]) -> Iterator[Span]:
    last: Span | None = None
    for span in spans:
        if last is None:
            last = span
        elif span.start <= last.end:  # `Jean-` and `Luc`
            last = Span(last.start, max(last.end, span.end))
        else:
            yield last
            last = span
    if last is not None:
        yield last
