"""Places from which text leaves by itself: addresses, the targets of Markdown links, and HTML tags.

Whoever fetches a link reads what stands in it. A place of one kind may begin inside of another and end behind it, so
that each kind is looked for by itself. Everything here takes linear time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from efface.text.spans import Place

# With a scheme, or with that of the page. Browsers read more than ASCII in addresses; CJK punctuation ends one, and of
# blanks only those of ASCII do.
_REST = r"[^ \t-\r\u3000-\u303f\uff00-\uffef]*"
_SCHEME = (
    r"(?:(?:[A-Za-z][A-Za-z0-9+.-]{0,30}:)?[/\\]{2}|(?i:https?:|ftp:|wss?:|www\.|mailto:|data:|javascript:))"
)
# Chat programs also take a bare host name with a path for a link, and fetch it for a preview. A placeholder may be a
# part of the name, and a backslash before a dot is gone in what Markdown shows.
_LABEL = r"[\w\[\]\\@-]+"
_NO_LABEL = r"(?<![\w\[\]\\@.-])"
_PATH = r"\.?(?::[0-9]{1,5})?\\?[/?#]"
_HOST = rf"{_NO_LABEL}(?:{_LABEL}\.)+(?:\\?\[)?[^\W\d_][\w\[\]\\-]+{_PATH}"
_NUMBERED_HOST = rf"{_NO_LABEL}(?:[0-9]{{1,3}}\.){{3}}[0-9]{{1,3}}{_PATH}"
# The name alone is asked for when a link is shown: a label before a domain tells whoever answers for the domain.
_SUBDOMAIN = re.compile(r"(?<![\w\[\]\\.-])(?:[\w\[\]\\-]+\.)+[\w\\-]{2,}\.[^\W\d_][\w-]+")
_REFERRED = (
    r"&(?:#0*(?:47|58|92)|#[xX]0*(?:2[fF]|3[aA]|5[cC])|sol|bsol|colon)(?![0-9A-Za-z])"  # of / : and \\
)
# A link without slashes, such as one that begins a message, tells by its query or its parameters: "sms:+1?body=".
_QUERY = re.compile(
    rf"(?<![\w+.-])[A-Za-z][A-Za-z0-9+.-]{{1,30}}:(?=[!-~\w]{{0,128}}?[?;&][!-~\w]{{0,64}}?=){_REST}"
)
_ADDRESS = rf"(?:{_SCHEME}|{_HOST}|{_NUMBERED_HOST})"
_ADDRESSES = (
    re.compile(rf"\"{_ADDRESS}[^\"]{{0,2000}}"),
    re.compile(rf"'{_ADDRESS}[^']{{0,2000}}"),
    re.compile(rf"(?:{_ADDRESS}|{_REFERRED}){_REST}"),
    _SUBDOMAIN,
    _QUERY,
)
_LONGEST_HOST = 256  # characters: a host's name has 253 at most
_MAY_BE_ADDRESS = re.compile(r"[.:/]")
_OF_ADDRESS = re.compile(r"[!-~\w]*")

# A target in angle brackets may hold blanks and round brackets. A backslash makes a bracket an ordinary sign.
_TARGET = re.compile(r"\]\(\s{0,9}(?:<(?:\\.|[^<>\n\\])*>?)?")
_IN_TARGET = re.compile(r"\\[^\n]|[()\n]")
_TAG_ON_A_LINE = re.compile(r"<[A-Za-z/!\\][^>\n]*")
_IN_TAG = re.compile(r"<[A-Za-z][A-Za-z0-9-]{0,60}(?=[\s/>]|\Z)|(?P<value>=\s*)?(?P<quote>[\"'])|>")


def link_places(text: str, *, is_unfinished: bool = False) -> list[Place]:
    """Where no original may stand, in order and apart. What follows an unfinished text may still belong to a tag."""
    found = [*_targets(text), *_tags(text, is_unfinished=is_unfinished)]
    for pattern in (*_ADDRESSES, _TAG_ON_A_LINE):
        found.extend(match.span() for match in pattern.finditer(text))
    return list(_merged(sorted(found)))


def is_of_address(sign: str) -> bool:
    """Whether a sign may be one of an address, so that what follows belongs to what precedes it."""
    return bool(_OF_ADDRESS.fullmatch(sign))


def in_link_behind(original: str, text: str, position: int) -> int:
    """Where the link ends that an original begins and the text goes on at a position: `[URL_1]?q=`, `[DOMAIN_NAME_1]/`."""
    rest = _OF_ADDRESS.match(text, position)
    if rest is None or not rest.group() or not _MAY_BE_ADDRESS.search(original):
        return position
    joined = original + rest.group()[:_LONGEST_HOST]
    is_one = any(begin < len(original) < end for begin, end in link_places(joined))
    return rest.end() if is_one else position


def _targets(text: str) -> Iterator[Place]:
    """Targets of Markdown links, to the bracket that closes them or to the end of the line."""
    start = _TARGET.search(text)
    while start is not None:
        end = _target_end(text, start.end())
        yield start.start() + 1, end
        start = _TARGET.search(text, end)


def _target_end(text: str, position: int) -> int:
    depth = 1
    for sign in _IN_TARGET.finditer(text, position):
        depth += {"(": 1, ")": -1}.get(sign.group(), 0)
        if depth == 0 or sign.group() == "\n":
            return sign.start()
    return len(text)


def _tags(text: str, *, is_unfinished: bool) -> Iterator[Place]:
    """Tags over several lines. A tag may begin inside of what only looks like one, so all are read at once:
    `is_open` says whether one of them awaits its end, `quotes` in which quotes one of them stands."""
    begin, is_open = 0, False
    quotes: set[str] = set()
    for sign in _IN_TAG.finditer(text):
        quote = sign["quote"]
        was_inside = is_open or bool(quotes)
        if quote is not None:
            is_closed = quote in quotes
            quotes.discard(quote)
            if is_open and sign["value"] is not None:
                quotes.add(quote)
                is_open = False
            is_open = is_open or is_closed
        elif sign.group() == ">":
            is_open = False
        else:
            begin = begin if was_inside else sign.start()
            is_open = True
        if was_inside and not is_open and not quotes:
            yield begin, sign.start()
    # A tag without an attribute fetches nothing: "a <b" is no reason to withhold all that follows.
    if (is_open or quotes) and (is_unfinished or "=" in text[begin:]):
        yield begin, len(text)


def _merged(places: Iterable[Place]) -> Iterator[Place]:
    start = end = -1
    for place in places:
        if place[0] >= end:
            if start >= 0:
                yield start, end
            start, end = place
        end = max(end, place[1])
    if start >= 0:
        yield start, end
