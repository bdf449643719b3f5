"""The proxy against a stand-in for a model, on loopback: what it is sent, and what comes back."""

from __future__ import annotations

import json
import random
import re
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar

import pytest

pytest.importorskip("starlette", reason="the extra `service` is not installed")
from starlette.testclient import TestClient

import efface
from efface.api.originals import Originals
from efface.errors import InputError, Refused
from efface.proxy.answers import AnswerStream, restore_answer
from efface.proxy.app import build
from efface.proxy.messages import redact_request

QUICK: dict[str, Any] = {"find": {"names": "none"}}
MARK = "ann@example.org"
KEY = "Bearer sk-test-1234567890abcdef"
PLACEHOLDER = re.compile(r"\[[A-Z_]+_\d+\]")
REWRITES: tuple[Callable[[str], str], ...] = (
    lambda p: p,
    lambda p: p.lower(),
    lambda p: p.strip("[]"),
    lambda p: p.replace("[", "\\[").replace("]", "\\]").replace("_", "\\_"),
    lambda p: f"**{p}**",
)


class Model(BaseHTTPRequestHandler):
    """Says again what it was told, with its placeholders rewritten."""

    seen: ClassVar[list[tuple[dict[str, Any], dict[str, str]]]] = []
    rewrite: Callable[[str], str] = staticmethod(lambda p: p)
    status = 200
    rubbish = False

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        type(self).seen.append((body, dict(self.headers)))
        said = PLACEHOLDER.sub(lambda found: type(self).rewrite(found[0]), body["messages"][-1]["content"])
        if body.get("stream"):
            self._stream(said)
            return
        message = {"role": "assistant", "content": said}
        if body.get("tools"):
            arguments = json.dumps({"to": said})
            message["tool_calls"] = [
                {"id": "1", "type": "function", "function": {"name": "f", "arguments": arguments}}
            ]  # type: ignore[assignment]
        self._send(
            json.dumps(
                {"id": "x", "choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}
            ).encode()
        )

    def _send(self, data: bytes) -> None:
        self.send_response(type(self).status)
        self.send_header("content-type", "application/json")
        self.send_header("retry-after", "7")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _stream(self, said: str) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        draw, position = random.Random(len(said)), 0
        while position < len(said):
            size = draw.randint(1, 5)
            delta = {"content": said[position : position + size]}
            self._event({"index": 0, "delta": delta, "finish_reason": None})
            position += size
        if type(self).rubbish:
            self.wfile.write(b"data: {rubbish\n\n")
        self._event({"index": 0, "delta": {}, "finish_reason": "stop"})
        self.wfile.write(b"data: [DONE]\n\n")

    def _event(self, choice: dict[str, Any]) -> None:
        self.wfile.write(f"data: {json.dumps({'id': 'x', 'choices': [choice]})}\n\n".encode())

    def log_message(self, *_arguments: Any) -> None:
        pass


@pytest.fixture
def upstream() -> Iterator[str]:
    Model.seen, Model.status, Model.rubbish = [], 200, False
    Model.rewrite = staticmethod(lambda p: p)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Model)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    thread.join(10)
    server.server_close()


@pytest.fixture
def client(upstream: str) -> Iterator[TestClient]:
    with TestClient(build(efface.Sanitizer(QUICK), upstream)) as client:
        yield client


def ask(client: TestClient, *contents: Any, **more: Any) -> Any:
    messages = [{"role": "user", "content": content} for content in contents]
    return client.post(
        "/v1/chat/completions",
        json={"model": "m", "messages": messages, **more},
        headers={"authorization": KEY},
    )


def said(answer: Any) -> str:
    return str(answer.json()["choices"][0]["message"]["content"])


def test_placeholders_out_originals_back(client: TestClient) -> None:
    answer = ask(client, "I am ann@example.org.", "Mail bob@example.org and ann@example.org.", user="ann")
    assert said(answer) == "Mail bob@example.org and ann@example.org."
    body, headers = Model.seen[0]
    assert [message["content"] for message in body["messages"]] == [
        "I am [EMAIL_ADDRESS_1].",
        "Mail [EMAIL_ADDRESS_2] and [EMAIL_ADDRESS_1].",
    ]
    assert "example.org" not in json.dumps(body) and "user" not in body
    assert headers["authorization"] == KEY


