"""Rights that a real server takes from a viewer after the policy was bound or the document was opened once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
import sqlalchemy as sa

from efface.api.sanitizer import Sanitizer
from efface.errors import EffaceError
from efface.knowledge.databases.relation import engine
from efface.pipeline.sanitize import sanitize
from tests.real_postgres import real_postgres
from tests.service.hospital import House, Open

ROLES = "CREATE ROLE app LOGIN BYPASSRLS; CREATE ROLE low LOGIN; CREATE ROLE staff; GRANT low TO app;"
SETUP = """
DROP TABLE IF EXISTS ill, duty; ALTER ROLE low LOGIN VALID UNTIL 'infinity' CONNECTION LIMIT -1;
GRANT staff TO low WITH INHERIT TRUE; GRANT low TO app WITH SET TRUE; GRANT CONNECT ON DATABASE postgres TO PUBLIC;
GRANT USAGE ON SCHEMA public TO PUBLIC; ALTER ROLE low RESET ALL;
CREATE TABLE duty (login text, ward text); INSERT INTO duty VALUES ('low', 'north');
CREATE TABLE ill (id integer PRIMARY KEY, name text, ward text, diagnosis text, note text);
INSERT INTO ill VALUES (1, 'Brandtmar', 'north', 'lupus', 'p'), (2, 'Okafore', 'north', 'scurvy', 'q');
CREATE OR REPLACE FUNCTION is_on(place text) RETURNS boolean LANGUAGE sql STABLE AS 'SELECT place = ''north''';
ALTER TABLE ill ENABLE ROW LEVEL SECURITY;
CREATE POLICY part ON ill USING (ward IN (SELECT d.ward FROM duty d WHERE login = current_user) AND is_on(ward));
GRANT SELECT ON ill, duty TO app, staff;
"""
POLICY = """
find: {{patterns: none, names: none}}
knowledge:
  ill: {{database: "{url}", entities: ill, key: id, identifying: [name], sensitive: [diagnosis], access: postgres}}
guarantees:
  - k-safety: {{over: ill, k: 2, protect: denied}}
"""
NOTE = b"Brandtmar has lupus. Okafore has scurvy."
WAYS = {
    "the column": "REVOKE SELECT ON ill FROM staff; GRANT SELECT (id, name, ward) ON ill TO staff",
    "the table": "REVOKE SELECT ON ill FROM staff",
    "the table that the policy reads": "REVOKE SELECT ON duty FROM staff",
    "the group": "REVOKE staff FROM low",
    "what the group gives": "REVOKE INHERIT OPTION FOR staff FROM low",
    "the login": "ALTER ROLE low NOLOGIN",
    "its time": "ALTER ROLE low VALID UNTIL '2001-01-01'",
    "its connections": "ALTER ROLE low CONNECTION LIMIT 0",
    "the schema": "REVOKE USAGE ON SCHEMA public FROM PUBLIC; GRANT USAGE ON SCHEMA public TO app",
    "the database": "REVOKE CONNECT ON DATABASE postgres FROM PUBLIC; GRANT CONNECT ON DATABASE postgres TO app",
    "the policy": "DROP POLICY part ON ill",
    "what the policy says": "ALTER POLICY part ON ill USING (false)",
    "another policy": "CREATE POLICY more ON ill AS RESTRICTIVE USING (false)",
    "a policy for one role": "CREATE POLICY more ON ill AS RESTRICTIVE TO staff USING (id = 3)",
    "the row that the policy reads": "DELETE FROM duty",
    "the rows' ward": "UPDATE ill SET ward = 'south'",
    "the function of the policy": "CREATE OR REPLACE FUNCTION is_on(place text) RETURNS boolean LANGUAGE sql "
    "STABLE AS 'SELECT false'",
    "efface's right to be the viewer": "REVOKE low FROM app",
    "the table's name": "ALTER TABLE ill RENAME TO ill_before; CREATE TABLE ill (LIKE ill_before INCLUDING ALL);"
    "INSERT INTO ill SELECT * FROM ill_before; GRANT SELECT ON ill TO app; DROP TABLE ill_before",
    "the viewer's row security": "ALTER ROLE low SET row_security = off",
}


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with real_postgres(ROLES) as address:
        yield address


@pytest.fixture
def url(server: str) -> Iterator[str]:
    run(server, SETUP)
    app = server.replace("postgres:@", "app:@")
    yield app
    engine(app).dispose()


def run(url: str, statements: str) -> None:
    with sa.create_engine(url, poolclass=sa.NullPool).begin() as connection:
        connection.exec_driver_sql(statements)


def hides(shown: bytes) -> bool:
    return b"lupus" not in shown and b"scurvy" not in shown


@pytest.mark.parametrize("way", WAYS)
def test_a_policy_bound_before_shows_what_the_viewer_may_read_now(
    way: str, url: str, server: str, tmp_path: Path
) -> None:
    (tmp_path / "p.yaml").write_text(POLICY.format(url=url))
    made = Sanitizer.from_policy(tmp_path / "p.yaml")
    assert made.sanitize(NOTE, name="n.txt", viewer="low").released == NOTE
    bound = made.bind("low")
    run(server, WAYS[way])
    with suppress(EffaceError):  # a refusal shows nothing
        assert hides(made.sanitize(NOTE, name="n.txt", viewer="low").released or b"")
    with suppress(EffaceError):
        assert hides(sanitize(NOTE, "n.txt", bound).released or b"")


@pytest.mark.parametrize("way", WAYS)
def test_a_document_opened_before_is_shown_as_the_viewer_may_read_it_now(
    way: str, url: str, server: str, open_house: Open
) -> None:
    house: House = open_house()
    (house.service.settings.policies / "wards.yaml").write_text(POLICY.format(url=url))
    id = house.add("n.txt", NOTE)
    place = f"/v1/documents/{id}"
    shared = "/dav/wards/n.txt"
    seen = [house.get("low", path) for path in (place, shared)]
    assert [answer.content for answer in seen] == [NOTE, NOTE]
    tags = [{"If-None-Match": answer.headers["etag"]} if "etag" in answer.headers else {} for answer in seen]
    assert tags[1]
    assert house.get("low", "/v1/documents?q=lupus").json()["total"] == 1
    run(server, WAYS[way])
    answers = [
        house.client.get(place, headers={**house.as_("low"), **tags[0]}),
        house.get("low", place),
        house.get("admin", f"{place}/as/low"),
        house.client.get(shared, headers={**house.as_("low"), **tags[1]}),
    ]
    for answer in answers:
        assert answer.status_code != 304 and hides(answer.content), answer.status_code
    found = house.get("low", "/v1/documents?q=lupus")
    assert found.status_code >= 400 or found.json()["total"] == 0
    assert hides(house.get("low", "/v1/documents").content)
    assert hides(house.get("low", f"{place}/certificate").content)
