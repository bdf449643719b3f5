"""What a guarantee keeps of one document for the next is bounded."""

from __future__ import annotations

import pytest

from efface.guarantees.semantic import judge
from efface.guarantees.semantic.near_names import NearNames


def test_what_is_kept_of_documents_does_not_grow_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judge, "MOST_REMEMBERED", 50)
    names = NearNames(("pneumonia",), lambda word: False)
    for number in range(400):
        assert not names.stand_in(f"strange{number:03d}word")
    assert names.stand_in("pneumonia") and names.stand_in("pnuemonia")
    assert len(names._known) <= 50
