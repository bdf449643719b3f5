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
    with running(tmp_path_factory.mktemp("page"), failures=1000) as found:
        yield found


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    from tests.review.browser import ARGUMENTS, CHROMIUM, playwright

    with playwright.sync_playwright() as started:
        chromium = started.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield chromium
        chromium.close()
