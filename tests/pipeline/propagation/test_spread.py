"""What is cut once is cut everywhere: letters made by hand, and a slow oracle over random texts."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from efface.core import Edit, Span, SpanSet, apply_edits
from efface.finders.fields.field_values import LABELLED
from efface.operators import Operators
from efface.pipeline.propagation.identity import one_thing
from efface.pipeline.propagation.spread import spread
from efface.text.folding import fold_term


def cut(text: str, *names: str, kept: str = "", type_: str = "PERSON", reason: str = "names model") -> str:
    """The text after the first occurrence of each name was cut, and what follows from that."""
    edits = [Edit(text.index(n), text.index(n) + len(n), type_, fold_term(n), reason) for n in names]
    found = re.finditer(re.escape(kept), text) if kept else ()
    stays = SpanSet(Span(*match.span()) for match in found)
    return shown(text, spread(text, edits, stays).edits)


def shown(text: str, edits: tuple[Edit, ...]) -> str:
    return apply_edits(text, Operators().fill(edits, text))


@pytest.mark.parametrize(
    ("text", "gone"),
    [
        ("Jaime Leal came. The years in which Leal served.", "Leal"),
        ("Bashar As'ad spoke. As'ad left; ASAD returned; the Asad regime.", "sad"),
        ("Jonathan Whitcombe wrote. Write to JWhitcombe1957 or jwhitcombe.", "hitcombe"),
        ("Jonathan Whitcombe wrote. The Whitcombes' house, Whitcombe's car.", "Whitcombe"),
        ("Ana Gastelum came; see gastelum_serrano_ and x_gastelum.", "astelum"),
        ("Jonathan Whitcombe at j.whitcombe@example.org or https://x.org/~whitcombe/me.", "example.org"),
        ("Jonathan Whitcombe wrote. J. R. Whitcombe and Whitcombe, J. agree with J.W. today.", "J."),
        ("José Muñoz came. Munoz left, MUÑOZ stayed.", "UÑOZ"),
        ("Jürgen Müller came. MUELLER left; see juergen.mueller and jmueller.", "ueller"),
        ("Mark Brown came. See MarkBrown57 and mbrown.", "rown"),
        ("Mrs May Brown came. Later Brown left, said May.", "Brown"),
    ],
)
def test_a_person_goes_in_every_form(text: str, gone: str) -> None:
    name = re.match(r"(?:Mrs )?(\S+ \S+)", text)
    assert name
    assert gone not in cut(text, name[1])


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Patient: TANAKA-BOYD, M. came.", "Patient: [PERSON_1] came."),
        ("We saw TANAKA-BOYD M.J. today.", "We saw [PERSON_1] today."),
        ("See TANAKA-BOYD, M. J. (2019).", "See [PERSON_1] (2019)."),
        ("See K. R. TANAKA-BOYD here.", "See [PERSON_1] here."),
        ("TANAKA-BOYD KR, Patel M. Tides.", "[PERSON_1], Patel M. Tides."),
        ("TANAKA-BOYD K. Tides.", "[PERSON_1] Tides."),
        ("TANAKA-BOYD I went. A TANAKA-BOYD?", "[PERSON_1] I went. A [PERSON_1]?"),
        ("TANAKA-BOYD, UK and TANAKA-BOYD, etc.", "[PERSON_1], UK and [PERSON_1], etc."),
        ("*K.* TANAKA-BOYD and K. **TANAKA-BOYD** left.", "[PERSON_1] and [PERSON_1] left."),
        ("**K. R.** **TANAKA-BOYD** and _K. TANAKA-BOYD_.", "[PERSON_1] and [PERSON_1]."),
        (
            "| TANAKA-BOYD | K. |\n| R. | TANAKA-BOYD |",
            "| [PERSON_1] | [PERSON_1] |\n| [PERSON_1] | [PERSON_1] |",
        ),
        ("TANAKA-BOYD,K.,Hull\nTANAKA-BOYD,M,1957", "[PERSON_1],Hull\n[PERSON_1],M,1957"),
        ("TANAKA-BOYD\tK.\tHull", "[PERSON_1]\t[PERSON_1]\tHull"),
    ],
)
def test_initials_at_a_name_go_with_it(text: str, wanted: str) -> None:
    """Whoever found the name, and though no given name is known."""
    assert cut(text, "TANAKA-BOYD") == wanted


@pytest.mark.parametrize("other", ["KA09HX4471", "ka-09-hx-4471"])
def test_a_code_goes_in_its_other_spellings(other: str) -> None:
    text = f"The plate KA 09 HX 4471 and {other}."
    left = cut(text, "KA 09 HX 4471", type_="VEHICLE_ID")
    assert re.fullmatch(r"The plate \[VEHICLE_ID_1\] and \[VEHICLE_ID_[12]\]\.", left)


def test_units_are_initials_where_no_number_stands_before_them() -> None:
    assert cut("Craig Munro came. We heard CM on Monday.", "Craig Munro").count("[PERSON_1]") == 2
    assert "12 CM and CM" in cut("Craig Munro came. It is 12 CM and CM.", "Craig Munro")


def test_a_given_name_before_a_cut_surname_is_no_verb() -> None:
    text = "So said Will. Will Young and Rose met. Will they come?"
    left = cut(text, "Will", "Young")
    assert "Will and" not in left
    assert left.count("Will") == 1
    assert left.endswith("Will they come?")


def test_a_name_in_small_letters_goes_before_its_possessive() -> None:
    text = (
        "misty: is robin coming?\nfrank: robin's at the vets. the robin's nest is empty, and a robin sings."
    )
    wanted = "misty: is [PERSON_1] coming?\nfrank: [PERSON_1]'s at the vets. the robin's nest is empty, and a robin sings."
    assert cut(text, "robin") == wanted


@pytest.mark.parametrize("said", ["brought", "rang", "slept", "lives", "paid"])
def test_a_name_that_opens_a_sentence_and_does_something_goes(said: str) -> None:
    text = f"His mum Candy came. Candy {said} again. Candy bars are candy."
    assert cut(text, "Candy") == f"His mum [PERSON_1] came. [PERSON_1] {said} again. Candy bars are candy."


def test_initials_belong_to_the_nearest_name() -> None:
    text = "Whitcombe, K. Lindqvist and Patel\nM. Brandvold."
    edits = [Edit(text.index(n), text.index(n) + len(n), "PERSON", fold_term(n), "names model") for n in ("Whitcombe", "K. Lindqvist", "Patel", "Brandvold")]  # fmt: skip
    assert shown(text, spread(text, edits, SpanSet(())).edits) == (
        "[PERSON_1], [PERSON_2] and [PERSON_3]\n[PERSON_4]."
    )


@pytest.mark.parametrize(
    ("name", "text", "left"),
    [
        (
            "May Brown",
            "May Brown came in brown shoes. They may stay until May 2003.",
            ["brown shoes", "may stay", "May 2003"],
        ),
        ("Li He", "Li He came. He said he would.", ["He said he would"]),
        ("Din Ali", "Din Ali came. Including quality.", ["Including quality"]),
        ("Mari Lopez", "Mari Lopez came. The maritime law.", ["maritime"]),
    ],
)
def test_an_ordinary_word_stays_where_it_is_one(name: str, text: str, left: list[str]) -> None:
    after = cut(text, name)
    assert all(words in after for words in left)


def test_an_ordinary_word_that_stays_is_told_with_its_reason() -> None:
    text = "May Brown came in brown shoes."
    found = spread(text, [Edit(0, 9, "PERSON", "may brown", "names model")], SpanSet(()))
    assert [(text[stay.start : stay.end], stay.reason) for stay in found.stays] == [
        ("brown", "an ordinary word where it stands")
    ]


def test_what_is_kept_stays_and_is_told() -> None:
    assert "Leal Street" in cut("Jaime Leal came to Leal Street.", "Jaime Leal", kept="Leal Street")


@pytest.mark.parametrize(
    "text",
    ["Rob Day came. Irene Day stayed.", "Rob Day and Irene Marsh came.", "Irene Marsh and Rob Day came."],
)
def test_a_relative_or_a_companion_who_is_kept_stays(text: str) -> None:
    kept = "Irene Day" if "Irene Day" in text else "Irene Marsh"
    assert kept in cut(text, "Rob Day", kept=kept)


@pytest.mark.parametrize("type_", ["ORGANIZATION", "LOCATION"])
def test_other_names_go_as_whole_strings(type_: str) -> None:
    after = cut(
        "The Acme Drilling Trust paid. ACME DRILLING TRUST owes; Acme is near.",
        "Acme Drilling Trust",
        type_=type_,
    )
    assert "rilling" not in after.lower()
    assert "Acme is near" in after


def test_an_acronym_is_no_word() -> None:
    after = cut("LET was named. Let it be; let us see LET.", "LET", type_="ORGANIZATION")
    assert after.count("LET") == 0
    assert "Let it be; let us" in after


def test_one_thing_has_one_placeholder_whatever_a_finder_calls_it() -> None:
    text = "Asad came. Asad went. Asad won."
    edits = [
        Edit(at, at + 4, kind, "asad", "names model")
        for at, kind in ((0, "PERSON"), (11, "PERSON"), (22, "LOCATION"))
    ]
    assert (
        shown(text, spread(text, edits, SpanSet(())).edits)
        == "[PERSON_1] came. [PERSON_1] went. [PERSON_1] won."
    )


def test_two_people_are_never_one_placeholder() -> None:
    after = cut(
        "Lorna Reyes and Paul Reyes. Lorna left, Paul stayed, Reyes called.", "Lorna Reyes", "Paul Reyes"
    )
    assert after == "[PERSON_1] and [PERSON_2]. [PERSON_1] left, [PERSON_2] stayed, [PERSON_3] called."


def test_a_father_and_a_son_are_two() -> None:
    after = cut(
        "Luther King III wrote. King Jr. was his father. See Luther King, III and King Jr., too.",
        "Luther King III",
    )
    assert after == "[PERSON_1] wrote. [PERSON_2] was his father. See [PERSON_1] and [PERSON_2], too."


def test_a_name_ends_with_its_paragraph() -> None:
    after = cut("J. Ashford spoke.\n\n- Ashford, J.\n\nAshford left.", "J. Ashford")
    assert after.endswith("\n\n[PERSON_1] left.")
    assert "J." not in after


def test_whom_a_finder_calls_a_place_keeps_one_placeholder_and_no_initial() -> None:
    text = "Re: London, J.\n\n**London** came. J. London left. *J.* London paid. London wrote."
    edits = [
        Edit(match.start(), match.end(), kind, "london", "names model", score=0.7)
        for match, kind in zip(
            re.finditer("London", text),
            ("LOCATION", "LOCATION", "PERSON", "LOCATION", "LOCATION"),
            strict=True,
        )
    ]
    after = shown(text, spread(text, edits, SpanSet(())).edits)
    assert (
        after == "Re: [PERSON_1]\n\n**[PERSON_1]** came. [PERSON_1] left. [PERSON_1] paid. [PERSON_1] wrote."
    )


def test_a_denied_word_goes_with_the_token_it_is_glued_into() -> None:
    after = cut(
        "Zanzibarov is here; see xZanzibarov1 and zanzibarovs.",
        "Zanzibarov",
        type_="DENIED",
        reason="on the deny list",
    )
    assert "anzibarov" not in after


_WORDS = st.sampled_from(
    [
        "Zorvan",
        "Quistel",
        "zorvan",
        "ZORVAN",
        "Zorvans",
        "JZorvan9",
        "quistel_zorvan",
        "the",
        "came",
        "house",
        "zorvan@x.org",
        "Z. Quistel",
        ".",
    ]
)


@given(st.lists(_WORDS, max_size=20))
def test_no_part_of_a_name_is_left_by_a_plain_search(words: list[str]) -> None:
    """The oracle: a search for each part, letter by letter, without any idea of words."""
    text = " ".join(["Zorvan Quistel", *words])
    after = cut(text, "Zorvan Quistel").lower()
    assert "zorvan" not in after
    assert "quistel" not in after


@given(st.lists(_WORDS, max_size=12))
def test_a_second_pass_changes_nothing(words: list[str]) -> None:
    text = " ".join(["Zorvan Quistel", *words])
    first = spread(text, [Edit(0, 14, "PERSON", "zorvan quistel", "names model")], SpanSet(()))
    again = spread(text, first.edits, SpanSet(()))
    assert set(again.edits) == set(first.edits)
    assert again.stays == first.stays


def test_a_name_found_within_a_longer_one_is_no_second_person() -> None:
    """A database that writes a name in several ways marks the same place twice: one placeholder for its person."""
    text = "Mireille Tanaka-Boyd was seen. Mireille prefers to wait."
    names = ("Mireille Tanaka-Boyd", "Mireille Tanaka", "Mireille")
    places = [(name, match.start()) for name in names for match in re.finditer(name, text)]
    edits = [Edit(at, at + len(name), "PERSON", fold_term(name), "points to somebody") for name, at in places]
    told = one_thing(text, edits)
    assert {edit.key for edit in told if text[edit.start : edit.end] == "Mireille"} == {
        "mireille tanaka boyd"
    }


def test_two_numbers_that_were_taken_for_persons_are_two() -> None:
    assert cut("RX10023 and RX10024 came.", "RX10023", "RX10024") == "[PERSON_1] and [PERSON_2] came."


def test_nothing_is_put_between_two_parts_that_are_cut() -> None:
    text = "Ada Brand\nAda Brand\nhttps://records.example/brand-ada"
    edits = [
        Edit(0, 9, "PERSON", "ada brand", "names model"),
        Edit(10, 19, "PERSON", "ada brand", "names model"),
        Edit(20, len(text), "URL", "x", "pattern"),
    ]
    spread_out = spread(text, edits, SpanSet(()), borders=(9, 10, 19, 20))
    assert all(text[edit.start : edit.end].strip() for edit in spread_out.edits)


@pytest.mark.parametrize("scores", [(0.5, 0.9), (0.9, 0.5)])
def test_what_follows_from_two_cuts_of_a_name_has_the_surer_score(scores: tuple[float, float]) -> None:
    text = "Jaime Leal came. Jaime Leal left. Leal returned."
    places = [match.span() for match in re.finditer("Jaime Leal", text)]
    edits = [
        Edit(*place, "PERSON", "jaime leal", "names model", score=score)
        for place, score in zip(places, scores, strict=True)
    ]
    last = max(spread(text, edits, SpanSet(())).edits, key=lambda edit: edit.start)
    assert (text[last.start : last.end], last.score) == ("Leal", 0.9)


def test_a_title_that_a_label_calls_a_surname_goes_everywhere() -> None:
    assert cut("Surname: King. Signed <b>King</b>", "King", reason=LABELLED) == (
        "Surname: [PERSON_1]. Signed <b>[PERSON_1]</b>"
    )


def test_a_surname_in_the_name_of_a_record_goes_with_the_given_name() -> None:
    text = '{"family": "King", "id": "pat-hazel-king", "note": "a day-to-day matter of the king"}'
    after = cut(text, "King", reason=LABELLED)
    assert "hazel-king" not in after
    assert after.endswith('"a day-to-day matter of the king"}')
