"""Signed certificates: right for one file, one policy and one issuer, and for nothing else."""

from __future__ import annotations

import base64
import copy
import json
import time
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from efface.cli.main import app
from efface.errors import InputError
from efface.report.certificates import (
    CertificateEvidence,
    SigningKey,
    commitment,
    parse,
    public_keys,
    troubles,
)
from efface.service.certificates import OPENING, Certificates
from efface.service.store import certificate_keys
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

    right = verify()
    assert right.exit_code == 0 and "guarantee absence" in right.output and "approved by" in right.output
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


def test_nothing_is_added_to_a_certificate(released: tuple[House, bytes, Any]) -> None:
    house, file, answer = released
    known = CertificateEvidence(file, public_keys(keys(house).text))
    twice = '{"approved_by_roles": ["admin", "reviewer"], ' + answer.text.strip()[1:]
    assert json.loads(twice) == json.loads(answer.text), "a parser takes the last, a person reads the first"
    for text in (twice, '{"schema":' + "[" * 100_000, "", "[]"):
        with pytest.raises(InputError):
            parse(text)
    signed = parse(answer.text)
    signed["signature"]["witnessed_by"] = "the court"
    assert list(troubles(signed, known)) == ["The certificate's signature says something that nobody signed."]
    listed = keys(house).text.strip()
    for text in ('{"keys": [], ' + listed[1:], "[" * 100_000, '{"keys": [3]}'):
        with pytest.raises(InputError):
            public_keys(text)


def test_a_key_that_somebody_wrote_into_the_store_is_not_given_out(house: House) -> None:
    own = keys(house).json()
    forged = SigningKey.of(b"f" * 32)
    for number in (0, 7):  # older and newer than our own
        row = {"number": number, "id": forged.id, "public": base64.b64encode(forged.public).decode()}
        with house.service.store.write() as connection:
            connection.execute(certificate_keys.insert().values(**row, created=0.0))
    assert keys(house).json() == own
    signed = house.service.certificates.sign({"released": {"sha256": "x"}}, "p")
    assert signed["signature"]["key"] == own["keys"][0]["kid"]


def test_a_service_with_another_secret_signs_with_a_key_that_it_lists(house: House) -> None:
    before = keys(house).json()["keys"]
    other = Certificates(house.service.store, b"another secret" * 3)
    signed = other.sign({"released": {"sha256": "x"}}, "p")
    assert [row["kid"] for row in other.listed()] == [signed["signature"]["key"]]
    assert signed["signature"]["key"] not in {row["kid"] for row in before}


def _committed(house: House, certificate: Any, digests: list[str]) -> str:
    """The digest of the policy that a certificate commits to, by trying those there are."""
    opening = house.service.certificates.opening(certificate)
    said = certificate["policy"]["commitment"]
    return next(digest for digest in digests if commitment(digest, opening) == said)


def _weaken(house: House) -> None:
    path = house.service.settings.policies / "wards.yaml"
    path.write_text(path.read_text() + "\n# changed\n")


def test_a_certificate_names_the_policy_that_the_view_was_computed_under(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = house.add("note.txt", NOTE)
    digests = [house.service.policies.digest("wards")]
    opened = type(house.service.openings).open

    async def then_changed(*given: Any, **more: Any) -> Any:
        found = await opened(*given, **more)
        _weaken(house)
        return found

    monkeypatch.setattr(type(house.service.openings), "open", then_changed)
    certificate = house.get("high", f"/v1/documents/{id}/certificate").json()
    assert house.service.policies.digest("wards") not in digests
    assert _committed(house, certificate, digests) == digests[0]


def test_a_job_is_done_again_when_its_policy_changes_meanwhile(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    digests = [house.service.policies.digest("wards")]
    run = type(house.service.processes).run
    runs: list[Any] = []

    def then_changed(*given: Any) -> Any:
        done = run(*given)
        if not runs:
            _weaken(house)
            digests.append(house.service.policies.digest("wards"))
        runs.append(given)
        return done

    monkeypatch.setattr(type(house.service.processes), "run", then_changed)
    sent = house.post("reviewer", "/v1/jobs", files={"file": ("n.txt", NOTE)}, data={"policy": "wards"})
    path = f"/v1/jobs/{sent.json()['id']}"
    deadline = time.monotonic() + 60
    while house.get("reviewer", path).json()["state"] in ("queued", "running"):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert house.get("reviewer", path).json()["state"] == "done" and len(runs) == 2
    certificate = house.get("reviewer", f"{path}/certificate").json()
    assert _committed(house, certificate, digests) == digests[1]
