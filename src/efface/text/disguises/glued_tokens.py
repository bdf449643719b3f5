"""Names inside longer tokens: "JWhitcombe1957", "gastelum_serrano_", "Whitcombes", "gold-list.xlsx", "Sa'id"."""

from __future__ import annotations

import re

from efface.text.folding import TERMINAL, UNSPACED, continues
from efface.text.ordinary_words import Usage, usage

_PLURAL = re.compile(r"(?:es|s)?(?:['’ʼ]s?)?", re.IGNORECASE)
_LOOSE = 5  # letters of a name that is known inside a longer word without a seam
_SEAMED = 3  # letters of one that is known between two seams
_UNSPACED = re.compile(f"[{UNSPACED}]")
_APOSTROPHES = "'’ʼ`´"
_ENDING = re.compile(rf"[{_APOSTROPHES}](?:s|d|ll|ve|re|m|t)?(?![^\W\d_])", re.IGNORECASE)
_ELISION = re.compile(rf"(?<![^\W_])(?:[cdjlmnst]|[a-z]*qu|[a-z]{{2,}}ll|un)[{_APOSTROPHES}]$")
_BOUNDS = ' \t\r\n"<>()[]{},;|“”«»'
_NUMBERS = re.compile(r"\d{1,4}(?:[./-]\d{1,4})+")  # a date in numbers
# What kind of file a name is of: "benhaddou.docx".
FILE_ENDING = (
    r"\.(?i:docx?|docm|dotx?|xlsx?|xlsm|pptx?|pptm|od[tsp]|rtf|pdf|txt|md|csv|tsv|jsonl?|xml|html?|eml|msg|ics|vcf|log|"
    r"zip|gz|7z|rar|png|jpe?g|gif|bmp|tiff?|webp|heic|svg|mp[34]|wav|mov|avi)(?!\w)"
)
# "dan.whitby"
_ACCOUNT = re.compile(
    rf"(?<![\w.@/-])[a-z]{{1,20}}(?!{FILE_ENDING})\.[a-z]{{2,20}}[0-9]{{0,4}}(?![\w@/-]|\.\w)"
)
_LONGEST_ACCOUNT = 46  # characters
_LONGEST_TOKEN = (
    500  # characters of one on each side of a name in it: what is longer is data, and no name of its own
)
_NUMBER = 12  # characters of one on each side of what was found of it
_LONGEST_COMMAND = 32  # characters of a command to a terminal
_REACH = 100  # characters of a file name on each side of a word in it
_FILE = re.compile(r"[\w)-]\.(?:[a-z][a-z0-9]{1,4}|[A-Z][A-Z0-9]{1,3})$|^[#@~/]|^\.{1,2}/|[\\_]|://|^www\.")

_RECORD = re.compile(r"[a-z0-9]+(?:[-.:][a-z0-9]+){2,}")  # what programs call a record, as a value by itself


def stands_alone(text: str, start: int, end: int) -> bool:
    """Whether neither side goes on with a letter, a digit or an underscore."""
    return not (_is_inside_token(text, start) or _is_inside_token(text, end))


def _is_inside_token(text: str, at: int) -> bool:
    """Whether the characters on both sides of a position belong to one token."""
    if not 0 < at < len(text):
        return False
    left, right = text[at - 1], text[at]
    return continues(left, right) or (left == "_" and right.isalnum()) or (right == "_" and left.isalnum())


def token_around(text: str, start: int, end: int) -> tuple[int, int]:
    """The stretch with the rest of the tokens that it begins and ends in, or with the nearest part of very long ones."""
    first, last = start - _LONGEST_TOKEN, end + _LONGEST_TOKEN
    while start > first and _is_inside_token(text, start):
        start -= 1
    while end < last and _is_inside_token(text, end):
        end += 1
    return start, end


def name_around(text: str, start: int, end: int) -> tuple[int, int]:
    """`token_around`, over apostrophes too: "Sa" in "Sa'id" is a part of one name. "Malley's" ends before the mark."""
    start, end = token_around(text, start, end)
    while _goes_on_before(text, start):
        start, _ = token_around(text, start - 2, end)
    while _goes_on_after(text, end):
        _, end = token_around(text, start, end + 2)
    return _account_around(text, start, end)


