"""The guessing game: colleagues guess the hidden class of redacted documents, next to automatic attackers.

A player sees a document at one k only, drawn by lot, and answers it once; several guesses may be right to make.
The right class gives a point, every wrong one takes a twentieth, as in the human study of the paper.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import secrets
import threading
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from itertools import islice
from typing import Any

import sqlalchemy as sa

from efface.attacks.classes import chance
from efface.service.auth.identity import Identity, team_of
from efface.service.jobs.processes import Call, ClientDisconnected, Processes
from efface.service.problems import Problem, problem_of
from efface.service.repository.policies import Policies
from efface.service.review.review_tables import answers, games, posts
from efface.service.store import Store


@dataclass(frozen=True, slots=True)
class GameRequest:
    """What a game is made from. `learned`: the policy's model was trained on these documents."""

    ks: tuple[int, ...]
    documents: int
    learned: bool


RIGHT, WRONG = 1.0, -0.05  # points: twenty wrong guesses cost what a right one earns
MOST_GUESSES = 5  # plotted one by one; more guesses are counted as this many
_AT_A_TIME = 2  # games that are made
_LISTED = 200  # games in one list
_LEASE = 30.0  # seconds without a sign of life after which the process that made a game has ended
_RENEWED = 5.0  # seconds between two signs of life


def points(right: bool, guesses: int) -> float:
    """What an answer is worth."""
    return round(RIGHT * right + WRONG * (guesses - right), 4)


