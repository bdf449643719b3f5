"""Checks that raise or lower the score of a match. Each takes the matched text and says whether it holds."""

from __future__ import annotations

import ipaddress
import math
import re
from collections import Counter
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import cast

Check = Callable[[str], bool]

_NOT_ALNUM = re.compile(r"[^0-9A-Za-z]+")


def compact(value: str) -> str:
    """Letters and digits only, upper case: the same number however it is spaced."""
    return value.upper() if value.isalnum() else _NOT_ALNUM.sub("", value).upper()


def matches(regex: str) -> Check:
    """Holds when the whole of the compact value matches."""
    compiled = re.compile(regex)
    return lambda value: compiled.fullmatch(compact(value)) is not None


def standard(module: str) -> Check:
    """The check of python-stdnum for one kind of number; its module loads on first use.

    Some of its modules raise on numbers that they cannot look up (a county that never was): not valid.
    """

    def holds(value: str) -> bool:
        try:
            return _standard(module)(value)
        except (LookupError, ValueError, TypeError, AttributeError, ArithmeticError):
            return False

    return holds


@cache
def _standard(module: str) -> Check:
    return cast(Check, import_module(f"stdnum.{module}").is_valid)


_EAN = 13  # digits, of which the last checks the others
_DOUBLED = {digit: sum(divmod(2 * int(digit), 10)) for digit in "0123456789"}


def luhn(value: str) -> bool:
    digits = compact(value)[::-1]
    return (sum(map(int, digits[::2])) + sum(map(_DOUBLED.__getitem__, digits[1::2]))) % 10 == 0


def no_ean(check: Check) -> Check:
    """The check, which does not hold for the number of an article: one in ten of them passes any other."""
    return lambda value: check(value) and not _is_ean(compact(value))


def _is_ean(digits: str) -> bool:
    weighed = sum(map(int, digits[::2])) + 3 * sum(map(int, digits[1::2]))
    return len(digits) == _EAN and weighed % 10 == 0


def luhn_after(prefix: str) -> Check:
    return lambda value: luhn(prefix + compact(value))


def mod97(value: str) -> bool:
    """ISO 7064 as the IBAN uses it."""
    text = compact(value)
    return int("".join(str(int(char, 36)) for char in text[4:] + text[:4])) % 97 == 1


def weighted(weights: str, modulus: int, start: int = 0) -> Check:
    """Holds when the weighted sum of the leading digits leaves the digit after them, or leaves
    nothing where the weights cover every digit."""
    factors = [int(weight) for weight in weights.split()]

    def holds(value: str) -> bool:
        digits = [int(digit) for digit in compact(value)]
        rest = (start + sum(map(int.__mul__, factors, digits))) % modulus
        return rest == (digits[len(factors)] if len(digits) > len(factors) else 0)

    return holds


_VIN_VALUES = dict(zip("ABCDEFGHJKLMNPRSTUVWXYZ0123456789", "123456781234579234567890123456789", strict=True))
_VIN_WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)  # by place (49 CFR 565)


def vin(value: str) -> bool:
    """The check digit of North American vehicles; others may carry anything there."""
    text = compact(value)
    total = sum(int(_VIN_VALUES[char]) * weight for char, weight in zip(text, _VIN_WEIGHTS, strict=True))
    return "0123456789X"[total % 11] == text[8]


def dea(value: str) -> bool:
    digits = [int(digit) for digit in compact(value)[-7:]]
    return (sum(digits[0:6:2]) + 2 * sum(digits[1:6:2])) % 10 == digits[6]


_NRIC_LETTERS = {
    "S": "JZIHGFEDCBA",
    "T": "GFEDCBAJZIH",
    "F": "XWUTRQPNMLK",
    "G": "RQPNMLKXWUT",
    "M": "TRQPNJLKXWU",
}


def nric(value: str) -> bool:
    """Singapore's identity and foreign numbers; each series has its own letters."""
    text = compact(value)
    rest = sum(int(d) * w for d, w in zip(text[1:8], (2, 7, 6, 5, 4, 3, 2), strict=True))
    return _NRIC_LETTERS[text[0]][rest % 11] == text[8]


def german_pension(value: str) -> bool:
    text = compact(value)
    digits = f"{text[:8]}{ord(text[8]) - 64:02}{text[9:11]}"
    weights = (2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1)
    return sum(sum(divmod(int(d) * w, 10)) for d, w in zip(digits, weights, strict=True)) % 10 == int(
        text[11]
    )


def spanish_social_security(value: str) -> bool:
    """A province, a number and the rest of both by 97; short numbers count as if they had seven digits."""
    digits = compact(value)
    province, number, rest = digits[:2], int(digits[2:-2]), int(digits[-2:])
    whole = int(province) * 10_000_000 + number if number < 10_000_000 else int(digits[:-2])
    return 1 <= int(province) <= 66 and whole % 97 == rest


def hong_kong_id(value: str) -> bool:
    """Letters count from 10 on, a missing first letter 36; the weighted sum with the check digit is a multiple of 11."""
    text = compact(value)
    digits = [36] * (9 - len(text)) + [int(char, 36) for char in text[:-1]]
    rest = 10 if text[-1] == "A" else int(text[-1])
    return (
        sum(digit * weight for digit, weight in zip(digits, range(9, 1, -1), strict=True)) + rest
    ) % 11 == 0


_TAIWAN_LETTERS = "ABCDEFGHJKLMNPQRSTUVXYWZIO"  # in the order of their numbers, from 10 on


def taiwan_id(value: str) -> bool:
    """The letter's two digits and the rest, each with its weight, make a multiple of ten."""
    text = compact(value)
    tens, ones = divmod(10 + _TAIWAN_LETTERS.index(text[0]), 10)
    weights = (8, 7, 6, 5, 4, 3, 2, 1, 1)
    rest = sum(int(digit) * weight for digit, weight in zip(text[1:], weights, strict=True))
    return (tens + 9 * ones + rest) % 10 == 0


def russian_snils(value: str) -> bool:
    """Nine digits, each by its place from the right, and their sum modulo 101 behind them; 100 is written 00."""
    digits = compact(value)
    total = sum(int(digit) * weight for digit, weight in zip(digits[:9], range(9, 0, -1), strict=True))
    return total % 101 % 100 == int(digits[9:])


_IPV4 = re.compile(r"(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])(?:\.(?!$)|$)){4}", re.ASCII)


def ip_address(value: str) -> bool:
    if _IPV4.fullmatch(value):  # most are; the library takes ten times as long
        return True
    try:
        ipaddress.ip_interface(value)
    except ValueError:
        return False
    return True


def on_earth(value: str) -> bool:
    """Whether two decimal numbers are a latitude and a longitude."""
    numbers = [float(number) for number in re.findall(r"[0-9]+\.[0-9]+", value)]
    return len(numbers) == 2 and numbers[0] <= 90 and numbers[1] <= 180


def looks_random(value: str) -> bool:
    """Whether the characters are as mixed as those of a generated key: 3 bits each or more."""
    size = len(value)
    return size >= 12 and -sum(n / size * math.log2(n / size) for n in Counter(value).values()) >= 3


def looks_secret(value: str) -> bool:
    """Whether a word is no plain word: it mixes kinds of characters, or looks random."""
    kinds = (str.islower, str.isupper, str.isdigit, lambda char: not char.isalnum())
    mixed = sum(any(map(kind, value[1:])) for kind in kinds) >= 2
    return len(value) >= 6 and (mixed or looks_random(value))
