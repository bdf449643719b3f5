"""What a policy is made of: each key that has keys of its own, validated. Guarantees are in `guarantee_entries`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

_Alternative = TypeVar("_Alternative", bound=BaseModel)


class PolicyEntry(BaseModel):
    """Frozen, and without a key that nobody knows."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


class DenyEntry(PolicyEntry):
    """A denied term: its text, and whether upper and lower case must agree."""

    term: str = Field(min_length=1)
    case: bool = False
    type: str = Field("DENIED", pattern=r"^[A-Z][A-Z0-9_]*$")


def _as_entry(value: object) -> object:
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        return {"term": str(value)}
    return value


Listed = Annotated[DenyEntry, BeforeValidator(_as_entry)]


class NamesEntry(PolicyEntry):
    """Who finds names: the built-in model (or one in a folder), or a model that the user already has."""

    model: Path | None = None
    preset: Literal["recall", "precision"] = "recall"
    risk: Literal["all", "subject", "both"] = "all"
    types: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    spacy: str | None = None
    presidio: str | None = None
    gliner: str | None = None
    threshold: float = Field(0.4, ge=0, le=1)

    @model_validator(mode="after")
    def _at_most_one(self) -> NamesEntry:
        if sum(value is not None for value in (self.model, self.spacy, self.presidio, self.gliner)) > 1:
            raise ValueError("`names` is found by one of `model`, `spacy`, `presidio` and `gliner`")
        return self


class CustomEntry(PolicyEntry):
    """Something that is not part of efface: `module:name`, or the name of an installed entry point."""

    use: str = Field(min_length=1)
    options: Mapping[str, Any] = {}


def _as_custom(value: object) -> object:
    """One or many, each by its name alone or with options."""
    entries = value if isinstance(value, list | tuple) else (value,)
    return tuple({"use": entry} if isinstance(entry, str) else entry for entry in entries)


Custom = Annotated[tuple[CustomEntry, ...], BeforeValidator(_as_custom)]


class Find(PolicyEntry):
    """What is looked for."""

    patterns: Literal["default", "recall", "none"] | tuple[str, ...] = "default"
    threshold: float = Field(0.4, ge=0, le=1)
    names: Literal["default", "none"] | NamesEntry = "default"
    deny: tuple[Listed, ...] = ()
    deny_file: Path | None = None
    keep: tuple[Listed, ...] = ()
    custom: Custom = ()


class UsersTable(PolicyEntry):
    """The table that holds the labels of viewers, or of columns."""

    table: str
    name: str = "name"
    label: str = "label"


class LabelsEntry(PolicyEntry):
    """Label-based access control: the components, and where the labels of rows, columns and users are."""

    levels: tuple[str, ...] = ()
    compartments: tuple[str, ...] = ()
    groups: Mapping[str, Any] = {}
    rows: str = ""
    columns: UsersTable | Mapping[str, str] = Field({}, union_mode="left_to_right")
    users: UsersTable | Mapping[str, str] = Field({}, union_mode="left_to_right")


class GrantsView(PolicyEntry):
    """Access by a view with a viewer and the entity's key in each row."""

    view: str
    viewer: str = "viewer"
    columns_view: str = ""


class Roles(PolicyEntry):
    """Access by PostgreSQL's own rights: settings that its policies read, and a URL to log in as the viewer."""

    session: Mapping[str, str] = {}
    login: str = Field("", pattern=r"^$|\{viewer\}")


class AccessEntry(PolicyEntry):
    """Who decides what a viewer may see: exactly one of the keys."""

    labels: LabelsEntry | None = None
    grants: GrantsView | None = None
    postgres: Roles | None = None

    @model_validator(mode="after")
    def _exactly_one(self) -> AccessEntry:
        return one_of(self, "`access` is one of `labels`, `grants` and `postgres`")


def _as_access(value: object) -> object:
    if value == "postgres":
        return {"postgres": {}}
    if isinstance(value, dict) and "view" in value:
        return {"grants": value}
    return value


def one_of(model: _Alternative, message: str) -> _Alternative:
    if sum(getattr(model, name) is not None for name in type(model).model_fields) != 1:
        raise ValueError(message)
    return model


class Knowledge(PolicyEntry):
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
        """The tables whose column with the entity's key is known."""
        if isinstance(self.follow, bool):
            return {self.entities: self.keys} if self.follow else {}
        return {table: (key,) if isinstance(key, str) else key for table, key in self.follow.items()}


class RestoreEntry(PolicyEntry):
    """What `restore` may put back into an answer about a redacted text."""

    never: tuple[str, ...] = ()  # types
    links: bool = False


ExemptionCode = Annotated[str, Field(min_length=1, max_length=64, pattern=r"^[^\[\]\n]+$")]


class ReviewEntry(PolicyEntry):
    """What the review page asks of people."""

    four_eyes: bool = False  # two reviewers approve what leaves
    codes: dict[ExemptionCode, str] = {}  # exemption codes, and what each means
    show_codes: bool = False  # a code stands in the place of what it took out


# What is looked for, and what is known.
ENTRIES: tuple[type[PolicyEntry], ...] = (
    Find,
    NamesEntry,
    DenyEntry,
    Knowledge,
    AccessEntry,
    LabelsEntry,
    UsersTable,
    GrantsView,
    Roles,
)
