"""The guarantee: what it finds, what it changes, and that nothing is left to find."""

from __future__ import annotations

import json
import math
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from efface.api.sanitizer import Sanitizer
from efface.cli.demo_tour import _letter
from efface.cli.shared.console import console
from efface.core import Edit, Plan, apply_edits
from efface.errors import Infeasible, PolicyError
from efface.guarantees.semantic import disclosure_bits as semantic_measure
from efface.guarantees.semantic.disclosure_bits import HiddenEntity, disclosures
from efface.guarantees.semantic.english.wording import (
    agreeing,
    capitalised,
    needing_article,
    pluralised,
    with_article,
)
from efface.guarantees.semantic.guarantee import Semantic
from efface.guarantees.semantic.search import GroupSearch, TermOptions
from efface.guarantees.semantic.terms import REMOVED, Option
from efface.knowledge.corpus.counts import Query, wikipedia
from efface.knowledge.taxonomy.concepts import Concept, Taxonomy, wordnet
from efface.report.data import certificate, review
from efface.report.page import certificate_page, review_page
from tests.guarantees.semantic import oracle
from tests.guarantees.semantic.oracle import ToyCorpus, reading, toy

LETTER = (
    "An HIV-positive mother was given zidovudine. The retrovirus was found in her blood and in breast milk. "
    "HIV infects helper T cells, and AIDS may follow. She plays the piano."
)
_HIV = [
    Concept("hiv", ("HIV",), ("virus",)),
    Concept("virus", ("virus",), ("organism",)),
    Concept("organism", ("organism",)),
]
KINDS = Taxonomy.of(
    "kinds",
    [
        *_HIV,
        Concept("4", ("zidovudine", "AZT"), ("5",)),
        Concept("5", ("drug",)),
        Concept("6", ("saliva",), ("7",)),
        Concept("7", ("fluid",)),
    ],
)


def semantic(corpus: ToyCorpus, hide: dict[str, str | None] | None = None, **options: Any) -> Semantic:
    """The paper's guarantee alone; test_document_reader.py has the reader of the whole text."""
    defaults = {"support": 1, "common": 1.0, "reader": "terms"}
    return Semantic(hide or {"HIV": "virus"}, corpus, (KINDS,), **{**defaults, **options})


def full(**options: Any) -> Semantic:
    return Semantic({"HIV": "virus"}, wikipedia(), (wordnet(),), **{"reader": "terms", **options})


def released(text: str, plan: Plan) -> str:
    filled = [
        Edit(e.start, e.end, e.type, e.key, e.reason, "…" if e.replacement is None else e.replacement)
        for e in plan.edits
    ]
    return apply_edits(text, filled)


def sanitized(guarantee: Semantic, text: str) -> str:
    for _ in range(8):
        seen = reading(text)
        findings = guarantee.assess(seen)
        if not findings:
            return text
        text = released(text, guarantee.plan(seen, findings))
    raise AssertionError("does not settle")


WORLD = toy(
    "6 HIV virus zidovudine drug",
    "2 HIV virus saliva",
    "40 virus",
    "30 drug",
    "20 saliva fluid",
    "60 cat",
    "40 fluid",
)


def test_a_term_is_replaced_by_its_most_informative_harmless_generalisation() -> None:
    guarantee = semantic(WORLD, max_group=1)
    text = "She took zidovudine. A cat drank saliva."
    (finding,) = guarantee.assess(reading(text))
    assert (finding.secret, finding.terms[0].key, finding.guarantee) == ("HIV", "zidovudine", "semantic")
    assert finding.amount > finding.limit
    plan = guarantee.plan(reading(text), [finding])
    assert released(text, plan) == "She took a drug. A cat drank saliva."
    (measure,) = plan.measures
    assert measure.before > measure.limit >= measure.after
    assert plan.utility is not None
    assert 0 < plan.utility < 1
    assert plan.edits[0].reason == "semantic: generalised, read as AZT, a kind of drug"


