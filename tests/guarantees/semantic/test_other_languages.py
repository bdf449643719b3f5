"""Other languages: a cognate of a hidden name goes like the name, and text that the counts cannot read is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from efface import Sanitizer
from efface.core import GapKind, Report, Verdict

HIDDEN = (
    "diabetes: disease, leukemia: disease, syphilis: disease, schizophrenia: disorder, cocaine: drug, "
    "lung cancer: disease, Lisbon: city, asthma: disease, narcolepsy: disorder"
)
POLICY = "efface: 1\nfind: {{patterns: none, names: none}}\n{}guarantees:\n  - semantic: {{hide: {{{}}}}}\n"


def _bound(folder: Path, more: str = "", hidden: str = HIDDEN) -> Sanitizer:
    path = folder / "policy.yaml"
    path.write_text(POLICY.format(more, hidden), "utf-8")
    return Sanitizer.from_policy(path)


@pytest.fixture(scope="module")
def sanitizer(tmp_path_factory: pytest.TempPathFactory) -> Sanitizer:
    return _bound(tmp_path_factory.mktemp("languages"))


def _report(sanitizer: Sanitizer, folder: Path, text: str) -> Report:
    source = folder / "note.txt"
    source.write_text(text, "utf-8")
    return sanitizer.sanitize(source)


@pytest.mark.parametrize(
    "written",
    [
        "diabète",
        "Diabète",
        "diabe\u0300te",  # the accent as a sign of its own
        "DIABETE",
        "diabetis",
        "diabeties",
        "leukämie",
        "leucemia",
        "leucémie",
        "leukeamia",
        "sífilis",
        "Syphilis",
        "esquizofrenia",
        "schizophrénie",
        "Schizofrenie",
        "kokain",
        "cocaína",
        "Lissabon",
        "Lisbonne",
        "lung cancre",
        "Leukämiepatient",
        "asthmatic",
        "narcoleptic",
    ],
)
def test_a_cognate_or_a_misspelling_goes(sanitizer: Sanitizer, tmp_path: Path, written: str) -> None:
    report = _report(sanitizer, tmp_path, f"The man has {written} and a table.")
    assert report.released is not None
    placeholder_or_class = ("The man has [TERM_1]", "The man has a disease")
    assert report.released.decode().startswith(placeholder_or_class)
    assert report.released.decode().rstrip().endswith("and a table.")


@pytest.mark.parametrize("written", ["diameters", "locations", "siblings", "cocoa", "cabinet", "ribbon"])
def test_an_ordinary_word_stays(sanitizer: Sanitizer, tmp_path: Path, written: str) -> None:
    report = _report(sanitizer, tmp_path, f"The man has {written} and a table.")
    assert report.released == f"The man has {written} and a table.".encode()
    assert report.verdict is Verdict.HELD


ENGLISH = "The weather was fine, and we went to the lake with all of our friends."
FOREIGN = {
    "French": "La patiente souffre du sucre depuis trois ans et prend des piqûres tous les jours.",
    "German": "Das Kind leidet seit drei Jahren an der Zuckerkrankheit und muss jeden Tag spritzen.",
    "Spanish": "La niña tiene el azúcar muy alto desde hace tres años y se pincha todos los días.",
    "Chinese": "他得了糖尿病。",
    "Russian": "Мальчик три года болеет и каждый день делает уколы.",
}


@pytest.mark.parametrize("language", FOREIGN)
@pytest.mark.parametrize("form", ["{}", "{}\n\n" + ENGLISH, ENGLISH + " {}", ENGLISH + " {} " + ENGLISH])
def test_text_in_another_language_is_unproven(
    sanitizer: Sanitizer, tmp_path: Path, language: str, form: str
) -> None:
    report = _report(sanitizer, tmp_path, form.format(FOREIGN[language]))
    told = [gap for gap in report.coverage.unseen if gap.kind is GapKind.LANGUAGE]
    assert report.verdict is Verdict.UNPROVEN
    assert told
    assert all("accept: [language]" in gap.next_step for gap in told)
    assert "line" in told[0].where


def test_a_policy_may_accept_other_languages(tmp_path: Path) -> None:
    report = _report(_bound(tmp_path, "accept: [language]\n", "Lisbon: city"), tmp_path, FOREIGN["French"])
    assert report.verdict is Verdict.HELD


@pytest.mark.parametrize(
    "text",
    [
        ENGLISH,
        "BP 120/80, HR 72, RR 16, T 37.2; abd soft nt nd, ext wnl, neuro a&o x3, f/u prn w/ pcp in 2 wks.",
        "sodium chloride, acetaminophen, ibuprofen, amoxicillin, warfarin, enoxaparin, ondansetron, senna",
        "We had coq au vin and crème brûlée at a café near the Place de la Concorde.",
        "pt c/o n/v x 3d, denies cp/sob, no hx of cad, labs wnl, plan d/c home w/ f/u",
    ],
)
def test_english_is_read(sanitizer: Sanitizer, tmp_path: Path, text: str) -> None:
    report = _report(sanitizer, tmp_path, text)
    assert [gap for gap in report.coverage.unseen if gap.kind is GapKind.LANGUAGE] == []
