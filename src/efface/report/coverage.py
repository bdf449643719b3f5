"""What was not looked at, in words for people: one line that console, report, page and certificate share."""

from __future__ import annotations

from collections.abc import Iterator

from efface.core import Claim, Coverage, GapKind


def not_looked_for(coverage: Coverage) -> str:
    """One line about what the policy does not ask for; "" when it asks for everything."""
    left_out = [gap.where for gap in coverage.gaps if gap.kind is GapKind.TYPE]
    return f"Not looked for: {'; '.join(left_out)}." if left_out else ""


def unread(coverage: Coverage) -> Iterator[str]:
    """A line for each thing that was asked for and not looked at, with what to do about it."""
    for gap in coverage.gaps:
        if gap.kind is GapKind.TYPE:
            continue
        allowed = " The policy accepts it." if gap.allowed else ""
        step = f" {gap.next_step}" if gap.next_step and not gap.allowed else ""
        what = "Kept against" if gap.kind is GapKind.KEPT else f"Not looked at: {gap.kind.value}"
        yield f"{what} ({gap.where}). {gap.reason}{allowed}{step}"


def lines(coverage: Coverage) -> Iterator[str]:
    """Everything that a reader of the verdict must know about what was not looked at."""
    line = not_looked_for(coverage)
    if line:
        yield line
    yield from unread(coverage)


def claim_of(coverage: Coverage) -> Claim:
    """The part of the claim about what was looked at. It may be published."""
    return Claim(
        "coverage",
        "Everything that the policy asks for was looked at, by a finder that can read it.",
        "things not looked at",
        parameters={"not looked for": not_looked_for(coverage) or "nothing"},
    )
