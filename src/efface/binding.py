"""A policy bound to finders, guarantees and operators: the step before the flow begins."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from efface.core import Document, Finder, Guarantee
from efface.errors import InputError, PolicyError, UsageError
from efface.folding import fold_term
from efface.guarantees.absence import Absence
from efface.operators import OPERATORS, Generalise, Keep, Operator, Operators, Redact, Replace
from efface.operators.kinds import KINDS
from efface.pipeline import Bound
from efface.policy import ConfusabilityEntry, DenyEntry, Find, NamesEntry, Policy, SemanticEntry
from efface.policy_text import nearest
from efface.terms.patterns import TYPES, PatternFinder
from efface.terms.words import Listed, WordFinder
from efface.types import NAME_TYPES

if TYPE_CHECKING:
    from efface.guarantees.semantic import Semantic
    from efface.knowledge.classes_model import ClassModel
    from efface.knowledge.corpus import Corpus
    from efface.sources import Known


def bind(policy: Policy, folder: Path = Path(), viewer: str | None = None) -> Bound:
    """All that the flow needs. Relative paths in the policy are relative to `folder`."""
    policy.check()
    deny = _denied(policy.find, folder)
    finders = _finders(policy, folder, deny)
    operators = _operators(policy, folder)
    exempt = frozenset(name for name, operator in operators.by_type.items() if isinstance(operator, Keep))
    guarantees: list[Guarantee] = (
        [Absence(frozenset(finders), exempt, policy.find.threshold)] if finders else []
    )
    known: dict[str, Known] = {}
    if policy.knowledge:
        from efface.sources import open_knowledge  # loads numpy: not for a policy that needs none

        known = open_knowledge(policy.knowledge, folder, viewer)
    for name, knowledge in known.items():
        finders[name] = knowledge.finder
        guarantees.extend(
            replace(denied, faked=_faked(operators, denied.types)) for denied in knowledge.columns
        )
    generalised = isinstance(operators.by_type.get("WORD", operators.default), Generalise)
    promises = _promises(policy, folder, known, generalised=generalised)
    if promises.phrases is not None:
        finders["phrases"] = promises.phrases
    learned = _identifiers(policy, folder, exempt)
    finders |= learned.finders
    types = tuple(
        {
            *TYPES,
            "WORD",  # what k-confusability suppresses
            *(NAME_TYPES if "names" in finders else ()),
            *learned.types,
            *(entry.type for entry in deny),
            *(t for k in known.values() for t in k.types),
        }
    )
    _check_types(policy, operators.by_type, types)
    return Bound(
        finders=finders,
        guarantees=(*guarantees, *promises.guarantees, *learned.guarantees),
        operators=operators,
        keep=_words(policy.find.keep, "on the keep list") if policy.find.keep else None,
        rounds=policy.rounds,
        late=promises.late,
        contextual=frozenset({"names", *learned.finders}),
        known=frozenset(known),
        types=types,
        denied=tuple(entry.term for entry in deny),
        notes=(*promises.notes, *(note for knowledge in known.values() for note in knowledge.notes)),
    )


def _faked(operators: Operators, types: Iterable[str]) -> frozenset[str]:
    """The types in whose place something stands that could be a value."""
    return frozenset(t for t in types if not isinstance(operators.operator(t), Replace | Redact))


@dataclass(frozen=True)
class _Promises:
    """The policy's guarantees, the finder that one of them needs, and what is odd about them."""

    guarantees: tuple[Guarantee, ...]
    late: tuple[Callable[[Document], Guarantee], ...]
    phrases: Finder | None
    notes: tuple[str, ...]


def _promises(policy: Policy, folder: Path, known: Mapping[str, Known], *, generalised: bool) -> _Promises:
    guarantees: list[Guarantee] = []
    late: list[Callable[[Document], Guarantee]] = []
    phrases: Finder | None = None
    notes: list[str] = []
    for entry in policy.guarantees:
        if entry.k_safety is not None:
            guarantees.append(known[entry.k_safety.over].k_safety(entry.k_safety))
        elif entry.k_confusability is not None:
            late.append(_confusability(entry.k_confusability, folder, generalised=generalised))
        elif entry.semantic is not None:
            from efface.terms.phrases import PhraseFinder

            phrases = phrases or PhraseFinder()
            promise = _semantic(entry.semantic, folder)
            guarantees.append(promise)
            notes.extend(promise.warnings())
        elif entry.identifiers is None:  # these are bound beside their finders
            raise PolicyError("A guarantee of the policy is not known here.", "Upgrade efface.")
    return _Promises(tuple(guarantees), tuple(late), phrases, tuple(notes))


