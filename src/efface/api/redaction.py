"""What became of one text: the text as it may leave, the verdict, and the way back."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from efface.api.originals import SHAPED, Originals, originals_of
from efface.core import Edit, Report, Verdict
from efface.errors import Refused
from efface.operators import PLAIN, Operators, tells_apart
from efface.policy.entries import RestoreEntry

if TYPE_CHECKING:
    # Most redactions are never restored: what does it is loaded when somebody asks.
    from efface.api.restoring import Restored, Restorer


@dataclass(frozen=True)
class Redaction:
    """A redacted text. Sensitive: `edits`, `mapping` and `report` hold what was taken out.

    >>> import efface
    >>> r = efface.redact("Mail bob@example.com today.", policy="names")
    >>> r.text, str(r.verdict), dict(r.mapping)
    ('Mail [EMAIL_ADDRESS_1] today.', 'held', {'[EMAIL_ADDRESS_1]': 'bob@example.com'})
    """

    verdict: Verdict
    report: Report | None = field(default=None, repr=False)
    reason: str = ""  # why there is no text, in words without the document's
    _text: str | None = field(default=None, repr=False)
    _operators: Operators | None = field(default=None, repr=False)
    _rules: RestoreEntry = field(default_factory=RestoreEntry, repr=False)

    @cached_property
    def originals(self) -> Originals:
        """What every placeholder and surrogate stands for, and what of it may be restored.

        >>> import efface
        >>> efface.redact("Nothing here.", policy="names").originals.mapping
        {}
        """
        if self.report is None or self._operators is None or self._text is None:
            return Originals({})
        return originals_in(self.report, self._operators, self._rules)

    @property
    def text(self) -> str:
        """The text as it may leave. Where none may, this raises `Refused`: ask for `verdict` first.

        >>> import efface
        >>> efface.redact("Call +1 202 555 0143.", policy="names").text
        'Call [PHONE_NUMBER_1].'
        """
        if self._text is None:
            hint = "Look at `report`; `allow_unproven=True` lets a text go whose verdict is `unproven`."
            raise Refused(self.reason or f"The verdict is {self.verdict}: no text may leave.", hint)
        return self._text

    @property
    def edits(self) -> tuple[Edit, ...]:
        """What was replaced, where, by what and why.

        >>> import efface
        >>> [(edit.type, edit.start) for edit in efface.redact("Mail bob@example.com.", policy="names").edits]
        [('EMAIL_ADDRESS', 5)]
        """
        return self.report.edits if self.report is not None else ()

    @property
    def mapping(self) -> Mapping[str, str]:
        """What every placeholder and surrogate stands for; masks and generalisations are not in it.

        >>> import efface
        >>> dict(efface.redact("Mail bob@example.com.", policy="names").mapping)
        {'[EMAIL_ADDRESS_1]': 'bob@example.com'}
        """
        return self.originals.mapping

    def restore(self, text: str) -> Restored:
        """A text about the redacted one, with the originals in it. Invented placeholders stay, and are told.

        >>> import efface
        >>> r = efface.redact("Mail bob@example.com.", policy="names")
        >>> answer = r.restore("I wrote to [email_address_1], not to [EMAIL_ADDRESS_9].")
        >>> str(answer), answer.invented
        ('I wrote to bob@example.com, not to [EMAIL_ADDRESS_9].', ('[EMAIL_ADDRESS_9]',))
        """
        from efface.api.restoring import restore

        return restore(text, self.originals)

    def restorer(self) -> Restorer:
        """Restores a stream chunk by chunk.

        >>> import efface
        >>> restorer = efface.redact("Mail bob@example.com.", policy="names").restorer()
        >>> restorer.feed("To [EMAIL_ADD") + restorer.feed("RESS_1]!") + restorer.close()
        'To bob@example.com!'
        """
        from efface.api.restoring import Restorer

        return Restorer(self.originals)


def redaction_of(
    report: Report, operators: Operators, rules: RestoreEntry, *, allow_unproven: bool = False
) -> Redaction:
    """A report on a plain text as a `Redaction`."""
    may = report.verdict.may_leave(allow_unproven=allow_unproven)
    text = report.released.decode("utf-8") if may and report.released is not None else None
    if text is None:
        return Redaction(report.verdict, report, _refusal_words(report))
    return Redaction(report.verdict, report, "", text, operators, rules)


def originals_in(report: Report, operators: Operators, rules: RestoreEntry) -> Originals:
    """What the replacements of a report stand for, and which of them the policy lets nobody restore."""
    from efface.api.placeholder_forms import spelled_like

    before = report.document.text
    placeholders = operators.placeholder_pattern(edit.type for edit in report.edits)
    edits = []
    never = set()
    for edit in report.edits:
        if edit.type in rules.never:
            never.add(edit.replacement or "")
        written = edit.replacement or ""
        # An operator that can make nothing of a term leaves a placeholder, whatever else it writes.
        is_told = placeholders.fullmatch(written) or tells_apart(operators.operator(edit.type))
        if is_told and written != PLAIN:
            edits.append((edit.type, before[edit.start : edit.end], written))
    mapping, people = originals_of(edits, lambda type_: operators.kind(type_) == "person")
    literal = {match.group() for match in placeholders.finditer(before)}
    literal.update(re.findall(SHAPED, before))
    literal.update(spelled_like(mapping, before))
    return Originals(mapping, people, frozenset(literal), frozenset(never), rules.links)


def _refusal_words(report: Report) -> str:
    if report.leaks:
        leak = report.leaks[0]
        return f"The text still held something that was removed ({leak.type}, {leak.encoding})."
    if report.verdict is Verdict.UNPROVEN:
        return (
            "The verdict is unproven: something was not looked at, or a guarantee speaks of a whole release."
        )
    names = [outcome.claim.name for outcome in report.outcomes if outcome.verdict is Verdict.BROKEN]
    return f"The guarantee {names[0]} does not hold." if names else "No text may leave."