def test_the_entity_and_its_names_go_even_where_counts_are_strange() -> None:
    corpus = toy("2 HIV virus", "50 HIV", "5 virus", "40 cat")  # HIV is more frequent than virus
    # The list has one member now. `cat` alone would need an article, so a gap is left before it.
    assert sanitized(semantic(corpus), "HIV, hiv and HIV's cat") == "A virus and … cat"


def test_a_group_discloses_together_and_keeps_what_it_can() -> None:
    corpus = toy("6 HIV virus fever rash", "30 fever", "60 rash", "20 virus", "900 cat")
    guarantee = semantic(corpus)
    (finding,) = guarantee.assess(reading("fever, rash, cat"))
    assert {term.key for term in finding.terms} == {"fever", "rash"}
    plan = guarantee.plan(reading("fever, rash, cat"), [finding])
    assert released("fever, rash, cat", plan) == "fever, …, cat"  # rash is the less informative of the two
    assert not semantic(corpus, max_group=1).assess(reading("fever, rash, cat"))


def test_groups_of_three() -> None:
    corpus = toy("5 HIV virus a1 b1 c1", "9 a1 b1", "9 b1 c1", "9 a1 c1", "6 virus", "900 cat")
    text = "a1, b1, c1"
    assert not semantic(corpus, max_group=2).assess(reading(text))
    guarantee = semantic(corpus, max_group=3)
    (finding,) = guarantee.assess(reading(text))
    assert len(finding.terms) == 3
    assert sanitized(guarantee, text).count("…") == 1


@pytest.mark.parametrize(
    ("context", "text", "found"),
    [
        ("document", "Fever came.\n\nRash went.", 1),
        ("paragraph", "Fever came.\n\nRash went.", 0),
        ("paragraph", "Fever came. Rash went.", 1),
        ("sentence", "Fever came. Rash went.", 0),
        ("sentence", "Fever and rash came.", 1),
        ("window(3)", "Fever and rash came.", 1),
        ("window(2)", "Fever and rash came.", 0),
        ("window(9)", "Fever.", 0),
        ("window(9)", "", 0),
    ],
)
def test_contexts(context: str, text: str, found: int) -> None:
    corpus = toy("6 HIV virus fever rash", "30 fever", "60 rash", "20 virus", "900 cat")
    assert len(semantic(corpus, context=context).assess(reading(text))) == found


def test_a_group_whose_parts_overlap_is_counted_once() -> None:
    corpus = toy("6 HIV virus immune cell", "30 immune", "40 cell", "5 immune cell", "20 virus")
    keys = [{t.key for t in f.terms} for f in semantic(corpus).assess(reading("an immune cell, and a cell"))]
    assert keys == [{"immune cell"}]


def test_what_points_to_a_name_of_other_things_too_is_counted_where_the_entity_is_meant() -> None:
    """`crack` in walls is no drug: plaster points to the word, not to the entity."""
    senses = [Concept("1", ("crack", "crack cocaine"), ("3",)), Concept("2", ("crack", "cleft"), ("4",))]
    taxonomy = Taxonomy.of("kinds", [*senses, Concept("3", ("drug",)), Concept("4", ("opening",))])
    corpus = toy("5 crack drug pipe", "95 crack plaster", "20 drug", "5 pipe", "800 cat")
    plain, read = (
        Semantic({"crack": "drug"}, corpus, (each,), support=1).entities for each in (KINDS, taxonomy)
    )
    assert plain[0].meant == ()
    assert set(read[0].meant) == {("crack cocaine",), ("crack", "crack cocaine"), ("crack", "drug")}
    queries: list[Query] = [(("pipe",),), (("plaster",),)]
    for entities, telling in ((plain, [True, True]), (read, [True, False])):
        (measure,) = disclosures(corpus, entities, "contextual", queries, 1)
        assert (measure.telling >= 5.5).tolist() == telling


