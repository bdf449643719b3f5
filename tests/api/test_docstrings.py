"""Every public name of the front door has a docstring with an example, and the example is run."""

from __future__ import annotations

import doctest
import inspect
import os
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

import efface

MODULES = ("efface", "efface.core", "efface.errors", "efface.policy.model", *(f"efface.api.{name}" for name in
           ("conversation", "functions", "policies", "redaction", "restoring", "sanitizer")))  # fmt: skip


@pytest.mark.parametrize("name", MODULES)
def test_examples_run(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = doctest.testmod(import_module(name))
    assert result.attempted and not result.failed


def _public() -> Iterator[tuple[str, object]]:
    for name in efface.__all__:
        if name.startswith("__"):
            continue
        found = getattr(efface, name)
        yield name, found
        if inspect.isclass(found):
            for attribute, member in vars(found).items():
                if not attribute.startswith(("_", "model_")) and (
                    inspect.isfunction(member) or isinstance(member, property | classmethod | staticmethod)
                ):
                    yield f"{name}.{attribute}", member


@pytest.mark.parametrize(("name", "found"), [pytest.param(*one, id=one[0]) for one in _public()])
def test_public_name_has_an_example(name: str, found: object) -> None:
    documented = found.fget if isinstance(found, property) else getattr(found, "__func__", found)
    assert ">>>" in (inspect.getdoc(documented) or ""), f"{name} has no example"


def test_dir_names_what_there_is() -> None:
    assert set(dir(efface)) == set(efface.__all__)
    with pytest.raises(AttributeError):
        efface.nothing  # noqa: B018
    assert os.path.basename(efface.__file__ or "") == "__init__.py"  # noqa: PTH119
