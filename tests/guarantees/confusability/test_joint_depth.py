"""A plan that hides the class in all readers' lists together, and no more than that."""

from __future__ import annotations

import numpy as np
import pytest

from efface.core import Plan
from efface.guarantees.confusability.edits import disjoint, suppressed
from efface.guarantees.confusability.guarantee import Confusability
from efface.guarantees.confusability.joint_depth import JointDepth
from efface.guarantees.confusability.panel_view import CategoryReaders, scores_of_kept
from efface.knowledge.classes import ClassModel, LabelledDocument
from efface.solvers.confusability.panel_solve import _solution
from tests.guarantees.confusability.test_readers import (
    KEY,
    mixed_corpus,
    reading,
    released,
    trained_on_mixtures,
)

SOME = ("naive-bayes", "cosine", "linear-svm")


@pytest.fixture(scope="module")
def model() -> ClassModel:
    return trained_on_mixtures()


def bound(
    model: ClassModel, document: LabelledDocument, readers: tuple[str, ...], method: str = "lp"
) -> Confusability:
    promise = Confusability(model, 5, readers=readers, method=method, secret=KEY)
    return promise.bind(document.text, document.sensitive)


def test_margins_tell_what_the_text_tells(model: ClassModel) -> None:
    """The lists computed from the margins of a panel are those of the readers of the text."""
    chance = np.random.default_rng(3)
    answers = set()
    for document in mixed_corpus()[::6]:
        promise = bound(model, document, (*SOME, "bigrams"))
        view = promise._look(document.text).view((), promise.names(document.text))
        panel = promise.choice.panel(view, promise.ranks[0], CategoryReaders.NONE, every_class=True)
        joint = JointDepth(panel, promise._depths(document.text))
        for share in (0.3, 0.6, 0.9):
            plan = _solution(panel, chance.random(len(panel.sizes)) < share)
            left = promise._fresh_look(released(document.text, Plan(disjoint(suppressed(view, plan.kept)))))
            is_hidden = promise._check.hides_from_all_together(left)
            assert joint.hides(panel.margins(plan.kept > 0)) == is_hidden
            assert promise.choice._is_hidden(view, plan, joint.depths) == is_hidden
            scores = scores_of_kept(model, view, plan.kept > 0, promise.readers)
            assert all((scores[name] == left.scores[name]).all() for name in promise.readers)
            answers.add(is_hidden)
    assert answers == {True, False}


@pytest.mark.parametrize("method", ["simple", "lp"])
def test_no_word_of_a_deepened_plan_could_stay(model: ClassModel, method: str) -> None:
    """A plan for deeper ranks took more words than it needs to hide the class in all lists together."""
    deepened = 0
    for document in mixed_corpus()[:24]:
        promise = bound(model, document, SOME, method)
        seen = reading(document.text)
        view = promise._look(document.text).view((), promise.names(document.text))
        first = disjoint(suppressed(view, promise.choice.solve(view).kept))
        edits = promise.plan(seen, promise.assess(seen)).edits
        if edits == first or not _is_deep(promise, released(document.text, Plan(edits))):
            continue
        deepened += 1
        for word in {document.text[edit.start : edit.end] for edit in edits}:
            others = tuple(edit for edit in edits if document.text[edit.start : edit.end] != word)
            assert not _is_deep(promise, released(document.text, Plan(others)))
        if deepened == 2:
            return
    pytest.fail("no two plans were deepened")


def _is_deep(promise: Confusability, text: str) -> bool:
    look = promise._fresh_look(text)
    reached = all(count >= promise.ranks[0][name] - 1 for name, count in look.ahead.items())
    return reached and promise._check.hides_from_all_together(look)
