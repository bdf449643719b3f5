"""Who is asking: a name, a role, what that allows, and who they are to the databases of the policies."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

# What each scope opens is said once, in `docs/service.md`; a test compares the two.
SCOPES: Mapping[str, str] = {
    "read": "find and open documents, each as its viewer may see it",
    "redact": "send files and texts to be redacted or assessed",
    "write": "add documents to folders and delete them",
    "review": "decide about documents, originals in sight",
    "admin": "users, tokens, folders, the audit trail, and views as somebody else",
}
ROLES: Mapping[str, frozenset[str]] = {
    "reader": frozenset({"read"}),
    "reviewer": frozenset({"read", "redact", "write", "review"}),
    "admin": frozenset(SCOPES),
}
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@+-]{0,127}")


@dataclass(frozen=True, slots=True)
class Identity:
    """Somebody whose credentials were checked. `via` says by what: token, session, jwt."""

    name: str
    role: str
    viewer: str
    scopes: frozenset[str]
    via: str
    token: str | None = None
    expires: float | None = None  # when the credentials do

    def may(self, scope: str) -> bool:
        return scope in self.scopes


def allowed(role: str, asked: Iterable[str] | None = None) -> frozenset[str]:
    """The scopes of a role, or those among them that were asked for."""
    most = ROLES.get(role, frozenset())
    return most if asked is None else most & frozenset(asked)
