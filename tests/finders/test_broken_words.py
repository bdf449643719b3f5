"""A hidden name that is written in pieces is found, whatever parts it."""

from __future__ import annotations

from pathlib import Path

import pytest

from efface import Sanitizer
from efface.finders.phrases import PhraseFinder

POLICY = "efface: 1\nfind: {patterns: none, names: none}\nguarantees:\n  - semantic: {hide: {HIV: virus, diabetes: disease}}\n"


@pytest.fixture(scope="module")
def sanitizer(tmp_path_factory: pytest.TempPathFactory) -> Sanitizer:
    path = tmp_path_factory.mktemp("broken") / "policy.yaml"
    path.write_text(POLICY, "utf-8")
    return Sanitizer.from_policy(path)


@pytest.mark.parametrize(
    "written",
    [
        "H.I.V.",
        "H-I-V",
        "H I V",
        "h. i. v.",
        "H/I/V",
        "H\u200bIV",
        "H\u00adI\u00adV",
        "dia-\nbetes",
        "dia\u00adbetes",
        "DIA‐\n  BETES",
        "d i a b e t e s",
        "d*i*a*b*e*t*e*s",
    ],
)
def test_a_name_in_pieces_goes(sanitizer: Sanitizer, tmp_path: Path, written: str) -> None:
    source = tmp_path / "note.txt"
    source.write_text(f"The man has {written} and a table.", "utf-8")
    released = sanitizer.sanitize(source).released
    assert released is not None
    left = released.decode()
    assert left.startswith("The man has [TERM_1]")
    assert left.rstrip().endswith("and a table.")


@pytest.mark.parametrize(
    "text", ["J. R. R. Tolkien wrote.", "A long-\nterm plan of the U.S.A. and of a b c."]
)
def test_initials_and_wrapped_compounds_are_what_they_were(text: str) -> None:
    plain = [(m.start, m.end, m.key) for m in PhraseFinder().find(text)]
    named = PhraseFinder(names={"hiv": "HIV"})
    assert [(m.start, m.end, m.key) for m in named.find(text)] == plain
    assert not any("longterm" in key for _, _, key in plain)
