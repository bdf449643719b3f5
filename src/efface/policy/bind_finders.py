"""The finders of a policy: patterns, names, deny list, and those of plugins."""

from __future__ import annotations

from pathlib import Path

from efface.core import Finder, Pictures, types_of
from efface.errors import InputError, PolicyError
from efface.finders.coded_pictures import CodedPictures
from efface.finders.fields.labelled_fields import LabelledFields
from efface.finders.introduced_names import IntroducedNames
from efface.finders.lists import Listed, WordFinder
from efface.finders.patterns.finder import TYPES, PatternFinder
from efface.finders.patterns.row import RECALL_THRESHOLD
from efface.operators import Keep, Operators
from efface.pipeline.contracts import CUSTOM
from efface.policy.entries import DenyEntry, Find, NamesEntry
from efface.policy.model import Policy
from efface.policy.plugins import Extras, add_format, add_installed_formats, check_finder, made
from efface.policy.yaml_text import nearest
from efface.text.folding import fold_term
from efface.text.person_words import may_be_full_name

_DENIED, _PERSON = "DENIED", "PERSON"


def add_formats(policy: Policy) -> None:
    add_installed_formats()
    for entry in policy.formats:
        add_format(made("formats", entry.use, entry.options, "`formats`"), entry.use)


def finders_of(policy: Policy, folder: Path, deny: tuple[DenyEntry, ...]) -> dict[str, Finder]:
    """The finders that the policy asks for, by the names under which their finds are known."""
    find = policy.find
    finders: dict[str, Finder] = {}
    if find.patterns != "none":
        chosen = isinstance(find.patterns, tuple)
        types = frozenset(find.patterns) if chosen else _default_patterns(find)
        if types and (unknown := sorted(types - set(TYPES))):
            raise PolicyError(
                f"{policy.where('find', 'patterns')}`find.patterns` has no type {unknown[0]}{nearest(unknown[0], TYPES)}",
                "`efface policy types` lists them.",
            )
        enough = min(find.threshold, RECALL_THRESHOLD) if find.patterns == "recall" else find.threshold
        finders["patterns"] = PatternFinder(types=types, threshold=enough)
    if find.names != "none":
        finders["names"] = _names(policy, folder)
        told = _labelled_types(finders["names"], finders.get("patterns"))
        if told:
            finders["labels"] = LabelledFields(told)
            finders["introductions"] = IntroducedNames(told)
    if deny:
        finders["deny"] = word_finder(deny, "on the deny list", glued=True)
    if policy.pictures is Pictures.REMOVE:
        finders["pictures"] = CodedPictures()
    return finders


def _labelled_types(names: Finder, patterns: Finder | None) -> frozenset[str]:
    """What labels may tell: the types that the finders of names and of patterns look for."""
    tellable = LabelledFields().types
    asked = types_of(names) or tellable
    if isinstance(patterns, PatternFinder):
        asked |= patterns.types or frozenset(TYPES)
    return tellable & asked


def custom_finders(policy: Policy, extras: Extras) -> dict[str, Finder]:
    """Finders that are not part of efface, by the policy and by the caller. None takes the place of another."""
    finders: dict[str, Finder] = {}
    for entry in policy.find.custom:
        where = f"{policy.where('find', 'custom')}`find.custom`"
        found = check_finder(made("finders", entry.use, entry.options, where), entry.use)
        finders[f"{CUSTOM}{entry.use}"] = found
    for name, finder in extras.finders.items():
        finders[f"{CUSTOM}{name}"] = finder
    return finders


def _default_patterns(find: Find) -> frozenset[str] | None:
    """All types; but without dates where the model decides which of them identify the subject of a text."""
    subject = isinstance(find.names, NamesEntry) and find.names.risk == "subject"
    return frozenset(TYPES) - {"DATE_TIME"} if subject else None


def _names(policy: Policy, folder: Path) -> Finder:
    """The finder of names that the policy chooses. A model is loaded when the first text is read."""
    entry = policy.find.names if isinstance(policy.find.names, NamesEntry) else NamesEntry()
    if entry.spacy or entry.presidio or entry.gliner:
        from efface.finders.adapters import finder_of

        return finder_of(entry.spacy, entry.presidio, entry.gliner, frozenset(entry.types), entry.threshold)
    from efface.finders.names.finder import ALL_TYPES, DEFAULT_TYPES, NameFinder
    from efface.finders.names.model import PACKAGED
    from efface.text.language import LANGUAGES

    if unknown := sorted(set(entry.types) - ALL_TYPES):
        raise PolicyError(
            f"{policy.where('find', 'names', 'types')}the names model has no type {unknown[0]}"
            f"{nearest(unknown[0], ALL_TYPES)}",
            f"It has {', '.join(sorted(ALL_TYPES))}.",
        )
    if unknown := sorted(set(entry.languages) - set(LANGUAGES)):
        raise PolicyError(
            f"{policy.where('find', 'names', 'languages')}{unknown[0]} is no language that can be told apart"
            f"{nearest(unknown[0], LANGUAGES)}",
            f"Two letters each: {', '.join(LANGUAGES)}.",
        )
    model = PACKAGED if entry.model is None or entry.model == Path("default") else folder / entry.model
    types = frozenset(entry.types) or DEFAULT_TYPES
    return NameFinder(model, entry.preset, entry.risk, types, entry.languages)


def denied_terms(find: Find, folder: Path) -> tuple[DenyEntry, ...]:
    deny = find.deny + (_deny_file(folder / find.deny_file) if find.deny_file else ())
    if any(not fold_term(entry.term) for entry in (*deny, *find.keep)):
        raise PolicyError("A term of `deny` or `keep` has no visible character.", "Remove it.")
    return deny


def with_persons(deny: tuple[DenyEntry, ...], operators: Operators) -> tuple[DenyEntry, ...]:
    """The denied terms; a full name is a person's, so that its parts and initials go too.

    An entry keeps another type that it is given. So do all their own, where the policy has an operator for denied terms or keeps persons.
    """
    if _DENIED in operators.by_type or isinstance(operators.by_type.get(_PERSON), Keep):
        return deny
    return tuple(
        entry.model_copy(update={"type": _PERSON})
        if entry.type == _DENIED and may_be_full_name(entry.term)
        else entry
        for entry in deny
    )


def _deny_file(path: Path) -> tuple[DenyEntry, ...]:
    """One term a line; empty lines and lines that begin with # are skipped."""
    try:
        lines = path.read_text("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError):
        raise InputError(
            "The policy's `deny_file` cannot be read as UTF-8 text.", "Check its path."
        ) from None
    return tuple(DenyEntry(term=line.strip()) for line in lines if line.strip() and not line.startswith("#"))


def word_finder(entries: tuple[DenyEntry, ...], because: str, *, glued: bool = False) -> WordFinder:
    return WordFinder(tuple(Listed(e.term, e.case, e.type) for e in entries), because, glued)
