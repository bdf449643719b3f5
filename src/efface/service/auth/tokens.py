"""API tokens and the people they belong to. A token is shown once; the store keeps its hash."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from efface.service.auth.identity import MAIN, NAME, ROLES, TEAM, Identity, allowed_in_any
from efface.service.problems import Problem
from efface.service.store import Store, meta, sessions, tokens, users

PREFIX = "efface_"
_TOKEN = re.compile(PREFIX + r"([0-9a-f]{16})_([A-Za-z0-9_-]{43})")
_BY_ID = (  # made once: every request asks this
    sa.select(tokens, users.c.name, users.c.role, users.c.viewer, users.c.teams.label("members"))
    .join_from(tokens, users, tokens.c.user == users.c.name)
    .where(tokens.c.id == sa.bindparam("token"))
)
_NOBODY = hashlib.sha256(b"nobody's token").hexdigest()


@dataclass(frozen=True, slots=True)
class Person:
    """A person the service knows. `role` is theirs in the main team; empty if they are not in it."""

    name: str
    role: str
    viewer: str
    teams: Mapping[str, str] = field(default_factory=dict)
    created: float = 0.0

    @property
    def roles(self) -> dict[str, str]:
        """Their role in each of their teams."""
        return {team: role for team, role in {MAIN: self.role, **self.teams}.items() if role}


def _hash(secret: str) -> str:
    """The secret is 256 random bits, so a fast hash is as good as a slow one."""
    return hashlib.sha256(secret.encode()).hexdigest()


@dataclass(frozen=True)
class Accounts:
    """Users and their tokens."""

    store: Store

    def put(
        self, name: str, role: str, viewer: str | None = None, teams: Mapping[str, str] | None = None
    ) -> Person:
        """Add a person, or change their role or viewer. An empty role: not in the main team. Without `teams` those that
        they are in stay."""
        if not NAME.fullmatch(name) or role not in ("", *ROLES):
            raise Problem(
                "invalid", "A name has letters, digits and ._@+- only; a role is admin, reviewer or reader."
            )
        _require_teams(teams or {})
        with self.store.write() as connection:
            self.store.lock(connection, "members")  # what is read here stays so until it is written
            if teams is None:
                known = connection.execute(sa.select(users.c.teams).where(users.c.name == name)).scalar()
                teams = json.loads(known or "{}")
            person = Person(name, role, viewer or name, teams)
            values = {"role": role, "viewer": person.viewer, "teams": json.dumps(dict(teams))}
            changed = connection.execute(users.update().where(users.c.name == name).values(values))
            if not changed.rowcount:
                connection.execute(users.insert().values(name=name, created=self.store.now, **values))
            # The rights of an open session are those that its user had when it began.
            connection.execute(sessions.delete().where(sessions.c.user == name))
            _end_made_for_others(connection, person)
        return person

    def put_member(self, team: str, name: str, role: str) -> bool:
        """Give a person a role in a team, or with an empty role none. Returns whether there is such a person."""
        if role not in ("", *ROLES):
            raise Problem("invalid", "A role is admin, reviewer or reader.")
        with self.store.write() as connection:
            self.store.lock(connection, "members")
            row = connection.execute(sa.select(users).where(users.c.name == name)).first()
            if row is None:
                return False
            person = (
                replace(_person(row), role=role) if team == MAIN else _with_role(_person(row), team, role)
            )
            values = {"role": person.role, "teams": json.dumps(dict(person.teams))}
            connection.execute(users.update().where(users.c.name == name).values(values))
            _end_in_sessions(connection, name, team)
            _end_made_for_others(connection, person)
        return True

    def get(self, name: str) -> Person | None:
        with self.store.read() as connection:
            row = connection.execute(sa.select(users).where(users.c.name == name)).first()
        return _person(row) if row else None

    def all(self) -> list[Person]:
        with self.store.read() as connection:
            rows = connection.execute(sa.select(users).order_by(users.c.name)).all()
        return [_person(row) for row in rows]

    def remove(self, name: str) -> bool:
        """Remove a person with their tokens and sessions, and the tokens that they made for others. A person with a
        company account may have nothing else here than a session, or such tokens."""
        with self.store.write() as connection:
            self.store.lock(connection, "members")
            theirs = connection.execute(sa.select(tokens.c.id).where(tokens.c.user == name)).scalars().all()
            _end(connection, theirs)
            made = _end_made_for_others(connection, Person(name, "", name))
            open_ = connection.execute(sessions.delete().where(sessions.c.user == name)).rowcount
            known = connection.execute(users.delete().where(users.c.name == name)).rowcount
            _note_removed(connection, name, self.store.clock(connection))
            return bool(known or open_ or made)

    def require_still(self, connection: Connection, who: Identity) -> None:
        """Refuse a change by somebody whose rights were taken since their request was let in. Until this transaction
        ends nobody's rights change."""
        self.store.lock(connection, "members")
        if who.via == "session":
            _require_session(connection, who)
        else:
            require_bearer(connection, who)

    def require_own_name(self, who: Identity) -> None:
        """Refuse a company account that would be taken for another person of its name."""
        with self.store.read() as connection:
            _require_own_name(connection, who)

    def removed(self, name: str) -> float | None:
        """When somebody was last removed here, if ever. For a company account this is all that is known."""
        with self.store.read() as connection:
            value = connection.execute(
                sa.select(meta.c.value).where(meta.c.key == _removed_key(name))
            ).scalar()
        return None if value is None else float(value)

    def issue(
        self,
        user: str,
        scopes: Sequence[str] | None = None,
        label: str = "",
        days: float | None = None,
        within: Identity | None = None,
    ) -> tuple[str, str]:
        """A new token's id, and the token itself, which cannot be read again.

        `within` is its maker: the token has no scope that they lack, counts in no team that is not theirs, ends
        no later than their own credentials, and is revoked with the token that they used. That another person made
        it stays on it, and on what is made with it."""
        person = self.get(user)
        if person is None:
            raise Problem("not-found", "There is no such user.")
        teams = None if within is None else _teams_in_common(person, user, within)
        roles = [role for team, role in person.roles.items() if teams is None or team in teams]
        if within is not None:
            scopes = _scopes_within(within, roles, scopes)
        granted = allowed_in_any(roles, scopes)
        if scopes is not None and granted != frozenset(scopes):
            raise Problem("invalid", "The role of this user does not have all these scopes.")
        wanted = time.time() + days * 86400 if days is not None else None
        row = {
            "id": secrets.token_hex(8),
            "user": user,
            "scopes": " ".join(sorted(granted)) if scopes is not None else "*",
            "label": label,
            "created": time.time(),
            "expires": _earlier(wanted, within.expires if within else None),
            "parent": within.token if within else None,
            "teams": "*" if teams is None else " ".join(teams),
            "makers": " ".join(sorted(within.hands - {user})) if within else "",
        }
        return self._insert(row)

    def _insert(self, row: dict[str, Any]) -> tuple[str, str]:
        secret = secrets.token_urlsafe(32)
        with self.store.write() as connection:
            if row["parent"] is not None and _held_row(connection, row["parent"]) is None:
                raise Problem("unauthenticated")  # it was revoked a moment ago
            connection.execute(tokens.insert().values(**row, hash=_hash(secret)))
        return row["id"], f"{PREFIX}{row['id']}_{secret}"

    def revoke(self, id: str, by: Identity | None = None) -> bool:
        """Revoke a token from this moment on; with `by` only if it is theirs. Its sessions and the tokens that it made
        end too."""
        with self.store.write() as connection:
            row = connection.execute(sa.select(tokens).where(tokens.c.id == id)).first()
            if row is None or not (by is None or _is_theirs(by, row)):
                return False
            _end(connection, [id])
            return True

    def listed(self, to: Identity | None = None) -> list[dict[str, Any]]:
        """What may be shown of tokens: everything but the secrets. With `to` only their own."""
        names = ("id", "user", "scopes", "label", "created", "expires", "parent", "teams", "makers")
        chosen = sa.select(*(tokens.c[name] for name in names)).order_by(tokens.c.created)
        with self.store.read() as connection:
            rows = connection.execute(chosen).all()
        return [dict(row._mapping) for row in rows if to is None or _is_theirs(to, row)]

    def identify(self, text: str) -> Identity | None:
        """The identity of a token. The time taken does not reveal how much of a guess was right."""
        match = _TOKEN.fullmatch(text)
        row = self._row(match[1]) if match else None
        secret = match[2] if match else text[:256]
        same = hmac.compare_digest(_hash(secret), row.hash if row else _NOBODY)
        if row is None or not same or (row.expires is not None and row.expires <= time.time()):
            return None
        return _identity(row)

    def _row(self, id: str) -> Any:
        with self.store.read() as connection:
            return connection.execute(_BY_ID, {"token": id}).first()


