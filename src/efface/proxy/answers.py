"""Originals back into a chat completion, whole or streamed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from efface.api.restoring import Originals, Restorer, restore


def restore_answer(answer: dict[str, Any], originals: Originals) -> tuple[dict[str, Any], int]:
    """The answer with its originals, and how many placeholders in it were never given out."""
    invented = 0
    quoted = _as_json(originals)
    for choice in answer.get("choices") or ():
        message = choice.get("message") or {}
        for key in ("content", "refusal"):
            if isinstance(message.get(key), str):
                text = restore(message[key], originals)
                invented += len(text.invented)
                message[key] = str(text)
        for call in message.get("tool_calls") or ():
            function = call.get("function") or {}
            if isinstance(function.get("arguments"), str):
                function["arguments"] = str(restore(function["arguments"], quoted))
    return answer, invented


def _as_json(originals: Originals) -> Originals:
    """Originals as they stand inside a JSON string."""
    quoted = {one: json.dumps(said, ensure_ascii=False)[1:-1] for one, said in originals.mapping.items()}
    return replace(originals, mapping=quoted)


class AnswerStream:
    """Restores the events of a stream. What may still change is held back until the next event, or the end."""

    def __init__(self, originals: Originals) -> None:
        self._originals = originals
        self._quoted = _as_json(originals)
        self._restorers: dict[tuple[int, str], Restorer] = {}
        self._last: dict[str, Any] = {}

    def event(self, data: str) -> Iterator[str]:
        """What goes to the program for one `data:` of the model."""
        if data == "[DONE]":
            yield from self.end()
            yield data
            return
        chunk = json.loads(data)
        self._last = {key: value for key, value in chunk.items() if key != "choices"}
        for choice in chunk.get("choices") or ():
            self._choice(choice)
        yield json.dumps(chunk, ensure_ascii=False)

    def end(self) -> Iterator[str]:
        """What was held back, of choices that ended without saying so."""
        rest: dict[int, str] = {}
        for (index, place), restorer in self._restorers.items():
            text = restorer.close()
            if text and place == "content":
                rest[index] = text
        self._restorers.clear()
        for index, text in rest.items():
            choice = {"index": index, "delta": {"content": text}, "finish_reason": None}
            yield json.dumps({**self._last, "choices": [choice]}, ensure_ascii=False)

    def _choice(self, choice: dict[str, Any]) -> None:
        index, delta = int(choice.get("index", 0)), choice.setdefault("delta", {})
        if isinstance(delta.get("content"), str):
            delta["content"] = self._restorer(index, "content", self._originals).feed(delta["content"])
        for call in delta.get("tool_calls") or ():
            function = call.get("function") or {}
            if isinstance(function.get("arguments"), str):
                place = f"call {call.get('index', 0)}"
                function["arguments"] = self._restorer(index, place, self._quoted).feed(function["arguments"])
        if choice.get("finish_reason"):
            self._finish(index, delta)

    def _finish(self, index: int, delta: dict[str, Any]) -> None:
        """The rest of a choice goes with its last event."""
        for key in [key for key in self._restorers if key[0] == index]:
            rest = self._restorers.pop(key).close()
            if not rest:
                continue
            if key[1] == "content":
                delta["content"] = (delta.get("content") or "") + rest
            else:
                number = int(key[1].removeprefix("call "))
                delta.setdefault("tool_calls", []).append({"index": number, "function": {"arguments": rest}})

    def _restorer(self, index: int, place: str, originals: Originals) -> Restorer:
        return self._restorers.setdefault((index, place), Restorer(originals))
