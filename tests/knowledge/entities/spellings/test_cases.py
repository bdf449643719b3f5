"""Names and places in the cases of Polish, Czech and Finnish, in sentences of these languages and of English."""

from __future__ import annotations

import pytest

from efface.finders.entities import EntityFinder
from efface.knowledge.entities.sources import ColumnRoles
from efface.knowledge.entities.store import build, open_index

ROWS = [
    {"id": 1, "name": "Anna Kowalska", "city": "Warszawa"},
    {"id": 2, "name": "Jan Nowak", "city": "Kraków"},
    {"id": 3, "name": "Marek Wiśniewski", "city": "Gdańsk"},
    {"id": 4, "name": "Petr Novák", "city": "Praha"},
    {"id": 5, "name": "Jana Nováková", "city": "Brno"},
    {"id": 6, "name": "Karel Černý", "city": "Plzeň"},
    {"id": 7, "name": "Matti Virtanen", "city": "Helsinki"},
    {"id": 8, "name": "Pekka Korhonen", "city": "Tampere"},
    {"id": 9, "name": "Robert Hill", "city": "Paul"},
]
POLISH = "Wczoraj w szpitalu lekarz rozmawiał długo {} i nie było już żadnych wątpliwości."
CZECH = "Včera v nemocnici lékař dlouho mluvil {} a už nebyly žádné pochybnosti o tom."
FINNISH = "Eilen sairaalassa lääkäri puhui pitkään {} ja kaikki oli jo tämän jälkeen selvää."
ENGLISH = "The doctor said that she had been with {} at the café and that they were not ill."
WAYS = [
    (POLISH, "o Annie Kowalskiej", "anna kowalska"),
    (POLISH, "z Anną Kowalską", "anna kowalska"),
    (POLISH, "o zdrowiu Anny Kowalskiej", "anna kowalska"),
    (POLISH, "z Janem Nowakiem", "jan nowak"),
    (POLISH, "o sprawie Jana Nowaka", "jan nowak"),
    (POLISH, "i pomógł Janowi Nowakowi", "jan nowak"),
    (POLISH, "z Markiem Wiśniewskim", "marek wisniewski"),
    (POLISH, "o synu Marka Wiśniewskiego", "marek wisniewski"),
    (POLISH, "z panem Nowakiem", "jan nowak"),
    (POLISH, "a pan Nowak czekał", "jan nowak"),
    (POLISH, "i z panią Kowalską", "anna kowalska"),
    (POLISH, "o pobycie w Warszawie", "warszawa"),
    (POLISH, "o pobycie w Krakowie", "krakow"),
    (POLISH, "o drodze do Gdańska", "gdansk"),
    (CZECH, "s Petrem Novákem", "petr novak"),
    (CZECH, "o zdraví Petra Nováka", "petr novak"),
    (CZECH, "a pomohl Petru Novákovi", "petr novak"),
    (CZECH, "s Janou Novákovou", "jana novakova"),
    (CZECH, "o zdraví Jany Novákové", "jana novakova"),
    (CZECH, "o zdraví Karla Černého", "karel cerny"),
    (CZECH, "o cestě do Prahy", "praha"),
    (CZECH, "o pobytu v Praze", "praha"),
    (CZECH, "o pobytu v Brně", "brno"),
    (FINNISH, "Matti Virtasen kanssa", "matti virtanen"),
    (FINNISH, "ja antoi Matti Virtaselle lääkettä", "matti virtanen"),
    (FINNISH, "Matin Virtasen kanssa", "matti virtanen"),
    (FINNISH, "ja tapasi Pekka Korhosta", "pekka korhonen"),
    (FINNISH, "matkasta Helsinkiin", "helsinki"),
    (FINNISH, "työstä Helsingissä", "helsinki"),
    (FINNISH, "työstä Tampereella", "tampere"),
]  # fmt: skip
NOT = [
    (ENGLISH, "Roberta Hill", "robert hill"),
    (ENGLISH, "Paula", "paul"),
    (ENGLISH, "Annie Kowalska", "anna kowalska"),
    (ENGLISH, "Pan Nowak", "jan nowak"),
    (POLISH, "o Hannie Kowalskiej", "anna kowalska"),
    (POLISH, "z Janem Nowickim", "jan nowak"),
    (CZECH, "s Petrem Nováčkem", "petr novak"),
]


@pytest.fixture(scope="module")
def finder(tmp_path_factory: pytest.TempPathFactory) -> EntityFinder:
    path = tmp_path_factory.mktemp("index") / "people.index"
    roles = ColumnRoles(("id",), ("name", "city"))
    build((roles.entity(row) for row in ROWS), path)
    return EntityFinder(open_index(path), "people")


@pytest.mark.parametrize(("sentence", "written", "meant"), WAYS)
def test_a_case_of_a_value_is_found(sentence: str, written: str, meant: str, finder: EntityFinder) -> None:
    assert meant in {mention.key for mention in finder.find(sentence.format(written))}


@pytest.mark.parametrize(("sentence", "written", "meant"), NOT)
def test_another_name_is_not(sentence: str, written: str, meant: str, finder: EntityFinder) -> None:
    assert meant not in {mention.key for mention in finder.find(sentence.format(written))}
