"""A language model as the attacker, against a stand-in on loopback."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from typer.testing import CliRunner

from efface.attacks.classes import AttackedDocument
from efface.attacks.language_model import ChatEndpoint, attack_with_language_model, guesses
from efface.cli.main import app
from efface.errors import InputError, UsageError
from efface.knowledge.classes import LabelledDocument, TrainingSettings, save, train

CLASSES = ("Acme", "Bolt", "Crane", "Dorn", "Elm", "Fox", "Gale")


class StandIn(HTTPServer):
    """Answers every chat with what it is told to, and remembers what it was sent."""

    answer = '["Bolt", "acme"]'
    status = 200

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.seen: list[tuple[str, str | None, str]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        server = self.server
        assert isinstance(server, StandIn)
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        server.seen.append((self.path, self.headers["Authorization"], body))
        self.send_response(server.status)
        if server.status == 302:
            self.send_header("Location", f"{server.url}/elsewhere")
        self.end_headers()
        choice = {"message": {"role": "assistant", "content": server.answer}}
        self.wfile.write(json.dumps({"choices": [choice]}).encode())

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing."""


@pytest.fixture
def stand_in() -> Iterator[StandIn]:
    server = StandIn()
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        ('["Bolt", "acme", "Nobody"]', ["Bolt", "Acme"]),
        ('Sure:\n```json\n["Crane"]\n```', ["Crane"]),
        ("1. Bolt\n2) Acme\n- Crane", ["Bolt", "Acme", "Crane"]),
        ('["Acme", "Acme", "Bolt", "Crane", "Dorn", "Elm", "Fox"]', ["Acme", "Bolt", "Crane", "Dorn", "Elm"]),
        ("I cannot tell.", []),
        ("[[[[", []),
        ("", []),
    ],
)
def test_answers_are_read_as_guesses(answer: str, found: list[str]) -> None:
    assert guesses(answer, CLASSES) == found


def test_its_guesses_are_counted_as_ranks_and_only_the_release_is_sent(stand_in: StandIn) -> None:
    cases = [
        AttackedDocument("[WORD_1] left", truth, "the secret original") for truth in ("Bolt", "Acme", "Gale")
    ]
    asked = attack_with_language_model(ChatEndpoint(stand_in.url, "m", "key-1"), CLASSES, cases)
    assert asked.ranks.after.tolist() == [1, 2, 8]
    assert asked.ranks.before is None
    assert asked.unanswered == 0
    assert {path for path, _, _ in stand_in.seen} == {"/v1/chat/completions"}
    assert {key for _, key, _ in stand_in.seen} == {"Bearer key-1"}
    assert all("[WORD_1] left" in body and "original" not in body for _, _, body in stand_in.seen)
    assert len({body for _, _, body in stand_in.seen}) == 1, "the question does not depend on the truth"


@pytest.mark.parametrize(("status", "answer"), [(500, ""), (302, "")])
def test_an_endpoint_that_fails_or_sends_on_is_an_error(stand_in: StandIn, status: int, answer: str) -> None:
    stand_in.status, stand_in.answer = status, answer
    with pytest.raises(InputError):
        attack_with_language_model(ChatEndpoint(stand_in.url), CLASSES, [AttackedDocument("x", "Acme")])
    assert len(stand_in.seen) == 1


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "ftp://a/b",
        "127.0.0.1:80",
        "http://u:p@127.0.0.1/",
        "http://[::1",
        "http://a:99999/",
        "http://a b",
    ],
)
def test_what_is_no_plain_web_address_is_refused(url: str) -> None:
    with pytest.raises(UsageError):
        ChatEndpoint(url)


def _files(folder: Path) -> list[str]:
    words = {"Acme": "steel slag coke", "Bolt": "loan bond bank", "Crane": "rail port ship"}
    documents = [
        LabelledDocument(f"{text} {text} report {n}", name) for name, text in words.items() for n in range(6)
    ]
    save(train(documents, TrainingSettings(min_count=1)), folder / "m.model")
    released = [
        {"sensitive": d.sensitive, "text": f"[WORD_1] [WORD_2] {d.text.split()[-1]} report"}
        for d in documents
    ]
    (folder / "released.jsonl").write_text("\n".join(map(json.dumps, released)))
    rows = [{"sensitive": d.sensitive, "text": d.text} for d in documents]
    (folder / "corpus.jsonl").write_text("\n".join(map(json.dumps, rows)))
    return ["attack", "classes", str(folder / "released.jsonl"), "--model", str(folder / "m.model"), "--json"]


def test_the_command_asks_only_when_told_and_says_so(stand_in: StandIn, tmp_path: Path) -> None:
    command = _files(tmp_path)
    plain = json.loads(CliRunner().invoke(app, command).output)
    assert "language-model" not in {row["attacker"] for row in plain["attackers"]}
    assert plain["notes"] == [] and not stand_in.seen
    answer = CliRunner().invoke(app, [*command, "--llm", stand_in.url])
    found = json.loads(answer.output)
    row = next(row for row in found["attackers"] if row["attacker"] == "language-model")
    assert row["after"] == pytest.approx(1 / 3, abs=1e-3) and not row["planned"]
    assert f"127.0.0.1:{stand_in.server_port}" in found["notes"][0]
    missing = CliRunner().invoke(
        app, [*command, "--llm", stand_in.url, "--llm-key", "env:EFFACE_NO_SUCH_KEY"]
    )
    assert missing.exit_code == 2


def test_the_command_shows_every_attacker_beside_chance_with_those_planned_against_marked(
    tmp_path: Path,
) -> None:
    corpus = str(tmp_path / "corpus.jsonl")
    command = [*_files(tmp_path), "--originals", corpus, "--corpus", corpus, "-k", "2"]
    answer = CliRunner().invoke(app, command)
    assert answer.exit_code == 0, answer.output
    rows = {row["attacker"]: row for row in json.loads(answer.output)["attackers"]}
    planned = {name for name, row in rows.items() if row["planned"]}
    assert planned == {
        "naive-bayes",
        *(f"reader {name}" for name in ("linear-svm", "logistic", "cosine", "bm25", "bigrams", "topics")),
    }
    others = {
        "rank-guess",
        "all-ranks sum",
        "all-ranks worst",
        "redacted",
        "linear-svm",
        "logistic",
        "nearest",
        "bigrams",
        "letters",
        "embeddings",
    }
    assert set(rows) - planned == others
    assert all(row["chance"] == pytest.approx(1 / 3, abs=1e-3) for row in rows.values())
    assert rows["reader cosine"]["before"] == 1.0
    assert rows["reader cosine"]["after"] <= 0.5


def test_a_server_that_speaks_no_http_is_an_error() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            connection, _ = server.accept()
            with connection:
                connection.recv(65536)
                connection.sendall(b"SSH-2.0-none\r\n\r\n")

        thread = threading.Thread(target=answer)
        thread.start()
        with pytest.raises(InputError):
            ChatEndpoint(f"http://127.0.0.1:{server.getsockname()[1]}/v1").ask("Who?")
        thread.join()
