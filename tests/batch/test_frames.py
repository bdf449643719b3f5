from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from efface.api.sanitizer import Sanitizer
from efface.batch.frames import redact
from efface.errors import UsageError
from tests.batch.helpers import POLICY, letter

ROWS: list[dict[str, Any]] = [{"id": n, "body": letter(n), "note": "to ann@example.org"} for n in range(30)]
ROWS.append({"id": 30, "body": None, "note": None})


def _made(kind: str) -> Any:
    module = pytest.importorskip(kind, reason=f"needs {kind}")
    if kind == "pyarrow":
        return module.Table.from_pylist(ROWS)
    return module.DataFrame(ROWS)


def _rows(frame: Any) -> list[dict[str, Any]]:
    if hasattr(frame, "to_pylist"):
        return list(frame.to_pylist())
    if hasattr(frame, "to_dicts"):
        return list(frame.to_dicts())
    import pandas as pd

    rows = frame.to_dict("records")
    return [{name: None if pd.isna(value) else value for name, value in row.items()} for row in rows]


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow"])
def test_a_column_is_what_its_values_are_one_by_one(kind: str) -> None:
    sanitizer = Sanitizer.from_text(POLICY)
    frame = _made(kind)
    result = redact(frame, text="body", policy=sanitizer)
    assert type(result.frame) is type(frame)
    for before, after in zip(ROWS, _rows(result.frame), strict=True):
        assert after["id"] == before["id"] and after["note"] == before["note"]
        if before["body"] is None:
            assert after["body"] is None
        else:
            released = sanitizer.sanitize(before["body"].encode(), name="row.txt").released
            assert released is not None and after["body"] == released.decode()
        assert after["efface_verdict"] == "held" and after["efface_reason"] is None
    assert _rows(frame) == ROWS  # the one given is as it was


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow"])
def test_several_columns(kind: str) -> None:
    result = redact(_made(kind), text=["body", "note"], policy=Sanitizer.from_text(POLICY))
    assert {row["note"] for row in _rows(result.frame)} == {"to [EMAIL_ADDRESS_2]", None}


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow"])
@pytest.mark.parametrize("name", ["efface_verdict", "efface_reason"])
def test_verdicts_of_an_earlier_call_are_not_overwritten(kind: str, name: str) -> None:
    first = redact(_made(kind), text="body", policy=Sanitizer.from_text(POLICY)).frame
    other = "efface_reason" if name == "efface_verdict" else "efface_verdict"
    left = first.drop(columns=[other]) if kind == "pandas" else first.drop([other])
    with pytest.raises(UsageError, match=f"a column {name} already"):
        redact(left, text="note", policy=Sanitizer.from_text(POLICY))


def test_highlights_in_a_notebook() -> None:
    page = redact(_made("pyarrow"), text="note", policy=Sanitizer.from_text(POLICY))._repr_html_()
    assert "<mark class='gone'>ann@example.org</mark>" in page
    assert "<mark class='new'>[EMAIL_ADDRESS_1]</mark>" in page
    assert "11 more rows" in page


def test_markup_in_a_cell_is_text() -> None:
    pa = pytest.importorskip("pyarrow", reason="needs pyarrow")
    table = pa.table({"body": ["<script>alert(1)</script> ann@example.org"]})
    assert "<script>" not in redact(table, policy=Sanitizer.from_text(POLICY))._repr_html_()


def test_a_row_that_may_not_leave_has_no_text(tmp_path: Path) -> None:
    """More people than exist are asked for, so nothing about one of them can leave."""
    pa = pytest.importorskip("pyarrow", reason="needs pyarrow")
    (tmp_path / "people.csv").write_text("id,name\n1,Ann Lee\n2,Bob Ray\n")
    (tmp_path / "policy.yaml").write_text(
        "knowledge: {people: {entities: people.csv, identifying: [name]}}\n"
        "guarantees: [{k-safety: {over: people, k: 5}}]\n"
    )
    result = redact(pa.table({"body": ["Ann Lee came."]}), policy=tmp_path / "policy.yaml")
    assert result.frame.column("body").to_pylist() == [None]
    assert result.verdicts == ("refused",) and "Fewer than k" in result.reasons[0]


def test_what_is_no_table_or_no_column() -> None:
    with pytest.raises(UsageError):
        redact([1, 2], policy=Sanitizer.from_text(POLICY))
    with pytest.raises(UsageError):
        redact(_made("pyarrow"), text="nothing", policy=Sanitizer.from_text(POLICY))


@pytest.mark.parametrize("kind", ["pandas", "pyarrow"])
def test_two_columns_of_one_name_are_refused(kind: str) -> None:
    if kind == "pandas":
        frame = pytest.importorskip("pandas").DataFrame([["a", "b"]], columns=["body", "body"])
    else:
        arrow = pytest.importorskip("pyarrow")
        frame = arrow.table([arrow.array(["a"]), arrow.array(["b"])], names=["body", "body"])
    with pytest.raises(UsageError, match="two columns"):
        redact(frame, policy=QUICK)