def _removed_key(name: str) -> str:
    return f"removed {name}"


def _note_removed(connection: Connection, name: str, at: float) -> None:
    same = meta.c.key == _removed_key(name)
    if not connection.execute(meta.update().where(same).values(value=repr(at))).rowcount:
        connection.execute(meta.insert().values(key=_removed_key(name), value=repr(at)))


def _identity(row: Any) -> Identity:
    """The identity of a token's bearer: what the user may do now, in the teams and scopes of the token."""
    teams: dict[str, str] = json.loads(row.members)
    role = row.role
    if row.teams != "*":
        counts = row.teams.split()
        role = role if MAIN in counts else ""
        teams = {team: had for team, had in teams.items() if team in counts}
    asked = None if row.scopes == "*" else row.scopes.split()
    scopes = allowed_in_any((role, *teams.values()), asked)
    makers = frozenset(row.makers.split())
    return Identity(
        row.name, role, row.viewer, scopes, "token", row.id, row.expires, teams=teams, makers=makers
    )


def _person(row: Any) -> Person:
    return Person(row.name, row.role, row.viewer, json.loads(row.teams), row.created)


def _with_role(person: Person, team: str, role: str) -> Person:
    """The person with this role in a team; with an empty one no longer in it."""
    others = {each: had for each, had in person.teams.items() if each != team}
    theirs = {team: role} if role else {}
    _require_teams(theirs)
    return replace(person, teams={**others, **theirs})


