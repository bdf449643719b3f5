"""Rows of the numbers that states and health systems outside Europe give out."""

from __future__ import annotations

from efface.finders.patterns import checks
from efface.finders.patterns.checks import luhn, matches, no_ean, standard, weighted
from efface.finders.patterns.row import BARE, FAIR, LIKELY, STRONG, WEAK, Pattern

_LONG, _CODE = ("long",), ("code",)
_MONTH_DAY = r"(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])"

WORLD: tuple[Pattern, ...] = (
    # United States
    Pattern(
        "US_SSN",
        r"[0-9]{3}(?:-[0-9]{2}-|\s[0-9]{2}\s|\.[0-9]{2}\.)[0-9]{4}",
        LIKELY,
        matches(r"(?!000|666|9)[0-9]{3}(?!00)[0-9]{2}(?!0000)[0-9]{4}"),
        "ssn, ssns, social security",
        at=_LONG,
    ),
    Pattern(
        "US_SSN",
        r"[0-9]{9}|[0-9]{3}-[0-9]{6}|[0-9]{5}-[0-9]{4}",
        BARE,
        context="ssn, ssns, social security",
        at=_LONG,
    ),
    Pattern(
        "US_ITIN",
        r"9[0-9]{2}[\s-][5-9][0-9][\s-][0-9]{4}",
        STRONG,
        standard("us.itin"),
        "itin, taxpayer",
        at=_LONG,
    ),
    Pattern("US_ITIN", r"9[0-9]{2}[5-9][0-9]{5}", WEAK, standard("us.itin"), "itin, taxpayer", at=_LONG),
    Pattern(
        "US_EIN",
        r"[0-9]{2}-[0-9]{7}",
        STRONG,
        standard("us.ein"),
        "ein, fein, employer, federal, tax",
        at=_LONG,
    ),
    Pattern("US_PASSPORT", r"[0-9]{9}", BARE, context="passport", at=_LONG),
    Pattern("US_PASSPORT", r"[A-Za-z][0-9]{8}", WEAK, context="passport", at=_CODE),
    Pattern(
        "US_DRIVER_LICENSE",
        r"[0-9]{6,14}",
        BARE,
        context="driver, drivers, driving, license, licence, dl, dmv",
        at=_LONG,
    ),
    Pattern(
        "US_DRIVER_LICENSE",
        r"(?i:[A-Z][0-9]{3}-[0-9]{3}-[0-9]{2}-[0-9]{3}-[0-9]|[A-Z]{1,2}[0-9]{3,14}[A-Z]{0,2})",
        BARE,
        context="driver, drivers, driving, license, licence, dl, dmv",
        at=_CODE,
    ),
    Pattern(
        "US_BANK_NUMBER",
        r"[0-9]{8,17}",
        BARE,
        context="bank, account, accounts, acct, checking, savings, deposit, debit",
        at=_LONG,
    ),
    Pattern(
        "ABA_ROUTING_NUMBER",
        r"[0-9]{4}-?[0-9]{4}-?[0-9]",
        WEAK,
        weighted("3 7 1 3 7 1 3 7 1", 10),
        "aba, routing, wire, transit",
        at=_LONG,
    ),
    Pattern(
        "US_NPI",
        r"[12][0-9]{3}[\s-]?[0-9]{3}[\s-]?[0-9]{3}",
        WEAK,
        checks.luhn_after("80840"),
        "npi, provider",
        at=_LONG,
    ),
    Pattern(
        "US_MBI",
        r"[1-9][AC-HJKMNP-RT-Y][0-9AC-HJKMNP-RT-Y][0-9]-?[AC-HJKMNP-RT-Y][0-9AC-HJKMNP-RT-Y][0-9]-?[AC-HJKMNP-RT-Y]{2}[0-9]{2}",
        STRONG,
        context="mbi, medicare, beneficiary",
    ),
    Pattern(
        "MEDICAL_LICENSE",
        r"(?i:[ABCDEFGHJKLMPRSTUX][A-Z9][0-9]{7})",
        WEAK,
        checks.dea,
        "dea, prescriber, medical license",
        at=_CODE,
    ),
    # Australia, New Zealand, Canada
    Pattern(
        "AU_TFN",
        r"[0-9]{3}\s?[0-9]{3}\s?[0-9]{3}",
        WEAK,
        weighted("1 4 3 7 5 8 6 9 10", 11),
        "tfn, tax file",
        at=_LONG,
    ),
    Pattern(
        "AU_ABN",
        r"[0-9]{2}\s?[0-9]{3}\s?[0-9]{3}\s?[0-9]{3}",
        WEAK,
        weighted("10 1 3 5 7 9 11 13 15 17 19", 89, start=-10),
        "abn, business number",
        at=_LONG,
    ),
    Pattern(
        "AU_ACN",
        r"[0-9]{3}\s?[0-9]{3}\s?[0-9]{3}",
        WEAK,
        weighted("8 7 6 5 4 3 2 1 1", 10),
        "acn, company number",
        at=_LONG,
    ),
    Pattern(
        "AU_MEDICARE",
        r"[2-6][0-9]{3}\s?[0-9]{5}\s?[0-9](?:[/\s-]?[0-9])?",
        WEAK,
        weighted("1 3 7 9 1 3 7 9", 10),
        "medicare",
        at=_LONG,
    ),
    Pattern(
        "NZ_IRD",
        r"[0-9]{2,3}-[0-9]{3}-[0-9]{3}|[0-9]{8,9}",
        WEAK,
        standard("nz.ird"),
        "ird, inland",
        at=_LONG,
    ),
    Pattern(
        "CA_SIN", r"[0-9]{3}[\s-]?[0-9]{3}[\s-]?[0-9]{3}", WEAK, luhn, "sin, nas, social insurance", at=_LONG
    ),
    # Asia and Africa
    Pattern(
        "IN_PAN",
        r"(?i:[A-Z]{3}[ABCFGHJLPT][A-Z][0-9]{4}[A-Z])",
        STRONG,
        standard("in_.pan"),
        "pan, permanent account, income tax",
        at=_CODE,
    ),
    Pattern(
        "IN_AADHAAR",
        r"[2-9][0-9]{3}[\s-]?[0-9]{4}[\s-]?[0-9]{4}",
        WEAK,
        standard("in_.aadhaar"),
        "aadhaar, uidai, uid",
        at=_LONG,
    ),
    Pattern(
        "IN_GSTIN",
        r"[0-3][0-9][A-Z]{5}[0-9]{4}[A-Z][0-9A-Z]Z[0-9A-Z]",
        STRONG,
        standard("in_.gstin"),
        "gst, gstin",
    ),
    Pattern("IN_VOTER", r"[A-Z]{3}[0-9]{7}", WEAK, standard("in_.epic"), "voter, epic, election", at=_CODE),
    Pattern("IN_PASSPORT", r"[A-Z][1-9][0-9]{5}[1-9]", BARE, context="passport", at=_CODE),
    Pattern(
        "SG_NRIC_FIN", r"(?i:[STFGM][0-9]{7}[A-Z])", STRONG, checks.nric, "nric, fin, identity", at=_CODE
    ),
    Pattern("SG_UEN", r"[0-9]{8,9}[A-Z]", FAIR, standard("sg.uen"), "uen, business", at=_LONG),
    Pattern(
        "CN_RIC",
        rf"[1-9][0-9]{{5}}(?:19|20)[0-9]{{2}}{_MONTH_DAY}[0-9]{{3}}[0-9Xx]",
        STRONG,
        standard("cn.ric"),
        "resident identity",
        at=_LONG,
    ),
    Pattern(
        "JP_MY_NUMBER",
        r"[0-9]{4}[\s-]?[0-9]{4}[\s-]?[0-9]{4}",
        WEAK,
        standard("jp.in_"),
        "mynumber, individual number",
        at=_LONG,
    ),
    Pattern(
        "KR_RRN", rf"[0-9]{{2}}{_MONTH_DAY}-[0-9]{{7}}", STRONG, standard("kr.rrn"), "rrn, resident", at=_LONG
    ),
    Pattern(
        "KR_RRN", rf"[0-9]{{2}}{_MONTH_DAY}[0-9]{{7}}", WEAK, standard("kr.rrn"), "rrn, resident", at=_LONG
    ),
    Pattern(
        "TH_TNIN",
        r"[1-8]-?[0-9]{4}-?[0-9]{5}-?[0-9]{2}-?[0-9]",
        WEAK,
        no_ean(standard("th.pin")),
        "thai, tnin",
        at=_LONG,
    ),
    Pattern("IL_ID", r"[0-9]{9}", WEAK, luhn, "teudat zehut, israeli id", at=_LONG),
    Pattern(
        "ZA_ID_NUMBER",
        rf"[0-9]{{2}}{_MONTH_DAY}\s?[0-9]{{4}}\s?[0-9]{{3}}",
        WEAK,
        standard("za.idnr"),
        "south african, identity number",
        at=_LONG,
    ),
    Pattern(
        "MY_NRIC",
        rf"[0-9]{{2}}{_MONTH_DAY}-[0-9]{{2}}-[0-9]{{4}}",
        STRONG,
        standard("my.nric"),
        "nric, mykad, kad pengenalan",
        at=_LONG,
    ),
    Pattern("ID_NIK", r"[1-9][0-9]{15}", WEAK, standard("id.nik"), "nik, ktp", at=_LONG),
    Pattern("PK_CNIC", r"[1-7][0-9]{4}-[0-9]{7}-[0-9]", STRONG, standard("pk.cnic"), "cnic, nadra", at=_LONG),
    Pattern(
        "KR_BRN",
        r"[0-9]{3}-[0-9]{2}-[0-9]{5}",
        STRONG,
        standard("kr.brn"),
        "brn, business registration",
        at=_LONG,
    ),
    Pattern(
        "CN_USCC",
        r"[0-9A-HJ-NP-RTUW-Y]{2}[0-9]{6}[0-9A-HJ-NP-RTUW-Y]{10}",
        STRONG,
        standard("cn.uscc"),
        "uscc, credit code",
        at=("number", "code"),
    ),
    # Latin America
    Pattern(
        "CO_NIT", r"[0-9]{3}\.?[0-9]{3}\.?[0-9]{3}-[0-9]", STRONG, standard("co.nit"), "nit, rut", at=_LONG
    ),
    Pattern("EC_CI", r"[0-2][0-9]{9}", WEAK, standard("ec.ci"), "cedula, ci", at=_LONG),
    Pattern("VE_RIF", r"[VEJPG]-?[0-9]{8}-?[0-9]", STRONG, standard("ve.rif"), "rif", at=_CODE),
    Pattern("DO_CEDULA", r"[0-9]{3}-[0-9]{7}-[0-9]", STRONG, standard("do.cedula"), "cedula", at=_LONG),
    Pattern("UY_RUT", r"[0-2][0-9]{11}", WEAK, standard("uy.rut"), "rut", at=_LONG),
    Pattern("PY_RUC", r"[0-9]{5,8}-[0-9]", FAIR, standard("py.ruc"), "ruc", at=_LONG),
    Pattern("BR_CPF", r"[0-9]{3}\.[0-9]{3}\.[0-9]{3}-[0-9]{2}", STRONG, standard("br.cpf"), "cpf", at=_LONG),
    Pattern("BR_CPF", r"[0-9]{11}", WEAK, standard("br.cpf"), "cpf", at=_LONG),
    Pattern(
        "BR_CNPJ",
        r"[0-9]{2}\.[0-9]{3}\.[0-9]{3}/[0-9]{4}-[0-9]{2}",
        STRONG,
        standard("br.cnpj"),
        "cnpj",
        at=_LONG,
    ),
    Pattern(
        "MX_CURP",
        rf"[A-Z]{{4}}[0-9]{{2}}{_MONTH_DAY}[HMX][A-Z]{{5}}[0-9A-Z][0-9]",
        STRONG,
        standard("mx.curp"),
        "curp",
        at=_CODE,
    ),
    Pattern(
        "MX_RFC",
        rf"[A-Z]{{3,4}}[0-9]{{2}}{_MONTH_DAY}[0-9A-Z]{{3}}",
        FAIR,
        standard("mx.rfc"),
        "rfc",
        at=_CODE,
    ),
    Pattern("AR_CUIT", r"[0-9]{2}-[0-9]{8}-[0-9]", STRONG, standard("ar.cuit"), "cuit, cuil", at=_LONG),
    Pattern(
        "CL_RUT",
        r"[0-9]{1,2}\.[0-9]{3}\.[0-9]{3}-[0-9Kk]|[0-9]{7,8}-[0-9Kk]",
        FAIR,
        standard("cl.rut"),
        "rut, run",
        at=_LONG,
    ),
)
