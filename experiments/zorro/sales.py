"""TPC-DS as the paper uses it: an entity is a sale joined with everything about it, every attribute identifying.

The data come from DuckDB's own generator. A document is words of no meaning with values of some sales in it.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from experiments.zorro.baseline import Engine
from experiments.zorro.database import Entities, Row

COLUMNS = (
    "customer",
    "birth_date",
    "birth_country",
    "email",
    "street",
    "city",
    "county",
    "zip",
    "product",
    "brand",
    "category",
    "sold",
    "paid",
)
_SALES_AT_ONE = 2_880_000  # rows of store_sales at scale factor 1; below 0.01 the generator does not end
_QUERY = """
SELECT row_number() OVER (ORDER BY ss_ticket_number, ss_item_sk)::text,
    trim(c_first_name) || ' ' || trim(c_last_name), make_date(c_birth_year, c_birth_month, c_birth_day)::text,
    c_birth_country, c_email_address,
    ca_street_number || ' ' || ca_street_name || ' ' || trim(ca_street_type), ca_city, ca_county, ca_zip,
    i_product_name, i_brand, trim(i_category), d_date::text, ss_net_paid::text
FROM store_sales JOIN customer ON ss_customer_sk = c_customer_sk
JOIN customer_address ON ss_addr_sk = ca_address_sk JOIN item ON ss_item_sk = i_item_sk
JOIN date_dim ON ss_sold_date_sk = d_date_sk ORDER BY ss_ticket_number, ss_item_sk LIMIT ?
"""
_SYLLABLES = "chu sti quo vex wyn zul tra ple ush cti ont vir yst mpa squ eph ogy ism ect und".split()


@dataclass(frozen=True, slots=True)
class Shape:
    """How a document is made."""

    words: int = 150
    values: int = 10
    entities: int = 3


def rows(count: int) -> list[Row]:
    """The first `count` sales."""
    import duckdb

    nothing_fetched = {"autoinstall_known_extensions": "false"}
    with (
        TemporaryDirectory() as folder,
        duckdb.connect(str(Path(folder) / "tpcds.db"), config=nothing_fetched) as database,
    ):
        try:
            database.execute("LOAD tpcds")
        except duckdb.Error:
            sys.exit("This DuckDB does not bring its TPC-DS generator; duckdb 1.1.3 does.")
        database.execute(f"CALL dsdgen(sf={max(0.01, 1.25 * count / _SALES_AT_ONE + 0.005):.4f})")
        found: list[Row] = database.execute(_QUERY, [count]).fetchall()
    if len(found) < count:
        raise RuntimeError(f"TPC-DS gave {len(found)} sales, {count} were wanted")
    return found


def prepared(folder: Path, count: int) -> tuple[Entities, Engine, list[Row]]:
    """So many sales in a database with its index, in the baseline's engine, and as rows; made if not there."""
    place = folder / f"sales{count}"
    if not (place / "ready").exists():
        (place / "tantivy").mkdir(parents=True)
        made = Entities.store(place, COLUMNS, rows(count))
        made.engine(place / "tantivy")
        (place / "ready").touch()
    entities = Entities(place, COLUMNS)
    return entities, Engine.open(place / "tantivy"), list(entities.rows())


def documents(sales: Sequence[Row], count: int, shape: Shape, seed: int = 11) -> Iterator[str]:
    """Texts of meaningless words into which values of a few sales are strewn."""
    rng = random.Random(seed)
    filler = ["".join(rng.choices(_SYLLABLES, k=rng.randint(2, 4))) for _ in range(5000)]
    for _ in range(count):
        values = [value for sale in rng.sample(sales, shape.entities) for value in sale[1:] if value]
        chosen = rng.sample(values, min(shape.values, len(values)))
        words = rng.choices(filler, k=shape.words - len(chosen))
        for value in chosen:
            words.insert(rng.randrange(len(words) + 1), value)
        yield " ".join(words)
