"""Requests and answers that no ordinary client or model sends: each ends in an answer or in an error that says why."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar

import pytest

pytest.importorskip("starlette", reason="the extra `service` is not installed")
from starlette.testclient import TestClient
from typer.testing import CliRunner

import efface
from efface.api.originals import Originals
from efface.cli.main import app
from efface.proxy.answers import AnswerStream
from efface.proxy.app import MAX_BODY, build

MAIL = "ann@example.org"
PLACEHOLDER = "[EMAIL_ADDRESS_1]"


class Model(BaseHTTPRequestHandler):
    """Answers with the bytes that a test gives."""

    seen: ClassVar[list[tuple[bytes, str]]] = []
    answer: bytes = b'{"choices": []}'
    media_type = "application/json"
    status = 200

    def do_GET(self) -> None:
        self._answer()

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        type(self).seen.append((body, self.headers.get("authorization", "")))
        self._answer()

    def _answer(self) -> None:
        self.send_response(type(self).status)
        self.send_header("content-type", type(self).media_type)
        self.send_header("retry-after", "7")
        self.send_header("content-length", str(len(type(self).answer)))
        self.end_headers()
        self.wfile.write(type(self).answer)

    def log_message(self, *_arguments: Any) -> None:
        pass


@pytest.fixture
def client() -> Iterator[TestClient]:
    Model.seen, Model.answer, Model.media_type = [], b'{"choices": []}', "application/json"
    Model.status = 200
    server = ThreadingHTTPServer(("127.0.0.1", 0), Model)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    upstream = f"http://127.0.0.1:{server.server_port}/v1"
    with TestClient(build(efface.Sanitizer({"find": {"names": "none"}}), upstream)) as client:
        yield client
    server.shutdown()
    thread.join(10)
    server.server_close()


def asked(client: TestClient, *, stream: bool = False) -> Any:
    message = {"role": "user", "content": f"Mail {MAIL}."}
    body = {"model": "m", "messages": [message], "stream": stream}
    return client.post("/v1/chat/completions", json=body)


def event(text: str) -> bytes:
    chunk = {"choices": [{"index": 0, "delta": {"content": text}}]}
    return b"data: " + json.dumps(chunk, ensure_ascii=False).encode() + b"\n\n"


def streamed(answer: Any) -> str:
    """The text that a client puts together from the events."""
    texts = []
    for block in answer.text.split("\n\n"):
        data = block.removeprefix("data: ")
        if data and data != "[DONE]":
            choices = json.loads(data)["choices"]
            texts += [choice["delta"].get("content") or "" for choice in choices]
    return "".join(texts)


@pytest.mark.parametrize("separator", ["\u2028", "\u2029", "\x85"])
def test_separators_inside_a_text_do_not_end_an_event(client: TestClient, separator: str) -> None:
    Model.media_type = "text/event-stream"
    Model.answer = event(f"Dear {PLACEHOLDER}{separator}next") + b"data: [DONE]\n\n"
    assert streamed(asked(client, stream=True)) == f"Dear {MAIL}{separator}next"


@pytest.mark.parametrize("ending", [b"\n", b"\r\n", b"\r"])
def test_an_event_may_have_several_lines(client: TestClient, ending: bytes) -> None:
    lines = [b'data: {"choices": [{"index": 0,', b'data: "delta": {"content": "[EMAIL_ADDRESS_1]"}}]}', b""]
    Model.media_type = "text/event-stream"
    Model.answer = ending.join([b": wait", b"", *lines, b"data: [DONE]", b"", b""])
    assert streamed(asked(client, stream=True)) == MAIL


def test_a_whole_answer_to_a_request_for_a_stream_arrives(client: TestClient) -> None:
    Model.answer = json.dumps({"choices": [{"message": {"content": PLACEHOLDER}}]}).encode()
    assert asked(client, stream=True).json()["choices"][0]["message"]["content"] == MAIL


@pytest.mark.parametrize(
    "answer", [b"[" * 200_000, b'{"choices": ' + b"[" * 5000 + b"]" * 5000 + b"}"], ids=["open", "closed"]
)
def test_an_answer_nested_too_deep_is_an_error_of_the_model(client: TestClient, answer: bytes) -> None:
    Model.answer = answer
    told = asked(client)
    assert told.status_code == 502 and told.json()["error"]["type"] == "efface"


@pytest.mark.parametrize("number", ["NaN", "1e999", "-Infinity"])
@pytest.mark.parametrize("key", ["temperature", "tools"])
def test_numbers_that_json_does_not_have_are_refused(client: TestClient, key: str, number: str) -> None:
    body = f'{{"model": "m", "{key}": {number}, "messages": [{{"role": "user", "content": "x"}}]}}'
    told = client.post("/v1/chat/completions", content=body)
    assert told.status_code == 422 and not Model.seen


def test_tools_nested_too_deep_are_refused(client: TestClient) -> None:
    body = '{"model": "m", "messages": [], "tools": ' + "[" * 900 + "]" * 900 + "}"
    told = client.post("/v1/chat/completions", content=body)
    assert told.status_code == 422 and not Model.seen


def test_half_a_character_passes(client: TestClient) -> None:
    body = '{"model": "m", "messages": [{"role": "user", "content": "\\ud800 ann@example.org"}]}'
    assert client.post("/v1/chat/completions", content=body).status_code == 200
    assert json.loads(Model.seen[0][0])["messages"][0]["content"] == f"\ud800 {PLACEHOLDER}"


def test_a_key_in_any_bytes_passes(client: TestClient) -> None:
    body = {"model": "m", "messages": [{"role": "user", "content": "x"}]}
    key = "Bearer \xe9".encode()
    assert client.post("/v1/chat/completions", json=body, headers={b"authorization": key}).status_code == 200
    assert Model.seen[0][1].encode("latin-1") == key


@pytest.mark.parametrize(
    "upstream", ["http://[::1", "http://", "http://a b", "https://model.example:99999/v1"]
)
def test_an_upstream_that_cannot_be_is_refused_at_the_start(
    upstream: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("uvicorn.run", lambda *_arguments, **_more: None)
    done = CliRunner().invoke(app, ["proxy", "--upstream", upstream, "--policy", "patterns"])
    assert done.exit_code == 2


@pytest.mark.parametrize(
    "parts", [["Mail ann@exam", "ple.org."], ["call +1 202 ", "555 0143"], ["a", MAIL[:3], MAIL[3:]]]
)
def test_what_goes_over_two_parts_of_a_message_is_refused(client: TestClient, parts: list[str]) -> None:
    content = [{"type": "text", "text": part} for part in parts]
    body = {"model": "m", "messages": [{"role": "user", "content": content}]}
    told = client.post("/v1/chat/completions", json=body)
    assert told.status_code == 422 and not Model.seen and "one text" in told.text
    whole = [
        {"type": "text", "text": "Mail "},
        {"type": "text", "text": MAIL},
        {"type": "text", "text": " soon."},
    ]
    body = {"model": "m", "messages": [{"role": "user", "content": whole}]}
    assert client.post("/v1/chat/completions", json=body).status_code == 200
    sent = json.loads(Model.seen[0][0])["messages"][0]["content"]
    assert [part["text"] for part in sent] == ["Mail ", PLACEHOLDER, " soon."]


def test_an_answer_can_be_sent_back_with_all_its_keys(client: TestClient) -> None:
    """Clients append the model's message to the conversation as it came: with keys that hold nothing."""
    answered: dict[str, Any] = {
        "role": "assistant",
        "content": "Hello.",
        "refusal": None,
        "annotations": [],
        "audio": None,
    }
    body = {"model": "m", "messages": [answered, {"role": "user", "content": MAIL}], "prediction": None}
    assert client.post("/v1/chat/completions", json=body).status_code == 200
    assert set(json.loads(Model.seen[0][0])["messages"][0]) == {"role", "content", "refusal"}
    answered["annotations"] = [{"url": MAIL}]
    assert client.post("/v1/chat/completions", json=body).status_code == 422


