"""Bodies of requests: read for whoever is known, small where they are JSON, and never deep."""

from __future__ import annotations

import asyncio
import json
import re
import tempfile
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError
from starlette.exceptions import HTTPException

from efface.service.app import create
from efface.service.game.routes_game import Guesses
from efface.service.presidio.forms import AnalyzeRequest, AnonymizeRequest, DeanonymizeRequest
from efface.service.request_bodies import JsonShape
from efface.service.review.routes_matters import QueueChanges
from efface.service.review.routes_review import DecisionRequest
from tests.service.hospital import House, Open
from tests.service.loops import run_alone

_ROUTES = [
    ("POST", "/v1/tokens"),
    ("PUT", "/v1/users/eve"),
    ("PUT", "/v1/folders/wards"),
    ("POST", f"/v1/reviews/{'0' * 24}/decisions"),
    ("POST", f"/v1/reviews/{'0' * 24}/export"),
    ("POST", f"/v1/games/{'0' * 24}/answers"),
    ("POST", "/v1/redact"),
    ("POST", "/v1/reviews"),
    ("POST", "/v1/session"),
    ("DELETE", "/v1/users/low"),
    ("POST", "/v1/nowhere"),
    ("POST", "/dav/"),
]


def ask(
    house: House, method: str, path: str, *headers: tuple[bytes, bytes], piece: bytes = b"[" * 65536
) -> Any:
    """A request by hand, whose body never ends. The status, and how many pieces of the body were read."""
    read = 0
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        nonlocal read
        read += 1
        return {"type": "http.request", "body": piece, "more_body": True}

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {
        "type": "http", "method": method, "path": path, "raw_path": path.encode(), "query_string": b"", "root_path": "",
        "scheme": "http", "http_version": "1.1", "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 80),
        "headers": [(b"host", b"testserver"), (b"transfer-encoding", b"chunked"), *headers],
    }  # fmt: skip
    run_alone(create(house.service)(scope, receive, send))
    return sent[0]["status"], read


@pytest.mark.parametrize("kind", [b"application/json", b"multipart/form-data; boundary=x", b""])
@pytest.mark.parametrize("route", _ROUTES, ids=" ".join)
def test_nothing_is_read_from_somebody_unknown(
    shared_house: House, route: tuple[str, str], kind: bytes
) -> None:
    """Two anonymous posts of 30 MB made everybody wait: their bodies were parsed before anybody asked who sends."""
    for credentials in ([], [(b"authorization", b"Bearer efface_0000000000000000_" + b"A" * 43)]):
        status, read = ask(shared_house, *route, (b"content-type", kind), *credentials)
        assert status in (401, 405, 429) and read == 0


def test_a_file_is_not_read_from_somebody_who_may_not_send_one(shared_house: House) -> None:
    headers = [(name.lower().encode(), value.encode()) for name, value in shared_house.as_("low").items()]
    form = (b"content-type", b"multipart/form-data; boundary=x")
    assert ask(shared_house, "POST", "/v1/redact", form, *headers) == (403, 0)


def known(house: House) -> tuple[bytes, bytes]:
    return b"authorization", house.as_("admin")["Authorization"].encode()


def test_what_is_known_sends_little_and_nothing_deep(shared_house: House) -> None:
    json_body = (b"content-type", b"application/json")
    status, read = ask(shared_house, "POST", "/v1/tokens", json_body, known(shared_house))
    assert status == 400 and read == 1, "too deep"
    flat = b" " * 40_000
    status, read = ask(shared_house, "POST", "/v1/tokens", json_body, known(shared_house), piece=flat)
    assert status == 413 and read == 2
    status, read = ask(
        shared_house, "POST", "/v1/reviews/x/decisions", json_body, known(shared_house), piece=flat
    )
    assert status == 413 and read == 53, "decisions may be many"
    status, read = ask(shared_house, "POST", "/analyze", json_body, piece=b"[" * 100)
    assert status == 400 and read == 1


def test_a_large_length_is_refused_before_anything_arrives(shared_house: House) -> None:
    length = (b"content-length", b"30000000")
    assert ask(shared_house, "POST", "/v1/tokens", length, known(shared_house)) == (413, 0)
    assert ask(shared_house, "POST", "/analyze", length) == (413, 0)


