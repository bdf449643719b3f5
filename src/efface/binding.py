"""A policy bound to finders, guarantees and operators: the step before the flow begins."""

from __future__ import annotations

import difflib
import secrets
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from efface.core import Document, Finder, Guarantee
from efface.errors import InputError, PolicyError
from efface.folding import fold_term
from efface.guarantees.absence import Absence
from efface.operators import OPERATORS, Keep, Operator, Operators, Replace
from efface.operators.kinds import KINDS
from efface.pipeline import Bound
from efface.policy import ConfusabilityEntry, DenyEntry, Find, Policy, SemanticEntry
from efface.terms.patterns import TYPES, PatternFinder
from efface.terms.words import Listed, WordFinder

if TYPE_CHECKING:
    from efface.guarantees.semantic import Semantic
    from efface.sources import Known


def bind(policy: Policy, folder: Path = Path(), viewer: str | None = None) -> Bound:
    """All that the flow needs. Relative paths in the policy are relative to `folder`."""
    finders = _finders(policy.find, folder)
    by_type = {name: _operator(name, spec) for name, spec in policy.operators.items()}
    default = by_type.pop("default", Replace())
    exempt = frozenset(name for name, operator in by_type.items() if isinstance(operator, Keep))
    if isinstance(default, Keep):
        raise PolicyError("`operators.default: keep` would leave everything as it is.", "Name types to keep.")
    guarantees: list[Guarantee] = (
        [Absence(frozenset(finders), exempt, policy.find.threshold)] if finders else []
    )
    known: dict[str, Known] = {}
    if policy.knowledge:
        from efface.sources import open_knowledge  # loads numpy: not for a policy that needs none

        known = open_knowledge(policy.knowledge, folder, viewer)
    for name, knowledge in known.items():
        finders[name] = knowledge.finder
        guarantees.extend(knowledge.columns)
    promises = _promises(policy, folder, known)
    if promises.phrases is not None:
        finders["phrases"] = promises.phrases
    operators = Operators(default, by_type, policy.secret_key(folder), policy.subject)
    if operators.key is None and operators.needs_lasting_key:
        raise PolicyError(
            "`hash` and `encrypt` need a key that lasts.",
            "Make one with `efface policy key`, keep it safe, and set `key: env:NAME` or `key: file:PATH`.",
        )
    if operators.key is None:
        # Surrogates and shifts are consistent within this run and forgotten with it.
        operators = replace(operators, key=secrets.token_bytes(32))
    types = tuple(
        {
            *TYPES,
            "WORD",  # what k-confusability suppresses
            *(entry.type for entry in policy.find.deny),
            *(t for k in known.values() for t in k.types),
        }
    )
    _check_types(by_type, types)
    return Bound(
        finders=finders,
        guarantees=(*guarantees, *promises.guarantees),
        operators=operators,
        keep=_words(policy.find.keep, "on the keep list") if policy.find.keep else None,
        rounds=policy.rounds,
        late=promises.late,
        types=types,
        denied=tuple(entry.term for entry in _denied(policy.find, folder)),
        notes=(*promises.notes, *(note for knowledge in known.values() for note in knowledge.notes)),
    )


@dataclass(frozen=True)
class _Promises:
    """The policy's guarantees, the finder that one of them needs, and what is odd about them."""

    guarantees: tuple[Guarantee, ...]
    late: tuple[Callable[[Document], Guarantee], ...]
    phrases: Finder | None
    notes: tuple[str, ...]


def _promises(policy: Policy, folder: Path, known: Mapping[str, Known]) -> _Promises:
    guarantees: list[Guarantee] = []
    late: list[Callable[[Document], Guarantee]] = []
    phrases: Finder | None = None
    notes: list[str] = []
    for entry in policy.guarantees:
        if entry.k_safety is not None:
            guarantees.append(known[entry.k_safety.over].k_safety(entry.k_safety))
        elif entry.k_confusability is not None:
            late.append(_confusability(entry.k_confusability, folder))
        elif entry.semantic is not None:
            from efface.terms.phrases import PhraseFinder

            phrases = phrases or PhraseFinder()
            promise = _semantic(entry.semantic, folder)
            guarantees.append(promise)
            notes.extend(promise.warnings())
        else:
            raise PolicyError("A guarantee of the policy is not known here.", "Upgrade efface.")
    return _Promises(tuple(guarantees), tuple(late), phrases, tuple(notes))


