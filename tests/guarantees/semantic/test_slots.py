"""A class that is right can still be the wrong word for its place."""

from __future__ import annotations

import pytest

from efface.core import Edit, apply_edits
from efface.guarantees.semantic.english.fitting import is_fitting, is_share, without_classes_of_themselves
from efface.guarantees.semantic.english.heads import goes_unseen, heads
from efface.guarantees.semantic.english.one_class import with_one_class
from efface.guarantees.semantic.english.wording import needing_article
from efface.guarantees.semantic.term_queries import TermQueries
from efface.guarantees.semantic.terms import Generaliser
from efface.knowledge.corpus.counts import wikipedia
from efface.knowledge.corpus.text_runs import term_keys
from efface.knowledge.taxonomy.concepts import lexicon, wordnet
from efface.knowledge.vectors.word_vectors import packaged_vectors


@pytest.mark.parametrize(
    ("text", "stood", "label", "fits"),
    [
        ("The mayor of a town spoke.", "mayor", "politician", False),
        ("The mayor spoke first.", "mayor", "politician", True),
        ("She has cancer of the lung.", "cancer", "disease", True),
        ("the Budapest metropolitan area", "Budapest", "city", False),
        ("after the 1983 Beirut barracks bombing", "Beirut", "city", False),
        ("He flew a Boeing 747 there.", "Boeing", "company", False),
        ("Shares fell in Tokyo after that.", "Tokyo", "city", True),
        ("He came with his wife to us.", "wife", "relative", False),
        ("He came with his daughter to us.", "daughter", "child", True),
        ("He came to her funeral with us.", "funeral", "ceremony", False),
        ("They went to a funeral in May.", "funeral", "ceremony", True),
        ("He met the painter Rubens there.", "Rubens", "person", False),
        ("She has chronic hepatitis now.", "hepatitis", "disease", False),
        ("She has a chronic hepatitis now.", "hepatitis", "disease", True),
        ("It is made for the consumer there.", "consumer", "person", False),
        ("They were rescued by firefighters there.", "firefighters", "person", True),
        ("among saviors and teachers there", "saviors", "person", False),
        ("One of the victims spoke.", "victims", "person", False),
        ("Talk to your other lenders.", "lenders", "person", False),
        ("She was taken there by ambulance again.", "ambulance", "vehicle", False),
        ("She was taken there in an ambulance again.", "ambulance", "vehicle", True),
        ("It is the second largest church in Lyon and the oldest.", "Lyon", "city", False),
        ("It is a church in Lyon and an old one.", "Lyon", "city", True),
        ("Father knows of it.", "Father", "relative", False),
        ("The grandfather would pay for it.", "grandfather", "relative", False),
        ("A grandfather would pay for it.", "grandfather", "relative", True),
        ("The doctor calls it anorexia there.", "anorexia", "condition", False),
        ('It is called "word blindness" or alexia there.', "alexia", "condition", False),
        ("The nurse called. Pain or alexia was seen.", "alexia", "condition", True),
        ("Volkswagen is German for something.", "Volkswagen", "company", False),
        ("Norway (/n/ ( listen); Norwegian: Norge) is old.", "Norge", "country", False),
        ("Most Baptists recognise two.", "Baptists", "religion", False),
        ("A discount is not bribery there.", "bribery", "crime", False),
        ("He was charged with bribery there.", "bribery", "crime", True),
        ("It is made in Toulouse, Hamburg, Tianjin and Alabama.", "Hamburg", "city", False),
        ("Shares are traded in New York and Milan now.", "Milan", "city", False),
        ("Shares are traded in Milan and New York now.", "Milan", "city", False),
        ("Siemens & Halske was founded.", "Siemens", "company", False),
        ("It is a nervous system (CNS) stimulant of them.", "stimulant", "drug", False),
        ("The town was renamed Kyoto then.", "Kyoto", "city", False),
        ("It is a highly contagious, airborne disease there.", "airborne disease", "condition", False),
        ("It was then shortened to Pepsi there.", "Pepsi", "company", False),
        ("Her thyroid and vitamin levels were normal.", "thyroid", "muscle", False),
        ("on the machine through the fistula in her arm", "fistula", "condition", False),
        ("The fistula in her arm hurts.", "fistula", "condition", True),
    ],
)
def test_what_is_beside_a_place_decides_whether_a_class_can_stand_there(
    text: str, stood: str, label: str, fits: bool
) -> None:
    start = text.index(stood)
    assert is_fitting(text, start, start + len(stood), label) == fits


@pytest.fixture(scope="module")
def generaliser() -> Generaliser:
    return Generaliser(TermQueries(wikipedia(), 3), (wordnet(),), (), vectors=packaged_vectors())


