"""A service on a home of its own, with the hospital, asked through its ASGI door."""

from __future__ import annotations

import shutil
from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the extra `service` is not installed")

from starlette.testclient import TestClient

from efface.service.app import Service, create
from efface.service.settings import ServiceSettings
from tests.real_postgres import own_database, real_postgres
from tests.service.browser import Windows
from tests.service.hospital import House, Open, furnish
from tests.service.processes import Running, running

Template = tuple[Path, dict[str, str]]


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Template:
    """A furnished home, to be copied: making one takes longer than most tests."""
    service, tokens = furnish(ServiceSettings(home=tmp_path_factory.mktemp("template")))
    service.store.close()
    return service.settings.home, tokens


@contextmanager
def opened(template: Template, home: Path, **given: Any) -> Iterator[House]:
    """A service on a copy of the template."""
    shutil.copytree(template[0], home)
    service = Service.open(ServiceSettings(home=home, **{"hosts": ("testserver",), **given}))
    with TestClient(create(service), raise_server_exceptions=False) as client:
        yield House(service, client, dict(template[1]))


@pytest.fixture
def open_house(template: Template, tmp_path: Path) -> Iterator[Open]:
    """Makes a service with the settings that a test wants."""
    with ExitStack() as stack:
        numbers = count()
        yield lambda **given: stack.enter_context(
            opened(template, tmp_path / f"home{next(numbers)}", **given)
        )


@pytest.fixture
def house(open_house: Open) -> House:
    return open_house()


@pytest.fixture(scope="module")
def shared_house(template: Template, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """For tests that change nothing."""
    with opened(template, tmp_path_factory.mktemp("shared") / "home") as found:
        yield found


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    with real_postgres() as address:
        yield address


@pytest.fixture
def postgres_url(postgres_server: str) -> Iterator[str]:
    """A database that no other test has written policies, people or folders to."""
    with own_database(postgres_server) as address:
        yield address


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """Office files are shown as text, as where LibreOffice is not installed."""
    with running(tmp_path_factory.mktemp("page"), failures=1000, office_pages=False) as found:
        yield found


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    from tests.service.browser import ARGUMENTS, CHROMIUM, playwright

    with playwright.sync_playwright() as started:
        found = started.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield found
        found.close()


@pytest.fixture(scope="session")
def windows(chromium: Any) -> Windows:
    return Windows(chromium)


@pytest.fixture
def browser(windows: Windows, request: pytest.FixtureRequest) -> Iterator[Windows]:
    """The one browser. Windows that a test leaves open would go on asking the server in all later tests."""
    yield windows
    windows.leave(are_sound=request.node.stash.get(_PASSED, False))


_PASSED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.when == "call":
        item.stash[_PASSED] = report.passed
    return report
