"""The words beside numbers in other languages than English, and in other scripts than Latin.

They are written here as people write them, in small letters. `seen` gives the form that patterns compare: accents and
look-alike letters of other scripts are folded in the text that patterns see, so "паспорт" is "nacnopt" there.
"""

from __future__ import annotations

from efface.finders.patterns.normalized_text import view

PHONE = (
    "телефон, телефона, телефону, тел, моб, мобильный, мобильного, факс, звонить, звоните, позвоните, телефони, мобільний, "
    "τηλέφωνο, τηλ, κινητό, φαξ, هاتف, الهاتف, جوال, الجوال, موبايل, الموبايل, تلفون, فاكس, טלפון, נייד, פקס, "
    "电话, 电话号码, 手机, 手机号, 手机号码, 联系电话, 電話, 電話番号, 携帯, 携帯電話, 手機, 전화, 전화번호, 휴대폰, 연락처, "
    "telefonu, komórka, telefonní, telefonszám, puhelinnumero, telefonnummer, telefoonnummer, faks"
)
PASSPORT = (
    "паспорт, паспорта, паспорту, загранпаспорт, загранпаспорта, διαβατήριο, διαβατηρίου, جواز, الجواز, דרכון, "
    "护照, 护照号, 护照号码, 護照, 旅券, 旅券番号, パスポート, 여권, 여권번호, "
    "passport, reisepass, reisepassnummer, passnummer, pass nr, passeport, pasaporte, passaporto, passaporte, paspoort, "
    "paspoortnummer, pasnummer, pas nr, passinumero, passin, pasaport, paszport, paszportu, pasu, útlevél, pașaport, "
    "dowód, dowodu, igazolvány, občanský, buletin"
)
ID = (
    "номер, счёт, счет, счёта, счета, полис, полиса, удостоверение, инн, снилс, договор, карта, карты, "
    "αριθμός, ταυτότητα, ταυτότητας, αφμ, αμκα, λογαριασμός, رقم, الهوية, هوية, حساب, الحساب, "
    "号码, 身份证, 身份证号, 身份证号码, 账号, 番号, 口座番号, 주민등록번호, 계좌번호, זהות, חשבון, "
    "allocataire, matricule, sécu, dossiernummer, kvk, kv k, koophandel, nip, kassenzeichen, sygesikring, cédula, dni, "
    "beneficiário, adhérent, abonné, bsnr, lanr, sozialversicherung"
)
# The file of a court or an office.
FILE = (
    "aktenzeichen, az, geschäftszeichen, gz, expediente, procedimiento, pratica, procedimento, ricorso, rg, dossier, "
    "dossiernummer, zaaknummer, kenmerk, rolnummer, processo, sagsnummer, sagsnr, journalnummer, målnummer, "
    "ärendenummer, diarienummer, saksnummer, diaarinumero, asianumero, esas, dosya, dosyası, spis, sygn"
)
# An account at a bank.
ACCOUNT = (
    "konto, kontonummer, kontonr, compte, rib, cuenta, conto, rekening, rekeningnummer, conta, nib, tilinumero, tili, hesap, "
    "bankgiro, plusgiro, clearingnummer, счёт, счет, счёта, счета, λογαριασμός, حساب, الحساب"
)
# A number of some kind in groups of digits.
GROUPED = (
    "utente, allocataire, kassenzeichen, kundennummer, versichertennummer, mitgliedsnummer, utilizador, beneficiário, "
    "beneficiario, socio, sócio, adhérent, afiliación, abonado, klantnummer, lidnummer, asiakasnumero, medlemsnummer, pis, pasep"
)
PLATE = (
    "kjennemerke, registreringsnummer, regnr, reg nr, rekisterinumero, rekisteritunnus, plaka, plakalı, plakası, nummerplade, "
    "registreringsskylt, tablica, spz, госномер, πινακίδα"
)


def seen(terms: str) -> frozenset[str]:
    """The terms, with commas between, as they look in the text that patterns see."""
    listed = (term.strip() for term in terms.split(", "))
    return frozenset(view(term, 0, len(term)).text.lower() for term in listed if term)
