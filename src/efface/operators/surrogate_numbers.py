"""Fake numbers and addresses in the original's format, in a range kept for fiction where there is one.

Each maker takes a draw and the original and gives the fake, or None when the original is not of its form.
Nothing but punctuation is ever carried over: an overlapping term may have brought more text along.
"""

from __future__ import annotations

import ipaddress
import re

from efface.operators.ages import AGE
from efface.operators.keys import KeyedRandom

# (country code, national number): N is 2-9, M 2-8, D any digit. The ranges are those that the national
# regulators keep free for films and examples.
_FICTION = (
    ("1", "NMD55501DD"),
    ("33", "63998DDDD"),
    ("353", "2091DDDDD"),
    ("44", "7700900DDD"),
    ("46", "8465004DD"),
    ("49", "3023125DDD"),
    ("61", "25550DDDD"),
)
_BY_LENGTH = {7: "55501DD", 10: "NMD55501DD"}  # a number without a country code and without a leading 0
_TRUNK = {10: "063998DDDD", 11: "07700900DDD"}  # national numbers with the trunk prefix
_CLASSES = {"N": range(2, 10), "M": range(2, 9), "D": range(10)}
_EXTENSION = re.compile(r"\s*(?:ext\.?|x|#)\s*[0-9]{1,6}\Z", re.IGNORECASE)

# First digits of the card, and the prefix that payment test environments use for that brand.
_TEST_CARDS = (
    ("34", "378282"),
    ("37", "378282"),
    ("35", "353011"),
    ("3", "305693"),
    ("2", "222300"),
    ("5", "555555"),
    ("6", "601111"),
    ("", "400000"),
)
_EXAMPLE_NETWORKS = ("192.0.2", "198.51.100", "203.0.113")
_URL_START = re.compile(r"(?:(?:https?|ftps?|sftp|wss?|ssh|git)://)?(?:www\.)?", re.IGNORECASE)
_PHONE = re.compile(r"[0-9 ()+./\u00a0\u2010-\u2013-]{6,}")
_DIGIT_GROUPS = re.compile(r"[0-9 .\u00a0\u2010-\u2013-]+")
_IBAN = re.compile(r"[A-Za-z]{2}[ -]?[0-9]{2}[A-Za-z0-9 -]{8,40}")
_LONGEST_IBAN = 34  # characters, ISO 13616
_MAC = re.compile(r"[0-9A-Fa-f:.-]+")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def _ascii_digits(text: str) -> str:
    return "".join(char for char in text if char in "0123456789")


def _refilled(original: str, digits: str) -> str:
    """The original with its digits replaced in order; punctuation stays."""
    supply = iter(digits)
    return "".join(next(supply) if char in "0123456789" else char for char in original)


def _from_template(draw: KeyedRandom, template: str) -> str:
    return "".join(str(draw.choice(_CLASSES[char])) if char in _CLASSES else char for char in template)


def shape(draw: KeyedRandom, original: str) -> str | None:
    """Every digit another digit, every letter another letter; only for what holds a digit, as ids do."""
    if not any(char.isdigit() for char in original):
        return None
    return "".join(_same_class(draw, char) for char in original)


def _same_class(draw: KeyedRandom, char: str) -> str:
    if char.isdigit():
        return str(draw.below(10))
    if char.isalnum():
        letter = draw.choice(_LETTERS)
        return letter.upper() if char.isupper() else letter
    return char


def phone(draw: KeyedRandom, original: str) -> str | None:
    extension = _EXTENSION.search(original)
    main = original[: extension.start()] if extension else original
    digits = _ascii_digits(main)
    if len(digits) < 6 or not _PHONE.fullmatch(main):
        return shape(draw, original)
    tail = _refilled(extension.group(), draw.digits(6)) if extension else ""
    return _refilled(main, _phone_digits(draw, main, digits)) + tail


