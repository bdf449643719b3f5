"""A label that asks for a name makes a name of what stands in its field, however ordinary the word is."""

from __future__ import annotations

import pytest

from efface.finders.fields.field_labels import names_person
from efface.finders.fields.labelled_fields import LabelledFields
from efface.finders.patterns.finder import PatternFinder
from efface.text.tables.find import tables
from tests.growth import assert_linear


def found(text: str) -> list[str]:
    return [text[mention.start : mention.end] for mention in LabelledFields().find(text)]


@pytest.mark.parametrize(
    "label",
    [
        "Surname",
        "LAST NAME",
        "last_name",
        "patientLastName",
        "First name(s)",
        "Patient name",
        "Name of witness",
        "Next of kin",
        "NOK",
        "Nachname",
        "prénom",
        "Förnamn",
    ],
)
def test_labels_that_ask_for_a_name(label: str) -> None:
    assert found(f"{label}: King\nDose: Low\n") == ["King"]


@pytest.mark.parametrize(
    "label", ["Name length", "Surname code", "Brand name", "File name", "Ward", "last name verified"]
)
def test_labels_that_do_not(label: str) -> None:
    assert not names_person(label)
    assert found(f"{label}: King\n") == []


def test_every_row_of_a_column_is_a_name() -> None:
    text = "MRN\tSurname\tWard\n1\tKing\tOak\n2\tPower\tOak\n\n3\tlong\tElm\n"
    assert found(text) == ["King", "Power", "long"]


def test_an_empty_cell_moves_no_column() -> None:
    assert found("MRN\tSurname\tWard\n1\t\tOak\n2\tKing\t\n") == ["King"]


def test_a_name_is_a_persons_beside_the_label_of_a_person() -> None:
    assert found("Name\tDOB\tBed\nKing\t1.2.1970\t4\n") == ["King"]
    assert found("Name\tDose\tRoute\nAspirin\t75 mg\toral\n") == []
    assert found("Name: King\nDOB: 1.2.1970\n") == ["King"]
    assert found("Name: Aspirin\nDose: 75 mg\n") == []


def test_tables_of_markdown() -> None:
    assert found("| Bed | Surname |\n|---|---|\n| 1 | King |\n| 2 | **Power** |\n") == ["King", "Power"]


def test_what_a_mask_left_is_no_name() -> None:
    assert found("Surname\tForename\nKi**\tS**\n") == []


def test_fields_in_one_line_and_in_cells() -> None:
    assert found("Surname: King  Forename: Sue  DOB: 1.2.1970\n") == ["King", "Sue"]
    assert found("Surname\tKing\tForename\tSue\n") == ["King", "Sue"]
    assert found("Surname      King\n") == ["King"]
    assert found("Surname:\nKing\n") == ["King"]


def test_a_form_in_two_columns_and_a_table_of_two_columns() -> None:
    assert found("Surname\tKing\nBed\tLeft\n") == ["King"]
    assert found("Surname\tAllergen\nKing\tNuts\nPower\tMilk\n") == ["King", "Power"]


def test_keys_of_json() -> None:
    text = '{"surname": "King", "name": {"family": "Power", "given": ["May", "Hope"], "use": "Official"}}'
    assert found(text) == ["King", "Power", "May", "Hope"]


def test_what_is_no_name() -> None:
    assert found("Surname: unknown\nForename: n/a\nNext of kin: daughter\nMaiden name: 1234\n") == []
    assert found("Surname\tForename\tDOB\tWard\n") == []
    assert found("Last name: please write your last name in capital letters here\n") == []


def test_a_remark_is_no_part_of_the_name() -> None:
    assert found("Next of kin: May Power (wife)\n") == ["May Power"]


def test_prose_about_names_is_no_field() -> None:
    assert found("His surname was changed. The family moved, and given names stay; a known as list.") == []


def test_labels_are_looked_for_in_lines_that_have_a_mark() -> None:
    lines = [
        "Surname of nobody",
        "Surname: King",
        "no name",
        "",
        "Forename   Sue",
        'x "surname":',
        '"Power"',
        "Town\tHove",
    ]
    for ending in ("\n", "\r\n"):
        assert found(ending.join(lines)) == ["King", "Sue", "Power", "Hove"]


def test_a_table_ends() -> None:
    lines = "\n" * 12
    assert [table.labels for table in tables(f"MRN\tSurname\n1\tKing\n{lines}a\tb\n", names_person)] == [
        ("MRN", "Surname")
    ]
    assert found(f"MRN\tSurname\n1\tKing\n{lines}Price\tLow\n") == ["King"]


