"""The policy: YAML in, validated values out."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal, get_args

import yaml
from pydantic import (
    Field,
    PrivateAttr,
    ValidationError,
)
from pydantic.fields import FieldInfo

from efface.core import GapKind, Pictures
from efface.errors import InputError, PolicyError
from efface.policy.entries import (
    ENTRIES,
    Custom,
    CustomEntry,
    Find,
    Knowledge,
    PolicyEntry,
    RestoreEntry,
    ReviewEntry,
)
from efface.policy.guarantee_entries import GUARANTEE_ENTRIES, GuaranteeEntry
from efface.policy.yaml_text import Loader, explain, line_of, nearest

MAX_POLICY_BYTES = 16 * 1024 * 1024  # a policy may list many terms; no list is larger
POLICY_VERSION = 1


@dataclass(frozen=True, slots=True)
class _PolicySource:
    """The text that a policy was read from. It plays no part in comparing policies."""

    name: str = field(default="", compare=False)
    node: yaml.Node | None = field(default=None, compare=False)


class Policy(PolicyEntry):
    """A whole policy. Every key has a default, so `efface: 1` alone is one.

    >>> from efface import Policy, redact
    >>> policy = Policy.model_validate({"find": {"names": "none"}, "operators": {"default": "mask"}})
    >>> redact("Mail bob@example.com", policy).text
    'Mail ****************'
    """

    efface: Literal[1] = 1
    key: str | None = Field(None, pattern=r"^(env|file):.+$")
    subject: str = ""
    find: Find = Find()
    knowledge: Mapping[str, Knowledge] = {}
    guarantees: tuple[GuaranteeEntry, ...] = ()
    operators: Mapping[str, str | Mapping[str, Any]] = {"default": "replace"}
    formats: Custom = ()
    rounds: int = Field(8, ge=1, le=100)
    pictures: Pictures = Pictures.READ
    accept: tuple[GapKind, ...] = ()
    review: ReviewEntry = ReviewEntry()
    restore: RestoreEntry = RestoreEntry()
    _source: _PolicySource = PrivateAttr(default_factory=_PolicySource)

    def where(self, *location: int | str) -> str:
        """ "policy.yaml, line 7: ", to begin a sentence about what stands there; "" for a policy not from a text.

        >>> Policy().where("find", "names")
        ''
        """
        name = self._source.name
        return f"{name}, line {line_of(self._source.node, location)}: " if name else ""

    def check(self) -> None:
        """Refuse keys that contradict one another.

        >>> try:
        ...     Policy.model_validate({"guarantees": [{"k-safety": {"k": 5, "over": "patients"}}]}).check()
        ... except PolicyError as error:
        ...     print(error.message)
        `over` names no entry of `knowledge`.
        """
        for number, entry in enumerate(self.guarantees):
            safety = entry.k_safety
            where = ("guarantees", number, "k-safety")
            if safety and safety.over not in self.knowledge:
                near = nearest(safety.over, self.knowledge)
                entries = ", ".join(f"`{name}`" for name in self.knowledge)
                raise PolicyError(
                    f"{self.where(*where, 'over')}`over` names no entry of `knowledge`{near}",
                    f"Name one of {entries}." if entries else "docs/ksafety.md shows how to write one.",
                )
            if safety and safety.protect == "denied" and self.knowledge[safety.over].access is None:
                raise PolicyError(
                    f"{self.where(*where, 'protect')}`protect: denied` needs `access` in `knowledge.{safety.over}`."
                )

    def secret_key(self, folder: Path) -> bytes | None:
        """The policy's key, from the environment or a file; never from the policy's own text.

        >>> Policy().secret_key(Path()) is None
        True
        """
        if self.key is None:
            return None
        kind, _, where = self.key.partition(":")
        if kind == "env":
            value = os.environ.get(where, "").encode()
        else:
            try:
                value = (folder / where).read_bytes().strip()
            except OSError:
                raise PolicyError(
                    "The policy's key file cannot be read.", "Make one with `efface policy key`."
                ) from None
        if len(value) < 16:
            raise PolicyError(
                f"The policy's key ({self.key}) is missing or shorter than 16 bytes.",
                "Make one with `efface policy key` and put it there.",
            )
        return value


PRESETS = (
    "names",
    "patterns",
    "hipaa-like",
    "gdpr-special",
    "health",
    "money",
    "politics-religion",
    "sexuality",
    "crime",
)


def example() -> str:
    """A policy to start from, as text."""
    return _packaged("example")


def preset(name: str) -> str:
    """A ready policy of the package, as text."""
    if name not in PRESETS:
        raise PolicyError("There is no such preset.", f"Choose one of {', '.join(PRESETS)}.")
    return _packaged(name)


def _packaged(name: str) -> str:
    return (files("efface.policy") / "presets" / f"{name}.yaml").read_text("utf-8")


def load(path: Path) -> Policy:
    """The policy in a file, or the preset of that name."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        if str(path) in PRESETS:
            return parse(preset(str(path)), str(path))
        near = nearest(str(path), PRESETS)
        raise InputError(
            f"The policy {path} does not exist{near}", "`efface policy example` prints one."
        ) from None
    except OSError as error:
        raise InputError(f"The policy {path} cannot be read: {error.strerror}.") from None
    except ValueError:  # a NUL or half a character in the path
        raise InputError("No file can have the name of this policy.", "Give a path.") from None
    return parse_bytes(data, str(path))


