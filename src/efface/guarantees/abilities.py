"""What a guarantee may be able to do besides assessing and planning.

Each ability is a protocol of its own. Service, batch, report and review page ask for the ability, never for a
class, so a guarantee of a plugin works there too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeGuard, runtime_checkable

from efface.core import Claim, Finding, Guarantee, Reading, SpanSet, Term
from efface.errors import EffaceError
from efface.text.spans import Place

if TYPE_CHECKING:
    from efface.knowledge.classes.model import ClassModel

Level = tuple[float, set[Place]]
"""A strength, and the places of the text that go at it."""

_LEVELS = 10  # strengths that a slider offers at least
_MOST_LEVELS = 24  # the review page keeps the levels of a place in a mask of 32 bits


def strengths(asked: int, most: int | None = None) -> list[int]:
    """The strengths that a slider offers: from 2 up, the policy's own among them."""
    top = max(_LEVELS, asked + 2)
    if most is not None:
        top = min(top, most)
    step = -(-(top - 1) // _MOST_LEVELS)
    offered = {*range(2, top + 1, step), asked}
    return sorted(strength for strength in offered if 2 <= strength <= top)


def wanted_places(reading: Reading, guarantee: Guarantee) -> set[Place]:
    """The places that the guarantee would take out by itself; none where it cannot be kept."""
    try:
        findings = guarantee.assess(reading)
        edits = guarantee.plan(reading, findings).edits if findings else ()
    except EffaceError:
        return set()
    return {(edit.start, edit.end) for edit in edits}


@runtime_checkable
class HasNotes(Protocol):
    """Has notes for the report about how it was bound to a document."""

    @property
    def notes(self) -> tuple[str, ...]: ...


@runtime_checkable
class KeepsForLook(Protocol):
    """Keeps something while it looks at one document. `at_look` makes the guarantee that keeps it."""

    def at_look(self) -> Guarantee: ...


@runtime_checkable
class DrawsSecrets(Protocol):
    """Draws something secret for each document, such as a rank. The same key draws the same for the same document."""

    def with_key(self, key: bytes) -> Guarantee: ...


@runtime_checkable
class MayBeUnproven(Protocol):
    """Was bound to something that is not certain, such as a guess. Not to be called `held` then."""

    @property
    def is_proven(self) -> bool: ...


@runtime_checkable
class KnowsTerms(Protocol):
    """Can list the terms that its knowledge does not cover."""

    def unknown_terms(self, reading: Reading) -> Sequence[Term]: ...


@runtime_checkable
class HasStrength(Guarantee, Protocol):
    """Has a strength that a slider moves, such as k. `strength` is None where there is nothing to move."""

    @property
    def strength(self) -> int | None: ...

    def with_strength(self, strength: int) -> Guarantee: ...

    def levels(self, reading: Reading) -> Iterator[Level]: ...


@runtime_checkable
class HasFingerprint(Protocol):
    """Can name the state of its knowledge in a string that changes whenever its answers may.

    Nothing that a guarantee without this ability decided may be served from a cache.
    """

    @property
    def fingerprint(self) -> str: ...


@runtime_checkable
class AsksRights(Protocol):
    """Asks the database who is denied to the viewer while it looks at a document."""

    @property
    def asks_rights(self) -> bool: ...

    def denied(self, ids: Sequence[str]) -> Collection[str]: ...

    def with_rights(self, denied: Denied) -> Guarantee: ...


class Denied(Protocol):
    """Says who of these entities is denied."""

    def __call__(self, ids: Sequence[str], /) -> Collection[str]: ...


@runtime_checkable
class JudgesTogether(Protocol):
    """Can judge what several documents, which a reader can link, disclose together."""

    @property
    def over(self) -> str:
        """The name of the knowledge that it judges by, which is also the name of the finder of its terms."""
        ...

    @property
    def claim_together(self) -> Claim | None:
        """The claim over linked documents. None: they need not be judged together."""
        ...

    def is_safe_together(self, terms: Collection[tuple[str, str]]) -> bool: ...


@dataclass(frozen=True, slots=True)
class Remembered:
    """What is judged together with a release, and for how many days it is remembered.

    Always what the viewer saw of the same document. `by_viewer`: of all documents. `by_everybody`: what anybody saw of
    the same document before the knowledge changed.
    """

    days: int
    by_viewer: bool = False
    by_everybody: bool = False


@dataclass(frozen=True, slots=True)
class EarlierCopies:
    """Terms that were released before: `least` stood in every copy, `most` in one copy or another."""

    least: frozenset[str] = field(repr=False)
    most: frozenset[str] = field(repr=False)

    @classmethod
    def of_one(cls, terms: frozenset[str]) -> EarlierCopies:
        """What one person saw: their copies are one."""
        return cls(terms, terms)


@runtime_checkable
class JudgesWithEarlier(Guarantee, Protocol):
    """Can judge a release together with earlier ones. The service remembers them for it; None: nothing need be."""

    @property
    def over(self) -> str:
        """The name of the knowledge that it judges by: what is remembered is kept under it."""
        ...

    @property
    def remembered(self) -> Remembered | None: ...

    def readable(self, reading: Reading, struck: SpanSet) -> frozenset[str]: ...

    def with_earlier(self, own: EarlierCopies | None, others: EarlierCopies | None) -> Guarantee: ...


@dataclass(frozen=True, slots=True)
class ReleaseTest:
    """How a release is tested: an attacker is trained on it as the model was, and may find `limit` of the words."""

    model: Path
    limit: float
    budget: int | None = None


@runtime_checkable
class HasReleaseTest(Guarantee, Protocol):
    """Guarantees something of a whole release, which a retrained attacker tests. None: it cannot be tested."""

    @property
    def release_test(self) -> ReleaseTest | None: ...


@runtime_checkable
class HidesClass(Guarantee, Protocol):
    """Hides which class of a trained model a document has. The guessing game is played against it."""

    @property
    def model(self) -> ClassModel: ...

    def as_template(self) -> Self: ...

    def bind(
        self, text: str, truth: str | None = None, keep: Iterable[str] = (), *, in_corpus: bool = False
    ) -> HasStrength: ...


@runtime_checkable
class JudgesFinds(Protocol):
    """Guarantees the absence of what finders find. A reviewer may overrule a find; `is_overrulable` says so."""

    @property
    def is_overrulable(self) -> bool: ...


def judges_finds(guarantee: Guarantee) -> TypeGuard[JudgesFinds]:
    """Whether the guarantee is a `JudgesFinds`. Every round asks, and `isinstance` on a protocol is slow."""
    return hasattr(guarantee, "is_overrulable")


@runtime_checkable
class ExplainsFindings(Protocol):
    """Can say what a finding of its own means, in one sentence that a layman understands."""

    def explain(self, finding: Finding) -> str: ...


@runtime_checkable
class WeighsFindings(Protocol):
    """Can say how serious a finding of its own is, from 0 to 1. For other guarantees the amount is compared with the
    limit."""

    def risk(self, finding: Finding) -> float: ...


@runtime_checkable
class LimitsDisclosure(Protocol):
    """Limits how much any term may disclose. From its findings alone it can compute what other limits would remove."""

    def levels_of(self, findings: Sequence[Finding]) -> Iterator[Level]: ...


@dataclass(frozen=True, slots=True)
class Ranking:
    """Which classes a reader of the text would guess, the likeliest first, and the place of the true one."""

    order: tuple[str, ...] = field(repr=False)
    truth: str = field(repr=False)
    rank: int
    k: int
    # The rank of the true class for every reader of the claim.
    readers: Mapping[str, int] = field(default_factory=dict)


@runtime_checkable
class Ranks(Protocol):
    """Can show what a reader of a text would guess."""

    def ranking(self, text: str) -> Ranking | None: ...


@runtime_checkable
class ShowsCategory(Protocol):
    """Keeps a category readable. Measures how surely a reader still sees it at each strength."""

    def shown(self, reading: Reading, strengths: Sequence[int]) -> Mapping[int, float]: ...


class Forwarding:
    """Base of what wraps a guarantee or a finder and has its abilities. The first argument of a subclass is what it wraps.

    Whether something has an ability is asked by `isinstance` with a protocol. Since Python 3.12 that looks at classes and
    never calls `__getattr__`, so a wrapper gets a class of its own with the attributes of what it wraps.
    """

    def __new__(cls, wrapped: object, *_: object) -> Self:
        own = {*dir(cls), *getattr(cls, "__dataclass_fields__", ())}
        abilities = frozenset(name for name in dir(wrapped) if not name.startswith("_")) - own
        wrapper: Any = cls
        made: Self = object.__new__(_with_abilities(wrapper, abilities))
        return made

    def forwarded(self, name: str) -> Any:
        """The ability of what is wrapped."""
        raise NotImplementedError


@lru_cache(maxsize=256)
def _with_abilities(wrapper: type[Any], abilities: frozenset[str]) -> type[Any]:
    return type(wrapper.__name__, (wrapper,), {name: _forward(name) for name in sorted(abilities)})


def _forward(name: str) -> property:
    return property(lambda wrapper: wrapper.forwarded(name))
