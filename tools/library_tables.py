"""Tables that efface takes from large libraries: `python -m tools.library_tables` writes them again.

efface needs 300 KB of these libraries' 70 MB, so the tables come in the package and the libraries do not. A test
compares the tables with the libraries that the tests run with.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from phonenumbers import (
    COUNTRY_CODE_TO_REGION_CODE,
    PhoneMetadata,
    PhoneNumberFormat,
    example_number,
    format_number,
)

from efface.text.folding import fold_term

SOURCE = Path(__file__).resolve().parents[1] / "src" / "efface"
NUMBERING_PLANS = SOURCE / "finders" / "patterns" / "data" / "numbering_plans.json"
GIVEN_NAMES = SOURCE / "text" / "data" / "given_names.txt"

_KINDS = (
    *("fixed_line", "mobile", "toll_free", "premium_rate", "shared_cost", "personal_number", "voip", "pager"),
    *("uan", "voicemail"),
)
_NOT_GEOGRAPHIC = "001"  # satellites, free numbers and the like: each country code has a plan of its own
_LOCALES = ("en_US", "en_GB", "en_IN", "es_ES", "de_DE", "fr_FR", "it_IT", "pl_PL", "pt_PT", "tr_TR", "nl_NL")


def numbering_plans() -> str:
    """The numbering plans of phonenumbers: by region as dialled there, by country code as dialled abroad."""
    regions = {region: _plan(region) for region in sorted(_regions())}
    country_codes = {str(code): _abroad(code) for code in sorted(COUNTRY_CODE_TO_REGION_CODE)}
    return json.dumps({"regions": regions, "country_codes": country_codes}, indent=1) + "\n"


def given_names() -> str:
    """Given names of several countries as Faker lists them, folded, one a line, with "f" or "m" where all lists agree."""
    genders: dict[str, set[str]] = {}
    for locale in _LOCALES:
        provider = import_module(f"faker.providers.person.{locale}").Provider
        for attribute, gender in (
            ("first_names", ""),
            ("first_names_female", "f"),
            ("first_names_male", "m"),
        ):
            for name in getattr(provider, attribute, ()):
                genders.setdefault(fold_term(name), set()).add(gender)
    return "".join(f"{name} {_agreed(told)}".rstrip() + "\n" for name, told in sorted(genders.items()))


def _agreed(genders: set[str]) -> str:
    told = genders - {""}
    return told.pop() if len(told) == 1 else ""


def _regions() -> set[str]:
    listed = {region for regions in COUNTRY_CODE_TO_REGION_CODE.values() for region in regions}
    return listed - {_NOT_GEOGRAPHIC}


def _plan(region: str) -> dict[str, object]:
    plan = _metadata(region)
    return {
        "trunk_prefix": plan.national_prefix or "",
        "always_written": _always_written(plan),
        "numbers": _numbers(plan),
    }


def _always_written(plan: PhoneMetadata) -> bool:
    """Whether people of the region always write the trunk prefix: it is in the example, and not optional."""
    example, prefix = example_number(plan.id), plan.national_prefix
    if not example or not prefix:
        return False
    written = format_number(example, PhoneNumberFormat.NATIONAL).lstrip("(")
    return written.startswith(prefix) and any(
        prefix in (form.national_prefix_formatting_rule or "")
        and not form.national_prefix_optional_when_formatting
        for form in plan.number_format
    )


def _abroad(code: int) -> str:
    """The numbers that may follow a country code, in any of its regions."""
    return "|".join(_numbers(_metadata(region, code)) for region in COUNTRY_CODE_TO_REGION_CODE[code])


def _metadata(region: str, code: int = 0) -> PhoneMetadata:
    if region == _NOT_GEOGRAPHIC:
        found = PhoneMetadata.metadata_for_nongeo_region(code)
    else:
        found = PhoneMetadata.metadata_for_region(region)
    if found is None:
        sys.exit(f"phonenumbers lists region {region} without a numbering plan.")
    return found


def _numbers(plan: PhoneMetadata) -> str:
    """One expression for the numbers of all kinds, without the trunk prefix."""
    kinds = (getattr(plan, kind) for kind in _KINDS)
    return "|".join(
        sorted({kind.national_number_pattern for kind in kinds if kind and kind.national_number_pattern})
    )


def tables() -> Iterator[tuple[Path, str]]:
    """Each file with what belongs in it."""
    yield NUMBERING_PLANS, numbering_plans()
    yield GIVEN_NAMES, given_names()


def main() -> None:
    for path, text in tables():
        path.write_text(text, "utf-8")
        sys.stdout.write(f"{path.relative_to(SOURCE)}: {len(text.splitlines()):,} lines\n")


if __name__ == "__main__":
    main()
