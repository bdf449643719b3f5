"""The filling of one document: what each operator makes of each term, and what must stay consistent."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Protocol

from efface.core import Edit
from efface.errors import code_of_others
from efface.operators.keys import digest, subkey
from efface.operators.placeholders import DEFAULT_TEMPLATE, FALLBACK, SEAL, GivenNumbers, Numbering, label_of
from efface.operators.resolve import merged
from efface.operators.safety import holds, spells
from efface.operators.specs import (
    BuiltIn,
    Encrypt,
    Generalise,
    Hash,
    Keep,
    Mask,
    Operator,
    Redact,
    Replace,
    Shift,
    Surrogate,
)
from efface.text.folding import fold_term, without_separators

if TYPE_CHECKING:
    from efface.operators.surrogate import RemovedWords, Surrogates

_MASK_STEP = 8  # masks are as long as the term, rounded up to a multiple of this
_SEAL_TRIES = 8  # draws before efface gives up; one in thousands is needed twice


class OperatorChoice(Protocol):
    """What the filling of a document needs to know of the policy."""

    @property
    def key(self) -> bytes | None: ...

    @property
    def subject(self) -> str: ...

    @property
    def ledger(self) -> GivenNumbers | None: ...

    def operator(self, type_name: str) -> Operator: ...

    def kind(self, type_name: str) -> str: ...


class _TermToFill(NamedTuple):
    """A term to be replaced. `parts` are the texts of all the edits that were merged to it."""

    type: str
    label: str
    key: str
    original: str
    parts: Sequence[str]

    def is_repeated_by(self, replacement: str) -> bool:
        """Whether the replacement says any of these texts; a token's mark does not ("Face" is a name)."""
        said = replacement.replace(SEAL, " ")
        return holds(said, self.original) or any(holds(said, part) for part in self.parts)


