"""Every command and snippet of the tutorials and guides is run, in order, in a folder of its own."""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import socket
import subprocess
import sys
import time
import urllib.request
import warnings
from contextlib import chdir, redirect_stdout
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from efface.knowledge.databases.relation import engine
from tests.cli.in_process import efface
from tests.docs.snippets import Step, agrees, steps

ROOT = Path(__file__).resolve().parents[2]
PAGES = ("README.md", "docs/tutorials/privacy-officer.md", "docs/tutorials/engineer.md", "docs/tutorials/researcher.md",
         "docs/tutorials/dba.md", "docs/guides/company.md", "docs/guides/extending.md", "docs/guides/packaging.md", "docs/guides/python.md")  # fmt: skip


# Runs Python blocks one after the other, as in a session, and says what each printed.
SESSION = """
import contextlib, io, json, sys, traceback
names = {"__name__": "__main__"}
for line in sys.stdin:
    out, well = io.StringIO(), True
    with contextlib.redirect_stdout(out):
        try:
            exec(json.loads(line), names)
        except Exception:
            well = False
            traceback.print_exc(file=out)
    print(json.dumps([well, out.getvalue()]), flush=True)
"""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


# These pages change what later tests would see: one adds to the tables of efface, one begins a database server.
IN_A_PROCESS = {"docs/guides/extending.md", "docs/tutorials/dba.md"}
PORT = re.compile(r"\b8765\b")  # the port that pages name
SERVER = re.compile(r"database: (postgresql\S+)")  # of which connections are kept open
SHELL = re.compile(r"[|&;$`<>]")


def plain(command: str) -> tuple[list[str], str] | None:
    """The words of a command of efface and the file that its output goes to; nothing if it needs a shell."""
    words, _, file = command.partition(" > ")
    if not words.startswith("efface ") or SHELL.search(words + file):
        return None
    return shlex.split(words)[1:], file.strip()


class Reader:
    """Does what a page says, in one folder. Python blocks of a page share their names, as in a session.

    Commands of efface and most Python run in this process: a page has a dozen of them, and every start takes a second.
    """

    def __init__(self, folder: Path, page: str) -> None:
        self.folder = folder
        self.is_apart = page in IN_A_PROCESS
        self.names: dict[str, Any] = {"__name__": "__main__"}
        self.port = str(free_port())
        self.servers: list[subprocess.Popen[bytes]] = []
        bin = str(Path(sys.executable).parent)
        self.environment = {
            **os.environ,
            "PATH": f"{bin}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            "COLUMNS": "200",
            "NO_COLOR": "1",
        }
        self.session: subprocess.Popen[str] | None = None

    def do(self, step: Step) -> None:
        step = replace(step, body=PORT.sub(self.port, step.body))
        if step.kind == "file":
            path = self.folder / step.name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(step.body, "utf-8")
        elif step.kind == "python":
            self._python(step)
        elif step.body.endswith(" &"):
            self._serve(step.body.removesuffix(" &"))
        else:
            self._check(step)

    def _settings(self) -> dict[str, str]:
        """The environment of a command. A page's setup may add to it by a file `.env`."""
        return self.environment | self._added()

    def _added(self) -> dict[str, str]:
        added = self.folder / ".env"
        lines = added.read_text("utf-8").splitlines() if added.exists() else []
        return dict(line.split("=", 1) for line in lines)

    def _python(self, step: Step) -> None:
        printed = self._printed_apart(step.body) if self.is_apart else self._printed_here(step.body)
        if step.shown:
            assert agrees(step.shown, printed), f"{step.body}\n{printed}"

    def _printed_here(self, body: str) -> str:
        out = io.StringIO()
        with chdir(self.folder), redirect_stdout(out), warnings.catch_warnings():
            warnings.simplefilter("error")
            exec(body, self.names)
        return out.getvalue()

    def _printed_apart(self, body: str) -> str:
        if self.session is None:
            self.session = subprocess.Popen(
                [sys.executable, "-W", "error", "-c", SESSION], cwd=self.folder, env=self.environment,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            )  # fmt: skip
        assert self.session.stdin is not None and self.session.stdout is not None
        self.session.stdin.write(json.dumps(body) + "\n")
        self.session.stdin.flush()
        well, printed = json.loads(self.session.stdout.readline())
        assert well, printed
        return str(printed)

    def _check(self, step: Step) -> None:
        done = self._here(step.body) or subprocess.run(
            ["bash", "-c", step.body], cwd=self.folder, env=self._settings(), capture_output=True, text=True,
            check=False, timeout=600,
        )  # fmt: skip
        assert done.returncode == step.code, f"{step.body}\n{done.stdout}\n{done.stderr}"
        if step.shown:
            assert agrees(step.shown, done.stdout + done.stderr), f"{step.body}\n{done.stdout}\n{done.stderr}"

    def _here(self, command: str) -> subprocess.CompletedProcess[str] | None:
        """The command in this process, unless it needs a shell."""
        found = plain(command)
        if found is None:
            return None
        words, file = found
        done = efface(*words, cwd=self.folder, COLUMNS=self.environment["COLUMNS"], **self._added())
        if file:
            (self.folder / file).write_text(done.stdout, "utf-8")
            done.stdout = ""
        return done

    def _serve(self, command: str) -> None:
        assert f"--port {self.port}" in command
        with (self.folder / "server.log").open("wb") as log:
            server = subprocess.Popen(
                command.split(), cwd=self.folder, env=self.environment, stdout=log, stderr=log
            )
        self.servers.append(server)
        for _ in range(6000):  # a loaded machine takes its time
            assert server.poll() is None, (self.folder / "server.log").read_text("utf-8")
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{self.port}/health", timeout=5).close()
                return
            except OSError:
                time.sleep(0.1)
        raise AssertionError("the service did not begin")

    def leave(self) -> None:
        for policy in self.folder.glob("*.yaml"):
            for url in SERVER.findall(policy.read_text("utf-8")):
                engine(url).dispose()
        if self.session is not None:
            self.session.communicate(timeout=300)
        for server in self.servers:
            server.terminate()
            server.wait(300)


