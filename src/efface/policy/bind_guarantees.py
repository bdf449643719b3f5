"""The guarantees of a policy, each bound to the knowledge that it needs.

Models, corpora and taxonomies load large libraries, so their modules are imported where a policy asks for them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from efface.core import Document, Finder, Guarantee
from efface.errors import PolicyError
from efface.operators import Operators
from efface.pipeline.bound import LateGuarantee
from efface.policy.guarantee_entries import GUESS, ConfusabilityEntry, KSafetyEntry, SemanticEntry
from efface.policy.hidden_subjects import truth_of
from efface.policy.model import Policy
from efface.policy.plugins import check_guarantee, made
from efface.text.folding import fold_term

if TYPE_CHECKING:
    from efface.guarantees.secret_rank import SecretRank
    from efface.guarantees.semantic.guarantee import Semantic
    from efface.knowledge.classes.model import ClassModel
    from efface.knowledge.corpus.counts import Corpus
    from efface.policy.knowledge import OpenedKnowledge


@dataclass(frozen=True)
class Promises:
    """The policy's guarantees, the finder that one of them needs, and what is odd about them."""

    guarantees: tuple[Guarantee, ...]
    late: tuple[LateGuarantee, ...]
    phrases: Finder | None
    notes: tuple[str, ...]


def promises_of(
    policy: Policy,
    folder: Path,
    known: Mapping[str, OpenedKnowledge],
    operators: Operators,
    *,
    generalised: bool,
) -> Promises:
    """The guarantees of a policy. A new kind of entry is a branch here."""
    guarantees: list[Guarantee] = []
    late: list[LateGuarantee] = []
    semantic: list[Semantic] = []
    notes: list[str] = []
    for entry in policy.guarantees:
        if entry.k_safety is not None:
            from efface.policy.bind_entity_guarantees import k_safety_of

            guarantees.append(k_safety_of(known[entry.k_safety.over], entry.k_safety, operators))
            notes += _notes_of_k_safety(entry.k_safety)
        elif entry.k_confusability is not None:
            key = policy.secret_key(folder)
            late.append(_confusability(entry.k_confusability, folder, key, generalised=generalised))
        elif entry.semantic is not None:
            promise = _semantic(entry.semantic, folder, policy.secret_key(folder))
            semantic.append(promise)
            guarantees.append(promise)
            notes.extend(promise.warnings())
        elif entry.custom is not None:
            found = made("guarantees", entry.custom.use, entry.custom.options, "`guarantees.custom`")
            guarantees.append(check_guarantee(found, entry.custom.use))
        elif entry.identifiers is None:  # these are bound beside their finders
            raise PolicyError(
                "An entry of `guarantees` names no guarantee that this version binds.",
                "`efface policy example` shows those that there are.",
            )
    return Promises(tuple(guarantees), tuple(late), _phrase_finder(semantic), tuple(notes))


def _notes_of_k_safety(entry: KSafetyEntry) -> list[str]:
    if entry.together is None:
        return []
    return [
        f"`together` (over {entry.over}) is kept where the service opens documents. Elsewhere each is judged by itself."
    ]


def _phrase_finder(promises: Sequence[Semantic]) -> Finder | None:
    """One finder of phrases for all semantic guarantees, which knows the names that each of them hides."""
    if not promises:
        return None
    from efface.finders.phrases import PhraseFinder
    from efface.guarantees.semantic.telling_phrases import phrase_pattern

    hidden_names: dict[str, str] = {}
    telling: tuple[str, ...] = ()
    for promise in promises:
        hidden_names |= promise.joined_names
        telling += promise.telling
    return PhraseFinder(names=hidden_names, telling=phrase_pattern(telling))


@dataclass(frozen=True)
class LearnedFinders:
    """What the policy's models of identifiers bring: finders, the promises on them, and their types."""

    finders: Mapping[str, Finder]
    guarantees: tuple[Guarantee, ...]
    types: tuple[str, ...]


def identifiers_of(policy: Policy, folder: Path, exempt: frozenset[str]) -> LearnedFinders:
    finders: dict[str, Finder] = {}
    guarantees: list[Guarantee] = []
    types: list[str] = []
    for entry in (entry.identifiers for entry in policy.guarantees):
        if entry is None:
            continue
        from efface.finders.identifiers import IdentifierFinder
        from efface.guarantees.abilities import ReleaseTest
        from efface.guarantees.identifiers import NAME, Identifiers
        from efface.knowledge.identifiers.files import load

        model = load(folder / entry.model)
        source = f"{NAME} {len(finders) + 1}"
        rounds = sum(len(category.classifiers) for category in model.categories)
        finders[source] = IdentifierFinder(model)
        test = ReleaseTest(folder / entry.model, entry.limit, entry.budget)
        learned = model.settings
        guarantees.append(
            Identifiers(source, learned.loss_ratio, learned.learner, rounds, exempt, release_test=test)
        )
        types += [category.type for category in model.categories]
    return LearnedFinders(finders, tuple(guarantees), tuple(types))


