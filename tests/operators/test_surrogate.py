from __future__ import annotations

import ipaddress
import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stdnum import iban, luhn

from efface.core import Edit, apply_edits
from efface.errors import PolicyError
from efface.operators import Operators, Surrogate
from efface.operators.surrogate_people import names
from efface.text.folding import fold_term
from efface.text.ordinary_words import is_ordinary
from tests.operators.helpers import KEY, edits_of, filled, one

OTHER = bytes(range(1, 33))
FAKE = Surrogate()


@pytest.mark.parametrize(
    ("type_name", "term", "pattern"),
    [
        ("EMAIL_ADDRESS", "jane@clinic.test", r"[a-z]+\.[a-z]+\.\d\d@example\.org"),
        ("PHONE_NUMBER", "+1 (415) 867-5309", r"\+1 \([2-9][2-8]\d\) 555-01\d\d"),
        ("PHONE_NUMBER", "415.867.5309 x12", r"[2-9][2-8]\d\.555\.01\d\d x\d\d"),
        ("PHONE_NUMBER", "1-415-867-5309", r"1-[2-9][2-8]\d-555-01\d\d"),
        ("PHONE_NUMBER", "867-5309", r"555-01\d\d"),
        ("PHONE_NUMBER", "020 7123 4567", r"077 0090 0\d\d\d"),
        ("PHONE_NUMBER", "+44 (0)20 7123 4567", r"\+44 \(0\)77 0090 0\d\d\d"),
        ("PHONE_NUMBER", "0044 20 7123 4567", r"0044 77 0090 0\d\d\d"),
        ("PHONE_NUMBER", "06 12 34 56 78", r"06 39 98 \d\d \d\d"),
        ("PHONE_NUMBER", "+49 30 1234567", r"\+49 \d\d \d{7}"),
        ("PHONE_NUMBER", "+31 6 12345678", r"\+31 \d \d{8}"),
        ("CREDIT_CARD", "4532 0151 1283 0366", r"4000 00\d\d \d{4} \d{4}"),
        ("CREDIT_CARD", "3714-496353-98431", r"3782-82\d{4}-\d{5}"),
        ("IBAN_CODE", "GB82 WEST 1234 5698 7654 32", r"GB\d\d XX[A-Z]{2} \d{4} \d{4} \d{4} \d\d"),
        ("IBAN_CODE", "de89370400440532013000", r"de\d\d00\d{16}"),
        ("US_SSN", "123-45-6789", r"9\d\d-(?:0[1-9]|[1-4]\d)-\d{4}"),
        ("IP_ADDRESS", "10.1.2.3", r"(?:192\.0\.2|198\.51\.100|203\.0\.113)\.\d+"),
        ("IP_ADDRESS", "10.1.2.3/24", r"(?:192\.0\.2|198\.51\.100|203\.0\.113)\.\d+/24"),
        ("IP_ADDRESS", "2a00:1450::1", r"2001:db8:[0-9a-f:]+"),
        ("MAC_ADDRESS", "00:1A:2B:3C:4D:5E", r"[0-9A-F][26AE](?::[0-9A-F]{2}){5}"),
        ("MAC_ADDRESS", "001a.2b3c.4d5e", r"[0-9a-f][26ae][0-9a-f]{2}\.[0-9a-f]{4}\.[0-9a-f]{4}"),
        ("URL", "https://www.clinic.test/a?b=ann", r"https://www\.example\.org/[0-9a-f]{10}"),
        ("URL", "ann-lee://clinic", r"example\.org/[0-9a-f]{10}"),
        ("POSTCODE", "SW1A 1AA", r"[A-Z]{2}\d[A-Z] \d[A-Z]{2}"),
        ("MEDICAL_RECORD", "MR-12345/b", r"[A-Z]{2}-\d{5}/[a-z]"),
        ("USERNAME", "@annlee", r"@user\d+"),
        ("DATE_TIME", "Monday, 3 March 2019", r"[A-Z]\w+day, \d\d? [A-Z]\w+ 20\d\d"),
        ("AGE", "47-year-old", r"4\d-year-old"),
        ("ORGANIZATION", "ACME CORP", r"[A-Z ,.-]+"),
        ("LOCATION", "12 Main Street", r"\d+ .+"),
        ("LOCATION", "Springfield", r"[A-Z].+"),
        ("NRP", "Buddhist", r"\[NRP_1\]"),
        ("DATE_TIME", "next Tuesday", r"\[DATE_TIME_1\]"),
        ("IP_ADDRESS", "not an address", r"\[IP_ADDRESS_1\]"),
        ("AGE", "Ann, 47", r"\[AGE_1\]"),
        ("PHONE_NUMBER", "call Ann 415 867 5309", r"(?!.*Ann)[a-z]{4} [A-Z][a-z]{2} \d{3} \d{3} \d{4}"),
        ("PHONE_NUMBER", "1" + " " * 300, r"\[PHONE_NUMBER_1\]"),
    ],
)
def test_format_is_kept_in_a_range_of_fiction(type_name: str, term: str, pattern: str) -> None:
    fake = one(FAKE, type_name, term)
    assert re.fullmatch(pattern, fake), fake
    assert fake != term