@pytest.mark.parametrize("page", PAGES)
def test_page_does_what_it_says(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        os, "sched_getaffinity", lambda _process: {0}
    )  # a batch then starts one process, not two
    found = list(steps((ROOT / page).read_text("utf-8")))
    assert found, "a page without a step needs no test"
    reader = Reader(tmp_path, page)
    try:
        for step in found:
            reader.do(step)
    finally:
        reader.leave()


def test_steps_are_read() -> None:
    page = (
        '<!-- setup\nx = 1\n-->\n```yaml title="a.yaml"\nefface: 1\n```\n```console\n$ ls \\\n  -l\nout\n'
        "$ no\n(exit code 3)\n```\n```python\nprint(x)\n```\n```text\n1\n```\n```text\nno answer\n```\n"
    )
    assert list(steps(page)) == [
        Step("python", "x = 1\n"),
        Step("file", "efface: 1\n", "a.yaml"),
        Step("command", "ls    -l", shown="out"),
        Step("command", "no", code=3),
        Step("python", "print(x)\n", shown="1\n"),
    ]


@pytest.mark.parametrize(
    ("shown", "printed", "right"),
    [
        ("held  a.txt", "held a.txt\n", True),
        ("held …", "held a.txt", True),
        ("a\n…\nz", "a b c\nd z", True),
        ("a … z", "a z", True),
        ("held", "held twice", False),
        ("a … z", "a b c", False),
    ],
)
def test_shown_and_printed(shown: str, printed: str, right: bool) -> None:
    assert agrees(shown, printed) is right


@pytest.mark.parametrize(
    ("command", "found"),
    [
        ("efface policy check 'a b.yaml'", (["policy", "check", "a b.yaml"], "")),
        ("efface demo > demo.txt", (["demo"], "demo.txt")),
        ("efface text a.txt | head", None),
        ("efface text $HOME/a.txt", None),
        ("cat a.txt", None),
    ],
)
def test_what_needs_a_shell(command: str, found: tuple[list[str], str] | None) -> None:
    assert plain(command) == found
