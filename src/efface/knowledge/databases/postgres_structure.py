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
    """A mark that changes when a definition does, or a partition comes or goes, or a table is written again."""
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
WHERE provolatile = 'v' OR pg_proc.oid < 16384 AND proname = 'age' OR pg_proc.oid < 16384 AND provolatile = 's' AND proname ~
    '^(now|(transaction|statement)_timestamp|user|getpgusername|version|format_type|row_security_active)$|_description$|_to_xml|^(pg_|has_|inet_|current_|session_|txid_|to_reg)'
UNION ALL
-- The text of such a value is a name in the catalogue: regclass, regtype, regrole and so on.
SELECT 'a name of the catalogue (' || typname || ')'
FROM rule, regexp_matches(tree, ':(?:vartype|resulttype|funcresulttype) ([0-9]+)', 'g') AS found
JOIN pg_type ON pg_type.oid = found[1]::oid WHERE pg_type.oid < 16384 AND typname ~ '^reg'
UNION ALL
SELECT 'the time or the session' FROM rule WHERE strpos(tree, '{SQLVALUEFUNCTION ') > 0
UNION ALL
SELECT 'a sample of a table' FROM rule WHERE strpos(tree, '{TABLESAMPLECLAUSE ') > 0
UNION ALL
SELECT 'the catalogue table or sequence ' || relname FROM named JOIN pg_class ON pg_class.oid = named.oid
WHERE pg_class.oid < 16384 OR relkind NOT IN ('r', 'p', 'v', 'm', 'f')
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
    WHERE (attrelid IN (SELECT oid FROM heirs) AND attrelid <> 'efface_probe'::regclass
           OR attrelid IN (SELECT oid FROM pg_class WHERE relkind = 'c')) AND attnum > 0
  UNION ALL
    SELECT 'cast ' || oid || ' ' || xmin FROM pg_cast WHERE oid >= 16384
  UNION ALL
    SELECT 'words ' || mapcfg || ' ' || xmin FROM pg_ts_config_map WHERE mapcfg >= 16384
  UNION ALL
    SELECT 'dictionary ' || oid || ' ' || xmin FROM pg_ts_dict WHERE oid >= 16384
  UNION ALL
    -- What stable functions of the server make of a value: the text of a date, the day of a moment, the words of a text.
    SELECT 'setting ' || name || ' ' || current_setting(name, true) FROM unnest(ARRAY['timezone', 'datestyle',
        'intervalstyle', 'lc_time', 'lc_monetary', 'lc_numeric', 'default_text_search_config', 'bytea_output',
        'extra_float_digits', 'xmlbinary', 'xmloption', 'timezone_abbreviations', 'transform_null_equals', 'search_path'])
        AS name
  UNION ALL
    SELECT 'label ' || oid || ' ' || enumlabel FROM pg_enum
  UNION ALL
    -- What writes changes down may have been off, or have written nothing, for a while.
    SELECT 'trigger ' || own.oid || ' ' || tgenabled::text || ' ' || own.xmin || ' ' || proc.xmin
    FROM pg_trigger AS own JOIN pg_proc AS proc ON proc.oid = tgfoid
    WHERE left(tgname::text, 6) = 'efface'
      AND (tgrelid IN (SELECT oid FROM heirs) OR tgrelid = to_regclass('efface_changes'))
  UNION ALL
    SELECT 'record ' || oid || ' ' || relfilenode FROM pg_class WHERE oid = to_regclass('efface_changes')
  UNION ALL
    -- A server that was put back to an earlier moment, or a standby that took over, goes on in a new timeline.
    SELECT 'timeline ' || timeline_id FROM pg_control_checkpoint()
)
SELECT md5(coalesce(string_agg(DISTINCT mark, ',' ORDER BY mark), '')) FROM marks
"""
