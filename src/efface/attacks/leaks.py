"""The search that every release must survive: is anything that was removed still there, in any disguise?"""

from __future__ import annotations

import base64
import binascii
import html
import quopri
import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from urllib.parse import quote, unquote

from efface.core import Document, Leakage
from efface.folding import Folded, fold_term, foldings
from efface.strings import Strings

_BLOCK = 1 << 20
_MARGIN = 4096
_CONTEXT = 8  # letters and digits on each side that tell one occurrence from another
LOOK = 64  # how far to look for them
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{7,}={0,2}")
_WRAPPED = re.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{7,}+(?:\r?\n[A-Za-z0-9+/_-]{2,}+)+={0,2}")
_QUOTED = re.compile(r"=[0-9A-Fa-f]{2}|=\r?\n")
_ESCAPED = re.compile(r"\\u([0-9A-Fa-f]{4})")
_EMPHASIS = re.compile(
    r"[*_~`](?<=[^\W_].)[*_~`]{0,2}(?=[^\W_])"
)  # Markdown within a word, which a page does not show
_MARKS = re.compile(r"[*_~`]{1,3}")
_TURNED = re.compile("\u202e([^\u202c\u202e\n]*)")  # letters shown in the other order
_TAGS = re.compile("[\U000e0020-\U000e007e]")  # ASCII that no font shows
_LINE_IN_WORD = re.compile(r"\n[A-Za-z0-9+/_-]{2}(?:(?<=[A-Za-z0-9+/_-]\n..)|(?<=[A-Za-z0-9+/_-]\r\n..))")
_HEX = re.compile(r"[0-9A-Fa-f]{10,}")
# No neighbours: placeholders, which two readers may meet in another order, and the escapes of their brackets.
_OURS = re.compile(r"(?i)(?:\[|%5b)[a-z_]+[0-9]+(?:\]|%5d)|\b[a-z]+(?:_[a-z]+)*_[0-9]+|%[0-9a-f]{2}")
_BRACKETED = re.compile(r"\[[^\[\]\s]+\]")
_TO_BASE64 = str.maketrans("-_", "+/", " \t\n\r\f\v=")
_PRINTABLE = bytes(range(32, 127))
_ENCODINGS = ("utf-8", "cp1252")
_LONG = 48  # bytes of a blob that may hold text among others
_REMEMBERED = 100_000  # words known to be none
SHORT = 2  # characters: so little means nothing away from its place
_NEAR = 4  # letters and digits that must agree for a place to be the same
_DISGUISE_MINIMUM = 5  # a shorter string turns up in decoded noise by chance


@dataclass(frozen=True, slots=True)
class Removed:
    """A string that was taken out, its type, and what stands on both sides of the place now, if that is known."""

    text: str
    type: str
    around: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class _Sighting:
    """One occurrence: which string, how it is written, and the letters and digits around it."""

    key: str
    surface: str
    before: str
    after: str


def search(
    removed: Iterable[Removed],
    parts: Iterable[tuple[str, str]],
    kept: Document | Callable[[], Document],
    placeholders: Iterable[str] = (),
) -> tuple[Leakage, ...]:
    """What of `removed` the parts still hold, beyond what `kept` holds on purpose: the document as planned, or
    a way to make it when something is seen. The number of a placeholder ("[URL_26]") is nobody's age."""
    types, places = _gathered_removals(removed)
    if not types:
        return ()
    ours = frozenset(placeholders)
    wanted = _Wanted(tuple(sorted(types)), ours)
    seen: dict[tuple[str, str, _Sighting], None] = {}
    for part, text in parts:
        for encoding, reading in _disguises(text, ours):
            for sighting in wanted.sightings(reading, plain=encoding == "plain"):
                seen.setdefault((part, encoding, sighting))
    if not seen:
        return ()
    allowed = _allowed(wanted, kept() if callable(kept) else kept)
    leaks = {
        Leakage(part, encoding, types[sighting.key]): None
        for part, encoding, sighting in seen
        if _is_in_place(sighting, places.get(sighting.key))
        and not _explained(sighting, allowed.get(sighting.key, ()))
    }
    return tuple(leaks)


