"""The policy: YAML in, validated values out."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import yaml
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PrivateAttr,
    ValidationError,
    model_validator,
)

from efface.errors import InputError, PolicyError
from efface.policy_text import Loader, explain, line_of, nearest

MAX_POLICY_BYTES = 16 * 1024 * 1024


_Alternative = TypeVar("_Alternative", bound=BaseModel)


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


class DenyEntry(_Model):
    """A denied term: its text, and whether upper and lower case must agree."""

    term: str = Field(min_length=1)
    case: bool = False
    type: str = Field("DENIED", pattern=r"^[A-Z][A-Z0-9_]*$")


def _as_entry(value: object) -> object:
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        return {"term": str(value)}
    return value


Listed = Annotated[DenyEntry, BeforeValidator(_as_entry)]


class NamesEntry(_Model):
    """Who finds names: the built-in model (or one in a folder), or a model that the user already has."""

    model: Path | None = None
    preset: Literal["recall", "precision"] = "recall"
    risk: Literal["all", "subject"] = "all"
    types: tuple[str, ...] = ()
    spacy: str | None = None
    presidio: str | None = None
    gliner: str | None = None
    threshold: float = Field(0.4, ge=0, le=1)

    @model_validator(mode="after")
    def _at_most_one(self) -> NamesEntry:
        if sum(value is not None for value in (self.model, self.spacy, self.presidio, self.gliner)) > 1:
            raise ValueError("`names` is found by one of `model`, `spacy`, `presidio` and `gliner`")
        return self


class Find(_Model):
    """What is looked for."""

    patterns: Literal["default", "none"] | tuple[str, ...] = "default"
    threshold: float = Field(0.4, ge=0, le=1)
    names: Literal["default", "none"] | NamesEntry = "none"
    deny: tuple[Listed, ...] = ()
    deny_file: Path | None = None
    keep: tuple[Listed, ...] = ()


class UsersTable(_Model):
    """The table that holds the labels of viewers, or of columns."""

    table: str
    name: str = "name"
    label: str = "label"


class Labels(_Model):
    """Label-based access control: the components, and where the labels of rows, columns and users are."""

    levels: tuple[str, ...] = ()
    compartments: tuple[str, ...] = ()
    groups: Mapping[str, Any] = {}
    rows: str = ""
    columns: UsersTable | Mapping[str, str] = Field({}, union_mode="left_to_right")
    users: UsersTable | Mapping[str, str] = Field({}, union_mode="left_to_right")


class GrantsView(_Model):
    """Access by a view with a viewer and the entity's key in each row."""

    view: str
    viewer: str = "viewer"
    columns_view: str = ""


class Roles(_Model):
    """Access by PostgreSQL's own rights, with settings that its policies read."""

    session: Mapping[str, str] = {}


class AccessEntry(_Model):
    """Who decides what a viewer may see: exactly one of the keys."""

    labels: Labels | None = None
    grants: GrantsView | None = None
    postgres: Roles | None = None

    @model_validator(mode="after")
    def _exactly_one(self) -> AccessEntry:
        return _one_of(self, "`access` is one of `labels`, `grants` and `postgres`")


def _as_access(value: object) -> object:
    if value == "postgres":
        return {"postgres": {}}
    if isinstance(value, dict) and "view" in value:
        return {"grants": value}
    return value


def _one_of(model: _Alternative, message: str) -> _Alternative:
    if sum(getattr(model, name) is not None for name in type(model).model_fields) != 1:
        raise ValueError(message)
    return model


def _as_crowd(value: object) -> object:
    if value == "all" or (isinstance(value, int) and not isinstance(value, bool) and value >= 1):
        return value
    raise ValueError("k is the size of the crowd with the entity in it: `all`, or a number of at least 1")


def _as_ids(value: object) -> object:
    """Keys may be numbers."""
    return [str(id) if isinstance(id, int) else id for id in value] if isinstance(value, list) else value