@pytest.mark.parametrize(
    ("label", "type_"), [("MRN", "MEDICAL_RECORD"), ("Hospital No", "ID_NUMBER"), ("client_id", "ID_NUMBER")]
)
def test_a_number_is_known_by_the_label_of_its_column(label: str, type_: str) -> None:
    rows = "".join(f"{4000157 + row * 37}\tNotes of a visit that fill the line\tOak\n" for row in range(30))
    text = f"{label}\tNotes\tWard\n{rows}"
    mentions = [mention for mention in PatternFinder().find(text) if mention.type == type_]
    assert {text[mention.start : mention.end] for mention in mentions} == {
        str(4000157 + row * 37) for row in range(30)
    }


def test_a_column_of_amounts_is_no_number_of_anybody() -> None:
    rows = "".join(f"{4000157 + row * 37}\tOak\n" for row in range(30))
    assert not list(PatternFinder().find(f"Turnover\tWard\n{rows}"))


def test_towns_and_employers() -> None:
    text = "Town: Reading   Employer: Target\nMother tongue: French\nSurname: King\n"
    mentions = [(mention.type, text[mention.start : mention.end]) for mention in LabelledFields().find(text)]
    assert mentions == [("LOCATION", "Reading"), ("ORGANIZATION", "Target"), ("PERSON", "King")]
    people = LabelledFields(frozenset({"PERSON"})).find(text)
    assert [text[mention.start : mention.end] for mention in people] == ["King"]
    assert found("MRN\tTown\n1\tReading\n2\tBath\n") == ["Reading", "Bath"]


@pytest.mark.parametrize("label", ["Patient", "Consultant", "Line manager", "Staff member", "GP", "Seen by"])
def test_a_column_that_is_called_after_a_role_holds_names(label: str) -> None:
    assert found(f"{label}\tDate of birth\tOutcome\nField\t3/4/61\tDischarge\nWill Small\t1/1/50\tDNA\n") == [
        "Field",
        "Will Small",
    ]
    assert found(f"{label}\tDate\tStatus\nstable\t3/4/61\tHome\n4711\t1/1/50\tHome\n") == []


def test_a_role_before_a_colon_may_be_who_speaks() -> None:
    assert found("Doctor: Hello there.\nPatient: Yes.\n") == []


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Pupil: Summer Day  Form: 9K", ["Summer Day"]),
        ("**Pupil:** Summer Day\n", ["Summer Day"]),
        ("Client: Acme Holdings\n", []),
        ("Client: Rose Day\n", ["Rose Day"]),
        ("Doctor: Other Things\n", []),
    ],
)
def test_a_full_name_behind_a_role(text: str, names: list[str]) -> None:
    assert found(text) == names


def test_a_role_in_a_form_of_two_columns() -> None:
    assert found("Consultant\tField\nAllergies\tPenicillin\n") == ["Field"]


def test_roles_and_halves_of_names_as_keys() -> None:
    assert found('{"user": {"first": "Grace", "last": "Price"}, "plan": "Basic"}') == ["Grace", "Price"]
    assert found('{"customer": "Dawn Rivers", "product": "Blue Lamp"}') == ["Dawn Rivers"]
    assert found('{"first": "Monday"}') == []
    assert found("First\tLast\tPhone\nGrace\tPrice\t12\n") == ["Grace", "Price"]


