"""Rows of numbers that an office gives: collar and badge numbers, references of the police, policies."""

from __future__ import annotations

from efface.finders.patterns.row import BARE, Pattern

# The number of an officer or a guard is short, so the word right before it must tell.
_WEARERS = ("badge", "collar", "warrant card")
_SERVICES = ("shoulder", "epaulette", "force", "service", "staff", "payroll")
_NUMBER_WORDS = tuple(rf"\s(?i:{word}){mark}" for word in ("no", "number", "id") for mark in ("", "[.:]"))
_BEFORE_COLLAR = "|".join(
    rf"(?<=(?i:{word}){number}\s)"
    for word in (*_WEARERS, *_SERVICES)
    for number in (*_NUMBER_WORDS, *(("", "[:#]") if word in _WEARERS else ()))
)

REFERENCES: tuple[Pattern, ...] = (
    Pattern(
        "ID_NUMBER",
        rf"(?:{_BEFORE_COLLAR})[0-9]{{2,8}}(?![.,][0-9])",
        BARE,
        context=", ".join((*_WEARERS, *_SERVICES)),
        at=("number", "long"),
    ),
    Pattern(  # "42/118834/24"
        "ID_NUMBER",
        r"[0-9]{2,4}/[0-9]{4,8}/[0-9]{2,4}",
        BARE,
        context="crime, no, number, ref, reference, log",
        at=("long",),
    ),
    Pattern(  # "HX 4421 9908 T"
        "ID_NUMBER",
        r"[A-Z]{1,3}[ -]?[0-9]{3,5}(?:[ -][0-9]{3,5}){1,3}(?:[ -]?[A-Z])?",
        BARE,
        context="policy, claim, ref, reference, membership",
        at=("code",),
    ),
)