@dataclass(frozen=True)
class _Learned:
    """What the policy's models of identifiers bring: finders, the promises on them, and their types."""

    finders: Mapping[str, Finder]
    guarantees: tuple[Guarantee, ...]
    types: tuple[str, ...]


def _identifiers(policy: Policy, folder: Path, exempt: frozenset[str]) -> _Learned:
    finders: dict[str, Finder] = {}
    guarantees: list[Guarantee] = []
    types: list[str] = []
    for entry in (entry.identifiers for entry in policy.guarantees):
        if entry is None:
            continue
        from efface.guarantees.identifiers import NAME, Identifiers
        from efface.knowledge.identifiers_files import load
        from efface.terms.identifiers import IdentifierFinder

        model = load(folder / entry.model)
        source = f"{NAME} {len(finders) + 1}"
        rounds = sum(len(category.classifiers) for category in model.categories)
        finders[source] = IdentifierFinder(model)
        guarantees.append(
            Identifiers(source, model.settings.loss_ratio, model.settings.learner, rounds, exempt)
        )
        types += [category.type for category in model.categories]
    return _Learned(finders, tuple(guarantees), tuple(types))


def _confusability(
    entry: ConfusabilityEntry, folder: Path, *, generalised: bool
) -> Callable[[Document], Guarantee]:
    """Which class a document hides may be the model's guess, so the promise is bound when it is read."""
    from efface.guarantees.confusability import Confusability
    from efface.knowledge.taxonomy import wider

    model = _classes(entry, folder)
    promise = Confusability(
        model,
        entry.k,
        method=entry.method,
        objective=entry.objective,
        per_occurrence=entry.per_occurrence,
        time_limit=entry.time_limit,
        generalise=wider if generalised else None,
    )
    # `keep: industry` names what the corpus calls a category, and the document's is the model's best guess.
    keep = tuple(name for name in entry.keep if name not in model.settings.utility)
    return lambda document: promise.bind(document.text, _truth(entry, document, model), keep)


def _classes(entry: ConfusabilityEntry, folder: Path) -> ClassModel:
    """The model, with the classes and names that the policy adds to it."""
    from efface.knowledge.classes_files import load
    from efface.texts import text_of

    model = load(folder / entry.model)
    if entry.hide is not None and entry.hide != model.settings.sensitive:
        raise PolicyError(
            "`k-confusability`: the model was not trained to tell what `hide` names.",
            "Name the field given to `efface train classes --sensitive`.",
        )
    for name, learned in entry.learn.items():
        texts = [text_of(folder / path) for path in learned.documents]
        model = model.with_class(name, texts, learned.aliases)
    return model.with_aliases(entry.aliases)


def _truth(entry: ConfusabilityEntry, document: Document, model: ClassModel) -> str | None:
    """The document's class: from the policy, or from the part of the document that holds it."""
    from efface.knowledge.classes_words import blank_placeholders

    if isinstance(entry.truth, str):
        return entry.truth
    text = blank_placeholders(document.text, " ")
    wanted = entry.truth.part.casefold() if entry.truth is not None else ""
    for part in document.parts if wanted else ():
        name, value = part.name, text[part.start : part.end]
        if name == "header":  # a mail's own, which stands there with its name
            head, _, value = value.partition(":")
            name = f"header {head}"
        label = fold_term(value)
        if label and name.casefold() == wanted:
            return next((known for known in model.sensitive.names if fold_term(known) == label), label)
    if text != document.text:
        raise UsageError(
            "The class of a document that was released cannot be guessed from it.",
            "Give it as `truth` of `k-confusability`.",
        )
    return None


def _semantic(entry: SemanticEntry, folder: Path) -> Semantic:
    """The packaged corpus and taxonomy, with the policy's own beside them."""
    from efface.guarantees.semantic import Semantic
    from efface.knowledge.taxonomy import wordnet
    from efface.knowledge.taxonomy_files import load_taxonomy

    return Semantic(
        entry.hide,
        _corpus(entry, folder),
        (*(load_taxonomy(folder / path) for path in entry.taxonomies), wordnet()),
        entry.max_group,
        entry.context,
        entry.probability,
        entry.unknown,
        entry.common,
        entry.support,
    )


def _corpus(entry: SemanticEntry, folder: Path) -> Corpus:
    """What the world writes: the packaged counts and the policy's own, or the web's."""
    from efface.knowledge.corpus import CombinedCorpus, open_corpus, wikipedia

    web = entry.web
    if web is None:
        own = tuple(open_corpus(folder / path) for path in entry.corpora)
        return CombinedCorpus((wikipedia(), *own)) if own else wikipedia()
    if entry.corpora:
        raise PolicyError("`semantic`: `web` and `corpora` cannot be counted together.", "Name one of them.")
    from efface.knowledge.web_counts import SearchApi, WebCorpus

    api = SearchApi(web.url, web.count, web.key.removeprefix("env:") if web.key else None, web.rate)
    return WebCorpus(api, web.documents, folder / web.cache, web.allow_queries)


