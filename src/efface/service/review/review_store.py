"""Documents under review: in the store, and in this process while a reviewer works on them."""

from __future__ import annotations

import json
import math
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import sqlalchemy as sa

from efface.core import Verdict
from efface.errors import EffaceError
from efface.formats import detect
from efface.service.audit import RecordOfNew, unrecorded
from efface.service.auth.identity import Identity, team_of
from efface.service.auth.tokens import Accounts
from efface.service.jobs.first_look_leases import FirstLooks
from efface.service.jobs.processes import ClientDisconnected, RequestContext
from efface.service.problems import Problem, problem_of
from efface.service.repository.blobs import Blobs, digest_of
from efface.service.repository.policies import Policies
from efface.service.review.approvals import ReleaseState, ReviewersNow, Shown, release_digest, standing
from efface.service.review.archives.begun_exports import BegunExports
from efface.service.review.decisions import (
    Decision,
    Log,
    LogEntry,
    Recorded,
    RecordEntries,
    decided,
    entries_as_json,
    no_record,
)
from efface.service.review.review_progress import ReviewProgress
from efface.service.review.review_standing import ReviewStanding
from efface.service.review.review_tables import decisions, reviews, shown
from efface.service.review.review_work import (
    OpenReview,
    OutcomeInputs,
    PdfPages,
    ReviewedFile,
    ReviewOutcome,
    ReviewWork,
)
from efface.service.review.team_access import review_team
from efface.service.store import Store

STATES = ("waiting", "working", "failed", "refused", "broken", "unproven", "held", "exported")
_ATTEMPTS = 3  # first looks at one document
_IN_HAND = 256 << 20  # bytes of documents and what came out of them that are remembered
_LEAST_IN_HAND = 8  # documents that are remembered whatever they weigh
_BYTES_A_HAND = 1 << 16  # for each of them, beside its content
_PASSING = frozenset({"busy", "too-many-requests"})  # what says nothing of the document


