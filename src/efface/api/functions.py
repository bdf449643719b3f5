"""One line in Python: `efface.redact(text)` and `efface.assess(text)`."""

from __future__ import annotations

from functools import lru_cache

from efface.api.policies import PolicyLike
from efface.api.redaction import Redaction
from efface.api.sanitizer import Sanitizer
from efface.core import Report


def redact(
    text: str,
    policy: PolicyLike | Sanitizer = None,
    *,
    viewer: str | None = None,
    allow_unproven: bool = False,
) -> Redaction:
    """A text as it may leave: identifiers and names, or what the policy says, replaced by placeholders.

    >>> import efface
    >>> r = efface.redact("Mail bob@example.com to Anna Kowalska")
    >>> r.text
    'Mail [EMAIL_ADDRESS_1] to [PERSON_1]'
    >>> str(r.verdict), r.mapping["[PERSON_1]"]
    ('held', 'Anna Kowalska')
    """
    return _sanitizer(policy).redact(text, viewer=viewer, allow_unproven=allow_unproven)


def assess(text: str, policy: PolicyLike | Sanitizer = None, *, viewer: str | None = None) -> Report:
    """What a text discloses as it stands.

    >>> import efface
    >>> report = efface.assess("Mail bob@example.com")
    >>> str(report.verdict), report.outcomes[0].before[0].terms[0].type
    ('broken', 'EMAIL_ADDRESS')
    """
    return _sanitizer(policy).assess_text(text, viewer=viewer)


def _sanitizer(policy: PolicyLike | Sanitizer) -> Sanitizer:
    if isinstance(policy, Sanitizer):
        return policy
    return _default() if policy is None else Sanitizer(policy)


@lru_cache(maxsize=1)
def _default() -> Sanitizer:
    return Sanitizer()
