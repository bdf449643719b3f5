"""Releases judged together with earlier ones: of one viewer, and of one document while the database changes.

`CopyOracle` is the definition of docs/ksafety.md by sets and counting. It knows every copy that was handed out.
"""

from __future__ import annotations

import hashlib
import random
import re
import sqlite3
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Barrier

import pytest
import sqlalchemy as sa

from efface.errors import InputError
from efface.service.app import Service
from efface.service.repository.documents import Repository, Stored
from efface.service.repository.earlier_copies import RememberedCopies, common, covers, merged
from efface.service.repository.view_cache import DocumentView, ViewerBinding, compute
from efface.service.repository.view_work import Attempt
from efface.service.settings import ServiceSettings
from efface.service.store import releases
from tests.service.hospital import House

POLICY = """
find: {{patterns: none, names: none}}
knowledge:
  people:
    database: sqlite:///people.db
    entities: person
    identifying: [city, job, game]
    access: {{view: grants, columns_view: readable}}
guarantees:
  - k-safety: {{over: people, k: 2, protect: denied, infeasible: remove, {options}}}
"""
COLUMNS = ("city", "job", "game")
PEOPLE = [
    (1, "Oslo", "plumber", "chess"),
    (2, "Oslo", "plumber", "golf"),
    (3, "Oslo", "baker", "chess"),
    (4, "Bern", "plumber", "chess"),
]
PLUMBER, CHESS = b"Somebody from Oslo, a plumber.", b"Somebody from Oslo who plays chess."
Row = tuple[int, str, str, str]


def fill(path: Path, people: list[Row], grants: set[tuple[str, int]]) -> None:
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("CREATE TABLE person (id INTEGER PRIMARY KEY, city, job, game)")
        database.executemany("INSERT INTO person VALUES (?, ?, ?, ?)", people)
        database.execute("CREATE TABLE grants (viewer, id)")
        database.executemany("INSERT INTO grants VALUES (?, ?)", sorted(grants))
        database.execute("CREATE TABLE readable (viewer, column)")
        rows = [(viewer, column) for viewer in ("low", "high") for column in COLUMNS]
        database.executemany("INSERT INTO readable VALUES (?, ?)", rows)


@dataclass(frozen=True)
class Town:
    """A repository over a town's database."""

    service: Service
    repository: Repository

    def sql(self, statement: str, *values: object) -> None:
        path = self.service.settings.policies / "people.db"
        with closing(sqlite3.connect(path)) as database, database:
            database.execute(statement, values)

    def add(self, text: bytes) -> Stored:
        id = self.repository.add("town", "note.txt", text)
        return self.repository.stored([id])[id]

    def view(self, viewer: str, stored: Stored) -> DocumentView:
        viewing = ViewerBinding.of(self.service.policies.get("town"), viewer)
        return self.repository.view(viewing, stored, Attempt(60), hand_out=True)

    def text(self, viewer: str, stored: Stored) -> str:
        return self.view(viewer, stored).text

    def later(self, days: float) -> Town:
        """The same town after some days."""
        memory = self.repository.memory
        moved = replace(memory, clock=lambda: memory.clock() + 86400 * days)
        return Town(self.service, replace(self.repository, memory=moved))


def settle(
    service: Service,
    options: str,
    people: list[Row] = PEOPLE,
    grants: set[tuple[str, int]] = frozenset(),  # type: ignore[assignment]
) -> Town:
    fill(service.settings.policies / "people.db", people, grants)
    (service.settings.policies / "town.yaml").write_text(POLICY.format(options=options))
    service.repository.put_folder("town", "town")
    return Town(service, service.repository)


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    opened = Service.open(ServiceSettings(home=tmp_path / "home"))
    yield opened
    opened.close()


# --- several documents of one entity ----------------------------------------------------------------------


def test_each_document_is_safe_alone_and_stays_whole_without_the_option(service: Service) -> None:
    town = settle(service, "weights: {}")
    for text in (PLUMBER, CHESS):
        assert town.text("low", town.add(text)) == text.decode()


