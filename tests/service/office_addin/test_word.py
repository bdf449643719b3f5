"""Word's task pane: its manifests, and the pane in Chromium against a stand-in for the Office.js that it calls.

Nothing here was run inside Word: the stand-in is as strict as we know Word to be, and no stricter.
"""

from __future__ import annotations

import base64
import io
import json
import os
import re
import struct
import subprocess
import zipfile
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from tests.service.browser import axe, expect, needed, serious
from tests.service.hospital import House
from tests.service.processes import Running

PACKAGE = files("efface.service.office_addin")
APP = "{http://schemas.microsoft.com/office/appforoffice/1.1}"
VALIDATOR = "EFFACE_OFFICE_VALIDATOR"  # office-addin-manifest's command, from npm
# The order of elements in [MS-OWEMXML] that a task pane's manifest keeps.
ORDER = [
    "Id", "AlternateId", "Version", "ProviderName", "DefaultLocale", "DisplayName", "Description", "IconUrl",
    "HighResolutionIconUrl", "SupportUrl", "AppDomains", "Hosts", "Requirements", "DefaultSettings", "Permissions",
    "VersionOverrides",
]  # fmt: skip
BODY = "Write to ann@example.org or bob@example.org.\nAgain ann@example.org, and 5^2.\n<img src=x onerror=alert(1)>"
NEEDED = ["Id", "Version", "ProviderName", "DefaultLocale", "DisplayName", "Description", "DefaultSettings"]


def docx(body: str, header: str) -> bytes:
    document = pytest.importorskip("docx", reason="python-docx is not installed").Document()
    for line in body.split("\n"):
        document.add_paragraph(line)
    document.sections[0].header.paragraphs[0].text = header
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def test_the_manifest_is_in_the_order_that_office_wants(house: House) -> None:
    root = etree.fromstring(PACKAGE.joinpath("manifest.xml").read_bytes())
    names = [etree.QName(child).localname for child in root]
    assert [name for name in ORDER if name in names] == names
    assert set(NEEDED) <= set(names)
    overrides = root[-1]
    used = set(overrides.xpath("//@resid"))
    defined = set(overrides.xpath("//*[local-name()='Resources']//@id"))
    assert used == defined, "every resource is there, and none for nothing"
    texts = {e.get("id"): e.get("DefaultValue") for e in overrides.iter() if e.get("DefaultValue")}
    assert all(len(texts[name]) <= 125 for name in ("Name", "Button")) and len(texts["Tip"]) <= 250
    served = house.client.get("/app/word/manifest.xml")
    addresses = re.findall(r'"https://([^/"]+)', served.text)
    assert served.status_code == 200 and "efface.example" not in served.text
    assert {"testserver"} == set(addresses)
    for address in set(re.findall(r'https://testserver(/[^"<]*)', served.text)):
        assert house.client.get(address).status_code == 200, address
    for host in ('x"/><script>', "evil.example", "testserver.evil.example"):
        bad = house.client.get("/app/word/manifest.xml", headers={"Host": host})
        assert bad.status_code in (400, 404), "a manifest names configured hosts only"


def test_both_manifests_say_the_same(house: House) -> None:
    old = etree.fromstring(PACKAGE.joinpath("manifest.xml").read_bytes())
    new = json.loads(PACKAGE.joinpath("manifest.json").read_text())
    assert old.findtext(f"{APP}Id") == new["id"]
    assert old.findtext(f"{APP}Version") == f"{new['version']}.0"
    assert (
        old.find(f"{APP}DefaultSettings/{APP}SourceLocation").get("DefaultValue")
        == (new["extensions"][0]["runtimes"][0]["code"]["page"])
    )
    archive = zipfile.ZipFile(io.BytesIO(house.client.get("/app/word/efface.zip").content))
    assert b"efface.example" not in archive.read("manifest.json")
    for name, side in (("icon-color.png", 192), ("icon-outline.png", 32)):
        assert struct.unpack(">II", archive.read(name)[16:24]) == (side, side)


@pytest.mark.skipif(VALIDATOR not in os.environ, reason=f"{VALIDATOR} does not name office-addin-manifest")
def test_the_official_validator_accepts_the_manifest(tmp_path: Path) -> None:
    """The unified one, whose schema the validator brings; the older one it sends to Microsoft's service."""
    text = PACKAGE.joinpath("manifest.json").read_text()
    for name, content, accepted in (("good", text, True), ("bad", text.replace("openPage", "opens"), False)):
        (tmp_path / f"{name}.json").write_text(content)
        command = [os.environ[VALIDATOR], "validate", str(tmp_path / f"{name}.json")]
        assert (
            subprocess.run(command, check=False, capture_output=True, timeout=120).returncode == 0
        ) is accepted


def test_the_pane_may_be_framed_by_office_only_and_the_page_by_nobody(house: House) -> None:
    rules = house.client.get("/app/word/pane.html").headers["content-security-policy"]
    assert "script-src 'self' https://appsforoffice.microsoft.com;" in rules and "unsafe" not in rules
    framed = rules.partition("frame-ancestors ")[2].split()
    assert framed[0] == "'self'" and all(one.startswith("https://*.") for one in framed[1:])
    assert "frame-ancestors 'none'" in house.client.get("/app/").headers["content-security-policy"]
    for path in ("/app/word/__init__.py", "/app/word/", "/app/word/..%2Fpages.py", "/app/word/none.js"):
        assert house.client.get(path).status_code == 404, path


