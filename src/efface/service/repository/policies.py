"""The policies that the service may use, and which of them a request may bring along.

A named policy is in the store (`efface policy push`), or a file that the person who runs the service put into
`policies/`. It is read anew whenever it is used. A policy in a request may name no file, no database, no key and no
address, so that a client cannot make this machine read or call anything.
"""

from __future__ import annotations

import hashlib
import hmac
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from threading import Lock
from typing import Any

from efface.api.sanitizer import Sanitizer
from efface.operators import OPERATORS
from efface.policy.digest import content_digest
from efface.policy.model import Policy, parse, parse_bytes
from efface.service.auth.identity import OWNED, Identity, team_of
from efface.service.problems import Problem
from efface.service.repository.stored_policies import Change, StoredPolicies, Version

NAME = OWNED
DEFAULT = "efface: 1"  # the policy of requests that name none
_KEPT = 64  # parsed policies that are kept in memory


@dataclass(frozen=True)
class FingerprintedPolicy:
    """A policy with the mark of all that it says, deny file and key included; None when it cannot be marked.

    `digest` is of the policy's text and of every file that it names, models and corpora included. A view that is kept
    needs the mark, because files may change while they are read; an approval names the digest.
    """

    name: str
    sanitizer: Sanitizer
    mark: str | None
    data: bytes = field(repr=False)
    seed: bytes = field(default=b"", repr=False)  # of the keys of documents

    @cached_property
    def digest(self) -> str:
        return content_digest(self.data, self.sanitizer.policy, self.sanitizer.folder)

    def given(self, document: bytes) -> dict[str, Any]:
        """The policy as a worker process takes it for a document."""
        known = {"policy": self.data.decode("utf-8-sig"), "folder": str(self.sanitizer.folder)}
        return {**known, "document_key": _document_key(self.seed, document)}


@dataclass(frozen=True)
class SentPolicy:
    """A policy's text in a request. Only a worker process reads it: 64 KiB of YAML take seconds."""

    text: str = field(repr=False)
    seed: bytes = field(default=b"", repr=False)

    def given(self, document: bytes) -> dict[str, Any]:
        """The policy as a worker process takes it for a document."""
        key = _document_key(self.seed, document)
        return {"policy": self.text, "folder": ".", "is_sent": True, "document_key": key}


def _document_key(seed: bytes, document: bytes) -> str:
    """The key of a document under a policy that has none: for surrogates, shifted dates and secret ranks.

    Whoever asks for a document again, in whichever way, gets the same copy: from many that were drawn anew one could
    tell what each hides. Documents have keys of their own, so that no surrogate links two of them.
    """
    return hmac.new(
        seed, b"efface document\0" + hashlib.sha256(document).digest(), hashlib.sha256
    ).hexdigest()


