"""Names that look like something else: ordinary words, titles, parts around an apostrophe, short and joined names."""

from __future__ import annotations

import pytest

from efface.core import Edit, SpanSet
from efface.pipeline.propagation.spread import spread
from tests.pipeline.propagation.test_spread import cut, shown


@pytest.mark.parametrize(
    ("name", "text", "gone"),
    [
        ("Rob Bird", "Rob Bird came. The Birds are worried, and the Birds' house is empty.", "Birds"),
        ("Eve Page", "Eve Page came. See PageReport2 and page_notes.", "age"),
        ("Ty Gold", "Ty Gold came. See gold-list.xlsx, the-gold.pdf and #gold.", "gold"),
        ("Ty Gold", "Ty Gold came with gold-list.xlsx. T. Gold will report.", "Gold"),
        ("Ann Church", "Ann Church came. A church bell. In Rice v. Church the judge spoke.", "Church"),
        ("Olive King", "Olive King came. Then King left; KING returned, and King's car too.", "King"),
        ("Grace Major", "Grace Major came. Dr Major left. Major, G. stayed.", "Major"),
        ("Nick Head", "Nick Head came. We saw Head again.", "Head"),
        ("John Cash", "John Cash sued for cash. Cash v. State was decided. Cash et al. agreed.", "Cash"),
        ("Anna So", "Anna So came, so we left. So v. State of Texas is cited.", "So "),
        ("David Su", "David Su came. We met the Sus, and the SUs' dog; Su's car.", "Su"),
        ("David Su", "David Su came. The SUs left.", "SU"),
        ("Yi Do", "Yi Do came. Do asked about the roof.", "Do "),
        ("Luther King III", "Luther King III came. We met King Jr. there. King said no.", "King"),
        ("Omar Sheikh", "Omar Sheikh came. Then Sheikh left.", "Sheikh"),
        ("Nguyễn Văn An", "Nguyễn Văn An came. An's wife and An came. An said no.", "An"),
        ("Nguyễn Văn An", "Nguyễn Văn An came. An agreed to the plan.", "An "),
        ("Nguyễn Văn An", "Nguyễn Văn An came, and so did Văn.", "Văn"),
        ("Tran My", "Tran My came. My said no.", "My "),
    ],
)
def test_a_name_that_is_an_ordinary_word_goes_where_it_is_a_name(name: str, text: str, gone: str) -> None:
    assert gone not in cut(text, name)


@pytest.mark.parametrize(
    ("name", "text", "left"),
    [
        ("Rob Bird", "Rob Bird saw birds. Birds sing.", "birds. Birds sing"),
        ("Rob Bird", "Rob Bird came by ladybird.", "ladybird"),
        (
            "Nguyễn Văn An",
            "Nguyễn Văn An came. An apple fell. An FBI man saw it.",
            "An apple fell. An FBI man",
        ),
        (
            "Nguyễn Văn An",
            "Nguyễn Văn An came. An hour passed. An estimated 5 left.",
            "An hour passed. An estimated",
        ),
        ("Luther King III", "Luther King III met the king.", "the king."),
        (
            "Ty Gold",
            "Ty Gold has a gold-plated ring and either gold or silver.",
            "gold-plated ring and either gold or",
        ),
        ("Olive King", "Olive King met the king of Spain.", "the king of"),
        ("Yi Do", "Yi Do came. Do not ask what they do.", "Do not ask what they do"),
        (
            "Sam Will",
            "Sam Will came. They will go and/or he/she will stay.",
            "will go and/or he/she will stay",
        ),
    ],
)
def test_an_ordinary_word_stays_an_ordinary_word(name: str, text: str, left: str) -> None:
    assert left in cut(text, name)


def test_an_ordinary_plural_that_stays_is_told_when_the_plural_of_a_name_was_cut() -> None:
    text = "Rob Bird came. The Birds saw birds."
    found = spread(text, [Edit(0, 8, "PERSON", "rob bird", "names model")], SpanSet(()))
    assert shown(text, found.edits) == "[PERSON_1] came. The [PERSON_2] saw birds."
    assert [text[stay.start : stay.end] for stay in found.stays] == ["birds"]


def test_a_title_before_a_name_is_no_part_of_it() -> None:
    after = cut(
        "President Barack Obama spoke. The President left with King Salman.", "President Barack Obama"
    )
    assert "The President left with King Salman" in after


