"""How a source string spells a text, and how edits of the text become patches of the source.

A source is a row of slots. A slot shows some text and knows, through its codec, how new text is spelled in
its place; a slot without a codec is structure that the text may show but no edit can change. Slots follow
the order of the text, which need not be that of the source. What no edit touches is never spelled again,
so it keeps its bytes.

An edit that covers several slots, or structure within one, puts its replacement into the first place it
may change and deletes what it covers in the others. An edit of structure alone changes nothing.

- `SourceItem`: what a reader hands over: a range of the source with its codec and part, or glue between two.
- `SourceSlot`: what the writer works on: a range of the source, and how many characters of text it shows.
- `SlotStretch`: a stretch of one slot as its codec decodes it, such as an entity that shows one character.
- `SourcePiece`: a piece of a slot's new spelling, kept from the source or to be spelled by its codec.
- `Fragment`: the part of an edit that falls on one changeable stretch.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum
from itertools import chain, islice, pairwise
from typing import NamedTuple, Protocol

from efface.core import Edit, Part
from efface.formats.plain.encoding import Decoded, Patch, to_ascii

Fits = Callable[[str], bool]
_CHUNK = 1 << 14  # slots that are put together at once


class SlotStretch(NamedTuple):
    """`raw[start:end]` of a slot and the text it shows: None when it shows itself, character by character.

    A stretch that shows another text is one unit. A fixed stretch stays, whatever is edited around it.
    """

    start: int
    end: int
    text: str | None = None
    fixed: bool = False

    @property
    def width(self) -> int:
        return self.end - self.start if self.text is None else len(self.text)


class SourceOrigin(Enum):
    """Where a piece of a slot's new spelling comes from."""

    KEPT = "as it was in the source"
    NEW = "text to be spelled"
    GUARDED = "text to be spelled so that nothing beside it changes its meaning"
    WHOLE = "the slot's whole text, to be spelled afresh"


class SourcePiece(NamedTuple):
    text: str
    origin: SourceOrigin


class Codec(Protocol):
    """How text is spelled in one kind of place."""

    def decode(self, raw: str) -> Sequence[SlotStretch] | None:
        """The stretches of a spelling, in order and without gaps; None if it cannot stand in this place."""

    def clean(self, text: str, fits: Fits) -> str:
        """A replacement without what this place can in no way express."""

    def encode(self, pieces: Sequence[SourcePiece], fits: Fits) -> str:
        """The spelling of pieces, one after the other."""


class SourceSlot(NamedTuple):
    """`source[start:end]` shows `width` characters of text, spelled by `codec`."""

    start: int
    end: int
    width: int
    codec: Codec | None = None


class SourceItem(NamedTuple):
    """`source[start:end]` and its codec, or glue that is in the text but not in the source; and the part it is in."""

    start: int
    end: int
    codec: Codec | None
    part: str
    glue: str = ""


class Fragment(NamedTuple):
    """The part of an edit that falls on one changeable stretch of text."""

    start: int
    end: int
    text: str


class Plain:
    """Text that is its own spelling, with no escapes and no structure."""

    def decode(self, raw: str) -> Sequence[SlotStretch] | None:
        return (SlotStretch(0, len(raw)),)

    def clean(self, text: str, fits: Fits) -> str:
        return text

    def encode(self, pieces: Sequence[SourcePiece], fits: Fits) -> str:
        return "".join(piece.text for piece in pieces)


PLAIN = Plain()


NextEdit = Callable[[], int | None]  # where the next edit of the text starts; None when there is none


def shown(codec: Codec, raw: str) -> str:
    """The text that a spelling shows."""
    stretches = codec.decode(raw)
    assert stretches is not None, "a reader found a place that its codec does not know"
    return _text(raw, stretches)


def _text(raw: str, stretches: Iterable[SlotStretch]) -> str:
    return "".join(raw[start:end] if text is None else text for start, end, text, _ in stretches)


def fitted(text: str, fits: Fits) -> str:
    """The text with what does not fit brought down to ASCII."""
    return text if fits(text) else "".join(char if fits(char) else to_ascii(char) for char in text)


def gathered(pieces: Iterable[str]) -> str:
    """Any number of short pieces as one text, never holding more than a few of them apart."""
    source = iter(pieces)
    chunks: list[str] = []
    while chunk := list(islice(source, _CHUNK)):
        chunks.append("".join(chunk))
    return "".join(chunks)