@pytest.mark.parametrize("number", ["NaN", "1e999"])
def test_arguments_with_numbers_that_json_does_not_have_are_refused(client: TestClient, number: str) -> None:
    call = {"id": "1", "type": "function", "function": {"name": "f", "arguments": f'{{"a": {number}}}'}}
    body = {"model": "m", "messages": [{"role": "assistant", "tool_calls": [call]}]}
    assert client.post("/v1/chat/completions", json=body).status_code == 422 and not Model.seen


def test_content_in_parts_is_restored(client: TestClient) -> None:
    parts = [{"type": "text", "text": f"Dear {PLACEHOLDER}"}, {"type": "thinking", "text": PLACEHOLDER}]
    Model.answer = json.dumps({"choices": [{"message": {"content": parts}}]}).encode()
    told = asked(client).json()["choices"][0]["message"]["content"]
    assert [part["text"] for part in told] == [f"Dear {MAIL}", PLACEHOLDER]


_CUT = '{"to": "' + PLACEHOLDER[:-1]  # the model stopped inside of a string
_EMPTY: tuple[Any, ...] = (None, 1, "", [], {})


@pytest.mark.parametrize("last", _EMPTY, ids=repr)
@pytest.mark.parametrize(
    ("key", "begun"),
    [
        ("content", PLACEHOLDER[:-1]),
        ("content", [{"type": "text", "text": PLACEHOLDER[:-1]}]),
        ("function_call", {"name": "send", "arguments": _CUT}),
        ("tool_calls", [{"index": 0, "function": {"name": "send", "arguments": _CUT}}]),
    ],
)
def test_whatever_the_last_event_holds_the_rest_arrives(key: str, begun: Any, last: Any) -> None:
    stream = AnswerStream(efface.redact(MAIL, {"find": {"names": "none"}}).originals)
    events = [
        {"choices": [{"index": 0, "delta": {key: begun}}]},
        {"choices": [{"index": 0, "delta": {key: last}, "finish_reason": "length"}]},
    ]
    told = "".join(data for event in events for data in stream.event(json.dumps(event)))
    assert PLACEHOLDER[1:-1] in told


