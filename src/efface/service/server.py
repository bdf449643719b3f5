"""The processes that serve: how `efface serve` starts them, with the limits and the log that the service needs."""

from __future__ import annotations

import contextlib
import logging
import os
import tempfile
from typing import Any

import uvicorn

from efface.service.draining import graceful_seconds
from efface.service.settings import ENVIRONMENT, ServiceSettings
from efface.service.socket_sharing import Supervisor


def run(settings: ServiceSettings) -> bool:
    """Serve until told to stop. Returns whether it ever began."""
    with contextlib.ExitStack() as stack:
        if settings.workers > 1 and "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
            os.environ["PROMETHEUS_MULTIPROC_DIR"] = stack.enter_context(tempfile.TemporaryDirectory())
        os.environ[ENVIRONMENT] = settings.model_dump_json()
        _allow_connections()
        config = _config(settings)
        if settings.workers > 1:
            Supervisor(config, [config.bind_socket()], settings.seconds_to_drain).run()
            return True
        server = uvicorn.Server(config)
        with contextlib.suppress(KeyboardInterrupt):
            server.run()
        return server.started


def _config(settings: ServiceSettings) -> uvicorn.Config:
    return uvicorn.Config(
        "efface.service.app:from_environment",
        factory=True,
        host=settings.host,
        port=settings.port,
        workers=settings.workers,
        loop="efface.service.socket_sharing:Loop",
        http="efface.service.idle_connections:Protocol",
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,  # the setting `proxies` says whose word counts
        timeout_keep_alive=15,
        ws="none",  # no route speaks it
        timeout_graceful_shutdown=graceful_seconds(settings.seconds_to_drain),
        h11_max_incomplete_event_size=64 << 10,
        log_config=_LOGGING,
    )


def _allow_connections() -> None:
    """Take as many connections as the system lets this process have: the default of a shell is soon used up."""
    with contextlib.suppress(ImportError, OSError, ValueError):  # Windows has no such limit
        import resource

        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


class PlaceOnly(logging.Formatter):
    """Where a library complained. Its words may quote what somebody sent."""

    def format(self, record: logging.LogRecord) -> str:
        at = f"{record.name} {record.funcName}:{record.lineno}"
        return f"{self.formatTime(record)} {record.levelname} library {at}"


_LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {"format": "%(asctime)s %(levelname)s %(message)s"},
        "place": {"()": PlaceOnly},
    },
    "handlers": {
        "out": {"class": "logging.StreamHandler", "formatter": "line", "stream": "ext://sys.stderr"},
        "libraries": {"class": "logging.StreamHandler", "formatter": "place", "stream": "ext://sys.stderr"},
    },
    "root": {"handlers": ["libraries"], "level": "WARNING"},
    "loggers": {
        "uvicorn": {"handlers": ["out"], "level": "WARNING", "propagate": False},
        "efface.service": {"handlers": ["out"], "level": "INFO", "propagate": False},
    },
}
