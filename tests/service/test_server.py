"""What the processes that serve write to the log."""

from __future__ import annotations

import io
import logging
from pathlib import Path

import pytest

from efface.errors import InputError
from efface.service.server import _LOGGING, PlaceOnly
from efface.service.settings import load


def said_by_a_library(formatter: logging.Formatter) -> list[str]:
    """The lines of a log in which a library quotes what somebody sent."""
    log = io.StringIO()
    handler = logging.StreamHandler(log)
    handler.setFormatter(formatter)
    library = logging.Logger("some_library.parser")
    library.addHandler(handler)
    library.warning("got %r at index 2", "Plantedword")
    try:
        raise ValueError("Plantedword")
    except ValueError:
        library.exception("Plantedword")
    return log.getvalue().splitlines()


def test_a_library_that_quotes_what_somebody_sent_is_not_repeated() -> None:
    """A parser of forms warns of the characters that it did not expect, for example."""
    first, second = said_by_a_library(PlaceOnly())
    assert "Plantedword" not in first + second
    assert "WARNING library some_library.parser" in first and "ERROR library some_library.parser" in second


def test_every_library_is_heard_in_this_way() -> None:
    (name,) = _LOGGING["root"]["handlers"]
    handler = _LOGGING["handlers"][name]
    assert _LOGGING["formatters"][handler["formatter"]] == {"()": PlaceOnly}


def test_settings_that_are_not_there_are_not_called_bad_yaml(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No such file") as missing:
        load(tmp_path / "nosuch.yaml")
    assert "--config" in missing.value.hint
    (tmp_path / "odd.yaml").write_text("a: [")
    with pytest.raises(InputError, match="not YAML"):
        load(tmp_path / "odd.yaml")