def test_several_entities_must_all_be_kept() -> None:
    corpus = toy("6 HIV virus zidovudine drug", "40 virus", "60 drug", "5 fluid saliva drug", "100 fluid")
    both = semantic(corpus, {"HIV": "virus", "saliva": "fluid"})
    assert sanitized(both, "zidovudine") == "…"  # `drug` would be fine for HIV, but points to saliva
    assert sanitized(semantic(corpus), "zidovudine") == "a drug"


@pytest.mark.parametrize(("unknown", "left"), [("keep", "AZT blorb"), ("remove", "…"), ("generalise", "…")])
def test_unknown_terms(unknown: str, left: str) -> None:
    guarantee = semantic(toy("3 HIV virus", "9 virus", "9 cat"), unknown=unknown)
    assert [term.key for term in guarantee.unknown_terms(reading("AZT blorb"))] == ["AZT blorb"]
    assert sanitized(guarantee, "AZT blorb") == left


def test_a_rare_term_says_what_the_concept_above_it_says() -> None:
    corpus = toy("6 HIV virus drug", "20 virus", "60 cat")
    assert not semantic(corpus).unknown_terms(reading("zidovudine"))
    assert [f.terms[0].key for f in semantic(corpus).assess(reading("zidovudine"))] == ["zidovudine"]


def test_a_term_of_few_documents_says_also_what_the_concept_above_it_says() -> None:
    corpus = toy("6 HIV virus drug", "5 zidovudine", "20 virus", "60 cat")
    assert [f.terms[0].key for f in semantic(corpus).assess(reading("zidovudine"))] == ["zidovudine"]
    often = toy("6 HIV virus drug", "25 zidovudine", "20 virus", "60 cat")
    assert not semantic(often).assess(reading("zidovudine"))


def test_no_noun_stands_for_a_verb() -> None:
    votes = Taxonomy.of("kinds", [Concept("1", ("vote",), ("2",)), Concept("2", ("choice",)), *_HIV])
    corpus = toy("6 HIV virus vote", "9 virus", "60 choice")
    guarantee = Semantic({"HIV": "virus"}, corpus, (votes,), support=1, common=1.0)
    assert sanitized(guarantee, "Her sister votes in May.") == "Her sister … in May."
    assert sanitized(guarantee, "She cast a vote in May.") == "She cast a choice in May."
    assert sanitized(guarantee, "A vote. She votes in May.") == "A choice. She … in May."


def test_a_synonym_that_mostly_means_something_else_is_no_name_of_the_entity() -> None:
    concepts = [
        Concept("1", ("trade union", "union", "TU"), ("2",)),
        Concept("2", ("labor",)),
        Concept("3", ("union",)),
        Concept("4", ("TU",)),
    ]
    corpus = ToyCorpus(
        [frozenset(("trade union", "TU", "union", "labor"))] * 6
        + [frozenset(("union",))] * 60
        + [frozenset(("labor",))] * 20
    )
    guarantee = Semantic({"trade union": "labor"}, corpus, (Taxonomy.of("kinds", concepts),), support=1)
    assert guarantee.entities[0].names == (("trade union",), ("TU",))


def test_a_name_of_the_entity_goes_though_the_corpus_never_saw_it() -> None:
    concepts = [Concept("1", ("HIV", "slim disease"), ("2",)), Concept("2", ("virus",))]
    guarantee = Semantic({"HIV": "virus"}, WORLD, (Taxonomy.of("kinds", concepts),), support=1)
    assert sanitized(guarantee, "She has slim disease.") == "She has a virus."


def test_plain_sanitization_needs_no_generalisation() -> None:
    corpus = toy("6 HIV zidovudine", "3 HIV drug", "30 drug", "9 cat")
    assert sanitized(semantic(corpus, {"HIV": None}), "HIV, zidovudine, drug, cat") == "…, a drug, drug, cat"


