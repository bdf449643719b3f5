"""The tables that efface takes from large libraries say what those libraries say."""

from __future__ import annotations

from importlib.util import find_spec

import pytest
from tools.library_tables import tables

from efface.errors import PolicyError
from efface.operators import Surrogate, specs


def test_the_tables_are_what_the_libraries_say() -> None:
    for path, text in tables():
        assert path.read_text("utf-8") == text, f"python -m tools.library_tables writes {path.name} again"


def test_without_faker_a_policy_with_surrogates_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before anything is read, and with the command that helps."""
    monkeypatch.setattr(specs, "find_spec", lambda name: None if name == "faker" else find_spec(name))
    with pytest.raises(PolicyError) as refused:
        Surrogate()
    assert "efface[surrogates]" in refused.value.hint