class KSafetyEntry(_Model):
    """Every protected entity stays one of at least `k` that fit the text."""

    over: str
    k: Annotated[int | Literal["all"], BeforeValidator(_as_crowd)] = 5
    protect: Annotated[str | tuple[str, ...], BeforeValidator(_as_ids)] = "all"
    scope: str = Field("document", pattern=r"^(document|paragraph|window\([1-9]\d*\))$")
    method: Literal["auto", "exact", "btop", "btop-naive", "bsize", "bfreq", "best-first", "levelwise"] = (
        "auto"
    )
    time_limit: float = Field(10.0, gt=0)
    infeasible: Literal["refuse", "remove"] = "refuse"


class TruthInDocument(_Model):
    """The class stands in the document: the text of the part of this name, such as `header X-Client`."""

    part: str = Field(min_length=1)


class LearnedClass(_Model):
    """A class that the model does not know yet, or knows too little of."""

    documents: tuple[Path, ...] = Field(min_length=1)
    aliases: tuple[str, ...] = ()


def _as_tuple(value: object) -> object:
    return (value,) if isinstance(value, str) else value


class ConfusabilityEntry(_Model):
    """The true class ranks k-th or worse for a reader trained on the classes."""

    model: Path
    k: int = Field(3, ge=2)
    hide: str | None = None
    truth: str | TruthInDocument | None = None
    keep: Annotated[tuple[str, ...], BeforeValidator(_as_tuple)] = ()
    aliases: Mapping[str, Annotated[tuple[str, ...], BeforeValidator(_as_tuple)]] = {}
    learn: Mapping[str, LearnedClass] = {}
    method: Literal["simple", "lp", "exact"] = "lp"
    objective: Literal["OVALogOdds", "OddsRatio", "FreqLogP", "InfoGain", "count"] = "OVALogOdds"
    per_occurrence: bool = Field(False, alias="per-occurrence")
    time_limit: float = Field(10.0, gt=0)


def _as_hidden(value: object) -> object:
    """A list hides without generalisations: plain C-sanitization."""
    if isinstance(value, list):
        return dict.fromkeys(value)
    return value


class WebCounts(_Model):
    """Hit counts of a web search API in place of the packaged corpus. Terms of the document leave the machine."""

    url: str
    count: str
    documents: int = Field(gt=0)
    key: str | None = Field(None, pattern=r"^env:.+$")
    rate: float = Field(1.0, gt=0)
    cache: Path = Path("web-counts.db")
    allow_queries: bool = False


class SemanticEntry(_Model):
    """No term or group says more about a hidden entity than its generalisation does."""

    hide: Annotated[Mapping[str, str | None], BeforeValidator(_as_hidden)] = Field(min_length=1)
    max_group: int = Field(2, ge=1, le=3)
    context: str = Field("document", pattern=r"^(document|paragraph|sentence|window\([1-9]\d*\))$")
    probability: Literal["standard", "contextual", "joint", "scoped"] | None = None
    unknown: Literal["keep", "generalise", "remove"] = "keep"
    common: float = Field(0.1, gt=0, le=1)
    support: int = Field(3, ge=1)
    corpora: tuple[Path, ...] = ()
    web: WebCounts | None = None
    taxonomies: tuple[Path, ...] = ()


class IdentifiersEntry(_Model):
    """What trained classifiers find goes; `efface attack release` holds the release to `limit`."""

    model: Path
    limit: float = Field(0.01, ge=0, le=1)
    budget: int | None = Field(None, ge=1)


class GuaranteeEntry(_Model):
    """One guarantee: exactly one of the keys."""

    k_safety: KSafetyEntry | None = Field(None, alias="k-safety")
    k_confusability: ConfusabilityEntry | None = Field(None, alias="k-confusability")
    semantic: SemanticEntry | None = None
    identifiers: IdentifiersEntry | None = None

    @model_validator(mode="after")
    def _exactly_one(self) -> GuaranteeEntry:
        return _one_of(self, "a guarantee has exactly one name, such as `k-safety: {…}`")