@dataclass(frozen=True)
class Policies:
    """The policies in the store, and those in the folder that the store knows nothing of. Parsed ones are kept."""

    folder: Path
    stored: StoredPolicies
    seed: bytes = field(repr=False)
    _parsed: OrderedDict[str, Policy] = field(default_factory=OrderedDict, repr=False)
    _lock: Lock = field(default_factory=Lock, repr=False)

    def names(self) -> list[str]:
        found = (path.stem for path in self.folder.glob("*.yaml")) if self.folder.is_dir() else ()
        return sorted({*(name for name in found if NAME.fullmatch(name)), *self.stored.names()})

    def for_somebody(self, who: Identity, name: str, scope: str = "redact") -> FingerprintedPolicy:
        """The policy of this name, for members of its team; without a name the default one, which all may use."""
        if name and not who.may_in(team_of(name), scope):
            raise _unknown()
        return self.of(name)

    def get(self, name: str) -> FingerprintedPolicy:
        """The policy as the store says now, or its file where the store has none of this name."""
        if not NAME.fullmatch(name):
            raise _unknown()
        found = self.stored.active(name)
        if found is None and self.stored.store.is_postgres:
            found = self._adopted(name)
        if found is None:
            return self._named(name, self._file(name))
        named = self._named(name, found.text.encode())
        if named.digest != found.digest:
            raise Problem("busy", "This machine's files of the policy are not those that the store knows.")
        return named

    def change(self, name: str, data: bytes, author: str, reason: str) -> Change:
        """A new version of a policy, checked."""
        if not NAME.fullmatch(name):
            raise Problem(
                "invalid", "A policy's name has letters, digits, - and _ only, and a team before a dot."
            )
        policy = parse_bytes(data, name)
        text = data.decode("utf-8-sig")
        return Change(name, text, content_digest(text.encode(), policy, self.folder), author, reason)

    def _adopted(self, name: str) -> Version | None:
        """Machines that share a store share its policies: the first file of a name counts for all of them."""
        reason = "taken from a machine's folder when it was first used"
        return self.stored.adopt(self.change(name, self._file(name), "service", reason))

    def _file(self, name: str) -> bytes:
        try:
            return (self.folder / f"{name}.yaml").read_bytes()
        except OSError:
            raise _unknown() from None

    def _named(self, name: str, data: bytes) -> FingerprintedPolicy:
        digest = hashlib.sha256(data).hexdigest()
        policy = self._policy(digest, data, name)
        mark = _policy_mark(digest, policy, self.folder)
        return FingerprintedPolicy(name, Sanitizer(policy, self.folder), mark, data, self.seed)

    def of(self, name: str) -> FingerprintedPolicy:
        """The policy of this name; without a name the default one."""
        return self.get(name) if name else _default(self.seed)

    def digest(self, name: str) -> str:
        """The digest of a policy as it is now; without a name, that of the default policy."""
        return self.of(name).digest

    def _policy(self, digest: str, data: bytes, name: str) -> Policy:
        with self._lock:
            known = self._parsed.get(digest)
            if known is not None:
                self._parsed.move_to_end(digest)
                return known
        policy = parse_bytes(data, name)
        with self._lock:
            self._parsed[digest] = policy
            while len(self._parsed) > _KEPT:
                self._parsed.popitem(last=False)
        return policy


def _unknown() -> Problem:
    return Problem("not-found", "There is no policy of this name.")


@lru_cache(maxsize=1)
def _default(seed: bytes) -> FingerprintedPolicy:
    return FingerprintedPolicy("", Sanitizer.from_text(DEFAULT), None, DEFAULT.encode(), seed)


def inline(text: str) -> Policy:
    """A policy from a request, read in a worker process. One that names anything outside of it is refused."""
    policy = parse(text)
    if not _stays_here(policy):
        raise Problem(
            "policy",
            "A policy in a request names no knowledge, model, file or key. Use one that the service has.",
        )
    return policy


# What a policy in a request may say: keys that name nothing outside of it. All others are refused, new ones too.
_KEYS = frozenset({"efface", "subject", "find", "guarantees", "operators", "rounds"})
_FIND = frozenset({"patterns", "threshold", "names", "deny", "keep"})
_NAMES = frozenset({"preset", "risk", "types", "threshold"})
_SEMANTIC = frozenset({"hide", "max_group", "context", "probability", "unknown", "common", "support"})


def _is_built_in(spec: object) -> bool:
    """An operator by name; one that would be imported is not for a request to choose."""
    names = [spec] if isinstance(spec, str) else list(spec) if isinstance(spec, Mapping) else []
    return all(name in OPERATORS for name in names)


def _stays_here(policy: Policy) -> bool:
    """Whether the policy names nothing outside of itself."""
    find, names = policy.find, policy.find.names
    if not (policy.model_fields_set <= _KEYS and find.model_fields_set <= _FIND):
        return False
    if not isinstance(names, str) and not names.model_fields_set <= _NAMES:
        return False
    if not all(_is_built_in(spec) for spec in policy.operators.values()):
        return False
    semantics = [entry.semantic for entry in policy.guarantees]
    return all(entry is not None and entry.model_fields_set <= _SEMANTIC for entry in semantics)


def _policy_mark(digest: str, policy: Policy, folder: Path) -> str | None:
    """A mark that changes with the policy and with the small files it names. A policy with models or corpora has no
    mark, so its results are computed each time."""
    names = policy.find.names
    if not all(entry.names_no_file for entry in policy.guarantees):
        return None
    if not isinstance(names, str) and not names.model_fields_set <= _NAMES:
        return None
    parts = [digest]
    if policy.find.deny_file is not None:
        try:
            parts.append(hashlib.sha256((folder / policy.find.deny_file).read_bytes()).hexdigest())
        except OSError:
            return None
    key = policy.secret_key(folder)
    if key is not None:
        parts.append(hashlib.sha256(b"mark " + key).hexdigest())
    return " ".join(parts)
