"""Two requests at the same moment, on two machines with one PostgreSQL: the second goes on from what the first did.

SQLite has one writer at a time. With a server two transactions overlap, and each reads what was committed before.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from efface.service.app import Service
from efface.service.auth.identity import SCOPES, Identity
from efface.service.jobs.first_look_leases import FirstLooks
from efface.service.problems import Problem
from efface.service.repository.search_index import Entry
from efface.service.review.approvals import ReleaseState
from efface.service.settings import ServiceSettings
from efface.service.store import jobs
from tests.real_postgres import own_database

Machines = tuple[Service, Service]
_WAITING = sa.text(
    "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
)


@pytest.fixture(scope="module")
def store(postgres_server: str) -> Iterator[str]:
    with own_database(postgres_server) as address:
        yield address


@pytest.fixture(scope="module")
def machines(store: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machines]:
    folder = tmp_path_factory.mktemp("races")
    (folder / "key").write_text("k" * 40)
    found = []
    for name in ("one", "two"):
        given: dict[str, Any] = {
            "store": store,
            "secret": f"file:{folder / 'key'}",
            "policy_four_eyes": True,
        }
        service = Service.open(ServiceSettings(home=folder / name, **given))
        for policy in ("plain", "other"):
            Path(service.settings.policies, f"{policy}.yaml").write_text("find: {names: none}\n")
        found.append(service)
    yield found[0], found[1]
    for service in found:
        service.close()


def overlapping(machines: Machines, first: Callable[[Service], Any], second: Callable[[Service], Any]) -> Any:
    """The result of the second, which begins before the first is committed, or the problem it met."""
    one, two = machines
    with ThreadPoolExecutor(1) as pool:
        with one.store.together():
            first(one)
            begun = pool.submit(second, two)
            deadline = time.monotonic() + 20
            while not begun.done() and time.monotonic() < deadline:
                with one.store.engine.connect() as connection:
                    if connection.execute(_WAITING).scalar():
                        break
                time.sleep(0.01)
        try:
            return begun.result(30)
        except Problem as problem:
            return problem.kind


def test_a_role_that_was_just_taken_does_not_come_back(machines: Machines) -> None:
    """Another role in the main team leaves the other teams as they are, by then."""
    people = machines[0].people
    people.put("ann", "reader", teams={"law": "admin"})
    overlapping(
        machines,
        lambda one: one.people.put_member("law", "ann", ""),
        lambda two: two.people.put("ann", "reviewer"),
    )
    person = people.get("ann")
    assert person is not None and person.roles == {"main": "reviewer"}


def test_the_same_thing_twice_at_once_is_no_error(machines: Machines) -> None:
    """A user, a folder, the first search of a viewer, a state that a reviewer is shown."""
    scope = machines[0].repository.index.scope("plain", "ann")
    state = ReleaseState("bytes", "policy", "knowledge", 1)
    twice: tuple[Callable[[Service], Any], ...] = (
        lambda each: each.people.put("bob", "reader"),
        lambda each: each.repository.put_folder("letters", "plain"),
        lambda each: each.repository.index.caught_up(scope, each.repository.index.unseen(scope, 7)),
        lambda each: each.review_store.shown.note("0" * 24, "ann", state),
        lambda each: each.people.remove("bob"),
    )
    for act in twice:
        overlapping(machines, act, act)
    machines[1].review_store.shown.require("0" * 24, "ann", state)


def test_a_document_is_never_in_a_folder_that_is_gone(machines: Machines) -> None:
    """It would be lost although its sender was told that it is kept, and be shown under whatever policy a later folder
    of that name has."""
    repository = machines[0].repository
    repository.put_folder("first", "plain")
    came = overlapping(
        machines,
        lambda one: one.repository.add("first", "a.txt", b"a"),
        lambda two: two.repository.delete_folder("first"),
    )
    assert came == "conflict" and "first" in repository.folders()
    repository.put_folder("second", "plain")
    late = overlapping(
        machines,
        lambda one: one.repository.delete_folder("second"),
        lambda two: two.repository.add("second", "a.txt", b"a"),
    )
    assert late == "not-found" and "second" not in repository.folders()


def test_a_document_that_arrives_keeps_its_folder_under_the_policy(machines: Machines) -> None:
    """With `policy_four_eyes` one person moves only empty folders."""
    machines[0].repository.put_folder("third", "plain")
    moved = overlapping(
        machines,
        lambda one: one.repository.add("third", "a.txt", b"a"),
        lambda two: two.repository.put_folder("third", "other"),
    )
    assert moved == "conflict" and machines[0].repository.folders()["third"] == "plain"


def test_a_deleted_document_leaves_nothing_in_the_index(machines: Machines) -> None:
    """Whichever comes first: the deletion, or what a search notes of the document."""
    repository = machines[0].repository
    repository.put_folder("fourth", "plain")
    scope = repository.index.scope("plain", "ann")
    id = ""

    def delete(each: Service) -> None:
        each.repository.delete(id, _KIM)

    def note(each: Service) -> None:
        each.repository.index.write(scope, "mark", [Entry(id, "view", ["heliotrope"])])

    for first, second in ((delete, note), (note, delete)):
        id = repository.add("fourth", "a.txt", b"a")
        overlapping(machines, first, second)
        assert repository.index.known(scope, [id]) == {}
        assert repository.index.matching(scope, ["heliotrope"]) == []


_KIM = Identity("kim", "admin", "kim", frozenset(SCOPES), "token")
_ARRIVING: dict[str, Callable[[Service], Any]] = {
    "document": lambda one: one.repository.add("of_document", "a.txt", b"a"),
    "job": lambda one: one.jobs.submit(_KIM, "redact", "job", "a.txt", b"a"),
    "review": lambda one: one.review_store.add(_KIM, "review", "a.txt", b"a"),
}


@pytest.mark.parametrize("first", _ARRIVING)
def test_a_policy_is_in_use_from_the_moment_that_its_first_file_arrives(
    machines: Machines, first: str
) -> None:
    """With `policy_four_eyes` a change waits for a second person, also one that is pushed at that moment."""
    for service in machines:
        Path(service.settings.policies, f"{first}.yaml").write_text("find: {names: none}\n")
    machines[0].repository.put_folder(f"of_{first}", first)  # the store knows the policy from now on

    def push(two: Service, text: bytes) -> str:
        change = two.policies.change(first, text, "lee", "weaker")
        return two.policies.stored.push(change).state

    assert push(machines[1], b"find: {names: none, deny: [cat]}\n") == "active", "nothing is under it yet"
    weaker = b"find: {patterns: none, names: none}\n"
    assert overlapping(machines, _ARRIVING[first], lambda two: push(two, weaker)) == "pending"


def test_a_machine_whose_clock_is_wrong_loses_nothing_to_others(
    machines: Machines, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A lease that a slow clock wrote had run out for all others, and a file that it wrote was old enough to be deleted."""
    one, two = machines
    hand = Identity("slow", "admin", "slow", frozenset(SCOPES), "token")
    with monkeypatch.context() as patched:
        patched.setattr(time, "time", lambda now=time.time: now() - 2 * 3600)
        job = one.jobs.submit(hand, "redact", "", "n.txt", b"a@b.org")
        claimed = one.jobs._claim()
        assert claimed is not None and claimed.id == job
        review = one.review_store.add(hand, "", "n.txt", b"a@b.org")
        assert FirstLooks(one.store).claim(review) == 1
        file = one.blobs.put(b"not named by any row yet")
        approved = one.store.clock()
        one.people.remove("slow")
    # What a fast clock takes for expired would be forgotten for all machines: copies judged together would not be.
    assert one.repository.memory.clock == one.store.clock
    taken = two.jobs._claim()  # perhaps another test's
    assert (taken is None or taken.id != job) and review not in two.review_store.unseen()
    assert file not in set(two.blobs.older(two.store.clock() - 3600))
    assert not two.review_store.reviewers_now().still_may("slow", "main", approved, company=True)
    one.jobs.cancel(job, hand)
    one.review_store.remove(review)


