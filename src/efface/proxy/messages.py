"""The texts of a chat request, redacted together, so that one person has one placeholder in the whole conversation.

Only keys that are known to hold no text of a person pass as they are. Whatever else a request holds is refused: the
proxy forwards nothing that it did not read.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from typing import Any

from efface.api.redaction import originals_in
from efface.api.restoring import Originals
from efface.api.sanitizer import Sanitizer
from efface.core import Verdict
from efface.errors import InputError, Refused

# Settings of a request. `tools`, `functions` and `response_format` are the program's own words, not a person's.
_SETTINGS = frozenset(
    "model stream stream_options temperature top_p n stop max_tokens max_completion_tokens presence_penalty "
    "frequency_penalty logit_bias logprobs top_logprobs seed tools tool_choice parallel_tool_calls functions "
    "function_call response_format service_tier reasoning_effort verbosity store".split()
)
_DROPPED = frozenset({"user", "metadata", "safety_identifier", "prompt_cache_key"})  # these identify who asks
_ROLES = frozenset({"system", "developer", "user", "assistant", "tool", "function"})
_MESSAGE = frozenset({"role", "content", "name", "tool_calls", "tool_call_id", "refusal", "function_call"})

Put = Callable[[str], None]


def redact_request(body: dict[str, Any], sanitizer: Sanitizer) -> tuple[dict[str, Any], Originals]:
    """The request as it may leave, and the way back. Raises when anything of it may not."""
    unknown = sorted(set(body) - _SETTINGS - _DROPPED - {"messages"})
    if unknown:
        raise InputError(f"The proxy does not know `{unknown[0]}` of a request.", "Leave it out.")
    sent = {key: copy.deepcopy(value) for key, value in body.items() if key not in _DROPPED}
    if not isinstance(sent.get("messages"), list):
        raise InputError("A request has `messages`, a list.", "See the chat completions of OpenAI.")
    places = [place for message in sent["messages"] for place in _places(message)]
    texts, originals = _redacted([text for text, _ in places], sanitizer)
    for (_, put), text in zip(places, texts, strict=True):
        put(text)
    return sent, originals


def _redacted(texts: list[str], sanitizer: Sanitizer) -> tuple[list[str], Originals]:
    """The texts as one document."""
    bound = sanitizer.bind()
    data = json.dumps(texts, ensure_ascii=False).encode("utf-8", "surrogatepass")
    report = sanitizer.sanitize(data, name="messages.json")
    if report.verdict is not Verdict.HELD or report.released is None:
        raise Refused(
            f"The verdict on the messages is {report.verdict}: nothing was sent.", "See the policy."
        )
    made = json.loads(report.released)
    if not isinstance(made, list) or len(made) != len(texts):
        raise Refused("The messages could not be told apart after redaction: nothing was sent.")
    return made, originals_in(report, bound.operators, sanitizer.policy.restore)


def _places(message: Any) -> Iterator[tuple[str, Put]]:
    """Every text of a message, and how to put another in its place."""
    if not isinstance(message, dict) or message.get("role") not in _ROLES:
        raise InputError(
            "A message has a `role` that the proxy knows.", "See the chat completions of OpenAI."
        )
    unknown = sorted(set(message) - _MESSAGE)
    if unknown:
        raise InputError(f"The proxy does not know `{unknown[0]}` of a message.", "Leave it out.")
    message.pop("name", None)
    for key in ("content", "refusal"):
        yield from _content(message, key)
    calls = [*(message.get("tool_calls") or ()), {"function": message.get("function_call")}]
    for call in calls:
        function = call.get("function") if isinstance(call, dict) else None
        if isinstance(function, dict) and isinstance(function.get("arguments"), str):
            yield from _arguments(function)


def _content(message: dict[str, Any], key: str) -> Iterator[tuple[str, Put]]:
    content = message.get(key)
    if content is None:
        return
    if isinstance(content, str):
        yield content, lambda text: message.__setitem__(key, text)
        return
    for part in content if isinstance(content, list) else [None]:
        if not isinstance(part, dict) or part.get("type") != "text" or not isinstance(part.get("text"), str):
            raise InputError(
                "The proxy reads text only: a picture, a sound or a file was not sent.",
                "Send its text instead.",
            )
        yield part["text"], lambda text, part=part: part.__setitem__("text", text)  # type: ignore[misc]


def _arguments(function: dict[str, Any]) -> Iterator[tuple[str, Put]]:
    """The strings in the arguments of a call, which are JSON in a string."""
    try:
        value = json.loads(function["arguments"])
    except ValueError:
        raise InputError(
            "The arguments of a call are no JSON.", "Send them as the model wrote them."
        ) from None
    holder = {"value": value}

    def write(put: Put, text: str) -> None:
        put(text)
        function["arguments"] = json.dumps(holder["value"], ensure_ascii=False)

    for text, put in _strings(holder, "value"):
        yield text, lambda made, put=put: write(put, made)  # type: ignore[misc]


def _strings(holder: Any, key: Any) -> Iterator[tuple[str, Put]]:
    value = holder[key]
    if isinstance(value, str):
        yield value, lambda text: holder.__setitem__(key, text)
    elif isinstance(value, dict | list):
        for inner in value if isinstance(value, dict) else range(len(value)):
            yield from _strings(value, inner)
