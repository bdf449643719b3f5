"""A policy's text: YAML that cannot explode, and mistakes that name their line and the nearest right key."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import yaml
from pydantic import ValidationError

_TELLING = 3  # letters of a name that tell which longer one may be meant
# Columns are called so now and then.
_QUOTES = (
    "; write it in quotes: YAML takes a bare no, on, yes or off for a truth value, and 2024 for a number"
)


class Loader(yaml.SafeLoader):
    """Safe YAML without aliases (they can make a small file explode) and without repeated keys."""

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):
            event = self.peek_event()  # type: ignore[no-untyped-call]
            raise yaml.composer.ComposerError(None, None, "aliases are not allowed", event.start_mark)
        return super().compose_node(parent, index)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: set[str] = set()
        for key, _ in node.value:
            if key.value in seen:
                raise yaml.constructor.ConstructorError(None, None, "a key appears twice", key.start_mark)
            seen.add(key.value)
        return super().construct_mapping(node, deep)

    @classmethod
    def construct(cls, node: yaml.Node | None) -> Any:
        return None if node is None else cls("").construct_document(node)


def explain(
    error: ValidationError,
    node: yaml.Node | None,
    name: str,
    keys_at: Callable[[Sequence[int | str]], Iterable[str]],
) -> Iterator[str]:
    """One line per mistake: where, what, and the nearest right key. Values are not repeated."""
    for problem in error.errors(include_input=False, include_url=False):
        location = [part for part in problem["loc"] if _is_in_document(part)]
        line = line_of(node, location)
        where = ".".join(str(part) for part in location) or "policy"
        if problem["type"] == "extra_forbidden":
            near = nearest(str(problem["loc"][-1]), keys_at(location))
            yield f"{name}, line {line}: unknown key `{where}`{near}"
        else:
            message = problem["msg"].removeprefix("Value error, ")
            hint = _QUOTES if problem["type"] == "string_type" else ""
            yield f"{name}, line {line}: `{where}`: {message}{hint}"


def _is_in_document(part: int | str) -> bool:
    """Pydantic puts the names of union branches and validators into the location: drop them."""
    if isinstance(part, int):
        return True
    return part != "str" and not any(mark in part for mark in ("[", "(", "literal", "function-"))


def line_of(node: yaml.Node | None, location: Iterable[int | str]) -> int:
    """The place of a key or an entry in the text, or the nearest place above it that exists."""
    line = node.start_mark.line + 1 if node is not None else 1
    for part in location:
        if isinstance(node, yaml.MappingNode):
            pairs = [(key, value) for key, value in node.value if key.value == str(part)]
            if not pairs:
                return line
            key, node = pairs[0]
            line = key.start_mark.line + 1
        elif isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
            node = node.value[part]
            line = node.start_mark.line + 1
    return line


def nearest(name: str, known: Iterable[str]) -> str:
    """The end of a sentence about a name that is not known: the one that may be meant, or just a full stop."""
    names = sorted(known)
    parts = [one for one in names if len(name) >= _TELLING and name.lower() in re.split(r"[_-]", one.lower())]
    # People say EMAIL and SSN for EMAIL_ADDRESS and US_SSN.
    near = parts if len(parts) == 1 else difflib.get_close_matches(name, names, n=1) or parts
    return f"; did you mean `{near[0]}`?" if near else "."