def _finders(policy: Policy, folder: Path, deny: tuple[DenyEntry, ...]) -> dict[str, Finder]:
    find = policy.find
    finders: dict[str, Finder] = {}
    if find.patterns != "none":
        types = _default_patterns(find) if find.patterns == "default" else frozenset(find.patterns)
        if types and (unknown := sorted(types - set(TYPES))):
            raise PolicyError(
                f"{policy.where('find', 'patterns')}`find.patterns` has no type {unknown[0]}{nearest(unknown[0], TYPES)}",
                "`efface policy types` lists them.",
            )
        finders["patterns"] = PatternFinder(types=types, threshold=find.threshold)
    if find.names != "none":
        finders["names"] = _names(policy, folder)
    if deny:
        finders["deny"] = _words(deny, "on the deny list")
    return finders


def _default_patterns(find: Find) -> frozenset[str] | None:
    """All of them; but whether a date tells of the person whom a text is about is for the model to say."""
    subject = isinstance(find.names, NamesEntry) and find.names.risk == "subject"
    return frozenset(TYPES) - {"DATE_TIME"} if subject else None


def _names(policy: Policy, folder: Path) -> Finder:
    """The finder of names that the policy chooses. A model is loaded when the first text is read."""
    entry = policy.find.names if isinstance(policy.find.names, NamesEntry) else NamesEntry()
    if entry.spacy or entry.presidio or entry.gliner:
        from efface.adapters import finder_of

        return finder_of(entry.spacy, entry.presidio, entry.gliner, frozenset(entry.types), entry.threshold)
    from efface.terms.names.finder import ALL_TYPES, DEFAULT_TYPES, NameFinder
    from efface.terms.names.model import PACKAGED

    if unknown := sorted(set(entry.types) - ALL_TYPES):
        raise PolicyError(
            f"{policy.where('find', 'names', 'types')}the names model has no type {unknown[0]}"
            f"{nearest(unknown[0], ALL_TYPES)}",
            f"It has {', '.join(sorted(ALL_TYPES))}.",
        )
    model = PACKAGED if entry.model is None or entry.model == Path("default") else folder / entry.model
    return NameFinder(model, entry.preset, entry.risk, frozenset(entry.types) or DEFAULT_TYPES)


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


def _operators(policy: Policy, folder: Path) -> Operators:
    """What stands in the place of what goes, with a key where one is needed."""
    by_type = {name: _operator(policy, name) for name in policy.operators}
    default = by_type.pop("default", Replace())
    if isinstance(default, Keep):
        raise PolicyError("`operators.default: keep` would leave everything as it is.", "Name types to keep.")
    operators = Operators(default, by_type, policy.secret_key(folder), policy.subject)
    if operators.key is not None:
        return operators
    if operators.needs_lasting_key:
        raise PolicyError(
            "`hash` and `encrypt` need a key that lasts.",
            "Make one with `efface policy key`, keep it safe, and set `key: env:NAME` or `key: file:PATH`.",
        )
    # Surrogates and shifts are consistent within this run and forgotten with it.
    return replace(operators, key=secrets.token_bytes(32))


def _operator(policy: Policy, type_: str) -> Operator:
    """`replace`, or `{mask: {chars_to_mask: 12}}`."""
    spec = policy.operators[type_]
    where = f"{policy.where('operators', type_)}`operators.{type_}`"
    name, options = (spec, {}) if isinstance(spec, str) else next(iter(spec.items()), ("", {}))
    if name not in OPERATORS or (not isinstance(spec, str) and len(spec) != 1):
        raise PolicyError(
            f"{where} names no operator{nearest(str(name), OPERATORS)}",
            f"Choose one of {', '.join(OPERATORS)}.",
        )
    try:
        return OPERATORS[name](**(options or {}))
    except (TypeError, ValueError):
        raise PolicyError(f"{where}: `{name}` does not take these options.", "See docs/policy.md.") from None


def _check_types(policy: Policy, named: Iterable[str], known: Iterable[str]) -> None:
    """An operator for a type that nothing finds is a mistake in its name."""
    types = set(known) | set(KINDS)
    for name in named:
        if name not in types:
            raise PolicyError(
                f"{policy.where('operators', name)}`operators.{name}`: no such type{nearest(name, types)}",
                "`efface policy types` lists them.",
            )
