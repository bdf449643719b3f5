"""The guarantee on the text as it would leave."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, replace
from itertools import chain, combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from efface.core import Document, Edit, Guarantee, Optimality, Plan, Reading, Span, apply_edits
from efface.errors import Infeasible, PolicyError, UsageError
from efface.guarantees.confusability.guarantee import Confusability
from efface.knowledge.classes import ClassModel, LabelledDocument, TrainingSettings, train
from efface.solvers.confusability.objectives import OBJECTIVES
from efface.solvers.confusability.solve import METHODS
from tests.guarantees.confusability.strategies import corpora, texts

ALL = TrainingSettings(min_count=1, readers=("naive-bayes",))
MEMO = "The bank gave Acme a loan for a furnace: steel, steel and rail."


def reading(text: str, inserted: tuple[Span, ...] = ()) -> Reading:
    return Reading(Document("memo.txt", "text", text), (), inserted)


def released(text: str, plan: Plan) -> str:
    """The text as the default operators leave it."""
    filled = [
        replace(edit, replacement=f"[WORD_{number}]" if edit.replacement is None else edit.replacement)
        for number, edit in enumerate(plan.edits, 1)
    ]
    return apply_edits(text, filled)


def strictly_higher(model: ClassModel, text: str, truth: str) -> int:
    scores = dict(zip(model.sensitive.names, model.scores(text).tolist(), strict=True))
    return sum(score > scores[truth] for score in scores.values())


def clients() -> ClassModel:
    """Acme and Bolt make steel, Crane and Dune lend money."""
    return train(
        [
            LabelledDocument("steel steel furnace rail bank acme", "Acme", ("metal",)),
            LabelledDocument("steel furnace furnace loan", "Acme", ("metal",)),
            LabelledDocument("steel rail rail ship", "Bolt", ("metal",)),
            LabelledDocument("bank loan loan trial", "Crane", ("finance",)),
            LabelledDocument("bank bank loan drug", "Dune", ("finance",)),
            LabelledDocument("bank loan steel", "Dune", ("finance",)),
        ],
        ALL,
        {"Acme": ["Project Falcon"]},
    )


@given(corpora(), texts, st.integers(2, 4), st.sampled_from(METHODS), st.booleans(), st.data())
@settings(deadline=None, derandomize=True, max_examples=60)
def test_it_holds_on_the_text_that_leaves_or_nothing_could_make_it(
    documents: list[LabelledDocument],
    text: str,
    k: int,
    method: str,
    per_occurrence: bool,
    data: st.DataObject,
) -> None:
    ngrams = 1 if per_occurrence else data.draw(st.integers(1, 2))
    model = train(documents, TrainingSettings(min_count=1, ngrams=ngrams, readers=("naive-bayes",)))
    objective = data.draw(st.sampled_from(sorted(OBJECTIVES)))
    template = Confusability(model, k, method=method, objective=objective, per_occurrence=per_occurrence)
    truth = data.draw(st.sampled_from(model.sensitive.names))
    bound = template.bind(text, truth, in_corpus=False)
    findings = bound.assess(reading(text))
    assert bool(findings) == (strictly_higher(model, text, truth) < k - 1)
    try:
        plan = bound.plan(reading(text), findings)
    except Infeasible:
        words = text.split()
        kept = set(words)
        for gone in chain.from_iterable(combinations(sorted(kept), n) for n in range(len(kept) + 1)):
            left = " ".join("[WORD_1]" if word in gone else word for word in words)
            assert strictly_higher(model, left, truth) < k - 1
        return
    left = released(text, plan)
    assert bound.assess(reading(left)) == ()
    assert strictly_higher(model, left, truth) >= k - 1
    assert bound.plan(reading(text), findings) == plan
    if not per_occurrence:  # a suppressed word goes everywhere
        assert not {text[e.start : e.end] for e in plan.edits} & set(left.split())


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("objective", sorted(OBJECTIVES))
def test_the_client_hides_and_the_industry_shows(method: str, objective: str) -> None:
    bound = Confusability(clients(), 2, method=method, objective=objective).bind(MEMO, "Acme", ["metal"])
    findings = bound.assess(reading(MEMO))
    assert [finding.limit for finding in findings] == [0.0, 0.5]
    plan = bound.plan(reading(MEMO), findings)
    left = released(MEMO, plan)
    assert bound.assess(reading(left)) == ()
    assert "Acme" not in left
    assert all(edit.type == "WORD" and edit.replacement is None for edit in plan.edits)


def test_findings_name_the_terms_that_tell() -> None:
    bound = Confusability(clients(), 2).bind(MEMO, "Acme")
    name, ranking = bound.assess(reading(MEMO))
    assert [MEMO[m.start : m.end] for m in name.terms[0].mentions] == ["Acme"]
    assert ranking.amount == 1.0
    assert ranking.limit == 0.5
    assert ranking.terms
    assert all(MEMO[m.start : m.end].lower() == term.key for term in ranking.terms for m in term.mentions)


def test_aliases_and_the_name_go_even_when_the_ranking_is_safe() -> None:
    text = "Project Falcon and Acme: bank bank loan trial drug"
    bound = Confusability(clients(), 2).bind(text, "Acme")
    findings = bound.assess(reading(text))
    assert [finding.because for finding in findings] == ["the class is named"]
    left = released(text, bound.plan(reading(text), findings))
    assert left == "[WORD_1] and [WORD_2]: bank bank loan trial drug"


@pytest.mark.parametrize("named", ["d'acme'steel", "d'Project Falcon", "Project Falcon'steel"])
def test_a_word_cut_by_the_name_goes_whole(named: str) -> None:
    text = f"bank {named} loan bank loan trial"
    bound = Confusability(clients(), 2).bind(text, "Acme")
    left = released(text, bound.plan(reading(text), bound.assess(reading(text))))
    assert left == "bank [WORD_1] loan bank loan trial"


def test_the_best_guess_is_hidden_with_a_warning() -> None:
    template = Confusability(clients(), 2)
    guess = template.bind(MEMO)
    assert guess.guessed
    assert guess.truth == clients().best_guess(MEMO)
    assert guess.claim.parameters["class_guessed"] is True
    assert not template.bind(MEMO, "Acme").guessed
    assert guess.keep == ("metal",)


def test_what_is_published_does_not_tell_the_class() -> None:
    bound = Confusability(clients(), 3).bind(MEMO, "Acme", ["metal"])
    published = json.dumps(asdict(bound.claim))
    for word in ("Acme", "Falcon", "metal", "Bolt", "steel"):
        assert word not in published
        assert word not in repr(bound)


def test_a_class_called_like_a_placeholder_does_not_see_itself_named() -> None:
    documents = [LabelledDocument("steel furnace", "Word"), LabelledDocument("bank loan", "Person")]
    text = "Word makes steel, word furnace; bank loan bank"
    bound = Confusability(train([*documents, *documents[1:]], ALL), 2).bind(text, "Word")
    left = released(text, bound.plan(reading(text), bound.assess(reading(text))))
    assert "[WORD_1]" in left
    assert bound.assess(reading(left)) == ()


def test_without_a_class_or_with_an_unknown_one_it_does_not_start() -> None:
    with pytest.raises(UsageError):
        Confusability(clients(), 2).assess(reading(MEMO))
    for wrong in ({"truth": "Zebra"}, {"truth": "Acme", "keep": ["zoology"]}, {"in_corpus": True}):
        with pytest.raises(UsageError) as caught:
            Confusability(clients(), 2).bind(MEMO, **wrong)
        assert "Zebra" not in str(caught.value)


@pytest.mark.parametrize("wrong", [{"k": 1}, {"k": 2, "method": "magic"}, {"k": 2, "objective": "beauty"}])
def test_wrong_settings_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(PolicyError):
        Confusability(clients(), **wrong)  # type: ignore[arg-type]


def test_occurrences_of_ngrams_cannot_be_told_apart() -> None:
    model = train(
        [LabelledDocument("a steel", "x"), LabelledDocument("b rail", "y")], TrainingSettings(ngrams=2)
    )
    with pytest.raises(PolicyError):
        Confusability(model, 2, per_occurrence=True)


@pytest.mark.parametrize("text", ["", "zebra unicorn", "…!?", "[WORD_1]", "0 1 2"])
def test_without_known_words_only_the_priors_speak(text: str) -> None:
    """Acme and Dune have two documents each: equal, so neither hides; Bolt and Crane are rarer and do."""
    template = Confusability(clients(), 2)
    for name in ("Acme", "Dune"):
        bound = template.bind(text, name)
        findings = bound.assess(reading(text))
        assert findings
        with pytest.raises(Infeasible):
            bound.plan(reading(text), findings)
    for name in ("Bolt", "Crane"):
        assert template.bind(text, name).assess(reading(text)) == ()


@pytest.mark.parametrize("method", METHODS)
def test_more_classes_than_there_are_cannot_hide_anybody(method: str) -> None:
    bound = Confusability(clients(), 5, method=method).bind(MEMO, "Acme")
    with pytest.raises(Infeasible):
        bound.plan(reading(MEMO), bound.assess(reading(MEMO)))
    alone = train([LabelledDocument("steel steel", "Only")], ALL)
    bound = Confusability(alone, 2, method=method).bind("steel", "Only")
    with pytest.raises(Infeasible):
        bound.plan(reading("steel"), bound.assess(reading("steel")))


def test_ties_count_against_us() -> None:
    twins = train([LabelledDocument("steel rail", name) for name in ("a", "b", "c")], ALL)
    bound = Confusability(twins, 2).bind("steel rail", "a")
    assert np.ptp(twins.scores("steel rail")) == 0
    assert bound.assess(reading("steel rail"))
    with pytest.raises(Infeasible):
        bound.plan(reading("steel rail"), bound.assess(reading("steel rail")))


def test_a_label_that_is_also_a_word_of_the_text() -> None:
    documents = [LabelledDocument("steel acme", "steel"), LabelledDocument("steel rail rail", "rail")]
    bound = Confusability(train([*documents, *documents], ALL), 2).bind("Steel by rail, acme", "steel")
    left = released(
        "Steel by rail, acme",
        bound.plan(reading("Steel by rail, acme"), bound.assess(reading("Steel by rail, acme"))),
    )
    assert "teel" not in left
    assert "rail" in left
    assert bound.assess(reading(left)) == ()


def test_numbers_apostrophes_and_unicode_are_words_like_others() -> None:
    documents = [
        LabelledDocument("o'reilly 4711 naïve 銀行", "A"),
        LabelledDocument("steel 1999 rail", "B"),
        LabelledDocument("steel 1999 rail", "B"),
    ]
    text = "O’Reilly, 4711; NAIVE 銀行's"
    bound = Confusability(train(documents, ALL), 2).bind(text, "A")
    plan = bound.plan(reading(text), bound.assess(reading(text)))
    assert bound.assess(reading(released(text, plan))) == ()
    assert {text[e.start : e.end] for e in plan.edits} <= {"O’Reilly", "4711", "NAIVE", "銀", "行"}


def test_only_as_many_occurrences_as_needed() -> None:
    documents = [
        LabelledDocument("steel " * 6 + "rail", "A"),
        LabelledDocument("rail " * 4 + "steel steel", "B"),
        LabelledDocument("rail ship", "B"),
    ]
    text = "steel steel steel steel rail rail"
    template = Confusability(train(documents, ALL), 2, objective="count", method="exact")
    findings = template.bind(text, "A").assess(reading(text))
    whole = template.bind(text, "A").plan(reading(text), findings)
    some = replace(template, per_occurrence=True).bind(text, "A").plan(reading(text), findings)
    assert 0 < len(some.edits) < len(whole.edits) == 4
    assert [edit.start for edit in some.edits] == sorted(edit.start for edit in some.edits)
    assert min(edit.start for edit in some.edits) > 0  # the first occurrence stays
    assert template.bind(text, "A").assess(reading(released(text, some))) == ()
    assert some.optimality is Optimality.PROVED
    assert some.cost == len(some.edits) == some.lower_bound


@given(corpora(), texts, st.integers(1, 2), st.data())
@settings(deadline=None, derandomize=True, max_examples=60)
def test_words_that_efface_wrote_are_judged_but_not_edited(
    documents: list[LabelledDocument], text: str, ngrams: int, data: st.DataObject
) -> None:
    model = train(documents, TrainingSettings(min_count=1, ngrams=ngrams, readers=("naive-bayes",)))
    places = [(m.start(), m.end()) for m in re.finditer(r"\w+", text)]
    ours = tuple(Span(*place) for place in places if data.draw(st.booleans()))
    truth = data.draw(st.sampled_from(model.sensitive.names))
    bound = Confusability(model, 2).bind(text, truth)
    findings = bound.assess(reading(text, ours))
    try:
        plan = bound.plan(reading(text, ours), findings)
    except Infeasible:
        return
    assert bool(plan.edits) == bool(findings)
    assert not any(edit.span.overlaps(span) for edit in plan.edits for span in ours)
    assert bound.assess(reading(released(text, plan))) == ()


def test_a_document_of_the_corpus_is_judged_by_a_reader_who_does_not_have_it() -> None:
    model = clients()
    text = "steel steel furnace rail bank acme"
    document = LabelledDocument(text, "Acme", ("metal",))
    bound = Confusability(model, 2).bind(text, "Acme", ["metal"], in_corpus=True)
    plan = bound.plan(reading(text), bound.assess(reading(text)))
    assert strictly_higher(model.without(document), released(text, plan), "Acme") >= 1
    whole = Confusability(model, 2).bind(text, "Acme", ["metal"])
    assert len(plan.edits) <= len(whole.plan(reading(text), whole.assess(reading(text))).edits)


WIDER = {"furnace": ["zebra", "plant"], "steel": ["steel thing", "Acme", "rail", "metal"]}


def test_a_suppressed_word_may_become_a_wider_one_when_that_is_safe() -> None:
    text = "steel furnace furnace loan bank"
    template = Confusability(clients(), 2, generalise=lambda word: WIDER.get(word, []))
    bound = template.bind(text, "Acme")
    findings = bound.assess(reading(text))
    plain = replace(bound, generalise=None).plan(reading(text), findings)
    plan = bound.plan(reading(text), findings)
    assert [(e.start, e.end) for e in plan.edits] == [(e.start, e.end) for e in plain.edits]
    wide = {text[e.start : e.end]: e.replacement for e in plan.edits if e.replacement is not None}
    assert wide
    assert all(new in WIDER[old] for old, new in wide.items())
    assert "Acme" not in wide.values()
    assert bound.assess(reading(released(text, plan))) == ()


def test_unsafe_wider_words_are_not_taken() -> None:
    text = "steel furnace furnace loan bank"
    bound = Confusability(clients(), 2, generalise=lambda _: ["furnace steel", "project falcon", "acme"])
    bound = bound.bind(text, "Acme")
    plan = bound.plan(reading(text), bound.assess(reading(text)))
    assert all(edit.replacement is None for edit in plan.edits)


def test_the_slider_tells_for_every_k_what_goes_and_what_is_left() -> None:
    bound = Confusability(clients(), 2).bind(MEMO, "Acme", ["metal"])
    slider = bound.sensitivity(reading(MEMO), 5)
    assert slider.needed(1) == 0
    assert slider.needed(5) is None
    for k in (2, 3):
        steps = slider.needed(k)
        assert steps is not None
        spans = slider.spans(k, steps)
        edits = [Edit(s.start, s.end, "WORD", "", "", "[WORD_1]") for s in spans]
        left = apply_edits(MEMO, edits)
        assert replace(bound, k=k).assess(reading(left)) == ()
        step = slider.at(k, steps)
        assert step.rank == 1 + strictly_higher(clients(), left, "Acme") >= k
        scores = dict(zip(clients().sensitive.names, clients().scores(left).tolist(), strict=True))
        assert [scores[name] for name in step.ranking] == sorted(scores.values(), reverse=True)
        assert sum(chance for _, chance in step.utility) == pytest.approx(1)
        assert set(slider.words(k)[:steps]) <= set(slider.words(k))


def test_it_is_a_guarantee() -> None:
    guarantee: Guarantee = Confusability(clients(), 2).bind(MEMO, "Acme")
    assert guarantee.claim.name == "k-confusability"
    assert guarantee.plan(reading(MEMO), ()) == Plan((), optimality=Optimality.PROVED)
