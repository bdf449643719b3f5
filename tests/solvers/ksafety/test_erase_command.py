"""`python -m experiments.erase` in a small form: it computes, whatever results lie where it writes."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pytest
from experiments.erase import __main__ as erase
from experiments.erase import diseases
from experiments.erase.__main__ import METHODS, POINTS, Point, Run
from experiments.erase.generator import World, make_world

SMALL = (Point("size", size=5), Point("crowd", size=5, others=2), Point("goodness", size=5, goodness=0.5))
OLD = "sweep,size,others,goodness,document,method,kept,most,optimality,seconds\nsize,5,10,0.8,0,btop,99,99.0,proved,1.0\n"
Computed = Callable[..., list[Run]]


@pytest.fixture(scope="module")
def world() -> World:
    return make_world(erase.SEED)


@pytest.fixture
def computed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, world: World) -> Computed:
    """Runs the command and gives what it drew."""
    drawn: list[Run] = []
    monkeypatch.setattr(erase, "POINTS", SMALL)
    monkeypatch.setattr(erase, "make_world", lambda _seed: world)
    monkeypatch.setattr(erase, "draw", lambda runs, _out: drawn.extend(runs))
    monkeypatch.setattr(diseases, "DATA", tmp_path / "no data")

    def run(*options: str) -> list[Run]:
        drawn.clear()
        monkeypatch.setattr("sys.argv", ["erase", "--quick", *options, "-o", str(tmp_path)])
        erase.main()
        return drawn

    return run


def test_a_clone_without_results_computes_every_run(computed: Computed, tmp_path: Path) -> None:
    runs = computed()
    assert {run.sweep for run in runs} == {"size", "crowd", "goodness"}
    assert {run.method for run in runs} >= {*METHODS}
    assert all(0 <= run.kept <= run.most <= 5 for run in runs)
    with (tmp_path / "runs.csv").open(encoding="utf-8") as file:
        assert len(list(csv.DictReader(file))) == len(runs) >= len(SMALL) * 3 * len(METHODS)


def test_results_that_are_there_are_computed_anew_unless_it_resumes(
    computed: Computed, tmp_path: Path
) -> None:
    for options, is_old_there in (("--resume", True), ("", False)):
        (tmp_path / "runs.csv").write_text(OLD)
        assert any(run.kept == 99 for run in computed(*options.split())) is is_old_there


def test_small_crowds_are_among_the_points() -> None:
    assert {2, 3, 4} <= {point.others for point in POINTS if point.sweep == "crowd"}


def test_the_disease_example_is_written_where_its_data_are(
    computed: Computed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(erase, "POINTS", SMALL[:1])
    computed()
    assert "disease example needs" in capsys.readouterr().out
    monkeypatch.setattr(diseases, "DATA", tmp_path)
    written: list[Path] = []
    monkeypatch.setattr(diseases, "write", written.append)
    computed()
    assert written == [tmp_path]
