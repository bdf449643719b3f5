"""The guarantee as a policy and the command line give it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from efface.api.sanitizer import Sanitizer
from efface.cli.demo_tour import _memo
from efface.cli.main import app
from efface.cli.shared.console import console
from efface.core import Report, Verdict
from efface.errors import Infeasible, InputError, PolicyError, UsageError
from efface.knowledge.classes import load
from efface.knowledge.classes.readers import OTHERS

MEMOS = {
    ("Ash", "metal"): "steel furnace foundry slag oaken oaken",
    ("Birch", "metal"): "steel furnace foundry rolling silver silver",
    ("Cedar", "metal"): "steel furnace slag rolling coral coral",
    ("Dune", "money"): "loan bank credit bond amber amber",
    ("Elm", "money"): "loan bank credit mortgage jade jade",
}
TEXT = "Ash asks: is the oaken furnace safe? Steel and slag, rolling, an oaken roof, the Tall Tree deal.\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    lines = [
        json.dumps({"client": client, "industry": industry, "text": text})
        for (client, industry), text in MEMOS.items()
        for _ in range(3)
    ]
    (tmp_path / "memos.jsonl").write_text("\n".join(lines))
    (tmp_path / "names.yaml").write_text("Ash: [Tall Tree]\n")
    _run(
        "train",
        "classes",
        tmp_path / "memos.jsonl",
        "--sensitive",
        "client",
        "--utility",
        "industry",
        "--aliases",
        tmp_path / "names.yaml",
        "-o",
        tmp_path / "m.model",
    )
    (tmp_path / "memo.txt").write_text(TEXT)
    (tmp_path / "key").write_text("a key of 16 bytes and more")
    return tmp_path


def _run(*arguments: object, code: int = 0) -> str:
    done = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert done.exit_code == code, done.output
    return done.output


def sanitizer(folder: Path, entry: str, operators: str = "") -> Sanitizer:
    policy = folder / "p.yaml"
    policy.write_text(
        "find: {patterns: none, names: none}\nkey: file:key\n"
        f"{operators}\n"
        f"guarantees: [{{k-confusability: {{model: m.model, k: 3{entry}}}}}]\n"
    )
    return Sanitizer.from_policy(policy)


def released(report: Report) -> str:
    assert report.verdict is Verdict.HELD
    assert report.released is not None
    return report.released.decode()


def test_fields_of_the_corpus_say_what_is_hidden_and_what_shows(folder: Path) -> None:
    report = sanitizer(folder, ", hide: client, truth: Ash, keep: industry").sanitize(folder / "memo.txt")
    left = released(report)
    for gone in ("Ash", "Tall Tree", "oaken"):
        assert gone not in left
    plan = report.outcomes[-1].plan
    assert plan is not None
    measure = plan.measures[0]
    assert measure.before == 1.0
    assert measure.limit == pytest.approx(1 / 3)
    assert measure.after <= measure.limit
    assert "1 → 1 of 2 categories" in plan.note


def test_another_field_is_refused(folder: Path) -> None:
    with pytest.raises(PolicyError):
        sanitizer(folder, ", hide: author, truth: Ash").sanitize(folder / "memo.txt")


def test_the_policy_adds_names_and_learns_a_class_at_run_time(folder: Path) -> None:
    (folder / "new.txt").write_text("steel furnace cobalt cobalt cobalt blast")
    text = "The Fir memo, project Needle: cobalt furnace, steel rolling, slag and cobalt."
    (folder / "fir.txt").write_text(text)
    entry = ", truth: Fir, learn: {Fir: {documents: [new.txt], aliases: [Needle]}}"
    left = released(sanitizer(folder, entry).sanitize(folder / "fir.txt"))
    for gone in ("Fir", "Needle", "cobalt"):
        assert gone not in left
    aliased = sanitizer(folder, ", truth: Ash, aliases: {Ash: Deal}").sanitize(folder / "memo.txt")
    assert "deal" not in released(aliased)
    with pytest.raises(UsageError):
        sanitizer(folder, ", truth: Ash, aliases: {Nobody: [x]}").sanitize(folder / "memo.txt")
    with pytest.raises(InputError):
        sanitizer(folder, ", learn: {Fir: {documents: [none.txt]}}").sanitize(folder / "memo.txt")


def test_the_class_may_stand_in_the_document(folder: Path) -> None:
    mail = "From: a@example.org\r\nX-Client: ASH\r\nSubject: oaken\r\n\r\nThe oaken furnace and rolling slag.\r\n"
    (folder / "memo.eml").write_bytes(mail.encode())
    entry = ", truth: {part: header X-Client}"
    report = sanitizer(folder, entry).sanitize(folder / "memo.eml")
    assert "oaken" not in released(report)
    assert "ASH" not in released(report)
    assert not report.notes
    for mistyped in (", truth: {part: header X-Clent}", ", truth: {part: body X-Client}"):
        with pytest.raises(UsageError, match="no part of the name"):
            sanitizer(folder, mistyped).sanitize(folder / "memo.eml")
    with pytest.raises(UsageError, match="no part of the name"):
        sanitizer(folder, entry).sanitize(folder / "memo.txt")
    guessed = sanitizer(folder, ", truth: guess").sanitize(folder / "memo.txt")
    assert any("guess" in note for note in guessed.notes)


def test_a_released_document_does_not_tell_its_class(folder: Path) -> None:
    unsure = sanitizer(folder, "").sanitize(folder / "memo.txt")
    assert unsure.verdict is Verdict.UNPROVEN
    bound = sanitizer(folder, ", truth: guess")
    (folder / "out.txt").write_text(released(bound.sanitize(folder / "memo.txt")))
    with pytest.raises(UsageError):
        bound.verify(folder / "out.txt")
    assert sanitizer(folder, ", truth: Ash").verify(folder / "out.txt").verdict is Verdict.HELD


def test_words_become_broader_ones_where_that_is_safe(folder: Path) -> None:
    (folder / "memo.txt").write_text("A slag and an oaken furnace; slag, steel, slag, slag. Foundry rolling.")
    plain = sanitizer(folder, ", truth: Ash").sanitize(folder / "memo.txt")
    wide = sanitizer(folder, ", truth: Ash", "operators: {WORD: generalise}").sanitize(folder / "memo.txt")
    assert released(wide)
    assert len(wide.edits) == len(plain.edits)
    kept = [edit.replacement for edit in wide.edits if not (edit.replacement or "").startswith("[")]
    assert kept
    assert all(edit.replacement and "[" in edit.replacement for edit in plain.edits)


def test_attackers_before_and_after_next_to_chance(folder: Path) -> None:
    rows = [json.loads(line) for line in (folder / "memos.jsonl").read_text().splitlines()]
    hidden = [{**row, "text": "[WORD_1] report"} for row in rows]
    (folder / "out.jsonl").write_text("\n".join(map(json.dumps, hidden)))
    base = ["attack", "classes", folder / "out.jsonl", "-m", folder / "m.model", "--sensitive", "client"]
    both = ["--originals", folder / "memos.jsonl", "--corpus", folder / "memos.jsonl"]
    answer = json.loads(_run(*base, *both, "--leave-out", "--json", "--report", folder / "r.html"))
    found = {row["attacker"]: row for row in answer["attackers"]}
    assert {"naive-bayes", "linear-svm", "logistic", "nearest", "rank-guess", "reader bm25"} <= set(found)
    assert {name for name, row in found.items() if row["planned"]} == {
        "naive-bayes",
        *(f"reader {name}" for name in OTHERS),
    }
    assert all(found.pop(name)["before"] is None for name in ("rank-guess", "redacted"))
    for row in found.values():
        assert row["chance"] == 0.2
        assert row["before"] == 1.0
        assert row["after"] < 1.0, "nothing is left to read here"
    page = (folder / "r.html").read_text()
    assert "linear-svm" in page
    assert "oaken" not in page
    assert "chance" in _run(*base)
    _run(*base, "--originals", folder / "none.jsonl", code=1)
    _run(*base, "--leave-out", code=2)
    _run(*base, "--report", folder / "r.txt", code=2)


def test_the_demo_memo_hides_the_client_and_shows_the_industry(tmp_path: Path) -> None:
    _memo(console(), tmp_path / "consulting")
    left = (tmp_path / "consulting" / "released.memo.txt").read_text()
    model = load(tmp_path / "consulting" / "clients.model")
    scores = dict(zip(model.sensitive.names, model.scores(left), strict=True))
    assert sum(score > scores["Barclow"] for score in scores.values()) >= 1
    assert "Barclow" not in left
    industries = model.utility.scores(*model.bag(left))
    assert model.utility.names[int(industries.argmax())] == "bank"


def test_stop_words_are_yours_to_choose(folder: Path) -> None:
    (folder / "stop.txt").write_text("Steel\nfurnace\n")
    arguments = [
        "train",
        "classes",
        folder / "memos.jsonl",
        "--sensitive",
        "client",
        "-o",
        folder / "s.model",
    ]
    _run(*arguments, "--stop-words", folder / "stop.txt")
    learned = load(folder / "s.model")
    assert "steel" not in learned.words
    assert "slag" in learned.words
    assert "steel" in load(folder / "m.model").words


def test_the_console_counts_what_was_changed(folder: Path) -> None:
    (folder / "p.yaml").write_text(
        "find: {patterns: none, names: none}\nguarantees: [{k-confusability: {model: m.model, k: 3, truth: Ash}}]\n"
    )
    out, report = folder / "out.txt", folder / "r.json"
    said = _run("redact", folder / "memo.txt", "-o", out, "--policy", folder / "p.yaml", "--report", report)
    edits = json.loads(report.read_text())["edits"]
    note = json.loads(report.read_text())["guarantees"][-1]["plan"]["note"]
    words, names = int(note.split()[0]), int(note.split("suppressed, ")[1].split()[0])
    assert words + names == len(edits)
    assert note in said
    assert "needed rank higher" not in said  # the findings are what could go, not what went


def test_an_unknown_class_leads_to_the_policy(folder: Path) -> None:
    policy = "guarantees: [{k-confusability: {model: m.model, k: 3, truth: Yew}}]\n"
    (folder / "p.yaml").write_text(policy)
    with pytest.raises(UsageError) as refused:
        Sanitizer.from_policy(folder / "p.yaml").sanitize(TEXT.encode(), name="memo.txt")
    assert "`learn`" in refused.value.hint


@pytest.mark.parametrize("text", ["", "Zyx wvu.\n"], ids=["empty", "unknown words only"])
@pytest.mark.parametrize("k", [2, 3])
def test_a_document_without_a_known_word_is_refused_with_a_true_next_step(
    folder: Path, text: str, k: int
) -> None:
    """Its class ranks by its frequency alone: equal to the others here, and ties count against us."""
    policy = f"guarantees: [{{k-confusability: {{model: m.model, k: {k}, truth: Ash}}}}]\n"
    (folder / "p.yaml").write_text(policy)
    with pytest.raises(Infeasible) as refused:
        Sanitizer.from_policy(folder / "p.yaml").sanitize(text.encode(), name="memo.txt")
    assert "smaller k" not in refused.value.hint
    assert "no word that the model knows" in str(refused.value)


def test_a_class_without_documents_or_words_is_told(tmp_path: Path) -> None:
    for name, text in (("Ash", "steel furnace steel"), ("Birch", "loan bank loan"), ("Mute", "...")):
        (tmp_path / "corpus" / name).mkdir(parents=True)
        (tmp_path / "corpus" / name / "a.txt").write_text(text)
    (tmp_path / "corpus" / "Void").mkdir()
    said = _run("train", "classes", tmp_path / "corpus", "--min-count", "1", "-o", tmp_path / "m.model")
    assert "Void has no documents" in said
    assert "Mute has no words" in said
    assert "3 classes" in said
