"""The index of searches: a filter before views decide, and no oracle."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from efface.service.auth.identity import Identity
from efface.service.jobs.processes import RequestContext
from efface.service.repository import document_search
from efface.service.repository.document_search import Searches
from efface.service.repository.search_index import Entry
from efface.service.repository.view_cache import ViewCache
from efface.service.store import documents, search_scopes, search_views
from tests.service.hospital import NOTE, House


def search(house: House, name: str, words: str, **more: Any) -> dict[str, Any]:
    answer = house.get(name, "/v1/documents", params={"q": words, **more})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def identity(house: House, name: str) -> Identity:
    found = house.service.people.identify(house.tokens[name])
    assert found is not None
    return found


def fill(house: House, count: int) -> list[str]:
    """Many documents, of which the last alone has a rare word. They share few files: opening them is not measured."""
    common = house.add("common.txt", b"Nothing of note happened in the ward today.")
    rare = house.add("rare.txt", NOTE + b" The heliotrope bloomed.")
    with house.service.store.write() as connection:
        row = connection.execute(sa.select(documents).where(documents.c.id == common)).mappings().one()
        rows = [{**row, "id": f"{number:024x}", "seq": 3 + number} for number in range(count - 2)]
        connection.execute(documents.insert(), rows)
    return [common, rare]


@pytest.fixture
def opened_views(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the documents whose views are asked for."""
    found: list[str] = []
    before = ViewCache.open

    def noting(self: ViewCache, viewing: Any, digest: str, name: str, computed: Any) -> Any:
        found.append(name)
        return before(self, viewing, digest, name, computed)

    monkeypatch.setattr(ViewCache, "open", noting)
    return found


def indexed(house: House, name: str) -> None:
    """Search until everything has its entry and nothing is done in the background."""
    for _ in range(100):
        search(house, name, "zzyzx")
        while house.service.searches._under_way:
            time.sleep(0.01)
        if search(house, name, "zzyzx")["complete"]:
            break
    while house.service.searches._under_way:
        time.sleep(0.01)
    house.service.searches._later.submit(int).result(300)  # and what nobody searches any more is forgotten