QUICK = {"find": {"names": "none"}}


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow"])
def test_column_that_is_no_text_is_refused_or_converted(kind: str) -> None:
    values = {"body": [4111111111111111, 5], "id": [1, 2]}
    frame = (
        pytest.importorskip(kind).table(values)
        if kind == "pyarrow"
        else pytest.importorskip(kind).DataFrame(values)
    )
    with pytest.raises(UsageError, match="holds int, not text"):
        redact(frame, policy=QUICK)
    done = redact(frame, policy=QUICK, convert=True)
    assert list(done.frame["body"].to_pylist() if kind == "pyarrow" else done.frame["body"]) == [
        "[CREDIT_CARD_1]",
        "5",
    ]


def test_series_come_back_as_series() -> None:
    pd, pl = pytest.importorskip("pandas"), pytest.importorskip("polars")
    series = pd.Series(["to ann@example.org", None], index=[7, 9], name="mail")
    made = redact(series, policy=QUICK).frame
    assert made.name == "mail" and list(made.index) == [7, 9]
    assert made[7] == "to [EMAIL_ADDRESS_1]" and pd.isna(made[9])
    made = redact(pl.Series("mail", ["to ann@example.org", None]), policy=QUICK).frame
    assert made.name == "mail" and made.to_list() == ["to [EMAIL_ADDRESS_1]", None]


def test_arrow_in_chunks_in_batches_and_as_arrays() -> None:
    pa = pytest.importorskip("pyarrow")
    chunked = pa.chunked_array([["to ann@example.org"], [], ["x", None]])
    wanted = ["to [EMAIL_ADDRESS_1]", "x", None]
    assert redact(chunked, policy=QUICK).frame.to_pylist() == wanted
    assert redact(pa.array(["x"]), policy=QUICK).frame == pa.array(["x"])
    assert redact(pa.array([], pa.string()), policy=QUICK).frame == pa.array([], pa.string())
    assert redact(pa.table({"body": chunked}), policy=QUICK).frame["body"].to_pylist() == wanted
    batch = pa.record_batch({"body": ["to ann@example.org"], "id": [1]})
    made = redact(batch, policy=QUICK).frame
    assert isinstance(made, pa.RecordBatch) and made.column("body").to_pylist() == ["to [EMAIL_ADDRESS_1]"]


def test_lazy_frame_says_why_not() -> None:
    pl = pytest.importorskip("polars")
    with pytest.raises(UsageError, match="LazyFrame") as caught:
        redact(pl.DataFrame({"body": ["x"]}).lazy(), policy=QUICK)
    assert "collect" in caught.value.hint


def test_duckdb_by_redact_many() -> None:
    """The ten lines of docs/guides/python.md."""
    duckdb = pytest.importorskip("duckdb", reason="needs duckdb")
    sanitizer = Sanitizer(QUICK)
    connection = duckdb.connect()
    connection.execute(
        "create table notes as select 1 as id, 'to ann@example.org' as body union all select 2, 'x'"
        " union all select 3, null"
    )
    rows = connection.execute("select id, body from notes where body is not null order by id").fetchall()
    made = sanitizer.redact_many(body for _, body in rows)
    connection.execute("create table safe (id integer, body text)")
    connection.executemany(
        "insert into safe values (?, ?)", [(id, r.text) for (id, _), r in zip(rows, made, strict=True)]
    )
    assert connection.execute("select body from safe order by id").fetchall() == [
        ("to [EMAIL_ADDRESS_1]",),
        ("x",),
    ]


def _redacted(part: Any) -> Any:
    """The worker's function of docs/guides/python.md."""
    sanitizer = Sanitizer(QUICK)
    return part.assign(body=[r.text for r in sanitizer.redact_many(part["body"])])


NOTES = {"id": [1, 2, 3], "body": ["to ann@example.org", "x", "to bob@example.org"]}
SAFE_NOTES = ["to [EMAIL_ADDRESS_1]", "x", "to [EMAIL_ADDRESS_1]"]


def test_dask_by_redact_many() -> None:
    import pandas as pd

    dask = pytest.importorskip("dask.dataframe", reason="needs dask")
    frame = dask.from_pandas(pd.DataFrame(NOTES), npartitions=3)
    assert list(frame.map_partitions(_redacted, meta=frame).compute()["body"]) == SAFE_NOTES


def test_ray_by_redact_many() -> None:
    import pandas as pd

    ray = pytest.importorskip("ray.data", reason="needs ray")
    dataset = ray.from_pandas(pd.DataFrame(NOTES))
    safe = dataset.map_batches(_redacted, batch_format="pandas").to_pandas()
    assert list(safe.sort_values("id")["body"]) == SAFE_NOTES