@given(st.integers(0, 10**12))
@settings(max_examples=40)
def test_checksums_hold(seed: int) -> None:
    card = "4" + str(seed).zfill(15)
    assert luhn.is_valid(one(FAKE, "CREDIT_CARD", card))
    account = f"DE00{seed:018d}"
    fake = one(FAKE, "IBAN_CODE", account)
    assert iban.is_valid(fake, check_country=False)
    assert fake[:2] == "DE"


@given(st.ip_addresses())
@settings(max_examples=40)
def test_addresses_are_for_documentation(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> None:
    fake = ipaddress.ip_address(one(FAKE, "IP_ADDRESS", str(address)))
    assert fake.version == address.version
    networks = ("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32")
    assert any(fake in ipaddress.ip_network(network) for network in networks)


def test_one_person_in_every_shape() -> None:
    text = (
        "Dr. James Livingston; JAMES LIVINGSTON; Livingston, James; Livingston; Mr Livingston's; livingston"
    )
    terms = ["James Livingston", "JAMES LIVINGSTON", "Livingston, James", "Mr Livingston's", "livingston"]
    result = filled(FAKE, text, *(("PERSON", term) for term in [*terms, "Livingston;"]))
    given_name, surname = result.removeprefix("Dr. ").split(";")[0].split()
    assert result == (
        f"Dr. {given_name} {surname}; {given_name.upper()} {surname.upper()}; {surname}, {given_name}; "
        f"{surname}; Mr {surname}'s; {surname.lower()}"
    )


def test_initials_and_nicknames_follow_the_key() -> None:
    text = "James Livingston, J. Livingston, Jim, James Tiberius Livingston"
    edits = [
        Edit(e.start, e.end, e.type, "james livingston", e.reason)
        for e in edits_of(text, *(("PERSON", term) for term in text.split(", ")))
        if text[e.start : e.end] in text.split(", ")
    ]
    first, second, third, fourth = (e.replacement or "" for e in Operators(FAKE, {}, KEY).fill(edits, text))
    given_name, surname = first.split()
    assert second == f"{given_name[0]}. {surname}"
    assert third == given_name
    assert fourth.split()[0::2] == [given_name, surname]
    assert fourth.split()[1] != given_name


def test_bare_initials_and_the_plural_follow_the_name() -> None:
    text = "James Livingston, JL, Livingstons"
    keys = ("james livingston", "james livingston", "livingstons")
    spans = [(text.index(term), text.index(term) + len(term)) for term in text.split(", ")]
    edits = [Edit(start, end, "PERSON", key, "") for (start, end), key in zip(spans, keys, strict=True)]
    whole, letters, family = (e.replacement or "" for e in Operators(FAKE, {}, KEY).fill(edits, text))
    given_name, surname = whole.split()
    assert letters == given_name[0] + surname[0]
    assert family == f"{surname}s"


def test_an_id_as_key_says_who_it_is() -> None:
    text = "Ann Lee, Annie Smith"
    edits = [Edit(0, 7, "PERSON", "P-42", "r"), Edit(9, 20, "PERSON", "P-42", "r")]
    first, second = (e.replacement for e in Operators(FAKE, {}, KEY).fill(edits, text))
    assert first == second


@pytest.mark.parametrize(
    ("name", "gender"), [("James", "male"), ("Robert", "male"), ("Mary", "female"), ("Patricia", "female")]
)
def test_gender_is_kept_where_known(name: str, gender: str) -> None:
    listed = names("en_US")
    for surname in ("Aldgate", "Brackwater", "Corrin"):
        fake = one(FAKE, "PERSON", f"{name} {surname}").split()[0]
        assert fake in getattr(listed, gender)


def test_an_unlisted_name_becomes_one_that_goes_with_any_title() -> None:
    fake = one(FAKE, "PERSON", "Mrs Oluwaseun Okafor").split()
    assert fake[0] == "Mrs"
    assert fake[1] in names("en_US").neutral


@pytest.mark.parametrize(
    ("name", "pattern"),
    [
        ("Ludwig van Beethoven", r"\w+ \w+"),
        ("O'Brien", r"[A-Z]\w+"),
        ("Anne-Marie Smith-Jones", r"\w+ \w+"),
        ("Prof. Dr. Lee, PhD", r"Prof\. Dr\. \w+, PhD"),
        ("Mike Judge", r"(?!.*Judge)\w+ \w+"),
        ("Jose\u0301 Lo\u0301pez", r"[A-Za-z]+ [A-Za-z]+"),
        ("Jo\u200bhn Sm\u00adith", r"[A-Za-z]+ [A-Za-z]+"),
        ("李小龙", r"[A-Za-z]+"),
        ("Dr", r"[A-Za-z]+"),
        ("Ann Lee 555-1234", r"\[PERSON_1\]"),
        ("a b c d e f g h i j", r"\[PERSON_1\]"),
        ("...", r"\[PERSON_1\]"),
    ],
)
def test_names_of_all_kinds(name: str, pattern: str) -> None:
    fake = one(FAKE, "PERSON", name)
    assert re.fullmatch(pattern, fake), fake


NAMES = st.text("abcdefgh", min_size=2, max_size=6).map(str.capitalize)
PERSONS = st.tuples(NAMES, NAMES).map(" ".join)
TERMS = st.one_of(
    st.tuples(st.just("PERSON"), PERSONS | NAMES),
    st.tuples(st.just("PHONE_NUMBER"), st.from_regex(r"\A[2-9][0-9]{2}-[2-9][0-9]{2}-[0-9]{4}\Z")),
    st.tuples(st.just("EMAIL_ADDRESS"), NAMES.map(lambda name: f"{name.lower()}@clinic.test")),
    st.tuples(st.just("US_SSN"), st.from_regex(r"\A[0-9]{3}-[0-9]{2}-[0-9]{4}\Z")),
    st.tuples(st.just("LOCATION"), NAMES),
    st.tuples(st.just("DATE_TIME"), st.dates().map(lambda day: day.isoformat())),
)


@given(st.lists(TERMS, min_size=1, max_size=8, unique_by=lambda term: fold_term(term[1])))
@settings(max_examples=60)
def test_fakes_are_consistent_distinct_and_never_an_original(terms: list[tuple[str, str]]) -> None:
    text = " | ".join(term for _, term in terms)
    edits = []
    position = 0
    for type_name, term in terms:
        edits.append(Edit(position, position + len(term), type_name, fold_term(term), "r"))
        position += len(term) + 3
    operators = Operators(FAKE, {}, KEY)
    done = operators.fill(edits, text)
    assert operators.fill(edits, text) == done
    originals = {fold_term(term) for _, term in terms}
    for edit in done:
        assert fold_term(edit.replacement or "") not in originals
    kinds = {(edit.type, edit.replacement) for edit in done}
    assert len(kinds) == len(done)


def test_the_same_fake_in_every_document_and_another_under_another_key() -> None:
    ann = ("PERSON", "Ann Lee")
    first = filled(FAKE, "Ann Lee was here.", ann)
    second = filled(FAKE, "Then Bob Ray met Ann Lee.", ann, ("PERSON", "Bob Ray"))
    assert first.split()[:2] == second.removesuffix(".").split()[-2:]
    assert first != filled(FAKE, "Ann Lee was here.", ann, key=OTHER)


def test_a_fake_that_is_a_name_of_this_document_is_not_used() -> None:
    fake = one(FAKE, "PERSON", "Aldgate")
    text = f"Aldgate and {fake} Ltd and Mary {fake}"
    done = filled(FAKE, text, ("PERSON", "Aldgate"), ("PERSON", f"Mary {fake}"))
    assert fake not in done.split(" and ")[0]
    assert fake not in done.split(" and ")[2]


def test_a_fake_that_is_another_kind_of_original_is_not_used() -> None:
    surname = one(FAKE, "PERSON", "James Aldgate").split()[1]
    done = filled(FAKE, f"James Aldgate of {surname}", ("PERSON", "James Aldgate"), ("ORGANIZATION", surname))
    assert surname not in done
    place = one(FAKE, "LOCATION", "Springfield")
    done = filled(FAKE, f"Springfield, {place}", ("LOCATION", "Springfield"), ("ORGANIZATION", place))
    assert place not in done
    number = one(FAKE, "US_SSN", "123-45-6789")
    done = filled(FAKE, f"123-45-6789, {number}", ("US_SSN", "123-45-6789"), ("MEDICAL_RECORD", number))
    assert number not in done


def test_when_the_lists_run_out_there_are_placeholders() -> None:
    surnames = names("en_US").surnames
    text = "\n".join(["Aldgate", *surnames])
    edits = []
    position = 0
    for name in ["Aldgate", *surnames]:
        edits.append(Edit(position, position + len(name), "PERSON", fold_term(name), "r"))
        position += len(name) + 1
    done = Operators(FAKE, {}, KEY).fill(edits, text)
    assert done[0].replacement == "[PERSON_1]"
    assert not {e.replacement for e in done} & {"Aldgate", *surnames}


def test_many_persons_share_names_rather_than_have_none() -> None:
    words = [f"{a}{b}{c}q" for a in "BCDFGKLMNP" for b in "aeiouxyzvw" for c in "bcdfghjklmnp"]
    text = "\n".join(words)
    done = filled(FAKE, text, *(("PERSON", word) for word in words)).split("\n")
    assert not any(fake.startswith("[") for fake in done)
    assert len(set(done)) > 800


@pytest.mark.parametrize("locale", ["de_DE", "fr_FR", "ru_RU", "pl_PL"])
def test_other_locales(locale: str) -> None:
    terms = (
        ("PERSON", "Ann Lee"),
        ("LOCATION", "Rome"),
        ("ORGANIZATION", "Acme"),
        ("EMAIL_ADDRESS", "a@b.test"),
    )
    text = "Ann Lee / Rome / Acme / a@b.test"
    result = filled(Surrogate(locale), text, *terms)
    if locale != "pl_PL":  # Faker has hardly any plain surnames there
        assert "[" not in result
    assert not any(term in result for _, term in terms)


@pytest.mark.parametrize("wrong", [{"locale": "english"}, {"locale": "../x"}, {"kind": "planet"}])
def test_wrong_options_are_refused(wrong: dict[str, str]) -> None:
    with pytest.raises(PolicyError):
        Surrogate(**wrong)


@pytest.mark.parametrize("type_name", ["PERSON", "LOCATION"])
def test_an_unknown_locale_is_the_policys_mistake(type_name: str) -> None:
    with pytest.raises(PolicyError, match="locale"):
        one(Surrogate("xx_YY"), type_name, "Ann Lee")


def test_a_type_of_ones_own_can_be_said_to_be_a_person() -> None:
    operators = Operators(Surrogate(), {"CLINICIAN": Surrogate(kind="person")}, KEY)
    text = "James Livingston"
    done = apply_edits(text, operators.fill(edits_of(text, ("CLINICIAN", text)), text))
    assert done == one(FAKE, "PERSON", text)


def test_threads_do_not_disturb_each_other() -> None:
    places = [f"Place{letter}" for letter in "abcdefghijkl"]
    alone = [one(FAKE, "LOCATION", place) for place in places]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda place: one(FAKE, "LOCATION", place), places * 10))
    assert together == alone * 10


def test_a_fake_does_not_hold_the_name_it_stands_for() -> None:
    for number in range(300):
        fake = one(Surrogate(), "PERSON", "Anna", key=bytes([number % 256]) * 31 + bytes([number // 256]))
        assert not fake.startswith("[") and "anna" not in fake.lower()


@pytest.mark.parametrize("locale", ["en_US", "de_DE"])
def test_no_fake_name_is_an_ordinary_word(locale: str) -> None:
    """An answer that ends with "Best regards" must not get the surname back for which "Best" stood."""
    listed = names(locale)
    drawn = {*listed.female, *listed.male, *listed.neutral, *listed.surnames}
    assert not [name for name in drawn if is_ordinary(name.lower())]
    assert len(listed.surnames) > 300
