"""Rows of numbers that every country has: money, telephones, places, records. Dates and ages have a table of their own."""

from __future__ import annotations

from efface.finders.patterns import checks, context_words, phones
from efface.finders.patterns.checks import standard
from efface.finders.patterns.row import BARE, CERTAIN, FAIR, LIKELY, STRONG, WEAK, Pattern
from efface.finders.patterns.tables.dates_and_ages import DATES_AND_AGES
from efface.finders.patterns.tables.net import IPV4

# Pieces of numbers
_GAP = r"[\s().\-/]{0,2}"
_EXTENSION = r"(?:\s?(?:x|ext\.?|extension|#)\s?[0-9]{1,6})?"
_NO_PHONE = (  # dates, addresses on the net and decimal numbers
    r"(?<![0-9][.\-/:])(?:(?<![0-9] )|(?<=[0-9]{7} ))"  # not within a number; seven digits before it are another
    r"(?![0-9]{1,2}[./-][0-9]{1,2}[./-][0-9]{2,4}(?![./-]?[0-9])"
    r"|[0-9]{4}[./-][0-9]{1,2}[./-]"
    rf"|{IPV4}(?!\.?[0-9])|[0-9]+\.[0-9]+(?![.0-9]))"
)
_DEGREES = (
    r"[0-9]{1,3}(?:\.[0-9]{1,8})?\s?°\s?(?:[0-9]{1,2}(?:\.[0-9]{1,8})?\s?')?\s?"
    r"(?:[0-9]{1,2}(?:\.[0-9]{1,8})?\s?(?:\"|″|''))?\s?[NSEWO]"
)
_US_STATE = (
    r"(?:A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|P[AR]|RI|S[CD]|T[NX]|UT|"
    r"V[AT]|W[AIVY])"
)

# Words that stand near
_CARD = (
    "card, cards, credit, debit, visa, mastercard, amex, discover, maestro, diners, jcb, cc, tarjeta, "
    "kreditkarte"
)
_PHONE = (
    "phone, phones, telephone, tel, cell, cellphone, mobile, call, calls, called, calling, fax, dial, "
    "contact, office, home, reach, answering, whatsapp, sms, telefon, telefono, telefone, telefoon, mobil, "
    "movil, portable, tlf, tfno, handy, gsm, celular, telemovel, cellulare, mobiel, puhelin, rufnummer, "
    # to call somebody, in other languages
    "anrufen, ruckruf, zuruckrufen, ruf, appelle, appelez, appeler, rappeler, rappelez, joindre, llamar, llama, llame, "
    "llamame, liga, ligar, ligue, chiama, chiamare, chiami, ring, ringe, bel, bellen, belt, soita, soittaa, zadzwon, "
    "ringer, ringt, erreichbar, erreichen, joignable, bereikbaar, bereiken, raggiungibile, telefonare, contactar, "
    f"dzwonic, zavolat, volejte, ara, arayin, numaradan, numarasindan, {context_words.PHONE}"
)
_GEO = "lat, latitude, lon, lng, longitude, coordinates, coordinate, gps, geo"
_POST = "zip, zips, zipcode, postcode, postal, postleitzahl, plz, cep"
_PLATE = (
    "plate, plates, registration number, vehicle registration, kennzeichen, immatriculation, matricula, targa, "
    f"kenteken, vehicule, vehiculo, veicolo, veiculo, nummernschild, placa, {context_words.PLATE}"
)
_SHORT_PHONE = "ext, extn, extension, bleep, pager, desk phone, office phone, internal phone, durchwahl"
_BEFORE_SHORT_PHONE = "|".join(
    rf"(?<=(?i:{word}){mark})" for word in _SHORT_PHONE.split(", ") for mark in (r"\s", r"[.:]\s", r"\s-")
)
_MRN = "mrn, mrns, medical record, hospital number, chart number, patient id, patient number, record number"
_CASE = (
    "case, cases, application, applications, no, nos, docket, appeal, complaint, petition, petitions, "
    "proceedings, judgment, dossier, aktenzeichen, warrant"
)
_CASE_NUMBER = "case no, case nos, case number, docket, application no, application nos, file no, warrant"
_ID = (
    "id, ids, no, nos, nr, num, number, numbers, ref, reference, account, acct, sort code, badge, serial, asset, tag, passport, crn, upn, meter, mpan, mprn, fob, "
    "licence, license, permit, identification, identifier, member id, invoice, booking, "
    "nummer, numero, patientennummer, personalnummer, kundennummer, versichertennummer, mitgliedsnummer, matrikelnummer, "
    "ausweis, ausweisnummer, mitgliedsnr, vertragsnummer, expediente, historia clinica, nhc, poliza, matricola, tessera, "
    "lidnummer, klantnummer, polisnummer, rg, identidade, prontuario, utente, kundenummer, medlemsnummer, asiakasnumero, "
    f"potilasnumero, dosya, protokol, {context_words.ID}"
)

