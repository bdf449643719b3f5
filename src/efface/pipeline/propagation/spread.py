"""What is cut once is cut everywhere.

One search of the text for every string that the cuts make unwelcome, in linear time. Each place is then cut, with
the token around it, or stays for a reason that the report gives.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain

from efface.core import NOTHING, Edit, Exemption, Span, SpanSet
from efface.pipeline.propagation.companions import with_companions
from efface.pipeline.propagation.hidden_places import (
    NOTHING_CUT,
    AlreadyCut,
    between_walls,
    cells_of,
    hidden_places,
    is_all_cut,
    nothing_follows,
)
from efface.pipeline.propagation.identity import one_thing, one_type
from efface.pipeline.propagation.initials import in_cells_beside, with_initials, with_known_initials
from efface.pipeline.propagation.misread_persons import with_persons
from efface.pipeline.propagation.relatives import with_relatives, without_kept
from efface.pipeline.propagation.strings import DENIED, FOLLOWED, NAMES, PERSON, PropagatedString, unwelcome
from efface.pipeline.propagation.word_context import (
    address_around,
    is_called_in_small_letters,
    is_ordinary_here,
    without_direction_ends,
)
from efface.text.disguises.glued_tokens import (
    behind_command,
    glued_token,
    is_in_file_name,
    name_around,
    number_around,
    stands_alone,
    token_around,
)
from efface.text.folding import fold_term, foldings, has_joint
from efface.text.ordinary_words import is_ordinary
from efface.text.search.string_search import Strings, occurrences

KEPT = "on the keep list"
KEPT_AGAINST = "on the keep list, against a guarantee"
ORDINARY = "an ordinary word where it stands"
_JOINTS = frozenset({" ", "\u00a0", "-"})
DATE = "DATE_TIME"
_AROUND = {PERSON: name_around, DATE: number_around}
_StringPlace = tuple[PropagatedString, Span]
_IN_ADDRESS = 4  # letters of a name that is known inside an address


@dataclass(frozen=True, slots=True)
class Stay:
    """A place where an unwelcome string stays, and why."""

    start: int
    end: int
    type: str
    reason: str


@dataclass(frozen=True, slots=True)
class Propagation:
    """All edits, and the places that stay."""

    edits: tuple[Edit, ...]
    stays: tuple[Stay, ...]


def exemptions_of(text: str, stays: Iterable[Stay]) -> tuple[Exemption, ...]:
    """What stays, for the report: each string once, with how often it stays."""
    counts: dict[tuple[str, str, str], int] = {}
    for stay in stays:
        key = (text[stay.start : stay.end].lower(), stay.type, stay.reason)
        counts[key] = counts.get(key, 0) + 1
    return tuple(Exemption(word, type_, reason, n) for (word, type_, reason), n in sorted(counts.items()))


def spread(
    text: str,
    edits: Sequence[Edit],
    kept: SpanSet,
    borders: Collection[int] = (),
    placed: Collection[Edit] = (),
    breaks: str = "",
) -> Propagation:
    """The edits with those that follow from them. What lies in `kept` stays; no edit crosses a border, and a name in
    two cells, which end at one of the `breaks`, is cut in each.

    The `placed` edits take a term out only where a guarantee asks for it, so nothing follows from them.
    """
    asked = with_persons(text, [_whole_token(text, edit) for edit in edits])
    edits = without_kept(with_companions(text, with_relatives(text, asked)), asked, kept)
    if not (strings := unwelcome(text, edits, placed)):
        return Propagation(tuple(edits), ())
    walls = sorted(borders)
    # The words that a guarantee puts in a place may hold the string, so such a place is looked at too.
    done = SpanSet(edit for edit in edits if edit.replacement is None)
    found, counts = _outside(done, text, strings)
    small = {one.string for one, span in found if _is_small(text, span)}
    cut = AlreadyCut(done, counts) if not kept else NOTHING_CUT
    hidden = list(hidden_places(text, strings, partial(_is_cut_without_keep_list, small=small), cut))
    if nothing_follows(found, hidden):  # as in nearly every short text
        return Propagation(tuple(_named(text, edits, walls)), ())
    judged = _cut_or_stay(text, found, kept, small, SpanSet(edit for edit in edits if edit.type == PERSON))
    more = _cut_where_found(text, (one for one in judged if not isinstance(one, Stay)), walls, breaks)
    judged_hidden = list(_judged_hidden(text, hidden, kept, done, walls, breaks))
    for one in judged_hidden:
        if not isinstance(one, Stay):
            more.setdefault((one.start, one.end), one)
    followed = _adjacent_joined(text, more.values(), strings)
    everything = _named(text, [*edits, *followed], walls)
    stays = [one for one in chain(judged, judged_hidden) if isinstance(one, Stay)]
    stays += _ordinary_tokens(text, followed, strings)
    return Propagation(tuple(everything), _untouched_stays(stays, SpanSet(everything)))


def _untouched_stays(stays: Iterable[Stay], cover: SpanSet) -> tuple[Stay, ...]:
    """The places that no edit touches, each once, with the last reason told."""
    places = {(stay.start, stay.end): stay for stay in stays}
    return tuple(stay for stay in places.values() if not cover.touches(stay.start, stay.end))


def _cut_or_stay(
    text: str, found: Iterable[_StringPlace], kept: SpanSet, small: Collection[str], people: SpanSet
) -> list[_StringPlace | Stay]:
    """Each place where a string is cut, or why it stays there. Other words that only contain it are left out."""
    judged: list[_StringPlace | Stay] = []
    for one, span in found:
        if (reason := _reason_to_stay(text, one, span, kept, small)) is None:
            continue
        is_cut = not reason or (reason == ORDINARY and _begins_name(text, one, span, people))
        # What is ordinary is the word, so the plural is told: "groups", not "group".
        told = token_around(text, span.start, span.end) if reason == ORDINARY else (span.start, span.end)
        judged.append((one, span) if is_cut else Stay(*told, one.type, reason))
    return judged


def _judged_hidden(
    text: str, hidden: Iterable[_StringPlace], kept: SpanSet, done: SpanSet, walls: Sequence[int], breaks: str
) -> Iterator[Edit | Stay]:
    """The edits for what hides a string, or the keep list as the reason why it stays."""
    for one, span in hidden:
        if _is_kept(kept, one, span):
            yield Stay(span.start, span.end, one.type, KEPT)
        elif not is_all_cut(text, span, done):
            for piece in between_walls(span, walls):
                cells = _word_cells(text, piece, breaks)
                yield from (_edit(one, cell) for cell in cells if text[cell.start : cell.end].strip())


def _word_cells(text: str, span: Span, breaks: str) -> Sequence[Span]:
    """The stretch cell by cell, so that none is emptied; whole, where each cell has but a letter of it."""
    cells = list(cells_of(text, span, breaks))
    return cells if all(cell.end - cell.start > 1 for cell in cells) else [span]


def _cut_where_found(
    text: str, places: Iterable[_StringPlace], walls: Sequence[int], breaks: str
) -> dict[tuple[int, int], Edit]:
    """An edit for each place, with what belongs to it, cell by cell; of two for one place the surer."""
    cuts: dict[tuple[int, int], Edit] = {}
    for one, span in places:
        wide = _cut_at_walls(_widened(text, one, span), span, walls)
        for piece in cells_of(text, wide, breaks):
            known = cuts.get((piece.start, piece.end))
            if known is None or known.score < one.score:
                cuts[piece.start, piece.end] = _edit(one, piece)
    return cuts


def _named(text: str, edits: Sequence[Edit], walls: Sequence[int]) -> list[Edit]:
    """The edits with one type and one key for each name, and with the initials of persons.

    Types first: whom a finder called a place here and a person there has initials in both places.
    """
    if not any(edit.type in NAMES for edit in edits):
        return list(edits)
    with_types = one_type(text, [without_direction_ends(text, edit) for edit in edits])
    with_letters = with_initials(text, with_types, PERSON, walls)
    return one_thing(text, in_cells_beside(text, with_letters, PERSON))


def _ordinary_tokens(text: str, followed: Iterable[Edit], strings: Collection[str]) -> Iterator[Stay]:
    """Where a token that was cut with the name in it is an ordinary word: "birds", after "the Birds" were cut."""
    tokens: dict[str, Edit] = {}
    for edit in followed:
        token = fold_term(text[edit.start : edit.end])
        if token.isalpha() and token not in strings and is_ordinary(token):
            tokens.setdefault(token, edit)
    if not tokens:
        return
    for folded in foldings(text):
        for token, start, end in Strings(tokens).find(folded.text):
            span = folded.span(start, end)
            yield Stay(span.start, span.end, tokens[token].type, ORDINARY)


def _is_small(text: str, span: Span) -> bool:
    """Whether the text uses a word in lower case here, in prose."""
    if not text[span.start : span.end].islower():
        return False
    return stands_alone(text, span.start, span.end) and not is_in_file_name(text, span.start, span.end)


def _whole_token(text: str, edit: Edit) -> Edit:
    """A name that a finder cut out of a longer token goes with the token."""
    is_name = edit.type in NAMES or edit.type == DATE or edit.reason == DENIED
    if edit.replacement is not None or not is_name:
        return edit
    has_letters = any(map(str.isalpha, text[edit.start : edit.end]))
    around = _AROUND.get(edit.type, token_around) if has_letters else number_around
    left, end = around(text, edit.start, edit.end)
    start = behind_command(text, left, edit.start)
    return edit if (start, end) == (edit.start, edit.end) else replace(edit, start=start, end=end)


def _outside(
    done: SpanSet, text: str, strings: dict[str, PropagatedString]
) -> tuple[list[_StringPlace], Mapping[str, int]]:
    """The places of the strings that are not cut already, and how often each string stands in the text, of those that
    are cut wherever they do. A large text has too many places to keep them all."""
    found: list[_StringPlace] = []
    counts: dict[str, int] = {}
    for one, start, end in _string_places(text, strings):
        if done.covers(start, end):
            counts[one.string] = counts.get(one.string, 0) + 1
        else:
            found.append((one, Span(start, end)))
    if has_joint(text):  # a place may then be read in two ways, and would count twice
        return found, {}
    for one, _ in found:
        counts.pop(one.string, None)
    return found, counts


def _string_places(
    text: str, strings: dict[str, PropagatedString]
) -> Iterator[tuple[PropagatedString, int, int]]:
    """Where the strings stand, each place once."""
    listed = sorted(strings)
    look = occurrences(listed, len(text))
    seen: set[tuple[int, int, int]] = set()
    has_two_readings = has_joint(text)
    for folded in foldings(text):
        may_repeat = has_two_readings or not folded.is_in_step
        for index, start, end in look(folded.text):
            low, high = folded.bounds(start, end)
            if may_repeat:
                if (index, low, high) in seen:
                    continue
                seen.add((index, low, high))
            yield strings[listed[index]], low, high


def _reason_to_stay(
    text: str, one: PropagatedString, span: Span, kept: SpanSet, small: Collection[str]
) -> str | None:
    """Why the string stays here; "" when it is cut, None when this is another word that only contains the string."""
    alone = stands_alone(text, span.start, span.end)
    if one.stays and not alone and glued_token(text, span.start, span.end, loose=False):
        return one.stays  # "CV_Mehta.docx": the search of the bytes knows the name there
    if not alone and (_is_other_case(text, one, span) or not _is_glued(text, one, span)):
        return None
    if _is_kept(kept, one, span):
        return KEPT_AGAINST if one.promised and not one.stays else KEPT
    if one.stays:
        return one.stays
    if _is_other_case(text, one, span):
        return ORDINARY
    if one.ordinary and one.type == PERSON:
        return _ordinary_name(text, one, span, small) if alone else _ordinary_plural(text, one, span, small)
    return ""


def _begins_name(text: str, one: PropagatedString, span: Span, people: SpanSet) -> bool:
    """Whether a person's name goes on after the word: "Will" is no verb before a Young who was cut."""
    at = span.end + 1
    is_capital = text[span.start : span.start + 1].isupper()
    return one.type == PERSON and is_capital and text[span.end : at] in _JOINTS and people.touches(at, at + 1)


