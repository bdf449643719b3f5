"""Label-based access control: levels, compartments and groups, and when a viewer's label dominates.

| component    | a label holds      | the viewer's dominates when                                        |
|--------------|--------------------|--------------------------------------------------------------------|
| levels       | one level          | it is as high or higher                                            |
| compartments | a set              | it holds every compartment of the row                              |
| groups       | groups of a tree   | each group of the row, or one above it, is among the viewer's      |

A label is written with its components in this order, joined by colons: `HIGH:oncology,cardiology:ward 2`.
A row or column without a label, or with one that does not parse, is denied to everybody.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from efface.errors import PolicyError

Tree = Mapping[str, "Tree"]


@dataclass(frozen=True, slots=True)
class Label:
    """A parsed label; components that the scheme does not have are empty."""

    level: int = 0
    compartments: frozenset[str] = frozenset()
    groups: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Scheme:
    """The components of the labels: ordered levels (lowest first), compartments, a tree of groups."""

    levels: tuple[str, ...] = ()
    compartments: frozenset[str] = frozenset()
    parents: Mapping[str, str | None] = field(default_factory=dict)

    @classmethod
    def of(cls, levels: tuple[str, ...], compartments: tuple[str, ...], groups: Tree) -> Scheme:
        """From a policy's lists and nested mapping; a name that appears twice is a mistake."""
        parents: dict[str, str | None] = {}
        for name, parent in _walk(groups, None):
            if name in parents:
                raise PolicyError("A group appears twice in the tree of groups.", "Name each group once.")
            parents[name] = parent
        if len(set(levels)) != len(levels) or len(set(compartments)) != len(compartments):
            raise PolicyError("A level or compartment appears twice.", "Name each once.")
        if not (levels or compartments or parents):
            raise PolicyError("Labels need `levels`, `compartments` or `groups`.")
        return cls(levels, frozenset(compartments), parents)

    def parse(self, text: str | None) -> Label | None:
        """The label, or None when there is none or it is not of this scheme."""
        if text is None or not text.strip():
            return None
        pieces = [piece.strip() for piece in text.split(":")]
        kinds = [kind for kind in (self.levels, self.compartments, self.parents) if kind]
        if len(pieces) != len(kinds):
            return None
        queue = iter(pieces)
        rank = 0
        if self.levels:
            level = next(queue)
            if level not in self.levels:
                return None
            rank = self.levels.index(level)
        compartments = _names(next(queue)) if self.compartments else frozenset()
        groups = _names(next(queue)) if self.parents else frozenset()
        if compartments <= self.compartments and groups <= self.parents.keys():
            return Label(rank, compartments, groups)
        return None

    def dominates(self, viewer: Label | None, row: Label | None) -> bool:
        """Whether the viewer may see what the row's label protects."""
        if viewer is None or row is None:
            return False
        if viewer.level < row.level or not row.compartments <= viewer.compartments:
            return False
        return all(self._is_member(viewer, group) for group in row.groups)

    def _is_member(self, viewer: Label, group: str) -> bool:
        """Whether the viewer belongs to the group or to one above it."""
        return any(above in viewer.groups for above in self._line(group))

    def _line(self, group: str) -> Iterator[str]:
        """The group and all above it."""
        current: str | None = group
        while current is not None:
            yield current
            current = self.parents.get(current)


def _walk(tree: Tree, parent: str | None) -> Iterator[tuple[str, str | None]]:
    for name, below in tree.items():
        yield name, parent
        yield from _walk(below or {}, name)


def _names(text: str) -> frozenset[str]:
    return frozenset(name.strip() for name in text.split(",") if name.strip())
