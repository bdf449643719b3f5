"""Rows of the numbers that the states and health systems of Europe give out; the IBAN of all countries."""

from __future__ import annotations

from efface.finders.patterns import checks
from efface.finders.patterns.checks import luhn, matches, standard, weighted
from efface.finders.patterns.row import BARE, FAIR, LIKELY, STRONG, WEAK, Pattern

_LONG, _CODE = ("long",), ("code",)
_TAX = "tax, tin, vat, taxpayer"

# ISO 13616: how long the IBAN of each country is.
_IBAN_LENGTHS = {
    15: "NO",
    16: "BE",
    18: "DK FI FK FO GL NL SD",
    19: "MK SI",
    20: "AT BA EE KZ LT LU MN XK",
    21: "CH HR LI LV",
    22: "BG BH CR DE GB GE IE ME RS VA",
    23: "AE GI IL IQ OM SO TL",
    24: "AD CZ ES MD PK RO SA SE SK TN VG",
    25: "LY PT ST",
    26: "IS TR",
    27: "BI DJ FR GR IT MC MR SM",
    28: "AL AZ BY CY DO GT HU LB NI PL SV",
    29: "BR EG PS QA UA",
    30: "JO KW MU YE",
    31: "MT SC",
    32: "LC",
    33: "RU",
}


def _iban() -> str:
    """Two letters, two digits and as many more as the country has, in fours or unbroken."""
    forms = []
    for length, countries in _IBAN_LENGTHS.items():
        fours, rest = divmod(length - 4, 4)
        tail = rf"[\s-]?[0-9A-Z]{{{rest}}}" if rest else ""
        forms.append(rf"(?:{countries.replace(' ', '|')})[0-9]{{2}}(?:[\s-]?[0-9A-Z]{{4}}){{{fours}}}{tail}")
    return f"(?i:{'|'.join(forms)})"


def _vat() -> str:
    digits = {
        "AT[\\s-]?U": "8",
        "BE|SK|PL": "10",
        "BG": "9,10",
        "CZ": "8,10",
        "DE|EE|EL|PT": "9",
        "DK|FI|HU|LU|MT|SI": "8",
        "HR|IT|LV": "11",
        "RO": "6,10",
        "SE": "12",
        "LT": "9,12",
    }
    forms = [
        rf"(?:{country})[\s-]?[0-9](?:[\s.-]?[0-9]){{{_less_one(many)}}}" for country, many in digits.items()
    ]
    return "|".join(
        [
            *forms,
            r"CY\s?[0-9]{8}[A-Z]",
            r"ES\s?[0-9A-Z][0-9]{7}[0-9A-Z]",
            r"FR\s?[0-9A-HJ-NP-Z]{2}\s?[0-9]{3}\s?[0-9]{3}\s?[0-9]{3}",
            r"IE\s?[0-9][0-9A-Z+*][0-9]{5}[A-W][A-I]?",
            r"NL\s?[0-9]{9}B[0-9]{2}",
            r"(?:GB|XI)\s?[0-9]{3}\s?[0-9]{4}\s?[0-9]{2}(?:\s?[0-9]{3})?",
        ]
    )


def _less_one(many: str) -> str:
    return ",".join(str(int(number) - 1) for number in many.split(","))


_DAY_MONTH = r"(?:0[1-9]|[12][0-9]|3[01])(?:0[1-9]|1[0-2])"
_MONTH_DAY = r"(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])"

