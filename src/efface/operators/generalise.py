"""Something wider that is still true: a year for a date, a band for an age, a prefix for a postcode."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator

from efface.operators import ages, dates
from efface.operators.safety import holds
from efface.operators.specs import Generalise
from efface.text.spans import Span

# Three-digit ZIP areas with 20,000 people or fewer in the census of 2000 or of 2010: the HIPAA safe
# harbour has them written 000.
_SMALL_ZIP_AREAS = frozenset(
    "036 059 063 102 202 203 204 205 369 556 692 753 772 790 821 823 830 831 878 879 884 890 893".split()
)
_OLDEST = 90  # ages from here on are one band, as in the HIPAA safe harbour

_YEARS = re.compile(r"(?<![0-9])(?:1[5-9]|2[01])[0-9]{2}(?![0-9])")
_WRITTEN_DATES = re.compile(r"(?<![0-9A-Za-z])(?:1[5-9]|2[01])[0-9]{2}s?(?![0-9A-Za-z])")
_WRITTEN_AGES = re.compile(r"(?<![0-9A-Za-z-])(?P<low>[0-9]{1,2})(?:-[0-9]{1,2}(?![0-9])|\+)")
_ZIP = re.compile(r"([0-9]{3})[0-9]{2}(?:[- ]?[0-9]{4})?")
_UK = re.compile(r"([A-Z]{1,2}[0-9][A-Z0-9]?) ?[0-9][A-Z]{2}", re.IGNORECASE)
_CANADA = re.compile(r"([A-Z][0-9][A-Z])[ -]?[0-9][A-Z][0-9]", re.IGNORECASE)
_NUMBER = re.compile(
    r"(?P<before>(?:[$€£¥]|[A-Z]{3} )?)(?P<whole>[0-9]{1,3}(?:[, ][0-9]{3}){1,6}|[0-9]{1,18})"
    r"(?:[.,][0-9]{1,2})?(?P<after>(?: ?(?:[€$£¥%]|[A-Z]{3}))?)"
)


def written_dates(text: str, unit: str) -> Iterator[Span]:
    """Where a text has what a date that was generalised to years or to decades looks like."""
    for match in _WRITTEN_DATES.finditer(text):
        if unit == "year" or match.group().endswith("s"):  # a year by itself becomes a decade
            yield Span(*match.span())


def written_ages(text: str, width: int) -> Iterator[Span]:
    """Where a text has what a generalised age looks like: a band of that width."""
    for match in _WRITTEN_AGES.finditer(text):
        if _band(int(match["low"]), width) == match.group():
            yield Span(*match.span())


def generalised(spec: Generalise, kind: str, original: str) -> str | None:
    """The wider text, or None when nothing wider is known."""
    text = original.strip()
    if len(text) > dates.MAX_LENGTH:
        return None
    match kind:
        case "date":
            return _year(text, spec.date)
        case "age":
            return _age_band(text, spec.band)
        case "postcode":
            return _postcode_prefix(text)
        case "ip":
            return _network(text)
        case "number":
            return _number_range(text)
        case _:
            return None


def _year(text: str, unit: str) -> str | None:
    written = dates.parse(text, False) or dates.parse(text, True)
    years = {written.year} if written else {int(year) for year in _YEARS.findall(text)}
    if len(years) != 1:
        return None
    year = years.pop()
    bare = not any(char.isalnum() for char in _YEARS.sub("", text))
    return f"{year // 10 * 10}s" if unit == "decade" or bare else str(year)


def _age_band(text: str, width: int) -> str | None:
    match = ages.AGE.fullmatch(text)
    if match is None:
        return None
    age = int(match["years"])
    band = _band(age, width)
    spoken = text[: match.start("years")] + band + text[match.end("years") :]
    # "aged 40" is inside "aged 40-49"; the band alone still says it.
    return band if holds(spoken, text) else spoken


def _band(age: int, width: int) -> str:
    low = age // width * width
    return f"{_OLDEST}+" if age >= _OLDEST else f"{low}-{min(low + width, _OLDEST) - 1}"


def _postcode_prefix(text: str) -> str | None:
    zip_code = _ZIP.fullmatch(text)
    if zip_code:
        area = zip_code[1]
        return f"{'000' if area in _SMALL_ZIP_AREAS else area}**"
    lettered = _UK.fullmatch(text) or _CANADA.fullmatch(text)
    return lettered[1] if lettered else None


def _network(text: str) -> str | None:
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return None
    return str(ipaddress.ip_network((address, 24 if address.version == 4 else 48), strict=False))


def _number_range(text: str) -> str | None:
    match = _NUMBER.fullmatch(text)
    if match is None:
        return None
    digits = re.sub(r"[, ]", "", match["whole"])
    style = ",d" if "," in match["whole"] else "d"
    step = 10 ** max(len(digits) - 1, 1)
    for width in (step, step * 10):
        low = int(digits) // width * width
        wider = f"{match['before']}{low:{style}}-{low + width - 1:{style}}{match['after']}"
        if not holds(wider, text):
            return wider
    return None
