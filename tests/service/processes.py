"""Real server processes, to be killed and to share a store."""

from __future__ import annotations

import os
import signal
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from efface.service.settings import ENVIRONMENT, ServiceSettings
from tests.service.hospital import furnish

# Servers on loopback speak no TLS. Without this, each client reads the certificates of all authorities first.
NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


@dataclass
class Running:
    """A server process on a home that is there before and after it."""

    settings: ServiceSettings
    tokens: dict[str, str]
    port: int
    process: subprocess.Popen[bytes]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def as_(self, name: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.tokens[name]}"}

    def client(self, name: str) -> httpx.Client:
        return httpx.Client(
            base_url=self.url, headers=self.as_(name), timeout=600, trust_env=False, verify=NO_TLS
        )

    def add(self, name: str, data: bytes) -> str:
        with self.client("reviewer") as client:
            answer = client.post("/v1/folders/wards/documents", files={"file": (name, data)})
        assert answer.status_code == 201, answer.text
        id: str = answer.json()["id"]
        return id

    def again(self) -> Running:
        """Another process on the same home."""
        return start(self.settings, self.tokens)

    @property
    def children(self) -> set[int]:
        """The processes that it started."""
        lists = Path(f"/proc/{self.process.pid}/task").glob("*/children")
        return {int(pid) for each in lists for pid in each.read_text().split()}

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(300)

    def stop(self) -> int:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        return self.process.wait(300)


def start(settings: ServiceSettings, tokens: dict[str, str], as_users_do: bool = False) -> Running:
    """Wait until it answers. `as_users_do`: by the command line."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [
        sys.executable, "-m", "uvicorn", "efface.service.app:from_environment", "--factory", "--port", str(port),
        "--log-level", "warning",
    ]  # fmt: skip
    if as_users_do:
        command = [sys.executable, "-m", "efface", "serve", "--home", str(settings.home), "--port", str(port)]
    environment = {**os.environ, ENVIRONMENT: settings.model_dump_json()}
    process = subprocess.Popen(command, env=environment)
    found = Running(settings, tokens, port, process)
    deadline = time.monotonic() + 600  # a busy machine takes long to import
    while time.monotonic() < deadline:
        try:
            if httpx.get(f"{found.url}/health", timeout=5, trust_env=False, verify=NO_TLS).status_code == 200:
                return found
        except httpx.TransportError:
            time.sleep(0.1)
        if process.poll() is not None:
            break
    found.kill()
    raise AssertionError("the server did not start")


@contextmanager
def running(folder: Path, **given: object) -> Iterator[Running]:
    """A furnished server, gone at the end."""
    settings = ServiceSettings.model_validate({"home": folder / "home", **given})
    service, tokens = furnish(settings)
    service.store.close()
    server = start(settings, tokens)
    try:
        yield server
    finally:
        server.stop()
