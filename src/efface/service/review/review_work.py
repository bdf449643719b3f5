"""Reviews are worked on in worker processes: a thread that plans a document cannot be ended, a process can."""

from __future__ import annotations

import contextlib
import json
import secrets
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from efface.core import Verdict
from efface.pipeline.bound import StageListener, unwatched
from efface.service.jobs.failed_files import FailedFiles
from efface.service.jobs.processes import Call, ClientDisconnected, Processes, RequestContext
from efface.service.jobs.worker_messages import MessageFrame
from efface.service.repository.policies import FingerprintedPolicy
from efface.service.review.approvals import release_digest
from efface.service.review.review_progress import ReviewProgress
from efface.service.settings import ServiceSettings

_POLL = 0.1  # seconds between two looks at whether somebody still waits
_NEED_FINDS = frozenset(
    {"outcome", "slider", "record", "kinds"}
)  # tasks that find everything in a document first
_PATIENCE = 30.0  # seconds for which these wait for the worker that has found it
_FRESH = 300.0  # seconds for which a bound policy is reused during a review; an export binds anew


@dataclass(frozen=True)
class ReviewedFile:
    """A document under review: its bytes, whose view it is made for, and the policy. `key` stands for one review and
    the moment at which the policy and its data were read: a worker that knows it need not read them again."""

    name: str
    digest: str
    data: bytes = field(repr=False)
    viewer: str
    policy: FingerprintedPolicy = field(repr=False)
    key: str


@dataclass(frozen=True)
class ReviewOutcome:
    """What would leave now. Without a report the policy could not be kept at all, and `problem` says so."""

    verdict: Verdict
    problem: str
    has_report: bool
    released: bytes | None = field(repr=False)
    format: str
    findings: int
    risk: float
    knowledge: str
    view: bytes = field(repr=False)  # what the page shows beside the document, as JSON
    certificate: dict[str, Any] = field(repr=False)

    @cached_property
    def release(self) -> str:
        """The digest of the bytes."""
        return release_digest(self.released)

    @classmethod
    def of(cls, done: MessageFrame) -> ReviewOutcome:
        """Builds the value from the answer of the task `review_outcome`."""
        values = {**done.values}
        bytes_released, view, certificate = done.files
        verdict = Verdict(values.pop("verdict"))
        released = bytes_released if values.pop("released") else None
        return cls(
            verdict=verdict, released=released, view=view, certificate=json.loads(certificate), **values
        )


@dataclass(frozen=True)
class ReviewWork:
    """Sends documents under review to worker processes, and remembers which of them could not be done."""

    processes: Processes
    settings: ServiceSettings
    _failed: FailedFiles = field(default_factory=FailedFiles, repr=False)

    def run(
        self,
        task: str,
        asker: RequestContext,
        file: ReviewedFile,
        *more: bytes,
        changed: int = 0,
        watch: StageListener = unwatched,
        **given: Any,
    ) -> MessageFrame:
        """What a worker makes of a document. `changed` is the last decision: what never ended with one may with
        another. `watch` hears how far it is."""
        known = {"name": file.name, "viewer": file.viewer, "key": file.key}
        failed = (task, file.digest, file.policy.digest, file.viewer, str(changed))
        seconds = self.settings.work_seconds
        call = Call(
            f"review_{task}",
            asker.user,
            seconds,
            {**known, **file.policy.given(file.data), **given},
            (file.data, *more),
            asker.gone,
            watch,
            keeps=file.digest,
            background=asker.background,
            patience=_PATIENCE if task in _NEED_FINDS else 0.0,
        )
        with self._failed.noting(failed, seconds):
            return self.processes.run(call)

    def once(self, task: str, asker: RequestContext, files: tuple[bytes, ...], **given: Any) -> MessageFrame:
        """Work on a file for which no policy is needed: pictures of pages, and texts."""
        call = Call(task, asker.user, self.settings.request_seconds, given, files, asker.gone)
        return self.processes.run(call)


