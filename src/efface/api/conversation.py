"""A conversation with a language model: one mapping over all its turns."""

from __future__ import annotations

from dataclasses import replace
from threading import Lock

from efface.api.originals import Originals
from efface.api.policies import PolicyLike
from efface.api.redaction import Redaction
from efface.api.restoring import Restored, Restorer, restore
from efface.api.sanitizer import Sanitizer
from efface.errors import Refused
from efface.operators.placeholders import DEFAULT_TEMPLATE, GivenNumbers


class Conversation:
    """Turns of one conversation. What was replaced once has the same placeholder in every later turn.

    >>> import efface
    >>> talk = efface.Conversation("names")
    >>> talk.redact("Mail bob@example.com.").text, talk.redact("Or eve@example.com, or bob@example.com.").text
    ('Mail [EMAIL_ADDRESS_1].', 'Or [EMAIL_ADDRESS_2], or [EMAIL_ADDRESS_1].')
    >>> str(talk.restore("I chose [EMAIL_ADDRESS_2]."))
    'I chose eve@example.com.'
    """

    def __init__(self, policy: PolicyLike | Sanitizer = None, *, viewer: str | None = None) -> None:
        sanitizer = policy if isinstance(policy, Sanitizer) else Sanitizer(policy)
        sanitizer.bind(viewer)  # mistakes in the policy are found before the first turn
        self._sanitizer, self._viewer = sanitizer, viewer
        self._ledger = GivenNumbers()
        self._originals = Originals({})
        self._lock = Lock()

    @property
    def originals(self) -> Originals:
        """What every replacement so far stands for.

        >>> import efface
        >>> efface.Conversation("names").originals.mapping
        {}
        """
        return self._originals

    def redact(self, text: str, *, allow_unproven: bool = False) -> Redaction:
        """The next text that goes out.

        >>> import efface
        >>> efface.Conversation("names").redact("Mail bob@example.com.").text
        'Mail [EMAIL_ADDRESS_1].'
        """
        with self._lock:
            bound = self._sanitizer.bind(self._viewer)  # rights may change from one turn to the next
            bound = replace(bound, operators=replace(bound.operators, ledger=self._ledger))
            if isinstance(text, str):  # another is refused below
                for template in {DEFAULT_TEMPLATE, *bound.operators.templates()}:
                    self._ledger.leave_out(text, template)
            made = self._sanitizer.redact_bound(text, bound, allow_unproven=allow_unproven)
            self._originals = _merged_originals(self._originals, made.originals)
            return made

    def restore(self, text: str) -> Restored:
        """An answer with the originals of all turns.

        >>> import efface
        >>> str(efface.Conversation("names").restore("Nothing to restore."))
        'Nothing to restore.'
        """
        return restore(text, self._originals)

    def restorer(self) -> Restorer:
        """Restores a streamed answer chunk by chunk.

        >>> import efface
        >>> efface.Conversation("names").restorer().close()
        ''
        """
        return Restorer(self._originals)


def _merged_originals(old: Originals, new: Originals) -> Originals:
    """Merges two mappings. A surrogate that would stand for two things is refused, because an answer could not
    distinguish them."""
    for replacement, original in new.mapping.items():
        known = old.mapping.get(replacement)
        if known is not None and known.lower() != original.lower() and not replacement.startswith("["):
            raise Refused(
                "A surrogate of this turn stands for something else in an earlier one.",
                "Use placeholders (`operators: {default: replace}`) for conversations.",
            )
    return replace(
        new,
        mapping={**new.mapping, **old.mapping},
        people=old.people | new.people,
        literal=old.literal | new.literal,
        never=old.never | new.never,
    )