@pytest.mark.parametrize("order", [(PLUMBER, CHESS), (CHESS, PLUMBER)])
def test_two_documents_that_identify_together_lose_a_word(
    service: Service, order: tuple[bytes, bytes]
) -> None:
    town = settle(service, "together: viewer")
    first, second = (town.add(text) for text in order)
    assert town.text("low", first) == order[0].decode()
    seen = town.text("low", second)
    assert "Oslo" in seen and "chess" not in seen + town.text("low", first) * (order[0] is PLUMBER)
    assert town.text("low", first) == order[0].decode(), "what was seen may be seen again"
    assert town.text("low", second) == seen
    assert town.text("high", second) == order[1].decode(), "another viewer has opened nothing"


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_part_of_a_value_does_not_tell_with_another_document(
    service: Service, order: tuple[int, int]
) -> None:
    """Two codes end in 3333, one of them in Oslo. Parts are not remembered, so they go."""
    people = [
        (1, "Oslo", "plumber", "41113333"),
        (2, "Bern", "plumber", "42223333"),
        (3, "Oslo", "baker", "43331111"),
    ]
    town = settle(service, "together: viewer", people)
    texts = (b"Somebody from Oslo.", b"A code ending in 3333.")
    seen = "".join(town.text("low", town.add(texts[at])) for at in order)
    assert "Oslo" in seen and "3333" not in seen


def test_whoever_may_see_the_row_loses_nothing(service: Service) -> None:
    town = settle(service, "together: viewer", grants={("low", id) for id in (1, 2, 3, 4)})
    assert town.text("low", town.add(PLUMBER)) == PLUMBER.decode()
    assert town.text("low", town.add(CHESS)) == CHESS.decode()


def test_what_was_opened_is_forgotten_after_its_days(service: Service) -> None:
    town = settle(service, "together: {viewer: {days: 3}}")
    first, second = town.add(PLUMBER), town.add(CHESS)
    town.text("low", first)
    assert "chess" not in town.later(2.9).text("low", second)
    assert "chess" in town.later(7).text("low", second)


def test_each_thing_that_was_seen_has_its_own_days(service: Service) -> None:
    """Opening something else meanwhile keeps the record, and not what has expired in it."""
    town = settle(service, "together: {viewer: {days: 3}}")
    first, other, second = town.add(PLUMBER), town.add(b"Somebody from Oslo."), town.add(CHESS)
    town.text("low", first)
    town.later(2).text("low", other)
    assert "chess" not in town.later(2.9).text("low", second)
    again = town.add(CHESS)
    assert "chess" in town.later(4).text("low", again)


def test_a_list_or_a_look_as_somebody_else_is_no_opening(house: House) -> None:
    town = settle(house.service, "together: viewer")
    first, second = town.add(PLUMBER), town.add(CHESS)
    assert house.get("admin", f"/v1/documents/{first.id}/as/low").content == PLUMBER
    listed = house.get("low", "/v1/documents", params={"folder": "town"}).json()
    assert listed["total"] == 2 and not any("note" in row["name"] for row in listed["documents"])
    assert house.get("low", f"/v1/documents/{second.id}").content == CHESS
    found = house.get("low", "/v1/documents", params={"q": "plumber", "folder": "town"}).json()
    assert found["total"] == 0 and not found["complete"], "a hit would tell what was not opened"
    assert b"plumber" not in house.get("low", f"/v1/documents/{first.id}").content


def test_a_file_manager_opens_like_everybody_else(house: House) -> None:
    town = settle(house.service, "together: viewer")
    first, second = town.add(PLUMBER), town.add(CHESS)
    name = f"document-{first.id[:8]}.txt"
    assert house.get("low", f"/dav/town/{name}").content == PLUMBER
    assert b"chess" not in house.get("low", f"/v1/documents/{second.id}").content


def test_a_hit_of_a_search_is_a_release(house: House) -> None:
    town = settle(house.service, "together: document")
    stored = town.add(PLUMBER)
    found = house.get("low", "/v1/documents", params={"q": "plumber", "folder": "town"}).json()
    assert found["total"] == 1 and "plumber" in found["documents"][0]["snippet"]
    town.sql("DELETE FROM person WHERE id = 2")  # from now on one of the two words must go
    seen = town.text("low", stored)
    assert "Oslo" in seen or "plumber" in seen, "the hit showed both: neither adds anything"


def test_the_store_holds_no_word_of_a_document(service: Service, tmp_path: Path) -> None:
    town = settle(service, "together: viewer")
    town.text("low", town.add(PLUMBER))
    with service.store.read() as connection:
        rows = connection.execute(sa.select(releases)).all()
    assert len(rows) == 2
    for row in rows:
        told = f"{row.place} {row.data!r}"
        assert not any(word in told for word in ("Oslo", "oslo", "plumber", "low", "people"))


