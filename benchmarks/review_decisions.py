"""Processor time of decisions on documents under review, without a browser and a server.

    python -m benchmarks.review_decisions FILE...

Under the default policy: `first` is the first look, `decisions` are three terms that are kept one after the other, each with
what the page shows of it. Seconds of processor time, which a busy machine changes little.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from efface.api.sanitizer import Sanitizer
from efface.service.repository.policies import DEFAULT
from efface.service.review import attacker_view
from efface.service.review.decisions import LogEntry, Recorded, decided
from efface.service.review.run_with_decisions import ReviewInput, run

_DECISIONS = 3
_APART = 7  # terms of the list between two that are kept


def measure(path: Path) -> str:
    """One line on one file."""
    began = time.process_time()
    bound = Sanitizer(DEFAULT, key=bytes(32)).bind("reviewer")
    prepared = ReviewInput.of(path.read_bytes(), path.name, bound)
    result = run(prepared, decided([]))
    terms = attacker_view.view(prepared, decided([]), result)["terms"]
    first, seconds = time.process_time() - began, []
    log: list[LogEntry] = []
    for number in range(_DECISIONS if terms else 0):
        kept = terms[(number * _APART + 1) % len(terms)]["text"]
        log.append(LogEntry(number + 1, "ann", 0.0, Recorded(kind="keep", term=kept)))
        began = time.process_time()
        result = run(prepared, decided(log))
        attacker_view.view(prepared, decided(log), result)
        seconds.append(time.process_time() - began)
    places = sum(len(term["places"]) for term in terms)
    told = ", ".join(f"{one:.1f}" for one in seconds)
    return f"{path.name}: {places} places, first {first:.1f} s, decisions {told} s, {result.verdict.value}"


if __name__ == "__main__":
    for given in sys.argv[1:]:
        print(measure(Path(given)), flush=True)
