"""Originals back into a chat completion, whole or streamed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from efface.api.restoring import Originals, Restorer, restore

_TEXTS = ("content", "refusal")
_CALLED = (("function", "arguments"), ("custom", "input"))


def restore_answer(answer: dict[str, Any], originals: Originals) -> tuple[dict[str, Any], int]:
    """The answer with its originals, and how many placeholders in it were never given out."""
    invented = 0
    quoted = _as_json(originals)
    for choice in _dicts(answer.get("choices")):
        message = _dict(choice.get("message"))
        for key in _TEXTS:
            if isinstance(message.get(key), str):
                text = restore(message[key], originals)
                invented += len(text.invented)
                message[key] = str(text)
        for call in (*_dicts(message.get("tool_calls")), {"function": message.get("function_call")}):
            for kind, key in _CALLED:
                called = _dict(call.get(kind))
                if isinstance(called.get(key), str):
                    called[key] = str(restore(called[key], quoted if key == "arguments" else originals))
    return answer, invented


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _dicts(value: Any) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _as_json(originals: Originals) -> Originals:
    """Originals as they stand inside a JSON string."""
    quoted = {one: json.dumps(said, ensure_ascii=False)[1:-1] for one, said in originals.mapping.items()}
    return replace(originals, mapping=quoted)


_Place = tuple[
    str, int, str
]  # what holds it, the number of the call, the key: ("tool_calls", 0, "arguments")


class AnswerStream:
    """Restores the events of a stream. What may still change is held back until the next event, or the end."""

    def __init__(self, originals: Originals) -> None:
        self._originals = originals
        self._quoted = _as_json(originals)
        self._restorers: dict[int, dict[_Place, Restorer]] = {}  # by choice
        self._last: dict[str, Any] = {}

    def event(self, data: str) -> Iterator[str]:
        """What goes to the program for one `data:` of the model. Raises ValueError for what is no event."""
        if data == "[DONE]":
            yield from self.end()
            yield data
            return
        chunk = json.loads(data)
        if not isinstance(chunk, dict):
            raise ValueError("an event is an object")
        self._last = {key: value for key, value in chunk.items() if key not in ("choices", "usage")}
        for choice in _dicts(chunk.get("choices")):
            self._choice(choice)
        yield json.dumps(chunk, ensure_ascii=False)

    def end(self) -> Iterator[str]:
        """What was held back, of choices that ended without saying so."""
        for index in list(self._restorers):
            delta: dict[str, Any] = {}
            self._finish(index, delta)
            if delta:
                choice = {"index": index, "delta": delta, "finish_reason": None}
                yield json.dumps({**self._last, "choices": [choice]}, ensure_ascii=False)

    def _choice(self, choice: dict[str, Any]) -> None:
        index = choice.get("index")
        index = index if isinstance(index, int) else 0
        delta = choice["delta"] = _dict(choice.get("delta"))
        for key in _TEXTS:
            self._feed(index, ("", 0, key), delta)
        self._feed(index, ("function_call", 0, "arguments"), _dict(delta.get("function_call")))
        for call in _dicts(delta.get("tool_calls")):
            number = call.get("index")
            for kind, key in _CALLED:
                place = (kind, number if isinstance(number, int) else 0, key)
                self._feed(index, place, _dict(call.get(kind)))
        if choice.get("finish_reason"):
            self._finish(index, delta)

    def _feed(self, index: int, place: _Place, holder: dict[str, Any]) -> None:
        key = place[2]
        if isinstance(holder.get(key), str):
            originals = self._quoted if key == "arguments" else self._originals
            known = self._restorers.setdefault(index, {})
            holder[key] = known.setdefault(place, Restorer(originals)).feed(holder[key])

    def _finish(self, index: int, delta: dict[str, Any]) -> None:
        """The rest of a choice goes with its last event."""
        for (kind, number, key), restorer in self._restorers.pop(index, {}).items():
            rest = restorer.close()
            if not rest:
                continue
            if not kind:
                delta[key] = (delta.get(key) or "") + rest
            elif kind == "function_call":
                called = delta.setdefault(kind, {})
                called[key] = (called.get(key) or "") + rest
            else:
                delta["tool_calls"] = [*(delta.get("tool_calls") or ()), {"index": number, kind: {key: rest}}]