def test_no_document_leaves_when_the_store_cannot_remember(house: House) -> None:
    town = settle(house.service, "together: viewer")
    stored = town.add(PLUMBER)
    with house.service.store.write() as connection:
        connection.execute(sa.text("DROP TABLE efface_releases"))
    answer = house.get("low", f"/v1/documents/{stored.id}")
    assert answer.status_code >= 500 and b"Oslo" not in answer.content


def test_no_document_leaves_when_what_is_remembered_is_damaged(house: House) -> None:
    town = settle(house.service, "together: viewer")
    first, second = town.add(PLUMBER), town.add(CHESS)
    town.text("low", first)
    with house.service.store.write() as connection:
        connection.execute(releases.update().values(data=b"x" * 64))
    answer = house.get("low", f"/v1/documents/{second.id}")
    assert answer.status_code >= 400 and b"Oslo" not in answer.content


# --- two processes ----------------------------------------------------------------------------------------


def test_an_opening_that_was_overtaken_is_judged_again(service: Service) -> None:
    town = settle(service, "together: viewer")
    first, second = town.add(PLUMBER), town.add(CHESS)
    viewing = ViewerBinding.of(service.policies.get("town"), "low")
    slow = RememberedCopies.of(
        service.repository.memory, viewing.bound, viewing.policy.digest, first.file[32:], "main", "low"
    )
    town.text("low", second)
    copy = compute(viewing.bound, PLUMBER, first.name).copy
    assert copy is not None and not slow.remember(copy)


