"""Rows of numbers that python-stdnum, Presidio or Google's DLP know beside those of the other tables.

Most are plain digits with a weak check, so that they need a word beside them.
"""

from __future__ import annotations

from efface.finders.patterns import checks
from efface.finders.patterns.checks import standard
from efface.finders.patterns.row import BARE, STRONG, WEAK, Pattern

_LONG, _CODE = ("long",), ("code",)
_BANK_LABEL = r"(?<![A-Za-z])(?:BIC|SWIFT|Swift|bic|swift)(?:[\s/-](?:BIC|SWIFT|[Cc]ode))?(?:\s|\s?[:=]\s?)"

MORE_STATES: tuple[Pattern, ...] = (
    Pattern(
        "SWIFT_CODE",
        r"[A-Z]{6}[0-9A-Z]{2}(?:[0-9A-Z]{3})?",
        STRONG,
        standard("bic"),
        label=_BANK_LABEL,
        at=("bank code",),
    ),
    # Europe
    Pattern("BG_PNF", r"[0-9]{10}", BARE, standard("bg.pnf"), "lnch, lnc, foreigner number", at=_LONG),
    Pattern(
        "LV_PERSONAS_KODS",
        r"(?:0[1-9]|[12][0-9]|3[01])(?:0[1-9]|1[0-2])[0-9]{2}-?[012][0-9]{4}",
        BARE,
        standard("lv.pvn"),
        "personas kods, personas",
        at=_LONG,
    ),
    Pattern(
        "FR_NIF",
        r"[0-3][0-9]\s?[0-9]{2}\s?[0-9]{3}\s?[0-9]{3}\s?[0-9]{3}",
        WEAK,
        standard("fr.nif"),
        "numero fiscal, spi, impots",
        at=_LONG,
    ),
    Pattern("FR_CNI", r"[0-9]{12}", BARE, context="cni, carte identite, identite", at=_LONG),
    Pattern(
        "DE_TAX_NUMBER",
        r"[0-9]{2,3}/[0-9]{3,4}/[0-9]{4,5}",
        WEAK,
        standard("de.stnr"),
        "steuernummer, finanzamt",
        at=("number", "long"),
    ),
    Pattern(
        "NL_ID_DOCUMENT",
        r"[A-NP-Z]{2}[0-9A-NP-Z]{6}[0-9]",
        BARE,
        context="paspoort, paspoortnummer, identiteitskaart, documentnummer, passport",
        at=_CODE,
    ),
    Pattern("UK_UPN", r"[A-HJ-NP-RT-Z][0-9]{12}", STRONG, standard("gb.upn"), "upn, pupil", at=_CODE),
    Pattern("TR_VKN", r"[0-9]{10}", BARE, standard("tr.vkn"), "vergi, vkn", at=_LONG),
    Pattern(
        "ES_CCC",
        r"[0-9]{4}[\s-]?[0-9]{4}[\s-]?[0-9]{2}[\s-]?[0-9]{10}",
        WEAK,
        standard("es.ccc"),
        "ccc, cuenta",
        at=_LONG,
    ),
    Pattern(
        "NO_BANK_ACCOUNT",
        r"[0-9]{4}\.?[0-9]{2}\.?[0-9]{5}",
        BARE,
        standard("no.kontonr"),
        "konto, kontonummer, kontonr",
        at=_LONG,
    ),
    # The rest of the world
    Pattern("HK_ID", r"[A-Z]{1,2}[0-9]{6}\([0-9A]\)", STRONG, checks.hong_kong_id, "hkid", at=_CODE),
    Pattern("TW_ID", r"[A-Z][1289][0-9]{8}", STRONG, checks.taiwan_id, "taiwan, national id", at=_CODE),
    Pattern("PE_CUI", r"[0-9]{8}-?[0-9A-K]", BARE, standard("pe.cui"), "dni, cui", at=_LONG),
    Pattern("CU_NI", r"[0-9]{11}", BARE, standard("cu.ni"), "carne, identidad", at=_LONG),
    Pattern(
        "CA_BC_PHN",
        r"9[0-9]{3}[\s-]?[0-9]{3}[\s-]?[0-9]{3}",
        BARE,
        standard("ca.bc_phn"),
        "phn, health number",
        at=_LONG,
    ),
    Pattern("MU_NID", r"[A-Z][0-9]{12}[0-9A-Z]", STRONG, standard("mu.nid"), "nid, mauritius", at=_CODE),
    Pattern("US_ATIN", r"9[0-9]{2}-93-[0-9]{4}", BARE, standard("us.atin"), "atin, adoption", at=_LONG),
    Pattern("NZ_NHI", r"[A-HJ-NP-Z]{3}[0-9]{4}", BARE, context="nhi, health index", at=_CODE),
    Pattern("KE_PIN", r"[AP][0-9]{9}[A-Z]", BARE, context="kra, pin", at=_CODE),
)