def test_thousands_of_rewrites_are_exact(client: TestClient) -> None:
    """50 requests of 40 placeholders, in every rewriting."""
    draw = random.Random(11)
    for number in range(50):
        rewrite = REWRITES[number % len(REWRITES)]
        Model.rewrite = staticmethod(rewrite)
        words = [
            f"user{draw.randrange(10**6)}@example.org" if draw.random() < 0.7 else "and" for _ in range(60)
        ]
        answer = ask(client, " ".join(words), stream=bool(number % 2))
        bold = [f"**{word}**" if "@" in word and rewrite is REWRITES[4] else word for word in words]
        assert (streamed(answer) if number % 2 else said(answer)) == " ".join(bold)


def streamed(answer: Any) -> str:
    lines = [line[6:] for line in answer.text.splitlines() if line.startswith("data: ")]
    assert lines[-1] == "[DONE]"
    chunks = [json.loads(line) for line in lines[:-1]]
    return "".join(choice["delta"].get("content") or "" for chunk in chunks for choice in chunk["choices"])


def test_arguments_of_calls_stay_json(client: TestClient) -> None:
    text = 'Mail "ann@example.org".'
    answer = ask(client, text, tools=[{"type": "function", "function": {"name": "f"}}])
    call = answer.json()["choices"][0]["message"]["tool_calls"][0]
    assert json.loads(call["function"]["arguments"]) == {"to": text}
    message = {"role": "assistant", "content": None, "tool_calls": [call]}
    body = {"model": "m", "messages": [message, {"role": "user", "content": "go on"}]}
    assert client.post("/v1/chat/completions", json=body).status_code == 200
    assert "ann@example.org" not in json.dumps(Model.seen[-1][0])


@pytest.mark.parametrize(
    "body",
    [
        {
            "model": "m",
            "messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "x"}}]}],
        },
        {"model": "m", "messages": [{"role": "user", "content": "x", "audio": {}}]},
        {"model": "m", "messages": [{"role": "ghost", "content": "x"}]},
        {"model": "m", "messages": [{"role": ["user"], "content": "x"}]},
        {"model": "m", "messages": "ann@example.org"},
        {"model": "m", "messages": [{"role": "user", "content": 7}]},
        {"model": "m", "messages": [], "prediction": {"content": "ann@example.org"}},
        ["ann@example.org"],
    ],
)
def test_what_the_proxy_cannot_read_is_not_sent(client: TestClient, body: Any) -> None:
    answer = client.post("/v1/chat/completions", json=body)
    assert answer.status_code == 422
    assert "ann@example.org" not in answer.text
    assert Model.seen == []


def test_calls_keep_their_ids_and_every_text_of_them_is_read(client: TestClient) -> None:
    call = {"id": "call_Ab12", "type": "function", "function": {"name": "pay", "arguments": ""}}
    custom = {"id": f"x {MARK}", "type": "custom", "custom": {"name": "t", "input": f"to {MARK}"}}
    spoken = {"name": "pay", "arguments": json.dumps({MARK: [4111111111111111, {"to": MARK}]})}
    messages = [
        {"role": "assistant", "content": None, "tool_calls": [call, custom], "function_call": spoken},
        {"role": "tool", "tool_call_id": "call_Ab12", "content": "done"},
        {"role": "tool", "tool_call_id": f"x {MARK}", "content": [{"type": "text", "text": MARK}]},
        {"role": "user", "content": "go on"},
    ]
    schema = {
        "type": "object",
        "properties": {"to": {"type": "string", "enum": [MARK], "description": f"Not {MARK}"}},
    }
    tools = [{"type": "function", "function": {"name": "pay", "parameters": schema}}]
    body = {"model": "m", "messages": messages, "tools": tools, "stop": [MARK], "logit_bias": {"50256": -100}}
    assert client.post("/v1/chat/completions", json=body).status_code == 200
    sent = Model.seen[-1][0]
    assert MARK not in json.dumps(sent) and "4111111111111111" not in json.dumps(sent)
    calls = sent["messages"][0]["tool_calls"]
    assert [one["id"] for one in calls] == [one["tool_call_id"] for one in sent["messages"][1:3]]
    assert calls[0] == call and sent["logit_bias"] == {"50256": -100}
    parameters = sent["tools"][0]["function"]["parameters"]["properties"]["to"]
    assert parameters["enum"] == sent["stop"] and parameters["type"] == "string"


def _with_tool(name: str) -> dict[str, Any]:
    return {"tools": [{"type": "function", "function": {"name": name, "parameters": {}}}]}