def _confusability(entry: ConfusabilityEntry, folder: Path) -> Callable[[Document], Guarantee]:
    """Which class a document hides may be the model's guess, so the promise is bound when it is read."""
    from efface.guarantees.confusability import Confusability
    from efface.knowledge.classes_files import load

    promise = Confusability(
        load(folder / entry.model),
        entry.k,
        method=entry.method,
        objective=entry.objective,
        per_occurrence=entry.per_occurrence,
        time_limit=entry.time_limit,
    )
    return lambda document: promise.bind(document.text, entry.truth, entry.keep)


def _semantic(entry: SemanticEntry, folder: Path) -> Semantic:
    """The packaged corpus and taxonomy, with the policy's own beside them."""
    from efface.guarantees.semantic import Semantic
    from efface.knowledge.corpus import CombinedCorpus, open_corpus, wikipedia
    from efface.knowledge.taxonomy import wordnet
    from efface.knowledge.taxonomy_files import load_taxonomy

    own = tuple(open_corpus(folder / path) for path in entry.corpora)
    return Semantic(
        entry.hide,
        CombinedCorpus((wikipedia(), *own)) if own else wikipedia(),
        (*(load_taxonomy(folder / path) for path in entry.taxonomies), wordnet()),
        entry.max_group,
        entry.context,
        entry.probability,
        entry.unknown,
    )


def _finders(find: Find, folder: Path) -> dict[str, Finder]:
    finders: dict[str, Finder] = {}
    if find.patterns != "none":
        types = None if find.patterns == "default" else frozenset(find.patterns)
        if types and (unknown := sorted(types - set(TYPES))):
            raise PolicyError(
                f"`find.patterns` has no type {unknown[0]}{_nearest(unknown[0], TYPES)}.",
                "`efface policy types` lists them.",
            )
        finders["patterns"] = PatternFinder(types=types, threshold=find.threshold)
    deny = _denied(find, folder)
    if deny:
        finders["deny"] = _words(deny, "on the deny list")
    return finders


def _denied(find: Find, folder: Path) -> tuple[DenyEntry, ...]:
    deny = find.deny + (_deny_file(folder / find.deny_file) if find.deny_file else ())
    if any(not fold_term(entry.term) for entry in (*deny, *find.keep)):
        raise PolicyError("A term of `deny` or `keep` has no visible character.", "Remove it.")
    return deny


def _deny_file(path: Path) -> tuple[DenyEntry, ...]:
    """One term a line; empty lines and lines that begin with # are skipped."""
    try:
        lines = path.read_text("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError):
        raise InputError(
            "The policy's `deny_file` cannot be read as UTF-8 text.", "Check its path."
        ) from None
    return tuple(DenyEntry(term=line.strip()) for line in lines if line.strip() and not line.startswith("#"))


def _words(entries: tuple[DenyEntry, ...], because: str) -> WordFinder:
    return WordFinder(tuple(Listed(e.term, e.case, e.type) for e in entries), because)


def _operator(where: str, spec: str | Mapping[str, Any]) -> Operator:
    """`replace`, or `{mask: {chars_to_mask: 12}}`."""
    name, options = (spec, {}) if isinstance(spec, str) else next(iter(spec.items()), ("", {}))
    if name not in OPERATORS or (not isinstance(spec, str) and len(spec) != 1):
        raise PolicyError(
            f"`operators.{where}` names no operator{_nearest(str(name), OPERATORS)}.",
            f"Choose one of {', '.join(OPERATORS)}.",
        )
    try:
        return OPERATORS[name](**(options or {}))
    except (TypeError, ValueError):
        raise PolicyError(
            f"`operators.{where}`: `{name}` does not take these options.", "See docs/policy.md."
        ) from None


def _check_types(named: Iterable[str], known: Iterable[str]) -> None:
    """An operator for a type that nothing finds is a mistake in its name."""
    types = set(known) | set(KINDS)
    for name in named:
        if name not in types:
            raise PolicyError(
                f"`operators.{name}`: no such type{_nearest(name, types)}.",
                "`efface policy types` lists them.",
            )


def _nearest(name: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, sorted(known), n=1)
    return f"; did you mean `{near[0]}`?" if near else ""