def laid_out(pieces: Iterable[tuple[SourceItem, str]]) -> tuple[str, tuple[Part, ...]]:
    """Items and the text that each shows, as one text with its parts."""
    begins: list[tuple[str, int]] = []  # a part goes on until another begins
    length = 0

    def texts() -> Iterator[str]:
        nonlocal length
        for item, text in pieces:
            if not begins or begins[-1][0] != item.part:
                begins.append((item.part, length))
            length += len(text)
            yield text

    whole = gathered(texts())
    spans = pairwise([*begins, ("", length)])
    return whole, tuple(Part(part, start, end) for (part, start), (_, end) in spans if start < end)


def rewrite(
    source: Decoded, slots: Callable[[NextEdit], Iterable[SourceSlot]], edits: Sequence[Edit]
) -> bytes:
    """The source's bytes with the edits of its text carried out. For slots in the order of the source."""
    return source.splice(patches(source, slots, edits))


def patches(
    source: Decoded, slots: Callable[[NextEdit], Iterable[SourceSlot]], edits: Sequence[Edit]
) -> Iterator[Patch]:
    """What the edits change, slot by slot. `slots` may pass over what the next edit does not reach."""
    waiting = _Waiting(edits)
    position = 0
    for slot in slots(lambda: waiting.next_start):
        start, position = position, position + slot.width
        if waiting.next_start is None:
            return
        if waiting.next_start >= position:
            continue
        if slot.codec is None:
            waiting.pass_by(position)
        else:
            yield from _patched(source, slot, slot.codec, waiting, start)


def sparse(
    length: int,
    exceptions: Iterable[SourceSlot],
    around: Callable[[int, int], SourceSlot],
    next_edit: NextEdit,
) -> Iterator[SourceSlot]:
    """Slots of a source that its text follows character by character, but for some exceptional slots.

    Between those, `around(low, at)` finds the slot that holds position `at` of the source, given that a
    slot ends at `low`; it is asked only for what an edit reaches, so the rest costs nothing.
    """
    done = shown = at = 0  # handed out up to here: in the source, in the text; and the position in the source
    position = 0  # in the text
    for exception in chain(exceptions, (SourceSlot(length, length, 0),)):
        limit = position + exception.start - at
        while (start := next_edit()) is not None and max(start, position) < limit:
            slot = around(at, at + max(start - position, 0))
            yield SourceSlot(done, slot.start, position + slot.start - at - shown)
            yield slot
            position += slot.end - at
            done, shown, at = slot.end, position, slot.end
        if start is None:
            return
        position = limit
        if start < position + exception.width:
            yield SourceSlot(done, exception.start, position - shown)
            yield exception
            done, shown = exception.end, position + exception.width
        position += exception.width
        at = exception.end


class _Waiting:
    """The edits not yet carried out. Hands each out once, then as deletions of what else it covers."""

    def __init__(self, edits: Sequence[Edit]) -> None:
        self._edits = [edit for edit in edits if edit.start < edit.end]
        self._index = 0
        self._placed = False
        self.next_start = self._edits[0].start if self._edits else None

    def pass_by(self, position: int) -> None:
        """Forget what ends at `position` or before it."""
        while self._index < len(self._edits) and self._edits[self._index].end <= position:
            self._index += 1
            self._placed = False
        done = self._index == len(self._edits)
        self.next_start = None if done else self._edits[self._index].start

    def take(self, start: int, end: int) -> Iterator[Fragment]:
        """The fragments on `[start, end)`, all of it changeable."""
        while self.next_start is not None and self.next_start < end:
            edit = self._edits[self._index]
            if edit.end > start:
                yield Fragment(max(start, edit.start), min(end, edit.end), self._text(edit))
            if edit.end > end:
                return
            self.pass_by(edit.end)

    def _text(self, edit: Edit) -> str:
        placed, self._placed = self._placed, True
        return "" if placed else edit.replacement or ""


def _patched(
    source: Decoded, slot: SourceSlot, codec: Codec, waiting: _Waiting, start: int
) -> Iterator[Patch]:
    if codec is PLAIN:  # as long as the file may be: patch by patch, without a copy of the slot
        for fragment in waiting.take(start, start + slot.width):
            shift = slot.start - start
            yield Patch(fragment.start + shift, fragment.end + shift, fitted(fragment.text, source.fits))
        return
    raw = source.text[slot.start : slot.end]
    stretches = codec.decode(raw)
    assert stretches is not None, "a reader found a place that its codec does not know"
    fragments = [
        fragment._replace(text=codec.clean(fragment.text, source.fits))
        for fragment in _merged_deletions(_fragments(stretches, waiting, start))
    ]
    if fragments:
        yield Patch(slot.start, slot.end, _respelled(codec, raw, stretches, fragments, source.fits))


