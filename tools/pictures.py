"""Makes the pictures of the review page in `docs/pictures`: `python -m tools.pictures`.

It runs the demo's service on the loopback address and Chromium in front of it, and takes pictures of what is there. The
answers of the guessing game are made up, and Word's pane runs with the tests' stand-in for Office.js.
Playwright and Chromium are needed; `EFFACE_CHROMIUM` names another Chromium than the one on the path.
"""

from __future__ import annotations

import importlib
import os
import shutil
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any

import uvicorn

from efface.service.app import Service, create
from efface.service.demo import bring
from efface.service.settings import ServiceSettings

PICTURES = Path(__file__).resolve().parents[1] / "docs" / "pictures"
_STARTS = 100  # looks for a server that starts
_PATIENCE = 120_000  # milliseconds


@contextmanager
def demo_server(home: Path) -> Iterator[tuple[str, str]]:
    """The demo's service: its address, and the reviewer's token."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    service = Service.open(ServiceSettings(home=home, port=port))
    token = bring(service)["reviewer"]
    server = uvicorn.Server(uvicorn.Config(create(service), port=port, log_level="warning"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    for _ in range(_STARTS):
        if server.started:
            break
        time.sleep(0.1)
    yield f"http://127.0.0.1:{port}", token
    server.should_exit = True
    thread.join(30)


def sign_in(page: Any, address: str, token: str) -> None:
    page.goto(f"{address}/app/")
    page.get_by_label("Your token").fill(token)
    page.get_by_role("button", name="Sign in").click()
    page.locator("#files").wait_for(state="attached")


def take_letter(page: Any, address: str, out: Path) -> None:
    """A referral letter under review, with the patient chosen: the picture of the README."""
    letter = files("efface.demo").joinpath("officer", "referral.docx").read_bytes()
    page.goto(f"{address}/app/")
    page.get_by_label("Policy").select_option(index=0)  # the default policy, which looks for names
    page.locator("#files").set_input_files(
        {"name": "referral.docx", "mimeType": "application/octet-stream", "buffer": letter}
    )
    page.locator(".verdict strong", has_text="held").wait_for()
    page.locator("#strength:not([disabled])").wait_for()
    page.keyboard.press("n")
    page.screenshot(path=str(out / "letter.png"))


def take_review(page: Any, address: str, out: Path) -> None:
    """A memo under review, with a term chosen."""
    page.goto(f"{address}/app/")
    page.get_by_role("link", name="memo.txt").click()
    page.locator(".verdict strong", has_text="held").wait_for()
    page.locator("#strength:not([disabled])").wait_for()
    page.keyboard.press("n")
    page.screenshot(path=str(out / "review.png"))


def take_keys(page: Any, address: str, out: Path) -> None:
    """The sheet of keys."""
    page.goto(f"{address}/app/keys")
    page.locator(".cheat-sheet").wait_for()
    page.screenshot(path=str(out / "keys.png"))


def take_game(browser: Any, out: Path) -> None:
    """The results of a guessing game that three people played. One guesses well, one badly, one without a clue."""
    from tests.service.browser import enter
    from tests.service.game.test_game import MEMOS, furnish, made_game
    from tests.service.processes import running

    with tempfile.TemporaryDirectory() as home, running(Path(home)) as server:
        furnish(server.settings.policies)
        host = enter(browser, server)
        host.set_default_timeout(_PATIENCE)
        id = made_game(host, server, MEMOS, "Which bank?", documents=8, players="low, high, nobody")
        for number, who in enumerate(("low", "high", "nobody")):
            player = enter(browser, server, who)
            for turn in range(8):
                player.goto(f"{server.url}/app/game/{id}")
                player.get_by_role("checkbox").nth((turn * (number + 1)) % 9).check()
                player.get_by_role("button", name="Guess").click()
                player.locator(".choices .truth").wait_for()
        host.goto(f"{server.url}/app/game/{id}/results")
        host.locator("figure").first.wait_for()
        host.screenshot(path=str(out / "game.png"))


def take_word(browser: Any, out: Path) -> None:
    """Word's task pane, in Chromium."""
    from tests.service.office_addin.test_word import opened
    from tests.service.processes import running

    with tempfile.TemporaryDirectory() as home, running(Path(home)) as server:
        page = opened(browser, server)
        page.locator(".term").first.click()
        page.screenshot(path=str(out / "word.png"))


def main() -> int:
    try:
        sync_playwright: Any = importlib.import_module("playwright.sync_api").sync_playwright
    except ImportError:
        sys.stderr.write("Playwright is needed: pip install playwright\n")
        return 2
    program = os.environ.get("EFFACE_CHROMIUM") or shutil.which("chromium")
    with (
        tempfile.TemporaryDirectory() as home,
        demo_server(Path(home)) as (address, token),
        sync_playwright() as started,
    ):
        browser = started.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        page: Any = browser.new_context(viewport={"width": 1400, "height": 900}).new_page()
        page.set_default_timeout(_PATIENCE)
        sign_in(page, address, token)
        take_letter(page, address, PICTURES)
        take_review(page, address, PICTURES)
        take_keys(page, address, PICTURES)
        take_game(browser, PICTURES)
        take_word(browser, PICTURES)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