@pytest.mark.parametrize(
    ("found", "text"),
    [
        ("Sa", "Abu Sa'id came. Later Sa’id left."),
        ("Malley", "Pat O'Malley came."),
        ("Angelo", "Rosa D’Angelo came."),
    ],
)
def test_a_name_that_was_cut_at_an_apostrophe_goes_whole(found: str, text: str) -> None:
    after = cut(text, found)
    assert "'" not in after
    assert "’" not in after


@pytest.mark.parametrize("found", ["5.6.", "6.71", "5.6"])
def test_a_date_in_numbers_goes_whole(found: str) -> None:
    assert cut("She came on 5.6.71. Then", found, type_="DATE_TIME") == "She came on [DATE_TIME_1]. Then"


def test_another_number_beside_a_date_stays() -> None:
    assert cut("On 5 May 3.5 kg", "5 May", type_="DATE_TIME") == "On [DATE_TIME_1] 3.5 kg"


@pytest.mark.parametrize("rest", ["'s car", "’ll come", "'d come", "' car"])
def test_an_ending_after_an_apostrophe_is_no_part_of_a_name(rest: str) -> None:
    assert cut(f"Malley{rest}", "Malley") == f"[PERSON_1]{rest}"


def test_two_letters_are_a_whole_name_in_chinese() -> None:
    assert "小明" not in cut("We met 小明 today, and 小明 left.", "小明", type_="ORGANIZATION")


def test_a_hyphenated_surname_is_the_person_whatever_a_finder_calls_it() -> None:
    text = "Kwabena Oppong-Mensah came. Oppong-Mensah left."
    person = Edit(0, 21, "PERSON", "kwabena oppong-mensah", "names model", score=0.9)
    other = Edit(28, 41, "ORGANIZATION", "oppong-mensah", "names model", score=0.6)
    after = shown(text, spread(text, [person, other], SpanSet(())).edits)
    assert after == "[PERSON_1] came. [PERSON_1] left."


@pytest.mark.parametrize("form", ["Wis\u00adniewska", "Wiś\u200bniewska", "Wiśniew-\nska"])
def test_a_name_with_marks_that_nobody_sees_is_the_same_person(form: str) -> None:
    after = cut(f"Anna Wiśniewska came. Then {form} left.", "Anna Wiśniewska")
    assert after == "[PERSON_1] came. Then [PERSON_1] left."


@pytest.mark.parametrize(
    ("text", "gone"),
    [
        ("sis: grace rang at 9\nyou: did grace ring before?", "grace"),
        ("sis: grace rang at 9\nyou: grace said so. tell grace", "grace"),
    ],
)
def test_a_name_that_was_found_in_small_letters_goes_in_small_letters(text: str, gone: str) -> None:
    assert gone not in cut(text, "grace")


@pytest.mark.parametrize(
    "text", ["you: grace rang. by the grace of god", "you: grace rang. with grace and poise"]
)
def test_the_ordinary_word_stays_beside_a_name_in_small_letters(text: str) -> None:
    assert text.rpartition("grace")[2] in cut(text, "grace")
    assert cut(text, "grace").count("grace") == 1


@pytest.mark.parametrize(
    ("name", "text", "gone"),
    [
        (
            "The Willows Residential Home",
            "He moved to The Willows Residential Home. I know The Willows well.",
            "The W",
        ),
        (
            "Brightwater Logistics Ltd",
            "She left Brightwater Logistics Ltd. At Brightwater nobody knew.",
            "Brightw",
        ),
        ("Tanglewood House", "A visit to Tanglewood House; Tanglewood is cold.", "Tanglew"),
    ],
)
def test_a_firm_or_a_house_goes_without_the_word_for_its_kind(name: str, text: str, gone: str) -> None:
    released = cut(text, name, type_="ORGANIZATION")
    assert gone not in released and "_2]" not in released


@pytest.mark.parametrize(
    ("name", "text", "left"),
    [
        (
            "The Gardens Care Home",
            "At The Gardens Care Home the gardens are dry. Gardens need rain.",
            "Gardens need rain",
        ),
        ("General Hospital", "From General Hospital to General Motors.", "to General Motors"),
        ("Royal Infirmary", "The Royal Infirmary wrote to a Royal.", "a Royal"),
    ],
)
def test_ordinary_words_of_a_firm_stay(name: str, text: str, left: str) -> None:
    assert left in cut(text, name, type_="ORGANIZATION")


def test_the_end_of_a_change_of_direction_stays() -> None:
    text = "Contact \u202erelliM\u202c in accounts. Miller signs."
    released = cut(text, "Miller")
    assert "relliM" not in released and released.index("\u202c") < released.index(" in accounts")