def test_a_stream_in_parts_is_restored() -> None:
    stream = AnswerStream(efface.redact(MAIL, {"find": {"names": "none"}}).originals)
    told = ""
    for piece in (PLACEHOLDER[:5], PLACEHOLDER[5:]):
        delta = {"content": [{"type": "text", "text": piece}]}
        told += "".join(stream.event(json.dumps({"choices": [{"index": 0, "delta": delta}]})))
    assert MAIL in told + "".join(stream.end())


def test_an_answer_without_end_is_not_read_to_its_end(client: TestClient) -> None:
    Model.answer = b'{"choices": [{"message": {"content": "' + b"a" * MAX_BODY + b'"}}]}'
    told = asked(client)
    assert told.status_code == 502 and "larger" in told.json()["error"]["message"]


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("status", [401, 429, 503])
def test_an_error_that_is_no_json_keeps_its_status_and_when_to_ask_again(
    client: TestClient, status: int, stream: bool
) -> None:
    """A gateway answers in HTML. Called 502, a wrong key was asked about again and again."""
    Model.status, Model.answer, Model.media_type = status, b"<html>[EMAIL_ADDRESS_1]</html>", "text/html"
    answered = asked(client, stream=stream)
    assert (answered.status_code, answered.headers["retry-after"]) == (status, "7")
    assert answered.json()["error"]["code"] == status and "html" not in answered.text


def test_a_list_of_models_that_is_no_json_is_an_error(client: TestClient) -> None:
    Model.status, Model.answer, Model.media_type = 403, b"<html></html>", "text/html"
    answered = client.get("/v1/models")
    assert (answered.status_code, answered.json()["error"]["code"]) == (403, 403)


@pytest.mark.parametrize("key", ["reasoning_content", "reasoning"])
def test_what_a_model_thought_is_restored_and_can_be_sent_back(client: TestClient, key: str) -> None:
    thought = {"role": "assistant", "content": "Yes.", key: f"They ask for {PLACEHOLDER}."}
    Model.answer = json.dumps({"choices": [{"message": thought}]}).encode()
    message = asked(client).json()["choices"][0]["message"]
    assert message[key] == f"They ask for {MAIL}."
    body = {"model": "m", "messages": [message, {"role": "user", "content": "Go on."}]}
    assert client.post("/v1/chat/completions", json=body).status_code == 200
    assert json.loads(Model.seen[-1][0])["messages"][0] == thought
    stream = AnswerStream(Originals({PLACEHOLDER: MAIL}))
    events = [
        json.loads(one)
        for piece in (thought[key][:20], thought[key][20:])
        for one in stream.event(json.dumps({"choices": [{"delta": {key: piece}}]}))
    ]
    events += map(json.loads, stream.end())
    assert "".join(one["choices"][0]["delta"][key] for one in events) == message[key]


def test_what_is_left_behind_an_error_in_a_stream_does_not_tell_the_error_again() -> None:
    stream = AnswerStream(Originals({}))
    said = {"id": "x", "choices": [{"index": 0, "delta": {"content": "See [EMAIL_"}}]}
    events = [*stream.event(json.dumps(said)), *stream.event('{"error": {"message": "no"}}'), *stream.end()]
    assert ["error" in json.loads(event) for event in events] == [False, True, False]
