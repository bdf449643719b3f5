"""Values in texts of other scripts: dates, amounts, names in other cases, and numbers beside letters without a space."""

from __future__ import annotations

from datetime import timedelta

import pytest

from efface.finders.entities import EntityFinder
from efface.knowledge.entities.sources import ColumnRoles
from efface.knowledge.entities.spellings.values import spellings
from efface.knowledge.entities.store import build, open_index
from efface.text.folding import fold_term

ROLES = ColumnRoles(
    ("id",), ("name", "city", "born", "salary", "budget", "phone", "office", "address", "stay", "leave")
)
ROWS = [
    {"id": 1, "name": "Анна Иванова", "city": "Владивосток", "born": "1990-07-04", "phone": "+7 495 123-45-67"},
    {"id": 2, "name": "Андрей Достоевский", "city": "Казань", "phone": "+91 80 4408 8779", "office": "+49 30 901820"},
    {"id": 3, "name": "山田 太郎", "city": "横浜市", "born": "1969-01-31", "salary": "480000", "budget": "120000000"},
    {"id": 4, "name": "محمد العلي", "city": "الرياض", "born": "1988-08-08", "salary": "99000", "budget": "5200000"},
    {"id": 5, "name": "Игорь Толстой", "city": "Москва", "address": "2001:db8::1", "phone": "+33 1 23 45 67 89"},
    {"id": 6, "name": "דוד לוי", "city": "ירושלים"},
    {"id": 7, "name": "Νίκος Παπαδόπουλος", "city": "Αθήνα"},
]  # fmt: skip
WAYS = [
    # dates
    ("4 июля 1990", "1990-07-04"),
    ("4 июля 1990 г.", "1990-07-04"),
    ("4 липня 1990", "1990-07-04"),
    ("4 Ιουλίου 1990", "1990-07-04"),
    ("4 iulie 1990", "1990-07-04"),
    ("1990. július 4.", "1990-07-04"),
    ("4. srpnja 1990.", "1990-07-04"),
    ("8 Agustus 1988", "1988-08-08"),
    ("٨ أغسطس ١٩٨٨", "1988-08-08"),
    ("8 באוגוסט 1988", "1988-08-08"),
    ("8 अगस्त 1988", "1988-08-08"),
    ("ngày 8 tháng 8 năm 1988", "1988-08-08"),
    ("1988년 8월 8일", "1988-08-08"),
    ("1988년 8월 8일생", "1988-08-08"),
    ("生年月日は1969年1月31日です", "1969-01-31"),
    ("1969年1月31日生まれ", "1969-01-31"),
    ("昭和44年1月31日", "1969-01-31"),
    # amounts
    ("給料は480,000円です", "480000"),
    ("480,000円", "480000"),
    ("48万円", "480000"),
    ("1.2億円", "120000000"),
    ("99 тыс. руб.", "99000"),
    ("5,2 млн ₽", "5200000"),
    ("480 000 рублей", "480000"),
    ("99 ألف", "99000"),
    # names and places in other cases, or with a word before them that is one letter
    ("Ивановой Анне", "Анна Иванова"),
    ("Анну Иванову", "Анна Иванова"),
    ("Анны Ивановой", "Анна Иванова"),
    ("Андрея Достоевского", "Андрей Достоевский"),
    ("Андрею Достоевскому", "Андрей Достоевский"),
    ("Игоря Толстого", "Игорь Толстой"),
    ("Игорем Толстым", "Игорь Толстой"),
    ("во Владивостоке", "Владивосток"),
    ("из Владивостока", "Владивосток"),
    ("в Казани", "Казань"),
    ("под Москвой", "Москва"),
    ("بالرياض", "الرياض"),
    ("والرياض", "الرياض"),
    ("للرياض", "الرياض"),
    ("لمحمد العلي", "محمد العلي"),
    ("בירושלים", "ירושלים"),
    ("του Νίκου Παπαδόπουλου", "Νίκος Παπαδόπουλος"),
    ("Νίκο Παπαδόπουλο", "Νίκος Παπαδόπουλος"),
    ("της Αθήνας", "Αθήνα"),
    # a family name behind a title
    ("доктор Иванова", "Анна Иванова"),
    ("доктору Ивановой", "Анна Иванова"),
    ("г-жа Иванова", "Анна Иванова"),
    ("г-ну Достоевскому, профессору Достоевскому", "Андрей Достоевский"),
    ("السيد العلي", "محمد العلي"),
    ("د. العلي", "محمد العلي"),
    ("ο κύριος Παπαδόπουλος", "Νίκος Παπαδόπουλος"),
    ("του κυρίου Παπαδόπουλου", "Νίκος Παπαδόπουλος"),
    ("מר לוי", "דוד לוי"),
    # numbers and addresses
    ("8 495 123-45-67", "84951234567"),
    ("8 (495) 123-45-67", "84951234567"),
    ("080 4408 8779", "08044088779"),
    ("030 901820", "030901820"),
    ("030/901820", "030901820"),
    ("01 23 45 67 89", "0123456789"),
    ("01.23.45.67.89", "0123456789"),
    ("+33123456789", "+33 1 23 45 67 89"),
    ("+33 1.23.45.67.89", "+33 1 23 45 67 89"),
    ("2001:0db8:0000:0000:0000:0000:0000:0001", "2001:db8::1"),
    ("2001:DB8:0:0::1", "2001:db8::1"),
]
NOT = [
    ("4 июня 1990", "1990-07-04"),
    ("4 июля 1991", "1990-07-04"),
    ("昭和45年1月31日", "1969-01-31"),
    ("480,0001円", "480000"),
    ("1480,000円", "480000"),
    ("47万円", "480000"),
    ("99 млн руб.", "99000"),
    ("Иваном", "Анна Иванова"),
    ("Казак", "Казань"),
    ("Владивостокский", "Владивосток"),
    ("Иванова пришла", "Анна Иванова"),
    ("доктор Иванова-Белая", "Анна Иванова"),
    ("Αθηναίος", "Αθήνα"),
    ("030 901821", "030901820"),
    ("2001:db8::11", "2001:db8::1"),
    ("20:01:08", "2001:db8::1"),
]


@pytest.fixture(scope="module")
def finder(tmp_path_factory: pytest.TempPathFactory) -> EntityFinder:
    path = tmp_path_factory.mktemp("index") / "people.index"
    build([ROLES.entity(row) for row in ROWS], path)
    return EntityFinder(open_index(path), "people")


@pytest.mark.parametrize(("written", "value"), WAYS)
def test_what_is_read_as_the_value_is_found(finder: EntityFinder, written: str, value: str) -> None:
    assert fold_term(value) in {mention.key for mention in finder.find(f"x {written} x")}


@pytest.mark.parametrize(("written", "value"), NOT)
def test_what_is_another_value_is_not_found(finder: EntityFinder, written: str, value: str) -> None:
    assert fold_term(value) not in {mention.key for mention in finder.find(f"x {written} x")}


@pytest.mark.parametrize(
    ("span", "written"),
    [
        (timedelta(minutes=90), "1.5 hours"),
        (timedelta(minutes=90), "an hour and a half"),
        (timedelta(minutes=90), "ninety minutes"),
        (timedelta(minutes=30), "half an hour"),
        (timedelta(days=3), "three days"),
        (timedelta(days=730), "two years"),
        (timedelta(hours=36), "1.5 days"),
    ],
)
def test_a_span_of_time_in_words(span: timedelta, written: str) -> None:
    assert written in set(spellings(span))