@pytest.mark.parametrize(
    "more",
    [
        {"model": "kowalska-7b"},
        {"service_tier": "Kowalska"},
        _with_tool("mail_kowalska"),
        _with_tool("call_2025550143"),
        {
            "tools": [
                {
                    "type": "function",
                    "function": {"name": "f", "parameters": {"properties": {"Kowalska": {}}}},
                }
            ]
        },
        {"tool_choice": {"type": "function", "function": {"name": "Kowalska"}}},
        {
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": "x", "schema": {"$ref": "Kowalska"}},
            }
        },
    ],
)
def test_names_that_hold_what_is_removed_or_denied_are_refused(more: dict[str, Any]) -> None:
    sanitizer = efface.Sanitizer({"find": {"names": "none", "deny": ["Kowalska"]}})
    body = {"model": "m", "messages": [{"role": "user", "content": "Call 2025550143 now."}]}
    with pytest.raises(Refused, match="name of a model"):
        redact_request({**body, **more}, sanitizer)


def test_tools_and_models_may_be_called_as_firms_are() -> None:
    body = {
        "model": "claude-20240229",
        "messages": [{"role": "user", "content": "Dear Claude Monet, on 2024-02-29."}],
    }
    sent, _ = redact_request({**body, **_with_tool("string")}, efface.Sanitizer("names"))
    assert sent["model"] == "claude-20240229" and "Monet" not in json.dumps(sent)


_HOLDERS: tuple[Callable[[Any], Any], ...] = (
    lambda inner: inner,
    lambda inner: [inner],
    lambda inner: {"type": "text", "text": inner},
    lambda inner: {"type": "function", "function": inner},
    lambda inner: {"name": "f", "arguments": inner},
    lambda inner: {"name": "f", "arguments": json.dumps(inner)},
    lambda inner: {"type": "custom", "custom": {"name": "f", "input": inner}},
    lambda inner: {"x": inner},
    lambda inner: {inner if isinstance(inner, str) else "y": 1},
    lambda inner: {"id": inner, "type": "function"},
    lambda inner: {"name": inner},
    lambda inner: {"role": "user", "content": inner},
    lambda inner: {"role": "assistant", "tool_calls": inner},
    lambda inner: {"role": "assistant", "function_call": inner},
    lambda inner: {"role": "tool", "tool_call_id": inner, "content": "x"},
)
_KEYS = (
    "model messages stop tools tool_choice functions response_format stream_options logit_bias seed user metadata "
    "service_tier prediction n"
).split()


def test_wherever_a_text_stands_it_is_redacted_or_the_request_is_refused() -> None:
    draw, sanitizer, sent_on = random.Random(24), efface.Sanitizer(QUICK), 0
    for _ in range(600):
        value: Any = draw.choice([MARK, f"Write to {MARK} soon."])
        for _ in range(draw.randint(1, 5)):
            value = draw.choice(_HOLDERS)(value)
        message = {"role": "user", "content": "hello"}
        body = {"model": "m", "messages": [message]}
        key = draw.choice(["messages", *_KEYS])
        body[key] = [message, value] if key == "messages" else value
        try:
            sent, _ = redact_request(body, sanitizer)
        except (InputError, Refused) as error:
            assert MARK not in f"{error.message} {error.hint}"
            continue
        sent_on += 1
        assert MARK not in json.dumps(sent), body
    assert sent_on > 50


@pytest.mark.parametrize("last", [None, {"content": None}, {}])
def test_streams_of_every_shape_are_restored(last: Any) -> None:
    _, originals = redact_request(
        {"model": "m", "messages": [{"role": "user", "content": f"Mail {MARK}."}]}, efface.Sanitizer(QUICK)
    )
    placeholder, arguments = next(iter(originals.mapping)), ""
    whole = json.dumps({"to": placeholder})
    stream, got = AnswerStream(originals), {"refusal": "", "arguments": "", "spoken": "", "input": ""}
    events: list[str] = []
    for at in range(0, len(whole), 3):
        piece = whole[at : at + 3]
        calls = [
            {"index": 0, "function": {"arguments": piece}},
            {"index": 1, "custom": {"input": piece}},
        ]
        delta = {"refusal": piece, "function_call": {"arguments": piece}, "tool_calls": calls}
        events += stream.event(json.dumps({"choices": [{"index": 0, "delta": delta}]}))
    events += stream.event(json.dumps({"choices": [{"index": 0, "delta": last}]}))
    events += stream.event("[DONE]")
    for event in events[:-1]:
        for choice in json.loads(event)["choices"]:
            delta = choice["delta"]
            got["refusal"] += delta.get("refusal") or ""
            got["spoken"] += (delta.get("function_call") or {}).get("arguments") or ""
            for call in delta.get("tool_calls") or ():
                got["arguments"] += (call.get("function") or {}).get("arguments") or ""
                got["input"] += (call.get("custom") or {}).get("input") or ""
    arguments = json.dumps({"to": MARK})
    assert got == dict.fromkeys(got, arguments)


