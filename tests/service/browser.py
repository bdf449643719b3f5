"""A real browser in front of a real server: what every test of the page needs."""

from __future__ import annotations

import contextlib
import importlib
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.service.processes import Running

playwright: Any = None  # the tests of the API in the same files do without
with contextlib.suppress(ImportError):
    playwright = importlib.import_module("playwright.sync_api")

CHROMIUM = os.environ.get("EFFACE_CHROMIUM") or shutil.which("chromium")
needed = pytest.mark.skipif(
    CHROMIUM is None or playwright is None, reason="chromium or playwright is not installed"
)
ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
WIDE, PHONE = {"width": 1400, "height": 850}, {"width": 360, "height": 740}
expect: Any = playwright and playwright.expect
if expect is not None:
    expect.set_options(timeout=60_000)  # two browsers and a server share two cores in the whole suite


# The page makes the next document of the queue ready. In a queue that all tests share, that is another test's document.
_PREPARES_NOTHING = """{
    const real = window.fetch;
    const isPreparation = (path) => String(path).endsWith("/preparation");
    window.fetch = (path, more) => (isPreparation(path) ? new Promise(() => {}) : real(path, more));
}"""
_sessions: dict[tuple[str, str], Any] = {}  # cookies of whoever has signed in, by server and name
_QUIET = "/health"  # an address at which no script runs
_RESET_TIMEOUT = 10_000.0  # milliseconds for a window that a test leaves; one that takes longer is closed


class Windows:
    """The browser, and windows that earlier tests have left: a new one takes half a second of a core, and so does a
    page that is loaded into it for the first time."""

    def __init__(self, chromium: Any) -> None:
        self.chromium = chromium
        self._free: list[Any] = []
        self._used: list[Any] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self.chromium, name)

    def take(self, size: dict[str, int], scheme: str) -> Any:
        """A window with nothing of earlier tests in it."""
        if not self._free:
            self._free.append(_new_window(self.chromium, size))
        page = self._free.pop()
        self._used.append(page)
        page.set_viewport_size(size)
        page.emulate_media(media="screen", color_scheme=scheme)
        page.troubles.clear()
        return page

    def leave(self, *, are_sound: bool) -> None:
        """Empty the windows that a test has used, and close all others: they would go on asking the server."""
        used, self._used = self._used, []
        if are_sound:
            self._free += [page for page in used if _is_emptied(page)]
        kept = {id(page.context) for page in self._free}
        for context in self.chromium.contexts:
            if id(context) not in kept:
                context.close()


def _new_window(chromium: Any, size: dict[str, int], prepares: bool = False, **more: Any) -> Any:
    context = chromium.new_context(viewport=size, **more)
    if not prepares:
        context.add_init_script(_PREPARES_NOTHING)
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.troubles = []
    page.on("pageerror", lambda error: page.troubles.append(str(error)))
    page.on("dialog", lambda dialog: (page.troubles.append("alert"), dialog.dismiss()))
    return page


def _is_emptied(page: Any) -> bool:
    """Whether the window holds nothing of a test any more."""
    try:
        for other in page.context.pages:
            if other is not page:
                other.close()
        page.set_default_timeout(_RESET_TIMEOUT)
        page.unroute_all(behavior="ignoreErrors")
        page.context.set_offline(False)
        page.goto(
            page.evaluate("location.origin") + _QUIET
        )  # of the same server: another begins a new process
        page.evaluate("localStorage.clear(), sessionStorage.clear()")
        page.set_default_timeout(60_000)
    except playwright.Error:
        return False
    return True


def enter(
    browser: Any,
    server: Running,
    who: str = "reviewer",
    size: dict[str, int] = WIDE,
    prepares: bool = False,
    color_scheme: str = "light",
) -> Any:
    """Signed in, in a window of its own. `prepares`: the next document is made ready, as for users. A script error or an alert fails the test that looks at `troubles`."""
    if prepares:
        page = _new_window(browser, size, prepares=True, color_scheme=color_scheme)
    else:
        page = browser.take(size, color_scheme)
    page.context.clear_cookies()
    page.context.add_cookies(_sessions.get((server.url, who), []))
    page.goto(f"{server.url}/app/")
    token, end = page.get_by_label("Your token"), page.get_by_role("button", name="Sign out")
    token.or_(end).wait_for()
    if token.is_visible():  # nobody has signed in yet, or a test has signed out
        token.fill(server.tokens[who])
        page.get_by_role("button", name="Sign in").click()
        end.wait_for()
        _sessions[server.url, who] = page.context.cookies()
    return page


def bring(page: Any, name: str, data: bytes, policy: str = "patterns") -> None:
    page.get_by_label("Policy").select_option(policy)
    page.locator("#files").set_input_files(
        {"name": name, "mimeType": "application/octet-stream", "buffer": data}
    )
    page.locator(".verdict strong", has_text="held").wait_for()


def hold_back(page: Any, pattern: str) -> list[Any]:
    """Requests to these addresses wait in the list until the test lets them go on."""
    held: list[Any] = []

    def wait(route: Any) -> None:
        held.append(route)

    page.route(pattern, wait)
    return held


def first_of(page: Any, held: list[Any]) -> Any:
    """The first request that waits. Its route is handled when Playwright gets to it, not when the page asks."""
    for _ in range(6000):
        if held:
            return held[0]
        page.wait_for_timeout(20)
    raise AssertionError("the page has not asked")


def text_of(page: Any, button: str) -> bytes:
    with page.expect_download() as found:
        page.get_by_role("button", name=button).click()
    return Path(found.value.path()).read_bytes()


def serious(page: Any) -> list[str]:
    """What axe-core calls serious or worse."""
    page.evaluate(Path(os.environ["EFFACE_AXE"]).read_text("utf-8"))
    found = page.evaluate("axe.run().then(r => r.violations.map(v => [v.impact, v.id]))")
    return [name for impact, name in found if impact in ("serious", "critical")]


axe = pytest.mark.skipif("EFFACE_AXE" not in os.environ, reason="EFFACE_AXE does not name axe-core's script")
