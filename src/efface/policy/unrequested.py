"""What a policy does not ask for, so that every report can say it."""

from __future__ import annotations

from collections.abc import Iterator

from efface.core import Gap, GapKind
from efface.operators import Keep, Operators
from efface.policy.entries import Find, NamesEntry

_NAMES = "names of persons, places and organisations, and dates in words"
_SHAPES = "identifiers by their shape, such as e-mail addresses, phone and account numbers"
_TYPE_WORDS = {
    "PERSON": "persons",
    "LOCATION": "places",
    "ORGANIZATION": "organisations",
    "DATE_TIME": "dates in words",
    "NRP": "nationalities, religions and political groups",
}


def unasked(find: Find, operators: Operators) -> tuple[Gap, ...]:
    """One entry for each thing that is not looked for, or that stays though it is found."""
    return tuple(_gap(what, why, step) for what, why, step in _left_out(find, operators))


def _left_out(find: Find, operators: Operators) -> Iterator[tuple[str, str, str]]:
    """What the policy does not look for: the words for it, why, and what would change that."""
    if find.names == "none":
        yield _NAMES, "The policy turns names off.", "`find.names: default` looks for them."
    elif isinstance(find.names, NamesEntry) and find.names.types:
        missing = [words for name, words in _TYPE_WORDS.items() if name not in find.names.types]
        if missing:
            yield ", ".join(missing), "The policy names other types.", "Add them to `find.names.types`."
    if find.patterns == "none":
        yield _SHAPES, "The policy turns patterns off.", "`find.patterns: default` looks for them."
    elif not isinstance(find.patterns, str):
        chosen = ", ".join(sorted(find.patterns))
        yield f"{_SHAPES}, other than {chosen}", "The policy names these alone.", "Add to `find.patterns`."
    for name, operator in sorted(operators.by_type.items()):
        if isinstance(operator, Keep):
            yield f"{name} (found and kept)", "Its operator is `keep`.", "Choose another operator."


def _gap(what: str, why: str, step: str) -> Gap:
    return Gap(GapKind.TYPE, what, why, step, allowed=True)
