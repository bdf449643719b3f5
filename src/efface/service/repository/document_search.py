"""Searches: the index names candidates, the viewer's own views decide.

How much of the index is checked at a search does not depend on what is looked for. In a small collection all of it is
checked each time, so that every change counts at once. The rest of a large collection is checked between searches. A
word that became visible a moment ago may be found a little later. A word that the viewer may not see is never found.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from itertools import islice
from threading import Event, Lock

import sqlalchemy as sa

from efface.service.audit import Event as TrailEvent
from efface.service.auth.identity import Identity, team_of
from efface.service.jobs.processes import ClientDisconnected, RequestContext
from efface.service.problems import log_unexpected
from efface.service.repository.blobs import digest_of
from efface.service.repository.documents import Repository, Stored, ViewedDocument
from efface.service.repository.search_index import Entry, ViewerScope
from efface.service.repository.search_query import SearchHit, SearchQuery, rank
from efface.service.repository.view_cache import DocumentView, ViewerBinding
from efface.service.store import documents

_EXACT = 200  # documents under one policy that are all checked at each search
_NEW_SECONDS = 5.0  # seconds for documents that have no entry yet, before the rest is left for later
_SLICE = 20  # documents that are looked at together between searches
_NEW = 20  # and at a search, before it looks at the clock
_LONGEST_REST = 2.0  # seconds between two slices
_MOST = 2000  # candidates that are opened and ranked at one search
_SWEEP_SECONDS = 86400.0  # seconds between two deletions of entries that are no longer searched

FoundView = tuple[ViewedDocument, SearchHit]


@dataclass(frozen=True)
class SearchRequest:
    """Words, perhaps a folder, and which part of what is found."""

    query: SearchQuery
    folder: str | None = None
    limit: int = 50
    offset: int = 0


@dataclass(frozen=True)
class SearchPage:
    """A page of what was found, how much there is, and whether everything could be looked through."""

    total: int
    page: list[FoundView]
    complete: bool
    by_team: Counter[str]  # how much there is of each team


@dataclass(frozen=True)
class _SearchScope:
    """One policy as one viewer is bound to it."""

    scope: ViewerScope
    viewing: ViewerBinding
    viewer: str
    asker: RequestContext

    @property
    def mark(self) -> str:
        """The state of the policy and its knowledge; empty where it is unknown."""
        mark = self.viewing.mark
        return "" if mark is None else self.scope.digest(repr(mark))


@dataclass
class Searches:
    """The searches of one process."""

    repository: Repository
    _later: ThreadPoolExecutor = field(
        default_factory=lambda: ThreadPoolExecutor(1, thread_name_prefix="index")
    )
    _under_way: set[str] = field(default_factory=set)
    _lock: Lock = field(default_factory=Lock)
    _closing: Event = field(default_factory=Event)
    _swept: float = 0.0

    def search(self, who: Identity, asked: SearchRequest, asker: RequestContext) -> SearchPage:
        """Documents in which the viewer would see all these words, best first; all documents without words."""
        places = list(self._search_scopes(who, asked.folder, asker))
        complete = [self._refresh(place) for place in places]
        self._sweep_later()
        found = (
            self._listed(who, places, asked) if not asked.query.words else self._matched(who, places, asked)
        )
        self._record(who, places, asked, found)
        return replace(found, complete=found.complete and all(complete))

    def _record(
        self, who: Identity, places: Sequence[_SearchScope], asked: SearchRequest, found: SearchPage
    ) -> None:
        """A record for each team whose documents were searched: how much another team has is not its business."""
        teams = {team_of(place.scope.policy) for place in places} or set(who.teams_with("read")[:1])
        for team in sorted(teams):
            detail = {"viewer": who.viewer, "found": str(found.by_team[team])}
            event = TrailEvent.of(who.on_record, "search", asked.folder or "", team=team, **detail)
            self.repository.trail.append(event)

    def close(self) -> None:
        self._closing.set()
        self._later.shutdown(wait=True, cancel_futures=True)

    # --- what is found ------------------------------------------------------------------------------------

    def _matched(self, who: Identity, places: Sequence[_SearchScope], asked: SearchRequest) -> SearchPage:
        hits: list[FoundView] = []
        complete = True
        for place in places:
            if (
                place.viewing.remembers_viewer
            ):  # that a word is in a document discloses something before it is opened
                complete = False
                continue
            ids = self.repository.index.matching(place.scope, asked.query.words)
            complete = complete and len(ids) <= _MOST
            rows = self._newest(ids)
            for opened in self._opened(place, self._readable_rows(who, place, rows, asked.folder)):
                hits += self._shown_hits(place, asked, opened)
        hits += self._by_id(who, places, asked, {opened.stored.id for opened, _ in hits})
        hits.sort(key=rank)
        page = list(islice(hits, asked.offset, asked.offset + asked.limit))
        return SearchPage(len(hits), page, complete, Counter(opened.stored.team for opened, _ in hits))

    def _shown_hits(
        self, place: _SearchScope, asked: SearchRequest, opened: ViewedDocument
    ) -> list[FoundView]:
        """A hit shows words of the document: where releases are judged together, it is one."""
        hit = asked.query.match(opened)
        if hit is not None and place.viewing.remembers:
            view = self.repository.view_or_none(place.viewing, opened.stored, place.asker, hand_out=True)
            if view is None or view.released is None:
                return []
            opened = replace(opened, view=view)
            hit = asked.query.match(opened)
        return [] if hit is None else [(opened, hit)]

    def _by_id(
        self, who: Identity, places: Sequence[_SearchScope], asked: SearchRequest, found: set[str]
    ) -> list[FoundView]:
        """The document whose id was asked for."""
        ids = [word for word in asked.query.words if len(word) == 24 and len(asked.query.words) == 1]
        rows = [row for row in self.repository.stored(ids).values() if row.id not in found]
        hits: list[FoundView] = []
        for place in places:
            for opened in self._opened(place, self._readable_rows(who, place, rows, asked.folder)):
                hits.append((opened, SearchHit(0, "")))
        return hits

    def _listed(self, who: Identity, places: Sequence[_SearchScope], asked: SearchRequest) -> SearchPage:
        """Everything, the newest first. Only the page is opened; how much there is, the index says."""
        totals: Counter[str] = Counter()
        rows: list[tuple[float, str, _SearchScope]] = []
        with self.repository.store.read() as connection:
            for place in places:
                chosen = self.repository.index.shown(place.scope)
                if asked.folder is not None:
                    chosen = chosen.where(documents.c.folder == asked.folder)
                counted = sa.select(sa.func.count()).select_from(chosen.subquery())
                totals[team_of(place.scope.policy)] += connection.execute(counted).scalar() or 0
                newest = chosen.order_by(sa.desc("added"), "id").limit(asked.offset + asked.limit)
                rows += [(-row.added, row.id, place) for row in connection.execute(newest)]
        rows.sort(key=lambda row: row[:2])
        page = rows[asked.offset : asked.offset + asked.limit]
        stored = self.repository.stored([id for _, id, _ in page])
        hits: list[FoundView] = []
        for _, id, place in page:
            theirs = self._readable_rows(who, place, [stored[id]] if id in stored else [], asked.folder)
            hits += [(opened, SearchHit(0, "")) for opened in self._opened(place, theirs)]
        return SearchPage(totals.total() - (len(page) - len(hits)), hits, True, totals)

    def _newest(self, ids: Sequence[str]) -> list[Stored]:
        """The newest of these documents, as many as are opened at one search."""
        found: list[Stored] = []
        for start in range(0, len(ids), 500):
            found += self.repository.stored(ids[start : start + 500]).values()
        found.sort(key=lambda row: (-row.added, row.id))
        return found[:_MOST]

    def _readable_rows(
        self, who: Identity, place: _SearchScope, rows: Iterable[Stored], folder: str | None
    ) -> list[Stored]:
        """Returns the documents that are still under the policy, in a team of the viewer, and in the folder."""
        return [
            row
            for row in rows
            if row.policy == place.scope.policy
            and who.may_in(row.team, "read")
            and folder in (None, row.folder)
        ]

    def _opened(self, place: _SearchScope, rows: Sequence[Stored]) -> Iterator[ViewedDocument]:
        """What the viewer sees of these now, noted in the index where it changed."""
        entries = []
        for stored, view in self._views(place, rows):
            entries.append(_entry(place, stored, view))
            if view is not None and view.released is not None:
                yield ViewedDocument(stored, view, place.viewing.policy)
        self.repository.index.write(place.scope, place.mark, entries)

    def _views(
        self, place: _SearchScope, rows: Sequence[Stored]
    ) -> Iterator[tuple[Stored, DocumentView | None]]:
        same = [(digest_of(row.file), row.name) for row in rows]
        self.repository.views.prepare(place.viewing, same)
        for stored in rows:
            yield stored, self.repository.view_or_none(place.viewing, stored, place.asker)

    # --- the index ----------------------------------------------------------------------------------------

    def _search_scopes(
        self, who: Identity, folder: str | None, asker: RequestContext
    ) -> Iterator[_SearchScope]:
        """The policies over folders of their teams, each bound to the viewer."""
        named = self.repository.folders()
        theirs = {
            policy
            for name, policy in named.items()
            if who.may_in(team_of(name), "read") and folder in (None, name)
        }
        for policy in sorted(theirs):
            place = self._scope_of_policy(policy, who.viewer, asker)
            if place is not None:
                yield place

    def _scope_of_policy(self, policy: str, viewer: str, asker: RequestContext) -> _SearchScope | None:
        viewing = self.repository.viewing(policy, viewer)
        if viewing is None:
            return None
        return _SearchScope(self.repository.index.scope(policy, viewer), viewing, viewer, asker)

    def _refresh(self, place: _SearchScope) -> bool:
        """Check a small collection whole; of a large one look at what is new, and leave the rest for later. Returns
        whether every document was checked in its present state."""
        index = self.repository.index
        new = self._look_at_new(place, time.monotonic() + _NEW_SECONDS)
        if index.count(place.scope) <= _EXACT:
            self._check(place, index.oldest(place.scope, _EXACT))
            return new
        behind = bool(index.outdated(place.scope, place.mark, 1))
        self._go_on_later(place)
        return new and not behind

    def _look_at_new(self, place: _SearchScope, deadline: float) -> bool:
        """Give documents without an entry one. Returns whether all have one."""
        while True:
            if self._next_new(place, _NEW) < _NEW:
                return True
            if time.monotonic() > deadline:
                return False

    def _next_new(self, place: _SearchScope, most: int) -> int:
        """Give some documents without an entry one. Returns how many there were."""
        unseen = self.repository.index.unseen(place.scope, most)
        if unseen.ids:
            self._check(place, unseen.ids)
        self.repository.index.caught_up(place.scope, unseen)
        return len(unseen.ids)

    def _check(self, place: _SearchScope, ids: Sequence[str]) -> None:
        """Note what the viewer sees of these documents now."""
        rows = self.repository.stored(ids)
        mine = [row for row in rows.values() if row.policy == place.scope.policy]
        entries = [_entry(place, stored, view) for stored, view in self._views(place, mine)]
        gone = sorted(set(ids) - {row.id for row in mine})
        self.repository.index.write(place.scope, place.mark, entries, gone)

    def _go_on_later(self, place: _SearchScope) -> None:
        with self._lock:
            if place.scope.id in self._under_way or self._closing.is_set():
                return
            self._under_way.add(place.scope.id)
        self._later.submit(self._catch_up, place.scope.policy, place.viewer)

    def _sweep_later(self) -> None:
        """Once a day delete the entries of people who no longer search, in the background."""
        with self._lock:
            if time.time() - self._swept < _SWEEP_SECONDS or self._closing.is_set():
                return
            self._swept = time.time()
        self._later.submit(self._sweep)

    def _sweep(self) -> None:
        try:
            self.repository.index.sweep()
        except Exception as error:  # tomorrow again
            log_unexpected(error)

    def _catch_up(self, policy: str, viewer: str) -> None:
        """Look at what is new and what is out of date, slice by slice, and at some of what was not checked for long.
        Between two slices it rests as long as the last one took, so that openings have most of this process."""
        scope = self.repository.index.scope(policy, viewer)
        asker = RequestContext(f"index {scope.id}", self._closing, background=True)
        try:
            for worked in self._slices(scope, policy, viewer, asker):
                if self._closing.wait(min(worked, _LONGEST_REST)):
                    return
        except ClientDisconnected:  # the service stops
            return
        except Exception as error:  # the next search goes on
            log_unexpected(error)
        finally:
            with self._lock:
                self._under_way.discard(scope.id)

    def _slices(self, scope: ViewerScope, policy: str, viewer: str, asker: RequestContext) -> Iterator[float]:
        """Check one slice after the other. Yields how many seconds each took."""
        index = self.repository.index
        checked = False
        while True:
            begun = time.monotonic()
            place = self._scope_of_policy(policy, viewer, asker)
            if place is None:
                return
            if self._next_new(place, _SLICE) < _SLICE:
                ids = index.outdated(scope, place.mark, _SLICE)
                if not ids and checked:
                    return
                checked = checked or not ids
                self._check(place, ids or index.oldest(scope, _SLICE))
            yield time.monotonic() - begun


def _entry(place: _SearchScope, stored: Stored, view: DocumentView | None) -> Entry:
    if view is None or view.released is None:
        return Entry(stored.id, "", None)
    return Entry(stored.id, place.scope.digest(f"{view.name}\0{view.text}"), view.words)
