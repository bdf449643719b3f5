"""Approvals: what exactly was approved, and whether that is what would leave now.

An approval names the bytes that would leave, the policy, the state of the policy's knowledge and the last change
that a reviewer made. When any of them differs later, the approval counts no more. Reviewers can approve only a state
that they have been shown, so every state that was shown to a reviewer is kept.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from itertools import combinations

import sqlalchemy as sa
from sqlalchemy import Connection

from efface.pipeline.bound import BoundPolicy
from efface.service.auth.identity import ROLES
from efface.service.auth.tokens import Accounts, Person
from efface.service.problems import Problem
from efface.service.repository.view_cache import knowledge_facts
from efface.service.review.decisions import Approval, Approved, EffectiveDecisions
from efface.service.review.review_tables import shown
from efface.service.store import Store

Hands = frozenset[str]  # of one act: everybody who may have done it
_NOTHING = "nothing"  # stands for the digest where no bytes would leave
NEEDED = 2  # people, under a policy that asks for four eyes


@dataclass(frozen=True, slots=True)
class ReleaseState:
    """All that decides what leaves. `decisions` is the number of the last change in the log."""

    release: str
    policy: str
    knowledge: str
    decisions: int

    @property
    def digest(self) -> str:
        return _digest(asdict(self))

    def approval(self, role: str) -> Approval:
        named = {"release": self.release, "policy": self.policy, "knowledge": self.knowledge}
        return Approval(state=self.digest, role=role, **named)


def release_digest(released: bytes | None) -> str:
    """Names the bytes that would leave."""
    return _NOTHING if released is None else hashlib.sha256(released).hexdigest()


def knowledge_digest(bound: BoundPolicy) -> str:
    """Names the state of the knowledge that a policy is bound to."""
    return _digest(knowledge_facts(bound))


def _digest(value: object) -> str:
    text = json.dumps(value, sort_keys=True, default=_as_json)
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()


def _as_json(value: object) -> object:
    return sorted(map(str, value)) if isinstance(value, frozenset) else str(value)


def standing(decided: EffectiveDecisions, state: ReleaseState) -> tuple[Approved, ...]:
    """The approvals of exactly this state, in their order."""
    return tuple(each for each in decided.approvals if each.approval.state == state.digest)


@dataclass(frozen=True, slots=True)
class CountedApprovals:
    """The approvals that count, in their order, and the names of those whose approval counts no more: they are no
    reviewers of the document's team now."""

    counting: tuple[Approved, ...] = ()
    lapsed: tuple[str, ...] = ()

    @property
    def actors(self) -> tuple[str, ...]:
        return tuple(each.actor for each in self.counting)

    @property
    def hands(self) -> tuple[Hands, ...]:
        """Returns, for each approval that counts, everybody who may have given it."""
        return tuple(each.hands for each in self.counting)

    @property
    def roles(self) -> list[str]:
        """The roles that they had when they approved, a person once."""
        roles = {each.actor: each.approval.role for each in self.counting}
        return sorted(roles.values())


@dataclass(frozen=True)
class ReviewersNow:
    """Who is a reviewer of a team now, asked once for each person."""

    people: Accounts
    _known: dict[str, Person | None] = field(default_factory=dict, repr=False)

    def counted(self, approvals: Sequence[Approved], team: str) -> CountedApprovals:
        counting = tuple(
            each for each in approvals if self.still_may(each.actor, team, each.at, company=each.company)
        )
        present = {each.actor for each in counting}
        lapsed = {each.actor for each in approvals if each.actor not in present}
        return CountedApprovals(counting, tuple(sorted(lapsed)))

    def still_may(self, actor: str, team: str, since: float, *, company: bool) -> bool:
        """Whether somebody who was a reviewer at a time is one still. An account that was removed and made again may
        be another person's. Of company accounts the service knows only those that were removed here."""
        if company:
            removed = self.people.removed(actor)
            return removed is None or removed < since
        if actor not in self._known:
            self._known[actor] = self.people.get(actor)
        person = self._known[actor]
        if person is None or person.created > since:
            return False
        return "review" in ROLES.get(person.roles.get(team, ""), frozenset())


def has_four_eyes(approvers: Sequence[Hands], author: Hands) -> bool:
    """Whether a second person approved after the first. The author of the last change is never that second person: they
    may approve their own work first, and another person must follow. Whoever made another's token could be both."""
    in_order = combinations(approvers, 2)  # the earlier one comes first
    return any(second.isdisjoint(author) and second.isdisjoint(first) for first, second in in_order)


def missing_eyes(approvals: CountedApprovals, author: str, author_hands: Hands) -> str:
    """What four eyes still miss, in words; "" if nothing."""
    if has_four_eyes(approvals.hands, author_hands):
        return ""
    missing = _missing(approvals.hands, author)
    if not approvals.lapsed:
        return missing
    names = ", ".join(approvals.lapsed)
    return f"The approval of {names} counts no more: no reviewer of this team now. {missing}"


def _missing(approvers: Sequence[Hands], author: str) -> str:
    if len(set(approvers)) < NEEDED:
        return "The policy asks for four eyes: two reviewers must approve this very state."
    if all(one & other for one in approvers for other in approvers):
        return "One person made the tokens of those who approved: somebody must use one that is only theirs."
    return f"The last change is by {author}: another reviewer must approve after them."


@dataclass(frozen=True)
class Shown:
    """Which states each reviewer has been shown. `actor` is their name as the trail tells it: what was shown to somebody
    with a token that they made for a reviewer was not shown to that reviewer."""

    store: Store

    def note(self, review: str, actor: str, state: ReleaseState) -> None:
        """Note it, unless another request of theirs does so at this moment."""
        with suppress(sa.exc.IntegrityError), self.store.write() as connection:
            if not _was_shown(connection, review, actor, state):
                row = {"review": review, "actor": actor, "state": state.digest, "at": time.time()}
                connection.execute(shown.insert().values(row))

    def require(self, review: str, actor: str, state: ReleaseState) -> None:
        with self.store.read() as connection:
            if not _was_shown(connection, review, actor, state):
                raise Problem("conflict", "Open the document as it would leave now before you approve it.")


def _was_shown(connection: Connection, review: str, actor: str, state: ReleaseState) -> bool:
    same = (shown.c.review == review, shown.c.actor == actor, shown.c.state == state.digest)
    return connection.execute(sa.select(shown.c.at).where(*same)).first() is not None
