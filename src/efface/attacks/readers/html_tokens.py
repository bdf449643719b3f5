"""Splits an HTML page into tokens as browsers do, in time linear in its length.

The standard library's parser looks for the end of a tag again at each tag that has none, which takes minutes on a page
of nothing else. Here what never ends takes the rest of the page with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from html import unescape

_MARKUP = re.compile(r"<(?=[A-Za-z/!?])")
_NAME = re.compile(r"[^\s/>]*+")
_ATTRIBUTE = re.compile(
    r"[\s/]*+(?:(?P<end>>)|(?P<name>=?[^\s/>=]*+)"
    r"(?:\s*+=\s*+(?:\"(?P<double>[^\"]*+)\"|'(?P<single>[^']*+)'|(?P<open>[\"'])|(?P<bare>[^\s>]*+)))?+)"
)
_COMMENT_END = re.compile(r"--!?>")
# Elements whose content has neither tags nor entities.
_RAW = frozenset("script style xmp iframe noembed noframes plaintext".split())
_TEXT_ONLY = frozenset(("title", "textarea"))  # no tags inside


class Kind(Enum):
    """What a token is."""

    TEXT = "text"
    START = "start"
    END = "end"
    RAW = "raw"  # the content of a script, a style sheet and the like
    ASIDE = "aside"  # comments, declarations, and a tag that the end of the page cuts off


@dataclass(frozen=True, slots=True)
class Token:
    """A text, or the name of a tag with its attributes."""

    kind: Kind
    text: str
    attributes: tuple[tuple[str, str], ...] = field(default=(), repr=False)


def tokens(page: str) -> Iterator[Token]:
    """The tokens of the page, in order. Entities are resolved where browsers do."""
    position = 0
    while match := _MARKUP.search(page, position):
        start = match.start()
        if start > position:
            yield Token(Kind.TEXT, unescape(page[position:start]))
        following = page[start + 1 : start + 3]
        if following[0] in "!?" or (following[0] == "/" and not following[1:].isalpha()):
            aside, position = _declaration(page, start)
            yield aside
            continue
        is_end = following[0] == "/"
        name = _NAME.match(page, start + 1 + is_end)
        assert name is not None  # the pattern matches nothing too
        attributes, end = _attributes(page, name.end())
        if end < 0:
            yield Token(Kind.ASIDE, page[start:])
            return
        position = end
        tag = name.group().lower()
        yield Token(Kind.END if is_end else Kind.START, tag, attributes)
        if not is_end and (tag in _RAW or tag in _TEXT_ONLY):
            content, position = _content(page, position, tag)
            yield Token(Kind.RAW, content) if tag in _RAW else Token(Kind.TEXT, unescape(content))
    if position < len(page):
        yield Token(Kind.TEXT, unescape(page[position:]))


def _attributes(page: str, position: int) -> tuple[tuple[tuple[str, str], ...], int]:
    """A tag's attributes and where it ends; -1 if it never does."""
    found: list[tuple[str, str]] = []
    while match := _ATTRIBUTE.match(page, position):
        if match["end"]:
            return tuple(found), match.end()
        if match["open"] or match.end() == len(page):
            return (), -1
        position = match.end()
        value = match["double"] or match["single"] or match["bare"] or ""
        if match["name"] or value:
            found.append((match["name"].lower(), unescape(value)))
    return (), -1


def _declaration(page: str, start: int) -> tuple[Token, int]:
    """A comment, a declaration or an instruction, and where it ends."""
    if page.startswith("<!--", start):
        if page.startswith((">", "->"), start + 4):
            return Token(Kind.ASIDE, ""), page.index(">", start + 4) + 1
        end = _COMMENT_END.search(page, start + 4)
        if end is None:
            return Token(Kind.ASIDE, page[start + 4 :]), len(page)
        return Token(Kind.ASIDE, page[start + 4 : end.start()]), end.end()
    last = page.find(">", start + 2)
    last = last if last >= 0 else len(page)
    return Token(Kind.ASIDE, page[start + 2 : last]), last + 1


def _content(page: str, start: int, tag: str) -> tuple[str, int]:
    """What an element without tags holds, and where its end tag begins."""
    end = re.compile(rf"</{tag}(?=[\s/>])", re.IGNORECASE).search(page, start)
    last = end.start() if end is not None and tag != "plaintext" else len(page)
    return page[start:last], last
