"""Who is asking: a name, a role in each of their teams, what that allows, and who they are to the policies' databases."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

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

MAIN = "main"  # the team of everything that names none; its administrators run the service
TEAM = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
# The name of a folder or a policy: `letters` is the main team's, `litigation.letters` the team litigation's.
OWNED = re.compile(rf"({TEAM.pattern}\.)?{TEAM.pattern}")


def team_of(name: str) -> str:
    """The team that a folder or a policy belongs to, which its name says."""
    team, dot, _ = name.partition(".")
    return team if dot else MAIN


@dataclass(frozen=True, slots=True)
class Identity:
    """A person whose credentials were checked. `via` says by what: token, session, jwt.

    `role` is theirs in the main team, and `teams` holds their roles in others. `scopes` is what they may do in one team
    or another: it opens a route to them, and `may_in` says whether they may use the object that the route names.

    `makers` are other people who made the token: they know it, and may be the ones who use it. So the trail names them
    too, and where two people must agree they and the token's owner count as one.
    """

    name: str
    role: str
    viewer: str
    scopes: frozenset[str]
    via: str
    token: str | None = None
    expires: float | None = None  # when the credentials do
    teams: Mapping[str, str] = field(default_factory=dict)
    makers: frozenset[str] = frozenset()

    @property
    def is_company_account(self) -> bool:
        """Whether only the identity provider knows the user, so that no token of this service stands behind the
        request."""
        return self.token is None

    @property
    def hands(self) -> frozenset[str]:
        """Everybody who can use these credentials."""
        return self.makers | {self.name}

    @property
    def on_record(self) -> str:
        """Their name as the trail tells it."""
        made_by = f" (token made by {', '.join(sorted(self.makers))})" if self.makers else ""
        return f"{self.name}{made_by}"

    def may(self, scope: str) -> bool:
        """Whether they may do this in at least one of their teams."""
        return scope in self.scopes

    def may_in(self, team: str, scope: str) -> bool:
        return scope in self.scopes and scope in ROLES.get(self.role_in(team), frozenset())

    def role_in(self, team: str) -> str:
        """Their role in a team; empty for a team that they are not in."""
        return self.role if team == MAIN else self.teams.get(team, "")

    def teams_with(self, scope: str) -> list[str]:
        """The teams in which they may do this."""
        return [team for team in (MAIN, *sorted(self.teams)) if self.may_in(team, scope)]

    @property
    def roles(self) -> dict[str, str]:
        """Their role in each of their teams."""
        return {team: role for team, role in {MAIN: self.role, **self.teams}.items() if role}

    @property
    def operates(self) -> bool:
        """Whether they run the service: an administrator of the main team."""
        return self.may_in(MAIN, "admin")


def allowed(role: str, asked: Iterable[str] | None = None) -> frozenset[str]:
    """The scopes of a role, or those among them that were asked for."""
    most = ROLES.get(role, frozenset())
    return most if asked is None else most & frozenset(asked)


def allowed_in_any(roles: Iterable[str], asked: Iterable[str] | None = None) -> frozenset[str]:
    """The scopes of several roles together, or those among them that were asked for."""
    most = frozenset[str]().union(*(ROLES.get(role, frozenset()) for role in roles))
    return most if asked is None else most & frozenset(asked)
