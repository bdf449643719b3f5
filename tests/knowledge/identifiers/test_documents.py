"""A trained model on Word files and PDFs: one by one and as a release, with placeholders and with surrogates."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from efface.cli.main import app
from efface.formats import get_format
from efface.knowledge.identifiers.files import save
from efface.knowledge.identifiers.model import IdentifierSettings
from efface.knowledge.identifiers.training import train
from tests.guarantees.identifiers.toys import GIVEN, SURNAMES, corpus

POLICY = (
    "find: {patterns: none, names: none}\nguarantees: [{identifiers: {model: names.greedy, limit: 0.05}}]\n"
)
OPERATORS = {"placeholders": "", "surrogates": "operators: {PERSON: surrogate}\n"}
LINES = ("Dear Anna, please send the report to Moser before Friday.", "The contract was signed by Greta.")
NAMES = ("Anna", "Moser", "Greta")


def word(lines: tuple[str, ...]) -> bytes:
    from docx import Document

    document = Document()
    for line in lines:
        paragraph = document.add_paragraph()
        for piece in line.partition("report"):  # several runs, one in bold
            paragraph.add_run(piece).bold = piece == "report"
    document.core_properties.author = "Keller"
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def pdf(lines: tuple[str, ...]) -> bytes:
    from reportlab.pdfgen.canvas import Canvas

    buffer = io.BytesIO()
    canvas = Canvas(buffer, invariant=True)
    for number, line in enumerate(lines):
        canvas.drawString(72, 760 - 20 * number, line)
    canvas.save()
    return buffer.getvalue()


MAKERS = {"docx": word, "pdf": pdf}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("documents")
    save(train(corpus(), IdentifierSettings(learner="crf", min_remaining=100)), place / "names.greedy")
    for name, operators in OPERATORS.items():
        (place / f"{name}.yaml").write_text(POLICY + operators)
    return place


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def text_of(data: bytes, kind: str) -> str:
    return get_format(kind).read(data, f"a.{kind}").text


def check(text: str, operators: str) -> None:
    assert not any(name in text for name in NAMES)
    assert "please send the report to" in text and "contract was signed" in text
    body = text[: text.index("contract was signed by ") + 40]
    assert body.count("[PERSON_") == (3 if operators == "placeholders" else 0)


@pytest.mark.parametrize("kind", MAKERS)
@pytest.mark.parametrize("operators", OPERATORS)
def test_redact(kind: str, operators: str, folder: Path, tmp_path: Path) -> None:
    source, output = tmp_path / f"letter.{kind}", tmp_path / f"out.{kind}"
    source.write_bytes(MAKERS[kind](LINES))
    policy = folder / f"{operators}.yaml"
    assert run("redact", source, "-o", output, "-p", policy).exit_code == 3
    assert not output.exists()
    result = run("redact", source, "-o", output, "-p", policy, "--allow-unproven")
    assert result.exit_code == 4, result.output
    data = output.read_bytes()
    check(text_of(data, kind), operators)
    assert b"Keller" not in data


@pytest.mark.parametrize("operators", OPERATORS)
def test_batch_with_labels_attacks_what_it_releases(operators: str, folder: Path, tmp_path: Path) -> None:
    source, output = tmp_path / "in", tmp_path / "out"
    source.mkdir()
    rows = []
    for number, document in enumerate(corpus(8, seed=5)):
        kind = ("docx", "pdf")[number % 2]
        lines = tuple(line.strip() for line in document.text.split("\n\n") if line.strip())
        data = MAKERS[kind](lines)
        (source / f"{document.name}.{kind}").write_bytes(data)
        text = text_of(data, kind)
        spans = [
            {"start": at, "end": at + len(name), "type": "PERSON"}
            for name in (*GIVEN, *SURNAMES)
            for at in range(len(text))
            if text.startswith(name, at)
        ]
        rows.append(json.dumps({"id": document.name, "text": text, "spans": spans}))
    labels = tmp_path / "labels.jsonl"
    labels.write_text("\n".join(rows))
    policy = folder / f"{operators}.yaml"
    unproven = run("batch", source, output, "-p", policy, "--workers", "1")
    assert unproven.exit_code == 3 and not any(output.glob("*.pdf"))
    result = run("batch", source, output, "-p", policy, "--workers", "1", "--labels", labels)
    assert result.exit_code == 0, result.output
    for path in sorted(output.iterdir()):
        text = text_of(path.read_bytes(), path.suffix[1:])
        assert ("[PERSON_" in text) == (operators == "placeholders")
    attacked = run("attack", "release", output, "--labels", labels, "-p", policy, "--json")
    assert json.loads(attacked.stdout)["verdict"] == "held"