@dataclass(frozen=True)
class PdfPages:
    """The pages of a PDF as they were read: where each begins in the text, and its text. With them a page's words are
    placed by any worker, also while the one that has read the document checks a decision."""

    texts: tuple[tuple[int, str], ...] = field(repr=False)
    # The file with the words of its pictures. Empty if the original has all of them.
    readable: bytes = field(repr=False)

    def at(self, number: int) -> tuple[int, str]:
        """Where a page begins, and its text; nothing of a page that there is not."""
        return self.texts[number] if number < len(self.texts) else (0, "")


@dataclass(frozen=True, slots=True)
class OutcomeInputs:
    """What an outcome depends on, beside the knowledge: the policy, the last decision, and the key under which it was
    worked out."""

    key: str
    policy: str
    changed: int

    def differs_only_in_key(self, other: OutcomeInputs | None) -> bool:
        """Whether the same was decided under the same policy: then the knowledge alone may have changed."""
        return other is not None and (self.policy, self.changed) == (other.policy, other.changed)


@dataclass
class OpenReview:
    """A document in hand, one that worker processes may have read. One at a time works on what would leave."""

    key: str = ""  # by which workers know what they have read
    at: float = 0.0
    policy: str = ""  # its digest
    text_digest: str = ""
    shown: bytes = field(default=b"", repr=False)  # the original as the page draws it, as JSON
    pages: PdfPages | None = None
    outcome: ReviewOutcome | None = None
    of: OutcomeInputs | None = None  # what the outcome was made of
    bound_at: float = 0.0  # when the policy and its data were last read for something that leaves
    choosing: threading.Lock = field(default_factory=threading.Lock)
    working: threading.Lock = field(default_factory=threading.Lock)
    reading: threading.Lock = field(default_factory=threading.Lock)
    stages: dict[str, ReviewProgress] = field(default_factory=dict)  # by task, while a worker does it

    @property
    def progress(self) -> ReviewProgress | None:
        """How far the work on it is. A check says more than the reading for the page beside it."""
        return self.stages.get("outcome") or self.stages.get("document")

    @contextlib.contextmanager
    def watching(self, task: str) -> Iterator[StageListener]:
        """A listener that notes how far a task is, until it has ended."""

        def note(line: str) -> None:
            found = ReviewProgress.of_line(line)
            if found is not None:
                self.stages[task] = found

        try:
            yield note
        finally:
            self.stages.pop(task, None)

    def key_of(self, policy: str, *, fresh: bool) -> str:
        """The key under which the document is worked on now; another one where the policy is to be read anew."""
        with self.choosing:
            if self.policy != policy:
                # Another policy may read pictures, and this one did not.
                self.text_digest, self.shown = "", b""
            if fresh or not self.key or time.monotonic() - self.at > _FRESH or self.policy != policy:
                self.key, self.at, self.policy = secrets.token_hex(16), time.monotonic(), policy
            return self.key

    @property
    def weight(self) -> int:
        """Bytes that are remembered, roughly."""
        outcome = len(self.outcome.view) + len(self.outcome.released or b"") if self.outcome else 0
        pages = len(self.pages.readable) + sum(len(text) for _, text in self.pages.texts) if self.pages else 0
        return outcome + pages + len(self.shown)

    @contextlib.contextmanager
    def reading_turn(self, asker: RequestContext) -> Iterator[None]:
        """Wait while somebody else reads the document, whose reading one then uses: a scan takes a minute, and two that
        read it at once take two. One who has not got a worker yet is not waited for."""
        began = time.monotonic()
        while not (taken := self.reading.acquire(timeout=_POLL)):
            if asker.gone.is_set():
                raise ClientDisconnected
            if "document" not in self.stages and time.monotonic() - began > _PATIENCE:
                break
        try:
            yield
        finally:
            if taken:
                self.reading.release()

    @contextlib.contextmanager
    def turn(self, asker: RequestContext) -> Iterator[None]:
        """Wait for one's turn as long as one wants the answer."""
        while not self.working.acquire(timeout=_POLL):
            if asker.gone.is_set():
                raise ClientDisconnected
        try:
            yield
        finally:
            self.working.release()