def opened(browser: Any, server: Running, body: str = BODY, header: str = "To ann@example.org") -> Any:
    """The pane as Word would show it, 350 px wide, with the stand-in instead of Office.js."""
    page = browser.new_context(viewport={"width": 350, "height": 800}).new_page()
    page.set_default_timeout(120_000)
    page.troubles = []
    page.on("pageerror", lambda error: page.troubles.append(str(error)))
    page.on("dialog", lambda dialog: (page.troubles.append("alert"), dialog.dismiss()))
    page.expose_function("standInFile", lambda b, h: base64.b64encode(docx(b, h)).decode())
    stand_in = Path(__file__).with_name("office_stand_in.js").read_text("utf-8")
    words = f"globalThis.standInWords = {json.dumps({'body': body, 'header': header})};"
    page.route(
        "https://appsforoffice.microsoft.com/**",
        lambda route: route.fulfill(body=words + stand_in, content_type="text/javascript"),
    )
    page.goto(f"{server.url}/app/word/pane.html")
    page.get_by_label("Your token").fill(server.tokens["reviewer"])
    page.get_by_role("button", name="Sign in").click()
    page.get_by_label("Policy").select_option("patterns")
    page.get_by_role("button", name="Read the document").click()
    page.locator(".verdict strong", has_text="held").wait_for()
    return page


def until(page: Any, expression: str) -> None:
    """As `wait_for_function`, which the pane's content security policy does not let run."""
    for _ in range(200):
        if page.evaluate(expression):
            return
        page.wait_for_timeout(50)
    raise AssertionError(expression)


@needed
def test_the_pane_walks_and_redacts_in_place(browser: Any, server: Running) -> None:
    page = opened(browser, server)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing hangs out sideways"
    assert page.context.cookies() == [], "no session in somebody else's frame"
    expect(page.locator(".terms .name")).to_have_text(["ann@example.org", "bob@example.org"])
    page.locator(".term").first.click()
    page.keyboard.press("j")
    until(page, "standInLog.selected.length >= 2")
    first, second = page.evaluate("standInLog.selected")[:2]
    assert first == ["body", BODY.index("ann@"), "ann@example.org"]
    assert second == ["body", BODY.rindex("ann@"), "ann@example.org"]
    page.evaluate("globalThis.standInSelection = '5^2'")
    page.get_by_role("button", name="Redact selection").click()
    expect(page.locator(".terms .name", has_text="5^2")).to_be_visible()
    page.locator(".term", has_text="bob").click()
    page.keyboard.press("e")
    expect(page.locator(".history li").first).to_contain_text("keeps “bob@example.org”")
    expect(page.get_by_role("button", name="Redact in place")).to_be_enabled()
    page.get_by_role("button", name="Redact in place").click()
    expect(page.get_by_text("4 places redacted")).to_be_visible()
    words = page.evaluate("standInWords")
    assert "ann@" not in words["body"] + words["header"] and "5^2" not in words["body"]
    assert words["body"].count("bob@example.org") == 1 and "onerror=alert(1)" in words["body"]
    expect(page.get_by_text("still finds 1 places (kept ones among them)")).to_be_visible()
    assert page.evaluate("standInLog.tracking") == "Off"
    page.get_by_role("button", name="Open the checked copy").click()
    until(page, "standInLog.opened.length === 1")
    copy = base64.b64decode(page.evaluate("standInLog.opened[0]"))
    text = zipfile.ZipFile(io.BytesIO(copy)).read("word/document.xml").decode()
    assert "bob@example.org" in text and "ann@" not in text
    assert page.troubles == []


@needed
def test_what_word_does_not_reach_is_said(browser: Any, server: Running) -> None:
    """The document changed after it was read: some places are no longer there, and the policy has the last word."""
    page = opened(browser, server)
    page.evaluate("standInWords.body = 'New: eve@example.org. ' + standInWords.body")
    page.get_by_role("button", name="Redact in place").click()
    expect(page.get_by_text("In the open document the policy still finds 1 places")).to_be_visible()
    assert "ann@" not in page.evaluate("standInWords.body")
    assert page.troubles == []


@needed
@axe
def test_axe_finds_nothing_serious_in_the_pane(browser: Any, server: Running) -> None:
    page = opened(browser, server)
    page.locator(".term").first.click()
    assert serious(page) == []


@needed
def test_a_reader_has_no_use_for_the_pane(browser: Any, server: Running) -> None:
    page = browser.new_page()
    page.route(
        "https://appsforoffice.microsoft.com/**",
        lambda route: route.fulfill(
            body="globalThis.standInWords={};" + Path(__file__).with_name("office_stand_in.js").read_text(),
            content_type="text/javascript",
        ),
    )
    page.goto(f"{server.url}/app/word/pane.html")
    page.get_by_label("Your token").fill(server.tokens["low"])
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_contain_text("A reviewer's is needed")
