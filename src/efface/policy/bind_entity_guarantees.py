"""The guarantees on entities, built from opened knowledge: denied columns, hidden values and k-safety."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from efface.core import Guarantee
from efface.errors import PolicyError
from efface.guarantees.abilities import Remembered
from efface.guarantees.columns import DeniedColumns
from efface.guarantees.ksafety.guarantee import KSafety
from efface.guarantees.values import HiddenValues
from efface.operators import Operators
from efface.policy.bind_operators import faked_types, parts_left
from efface.policy.guarantee_entries import KSafetyEntry, RememberedEntry
from efface.policy.knowledge import OpenedKnowledge, selection_of


def denials_of(
    known: Iterable[OpenedKnowledge], operators: Operators, safeties: Sequence[KSafetyEntry]
) -> Iterator[Guarantee]:
    """What the knowledge itself denies its viewer: columns, values of the entities, and whole entities, where the policy's
    own `safeties` do not protect these."""
    parts = parts_left(operators)
    for knowledge in known:
        types = knowledge.denied_types
        if types:
            yield DeniedColumns(
                knowledge.name,
                types,
                knowledge.denied_because,
                faked=faked_types(operators, types),
                columns=knowledge.denied_columns,
                index=knowledge.index,
                parts=parts,
            )
        if knowledge.can_mask:
            columns = knowledge.column_types
            yield HiddenValues(knowledge.index, knowledge.name, knowledge.denied, columns, parts)
        if knowledge.access is not None:
            mine = [safety for safety in safeties if safety.over == knowledge.name]
            if all(safety.protect != "denied" for safety in mine):
                yield k_safety_of(knowledge, _of_denied(knowledge.name, mine), operators)


def _of_denied(over: str, safeties: Sequence[KSafetyEntry]) -> KSafetyEntry:
    """The k-safety of denied entities in a policy that names none: the k for others, or none of their terms is left."""
    if safeties:
        return safeties[0].model_copy(update={"protect": "denied"})
    return KSafetyEntry(over=over, k="all", protect="denied")


def k_safety_of(known: OpenedKnowledge, entry: KSafetyEntry, operators: Operators) -> KSafety:
    """k-safety over this knowledge. Values are counted by column where the entities come from a database."""
    has_columns = known.entry.database is not None
    by_column = has_columns if entry.attributes is None else entry.attributes == "apart"
    is_denied = entry.protect == "denied"
    _check(known, entry, by_column=by_column)
    return KSafety(
        index=known.index,
        over=known.name,
        k=None if entry.k == "all" else entry.k,
        protect=known.denied if is_denied else selection_of(known.index, entry.protect),
        scope=entry.scope,
        method=entry.method,
        time_limit=entry.time_limit,
        remove_infeasible=entry.infeasible == "remove",
        columns=known.column_types if by_column else None,
        with_sensitive=is_denied,
        asks_values=is_denied and by_column and known.can_mask,
        masked=known.denied_types,
        weights=entry.weights,
        reader=entry.reader,
        finds=known.finder.find,
        colluding=entry.collusion == "safe",
        parts=parts_left(operators),
        remembered=_remembered(entry),
    )


def _remembered(entry: KSafetyEntry) -> Remembered | None:
    """What the service remembers. Viewers who collude keep their copies when the database changes."""
    colluding = entry.collusion == "safe"
    if entry.together is not None:
        chosen = entry.together.viewer or entry.together.document
        assert chosen is not None
        return Remembered(chosen.days, entry.together.viewer is not None, colluding)
    if colluding and entry.scope == "document" and entry.k != "all":
        return Remembered(RememberedEntry().days, by_everybody=True)
    return None


def _check(known: OpenedKnowledge, entry: KSafetyEntry, *, by_column: bool) -> None:
    if by_column:
        return
    if entry.reader == "knows-method":
        raise PolicyError(
            "`reader: knows-method` needs entities with columns.",
            "Use a database, or say `attributes: apart`.",
        )
    if entry.protect == "denied" and known.can_mask:
        raise PolicyError(
            "`attributes: pooled` cannot tell whose value the server hides from a viewer.",
            "Leave `attributes` out: a value then counts in its own column.",
        )
