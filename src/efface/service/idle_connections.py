"""Connections that say nothing, never finish saying what they want, or take too many words for it, are dropped."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEADER_SECONDS = 10.0  # from the first byte, or from the beginning of a connection, to the end of the headers


HEADER_BYTES = 64 << 10  # of a request before its headers end; nobody is known before they do


class Protocol(HttpToolsProtocol):
    """uvicorn's own, with a clock and a measure for the headers: a thousand half-open connections would take all there
    are, and one with endless headers all memory."""

    _clock: asyncio.TimerHandle | None = None
    _heard: int = 0  # bytes while the clock runs

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._begin_clock()

    def connection_lost(self, exc: Exception | None) -> None:
        self._end_clock()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        before = self._clock is not None
        super().data_received(data)
        self._heard = self._heard + len(data) if before and self._clock is not None else 0
        if self._heard > HEADER_BYTES:
            self._end_clock()
            self._drop()

    def on_message_begin(self) -> None:
        self._begin_clock()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._end_clock()
        super().on_headers_complete()

    def _begin_clock(self) -> None:
        self._end_clock()
        self._clock = self.loop.call_later(HEADER_SECONDS, self._drop)

    def _end_clock(self) -> None:
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None

    def _drop(self) -> None:
        self._clock = None
        if self.transport is not None and not self.transport.is_closing():
            self.transport.abort()
