"""efface: sanitize documents with guarantees that are checked on the bytes that leave.

>>> import efface
>>> efface.redact("Mail bob@example.com to Anna Kowalska").text
'Mail [EMAIL_ADDRESS_1] to [PERSON_1]'
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.2.0"
__all__ = [
    "Conversation",
    "EffaceError",
    "Policy",
    "Redaction",
    "Refused",
    "Restored",
    "Restorer",
    "Sanitizer",
    "Verdict",
    "__version__",
    "assess",
    "redact",
]

if TYPE_CHECKING:
    from efface.api.conversation import Conversation
    from efface.api.functions import assess, redact
    from efface.api.redaction import Redaction
    from efface.api.restoring import Restored, Restorer
    from efface.api.sanitizer import Sanitizer
    from efface.core import Verdict
    from efface.errors import EffaceError, Refused
    from efface.policy.model import Policy

_HOMES = {
    "Conversation": "efface.api.conversation",
    "EffaceError": "efface.errors",
    "Policy": "efface.policy.model",
    "Redaction": "efface.api.redaction",
    "Refused": "efface.errors",
    "Restored": "efface.api.restoring",
    "Restorer": "efface.api.restoring",
    "Sanitizer": "efface.api.sanitizer",
    "Verdict": "efface.core",
    "assess": "efface.api.functions",
    "redact": "efface.api.functions",
}


def __getattr__(name: str) -> Any:
    """Import the library only when it is used, so that `import efface` and the command line are quick."""
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'efface' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
