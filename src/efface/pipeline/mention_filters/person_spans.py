"""One mention, one person: "Ann Lee and Paul Roe" are two, and "De la" goes on with the surname after it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from efface.core import Mention
from efface.learners.names import is_given_name
from efface.pipeline.mention_filters.completed_names import with_rest_of_name
from efface.pipeline.mention_filters.person_lines import people_in_lines
from efface.text.calendar_names import ENGLISH_WEEKDAYS, MONTH_NUMBERS
from efface.text.folding import fold_term
from efface.text.letter_classes import CAPITAL, SMALL
from efface.text.ordinary_words import is_ordinary
from efface.text.person_words import PARTICLES, ROLES, TITLES

_PERSON = "PERSON"
_DATE = "DATE_TIME"
_INITIALS = re.compile(r"(?:[A-Z]\.[ \u00a0]?){2,3}")
_TIMES = frozenset(map(fold_term, ("A.M.", "P.M.", "A.D.", "B.C.", "C.E.", "B.C.E.")))
_JOINING = frozenset("and or of und et y e".split())
_NAME_PARTICLES = PARTICLES - _JOINING
_GIVEN = re.compile(rf"{CAPITAL}{SMALL}+")
_SURNAME = re.compile(rf"{CAPITAL}{SMALL}{{2,}}(?:['’-][^\W\d_]+)*|(?:Mc|Mac|O['’]){CAPITAL}{SMALL}+")
_NO_SURNAMES = frozenset(TITLES) | frozenset(ROLES) | frozenset(MONTH_NUMBERS) | ENGLISH_WEEKDAYS
_AND = re.compile(
    r"(?P<comma>,[ \u00a0])|\s*;\s*|\s+(?:and|und|et|&)\s+|(?<=[^\W\d_]{2})\s?/\s?(?=[^\W\d_]{2})"
)  # "Pete/Lou" are two
_INITIALS_AND_SURNAME = re.compile(rf"(?:{CAPITAL}\.[ \u00a0]?){{1,3}}{CAPITAL}[^\W\d_]+.*", re.DOTALL)
# A sentence that ends within a mention: "Mr C Shaw. Shaw P. rang", "by Dr Amadi. 54F, diabetic".
_SENTENCE_END = re.compile(r"(?<=[^\W\d_]{3})\.\s+(?=\S)")
_SHORTENED = frozenset(  # given names and degrees that are written with a dot
    "abr alex and archd benj bros chas dan danl dipl edw eliz fred fredk geo hon ing jas jno jos jon jun kath mag margt matt mich "
    "mons msgr nath nich robt saml sen sra srta theo thos tim univ wilh will".split()
)
# A bracket that another name follows: on a new line, or one that does not end within the mention.
_BRACKET = re.compile(r"\s*\n\s*\(|\s*\((?=[^()]*\Z)")
_WORD = re.compile(r"[^\W\d_]+")
_TITLES_BEHIND = frozenset("MR MRS MS MISS MSTR CHD INF".split())
_NEXT = re.compile(r"[ \u00a0](?P<word>[^\W\d_]+(?:['’-][^\W\d_]+)*)")
# Jonathan "Jonty" Whitcombe: the name goes on behind the quotes.
_NICKNAME = re.compile(
    rf"(?:[^\W\d_]+\.?[ \u00a0]){{1,3}}[\"“‘']{CAPITAL}[^\W\d_]*[\"”’'][ \u00a0]{CAPITAL}[^\W\d_]*(?:['’-][^\W\d_]+)*"
)


def one_person_each(text: str, mentions: Iterable[Mention]) -> Iterator[Mention]:
    """The mentions, each of one whole person."""
    for found in mentions:
        mention = _of_initials(text, found)
        if mention.type != _PERSON:
            yield mention
            continue
        parts = [part for sentence in _sentences(text, mention) for part in _around_bracket(text, sentence)]
        for part in parts:
            for start, end in people_in_lines(text, part.start, part.end):
                for piece in _people(text, _piece(text, part, start, end)):
                    named = _with_unknown_surname(text, _with_surname(text, piece))
                    whole = _piece(text, named, *with_rest_of_name(text, named.start, named.end))
                    yield _with_nickname(text, whole)


def _of_initials(text: str, mention: Mention) -> Mention:
    """A mention of initials that was taken for a date, as a person. "a.m." and "A.D." are about time."""
    if mention.type != _DATE:
        return mention
    surface = text[mention.start : mention.end]
    if _INITIALS.fullmatch(surface) is None or fold_term(surface) in _TIMES:
        return mention
    return replace(mention, type=_PERSON, because="initials")


def _sentences(text: str, mention: Mention) -> Iterator[Mention]:
    """The mention before and after the end of a sentence. A title with a dot ends none: "Prof. Lee"."""
    start = mention.start
    for end in _SENTENCE_END.finditer(text, mention.start, mention.end):
        words = _WORD.findall(text[start : end.start()])
        if _is_abbreviated(words[-1]) or not _is_name(text[start : end.start()]):
            continue
        if _is_name(text[end.end() : mention.end]):
            yield _piece(text, mention, start, end.start())
            start = end.end()
        elif text[end.end()].isdigit():
            yield _piece(text, mention, start, end.start())
            return
    yield _piece(text, mention, start, mention.end)


def _is_abbreviated(word: str) -> bool:
    """Whether a dot behind a word of a name belongs to it."""
    folded = fold_term(word)
    return folded in TITLES or folded in ROLES or folded in _SHORTENED


def _around_bracket(text: str, mention: Mention) -> Iterator[Mention]:
    """The mention before and after a bracket: a signature, and below it the name in full."""
    surface = text[mention.start : mention.end]
    bracket = _BRACKET.search(surface)
    if bracket is None:
        yield mention
        return
    after = surface[bracket.end() :].rstrip(" )")
    if not _is_name(surface[: bracket.start()]) or not _is_name(after):
        yield mention
        return
    begin = mention.start + bracket.end()
    yield _piece(text, mention, mention.start, mention.start + bracket.start())
    yield _piece(text, mention, begin, begin + len(after))


def _people(text: str, mention: Mention) -> Iterator[Mention]:
    """The people of a mention. "Ann and Paul Roe" are two as well."""
    start = mention.start
    for joint in _AND.finditer(text, mention.start, mention.end):
        before, after = text[start : joint.start()], text[joint.end() : mention.end]
        if joint["comma"] and not _are_two(before, after):
            continue
        if _is_name(before) and _is_name(after):
            yield _piece(text, mention, start, joint.start())
            start = joint.end()
    yield _piece(text, mention, start, mention.end)


def _are_two(before: str, after: str) -> bool:
    """Whether a comma is between two people: "Big Al, Terry", "A. Pryce, D. Fenwick". A surname stands before the comma in
    "Livingston, James". Airlines write a title behind the name: "LAU/OSCAR MSTR, REED/AVA MS"."""
    first, second = _WORD.findall(before), _WORD.findall(after)
    if len(first) < 2 or not second:
        return False
    if first[-1] in _TITLES_BEHIND:
        return True
    if _INITIALS_AND_SURNAME.fullmatch(before) and _INITIALS_AND_SURNAME.fullmatch(after):
        return True
    return is_given_name(fold_term(first[-1])) and is_given_name(fold_term(second[0]))


def _is_name(surface: str) -> bool:
    words = _WORD.findall(surface)
    return any(word[0].isupper() and len(word) > 1 for word in words)


def _with_surname(text: str, mention: Mention) -> Mention:
    """A mention of nothing but particles, or of a title and initials ("Mr. T."), with the name that they precede."""
    words = _WORD.findall(text[mention.start : mention.end])
    following = _NEXT.match(text, mention.end)
    if not words or following is None or not following["word"][0].isupper():
        return mention
    is_initial = [len(word) == 1 or fold_term(word) in TITLES for word in words]
    if all(is_initial) and not is_ordinary(following["word"].lower()):
        return _piece(text, mention, mention.start, following.end())
    if not all(fold_term(word) in _NAME_PARTICLES for word in words):
        return mention
    return _piece(text, mention, mention.start, following.end())


def _with_unknown_surname(text: str, mention: Mention) -> Mention:
    """A name of one word with the word behind it, if that has a capital and is no word of English: "Olu Bankole"."""
    following = _NEXT.match(text, mention.end)
    given = text[mention.start : mention.end]
    if following is None or not _GIVEN.fullmatch(given) or fold_term(given) in _NO_SURNAMES:
        return mention
    word = following["word"]
    if not _SURNAME.fullmatch(word) or is_ordinary(word.lower()) or fold_term(word) in _NO_SURNAMES:
        return mention
    return _piece(text, mention, mention.start, following.end())


def _with_nickname(text: str, mention: Mention) -> Mention:
    """A mention that ends before or within a nickname in quotes, with the surname behind it."""
    whole = _NICKNAME.match(text, mention.start)
    if whole is None or whole.end() <= mention.end:
        return mention
    quote = min(place for place in map(whole.group().find, "\"“‘'") if place >= 0)
    if mention.end < mention.start + quote - 1:
        return mention
    return _piece(text, mention, mention.start, whole.end())


def _piece(text: str, mention: Mention, start: int, end: int) -> Mention:
    if (start, end) == (mention.start, mention.end):
        return mention
    return replace(mention, start=start, end=end, key=fold_term(text[start:end]))
