"""A release that is attacked before it leaves: held, broken, unproven, and what is then on the disk."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from efface.batch.release_attack import read_release
from efface.cli.main import app
from efface.errors import InputError
from efface.knowledge.identifiers.corpus import LabelledSpan, LabelledText
from efface.knowledge.identifiers.files import save
from efface.knowledge.identifiers.model import IdentifierSettings
from efface.knowledge.identifiers.training import train
from tests.batch.helpers import tree
from tests.guarantees.identifiers.toys import corpus

LETTERS = corpus(16)
NOTHING = {"documents": 0, "bytes": 0, "sha256": hashlib.sha256().hexdigest()}


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("model") / "names.greedy"
    save(train(corpus(24), IdentifierSettings(learner="crf", min_remaining=100)), path)
    return path


@pytest.fixture
def folder(tmp_path: Path, model: Path) -> Path:
    shutil.copy(model, tmp_path)
    (tmp_path / "policy.yaml").write_text(
        "find: {patterns: none, names: none}\nguarantees: [{identifiers: {model: names.greedy, limit: 0.05}}]\n"
    )
    (tmp_path / "in").mkdir()
    for letter in LETTERS:
        (tmp_path / "in" / f"{letter.name}.txt").write_text(letter.text)
    return tmp_path


def _labels(folder: Path, letters: Sequence[LabelledText], name: str = "labels.jsonl") -> Path:
    rows = (
        {"id": d.name, "text": d.text, "spans": [{"start": s.start, "end": s.end, "type": s.type} for s in d.spans]}
        for d in letters
    )  # fmt: skip
    (folder / name).write_text("\n".join(map(json.dumps, rows)))
    return folder / name


def _also(word: str) -> list[LabelledText]:
    """The letters, where this word is an identifier too: one that the model was not told of."""
    found = []
    for letter in LETTERS:
        at = letter.text.index(word)
        extra = LabelledSpan(at, at + len(word), "PERSON")
        found.append(LabelledText(letter.name, letter.text, (*letter.spans, extra)))
    return found


def _batch(folder: Path, *more: str | Path) -> Result:
    words = ["batch", folder / "in", folder / "out", "-p", folder / "policy.yaml", "--workers", "1", *more]
    return CliRunner().invoke(app, [str(word) for word in words])


def _certificate(folder: Path) -> dict[str, object]:
    found: dict[str, object] = json.loads((folder / "out.work" / "certificate.json").read_text())
    return found


def test_a_release_that_holds_appears(folder: Path) -> None:
    done = _batch(folder, "--labels", _labels(folder, LETTERS))
    assert done.exit_code == 0, done.output
    files = tree(folder / "out")
    assert len(files) == len(LETTERS)
    digests = sorted(hashlib.sha256(data).hexdigest() for data in files.values())
    whole = hashlib.sha256("".join(f"{digest}\n" for digest in digests).encode()).hexdigest()
    certificate = _certificate(folder)
    assert certificate["verdict"] == "held"
    assert certificate["released"] == {
        "documents": len(LETTERS), "bytes": sum(map(len, files.values())), "sha256": whole,
    }  # fmt: skip


def test_a_broken_release_leaves_nothing_and_takes_back_what_was_there(folder: Path) -> None:
    labels = _labels(folder, LETTERS)
    assert _batch(folder, "--labels", labels).exit_code == 0
    done = _batch(folder, "--labels", _labels(folder, _also("invoice")))
    assert done.exit_code == 3 and "withheld" in done.output and "the limit is 5.00%" in done.output
    assert not (folder / "out").exists() and len(tree(folder / "out.work" / "withheld")) == len(LETTERS)
    certificate = _certificate(folder)
    assert (certificate["verdict"], certificate["released"]) == ("broken", NOTHING)
    assert _batch(folder, "--labels", labels, "--allow-unproven").exit_code == 3  # `labels` was written anew
    assert _batch(folder, "--labels", _labels(folder, LETTERS)).exit_code == 0  # nothing is done again
    assert len(tree(folder / "out")) == len(LETTERS)


def test_without_labels_it_is_unproven(folder: Path) -> None:
    done = _batch(folder)
    assert done.exit_code == 3 and not (folder / "out").exists()
    assert _certificate(folder)["verdict"] == "unproven"
    assert _batch(folder, "--allow-unproven").exit_code == 4
    assert len(tree(folder / "out")) == len(LETTERS)


def test_labels_that_cannot_be_used_are_said_before_anything_is_done(folder: Path) -> None:
    done = _batch(folder, "--labels", folder / "missing.jsonl")
    assert isinstance(done.exception, InputError) and not (folder / "out.work").exists()
    (folder / "policy.yaml").write_text("find: {names: none}\n")
    done = _batch(folder, "--labels", _labels(folder, LETTERS))
    assert done.exit_code != 0 and "no guarantee about a whole release" in str(done.exception)
    assert not (folder / "out.work").exists()


def test_files_without_labels_are_counted(folder: Path) -> None:
    done = _batch(folder, "--labels", _labels(folder, LETTERS[:8]), "--json")
    notes = json.loads(done.stdout.splitlines()[-1])["notes"]
    assert notes[-1] == "8 released files have no labels and were not attacked."


@pytest.mark.parametrize(
    ("files", "names", "message"),
    [
        (["a/d0.txt", "b/d0.txt"], ["d0"], "Two released files"),
        (["d0.txt"], ["d0", "d0"], "Two labelled documents"),
        (["v1.txt"], ["v1.2", "v1.3"], "No released file has labels"),  # either could be meant
    ],
)
def test_labels_of_the_wrong_document_are_not_taken(
    files: list[str], names: list[str], message: str, tmp_path: Path
) -> None:
    letters = [LabelledText(name, LETTERS[0].text, LETTERS[0].spans) for name in names]
    for file in files:
        (tmp_path / "out" / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "out" / file).write_text(LETTERS[0].text)
    with pytest.raises(InputError, match=message):
        read_release(tmp_path / "out", _labels(tmp_path, letters))
