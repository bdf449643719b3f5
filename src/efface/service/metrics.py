"""Counts and times for Prometheus. Labels are names of our own: routes, methods, states; never a person or a text."""

from __future__ import annotations

import os

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120)


class Metrics:
    """What one process has seen; with several of them, their files are added up."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "efface_requests", "Requests answered.", ("method", "route", "status"), registry=self.registry
        )
        self.seconds = Histogram(
            "efface_request_seconds", "Time to answer.", ("route",), buckets=_SECONDS, registry=self.registry
        )
        self.verdicts = Counter(
            "efface_verdicts", "Verdicts on documents.", ("verdict",), registry=self.registry
        )
        self.refused = Counter(
            "efface_refused_logins", "Credentials that were not right.", registry=self.registry
        )

    def text(self) -> bytes:
        if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
            return generate_latest(self.registry)
        together = CollectorRegistry()
        MultiProcessCollector(together)  # type: ignore[no-untyped-call]
        return generate_latest(together)
