"""Signs that say nothing: what a finder sees in the place of a placeholder, and what stands between two texts."""

from __future__ import annotations

BLANK = "\ufffc"  # no letter, no digit, no blank and no punctuation: nothing begins, ends or goes on at it
APART_SIGN = (
    "\u241e"  # between texts that no reader sees as one: what is said in one says nothing of the other
)
