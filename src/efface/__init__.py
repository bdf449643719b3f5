"""efface: sanitize documents with guarantees that are checked on the bytes that leave.

from efface import Sanitizer
result = Sanitizer.from_policy("policy.yaml").sanitize("note.txt")
result.verdict, result.released
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
__all__ = ["Sanitizer", "__version__"]

if TYPE_CHECKING:
    from efface.sanitizer import Sanitizer


def __getattr__(name: str) -> Any:
    """Import the library only when it is used, so that the command line starts quickly."""
    if name == "Sanitizer":
        from efface.sanitizer import Sanitizer

        return Sanitizer
    raise AttributeError(f"module 'efface' has no attribute {name!r}")