def _is_cut_without_keep_list(text: str, one: PropagatedString, span: Span, small: Collection[str]) -> bool:
    """Whether the string is cut at this place when there is no keep list."""
    return _reason_to_stay(text, one, span, NOTHING, small) == ""


def _is_glued(text: str, one: PropagatedString, span: Span) -> bool:
    """Whether the string is meant inside a longer token: an account, a link, a plural."""
    if not one.glues:
        return False
    start, end = span.start, span.end
    if glued_token(text, start, end, loose=_is_loose(one)) is not None:
        return True
    return _is_known_in_addresses(one, start, end) and address_around(text, start, end) is not None


def _is_known_in_addresses(one: PropagatedString, start: int, end: int) -> bool:
    """Whether a name is known anywhere in an address. "mark" is not: markets have addresses too."""
    return one.type == PERSON and one.glues and not one.ordinary and end - start >= _IN_ADDRESS


def _is_loose(one: PropagatedString) -> bool:
    return not one.ordinary and not one.exact and (one.type == PERSON or one.is_named_outright)


def _is_kept(kept: SpanSet, one: PropagatedString, span: Span) -> bool:
    """Whether the keep list keeps this place. What is denied or guaranteed is kept only inside something longer; a part of a
    denied name is kept as such."""
    is_part = bool(one.owners) and one.string not in one.owners
    if (one.reason == DENIED and not is_part) or one.promised:
        return kept.covers(span.start - 1, span.end) or kept.covers(span.start, span.end + 1)
    return kept.covers(span.start, span.end)


