"""Numbers behind words of other languages and scripts, and the forms that other countries write."""

from __future__ import annotations

import re

import pytest

from efface.finders.patterns.finder import PatternFinder

FINDER = PatternFinder()
TOLD = """
паспорт 4509 123456
Паспорт: 45 09 № 123456
загранпаспорт 71 1234567
ИНН 7707083893
СНИЛС 112-233-445 95
телефон 8 912 345 67 89
тел. 34-56-78
МОБ. 0501234567
дата рождения 12.03.1980
12 марта 1980
адрес: ул. Ленина, д. 5, кв. 12
Проспект Мира 17
счёт 40817810099910004312
τηλέφωνο 2610 123456
ΤΗΛ. 210 1234567
κινητό 6944 123456
διαβατήριο AE1234567
3 Μαΐου 1971
جواز سفر A12345678
رقم الهوية 1023456789
الجوال ٠٥٠١٢٣٤٥٦٧
电话 13800138000
手机号码 13800138000
护照号码 E12345678
1980年3月12日
昭和45年3月12日
旅券番号 TK1234567
주민등록번호 800312-1234567
여권번호 M12345678
1980년 3월 12일
דרכון 12345678
dowód osobisty ABS123456
paszport EB1234567
NIP 526-00-01-246
číslo pasu 40123456
útlevél BA1234567
numéro de passeport 12AB34567
pasaporte AAA123456
passnummer 12345678
passinumero FP1234567
N° allocataire CAF 2814057
número de utente 284 517 903
09721 / 44 81 930
Tel. 0 61 51 / 1 23 45 - 67
Telefon 04 21 / 55 66 77
0421 - 55 66 770
unter 0 22 41 / 55 81 - 20 zu erreichen
Kassenzeichen 2025.1234.5678.9
Aktenzeichen 12 C 345/26
7 Sa 81/25
Handelsregister HRB 12345
KvK 12345678
kjennemerke EK 12345
rekisterinumero ABC-123
plaka 34 ABC 123
konto 8327-9 123 456 789-0
compte 30003 03080 00050123456 78
agência 1234 conta 12345-6
PIS 120.12345.67-8
número de expediente 2026/004512
expediente 4512/2026
dossiernummer 2026-8812
DNI 12.345.678
""".strip().splitlines()
ORDINARY = """
auf dem Konto sind 500 000 Euro
le compte est de 1 251 300 000 euros
le solde est de 250 000 000 euros
CHF 250 000 000 bewilligt
la ville compte 12 500 habitants
zwei mal 1/20 Liter
Kapitel 12 / 13 und 14
Seiten 012 / 2345
Größe 52 - 54, Farbe 0421
hun kom 1200 meter
Saldo da conta: 12.500,00
cot 123456
12 km, 345/26 mm
Baujahr 1980 / 1981
""".strip().splitlines()


def _digits(text: str) -> str:
    return re.sub(r"\D", "", text)


@pytest.mark.parametrize("line", TOLD)
def test_a_number_that_its_word_or_its_form_tells_is_found_whole(line: str) -> None:
    found = "".join(
        char for at, char in enumerate(line) if any(m.start <= at < m.end for m in FINDER.find(line))
    )
    assert _digits(found) == _digits(line)


@pytest.mark.parametrize("line", ORDINARY)
def test_amounts_and_sizes_are_none(line: str) -> None:
    assert [line[mention.start : mention.end] for mention in FINDER.find(line)] == []


def test_the_label_of_a_column_may_be_in_another_script() -> None:
    table = "Товар,Телефон\nстол,912345678\nстул,923456789\n"
    assert {table[m.start : m.end] for m in FINDER.find(table)} == {"912345678", "923456789"}
