"""`find.names` in a policy."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from efface.api.sanitizer import Sanitizer
from efface.cli.main import app
from efface.core import Verdict
from efface.errors import PolicyError
from efface.finders.adapters.spacy_finder import SpacyFinder
from efface.finders.names.finder import DEFAULT_TYPES, NameFinder
from efface.policy.bind import bind
from efface.policy.model import Policy, parse


def _finder(names: str) -> object:
    return bind(parse(f"efface: 1\nfind:\n  names: {names}\n")).finders.get("names")


@pytest.mark.parametrize(
    ("names", "finder"),
    [
        ("default", NameFinder()),
        ("none", None),
        ("{preset: precision}", NameFinder(preset="precision")),
        ("{model: default, risk: subject}", NameFinder(risk="subject")),
        ("{types: [PERSON, LOCATION]}", NameFinder(types=frozenset({"PERSON", "LOCATION"}))),
        ("{spacy: en_core_web_md}", SpacyFinder("en_core_web_md")),
    ],
)
def test_the_policy_chooses_the_finder(names: str, finder: object) -> None:
    assert _finder(names) == finder


def test_names_are_looked_for_unless_the_policy_says_no() -> None:
    assert bind(Policy()).finders["names"] == NameFinder()
    assert "names" not in bind(parse("find: {names: none}")).finders
    assert "names" in bind(parse("find: {patterns: none}")).finders
    assert "names" in bind(parse("find: {patterns: [EMAIL_ADDRESS]}")).finders
    assert NameFinder().types == DEFAULT_TYPES


@pytest.mark.parametrize(
    ("find", "dates"),
    [
        ("{names: default}", True),
        ("{names: {risk: subject}}", False),  # a statute's date is nobody's
        ("{names: {risk: subject}, patterns: [DATE_TIME]}", True),
    ],
)
def test_which_dates_tell_of_the_subject_is_for_the_model_to_say(find: str, dates: bool) -> None:
    patterns = bind(parse(f"efface: 1\nfind: {find}\n")).finders["patterns"]
    assert bool(list(patterns.find("the Law of 17 June 2004"))) is dates
    assert list(patterns.find("a@example.org")) or "[" in find


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ("{types: [PERSN]}", "PERSON"),
        ("{preset: both}", "recall"),
        ("{spacy: a, gliner: b}", "one of"),
        ("{modell: a}", "model"),
        ("sometimes", "names"),
    ],
)
def test_mistakes_are_named(names: str, said: str) -> None:
    with pytest.raises(PolicyError, match=said):
        _finder(names)


def test_operators_know_the_types() -> None:
    chosen = "{PERSON: surrogate, ORGANIZATION: redact, NRP: keep}"
    bound = bind(parse(f"efface: 1\nfind: {{names: default}}\noperators: {chosen}\n"))
    assert {"PERSON", "ORGANIZATION", "NRP"} <= bound.operators.by_type.keys() & set(bound.types)


@pytest.mark.parametrize(
    ("policy", "sought"), [(None, True), ("find: {names: default}\n", True), ("find: {names: none}\n", False)]
)
def test_the_command_line_says_when_names_were_not_looked_for(
    tmp_path: Path, policy: str | None, sought: bool
) -> None:
    page, released = tmp_path / "page.txt", tmp_path / "released.txt"
    page.write_text("Maria Gonzalez wrote from maria@example.org.", "utf-8")
    command = ["redact", str(page), "-o", str(released)]
    if policy:
        (tmp_path / "p.yaml").write_text(policy, "utf-8")
        command += ["--policy", str(tmp_path / "p.yaml")]
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 0
    assert ("Not looked for: names of persons" in result.output) is not sought
    assert ("Gonzalez" in released.read_text("utf-8")) is not sought


def test_a_word_file_with_names_is_released_and_holds_for_the_independent_reader(tmp_path: Path) -> None:
    import docx
    from PIL import Image

    picture = tmp_path / "scan.jpg"
    Image.linear_gradient("L").convert("RGB").save(picture)
    letter = docx.Document()
    for style in ("Edf Titre 1", "Policepardfaut", "Acme Legal Heading", "Gmail Workspace"):
        letter.styles.add_style(style, 1)
    letter.add_heading("Report on Rosa Lindqvist", 1)
    letter.add_paragraph(
        "Rosa Lindqvist of Deloitte met Mr Aziz Karimov in Lisbon.", style="Acme Legal Heading"
    )
    letter.add_paragraph("Your Gmail Workspace holds 2 tables; table 1 is new.", style="Gmail Workspace")
    letter.add_picture(str(picture))
    letter.core_properties.author = "Aziz Karimov"
    path = tmp_path / "letter.docx"
    letter.save(str(path))
    sanitizer = Sanitizer.from_text("find: {names: default}")
    report = sanitizer.sanitize(path)
    assert report.verdict is Verdict.HELD and report.released
    again = sanitizer.verify(report.released, name="letter.docx")
    assert again.verdict is Verdict.HELD, [o.after for o in again.outcomes]
    text = again.document.text
    assert not any(name in text for name in ("Lindqvist", "Karimov", "Lisbon", "Deloitte"))
    assert "Edf Titre 1" in text or "Titre" in text
