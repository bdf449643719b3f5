"""The class that a row hides, told by a column: dataframes, what Spark's executors do, and batches of tables."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest

from efface.api.sanitizer import Sanitizer
from efface.batch.containers.members import Options
from efface.batch.engines.remote import redact_tables
from efface.batch.frames import engine_for, redact
from efface.batch.run import run
from efface.core import Document, Verdict
from efface.errors import EffaceError, PolicyError, UsageError
from efface.guarantees.confusability.guarantee import Confusability
from efface.knowledge.classes import LabelledDocument, load, save, train
from tests.batch.helpers import batch

OWN = {"Ashford": "alloy", "Brackley": "bonds", "Corvane": "cargo", "Delmont": "dairy"}
TRUTHS = ["Ashford", "corvane", "Delmont"]


def _text(own: str) -> str:
    return f"{own} {own} quarter report growth market {own}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("truth")
    documents = [LabelledDocument(_text(own), name) for name, own in OWN.items() for _ in range(3)]
    save(train(documents), folder / "clients.model")
    for name, truth in (
        ("column", "{column: client}"),
        ("none", "null"),
        ("guess", "guess"),
        ("fixed", "Brackley"),
    ):
        (folder / f"{name}.yaml").write_text(
            "find: {patterns: none, names: none}\n"
            f"guarantees: [{{k-confusability: {{model: clients.model, k: 2, truth: {truth}}}}}]\n"
        )
    return folder


def _policy(folder: Path, name: str) -> Sanitizer:
    return Sanitizer.from_policy(folder / f"{name}.yaml")


def _table(clients: Sequence[str | None]) -> pa.Table:
    # Every text looks like Brackley's, so that a guess would hide the wrong class.
    bodies = [f"{_text('bonds')} {'bonds ' * 8} alloy cargo dairy" for _ in clients]
    return pa.table({"client": pa.array(clients, pa.string()), "body": bodies})


def _ranks_second_or_worse(folder: Path, text: str, truth: str) -> bool:
    model = load(folder / "clients.model")
    label = model.sensitive.index(truth)
    return all(
        scores[label] == 0 or int((scores > scores[label]).sum()) >= 1
        for scores in model.all_scores(text).values()
    )


@pytest.mark.parametrize(("policy", "given"), [("column", ""), ("none", "client"), ("guess", "client")])
def test_each_row_hides_its_own_class(folder: Path, policy: str, given: str) -> None:
    result = redact(_table([*TRUTHS, "Brackley"]), policy=_policy(folder, policy), truth=given)
    assert result.verdicts == ("held",) * 4
    *others, brackley = result.frame.column("body").to_pylist()
    assert all("bonds" in text for text in others), "what tells another class need not go"
    assert "bonds" not in brackley
    for text, truth in zip(others, ["Ashford", "Corvane", "Delmont"], strict=True):
        assert _ranks_second_or_worse(folder, text, truth)


def test_a_row_that_does_not_tell_its_class_is_not_guessed(folder: Path) -> None:
    result = redact(_table([None, " ", "Nobody"]), policy=_policy(folder, "column"))
    assert result.frame.column("body").to_pylist() == [None] * 3
    assert "held" not in result.verdicts
    assert redact(_table([None]), policy=_policy(folder, "none"), truth="client").verdicts == ("unproven",)


def test_two_places_that_tell_are_refused(folder: Path) -> None:
    with pytest.raises(PolicyError):
        redact(_table(["Ashford"]), policy=_policy(folder, "column"), truth="body")
    with pytest.raises(UsageError):
        redact(_table(["Ashford"]), policy="names", truth="client")
    with pytest.raises(UsageError):
        redact(_table(["Ashford"]), policy=_policy(folder, "none"), truth="klient")
    clash = redact(_table(["Ashford"]), policy=_policy(folder, "fixed"), truth="client")
    assert clash.frame.column("body").to_pylist() == [None]


def test_executors_read_the_same_column(folder: Path) -> None:
    sanitizer = _policy(folder, "column")
    batches = _table(TRUTHS).to_batches()
    made = list(redact_tables(engine_for(sanitizer, None), batches, ["body"], Options(truth="client")))
    here = redact(_table(TRUTHS), policy=sanitizer)
    assert [row["efface_verdict"] for row in made[0].to_pylist()] == list(here.verdicts)


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow", "batch"])
def test_the_column_that_tells_does_not_leave_with_a_frame(folder: Path, kind: str) -> None:
    """A row was `held` beside a cell that names its class."""
    table = _table(TRUTHS).append_column("number", pa.array([1, 2, 3]))
    frames = {
        "pandas": table.to_pandas,
        "polars": lambda: pytest.importorskip("polars").from_arrow(table),
        "pyarrow": lambda: table,
        "batch": lambda: table.to_batches()[0],
    }
    made = redact(frames[kind](), policy=_policy(folder, "column")).frame
    names = list(made.columns) if kind in ("pandas", "polars") else list(made.schema.names)
    assert names == ["body", "number", "efface_verdict", "efface_reason"]


def test_the_column_that_tells_does_not_leave_the_executors_and_is_no_text(folder: Path) -> None:
    sanitizer = _policy(folder, "column")
    engine = engine_for(sanitizer, None)
    made = list(redact_tables(engine, _table(TRUTHS).to_batches(), ["body"], Options(truth="client")))
    assert made[0].schema.names == ["body", "efface_verdict", "efface_reason"]
    with pytest.raises(UsageError):
        redact(_table(TRUTHS), ["client", "body"], policy=sanitizer)


def test_a_document_that_is_no_row_is_refused(folder: Path) -> None:
    with pytest.raises(EffaceError):
        _policy(folder, "column").sanitize(_text("bonds").encode(), name="note.txt")


def _lines(path: Path, clients: list[str]) -> None:
    rows = _table(clients).to_pylist()
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def test_a_batch_takes_it_and_notices_when_only_it_changed(folder: Path, tmp_path: Path) -> None:
    source = tmp_path / "in"
    source.mkdir()
    _lines(source / "notes.jsonl", TRUTHS)
    asked = replace(
        batch(source, tmp_path / "out"),
        sanitizer=_policy(folder, "column"),
        options=Options(text=("body",), truth="client"),
    )
    assert run(asked).counts["done"] == 3
    first = (tmp_path / "out" / "notes.jsonl").read_text()
    assert "client" not in first and first.count("bonds") > 3
    _lines(source / "notes.jsonl", ["Brackley"] * 3)
    run(asked)
    assert "bonds" not in (tmp_path / "out" / "notes.jsonl").read_text()


@pytest.mark.parametrize("told", ["folder", "name"])
def test_paths_that_tell_the_class_are_no_proof(folder: Path, tmp_path: Path, told: str) -> None:
    """The output has the same paths: a folder or a file named after the class was `held`."""
    where = {"folder": "Brackley/note.txt", "name": "Brackley.txt"}[told]
    source = tmp_path / "in" / where
    source.parent.mkdir(parents=True)
    source.write_text(_table([None]).column("body")[0].as_py())
    asked = replace(
        batch(tmp_path / "in", tmp_path / "out"),
        sanitizer=_policy(folder, "none"),
        options=Options(truth=told),
    )
    first = run(asked)
    assert (first.judgement.verdict, first.published) == (Verdict.UNPROVEN, False)
    assert not (tmp_path / "out" / where).exists()
    assert run(replace(asked, allow_unproven=True)).judgement.verdict is Verdict.UNPROVEN
    assert (tmp_path / "out" / where).exists()


def test_the_column_that_tells_may_not_leave() -> None:
    with pytest.raises(UsageError):
        Options(text=("body",), copy=("client",), truth="client")


def test_the_secret_ranks_of_a_batch_come_from_its_lasting_key(folder: Path) -> None:
    """Two workers, or two runs, must not draw two ranks for one document: two copies tell more than one."""
    engines = [engine_for(_policy(folder, "fixed"), None) for _ in range(2)]
    spec = replace(engines[0].spec, key="ab" * 32)
    text = Document("", "text", _text("bonds"))
    guarantees = [replace(engine, spec=spec).bound.at(text).guarantees[-1] for engine in engines]
    found = [one.secret for one in guarantees if isinstance(one, Confusability) and one.secret is not None]
    assert len(found) == 2
    draws = [[secret.draw(500, "note", str(n)) for n in range(4)] for secret in found]
    assert draws[0] == draws[1]


@pytest.mark.parametrize("turn", [1, -1])
def test_an_unproven_document_of_a_batch_leaves_only_where_that_is_allowed(
    folder: Path, tmp_path: Path, turn: int
) -> None:
    """A row whose class was guessed left without being allowed to, and if a proven row came later all was `held`."""
    source = tmp_path / "in"
    source.mkdir()
    _lines(source / "notes.jsonl", ["", "Ashford"][::turn])
    asked = replace(
        batch(source, tmp_path / "out"),
        sanitizer=_policy(folder, "none"),
        options=Options(text=("body",), truth="client"),
    )
    first = run(asked)
    assert (first.counts["done"], first.counts["refused"]) == (1, 1)
    assert "k-confusability" in first.left[0][2]
    assert first.judgement.verdict is Verdict.HELD
    assert len((tmp_path / "out" / "notes.jsonl").read_text().splitlines()) == 1

    allowed = run(replace(asked, allow_unproven=True))
    assert allowed.counts["done"] == 2
    assert allowed.judgement.verdict is Verdict.UNPROVEN
    again = run(asked)
    assert (again.counts["refused"], again.judgement.verdict) == (1, Verdict.HELD)


def test_a_release_is_held_once_the_unproven_document_is_mended(folder: Path, tmp_path: Path) -> None:
    source = tmp_path / "in"
    source.mkdir()
    _lines(source / "notes.jsonl", ["", "Ashford"])
    asked = replace(
        batch(source, tmp_path / "out"),
        sanitizer=_policy(folder, "none"),
        options=Options(text=("body",), truth="client"),
        allow_unproven=True,
    )
    assert run(asked).judgement.verdict is Verdict.UNPROVEN
    _lines(source / "notes.jsonl", ["Brackley", "Ashford"])
    assert run(asked).judgement.verdict is Verdict.HELD