@pytest.mark.parametrize("store", ["sqlite", "postgres"])
def test_two_machines_never_hand_out_both_halves(
    store: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    key = tmp_path / "key"
    key.write_text("k" * 40)
    given = {"secret": f"file:{key}"}
    given["store"] = (
        request.getfixturevalue("postgres_url")
        if store == "postgres"
        else f"sqlite:///{tmp_path / 'store.db'}"
    )
    if store == "sqlite":
        given["blobs"] = f"file:{tmp_path / 'files'}"
    one = Service.open(ServiceSettings(home=tmp_path / "one", **given))
    two = Service.open(ServiceSettings(home=tmp_path / "two", **given))
    try:
        here = settle(one, "together: viewer")
        for path in one.settings.policies.iterdir():
            (two.settings.policies / path.name).write_bytes(path.read_bytes())
        there = Town(two, two.repository)
        notes = here.add(PLUMBER), here.add(CHESS)
        barrier = Barrier(2)

        def race(town: Town, viewer: str, stored: Stored) -> str:
            barrier.wait(timeout=300)
            return town.text(viewer, stored)

        with ThreadPoolExecutor(2) as pool:
            for turn in range(2):
                viewer = f"viewer{turn}"
                here.sql("INSERT INTO readable SELECT ?, column FROM readable WHERE viewer = 'low'", viewer)
                there.sql("INSERT INTO readable SELECT ?, column FROM readable WHERE viewer = 'low'", viewer)
                left = pool.submit(race, here, viewer, notes[0])
                right = pool.submit(race, there, viewer, notes[1])
                shown = left.result(600) + right.result(600)
                assert ("plumber" in shown) != ("chess" in shown)
    finally:
        one.close()
        two.close()


# --- one document while the database changes --------------------------------------------------------------


@dataclass(frozen=True)
class Handed:
    """A copy that was handed out: to whom, of what, its words, and the state and the rights at the time."""

    viewer: str
    note: int
    words: frozenset[str]
    state: int
    denied: frozenset[int]


@dataclass
class CopyOracle:
    """Every copy that was handed out, and the definition."""

    people: list[Row]
    options: str
    k: int = 2
    copies: list[Handed] = field(default_factory=list)

    def crowd(self, words: frozenset[str]) -> int:
        return sum(words <= set(row[1:]) for row in self.people)

    def faults(self, new: Handed) -> Iterator[str]:
        """How a copy breaks the promise, for each row that its viewer is denied."""
        for row in self.people:
            if row[0] not in new.denied:
                continue
            own = new.words & set(row[1:])
            if own and self.crowd(own) < self.k:
                yield "alone"
            if not self.is_safe_in_one_hand(row, own, new):
                yield "with what the viewer saw"
            if self.options == "collusion: safe" and not self.is_safe_for_all(row, new):
                yield "with what others saw"

    def is_safe_in_one_hand(self, row: Row, own: frozenset[str], new: Handed) -> bool:
        mine = [copy for copy in self.copies if copy.viewer == new.viewer]
        if self.options != "together: viewer":
            mine = [copy for copy in mine if copy.note == new.note]
        seen = frozenset().union(*(copy.words for copy in mine)) & set(row[1:])
        return own <= seen or self.crowd(own | seen) >= self.k

    def is_safe_for_all(self, row: Row, new: Handed) -> bool:
        """All copies of this state for viewers who are denied the row, with all those of other states."""
        same = [copy for copy in self.copies if copy.note == new.note and row[0] in copy.denied]
        now = [copy.words for copy in same if copy.state == new.state]
        old = [copy.words for copy in same if copy.state != new.state]
        shown = frozenset().union(new.words, *now) & set(row[1:])
        if all(shown <= copy for copy in old) and (not shown or self.crowd(shown) >= self.k):
            return True
        union = frozenset().union(shown, *old) & set(row[1:])
        return not union or self.crowd(union) >= self.k


@pytest.mark.parametrize("options", ["together: document", "together: viewer", "collusion: safe"])
@pytest.mark.parametrize("seed", range(3))
def test_random_changes_between_looks(service: Service, options: str, seed: int) -> None:
    rng = random.Random(seed)
    values = {"city": ("Oslo", "Bern", "Rome"), "job": ("plumber", "baker"), "game": ("chess", "golf")}

    def drawn(id: int) -> Row:
        city, job, game = (rng.choice(values[column]) for column in COLUMNS)
        return (id, city, job, game)

    people = [drawn(id) for id in range(1, 8)]
    grants = {(viewer, row[0]) for viewer in ("low", "high") for row in people if rng.random() < 0.4}
    town = settle(service, options, people, set(grants))
    notes = [town.add(f"{city}, a {job} who plays {game}.".encode()) for _, city, job, game in people[:2]]
    oracle = CopyOracle(people, options)
    state = 0
    for _ in range(16):
        if rng.random() < 0.4:
            id = rng.randint(1, 7)
            people[id - 1] = drawn(id)
            town.sql("UPDATE person SET city = ?, job = ?, game = ? WHERE id = ?", *people[id - 1][1:], id)
            state += 1
        viewer, chosen = rng.choice(("low", "high")), rng.randint(1, 7)
        if rng.random() < 0.4:
            grants ^= {(viewer, chosen)}
            town.sql("DELETE FROM grants WHERE viewer = ? AND id = ?", viewer, chosen)
            if (viewer, chosen) in grants:
                town.sql("INSERT INTO grants VALUES (?, ?)", viewer, chosen)
        note = rng.randrange(2)
        words = frozenset(re.findall(r"\w+", town.text(viewer, notes[note]))) - {"a", "who", "plays"}
        denied = {row[0] for row in people} - {id for at, id in grants if at == viewer}
        new = Handed(viewer, note, words, state, frozenset(denied))
        assert list(oracle.faults(new)) == []
        oracle.copies.append(new)


def test_without_the_option_two_looks_tell_together_what_neither_tells(service: Service) -> None:
    """The attack that the option is against: a grant changes, so another word goes, and the two copies differ."""
    told: list[bool] = []
    kept: list[bool] = []
    for options in ("weights: {}", "together: document"):
        home = Path(tempfile.mkdtemp(dir=service.settings.home))
        other = Service.open(ServiceSettings(home=home))
        try:
            people = [
                (1, "Oslo", "plumber", "chess"),
                (2, "Oslo", "baker", "golf"),
                (3, "Bern", "plumber", "golf"),
            ]
            town = settle(other, options, people)
            stored = town.add(b"Oslo, a plumber.")
            first = town.text("low", stored)
            gone = "Oslo" if "Oslo" not in first else "plumber"
            column = "city" if gone == "Oslo" else "job"
            # What went is now common, what stayed is now rare.
            other_column, other_value = ("job", "baker") if column == "city" else ("city", "Bern")
            town.sql(f"UPDATE person SET {column} = ? WHERE id > 1", gone)
            town.sql(f"UPDATE person SET {other_column} = ? WHERE id > 1", other_value)
            second = town.text("low", stored)
            (told if options.startswith("weights") else kept).append(
                all(word in first + second for word in ("Oslo", "plumber"))
            )
        finally:
            other.close()
    assert told == [True] and kept == [False]


# --- places -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(20))
def test_places_are_sets_of_characters(seed: int) -> None:
    rng = random.Random(seed)
    one, other = (
        merged((start, start + rng.randint(1, 5)) for start in rng.sample(range(30), 5)) for _ in range(2)
    )
    sets = [{at for start, end in places for at in range(start, end)} for places in (one, other)]
    assert {at for start, end in common(one, other) for at in range(start, end)} == sets[0] & sets[1]
    assert covers(one, common(one, other)) and covers(one, other) == (sets[1] <= sets[0])


# --- what tells of a copy before it is opened -------------------------------------------------------------


@pytest.mark.parametrize("options", ["together: viewer", "collusion: safe"])
@pytest.mark.parametrize("method", ["PROPFIND", "HEAD"])
def test_a_file_manager_is_told_no_digest_and_no_length_of_what_is_not_opened(
    house: House, method: str, options: str
) -> None:
    town = settle(house.service, options)
    stored = town.add(CHESS)
    path = f"/dav/town/document-{stored.id[:8]}.txt"
    answer = house.client.request(method, path, headers=house.as_("low"))
    assert answer.status_code in (200, 207)
    told = answer.text + "\n".join(f"{name}: {value}" for name, value in answer.headers.items())
    assert hashlib.sha256(CHESS).hexdigest()[:16] not in told, "anybody can compute it of a guess"
    assert f">{len(CHESS)}<" not in told and f"content-length: {len(CHESS)}" not in told.lower()


def test_a_list_does_not_tell_the_length_of_what_is_not_opened(house: House) -> None:
    town = settle(house.service, "together: viewer")
    town.add(CHESS)
    (row,) = house.get("low", "/v1/documents", params={"folder": "town"}).json()["documents"]
    assert row["bytes"] == 0


def test_a_document_that_was_opened_is_not_sent_again_to_a_file_manager(house: House) -> None:
    town = settle(house.service, "together: viewer")
    path = f"/dav/town/document-{town.add(CHESS).id[:8]}.txt"
    etag = house.get("low", path).headers["etag"]
    headers = {**house.as_("low"), "If-None-Match": etag}
    assert house.client.get(path, headers=headers).status_code == 304


# --- what begins to remember anew -------------------------------------------------------------------------


def test_a_service_with_another_secret_does_not_forget(tmp_path: Path) -> None:
    given = {"store": f"sqlite:///{tmp_path / 'store.db'}", "blobs": f"file:{tmp_path / 'files'}"}
    for name in "ab":
        (tmp_path / name).write_text(name * 40)
    one = Service.open(ServiceSettings(home=tmp_path / "home", secret=f"file:{tmp_path / 'a'}", **given))
    town = settle(one, "together: {viewer: {days: 3}}")
    first, second = town.add(PLUMBER), town.add(CHESS)
    town.text("low", first)
    one.close()
    two = Service.open(ServiceSettings(home=tmp_path / "home", secret=f"file:{tmp_path / 'b'}", **given))
    try:
        other = Town(two, two.repository)
        with pytest.raises(InputError, match="another secret"):
            other.text("low", second)
        assert other.later(4).text("low", second) == CHESS.decode(), "what has expired binds nobody"
    finally:
        two.close()


def test_copies_under_another_text_of_the_policy_are_old_copies(service: Service) -> None:
    people = [(1, "Oslo", "plumber", "chess"), (2, "Oslo", "baker", "golf"), (3, "Bern", "plumber", "golf")]
    town = settle(service, "collusion: safe, weights: {city: 5}", people)
    policy = service.settings.policies / "town.yaml"
    # A policy with other guarantees has no mark under which its views could be kept.
    policy.write_text(policy.read_text() + "  - semantic: {hide: {HIV: virus}}\n")
    stored = town.add(PLUMBER)
    shown = town.text("low", stored)
    policy.write_text(policy.read_text().replace("city: 5", "job: 5"))
    shown += town.text("high", stored)
    assert "Oslo" in shown and "plumber" not in shown