COMMON: tuple[Pattern, ...] = (
    # Money
    Pattern("CREDIT_CARD", r"[2-6][0-9]{3}(?:[\s.-]?[0-9]{4}){3}", STRONG, checks.luhn, _CARD, at=("long",)),
    Pattern("CREDIT_CARD", r"[2-6][0-9]{3}(?:[\s-][0-9]{4}){3}", LIKELY, checks.luhn, _CARD, at=("long",)),
    Pattern(
        "CREDIT_CARD",
        r"3[47][0-9]{2}[\s.-]?[0-9]{6}[\s.-]?[0-9]{5}",
        STRONG,
        checks.luhn,
        _CARD,
        at=("long",),
    ),
    Pattern(
        "CREDIT_CARD",
        r"3(?:0[0-5]|[689][0-9])[0-9][\s.-]?[0-9]{6}[\s.-]?[0-9]{4}",
        STRONG,
        checks.luhn,
        _CARD,
        at=("long",),
    ),
    Pattern(
        "CREDIT_CARD",
        r"[0-9]{4}(?:[\s-]?[0-9]{4}){2,3}[\s-]?[0-9]{1,3}|[0-9]{12,19}",
        WEAK,
        checks.no_ean(checks.luhn),
        _CARD,
        at=("long",),
    ),
    Pattern(
        "CRYPTO",
        r"[13][1-9A-HJ-NP-Za-km-z]{25,34}|(?i:bc1)[02-9AC-HJ-NP-Zac-hj-np-z]{11,71}",
        STRONG,
        standard("bitcoin"),
        "wallet, btc, bitcoin, crypto",
        at=("number", "code"),
    ),
    Pattern("CRYPTO", r"0x[0-9A-Fa-f]{40}", CERTAIN, context="wallet, eth, ethereum, crypto"),
    Pattern(
        "ISIN",
        r"[A-Z]{2}[0-9A-Z]{9}[0-9]",
        STRONG,
        standard("isin"),
        "isin, security, securities, share",
        at=("code",),
    ),
    Pattern(
        "LEI", r"[0-9A-Z]{18}[0-9]{2}", STRONG, standard("lei"), "lei, legal entity", at=("number", "code")
    ),
    Pattern("CUSIP", r"[0-9]{3}[0-9A-Z]{5}[0-9]", WEAK, standard("cusip"), "cusip", at=("number", "long")),
    # Telephones
    Pattern(
        "PHONE_NUMBER",
        rf"(?:\+|\(\+)\(?[0-9](?:{_GAP}[0-9]){{6,14}}{_EXTENSION}",
        LIKELY,
        phones.is_valid,
        _PHONE,
        at=("signed",),
    ),
    Pattern(
        "PHONE_NUMBER",
        rf"\([0-9]{{3}}\)\s?[0-9]{{3}}[\s.-]?[0-9]{{4}}{_EXTENSION}",
        LIKELY,
        phones.is_valid,
        _PHONE,
        at=("signed",),
    ),
    Pattern(
        "PHONE_NUMBER",
        rf"\([0-9]{{1,5}}\)(?:{_GAP}[0-9]){{4,12}}{_EXTENSION}",
        WEAK,
        phones.is_valid,
        _PHONE,
        at=("signed",),
    ),
    Pattern(
        "PHONE_NUMBER",
        r"(?:(?:001|1)[\s.-])?[0-9]{3}(?:-[0-9]{3}-|\.[0-9]{3}\.|\s[0-9]{3}[\s-])[0-9]{4}" + _EXTENSION,
        LIKELY,
        phones.is_valid,
        _PHONE,
        at=("long",),
    ),
    Pattern(
        "PHONE_NUMBER",
        rf"{_NO_PHONE}0(?:{_GAP}[0-9]){{5,14}}{_EXTENSION}",
        WEAK,
        phones.is_valid,
        _PHONE,
        at=("long",),
    ),
    Pattern(  # ten or eleven digits from a 0 on: hardly anything but a telephone, or a number as telling as one
        "PHONE_NUMBER",
        rf"{_NO_PHONE}0[1-9](?:{_GAP}[0-9]){{8,9}}{_EXTENSION}",
        LIKELY,
        phones.is_valid,
        _PHONE,
        at=("long",),
    ),
    Pattern(  # Spain, Denmark, Norway: groups of two
        "PHONE_NUMBER",
        r"[6-9][0-9]{2}(?:\s[0-9]{2}){3}|[2-9][0-9](?:\s[0-9]{2}){3}",
        WEAK,
        phones.is_valid,
        _PHONE,
        at=("long",),
    ),
    Pattern(  # mobile telephones of Spain and Portugal: groups of three
        "PHONE_NUMBER",
        r"(?<![0-9][\s.,])(?:6[0-9]|7[1-4]|9[1236])[0-9]\s[0-9]{3}\s[0-9]{3}(?![\s.,][0-9])",
        WEAK,
        phones.is_valid,
        _PHONE,
        at=("long",),
    ),
    Pattern(  # without a 0 at its beginning a number may be anything
        "PHONE_NUMBER",
        rf"{_NO_PHONE}[0-9](?:{_GAP}[0-9]){{5,14}}{_EXTENSION}",
        BARE,
        context=_PHONE,
        at=("long",),
    ),
    *DATES_AND_AGES,
    # Places
    Pattern(
        "GEO_COORDINATE",
        r"[+-]?[0-9]{1,2}\.[0-9]{4,15}(?:\s?°)?(?:\s?[NS])?,\s?[+-]?[0-9]{1,3}\.[0-9]{4,15}(?:\s?°)?(?:\s?[EW])?",
        FAIR,
        checks.on_earth,
        _GEO,
        at=("number", "signed"),
    ),
    Pattern(
        "GEO_COORDINATE",
        r"[+-]?[0-9]{1,3}\.[0-9]{2,15}(?:\s?°)?(?:\s?[NSEW]\b)?"
        r"(?:(?:[,;/]\s?|\s)[+-]?[0-9]{1,3}\.[0-9]{2,15}(?:\s?°)?(?:\s?[NSEW]\b)?)?",
        BARE,
        context=_GEO,
        at=("number", "signed"),
    ),
    Pattern("GEO_COORDINATE", rf"{_DEGREES}(?:[,;/\s]{{1,3}}{_DEGREES})?", CERTAIN),
    Pattern(
        "POSTCODE", r"[A-Z]{1,2}[0-9][0-9A-Z]?\s?[0-9][ABD-HJLNP-UW-Z]{2}", FAIR, context=_POST, at=("code",)
    ),
    Pattern(
        "POSTCODE",
        r"[ABCEGHJ-NPRSTVXY][0-9][ABCEGHJ-NPRSTV-Z]\s?[0-9][ABCEGHJ-NPRSTV-Z][0-9]",
        STRONG,
        context=_POST,
        at=("code",),
    ),
    Pattern("POSTCODE", r"(?<![0-9]-)[0-9]{5}-[0-9]{3,4}(?!-)", FAIR, context=_POST),
    Pattern(  # the Netherlands and Portugal, before a town
        "POSTCODE",
        r"(?:[1-9][0-9]{3}\s?(?!S[ADS]|AD|BC|CE|[AP]M|EU|U[KS]|KM|[GMT]B|TV)[A-Z]{2}|[1-9][0-9]{3}-[0-9]{3})"
        r"(?=,?\s[A-Z'][a-z\u00df-\u00ff'-])",
        FAIR,
        context=_POST,
    ),
    Pattern("POSTCODE", r"[0-9]{5}", FAIR, context=_POST, label=rf"{_US_STATE},?\s", at=("code",)),
    Pattern(
        "POSTCODE",
        r"[0-9]{4}\s?[A-Z]{2}|[0-9]{4}-[0-9]{3}|[0-9]{2}-[0-9]{3}|[0-9]{3}\s[0-9]{2}|[0-9]{4,6}",
        BARE,
        context=_POST,
    ),
    # Records
    Pattern(
        "VEHICLE_ID",
        r"(?=[0-9]{0,16}[A-Z])(?=[A-Z]{0,16}[0-9])[0-9A-HJ-NPR-Z]{17}",
        LIKELY,
        checks.vin,
        "vin, chassis, vehicle",
        at=("number", "code"),
    ),
    Pattern(
        "VEHICLE_ID",
        r"[A-Z]{1,3}[\s-]?[0-9]{1,4}(?:[\s-]?[A-Z]{1,3})?|[A-Z]{1,3}-[A-Z]{1,2}\s?[0-9]{1,4}[EH]?",
        BARE,
        context=_PLATE,
        at=("code",),
    ),
    # A British plate since 2001: two letters, the half year, three letters.
    Pattern(
        "VEHICLE_ID",
        r"[A-HJ-PR-Y]{2}(?:0[1-9]|[1-7][0-9])\s?[A-HJ-PR-Z]{3}",
        BARE,
        context="reg, registration, index, plate, plates, car, cars, van, lorry, vehicle, vrm, motorbike, parked, driving, drove, driven, "
        "audi, bmw, citroen, fiat, ford, honda, hyundai, jaguar, kia, mazda, mercedes, nissan, peugeot, renault, rover, skoda, "
        "tesla, toyota, vauxhall, volkswagen, volvo, vw, astra, corsa, fiesta, golf, transit",
        at=("code",),
    ),
    Pattern(  # France since 2009
        "VEHICLE_ID", r"[A-HJ-NP-TV-Z]{2}-[0-9]{3}-[A-HJ-NP-TV-Z]{2}", FAIR, context=_PLATE, at=("code",)
    ),
    Pattern("VEHICLE_ID", r"[0-9]{1,4}[\s-]?[A-Z]{1,3}(?:[\s-]?[0-9]{1,4})?", BARE, context=_PLATE),
    # An extension or a pager: who has the staff list knows whose it is.
    Pattern("PHONE_NUMBER", rf"(?:{_BEFORE_SHORT_PHONE})[0-9]{{3,6}}", BARE, context=_SHORT_PHONE),
    Pattern("MEDICAL_RECORD", r"[0-9]{2,4}(?:-[0-9]{2,4}){1,3}|[0-9]{4,12}", BARE, context=_MRN),
    Pattern("MEDICAL_RECORD", r"[A-Z]{1,4}[-\s]?[0-9]{4,12}", BARE, context=_MRN, at=("code",)),
    Pattern("CASE_NUMBER", r"(?!(?:19|20)[0-9]{2}/)[0-9]{4,6}/[0-9]{2}(?!/)", STRONG, context=_CASE),
    Pattern("CASE_NUMBER", r"(?<!/)[0-9]{1,7}/(?:19|20)?[0-9]{2}(?!/)", BARE, context=_CASE),
    Pattern(
        "CASE_NUMBER",
        r"(?:[0-9]{1,2}:)?(?:[0-9]{4}|[0-9]{2})-(?i:cv|cr|mc|md|bk|ap|mj|ca|civ|crim)-[0-9]{2,8}(?:-[A-Z]{2,4}){0,2}",
        CERTAIN,
    ),
    Pattern(
        "CASE_NUMBER",
        r"[CTF]-[0-9]{1,4}/[0-9]{2}|(?:CV|CR|CA|CIV)-[0-9]{2,4}-[0-9]{2,8}",
        STRONG,
        context=_CASE,
        at=("code",),
    ),
    Pattern(
        "CASE_NUMBER",
        r"[A-Z]{1,4}[-/\s]?[0-9]{2,8}(?:[-/][0-9A-Z]{1,8}){0,3}",
        BARE,
        context=_CASE_NUMBER,
        at=("code",),
    ),
    Pattern(
        "IMEI",
        r"[0-9]{2}-?[0-9]{6}-?[0-9]{6}-?[0-9]",
        WEAK,
        checks.luhn,
        "imei, device, handset",
        at=("long",),
    ),
    Pattern("ID_NUMBER", r"[0-9]{9,40}", WEAK, context=_ID, at=("long",)),
    Pattern(
        "ID_NUMBER",
        r"(?!(?:1[5-9]|20)[0-9]{2}-)(?=[0-9](?:-?[0-9]){5})[0-9]{2,12}(?:-[0-9]{2,12}){1,4}",
        BARE,
        context=f"{_ID}, cad, incident",
        at=("long",),
    ),
    Pattern("ID_NUMBER", r"[0-9]{5,8}", BARE, context=_ID),
    Pattern(  # the Brazilian RG and what else is written in groups of three: 24.678.131-4
        "ID_NUMBER",
        r"[0-9]{1,2}(?:\.[0-9]{3}){2}-?[0-9Xx]",
        BARE,
        context="rg, identidade, identidad, cedula, rut",
        at=("long",),
    ),
    Pattern("ID_NUMBER", r"[0-9]{6,10}", STRONG, label=r"[Aa]/[Cc]\s", at=("code",)),  # "a/c 55779911"
    Pattern(
        "ID_NUMBER",
        r"[A-Z]{1,6}/[0-9]{1,8}(?:/[0-9A-Z]{1,8}){1,4}",
        BARE,
        context=f"{_ID}, policy, claim, file, case",
        at=("code",),
    ),
    Pattern(  # "JR/KL/44871-3"
        "ID_NUMBER",
        r"[A-Z]{2,6}(?:/[A-Z]{1,5}){1,2}/[0-9]{1,8}(?:[-/.][0-9A-Z]{1,8}){0,3}",
        BARE,
        context="ref, reference, file",
        at=("code",),
    ),
    Pattern(
        "ID_NUMBER",
        r"[A-Z]{2,6}/[0-9]{3,8}(?:\.[0-9]{1,3})?(?!/)",
        BARE,
        context="ref, reference, file, invoice",
        at=("code",),
    ),
    Pattern(
        "ID_NUMBER",
        r"(?=[A-Za-z-]{0,8}[0-9][0-9A-Za-z-]{3})[A-Z]{1,6}-?[0-9A-Z]{2,20}(?:-[0-9A-Z]{1,12}){0,4}",
        BARE,
        context=_ID,
        at=("code",),
    ),
)
