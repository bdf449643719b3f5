"""The operators of a policy, and what guarantees must know of them."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING

from efface.errors import PolicyError
from efface.operators import OPERATORS, Keep, Mask, Operator, Operators, Redact, Replace, Shift
from efface.operators.kinds import KINDS
from efface.policy.model import Policy
from efface.policy.plugins import NO_EXTRAS, Extras, check_operator, is_installed, made
from efface.policy.yaml_text import nearest
from efface.text.entity_types import HIDDEN_TEXT

if TYPE_CHECKING:
    from efface.guarantees.left_parts import LeftParts


def operators_of(policy: Policy, folder: Path, extras: Extras = NO_EXTRAS) -> Operators:
    """The operators of a policy, with a key where one is needed."""
    by_type = {name: _operator(policy, name) for name in policy.operators}
    by_type |= extras.operators
    by_type.setdefault(HIDDEN_TEXT, Redact())  # a placeholder would show where nothing was seen
    default = by_type.pop("default", Replace())
    if isinstance(default, Keep):
        raise PolicyError("`operators.default: keep` would leave everything as it is.", "Name types to keep.")
    operators = Operators(default, by_type, policy.secret_key(folder), policy.subject)
    if operators.key is not None:
        return operators
    if operators.needs_lasting_key:
        raise PolicyError(
            "`hash` and `encrypt` need a key that lasts.",
            "Make one with `efface policy key`, keep it safe, and set `key: env:NAME` or `key: file:PATH`.",
        )
    # Surrogates and shifts are consistent within this run and forgotten with it.
    return replace(operators, key=secrets.token_bytes(32))


def _operator(policy: Policy, type_: str) -> Operator:
    """`replace`, or `{mask: {chars_to_mask: 12}}`."""
    spec = policy.operators[type_]
    where = f"{policy.where('operators', type_)}`operators.{type_}`"
    name, options = (spec, {}) if isinstance(spec, str) else next(iter(spec.items()), ("", {}))
    if (":" in str(name) or is_installed("operators", str(name))) and name not in OPERATORS:
        return check_operator(made("operators", str(name), options or {}, where), str(name))
    if name not in OPERATORS or (not isinstance(spec, str) and len(spec) != 1):
        raise PolicyError(
            f"{where} names no operator{nearest(str(name), OPERATORS)}",
            f"Choose one of {', '.join(OPERATORS)}.",
        )
    try:
        return OPERATORS[name](**(options or {}))
    except PolicyError as error:
        raise PolicyError(f"{where}: {error.message}", error.hint) from None
    except (TypeError, ValueError):
        takes = ", ".join(option.name for option in fields(OPERATORS[name]))
        hint = f"It takes {takes}." if takes else "It has no options: write its name alone."
        raise PolicyError(f"{where}: `{name}` does not take these options.", hint) from None


def faked_types(operators: Operators, types: Iterable[str]) -> frozenset[str]:
    """The types whose replacements could be values."""
    return frozenset(t for t in types if not isinstance(operators.operator(t), Replace | Redact))


def parts_left(operators: Operators) -> LeftParts:
    """What the operators may leave of a value, for the guarantees to recognise."""
    from efface.guarantees.left_parts import MARKS, LeftParts

    chosen = (operators.default, *operators.by_type.values())
    marks = {operator.masking_char for operator in chosen if isinstance(operator, Mask)}
    days = max((operator.days for operator in chosen if isinstance(operator, Shift)), default=0)
    return LeftParts("".join(sorted({*MARKS, *marks})), days)


def check_types(policy: Policy, named: Iterable[str], known: Iterable[str]) -> None:
    """An operator for a type that nothing finds is a mistake in its name."""
    types = set(known) | set(KINDS)
    for name in named:
        if name not in types:
            raise PolicyError(
                f"{policy.where('operators', name)}`operators.{name}`: no such type{nearest(name, types)}",
                "`efface policy types` lists them.",
            )