_Places = dict[str, set[tuple[str, str]]]  # short strings → letters and digits before and after


def _gathered_removals(removed: Iterable[Removed]) -> tuple[dict[str, str], _Places]:
    """The types by key, and the places of keys too short to mean anything elsewhere."""
    types: dict[str, str] = {}
    places: _Places = {}
    anywhere: set[str] = set()
    for item in removed:
        key = fold_term(item.text)
        if not key:
            continue
        types[key] = item.type
        if item.around is None:
            anywhere.add(key)
        elif len(key) <= SHORT:
            before, after = (fold_term(text) for text in item.around)
            places.setdefault(key, set()).add((_before(before), _after(after)))
    return types, {key: found for key, found in places.items() if key not in anywhere}


def _is_in_place(sighting: _Sighting, places: Iterable[tuple[str, str]] | None) -> bool:
    """Whether a string stands where one was removed, on one side at least; a longer one counts anywhere."""
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

    def __init__(self, keys: Sequence[str], placeholders: Collection[str]) -> None:
        self._strings = Strings(keys)
        alike = [text for text in placeholders if any(self._strings.find(fold_term(text)))]
        self._ours = _any_of({form for text in alike for form in (text, quote(text))})

    def sightings(self, text: str, *, plain: bool = True) -> Iterator[_Sighting]:
        """Every occurrence that stands alone; in a decoded disguise only strings that are not noise."""
        for start in range(0, max(len(text), 1), _BLOCK):
            low = max(0, start - _MARGIN)
            window = self._ours.sub(_blank, text[low : start + _BLOCK + _MARGIN])
            for folded in foldings(window):
                for key, begin, end in self._strings.find(folded.text):
                    span = folded.span(begin, end)
                    if not start <= span.start + low < start + _BLOCK:
                        continue
                    if plain or len(key) >= _DISGUISE_MINIMUM:
                        yield _sighting(key, folded, begin, end, window[span.start : span.end])


def _any_of(strings: Collection[str]) -> re.Pattern[str]:
    """Any of the strings; they are compared only where one may begin."""
    firsts = "".join(sorted({re.escape(string[0]) for string in strings}))
    return re.compile(f"(?=[{firsts}])(?:{'|'.join(map(re.escape, sorted(strings)))})" if strings else "(?!)")


def _blank(match: re.Match[str]) -> str:
    return " " * len(match.group())


def _sighting(key: str, folded: Folded, start: int, end: int, surface: str) -> _Sighting:
    before, after = _before(folded.text[max(0, start - LOOK) : start]), _after(folded.text[end : end + LOOK])
    return _Sighting(key, " ".join(unicodedata.normalize("NFKC", surface).split()), before, after)


def _before(text: str) -> str:
    return "".join(filter(str.isalnum, _OURS.sub(" ", text)))[-_CONTEXT:]


def _after(text: str) -> str:
    return "".join(filter(str.isalnum, _OURS.sub(" ", text)))[:_CONTEXT]


def _allowed(wanted: _Wanted, kept: Document) -> dict[str, tuple[_Sighting, ...]]:
    by_key: dict[str, dict[_Sighting, None]] = {}
    for start, end in {(0, len(kept.text)), *((part.start, part.end) for part in kept.parts)}:
        for sighting in wanted.sightings(kept.text[start:end]):
            by_key.setdefault(sighting.key, {})[sighting] = None
    return {key: tuple(sightings) for key, sightings in by_key.items()}


def _explained(sighting: _Sighting, allowed: Iterable[_Sighting]) -> bool:
    """Whether the plan keeps an occurrence written this way between these neighbours."""
    return any(
        sighting.surface == other.surface
        and _agree(sighting.before[::-1], other.before[::-1])
        and _agree(sighting.after, other.after)
        for other in allowed
    )


def _agree(one: str, other: str) -> bool:
    """Equal as far as both reach: a part may end where the whole text goes on."""
    shorter = min(len(one), len(other))
    return one[:shorter] == other[:shorter]