def test_the_given_names_of_a_list_belong_to_one_person() -> None:
    text = '[{"family": "Hope", "given": ["Joy", "May"]}, {"family": "Day", "given": ["Art"]}]'
    assert [mention.key for mention in LabelledFields().find(text)] == [
        "hope",
        "joy hope",
        "may hope",
        "art day",
        "art day",
    ]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Patientennummer\tNachname\tVorname\tGeb.-Datum\tStraße\tPLZ\tOrt\tKasse\n1\tKönig\tRosa\t1.1.80\tAm Markt 3\t80331\tHof\tTK\n", ["König", "Rosa", "Am Markt 3", "80331", "Hof"]),
        ("N° dossier\tNom\tDate de naissance\tAdresse\n4\tPetit\t4/3/61\t12 rue des Lilas\n", ["Petit", "12 rue des Lilas"]),
        ("Nombre\tApellidos\tFecha de nacimiento\tDirección\nRosa\tGuerra Campos\t4/3/61\tCalle Mayor 4\n", ["Rosa", "Guerra Campos", "Calle Mayor 4"]),
        ("Sócio | Cidade | Telefone | Quota\nRosa Leal | Beja | 249 445 566 | 20\n", ["Rosa Leal", "Beja"]),
        ("Alumno | Tutor | Ciudad | Nota\nLuz Paz | J. Reina | Toro | 8,2\n", ["Luz Paz", "J. Reina", "Toro"]),
        ("Socio | Città | Quota\nBruno Leone | Como | 50\n", ["Bruno Leone", "Como"]),
        ("Naturalidade: Juiz de Fora\nEmpregador: Padaria Estrela\n", ["Juiz de Fora", "Padaria Estrela"]),
        ("Födelseort: Berg\nArbetsgivare: Eks Åkeri AB\nAnhörig: Stig Ek (far)\n", ["Berg", "Eks Åkeri AB", "Stig Ek"]),
        ("Työnantaja: Rakennus Oy Laine\nLähiomainen: Sisko Mäki\n", ["Rakennus Oy Laine", "Sisko Mäki"]),
        ("Adı: Savaş\nSoyadı: Çelik\nDoğum yeri: Trabzon\n", ["Savaş", "Çelik", "Trabzon"]),
        ("Fecha de nacimiento: Lunes Santo\nLugar de nacimiento: Toro\n", ["Toro"]),
    ],
)  # fmt: skip
def test_lists_in_other_languages(text: str, names: list[str]) -> None:
    assert found(text) == names


def test_an_address_goes_whole() -> None:
    assert found("MRN\tAddress\n1\tThe Cottage, 4 Oak Rd, Ash\n2\tunknown\n") == [
        "The Cottage, 4 Oak Rd, Ash"
    ]
    assert found("MRN\tIP address\tEmail address\n1\tHost A 4\tNone given\n") == []


@pytest.mark.parametrize("cell", ["Surname\tKing\t", "Surname: King | ", "<surname>King</surname>"])
def test_a_text_of_one_line_takes_time_by_its_length(cell: str) -> None:
    def work(text: str) -> None:
        assert len(found(text)) == text.count("King")

    assert_linear(work, cell, 2400 * len(cell))


def test_fields_of_hl7_messages() -> None:
    text = (
        "MSH|^~\\&|ADT1|GH|LAB|GH|202401181126||ADT^A01|M1|P|2.3\r"
        "PID|1||P1^5^M11||PRICE^AMANDA^K~BISHOP^AMANDA||19610403|F||C|12 HILL RD^^LEEDS^^LS1^^H||0113\r"
        "PV1|1|I|2000^2012^01||||004777^FIELD^GRANT^J\r"
    )
    assert found(text) == [
        *"PRICE AMANDA K BISHOP AMANDA FIELD GRANT J".split(),
        "12 HILL RD",
        "LEEDS",
        "LS1",
        "GH",
        "GH",
        "202401181126",
        "19610403",
        "M1",
        "P1",
        "004777",
    ]
    assert found("PID|1||P1||PRICE^AMANDA\n") == []


def test_a_number_is_known_by_a_german_label() -> None:
    text = "Patientennummer\tNachname\tOrt\n10024\tWolf\tHof\n"
    assert "10024" in [text[mention.start : mention.end] for mention in PatternFinder().find(text)]


def test_a_small_letter_in_a_cell_is_a_mark() -> None:
    assert found("First\tLast\tNote\nGrace\tPrice\t\nx\ty\tleft\n") == ["Grace", "Price"]


def test_a_role_beside_a_role_is_a_heading() -> None:
    assert "Seen by" not in found("Patient\tSeen by\n")
    assert "Seen by" not in found("Patient\tPRICE, M.\nSeen by\tDr. Field\n")


def test_a_column_about_addresses_holds_none() -> None:
    assert found("MRN\tAddress type\n1\tHome\n") == []


def test_a_surname_that_is_a_label_elsewhere() -> None:
    rows = "Surname\tForename\tStatus\nJudge\tRoss\tstable\nWard\tGrace\tstable\nBond\tTest\tok\n"
    assert found(rows) == ["Judge", "Ross", "Ward", "Grace", "Bond", "Test"]


def test_postcodes_in_a_list_of_addresses() -> None:
    italian = "Cognome\tIndirizzo\tCAP\tComune\nRossi\tVia Garibaldi 12\t20121\tMilano\n"
    assert found(italian) == ["Rossi", "Via Garibaldi 12", "20121", "Milano"]
    assert found("Product\tCap\tPrice\nBottle\t20121\t3\n") == []