def test_a_rare_word_opens_its_own_documents_alone(
    house: House, opened_views: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, rare = fill(house, 230)
    indexed(house, "low")
    monkeypatch.setattr(house.service.searches, "_go_on_later", lambda place: None)
    opened_views.clear()
    assert [row["id"] for row in search(house, "low", "heliotrope")["documents"]] == [rare]
    assert opened_views == ["rare.txt"]


def test_a_denied_word_is_looked_for_as_one_that_is_nowhere(
    house: House, opened_views: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is opened for either, whoever else may see it, and the answers are equal."""
    fill(house, 230)
    for name in ("high", "low"):
        indexed(house, name)
    monkeypatch.setattr(house.service.searches, "_go_on_later", lambda place: None)
    assert search(house, "high", "brandt")["total"] == 1
    opened_views.clear()
    assert search(house, "low", "brandt") == search(house, "low", "zzyzx")
    assert opened_views == []


def test_a_denied_word_costs_the_work_of_an_absent_one(
    house: House, opened_views: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A viewer who measures an answer sees the same statements run and the same documents opened."""
    for number in range(12):
        house.add(f"n{number}.txt", NOTE)
    monkeypatch.setattr(document_search, "_EXACT", 5)
    for name in ("high", "low"):
        indexed(house, name)
    monkeypatch.setattr(house.service.searches, "_go_on_later", lambda place: None)
    assert search(house, "high", "brandt")["total"] == 12
    absent = work_of(house, "low", "zzyzx", opened_views)
    assert work_of(house, "low", "brandt", opened_views) == absent
    assert work_of(house, "low", "okonkwo", opened_views) != absent, "a word that is shown costs more"


def work_of(house: House, name: str, words: str, opened_views: list[str]) -> tuple[list[str], list[str]]:
    """The statements that a search runs and the documents that it opens."""
    statements: list[str] = []

    def note(connection: Any, cursor: Any, statement: str, *_: object) -> None:
        statements.append(statement)

    opened_views.clear()
    engine = house.service.store.engine
    sa.event.listen(engine, "before_cursor_execute", note)
    try:
        search(house, name, words)
    finally:
        sa.event.remove(engine, "before_cursor_execute", note)
    return statements, list(opened_views)


def test_the_store_holds_no_word_of_a_document(house: House) -> None:
    """Neither does an entry tell that two viewers see the same word."""
    house.add("note.txt", NOTE)
    for name in ("high", "low"):
        assert search(house, name, "okonkwo")["total"] == 1
    with house.service.store.read() as connection:
        rows = connection.execute(sa.text("SELECT words FROM efface_words")).scalars().all()
    assert len(rows) == 2 and not set(rows[0].split()) & set(rows[1].split())
    home = Path(house.service.settings.home)
    for path in home.glob("efface.db*"):
        assert b"okonkwo" not in path.read_bytes().lower()


def test_an_entry_that_is_out_of_date_shows_nothing(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a large collection too, where not every entry is checked at each search."""
    house.add("note.txt", NOTE)
    indexed(house, "high")
    monkeypatch.setattr(document_search, "_EXACT", 0)
    monkeypatch.setattr(house.service.searches, "_go_on_later", lambda place: None)
    assert search(house, "high", "brandt")["total"] == 1
    house.sql("UPDATE staff SET clearance = 'LOW' WHERE login = 'high'")
    assert search(house, "high", "brandt")["documents"] == []
    assert search(house, "high", "brandt")["total"] == 0


def test_what_changes_in_a_large_collection_is_found_soon(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.add("note.txt", NOTE)
    indexed(house, "low")
    monkeypatch.setattr(document_search, "_EXACT", 0)
    house.sql("UPDATE staff SET clearance = 'HIGH' WHERE login = 'low'")
    for _ in range(6000):
        if search(house, "low", "brandt")["total"] == 1:
            break
        time.sleep(0.05)
    assert search(house, "low", "brandt")["total"] == 1
    later = house.add("later.txt", b"The heliotrope bloomed.")
    assert [row["id"] for row in search(house, "low", "heliotrope")["documents"]] == [later]
    house.client.delete(f"/v1/documents/{later}", headers=house.as_("reviewer"))
    assert search(house, "low", "heliotrope")["total"] == 0
    with house.service.store.read() as connection:
        left = sa.select(search_views.c.id).where(search_views.c.document == later)
        assert connection.execute(left).all() == []


def test_documents_that_come_under_another_policy_are_looked_at_again(house: House) -> None:
    house.add("note.txt", NOTE)
    assert search(house, "low", "brandt")["total"] == 0
    house.service.repository.put_folder("wards", "patterns")
    assert search(house, "low", "brandt")["total"] == 1
    house.service.repository.put_folder("wards", "wards")
    assert search(house, "low", "brandt")["total"] == 0
    assert search(house, "low", "okonkwo")["total"] == 1


def test_pages_of_a_list_hold_together(house: House) -> None:
    ids = {house.add(f"n{number}.txt", f"Note {number} of the ward.".encode()) for number in range(7)}
    pages = [search(house, "low", "", limit=3, offset=start) for start in (0, 3, 6)]
    assert [page["total"] for page in pages] == [7, 7, 7]
    found = [row["id"] for page in pages for row in page["documents"]]
    assert len(found) == 7 and set(found) == ids
    assert search(house, "low", "", folder="elsewhere")["total"] == 0


def words_stored(house: House) -> int:
    with house.service.store.read() as connection:
        return int(connection.execute(sa.text("SELECT count(*) FROM efface_words")).scalar() or 0)


def test_words_go_with_their_entry(house: House) -> None:
    """The next entry may get the number of one that is gone; it must not get its words."""
    index = house.service.repository.index
    one, two = (house.add(name, NOTE) for name in ("one.txt", "two.txt"))
    first, second = index.scope("low", "viewer one"), index.scope("low", "viewer two")
    index.write(first, "m", [Entry(one, "v1", ["heliotrope"])])
    assert words_stored(house) == 1
    index.write(first, "m", [], gone=[one])
    assert words_stored(house) == 0
    index.write(second, "m", [Entry(two, "v2", ["brandt"])])
    assert index.matching(second, ["brandt"]) == [two]
    assert index.matching(second, ["heliotrope"]) == []


def test_a_document_that_is_deleted_while_it_is_looked_at_leaves_nothing(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its entry was written after it was deleted: its words stayed in the store for a month."""
    id = house.add("note.txt", NOTE)
    searches, looked_at = house.service.searches, Searches._views

    def deleting(self: Searches, place: Any, rows: Any) -> Any:
        found = list(looked_at(self, place, rows))
        assert house.client.delete(f"/v1/documents/{id}", headers=house.as_("reviewer")).status_code == 204
        return found

    monkeypatch.setattr(Searches, "_views", deleting)
    (place,) = searches._search_scopes(identity(house, "low"), "wards", RequestContext("low"))
    searches._check(place, [id])
    assert words_stored(house) == 0
    with house.service.store.read() as connection:
        assert connection.execute(sa.select(search_views)).first() is None


def test_what_nobody_searches_any_more_is_forgotten(house: House) -> None:
    house.add("note.txt", NOTE + b" The heliotrope bloomed.")
    search(house, "low", "heliotrope")
    house.service.searches._sweep()
    assert words_stored(house) > 0
    with house.service.store.write() as connection:
        connection.execute(search_scopes.update().values(used=time.time() - 40 * 86400))
    house.service.searches._swept = 0.0
    house.service.searches._sweep_later()
    house.service.searches._later.submit(int).result(300)
    assert words_stored(house) == 0
    with house.service.store.read() as connection:
        assert connection.execute(sa.select(search_views)).first() is None
    assert search(house, "low", "heliotrope")["total"] == 1


def test_the_service_itself_reads_no_text_to_find_its_words(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A long text would keep everybody waiting: its words come with the view, from a worker process."""
    id = house.add("long.txt", b"Geneva is fine. " * 3 + b"The stone of Geneva. Geneva!")
    monkeypatch.setattr("efface.service.repository.view_cache.word_places", None)
    monkeypatch.setattr("efface.service.repository.search_query.words", lambda text: text.split())
    monkeypatch.setattr("efface.service.repository.view_cache.words", None)
    found = house.get("high", "/v1/documents?q=stone geneva").json()["documents"]
    assert [(row["id"], row["count"]) for row in found] == [(id, 6)]
    assert found[0]["snippet"].startswith("Geneva is fine.")
    assert house.get("high", "/v1/documents?q=long").json()["documents"][0]["count"] == 0


def test_a_folder_that_is_moved_while_somebody_searches_is_found_later(house: House) -> None:
    """Its documents came before those that the search had looked at: they had no entry, and never got one."""
    repository = house.service.repository
    repository.put_folder("old", "patterns")
    moved = repository.add("old", "n.txt", NOTE)
    scope = repository.index.scope("wards", "high")
    repository.add("wards", "n.txt", NOTE)
    seen = repository.index.unseen(scope, 20)
    repository.put_folder("old", "wards")
    repository.index.caught_up(scope, seen)
    assert moved in repository.index.unseen(scope, 20).ids
