"""The threat model names tests that exist, and what is deployed is what the settings and the routes know."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"


def test_every_control_has_its_test() -> None:
    named = set(re.findall(r"`(test_\w+)`", (ROOT / "docs" / "security.md").read_text("utf-8")))
    known = set()
    for path in (ROOT / "tests").rglob("test_*.py"):
        known.update(re.findall(r"^def (test_\w+)", path.read_text("utf-8"), re.MULTILINE))
    assert len(named) > 25 and named - known == set()


def test_the_settings_that_are_deployed_are_settings() -> None:
    pytest.importorskip("fastapi", reason="the extra `service` is not installed")
    from efface.service.settings import ServiceSettings

    own = yaml.safe_load((DEPLOY / "service.yaml").read_text("utf-8"))
    manifests = list(yaml.safe_load_all((DEPLOY / "kubernetes" / "efface.yaml").read_text("utf-8")))
    theirs = yaml.safe_load(manifests[0]["data"]["service.yaml"])
    for found in (own, theirs):
        settings = ServiceSettings.model_validate(found)
        assert not settings.loopback
        assert "syslog" not in settings.anchors and settings.anchors, "a container has no system log"
    behind = ServiceSettings.model_validate(
        yaml.safe_load((DEPLOY / "service.systemd.yaml").read_text("utf-8"))
    )
    assert behind.loopback and behind.secure and behind.requests_a_second and behind.anchors
    assert {behind.exposed(behind.presidio), behind.exposed(behind.metrics)} == {"token"}
    assert [str(network) for network in behind.proxies] == ["127.0.0.1/32"]


def test_containers_run_without_root_on_a_file_system_that_is_read_only() -> None:
    manifests = list(yaml.safe_load_all((DEPLOY / "kubernetes" / "efface.yaml").read_text("utf-8")))
    pod = next(each for each in manifests if each["kind"] == "Deployment")["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    assert pod["securityContext"]["runAsNonRoot"] and container["securityContext"]["readOnlyRootFilesystem"]
    assert container["readinessProbe"]["httpGet"]["path"] == "/ready"
    assert container["livenessProbe"]["httpGet"]["path"] == "/health"
    # libpq ignores a password file that others than its owner may read, and the files of a secret are the group's.
    password = next(each for each in container["env"] if each["name"] == "PGPASSWORD")
    assert password["valueFrom"]["secretKeyRef"]["name"] == "efface"
    assert not any(each["name"] == "PGPASSFILE" for each in container["env"])
    text = (DEPLOY / "kubernetes" / "efface.yaml").read_text("utf-8")
    assert "--from-file=postgres" not in text, "the line's end would be a part of the password"
    mounted = {each["name"] for each in container["volumeMounts"]}
    assert mounted == {each["name"] for each in pod["volumes"]}
    composed = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
    for name in ("one", "two"):
        service = composed["services"][name]
        assert service["read_only"] and service["cap_drop"] == ["ALL"]
        assert set(service["secrets"]) <= set(composed["secrets"])
    dockerfile = (DEPLOY / "Dockerfile").read_text("utf-8")
    assert re.search(r"^USER 10001:10001$", dockerfile, re.MULTILINE)


def test_the_guide_gives_the_secrets_to_the_account_of_the_container() -> None:
    guide = (ROOT / "docs" / "guides" / "company.md").read_text("utf-8")
    account = re.search(r"^USER (\d+):", (DEPLOY / "Dockerfile").read_text("utf-8"), re.MULTILINE)
    assert account is not None and f"chown {account[1]} secrets/*" in guide
    composed = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
    for each in composed["secrets"].values():
        assert f"> {each['file'].removeprefix('./')}\n" in guide, each
    assert "deploy/secrets" in (ROOT / ".dockerignore").read_text("utf-8").split(), "they enter no image"


def test_the_guide_names_files_and_ports_that_there_are() -> None:
    guide = (ROOT / "docs" / "guides" / "company.md").read_text("utf-8")
    for path in set(re.findall(r"\bdeploy/[\w./@-]+\w", guide)):
        assert (ROOT / path).exists(), path
    ports = set(re.findall(r"efface@(\d+)", guide))
    proxied = set(re.findall(r"server 127\.0\.0\.1:(\d+)", (DEPLOY / "nginx.conf").read_text("utf-8")))
    assert ports == proxied and len(ports) == 2
    unit = (DEPLOY / "efface@.service").read_text("utf-8")
    assert "/opt/efface/bin/efface serve --config /etc/efface/service.yaml --port %i" in unit


def test_what_the_compose_file_uses_it_declares() -> None:
    composed = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
    services = composed["services"]
    for name, service in services.items():
        assert set(service.get("secrets", ())) <= set(composed["secrets"]), name
        assert set(service.get("depends_on", ())) <= set(services), name
        volumes = {each.partition(":")[0] for each in service.get("volumes", ())}
        assert {each for each in volumes if not each.startswith(".")} <= set(composed["volumes"]), name
    settings = yaml.safe_load((DEPLOY / "service.yaml").read_text("utf-8"))
    assert settings["blob_options"]["endpoint_url"] == "http://objects:9000" and "objects" in services
    for key in ("secret", "blob_key"):
        assert settings[key].removeprefix("file:/run/secrets/") in services["one"]["secrets"], key


def test_nginx_keeps_the_port_of_a_host_and_writes_no_document_to_its_disk() -> None:
    lines = (DEPLOY / "nginx.conf").read_text("utf-8").splitlines()
    said = {line.split("#")[0].strip().rstrip(";").strip() for line in lines}
    assert "proxy_set_header Host $http_host" in said, (
        "`$host` drops the port, and no page's request is its own"
    )
    assert {"proxy_request_buffering off", "proxy_max_temp_file_size 0"} <= said


def test_caddy_takes_its_configuration(tmp_path: Path) -> None:
    if shutil.which("caddy") is None:
        pytest.skip("caddy is not installed")
    command = ["caddy", "validate", "--adapter", "caddyfile", "--config", str(DEPLOY / "Caddyfile")]
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    found = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60, env=environment)
    assert found.returncode == 0, found.stderr


def test_the_unit_is_one_that_systemd_takes(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not installed")
    unit = (DEPLOY / "efface@.service").read_text("utf-8")
    here = tmp_path / "efface@8001.service"  # its account and program are not on this machine
    here.write_text(
        re.sub(r"^(User|Group)=.*", r"\1=root", unit, flags=re.MULTILINE).replace(
            "/opt/efface/bin/efface", "/bin/true"
        )
    )
    found = subprocess.run(
        ["systemd-analyze", "verify", here], capture_output=True, text=True, check=False, timeout=60
    )
    assert found.returncode == 0 and "efface@" not in found.stderr, found.stderr


def test_nginx_takes_its_configuration(tmp_path: Path) -> None:
    if shutil.which("nginx") is None or shutil.which("openssl") is None:
        pytest.skip("nginx or openssl is not installed")
    key, certificate = tmp_path / "k.pem", tmp_path / "c.pem"
    made = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-keyout",
        str(key),
        "-out",
        str(certificate),
        "-subj",
        "/CN=x",
    ]
    subprocess.run(made, check=True, capture_output=True, timeout=60)
    inner = (DEPLOY / "nginx.conf").read_text("utf-8")
    inner = inner.replace("/etc/ssl/efface.pem", str(certificate)).replace("/etc/ssl/efface.key", str(key))
    whole = tmp_path / "nginx.conf"
    # The folders that a packaged nginx has made at its installation.
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    folders = "".join(f"{kind}_temp_path {tmp_path}/{kind};" for kind in kinds)
    inner = f"access_log off; {folders} {inner}"
    whole.write_text(f"pid {tmp_path}/pid; error_log stderr; events {{}} http {{ {inner} }}")
    found = subprocess.run(
        ["nginx", "-t", "-c", whole, "-p", tmp_path], capture_output=True, text=True, check=False, timeout=60
    )
    assert found.returncode == 0, found.stderr