def test_a_document_keeps_its_file_when_nobody_knows_whether_it_was_stored(machines: Machines) -> None:
    """A connection that breaks at the end of a transaction does not tell. Files that no row names are deleted later."""
    one, two = machines
    one.repository.put_folder("broken", "plain")
    before = set(two.blobs.older(two.store.clock() + 60))

    def breaks_off(connection: sa.Connection, _id: str, _team: str) -> None:
        number = connection.execute(sa.text("SELECT pg_backend_pid()")).scalar()
        with two.store.write() as other:
            other.execute(sa.text("SELECT pg_terminate_backend(:number)"), {"number": number})

    with pytest.raises(sa.exc.OperationalError):
        one.repository.add("broken", "n.txt", b"a@b.org", breaks_off)
    assert len(set(two.blobs.older(two.store.clock() + 60)) - before) == 1


def test_a_job_is_not_lost_on_a_machine_that_cannot_do_it_now(machines: Machines) -> None:
    """Its files of the policy are older than those of the others, or the storage of files is away for a moment."""
    one, two = machines
    for service, denied in ((one, "Falcon"), (two, "an older list")):
        Path(service.settings.policies, "deny.txt").write_text(denied)
        Path(service.settings.policies, "listed.yaml").write_text(
            "find: {names: none, deny_file: deny.txt}\n"
        )
    id = one.jobs.submit(
        Identity("kim", "admin", "kim", frozenset(SCOPES), "token"), "redact", "listed", "n.txt", b"Falcon"
    )
    states = []
    for _ in range(3):
        with one.store.write() as connection:
            first = {"created": 0.0, "lease": 0.0}  # another test's job may wait, too
            connection.execute(jobs.update().where(jobs.c.id == id).values(first))
        row = two.jobs._claim()
        assert row is not None and row.id == id
        two.jobs._run(row)
        with one.store.read() as connection:
            states.append(connection.execute(sa.select(jobs.c.state).where(jobs.c.id == id)).scalar())
    assert states == ["running", "running", "failed"], "it is not tried for ever"
