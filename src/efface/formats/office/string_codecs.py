"""How strings of office files are written there, and how they read: percent signs, escapes, names with rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from urllib.parse import quote, unquote

NOT_XML = re.compile(r"[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _unchanged(value: str) -> str:
    return value


_PERCENT = re.compile("(?:%[0-9A-Fa-f]{2})+")
_ESCAPE_LIKE = re.compile("%(?=[0-9A-Fa-f]{2})")
_XSTRING = re.compile("_x([0-9A-Fa-f]{4})_")


def _shown_url(value: str) -> str:
    return _PERCENT.sub(_unquoted, value) if "%" in value else value


def _unquoted(match: re.Match[str]) -> str:
    text = unquote(match[0], errors="surrogateescape")
    return match[0] if NOT_XML.search(text) else text


def _written_url(value: str) -> str:
    return quote(value, safe="!#$&'()*+,/:;=?@~\\")


def _written_code(value: str) -> str:
    """A field code keeps its blanks and quotes; only what would read as an escape is escaped."""
    return _ESCAPE_LIKE.sub("%25", value)


def _shown_xstring(value: str) -> str:
    return _XSTRING.sub(_unescaped, value) if "_x" in value else value


def _unescaped(match: re.Match[str]) -> str:
    char = chr(int(match[1], 16))
    return match[0] if NOT_XML.search(char) else char


def written_xstring(value: str) -> str:
    return _XSTRING.sub(lambda match: "_x005F_" + match[0][1:], value)


_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?")
_EXACT = 15  # digits; what a file holds beyond them is the noise of binary fractions


def shown_number(value: str) -> str:
    """A number as it reads: 5.5E3 as 5500, 19.989999999999998 as 19.99."""
    if (len(value) > _EXACT or "E" in value or "e" in value) and _NUMBER.fullmatch(value):
        return format(float(value), f".{_EXACT}g") if not value.isdecimal() else value
    return value


def _shown_value(value: str) -> str:
    return shown_number(_shown_xstring(value))


_MOMENT = re.compile(r"(\d{4}-\d\d-\d\d)T(?=\d)")
_SPACED_MOMENT = re.compile(r"(\d{4}-\d\d-\d\d) (?=\d\d:)")


def is_moment(value: str) -> bool:
    return _MOMENT.match(value) is not None


def _shown_moment(value: str) -> str:
    """A date is a word of its own, whatever time follows it."""
    return _MOMENT.sub(r"\1 ", value)


def _written_moment(value: str) -> str:
    return _SPACED_MOMENT.sub(r"\1T", value)


_STYLE_ESCAPE = re.compile("_([0-9a-f]{1,6})_")


def _shown_style(value: str) -> str:
    return _STYLE_ESCAPE.sub(_unescaped_style, value) if "_" in value else value


def _unescaped_style(match: re.Match[str]) -> str:
    code = int(match[1], 16)
    return chr(code) if 0x20 <= code < 0xD800 or 0xE000 <= code < 0x110000 else match[0]


def _written_style(value: str) -> str:
    return re.sub(r"[^\w.\-]|^[\d.\-]", lambda match: f"_{ord(match[0]):x}_", value)


_GLUED = re.compile("[a-z]+(?:[A-Z][a-z]+)+")
_SEAM = re.compile("(?<=[a-z])(?=[A-Z])")


def is_glued(value: str) -> bool:
    """Whether a value is written as programs write names: `leftMargin`."""
    return _GLUED.fullmatch(value) is not None


def _shown_glued(value: str) -> str:
    return _SEAM.sub(" ", value)


_FORBIDDEN_IN_SHEETS = str.maketrans("[]:*?/\\", "()-----")
_LONGEST_SHEET = 31  # characters, Excel's limit


def sheet_name(value: str) -> str:
    """A name that a sheet may have, of the same length when that is short enough."""
    name = value.translate(_FORBIDDEN_IN_SHEETS)[:_LONGEST_SHEET]
    return re.sub("^'|'$", "-", name) or "-"


def identifier(value: str) -> str:
    """A name that a range or a table may have, of the same length."""
    name = re.sub(r"[^\w.\\]", "_", value)
    return name if re.match(r"[^\W\d]|\\", name) or name.startswith("_") else "_" + name[1:]


# What a format shows between two quoted strings, where a number without digits to show leaves them side by side.
_BETWEEN_QUOTED = re.compile(r"(?<=[^\W\d_])\"(?:General|[0#?.,%@ ]{1,40}+)\"(?=[^\W\d_])")


def _shown_format(value: str) -> str:
    """A number format with its quoted strings joined, as they read around a number: "Zanzi"General"barov"."""
    return _BETWEEN_QUOTED.sub("", value)


def _ref(_: str) -> str:
    """A formula that was cut is no formula any more; office programs write lost references this way."""
    return "#REF!"


def _nothing(_: str) -> str:
    return ""


# How a string is shown in the text, and how it is written back when an edit touched it.
CODECS: Mapping[str, tuple[Callable[[str], str], Callable[[str], str]]] = {
    "plain": (_unchanged, _unchanged),
    "url": (_shown_url, _written_url),
    "code": (_shown_url, _written_code),
    "xstring": (_shown_xstring, written_xstring),
    "number": (shown_number, _unchanged),
    "value": (_shown_value, written_xstring),
    "moment": (_shown_moment, _written_moment),
    "glued": (_shown_glued, _unchanged),
    "style": (_shown_style, _written_style),
    "format": (_shown_format, _unchanged),
    "formula": (_unchanged, _ref),
    "spoken": (_unchanged, _ref),  # what a formula puts together: shown beside it, and gone with it
    "sheet": (_unchanged, sheet_name),
    "identifier": (_unchanged, identifier),
    "discard": (_unchanged, _nothing),
}


def shown(value: str, codec: str) -> str:
    """How a stored string reads."""
    return CODECS[codec][0](value)