def _confusability(
    entry: ConfusabilityEntry, folder: Path, key: bytes | None, *, generalised: bool
) -> LateGuarantee:
    """Which class a document hides may be the model's guess, so the promise is bound when it is read."""
    from efface.guarantees.confusability.guarantee import NAME, Confusability
    from efface.guarantees.secret_rank import SecretRank
    from efface.knowledge.taxonomy.concepts import wider

    if entry.people is not None:
        return _people(entry, folder / entry.people, SecretRank.of(key))
    model = _classes(entry, folder)
    promise = Confusability(
        model,
        entry.k,
        readers=entry.readers,
        guess_allowed=entry.truth == GUESS,
        keep_margin=entry.keep_margin,
        method=entry.method,
        objective=entry.objective or "",
        per_occurrence=entry.per_occurrence,
        time_limit=entry.time_limit,
        rare=entry.rare,
        generalise=wider if generalised else None,
        secret=SecretRank.of(key),
    )
    # `keep: industry` names what the corpus calls a category, and the document's is the model's best guess.
    keep = tuple(name for name in entry.keep if name not in model.settings.utility)
    names = model.sensitive.names

    def bound(document: Document, told: str, run_key: bytes | None) -> Guarantee:
        mine = replace(promise, secret=_secret(run_key, promise.secret))
        return mine.bind(document.text, truth_of(entry, document, names, told), keep)

    return LateGuarantee(NAME, bound)


def _secret(run_key: bytes | None, own: SecretRank | None) -> SecretRank | None:
    """The key of the run, for all its documents and its repetitions: different copies would disclose more than one."""
    from efface.guarantees.secret_rank import SecretRank

    return SecretRank.of(run_key) if run_key is not None else own


def _people(entry: ConfusabilityEntry, path: Path, secret: SecretRank) -> LateGuarantee:
    """The guarantee over all people of an index, instead of over the classes of a model."""
    from efface.guarantees.confusability.guarantee import NAME, Confusability
    from efface.guarantees.confusability.people import PeopleConfusability
    from efface.knowledge.people.index import PeopleIndex

    index = PeopleIndex.open(path)
    template = Confusability(
        index.model(""),
        entry.k,
        guess_allowed=entry.truth == GUESS,
        readers=entry.readers,
        method=entry.method,
        objective="count",
        time_limit=entry.time_limit,
        rare=entry.rare,
        secret=secret,
    )

    def bound(document: Document, told: str, run_key: bytes | None) -> Guarantee:
        drawn = replace(template, secret=_secret(run_key, secret))
        promise = PeopleConfusability(index, drawn, aliases=entry.aliases)
        return promise.bind(document.text, truth_of(entry, document, index.names, told))

    return LateGuarantee(NAME, bound)


def _classes(entry: ConfusabilityEntry, folder: Path) -> ClassModel:
    """The model, with the classes and names that the policy adds to it."""
    from efface.formats.file_text import text_of
    from efface.knowledge.classes.files import load

    assert entry.model is not None
    model = load(folder / entry.model)
    if entry.hide is not None and entry.hide != model.settings.sensitive:
        raise PolicyError(
            "`k-confusability`: the model was not trained to tell what `hide` names.",
            "Name the field given to `efface train classes --sensitive`.",
        )
    if len({fold_term(name) for name in model.sensitive.names}) < len(model.sensitive.names):
        raise PolicyError(
            "`k-confusability`: the model has one class in two spellings, which would hide behind each other.",
            "Train it again with `efface train classes`, which makes one class of them.",
        )
    for name, learned in entry.learn.items():
        texts = [text_of(folder / path) for path in learned.documents]
        model = model.with_class(name, texts, learned.aliases)
    return model.with_aliases(entry.aliases)


def _semantic(entry: SemanticEntry, folder: Path, key: bytes | None) -> Semantic:
    """The packaged corpus and taxonomy, with the policy's own beside them."""
    from efface.guarantees.secret_rank import SecretRank
    from efface.guarantees.semantic.guarantee import Semantic
    from efface.knowledge.corpus.subject_articles import packaged_subjects
    from efface.knowledge.taxonomy.concepts import wordnet
    from efface.knowledge.taxonomy.definitions import definitions
    from efface.knowledge.taxonomy.files import load_taxonomy
    from efface.knowledge.vectors.word_vectors import packaged_vectors

    corpus = _corpus(entry, folder)
    if entry.web is not None and entry.reader == "document":
        raise PolicyError(
            "`semantic`: the reader of the whole text would send every word with every rival to the search API.",
            "Write `reader: terms`, or count with `corpora` instead of `web`.",
        )
    return Semantic(
        entry.hide,
        corpus,
        (*(load_taxonomy(folder / path) for path in entry.taxonomies), wordnet()),
        entry.max_group,
        entry.context,
        entry.probability,
        entry.unknown,
        entry.common,
        entry.support,
        entry.reader,
        entry.k,
        entry.rivals,
        packaged_vectors(),
        definitions() if entry.reader == "document" else None,
        packaged_subjects() if entry.reader == "document" else None,
        SecretRank.of(key),
    )


def _corpus(entry: SemanticEntry, folder: Path) -> Corpus:
    """What the world writes: the packaged counts and the policy's own, or the web's."""
    from efface.knowledge.corpus.counts import CombinedCorpus, open_corpus, wikipedia

    web = entry.web
    if web is None:
        own = tuple(open_corpus(folder / path) for path in entry.corpora)
        return CombinedCorpus((wikipedia(), *own)) if own else wikipedia()
    if entry.corpora:
        raise PolicyError("`semantic`: `web` and `corpora` cannot be counted together.", "Name one of them.")
    from efface.knowledge.corpus.web_counts import SearchApi, WebCorpus

    api = SearchApi(web.url, web.count, web.key.removeprefix("env:") if web.key else None, web.rate)
    return WebCorpus(api, web.documents, folder / web.cache, web.allow_queries)