@pytest.mark.parametrize(
    "options",
    [
        {"hide": {}},
        {"hide": {"HIV": "hiv"}},
        {"hide": {"the": "virus"}},
        {"hide": {"HIV": None}, "probability": "contextual"},
        {"max_group": 0},
        {"max_group": 4},
        {"context": "page"},
        {"probability": "maybe"},
        {"unknown": "guess"},
    ],
)
def test_what_makes_no_sense_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(PolicyError):
        Semantic(**{"hide": {"HIV": "virus"}, "corpus": WORLD, "taxonomies": (KINDS,), **options}).assess(
            reading("cat")
        )


def test_an_entity_that_nobody_writes_about_is_refused() -> None:
    with pytest.raises(Infeasible):
        semantic(toy("9 virus")).assess(reading("cat"))


def test_a_generalisation_that_is_none_is_warned_of() -> None:
    assert semantic(WORLD).warnings() == ()
    (warning,) = semantic(WORLD, {"HIV": "drug"}).warnings()
    assert "HIV" not in warning and "drug" not in warning


def test_a_noun_that_is_no_generalisation_is_warned_of_and_not_refused() -> None:
    guarantee = Semantic({"HIV": "banana"}, wikipedia(), (wordnet(),))
    assert len(guarantee.warnings()) == 1
    assert "HIV" not in sanitized(guarantee, "He has HIV.")


def test_kinds_of_an_entity_are_its_names() -> None:
    """A kind counts as the entity, unless its name has another meaning too."""
    concepts = [
        Concept("1", ("pox",), ("2",)),
        Concept("2", ("disease",)),
        Concept("3", ("cowpox",), ("1",)),
        Concept("4", ("small",), ("1",)),
        Concept("5", ("small",)),
    ]
    corpus = toy("9 pox disease", "9 cowpox", "9 small", "90 disease")
    guarantee = Semantic({"pox": "disease"}, corpus, (Taxonomy.of("kinds", concepts),), support=1)
    assert guarantee.entities[0].names == (("pox",), ("cowpox",))
    assert [f.terms[0].key for f in guarantee.assess(reading("cowpox, small"))] == ["cowpox"]


@pytest.mark.parametrize(
    ("entity", "text", "gone", "kept"),
    [
        ({"syphilis": "disease"}, "The VDRL was reactive, and he had no gummas.", "VDRL gummas", "reactive"),
        (
            {"depression": "disorder"},
            "Her psychiatrist gave her sertraline.",
            "psychiatrist sertraline",
            "gave",
        ),
        ({"diabetes": "disease"}, "His HbA1c was high and he fed the cat.", "HbA1c", "high cat"),
        ({"HIV": "virus"}, "He has AIDS and keeps two dogs.", "AIDS", "keeps dogs"),
        ({"abortion": "procedure"}, "She discussed mifepristone with him.", "mifepristone", "discussed"),
        ({"Islam": "religion"}, "In Ramadan he eats halal meals.", "Ramadan halal", "eats meals"),
    ],
)
def test_what_gives_an_entity_away_goes_and_the_rest_stays(
    entity: dict[str, str | None], text: str, gone: str, kept: str
) -> None:
    """Not a list that anything was tuned on word by word: rare terms, acronyms, documents without the g."""
    left = sanitized(Semantic(entity, wikipedia(), (wordnet(),)), text).split()
    words = {word.strip(".,") for word in left}
    assert not words & set(gone.split())
    assert set(kept.split()) <= words


@pytest.mark.parametrize(
    ("term", "wrong"),
    [
        ("Treponema pallidum", "ganglion"),
        ("soles", "colloid"),
        ("blood test", "attempt"),
        ("Orion", "mythical being"),
        ("Paul", "feminist"),
        ("Spanish", "Latin"),
    ],
)
def test_labels_of_another_sense_are_not_offered(term: str, wrong: str) -> None:
    guarantee = Semantic({"syphilis": "disease"}, wikipedia(), (wordnet(),))
    generaliser = guarantee._generaliser((), guarantee._judge)
    assert wrong not in {option.label for option in generaliser.options(term.lower(), [term])}