EUROPE: tuple[Pattern, ...] = (
    Pattern(
        "IBAN_CODE",
        _iban(),
        LIKELY,
        checks.mod97,
        "iban, bank, account, konto, compte, cuenta, conto",
        at=_CODE,
    ),
    Pattern(
        "EU_VAT", _vat(), STRONG, standard("eu.vat"), f"{_TAX}, ust, tva, iva, btw, moms, dph, nip", at=_CODE
    ),
    # United Kingdom and Ireland
    Pattern(
        "UK_NHS",
        r"[0-9]{3}[\s-]?[0-9]{3}[\s-]?[0-9]{4}",
        WEAK,
        weighted("10 9 8 7 6 5 4 3 2 1", 11),
        "nhs, health service",
        at=_LONG,
    ),
    Pattern(
        "UK_NINO",
        # QQ is given to nobody, so forms and made-up records show it.
        r"(?i:(?:[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]|QQ)(?:\s?[0-9]{2}){3}\s?[A-D])",
        LIKELY,
        matches(r"(?!BG|GB|KN|NK|NT|TN|ZZ).*"),
        "national insurance, nino, ni",
        at=_CODE,
    ),
    Pattern(  # as forms show it by example, or mistyped
        "UK_NINO",
        r"(?i:[A-Z]{2}(?:\s?[0-9]{2}){3}\s?[A-D])",
        BARE,
        context="national insurance, nino",
        at=_CODE,
    ),
    Pattern(
        "UK_DRIVING_LICENCE",
        r"[A-Z][A-Z9]{4}[0-9][0156][0-9][0-9]{3}[A-Z9]{2}[0-9A-Z][A-Z]{2}",
        STRONG,
        context="driving, licence, dvla",
        at=_CODE,
    ),
    Pattern("UK_UTR", r"[0-9]{5}\s?[0-9]{5}", BARE, standard("gb.utr"), "utr, taxpayer reference", at=_LONG),
    Pattern("UK_PASSPORT", r"[A-Z]{2}[0-9]{7}", BARE, context="passport, hmpo", at=_CODE),
    Pattern("IE_PPS", r"[0-9]{7}[A-W][A-IW]?", FAIR, standard("ie.pps"), "pps, ppsn", at=_LONG),
    # Germany, Austria, Switzerland
    Pattern(
        "DE_TAX_ID",
        r"[1-9][0-9](?:[\s-]?[0-9]{3}){3}",
        WEAK,
        standard("de.idnr"),
        "steuer, steuerid, idnr, identifikationsnummer, tin, tax",
        at=_LONG,
    ),
    Pattern(
        "DE_SOCIAL_SECURITY",
        rf"[0-9]{{2}}\s?{_DAY_MONTH}[0-9]{{2}}\s?[A-Z]\s?[0-9]{{3}}",
        STRONG,
        checks.german_pension,
        "rentenversicherung, sozialversicherung, versicherungsnummer",
        at=_LONG,
    ),
    Pattern(
        "DE_ID_CARD",
        r"[CFGHJKLMNPRTVWXYZ][0-9CFGHJKLMNPRTVWXYZ]{8}[0-9]?",
        WEAK,
        context="personalausweis, ausweis, ausweisnummer",
        at=("code", "consonants"),
    ),
    Pattern(
        "DE_PASSPORT",
        r"[CFGHJK][0-9CFGHJKLMNPRTVWXYZ]{8}[0-9]?",
        WEAK,
        context="reisepass, passport, passnummer",
        at=("code", "consonants"),
    ),
    Pattern(
        "AT_SVNR",
        rf"[1-9][0-9]{{3}}\s?{_DAY_MONTH}[0-9]{{2}}",
        WEAK,
        standard("at.vnr"),
        "sozialversicherungsnummer, svnr",
        at=_LONG,
    ),
    Pattern(
        "CH_AHV", r"756\.?[0-9]{4}\.?[0-9]{4}\.?[0-9]{2}", STRONG, standard("ch.ssn"), "ahv, avs", at=_LONG
    ),
    # France, Benelux
    Pattern(
        "FR_NIR",
        r"[1-478]\s?[0-9]{2}\s?(?:0[1-9]|1[0-2]|[2-9][0-9])\s?(?:[0-9]{2}|2[AB])\s?[0-9]{3}\s?[0-9]{3}\s?[0-9]{2}",
        STRONG,
        standard("fr.nir"),
        "nir, insee, securite sociale",
        at=_LONG,
    ),
    Pattern(
        "FR_SIRET",
        r"[0-9]{3}\s?[0-9]{3}\s?[0-9]{3}\s?[0-9]{5}",
        WEAK,
        standard("fr.siret"),
        "siret, siren, rcs",
        at=_LONG,
    ),
    Pattern(
        "FR_SIREN", r"[0-9]{3}\s?[0-9]{3}\s?[0-9]{3}", BARE, standard("fr.siren"), "siren, rcs", at=_LONG
    ),
    Pattern(
        "NL_BSN",
        r"[0-9]{9}|[0-9]{4}\.[0-9]{2}\.[0-9]{3}",
        WEAK,
        weighted("9 8 7 6 5 4 3 2 -1", 11),
        "bsn, burgerservicenummer, sofi, sofinummer",
        at=_LONG,
    ),
    Pattern(
        "BE_NATIONAL_NUMBER",
        r"[0-9]{2}\.?[0-5][0-9]\.?[0-3][0-9][\s-]?[0-9]{3}[\s.]?[0-9]{2}",
        WEAK,
        standard("be.ssn"),
        "rijksregisternummer, national number, niss, insz, rrn",
        at=_LONG,
    ),
    # Spain, Portugal, Italy
    Pattern(
        "ES_NIF", r"[0-9]{8}[\s-]?[A-HJ-NP-TV-Z]", STRONG, standard("es.dni"), "nif, dni, documento", at=_LONG
    ),
    Pattern(
        "ES_NIE",
        r"[XYZ][\s-]?[0-9]{7}[\s-]?[A-HJ-NP-TV-Z]",
        STRONG,
        standard("es.nie"),
        "nie, extranjero",
        at=_CODE,
    ),
    Pattern(
        "ES_CIF",
        r"[ABCDEFGHJNPQRSUVW][\s-]?[0-9]{7}[\s-]?[0-9A-J]",
        STRONG,
        standard("es.cif"),
        "cif, nif, empresa, sociedad",
        at=_CODE,
    ),
    Pattern(
        "PT_CC",
        r"[0-9]{8}\s?[0-9]\s?[0-9A-Z]{2}[0-9]",
        STRONG,
        standard("pt.cc"),
        "cidadao, cc, bi",
        at=_LONG,
    ),
    Pattern(
        "PT_NIF",
        r"[1-9][0-9]{2}\s?[0-9]{3}\s?[0-9]{3}",
        WEAK,
        standard("pt.nif"),
        "nif, contribuinte",
        at=_LONG,
    ),
    Pattern(
        "IT_FISCAL_CODE",
        r"(?i:[A-Z]{6}[0-9]{2}[ABCDEHLMPRST][0-9LMNP-V]{2}[A-Z][0-9LMNP-V]{3}[A-Z])",
        STRONG,
        standard("it.codicefiscale"),
        "codice fiscale, cf, c f",
        at=_CODE,
    ),
    Pattern("IT_VAT_CODE", r"[0-9]{11}", WEAK, luhn, "partita iva, piva", at=_LONG),
    Pattern(
        "IT_IDENTITY_CARD",
        r"C[A-Z][0-9]{5}[A-Z]{2}|[A-Z]{2}\s?[0-9]{7}",
        BARE,
        context="carta identita, identity card",
        at=_CODE,
    ),
    Pattern(
        "IT_DRIVER_LICENSE",
        r"[A-Z]{2}[0-9]{7}[A-Z]|U1[0-9A-Z]{7}[A-Z]",
        WEAK,
        context="patente, guida",
        at=_CODE,
    ),
    Pattern("IT_PASSPORT", r"[A-Z]{2}[0-9]{7}", BARE, context="passaporto, passport", at=_CODE),
    # The north
    Pattern(
        "SE_PERSONNUMMER",
        r"(?:19|20)?[0-9]{2}(?:0[1-9]|1[0-2])(?:[06][1-9]|[1278][0-9]|[39][01])[+-]?[0-9]{4}",
        WEAK,
        standard("se.personnummer"),
        "personnummer",
        at=_LONG,
    ),
    Pattern(
        "SE_ORGANISATIONSNUMMER",
        r"[125-9][0-9][2-9][0-9]{3}-?[0-9]{4}",
        WEAK,
        luhn,
        "organisationsnummer, orgnr",
        at=_LONG,
    ),
    Pattern(
        "FI_PERSONAL_IDENTITY_CODE",
        rf"{_DAY_MONTH}[0-9]{{2}}[-+A-FU-Y][0-9]{{3}}[0-9A-FHJ-NPR-Y]",
        STRONG,
        standard("fi.hetu"),
        "hetu, henkilotunnus",
        at=_LONG,
    ),
    Pattern(
        "DK_CPR",
        rf"{_DAY_MONTH}[0-9]{{2}}-?[0-9]{{4}}",
        WEAK,
        standard("dk.cpr"),
        "cpr, personnummer",
        at=_LONG,
    ),
    Pattern(
        "NO_FODSELSNUMMER",
        r"[0-7][0-9][0-9]{4}\s?[0-9]{5}",
        WEAK,
        standard("no.fodselsnummer"),
        "fodselsnummer, personnummer",
        at=_LONG,
    ),
    Pattern(
        "IS_KENNITALA",
        rf"{_DAY_MONTH}[0-9]{{2}}-?[0-9]{{4}}",
        WEAK,
        standard("is_.kennitala"),
        "kennitala",
        at=_LONG,
    ),
    # The east and south-east of Europe
    Pattern("SI_EMSO", rf"{_DAY_MONTH}[09][0-9]{{8}}", WEAK, standard("si.emso"), "emso, jmbg", at=_LONG),
    Pattern("RU_INN", r"[0-9]{12}|[0-9]{10}", WEAK, standard("ru.inn"), "inn, инн", at=_LONG),
    Pattern(
        "RU_SNILS",
        r"[0-9]{3}-[0-9]{3}-[0-9]{3}[\s-][0-9]{2}",
        STRONG,
        checks.russian_snils,
        "snils",
        at=_LONG,
    ),
    Pattern("RU_SNILS", r"[0-9]{11}", BARE, checks.russian_snils, "snils", at=_LONG),
    Pattern("UA_RNTRC", r"[0-9]{10}", WEAK, standard("ua.rntrc"), "rntrc, ipn", at=_LONG),
    Pattern(
        "PL_PESEL",
        r"[0-9]{2}(?:[02468][1-9]|[13579][0-2])(?:0[1-9]|[12][0-9]|3[01])[0-9]{5}",
        WEAK,
        standard("pl.pesel"),
        "pesel",
        at=_LONG,
    ),
    Pattern(
        "CZ_RC",
        r"[0-9]{2}[0-8][0-9][0-3][0-9]/[0-9]{3,4}",
        STRONG,
        standard("cz.rc"),
        "rodne cislo",
        at=_LONG,
    ),
    Pattern(
        "CZ_RC", r"[0-9]{2}[0-8][0-9][0-3][0-9]{4,5}", BARE, standard("cz.rc"), "rodne cislo, rc", at=_LONG
    ),
    Pattern("RO_CNP", rf"[1-9][0-9]{{2}}{_MONTH_DAY}[0-9]{{6}}", WEAK, standard("ro.cnp"), "cnp", at=_LONG),
    Pattern("BG_EGN", r"[0-9]{2}[0-5][0-9][0-3][0-9]{5}", WEAK, standard("bg.egn"), "egn", at=_LONG),
    Pattern(
        "EE_IK", rf"[1-8][0-9]{{2}}{_MONTH_DAY}[0-9]{{4}}", WEAK, standard("ee.ik"), "isikukood", at=_LONG
    ),
    Pattern(
        "LT_ASMENS_KODAS",
        rf"[1-6][0-9]{{2}}{_MONTH_DAY}[0-9]{{4}}",
        WEAK,
        standard("lt.asmens"),
        "asmens kodas",
        at=_LONG,
    ),
    Pattern("HR_OIB", r"[0-9]{11}", WEAK, standard("hr.oib"), "oib", at=_LONG),
    Pattern("GR_AMKA", rf"{_DAY_MONTH}[0-9]{{7}}", WEAK, standard("gr.amka"), "amka", at=_LONG),
    Pattern("TR_NATIONAL_ID", r"[1-9][0-9]{10}", WEAK, standard("tr.tckimlik"), "kimlik, tc, tckn", at=_LONG),
    Pattern(
        "ES_NSS",
        r"[0-6][0-9][\s/-]?[0-9]{8}[\s/-]?[0-9]{2}",
        WEAK,
        checks.spanish_social_security,
        "seguridad social, nss, naf, afiliacion",
        at=_LONG,
    ),
)
