"""Shares that a text writes in hundredths: 15 % for the 0.15 of a database."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from efface.knowledge.entities.spellings.other_scripts import LETTER

_PER_CENT = re.compile(
    rf"(?<!{LETTER})(?<![.,])(?P<number>\d{{1,5}}(?:[.,]\d{{1,4}})?) ?"
    rf"(?:%|percent|per cent|pct|prozent|procent|pour cent|por ciento|per cento)(?!{LETTER})"
)


def shares(text: str) -> Iterator[tuple[int, int, str]]:
    """Where each share is in a folded text, as a number of hundredths and as a part of one."""
    for match in _PER_CENT.finditer(text):
        number = Decimal(match["number"].replace(",", "."))
        for value in (number, number.scaleb(-2)):
            yield match.start(), match.end(), _plain(value)


def _plain(number: Decimal) -> str:
    text = format(number, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text
