"""The service with the hospital, as the service's own tests have it; one server process and one browser for all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.service.conftest import house as house
from tests.service.conftest import open_house as open_house
from tests.service.conftest import template as template
from tests.service.processes import Running, running


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """Office files are shown as text, as where LibreOffice is not installed."""
    with running(tmp_path_factory.mktemp("page"), failures=1000, office_pages=False) as found:
        yield found


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    from tests.service.review.browser import ARGUMENTS, CHROMIUM, playwright

    with playwright.sync_playwright() as started:
        found = started.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield found
        found.close()


@pytest.fixture
def browser(chromium: Any) -> Iterator[Any]:
    """The one browser. Windows that a test leaves open would go on asking the server in all later tests."""
    yield chromium
    for context in chromium.contexts:
        context.close()
