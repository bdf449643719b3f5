"""Views are computed in worker processes: a thread that plans a document cannot be ended, a process can."""

from __future__ import annotations

import hashlib
import json
import threading
from dataclasses import dataclass, field

from efface.service.jobs.failed_files import FailedFiles
from efface.service.jobs.processes import Call, Processes
from efface.service.jobs.worker_messages import MessageFrame
from efface.service.repository.earlier_copies import Copy, EarlierContents
from efface.service.repository.view_cache import ComputedView, DocumentView, ViewerBinding
from efface.service.settings import ServiceSettings


@dataclass(frozen=True)
class Attempt:
    """How long a view may take, an event that is set when the client has disconnected, and who asks: an administrator
    may look as many viewers. Nobody waits for one in the `background`."""

    seconds: float
    gone: threading.Event = field(default_factory=threading.Event, repr=False)
    user: str = ""
    background: bool = False


@dataclass(frozen=True)
class ViewWork:
    """Sends documents to worker processes, and remembers which of them could not be done."""

    processes: Processes
    settings: ServiceSettings
    _failed: FailedFiles = field(default_factory=FailedFiles, repr=False)

    def compute(
        self,
        viewing: ViewerBinding,
        name: str,
        data: bytes,
        attempt: Attempt,
        earlier: EarlierContents | None = None,
    ) -> ComputedView:
        """The view as a worker computes it, bound anew to what the databases say then."""
        key = (hashlib.sha256(data).hexdigest(), name, viewing.policy.digest, viewing.viewer)
        given = {
            "name": name,
            "viewer": viewing.viewer,
            "earlier": earlier.data() if earlier is not None else None,
            **viewing.policy.given(data),
        }
        background = attempt.background
        call = Call(
            "view", attempt.user, attempt.seconds, given, (data,), attempt.gone, background=background
        )
        with self._failed.noting(key, attempt.seconds):
            done = self.processes.run(call)
        return _computed(done)


def _computed(done: MessageFrame) -> ComputedView:
    values = done.values
    released, text, certificate, places = done.files
    view = DocumentView(
        released=released if values["released"] else None,
        name=values["name"],
        format=values["format"],
        text=text.decode("utf-8", "surrogatepass"),
        verdict=values["verdict"],
        certificate=json.loads(certificate),
        copy=None if values["copy"] is None else Copy.of_data(values["copy"]),
        word_places=places,
    )
    steps = []
    for at, ids, denied in values["steps"]:
        question = (int(at), tuple(map(str, ids)))
        steps.append((question, frozenset(map(str, denied))))
    return ComputedView(view, tuple(steps), str(values["facts"]))
