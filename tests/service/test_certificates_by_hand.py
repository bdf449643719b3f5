"""What people do with certificates: check one without efface, and open the policy of one that a reader was given."""

from __future__ import annotations

import base64
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from typer.testing import CliRunner

from efface.cli.main import app
from tests.service.hospital import NOTE, House


@pytest.fixture
def opened(house: House) -> tuple[House, bytes, dict[str, Any]]:
    """A document as somebody sees it, and its certificate."""
    id = house.add("note.txt", NOTE)
    certificate = house.get("high", f"/v1/documents/{id}/certificate").json()
    return house, house.get("high", f"/v1/documents/{id}").content, certificate


def check_as_the_page_says(file: bytes, certificate: dict[str, Any], keys: dict[str, Any]) -> bool:
    """`/app/certificate.html`, "Without efface", word by word and with nothing of ours."""
    said = {name: value for name, value in certificate.items() if name != "signature"}
    signed = "efface certificate 1\n" + json.dumps(said, sort_keys=True, separators=(",", ":"))
    signature = certificate["signature"]
    (key,) = [each for each in keys["keys"] if each["kid"] == signature["key"]]
    public = Ed25519PublicKey.from_public_bytes(base64.urlsafe_b64decode(key["x"] + "=="))
    public.verify(base64.b64decode(signature["value"]), signed.encode("ascii"))
    return bool(said["released"]["sha256"] == hashlib.sha256(file).hexdigest())


def test_anybody_checks_a_certificate_without_efface(opened: tuple[House, bytes, dict[str, Any]]) -> None:
    house, file, certificate = opened
    keys = house.client.get("/v1/keys").json()
    assert check_as_the_page_says(file, certificate, keys)
    assert not check_as_the_page_says(file + b" ", certificate, keys)
    with pytest.raises(InvalidSignature):
        check_as_the_page_says(file, {**certificate, "approved_by_roles": ["admin"]}, keys)


def run(*given: object) -> Any:
    return CliRunner().invoke(app, [str(each) for each in given])


def test_the_issuer_opens_the_policy_of_any_certificate(
    opened: tuple[House, bytes, dict[str, Any]], tmp_path: Path
) -> None:
    """A reader gets no opening with a document: they could try policies. The issuer makes it from the secret."""
    house, file, certificate = opened
    home = house.service.settings.home
    paths = {name: tmp_path / name for name in ("note.txt", "certificate.json", "keys.json")}
    paths["note.txt"].write_bytes(file)
    paths["certificate.json"].write_text(json.dumps(certificate))
    paths["keys.json"].write_text(house.client.get("/v1/keys").text)
    told = run("certificate", "opening", paths["certificate.json"], "--home", home)
    assert told.exit_code == 0, told.output
    given = ("--certificate", paths["certificate.json"], "--keys", paths["keys.json"])
    opening = ("--opening", told.stdout.strip())
    right, wrong = (house.service.settings.policies / name for name in ("wards.yaml", "wrong.yaml"))
    wrong.write_text("efface: 1\n")
    assert run("verify", paths["note.txt"], *given, "--policy", right, *opening).exit_code == 0
    assert run("verify", paths["note.txt"], *given, "--policy", wrong, *opening).exit_code == 3


def test_only_a_certificate_of_this_service_is_opened(
    opened: tuple[House, bytes, dict[str, Any]], tmp_path: Path
) -> None:
    house, _, certificate = opened
    file = tmp_path / "certificate.json"
    for changed in ({"released": {"sha256": "0" * 64}}, {"signature": None}):
        file.write_text(json.dumps({**certificate, **changed}))
        told = run("certificate", "opening", file, "--home", house.service.settings.home)
        assert told.exit_code == 3 and not told.stdout.strip()