def test_columns_that_have_no_names_are_refused_in_words() -> None:
    pd = pytest.importorskip("pandas", reason="needs pandas")
    frame = pd.DataFrame([["ann@example.org"]])
    names: list[Any] = ["0", 0]
    for name in names:
        with pytest.raises(UsageError) as caught:
            redact(frame, name, policy=Sanitizer.from_text(POLICY))
        assert "map(str)" in caught.value.hint


def test_lists_in_a_column_are_no_text() -> None:
    pd = pytest.importorskip("pandas", reason="needs pandas")
    frame = pd.DataFrame({"body": [["ann@example.org", "x"], None, []]})
    with pytest.raises(UsageError, match="list, not text"):
        redact(frame, policy=Sanitizer.from_text(POLICY))
    converted = redact(frame, policy=Sanitizer.from_text(POLICY), convert=True).frame["body"].tolist()
    assert "ann@" not in converted[0] and converted[2] == "[]"


_CONVERTED = {  # a value, what it says, and what must not be left of it
    "bytes": ("Anna Müller lives in Köln.".encode(), ("Anna", "ller", "xc3")),
    "list": (["Seen by\nAnna Kowalska\nyesterday"], ("Anna", "Kowalska")),
    "dict": ({"note": "Seen by\nAnna Kowalska", "to": ("\tann@example.org",)}, ("Anna", "Kowalska", "ann@")),
    "list of bytes": (["Anna Müller called.".encode()], ("Anna", "ller")),
    "whole float": (4111111111111111.0, ("4111", ".0")),
}


@pytest.mark.parametrize("kind", _CONVERTED)
def test_converted_values_are_read_without_escapes(kind: str) -> None:
    """Python writes a line break in a list as a backslash and an n, which hid the name after it."""
    pd = pytest.importorskip("pandas", reason="needs pandas")
    value, gone = _CONVERTED[kind]
    done = redact(pd.DataFrame({"body": pd.Series([value], dtype=object)}), policy="names", convert=True)
    said = str(done.frame["body"][0])
    assert done.verdicts == ("held",)
    assert not [word for word in gone if word in said]


@pytest.mark.parametrize("value", [b"\xff\xfe\x00A", object(), [object()]], ids=["bytes", "object", "list"])
def test_what_cannot_be_written_as_text_is_refused(value: object) -> None:
    pd = pytest.importorskip("pandas", reason="needs pandas")
    frame = pd.DataFrame({"body": pd.Series([value], dtype=object)})
    with pytest.raises(UsageError, match="cannot be converted to text"):
        redact(frame, policy=QUICK, convert=True)


FALCON = Sanitizer({"find": {"names": "none", "deny": ["Falcon"]}})


def test_classes_made_from_a_frame_and_arrays_of_every_kind() -> None:
    pandas, pyarrow = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")

    class Own(pandas.DataFrame):  # type: ignore[misc, name-defined]
        pass

    safe = redact(Own({"body": ["Falcon", None]}), policy=FALCON).frame
    assert list(safe["body"].fillna("")) == ["[DENIED_1]", ""]
    coded = pyarrow.array(["Falcon", None, "Falcon"]).dictionary_encode()
    assert redact(coded, policy=FALCON).frame.to_pylist() == ["[DENIED_1]", None, "[DENIED_1]"]
    with pytest.raises(UsageError, match="holds int, not text"):
        redact(pyarrow.array([1]), policy=FALCON)


def test_a_batch_without_rows_stays_a_batch() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    empty = pyarrow.RecordBatch.from_pydict({"body": pyarrow.array([], pyarrow.string())})
    safe = redact(empty, policy=FALCON).frame
    assert isinstance(safe, pyarrow.RecordBatch) and safe.num_rows == 0
    assert safe.schema.names == ["body", "efface_verdict", "efface_reason"]


def test_a_cell_is_text_whatever_it_begins_with() -> None:
    """As a str is in `redact`: one column, several columns and one text at a time agree."""
    pd = pytest.importorskip("pandas", reason="needs pandas")
    sanitizer = Sanitizer({"find": {"patterns": "none", "names": "none", "deny": ["Falcon"]}})
    texts = [
        f"{begins} Falcon" for begins in ("%PDF-1.4", "PK\x03\x04", "{\\rtf1", "GIF89a", "\ufeff", "From x")
    ]
    wanted = [text.replace("Falcon", "[DENIED_1]") for text in texts]
    one = redact(pd.DataFrame({"self": texts}), "self", policy=sanitizer)  # `self` is a name like any other
    assert list(one.frame["self"]) == [r.text for r in sanitizer.redact_many(texts)] == wanted
    both = redact(pd.DataFrame({"body": texts, "note": "ok"}), ["body", "note"], policy=sanitizer)
    assert list(both.frame["body"]) == wanted
