"""What the user of the command line is told and given."""

from __future__ import annotations

import json
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from pikepdf import Dictionary, Name, Stream, String
from typer.testing import CliRunner, Result

from efface.cli import main as cli
from efface.errors import Refused
from efface.files import ocr
from efface.formats import pdf as formats_pdf
from tests.formats.pdf.build import form, line, new_pdf, pixels, save

TEXT = "A letter to Jane Zanzibarov about nothing"


def redact(source: Path, *options: object) -> Result:
    output = source.with_name(f"out{source.suffix}")
    arguments = ["redact", str(source), "-o", str(output), "--deny", "Zanzibarov"]
    return CliRunner().invoke(cli.app, [*arguments, *map(str, options)])


@pytest.fixture
def source(tmp_path: Path) -> Path:
    pdf = new_pdf(line(TEXT))
    pdf.Root["/OpenAction"] = Dictionary(S=Name.JavaScript, JS=String("app.alert(1)"))
    path = tmp_path / "in.pdf"
    path.write_bytes(save(pdf))
    return path


def test_notes_are_shown_and_reported(source: Path, tmp_path: Path) -> None:
    result = redact(source, "--report", tmp_path / "r.json")
    assert result.exit_code == 0, result.output
    assert "JavaScript was dropped." in result.output
    assert "JavaScript was dropped." in json.loads((tmp_path / "r.json").read_text())["notes"]


def test_flatten(engine: None, source: Path, tmp_path: Path) -> None:
    result = redact(source, "--flatten")
    assert result.exit_code == 0, result.output
    assert "Every page is a picture" in result.output
    data = (tmp_path / "out.pdf").read_bytes()
    with pypdfium2.PdfDocument(data) as document:
        assert document[0].get_textpage().get_text_range().strip() == ""
    assert pixels(data).size == pixels(source.read_bytes()).size
    assert pixels(data).getextrema() == (0, 255)


def test_pages_that_nobody_can_read_again_are_not_held(source: Path, tmp_path: Path) -> None:
    result = redact(source, "--flatten")
    assert result.exit_code == 3 and "ocr" in result.output
    policy = tmp_path / "keep.yaml"
    policy.write_text("efface: 1\npictures: keep\n")
    assert redact(source, "--flatten", "--policy", policy).exit_code == 0


def test_drawn_pages_are_read_again(engine: None, source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The text says one word and the page shows another one: what is shown is cleared."""
    drawn = save(new_pdf(line(TEXT)))
    draw = formats_pdf.flatten
    shown = [drawn]
    monkeypatch.setattr(formats_pdf, "flatten", lambda data: draw(shown.pop() if shown else data))
    result = redact(source, "--flatten")
    assert result.exit_code == 0, result.output
    assert "only in the drawn pages" in " ".join(result.output.split())
    pictures = pixels(source.with_name("out.pdf").read_bytes(), scale=2.5)
    assert "Zanzi" not in " ".join(found.text for found in ocr.lines(pictures))


def test_flatten_is_for_pdf(tmp_path: Path) -> None:
    text = tmp_path / "in.txt"
    text.write_text(TEXT)
    result = redact(text, "--flatten")
    assert "Only the pages of a PDF" in str(result.exception)
    assert not (tmp_path / "out.txt").exists()


def nested(depth: int) -> bytes:
    """A page whose only text lies in forms within forms, deeper than anyone looks."""
    pdf = new_pdf(b"/Fm Do")
    inner = form(pdf, line(TEXT))
    for _ in range(depth):
        outer = form(pdf, b"/Fm Do")
        outer["/Resources"]["/XObject"] = Dictionary(Fm=inner)
        inner = outer
    pdf.pages[0].obj["/Resources"]["/XObject"] = Dictionary(Fm=inner)
    return save(pdf)


def test_flatten_first_what_cannot_be_searched(engine: None, tmp_path: Path) -> None:
    source = tmp_path / "in.pdf"
    source.write_bytes(nested(29))
    assert isinstance(redact(source).exception, Refused)
    result = redact(source, "--flatten")
    assert result.exit_code == 0, result.output
    shown = " ".join(
        found.text for found in ocr.lines(pixels((tmp_path / "out.pdf").read_bytes(), scale=2.5))
    )
    assert "A letter to" in shown and "about nothing" in shown
    assert "Jane" not in shown and "Zanzi" not in shown


def test_without_the_engine_it_stays_refused(tmp_path: Path) -> None:
    source = tmp_path / "in.pdf"
    source.write_bytes(nested(29))
    assert isinstance(redact(source, "--flatten").exception, Refused)


def test_a_scan_by_the_command(engine: None, tmp_path: Path) -> None:
    from efface.formats.pdf import flatten

    source = tmp_path / "in.pdf"
    source.write_bytes(flatten(save(new_pdf(line(TEXT)))))
    result = redact(source)
    assert result.exit_code == 0, result.output
    assert "OCR read page 1" in result.output
    with pikepdf.open(tmp_path / "out.pdf") as pdf:
        assert any(isinstance(obj, Stream) and obj.get("/Subtype") == "/Image" for obj in pdf.objects)
    shown = " ".join(
        found.text for found in ocr.lines(pixels((tmp_path / "out.pdf").read_bytes(), scale=2.5))
    )
    assert "A letter to" in shown and "about nothing" in shown
    assert "Jane" not in shown and "Zanzi" not in shown
