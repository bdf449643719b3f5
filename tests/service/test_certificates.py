"""Signed certificates: right for one file, one policy and one issuer, and for nothing else."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from efface.cli.main import app
from efface.report.certificates import CertificateEvidence, parse, public_keys, troubles
from efface.service.certificates import OPENING
from tests.service.hospital import NOTE, House
from tests.service.review.test_review import MAIL, add, export


def keys(house: House) -> Any:
    return house.client.get("/v1/keys")  # no credentials: anybody may check a certificate


@pytest.fixture
def released(house: House) -> tuple[House, bytes, Any]:
    id = add(house)
    return house, export(house, id).content, export(house, id, what="certificate")


def test_a_certificate_is_right_for_its_file(released: tuple[House, bytes, Any]) -> None:
    house, file, answer = released
    certificate = parse(answer.text)
    known = CertificateEvidence(file, public_keys(keys(house).text))
    assert list(troubles(certificate, known)) == []
    assert certificate["issued"] and certificate["coverage"]["whole"] in (True, False)
    assert certificate["guarantees"][0]["parameters"] is not None
    assert certificate["approved_by_roles"] == []
    assert list(troubles(certificate, CertificateEvidence(file + b" ", known.keys))) == [
        "The certificate is for another file."
    ]


def test_whatever_is_changed_breaks_the_signature(released: tuple[House, bytes, Any]) -> None:
    house, file, answer = released
    certificate, known = parse(answer.text), CertificateEvidence(file, public_keys(keys(house).text))
    for name in [*certificate, "added"]:
        if name == "signature":
            continue
        changed = copy.deepcopy(certificate)
        changed[name] = "held " if isinstance(changed.get(name), str) else {"other": 1}
        assert list(troubles(changed, known)), name
    for name in certificate["signature"]:
        changed = copy.deepcopy(certificate)
        changed["signature"][name] = "AAAA"
        assert list(troubles(changed, known)), name
    unsigned = {name: value for name, value in certificate.items() if name != "signature"}
    assert list(troubles(unsigned, known)) == ["The certificate is not signed."]


def test_the_policy_is_committed_to_and_not_told(released: tuple[House, bytes, Any]) -> None:
    house, file, answer = released
    digest = house.service.policies.digest("patterns")
    assert digest not in answer.text
    opening = bytes.fromhex(answer.headers[OPENING])
    listed = public_keys(keys(house).text)
    assert list(troubles(parse(answer.text), CertificateEvidence(file, listed, digest, opening))) == []
    other = house.service.policies.digest("wards")
    assert list(troubles(parse(answer.text), CertificateEvidence(file, listed, other, opening))) == [
        "The certificate is for another policy."
    ]


def test_keys_rotate_and_old_certificates_hold(released: tuple[House, bytes, Any]) -> None:
    house, file, answer = released
    first = {row["kid"] for row in keys(house).json()["keys"]}
    new = house.service.certificates.rotate()
    listed = keys(house)
    assert {row["kid"] for row in listed.json()["keys"]} == first | {new}
    assert list(troubles(parse(answer.text), CertificateEvidence(file, public_keys(listed.text)))) == []
    id = house.add("note.txt", NOTE)
    later = house.get("high", f"/v1/documents/{id}/certificate").json()
    assert later["signature"]["key"] == new
    seen = house.get("high", f"/v1/documents/{id}").content
    assert list(troubles(later, CertificateEvidence(seen, public_keys(listed.text)))) == []
    old_list = json.dumps({"keys": [row for row in listed.json()["keys"] if row["kid"] != new]})
    assert list(troubles(later, CertificateEvidence(seen, public_keys(old_list))))


def test_the_command_line_checks_all_of_it(released: tuple[House, bytes, Any], tmp_path: Path) -> None:
    house, file, answer = released
    paths = {"file": tmp_path / "mail.txt", "certificate": tmp_path / "c.json", "keys": tmp_path / "k.json"}
    for name, data in {"file": file, "certificate": answer.content, "keys": keys(house).content}.items():
        paths[name].write_bytes(data)

    def verify(*more: str) -> Any:
        given = [
            "verify",
            str(paths["file"]),
            "--certificate",
            str(paths["certificate"]),
            "--keys",
            str(paths["keys"]),
        ]
        return CliRunner().invoke(app, [*given, *more])

    assert verify().exit_code == 0
    policy = str(house.service.settings.policies / "patterns.yaml")
    opening = answer.headers[OPENING]
    assert verify("--policy", policy, "--opening", opening).exit_code == 0
    other = str(house.service.settings.policies / "wards.yaml")
    assert verify("--policy", other, "--opening", opening).exit_code == 3
    assert verify("--policy", policy).exit_code == 2, "a policy is checked with its opening"
    paths["file"].write_bytes(MAIL)
    wrong = verify("--json")
    assert wrong.exit_code == 3 and json.loads(wrong.output)["trouble"] == [
        "The certificate is for another file."
    ]


def test_the_page_that_explains_is_for_everybody(house: House) -> None:
    page = house.client.get("/app/certificate.html")
    assert page.status_code == 200 and "efface verify" in page.text and "/v1/keys" in page.text
