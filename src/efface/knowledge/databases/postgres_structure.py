"""What a PostgreSQL query depends on besides rows: how its views, functions and columns are defined, which partitions its
tables have, whether a table was rewritten or its triggers were off for a while, and what changes with time or session.
Asked while the probe exists.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from efface.errors import PolicyError
from efface.knowledge.databases.postgres_catalog import WALK

if TYPE_CHECKING:
    from sqlalchemy import Connection


def require_steady(connection: Connection) -> None:
    """Refuse what changes without a change of a row: time, the session, chance, the server's own catalogue."""
    for name in connection.exec_driver_sql(WALK + _UNSTEADY).scalars():
        raise PolicyError(
            f"The query uses {name}, whose answers change while no row does: it cannot be followed.",
            "Leave it out of the query, or leave `follow` out; the entities are then read again.",
        )


def structure_of(connection: Connection) -> str:
    """A mark that changes when a definition does, or a partition comes or goes, or a table is written anew."""
    return str(connection.exec_driver_sql(WALK + _STRUCTURE).scalar_one())


# Rules are trees of nodes written as text. Built-in functions and catalogue tables are recorded nowhere else; the
# server's own objects have numbers below 16384.
_UNSTEADY = """
, rule AS (
    SELECT ev_action::text AS tree FROM pg_rewrite WHERE ev_class IN (SELECT oid FROM walk)
), called AS (
    SELECT DISTINCT found[1]::oid AS oid
    FROM rule, regexp_matches(tree, ':(?:funcid|opfuncid|winfnoid|aggfnoid) ([0-9]+)', 'g') AS found
), named AS (
    SELECT DISTINCT found[1]::oid AS oid FROM rule, regexp_matches(tree, ':relid ([0-9]+)', 'g') AS found
)
SELECT 'the function ' || proname FROM called JOIN pg_proc ON pg_proc.oid = called.oid
WHERE provolatile = 'v' OR (pg_proc.oid < 16384 AND proname IN (
    'now', 'transaction_timestamp', 'statement_timestamp', 'current_setting', 'current_user', 'session_user', 'user',
    'getpgusername', 'current_schema', 'current_schemas', 'current_database', 'pg_backend_pid', 'txid_current',
    'age', 'inet_client_addr', 'has_table_privilege', 'has_column_privilege', 'pg_has_role', 'row_security_active')
    OR pg_proc.oid < 16384 AND proname ~ '^(obj|col|shobj)_description$|^(table|schema|database)_to_xml|^pg_get_|^to_reg')
UNION ALL
SELECT 'the time or the session' FROM rule WHERE strpos(tree, '{SQLVALUEFUNCTION ') > 0
UNION ALL
SELECT 'a sample of a table' FROM rule WHERE strpos(tree, '{TABLESAMPLECLAUSE ') > 0
UNION ALL
SELECT 'the catalogue table ' || relname FROM named JOIN pg_class ON pg_class.oid = named.oid
WHERE pg_class.oid < 16384
LIMIT 1
"""

_STRUCTURE = """
, heirs(oid) AS (
    SELECT oid FROM walk UNION SELECT inhrelid FROM pg_inherits JOIN heirs ON heirs.oid = inhparent
), marks AS (
    SELECT 'table ' || oid || ' ' || relfilenode AS mark FROM pg_class
    WHERE oid IN (SELECT oid FROM heirs) AND relkind IN ('r', 'p', 'm')
  UNION ALL
    SELECT 'rule ' || ev_class || ' ' || xmin FROM pg_rewrite
    WHERE ev_class IN (SELECT oid FROM walk) AND ev_class <> 'efface_probe'::regclass
  UNION ALL
    SELECT 'heir ' || inhrelid || ' ' || inhparent || ' ' || xmin FROM pg_inherits
    WHERE inhparent IN (SELECT oid FROM heirs)
  UNION ALL
    SELECT 'function ' || oid || ' ' || xmin FROM pg_proc
    WHERE oid >= 16384 AND prorettype <> 'trigger'::regtype  -- any: one may call another
  UNION ALL
    SELECT 'operator ' || oid || ' ' || xmin FROM pg_operator WHERE oid >= 16384
  UNION ALL
    SELECT 'column ' || attrelid || ' ' || attnum || ' ' || xmin FROM pg_attribute
    WHERE attrelid IN (SELECT oid FROM heirs) AND attnum > 0 AND attrelid <> 'efface_probe'::regclass
  UNION ALL
    SELECT 'label ' || oid || ' ' || enumlabel FROM pg_enum
  UNION ALL
    SELECT 'trigger ' || oid || ' ' || tgenabled::text || ' ' || xmin FROM pg_trigger
    WHERE tgrelid IN (SELECT oid FROM heirs) AND left(tgname::text, 6) = 'efface'
  UNION ALL
    SELECT 'record ' || oid || ' ' || relfilenode FROM pg_class WHERE oid = to_regclass('efface_changes')
  UNION ALL
    -- A server that was put back to an earlier moment, or a standby that took over, goes on in a new timeline.
    SELECT 'timeline ' || timeline_id FROM pg_control_checkpoint()
)
SELECT md5(coalesce(string_agg(DISTINCT mark, ',' ORDER BY mark), '')) FROM marks
"""