@dataclass(frozen=True)
class ReviewStore:
    """Reviews, their decisions and results."""

    store: Store
    blobs: Blobs
    policies: Policies
    work: ReviewWork
    exports: BegunExports = field(default_factory=BegunExports, repr=False)
    _open_reviews: OrderedDict[str, OpenReview] = field(default_factory=OrderedDict, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    @property
    def log(self) -> Log:
        return Log(self.store)

    def reviewers_now(self) -> ReviewersNow:
        return ReviewersNow(Accounts(self.store))

    @property
    def shown(self) -> Shown:
        return Shown(self.store)

    def add(
        self,
        who: Identity,
        policy: str,
        name: str,
        data: bytes,
        matter: str = "",
        team: str = "",
        record: RecordOfNew = unrecorded,
    ) -> str:
        """The review's id. The file is kept once this returns, and so is what `record` writes. It is in the queue of the policy's team; under the default
        policy, which is everybody's, in that of `team`."""
        eyes = self.policies.for_somebody(who, policy, "review").sanitizer.policy.review.four_eyes
        id = secrets.token_hex(12)
        file = self.blobs.put(data)
        row: dict[str, Any] = {
            "id": id,
            "name": name,
            "file": file,
            "policy": policy,
            "owner": who.name,
            "viewer": who.viewer,
            "four_eyes": int(eyes),
            "matter": matter,
            "team": team_of(policy) if policy else review_team(who, team),
        }
        with self.store.write() as connection:
            self.policies.stored.hold(connection)
            connection.execute(reviews.insert().values(**row, created=time.time(), state="waiting"))
            record(connection, id, row["team"])
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
        self.store.afterwards(partial(self.blobs.delete, row.file))
        with self._lock:
            self._open_reviews.pop(id, None)

    def document(self, id: str, asker: RequestContext) -> bytes:
        """The original as the page draws it, as JSON. It is read once, whoever asks first: a first look, or somebody who
        opens it meanwhile."""
        hand = self._hand(id)
        with hand.reading_turn(asker):
            file = self._file(id)
            if hand.shown:
                return hand.shown
            with hand.watching("document") as watch:
                done = self.work.run("document", asker, file, watch=watch)
            shown, *pdf = done.files
            if pdf:
                texts, readable = pdf
                hand.pages = PdfPages(tuple((start, text) for start, text in json.loads(texts)), readable)
            if hand.policy == file.policy.digest:
                hand.text_digest, hand.shown = done.values["text_digest"], shown
            return shown

    def slider(self, id: str, asker: RequestContext) -> bytes:
        """The places that are removed at each strength, as JSON."""
        return self.work.run("slider", asker, self._file(id)).files[0]

    def kinds(self, id: str, asker: RequestContext) -> dict[str, str]:
        """The folded terms that the policy marks in a document, with their types."""
        found: dict[str, str] = json.loads(self.work.run("kinds", asker, self._file(id)).files[0])
        return found

    def holds(self, id: str, term: str, asker: RequestContext) -> bool:
        """Whether the document has the folded term anywhere, as a reader would see it."""
        row = self.get(id)
        found = self.work.once("holds", asker, (self.blobs.get(row.file),), name=row.name, term=term)
        return bool(found.values["holds"])

    def words_of_page(self, id: str, number: int, asker: RequestContext) -> list[list[float]]:
        """The words of a PDF's page, and where they stand."""
        format, original = self.original(id)
        if format != "pdf":
            raise Problem("not-found")
        if self._hand(id).pages is None:
            self.document(id, asker)
        pages = self._hand(id).pages
        if pages is None:  # so many other documents are open that this one was forgotten at once
            raise Problem("busy", headers={"Retry-After": "1"})
        start, text = pages.at(number)
        given = {"number": number, "start": start, "text": text}
        file = pages.readable or original
        words: list[list[float]] = self.work.once("words_of_page", asker, (file,), **given).values["words"]
        return words

    def words_on_pages(self, id: str, drawn: bytes, asker: RequestContext) -> list[list[float]]:
        """The words of an office file on the pages that were drawn of it."""
        done = self.work.run("words_on_pages", asker, self._file(id), drawn)
        found: list[list[float]] = json.loads(done.files[0])
        return found

    def waiting_name(self, id: str, asker: RequestContext) -> str:
        """The name under which a document that stays may be spoken of."""
        log = entries_as_json(self.log.entries(id))
        return str(self.work.run("waiting", asker, self._file(id), log).values["name"])

    def record(self, now: ReviewStanding, what: str, asker: RequestContext) -> tuple[str, bytes]:
        """The name under which the file may leave; and its report, or the rows of its index of redactions. They are of
        the very bytes that would leave."""
        log = entries_as_json(now.entries)
        changed = now.decided.changed
        done = self.work.run("record", asker, now.file, log, changed=changed, what=what)
        released, found = done.files
        if release_digest(released) != now.state.release:
            raise Problem("busy", "The knowledge has just changed.", headers={"Retry-After": "1"})
        return str(done.values["name"]), found

    def progress(self, id: str) -> ReviewProgress | None:
        """How far the work on a document is in this process; None if none is done."""
        hand = self._open_reviews.get(id)
        return hand.progress if hand is not None else None

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
        asker: RequestContext,
        record: RecordEntries = no_record,
        text_digest: str = "",
    ) -> list[LogEntry]:
        """Keep decisions. With `text_digest` their author names the text that they saw."""
        self._require_known(id, made)
        digest = self._text_digest(id, asker) if any(each.has_place for each in made) else ""
        if digest and text_digest and digest != text_digest:
            raise Problem("conflict", "The document was read anew: open it again before you decide.")
        recorded = [Recorded.as_sent(each, digest, who.makers) for each in made]
        return self.log.append(id, who.name, seen, recorded, record)

    def _text_digest(self, id: str, asker: RequestContext) -> str:
        """The digest of the text that places are places of."""
        hand, file = self._hand(id), self._file(id)
        if not hand.text_digest:
            hand.text_digest = self.work.run("text_digest", asker, file).values["text_digest"]
        return hand.text_digest

    def _require_known(self, id: str, made: Sequence[Decision]) -> None:
        """Refuse codes that the policy does not have, and pages of what is no PDF."""
        row = self.get(id)
        codes = {each.code for each in made if each.code}
        if codes and not codes <= set(self.policies.of(row.policy).sanitizer.policy.review.codes):
            raise Problem("invalid", "The policy has no such exemption code: see `review.codes`.")
        if any(each.kind in ("area", "page") for each in made) and self.original(id)[0] != "pdf":
            raise Problem("invalid", "Only a PDF has areas and pages to take out: redact the text instead.")

    def approve(
        self, id: str, who: Identity, seen: int, asker: RequestContext, record: RecordEntries = no_record
    ) -> list[LogEntry]:
        """Approve what would leave now, if this is what they were shown."""
        began, team = self.store.clock(), self.get(id).team
        state = self.result(id, asker).state
        self.shown.require(id, who.on_record, state)
        of_whom: dict[str, Any] = {"makers": tuple(sorted(who.makers)), "company": who.is_company_account}
        approved = Recorded(kind="approve", approval=state.approval(who.role_in(team)), **of_whom)
        if not self.reviewers_now().still_may(who.name, team, began, company=who.is_company_account):
            raise Problem("forbidden", "You are no reviewer of this team any more.")
        return self.log.append(id, who.name, seen, [approved], record)

    def result(
        self, id: str, asker: RequestContext, *, fresh: bool = False, since: float = math.inf
    ) -> ReviewStanding:
        """The document, its decisions, and what would leave; with `fresh` the policy and its data are read anew, unless
        they were `since` a moment of the monotonic clock."""
        hand = self._hand(id)
        with hand.turn(asker):
            try:
                began, is_bound = time.monotonic(), hand.bound_at >= since
                file = self._file(id, fresh=(fresh := fresh and not is_bound))
                entries = self.log.entries(id)
                made = decided(entries)
                of = OutcomeInputs(file.key, file.policy.digest, made.changed)
                outcome = None if fresh else self._outcome_in_hand(hand, of, file, is_bound, asker)
                if outcome is None:
                    self.document(id, asker)  # the worker that has read it goes on with it
                    log = entries_as_json(entries)
                    with hand.watching("outcome") as watch:
                        done = self.work.run("outcome", asker, file, log, changed=made.changed, watch=watch)
                    outcome = hand.outcome = ReviewOutcome.of(done)
                    self._note(id, outcome, made.version)
                    hand.bound_at = began if fresh else hand.bound_at
                hand.of = of
            except ClientDisconnected:
                raise
            except Exception as error:
                found = problem_of(error)
                if found.kind not in _PASSING:
                    self._set(id, state="failed", problem=found.detail or found.document()["title"])
                raise found from None
            policy = file.policy.digest
            state = ReleaseState(outcome.release, policy, outcome.knowledge, made.changed)
            approvals = self.reviewers_now().counted(standing(made, state), self.get(id).team)
            return ReviewStanding(file, entries, made, outcome, state, approvals)

    def _outcome_in_hand(
        self, hand: OpenReview, of: OutcomeInputs, file: ReviewedFile, is_bound: bool, asker: RequestContext
    ) -> ReviewOutcome | None:
        """What came out before, if it depends on nothing that has changed since. The policy and its data are read anew
        after a while, unless an export has them anew (`is_bound`); where they are as they were, nothing is found again."""
        if hand.outcome is None or not of.differs_only_in_key(hand.of):
            return None
        if is_bound or hand.of == of:
            return hand.outcome
        known = self.work.run("knowledge", asker, file, changed=of.changed).values["knowledge"]
        return hand.outcome if known == hand.outcome.knowledge else None

    def look(self, id: str) -> None:
        """The first look, in the background. Errors are noted with the review."""
        looks = FirstLooks(self.store)
        attempts = looks.claim(id)
        if attempts is None:
            return
        if attempts > _ATTEMPTS:
            self._set(id, state="failed", problem="The look was begun several times and never ended.")
            return
        try:
            with looks.renewing(id):
                self.result(id, RequestContext(f"review {id}", background=True))
        except Problem as problem:
            if problem.kind in _PASSING:  # this process stops: the next one looks at once
                self._set(id, state="waiting", lease=0.0, attempts=attempts - 1)

    def unseen(self) -> list[str]:
        """The reviews that no process works on."""
        return FirstLooks(self.store).waiting()

    def exported(self, id: str, version: int) -> None:
        """Note that the file has left which was made after so many decisions."""
        self.require_unchanged(id, version)
        self._set(id, state="exported")

    def require_unchanged(self, id: str, version: int) -> None:
        """Refuse what was made before somebody decided more: a word that was redacted meanwhile would be in it."""
        with self.store.write() as connection:
            self.store.lock(connection, "decisions")
            if any(entry.decision.kind != "approve" for entry in self.log.entries(id, version)):
                raise Problem("conflict", "Something was decided while the file was made: look again.")

    def _hand(self, id: str) -> OpenReview:
        with self._lock:
            hand = self._open_reviews.setdefault(id, OpenReview())
            self._open_reviews.move_to_end(id)
            while len(self._open_reviews) > _LEAST_IN_HAND and self._weight() > _IN_HAND:
                self._open_reviews.popitem(last=False)
            return hand

    def _weight(self) -> int:
        return (
            sum(hand.weight for hand in self._open_reviews.values()) + len(self._open_reviews) * _BYTES_A_HAND
        )

    def _file(self, id: str, *, fresh: bool = False) -> ReviewedFile:
        row = self.get(id)
        policy = self.policies.of(row.policy)
        key = self._hand(id).key_of(policy.digest, fresh=fresh)
        return ReviewedFile(row.name, digest_of(row.file), self.blobs.get(row.file), row.viewer, policy, key)

    def four_eyes(self, row: Any) -> bool:
        """Whether two people must approve: the policy says so, or said so when the document was put here."""
        try:
            return bool(row.four_eyes) or self.policies.of(row.policy).sanitizer.policy.review.four_eyes
        except (Problem, EffaceError):
            return True

    def _note(self, id: str, outcome: ReviewOutcome, version: int) -> None:
        """Note what came out. A document that has left stays `exported` until somebody decides anew."""
        has_left = (reviews.c.state == "exported") & (reviews.c.version == version)
        found = outcome.verdict.value if outcome.has_report else "refused"
        self._set(
            id,
            state=sa.case((has_left, "exported"), else_=found),
            version=version,
            findings=outcome.findings,
            problem=outcome.problem,
            risk=outcome.risk,
        )

    def _set(self, id: str, **values: Any) -> None:
        with self.store.write() as connection:
            connection.execute(reviews.update().where(reviews.c.id == id).values(values))


_URGENT = ("failed", "refused", "broken", "unproven", "working", "waiting", "held", "exported")
assert set(_URGENT) == set(STATES) and {v.value for v in Verdict} <= set(STATES)