def _is_theirs(who: Identity, row: Any) -> bool:
    """Whether a token is the user's own. Whoever uses a token that another person made may be that person, and has to
    do only with what that person made."""
    return bool(row.user == who.name) and who.makers.issubset(row.makers.split())


def _require_teams(teams: Mapping[str, str]) -> None:
    if not all(TEAM.fullmatch(team) and team != MAIN and role in ROLES for team, role in teams.items()):
        raise Problem("invalid", "A team's name has letters, digits, - and _ only, and its own roles.")


def _shared_teams(person: Person, within: Identity) -> list[str]:
    """The teams in which a new token counts. For its maker these are all their teams; for another person those of them
    that the maker administers. So running the service gives no role in a team."""
    mine = within.roles if within.name == person.name else dict.fromkeys(within.teams_with("admin"), "")
    return [team for team in person.roles if team in mine]


def _teams_in_common(person: Person, user: str, within: Identity) -> list[str]:
    """The teams in which a token for a user counts. A maker who shares none with them is told of no such user."""
    if within.name == user and within.viewer != person.viewer:
        raise Problem("forbidden", "Your account is not the user of this name: it is another viewer.")
    teams = _shared_teams(person, within)
    if not teams:
        raise Problem("not-found", "There is no such user.")
    return teams


def _scopes_within(within: Identity, roles: Sequence[str], scopes: Sequence[str] | None) -> Sequence[str]:
    """The scopes of a token that somebody makes: those asked for, or all that the maker and the roles have."""
    if scopes is None:
        return sorted(within.scopes & allowed_in_any(roles))
    if not within.scopes.issuperset(scopes):
        raise Problem("forbidden", "A token has no scope that the one it is made with lacks.")
    return scopes


