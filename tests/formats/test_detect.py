from __future__ import annotations

import subprocess
import sys

import pytest

from efface.errors import InputError
from efface.formats import BY_ENDING, FORMATS, detect, get_format


@pytest.mark.parametrize(
    ("name", "data", "format_name"),
    [
        ("a.txt", b"", "text"),
        ("A.MD", b"", "text"),
        ("a.csv", b"", "csv"),
        ("a.tsv", b"", "csv"),
        ("a.json", b"", "json"),
        ("a.jsonl", b"", "jsonl"),
        ("a.ndjson", b"", "jsonl"),
        ("a.b.HTM", b"", "html"),
        ("a.eml", b"", "eml"),
        ("README", b"text", "text"),
        ("page", b"\xef\xbb\xbf \n<!DOCTYPE HTML><p>", "html"),
        ("page.unknown", b"<html>", "html"),
        (".hidden", b"text", "text"),
    ],
)
def test_formats_are_told_by_name_or_beginning(name: str, data: bytes, format_name: str) -> None:
    assert detect(name, data) == format_name


def test_an_unknown_ending_is_refused_without_being_quoted() -> None:
    with pytest.raises(InputError) as caught:
        detect("notes.johnsmith", b"text")
    assert "johnsmith" not in caught.value.message + caught.value.hint
    assert ".csv" in caught.value.hint


@pytest.mark.parametrize("name", ["text", "csv", "json", "jsonl", "html", "eml"])
def test_every_row_leads_to_a_format_of_that_name(name: str) -> None:
    document = get_format(name).read(b"", "x")
    assert (document.format, document.text.strip()) == (name, "")
    assert all(BY_ENDING[ending] == name for ending in FORMATS[name].endings)


def test_a_format_is_imported_only_when_it_is_used() -> None:
    code = "import sys, efface.formats as f; f.get_format('text'); print('\\n'.join(sys.modules))"
    seen = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    loaded = {name for name in seen if name.startswith("efface.formats.")}
    used = ("plain", "plain.encoding", "plain.text", "patching", "patching.source_patching")
    assert loaded == {f"efface.formats.{name}" for name in used}


@pytest.mark.parametrize(
    ("name", "step"), [("a.DOC", ".docx"), ("a.msg", ".eml"), ("a.zip", "efface batch"), ("a.xyz", ".pdf")]
)
def test_a_kind_that_is_not_read_is_refused_with_what_to_do(name: str, step: str) -> None:
    with pytest.raises(InputError) as refused:
        detect(name, b"?")
    assert step in (refused.value.hint or "")


@pytest.mark.parametrize("name", ["docx", "xlsx", "odt", "pdf"])
def test_an_empty_file_is_called_empty(name: str) -> None:
    """A download that broke off leaves one: "not a PDF" would send people to look for another ending."""
    with pytest.raises(InputError, match="The file is empty"):
        get_format(name).read(b"", f"a.{name}")
