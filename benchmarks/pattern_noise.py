"""How many valid numbers patterns find, and how many near misses and ordinary numbers they flag.

    python -m benchmarks.pattern_noise

Valid values and values whose check fails are drawn from every row of our table that has a check, with a seed that no
test uses, and stand in sentences without a word that names them. Ordinary numbers are thirty sentences. Presidio's
recognizers get the rows whose type they know; dates are left out for both. Writes docs/results/names/patterns.md.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from tests.finders.patterns.drawn import values

from benchmarks.patterns import Finds, efface, presidio
from efface.finders.patterns.finder import PATTERNS, PatternFinder
from efface.finders.patterns.row import Pattern

OUTPUT = Path(__file__).parents[1] / "docs" / "results" / "names" / "patterns.md"
SEED = 91
EACH = 5
# What is no identifier of a country or a bank, or whose valid values cannot be drawn.
ASIDE = frozenset(
    "DATE_TIME PHONE_NUMBER URL EMAIL_ADDRESS SECRET USERNAME IP_ADDRESS GEO_COORDINATE CRYPTO CN_RIC UY_RUT".split()
)
FRAMES = ("We were given {} this morning.", "Somebody wrote {} in the margin.", "The screen shows {} again.")
ORDINARY = """The city counted 1204588 inhabitants.
Revenue rose to 48300000 euros.
The bridge is 1991 m long and cost 500000000000 yen.
Room 4117 is on the fourth floor.
The archive holds 73400320 bytes.
Chapter 20 has 14250 words.
A marathon is 42195 m.
The engine delivers 1200 hp at 15000 rpm.
In all 325145963 shares changed hands.
The poem has 15693 lines.
The comet returns after 27740 days.
The survey reached 10482 households in 312 villages.
Build 22631 came before build 26100.
The tower has 10000 rivets and 1665 steps.
They sold 8400000 copies in 36 countries.
The satellite orbits at 35786 km.
Each pixel has 16777216 colours.
Speed of light: 299792458 m per second.
The reserve fell by 6750000 barrels.
Table 7.12 lists 480 species.
The prize is 11000000 kronor.
Its half-life is 4468000000 years.
The library owns 170000000 items.
The code has 1048576 lines in 9021 files.
The dam holds 39300000000 cubic metres.
Every hour 3600000 litres pass.
The budget line 2210 was cut by 350000.
The game sold out in 93 minutes with 82500 seats.
The cable is 6600000 m long.
Planck: 6.62607015 times ten to the minus 34.""".splitlines()


@dataclass(frozen=True, slots=True)
class NoiseCounts:
    """What a finder did with the drawn values and the sentences."""

    valid: tuple[int, int]
    misses: tuple[int, int]
    ordinary: tuple[int, int]

    def cells(self) -> str:
        shares = [f"{found} of {all} ({found / all:.0%})" for found, all in (self.valid, self.misses)]
        return " | ".join([*shares, f"{self.ordinary[0]} of {self.ordinary[1]}"])


def counts(finds: Finds, rows: Iterable[Pattern]) -> NoiseCounts:
    known = list(rows)
    alone = [
        row for row in known if row.score > 0.1
    ]  # the others are found only beside a word that names them
    return NoiseCounts(
        _flagged(finds, alone, valid=True), _flagged(finds, known, valid=False), _ordinary(finds)
    )


def _flagged(finds: Finds, rows: list[Pattern], *, valid: bool) -> tuple[int, int]:
    rng = random.Random(SEED)
    drawn = [value for row in rows for value in values(row, rng, EACH, valid=valid, tries=4_000)]
    return sum(_touched(finds, value, rng.choice(FRAMES)) for value in drawn), len(drawn)


def _touched(finds: Finds, value: str, frame: str) -> bool:
    text = frame.format(value)
    start = text.index(value)
    return any(first < start + len(value) and last > start for _, first, last in finds(text))


def _ordinary(finds: Finds) -> tuple[int, int]:
    flagged = [line for line in ORDINARY if any(kind != "DATE_TIME" for kind, _, _ in finds(line))]
    return len(flagged), len(ORDINARY)


def main(say: Callable[[str], None] = print) -> None:
    rows = [row for row in PATTERNS if row.check is not None and row.type not in ASIDE]
    theirs, types = presidio()
    shared = [row for row in rows if row.type in types]
    ours = efface(PatternFinder())
    table = [
        f"| efface, all {len(rows)} rows with a check | {counts(ours, rows).cells()} |",
        f"| efface, the {len(shared)} rows that both know | {counts(ours, shared).cells()} |",
        f"| Presidio's recognizers, the same rows | {counts(theirs, shared).cells()} |",
    ]
    head = ["| finder | valid, found | check fails, flagged | ordinary, flagged |", "|---|---|---|---|"]
    about = (
        f"Made by `python -m benchmarks.pattern_noise` on {datetime.now(UTC):%Y-%m-%d}, seed {SEED}, {EACH} values "
        "a row, no word beside them that names them. Valid values are those of rows that need no such word. Aims: valid at least 95 %, check fails at most 30 %, ordinary "
        "at most 8 of 30."
    )
    OUTPUT.write_text("\n".join(["# Patterns: found and flagged", "", about, "", *head, *table, ""]), "utf-8")
    for line in (*head, *table):
        say(line)


if __name__ == "__main__":
    main()