def _end(connection: Connection, ids: Sequence[str]) -> None:
    """Take tokens away, with the sessions they began and the tokens they made, and those that these made."""
    while ids:
        connection.execute(tokens.delete().where(tokens.c.id.in_(ids)))
        connection.execute(sessions.delete().where(sessions.c.token.in_(ids)))
        ids = connection.execute(sa.select(tokens.c.id).where(tokens.c.parent.in_(ids))).scalars().all()


def _end_made_for_others(connection: Connection, maker: Person) -> int:
    """Take away the tokens that a person made for others and still knows, if they count in a team that the maker does
    not administer now. Returns how many there were."""
    made = sa.select(tokens.c.id, tokens.c.makers, tokens.c.teams).where(tokens.c.makers != "")
    administered = {team for team, role in maker.roles.items() if role == "admin"}
    outgrown: list[str] = []
    for row in connection.execute(made):
        if maker.name in row.makers.split() and not administered.issuperset(row.teams.split()):
            outgrown.append(row.id)
    _end(connection, outgrown)
    return len(outgrown)


def _end_in_sessions(connection: Connection, user: str, team: str) -> None:
    """Take a person's role in a team out of their open sessions, until they sign in again. Sessions end altogether only
    with the role in the main team: an administrator of another team logs nobody out."""
    mine = sessions.c.user == user
    if team == MAIN:
        connection.execute(sessions.delete().where(mine))
        return
    for row in connection.execute(sa.select(sessions.c.hash, sessions.c.teams).where(mine)).all():
        left = {each: role for each, role in json.loads(row.teams).items() if each != team}
        same = sessions.c.hash == row.hash
        connection.execute(sessions.update().where(same).values(teams=json.dumps(left)))


def _held_row(connection: Connection, id: str) -> Any:
    """A token and its user, locked until this transaction ends. Whoever revokes the token waits and then finds
    everything that was made with it."""
    return connection.execute(_BY_ID.with_for_update(read=True), {"token": id}).first()


def require_bearer(connection: Connection, who: Identity) -> None:
    """Refuse somebody whose token was revoked, or whose rights were changed, since they were asked for them."""
    if who.token is None:
        _require_own_name(connection, who)
        return
    row = _held_row(connection, who.token)
    if row is None or _identity(row) != who:
        raise Problem("unauthenticated")


def _require_session(connection: Connection, who: Identity) -> None:
    """Refuse somebody whose session has ended or lost a role. An identity does not tell which of their sessions it is;
    any with the same rights will do."""
    theirs = sa.select(sessions.c.role, sessions.c.teams, sessions.c.scopes)
    theirs = theirs.where(sessions.c.user == who.name, sessions.c.token.is_not_distinct_from(who.token))
    for row in connection.execute(theirs):
        same_roles = row.role == who.role and json.loads(row.teams) == dict(who.teams)
        if same_roles and frozenset(row.scopes.split()) == who.scopes:
            return
    raise Problem("unauthenticated")


def _require_own_name(connection: Connection, who: Identity) -> None:
    """Refuse a company account if a user of this service has its name and is another viewer. Jobs, tokens, decisions and
    the trail know people by their names; the same name and viewer are one person."""
    viewer = connection.execute(sa.select(users.c.viewer).where(users.c.name == who.name)).scalar()
    if viewer is not None and viewer != who.viewer:
        raise Problem(
            "forbidden", "A user of this service has the name of your account and is another viewer."
        )


def _earlier(one: float | None, other: float | None) -> float | None:
    """The earlier of two moments, of which each may be never."""
    known = [moment for moment in (one, other) if moment is not None]
    return min(known, default=None)


def first_run(people: Accounts) -> tuple[str, str] | None:
    """The id and the text of the first administrator's token, the first time; afterwards none."""
    with people.store.write() as connection:
        people.store.lock(connection, "first run")
        if connection.execute(sa.select(users.c.name).limit(1)).first():
            return None
        connection.execute(
            users.insert().values(name="admin", role="admin", viewer="admin", created=people.store.now)
        )
        connection.execute(sessions.delete().where(sessions.c.user == "admin"))  # of a company account
    return people.issue("admin", label="first run")