@dataclass(slots=True)
class DocumentFilling:
    """What filling one document remembers from one edit to the next."""

    choice: OperatorChoice
    text: str
    edits: Sequence[Edit]
    _numbers: Numbering = field(init=False)
    _done: dict[tuple[str, str, str], str] = field(default_factory=dict)
    _labels: dict[str, str] = field(default_factory=dict)
    _subkeys: dict[str, bytes] = field(default_factory=dict)
    _orders: dict[bool, bool | None] = field(default_factory=dict)
    _fakes: dict[str, Surrogates] = field(default_factory=dict)
    _originals: RemovedWords | None = None
    _seal: Callable[[str, str, int], str] | None = None

    def __post_init__(self) -> None:
        self._numbers = Numbering(self.text, self.choice.ledger or GivenNumbers())

    def filled(self, group: Sequence[Edit]) -> Edit:
        """One edit for the edits of a group, with a replacement that says none of their originals."""
        edit = merged(group)
        if edit.replacement is not None and not self._item(edit, group).is_repeated_by(edit.replacement):
            return edit
        if len(group) > 1:
            replacement = self._replacement(self._operator(edit, group), self._item(edit, group))
        else:
            replacement = self._lone_replacement(edit)
        return Edit(edit.start, edit.end, edit.type, edit.key, edit.reason, replacement, edit.score)

    def _lone_replacement(self, edit: Edit) -> str:
        """The replacement of an edit that overlaps no other. Equal edits get the same one, so it is cached."""
        place = (edit.type, edit.key, self.text[edit.start : edit.end])
        done = self._done.get(place)
        if done is None:
            done = self._replacement(self.choice.operator(edit.type), self._item(edit))
            self._done[place] = done
        return done

    def _item(self, edit: Edit, group: Sequence[Edit] = ()) -> _TermToFill:
        original = self.text[edit.start : edit.end]
        label = self._labels.get(edit.type) or self._labels.setdefault(edit.type, label_of(edit.type))
        whole = (edit.start, edit.end)
        others = [member for member in group if (member.start, member.end) != whole]
        parts = [self.text[member.start : member.end] for member in others]
        return _TermToFill(edit.type, label, edit.key or fold_term(original), original, parts)

    def _operator(self, edit: Edit, group: Sequence[Edit]) -> Operator:
        """The operator of the winning type.

        A mask or a plug-in's operator was chosen for spans of that type only. If finds overlap, the stretch contains
        others, too: then a mask shows nothing of it, and a plug-in is not asked.
        """
        operator = self.choice.operator(edit.type)
        widened = not any(member.type == edit.type and member.span == edit.span for member in group)
        if not widened:
            return operator
        if isinstance(operator, Mask):
            return Mask(operator.masking_char)
        return operator if isinstance(operator, BuiltIn) else Replace()

    def _replacement(self, operator: Operator, item: _TermToFill) -> str:
        made = self._apply_operator(operator, item)
        if made is not None and not item.is_repeated_by(made):
            return made
        # The default placeholder; something plainer when the type's name or number is what was removed.
        for label in (item.label, FALLBACK):
            written = self._numbers.write(DEFAULT_TEMPLATE, label, item.key)
            if not item.is_repeated_by(written):
                return written
        return "" if item.is_repeated_by("*****") else "*****"

    def _apply_operator(self, operator: Operator, item: _TermToFill) -> str | None:
        """The operator's replacement for the term, or None if it has none."""
        match operator:
            case Replace(template):
                return self._numbers.write(template, item.label, item.key)
            case Redact():
                return ""
            case Mask():
                return _masked(operator, item)
            case Hash(length):
                return self._fingerprint(item, length)
            case Encrypt():
                return self._sealed(item)
            case Surrogate(locale):
                fakes = self._fakes_in(locale)
                return fakes.fake(self.choice.kind(item.type), item.label, item.key, item.original)
            case Shift():
                return self._shifted(operator, item.original)
            case Generalise():
                from efface.operators.generalise import generalised

                return generalised(operator, self.choice.kind(item.type), item.original)
            case Keep():  # only an edit whose own replacement said its original comes here
                return None
            case _:
                with code_of_others(f"The operator of {item.type}"):
                    made = operator.fill(item.original, item.type, item.key)
                return made if isinstance(made, str) and self._may_stand(made, item.original) else None

    def _may_stand(self, made: str, original: str) -> bool:
        """Whether what a plug-in wrote is text that a file can hold, and tells nothing that was removed."""
        removed = self._removed_words()
        is_text = not any("\ud800" <= sign <= "\udfff" for sign in made)
        return is_text and not (spells(made, original) or removed.within(made) or removed.glued(made))

    def _subkey(self, purpose: str) -> bytes:
        if purpose not in self._subkeys:
            self._subkeys[purpose] = subkey(self.choice.key, purpose)
        return self._subkeys[purpose]

    def _fingerprint(self, item: _TermToFill, length: int) -> str:
        from efface.operators.seal import fingerprint

        return fingerprint(self._subkey("hash"), item.label, item.key, length)

    def _sealed(self, item: _TermToFill) -> str | None:
        """A sealed token. A placeholder is the last resort, because the original could not be restored from it."""
        from efface.operators.seal import sealer

        if self._seal is None:
            self._seal = sealer(self.choice.key, self.choice.subject)
        for attempt in range(_SEAL_TRIES):  # chance can put a short original into the base64 text
            label = item.label if attempt < _SEAL_TRIES // 2 else FALLBACK
            token = self._seal(label, item.original, attempt)
            if not item.is_repeated_by(token):
                return token
        return None

    def _shifted(self, operator: Shift, original: str) -> str | None:
        from efface.operators import dates

        written = dates.parse(original, self._day_first(operator.day_first))
        drawn = int.from_bytes(digest(self._subkey("shift"), self.choice.subject), "big") % (
            2 * operator.days
        )
        offset = drawn - operator.days
        return written.shifted(offset if offset < 0 else offset + 1) if written else None

    def _day_first(self, default: bool) -> bool | None:
        from efface.operators import dates

        if default not in self._orders:
            texts = (self.text[edit.start : edit.end] for edit in self.edits)
            self._orders[default] = dates.day_first(texts, default)
        return self._orders[default]

    def _fakes_in(self, locale: str) -> Surrogates:
        from efface.operators.surrogate import Surrogates

        if locale not in self._fakes:
            days_lead = self._day_first(default=locale != "en_US")
            self._fakes[locale] = Surrogates(
                locale, self._subkey("surrogate"), self._removed_words(), days_lead
            )
        return self._fakes[locale]

    def _removed_words(self) -> RemovedWords:
        from efface.operators.surrogate import RemovedWords

        if self._originals is None:
            types = {edit.type for edit in self.edits}
            persons = frozenset(name for name in types if self.choice.kind(name) == "person")
            self._originals = RemovedWords.of(self.edits, self.text, persons)
        return self._originals


def _masked(operator: Mask, item: _TermToFill) -> str:
    """A part is shown of a value that is written as in the data, separators aside: what another spelling would show is
    not a part of that value, so nobody could count whom it fits. More than half is never shown."""
    original, count = item.original, operator.chars_to_mask
    is_spelled_so = without_separators(fold_term(original)) == without_separators(item.key)
    if count is None or 2 * count < len(original) or not is_spelled_so:
        return operator.masking_char * (-(-len(original) // _MASK_STEP) * _MASK_STEP)
    count = min(count, len(original))
    mask = operator.masking_char * count
    return original[: len(original) - count] + mask if operator.from_end else mask + original[count:]
