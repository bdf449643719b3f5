"""Bound policies kept by what they say, so that the same policy is bound once in a process.

A policy with `knowledge` is bound again each time: a viewer's rights may have changed since. So is one with web
counts. All else that a binding depends on is in the key: the policy's text, the folder, the viewer, and the
state of every file that the policy names.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import replace
from pathlib import Path
from threading import Lock

from efface.operators import Operators
from efface.pipeline.bound import BoundPolicy
from efface.policy.bind import bind, operators_of
from efface.policy.files import stamps_of
from efface.policy.model import Policy

_KEPT = 16  # bound policies; each may hold an opened index

_bound: OrderedDict[Hashable, BoundPolicy] = OrderedDict()
_lock = Lock()


def bind_cached(policy: Policy, folder: Path = Path(), viewer: str | None = None) -> BoundPolicy:
    """As `bind`, with finders and guarantees that an equal policy was bound to before.

    Operators are made again: the key that is drawn for a policy without one is never shared.
    """
    if not is_lasting(policy):
        return bind(policy, folder, viewer)
    key = (policy.model_dump_json(by_alias=True), str(folder.absolute()), viewer, stamps_of(policy, folder))
    with _lock:
        known = _bound.get(key)
        if known is not None:
            _bound.move_to_end(key)
    if known is not None:
        return replace(known, operators=operators_of(policy, folder))
    made = bind(policy, folder, viewer)
    with _lock:
        _bound[key] = replace(made, operators=Operators())  # a key of one caller stays with that caller
        while len(_bound) > _KEPT:
            _bound.popitem(last=False)
    return made


def is_lasting(policy: Policy) -> bool:
    """Whether nothing outside of the policy and its files decides what it is bound to."""
    asks_the_web = any(entry.semantic is not None and entry.semantic.web for entry in policy.guarantees)
    return not policy.knowledge and not asks_the_web
