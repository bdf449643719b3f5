"""Documents under review: in the store, and in this process while a reviewer works on them."""

from __future__ import annotations

import contextlib
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import sqlalchemy as sa

from efface.core import Report, Verdict
from efface.errors import EffaceError
from efface.formats import detect
from efface.service.auth.identity import Identity, team_of
from efface.service.jobs.document_examination import Examiner
from efface.service.problems import Problem, problem_of
from efface.service.repository.blobs import Blobs, digest_of
from efface.service.repository.policies import Policies
from efface.service.review.approvals import ReleaseState, Shown, release_state, standing
from efface.service.review.decisions import (
    Decided,
    Decision,
    Log,
    LogEntry,
    Record,
    Recorded,
    decided,
    digest_of_text,
    no_record,
)
from efface.service.review.review_tables import decisions, reviews, shown
from efface.service.review.run_with_decisions import Prepared, ReviewResult, run
from efface.service.store import Store

STATES = ("waiting", "working", "failed", "refused", "broken", "unproven", "held", "exported")
_ATTEMPTS = 3  # first looks at one document
_SPARE = 60.0  # seconds beyond a worker's limit after which a look is another process's to take
_IN_HAND = 8  # documents remembered at a time
_FRESH = 300.0  # seconds for which a bound policy is reused during a review; an export binds anew


@dataclass
class _OpenReview:
    """A document in hand. One at a time reads it, and one at a time works on it; who wants to look at it waits
    for the reading only."""

    prepared: Prepared | None = None
    at: float = 0.0
    policy: str = ""  # its digest
    shows_codes: bool = False
    result: ReviewResult | None = None
    changed: int = 0  # the last change that the result includes
    reading: threading.Lock = field(default_factory=threading.Lock)
    working: threading.Lock = field(default_factory=threading.Lock)


@dataclass(frozen=True)
class ReviewStanding:
    """A review as it is: the document, what was decided, what would leave, and the state that an approval names."""

    prepared: Prepared
    decided: Decided
    result: ReviewResult
    state: ReleaseState

    @property
    def approvers(self) -> tuple[str, ...]:
        """Who approved what would leave now, in order."""
        return standing(self.decided, self.state)


