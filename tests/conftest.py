from __future__ import annotations

import gc
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, is_hypothesis_test, settings

# Two workers share the machine: a library that starts a thread for each core in both makes each wait for the other.
# They read this when they load, so it stands before any of them.
for _library in ("OMP", "OPENBLAS", "MKL"):
    os.environ.setdefault(f"{_library}_NUM_THREADS", "1")

settings.register_profile(
    "efface", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow], database=None
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "efface"))

# `make test-all` sets it. `make test` tries half of the examples of each property; nothing is left out.
IS_FULL = bool(os.environ.get("EFFACE_FULL_TESTS"))
_FEWEST = 25  # examples of which none is left out

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The real data beside the project; users do not have it, so tests that need it skip."""
    if not SHARED.is_dir():
        pytest.skip("needs ../shared/data, which is not here")
    return SHARED


# Chromium now and then loses an answer on a machine that was stopped for a while, and waits for it until its time is up,
# with any version of efface. A test that only waited in vain is tried once more; one that saw something wrong is not.
_TRIED_AGAIN = pytest.mark.flaky(reruns=1, only_rerun=["TimeoutError", "with timeout [0-9]+ms"])


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Slow tests first: one of them at the end would keep one worker busy while the other has nothing left."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(_TRIED_AGAIN)
    if not IS_FULL:
        for function in {item.function for item in items if isinstance(item, pytest.Function)}:
            _halve_examples(function)


def _halve_examples(function: Any) -> None:
    """A property that was written with 400 examples is tried with 200 of them."""
    own = getattr(
        function, "_hypothesis_internal_use_settings", None
    )  # where `@settings` keeps what it is given
    if is_hypothesis_test(function) and own is not None and own.max_examples > _FEWEST:
        fewer = max(_FEWEST, own.max_examples // 2)
        function._hypothesis_internal_use_settings = settings(own, max_examples=fewer)


def pytest_collection_finish() -> None:
    """7,000 collected tests live to the end: the garbage collector need not look at them again and again."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """The counts that tests recorded, also those of other processes."""
    for report in terminalreporter.stats.get("passed", []):
        for name, value in report.user_properties:
            if name == "count":
                terminalreporter.write_line(str(value))
