"""What the fields of forms and the columns of tables are called in other languages than English.

Labels are spelled as they are written, in small letters. `LABEL_WORDS` has the folded words of all of them.
"""

from __future__ import annotations

import re

from efface.text.folding import fold_term


def _labels_in(labels: str) -> tuple[str, ...]:
    """The labels of a table, in which a comma or the end of a line parts them."""
    return tuple(label.strip() for label in re.split("[,\n]", labels.strip()))


# What asks for a part of a person's name.
SURNAME_LABELS = ("soyadı", "soyad", "příjmení", "apelido", "apelidos", "cognomen", "nom de famille")
GIVEN_NAME_LABELS = ("adı", "jméno", "imię", "etunimet", "förnamn", "tilltalsnamn", "roepnaam", "rufname")
# Who stands in a field or below a heading: relatives, those who are asked for in an emergency, and roles.
PERSON_LABELS = _labels_in(
    """
    ansprechpartner, ansprechpartnerin, ehefrau, ehemann, ehepartner, erziehungsberechtigte, notfallkontakt
    mitglied, mieter, mieterin, mitarbeiter, mitarbeiterin, patientin, schüler, schülerin, vermieter
    conjoint, conjointe, contact d’urgence, contact d'urgence, personne à prévenir, élève, locataire
    salarié, salariée, adhérent, adhérente, tuteur, tutrice
    alumna, alumno, cónyuge, empleado, empleada, inquilino, inquilina, paciente, persona de contacto
    socio, socia, tutor, tutora
    alunno, alunna, coniuge, dipendente, medico curante, paziente, referente
    contactpersoon, echtgenoot, echtgenote, huurder, leerling, lid, medewerker
    aluna, aluno, cônjuge, funcionário, funcionária, sócio, sócia, contacto de emergência
    elev, lejer, medarbejder, medlem, pårørende, ægtefælle
    anhörig, anställd, hyresgäst, kontaktperson, ansatt, leietaker, ektefelle
    asiakas, huoltaja, lähiomainen, oppilas, potilas, puoliso, työntekijä, vuokralainen, yhteyshenkilö
    çalışan, hasta adı, kiracı, öğrenci, üye, yakını
    фио, фамилия имя отчество, піб, ονοματεπώνυμο, الاسم, שם, 姓名, 氏名, 성명
    """
)
PLACE_LABELS = _labels_in(
    """
    geburtsort, heimatort, geboorteplaats, woonplaats, lieu de naissance, commune, domicilié à
    lugar de nacimiento, municipio, natural de
    luogo di nascita, residenza, comune di residenza
    cidade, concelho, freguesia, local de nascimento, município, naturalidade
    bopælskommune, fødested, fødeby, födelseort, hemort, bostadsort, bosted, fødselssted, poststed
    kotikunta, kaupunki, paikkakunta, syntymäpaikka
    doğum yeri, ilçe, şehir
    """
)
FIRM_LABELS = _labels_in(
    """
    arbeitgeberin, datore di lavoro, empregador, empregadora, entidade patronal, empresa empleadora
    arbejdsgiver, arbetsgivare, arbeidsgiver, työnantaja, işveren, işyeri, zamestnavatel, pracodawca
    """
)
ADDRESS_LABELS = _labels_in(
    """
    endereço, morada, residência, bopæl, gadenavn, gatuadress, gateadresse, osoite, katuosoite
    адрес, адреса, διεύθυνση, العنوان, כתובת, 地址, 住所, 주소
    adresi, adres, straße, anschrift, adresse, dirección, domicilio, indirizzo, wohnanschrift
    """
)
# Fields that hold no name. Without these their labels are taken for names themselves.
_OTHERS = """
abteilung aktenzeichen alter beitrag bemerkung bemerkungen beruf datum eintrittsdatum familienstand geburtsname geschlecht
konto kontonummer note notiz unterschrift steuer steuernummer vertrag zeichen
âge commentaire cotisation emploi employeur état civil né née nationalité observations objet prénoms signature situation
téléphone adresse courriel mobile montant note classe
asunto ciudad correo cuota curso estado fecha firma importe nacido nacida nacionalidad nota observaciones ocupación saldo teléfono
cap città cittadinanza classe codice firma importo nata nato nazionalità note oggetto professione quota residente stato civile telefono
aanhef bedrag beroep betreft bsn burgerlijke contributie geboorteplaats geboren handtekening nationaliteit opmerking opmerkingen
rekeningnummer staat telefoonnummer
assinatura assunto cep código contacto cpf data estado nacionalidade nascimento nif observações profissão quota rg sexo telefone
telemóvel valor
alder beløb bemærkning bemærkninger civilstand cpr dato emne fødselsdato kontingent køn kundenummer navn postnummer stilling telefon
tlf underskrift
anmärkning avgift belopp civilstånd datum efternamn födelsedatum förnamn kön namn personnummer telefonnummer underskrift yrke ämne
avdeling beløp etternavn fornavn fødselsnummer kjønn kommentar merknad mobil sivilstand sivilstatus
aihe allekirjoitus ammatti etunimi henkilötunnus huomautus kansalaisuus maksu nimi postinumero puhelin puhelinnumero päivämäärä
siviilisääty sukunimi sukupuoli summa syntymäaika
açıklama adı cinsiyet doğum imza kimlik konu medeni hali meslek no soyadı tarih tarihi telefonu tutar tc uyruğu yeri
"""
_WORD = re.compile(r"[^\W\d_]+")
NAMING_LABELS = (*SURNAME_LABELS, *GIVEN_NAME_LABELS, *PLACE_LABELS, *FIRM_LABELS)
_ASKING = (*NAMING_LABELS, *PERSON_LABELS, *ADDRESS_LABELS)
# Words of labels that are names as well, or words of every sentence.
_ALSO_NAMES = frozenset("a d di de local natural no".split())
LABEL_WORDS = frozenset(map(fold_term, _WORD.findall(" ".join((*_ASKING, _OTHERS))))) - _ALSO_NAMES


def folded(labels: tuple[str, ...]) -> frozenset[str]:
    """Labels as they are compared: their words folded, with a blank between."""
    return frozenset(" ".join(map(fold_term, _WORD.findall(label))) for label in labels)
