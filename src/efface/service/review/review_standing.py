"""A review as it stands: what was decided, what would leave, and who approved that."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from efface.service.review.approvals import CountedApprovals, ReleaseState, missing_eyes
from efface.service.review.decisions import EffectiveDecisions, LogEntry
from efface.service.review.review_work import ReviewedFile, ReviewOutcome


@dataclass(frozen=True)
class ReviewStanding:
    """A review as it is: what was decided, what would leave, and the state that an approval names."""

    file: ReviewedFile = field(repr=False)
    entries: Sequence[LogEntry] = field(repr=False)
    decided: EffectiveDecisions
    outcome: ReviewOutcome
    state: ReleaseState
    approvals: CountedApprovals  # of what would leave now

    @property
    def missing_eyes(self) -> str:
        """What four eyes still miss, in words; "" if nothing."""
        return missing_eyes(self.approvals, self.decided.author, self.decided.author_hands)

    @property
    def view(self) -> bytes:
        """What the page shows beside the document, as JSON."""
        approved = sorted(set(self.approvals.actors))
        more = {"version": self.decided.version, "approved": approved, "lapsed": self.approvals.lapsed}
        return merged_json(self.outcome.view, {**more, "missing_eyes": self.missing_eyes})


def merged_json(shown: bytes, more: dict[str, Any]) -> bytes:
    """A JSON object with further entries. It is not parsed: that of a large document would take a second."""
    head = json.dumps(more).encode()
    return shown if not more else head[:-1] + b"," + shown[1:] if shown != b"{}" else head
