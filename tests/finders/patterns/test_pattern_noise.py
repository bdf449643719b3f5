"""Valid numbers are found, near misses and ordinary numbers are mostly left: each row of the tables is drawn from."""

from __future__ import annotations

import random

from efface.core import Mention
from efface.finders.patterns.finder import PATTERNS, PatternFinder
from tests.finders.patterns.drawn import values

# What is no identifier of a country or a bank, or whose valid values cannot be drawn.
_ASIDE = frozenset(
    "DATE_TIME PHONE_NUMBER URL EMAIL_ADDRESS SECRET USERNAME IP_ADDRESS GEO_COORDINATE CRYPTO CN_RIC UY_RUT".split()
)
CHECKED = [row for row in PATTERNS if row.check is not None and row.type not in _ASIDE]
FRAMES = ("He gave {} to the clerk.", "They wrote {} on the form.", "It says {} there.")
ORDINARY = """The population grew to 83200000 in that year.
The budget was 1250000 dollars.
Article 12345 of the code applies.
The file has 104857600 bytes.
Pi is 3.14159265358979.
He scored 1250 points in 82 games.
The distance is 384400 km.
It weighs 1500 kg and costs 24999 euros.
The sample had n = 12500 participants.
Version 10.4.2 fixes 37 defects.
The contract is worth 150000000 yen.
A year has 31536000 seconds.
The light year is 9460730472580800 m.
The loan of 2500000000 was repaid.
The hash table holds 1000000007 buckets.""".splitlines()


def _touching(value: str, frame: str) -> list[Mention]:
    text = frame.format(value)
    start = text.index(value)
    return [m for m in PatternFinder().find(text) if m.start < start + len(value) and m.end > start]


def test_most_near_misses_are_left() -> None:
    rng = random.Random(5)
    misses = [value for row in CHECKED for value in values(row, rng, 2, valid=False)]
    flagged = sum(bool(_touching(value, rng.choice(FRAMES))) for value in misses)
    assert len(misses) > 200
    assert flagged <= 0.30 * len(misses)


def test_valid_values_are_found_without_a_word_that_names_them() -> None:
    rng = random.Random(6)
    rows = [row for row in CHECKED if row.score > 0.1]
    drawn = [value for row in rows for value in values(row, rng, 2, valid=True, tries=2_000)]
    found = sum(bool(_touching(value, rng.choice(FRAMES))) for value in drawn)
    assert found >= 0.95 * len(drawn)


def test_most_ordinary_numbers_are_left() -> None:
    flagged = [line for line in ORDINARY if any(m.type != "DATE_TIME" for m in PatternFinder().find(line))]
    assert len(flagged) <= len(ORDINARY) * 8 // 30
