"""What the person who runs the service decides. Everything has a default; a YAML file may say otherwise."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, IPvAnyNetwork, ValidationError, field_validator

from efface.errors import InputError, PolicyError
from efface.files.local import write_output

Role = Literal["admin", "reviewer", "reader"]
PageExposure = Literal["auto", "open", "token", "off"]

ENVIRONMENT = "EFFACE_SERVICE"  # how the command line hands the settings to its worker processes
_LOOPBACK = ("127.0.0.1", "::1", "localhost")


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


_ELSEWHERE = r"^(https://[^/\s]+|http://(127\.0\.0\.1|localhost)(:[0-9]{1,5})?)(/\S*)?$"


_IN_TEAM = r"^[A-Za-z0-9][A-Za-z0-9_-]{0,63}/(admin|reviewer|reader)$"
_ANCHOR = rf"^(file:/.+|syslog|log|rfc3161:(https://[^/\s]+|http://(127\.0\.0\.1|localhost)(:[0-9]{{1,5}})?)(/\S*)? /.+)$|{_ELSEWHERE}"


class SignIn(_Model):
    """Signing in with a browser at the company's own page (authorization code flow with PKCE). Every address is the
    administrator's: none is taken from the provider or from a request."""

    client: str = Field(min_length=1)  # the client id there
    authorize: str = Field(pattern=_ELSEWHERE)  # the provider's page
    token: str = Field(pattern=_ELSEWHERE)  # where the code is exchanged
    address: str = Field(pattern=_ELSEWHERE)  # of this service, as browsers see it
    secret: str | None = Field(None, pattern=r"^(env|file):.+$")  # of a confidential client
    scope: str = "openid profile"
    sign_out: str | None = Field(None, pattern=_ELSEWHERE)  # where people sign out of the company's account

    @property
    def returns_to(self) -> str:
        """The redirect address to register with the provider."""
        return f"{self.address.rstrip('/')}/v1/sign-in/return"

    def secret_text(self) -> str | None:
        if self.secret is None:
            return None
        kind, _, where = self.secret.partition(":")
        try:
            value = os.environ.get(where, "") if kind == "env" else Path(where).read_text("utf-8").strip()
        except (OSError, UnicodeDecodeError):
            value = ""
        if not value:
            raise InputError("The secret of `oidc.sign_in` cannot be read.", "Check `oidc.sign_in.secret`.")
        return value


class Oidc(_Model):
    """Whose JSON Web Tokens are believed. Keys come from `jwks` alone, never from an address in a token."""

    issuer: str = Field(min_length=1)
    audience: str = Field(min_length=1)
    jwks: str = Field(pattern=rf"{_ELSEWHERE}|^file:.+$")
    algorithms: tuple[Literal["RS256", "RS384", "RS512", "PS256", "ES256", "ES384", "EdDSA"], ...] = (
        "RS256",
        "ES256",
    )
    leeway: float = Field(60, ge=0, le=600)
    user: str = "sub"
    viewer: str | None = None  # the claim that names a database's viewer; none: the issuer and `sub`
    # Maps the value of that claim, or of `sub`, to a viewer of the database.
    viewers: dict[str, str] = Field(default_factory=dict)
    tokens: bool = False  # whether people with a company account may make API tokens
    role: str = "roles"
    roles: dict[str, Role] = Field(default_factory=dict)  # their names of roles to ours
    # Maps the provider's roles to a team and a role in it: `litigation/reviewer`.
    teams: dict[str, Annotated[str, Field(pattern=_IN_TEAM)]] = Field(default_factory=dict)
    default_role: Role | None = None  # for a person without any of these roles; none: not let in
    sign_in: SignIn | None = None  # for browsers

    @field_validator("teams")
    @classmethod
    def _are_others(cls, teams: dict[str, str]) -> dict[str, str]:
        """Refuse the main team in `teams`: its roles are in `roles`, so that no other mapping gives rights to run the
        service."""
        if any(each.startswith("main/") for each in teams.values()):
            raise ValueError("the main team's roles stand in `roles`")
        return teams


