"""Generated pages are what the generator makes; every key of a policy has a meaning; the site builds."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tools.policy_meanings import MEANINGS
from tools.reference import FOLDER, PAGES, PLACES

from efface.policy.model import MODELS

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("name", PAGES)
def test_page_is_up_to_date(name: str) -> None:
    if name == "http.md":
        pytest.importorskip("fastapi", reason="the extra `service` is not installed")
    made = PAGES[name]().rstrip() + "\n"
    assert (FOLDER / name).read_text("utf-8") == made, "run `python -m tools.reference`"


def test_every_key_has_a_meaning() -> None:
    assert {model.__name__: set(model.model_fields) for model in MODELS} == {
        model: set(keys) for model, keys in MEANINGS.items()
    }
    assert set(PLACES) == set(MEANINGS)


def _built(root: Path, site: Path) -> subprocess.CompletedProcess[str]:
    """Not `--quiet`: then mkdocs does not count its warnings, and nothing is strict."""
    return subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(site)],
        cwd=root,
        check=False,
        capture_output=True,
        text=True,
        timeout=300,
    )


def test_site_builds_with_every_link_and_anchor(tmp_path: Path) -> None:
    pytest.importorskip("material", reason="the extra `docs` is not installed")
    done = _built(ROOT, tmp_path)
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "index.html").read_text("utf-8")
    for elsewhere in ("fonts.googleapis", "unpkg.com", "jsdelivr", "cdnjs"):
        assert elsewhere not in page


def test_a_wrong_link_or_anchor_stops_the_build(tmp_path: Path) -> None:
    pytest.importorskip("material", reason="the extra `docs` is not installed")
    (tmp_path / "docs").mkdir()
    shutil.copytree(ROOT / "tools", tmp_path / "tools")
    settings = (ROOT / "mkdocs.yml").read_text("utf-8").partition("\nnav:")[0]
    (tmp_path / "mkdocs.yml").write_text(f"{settings}\nnav: [index.md]\n", "utf-8")
    links = "[a](nowhere.md) [b](index.md#nothing) [c](../nothing.py)"
    (tmp_path / "docs" / "index.md").write_text(f"# A page\n\n{links}\n", "utf-8")
    done = _built(tmp_path, tmp_path / "site")
    assert done.returncode != 0
    assert all(link in done.stderr for link in ("nowhere.md", "#nothing", "../nothing.py"))
