"""Reviews are worked on in worker processes: a thread that plans a document cannot be ended, a process can."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from efface.core import Verdict
from efface.service.jobs.failed_files import FailedFiles
from efface.service.jobs.processes import Call, Processes, RequestContext
from efface.service.jobs.worker_messages import MessageFrame
from efface.service.repository.policies import FingerprintedPolicy
from efface.service.review.approvals import release_digest
from efface.service.settings import ServiceSettings


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
        **given: Any,
    ) -> MessageFrame:
        """What a worker makes of a document. `changed` is the last decision: what never ended with one may with
        another."""
        known = {"name": file.name, "viewer": file.viewer, "key": file.key}
        failed = (task, file.digest, file.policy.digest, file.viewer, str(changed))
        seconds = self.settings.work_seconds
        call = Call(
            f"review_{task}",
            asker.user,
            seconds,
            {**known, **file.policy.given, **given},
            (file.data, *more),
            asker.gone,
            keeps=file.key,
            background=asker.background,
        )
        with self._failed.noting(failed, seconds):
            return self.processes.run(call)

    def once(self, task: str, asker: RequestContext, files: tuple[bytes, ...], **given: Any) -> MessageFrame:
        """Work on a file for which no policy is needed: pictures of pages, and texts."""
        call = Call(task, asker.user, self.settings.request_seconds, given, files, asker.gone)
        return self.processes.run(call)