@dataclass(frozen=True)
class ReviewStore:
    """Reviews, their decisions and results."""

    store: Store
    blobs: Blobs
    policies: Policies
    examiner: Examiner
    _hands: OrderedDict[str, _OpenReview] = field(default_factory=OrderedDict, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    @property
    def log(self) -> Log:
        return Log(self.store)

    @property
    def shown(self) -> Shown:
        return Shown(self.store)

    def add(
        self, who: Identity, policy: str, name: str, data: bytes, matter: str = "", team: str = ""
    ) -> str:
        """The review's id. The file is kept once this returns. It is in the queue of the policy's team; under the default
        policy, which is everybody's, in that of `team`."""
        eyes = self.policies.for_somebody(who, policy, "review").sanitizer.policy.review.four_eyes
        id = secrets.token_hex(12)
        file = self.blobs.put(data)
        row = {
            "id": id,
            "name": name,
            "file": file,
            "policy": policy,
            "owner": who.name,
            "viewer": who.viewer,
            "four_eyes": int(eyes),
            "matter": matter,
            "team": team_of(policy) if policy else _team(who, team),
        }
        with self.store.write() as connection:
            connection.execute(reviews.insert().values(**row, created=time.time(), state="waiting"))
        return id

    def get(self, id: str) -> Any:
        with self.store.read() as connection:
            row = connection.execute(sa.select(reviews).where(reviews.c.id == id)).first()
        if row is None:
            raise Problem("not-found")
        return row

    def listed(self, state: str | None, limit: int, teams: Sequence[str]) -> list[Any]:
        """The queue of these teams. What needs attention comes first: failed and refused, then the rest, the riskiest first."""
        order = sa.case(
            {name: number for number, name in enumerate(_URGENT)}, value=reviews.c.state, else_=99
        )
        chosen = sa.select(reviews).order_by(order, reviews.c.risk.desc(), reviews.c.created).limit(limit)
        chosen = chosen.where(reviews.c.team.in_(teams))
        if state is not None:
            chosen = chosen.where(reviews.c.state == state)
        with self.store.read() as connection:
            return list(connection.execute(chosen).all())

    def remove(self, id: str) -> None:
        row = self.get(id)
        with self.store.write() as connection:
            connection.execute(reviews.delete().where(reviews.c.id == id))
            connection.execute(decisions.delete().where(decisions.c.review == id))
            connection.execute(shown.delete().where(shown.c.review == id))
        self.blobs.delete(row.file)
        with self._lock:
            self._hands.pop(id, None)

    def prepared(self, id: str) -> Prepared:
        return self._prepared(id, self._hand(id), fresh=False)

    def original(self, id: str) -> tuple[str, bytes]:
        """The file's format and its bytes, before it is read."""
        row = self.get(id)
        data = self.blobs.get(row.file)
        return detect(row.name, data), data

    def decide(
        self,
        id: str,
        who: Identity,
        seen: int,
        made: Sequence[Decision],
        record: Record = no_record,
        text_digest: str = "",
    ) -> list[LogEntry]:
        """Keep decisions. With `text_digest` their author names the text that they saw."""
        self._require_known(id, made)
        digest = self._text_digest(id) if any(each.has_place for each in made) else ""
        if digest and text_digest and digest != text_digest:
            raise Problem("conflict", "The document was read anew: open it again before you decide.")
        return self.log.append(id, who.name, seen, [_recorded(each, digest) for each in made], record)

    def _text_digest(self, id: str) -> str:
        """The digest of the text that places are places of."""
        return digest_of_text((self._hand(id).prepared or self.prepared(id)).document.text)

    def _require_known(self, id: str, made: Sequence[Decision]) -> None:
        """Refuse codes that the policy does not have, and pages of what is no PDF."""
        row = self.get(id)
        codes = {each.code for each in made if each.code}
        if codes and not codes <= set(self.policies.of(row.policy).sanitizer.policy.review.codes):
            raise Problem("invalid", "The policy has no such exemption code: see `review.codes`.")
        if any(each.kind in ("area", "page") for each in made) and self.original(id)[0] != "pdf":
            raise Problem("invalid", "Only a PDF has areas and pages to take out: redact the text instead.")

    def approve(self, id: str, who: Identity, seen: int, record: Record = no_record) -> list[LogEntry]:
        """Approve what would leave now, if this is what they were shown."""
        role = who.role_in(self.get(id).team)
        state = self.result(id).state
        self.shown.require(id, who.name, state)
        approved = Recorded(kind="approve", approval=state.approval(role))
        return self.log.append(id, who.name, seen, [approved], record)

    def result(self, id: str, *, fresh: bool = False) -> ReviewStanding:
        """The document, its decisions, and what would leave; with `fresh` the policy and its data are read anew."""
        hand = self._hand(id)
        with hand.working:
            try:
                prepared = self._prepared(id, hand, fresh=fresh)
                made = decided(self.log.entries(id))
                result = hand.result
                if result is None or hand.changed != made.changed:
                    self._set(id, state="working")
                    result = hand.result = run(prepared, made, hand.shows_codes)
                    hand.changed = made.changed
                    self._note(id, result)
                result = replace(result, version=made.version)
            except Exception as error:
                found = problem_of(error)
                self._set(id, state="failed", problem=found.detail or found.document()["title"])
                raise found from None
            return ReviewStanding(
                prepared, made, result, release_state(hand.policy, prepared.bound, made, result)
            )

    def look(self, id: str) -> None:
        """The first look, in the background. Errors are noted with the review."""
        attempts = self._claimed(id)
        if attempts is None:
            return
        if attempts > _ATTEMPTS:
            self._set(id, state="failed", problem="The look was begun several times and never ended.")
            return
        with contextlib.suppress(Problem):
            self.result(id)

    def _claimed(self, id: str) -> int | None:
        """Take the first look for this process; None if another has it. How often it was begun: a document that ends
        its process is not looked at for ever."""
        now = time.time()
        with self.store.write() as connection:
            free = (reviews.c.id == id, reviews.c.lease < now)
            taken = {
                "attempts": reviews.c.attempts + 1,
                "lease": now + self.examiner.settings.work_seconds + _SPARE,
            }
            if not connection.execute(reviews.update().where(*free).values(taken)).rowcount:
                return None
            return connection.execute(sa.select(reviews.c.attempts).where(reviews.c.id == id)).scalar()

    def unseen(self) -> list[str]:
        """The reviews that no process works on: the one that should have may have ended before."""
        waiting = (reviews.c.state.in_(("waiting", "working")), reviews.c.lease < time.time())
        chosen = sa.select(reviews.c.id).where(*waiting)
        with self.store.read() as connection:
            return list(connection.execute(chosen.order_by(reviews.c.created)).scalars())

    def exported(self, id: str) -> None:
        self._set(id, state="exported")

    def _hand(self, id: str) -> _OpenReview:
        with self._lock:
            hand = self._hands.setdefault(id, _OpenReview())
            self._hands.move_to_end(id)
            while len(self._hands) > _IN_HAND:
                self._hands.popitem(last=False)
            return hand

    def _prepared(self, id: str, hand: _OpenReview, *, fresh: bool) -> Prepared:
        row = self.get(id)
        policy = self.policies.of(row.policy)
        with hand.reading:
            old = time.monotonic() - hand.at > _FRESH or hand.policy != policy.digest
            if hand.prepared is None or fresh or old:
                data = self.blobs.get(row.file)
                self.examiner.look(digest_of(row.file), row.name, data, policy, row.viewer)
                hand.prepared = Prepared.of(data, row.name, policy.sanitizer.bind(row.viewer))
                hand.at, hand.policy, hand.result = time.monotonic(), policy.digest, None
                hand.shows_codes = policy.sanitizer.policy.review.show_codes
            return hand.prepared

    def four_eyes(self, row: Any) -> bool:
        """Whether two people must approve: the policy says so, or said so when the document was put here."""
        try:
            return bool(row.four_eyes) or self.policies.of(row.policy).sanitizer.policy.review.four_eyes
        except (Problem, EffaceError):
            return True

    def _note(self, id: str, result: ReviewResult) -> None:
        report = result.report
        left = sum(len(outcome.after) for outcome in report.outcomes) if report else 0
        state = "refused" if report is None else result.verdict.value
        self._set(
            id,
            state=state,
            version=result.version,
            findings=left,
            problem=result.problem,
            risk=risk_of(report) if report else 0.0,
        )

    def _set(self, id: str, **values: Any) -> None:
        with self.store.write() as connection:
            connection.execute(reviews.update().where(reviews.c.id == id).values(values))


def _team(who: Identity, team: str) -> str:
    """The named team, or the person's only one. With several it is not guessed: the document would be shown to it."""
    theirs = who.teams_with("review")
    if team and team not in theirs:
        raise Problem("not-found", "There is no such team.")
    if not team and len(theirs) > 1:
        raise Problem("invalid", "Name the team whose queue this is for.")
    return team or theirs[0]


def _recorded(made: Decision, text_digest: str) -> Recorded:
    known = {"text_digest": text_digest} if made.has_place else {}
    return Recorded.model_validate({**made.model_dump(exclude_defaults=True), **known})


def risk_of(report: Report) -> float:
    """How many mistakes a reviewer may expect: each thing that was found is one with what its score leaves open, and
    each part that was not looked at is one."""
    doubt = sum(1 - min(edit.score, 1.0) for edit in report.edits)
    return round(doubt + len(report.coverage.unseen) + len(report.leaks), 3)


_URGENT = ("failed", "refused", "broken", "unproven", "working", "waiting", "held", "exported")
assert set(_URGENT) == set(STATES) and {v.value for v in Verdict} <= set(STATES)