@pytest.mark.parametrize("ending", ["stop", None])
def test_invented_placeholders_are_told_in_a_stream(ending: str | None) -> None:
    stream = AnswerStream(Originals({"[PERSON_1]": "Anna"}))
    call = {"index": 0, "function": {"arguments": '{"to": "[PERSON_8]"}'}}
    deltas = [{"content": "Ask [PERSON_1] or [PER"}, {"content": "SON_7]."}, {"tool_calls": [call]}]
    events: list[str] = []
    for delta in deltas:
        events += stream.event(json.dumps({"choices": [{"index": 0, "delta": delta}]}))
    events += stream.event(json.dumps({"choices": [{"index": 0, "delta": {}, "finish_reason": ending}]}))
    events += stream.event("[DONE]")
    told = [json.loads(event).get("x_efface_invented", 0) for event in events[:-1]]
    assert sum(told) == told[-1] == 2
    contents = (json.loads(event)["choices"][0]["delta"].get("content") or "" for event in events[:-1])
    assert "".join(contents) == "Ask Anna or [PERSON_7]."


def test_invented_placeholders_in_arguments_are_told() -> None:
    called = {"function": {"arguments": '{"to": "[PERSON_8]"}'}}
    answer = {"choices": [{"message": {"content": "Done.", "tool_calls": [called]}}]}
    assert restore_answer(answer, Originals({"[PERSON_1]": "Anna"}))[1] == 1


def test_stream_that_breaks_off_says_so(client: TestClient, caplog: pytest.LogCaptureFixture) -> None:
    Model.rubbish = True
    answer = ask(client, f"Mail {MARK}.", stream=True)
    assert '"type": "efface"' in answer.text.splitlines()[-2] and MARK not in caplog.text


def test_waiting_time_of_the_model_passes(client: TestClient) -> None:
    Model.status = 429
    assert ask(client, "hello").headers["retry-after"] == "7"
    away = client.post("/v1/embeddings", json={})
    assert away.status_code == 404 and "chat/completions" in away.json()["error"]["message"]


def test_fails_closed_when_redaction_does(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_arguments: Any, **_more: Any) -> Any:
        raise ZeroDivisionError("ann@example.org")

    monkeypatch.setattr("efface.pipeline.sanitize.sanitize", broken)
    answer = ask(client, "Mail ann@example.org.")
    assert answer.status_code == 500 and "ann@example.org" not in answer.text
    assert Model.seen == []


def test_errors_of_the_model_pass_and_nothing_else_is_forwarded(client: TestClient) -> None:
    Model.status = 429
    assert ask(client, "hello").status_code == 429
    assert client.post("/v1/embeddings", json={"input": "ann@example.org"}).status_code == 404
    assert len(Model.seen) == 1


def test_model_that_is_away(caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]) -> None:
    with TestClient(build(efface.Sanitizer(QUICK), "http://127.0.0.1:9/v1")) as client:
        assert ask(client, "hello").status_code == 502
    told = caplog.text + "".join(capfd.readouterr())
    assert KEY not in told and KEY.split()[1] not in told


@pytest.mark.parametrize("stream", [False, True])
def test_half_a_character_of_the_model_passes(client: TestClient, stream: bool) -> None:
    """A model may cut an emoji between two events. Such halves could not be encoded, and the answer broke off."""
    Model.rewrite = staticmethod(lambda placeholder: f"{placeholder} \ud83d")
    answer = ask(client, f"Mail {MARK} now.", stream=stream)
    assert answer.status_code == 200
    assert MARK in answer.text and "\\ud83d" in answer.text


def test_originals_in_capitals_stay_json_in_arguments() -> None:
    """A surrogate in capitals gives its original in capitals. An escaped line break is no letter."""
    originals = Originals({"Maria Schmidt": 'Anna\nNowak "Ann"'})
    called = {"function": {"arguments": json.dumps({"to": "MARIA SCHMIDT"})}}
    answer, _ = restore_answer({"choices": [{"message": {"tool_calls": [called]}}]}, originals)
    arguments = answer["choices"][0]["message"]["tool_calls"][0]["function"]["arguments"]
    assert json.loads(arguments) == {"to": 'ANNA\nNOWAK "ANN"'}
