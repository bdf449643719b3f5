"""From labelled letters to a release that was attacked, on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from efface.api.sanitizer import Sanitizer
from efface.cli.main import app
from efface.errors import EffaceError
from tests.guarantees.identifiers.toys import corpus

POLICY = (
    "find: {patterns: none, names: none}\nguarantees: [{identifiers: {model: names.greedy, limit: 0.05}}]\n"
)


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def labelled(folder: Path, documents: int = 24) -> Path:
    path = folder / "letters.jsonl"
    rows = [
        {
            "id": d.name,
            "text": d.text,
            "spans": [dict(zip(("start", "end", "type"), s, strict=True)) for s in d.spans],
        }
        for d in corpus(documents)
    ]
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("release")
    result = run(
        "train", "identifiers", labelled(place), "-o", place / "names.greedy", "--learner", "crf",
        "--min-remaining", "100", "--log", place / "log.jsonl", "--json",
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    (place / "policy.yaml").write_text(POLICY)
    return place


def test_training_logs_every_round(folder: Path) -> None:
    rows = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
    assert rows[0]["applied"] and not rows[-1]["applied"]
    assert rows[0]["next_loss"] < rows[0]["loss"]
    assert "Anna" in rows[0]["removed"] and rows[-1]["removed"] == []
    assert (folder / "log.jsonl").stat().st_mode & 0o077 == 0
    assert (folder / "names.greedy").stat().st_mode & 0o077 == 0
    assert not (folder / "names.greedy.partial").exists()


def test_one_document_alone_is_unproven(folder: Path) -> None:
    (folder / "letter.txt").write_text("Dear Anna, please send the report to Moser before Friday.")
    output = folder / "letter.out.txt"
    arguments = ("redact", folder / "letter.txt", "-o", output, "-p", folder / "policy.yaml")
    assert run(*arguments).exit_code == 3
    assert not output.exists()
    assert run(*arguments, "--allow-unproven").exit_code == 4
    assert output.read_text() == "Dear [PERSON_1], please send the report to [PERSON_2] before Friday."
    assert run("verify", output, "-p", folder / "policy.yaml").exit_code == 4


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.html", b"<p>Dear <b>Anna</b>, please send the report to Moser before Friday.</p>"),
        ("a.csv", b'note\n"Dear Anna, please send the report to Moser before Friday."\n'),
        ("a.json", b'{"note": "Dear Anna, please send the report to Moser before Friday."}'),
    ],
)
def test_every_format(name: str, data: bytes, folder: Path) -> None:
    sanitizer = Sanitizer.from_policy(folder / "policy.yaml")
    assert sanitizer.sanitize(data, name=name).released is None
    report = sanitizer.sanitize(data, name=name, allow_unproven=True)
    assert report.verdict == "unproven"
    assert report.released is not None
    assert b"Anna" not in report.released and b"Moser" not in report.released
    assert b"report" in report.released


def test_surrogates_hide_in_plain_sight(folder: Path) -> None:
    policy = folder / "fakes.yaml"
    (folder / "key").write_text("a key of the test, always the same")
    policy.write_text(POLICY + "operators: {PERSON: surrogate}\nkey: file:key\n")
    report = Sanitizer.from_policy(policy).sanitize(
        b"Dear Anna, please send the report to Moser.", name="a.txt", allow_unproven=True
    )
    text = (report.released or b"").decode()
    assert report.verdict == "unproven"
    assert "Anna" not in text and "[PERSON" not in text and text.startswith("Dear ")


def released(folder: Path, name: str, policy: Path | None) -> Path:
    out = folder / name
    out.mkdir(exist_ok=True)
    for document in corpus(12):
        data = document.text.encode()
        if policy is not None:
            report = Sanitizer.from_policy(policy).sanitize(data, name="a.txt", allow_unproven=True)
            assert report.released is not None
            data = report.released
        (out / f"{document.name}.txt").write_bytes(data)
    return out


def test_a_release_without_names_holds(folder: Path) -> None:
    out = released(folder, "out", folder / "policy.yaml")
    result = run(
        "attack", "release", out, "--labels", folder / "letters.jsonl", "-p", folder / "policy.yaml", "--json"
    )
    answer = json.loads(result.stdout)
    assert (result.exit_code, answer["verdict"]) == (0, "held")
    assert answer["types"][0]["left"] <= 2
    assert [one["theorem"] for one in answer["types"][0]["bounds"]] == [3, 4, 5, 6]


def test_a_release_with_its_names_is_broken(folder: Path) -> None:
    out = released(folder, "open", None)
    result = run("attack", "release", out, "--labels", folder / "letters.jsonl", "--limit", "0.05")
    assert result.exit_code == 3
    assert "broken" in result.output and "the limit is 5.00%" in result.output
    assert "Anna" not in result.output


def test_where_the_labels_know_no_identifier_nothing_is_proven(folder: Path) -> None:
    out = folder / "plain"
    out.mkdir()
    (out / "quiet.txt").write_text("The plant near the river is closed.")
    (out / "unknown.txt").write_text("Nobody labelled this.")
    labels = folder / "quiet.jsonl"
    spoken = {"id": "other", "text": "Anna", "spans": [[0, 4, "PERSON"]]}
    plain = {"id": "quiet", "text": "The plant near the river is closed.", "spans": []}
    labels.write_text("\n".join(map(json.dumps, (spoken, plain))))
    result = run("attack", "release", out, "--labels", labels)
    assert result.exit_code == 4
    assert "unproven" in result.output and "1 without labels" in result.output
    answer = json.loads(run("attack", "release", out, "--labels", labels, "--json").stdout)
    assert (answer["verdict"], answer["documents"], answer["unlabelled"]) == ("unproven", 1, 1)


def test_a_release_without_labels_is_an_error(folder: Path) -> None:
    (folder / "strangers").mkdir()
    (folder / "strangers" / "x.txt").write_text("word")
    with pytest.raises(EffaceError, match="has labels"):
        CliRunner().invoke(
            app,
            ["attack", "release", str(folder / "strangers"), "--labels", str(folder / "letters.jsonl")],
            catch_exceptions=False,
        )


def test_the_tradeoff_is_shown_and_drawn(folder: Path) -> None:
    picture = folder / "curve.png"
    result = run(
        "tradeoff", folder / "letters.jsonl", "--ratios", "1,10", "--folds", "2", "--plot", picture, "--json"
    )
    answer = json.loads(result.stdout)
    assert [row["loss_ratio"] for row in answer["points"]] == [1, 10]
    assert answer["knee"] in (1, 10)
    assert picture.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("ratios", ["", "0", "a", "-1", "nan", "inf"])
def test_bad_ratios(ratios: str, folder: Path) -> None:
    assert run("tradeoff", folder / "letters.jsonl", "--ratios", ratios).exit_code == 2


def test_an_unknown_aim_is_refused(folder: Path) -> None:
    arguments = ("train", "identifiers", folder / "letters.jsonl", "-o", folder / "x.greedy", "--aim", "fame")
    assert run(*arguments).exit_code == 2


@pytest.mark.parametrize("pair", ["x=1", "p=", "p", "delta=-1", "q=nan"])
def test_bad_assumptions(pair: str, folder: Path) -> None:
    arguments = ("attack", "release", folder, "--labels", folder / "letters.jsonl", "--assume", pair)
    assert run(*arguments).exit_code == 2


def test_an_existing_model_is_not_replaced(folder: Path) -> None:
    with pytest.raises(EffaceError, match="exists"):
        CliRunner().invoke(
            app,
            ["train", "identifiers", str(folder / "letters.jsonl"), "-o", str(folder / "names.greedy")],
            catch_exceptions=False,
        )