def _phone_digits(draw: KeyedRandom, main: str, digits: str) -> str:
    """Digits of a number that nobody has, from the ranges reserved for fiction where there are some."""
    lead = re.match(r"\s*\(?(?:\+|00)\s*([0-9]{1,3})", main)
    if lead is None:
        if digits.startswith("1") and len(digits) == 11:
            return "1" + _from_template(draw, _BY_LENGTH[10])
        table = _TRUNK if digits.startswith("0") else _BY_LENGTH
        # Elsewhere the first digit stays: it is a trunk prefix or says mobile.
        return _from_template(draw, table.get(len(digits), digits[0] + "D" * (len(digits) - 1)))
    zeros = "" if "+" in lead.group() else "00"
    rest = digits[len(zeros) :]
    for code, template in _FICTION:
        national = rest[len(code) :]
        if rest.startswith(code) and len(national.removeprefix("0")) == len(template):
            trunk = national[: len(national) - len(template)]
            return zeros + code + trunk + _from_template(draw, template)
    known = min(len(lead[1]), 2)
    return zeros + rest[:known] + draw.digits(len(rest) - known)


def card(draw: KeyedRandom, original: str) -> str | None:
    from stdnum import luhn

    digits = _ascii_digits(original)
    if not (12 <= len(digits) <= 19 and _DIGIT_GROUPS.fullmatch(original)):
        return shape(draw, original)
    prefix = next(test for brand, test in _TEST_CARDS if digits.startswith(brand))
    body = prefix + draw.digits(len(digits) - len(prefix) - 1)
    return _refilled(original, body + str(luhn.calc_check_digit(body)))


def iban(draw: KeyedRandom, original: str) -> str | None:
    from stdnum.iso7064 import mod_97_10

    compact = "".join(filter(str.isalnum, original))
    if not (_IBAN.fullmatch(original) and compact[2:4].isdigit() and len(compact) <= _LONGEST_IBAN):
        return shape(draw, original)
    country = compact[:2].upper()
    # No bank's code begins with 00 or XX, so no such account exists.
    bank = "".join("0" if char.isdigit() else "X" for char in compact[4:6])
    account = bank + "".join(_same_class(draw, char).upper() for char in compact[6:])
    fake = country + mod_97_10.calc_check_digits(account + country) + account
    return _written_like(original, fake)


def _written_like(original: str, fake: str) -> str:
    """The fake with the original's separators, and small letters where the original has them."""
    characters = iter(fake)
    written = []
    for old in original:
        new = next(characters) if old.isalnum() else old
        written.append(new.lower() if old.islower() else new)
    return "".join(written)


def ssn(draw: KeyedRandom, original: str) -> str | None:
    """Area 9xx was never a social security number, and groups under 50 were never a taxpayer number."""
    if len(_ascii_digits(original)) != 9 or not _DIGIT_GROUPS.fullmatch(original):
        return shape(draw, original)
    area, group, serial = 900 + draw.below(100), 1 + draw.below(49), 1 + draw.below(9999)
    return _refilled(original, f"{area}{group:02d}{serial:04d}")


def ip(draw: KeyedRandom, original: str) -> str | None:
    """An address of the documentation ranges; a prefix length stays."""
    address, slash, prefix = original.partition("/")
    try:
        version = ipaddress.ip_interface(original).version
    except ValueError:
        return None
    if version == 4:
        return f"{draw.choice(_EXAMPLE_NETWORKS)}.{1 + draw.below(254)}{slash}{prefix}"
    fake = str(ipaddress.IPv6Address(int(ipaddress.IPv6Address("2001:db8::")) + draw.below(2**96)))
    return (fake.upper() if address.isupper() else fake) + slash + prefix


def mac(draw: KeyedRandom, original: str) -> str | None:
    """Locally administered, so no maker's device."""
    hexadecimal = "0123456789abcdefABCDEF"
    if sum(char in hexadecimal for char in original) != 12 or not _MAC.fullmatch(original):
        return shape(draw, original)
    first = draw.below(256) & 0xFC | 0x02
    supply = iter(f"{first:02x}{draw.below(2**40):010x}")
    fake = "".join(next(supply) if char in hexadecimal else char for char in original)
    return fake.upper() if any(char in "ABCDEF" for char in original) else fake


def url(draw: KeyedRandom, original: str) -> str | None:
    start = _URL_START.match(original)
    return f"{start.group() if start else ''}example.org/{draw.below(2**40):010x}"


def age(draw: KeyedRandom, original: str) -> str | None:
    """A number of the same decade of life."""
    match = AGE.fullmatch(original)
    if match is None:
        return None
    years = int(match["years"]) // 10 * 10 + draw.below(10)
    return original[: match.start("years")] + str(years) + original[match.end("years") :]
