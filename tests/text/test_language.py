"""The language of every stretch of a text."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from efface.text.language import LanguageStretch, languages, uncovered

SENTENCES = {
    "en": "The applicant was represented by a lawyer who practises in the capital.",
    "de": "Der Patient wurde am Montag nach Hause entlassen und soll sich bald wieder vorstellen.",
    "fr": "Le patient a quitté l'hôpital lundi et doit revenir dans six semaines.",
    "es": "El paciente salió del hospital el lunes y debe volver dentro de seis semanas.",
    "it": "Il paziente ha lasciato l'ospedale lunedì e deve tornare tra sei settimane.",
    "nl": "De patiënt heeft maandag het ziekenhuis verlaten en moet over zes weken terugkomen.",
    "pt": "O paciente deixou o hospital na segunda-feira e deve voltar dentro de seis semanas.",
    "da": "Patienten forlod hospitalet i mandags og skal komme igen om seks uger.",
    "sv": "Patienten lämnade sjukhuset i måndags och ska komma tillbaka om sex veckor.",
    "fi": "Potilas lähti sairaalasta maanantaina ja hänen pitää palata kuuden viikon kuluttua.",
    "tr": "Hasta pazartesi günü hastaneden ayrıldı ve altı hafta sonra geri gelmesi gerekiyor.",
    "pl": "Pacjent opuścił szpital w poniedziałek i powinien wrócić za sześć tygodni.",
    "cs": "Pacient opustil nemocnici v pondělí a má se vrátit za šest týdnů.",
    "hu": "A beteg hétfőn távozott a kórházból, és hat hét múlva vissza kell térnie.",
    "ro": "Pacientul a părăsit spitalul luni și trebuie să se întoarcă peste șase săptămâni.",
    "ru": "Пациент покинул больницу в понедельник и должен вернуться через шесть недель.",
    "uk": "Пацієнт залишив лікарню в понеділок і має повернутися через шість тижнів.",
    "zh": "病人星期一出院，六周后应再来。",
    "ja": "患者は月曜日に退院し、六週間後に再び来院する。",
    "ar": "غادر المريض المستشفى يوم الاثنين وعليه العودة بعد ستة أسابيع.",
    "el": "Ο ασθενής έφυγε από το νοσοκομείο τη Δευτέρα.",
    "ko": "환자는 월요일에 퇴원했다.",
}


@pytest.mark.parametrize("code", SENTENCES)
def test_a_sentence_says_its_language(code: str) -> None:
    assert languages(SENTENCES[code]) == [LanguageStretch(0, len(SENTENCES[code]), code)]


def test_a_document_of_two_languages_has_two_stretches() -> None:
    first, second = SENTENCES["de"] + "\n\n", SENTENCES["fr"]
    told = languages(first + second)
    assert [one.language for one in told] == ["de", "fr"]
    assert len(first) - 1 <= told[1].start <= len(first)  # the empty line may belong to either


@pytest.mark.parametrize("line", ["Maria Rossi, Roma", "Name\tGarcia\t12.50", "PATIENT: JEAN DUPONT", "4711"])
@pytest.mark.parametrize("code", ["en", "de", "nl"])
def test_a_line_of_names_takes_the_language_around_it(line: str, code: str) -> None:
    text = f"{SENTENCES[code]}\n{line}\n{SENTENCES[code]}"
    assert [one.language for one in languages(text)] == [code]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("Det ble hans bane.", "no"),
        ("Han vil helst forbli anonym.", "no"),
        ("Porvoosta tulee Helsingin lähiö.", "fi"),
        ("Mevrouw Bakker belde gisteren.", "nl"),
        ("Il signor Rossi arriva domani.", "it"),
        ("I like this guy.", "en"),
        ("Call me when ready", "en"),
        ("Maria Rossi", "en"),
    ],
)
def test_a_short_sentence_by_itself_says_its_language(line: str, code: str) -> None:
    assert [one.language for one in languages(line)] == [code]


SHORT_ENGLISH = [
    "Seen: steel, drug.",
    "walter munro, cat",
    "dorothy weber",
    "Ward round",
    "Grade boundaries",
    "rent due",
    "saliva sample, cat",
    "bank, loan, steel",
    "virus and fever",
    "Total price",
    "item, unit price",
    "Next steps",
    "to-do: invoice rest",
    "name, town, grade",
    "cc: martin, legal team",
    "Re: minutes",
    "salary band",
    "Dr Patel, paediatrics",
    "pain in left knee",
    "Signed in person",
    "PERSONNEL FILE",
    "Curriculum vitae",
    "Rose, Mark and Grant",
    "lena whitcombe, finance",
]
SHORT_FOREIGN = [
    "Der Brief kam gestern.",
    "Sehr geehrte Frau Weber",
    "Mit freundlichen Grüßen",
    "Merci de votre lettre.",
    "Je vous remercie.",
    "La carta llegó ayer.",
    "Un saludo cordial",
    "Cari saluti da Roma",
    "La lettera è arrivata.",
    "Wysłano pismo wczoraj.",
    "Z poważaniem, Jan",
    "Kirje tuli eilen.",
    "Parhain terveisin ja kiitos",
    "Dopis přišel včera.",
    "Brevet kom i går.",
    "De brief kwam gisteren.",
    "Mektup dün geldi.",
]


@pytest.mark.parametrize("line", SHORT_ENGLISH)
def test_a_very_short_english_line_is_english(line: str) -> None:
    assert [one.language for one in languages(line)] == ["en"]


@pytest.mark.parametrize("line", SHORT_ENGLISH)
@pytest.mark.parametrize("code", ["de", "fr"])
def test_a_very_short_line_takes_the_language_around_it(line: str, code: str) -> None:
    told = languages(f"{SENTENCES[code]}\n{line}\n{SENTENCES[code]}")
    assert {one.language for one in told} <= {code, "en"}


@pytest.mark.parametrize("line", SHORT_FOREIGN)
def test_a_very_short_line_of_another_language_is_not_english(line: str) -> None:
    assert "en" not in {one.language for one in languages(line)}


def test_a_name_in_another_script_is_a_stretch_of_its_own() -> None:
    text = "The letter was signed by 王小明 and that was all."
    assert [text[one.start : one.end].strip() for one in uncovered(text, {"en"})] == ["王小明"]


def test_a_greek_letter_in_a_formula_is_no_greek() -> None:
    assert uncovered("The β blocker and 5 µg of that were given with the food.", {"en"}) == []


def test_a_single_kana_is_a_sign_and_a_single_chinese_letter_may_be_a_name() -> None:
    assert [one.language for one in languages("Instagram\nく\nHelp Centre\n")] == ["en"]
    assert "zh" in {one.language for one in languages("Then Mr 王 came in.\n")}
    assert {one.language for one in languages("これは日本の手紙です\n")} == {"ja"}


def test_numbers_have_no_language() -> None:
    assert uncovered("4711, 12.50; 2026-11-16", set()) == []


def test_only_known_languages_are_considered_when_they_are_named() -> None:
    assert [one.language for one in languages(SENTENCES["ro"], ("it", "pl"))] == ["it"]
    assert [one.language for one in languages(SENTENCES["zh"], ("en", "it"))] == ["zh"]


def test_an_empty_text_has_no_stretches() -> None:
    assert languages("") == []


@given(st.text(alphabet=st.sampled_from("aé Яж中あل\nα1.ß"), max_size=60))
def test_stretches_cover_the_text_without_a_gap(text: str) -> None:
    told = languages(text)
    assert "".join(text[one.start : one.end] for one in told) == text
    assert all(one.language != other.language for one, other in pairwise(told))
