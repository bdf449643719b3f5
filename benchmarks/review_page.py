"""The review page in Chromium: first paint of a PDF, repaints of decisions and the slider, scrolling through 300 pages.

    python -m benchmarks.review_page [--quick] [chromium]

A server process and a browser on the same machine, over loopback. Documents are generated: 400 words and twelve
finds a page; `--quick` is for 20 pages alone. `paint` is from handing over the file to the first page's picture; `marks` to its marks and verdict.
`cold` is the first document that a new server sees. A repaint is from the slider's event, or the key of a decision, to the
second frame after the marks changed; `checked` is until the verdict is there again, and `images` are the pictures of pages
that were asked for by then.
"""

from __future__ import annotations

import io
import json
import random
import shutil
import sys
import tempfile
from importlib.resources import files
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import Page, sync_playwright
from tests.service.browser import ARGUMENTS, enter
from tests.service.processes import running

WIDE = {"width": 1600, "height": 900}
WORDS = "the bank will review loans branch credit model ledger before spring because customers asked for it".split()
REPAINT = """async (levels) => {
  const slider = document.getElementById('strength'), times = [], start = slider.value;
  const frame = () => new Promise(requestAnimationFrame);
  for (let round = 0; round < 3; round += 1) for (let level = 0; level <= Number(slider.max); level += 1) {
    slider.value = level;
    const began = performance.now();
    slider.dispatchEvent(new Event('input'));
    await frame(); await frame();
    times.push(performance.now() - began);
  }
  slider.value = start; // a word that the slider shows as staying would not change when it is kept
  slider.dispatchEvent(new Event('input'));
  return times;
}"""
DECIDE = """async (key) => {
  const frame = () => new Promise(requestAnimationFrame), began = performance.now();
  const changed = new Promise((done) => new MutationObserver((_, watch) => { watch.disconnect(); done(); })
    .observe(document.querySelector('.paper'), { subtree: true, childList: true, attributeFilter: ['class'] }));
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
  await changed; await frame(); await frame();
  return performance.now() - began;
}"""
SCROLL = """async () => {
  const paper = document.querySelector('.paper'), gaps = [];
  let last = performance.now(), most = 0;
  for (let step = 0; step < 400; step += 1) {
    paper.scrollTop += 600;
    await new Promise(requestAnimationFrame);
    const now = performance.now();
    gaps.push(now - last);
    last = now;
    most = Math.max(most, document.querySelectorAll('.sheet img').length);
  }
  gaps.sort((a, b) => a - b);
  return { pages: paper.scrollTop / (paper.scrollHeight / document.querySelectorAll('.sheet').length), median: gaps[200], p99: gaps[396], longest: gaps[399], pictures: most };
}"""


def lines(pages: int, seed: int = 0) -> list[list[str]]:
    chance = random.Random(seed)
    return [
        [
            " ".join(chance.choice(WORDS) for _ in range(10))
            + (f" user{page * 40 + row}@example.org" if row % 4 == 0 else "")
            + (" on 1970-01-02" if row % 20 == 1 else "")
            for row in range(40)
        ]
        for page in range(pages)
    ]


def pdf(pages: int) -> bytes:
    from reportlab.pdfgen.canvas import Canvas

    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(595, 842))
    for page in lines(pages):
        for row, line in enumerate(page):
            canvas.drawString(50, 790 - 18 * row, line)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def hand_over(page: Page, name: str, data: bytes, policy: str, first: str) -> dict[str, float]:
    """Milliseconds from handing over the file."""
    page.goto(page.url.split("/app/")[0] + "/app/")
    page.get_by_label("Policy").select_option(policy)
    began = page.evaluate("performance.now()")
    page.locator("#files").set_input_files(
        {"name": name, "mimeType": "application/octet-stream", "buffer": data}
    )
    page.locator(first).first.wait_for(timeout=120_000)
    if first == ".sheet img":
        page.locator(".sheet img").first.evaluate("one => one.decode()")
    paint = page.evaluate("performance.now()") - began
    page.locator(".verdict.held").wait_for(timeout=300_000)
    return {"paint": round(paint), "marks": round(page.evaluate("performance.now()") - began)}


def repaints(page: Page) -> dict[str, float]:
    page.locator("#strength:not([disabled])").wait_for(timeout=300_000)
    times = page.evaluate(REPAINT, None)
    return {
        "median": round(median(times), 1),
        "longest": round(max(times), 1),
        "marks": page.locator(".paper [data-piece]").count(),
    }


def decisions(page: Page) -> dict[str, float]:
    """Terms kept one after the other, by their key."""
    pictures: list[str] = []
    page.on("request", lambda asked: pictures.append(asked.url) if "/image" in asked.url else None)
    painted, checked, images = [], [], []
    for _ in range(6):
        page.keyboard.press("n")
        page.locator(".paper .current").first.wait_for()  # the words of its page are there
        pictures.clear()
        began = page.evaluate("performance.now()")
        painted.append(page.evaluate(DECIDE, "e"))
        page.locator(".bar .state", has_text="held").wait_for(timeout=300_000)
        page.locator(".verdict.held").wait_for(timeout=300_000)
        checked.append(page.evaluate("performance.now()") - began)
        images.append(len(pictures))
    return {
        "median": round(median(painted), 1),
        "longest": round(max(painted), 1),
        "checked": round(median(checked)),
        "images": max(images),
    }


def measure(chromium: str, quick: bool) -> Any:
    from tests.service.game.test_game import furnish

    found: dict[str, Any] = {}
    with sync_playwright() as started, running(Path(tempfile.mkdtemp()), failures=1000) as server:
        furnish(server.settings.policies)
        memo = files("efface.demo").joinpath("consulting", "consulting.yaml").read_text("utf-8")
        (server.settings.policies / "memo.yaml").write_text(memo)
        browser = started.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        page = enter(browser, server, size=WIDE)
        page.set_default_timeout(300_000)
        small = pdf(20)
        found["20 pages, cold"] = hand_over(page, "cold.pdf", small, "patterns", ".sheet img")
        found["20 pages, warm"] = hand_over(page, "warm.pdf", small, "patterns", ".sheet img")
        found["repaint, PDF of 20 pages, threshold"] = repaints(page)
        found["decision, PDF of 20 pages"] = decisions(page)
        if quick:
            browser.close()
            return found
        text = "\n".join(line for part in lines(20) for line in part)
        hand_over(page, "memo.txt", f"Barclow Lantern. {text}".encode(), "memo", ".paper p")
        found["repaint, text of 20 pages, k-confusability"] = repaints(page)
        found["300 pages"] = hand_over(page, "large.pdf", pdf(300), "patterns", ".sheet img")
        found["scroll, 300 pages"] = {k: round(v, 1) for k, v in page.evaluate(SCROLL).items()}
        found["repaint, PDF of 300 pages"] = repaints(page)
        browser.close()
    return found


if __name__ == "__main__":
    given = [each for each in sys.argv[1:] if each != "--quick"]
    program = given[0] if given else shutil.which("chromium") or ""
    print(json.dumps(measure(program, "--quick" in sys.argv), indent=2))
