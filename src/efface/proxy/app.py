"""The proxy itself: chat completions as OpenAI's are, to one upstream. It keeps nothing and logs nothing."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import httpx
from anyio import to_thread
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from efface.api.originals import Originals
from efface.api.sanitizer import Sanitizer
from efface.errors import EffaceError, describe_internal
from efface.proxy import nested_json
from efface.proxy.answers import AnswerStream, restore_answer
from efface.proxy.event_stream import event_data
from efface.proxy.messages import redact_request
from efface.proxy.program_words import finite

MAX_BODY = 16 << 20  # bytes of a request, of an event in an answer, and of a whole answer
_PASSED = ("authorization", "openai-organization", "openai-project", "x-api-key", "api-key")
_RETURNED = ("retry-after", "retry-after-ms", "x-request-id")  # clients wait, and support asks, by these
_SECONDS = 600.0  # that a model may take for an answer


def build(sanitizer: Sanitizer, upstream: str) -> Starlette:
    """The application. `upstream` is where the model's own paths begin, such as `https://api.example.com/v1`."""
    base = upstream.rstrip("/")
    client = httpx.AsyncClient(timeout=_SECONDS, follow_redirects=False, trust_env=False)

    async def completions(request: Request) -> Response:
        try:
            body = await _body(request)
            sent, originals = await to_thread.run_sync(redact_request, body, sanitizer)
        except Exception as error:  # whatever went wrong, nothing was sent
            return _refusal(error)
        headers = {**_headers(request), b"content-type": b"application/json"}
        data = json.dumps(sent)  # in ASCII: a text may hold half a character, which is no UTF-8
        call = client.build_request("POST", f"{base}/chat/completions", content=data, headers=headers)
        try:
            answer = await client.send(call, stream=True)
        except httpx.HTTPError as error:
            return _unreachable(error)
        is_whole = answer.headers.get("content-type", "").startswith("application/json")
        if answer.status_code == 200 and sent.get("stream") and not is_whole:
            events = _restored_events(answer, AnswerStream(originals))
            return StreamingResponse(events, media_type="text/event-stream", headers=_returned(answer))
        return await _unstreamed_answer(answer, originals)

    async def models(request: Request) -> Response:
        call = client.build_request("GET", f"{base}/models", headers=_headers(request))
        try:
            answer = await client.send(call, stream=True)
        except httpx.HTTPError as error:
            return _unreachable(error)
        return await _unstreamed_answer(answer, Originals({}))

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        yield
        await client.aclose()

    routes = [
        Route("/v1/chat/completions", completions, methods=["POST"]),
        Route("/v1/models", models, methods=["GET"]),
    ]
    return Starlette(routes=routes, lifespan=lifespan, exception_handlers={404: _elsewhere})


async def _elsewhere(_request: Request, _error: Exception) -> Response:
    return _problem(404, "The proxy has /v1/chat/completions and /v1/models; nothing was sent.")


def _refusal(error: Exception) -> Response:
    """The answer to a request that could not be redacted. Nothing of it was sent."""
    if isinstance(error, EffaceError):
        return _problem(422, error.message, error.hint)
    if isinstance(error, RecursionError):
        return _problem(422, "The request is nested too deep: nothing was sent.", "Flatten it.")
    return _problem(500, f"{describe_internal(error)}: nothing was sent.")


def _unreachable(error: httpx.HTTPError) -> Response:
    return _problem(502, f"The model cannot be reached ({type(error).__name__}).")


async def _body(request: Request) -> dict[str, Any]:
    from efface.errors import InputError

    data = bytearray()
    async for piece in request.stream():
        data += piece
        if len(data) > MAX_BODY:
            raise InputError("The request is larger than 16 MiB.", "Send less.")
    try:
        body = nested_json.loads(data, finite)
    except ValueError:
        raise InputError(
            "The request is no JSON, or is nested too deep.", "Send a chat completion."
        ) from None
    if not isinstance(body, dict):
        raise InputError("The request is no JSON object.", "Send a chat completion.")
    return body


def _headers(request: Request) -> dict[bytes, bytes]:
    """Keys pass through, byte for byte; nothing else of the program's headers does."""
    return {name: value for name, value in request.headers.raw if name.lower().decode("latin-1") in _PASSED}


async def _unstreamed_answer(answer: httpx.Response, originals: Originals) -> Response:
    """An answer that is not streamed. One that is an error is passed on as it is."""
    data = bytearray()
    try:
        async for piece in answer.aiter_bytes():
            data += piece
            if len(data) > MAX_BODY:  # a few compressed bytes may be gigabytes
                return _problem(502, "The model's answer is larger than 16 MiB.")
    except httpx.HTTPError as error:
        return _problem(502, f"The answer broke off ({type(error).__name__}).")
    finally:
        await answer.aclose()
    try:
        # A long answer takes seconds, and others must not wait for it.
        return await to_thread.run_sync(_restored, answer, nested_json.loads(data), originals)
    except (ValueError, RecursionError):
        status = answer.status_code if answer.is_error else 502  # programs decide by it whether to ask again
        return _problem(status, "The model's answer is no JSON that can be read.", headers=_returned(answer))


def _restored(answer: httpx.Response, body: Any, originals: Originals) -> Response:
    if answer.status_code != 200 or not isinstance(body, dict):
        return _json_response(body, answer.status_code, _returned(answer))
    restored, invented = restore_answer(body, originals)
    return _json_response(restored, 200, {**_returned(answer), "x-efface-invented": str(invented)})


def _json_response(body: Any, status: int, headers: dict[str, str]) -> Response:
    """The answer in ASCII: the model may have written half a character, which is no UTF-8."""
    return Response(json.dumps(body), status, headers, media_type="application/json")


def _returned(answer: httpx.Response) -> dict[str, str]:
    return {name: answer.headers[name] for name in _RETURNED if name in answer.headers}


async def _restored_events(answer: httpx.Response, stream: AnswerStream) -> AsyncIterator[str]:
    """The events as they come. A stream that breaks off says so in its last one, as OpenAI's do."""
    try:
        async for event in event_data(answer.aiter_bytes(), MAX_BODY):
            for data in stream.event(event):
                yield f"data: {data}\n\n"
        for data in stream.end():
            yield f"data: {data}\n\n"
    except (httpx.HTTPError, ValueError, RecursionError) as error:
        yield f"data: {json.dumps(_error(502, f'The answer broke off ({type(error).__name__}).'))}\n\n"
    finally:
        await answer.aclose()


def _problem(
    status: int, message: str, hint: str = "", headers: Mapping[str, str] | None = None
) -> JSONResponse:
    """As OpenAI's errors look, so that clients show it."""
    return JSONResponse(_error(status, f"{message} {hint}".strip()), status, headers)


def _error(status: int, message: str) -> dict[str, Any]:
    return {"error": {"message": message, "type": "efface", "code": status}}
