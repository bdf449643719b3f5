"""How far the work on a document is: the step in words, and a number. It tells nothing of what the document says."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from pydantic import BaseModel

from efface.pipeline.bound import StageListener
from efface.text.progress import listening

# The stages of the pipeline in their order. A round of checks is one of them, whatever its number.
_STEPS = ("reading", "finding", "checking", "writing", "reading again", "attacking")
_OFTEN = 0.3  # seconds between two messages about pieces of one stage
_LINE = re.compile(r"(?P<stage>[a-z ]+?)(?:, round \d+)?(?: (?P<done>\d{1,9})/(?P<of>\d{1,9}))?")


class ReviewProgress(BaseModel):
    """A step, its number among all, and how many of its pieces are done; of 0 pieces nothing is known."""

    stage: str
    step: int
    steps: int = len(_STEPS)
    done: int = 0
    of: int = 0

    @classmethod
    def of_line(cls, line: str) -> ReviewProgress | None:
        """The stage in a worker's message, or None if the message is no stage of a review."""
        match = _LINE.fullmatch(line)
        if match is None or match["stage"] not in _STEPS:
            return None
        step = _STEPS.index(match["stage"]) + 1
        return cls(stage=match["stage"], step=step, done=int(match["done"] or 0), of=int(match["of"] or 0))


@dataclass
class StageTeller:
    """Tells each stage when it begins, and now and then how many of its pieces are done."""

    watch: StageListener
    stage: str = ""
    at: float = 0.0

    def begin(self, stage: str) -> None:
        self.stage, self.at = stage, time.monotonic()
        self.watch(stage)

    def pieces(self, done: int, of: int) -> None:
        now = time.monotonic()
        if self.stage and of > 1 and now - self.at >= _OFTEN:
            self.at = now
            self.watch(f"{self.stage} {done}/{of}")


@contextmanager
def told(watch: StageListener, stage: str = "") -> Iterator[StageListener]:
    """A listener for stages that also hears of their pieces; `stage` begins at once."""
    teller = StageTeller(watch)
    with listening(teller.pieces):
        if stage:
            teller.begin(stage)
        yield teller.begin