class Knowledge(_Model):
    """What an attacker knows: entities and the terms that belong to them."""

    entities: str
    database: str | None = None
    index: Path | None = None
    key: str | tuple[str, ...] = "id"
    identifying: tuple[str, ...] = ()
    sensitive: tuple[str, ...] = ()
    filters: tuple[str, ...] = ()
    types: Mapping[str, str] = {}
    patterns: Mapping[str, str] = {}
    fuzzy: int = Field(0, ge=0, le=2)
    fuzzy_lengths: tuple[Annotated[int, Field(ge=4)], Annotated[int, Field(ge=8)]] = (4, 8)
    follow: bool | Mapping[str, str | tuple[str, ...]] = False
    access: Annotated[AccessEntry | None, BeforeValidator(_as_access)] = None

    @property
    def keys(self) -> tuple[str, ...]:
        return (self.key,) if isinstance(self.key, str) else self.key

    @property
    def followed(self) -> dict[str, tuple[str, ...]]:
        """The tables whose changes are followed, each with the columns that hold the entity's key."""
        if isinstance(self.follow, bool):
            return {self.entities: self.keys} if self.follow else {}
        return {table: (key,) if isinstance(key, str) else key for table, key in self.follow.items()}


class ReviewEntry(_Model):
    """What the review page asks of people."""

    four_eyes: bool = False  # two reviewers approve what leaves


@dataclass(frozen=True, slots=True)
class _Source:
    """The text that a policy was read from. Policies are equal whatever they were read from."""

    name: str = field(default="", compare=False)
    node: yaml.Node | None = field(default=None, compare=False)


class Policy(_Model):
    """A whole policy. Every key has a default, so `efface: 1` alone is one."""

    efface: Literal[1] = 1
    key: str | None = Field(None, pattern=r"^(env|file):.+$")
    subject: str = ""
    find: Find = Find()
    knowledge: Mapping[str, Knowledge] = {}
    guarantees: tuple[GuaranteeEntry, ...] = ()
    operators: Mapping[str, str | Mapping[str, Any]] = {"default": "replace"}
    rounds: int = Field(8, ge=1, le=100)
    review: ReviewEntry = ReviewEntry()
    _source: _Source = PrivateAttr(default_factory=_Source)

    def where(self, *location: int | str) -> str:
        """ "policy.yaml, line 7: ", to begin a sentence about what stands there; "" for a policy not from a text."""
        name = self._source.name
        return f"{name}, line {line_of(self._source.node, location)}: " if name else ""

    def check(self) -> None:
        """What the keys say of one another."""
        for number, entry in enumerate(self.guarantees):
            safety = entry.k_safety
            where = ("guarantees", number, "k-safety")
            if safety and safety.over not in self.knowledge:
                near = nearest(safety.over, self.knowledge)
                raise PolicyError(f"{self.where(*where, 'over')}`over` names no entry of `knowledge`{near}")
            if safety and safety.protect == "denied" and self.knowledge[safety.over].access is None:
                raise PolicyError(
                    f"{self.where(*where, 'protect')}`protect: denied` needs `access` in `knowledge.{safety.over}`."
                )

    def secret_key(self, folder: Path) -> bytes | None:
        """The policy's key, from the environment or a file; never from the policy's own text."""
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


PRESETS = ("names", "hipaa-like", "gdpr-special")


def example() -> str:
    """A policy to start from, as text."""
    return _packaged("example")


def preset(name: str) -> str:
    """A ready policy of the package, as text."""
    if name not in PRESETS:
        raise PolicyError("There is no such preset.", f"Choose one of {', '.join(PRESETS)}.")
    return _packaged(name)


def _packaged(name: str) -> str:
    return (files("efface") / "presets" / f"{name}.yaml").read_text("utf-8")


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
        raise PolicyError(f"{name}, line 1: a policy is a mapping such as `efface: 1`.")
    try:
        policy = Policy.model_validate(value)
    except ValidationError as error:
        raise PolicyError(
            "\n".join(explain(error, node, name, _known_keys())), "`efface policy example` shows every key."
        ) from None
    policy._source = _Source(name, node)
    policy.check()
    return policy


def _known_keys() -> set[str]:
    keys: set[str] = set()
    for model in MODELS:
        keys.update(field.alias or name for name, field in model.model_fields.items())
    return keys


MODELS: tuple[type[_Model], ...] = (
    Policy,
    Find,
    NamesEntry,
    DenyEntry,
    Knowledge,
    AccessEntry,
    Labels,
    UsersTable,
    GrantsView,
    Roles,
    GuaranteeEntry,
    KSafetyEntry,
    ConfusabilityEntry,
    TruthInDocument,
    LearnedClass,
    SemanticEntry,
    WebCounts,
    IdentifiersEntry,
    ReviewEntry,
)
