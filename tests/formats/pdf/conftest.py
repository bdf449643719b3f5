"""Files are read as without the `ocr` extra, unless a test asks for `engine`."""

from __future__ import annotations

import pytest

from efface.files import ocr


@pytest.fixture(autouse=True)
def no_engine(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    if "engine" not in request.fixturenames:
        monkeypatch.setattr(ocr, "available", lambda: False)


@pytest.fixture
def engine() -> None:
    """The test needs the OCR engine."""
    if not ocr.available():
        pytest.skip("the `ocr` extra is not installed")
