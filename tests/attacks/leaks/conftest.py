"""Files are read as without the `ocr` extra."""

from __future__ import annotations

import pytest

from efface.files import ocr


@pytest.fixture(autouse=True)
def no_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ocr, "available", lambda: False)