def test_a_phrase_never_loses_whose_it_is() -> None:
    guarantee = Semantic({"pregnancy": "condition"}, wikipedia(), (wordnet(),))
    options = guarantee._generaliser((), guarantee._judge).options("mother death", ["mother's death"])
    assert "death" not in {option.label for option in options}
    left = sanitized(full(), "Her husband's AIDS was treated. The child's HIV test was old.")
    assert "husband's" in left and "child's test" in left
    assert "AIDS" not in left and "HIV" not in left


def test_the_claim_names_no_secret() -> None:
    said = str(full().claim)
    assert "HIV" not in said and "virus" not in said


def test_on_the_real_corpus_nothing_is_left_and_it_reads_well() -> None:
    guarantee = full()
    text = sanitized(guarantee, LETTER)
    assert not guarantee.assess(reading(text))
    assert "HIV" not in text and "zidovudine" not in text and "AIDS" not in text
    assert text.startswith("A ") and "An mother" not in text
    assert text.endswith("She plays the piano.")
    assert sanitized(guarantee, LETTER) == text


def test_larger_groups_are_judged_after_smaller_ones() -> None:
    guarantee = full(max_group=3)
    assert not guarantee.assess(reading(sanitized(guarantee, LETTER)))


OPTION_BITS = st.lists(st.integers(1, 9).map(float), min_size=1, max_size=3)


@settings(max_examples=60)
@given(
    st.lists(st.frozensets(st.sampled_from("cg012345678")), min_size=4, max_size=18),
    st.lists(OPTION_BITS, min_size=2, max_size=3),
    st.integers(2, 3),
)
def test_the_search_leaves_no_risky_group_and_one_group_is_resolved_best(
    documents: list[frozenset[str]], bits: list[list[float]], max_group: int
) -> None:
    """Option k of term t is the word 3t+k; a ladder of bits that never grows, and removal at its end."""
    entity = HiddenEntity("c", (("c",),), (("g",),))
    assume(oracle.count(documents, [(("c",), ("c",)), (("g",),)]))
    queries: list[Query] = [((str(n),),) for n in range(9)]
    ladders = [sorted(row, reverse=True) for row in bits]
    options = [
        [*(Option(str(3 * t + k), queries[3 * t + k], (), b) for k, b in enumerate(row)), REMOVED]
        for t, row in enumerate(ladders)
    ]
    measures = disclosures(ToyCorpus(documents), [entity], "contextual", queries, 1)

    def risky(*words: int) -> bool:
        group = [queries[word] for word in words]
        return oracle.is_risky(documents, entity.names, entity.generalisation, group, "contextual", 0.7)

    allowed = [np.array([not o.query or not risky(int(o.label)) for o in row]) for row in options]
    rows = [np.array([int(o.label) if o.query else -1 for o in row], np.int64) for row in options]
    count = len(options)
    candidates = TermOptions(options, rows, allowed, np.ones((count, 1), np.uint8), np.ones(count, bool))
    search = GroupSearch(candidates, measures, max_group)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(semantic_measure, "_TELLING", 0.7)  # so small a world has no telling words
        search.run()
    left = [search.row(term) for term in range(count) if search.row(term) >= 0]
    for size in range(1, max_group + 1):
        assert not any(risky(*group) for group in combinations(left, size))
    if count == 2:
        pairs = {
            ((0, a), (1, b))
            for a in range(len(ladders[0]))
            for b in range(len(ladders[1]))
            if risky(int(options[0][a].label), int(options[1][b].label))
        }
        best = oracle.best_choice([[*row, 0.0] for row in ladders], [list(row) for row in allowed], pairs)
        kept = sum(options[term][search.chosen[term]].bits for term in range(count))
        assert math.isclose(kept, best)


