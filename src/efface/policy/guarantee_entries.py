"""The guarantees that a policy may name, with their keys, validated."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, model_validator

from efface.policy.entries import CustomEntry, PolicyEntry, one_of


def _as_crowd(value: object) -> object:
    if value == "all" or (isinstance(value, int) and not isinstance(value, bool) and value >= 1):
        return value
    raise ValueError("k is the size of the crowd with the entity in it: `all`, or a number of at least 1")


def _as_ids(value: object) -> object:
    """Keys may be numbers."""
    return [str(id) if isinstance(id, int) else id for id in value] if isinstance(value, list) else value


class RememberedEntry(PolicyEntry):
    """How long the service remembers what it released."""

    days: int = Field(30, ge=1, le=3650)


class TogetherEntry(PolicyEntry):
    """What the service judges together: all that a viewer opened, or all that was released of a document."""

    viewer: RememberedEntry | None = None
    document: RememberedEntry | None = None

    @model_validator(mode="after")
    def _exactly_one(self) -> TogetherEntry:
        return one_of(self, "`together` is one of `viewer` and `document`")


def _as_together(value: object) -> object:
    return {value: {}} if isinstance(value, str) else value


class KSafetyEntry(PolicyEntry):
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
    attributes: Literal["apart", "pooled"] | None = None
    reader: Literal["text", "knows-method"] = "text"
    collusion: Literal["alone", "safe"] = "alone"
    together: Annotated[TogetherEntry | None, BeforeValidator(_as_together)] = None
    weights: Mapping[str, Annotated[float, Field(gt=0)]] = {}

    @model_validator(mode="after")
    def _one_reader(self) -> KSafetyEntry:
        if self.reader == "knows-method" and self.collusion == "safe":
            raise ValueError(
                "`reader: knows-method` and `collusion: safe` cannot both be kept: the first depends on the viewer"
            )
        if self.reader == "knows-method" and self.scope != "document":
            raise ValueError("`reader: knows-method` is judged on whole documents: leave `scope` out")
        return self

    @model_validator(mode="after")
    def _with_a_meaning_together(self) -> KSafetyEntry:
        if self.together is None:
            return self
        if self.scope != "document":
            raise ValueError("`together` judges whole documents: leave `scope` out")
        if self.k == "all":
            raise ValueError("with `k: all` nothing of a protected entity is left: leave `together` out")
        if self.reader == "knows-method":
            raise ValueError(
                "`reader: knows-method` and `together` cannot both be kept: who reruns efface does not know "
                "what was released before"
            )
        return self


GUESS = "guess"  # the value of `truth` for which the model's best guess will do


class TruthInDocument(PolicyEntry):
    """The class stands in a part of the document, such as `header X-Client`, or in a column of its row."""

    part: str | None = Field(None, min_length=1)
    column: str | None = Field(None, min_length=1)

    @model_validator(mode="after")
    def _one_place(self) -> TruthInDocument:
        if (self.part is None) == (self.column is None):
            raise ValueError("`truth` names a `part` or a `column`, and one of them only")
        return self


class LearnedClass(PolicyEntry):
    """A class that the model does not know yet, or knows too little of."""

    documents: tuple[Path, ...] = Field(min_length=1)
    aliases: tuple[str, ...] = ()


def _as_tuple(value: object) -> object:
    return (value,) if isinstance(value, str) else value


def _as_readers(value: object) -> object:
    """`all` is every reader of the model."""
    return () if value == "all" else _as_tuple(value)


_FOR_CLASSES = ("hide", "keep", "keep_margin", "learn", "objective", "per_occurrence")


class ConfusabilityEntry(PolicyEntry):
    """The true class (or person) ranks k-th or worse for every reader trained on the classes."""

    model: Path | None = None
    people: Path | None = None
    k: int = Field(3, ge=2)
    hide: str | None = None
    truth: str | TruthInDocument | None = None
    readers: Annotated[tuple[str, ...], BeforeValidator(_as_readers)] = ()
    keep: Annotated[tuple[str, ...], BeforeValidator(_as_tuple)] = ()
    keep_margin: float | None = Field(None, ge=0, alias="keep-margin")
    rare: int | None = Field(None, ge=0)
    aliases: Mapping[str, Annotated[tuple[str, ...], BeforeValidator(_as_tuple)]] = {}
    learn: Mapping[str, LearnedClass] = {}
    method: Literal["simple", "lp", "exact"] = "lp"
    objective: Literal["OVALogOdds", "OddsRatio", "FreqLogP", "InfoGain", "count"] | None = None
    per_occurrence: bool = Field(False, alias="per-occurrence")
    time_limit: float = Field(10.0, gt=0)

    @model_validator(mode="after")
    def _one_source(self) -> ConfusabilityEntry:
        if (self.model is None) == (self.people is None):
            raise ValueError(
                "`k-confusability` needs `model` (classes) or `people` (an index), and one of them only"
            )
        fields = type(self).model_fields
        unused = [name for name in _FOR_CLASSES if getattr(self, name) != fields[name].default]
        if self.people is not None and unused:
            key = fields[unused[0]].alias or unused[0]
            raise ValueError(f"`{key}` is for classes and has no meaning with `people`")
        return self


def _as_hidden(value: object) -> object:
    """A list hides without generalisations: plain C-sanitization."""
    if isinstance(value, list):
        return dict.fromkeys(value)
    return value


class WebCounts(PolicyEntry):
    """Hit counts of a web search API in place of the packaged corpus. Terms of the document leave the machine."""

    url: str
    count: str
    documents: int = Field(gt=0)
    key: str | None = Field(None, pattern=r"^env:.+$")
    rate: float = Field(1.0, gt=0)
    cache: Path = Path("web-counts.db")
    allow_queries: bool = False


class SemanticEntry(PolicyEntry):
    """No term or group says more about a hidden entity than its generalisation does."""

    hide: Annotated[Mapping[str, str | None], BeforeValidator(_as_hidden)] = Field(min_length=1)
    max_group: int = Field(2, ge=1, le=3)
    context: str = Field("document", pattern=r"^(document|paragraph|sentence|window\([1-9]\d*\))$")
    probability: Literal["standard", "contextual", "joint", "scoped"] | None = None
    unknown: Literal["keep", "generalise", "remove", "special"] = "special"
    common: float = Field(0.1, gt=0, le=1)
    support: int = Field(3, ge=1)
    reader: Literal["document", "terms"] = "document"
    k: int = Field(5, ge=2)
    rivals: Mapping[str, tuple[str, ...]] = {}
    corpora: tuple[Path, ...] = ()
    web: WebCounts | None = None
    taxonomies: tuple[Path, ...] = ()


class IdentifiersEntry(PolicyEntry):
    """Removes what trained classifiers find. `efface attack release` holds the release to `limit`."""

    model: Path
    limit: float = Field(0.01, ge=0, le=1)
    budget: int | None = Field(None, ge=1)


def _as_one_custom(value: object) -> object:
    return {"use": value} if isinstance(value, str) else value


class GuaranteeEntry(PolicyEntry):
    """One guarantee: exactly one of the keys."""

    k_safety: KSafetyEntry | None = Field(None, alias="k-safety")
    k_confusability: ConfusabilityEntry | None = Field(None, alias="k-confusability")
    semantic: SemanticEntry | None = None
    identifiers: IdentifiersEntry | None = None
    custom: Annotated[CustomEntry | None, BeforeValidator(_as_one_custom)] = None

    @model_validator(mode="after")
    def _exactly_one(self) -> GuaranteeEntry:
        return one_of(self, "a guarantee has exactly one name, such as `k-safety: {…}`")

    @property
    def names_no_file(self) -> bool:
        """Whether it depends on the policy and on the knowledge named there alone, not on models, corpora or code."""
        return self.k_safety is not None


GUARANTEE_ENTRIES: tuple[type[PolicyEntry], ...] = (
    GuaranteeEntry,
    KSafetyEntry,
    TogetherEntry,
    RememberedEntry,
    ConfusabilityEntry,
    TruthInDocument,
    LearnedClass,
    SemanticEntry,
    WebCounts,
    IdentifiersEntry,
)
