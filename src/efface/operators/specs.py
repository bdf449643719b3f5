"""The operators a policy can name, as small frozen values. What they do is in `document_filling`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from typing import ClassVar, Protocol, runtime_checkable

from efface.errors import PolicyError
from efface.operators.kinds import KINDS, kind_of
from efface.operators.placeholders import DEFAULT_TEMPLATE, check_template
from efface.text.spans import Span

_LOCALE = re.compile(r"[a-z]{2,3}_[A-Z]{2}\Z")
_FAKEABLE = frozenset(KINDS.values()) - {"number"} | {"id"}
_GENERAL = frozenset({"date", "age", "postcode", "ip", "number"})


def _require(condition: bool, message: str) -> None:
    if not condition:
        raise PolicyError(f"{message}.", "See docs/policy.md for the options of each operator.")


def _require_whole_number(name: str, value: object, low: int, high: int) -> None:
    right = isinstance(value, int) and not isinstance(value, bool) and low <= value <= high
    _require(right, f"{name} is a whole number from {low} to {high}")


@dataclass(frozen=True, slots=True)
class Replace:
    """A placeholder. `{type}` and `{number}` in the template stand for the type and the entity's number."""

    lasting: ClassVar[bool] = False
    tells_apart: ClassVar[bool] = True

    template: str = DEFAULT_TEMPLATE

    def __post_init__(self) -> None:
        check_template(self.template)


@dataclass(frozen=True, slots=True)
class Redact:
    """The term is removed and nothing put in its place."""

    lasting: ClassVar[bool] = False
    tells_apart: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class Mask:
    """Replaces characters by a masking character.

    By default all are masked and the length is rounded up, since a length can tell a name. With `chars_to_mask` that
    many characters from the start (or the end) are masked and the rest shows, as long as the rest is at most half of
    them; otherwise all are masked.
    """

    lasting: ClassVar[bool] = False
    tells_apart: ClassVar[bool] = False

    masking_char: str = "*"
    chars_to_mask: int | None = None
    from_end: bool = False

    def __post_init__(self) -> None:
        visible = len(self.masking_char) == 1 and self.masking_char.isprintable() and self.masking_char != " "
        _require(visible, "mask: masking_char is one visible character")
        if self.chars_to_mask is not None:
            _require_whole_number("mask: chars_to_mask", self.chars_to_mask, 1, 10_000)
        _require(isinstance(self.from_end, bool), "mask: from_end is true or false")


@dataclass(frozen=True, slots=True)
class Hash:
    """A keyed fingerprint: equal terms look equal, and only the holder of the key can test a guess."""

    lasting: ClassVar[bool] = True
    tells_apart: ClassVar[bool] = True

    length: int = 16

    def __post_init__(self) -> None:
        _require_whole_number("hash: length", self.length, 8, 64)


@dataclass(frozen=True, slots=True)
class Encrypt:
    """A token that `restore` turns back into the original with the same key."""

    lasting: ClassVar[bool] = True
    tells_apart: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class Surrogate:
    """A believable fake of the same kind and format. `kind` says what a type of your own is."""

    lasting: ClassVar[bool] = True
    tells_apart: ClassVar[bool] = True

    locale: str = "en_US"
    kind: str | None = None

    def __post_init__(self) -> None:
        _require(_LOCALE.match(self.locale) is not None, "surrogate: locale looks like en_US")
        known = self.kind is None or self.kind in _FAKEABLE
        _require(known, f"surrogate: kind is one of {', '.join(sorted(_FAKEABLE))}")
        if find_spec("faker") is None:
            raise PolicyError("`surrogate` needs Faker.", "Install it: pip install 'efface[surrogates]'.")


@dataclass(frozen=True, slots=True)
class Shift:
    """Dates moved by one offset per subject, at most `days` either way.

    `day_first` is how to read 03/04/2019 when no date of the document decides it.
    """

    lasting: ClassVar[bool] = False
    tells_apart: ClassVar[bool] = True

    days: int = 200
    day_first: bool = False

    def __post_init__(self) -> None:
        _require_whole_number("shift: days", self.days, 1, 36500)
        _require(isinstance(self.day_first, bool), "shift: day_first is true or false")


@dataclass(frozen=True, slots=True)
class Generalise:
    """Something wider that is still true. `kind` says what a type of your own is.

    `date` is year or decade; `band` is the width of an age band in years.
    """

    lasting: ClassVar[bool] = False
    tells_apart: ClassVar[bool] = False

    kind: str | None = None
    date: str = "year"
    band: int = 10

    def __post_init__(self) -> None:
        known = self.kind is None or self.kind in _GENERAL
        _require(known, f"generalise: kind is one of {', '.join(sorted(_GENERAL))}")
        _require(self.date in ("year", "decade"), "generalise: date is year or decade")
        _require_whole_number("generalise: band", self.band, 2, 50)

    def written_in(self, text: str, type: str) -> Iterator[Span]:
        """Where a text has what looks like a year or a decade for a date, or a band for an age."""
        from efface.operators.generalise import written_ages, written_dates

        match kind_of(type, self.kind):
            case "date":
                yield from written_dates(text, self.date)
            case "age":
                yield from written_ages(text, self.band)


@dataclass(frozen=True, slots=True)
class Keep:
    """Drops the edit, so that the text stays."""

    lasting: ClassVar[bool] = False
    tells_apart: ClassVar[bool] = False


class OwnOperator(Protocol):
    """An operator of a plugin. None means that it can make nothing of the term."""

    def fill(self, original: str, type: str, key: str) -> str | None: ...


@runtime_checkable
class KnowsOwnWriting(Protocol):
    """Can say where a text has what it writes for terms of a type. `verify` asks, since the policy lets that stay."""

    def written_in(self, text: str, type: str) -> Iterator[Span]: ...


@runtime_checkable
class SaysWhatItTells(Protocol):
    """Says what a reader learns from its replacements. An operator that does not say it counts as both."""

    @property
    def lasting(self) -> bool:
        """Whether a term gets the same replacement in every document, so that a reader can link them by it."""

    @property
    def tells_apart(self) -> bool:
        """Whether different terms get different replacements, so that one leads back to its term."""


BuiltIn = Replace | Redact | Mask | Hash | Encrypt | Surrogate | Shift | Generalise | Keep
Operator = BuiltIn | OwnOperator


def is_operator(found: object) -> bool:
    """Whether it can stand in the place of a term: an object that cannot must not pass for `replace`."""
    own = not isinstance(found, type) and callable(getattr(found, "fill", None))
    return isinstance(found, BuiltIn) or own


def is_lasting(operator: Operator) -> bool:
    """Whether documents can be linked by what this operator writes. A plugin that does not say it may do so."""
    return operator.lasting if isinstance(operator, SaysWhatItTells) else True


def tells_apart(operator: Operator) -> bool:
    """Whether a replacement of this operator stands for one term. Where it does not, the mapping finds out."""
    return operator.tells_apart if isinstance(operator, SaysWhatItTells) else True


OPERATORS: Mapping[str, type[BuiltIn]] = {
    "replace": Replace,
    "redact": Redact,
    "mask": Mask,
    "hash": Hash,
    "encrypt": Encrypt,
    "surrogate": Surrogate,
    "shift": Shift,
    "generalise": Generalise,
    "keep": Keep,
}

KEY_HINT = "set key: in the policy, e.g. key: env:EFFACE_KEY; efface policy key makes one"
KEYED = (Hash, Encrypt, Surrogate, Shift)