def _account_around(text: str, start: int, end: int) -> tuple[int, int]:
    """A name in lower case with the rest of the account that it is a part of: "dan" in "dan.whitby"."""
    if not text[start:end].islower():
        return start, end
    for account in _ACCOUNT.finditer(text, max(0, start - _LONGEST_ACCOUNT), end + _LONGEST_ACCOUNT):
        if account.start() <= start and end <= account.end():
            return account.span()
    return start, end


def number_around(text: str, start: int, end: int) -> tuple[int, int]:
    """The stretch with the rest of the numbers that it begins and ends in: "5.6." is no date in "5.6.71"."""
    for match in _NUMBERS.finditer(text, max(0, start - _NUMBER), end + _NUMBER):
        if match.start() < end and start < match.end():
            start, end = min(start, match.start()), max(end, match.end())
    return start, end


def _goes_on_before(text: str, start: int) -> bool:
    if start < 2 or text[start - 1] not in _APOSTROPHES or not text[start : start + 1].isalpha():
        return False
    return text[start - 2].isalpha() and _ELISION.search(text[max(0, start - 12) : start]) is None


def _goes_on_after(text: str, end: int) -> bool:
    if not 0 < end < len(text) - 1 or text[end] not in _APOSTROPHES or not text[end - 1].isalpha():
        return False
    return text[end + 1].isalpha() and _ENDING.match(text, end) is None


def glued_token(
    text: str, start: int, end: int, *, loose: bool, least: int = _SEAMED
) -> tuple[int, int] | None:
    """The token that a name is glued into ("JWhitcombe1957", "gastelum_serrano_", "Whitcombes"), or None when the
    token is another word. `loose`: the name is known in a longer word without a seam too ("jwhitcombe")."""
    low, high = token_around(text, start, end)
    if _UNSPACED.search(text, start, end):
        return None
    left, right = _is_seam(text, start), _is_seam(text, end)
    length = end - start
    if length >= least and left and right:
        return low, high
    word = text[low:high]
    is_word = word.isalpha() and usage(word.lower()) is not Usage.NEVER
    if left and length >= least and _is_plural(text, end, high) and not (is_word and word.islower()):
        return low, high
    if loose and not is_word and (length >= _LOOSE or (length >= 4 and not word.isalpha())):
        return low, high
    return None


def _is_plural(text: str, end: int, high: int) -> bool:
    """Whether the ending of a plural or a possessive follows, and then nothing or no letter: "Groups", "GROUPS_x"."""
    ending = _PLURAL.match(text, end, high)
    return ending is not None and (ending.end() == high or not text[ending.end()].isalpha())


def _is_seam(text: str, at: int) -> bool:
    """Whether a token changes here: no letter on one side, or lower case before upper case."""
    if not 0 < at < len(text) or not (text[at - 1].isalpha() and text[at].isalpha()):
        return True
    if text[at].isupper():
        return text[at - 1].islower() or (at + 1 < len(text) and text[at + 1].islower())
    return False


def is_in_file_name(text: str, start: int, end: int) -> bool:
    """Whether a word is in the name of a file, a path, an account, a tag or a record: "gold-list.xlsx", "#gold", and
    in data `"pat-hazel-gold"`."""
    low, high = start, end
    while low > max(0, start - _REACH) and text[low - 1] not in _BOUNDS:
        low -= 1
    while high < min(len(text), end + _REACH) and text[high] not in _BOUNDS:
        high += 1
    if text[max(0, low - 1) : low] == '"' == text[high : high + 1] and _RECORD.fullmatch(text, low, high):
        return True
    while high > end and text[high - 1] in ".:!?'’":
        high -= 1
    return _FILE.search(text[low:high]) is not None


def behind_command(text: str, start: int, limit: int) -> int:
    """Where a token begins that a command to a terminal may precede: the "31m" of a colour is no part of a name."""
    low = max(0, start - _LONGEST_COMMAND)
    ends = [low + command.end() for command in TERMINAL.finditer(text[low:limit])] if start < limit else []
    return max([start, *ends])