class ServiceSettings(_Model):
    """One running service."""

    home: Path = Path("efface-home")
    store: str | None = None  # an SQLAlchemy URL; without one a SQLite file in `home`
    blobs: str | None = Field(None, pattern=r"^(database|file:/.+|[a-z0-9+]+://.+)$")  # where files lie
    blob_options: dict[str, Any] = Field(default_factory=dict)  # of the object storage's client (fsspec)
    blob_key: str | None = Field(None, pattern=r"^(env|file):.+$")  # encrypts files
    past_blob_keys: tuple[
        Annotated[str, Field(pattern=r"^(env|file):.+$")], ...
    ] = ()  # older files need them
    secret: str | None = Field(None, pattern=r"^(env|file):.+$")  # seals the audit trail
    host: str = "127.0.0.1"
    port: int = Field(8000, ge=0, le=65535)
    workers: int = Field(1, ge=1, le=64)
    threads: int = Field(4, ge=1, le=64)  # documents worked on at a time, in each process
    memory: int = Field(4096, ge=512)  # MiB that a worker process may take for one file
    pages: int = Field(2000, ge=1)  # of a PDF that is reviewed or opened
    office_pages: bool = True  # whether reviews show office files as pages where LibreOffice is installed
    work_seconds: float = Field(600, gt=0)  # for one file of a job or a review
    per_user: int = Field(8, ge=1)  # files of one person that are worked on at a time
    waiting: int = Field(256, ge=1)  # requests that may wait for a thread; further ones are refused for now
    max_upload: int = Field(64, ge=1)  # MiB
    upload_seconds: float = Field(60, gt=0)
    request_seconds: float = Field(120, gt=0)
    rate: float | None = Field(None, ge=0)  # requests a second for each person or address; 0: no limit
    # Failed log-ins a minute with one token's id or account, before one must wait.
    failures: int = Field(20, ge=1)
    policy_four_eyes: bool = False  # a policy in use changes only when a second person approves
    proxies: tuple[IPvAnyNetwork, ...] = ()  # whose word about the sender's address counts
    presidio: PageExposure = "auto"  # open on the loopback address only
    names: bool = True  # whether `/analyze` looks for names too
    metrics: PageExposure = "auto"
    secure_cookies: bool | None = None
    anchors: tuple[
        Annotated[str, Field(pattern=_ANCHOR)], ...
    ] = ()  # where the audit trail's head is published
    anchor_minutes: float = Field(60, gt=0)
    hosts: tuple[str, ...] = ()  # names of this service, as Word's manifest may give them
    session_hours: float = Field(12, gt=0)
    job_hours: float = Field(24, gt=0)  # how long finished jobs and their files are kept
    drain_seconds: float | None = Field(None, ge=0, le=5)  # that `/ready` says 503 before the port closes
    cache: int = Field(256, ge=0)  # MiB of views that are kept; each is checked for freshness when used
    oidc: Oidc | None = None

    @property
    def company_tokens(self) -> bool:
        return self.oidc is not None and self.oidc.tokens

    @property
    def loopback(self) -> bool:
        return self.host in _LOOPBACK

    @property
    def is_local(self) -> bool:
        """Whether only this machine's own programs reach the service: a proxy brings others to the loopback address."""
        return self.loopback and not self.proxies

    @property
    def policies(self) -> Path:
        return self.home / "policies"

    @property
    def store_url(self) -> str:
        return self.store or f"sqlite:///{(self.home / 'efface.db').absolute()}"

    @property
    def requests_a_second(self) -> float:
        return self.rate if self.rate is not None else (0.0 if self.is_local else 50.0)

    @property
    def seconds_to_drain(self) -> float:
        """The time to drain. It is 0 where the service listens on this machine alone, because nothing watches
        `/ready` there."""
        return self.drain_seconds if self.drain_seconds is not None else (0.0 if self.is_local else 3.0)

    @property
    def secure(self) -> bool:
        return not self.is_local if self.secure_cookies is None else self.secure_cookies

    def is_own_host(self, host: str) -> bool:
        """Whether this is a name of this service: of its own machine, or one that the settings list."""
        name = host.lower().removesuffix(f":{host.rpartition(':')[2]}") if ":" in host else host.lower()
        return host.lower() in self.hosts or name in self.hosts or (self.loopback and name in _LOOPBACK)

    def exposed(self, exposure: PageExposure) -> PageExposure:
        """The exposure with `auto` decided: a loopback address without proxies is open, since its clients are on this
        machine."""
        if exposure != "auto":
            return exposure
        return "open" if self.is_local else "token"

    def secret_key(self) -> bytes:
        """The key that seals the audit trail: from the environment, from a file, or made once in `home`."""
        own = self.home / "secret.key"
        if self.secret is None and not own.exists():
            _make_key(own)
        return _key(self.secret or f"file:{own}", "secret")

    def blob_key_bytes(self) -> bytes | None:
        """The key that encrypts stored files, if there is one."""
        return None if self.blob_key is None else _key(self.blob_key, "blob_key")

    def past_blob_key_bytes(self) -> tuple[bytes, ...]:
        """The keys that files were encrypted with before."""
        return tuple(_key(each, "past_blob_keys") for each in self.past_blob_keys)


def _key(place: str, setting: str) -> bytes:
    """A key from the environment or from a file."""
    kind, _, where = place.partition(":")
    try:
        value = os.environ.get(where, "").encode() if kind == "env" else Path(where).read_bytes().strip()
    except OSError:
        raise InputError(f"The key of `{setting}` cannot be read.", f"Check `{setting}`.") from None
    if len(value) < 32:
        raise InputError(f"The key of `{setting}` has fewer than 32 bytes.", "`efface policy key` makes one.")
    return value


def _make_key(path: Path) -> None:
    from efface.errors import OutputError

    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        write_output(path, secrets.token_urlsafe(48).encode(), private=True)
    except OutputError:
        if not path.exists():  # another process may have been faster
            raise


def load(path: Path | None, **given: object) -> ServiceSettings:
    """The settings in a YAML file, with what the command line says on top."""
    try:
        found = yaml.safe_load(path.read_text("utf-8")) if path else {}
    except OSError as error:
        raise InputError(
            f"The service's settings cannot be read: {error.strerror}.", "Check the path given to --config."
        ) from None
    except (UnicodeDecodeError, yaml.YAMLError):
        raise InputError(
            "The service's settings are not YAML.", "See docs/guides/company.md for a whole file of settings."
        ) from None
    if found is not None and not isinstance(found, dict):
        raise PolicyError("The service's settings are a mapping.", "See docs/service.md.")
    try:
        return ServiceSettings.model_validate(
            {**(found or {}), **{k: v for k, v in given.items() if v is not None}}
        )
    except ValidationError as error:
        where = ".".join(str(part) for part in error.errors(include_input=False)[0]["loc"])
        raise PolicyError(f"The service's setting `{where}` is not right.", "See docs/service.md.") from None


def from_environment() -> ServiceSettings:
    """What the command line handed to this process."""
    return ServiceSettings.model_validate_json(os.environ.get(ENVIRONMENT, "{}"))
