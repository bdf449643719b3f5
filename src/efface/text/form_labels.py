"""What the fields of forms and the columns of tables are called: "Surname", "DOB", `patient_last_name`."""

from __future__ import annotations

import re
from functools import lru_cache

from efface.text.calendar_names import ENGLISH_WEEKDAYS
from efface.text.folding import fold_term
from efface.text.foreign_labels import LABEL_WORDS
from efface.text.form_codes import LABEL_CODES
from efface.text.ordinary_words import Usage, usage

# Words of which labels consist. None of them is a name where it labels something.
LABELS = frozenset(
    "account address admission admitted age allergies allergy area bed born category cell city claim clinic code "
    "comment comments company consultant contact country county date department dept diagnosis diagnoses discharge "
    "discharged dob district dod doctor email employer employee ethnicity fax file first forename forenames from full "
    "gender gp grade hospital hosp id initial initials insurance insurer invoice job last mail maiden manager marital middle "
    "mobile mrn name nationality nhs nino no notes number nok occupation order patient phone policy postcode provider "
    "ref reference referrer region relationship religion re remarks sender sex signature signed site specialty ssn "
    "state status street subject surname tel telephone title to town unit username ward website zip cc bcc attn aka "
    "fka nka dba pob birth claimant client counsel defendant hearing judge kin matter next of preferred previous "
    "procedure referral result results role solicitor staff team test time type visit witness amount balance carer cost "
    "description ean emergency end hired hours item joined line paid payroll position quantity reason salary sku start "
    "supplier tax total vat wage attendance by class collected form group person pupil teacher tutor".split()
)
# Words of headings alone: each is a name as well, so that "Surname: Price" tells a person.
HEADINGS = LABELS | frozenset(
    "amount brand colour color ean height model price product qty rate size sku stock unit units weight".split()
)
# The same in German, French, Spanish, Italian and Dutch, without what is a name as well.
LABELS |= frozenset(
    "cap abteilung adres adresse anrede anschrift apellido apellidos beruf betrag cargo codice codigo cognome comune correo "
    "courriel cp dossier data date de datum departamento di diagnose diagnostico dienst direccion di dni domicilio edad "
    "eintritt empresa etage familienstand fax fecha firma fiscale geb geboortedatum geboren geburtsdatum geburtsort "
    "gehalt geschlecht geslacht handy hausarzt hausnummer historia huisarts indirizzo kostenstelle krankenkasse "
    "kundennummer land localidad medecin medico montant naam nachname naissance nacimiento nascita nom nombre nome "
    "nummer numero ort patientennummer pays personalnummer plz poblacion poste postal postleitzahl prenom profesion "
    "profession provincia rufnummer salaire salario sexe sexo sesso staatsangehorigkeit strasse straat telefon "
    "telefono telefonnummer telefoon traitant versicherung versichertennummer ville voornaam achternaam vorname "
    "woonplaats wohnort".split()
)
LABELS |= LABEL_WORDS
# Labels of which a person is the subject. A "Name" beside one of them is a person's.
PERSONAL = frozenset(
    "dob born birth birthday geburtsdatum age sex gender surname forename forenames mrn nhs nino ssn patient nok "
    "ethnicity nationality religion occupation maiden firstname lastname nachname vorname prenom naissance apellido "
    "apellidos nacimiento cognome nascita achternaam voornaam geboortedatum nascimento naturalidade fodselsdato efternavn "
    "fornavn fodelsedatum efternamn fornamn personnummer etternavn fodselsnummer sukunimi etunimi syntymaaika dogum soyadi".split()
)
_WORD = re.compile(r"[^\W\d_]+")
_DOTTED = re.compile(r"\b([^\W\d_])\.(?=[^\W\d_]\b|\W|$)")  # "D.O.B."
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_WEEKDAYS = frozenset((day,) for day in ENGLISH_WEEKDAYS)
_KNOWN = LABELS | LABEL_CODES
_OF_HEADINGS = HEADINGS | _KNOWN
_LONGEST = 40  # characters of a label
_MOST_DIGITS = 2  # digits in the name of an element or an attribute


def label_words(cell: str) -> tuple[str, ...]:
    """The words of a label, folded: "patientLastName" has three."""
    undotted = _DOTTED.sub(r"\1", cell) if "." in cell else cell
    return tuple(map(fold_term, _WORD.findall(_CAMEL.sub(" ", undotted))))


def is_label(cell: str) -> bool:
    """Whether a cell consists of words of labels. A value in the cell has a digit or another word."""
    words = label_words(cell)
    return bool(words) and _KNOWN.issuperset(words) and not any(map(str.isdigit, cell))


def is_heading(cell: str) -> bool:
    """Whether a cell consists of words of headings."""
    words = label_words(cell)
    return bool(words) and _OF_HEADINGS.issuperset(words) and not any(map(str.isdigit, cell))


def is_weekday(cell: str) -> bool:
    """Whether a cell names a day of the week, as the columns of a rota do. Sun is a surname too, so it is no label elsewhere."""
    return label_words(cell) in _WEEKDAYS


def may_label(cell: str) -> bool:
    """Whether a cell is short and has letters, as labels do."""
    return len(cell) <= _LONGEST and any(map(str.isalpha, cell))


@lru_cache(maxsize=4096)
def is_ordinary_label(name: str) -> bool:
    """Whether a name in markup says what it labels: `ward`, `orderDate`, `h1`. A number, `Whitcombe` and `HazelKing` do not."""
    words = label_words(name)
    if not words or sum(map(str.isdigit, name)) > _MOST_DIGITS:
        return False
    usages = {Usage.ALWAYS if len(word) == 1 or word in LABELS else usage(word) for word in words}
    return Usage.NEVER not in usages and (len(words) == 1 or Usage.ALWAYS in usages)