@dataclass(frozen=True)
class Games:
    """Games in the store."""

    store: Store
    policies: Policies
    processes: Processes
    seconds: float  # that a worker process may take to make one
    _making: dict[str, threading.Event] = field(default_factory=dict, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)
    _pool: ThreadPoolExecutor = field(
        default_factory=lambda: ThreadPoolExecutor(_AT_A_TIME, thread_name_prefix="game"), repr=False
    )

    def begin(
        self, who: Identity, title: str, policy: str, players: Sequence[str] = (), tells: bool = False
    ) -> str:
        """The id of a game that is being made. Only its host and the invited `players` see it."""
        self.policies.for_somebody(who, policy, "review")
        id = secrets.token_hex(12)
        row = {"id": id, "title": title, "policy": policy, "owner": who.name, "created": time.time()}
        row |= {"players": json.dumps(sorted(set(players))), "tells": int(tells), "team": team_of(policy)}
        with self.store.write() as connection:
            self.store.lock(connection, "game")
            making = (games.c.owner == who.name, games.c.state == "making", games.c.lease > self.store.now)
            if connection.execute(sa.select(games.c.id).where(*making)).first():
                raise Problem("conflict", "Your last game is still being made.")
            connection.execute(games.insert().values(**row, state="making", lease=self.store.now + _LEASE))
        return id

    def make_later(self, id: str, viewer: str, name: str, data: bytes, wanted: GameRequest) -> None:
        """Fill a game with posts, in the background."""
        with self._lock:
            self._making[id] = threading.Event()
        threading.Thread(target=self._renew, args=(id,), name="game lease", daemon=True).start()
        self._pool.submit(self._make, id, viewer, name, data, wanted)

    def close(self) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)
        with self._lock:
            self._making.clear()  # what has not begun ends here, and its lease with it

    def _renew(self, id: str) -> None:
        """Give signs of life while a game waits for its turn and while it is made. A process that was killed gives none,
        so that its games do not stand in their hosts' way."""
        while self._is_making(id):
            time.sleep(_RENEWED)
            with contextlib.suppress(sa.exc.SQLAlchemyError):  # the store may be away
                self._set(id, lease=self.store.now + _LEASE)

    def _is_making(self, id: str) -> bool:
        with self._lock:
            return id in self._making

    def _make(self, id: str, viewer: str, name: str, data: bytes, wanted: GameRequest) -> None:
        """Fill a game with posts; what goes wrong is noted with it. Its host may have ended it meanwhile."""
        try:
            self._fill(id, viewer, name, data, wanted)
        except ClientDisconnected:
            pass
        except Exception as error:
            found = problem_of(error)
            with contextlib.suppress(Exception):
                self._set(id, state="failed", problem=found.detail or found.document()["title"])
        finally:
            with self._lock:
                self._making.pop(id, None)

    def _fill(self, id: str, viewer: str, name: str, data: bytes, wanted: GameRequest) -> None:
        game = self.get(id)
        given = {"name": name, "viewer": viewer, "seed": id, **asdict(wanted)}
        call = Call(
            "game",
            f"game {game.owner}",
            self.seconds,
            {**given, **self.policies.get(game.policy).given(data)},
            (data,),
            self._making[id],
            background=True,
        )
        done = self.processes.run(call)
        with self.store.write() as connection:
            rows = [{"game": id, **post} for post in json.loads(done.files[0])]
            values = {"state": "open", "classes": json.dumps(done.values["classes"])}
            if connection.execute(games.update().where(games.c.id == id).values(values)).rowcount:
                connection.execute(posts.insert(), rows)

    def get(self, id: str) -> Any:
        with self.store.read() as connection:
            row = connection.execute(sa.select(games).where(games.c.id == id)).first()
        if row is None:
            raise Problem("not-found")
        return row

    def invited(self, id: str, player: str) -> Any:
        """The game, for its host and its invited players; for others it is not found."""
        row = self.get(id)
        if not _may_play(row, player):
            raise Problem("not-found")
        return row

    def listed(self, who: Identity) -> list[dict[str, Any]]:
        """The games of their teams that they are invited to, or for an administrator all, the newest first, and how
        far they are."""
        player = who.name
        theirs = sa.select(games).where(games.c.team.in_(who.teams_with("read")))
        documents = sa.select(posts.c.game, sa.func.count(sa.distinct(posts.c.document))).group_by(
            posts.c.game
        )
        mine = sa.select(answers.c.game, sa.func.count()).where(answers.c.player == player)
        with self.store.read() as connection:
            rows = connection.execute(theirs.order_by(games.c.created.desc())).all()
            total = {row[0]: row[1] for row in connection.execute(documents)}
            done = {row[0]: row[1] for row in connection.execute(mine.group_by(answers.c.game))}
            now = self.store.clock(connection)
        shown = (row for row in rows if who.may_in(row.team, "admin") or _may_play(row, player))
        return [
            {"id": row.id, "title": row.title, "policy": row.policy, "owner": row.owner, "created": row.created,
             **_standing(row, now), "documents": total.get(row.id, 0), "answered": done.get(row.id, 0)}
            for row in islice(shown, _LISTED)
        ]  # fmt: skip

    def remove(self, id: str) -> None:
        self.get(id)
        with self._lock:
            making = self._making.get(id)
        if making is not None:
            making.set()
        with self.store.write() as connection:
            connection.execute(games.delete().where(games.c.id == id))
            connection.execute(posts.delete().where(posts.c.game == id))
            connection.execute(answers.delete().where(answers.c.game == id))

    # --- playing ------------------------------------------------------------------------------------------

    def turn(self, id: str, player: str) -> dict[str, Any]:
        """The next document for a player, and what they have so far. Neither its class nor its k is shown."""
        game = self.invited(id, player)
        if game.state != "open":
            raise Problem("conflict", "The game is not open.")
        with self.store.read() as connection:
            given = connection.execute(
                sa.select(answers).where(answers.c.game == id, answers.c.player == player)
            ).all()
            known = connection.execute(sa.select(posts.c.document, posts.c.k).where(posts.c.game == id)).all()
            documents = {row.document for row in known}
            left = documents.difference(row.document for row in given)
            text = None
            document = min(left, key=lambda one: _lot(id, player, str(one)), default=None)
            if document is not None:
                k = _drawn_k(id, player, document, [row.k for row in known if row.document == document])
                text = connection.execute(_post(id, document, k)).one().text
        return {
            "title": game.title,
            "classes": sorted(json.loads(game.classes)),
            "document": document,
            "text": text,
            "answered": len(given),
            "documents": len(documents),
            "points": _total(given) if game.tells else None,
        }

    def answer(self, id: str, player: str, document: int, guesses: Sequence[str]) -> dict[str, Any]:
        """What the guesses were worth, once they are kept. A document is answered once. The class, and whether it was
        among the guesses, is shown only if the host wants it so."""
        game = self.invited(id, player)
        chosen = set(guesses)
        if not chosen or not chosen <= set(json.loads(game.classes)):
            raise Problem("invalid", "Guess one or more of the game's classes.")
        with self.store.write() as connection:
            self.store.lock(connection, "game")
            ks = list(
                connection.scalars(
                    sa.select(posts.c.k).where(posts.c.game == id, posts.c.document == document)
                )
            )
            if not ks:
                raise Problem("not-found")
            same = (answers.c.game == id, answers.c.document == document, answers.c.player == player)
            if connection.execute(sa.select(answers.c.k).where(*same)).first():
                raise Problem("conflict", "You have answered this one.")
            k = _drawn_k(id, player, document, ks)
            truth = connection.execute(_post(id, document, k)).one().truth
            found = truth in chosen
            row = {"game": id, "document": document, "player": player, "k": k, "at": time.time()}
            connection.execute(answers.insert().values(**row, guesses=len(chosen), found=int(found)))
        if not game.tells:
            return {"right": None, "truth": None, "k": k, "points": None}
        return {"right": found, "truth": truth, "k": k, "points": points(found, len(chosen))}

    # --- what came out ------------------------------------------------------------------------------------

    def results(self, id: str) -> dict[str, Any]:
        """Errors by number of guesses and by k, of people and of the automatic attackers. Names no player."""
        game = self.get(id)
        with self.store.read() as connection:
            shown = connection.execute(sa.select(posts).where(posts.c.game == id)).all()
            given = connection.execute(sa.select(answers).where(answers.c.game == id)).all()
        counts = list(json.loads(game.classes).values())
        return {
            "title": game.title,
            "players": len({row.player for row in given}),
            "answers": len(given),
            "points": _total(given),
            "by_guesses": _by_guesses(shown, given, counts),
            "by_k": _by_k(shown, given),
        }

    def _set(self, id: str, **values: Any) -> None:
        with self.store.write() as connection:
            connection.execute(games.update().where(games.c.id == id).values(values))


