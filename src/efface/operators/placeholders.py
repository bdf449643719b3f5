"""Placeholders: how they are written, numbered, and recognised again."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from efface.errors import PolicyError
from efface.operators.kinds import KINDS

DEFAULT_TEMPLATE = "[{type}_{number}]"
SEAL = ":efface1."  # between the label and the ciphertext of an encrypted term
FALLBACK = "REDACTED"  # the label when the type's own name is what was removed
PLAIN = f"[{FALLBACK}]"  # where nothing else will do

_FIELD = re.compile(r"\{(\w*)\}|[{}]")
_FIELDS = re.compile(r"(\{type\}|\{number\})")
_IN_SHEETS = str.maketrans("[]:*?/\\", "()-----")
_NO_IDENTIFIER = re.compile(r"[^\w.\\]")
_LAST = 900_000  # a count has six digits, and the next document needs some of them
_LABEL = r"[A-Z][A-Z0-9_]{0,63}"
_NUMBER = r"[1-9][0-9]{0,6}"
_HASHED = r":#[0-9a-f]{8,64}\]"
_SEALED = rf"{re.escape(SEAL)}[A-Za-z0-9_-]{{80,}}\]"


@lru_cache(maxsize=4096)  # every reading asks for the label of every type
def label_of(type_name: str) -> str:
    """A type as it appears in the output: capitals, digits and underscores, in any encoding."""
    label = re.sub(r"[^A-Z0-9]+", "_", type_name.upper()).strip("_")[:64]
    return label if re.fullmatch(_LABEL, label) else "TERM"


def check_template(template: str) -> None:
    """Only the two fields, no stray braces: a template is not a format string."""
    if any(match.group(1) not in ("type", "number") for match in _FIELD.finditer(template)):
        raise PolicyError(
            "`replace`: a template knows only {type} and {number}.", "Write for example '[{type}_{number}]'."
        )
    if not template.isprintable():
        raise PolicyError(
            "`replace`: a template is one line of visible text.", "Write for example '[{type}_{number}]'."
        )


def _pattern(template: str, label: str, number: str) -> str:
    fields = {"{type}": label, "{number}": number}
    return "".join(fields.get(piece, re.escape(piece)) for piece in _FIELDS.split(template))


def placeholder_pattern(
    types: Iterable[str] = (), templates: Iterable[str] = (DEFAULT_TEMPLATE,)
) -> re.Pattern[str]:
    """Recognises what efface itself put in a removed term's place, for the known types and those given.

    Only for known types and templates with brackets of some kind: were any `[WORD_1]` or a bare word taken
    for a placeholder, a document could hide names in it.
    """
    return _compiled_pattern(tuple(types), tuple(templates))


@lru_cache(maxsize=64)  # the same policy asks for every document
def _compiled_pattern(types: tuple[str, ...], templates: tuple[str, ...]) -> re.Pattern[str]:
    labels = {label_of(name) for name in (*KINDS, *types)} | {FALLBACK, "TERM"}
    label = f"(?:{'|'.join(sorted(labels, key=lambda name: (-len(name), name)))})"
    marked = {template for template in templates if _is_marked(template)} | {DEFAULT_TEMPLATE}
    forms = marked | {form for template in marked for form in _forms_in_names(template)}
    written = [_pattern(template, label, _NUMBER) for template in sorted(forms)]
    return re.compile("|".join([*written, re.escape(PLAIN), rf"\[{label}(?:{_HASHED}|{_SEALED})"]))


def _forms_in_names(template: str) -> Iterator[str]:
    """The forms of a template in places that allow no brackets: names of sheets, ranges and tables."""
    pieces = _FIELDS.split(template)
    yield "".join(piece if _FIELDS.fullmatch(piece) else piece.translate(_IN_SHEETS) for piece in pieces)
    yield "".join(piece if _FIELDS.fullmatch(piece) else _NO_IDENTIFIER.sub("_", piece) for piece in pieces)


@lru_cache(maxsize=64)
def _numbered(template: str) -> re.Pattern[str]:
    """What the template writes, for any type. Six digits: a longer number is no placeholder of ours, and must not push
    the count out of bounds."""
    return re.compile(_pattern(template, f"({_LABEL})", "([1-9][0-9]{0,5})"))


def _is_marked(template: str) -> bool:
    """Whether what the template writes cannot be an ordinary word."""
    named = "{type}" in template or "{number}" in template
    return named and not any(end.isalnum() or end in "{}" for end in (template[0], template[-1]))


@dataclass(slots=True)
class GivenNumbers:
    """The numbers that were given, for documents that share them: the turns of a conversation."""

    given: dict[tuple[str, str, str], int] = field(default_factory=dict, repr=False)
    last: dict[tuple[str, str], int] = field(default_factory=dict, repr=False)

    def leave_out(self, text: str, template: str) -> None:
        """Give none of the numbers that stand in a text: its placeholders would be taken for those given later."""
        if "{number}" not in template:
            return
        number_first = template.find("{number}") < template.find("{type}")
        for match in _numbered(template).finditer(text):
            groups = match.groups()
            label, number = (
                ("", groups[0]) if len(groups) == 1 else (groups[::-1] if number_first else groups)
            )
            self.last[template, label] = max(int(number), self.last.get((template, label), 0))

    def forget(self, most: int) -> None:
        """Forget the terms that were numbered first, beyond `most`. A count that nears its last digit begins again."""
        full = {scope for scope, number in self.last.items() if number > _LAST}
        for scope in full:
            del self.last[scope]
        surplus = len(self.given) - most
        for at, term in enumerate(list(self.given)):
            if at < surplus or term[:2] in full:
                del self.given[term]


@dataclass(slots=True)
class Numbering:
    """Numbers for one document: same key, same number, counted up from what the text already holds."""

    text: str = field(repr=False)
    ledger: GivenNumbers = field(default_factory=GivenNumbers, repr=False)
    _scanned: set[str] = field(default_factory=set, repr=False)

    def write(self, template: str, label: str, key: str) -> str:
        """The placeholder of this key."""
        if "{number}" not in template:
            return template.replace("{type}", label)
        if template not in self._scanned:
            self.ledger.leave_out(self.text, template)
            self._scanned.add(template)
        # Without the type in the placeholder, only a count over all types distinguishes two terms.
        scope = label if "{type}" in template else ""
        number = self.ledger.given.get((template, scope, f"{label} {key}"))
        if number is None:
            number = self.ledger.last.get((template, scope), 0) + 1
            self.ledger.last[template, scope] = self.ledger.given[template, scope, f"{label} {key}"] = number
        return template.replace("{number}", str(number)).replace("{type}", label)