@pytest.mark.parametrize(
    ("text", "term", "replacement", "expected"),
    [
        ("an HIV-positive mother", "HIV-positive mother", "mother", "a mother"),
        ("A virus came", "virus", "infectious agent", "An infectious agent came"),
        ("a virus", "virus", "unit", "a unit"),
        ("a virus", "virus", "hour", "an hour"),
        ("a virus", "virus", "X-ray", "an X-ray"),
        ("an idea", "idea", "HIV", "an HIV"),
        ("the virus", "virus", "agent", "the agent"),
        ("banana virus", "virus", "agent", "banana agent"),
    ],
)
def test_articles_agree(text: str, term: str, replacement: str, expected: str) -> None:
    at = text.index(term)
    start, new = with_article(text, at, replacement)
    assert text[:start] + new + text[at + len(term) :] == expected


@pytest.mark.parametrize(
    ("label", "head", "expected"),
    [
        ("body substance", "fluids", "body substances"),
        ("body substance", "fluid", "body substance"),
        ("body", "viruses", "bodies"),
        ("virus", "STDs", "viruses"),
        ("disease", "AIDS", "disease"),
        ("ill health", "infections", "ill health"),
        ("woman", "nurses", "women"),
        ("person", "children", "people"),
    ],
)
def test_numbers_agree(label: str, head: str, expected: str) -> None:
    assert agreeing(label, head) == expected
    assert pluralised("day") == "days"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("gonorrhea and chlamydia", "two conditions"),
        ("gonorrhea, chlamydia or gonorrhea", "two conditions"),
        ("gonorrhea, gonorrhea", "a condition"),
        ("the gonorrhea and chlamydia", "the conditions"),
        ("gonorrhea with chlamydia", "a condition with another condition"),
    ],
)
def test_neighbours_in_a_list_that_become_the_same_are_merged(text: str, expected: str) -> None:
    corpus = toy("6 HIV virus gonorrhea chlamydia", "40 virus", "60 condition")
    concepts = [Concept(name, (name,), ("c",)) for name in ("gonorrhea", "chlamydia")]
    kinds = Taxonomy.of("kinds", [*concepts, Concept("c", ("condition",))])
    guarantee = Semantic({"HIV": "virus"}, corpus, (kinds,), support=1, common=1.0)
    assert sanitized(guarantee, text).lower() == expected


@pytest.mark.parametrize("line", ["\n", "\r\n", " "])
def test_a_name_at_the_beginning_of_a_wrapped_line_gets_no_capital(line: str) -> None:
    text = f"He came on{line}Friday"
    assert capitalised("a weekday", text, text.index("Friday")) == "a weekday"


def test_a_sentence_begins_with_a_capital() -> None:
    assert capitalised("virus", "It came. HIV went", 9) == "Virus"
    assert capitalised("virus", "It came. HIV went (HIV)", 19) == "virus"
    assert capitalised("virus", "HIV", 0) == "Virus"


@pytest.mark.parametrize(
    ("text", "old", "label", "expected"),
    [
        ("caused by HIV.", "HIV", "organism", "an organism"),
        ("The HIV test", "HIV", "virus", "virus"),  # it has an article
        ("the patient's pneumonia", "pneumonia", "disease", "disease"),
        ("loss of blood", "blood", "body water", "body water"),  # cannot be counted
        ("HIV-positive", "HIV", "virus", "virus"),
        ("two cells", "cells", "parts", "parts"),
        ("the fever and cough", "cough", "symptom", "symptom"),  # shares the article of the first
        ("fever and cough", "cough", "symptom", "a symptom"),
        ("a fever and cough", "cough", "symptom", "a symptom"),
        ("no loss of appetite", "appetite", "desire", "desire"),
        ("it was 9 percent", "percent", "ratio", "ratio"),
        ("with\npneumonia", "pneumonia", "activity", "an activity"),
    ],
)
def test_a_word_that_stood_without_an_article_gets_one_if_its_replacement_needs_it(
    text: str, old: str, label: str, expected: str
) -> None:
    start = text.index(old)
    assert needing_article(text, start, start + len(old), label) == expected


