"""Connections that say nothing, or never finish saying what they want, are dropped."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEADER_SECONDS = 10.0  # from the first byte, or from the beginning of a connection, to the end of the headers


class Protocol(HttpToolsProtocol):
    """uvicorn's own, with a clock for the headers: a thousand half-open connections would take all there are."""

    _clock: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._begin_clock()

    def connection_lost(self, exc: Exception | None) -> None:
        self._end_clock()
        super().connection_lost(exc)

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
