"""Whom or what a document hides: said by the policy, by a part of the document, or by a column of its table."""

from __future__ import annotations

from collections.abc import Sequence

from efface.core import Document
from efface.errors import PolicyError, UsageError
from efface.policy.guarantee_entries import GUESS, ConfusabilityEntry, TruthInDocument
from efface.policy.model import Policy
from efface.text.folding import fold_term


def truth_column(policy: Policy, given: str = "") -> str:
    """The column with the true class of each row, from the caller or the policy; empty where there is none."""
    entries = [entry.k_confusability for entry in policy.guarantees if entry.k_confusability is not None]
    places = [entry.truth for entry in entries if isinstance(entry.truth, TruthInDocument)]
    named = {place.column for place in places if place.column is not None}
    named |= {given} if given else set()
    if given and not entries:
        raise UsageError(
            "The policy hides no class and no person, so no column can tell them.", "Leave `truth` out."
        )
    if len(named) > 1:
        raise PolicyError(
            "The class to hide is told by two columns.", "Name one, here or as `truth: {column: …}`."
        )
    return named.pop() if named else ""


def truth_of(entry: ConfusabilityEntry, document: Document, names: Sequence[str], told: str) -> str | None:
    """The document's class or person; None where it is to be guessed.

    `told` comes from the caller, such as a cell of the document's row. Where the policy says where the truth is and it
    is not there, it is not guessed.
    """
    from efface.knowledge.classes.words import blank_placeholders

    fixed = entry.truth if isinstance(entry.truth, str) and entry.truth != GUESS else None
    if told.strip():
        if fixed is not None and fold_term(told) != fold_term(fixed):
            raise UsageError(
                "The policy and the document's row name two classes to hide.",
                "Leave `truth` out of the policy, or the column out of the call.",
            )
        return _class_as_model_writes(told, names)
    if isinstance(entry.truth, TruthInDocument):
        if entry.truth.part is None:
            raise UsageError(
                "The class to hide should stand in a column of the document's row, and nothing stands there.",
                "Fill the column, and name the table's column of text (`--text COLUMN` in a batch): without one a table "
                "is one document. A document that is no row needs `truth: NAME` or `truth: {part: …}`.",
            )
        return _in_part(entry.truth.part, document, names)
    if fixed is not None:
        return fixed
    if blank_placeholders(document.text, " ") != document.text:
        raise UsageError(
            "The class of a document that was released cannot be guessed from it.",
            "Give it as `truth` of `k-confusability`.",
        )
    return None


def _class_as_model_writes(label: str, names: Sequence[str]) -> str:
    """The class as the model writes it."""
    if label in names:
        return label
    folded = fold_term(label)
    return next((known for known in names if fold_term(known) == folded), label)


def _in_part(wanted: str, document: Document, names: Sequence[str]) -> str:
    from efface.knowledge.classes.words import blank_placeholders

    text = blank_placeholders(document.text, " ")
    for part in document.parts:
        name, value = part.name, text[part.start : part.end]
        if name == "header":  # a mail's own, which is there with its name
            head, _, value = value.partition(":")
            name = f"header {head}"
        label = fold_term(value)
        if label and name.casefold() == wanted.casefold():
            return _class_as_model_writes(label, names)
    raise UsageError(
        "The document has no part of the name that `truth` gives, or nothing stands in it.",
        "Check the name of the part, such as `header X-Client`, or give the class itself as `truth`.",
    )
