"""Knowledge as a policy names it, opened and bound to the viewer."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from efface.access import Access
from efface.errors import PolicyError
from efface.finders.entities import EntityFinder
from efface.guarantees.ksafety.exposure import id_and_column
from efface.knowledge.entities.index import EntityIndex
from efface.knowledge.entities.matching import Fuzziness
from efface.knowledge.entities.signatures import Selection
from efface.policy.entries import Knowledge
from efface.policy.knowledge_access import access_of
from efface.policy.knowledge_index import build_index, follow, index_of, index_path, watch
from efface.policy.knowledge_sources import database_url, source_of

__all__ = [
    "OpenedKnowledge", "access_of", "build_index", "database_url", "follow", "index_of", "index_path", "open_knowledge",
    "selection_of", "source_of", "watch",
]  # fmt: skip

_FILTER = re.compile(r"\s*(\w+)\s*=\s*(.+?)\s*")


def selection_of(index: EntityIndex, protect: str | tuple[str, ...]) -> Selection:
    """The entities of `protect`: `all`, a filter such as `category = cancer`, or ids. One that chooses no entity is a
    mistake: nothing would be protected, and the guarantee would hold for any text."""
    chosen = _selected(index, protect)
    if protect != "all" and not len(chosen):
        raise PolicyError("`protect` chooses no entity.", "Check the value that it filters by.")
    return chosen


def _selected(index: EntityIndex, protect: str | tuple[str, ...]) -> Selection:
    """Whom `protect` means: everybody, those whom a filter selects, or listed ids."""
    if protect == "all":
        return index.everyone()
    if isinstance(protect, str):
        match = _FILTER.fullmatch(protect)
        if match is None:
            raise PolicyError(
                "`protect` is `all`, `denied`, a list of ids, or a filter.",
                "Write for example `category = cancer`.",
            )
        if not any(attribute.name == match[1] for attribute in index.attributes):
            raise PolicyError(
                "`protect` filters by an attribute that the entities do not have.", "Add it to `filters`."
            )
        return index.where(match[1], match[2].strip("'\""))
    missing = [id for id in protect if not index.holds(id)]
    if missing:
        raise PolicyError(
            f"{len(missing)} of the ids in `protect` are not among the entities.", "Check the ids."
        )
    return index.select(protect)


@dataclass(frozen=True)
class OpenedKnowledge:
    """One entry of `knowledge`, opened and bound to the viewer."""

    name: str
    index: EntityIndex
    entry: Knowledge
    access: Access | None
    denied_columns: tuple[str, ...] = ()
    denied_because: str = ""  # the database's reason
    notes: tuple[str, ...] = ()
    heard: list[str] = field(default_factory=list, repr=False, compare=False)  # notes of later questions

    @classmethod
    def of(cls, name: str, entry: Knowledge, folder: Path, viewer: str | None) -> OpenedKnowledge:
        index = index_of(name, entry, folder)
        if entry.access is None:
            return cls(name, index, entry, None)
        access = access_of(entry, folder, viewer)
        denial = access.denied_columns((*entry.identifying, *entry.sensitive))
        notes = (denial.note,) if denial.note else ()
        return cls(name, index, entry, access, tuple(denial.denied), denial.reason, notes)

    @property
    def finder(self) -> EntityFinder:
        return EntityFinder(
            self.index, self.name, Fuzziness(self.entry.fuzzy, self.entry.fuzzy_lengths), self.entry.types
        )

    @property
    def types(self) -> frozenset[str]:
        """The types that mentions of this knowledge can have."""
        return frozenset(_type(self.entry, attribute.name) for attribute in self.index.attributes)

    @property
    def denied_types(self) -> frozenset[str]:
        """The types of the columns that the viewer is denied."""
        return frozenset(_type(self.entry, column) for column in self.denied_columns)

    @property
    def can_mask(self) -> bool:
        """Whether the viewer may be shown a row with other values in it."""
        return self.access is not None and self.access.can_mask

    @property
    def column_types(self) -> dict[str, str]:
        return {attribute.name: _type(self.entry, attribute.name) for attribute in self.index.attributes}

    def denied(self, asked: Sequence[str]) -> frozenset[str]:
        """What is denied of entities and of single values (see `cell`)."""
        assert self.access is not None
        parted = {question: id_and_column(question) for question in asked}
        denial = self.access.denied_entities(list(dict.fromkeys(id for id, _ in parted.values())))
        if denial.note and denial.note not in self.heard:
            self.heard.append(denial.note)
        if not denial.columns <= {*self.denied_columns}:
            # A column was revoked from the viewer meanwhile, and rows may have been granted.
            return frozenset(asked)
        return frozenset(
            question
            for question, (id, column) in parted.items()
            if id in denial.denied or column in denial.values.get(id, ())
        )


def _type(entry: Knowledge, column: str) -> str:
    return entry.types.get(column, column.upper())


def open_knowledge(
    entries: Mapping[str, Knowledge], folder: Path, viewer: str | None
) -> dict[str, OpenedKnowledge]:
    """Every entry of the policy's `knowledge`, opened and bound to the viewer."""
    return {name: OpenedKnowledge.of(name, entry, folder, viewer) for name, entry in entries.items()}
