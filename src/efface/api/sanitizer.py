"""The library's front door: a policy once, then documents."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from threading import Lock
from typing import Any, BinaryIO

from efface.api.policies import PolicyLike, policy_of
from efface.api.redaction import Redaction, redaction_of
from efface.core import Finder, Guarantee, Report, Verdict
from efface.errors import EffaceError, InputError, UsageError, describe_internal
from efface.files.local import MAX_BYTES, read_input
from efface.formats.plain.text import format_of_text
from efface.operators import Operator
from efface.pipeline import sanitize as pipeline
from efface.pipeline.bound import BoundPolicy
from efface.policy.bind import bind
from efface.policy.bound_policy_cache import bind_cached, is_lasting
from efface.policy.plugins import Extras

DocumentSource = str | os.PathLike[str] | bytes | BinaryIO
_TEXT_NAME = "text.txt"
_SHORTEST_KEY = 16  # bytes, as of the key of a policy
_NO_TEXT = "Give a str; `sanitize` takes paths, bytes and streams."


class Sanitizer:
    """A policy that is bound once and then serves any number of texts and files, from any number of threads.

    The policy is a mapping, a YAML text, the name of a preset, a path or a `Policy`. Without one: identifiers and
    names. Surrogates and shifted dates are the same in all calls of one sanitizer. `finders`, `operators` (by type) and
    `guarantees` are objects of your own that are added to the policy.

    >>> from efface import Sanitizer
    >>> sanitizer = Sanitizer({"find": {"deny": ["Falcon"]}})
    >>> sanitizer.redact("Project Falcon starts.").text
    'Project [DENIED_1] starts.'
    """

    def __init__(
        self,
        policy: PolicyLike = None,
        folder: str | os.PathLike[str] | None = None,
        max_bytes: int = MAX_BYTES,
        *,
        finders: Mapping[str, Finder] | None = None,
        operators: Mapping[str, Operator] | None = None,
        guarantees: Iterable[Guarantee] = (),
        key: bytes | None = None,
    ) -> None:
        self.policy, beside = policy_of(policy)
        self.folder = beside if folder is None else Path(folder)
        self.max_bytes = max_bytes
        if not isinstance(guarantees, Iterable):
            raise UsageError("`guarantees` is no list.", "Give a list of them.")
        self.extras = Extras(finders or {}, tuple(guarantees), operators or {})
        if key is not None and (not isinstance(key, bytes) or len(key) < _SHORTEST_KEY):
            raise UsageError("`key` is no secret of 16 bytes or more.", "Draw one: secrets.token_bytes(32).")
        self._lock = Lock()
        self._bound: dict[str | None, BoundPolicy] = {}
        self._key = key  # for a policy that has none; otherwise one is drawn

    def __getstate__(self) -> dict[str, Any]:
        """What travels to another process: the policy is bound anew there, with the same key."""
        with self._lock:
            if self.policy.key is None and self._key is None:
                self._key = secrets.token_bytes(32)
            return {**vars(self), "_lock": None, "_bound": {}}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._lock = Lock()

    @classmethod
    def from_policy(cls, path: str | os.PathLike[str]) -> Sanitizer:
        """The policy in a YAML file; its relative paths are relative to that file.

        >>> from efface import Sanitizer
        >>> Sanitizer.from_policy("names").policy.find.patterns
        'default'
        """
        return cls(Path(path))

    @classmethod
    def from_text(cls, text: str) -> Sanitizer:
        """The policy in a YAML text.

        >>> from efface import Sanitizer
        >>> Sanitizer.from_text("efface: 1").policy.rounds
        8
        """
        from efface.policy.model import parse

        if not isinstance(text, str):
            raise UsageError(f"A YAML text was expected, not {type(text).__name__}.", "Give a str.")
        return cls(parse(text))

    def bind(self, viewer: str | None = None) -> BoundPolicy:
        """The policy bound to its knowledge and to a viewer. Rights in a database are asked for anew each time.

        >>> from efface import Sanitizer
        >>> sorted(Sanitizer("find: {deny: [Falcon]}").bind().finders)[0]
        'deny'
        """
        with self._lock:
            known = self._bound.get(viewer)
            if known is not None:
                return known
            if self.extras:  # objects of the caller's are bound for this sanitizer alone
                bound = bind(self.policy, self.folder, viewer, self.extras)
            else:
                bound = bind_cached(self.policy, self.folder, viewer)
            if self.policy.key is None:  # the key that was drawn first serves all calls
                self._key = self._key or bound.operators.key
                bound = bound if self._key is None else bound.with_key(self._key)
            if is_lasting(self.policy):
                self._bound[viewer] = bound
            return bound

    def redact(
        self, text: str, *, viewer: str | None = None, subject: str = "", allow_unproven: bool = False
    ) -> Redaction:
        """A text as it may leave. Dates of one `subject` move together where the policy shifts them.

        >>> from efface import Sanitizer
        >>> Sanitizer("names").redact("Mail bob@example.com.").text
        'Mail [EMAIL_ADDRESS_1].'
        """
        return self.redact_bound(text, self._bound_to(viewer, subject), allow_unproven=allow_unproven)

    def redact_many(
        self,
        texts: Iterable[str],
        *,
        viewer: str | None = None,
        subject: str = "",
        allow_unproven: bool = False,
    ) -> Iterator[Redaction]:
        """Texts, one after the other. One that is refused, or is no text, has the verdict `broken`, and the next is done.

        >>> from efface import Sanitizer
        >>> [r.text for r in Sanitizer("names").redact_many(["Mail a@example.com.", "Nothing here."])]
        ['Mail [EMAIL_ADDRESS_1].', 'Nothing here.']
        """
        # Each letter of one text would be a text of its own.
        if isinstance(texts, str | bytes | bytearray) or not isinstance(texts, Iterable):
            raise UsageError(
                "`redact_many` takes several texts.", "Give a list of them; one goes to `redact`."
            )
        for text in texts:
            bound = self._bound_to(viewer, subject)  # rights may change from one text to the next
            try:
                yield self.redact_bound(text, bound, allow_unproven=allow_unproven)
            except EffaceError as error:
                yield Redaction(Verdict.BROKEN, reason=error.message)
            except Exception as error:  # one text must not take the others with it
                yield Redaction(Verdict.BROKEN, reason=f"{describe_internal(error)}.")

    def sanitize(
        self,
        source: DocumentSource,
        *,
        name: str | None = None,
        viewer: str | None = None,
        allow_unproven: bool = False,
    ) -> Report:
        """The sanitized document and its report. `source` is a path, or bytes or a binary stream with `name`.
        `released` is None unless the bytes may leave.

        >>> from efface import Sanitizer
        >>> report = Sanitizer("names").sanitize(b"a,b\\nx,bob@example.com\\n", name="table.csv")
        >>> report.released
        b'a,b\\nx,[EMAIL_ADDRESS_1]\\n'
        """
        report = self._run(pipeline.sanitize, source, name, viewer)
        may_leave = report.verdict.may_leave(allow_unproven=allow_unproven)
        return report if may_leave else replace(report, released=None)

    def assess(self, source: DocumentSource, *, name: str | None = None, viewer: str | None = None) -> Report:
        """What the document discloses as it stands.

        >>> from efface import Sanitizer
        >>> str(Sanitizer("names").assess(b"Mail bob@example.com.", name="note.txt").verdict)
        'broken'
        """
        return self._run(pipeline.assess, source, name, viewer)

    def verify(self, source: DocumentSource, *, name: str | None = None, viewer: str | None = None) -> Report:
        """Whether a released file holds the policy's guarantees.

        >>> from efface import Sanitizer
        >>> str(Sanitizer("names").verify(b"Mail [EMAIL_ADDRESS_1] soon.", name="note.txt").verdict)
        'held'
        """
        return self._run(pipeline.verify, source, name, viewer)

    def assess_text(self, text: str, *, viewer: str | None = None) -> Report:
        """What a text discloses as it stands.

        >>> from efface import Sanitizer
        >>> str(Sanitizer("names").assess_text("Mail bob@example.com.").verdict)
        'broken'
        """
        return pipeline.assess(encoded(text), _TEXT_NAME, self.bind(viewer), format=format_of_text(text))

    def redact_bound(self, text: str, bound: BoundPolicy, *, allow_unproven: bool = False) -> Redaction:
        """A text under a policy that is bound already.

        >>> from efface import Sanitizer
        >>> sanitizer = Sanitizer("names")
        >>> sanitizer.redact_bound("Mail bob@example.com.", sanitizer.bind()).text
        'Mail [EMAIL_ADDRESS_1].'
        """
        report = pipeline.sanitize(encoded(text), _TEXT_NAME, bound, format=format_of_text(text))
        if report.document.text.removeprefix("\ufeff") != text.removeprefix("\ufeff"):
            raise InputError(
                "The text cannot be told from one of another encoding.", "Remove its NUL characters."
            )
        return redaction_of(report, bound.operators, self.policy.restore, allow_unproven=allow_unproven)

    def _bound_to(self, viewer: str | None, subject: str) -> BoundPolicy:
        bound = self.bind(viewer)
        return replace(bound, operators=replace(bound.operators, subject=subject)) if subject else bound

    def _run(
        self,
        stage: Callable[[bytes, str, BoundPolicy], Report],
        source: DocumentSource,
        name: str | None,
        viewer: str | None,
    ) -> Report:
        if name is not None and not isinstance(name, str | os.PathLike):
            raise UsageError(f"`name` is the name of a file, not {type(name).__name__}.", "Give a str.")
        bound = self.bind(viewer)
        data, own = self._read(source)
        held = [data]
        del data, source  # the stage alone holds the bytes of a file, and lets them go once it has read them
        return stage(held.pop(), os.fspath(name or own), bound)

    def _read(self, source: DocumentSource) -> tuple[bytes, str]:
        if isinstance(source, bytes | bytearray | memoryview):
            return bytes(source), "document.txt"
        if isinstance(source, str | os.PathLike):
            return _file(source, self.max_bytes), Path(source).name
        if not hasattr(source, "read") or isinstance(source.read(0), str):
            raise UsageError("This is no document.", "Give a path, bytes, or a stream opened in binary mode.")
        data = _drained(source, self.max_bytes)
        own = getattr(source, "name", "")
        return data, Path(own).name if isinstance(own, str) and own else "document.txt"


def _drained(source: BinaryIO, limit: int) -> bytes:
    """All that a stream has. One of a socket or a pipe gives less than it is asked for, and goes on."""
    data = bytearray()
    while piece := source.read(limit + 1 - len(data)):
        data += piece
        if len(data) > limit:
            raise InputError("The stream is longer than the limit.", "Raise max_bytes.")
    if piece is None:
        raise InputError("The stream has nothing to read yet.", "Give one that waits for its data.")
    return bytes(data)


def encoded(text: str) -> bytes:
    """The text as UTF-8."""
    if not isinstance(text, str):
        raise UsageError(f"A text was expected, not {type(text).__name__}.", _NO_TEXT)
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        raise InputError(
            "The text holds half a character.", "Encode it with errors='replace' first."
        ) from None


def _file(source: str | os.PathLike[str], limit: int) -> bytes:
    """The file's bytes. A `str` may be a text by mistake, so no error quotes it."""
    if isinstance(source, os.PathLike):
        return read_input(Path(source), limit)
    try:
        return read_input(Path(source), limit)
    except (EffaceError, ValueError):
        hint = "`sanitize` takes the path of a file; a text goes to `redact`."
        raise InputError("There is no file of this name that can be read.", hint) from None
