"""The web adapter against a server on this machine."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest

from efface.api.sanitizer import Sanitizer
from efface.errors import InputError, PolicyError
from efface.guarantees.semantic.guarantee import Semantic
from efface.knowledge.corpus.web_counts import SearchApi, WebCorpus
from tests.guarantees.semantic.oracle import reading

HITS = {"virus": 40, "hiv": 9, "hiv virus": 8, "zidovudine": 8, "hiv virus zidovudine": 7, "cat": 60}


@dataclass
class Server:
    address: str = ""
    asked: list[str] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    failures: list[int] = field(default_factory=list)  # answered first, in this order
    body: bytes | None = None


@pytest.fixture
def server() -> Iterator[Server]:
    state = Server()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            fields = parse_qs(urlsplit(self.path).query)
            state.asked.append(fields["q"][0])
            state.keys.append(fields.get("key", [""])[0])
            first = re.sub(r" or \(.*?\)", "", fields["q"][0].lower())  # the first name stands for all
            words = re.sub(r'[()"]| and ', " ", first).split()
            status = state.failures.pop(0) if state.failures else 200
            hits = HITS.get(" ".join(sorted(set(words))), 0)
            body = state.body or json.dumps({"web": [{"total": str(hits)}]}).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        state.address = f"http://127.0.0.1:{http.server_address[1]}/?q={{query}}"
        thread = threading.Thread(target=http.serve_forever, args=(0.01,))
        thread.start()
        yield state
        http.shutdown()
        thread.join()


def corpus(server: Server, path: Path, naps: list[float] | None = None, key: str | None = None) -> WebCorpus:
    nap = naps.append if naps is not None else (lambda _seconds: None)
    url = server.address + ("&key={key}" if key else "")
    return WebCorpus(SearchApi(url, "web.0.total", key, rate=2, sleep=nap), 100, path / "cache.db", True)


def count(web: WebCorpus, *keys: str) -> int:
    return int(web.table([((key,),) for key in keys]).counts(np.arange(len(keys))[None, :])[0])


def test_counts_come_from_the_server_once(server: Server, tmp_path: Path) -> None:
    web = corpus(server, tmp_path)
    assert count(web, "HIV", "virus") == 8
    assert count(corpus(server, tmp_path), "HIV", "virus") == 8
    assert server.asked == ['"HIV" AND "virus"']
    assert b"virus" not in (tmp_path / "cache.db").read_bytes()


def test_it_waits_and_tries_again(server: Server, tmp_path: Path) -> None:
    naps: list[float] = []
    server.failures = [429, 503]
    assert count(corpus(server, tmp_path, naps), "cat") == 60
    assert naps == [0.5, 1.0, 2.0]
    server.failures = [500] * 5
    with pytest.raises(InputError, match="does not answer"):
        count(corpus(server, tmp_path), "dog")
    server.failures = [401]
    with pytest.raises(InputError, match="401"):
        count(corpus(server, tmp_path), "dog")
    server.body = b'{"web": []}'
    with pytest.raises(InputError, match="no count"):
        count(corpus(server, tmp_path), "dog")


def test_it_must_be_asked_for(server: Server, tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match="sends terms"):
        WebCorpus(SearchApi(server.address, "web.0.total"), 100, tmp_path / "cache.db")
    assert not server.asked


def test_the_key_comes_from_the_environment(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(PolicyError, match="WEB_KEY"):
        count(corpus(server, tmp_path, key="WEB_KEY"), "cat")
    monkeypatch.setenv("WEB_KEY", "s&cret")
    assert count(corpus(server, tmp_path, key="WEB_KEY"), "cat") == 60
    assert server.keys == ["s&cret"]
    with pytest.raises(PolicyError):
        count(WebCorpus(SearchApi("file:///etc/passwd?{query}", "x"), 9, tmp_path / "c", True), "cat")


def test_the_guarantee_runs_on_it(server: Server, tmp_path: Path) -> None:
    guarantee = Semantic(
        {"HIV": "virus"}, corpus(server, tmp_path), (), max_group=1, common=1.0, reader="terms"
    )
    found = guarantee.assess(reading("zidovudine and a cat"))
    assert [term.key for finding in found for term in finding.terms] == ["zidovudine"]


def test_a_policy_must_allow_it(server: Server, tmp_path: Path) -> None:
    policy = f"""
find: {{patterns: none, names: none}}
accept: [knowledge]  # the web of this test has a few pages
guarantees:
  - semantic:
      hide: {{HIV: virus}}
      max_group: 1
      common: 1.0
      reader: terms
      web: {{url: "{server.address}", count: web.0.total, documents: 100, rate: 1000, allow_queries: true}}
"""
    (tmp_path / "p.yaml").write_text(policy)
    report = Sanitizer.from_policy(tmp_path / "p.yaml").sanitize(b"She took zidovudine. A cat.", name="a.txt")
    assert report.released is not None
    assert b"zidovudine" not in report.released
    assert b"cat" in report.released
    assert (tmp_path / "web-counts.db").is_file()
    asked = len(server.asked)
    (tmp_path / "p.yaml").write_text(policy.replace("allow_queries: true", "allow_queries: false"))
    with pytest.raises(PolicyError, match="sends terms"):
        Sanitizer.from_policy(tmp_path / "p.yaml").bind()
    (tmp_path / "p.yaml").write_text(policy.replace("      reader: terms\n", ""))
    with pytest.raises(PolicyError, match="every word with every rival"):
        Sanitizer.from_policy(tmp_path / "p.yaml").bind()
    assert len(server.asked) == asked