def _total(given: Sequence[Any]) -> float:
    return round(sum(points(bool(row.found), row.guesses) for row in given), 2)


def _may_play(row: Any, player: str) -> bool:
    return player == row.owner or player in json.loads(row.players)


def _by_guesses(shown: Sequence[Any], given: Sequence[Any], counts: list[int]) -> list[dict[str, Any]]:
    """For each k: who failed with one guess, with two, …. Attackers guess on every document of that k."""
    steps = range(1, min(MOST_GUESSES, len(counts)) + 1)
    by_chance = [round(1 - chance(counts, step), 4) for step in steps]
    found = []
    for k in sorted({row.k for row in shown}):
        lines: dict[str, list[float | None]] = {}
        for name, ranks in sorted(_ranks_at(shown, k).items()):
            lines[name] = [_share_above(ranks, step) for step in steps]
        lines["chance"] = [*by_chance]
        people = [_answers_with(given, k, step) for step in steps]
        found.append(
            {
                "k": k,
                "guesses": list(steps),
                "people": list(map(_share_missed, people)),
                "answers": list(map(len, people)),
                "attackers": lines,
            }
        )
    return found


def _ranks_at(shown: Sequence[Any], k: int) -> dict[str, list[int]]:
    """The true class's ranks for each automatic attacker, over the documents at this k."""
    ranks: dict[str, list[int]] = defaultdict(list)
    for row in shown:
        if row.k == k:
            for name, rank in json.loads(row.ranks).items():
                ranks[name].append(rank)
    return ranks


def _answers_with(given: Sequence[Any], k: int, guesses: int) -> list[Any]:
    """The answers at this k that took so many guesses."""
    return [row for row in given if row.k == k and min(row.guesses, MOST_GUESSES) == guesses]


def _by_k(shown: Sequence[Any], given: Sequence[Any]) -> list[dict[str, Any]]:
    """For each k: who failed. Attackers get the documents that people answered, with as many guesses."""
    ranks = {(row.document, row.k): json.loads(row.ranks) for row in shown}
    found = []
    for k in sorted({row.k for row in shown}):
        rows = [row for row in given if row.k == k]
        attackers = {}
        for name in sorted(_ranks_at(shown, k)):
            attackers[name] = _share_true(ranks[row.document, k][name] > row.guesses for row in rows)
        found.append({"k": k, **_answers(rows), "attackers": attackers})
    return found


def _answers(rows: Sequence[Any]) -> dict[str, Any]:
    """How people fared: how many answers, with how many guesses and points each; None without an answer."""
    count = len(rows)
    guesses = sum(row.guesses for row in rows)
    worth = sum(points(bool(row.found), row.guesses) for row in rows)
    return {
        "answers": count,
        "guesses": round(guesses / count, 2) if count else None,
        "points": round(worth / count, 3) if count else None,
        "people": _share_missed(rows),
    }


def _share_true(missed: Iterable[bool]) -> float | None:
    known = list(missed)
    return round(sum(known) / len(known), 4) if known else None


def _share_missed(rows: Sequence[Any]) -> float | None:
    """The share of the answers that did not name the true class."""
    return _share_true(not row.found for row in rows)


def _share_above(ranks: Sequence[int], guesses: int) -> float | None:
    """The share of the documents whose true class is not among so many guesses."""
    return _share_true(rank > guesses for rank in ranks)


def _post(id: str, document: int, k: int) -> Any:
    return sa.select(posts).where(posts.c.game == id, posts.c.document == document, posts.c.k == k)


def _lot(*parts: str) -> bytes:
    """A lot drawn by hash: a page that a player loads again shows the same document."""
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).digest()


def _drawn_k(id: str, player: str, document: int, ks: Sequence[int]) -> int:
    return sorted(ks)[int.from_bytes(_lot(id, player, str(document), "k")[:4], "big") % len(ks)]


def _standing(row: Any, now: float) -> dict[str, str]:
    """How far a game is, and what went wrong with it."""
    if row.state == "making" and row.lease < now:
        return {"state": "failed", "problem": "The process that made it has ended: make it again."}
    return {"state": row.state, "problem": row.problem}