@pytest.mark.parametrize(
    ("term", "unsaid"),
    [
        ("home oxygen", "gas"),
        ("mother's funeral", "mother's ceremony"),
        ("July", "month"),
        ("John Calvin", "person"),
        ("Quechua", "person"),
        ("churches", "religion"),
        ("wife", "woman"),
        ("complaints", "condition"),
        ("Eastern Europe", "continent"),
        ("beer", "drug"),
        ("surgery", "procedure"),
        ("police", "agency"),
        ("jumbo jets", "vehicle"),
        ("lagoon", "lake"),
        ("children", "person"),
        ("social worker", "employee"),
        ("taxi", "car"),
        ("steroids", "hormone"),
        ("dentistry", "medicine"),
        ("algorithm", "procedure"),
        ("consonant", "letter"),
        ("cigarettes", "drug"),
        ("personnel", "organization"),
        ("venison", "game"),
        ("pensions", "payment"),
        ("Easter", "holiday"),
        ("mandolin", "musical instrument"),
        ("Syria", "country"),
        ("comics", "person"),
        ("family firm", "organization"),
        ("most common learning disability", "condition"),
        ("second fatal disease", "condition"),
    ],
)
def test_a_class_that_reads_oddly_is_not_offered(generaliser: Generaliser, term: str, unsaid: str) -> None:
    key = " ".join(term_keys(term, lexicon()))
    assert unsaid not in [option.label for option in generaliser.options(key, [term])]


@pytest.mark.parametrize(
    "phrase",
    [
        "most populous city",
        "fastest-growing major city",
        "strategic location",
        "decreased ability",
        "false statements",
        "River Isar north",
        "vitamin D",
        "Cidade da Luz",
    ],
)
def test_a_phrase_that_says_which_one_or_the_contrary_keeps_no_head(phrase: str) -> None:
    assert list(heads(phrase.split(), (wordnet(),))) == []


@pytest.mark.parametrize(
    ("words", "unseen"),
    [
        ("blood tests", True),
        ("Greek sailors", True),
        ("Danish words", True),
        ("kidney function tests", True),
        ("pregnant women", False),
        ("sore knee", False),
        ("swollen ankles", False),
        ("milder form", False),
        ("non-cancerous growths", False),
        ("biologically-based theories", False),
        ("paper form", True),
        ("broken arm bone", False),
        ("Hinduism matters", False),
        ("porcelain dog", False),
        ("football coach", True),
        ("probation officer weekly", False),
        ("partner Joseph", False),
        ("school friend Anna", False),
    ],
)
def test_a_kind_goes_without_a_trace_and_a_quality_leaves_a_gap(words: str, unseen: bool) -> None:
    *gone, head = words.split()
    assert goes_unseen(gone, head) == unseen


@pytest.mark.parametrize(
    ("text", "changes", "expected"),
    [
        (
            "He has gout and an infection there.",
            [("gout", "a condition"), ("infection", "illness")],
            ["a condition", "a condition"],
        ),
        (
            "He has scabies. Measles came next.",
            [("scabies", "a condition"), ("Measles", "A disease")],
            ["a condition", "A disease"],
        ),
        (
            "Illnesses like colds and allergies",
            [("colds", "diseases"), ("allergies", "disorders")],
            ["disorders", "disorders"],
        ),
        (
            "Gout is a rare lung disease now.",
            [("Gout", "A condition"), ("rare lung disease", "disease")],
            ["A condition", "disease"],
        ),
    ],
)
def test_illnesses_of_one_sentence_get_one_word(
    text: str, changes: list[tuple[str, str]], expected: list[str]
) -> None:
    edits = []
    for stood, words in changes:
        start = text.index(stood)
        edits.append(Edit(start, start + len(stood), "TERM", stood, "", words))
    done = list(with_one_class(text, edits))
    assert [edit.replacement for edit in done] == expected
    assert "an condition" not in apply_edits(text, done)


def test_a_verb_in_ed_is_no_adjective_before_a_noun() -> None:
    text = "The scan confirmed emphysema there."
    start = text.index("emphysema")
    assert needing_article(text, start, start + 9, "condition") == "a condition"
    text = "on the bridges between Europe and Asia"
    start = text.index("Asia")
    assert needing_article(text, start, start + 4, "continent") == "a continent"
    text = "It was a confirmed emphysema there."
    start = text.index("emphysema")
    assert needing_article(text, start, start + 9, "condition") == "condition"


def test_a_share_needs_to_say_of_what() -> None:
    assert is_share("They are 13% of the Muslim population.", 20)
    assert not is_share("They met the Muslim population.", 13)


def test_two_heads_do_not_say_the_same() -> None:
    text = "It has an urban population of 12 and a metropolitan population of 14."
    edits = [
        Edit(text.index(words), text.index(words) + len(words), "TERM", words, "", "population")
        for words in ("urban population", "metropolitan population")
    ]
    left = [edit.replacement for edit in without_classes_of_themselves(text, edits)]
    assert left == ["population", None]