def _disguises(text: str, placeholders: Collection[str]) -> Iterator[tuple[str, str]]:
    """The text, and what it becomes under each decoding that changes it."""
    yield "plain", text
    if "%" in text:
        for encoding in _ENCODINGS:
            if (decoded := unquote(text, encoding, "replace")) != text:
                yield "URL", decoded
    if "&" in text and (decoded := html.unescape(text)) != text:
        yield "HTML", decoded
    if _QUOTED.search(text):
        raw = quopri.decodestring(text.encode("utf-8", "replace"))
        for encoding in _ENCODINGS:
            yield "quoted-printable", raw.decode(encoding, "replace")
    if "\\u" in text and (decoded := _ESCAPED.sub(lambda m: chr(int(m[1], 16)), text)) != text:
        yield "escaped", decoded
    if _EMPHASIS.search(text) and _EMPHASIS.search(_without(placeholders, text)):
        yield "emphasis", _MARKS.sub("", text)
    if "\0" in text:
        yield "UTF-16", text.replace("\0", "")
    if "\u202e" in text:
        yield "right to left", _TURNED.sub(lambda found: found[1][::-1], text)
    if not text.isascii() and _TAGS.search(text):
        yield "tags", _TAGS.sub(lambda found: chr(ord(found[0]) - 0xE0000), text)
    for decoded in _gathered(_blobs(text)):
        yield "base64", decoded


def _without(placeholders: Collection[str], text: str) -> str:
    """The text without them: nothing is emphasised in "[EMAIL_ADDRESS_1]"."""
    return _BRACKETED.sub(lambda found: "[]" if found[0] in placeholders else found[0], text)


def _gathered(pieces: Iterable[str]) -> Iterator[str]:
    """The pieces on lines of their own, about a block at a time: together they may be as long as the file."""
    lines: list[str] = []
    length = 0
    for piece in pieces:
        lines.append(piece)
        length += len(piece)
        if length >= _BLOCK:
            yield "\n".join(lines)
            lines, length = [], 0
    if lines:
        yield "\n".join(lines)


def _blobs(text: str) -> Iterator[str]:
    """What base64 and hexadecimal runs decode to, when that is text."""
    wrapped = _WRAPPED.finditer(text) if _LINE_IN_WORD.search(text) else ()
    for run in _distinct(chain(_BASE64.finditer(text), wrapped)):
        plain = run if run.isalnum() else run.translate(_TO_BASE64)  # nearly every run is a word
        yield from _decoded_text(_from_base64(plain))
        for digits in _HEX.findall(run):
            yield from _decoded_text(bytes.fromhex(digits[: len(digits) // 2 * 2]))


def _distinct(matches: Iterable[re.Match[str]]) -> Iterator[str]:
    """What matched, short runs once: most are words, which prose repeats."""
    seen: set[str] = set()
    for match in matches:
        run = match.group()
        if run in seen:
            continue
        if len(run) < _LONG and len(seen) < _REMEMBERED:
            seen.add(run)
        yield run


def _from_base64(run: str) -> bytes:
    try:
        return base64.b64decode(run[: len(run) // 4 * 4] + _tail(run))
    except (binascii.Error, ValueError):
        return b""


def _tail(run: str) -> str:
    rest = run[len(run) // 4 * 4 :]
    return rest + "=" * (4 - len(rest)) if len(rest) > 1 else ""


def _decoded_text(data: bytes) -> Iterator[str]:
    """The bytes as text. A short run is more often a word that looks like base64: then only whole UTF-8 counts."""
    if len(data) < _DISGUISE_MINIMUM:
        return
    try:
        yield data.decode("utf-8", "replace" if len(data) >= _LONG else "strict")
    except UnicodeDecodeError:
        if len(data.translate(None, _PRINTABLE)) * 4 <= len(data):  # Western text, not noise
            yield data.decode("cp1252", "replace")
    if b"\0" in data:
        yield data.replace(b"\0", b"").decode("utf-8", "replace")