def _fragments(stretches: Sequence[SlotStretch], waiting: _Waiting, start: int) -> Iterator[Fragment]:
    """What the edits change in a slot whose text begins at `start`, in the slot's own positions."""
    position = start
    for stretch in stretches:
        begin, position = position, position + stretch.width
        if stretch.fixed:
            waiting.pass_by(position)
            continue
        if begin == position or waiting.next_start is None or waiting.next_start >= position:
            continue
        for fragment in waiting.take(begin, position):
            yield Fragment(fragment.start - start, fragment.end - start, fragment.text)


def _merged_deletions(fragments: Iterator[Fragment]) -> list[Fragment]:
    """A deletion that goes on where the fragment before it ends is one with it."""
    joined: list[Fragment] = []
    for fragment in fragments:
        if joined and joined[-1].end == fragment.start and not fragment.text:
            joined[-1] = joined[-1]._replace(end=fragment.end)
        else:
            joined.append(fragment)
    return joined


def _respelled(
    codec: Codec, raw: str, stretches: Sequence[SlotStretch], fragments: Sequence[Fragment], fits: Fits
) -> str:
    """The slot's new spelling: the nearest to the old one that shows the text it should."""
    wanted = _applied(_text(raw, stretches), fragments)
    seams = sorted({at for fragment in fragments for at in (fragment.start - 1, fragment.end)})
    for guarded in ((), seams):
        spelling = codec.encode(_patched_pieces(raw, stretches, fragments, guarded), fits)
        again = codec.decode(spelling)
        if again is not None and _text(spelling, again) == wanted:
            return spelling
    return codec.encode([SourcePiece(wanted, SourceOrigin.WHOLE)], fits)


def _applied(text: str, fragments: Sequence[Fragment]) -> str:
    pieces: list[str] = []
    position = 0
    for fragment in fragments:
        pieces += (text[position : fragment.start], fragment.text)
        position = fragment.end
    return "".join(pieces) + text[position:]


class _Pieces:
    """The pieces of a new spelling, with what is kept in as few of them as possible."""

    def __init__(self, raw: str) -> None:
        self.raw = raw
        self._kept = (0, 0)  # what is kept and not yet handed on
        self._pieces: list[SourcePiece] = []

    def keep(self, start: int, end: int) -> None:
        if start != self._kept[1]:
            self._hand_on()
            self._kept = (start, start)
        self._kept = (self._kept[0], end)

    def add(self, text: str, origin: SourceOrigin) -> None:
        self._hand_on()
        self._pieces.append(SourcePiece(text, origin))

    def all(self) -> list[SourcePiece]:
        self._hand_on()
        return self._pieces

    def _hand_on(self) -> None:
        start, end = self._kept
        if start < end:
            self._pieces.append(SourcePiece(self.raw[start:end], SourceOrigin.KEPT))
        self._kept = (end, end)


def _patched_pieces(
    raw: str, stretches: Sequence[SlotStretch], fragments: Sequence[Fragment], guarded: Sequence[int]
) -> list[SourcePiece]:
    """The old spelling with the fragments in place; the characters at `guarded` positions spelled safely."""
    pieces = _Pieces(raw)
    index = position = 0
    for stretch in stretches:
        start = at = position
        position += stretch.width
        ahead = index < len(fragments) and fragments[index].start < position
        if stretch.fixed or not (ahead or guarded):
            pieces.keep(stretch.start, stretch.end)
            continue
        if start == position:  # what shows nothing goes with the text around it
            if not (ahead and fragments[index].start < start < fragments[index].end):
                pieces.keep(stretch.start, stretch.end)
            continue
        while index < len(fragments) and fragments[index].start < position:
            fragment = fragments[index]
            _keep(pieces, stretch, start, at, fragment.start, guarded)
            if fragment.start >= start:
                pieces.add(fragment.text, SourceOrigin.NEW)
            at = min(fragment.end, position)
            if fragment.end > position:
                break
            index += 1
        _keep(pieces, stretch, start, at, position, guarded)
    return pieces.all()


def _keep(
    pieces: _Pieces, stretch: SlotStretch, start: int, low: int, high: int, guarded: Sequence[int]
) -> None:
    """Keep the characters `[low, high)` of a stretch whose text begins at `start`."""
    if low >= high:
        return
    seams = guarded[bisect_left(guarded, low) : bisect_left(guarded, high)]
    if stretch.text is None:
        shift = stretch.start - start
        for seam in seams:
            pieces.keep(low + shift, seam + shift)
            pieces.add(pieces.raw[seam + shift], SourceOrigin.GUARDED)
            low = seam + 1
        pieces.keep(low + shift, high + shift)
    elif not seams and high - low == stretch.width:
        pieces.keep(stretch.start, stretch.end)
    else:
        pieces.add(
            stretch.text[low - start : high - start], SourceOrigin.GUARDED if seams else SourceOrigin.NEW
        )