def test_initials_and_lines_of_an_address() -> None:
    data = '{"initials": "R.K.", "line1": "9 Cutler\'s Yard", "line2": "off High St", "town": "Thame"}'
    assert sorted(found(data)) == ["9 Cutler's Yard", "R.K.", "Thame", "off High St"]
    table = "initials\tline1\tline_2\tcounty\nMP\tThe Old Forge\tUpper End\tKent\n"
    assert found(table) == ["MP", "The Old Forge", "Upper End"]


def test_a_line_of_something_else_is_no_address() -> None:
    assert found('{"line1": "Hello World", "line2": "Press Start"}') == []
    assert found("line1\tline2\nHello World\tPress Start\n") == []


@pytest.mark.parametrize("label", ["Address", "Home address", "Address line 1", "**Address**", "Street"])
def test_an_address_in_a_line_of_a_form(label: str) -> None:
    assert found(f"{label}: The Old Forge, Upper End\nDose: Low\n") == ["The Old Forge, Upper End"]


def test_what_is_no_address_in_a_line() -> None:
    assert found("Address: n/a\nAddress: tbc\nEmail address: Ann at home\nAddress: 10.0.0.1\n") == []
    sentence = "Please write to us at the office in the High Street and tell us what you would like to have"
    assert found(f"Address: {sentence}\n") == []


def test_other_names_of_people_by_their_labels() -> None:
    assert found('{"display_name": "Olive Branch", "email": "x"}') == ["Olive Branch"]
    assert found('{"display_name": "Save Button", "width": "4"}') == []
    assert found('{"alias": "Sparky", "dob": "x"}') == ["Sparky"]
    assert found('{"alias": "Prod", "host": "x"}') == []
    assert found("Nickname: Sparky\nInitials: A.S.\nDOB: x\n") == ["Sparky", "A.S."]
    assert found("Flag\nSeal\nNickname: Cowtown\n") == []
    assert found('{"reviewed_by": "Grant Field", "requester": "Olive Branch"}') == [
        "Grant Field",
        "Olive Branch",
    ]


def test_a_party_below_a_party_is_no_name() -> None:
    heading = (
        "                 MS ZAINAB HUSSAIN                 Claimant\n"
        "                          - and -\n"
        "                 PENNINE LETTINGS LIMITED          Defendant\n"
    )
    assert found(heading) == []


def test_only_other_keys_of_data_tell_whose_a_name_is() -> None:
    assert found('{"name": "Notebook, Olive Green", "note": "happy birthday"}') == []
    assert found('{"name": "Olive Green", "birthday": "x"}') == ["Olive Green"]


def test_names_in_rotas_and_lists_of_people() -> None:
    assert found("Name\tMon\tTue\tWed\nWill Power\tX\t\tX\nJoy Rider\t\tX\tX\n") == [
        "Will Power",
        "Joy Rider",
    ]
    assert found("Shift\tMon\tTue\tWed\nEarly\tAmy\tWill\tAgency\nLate\tWill\tBank\tAmy\n") == [
        *("Amy", "Will", "Will", "Amy")
    ]
    assert found("Name\tEmail\nHope Springs\tx\n") == ["Hope Springs"]
    assert found("Item\tMon\tTue\tWed\nMilk\t4\t5\t6\n") == []
    assert found('{"company": "Rivers & Daughters"}') == ["Rivers & Daughters"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Next of kin: mother, Ngozi, +44 7700 900982", ["Ngozi"]),
        ("Next of kin: wife, Jane Ng (07700 900982)", ["Jane Ng"]),
        ("Next of kin: mother, deceased", []),
        ("Next of kin: Ngozi, mother", ["Ngozi"]),
    ],
)
def test_kinship_and_telephone_are_no_part_of_the_name(text: str, names: list[str]) -> None:
    assert found(text) == names


def test_the_label_below_a_label_of_a_form_is_no_name() -> None:
    text = "Applicant | Applicant | Referee\nSurname | Vantongeren | Isolde Marchbanks\nForename | Grace | Wrexham\n"
    assert "Forename" not in found(text)


def test_the_labels_of_a_form_with_one_field_a_row_are_no_names() -> None:
    text = "Employee\tBalogun\tNkechi\nStaff no\tTA-00912\tWolverhampton\nMentor\tGalbraith\tPiers\n"
    assert {"Staff no", "Mentor"}.isdisjoint(found(text))
    assert found("Surname\tDOB\tBed\nWard\t4 May 1950\t3\nJudge\t5 May 1960\t4\n") == ["Ward", "Judge"]
    assert found("Patient\tDOB\tBed\nWard\t4 May 1950\t3\nPrice\t5 May 1960\t4\n") == ["Ward", "Price"]