def _is_other_case(text: str, one: PropagatedString, span: Span) -> bool:
    if not one.exact or " ".join(text[span.start : span.end].split()) in one.exact:
        return False
    return one.type != PERSON or not is_in_file_name(text, span.start, span.end)


def _ordinary_name(text: str, one: PropagatedString, span: Span, small: Collection[str]) -> str:
    """Whether a name made of ordinary words stays: its context decides."""
    surface = text[span.start : span.end]
    if " " in one.string or "-" in one.string:
        return ORDINARY if surface.islower() else ""
    is_small = one.string in small
    if one.small and surface.islower() and is_called_in_small_letters(text, span.start, span.end):
        return ""
    ordinary = is_ordinary_here(text, span.start, span.end, one.string, is_small_elsewhere=is_small)
    return ORDINARY if ordinary else ""


def _ordinary_plural(text: str, one: PropagatedString, span: Span, small: Collection[str]) -> str:
    """A name that is an ordinary word too, in a longer token: "the Birds" are meant, "Birds sing" is not."""
    low, high = token_around(text, span.start, span.end)
    token = text[low:high]
    if not token.isalpha() or low < span.start:
        return ""
    is_small = one.string in small or f" {token.lower()}" in text
    ordinary = is_ordinary_here(text, low, high, token.lower(), is_small_elsewhere=is_small)
    return ORDINARY if ordinary else ""


