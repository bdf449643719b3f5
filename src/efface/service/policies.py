"""The policies that the service may use, and which of them a request may bring along.

A named policy is a file that the person who runs the service put into `policies/`. It is read anew whenever it is
used. A policy in a request may name no file, no database, no key and no address: whoever may send texts here may
not make this machine read or call anything.
"""

from __future__ import annotations

import hashlib
import re
from collections import OrderedDict
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock

from efface.policy import Policy, parse, parse_bytes
from efface.sanitizer import Sanitizer
from efface.service.problems import Problem

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_KEPT = 64
_MAX_INLINE = 64 << 10


@dataclass(frozen=True, slots=True)
class Named:
    """A policy with the mark of all that it says, deny file and key included; None when it cannot be marked."""

    name: str
    sanitizer: Sanitizer
    mark: str | None


@dataclass(frozen=True)
class Policies:
    """The folder of policies. Parsed ones are kept by their bytes."""

    folder: Path
    _parsed: OrderedDict[str, Policy] = field(default_factory=OrderedDict, repr=False)
    _lock: Lock = field(default_factory=Lock, repr=False)

    def names(self) -> list[str]:
        found = (path.stem for path in self.folder.glob("*.yaml")) if self.folder.is_dir() else ()
        return sorted(name for name in found if NAME.fullmatch(name))

    def get(self, name: str) -> Named:
        """The policy as its file says now."""
        try:
            data = self._path(name).read_bytes()
        except OSError:
            raise Problem("not-found", "There is no policy of this name.") from None
        digest = hashlib.sha256(data).hexdigest()
        policy = self._policy(digest, data, name)
        sanitizer = Sanitizer(policy, self.folder)
        return Named(name, sanitizer, _mark(digest, policy, self.folder))

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

    def _path(self, name: str) -> Path:
        if not NAME.fullmatch(name):
            raise Problem("not-found", "There is no policy of this name.")
        return self.folder / f"{name}.yaml"


def inline(text: str) -> Sanitizer:
    """A policy from a request."""
    if len(text) > _MAX_INLINE:
        raise Problem("policy", "A policy in a request has at most 64 KiB.")
    policy = parse(text)
    if not _stays_here(policy):
        raise Problem(
            "policy",
            "A policy in a request names no knowledge, model, file or key. Use one that the service has.",
        )
    return Sanitizer(policy)


# What a policy in a request may say: keys that name nothing outside of it. All others are refused, new ones too.
_KEYS = frozenset({"efface", "subject", "find", "guarantees", "operators", "rounds"})
_FIND = frozenset({"patterns", "threshold", "names", "deny", "keep"})
_NAMES = frozenset({"preset", "risk", "types", "threshold"})
_SEMANTIC = frozenset({"hide", "max_group", "context", "probability", "unknown", "common", "support"})


def _stays_here(policy: Policy) -> bool:
    find, names = policy.find, policy.find.names
    return (
        policy.model_fields_set <= _KEYS
        and find.model_fields_set <= _FIND
        and (isinstance(names, str) or names.model_fields_set <= _NAMES)
        and all(
            entry.semantic is not None and entry.semantic.model_fields_set <= _SEMANTIC
            for entry in policy.guarantees
        )
    )


def _mark(digest: str, policy: Policy, folder: Path) -> str | None:
    """A mark that changes with the policy and with the small files it names. Models and corpora are not marked:
    whoever uses such a policy computes each time."""
    names = policy.find.names
    if any(entry.k_safety is None for entry in policy.guarantees):
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
