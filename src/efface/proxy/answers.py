"""Originals back into a chat completion, whole or streamed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from efface.api.originals import Originals
from efface.api.restoring import Restored, Restorer
from efface.proxy import nested_json
from efface.proxy.arguments import ArgumentsRestorer

# The key of an event that says what the header `x-efface-invented` says of a whole answer.
INVENTED = "x_efface_invented"
TEXTS = ("content", "refusal", "reasoning_content", "reasoning")  # of a message, the last two by some servers
_CALLED = (("function", "arguments"), ("custom", "input"))


def restore_answer(answer: dict[str, Any], originals: Originals) -> tuple[dict[str, Any], int]:
    """The answer with its originals, and how many placeholders in it were never given out."""
    invented = 0
    for choice in _dicts(answer.get("choices")):
        for holder, key in _texts_of(_dict(choice.get("message"))):
            if isinstance(holder.get(key), str):
                text = _restored(holder[key], _restorer(key, originals))
                invented += len(text.invented)
                holder[key] = str(text)
    return answer, invented


def _texts_of(message: dict[str, Any]) -> Iterator[tuple[dict[str, Any], str]]:
    """Where the texts of a message stand. Some models write the content in parts."""
    for key in TEXTS:
        yield message, key
        yield from ((part, "text") for part in _dicts(message.get(key)) if part.get("type") == "text")
    for call in (*_dicts(message.get("tool_calls")), {"function": message.get("function_call")}):
        yield from ((_dict(call.get(kind)), key) for kind, key in _CALLED)


def _restorer(key: str, originals: Originals) -> Restorer | ArgumentsRestorer:
    """What restores the value of a key: the arguments of a call are JSON, all else is text."""
    restorer = Restorer(originals)
    return ArgumentsRestorer(restorer) if key == "arguments" else restorer


def _restored(text: str, restorer: Restorer | ArgumentsRestorer) -> Restored:
    return restorer.told(restorer.feed(text) + restorer.close())


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _dicts(value: Any) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


# The list that holds a value, the number of the call, and the key: ("tool_calls", 0, "arguments").
_ValueAddress = tuple[str, int, str]


class AnswerStream:
    """Restores the events of a stream. What may still change is held back until the next event, or the end.

    The last event of a choice counts the placeholders of the choice that were never given out, if there are any: the
    headers have gone by then.
    """

    def __init__(self, originals: Originals) -> None:
        self._originals = originals
        self._restorers: dict[int, dict[_ValueAddress, Restorer | ArgumentsRestorer]] = {}  # by choice
        self._last: dict[str, Any] = {}

    def event(self, data: str) -> Iterator[str]:
        """What goes to the program for one `data:` of the model. Raises ValueError for what is no event."""
        if data == "[DONE]":
            yield from self.end()
            yield data
            return
        chunk = nested_json.loads(data)
        if not isinstance(chunk, dict):
            raise ValueError("an event is an object")
        self._last = {key: value for key, value in chunk.items() if key not in ("choices", "usage", "error")}
        invented = sum([self._choice(choice) for choice in _dicts(chunk.get("choices"))])
        if invented:
            chunk[INVENTED] = invented
        yield json.dumps(chunk)  # in ASCII: an event may hold half a character

    def end(self) -> Iterator[str]:
        """What was held back, of choices that ended without saying so."""
        for index in list(self._restorers):
            delta: dict[str, Any] = {}
            invented = self._finish(index, delta)
            if delta or invented:
                choice = {"index": index, "delta": delta, "finish_reason": None}
                told = {INVENTED: invented} if invented else {}
                yield json.dumps({**self._last, "choices": [choice], **told})

    def _choice(self, choice: dict[str, Any]) -> int:
        """Restores a part of a choice. Returns what `_finish` does, if the choice ends here."""
        index = choice.get("index")
        index = index if isinstance(index, int) else 0
        delta = choice["delta"] = _dict(choice.get("delta"))
        for key in TEXTS:
            self._feed(index, ("", 0, key), delta)
            for part in _dicts(delta.get(key)):
                self._feed(index, ("", 0, key), part, "text")
        self._feed(index, ("function_call", 0, "arguments"), _dict(delta.get("function_call")))
        for call in _dicts(delta.get("tool_calls")):
            number = call.get("index")
            for kind, key in _CALLED:
                place = (kind, number if isinstance(number, int) else 0, key)
                self._feed(index, place, _dict(call.get(kind)))
        return self._finish(index, delta) if choice.get("finish_reason") else 0

    def _feed(self, index: int, place: _ValueAddress, holder: dict[str, Any], key: str = "") -> None:
        """Restores a piece of the value at a place. `key` is where the piece stands, if not under the place's own key."""
        key = key or place[2]
        if isinstance(holder.get(key), str):
            known = self._restorers.setdefault(index, {})
            if place not in known:
                known[place] = _restorer(place[2], self._originals)
            holder[key] = known[place].feed(holder[key])

    def _finish(self, index: int, delta: dict[str, Any]) -> int:
        """Puts the rest of a choice into its last event. Returns how many placeholders of it were never given out."""
        invented = 0
        for place, restorer in self._restorers.pop(index, {}).items():
            rest = restorer.told(restorer.close())
            invented += len(rest.invented)
            if rest:
                _append(delta, place, str(rest))
        return invented


def _append(delta: dict[str, Any], place: _ValueAddress, rest: str) -> None:
    """Put the rest of a value behind what the last event says of it, which may be nothing, or in parts."""
    kind, number, key = place
    if not kind and isinstance(delta.get(key), list):
        delta[key] = [*delta[key], {"type": "text", "text": rest}]
    elif not kind:
        delta[key] = _text(delta.get(key)) + rest
    elif kind == "function_call":
        called = _dict(delta.get(kind))
        delta[kind] = {**called, key: _text(called.get(key)) + rest}
    else:
        delta["tool_calls"] = [*_dicts(delta.get("tool_calls")), {"index": number, kind: {key: rest}}]


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
