"""What a finder sees in the place of a placeholder: a sign that says nothing."""

from __future__ import annotations

BLANK = "\ufffc"  # no letter, no digit, no blank and no punctuation: nothing begins, ends or goes on at it
