"""Things are introduced once and taken up again, and a class is not said of all its members."""

from __future__ import annotations

import pytest

from efface.core import Edit, apply_edits
from efface.guarantees.semantic.english.introducing import introduced


@pytest.mark.parametrize(
    ("text", "changes", "expected"),
    [
        pytest.param(
            "Islam began there. Today Islam has many followers.",
            [("Islam", "A religion"), ("Islam", "a religion")],
            "A religion began there. Today the religion has many followers.",
            id="taken up",
        ),
        pytest.param(
            "Islam met Judaism. Islam is old, and so is Judaism.",
            [
                ("Islam", "A religion"),
                ("Judaism", "a religion"),
                ("Islam", "A religion"),
                ("Judaism", "a religion"),
            ],
            "A religion met another religion. The religion is old, and so is ….",
            id="the second thing cannot be told apart",
        ),
        pytest.param(
            "He has gout. Asthma came, and his wife had mumps.",
            [("gout", "a condition"), ("Asthma", "A condition"), ("mumps", "a condition")],
            "He has a condition. Another condition came, and his wife had ….",
            id="a third thing is not another one again",
        ),
        pytest.param(
            "Vienna is the capital. Vienna has a park.",
            [("Vienna", "A city"), ("Vienna", "A city")],
            "… is the capital. The city has a park.",
            id="not all cities are the capital",
        ),
        pytest.param(
            "Vienna (once Vindobona) lies there.",
            [("Vienna", "A city")],
            "… (once Vindobona) lies there.",
            id="bracket",
        ),
        pytest.param(
            "It lies in the United States. The United States has it.",
            [("United States", "country"), ("United States", "country")],
            "It lies in a country. The country has it.",
            id="a name with its article",
        ),
        pytest.param(
            "Seattle grew. The World Health Organization came to the Sudan.",
            [("Seattle", "A city"), ("World Health Organization", "organization"), ("Sudan", "country")],
            "A city grew. An organization came to a country.",
            id="long names",
        ),
        pytest.param(
            "She owes the water company. The finance company wrote.",
            [("water company", "organization"), ("finance company", "organization")],
            "She owes the organization. The … wrote.",
            id="two things are not both the organization",
        ),
        pytest.param(
            "Nationalism grew. The political ideology won, and nationalism with it.",
            [
                ("Nationalism", "An ideology"),
                ("political ideology", "ideology"),
                ("nationalism", "an ideology"),
            ],
            "An ideology grew. The ideology won, and the ideology with it.",
            id="a head that stays is no second thing",
        ),
    ],
)
def test_a_thing_is_introduced_once(text: str, changes: list[tuple[str, str]], expected: str) -> None:
    edits, at = [], 0
    for stood, words in changes:
        start = text.index(stood, at)
        at = start + len(stood)
        edits.append(Edit(start, at, "TERM", stood.lower(), "semantic", words))
    shown = [
        Edit(edit.start, edit.end, edit.type, edit.key, "", edit.replacement or "…")
        for edit in introduced(text, edits)
    ]
    assert apply_edits(text, shown) == expected


def test_the_names_of_one_thing_are_one_thing() -> None:
    text = "HIV came first. Human immunodeficiency virus came again."
    keys = ("HIV", "human immunodeficiency virus")
    starts = (0, text.index("Human"))
    lengths = (3, 28)
    edits = [
        Edit(start, start + length, "TERM", key, "", "An infection")
        for start, length, key in zip(starts, lengths, keys, strict=True)
    ]
    told = list(introduced(text, edits, dict.fromkeys(keys, "HIV")))
    assert [edit.replacement for edit in told] == ["An infection", "The infection"]


def test_a_stage_of_a_thing_is_no_other_thing() -> None:
    text = "Syphilis grew. In secondary syphilis and active disease, unlike gout, a rash came."
    edits = []
    for stood in ("Syphilis", "secondary syphilis", "active disease", "gout"):
        start = text.index(stood)
        edits.append(Edit(start, start + len(stood), "TERM", stood.lower(), "", "a condition"))
    told = introduced(text, edits[:3], {"syphilis": "syphilis"})
    assert [edit.replacement for edit in told] == ["a condition", None, None]
    told = introduced(text, [edits[0], edits[3]], {"syphilis": "syphilis"})
    assert [edit.replacement for edit in told] == ["a condition", "another condition"]


def test_what_a_text_is_about_is_no_other_thing() -> None:
    text = "The company grew. Siemens employs many."
    edit = Edit(18, 25, "TERM", "siemens", "", "A company")
    assert [each.replacement for each in introduced(text, [edit], {"siemens": "Siemens"})] == ["The company"]
    text = "In 2017 Siemens grew. Siemens employs many."
    edits = [Edit(8, 15, "TERM", "siemens", "", None), Edit(22, 29, "TERM", "siemens", "", "A company")]
    assert [each.replacement for each in introduced(text, edits, {"siemens": "Siemens"})] == [
        None,
        "The company",
    ]
    text = "Tea is a stimulant there, and caffeine acts."
    first = Edit(9, 18, "TERM", "stimulant", "", "drug")
    second = Edit(30, 38, "TERM", "caffeine", "", "a drug")
    told = [each.replacement for each in introduced(text, [first, second], {"caffeine": "caffeine"})]
    assert told == ["drug", None]
