"""Putting back what the operator `encrypt` took out, in any format."""

from __future__ import annotations

from efface.core import Edit
from efface.errors import PolicyError
from efface.formats import detect, get_format
from efface.operators.seal import opened_tokens


def restore(data: bytes, name: str, key: bytes | None) -> tuple[bytes, int]:
    """The file with every token opened, and how many there were; all of them, or an error and nothing."""
    if key is None:
        raise PolicyError("The policy has no key.", "Restore with the policy that encrypted the file.")
    format = get_format(detect(name, data))
    document = format.read(data, name)
    edits = tuple(
        Edit(start, end, "RESTORED", "", "encrypted by this policy", original)
        for start, end, original in opened_tokens(document.text, key)
    )
    return format.write(document, edits), len(edits)
