"""Formulas as text: where they name a sheet, and how they follow when the sheet is renamed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from efface.formats.office.xmltext import XmlChange

# A sheet before its exclamation mark, quoted or not; or a string, which is skipped.
_REFERENCE = re.compile(r"""'((?:[^']|'')+)'!|([\w.]+)!|"(?:[^"]|"")*\"""")
_PLAIN = re.compile(r"[A-Za-z_][\w.]*")
_LONGEST_FORMULA = 8192 * 4  # Excel's own limit is 8192 characters, and escapes make them longer
# A string, or a character by its number; and what may stand between two that are put together.
_LITERAL = re.compile(r""""((?:[^"]|"")*+)"|\b(?:UNI)?CHAR\(\s*(\d{1,7})\s*\)""", re.IGNORECASE)
_JOINT = re.compile(r"[\s()]*&[\s()]*")
_LISTED = re.compile(r"[\s()&,;]+")
_LISTING = re.compile("CONCAT|TEXTJOIN", re.IGNORECASE)


def distinct(name: str, taken: Iterable[str]) -> str:
    """The name, or one of the same length that differs from those taken, whatever the case."""
    used = {other.lower() for other in taken}
    number, result = 2, name
    while result.lower() in used:
        digits = str(number)
        result = name[: -len(digits)] + digits if len(name) > len(digits) else name + digits
        number += 1
    return result


def renamed(formula: str, names: Mapping[str, str]) -> str:
    """The formula after sheets got new names; `names` has the old ones in lower case."""

    def follow(match: re.Match[str]) -> str:
        quoted, bare = match[1], match[2]
        old = quoted.replace("''", "'") if quoted else bare
        new = names.get((old or "").lower())
        if new is None:
            return match[0]
        return f"{new}!" if _PLAIN.fullmatch(new) else "'" + new.replace("'", "''") + "'!"

    return _REFERENCE.sub(follow, formula) if _has_references(formula) else formula


def _has_references(formula: str) -> bool:
    """Office programs write nothing longer; looking for quotes in it would take forever."""
    return "!" in formula and len(formula) <= _LONGEST_FORMULA


def outside_references(formula: str, changes: Iterable[XmlChange], sheets: Iterable[str]) -> list[XmlChange]:
    """The changes that touch more than the names of the workbook's own sheets, which follow by themselves."""
    if not _has_references(formula):
        return list(changes)
    known = {sheet.lower() for sheet in sheets}
    spans: list[tuple[int, int]] = []
    for match in _REFERENCE.finditer(formula):
        named = (match[1] or match[2] or "").replace("''", "'")
        if named.lower() in known:
            spans.append(match.span())
    outside = []
    for change in changes:
        if not any(start <= change[0] and change[1] <= end for start, end in spans):
            outside.append(change)
    return outside


def spoken(formula: str) -> list[str]:
    """The words that a formula puts together from pieces: `"Zanzi"&"bar"`, CONCATENATE("a","b"), CHAR(65)&"b"."""
    joint = _LISTED if _LISTING.search(formula) else _JOINT
    groups: list[list[str]] = []
    end = -1
    for match in _LITERAL.finditer(formula):
        text = match[1].replace('""', '"') if match[1] is not None else _character(int(match[2]))
        if end >= 0 and joint.fullmatch(formula, end, match.start()):
            groups[-1].append(text)
        else:
            groups.append([text])
        end = match.end()
    return ["".join(group) for group in groups if len(group) > 1]


# Functions that make another text of one, and what puts texts together.
_CHANGING = re.compile(
    r"\b(?:SUBSTITUTE|REPLACE|MID|LEFT|RIGHT|REPT|CHAR|UNICHAR|LET|LAMBDA|REDUCE|TEXTSPLIT|TEXTAFTER|TEXTBEFORE|BASE|T|TEXT)"
    r"B?\s*\(",
    re.IGNORECASE,
)
_STRING = re.compile(r'"((?:[^"]|"")*+)"')


def makes_words(formula: str, *, has_value: bool) -> bool:
    """Whether a formula may show a word that stands nowhere in the file: one that it makes of pieces of words, or any
    text where the file does not say what the formula gave."""
    changing = _CHANGING.search(_STRING.sub('""', formula)) is not None
    joining = "&" in _STRING.sub('""', formula) or _LISTING.search(formula) is not None
    if not has_value:
        return changing or joining
    pieces = sum(any(map(str.isalpha, text)) for text in _STRING.findall(formula))
    return (changing and pieces > 0) or (joining and pieces > 1)


def _character(code: int) -> str:
    return chr(code) if 0x20 <= code < 0xD800 or 0xE000 <= code < 0xFFFE else ""
