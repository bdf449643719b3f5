"""Originals back into the arguments of a call, which are JSON in a string.

Each string of the JSON is restored as the text that it says. Escapes would hide a link, and the `n` of an escaped line
break would seem to be a letter of the name behind it.
"""

from __future__ import annotations

import json
import re

from efface.api.restoring import Restored, Restorer

_INSIDE = re.compile(r'(?P<plain>[^"\\]+)|(?P<escape>\\(?:u[0-9A-Fa-f]{4}|[^u]))|(?P<end>")')
_ESCAPE = len(r"\u0000")
_HALF = re.compile(r"[\ud800-\udfff]")
_SIGNS = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


class ArgumentsRestorer:
    """Restores JSON chunk by chunk, as a `Restorer` does a text. What stands outside of strings stays as it is."""

    def __init__(self, restorer: Restorer) -> None:
        self._restorer = restorer
        self._is_inside = False
        self._begun = ""  # an escape whose end has not come

    def feed(self, chunk: str) -> str:
        """What of the JSON is settled."""
        text, self._begun = self._begun + chunk, ""
        pieces: list[str] = []
        position = 0
        while position < len(text):
            if self._is_inside:
                position = self._string(text, position, pieces)
                continue
            quote = text.find('"', position) + 1
            pieces.append(text[position : quote or len(text)])
            position = quote or len(text)
            self._is_inside = quote > 0
        return "".join(pieces)

    def close(self) -> str:
        """The rest. JSON that breaks off inside of a string ends there."""
        rest = _quoted(self._restorer.feed(self._begun) + self._restorer.close())
        self._begun = ""
        return rest

    def told(self, text: str) -> Restored:
        """The restored JSON with what was noticed on the way."""
        return self._restorer.told(text)

    def _string(self, text: str, position: int, pieces: list[str]) -> int:
        """Reads on inside of a string. Returns where it ends, or where the text does."""
        while position < len(text):
            match = _INSIDE.match(text, position)
            if match is None and len(text) - position < _ESCAPE:
                self._begun = text[position:]
                return len(text)
            if match is None:  # no escape of JSON: its backslash is an ordinary sign
                pieces.append(_quoted(self._restorer.feed("\\")))
                position += 1
                continue
            position = match.end()
            if match["end"]:
                pieces.append(_quoted(self._restorer.close()) + '"')
                self._is_inside = False
                return position
            pieces.append(_quoted(self._restorer.feed(match["plain"] or _unescaped(match["escape"]))))
        return position


def _unescaped(escape: str) -> str:
    sign = escape[1]
    return chr(int(escape[2:], 16)) if sign == "u" else _SIGNS.get(sign, sign)


def _quoted(text: str) -> str:
    """A text as it stands in a string of JSON. Half a character stays an escape: the other half may follow."""
    written = json.dumps(text, ensure_ascii=False)[1:-1]
    return _HALF.sub(lambda half: f"\\u{ord(half.group()):04x}", written)