def test_the_report_has_the_worst_term_and_group_and_what_nothing_is_known_of() -> None:
    policy = (
        "find: {patterns: none, names: none}\nguarantees: [{semantic: {hide: {HIV: virus}, unknown: keep}}]\n"
    )
    report = Sanitizer.from_text(policy).sanitize(f"{LETTER} Take Qzorvane.".encode(), name="letter.txt")
    outcome = report.outcomes[-1]
    assert "Qzorvane" in outcome.unknown
    assert outcome.plan is not None
    assert [measure.secret for measure in outcome.plan.measures] == [
        "HIV: worst term",
        "HIV: worst group",
        "HIV: whole text",
    ]
    for measure in outcome.plan.measures:
        assert measure.before > measure.limit >= measure.after
    data = review(report)["guarantees"][-1]
    assert data["unknown"] == list(outcome.unknown)
    assert 0 < data["plan"]["utility"] < 1
    page = review_page(report)
    assert page.count("class='limit'") == 1 + len(outcome.plan.measures)
    assert "Qzorvane" in page
    assert "information content" in page
    for published in (json.dumps(certificate(report)), certificate_page(report)):
        assert "Qzorvane" not in published
        assert "HIV" not in published


def test_the_claim_says_what_is_judged() -> None:
    assert "group" not in full(max_group=1).claim.sentence
    sentence = full(max_group=3, context="window(20)", common=0.05).claim.sentence
    assert (
        "up to 3 noun phrases of one window (each in at most 5% of the corpus, and telling by itself)"
        in sentence
    )
    assert full(unknown="remove").claim.sentence.endswith("are removed.")


def test_what_replaces_a_term_forms_no_groups_when_it_is_common() -> None:
    corpus = toy("6 HIV virus zidovudine fever drug", "40 virus", "50 drug", "8 fever", "3 drug fever")
    assert sanitized(semantic(corpus, common=0.9), "the zidovudine, the fever") == "the drug, the …"
    assert sanitized(semantic(corpus, common=0.4), "the zidovudine, the fever") == "the drug, the …"


def test_words_of_an_unknown_phrase_need_two_documents_of_the_entity() -> None:
    """One article about HIV that happens to hold two common words does not make a phrase of them."""
    world = ("20 HIV virus", "400 virus", "60 cat", "60 hat", "3 cat hat")
    once, twice = toy(*world, "1 HIV virus cat hat"), toy(*world, "2 HIV virus cat hat")
    assert not semantic(once, max_group=1, support=3).assess(reading("cat hat"))
    assert semantic(twice, max_group=1, support=3).assess(reading("cat hat"))


def test_the_demo_letter_says_no_more_than_infection(tmp_path: Path) -> None:
    _letter(console(), tmp_path / "discharge")
    left = (tmp_path / "discharge" / "released.letter.txt").read_text().lower()
    for gone in ("hiv", "retrovir", "pneumocystis", "cd4", "kaposi"):
        assert gone not in left
    # The reader of the whole text may make a sister a relative and a film a [TERM], as the secret rank asks.
    for kept in ("four days", "monday", "two weeks", "through the night"):
        assert kept in left
    assert (tmp_path / "discharge" / "released.letter.txt.report.html").is_file()


@pytest.mark.parametrize("word", ["antidiabetics", "Antidiabetic", "nondiabetic", "prediabetic"])
def test_a_rare_word_with_a_prefix_says_what_the_word_behind_it_says(word: str) -> None:
    hidden = Sanitizer.from_text(
        "find: {patterns: none, names: none}\nguarantees:\n  - semantic: {hide: {diabetes: disease}}\n"
    )
    assert "diabet" not in hidden.redact(f"The leaflet names {word} first.").text.lower()
