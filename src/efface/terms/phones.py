"""Telephone numbers by the `phonenumbers` library, asked only about what already looks like one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

from efface.errors import UsageError

DEFAULT_REGIONS = ("US", "GB", "DE", "FR", "ES", "IT", "NL", "IL", "IN", "AU", "CA", "BR")

_KINDS = (
    *("fixed_line", "mobile", "toll_free", "premium_rate", "shared_cost", "personal_number", "voip", "pager"),
    *("uan", "voicemail"),
)
_EXTENSION = re.compile(r"\s?(?:x|ext|extension|#).*", re.IGNORECASE | re.DOTALL)
_NOT_DIGIT = re.compile(r"[^0-9]+")
_ABROAD = re.compile(r"00|011")


def is_valid(value: str, regions: tuple[str, ...] = DEFAULT_REGIONS) -> bool:
    """Whether the numbering plan of the number's country, or of one of `regions`, has such a number."""
    return _is_valid(_dialled(value), regions)


def normal_form(value: str) -> str:
    """What is dialled, with + and the country code when they are given, then the extension."""
    extension = _EXTENSION.search(value)
    return _dialled(value) + ("x" + _NOT_DIGIT.sub("", extension.group()) if extension else "")


def _dialled(value: str) -> str:
    """The digits, with + when the country code is given. The (0) of +44 (0)20 is not dialled."""
    number = _EXTENSION.sub("", value)
    if "+" in number:
        return "+" + _NOT_DIGIT.sub("", number.replace("(0)", ""))
    digits = _NOT_DIGIT.sub("", number)
    return _ABROAD.sub("+", digits, count=1) if _ABROAD.match(digits) and len(digits) > 11 else digits


@lru_cache(maxsize=4096)
def _is_valid(dialled: str, regions: tuple[str, ...]) -> bool:
    if dialled[:1] == "+":
        return any(plan.number.fullmatch(dialled, 1 + size) for plan, size in _plans_abroad(dialled))
    return any(plan.has(dialled) for plan in _plans_at_home(regions))


@dataclass(frozen=True, slots=True)
class _Plan:
    """The numbering plan of a region: its trunk prefix, whether people write it, and what may follow it.

    The library's own parser takes a hundred times as long to say the same of digits that are already plain.
    """

    prefix: str
    prefix_required: bool
    number: re.Pattern[str]

    def has(self, dialled: str) -> bool:
        if self.prefix and dialled.startswith(self.prefix):
            return self.number.fullmatch(dialled, len(self.prefix)) is not None
        return not self.prefix_required and self.number.fullmatch(dialled) is not None


@cache
def _plans_at_home(regions: tuple[str, ...]) -> tuple[_Plan, ...]:
    return tuple(_plan(region, 0) for region in regions)


def _plans_abroad(dialled: str) -> Iterator[tuple[_Plan, int]]:
    """The plans of the country code that the number begins with, and the length of the code."""
    from phonenumbers import COUNTRY_CODE_TO_REGION_CODE

    for size in (1, 2, 3):
        for region in COUNTRY_CODE_TO_REGION_CODE.get(int(dialled[1 : 1 + size]), ()):
            yield _plan(region, int(dialled[1 : 1 + size])), size


@cache
def _plan(region: str, country_code: int) -> _Plan:
    from phonenumbers import PhoneMetadata

    if region == "001":  # satellites, free numbers and the like
        metadata = PhoneMetadata.metadata_for_nongeo_region(country_code)
    else:
        metadata = PhoneMetadata.metadata_for_region(region)
    if metadata is None:
        raise UsageError(f"no telephone numbers are known for region {region}", "use codes such as US or GB")
    prefix = metadata.national_prefix or ""
    with_prefix = [
        form
        for form in metadata.number_format
        if prefix and prefix in (form.national_prefix_formatting_rule or "")
        if not form.national_prefix_optional_when_formatting
    ]
    kinds = (getattr(metadata, kind) for kind in _KINDS)
    numbers = {kind.national_number_pattern for kind in kinds if kind and kind.national_number_pattern}
    return _Plan(
        prefix,
        2 * len(with_prefix) > len(metadata.number_format),
        re.compile("|".join(sorted(numbers)), re.ASCII),
    )