def test_no_large_body_is_parsed_while_others_wait(
    shared_house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On the event loop one body after the other would hold up everybody."""
    parsed: list[bool] = []  # for each large text, whether that was on an event loop
    loads = json.loads

    def watched(text: Any, *given: Any, **named: Any) -> Any:
        if len(text) > 20_000:
            parsed.append(asyncio._get_running_loop() is not None)
        return loads(text, *given, **named)

    described = shared_house.client.get("/openapi.json").json()["paths"]
    routes = [
        (method, path)
        for path, operations in described.items()
        for method, operation in operations.items()
        if "application/json" in operation.get("requestBody", {}).get("content", {})
    ]
    assert len(routes) > 10
    monkeypatch.setattr(json, "loads", watched)
    headers = {**shared_house.as_("admin"), "Content-Type": "application/json"}
    for method, path in routes:
        del parsed[:]
        where = re.sub(r"{[^}]*}", "0" * 24, path)
        shared_house.client.request(method, where, content=b'["' + b"a" * 20_000 + b'"]', headers=headers)
        assert not any(parsed), f"{method} {path}"
        assert parsed or not path.startswith("/v1/"), "Presidio's routes parse in other ways"


_JSON = st.recursive(
    st.none() | st.integers() | st.text(max_size=8) | st.sampled_from(['"', "\\", '\\"', "[{", '\\\\"[']),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=30,
)


def _depth(value: Any) -> int:
    """The slow way: by the parsed value."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + max(map(_depth, inner), default=0) if isinstance(value, dict | list) else 0


@settings(max_examples=300, deadline=None, derandomize=True)
@given(_JSON, st.integers(1, 7), st.integers(30, 36))
def test_depth_is_the_parsers_depth_however_the_text_is_cut(value: Any, size: int, around: int) -> None:
    for _ in range(around):
        value = [value]
    text = json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")
    shape = JsonShape()
    try:
        for start in range(0, len(text), size):
            shape.feed(text[start : start + size])
    except HTTPException:
        assert _depth(value) > 32
    else:
        assert _depth(value) <= 32 and shape.depth == 0


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_no_text_hides_how_deep_it_is_by_its_encoding(encoding: str) -> None:
    """A letter of UTF-16 may hold the byte of a quotation mark: what follows it would pass for a string."""
    with pytest.raises(HTTPException):
        JsonShape().feed(('["\u2200", ' + "[" * 40).encode(encoding))


_MANY: list[tuple[type[BaseModel], dict[str, Any]]] = [
    (AnalyzeRequest, {"text": [0] * 500, "language": "en"}),
    (AnalyzeRequest, {"text": "a", "language": "en", "entities": [0] * 500}),
    (AnalyzeRequest, {"text": "a", "language": "en", "ad_hoc_recognizers": [0] * 40}),
    (AnonymizeRequest, {"text": "a", "analyzer_results": [0] * 500}),
    (AnonymizeRequest, {"text": "a", "analyzer_results": [], "anonymizers": dict.fromkeys(map(str, range(2000)))}),
    (DeanonymizeRequest, {"text": "a", "anonymizer_results": [0] * 500, "deanonymizers": {}}),
    (DecisionRequest, {"decisions": [{}] * 500}),
    (DecisionRequest, {"decisions": [{"kind": "redact", "places": [["a", "b"]] * 500}]}),
    (QueueChanges, {"ids": [""] * 500}),
    (Guesses, {"document": 0, "guesses": [0] * 500}),
]  # fmt: skip


@pytest.mark.parametrize("model, body", _MANY)
def test_the_first_mistake_of_a_list_ends_its_reading(model: type[BaseModel], body: dict[str, Any]) -> None:
    """A list of mistakes takes far longer to make than the list that was sent."""
    with pytest.raises(ValidationError) as raised:
        model.model_validate_json(json.dumps(body))
    assert raised.value.error_count() < 5


_WORDS = st.sampled_from(
    [b"{", b"[", b'"', b"\\", b"\0", b"\xff", b"--b\r\n", b"0\r\n\r\n", b"<!DOCTYPE x", b"GET / HTTP/1.1\r\n"]
)
_KINDS = st.sampled_from(
    [b"", b"application/json", b"multipart/form-data; boundary=b", b"multipart/form-data", b"text/xml"]
)
_PATHS = st.sampled_from(
    ["/v1/tokens", "/v1/redact", "/v1/reviews", "/v1/users/x", "/v1/policies/x", "/v1//", "/v1/%00", "/dav/x"]
)
_CREDENTIALS = st.sampled_from(
    [b"", b"Bearer ", b"Bearer efface_", b"Basic", b"Basic ====", b"Basic Og==", b"Digest x", b"Bearer a.b.c"]
)


@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(
    _PATHS,
    st.sampled_from(["POST", "PUT", "DELETE", "PATCH", "GET"]),
    _KINDS,
    _CREDENTIALS,
    st.lists(_WORDS, min_size=1),
)
def test_whatever_a_stranger_sends_is_not_read(
    shared_house: House, path: str, method: str, kind: bytes, credentials: bytes, words: list[bytes]
) -> None:
    """Nothing of it is read, nothing of it breaks anything, and the answer is one of few."""
    headers = [(b"content-type", kind)] + ([(b"authorization", credentials)] if credentials else [])
    status, read = ask(shared_house, method, path, *headers, piece=b"".join(words) * 1000)
    assert status in (401, 405, 429) and read == 0


@pytest.mark.parametrize("path", ["/health", "/nowhere", "/analyze", "/v1/sign-in", "/v1/keys"])
def test_a_body_that_was_not_read_is_not_waited_for(house: House, path: str) -> None:
    """An endless body on an open route kept its connection for ever."""
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"x" * 65536, "more_body": True}

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {
        "type": "http", "method": "POST" if path == "/analyze" else "GET", "path": path, "raw_path": path.encode(),
        "query_string": b"", "root_path": "", "scheme": "http", "http_version": "1.1", "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80), "headers": [(b"host", b"testserver"), (b"transfer-encoding", b"chunked")],
    }  # fmt: skip
    run_alone(create(house.service)(scope, receive, send))
    assert (b"connection", b"close") in [(name.lower(), value) for name, value in sent[0]["headers"]]


