"""`efface verify FILE --certificate C` and `efface certificate`: signed promises and the keys behind them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from efface.cli.serve import ConfigOption, HomeOption, StoreOption, opened
from efface.cli.shared.console import COLOURS, counted, escape, fail, say, show_json

certificate_app = typer.Typer(no_args_is_help=True, help="The keys that sign the service's certificates.")


@dataclass(frozen=True)
class CertificateOptions:
    """What the command line was given."""

    sources: list[Path]
    certificate: Path
    keys: Path | None
    policy: Path | None
    opening: str | None
    max_bytes: int


def check(asked: CertificateOptions, as_json: bool) -> NoReturn:
    """Say whether the certificate is right for the file. Exit code 3 if it is not."""
    from efface.files.local import read_input
    from efface.report.certificates import CertificateEvidence, parse, public_keys, troubles

    if len(asked.sources) != 1:
        fail("A certificate is for one file.", "Give one file and its certificate.")
    if asked.keys is None:
        fail(
            "A signature is checked with the issuer's public keys.",
            "Fetch GET /v1/keys and give it as --keys.",
        )
    certificate = parse(_text_of_file(asked.certificate))
    known = CertificateEvidence(
        read_input(asked.sources[0], asked.max_bytes),
        public_keys(_text_of_file(asked.keys)),
        _policy_digest(asked.policy) if asked.policy else None,
        _opening(asked.opening),
    )
    if (known.policy is None) != (known.opening is None):
        fail("The policy is checked with its opening.", "Give both --policy and --opening, or neither.")
    found = list(troubles(certificate, known))
    verdict = "broken" if found else "held"
    if as_json:
        said = {} if found else {name: certificate.get(name) for name in _SAID}
        facts = {"verdict": verdict, "trouble": found, "issued": certificate.get("issued")}
        show_json("certificate", {**facts, **said})
    else:
        unchecked = "" if known.policy else "; the policy was not checked (--policy with --opening)"
        say(
            f"[bold {COLOURS[verdict]}]{verdict}[/]  issued {escape(str(certificate.get('issued')))}{unchecked}"
        )
        for trouble in found:
            say(f"  [red]trouble[/] {escape(trouble)}")
        for promised in () if found else _promises(certificate):
            say(f"  {escape(promised)}")
    raise typer.Exit(3 if found else 0)


_SAID = ("guarantees", "coverage", "approved_by_roles")  # told of a certificate that is right


def _promises(certificate: Mapping[str, Any]) -> Iterator[str]:
    """The promises of a valid certificate, line by line, so that nobody takes `held` for more than that."""
    for each in certificate["guarantees"]:
        yield f"guarantee {each['name']}: {each['claim']}"
    coverage = certificate["coverage"]
    gaps = len(coverage["gaps"])
    yield "everything was looked at" if coverage["whole"] else f"not looked at: {counted(gaps, 'place')}"
    yield f"approved by: {', '.join(certificate['approved_by_roles']) or 'nobody, as the policy asks for none'}"


def _text_of_file(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        fail(f"{path} cannot be read.", "Check its name.")


def _policy_digest(path: Path) -> str:
    from efface.policy.digest import content_digest
    from efface.policy.model import parse_bytes

    data = _text_of_file(path).encode()
    return content_digest(data, parse_bytes(data), path.parent)


def _opening(text: str | None) -> bytes | None:
    try:
        return None if text is None else bytes.fromhex(text)
    except ValueError:
        fail("An opening has hexadecimal digits only.", "Copy it from the issuer's record.")


@certificate_app.command("rotate")
def rotate(home: HomeOption = None, config: ConfigOption = None, store: StoreOption = None) -> None:
    """Sign with a new key from now on. The old ones stay in the list, so older certificates still hold.

    Example: efface certificate rotate
    """
    from efface.service.audit import Event

    with opened(home, config, store) as service, service.trail.recording() as record:
        id = service.certificates.rotate()
        record(Event.of("command line", "rotate key", id))
    typer.echo(id)


@certificate_app.command("opening")
def opening(
    certificate: Annotated[
        Path, typer.Argument(metavar="CERTIFICATE", help="A certificate that this service signed.")
    ],
    home: HomeOption = None,
    config: ConfigOption = None,
    store: StoreOption = None,
) -> None:
    """Print what opens a certificate's commitment to its policy, for `efface verify --policy P --opening O`.

    Whoever has it can try policies until one fits: it is for the issuer, not for readers. Exit code 3 if the
    certificate is not one of this service.

    Example: efface certificate opening certificate.json
    """
    from efface.report.certificates import parse, public_keys, signature_troubles

    signed = parse(_text_of_file(certificate))
    with opened(home, config, store) as service:
        keys = public_keys(json.dumps({"keys": service.certificates.listed()}))
        if any(signature_troubles(signed, keys)):
            fail("This service did not sign the certificate.", "Give it as it was issued.", code=3)
        typer.echo(service.certificates.opening(signed).hex())


@certificate_app.command("keys")
def keys(home: HomeOption = None, config: ConfigOption = None, store: StoreOption = None) -> None:
    """Print the public keys, to be published where people trust them.

    Example: efface certificate keys --home service
    """
    with opened(home, config, store) as service:
        typer.echo(json.dumps({"keys": service.certificates.listed()}, indent=2))
