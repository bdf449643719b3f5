"""Which operator fills which type, and the one call that fills a document's edits."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from efface.core import Edit
from efface.errors import PolicyError
from efface.operators.kinds import kind_of
from efface.operators.placeholders import GivenNumbers, placeholder_pattern
from efface.operators.resolve import overlapping
from efface.operators.specs import (
    KEY_HINT,
    KEYED,
    OPERATORS,
    Encrypt,
    Generalise,
    Hash,
    Keep,
    Operator,
    Replace,
    Surrogate,
    is_lasting,
    is_operator,
)


@dataclass(frozen=True, slots=True)
class Operators:
    """Which operator fills which type, the policy's key, and the subject whose dates move together."""

    default: Operator = field(default_factory=Replace)
    by_type: Mapping[str, Operator] = field(default_factory=dict)
    key: bytes | None = field(default=None, repr=False)
    subject: str = ""
    # The numbers of placeholders that are shared with other documents.
    ledger: GivenNumbers | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        for operator in self._all_operators():
            if not is_operator(operator):
                raise PolicyError(
                    f"An object of the class {type(operator).__name__} is no operator.",
                    "An operator is one of efface's, or has `fill(original, type, key)`.",
                )

    def operator(self, type_name: str) -> Operator:
        return self.by_type.get(type_name, self.default)

    def kind(self, type_name: str) -> str:
        """What the type is, by the policy or by the table."""
        operator = self.operator(type_name)
        return kind_of(type_name, operator.kind if isinstance(operator, Surrogate | Generalise) else None)

    @property
    def are_lasting(self) -> bool:
        """Whether several documents may share a replacement, so that a reader can link them by it."""
        return any(is_lasting(operator) for operator in self._all_operators())

    @property
    def needs_lasting_key(self) -> bool:
        """Whether an operator is useless under a key that is forgotten when the process ends."""
        return any(isinstance(operator, Hash | Encrypt) for operator in self._all_operators())

    def fill(self, edits: Sequence[Edit], text: str) -> tuple[Edit, ...]:
        """Disjoint edits in order of the text, every one with its replacement.

        Give it the edits as planned, not yet resolved: what a policy keeps must be dropped before
        overlaps are merged, or a kept URL would keep the address inside it.
        """
        if self.key is None:
            self._refuse_keyed()
        from efface.operators.document_filling import DocumentFilling

        wanted = self.effective(edits)
        page = DocumentFilling(self, text, wanted)
        return tuple(page.filled(group) for group in overlapping(wanted))

    def effective(self, edits: Iterable[Edit]) -> list[Edit]:
        """The edits without those of a type that the policy keeps."""
        return [edit for edit in edits if edit.replacement is not None or not self._keeps(edit.type)]

    def placeholder_pattern(self, types: Iterable[str] = ()) -> re.Pattern[str]:
        """Recognises what these operators put in place of terms; `types` adds to those known by name."""
        return placeholder_pattern((*self.by_type, *types), self.templates())

    def templates(self) -> list[str]:
        """How these operators write placeholders."""
        return [operator.template for operator in self._all_operators() if isinstance(operator, Replace)]

    def _refuse_keyed(self) -> None:
        keyed = {type(operator) for operator in self._all_operators() if isinstance(operator, KEYED)}
        if keyed:
            names = " and ".join(name for name, spec in OPERATORS.items() if spec in keyed)
            raise PolicyError(f"The operator {names} needs a key.", KEY_HINT)

    def _all_operators(self) -> tuple[Operator, ...]:
        return (self.default, *self.by_type.values())

    def _keeps(self, type_name: str) -> bool:
        return isinstance(self.operator(type_name), Keep)