def test_a_file_that_arrives_is_on_no_disk(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    def rolled(_file: Any) -> None:
        raise AssertionError("a temporary file would hold an original")

    monkeypatch.setattr(tempfile.SpooledTemporaryFile, "rollover", rolled)
    data = b"nothing to see here\n" * 100_000
    assert house.add("large.txt", data)


def test_one_person_fills_no_memory_with_many_files(open_house: Open) -> None:
    """Files wait in memory until they are worked on. Whoever sends several at a time has room for so many."""
    house = open_house(per_user=2, max_upload=1)
    application = create(house.service)

    async def sent(name: str, gone: asyncio.Event, *length: tuple[bytes, bytes]) -> int:
        """The status of an upload whose body goes on until the client is gone."""
        answers: list[Any] = []
        began = False

        async def receive() -> dict[str, Any]:
            nonlocal began
            if not began:
                began = True
                return {"type": "http.request", "body": b"--x", "more_body": True}
            await gone.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            answers.append(message)

        headers = [
            (b"host", b"testserver"),
            (b"content-type", b"multipart/form-data; boundary=x"),
            (b"authorization", house.as_(name)["Authorization"].encode()),
            *length,
        ]
        scope = {
            "type": "http", "method": "POST", "path": "/v1/redact", "raw_path": b"/v1/redact", "query_string": b"",
            "root_path": "", "scheme": "http", "http_version": "1.1", "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 80), "headers": headers,
        }  # fmt: skip
        await application(scope, receive, send)
        return int(answers[0]["status"])

    async def several() -> None:
        gone, never = asyncio.Event(), asyncio.Event()
        never.set()
        chunked = (b"transfer-encoding", b"chunked")
        large, small = (b"content-length", b"1000000"), (b"content-length", b"1000")
        held = [asyncio.ensure_future(sent("reviewer", gone, each)) for each in (chunked, large)]
        while len(asyncio.all_tasks()) < 3:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.2)
        assert await sent("reviewer", never, large) == 429
        assert await sent("reviewer", never, small) == 400, "small ones find room"
        assert await sent("admin", never, large) == 400, "others have room of their own"
        gone.set()
        assert set(await asyncio.gather(*held)) == {400}
        assert await sent("reviewer", never, large) == 400

    run_alone(several())
