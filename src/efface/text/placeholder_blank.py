"""Neutral signs. Finders see them instead of placeholders, and they separate joined texts."""

from __future__ import annotations

BLANK = "\ufffc"  # no letter, no digit, no blank and no punctuation: nothing begins, ends or goes on at it
# Stands between texts that no reader sees as one, so that the words of one are no context for the other.
APART_SIGN = "\u241e"
