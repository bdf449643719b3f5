"""Telephone numbers by the numbering plans of the `phonenumbers` library, asked only about what looks like one."""

from __future__ import annotations

import json
import re
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from efface.errors import UsageError

DEFAULT_REGIONS = ("US", "GB", "DE", "FR", "ES", "IT", "NL", "IL", "IN", "AU", "CA", "BR")

_EXTENSION = re.compile(r"\s?(?:x|ext|extension|#).*", re.IGNORECASE | re.DOTALL)
_LETTER = re.compile(r"[A-Za-z#]")
_NOT_DIGIT = re.compile(r"[^0-9]+")
_ABROAD = re.compile(r"\A(?:00|011)")
DIGIT_WORDS = {
    "oh": "0",
    "o": "0",
    "zero": "0",
    "nought": "0",
    "naught": "0",
    "one": "1",
    "two": "2",
    "three": "3",
    "four": "4",
    "five": "5",
    "six": "6",
    "seven": "7",
    "eight": "8",
    "nine": "9",
}
TIMES = {"double": 2, "treble": 3, "triple": 3}  # how often the digit that follows is meant


@lru_cache(maxsize=4096)
def is_valid(value: str, regions: tuple[str, ...] = DEFAULT_REGIONS) -> bool:
    """Whether the numbering plan of the number's country, or of one of `regions`, has such a number.

    The library's own parser takes a hundred times as long to say the same of digits that are plain already.
    """
    dialled = _dialled(value)
    if not dialled.startswith("+"):
        return _at_home(regions).fullmatch(dialled) is not None
    plans = (_abroad(dialled[1 : 1 + size]) for size in (1, 2, 3))
    return any(plan.fullmatch(dialled, 1 + size) for size, plan in enumerate(plans, 1) if plan)


def normal_form(value: str) -> str:
    """What is dialled, with + and the country code when they are given, then the extension."""
    if not any(map(str.isdigit, value)):
        return _spoken(value)
    extension = _EXTENSION.search(value)
    return _dialled(value) + ("x" + _NOT_DIGIT.sub("", extension.group()) if extension else "")


def _spoken(value: str) -> str:
    """The digits of a number in words: "oh one six one double four"."""
    digits, times = [], 1
    for word in re.findall("[a-z]+", value.lower()):
        digits.append(DIGIT_WORDS.get(word, "") * times)
        times = TIMES.get(word, 1)
    return "".join(digits)


def _dialled(value: str) -> str:
    """The digits, with + when the country code is given. The (0) of +44 (0)20 is not dialled."""
    number = _EXTENSION.sub("", value) if _LETTER.search(value) else value
    if "+" in number:
        return "+" + _NOT_DIGIT.sub("", number.replace("(0)", ""))
    digits = _NOT_DIGIT.sub("", number)
    return _ABROAD.sub("+", digits, count=1) if len(digits) > 11 else digits


@cache
def _at_home(regions: tuple[str, ...]) -> re.Pattern[str]:
    """The numbers of some regions as dialled there: after the trunk prefix, where people write it."""
    forms = []
    for region in regions:
        plan = _plans()["regions"].get(region)
        if plan is None:
            raise UsageError(
                f"No telephone numbers are known for region {region}.", "Use codes such as US or GB."
            )
        prefix = plan["trunk_prefix"]
        forms.append(f"{prefix if plan['always_written'] else f'(?:{prefix})?'}(?:{plan['numbers']})")
    return re.compile("|".join(forms), re.ASCII)


@cache
def _abroad(country_code: str) -> re.Pattern[str] | None:
    """The numbers that may follow a country code, or nothing where there is no such code."""
    numbers = _plans()["country_codes"].get(str(int(country_code)))  # +044 is +44
    return re.compile(numbers, re.ASCII) if numbers else None


@cache
def _plans() -> Any:
    """Regions as dialled at home, country codes as dialled from abroad; `tools/library_tables.py` writes them."""
    return json.loads((files("efface.finders.patterns") / "data" / "numbering_plans.json").read_text("utf-8"))
