"""What a program says of itself in a request: settings, tools and their parameters, and the texts among them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from math import isfinite
from typing import Any

from efface.errors import InputError

NAME = re.compile(r"[A-Za-z_$][\w.$-]{0,63}")
_WORD = re.compile(r"@?[\w./:+-]{0,128}")
_TOKEN = re.compile(r"[0-9]{1,7}")  # the number of a token, as `logit_bias` has it
# The keys of a schema whose values are structure and no text.
_STRUCTURE = frozenset("type name required format syntax strict $ref $schema".split())

# Words that requests and schemas consist of. They tell nothing, even where a policy denies one of them.
_PROTOCOL = frozenset(
    "messages role content refusal name type text function functions custom tools tool tool_calls tool_call_id tool_choice "
    "function_call id index arguments input parameters properties items required enum const default description title "
    "object array string number integer boolean null strict schema json_schema json_object response_format format stop "
    "stream stream_options include_usage model seed store user system assistant developer auto none low medium high".split()
)


def finite(number: str) -> float:
    """A number of JSON. Python also reads NaN and numbers too large for it, which JSON cannot say again."""
    value = float(number)
    if not isfinite(value):
        raise ValueError("no number of JSON")
    return value


def is_setting(value: Any) -> bool:
    """Whether a value is no text: a number, a switch, one word, or numbers for tokens."""
    if isinstance(value, str):
        return _WORD.fullmatch(value) is not None
    if isinstance(value, dict):
        return all(_TOKEN.fullmatch(key) and isinstance(one, int | float) for key, one in value.items())
    return value is None or isinstance(value, int | float)


def texts_in(holder: Any, key: Any) -> Iterator[tuple[Any, Callable[[Any], None]]]:
    """Every text and number under a key, and how to put another in its place. Keys are words of the program's own."""
    value = holder[key]
    if isinstance(value, dict):
        for inner in value:
            if not NAME.fullmatch(inner):
                raise InputError("A key of a tool is no word.", "Use letters, digits and underscores.")
            if inner not in _STRUCTURE or not _is_structure(value[inner]):
                yield from texts_in(value, inner)
    elif isinstance(value, list):
        for index in range(len(value)):
            yield from texts_in(value, index)
    elif value is not None and not isinstance(value, bool):
        yield value, lambda made: holder.__setitem__(key, made)


def words_in(value: Any) -> Iterator[str]:
    """Every word in JSON, keys included, but those of the protocol itself."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from words_in(key)
            yield from words_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from words_in(inner)
    elif isinstance(value, str) and value not in _PROTOCOL:
        yield value


def _is_structure(value: Any) -> bool:
    if isinstance(value, list):
        return all(isinstance(one, str) and NAME.fullmatch(one) for one in value)
    return isinstance(value, bool) or (isinstance(value, str) and _is_word(value))


def _is_word(value: str) -> bool:
    return NAME.fullmatch(value.removeprefix("#").lstrip("/").replace("/", "_") or "f") is not None
