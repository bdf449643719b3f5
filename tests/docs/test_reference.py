"""Generated pages are what the generator makes; every key of a policy has a meaning; the site builds."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from efface.policy import MODELS
from tools.policy_meanings import MEANINGS
from tools.reference import FOLDER, PAGES, PLACES

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


def test_site_builds_with_every_link_and_anchor(tmp_path: Path) -> None:
    pytest.importorskip("material", reason="the extra `docs` is not installed")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", str(tmp_path / "site")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "site" / "index.html").read_text("utf-8")
    for elsewhere in ("fonts.googleapis", "unpkg.com", "jsdelivr", "cdnjs"):
        assert elsewhere not in page
