from __future__ import annotations

import gc
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Two workers share the machine: a library that starts a thread for each core in both makes each wait for the other.
# They read this when they load, so it stands before any of them.
for _library in ("OMP", "OPENBLAS", "MKL"):
    os.environ.setdefault(f"{_library}_NUM_THREADS", "1")

settings.register_profile(
    "efface", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow], database=None
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "efface"))

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The real data beside the project; users do not have it, so tests that need it skip."""
    if not SHARED.is_dir():
        pytest.skip("needs ../shared/data, which is not here")
    return SHARED


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Slow tests first: one of them at the end would keep one worker busy while the other has nothing left."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


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
