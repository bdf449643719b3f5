"""Several readers at once: each one's own ranking of the released text, and the secret rank."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from functools import cache
from itertools import chain, combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from efface.core import Document, GapKind, Plan, Reading, apply_edits
from efface.errors import Infeasible, PolicyError
from efface.guarantees.confusability.edits import disjoint, suppressed
from efface.guarantees.confusability.guarantee import Confusability
from efface.guarantees.confusability.panel_view import CategoryReaders
from efface.guarantees.confusability.rounds import ADAPTIVE, train_in_rounds
from efface.guarantees.secret_rank import SecretRank
from efface.knowledge.classes import ClassModel, LabelledDocument, TrainingSettings, train
from efface.knowledge.classes.files import dumps, loads
from efface.knowledge.classes.readers import READERS
from efface.solvers.confusability.panel_solve import solve_panel
from efface.solvers.confusability.solve import METHODS
from tests.guarantees.confusability.strategies import WORDS, corpora, texts

ALL = TrainingSettings(min_count=1)
KEY = SecretRank(b"a key of 16 bytes and more")


def reading(text: str) -> Reading:
    return Reading(Document("memo.txt", "text", text), ())


def released(text: str, plan: Plan) -> str:
    filled = [replace(edit, replacement=edit.replacement or "[WORD_1]") for edit in plan.edits]
    return apply_edits(text, filled)


def confused(model: ClassModel, text: str, truth: str, k: int) -> bool:
    """The claim, reader by reader, from the scores alone."""
    place = model.sensitive.index(truth)
    for name, scores in model.all_scores(text).items():
        nothing_found = scores[place] == 0 and (name in ("cosine", "bm25", "bigrams") or not scores.any())
        if name != "naive-bayes" and nothing_found and len(scores) >= k:
            continue
        if sum(score > scores[place] for score in scores) < k - 1:
            return False
    return True


@given(corpora(), texts, st.integers(2, 4), st.sampled_from(METHODS), st.booleans(), st.data())
@settings(deadline=None, derandomize=True, max_examples=50)
def test_every_reader_s_own_ranking_keeps_the_claim_or_nothing_could(
    documents: list[LabelledDocument], text: str, k: int, method: str, secret: bool, data: st.DataObject
) -> None:
    model = train(documents, ALL)
    truth = data.draw(st.sampled_from(model.sensitive.names))
    secret = secret and k < len(model.sensitive.names)  # else no rank could be drawn
    promise = Confusability(model, k, method=method, secret=KEY if secret else None).bind(text, truth)
    findings = promise.assess(reading(text))
    assert bool(findings) == (not confused(model, text, truth, k))
    try:
        plan = promise.plan(reading(text), findings)
    except Infeasible:
        for gone in _subsets(sorted(set(text.split()))):
            left = " ".join("[WORD_1]" if word in gone else word for word in text.split())
            assert not confused(model, left, truth, k)
        return
    left = released(text, plan)
    assert confused(model, left, truth, k)
    assert promise.assess(reading(left)) == ()
    assert promise.plan(reading(text), findings) == plan


def _subsets(words: Sequence[str]) -> chain[tuple[str, ...]]:
    return chain.from_iterable(combinations(words, number) for number in range(len(words) + 1))


@cache
def corpus(classes: int = 24, documents: int = 3) -> list[LabelledDocument]:
    """Classes that share words with their neighbours, each with one word of its own."""
    chance = np.random.default_rng(4)
    found = []
    for label in range(classes):
        common = [f"{WORDS[(label + step) % len(WORDS)]}{step}" for step in range(4)]
        for _ in range(documents):
            words = [*chance.choice(common, 6), f"own{label}x", *chance.choice(WORDS, 6)]
            found.append(LabelledDocument(" ".join(words), f"Client{label:02d}", (f"sector{label % 4}",)))
    return found


@cache
def trained(classes: int = 24) -> ClassModel:
    """A model of the corpus, which the tests share. It is frozen."""
    return train(corpus(classes), ALL)


def test_all_readers_are_made_in_one_pass_and_kept_in_the_file() -> None:
    model = trained()
    assert model.readers == READERS
    again = loads(dumps(model))
    text = corpus()[5].text
    for name, scores in model.all_scores(text).items():
        assert again.all_scores(text)[name].tolist() == scores.tolist()
    assert dumps(train(corpus()[::-1], ALL)) == dumps(model)
    right = [
        [model.sensitive.names[int(np.argmax(s))] == d.sensitive for s in model.all_scores(d.text).values()]
        for d in corpus()
    ]
    assert np.mean(right, axis=0).min() > 0.8


def test_the_category_is_kept_for_readers_beside_naive_bayes() -> None:
    """A category that naive Bayes alone still sees was lost to others."""
    model = loads(dumps(trained()))
    assert [reader.name for reader in model.category_readers] == ["linear-svm", "logistic", "cosine"]
    planned = 0
    for document in corpus()[::4]:
        bound = Confusability(model, 3).bind(document.text, document.sensitive, document.utility)
        view = model.view(document.text)
        panel = bound.choice.panel(view, bound.ranks[0], CategoryReaders.ALL)
        try:
            kept = solve_panel(panel, "lp", thorough=False).kept
        except Infeasible:
            continue
        planned += 1
        place = model.utility.index(document.utility[0])
        for reader in model.category_readers:
            scores = reader.scores(view.features, kept)
            assert (np.delete(scores, place) < scores[place]).all()
    assert planned >= 3


def test_a_model_without_categories_has_no_readers_of_them() -> None:
    plain = [replace(document, utility=()) for document in corpus()]
    assert train(plain, ALL).category_readers == ()


def test_where_no_pair_was_learned_the_reader_of_pairs_finds_nothing() -> None:
    """It must not take the words of the text for pairs."""
    model = train([LabelledDocument(WORDS[0], "A", ("s",)), LabelledDocument(WORDS[1], "B", ("s",))], ALL)
    assert model.pairs == ()
    assert model.all_scores(f"{WORDS[0]} {WORDS[1]}")["bigrams"].tolist() == [0.0, 0.0]


def test_the_rank_reached_is_not_k_and_the_claim_does_not_say_which() -> None:
    model = trained()
    ranks, claims = set(), set()
    for document in corpus()[::6]:
        promise = Confusability(model, 3, readers=("naive-bayes", "cosine"), secret=KEY)
        bound = promise.bind(document.text, document.sensitive)
        again = promise.bind(document.text, document.sensitive)
        assert bound.ranks == again.ranks
        assert all(3 <= rank <= 6 for drawn in bound.ranks for rank in drawn.values())
        findings = bound.assess(reading(document.text))
        left = released(document.text, bound.plan(reading(document.text), findings))
        scores = model.scores(left)
        ranks.add(1 + int((scores > scores[model.sensitive.index(document.sensitive)]).sum()))
        claims.add(json.dumps(asdict(bound.claim), sort_keys=True, default=str))
        assert "rank" not in repr(bound)
    assert len(ranks) > 2
    assert len(claims) == 1


def test_a_reader_that_the_model_lacks_is_refused() -> None:
    model = train(corpus(6), TrainingSettings(min_count=1, readers=("naive-bayes", "cosine")))
    assert model.readers == ("naive-bayes", "cosine")
    with pytest.raises(PolicyError, match="no reader"):
        Confusability(model, 2, readers=("linear-svm",))
    with pytest.raises(PolicyError, match="per-occurrence"):
        Confusability(model, 2, per_occurrence=True)


def test_the_category_stays_ahead_when_the_policy_asks_for_it() -> None:
    model = trained()
    kept = 0
    for document in corpus()[::9]:
        promise = Confusability(model, 2, keep_margin=0.5).bind(
            document.text, document.sensitive, document.utility
        )
        findings = promise.assess(reading(document.text))
        try:
            plan = promise.plan(reading(document.text), findings)
        except Infeasible:
            continue
        scores = model.utility.scores(*model.bag(released(document.text, plan)))
        others = np.delete(scores, model.utility.index(document.utility[0]))
        if findings:
            kept += 1
            assert scores[model.utility.index(document.utility[0])] - others.max() > 0.5
    assert kept, "of no document a plan was compared"


def test_a_guessed_class_is_a_gap_unless_the_policy_allows_it() -> None:
    model = trained(6)
    document = Document("d", "text", corpus(6)[0].text)
    guessed = Confusability(model, 2).bind(document.text)
    assert [(gap.kind, gap.allowed) for gap in guessed.gaps(document)] == [(GapKind.GUESS, False)]
    allowed = Confusability(model, 2, guess_allowed=True).bind(document.text)
    assert [gap.allowed for gap in allowed.gaps(document)] == [True]
    assert not list(Confusability(model, 2).bind(document.text, "Client00").gaps(document))


@pytest.mark.parametrize(("classes", "k"), [(1, 2), (3, 4), (3, 3), (2, 2)])
def test_one_class_and_k_as_large_as_the_number_of_classes_are_refused(classes: int, k: int) -> None:
    """Where all others are ahead, the class that every reader ranks last is the truth."""
    model = train(corpus(classes), ALL)
    with pytest.raises(PolicyError, match="the last of all"):
        Confusability(model, k, secret=KEY)
    text = corpus(classes)[0].text
    promise = Confusability(model, k).bind(text, "Client00")
    if k > classes:
        with pytest.raises(Infeasible):
            promise.plan(reading(text), promise.assess(reading(text)))


def test_a_k_that_leaves_few_ranks_to_draw_is_told() -> None:
    model = trained(6)
    few = Confusability(model, 5, secret=KEY).bind(corpus(6)[0].text, "Client00")
    assert "right once in 2" in " ".join(few.notes)
    assert not Confusability(model, 3, secret=KEY).bind(corpus(6)[0].text, "Client00").notes
    assert max(k for k, _ in few.levels(reading(corpus(6)[0].text))) < 6


def test_readers_of_redacted_documents_are_added_and_planned_against() -> None:
    plain = trained(8)
    model = train_in_rounds(corpus(8), ALL, {}, rounds=2, k=3)
    added = [f"{kind}/{number}" for number in (1, 2) for kind in ADAPTIVE]
    assert model.readers == (*plain.readers, *added)
    assert loads(dumps(model)).readers == model.readers
    hidden = 0
    for document in corpus(8)[::4]:
        promise = Confusability(model, 2).bind(document.text, document.sensitive)
        seen = reading(document.text)
        try:
            left = released(document.text, promise.plan(seen, promise.assess(seen)))
        except Infeasible:
            continue
        assert set(promise._look(left).ahead) == set(model.readers)
        assert min(promise._look(left).ahead.values()) >= 1
        hidden += 1
    assert hidden


def test_a_strength_that_a_reviewer_chooses_has_secret_ranks_too() -> None:
    """The slider reached k itself, so that the class at rank k was the truth."""
    documents = corpus()
    promise = Confusability(train(documents), 3, secret=KEY)
    drawn: list[int] = []
    for document in documents:
        moved = promise.bind(document.text, document.sensitive).with_strength(8)
        assert moved.ranks == replace(promise, k=8).bind(document.text, document.sensitive).ranks
        drawn += moved.ranks[0].values()
    assert min(drawn) >= 8 and max(drawn) <= 16
    assert len(set(drawn)) > 4


def test_broader_words_do_not_bring_the_class_back_to_rank_k() -> None:
    """They were put in as long as rank k held, so that the class at rank k was the truth again."""
    documents = corpus()
    model = trained()
    wider = {f"own{label}x": (f"{WORDS[label % len(WORDS)]}0",) for label in range(24)}
    compared = 0
    for document in documents[::4]:
        plain = Confusability(model, 3, secret=KEY).bind(document.text, document.sensitive)
        seen = reading(document.text)
        findings = plain.assess(seen)
        aimed = plain.ranks[0]
        if not _reached(plain, released(document.text, plain.plan(seen, findings)), aimed):
            continue
        wide = replace(plain, generalise=lambda word: wider.get(word, (f"{word[:-1]}0",)))
        assert _reached(wide, released(document.text, wide.plan(seen, findings)), aimed)
        compared += 1
        if compared == 3:
            break
    assert compared, "no document reached its ranks without broader words"


def _reached(promise: Confusability, text: str, ranks: Mapping[str, int]) -> bool:
    ahead = promise._look(text).ahead
    return all(1 + count >= ranks[name] for name, count in ahead.items())


@cache
def mixed_corpus() -> list[LabelledDocument]:
    """Classes that use the same words, each in its own mixture."""
    chance = np.random.default_rng(8)
    mixtures = chance.dirichlet(np.ones(150), 24)
    found = []
    for label in range(72):
        words = chance.choice(150, 60, p=mixtures[label % 24])
        found.append(LabelledDocument(" ".join(f"word{word}" for word in words), f"Client{label % 24:02d}"))
    return found


@cache
def trained_on_mixtures() -> ClassModel:
    return train(mixed_corpus(), ALL)


@pytest.mark.parametrize("method", ["simple", "lp"])
def test_who_puts_all_ranks_together_finds_the_class_no_earlier_than_at_the_drawn_places(method: str) -> None:
    """Every reader's rank was drawn, and still the class was the best of those that no reader ranks before k."""
    documents, model = mixed_corpus(), trained_on_mixtures()
    some = ("naive-bayes", "cosine", "linear-svm")
    found_out = {True: 0, False: 0}
    for document in documents[::4]:
        promise = Confusability(model, 5, readers=some, method=method, secret=KEY).bind(
            document.text, document.sensitive
        )
        seen = reading(document.text)
        view = promise._look(document.text).view((), promise.names(document.text))
        alone = disjoint(suppressed(view, promise.choice.solve(view).kept))
        together = promise.plan(seen, promise.assess(seen)).edits
        for deepened, edits in ((False, alone), (True, together)):
            left = promise._look(released(document.text, Plan(edits)))
            found_out[deepened] += not promise._check.hides_from_all_together(left)
    assert found_out[False] > 3 * found_out[True]


@pytest.mark.parametrize("ngrams", [1, 2])
def test_words_that_the_end_of_a_line_cuts_tell_the_class_as_well(ngrams: int) -> None:
    model = train(corpus(), replace(ALL, ngrams=ngrams))
    for document in corpus()[::24]:
        text = document.text.replace("own", "ow-\nn").replace("ste", "st-\n   e")
        promise = Confusability(model, 3, secret=KEY).bind(text, document.sensitive)
        assert model.best_guess(text) == model.best_guess(document.text)
        left = released(text, promise.plan(reading(text), promise.assess(reading(text))))
        assert confused(model, left.replace("-\n   ", "").replace("-\n", ""), document.sensitive, 3)