def parse_bytes(data: bytes, name: str = "policy") -> Policy:
    """The policy in a file's bytes."""
    if len(data) > MAX_POLICY_BYTES:
        raise PolicyError(f"{name}: a policy has at most 16 MiB.", "Put long lists into files: `deny_file`.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise PolicyError(f"{name}: a policy is UTF-8 text.", "Save it as UTF-8.") from None
    return parse(text, name)


def parse(text: str, name: str = "policy") -> Policy:
    """The policy in a text; errors name `name` and the line."""
    try:
        node = yaml.compose(text, Loader=Loader)
        value = Loader.construct(node)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise PolicyError(
            f"{name}, line {line}: this is not YAML: {error.problem}.", "Mend the line."
        ) from None
    except (yaml.YAMLError, ValueError, RecursionError):
        raise PolicyError(f"{name}: this is not YAML.", "`efface policy example` prints a policy.") from None
    if value is None:
        value = {}
    if not isinstance(value, dict):
        raise PolicyError(
            f"{name}, line 1: a policy is a mapping such as `efface: 1`.",
            "`efface policy example` prints one.",
        )
    return parse_value(value, name, node)


def parse_value(value: dict[str, Any], name: str = "policy", node: yaml.Node | None = None) -> Policy:
    """The policy in a mapping. `node` is the text that it was read from, if it was: errors then name the line."""
    version = value.get("efface", POLICY_VERSION)
    if isinstance(version, int) and version != POLICY_VERSION:
        raise PolicyError(
            f"{name}, line {line_of(node, ['efface'])}: `efface`: the policy is of version {version}; this efface "
            f"reads version {POLICY_VERSION}.",
            f"Write `efface: {POLICY_VERSION}`, or use an efface that reads it.",
        )
    try:
        policy = Policy.model_validate(value)
    except ValidationError as error:
        raise PolicyError(
            "\n".join(explain(error, node, name, _keys_at)), "`efface policy example` shows every key."
        ) from None
    if node is not None:
        policy._source = _PolicySource(name, node)
    policy.check()
    return policy


def _keys_at(location: Sequence[int | str]) -> set[str]:
    """The keys that are known where the last of these was written."""
    models: list[type[PolicyEntry]] = [Policy]
    for part in location[:-1]:
        known = _fields_of(models)
        if str(part) in known:  # else it numbers an entry, or names a branch of a union
            models = [inner for field in known[str(part)] for inner in _entries_in(field.annotation)]
            models = models or list(MODELS)
    return set(_fields_of(models))


def _fields_of(models: Iterable[type[PolicyEntry]]) -> dict[str, list[FieldInfo]]:
    """By key, the fields that these models have for it."""
    found: dict[str, list[FieldInfo]] = {}
    for model in models:
        for key, info in _fields(model).items():
            found.setdefault(key, []).append(info)
    return found


def _fields(model: type[PolicyEntry]) -> dict[str, FieldInfo]:
    return {field.alias or name: field for name, field in model.model_fields.items()}


def _entries_in(annotation: Any) -> Iterator[type[PolicyEntry]]:
    """The entries that a type is made of, in lists, mappings and unions too."""
    if isinstance(annotation, type) and issubclass(annotation, PolicyEntry):
        yield annotation
    for inner in get_args(annotation):
        yield from _entries_in(inner)


# In the order in which the reference explains them.
MODELS: tuple[type[PolicyEntry], ...] = (
    Policy,
    *ENTRIES,
    *GUARANTEE_ENTRIES,
    ReviewEntry,
    RestoreEntry,
    CustomEntry,
)
