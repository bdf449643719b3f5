"""The experiment on whole data sets: it goes on where it stopped, and its page says what was missed."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from experiments.greedy_sanitize import whole
from experiments.greedy_sanitize.trials import Task

from efface.attacks.release import Attack
from efface.learners.greedy import Counts
from tests.guarantees.identifiers.toys import corpus


@pytest.fixture
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole, "load", lambda _name, _words, _seed: corpus(24))


def test_a_fold_is_published_and_attacked_by_all(toys: None) -> None:
    row = whole.run_fold(Task("enron", 0, None), 10.0, ("crf", "svm"), 1)
    assert 0 <= row.found <= row.left <= row.names
    assert row.attacker in ("crf 0", "svm 0")
    assert row.sample == 0


def test_the_attacker_reads_with_his_largest_budget() -> None:
    ranked = np.array([False] * 60 + [True] + [False] * 39)
    few, many = (Attack(ranked, Counts(0, marked, 0, 0), ()) for marked in (1, 70))
    assert whole.found_by(few) == 0
    assert whole.found_by(many) == 1


def test_a_run_goes_on_where_it_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run_fold(task: Task, ratio: float) -> whole.WholeRow:
        return whole.WholeRow(
            task.dataset, task.fold, task.words or 0, ratio, 2, 1000, 50, 60, 2, 1, "names 0"
        )

    monkeypatch.setattr(whole, "run_fold", run_fold)
    monkeypatch.setattr(
        sys, "argv", ["whole", "--datasets", "wiki", "--folds", "1", "-o", str(tmp_path / "w.csv")]
    )
    whole.main()
    rows = whole.read(tmp_path / "w.csv")
    assert rows == [run_fold(Task("wiki", 0, None), 10.0)]
    capsys.readouterr()
    whole.main()
    assert capsys.readouterr().out == ""
    monkeypatch.setattr(sys, "argv", [*sys.argv[:3], "--quick", "-o", str(tmp_path / "w.csv")])
    whole.main()  # a sample is another run, not the same one
    assert [row.sample for row in whole.read(tmp_path / "w.csv")] == [0, whole.QUICK_WORDS]


def test_the_page_says_what_was_missed_and_what_was_not_run() -> None:
    good = whole.WholeRow("wiki", 0, 0, 10.0, 2, 1000, 50, 60, 1, 1, "names 0")
    bad = whole.WholeRow("court", 0, 0, 10.0, 2, 1000, 50, 60, 2, 1, "crf 0")
    page = whole.page([good, bad])
    assert "94.0% | 2.0% | 2.0% | 2 | met |" in page
    assert "94.0% | 4.0% | 2.0% | 2 | missed |" in page
    assert "Not run yet: enron, newsgroup, clinical, tweets." in page