def _widened(text: str, one: PropagatedString, span: Span) -> Span:
    """The place with the token, the address or the initials that belong to it."""
    start, end = span.start, span.end
    if not stands_alone(text, start, end):
        token = glued_token(text, start, end, loose=_is_loose(one))
        start, end = token or (start, end)
    if one.type == PERSON:
        start, end = name_around(text, start, end)
    if _is_known_in_addresses(one, span.start, span.end):
        address = address_around(text, start, end)
        if address is not None:
            return Span(*address)
    if one.owners:
        start, end = with_known_initials(text, start, end, one.initials)
    return Span(start, end)


def _cut_at_walls(wide: Span, span: Span, walls: Sequence[int]) -> Span:
    """The wide span, cut where a cell, a field or a part ends."""
    if not walls:
        return wide
    low = bisect_right(walls, span.start) - 1
    high = bisect_left(walls, span.end)
    start = max(wide.start, walls[low]) if low >= 0 else wide.start
    end = min(wide.end, walls[high]) if high < len(walls) else wide.end
    return Span(start, end)


def _edit(one: PropagatedString, span: Span) -> Edit:
    return Edit(span.start, span.end, one.type, one.string, f"{one.reason}; {FOLLOWED}", None, one.score)


def _adjacent_joined(text: str, edits: Iterable[Edit], strings: dict[str, PropagatedString]) -> list[Edit]:
    """Adjacent parts of one name joined to one edit, so that one person does not get two placeholders."""
    joined: list[Edit] = []
    owners: frozenset[str] = frozenset()
    for edit in sorted(edits, key=lambda edit: (edit.start, -edit.end)):
        last = joined[-1] if joined else None
        whose = strings[edit.key].owners
        if last is not None and edit.start < last.end and last.type == edit.type:
            joined[-1] = replace(last, end=max(last.end, edit.end))
        elif last is not None and owners & whose and text[last.end : edit.start] in _JOINTS:
            joined[-1] = replace(last, end=edit.end)
            owners &= whose
        else:
            joined.append(edit)
            owners = whose
    return joined
