"""Every error that efface raises on purpose. None of them quotes a document.

EffaceError
├── UsageError            exit 2: the call is wrong, or the input cannot be read
│   ├── InputError        the file is missing, too large, damaged, or not of its format
│   ├── OutputError       the output exists, or cannot be written
│   └── PolicyError       the policy is wrong; names the line and the nearest right key
├── PlugInError           exit 2: code of others failed; nothing is written
└── Refused               exit 3: nothing is written
    ├── Leak              the released bytes still hold something that was removed
    ├── Infeasible        no plan can make the guarantee hold
    └── NotSettled        the guarantees did not all hold after the permitted rounds
"""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class EffaceError(Exception):
    """Base of all that efface raises on purpose. `hint` is the next step for the user, in one sentence.

    >>> import efface
    >>> try:
    ...     efface.redact("Mail bob@example.com.", policy={"find": {"name": "none"}})
    ... except efface.EffaceError as error:
    ...     print(error.message)
    policy, line 1: unknown key `find.name`; did you mean `names`?
    """

    exit_code = 2

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        if hint:
            self.add_note(hint)  # a traceback shows it below the message


class UsageError(EffaceError):
    """The call is wrong."""


class InputError(UsageError):
    """The input cannot be read."""


class OutputError(UsageError):
    """The output cannot be written."""


class PolicyError(UsageError):
    """The policy is wrong."""


class PlugInError(EffaceError):
    """Code of others failed. The failure may have nothing to do with the document, so that it is worth another try."""


class Refused(EffaceError):
    """The guarantee does not hold, so nothing is written, and there is no text to give.

    >>> import efface
    >>> bad = next(efface.Sanitizer("names").redact_many([None]))
    >>> try:
    ...     bad.text
    ... except efface.Refused as error:
    ...     print(str(bad.verdict))
    broken
    """

    exit_code = 3


class Leak(Refused):
    """The released bytes still hold something that was removed."""


class Infeasible(Refused):
    """No plan can make the guarantee hold."""


class NotSettled(Refused):
    """The guarantees did not all hold after the permitted number of rounds."""


def describe_internal(error: BaseException) -> str:
    """An error that nobody expected, for a report to us: its class, the line of efface that it came from, and the module
    that efface called there, which may be a plug-in.

    The message and the values of the frames are left out: they may quote the document.
    """
    root = Path(__file__).resolve().parent
    called = ""
    for frame, line in reversed(list(traceback.walk_tb(error.__traceback__))):
        path = Path(frame.f_code.co_filename)
        if path.is_relative_to(root):
            return f"Internal error ({type(error).__name__} in {path.relative_to(root)}:{line}{called})"
        called = f", called {frame.f_globals.get('__name__', '?')}:{line}"
    return f"Internal error ({type(error).__name__})"


@contextmanager
def code_of_others(what: str) -> Iterator[None]:
    """Tells an error in code of others by its place. Its own message may quote the document."""
    try:
        yield
    except (EffaceError, MemoryError):
        raise
    except Exception as error:
        raise PlugInError(f"{what} failed. {describe_internal(error)}.", "Mend the plug-in.") from None
