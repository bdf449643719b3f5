"""Which attribute values belong to the format and which could be words of an author.

A value is structure when it is made of the tokens that the office schemas define, of numbers, of ids and
colours, or is the name of a built-in style or a common font. Everything else is text that must be searched:
a vocabulary that lacks a token shows a little more, one that has a token too many would hide it.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache
from pathlib import Path

from efface.formats.office.string_codecs import is_moment

_STRUCTURE = re.compile(
    r"""
    [\W\d_]+                                                                   # no letters
    | [-+]?[\d.,]+(?:[eE][-+]?\d+)?(?:pt|cm|mm|in|px|em|ex|pc|pi|fd|f|o|dxa)?
    | [A-Za-z]
    | \#[0-9A-Fa-f]{3,8} | (?=\w*\d)[0-9A-Fa-f]{2,32} | [A-F]{2} | [A-F]{6} | [A-F]{8} | [a-f]{6}  # colours, ids
    | \{?[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}\}?
    | (?=\w*\d)(?:rId|docRId|Rf|R|Id|S|c|ctrl)[0-9a-f]+
    | \#?_x0000_[a-z]+\d+
    | \$[A-Z]{1,3}(?:\$\d+)?
    | [a-z]{2,3}(?:-[A-Z][a-z]{3})?-[A-Z]{2}                                   # languages
    | [a-z]{1,3}[A-Z]?\d{1,3} | connsite[XY]\d+                                # guides of shapes
    | (?:w|wp|p|x|a|c|cx|xr|v|o|aink|am)\d{1,3}[a-z]{0,6}                      # prefixes of namespaces
    | https?://(?:schemas\.openxmlformats\.org|schemas\.microsoft\.com|www\.w3\.org|purl\.org/dc)/[\w./-]*
    | http://purl\.oclc\.org/ooxml/[\w./-]*
    | urn:schemas-microsoft-com:[\w.:/-]*
    | application/vnd\.(?:openxmlformats|ms|oasis)[\w.+-]*
    """,
    re.VERBOSE,
)
_ID = re.compile(r"[0-9A-F]{32}|_x0000_\w+")
_CELLS = re.compile(r"\$?[A-Z]{1,3}\$?\d{1,7}")
_SEPARATORS = re.compile(r"[\s:;,()=]+")
_NAME_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_]+")
# Shapes drawn as text have commands of one or two letters between numbers, and a few that run together.
_NO_PATH = re.compile(r"[^A-Za-z\d\s.,+@#-]|(?![xeml]+(?![A-Za-z]))(?<![A-Za-z])[A-Za-z]{3}")
_DIGITS = re.compile(r"\d{2}")
_LONG = 2000  # characters: no list of tokens is longer, but paths of shapes are
_LONG_NUMBER = re.compile(r"\d{7}")
SCRUBBED_DATE = "2000-01-01T00:00:00.000"  # what dates become that a file must have
# Built-in names met before: every Word file lists hundreds. Nothing else is kept from one file to the next.
_MET: set[str] = set()
_MOST_MET = 4096  # names that are kept from one file to the next


@cache
def _vocabulary() -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """Tokens, words of style names, fonts."""
    content = Path(__file__).with_name("vocabulary.txt").read_text("utf-8")
    tokens, words, fonts = re.split(r"^# .*\n", content, flags=re.MULTILINE)[1:]
    return frozenset(tokens.split()), frozenset(words.split()), frozenset(fonts.splitlines())


def structural(value: str, *, cells: bool = False) -> bool:
    """Whether a value outside the known free-text positions says nothing but how the document is built.
    With `cells` the names of cells are structure too."""
    tokens, words, fonts = _vocabulary()
    if value in tokens or value in fonts or value == SCRUBBED_DATE or _STRUCTURE.fullmatch(value):
        return True
    if len(value) > _LONG:
        return _is_path(value)
    if _is_list_of_tokens(value, tokens, cells=cells):
        return True
    # What programs name themselves is made of words that they use: "HeaderEvenPage".
    return words.issuperset(_NAME_WORDS.findall(value)) or _is_path(value)


def _is_list_of_tokens(value: str, tokens: Collection[str], *, cells: bool) -> bool:
    """A list of tokens is structure when each of them is."""
    others = []
    for part in _SEPARATORS.split(value):
        if part and not _STRUCTURE.fullmatch(part):
            others.append(part)
    if all(part in tokens for part in others):
        return True
    return cells and all(map(_CELLS.fullmatch, others))


def built_in(name: str) -> bool:
    """Whether a style or shape has one of the names that office programs give, or none that can be read."""
    if name in _MET:
        return True
    _, words, _ = _vocabulary()
    if not has_long_number(name) and all(part in words for part in _NAME_WORDS.findall(name)):
        if len(_MET) < _MOST_MET:
            _MET.add(name)
        return True
    return _ID.fullmatch(name) is not None


def has_long_number(name: str) -> bool:
    """Whether a name holds a number too long to be a program's counter. Such a number may be an identifier."""
    return _LONG_NUMBER.search(name) is not None


def _is_path(value: str) -> bool:
    return _DIGITS.search(value) is not None and _NO_PATH.search(value) is None and not is_moment(value)
