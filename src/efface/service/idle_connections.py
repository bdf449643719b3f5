"""Connections of people who are not known yet: what they may send before anybody asks who they are, for how long, and
how many of them there may be.

Nobody is known before the headers of a request have ended, and whoever sends them costs the event loop something on
which everybody waits. So a connection is read a little at a time, its headers have limits of time, size and number, its
address and its cookies are taken apart only where they are few, few requests of it may wait, and of too many strangers the one goes whose last request is longest ago.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import OrderedDict
from typing import Any
from weakref import WeakKeyDictionary

import httptools
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from efface.service.middleware import KNOWN, Guard

HEADER_SECONDS = 10.0  # from the first byte, or from the beginning of a connection, to the end of the headers
HEADER_BYTES = 64 << 10  # bytes of a request before its headers end; nobody is known before they do
HEADERS = 200  # headers of one request
ADDRESS_BYTES = 8 << 10  # of one request's path and query, which are decoded before anybody is known
FIELDS = 100  # of a query
COOKIES = 200  # browsers keep fewer for one host
WAITING = 16  # requests that one connection sends before the first is answered
STRANGERS = 512  # connections in one process on which nobody has been known yet
STALLED_SECONDS = 30.0  # seconds that an answer waits for a client that takes nothing of it
_CHANCE_SECONDS = 1.0  # that a connection has for its first request, though the service stops
_PIECE = 32 << 10  # bytes that are parsed before others have their turn

_Strangers = OrderedDict["HttpProtocol", None]  # those who asked last stand last
_STRANGERS: WeakKeyDictionary[asyncio.AbstractEventLoop, _Strangers] = WeakKeyDictionary()


class HttpProtocol(HttpToolsProtocol):
    """uvicorn's own, with limits on what a stranger may send."""

    _clock: asyncio.TimerHandle | None = None
    _stalled: asyncio.TimerHandle | None = None
    _header_bytes_read: int = 0  # bytes while the clock runs
    _was_asked: bool = False  # whether a request was heard
    _is_last: bool = False  # whether the service stops, so that no request follows this one

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._begin_clock()
        self._strangers[self] = None
        if len(self._strangers) > STRANGERS:
            oldest, _ = self._strangers.popitem(last=False)
            oldest._abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._end_clock()
        self._strangers.pop(self, None)
        super().connection_lost(exc)  # which also resumes writing

    def shutdown(self) -> None:
        """The service stops. A request may be on its way over a connection that was made a moment ago, and whoever sends
        it cannot know whether it was heard: it is waited for."""
        if self._was_asked or self.transport.is_closing():
            super().shutdown()
        else:
            self._is_last = True
            self.loop.call_later(_CHANCE_SECONDS, self._close_if_silent)

    def _close_if_silent(self) -> None:
        if not self._was_asked and not self.transport.is_closing():
            self.transport.close()

    def data_received(self, data: bytes) -> None:
        before = self._clock is not None
        self._unset_keepalive_if_required()
        with contextlib.suppress(
            httptools.HttpParserUpgrade
        ):  # no route speaks anything else: it is answered as it is
            self._parse(data)
        self._header_bytes_read = (
            self._header_bytes_read + len(data) if before and self._clock is not None else 0
        )
        if self._header_bytes_read > HEADER_BYTES:
            self._end_clock()
            self._abort()

    def _parse(self, data: bytes) -> None:
        """Parse as far as anybody wants to hear. Nothing is logged: strangers would fill the log."""
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserError:
            if not self.transport.is_closing():
                self.send_400_response("Invalid HTTP request received.")

    def on_message_begin(self) -> None:
        self._begin_clock()
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        super().on_url(url)
        if len(self.url) > ADDRESS_BYTES or self.url.count(b"&") >= FIELDS:
            raise httptools.HttpParserError

    def on_header(self, name: bytes, value: bytes) -> None:
        if name.lower() == b"cookie" and value.count(b";") >= COOKIES:
            raise httptools.HttpParserError
        if len(self.headers) >= HEADERS:
            raise httptools.HttpParserError
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._end_clock()
        if len(self.pipeline) >= WAITING:
            raise httptools.HttpParserError
        self._refuse_strangers()
        super().on_headers_complete()
        self._was_asked = True
        if self._is_last:
            self.cycle.keep_alive = False
        if self in self._strangers:
            self._strangers.move_to_end(self)

    def _refuse_strangers(self) -> None:
        """Answer a request that is refused by its headers, and hear no more of it: what follows is not even parsed."""
        is_busy = self.cycle is not None and not self.cycle.response_complete
        if is_busy or not isinstance(self.app, Guard):
            return
        answer = self.app.refusal(self.parser.get_method().decode("ascii"), self.url, self.headers)
        if answer is not None:
            date = b"".join(b"%s: %s\r\n" % row for row in self.server_state.default_headers)
            self.transport.write(STATUS_LINE[401] + date + answer)
            self.transport.close()
            raise httptools.HttpParserError  # which ends the parsing

    def on_response_complete(self) -> None:
        if self.cycle is not None and self.cycle.scope.get(KNOWN):
            self._strangers.pop(self, None)
        super().on_response_complete()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._stalled = self.loop.call_later(STALLED_SECONDS, self._abort)

    def resume_writing(self) -> None:
        if self._stalled is not None:
            self._stalled.cancel()
        super().resume_writing()

    def give_way(self) -> None:
        """Read on when others had their turn."""
        if not (self.transport.is_closing() or self.flow.read_paused):
            self.flow.pause_reading()
            self.loop.call_soon(self._read_on)

    def _read_on(self) -> None:
        if not self.transport.is_closing():
            self.flow.resume_reading()

    @property
    def _strangers(self) -> _Strangers:
        return _STRANGERS.setdefault(self.loop, OrderedDict())

    def _begin_clock(self) -> None:
        self._end_clock()
        self._clock = self.loop.call_later(HEADER_SECONDS, self._abort)

    def _end_clock(self) -> None:
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None

    def _abort(self) -> None:
        self._clock = None
        if self.transport is not None and not self.transport.is_closing():
            self.transport.abort()


class Protocol(asyncio.BufferedProtocol):
    """What the server is given: reads a small piece, lets others have their turn, and reads on.

    An event loop left to itself reads 256 KB or more at a time, and nobody else is served while they are parsed: that is
    40,000 chunks of a body, or 6,000 requests, of somebody who is about to be refused."""

    def __init__(self, *given: Any, **named: Any) -> None:
        self._http = HttpProtocol(*given, **named)
        self._piece = bytearray(_PIECE)

    def get_buffer(self, _sizehint: int) -> bytearray:
        return self._piece

    def buffer_updated(self, nbytes: int) -> None:
        self._http.data_received(bytes(memoryview(self._piece)[:nbytes]))
        if nbytes == _PIECE:
            self._http.give_way()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._http.connection_made(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        self._http.connection_lost(exc)

    def eof_received(self) -> bool | None:
        self._http.eof_received()
        return None

    def pause_writing(self) -> None:
        self._http.pause_writing()

    def resume_writing(self) -> None:
        self._http.resume_writing()
