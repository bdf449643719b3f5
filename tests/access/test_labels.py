from __future__ import annotations

import pytest

from efface.access.labels import Scheme, Tree
from efface.errors import PolicyError

LEVELS = Scheme.of(("LOW", "MEDIUM", "HIGH"), (), {})
SETS = Scheme.of((), ("heart", "lungs", "mind"), {})
TREE = Scheme.of((), (), {"hospital": {"north": {"ward 1": {}, "ward 2": {}}, "south": {}}})
ALL = Scheme.of(("LOW", "HIGH"), ("heart", "lungs"), {"hospital": {"north": {}, "south": {}}})

# scheme, viewer's label, row's label, may see
DOMINANCE = [
    (LEVELS, "HIGH", "LOW", True),
    (LEVELS, "HIGH", "HIGH", True),
    (LEVELS, "LOW", "MEDIUM", False),
    (LEVELS, "MEDIUM", "HIGH", False),
    (LEVELS, None, "LOW", False),
    (LEVELS, "HIGH", None, False),
    (LEVELS, "HIGH", "", False),
    (LEVELS, "HIGH", "SECRET", False),
    (LEVELS, "ROOT", "LOW", False),
    (LEVELS, "HIGH", "high", False),
    (SETS, "heart,lungs", "heart", True),
    (SETS, "lungs, heart", "heart,lungs", True),
    (SETS, "heart", "heart,mind", False),
    (SETS, "heart", "liver", False),
    (TREE, "hospital", "ward 1", True),
    (TREE, "north", "ward 2", True),
    (TREE, "ward 1", "ward 1", True),
    (TREE, "ward 1", "ward 2", False),
    (TREE, "ward 1", "north", False),
    (TREE, "south", "ward 1", False),
    (TREE, "ward 1,south", "ward 1,south", True),
    (TREE, "ward 1", "ward 1,south", False),
    (ALL, "HIGH:heart,lungs:hospital", "LOW:heart:north", True),
    (ALL, "HIGH:heart:north", "LOW::north", True),
    (ALL, "LOW:heart:north", "HIGH:heart:north", False),
    (ALL, "HIGH::north", "LOW:heart:north", False),
    (ALL, "HIGH:heart:south", "LOW:heart:north", False),
    (ALL, "HIGH:heart", "LOW:heart:north", False),
    (ALL, "HIGH:heart:north:x", "LOW::", False),
]


@pytest.mark.parametrize(("scheme", "viewer", "row", "may"), DOMINANCE)
def test_dominance(scheme: Scheme, viewer: str | None, row: str | None, may: bool) -> None:
    assert scheme.dominates(scheme.parse(viewer), scheme.parse(row)) is may


def test_a_scheme_names_each_thing_once() -> None:
    cases: list[tuple[tuple[str, ...], tuple[str, ...], Tree]] = [
        (("A", "A"), (), {}),
        ((), ("x", "x"), {}),
        ((), (), {"a": {"a": {}}}),
        ((), (), {}),
    ]
    for levels, sets, groups in cases:
        with pytest.raises(PolicyError):
            Scheme.of(levels, sets, groups)
