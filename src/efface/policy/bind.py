"""A policy bound to finders, guarantees and operators: the step before the flow begins.

`bind_finders`, `bind_guarantees`, `bind_entity_guarantees` and `bind_operators` build what is put together here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from efface.attacks.leaks import ForbiddenTerms
from efface.core import Finder, Guarantee, traits_of, types_of
from efface.finders.patterns.finder import TYPES
from efface.guarantees.absence import Absence
from efface.operators import Generalise, Keep, Operators
from efface.pipeline.bound import BoundPolicy
from efface.policy.bind_finders import (
    add_formats,
    custom_finders,
    denied_terms,
    finders_of,
    with_persons,
    word_finder,
)
from efface.policy.bind_guarantees import identifiers_of, promises_of
from efface.policy.bind_operators import check_types, operators_of
from efface.policy.entries import DenyEntry
from efface.policy.model import Policy
from efface.policy.plugins import NO_EXTRAS, Extras
from efface.policy.unrequested import unasked
from efface.text.entity_types import HIDDEN_TEXT, NAME_TYPES

if TYPE_CHECKING:
    from efface.policy.knowledge import OpenedKnowledge

__all__ = ["bind", "operators_of"]


def bind(
    policy: Policy, folder: Path = Path(), viewer: str | None = None, extras: Extras = NO_EXTRAS
) -> BoundPolicy:
    """All that the flow needs. Relative paths in the policy are relative to `folder`."""
    policy.check()
    add_formats(policy)
    operators = operators_of(policy, folder, extras)
    deny = with_persons(denied_terms(policy.find, folder), operators)
    custom = custom_finders(policy, extras)
    finders = {**finders_of(policy, folder, deny), **custom}
    exempt = _kept_types(operators)
    # Absence covers the finders so far. What knowledge finds below is judged by the guarantees over that knowledge.
    absence = (Absence.of(finders, exempt, policy.find.threshold),) if finders else ()
    known = _opened_knowledge(policy, folder, viewer)
    finders |= {name: knowledge.finder for name, knowledge in known.items()}
    generalised = isinstance(operators.by_type.get("WORD", operators.default), Generalise)
    promises = promises_of(policy, folder, known, operators, generalised=generalised)
    if promises.phrases is not None:
        finders["phrases"] = promises.phrases
    learned = identifiers_of(policy, folder, exempt)
    finders |= learned.finders
    types = tuple(_types(finders, custom.values(), deny, known.values()).union(learned.types))
    check_types(policy, operators.by_type, types)
    denials = _denials(known.values(), operators, policy)
    heard = tuple(knowledge.heard for knowledge in known.values())
    notes_of_knowledge = chain.from_iterable(knowledge.notes for knowledge in known.values())
    return BoundPolicy(
        finders=finders,
        # Guarantees are asked in this order in every round: what simply goes, before what is weighed.
        guarantees=(*absence, *denials, *promises.guarantees, *learned.guarantees, *extras.guarantees),
        operators=operators,
        keep=word_finder(policy.find.keep, "on the keep list") if policy.find.keep else None,
        rounds=policy.rounds,
        pictures=policy.pictures,
        accept=frozenset(policy.accept),
        unasked=unasked(policy.find, operators),
        late=promises.late,
        types=types,
        denied=ForbiddenTerms(tuple(entry.term for entry in deny)),
        notes=(*promises.notes, *notes_of_knowledge),
        heard=heard,
    )


def _kept_types(operators: Operators) -> frozenset[str]:
    """The types that the policy's operators leave in place."""
    return frozenset(name for name, operator in operators.by_type.items() if isinstance(operator, Keep))


def _opened_knowledge(policy: Policy, folder: Path, viewer: str | None) -> Mapping[str, OpenedKnowledge]:
    """The knowledge that the policy names, opened for the viewer."""
    if not policy.knowledge:
        return {}
    from efface.policy.knowledge import open_knowledge  # loads numpy: not for a policy that needs none

    return open_knowledge(policy.knowledge, folder, viewer)


def _denials(known: Collection[OpenedKnowledge], operators: Operators, policy: Policy) -> Iterable[Guarantee]:
    if not known:
        return ()
    from efface.policy.bind_entity_guarantees import denials_of

    safeties = [entry.k_safety for entry in policy.guarantees if entry.k_safety is not None]
    return denials_of(known, operators, safeties)


def _types(
    finders: Mapping[str, Finder],
    custom: Iterable[Finder],
    deny: Iterable[DenyEntry],
    known: Iterable[OpenedKnowledge],
) -> frozenset[str]:
    """The types that the finders may give, so that `operators` may name them."""
    types = {*TYPES, HIDDEN_TEXT, "WORD"}  # WORD is what k-confusability suppresses
    if any(traits_of(finder).reads_sentence for finder in finders.values()):
        types.update(NAME_TYPES)
    for finder in custom:
        types.update(types_of(finder))
    for entry in deny:
        types.add(entry.type)
    for knowledge in known:
        types.update(knowledge.types)
    return frozenset(types)
