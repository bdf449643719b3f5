"""The page on models names every file that efface learned or took from others."""

from __future__ import annotations

from pathlib import Path

import efface

PACKAGE = Path(efface.__file__).parent
PAGE = (Path(__file__).resolve().parents[2] / "docs" / "models.md").read_text("utf-8")


def _data_files() -> set[str]:
    """The files of all data folders. The chains of single languages are told as their folder."""
    files = set()
    for folder in PACKAGE.rglob("data"):
        found = (path for path in folder.rglob("*") if path.is_file() and path.suffix not in (".py", ".pyc"))
        files |= {
            "finders/names/data/chains" if path.parent.name == "chains" else path.name for path in found
        }
    return files


def test_every_packaged_model_and_list_has_a_card() -> None:
    files = _data_files()
    assert len(files) > 15
    assert {name for name in files if name not in PAGE} == set()
