"""The texts of a chat request, redacted together, so that one person has one placeholder in the whole conversation.

Only settings that hold no text pass as they are. Whatever else a request holds is read or refused: the proxy forwards
nothing that it did not read.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Collection, Iterator
from itertools import accumulate
from typing import Any

from efface.api.originals import Originals
from efface.api.redaction import originals_in
from efface.api.sanitizer import Sanitizer
from efface.attacks.leaks import search
from efface.core import Document, Report, Verdict
from efface.errors import InputError, Refused
from efface.pipeline.bound import BoundPolicy
from efface.pipeline.find import find
from efface.pipeline.reread import removed_strings
from efface.proxy import nested_json
from efface.proxy.answers import TEXTS
from efface.proxy.program_words import NAME, finite, is_setting, texts_in, words_in
from efface.text.alignment import Alignment

_SETTINGS = frozenset(
    "model stream temperature top_p n max_tokens max_completion_tokens presence_penalty frequency_penalty logit_bias "
    "logprobs top_logprobs seed parallel_tool_calls service_tier reasoning_effort verbosity store".split()
)
# What the program says of itself may name people, too: the values of a parameter, a word to stop at.
_PROGRAM = frozenset("tools tool_choice functions function_call response_format stop stream_options".split())
_DROPPED = frozenset({"user", "metadata", "safety_identifier", "prompt_cache_key"})  # these identify who asks
_ROLES = frozenset({"system", "developer", "user", "assistant", "tool", "function"})
_MESSAGE = frozenset({"role", *TEXTS, "name", "tool_calls", "tool_call_id", "function_call"})
_CALL = frozenset({"id", "type", "index", "function", "custom"})
_NOTHING: tuple[Any, ...] = (None, "", [])
_TOOLS_ARE_CALLED = frozenset({"ORGANIZATION", "LOCATION", "DATE_TIME"})  # "github_search", "weather_in_2024"
_HINT = "See the chat completions of OpenAI."

Put = Callable[[Any], None]
ReplaceableValue = tuple[Any, Put]  # a value of JSON that is read, and how to put another in its place


def redact_request(body: dict[str, Any], sanitizer: Sanitizer) -> tuple[dict[str, Any], Originals]:
    """The request as it may leave, and the way back. Raises when anything of it may not."""
    sent = {key: copy.deepcopy(value) for key, value in body.items() if key not in _DROPPED}
    _refuse_unknown(sent, _SETTINGS | _PROGRAM | {"messages"}, "a request")
    if not isinstance(sent.get("messages"), list):
        raise InputError("A request has `messages`, a list.", _HINT)
    for key in _SETTINGS & sent.keys():
        if not is_setting(sent[key]):
            raise InputError(f"`{key}` is no setting that the proxy knows.", "Leave it out.")
    places: list[ReplaceableValue] = []
    for message in sent["messages"]:
        places += _texts_of(message)
        _refuse_finds_over_parts(message.get("content"), sanitizer)
    for key in sorted(_PROGRAM & sent.keys()):
        places += texts_in(sent, key)
    # All values are one document, so that one person has one placeholder throughout the request.
    bound = sanitizer.bind()
    values, report = _redacted([value for value, _ in places], sanitizer)
    for _, put in places:
        put(None)
    _refuse_told_words(sent, report, bound)
    for (_, put), value in zip(places, values, strict=True):
        put(value)
    return sent, originals_in(report, bound.operators, sanitizer.policy.restore)


def _refuse_told_words(sent: dict[str, Any], report: Report, bound: BoundPolicy) -> None:
    """Names of models, tools and parameters cannot be replaced. What is denied may not be among them, nor may a person
    or a number that was removed. Tools are called after firms and places, and models after anything."""
    program = {key: value for key, value in sent.items() if key != "model"}
    removed = removed_strings(report.document, Alignment(report.edits))
    people = [one._replace(glued=True) for one in removed if one.type not in _TOOLS_ARE_CALLED]
    nothing = Document("names", "text", "")
    told = search(people, [("names", "\n".join(words_in(program)))], nothing, standing=bound.denied)
    if told or search((), [("model", str(sent.get("model")))], nothing, standing=bound.denied):
        raise Refused(
            "The name of a model, a tool or a parameter holds something that is redacted: nothing was sent.",
            "Rename it.",
        )


def _redacted(values: list[Any], sanitizer: Sanitizer) -> tuple[list[Any], Report]:
    """The values as one document, and the report on it."""
    data = json.dumps(values, ensure_ascii=False).encode("utf-8", "surrogatepass")
    report = sanitizer.sanitize(data, name="messages.json")
    if report.verdict is not Verdict.HELD or report.released is None:
        raise Refused(
            f"The verdict on the messages is {report.verdict}: nothing was sent.", "See the policy."
        )
    made = json.loads(report.released)
    if not isinstance(made, list) or len(made) != len(values):
        raise Refused("The messages could not be told apart after redaction: nothing was sent.")
    return made, report


def _refuse_finds_over_parts(content: Any, sanitizer: Sanitizer) -> None:
    """A model reads the parts of a message as one text. What begins in one part and ends in the next is in neither."""
    if not isinstance(content, list) or len(content) < 2:
        return
    ends = list(accumulate(len(part["text"]) for part in content))
    text = "".join(part["text"] for part in content)
    for term in find(Document("message.txt", "text", text), sanitizer.bind()).terms:
        if any(span.start < end < span.end for span in term.mentions for end in ends):
            raise Refused(
                "Something to be redacted begins in one part of a message and ends in the next: nothing was sent.",
                "Send the parts as one text.",
            )


def _refuse_unknown(value: dict[str, Any], known: Collection[str], where: str) -> None:
    """Names the first key that is not known; one that is no word is not quoted. A key that holds nothing is left out:
    clients send back the answers of a model with all the keys that these may have."""
    for key in [key for key in value if key not in known and value[key] in _NOTHING]:
        del value[key]
    unknown = sorted(set(value) - set(known))
    if unknown:
        named = f"`{unknown[0]}`" if NAME.fullmatch(unknown[0]) else "a key"
        raise InputError(f"The proxy does not know {named} of {where}.", "Leave it out.")


def _texts_of(message: Any) -> Iterator[ReplaceableValue]:
    """Every text of a message."""
    if not isinstance(message, dict) or str(message.get("role")) not in _ROLES:
        raise InputError("A message has a `role` that the proxy knows.", _HINT)
    _refuse_unknown(message, _MESSAGE, "a message")
    message.pop("name", None)
    for key in TEXTS:
        yield from _content(message, key)
    yield from _text_at(message, "tool_call_id")
    calls = message.get("tool_calls") or []
    if not isinstance(calls, list):
        raise InputError("`tool_calls` is a list.", _HINT)
    for call in calls:
        yield from _call(call)
    if message.get("function_call") is not None:
        yield from _function(message["function_call"])


def _text_at(holder: dict[str, Any], key: str) -> Iterator[ReplaceableValue]:
    """The text under a key, if there is one."""
    value = holder.get(key)
    if value is None:
        return
    if not isinstance(value, str):
        raise InputError(f"`{key}` is a text.", _HINT)
    yield value, lambda made: holder.__setitem__(key, made)


def _content(message: dict[str, Any], key: str) -> Iterator[ReplaceableValue]:
    content = message.get(key)
    if not isinstance(content, list):
        yield from _text_at(message, key)
        return
    for part in content:
        if not isinstance(part, dict) or part.get("type") != "text" or not isinstance(part.get("text"), str):
            raise InputError(
                "The proxy reads text only: a picture, a sound or a file was not sent.",
                "Send its text instead.",
            )
        _refuse_unknown(part, {"type", "text"}, "a part of a message")
        yield from _text_at(part, "text")


def _call(call: Any) -> Iterator[ReplaceableValue]:
    """The texts of one call of a tool. Its id is one: the answer of the tool has the same, and gets the same words."""
    if not isinstance(call, dict) or call.get("type", "function") not in ("function", "custom"):
        raise InputError("A call is of a function or of a custom tool.", _HINT)
    _refuse_unknown(call, _CALL, "a call")
    if not is_setting(call.get("index")):
        raise InputError("The `index` of a call is a number.", _HINT)
    yield from _text_at(call, "id")
    if call.get("function") is not None:
        yield from _function(call["function"])
    if call.get("custom") is not None:
        custom = _called_function(call["custom"], "input")
        yield from _text_at(custom, "input")


def _called_function(value: Any, key: str) -> dict[str, Any]:
    """What was called: its name, which is no text, and what it was given."""
    if not isinstance(value, dict) or not NAME.fullmatch(str(value.get("name", "f"))):
        raise InputError("What is called has a name of letters, digits and underscores.", _HINT)
    _refuse_unknown(value, {"name", key}, "a call")
    return value


def _function(value: Any) -> Iterator[ReplaceableValue]:
    """The arguments of a call, which are JSON in a string. Some models write an empty one for none."""
    function = _called_function(value, "arguments")
    if function.get("arguments") in (None, ""):
        return
    try:
        arguments = nested_json.loads(function["arguments"], finite)
    except (ValueError, TypeError, RecursionError):
        raise InputError(
            "The arguments of a call are no JSON in a string.", "Send them as the model wrote them."
        ) from None
    yield (
        arguments,
        lambda made: function.__setitem__("arguments", json.dumps(made, ensure_ascii=False)),
    )
