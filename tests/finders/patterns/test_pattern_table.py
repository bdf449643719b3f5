"""Every type of the pattern finder: what it must find, what it must leave alone, what lowers a score."""

from __future__ import annotations

import re

import pytest

from efface.core import Mention
from efface.errors import UsageError
from efface.finders.patterns.finder import LONGEST, PATTERNS, TYPES, PatternFinder
from efface.finders.patterns.row import RECALL_THRESHOLD, THRESHOLD, TRIGGERS

BITCOIN = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2"
JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N"
PEM = "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA75\n+x/aa==\n-----END RSA PRIVATE KEY-----"

# (type, what stands before, the value, what stands after)
FOUND = [
    ("ID_NUMBER", "SSN xxx-xx-", "4423", "."),
    ("ID_NUMBER", "number: xxx - xx- ", "4423", " OR"),
    ("ID_NUMBER", "SSN ***-**-", "4423", ","),
    ("ID_NUMBER", "paid by •••• ", "4423", "."),
    ("ID_NUMBER", "card xxxx xxxx xxxx ", "4423", "\n"),
    ("ID_NUMBER", "His SSN ends with ", "4423", "."),
    ("ID_NUMBER", "the last 4 digits of your Social Security number: ", "4423", "."),
    ("ID_NUMBER", "last four of my social: ", "4423", " thanks"),
    ("ID_NUMBER", "the last 4 digits of the card ", "4423", "."),
    ("ID_NUMBER", "ORCID: ", "0000-0002-1825-0097", "."),
    ("ID_NUMBER", "ISNI ", "0000-0002-1694-233X", ","),
    ("PHONE_NUMBER", "on call, bleep ", "2210", "."),
    ("PHONE_NUMBER", "or Ext. ", "4472", "."),
    ("ID_NUMBER", "PNC ID: ", "01/0123456X", " "),
    ("ID_NUMBER", "CRO: ", "12345/01A", "."),
    ("ID_NUMBER", "Chip: ", "977200009123456", "\n"),
    ("ID_NUMBER", "now in HMP Altcourse (", "A4471CK", ")"),
    ("VEHICLE_ID", "a silver Corsa ", "MK17 XYZ", "."),
    ("DATE_TIME", "he can't do ", "thurs 14th", " so"),
    ("DATE_TIME", "see you ", "Tuesday the 3rd", "."),
    ("ID_NUMBER", "collar number ", "4417", "."),
    ("ID_NUMBER", "Your claim ", "4471-2209", " about the accident"),
    ("ID_NUMBER", "Case ", "17/4482", " is listed"),
    ("ID_NUMBER", "Policy ", "HM-20931-77", " lapsed"),
    ("ID_NUMBER", "the incident ", "20931", " was closed"),
    ("ID_NUMBER", "ticket ", "TCK22917", ","),
    ("ID_NUMBER", "ticket #", "88123", " opened"),
    ("ID_NUMBER", "on 26/09, consignment ", "MH00417725GB", ", signed"),
    ("ID_NUMBER", "provider no ", "4412907B", "\n"),
    ("ID_NUMBER", "the knife, exhibit ", "RF/1", "."),
    ("ID_NUMBER", "account ending ", "4471", " at"),
    ("ID_NUMBER", "Badge no. ", "77", ")"),
    ("ID_NUMBER", "Shoulder number: ", "2290", " was seen"),
    ("ID_NUMBER", "Badge: ", "218", "\n"),
    ("ID_NUMBER", "Crime ref ", "42/118834/24", "\n"),
    ("ID_NUMBER", "Policy ", "HX 4421 9908 T", "\n"),
    ("ID_NUMBER", "Our ref: ", "JR/KL/44871-3", "."),
    ("ID_NUMBER", "Your ref: ", "TBC/0092", "."),
    ("VEHICLE_ID", "a silver Astra, index ", "YK09 OBM", "."),
    ("USERNAME", "username on SIMS: ", "sday09", ","),
    ("ISIN", "its isin is ", "US0378331005", "."),
    ("LEI", "lei: ", "4YDSCMVT49H49565GR33", "."),
    ("CUSIP", "cusip: ", "037833100", "."),
    ("ES_CIF", "CIF ", "B65097032", "."),
    ("PT_CC", "CC: ", "052122473TG1", "."),
    ("FR_SIRET", "SIRET ", "736 987 736 16993", "."),
    ("FR_SIREN", "SIREN: ", "925 085 581", "."),
    ("IS_KENNITALA", "kennitala: ", "161136-3010", "."),
    ("SI_EMSO", "EMSO ", "3105962368490", "."),
    ("RU_INN", "inn: ", "4304908465", "."),
    ("UA_RNTRC", "rntrc: ", "6274235532", "."),
    ("UK_UTR", "UTR: ", "1992843749", "."),
    ("MY_NRIC", "MyKad ", "311231-39-2992", "."),
    ("ID_NIK", "NIK: ", "3523861903177264", "."),
    ("PK_CNIC", "CNIC ", "17614-9068834-5", "."),
    ("KR_BRN", "brn: ", "600-56-84450", "."),
    ("CN_USCC", "uscc: ", "35048614REQTJM7FY1", "."),
    ("CO_NIT", "NIT ", "365681012-4", "."),
    ("EC_CI", "cedula: ", "2442001646", "."),
    ("VE_RIF", "RIF: ", "V83467748-9", "."),
    ("DO_CEDULA", "cedula: ", "846-9678597-5", "."),
    ("UY_RUT", "RUT: ", "056728930019", "."),
    ("PY_RUC", "RUC: ", "62658-9", "."),
    ("EMAIL_ADDRESS", "write to <", "john.o'neil+x@mail.example.co.uk", ">."),
    ("EMAIL_ADDRESS", "-", "_a@b.io", ", please"),
    ("EMAIL_ADDRESS", "to ", "jürgen@müller.example.de", " today"),
    ("EMAIL_ADDRESS", "to ", "почта@пример.рф", " today"),
    ("EMAIL_ADDRESS", "is ", "root@[192.168.0.1]", ""),
    ("EMAIL_ADDRESS", "my email is ", "bob@localhost", ""),
    ("EMAIL_ADDRESS", "ask ", "jane (at) example (dot) org", " now"),
    ("EMAIL_ADDRESS", "邮箱", "zhang@qq.com", "。"),
    ("USERNAME", "thanks ", "@jane_doe", "!"),
    ("USERNAME", "/cc ", "@bob-builder", " now"),
    ("USERNAME", "username: ", "jdoe", "\n"),
    ("USERNAME", '{"user": "', "jane", '"}'),
    ("USERNAME", "my login is ", "jane_77", ", right?"),
    ("URL", "see ", "https://example.org/a?b=c#d", ")."),
    ("URL", "see ", "www.example.com/x", ", or"),
    ("URL", "at ", "sub.example.com", "."),
    ("URL", "at ", "news.example.co.uk/path", " "),
    ("URL", "at ", "example.de", " now"),
    ("URL", '"', "ftp://u:p@host/dir", '"'),
    ("IP_ADDRESS", "from ", "192.168.10.254", "."),
    ("IP_ADDRESS", "from ", "10.0.0.0/8", ", and"),
    ("IP_ADDRESS", "[", "2001:db8::8a2e:370:7334", "]:80"),
    ("IP_ADDRESS", "at ", "fe80:0:0:0:1:2:3:4", ""),
    ("IP_ADDRESS", "at ", "::ffff:10.0.0.1", ""),
    ("MAC_ADDRESS", "nic ", "00:1A:2b:3C:4d:5E", ","),
    ("MAC_ADDRESS", "nic ", "AA-BB-CC-DD-EE-FF", ","),
    ("MAC_ADDRESS", "nic ", "001a.2b3c.4d5e", ","),
    ("UUID", "id=", "abcdefab-cdef-4abc-8def-abcdefabcdef", ";"),
    ("FILE_PATH", "in ", "/home/jane/notes.txt", "."),
    ("FILE_PATH", "in ", "~/notes/today", " now"),
    ("FILE_PATH", "in ", r"C:\Users\Jane Doe\My Files\a.docx", " now"),
    ("FILE_PATH", "in ", r"\\server\share\jane", " now"),
    ("SECRET", "key ", "AKIAIOSFODNN7EXAMPLE", "."),
    ("SECRET", "use ", "ghp_" + "a1B2" * 9, " now"),
    ("SECRET", "use ", "xoxb-1234567890-abcdef", " now"),
    ("SECRET", "use ", "AIza" + "Sy-_9" * 7, " now"),
    ("SECRET", "use ", "sk_live_9aZ8yB7xC6wD5vE4uF3t", " now"),
    ("SECRET", "Authorization: Bearer ", JWT, "\n"),
    ("SECRET", "", PEM, "\n"),
    ("SECRET", "password = ", "hunter", "\n"),
    ("SECRET", "the password is ", "Tr0ub4dor&3", ","),
    ("SECRET", 'api_key: "', "9f8e7d6c5b4a", '"'),
    ("SECRET", "PIN: ", "4711", "."),
    ("CREDIT_CARD", "card ", "4111 1111 1111 1111", "."),
    ("CREDIT_CARD", "paid with ", "5500-0055-5555-5559", "."),
    ("CREDIT_CARD", "paid with ", "378282246310005", "."),
    ("CREDIT_CARD", "paid with ", "3056 930902 5904", "."),
    ("CREDIT_CARD", "paid with ", "4222222222222", "."),
    ("IBAN_CODE", "to ", "GB82 WEST 1234 5698 7654 32", " PAID"),
    ("IBAN_CODE", "to ", "BE68 5390 0754 7034", " PAID"),
    ("IBAN_CODE", "to ", "de89370400440532013000", "."),
    ("CRYPTO", "send to ", BITCOIN, "."),
    ("CRYPTO", "send to ", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", "."),
    ("CRYPTO", "send to ", "0x52908400098527886E0F7030069857D2E4169EE7", "."),
    ("PHONE_NUMBER", "on ", "+44 (0)20 7946 0958", "."),
    ("PHONE_NUMBER", "on ", "(212) 555-0123", "."),
    ("PHONE_NUMBER", "on ", "212.555.0123 x45", "."),
    ("PHONE_NUMBER", "on ", "020 7946 0958", "."),
    ("PHONE_NUMBER", "on ", "01 42 68 53 00", "."),
    ("PHONE_NUMBER", "please call ", "785 8949", ""),
    ("PHONE_NUMBER", "tel. ", "(+44) 61 275 6011", ""),
    ("DATE_TIME", "on ", "2019-03-12", "."),
    ("DATE_TIME", "on ", "2019-03-12T10:15:30+01:00", "."),
    ("DATE_TIME", "on ", "12/03/2019", "."),
    ("DATE_TIME", "on ", "3/4/19", "."),
    ("DATE_TIME", "am ", "03.03.2019", "."),
    ("DATE_TIME", "on ", "3 March 2019", "."),
    ("DATE_TIME", "on the ", "3rd of March 2019", "."),
    ("DATE_TIME", "on ", "March 3rd, 2019", "."),
    ("DATE_TIME", "on ", "March 3", "."),
    ("DATE_TIME", "in ", "March 2019", "."),
    ("DATE_TIME", "on ", "Monday, 4 March 2019 at 9:30 a.m.", ""),
    ("DATE_TIME", "Date: ", "Mon, 4 Mar 2019 09:30:01 +0000", ""),
    ("DATE_TIME", "le ", "1er février 2019", "."),
    ("DATE_TIME", "am ", "3. März 2019", "."),
    ("DATE_TIME", "el ", "3 de marzo de 2019", "."),
    ("DATE_TIME", "on ", "03-MAR-19", "."),
    ("DATE_TIME", "at ", "14:30", "."),
    ("DATE_TIME", "at ", "3pm", "."),
    ("DATE_TIME", "at ", "10.30 p.m.", ""),
    ("DATE_TIME", "in ", "1999", ", he"),
    ("DATE_TIME", "in ", "03/2019", "."),
    ("DATE_TIME", "in the ", "1990s", "."),
    ("DATE_TIME", "file ", "20190312", "."),
    ("AGE", "aged ", "47", ","),
    ("AGE", "Age: ", "47", "\n"),
    ("AGE", "at the age of ", "7", "."),
    ("AGE", "a ", "47", "-year-old man"),
    ("AGE", "he is ", "47", " years old"),
    ("AGE", "a ", "47", " y/o male"),
    ("AGE", "a ", "47yo", " male"),
    ("AGE", "a ", "6", "-month-old"),
    ("GEO_COORDINATE", "at ", "-33.86880, 151.20930", "."),
    ("GEO_COORDINATE", "at ", "40°26′46″N 79°58′56″W", "."),
    ("GEO_COORDINATE", "latitude ", "48.85", " degrees"),
    ("POSTCODE", "London ", "SW1A 1AA", "."),
    ("POSTCODE", "Ottawa ", "K1A 0B1", "."),
    ("POSTCODE", "Boston, MA ", "02134", "."),
    ("POSTCODE", "zip ", "90210-1234", "."),
    ("POSTCODE", "postal code ", "75008", "."),
    ("VEHICLE_ID", "", "1M8GDM9AXKP042788", "."),
    ("VEHICLE_ID", "with the number plate ", "AB12 CDE", "."),
    ("MEDICAL_RECORD", "MRN: ", "12345", "."),
    ("MEDICAL_RECORD", "medical record no. ", "A-123456", "."),
    ("CASE_NUMBER", "application (no. ", "18403/91", ")"),
    ("CASE_NUMBER", "applications nos. 1234/05 and ", "5/06", ")"),
    ("CASE_NUMBER", "in ", "1:19-cv-01234", ","),
    ("CASE_NUMBER", "Case ", "C-131/12", ","),
    ("IMEI", "device ", "490154203237518", "."),
    ("ID_NUMBER", "the serial number says ", "123456789012", " there"),
    ("ID_NUMBER", "customer no. ", "55123", "."),
    ("ID_NUMBER", "badge id ", "XK-2931-AA", "."),
    ("US_SSN", "his is ", "078-05-1120", "."),
    ("US_SSN", "social security number ", "078051120", "."),
    ("US_ITIN", "", "994-75-8073", "."),
    ("US_EIN", "", "02-1573681", "."),
    ("US_PASSPORT", "passport ", "A12345678", "."),
    ("US_DRIVER_LICENSE", "my driver's license number is ", "a56319335", ""),
    ("US_BANK_NUMBER", "checking account ", "12345678", "."),
    ("ABA_ROUTING_NUMBER", "", "129972200", "."),
    ("US_NPI", "", "1234567893", "."),
    ("US_MBI", "", "1EG4-TE5-MK73", "."),
    ("MEDICAL_LICENSE", "DEA ", "AB1234563", "."),
    ("UK_NHS", "", "762 168 2752", "."),
    ("UK_NINO", "", "AB 12 34 56 C", "."),
    ("UK_DRIVING_LICENCE", "", "MORGA657054SM9IJ", "."),
    ("UK_PASSPORT", "passport ", "AB1234567", "."),
    ("IE_PPS", "", "1748885C", "."),
    ("DE_TAX_ID", "", "57 652 804 392", "."),
    ("DE_SOCIAL_SECURITY", "", "15 070649 C 103", "."),
    ("DE_ID_CARD", "Personalausweis ", "L01X00T471", "."),
    ("DE_PASSPORT", "Reisepass ", "C01X00T478", "."),
    ("AT_SVNR", "", "1181 010180", "."),
    ("CH_AHV", "", "756.9518.8105.47", "."),
    ("FR_NIR", "", "2 55 08 14 168 025 38", "."),
    ("NL_BSN", "", "317143438", "."),
    ("BE_NATIONAL_NUMBER", "", "85.07.30-039.22", "."),
    ("ES_NIF", "", "07841053P", "."),
    ("ES_NIE", "", "X0041222Y", "."),
    ("PT_NIF", "", "432124241", "."),
    ("IT_FISCAL_CODE", "", "RCCMNL83S18D969H", "."),
    ("IT_VAT_CODE", "", "04042900037", "."),
    ("IT_IDENTITY_CARD", "carta identita ", "CA12345AB", "."),
    ("IT_DRIVER_LICENSE", "patente ", "MI1234567X", "."),
    ("IT_PASSPORT", "passaporto ", "YA1234567", "."),
    ("SE_PERSONNUMMER", "", "811228-0501", "."),
    ("SE_ORGANISATIONSNUMMER", "", "554908-5636", "."),
    ("FI_PERSONAL_IDENTITY_CODE", "", "131052-078C", "."),
    ("DK_CPR", "", "211062-2749", "."),
    ("NO_FODSELSNUMMER", "", "15108627392", "."),
    ("PL_PESEL", "", "44051486365", "."),
    ("CZ_RC", "", "710319/9587", "."),
    ("CZ_RC", "rodné číslo ", "7103199587", "."),
    ("RU_SNILS", "", "112-233-445 95", "."),
    ("RU_SNILS", "SNILS ", "11223344595", "."),
    ("RO_CNP", "", "1630615127219", "."),
    ("BG_EGN", "", "7523168544", "."),
    ("EE_IK", "", "36805214176", "."),
    ("LT_ASMENS_KODAS", "", "33309072802", "."),
    ("HR_OIB", "", "89668547067", "."),
    ("GR_AMKA", "", "01013969975", "."),
    ("TR_NATIONAL_ID", "", "34778898880", "."),
    ("EU_VAT", "", "DE 603648570", "."),
    ("EU_VAT", "", "ATU13585627", "."),
    ("EU_VAT", "", "NL004495445B01", "."),
    ("AU_TFN", "", "611 014 609", "."),
    ("AU_ABN", "", "38 958 572 086", "."),
    ("AU_ACN", "", "417 725 449", "."),
    ("AU_MEDICARE", "", "2123 45670 1", "."),
    ("NZ_IRD", "", "74-816-460", "."),
    ("CA_SIN", "", "452-757-735", "."),
    ("IN_PAN", "", "GODPU8460F", "."),
    ("IN_AADHAAR", "", "4245 9387 9614", "."),
    ("IN_GSTIN", "", "27UMQPE0299K1Z0", "."),
    ("IN_VOTER", "", "AXT6613202", "."),
    ("IN_PASSPORT", "passport ", "J8369854", "."),
    ("SG_NRIC_FIN", "", "S1234567D", "."),
    ("SG_UEN", "", "41582390X", "."),
    ("CN_RIC", "", "110108194901017353", "."),
    ("JP_MY_NUMBER", "", "516855981463", "."),
    ("KR_RRN", "", "971013-9025212", "."),
    ("TH_TNIN", "", "8-7991-12118-67-1", "."),
    ("IL_ID", "", "126970573", "."),
    ("ZA_ID_NUMBER", "", "7503305044089", "."),
    ("BR_CPF", "", "394.654.568-88", "."),
    ("BR_CNPJ", "", "52.123.253/0001-56", "."),
    ("MX_CURP", "", "BOXW310820HNERXN83", "."),
    ("MX_RFC", "", "GODE561231GR8", "."),
    ("AR_CUIT", "", "20-44923635-2", "."),
    ("CL_RUT", "", "95.148.639-6", "."),
    ("ES_NSS", "", "28 12345678 40", "."),
    ("STREET_ADDRESS", "slipped at the Golden Lion, ", "3 Station Approach", ". He saw it."),
    ("STREET_ADDRESS", "lives at ", "14b St. Mary's Road", " with her"),
    ("STREET_ADDRESS", "", "1600 Old Mill Lane", ", Dover"),
    ("STREET_ADDRESS", "to ", "7-9 Elm Park Gardens", " today"),
    ("STREET_ADDRESS", "at ", "22 Albert Court", ", Leeds"),
    ("STREET_ADDRESS", "", "742 Evergreen Dr", ".\n"),
    ("VEHICLE_ID", "a silver Corsa, reg ", "PO12 KLM", ". I saw"),
    ("VEHICLE_ID", "his car (", "AB64 XYZ", ") was"),
    ("VEHICLE_ID", "his car reg ", "AB64XYZ", " was"),
    ("STREET_ADDRESS", "wohnhaft ", "Am Alten Markt 5", ", 24103 Auental"),
    ("STREET_ADDRESS", "", "Hinter der Kirche 3a", "\n60313 Ulm"),
    ("UK_NINO", "NI ", "QQ 12 34 56 C", ", sort"),
    ("ID_NUMBER", "sort code ", "20-00-00", " a/c 5577"),
    ("ID_NUMBER", "a/c ", "55779911", "."),
    ("ID_NUMBER", "Policy: ", "HX/2231/9", "\n"),
    ("ID_NUMBER", "(see file ", "TM/2019/07", ")"),
    ("STREET_ADDRESS", "wohnhaft ", "Lindenallee 12a", " in Ulm"),
    ("STREET_ADDRESS", "", "Hugstetter Straße 55", ", 79106"),
    ("STREET_ADDRESS", "Innere Medizin\n", "Hugstetter Straße 55", "\n79106"),
    ("STREET_ADDRESS", "", "Konrad-Adenauer-Ring 8", ", 60313"),
    ("STREET_ADDRESS", "habite ", "7 allée des Tilleuls", " à Lyon"),
    ("STREET_ADDRESS", "", "18 bis, rue des Petits-Champs", ", 75002"),
    ("STREET_ADDRESS", "", "Calle de Alcalá, 48, 3.º izquierda", ", 28014"),
    ("STREET_ADDRESS", "en la ", "avenida de la Constitución,\n15, 2.º B", ", 41001"),
    ("STREET_ADDRESS", "", "Via Garibaldi 24", ", 20121"),
    ("STREET_ADDRESS", "residente in ", "via Roma 12", "."),
    ("STREET_ADDRESS", "in ", "Corso Vittorio Emanuele II n. 8", ", 10123"),
    ("STREET_ADDRESS", "", "Prinsengracht 263", ", 1016"),
    ("STREET_ADDRESS", "aan de ", "Kerkstraat 14-bis", ", 3581"),
    ("STREET_ADDRESS", "", "Rua Augusta, 128, 2.º Esq.", ", 1100"),
    ("STREET_ADDRESS", "na ", "Avenida da Liberdade, n.º 245", ", 4000"),
    ("STREET_ADDRESS", "", "Drottninggatan 12 B", ", Uppsala"),
    ("POSTCODE", ", ", "1016 GV", " Amsterdam"),
    ("POSTCODE", ", ", "4000-123", " Porto"),
    ("VEHICLE_ID", "voiture ", "AB-123-CD", "."),
    ("VEHICLE_ID", "Kenteken ", "12-ABC-3", "."),
    ("PHONE_NUMBER", "pelo ", "912 345 678", " ou"),
    ("PHONE_NUMBER", "en el ", "612 345 678", " y"),
    ("DATE_TIME", "vom ", "2. bis zum 9. Februar 2024", " in"),
    ("DATE_TIME", "du ", "3 au 5 mai 2021", "."),
    ("DATE_TIME", "del ", "3 al 5 de mayo de 2021", "."),
    ("DATE_TIME", "van ", "3 tot 5 mei 2021", "."),
    ("DATE_TIME", "from ", "2 to 9 February 2024", "."),
    ("DATE_TIME", "seit dem ", "Sommer 1998", " bei"),
    ("DATE_TIME", "en ", "otoño de 1998", ","),
    ("SWIFT_CODE", "BIC: ", "DEUTDEFF", "."),
    ("SWIFT_CODE", "SWIFT/BIC ", "COBADEFFXXX", "."),
    ("BG_PNF", "lnch ", "7151620466", "."),
    ("LV_PERSONAS_KODS", "personas kods ", "160479-20784", "."),
    ("FR_NIF", "numero fiscal ", "3109 339543 100", "."),
    ("FR_CNI", "CNI ", "982597919074", "."),
    ("DE_TAX_NUMBER", "Steuernummer ", "37/6232/01290", "."),
    ("NL_ID_DOCUMENT", "paspoort ", "TSNV40VG8", "."),
    ("UK_UPN", "", "U860843249145", "."),
    ("TR_VKN", "vergi ", "2734646869", "."),
    ("ES_CCC", "ccc ", "6318415518-9833505367", "."),
    ("NO_BANK_ACCOUNT", "konto ", "31814296043", "."),
    ("HK_ID", "", "A123456(3)", "."),
    ("TW_ID", "", "A123456789", "."),
    ("PE_CUI", "dni ", "94411771-2", "."),
    ("CU_NI", "carne ", "83040119803", "."),
    ("CA_BC_PHN", "phn ", "9772675 360", "."),
    ("MU_NID", "", "C1310288982186", "."),
    ("US_ATIN", "atin ", "998-93-5979", "."),
    ("NZ_NHI", "nhi ", "UTE9791", "."),
    ("KE_PIN", "kra ", "A597919074R", "."),
    ("DATE_TIME", "DOB ", "19.v.84", "."),
    ("DATE_TIME", "seen ", "19.v.1984", "."),
    ("DATE_TIME", "on ", "3-XII-2001", ","),
    ("DATE_TIME", "was born in ", "nineteen fifty-eight", " in Hull"),
    ("DATE_TIME", "It was ", "nineteen eighty-four", ", I think"),
    ("DATE_TIME", "Since ", "two thousand and three", " he has"),
    ("DATE_TIME", "in ", "twenty nineteen", "."),
    ("DATE_TIME", "born ", "nineteen hundred and two", "."),
    ("DATE_TIME", "in ", "nineteen oh-five", "."),
    ("DATE_TIME", "born the ", "4th of the 7th, 1962", "."),
    ("DATE_TIME", "her birthday, the ", "4th of the 7th", ", is"),
    ("USERNAME", "login failed for ", "nerys.widdicombe", "\n"),
    ("USERNAME", "Logon denied for user ", "tlowe86", "."),
    ("USERNAME", "Authentication failure for ", "tlowe", " from 10.0.0.1"),
    ("USERNAME", "session opened for user ", "tlowe86", " by nwiddicombe"),
    ("USERNAME", "session opened for user tlowe86 by ", "nwiddicombe", "(uid=0)"),
    ("USERNAME", "session opened for user root(uid=0) by ", "nwiddicombe", "\n"),
    ("USERNAME", "sshd: Accepted password for ", "tlowe", " from 10.0.0.1 port 22"),
    ("USERNAME", "Failed password for invalid user ", "tlowe", " from 10.0.0.1"),
    ("USERNAME", "su: (to root) ", "tlowe", " on pts/0"),
    ("USERNAME", "su[88]: shell for root by ", "tlowe", "\n"),
    ("USERNAME", "2024-01-03 10:15:02 file removed by ", "nerys.widdicombe", "."),
    ("USERNAME", "WARN quota reached for ", "nerys.widdicombe", " (2 GB)"),
    ("USERNAME", "granted for user ", "t_lowe", "."),
    ("ID_NUMBER", "Dr Widdicombe, GMC ", "6138027", "."),
    ("ID_NUMBER", "GMC reg. no: ", "6138027", ")"),
    ("ID_NUMBER", "NMC PIN ", "98I1234O", "."),
    ("ID_NUMBER", "HCPC ", "PT123456", "."),
    ("ID_NUMBER", "GDC no. ", "81234", "."),
    ("ID_NUMBER", "GPhC ", "2051234", "\n"),
    ("ID_NUMBER", "Custody no. ", "24/3391", "."),
    ("ID_NUMBER", "custody record ", "YE/1234/24", "."),
    ("ID_NUMBER", "S/N ", "RNH482113G", "."),
    ("ID_NUMBER", "S/N: ", "482-113-99", "."),
    ("ID_NUMBER", "paid by BACS to ", "309634 / 01234567", " today"),
    ("ID_NUMBER", "sort code and account: ", "30-96-34 01234567", "."),
    ("MEDICAL_RECORD", "Hospital number: ", "X 123 456", "\n"),
    ("MEDICAL_RECORD", "Hospital No: ", "123 456", "\n"),
    ("ID_NUMBER", "URN ", "01AB0012324", "."),
    ("ID_NUMBER", "URN: ", "01 AB 0012324", "."),
    ("UK_UTR", "UTR ", "1234567890", "."),
    ("UK_UTR", "UTR no: ", "12345 67890", "."),
    ("SECRET", "the password ", "Hunter2!", " was changed"),
    ("SECRET", "Passcode ", "471182", "."),
    ("SECRET", "with pwd ", "blue$kettle", ","),
    ("VEHICLE_ID", "a red Escort, registration ", "M4 TEL", "."),
    ("VEHICLE_ID", "reg ", "A123 BCD", ","),
    ("VEHICLE_ID", "registration ", "ABC 123D", "."),
    ("PHONE_NUMBER", "ask Nerys Widdicombe (x", "2204", ")"),
    ("PHONE_NUMBER", "Nerys Widdicombe, x", "2204", "."),
    ("PHONE_NUMBER", "please ring x", "2204", "."),
    ("PHONE_NUMBER", "Widdicombe (ext.", "2204", ")"),
    ("STREET_ADDRESS", "lives in ", "Apt. 1407", ", near"),
    ("STREET_ADDRESS", "", "Flat 3", ", The Limes"),
    ("STREET_ADDRESS", "moved to ", "Apartment 12B", "."),
    ("STREET_ADDRESS", "at ", "6a Gladstone Tce", ", Leeds"),
    ("STREET_ADDRESS", "at ", "12 Albert Terr", "."),
    ("STREET_ADDRESS", "at ", "9 Park Cres", ","),
]

# (type, a text in which the default finder must not see it)
LEFT_ALONE = [
    (
        "STREET_ADDRESS",
        "a Flat 3% fee, Flat 3.5, Flat 10 mm plate, a flat 3, Adapt 12, Flat 2019 sales, 6 Terrible Terriers",
    ),
    (
        "DATE_TIME",
        "in two thousand and three cases; two thousand and three; twenty two; nineteen men; nineteen hundred men",
    ),
    ("DATE_TIME", "section 3.v.12, the 4th of the 7th row, 4.i.2"),
    ("USERNAME", "login failed for unknown reasons; access denied for security reasons; failed for example"),
    ("USERNAME", "10:15:02 INFO fetched by main.py for example.com; waiting for user input by noon. Done"),
    ("USERNAME", "a session for all; sue: settled by them; written for user groups by e.g. them"),
    (
        "ID_NUMBER",
        "GMC 2019 guidance, a GMC 2500 truck, S/N 12.5 and S/N ratio 300, custody of 24 men, URN 7",
    ),
    ("MEDICAL_RECORD", "the hospital had 123 456 visitors; a patient of 12 000 others"),
    (
        "SECRET",
        "a password reset, password must, password now! password SHA-256, password-protected, passcode 2019",
    ),
    ("SECRET", "your password e-mail, the password manager's, Password policy, password for user1"),
    ("VEHICLE_ID", "the M4 TEL sign, junction A1 THE end"),
    ("PHONE_NUMBER", "Eosin stain (x400), Magnification (x1000), Size x 1200, a 1920 x 1080 screen, x2204"),
    ("STREET_ADDRESS", "Engineering 101, String 5, Brigade 12, Decade 5"),
    (
        "STREET_ADDRESS",
        "seen on 12 May Road works began, 3 Google Drive folders, 5 High Court judges, 9 Circuit Court, 2009",
    ),
    ("STREET_ADDRESS", "Am Montag 5, dann Im Jahr 2015, Am Tag 3 und Im Kapitel 4."),
    (
        "ID_NUMBER",
        "the policy 2019/20, a case 12/03/2020, claim 25,000 or claim 15000% of it, contract AB-12",
    ),
    ("ID_NUMBER", "the file A/B and the policy and/or claim of 24500"),
    ("STREET_ADDRESS", "In 2009 Wall Street fell; see section 4\nHigh Street shops."),
    ("STREET_ADDRESS", "We came via Windows 10 and via Terminal 5."),
    ("STREET_ADDRESS", "Alameda County 1998"),
    ("POSTCODE", "built in 1998 AD Rome"),
    ("DATE_TIME", "his real estate 2001"),
    ("EMAIL_ADDRESS", "5 apples @ 2 euros, a @ b, @home, x@, @x.y"),
    ("EMAIL_ADDRESS", "user@host is how ssh names a machine"),
    ("USERNAME", "the user is visiting; users: see below; me@example.org"),
    ("URL", "e.g. this, i.e. that; end.Next one; version 1.2.3; a.b; node.js"),
    ("IP_ADDRESS", "version 1.2.3; std::vector; 12:30:45; a::b; at :59"),
    ("MAC_ADDRESS", "00:1A:2B:3C:4D and 12-34-56-78-90"),
    ("UUID", "abcdefab-cdef-4abc-8def-abcdefabcde"),
    ("FILE_PATH", "and/or, he/she/they, 1/2/2019, </p>, 3 km/h, TCP/IP"),
    ("SECRET", "the secret: both agreed; key: value; password is required; task-force; token: the"),
    ("CREDIT_CARD", "1234 5678 9012; in 2002 2003 2004; $4,111,111,111"),
    ("CREDIT_CARD", "2002\n2003\n2004\n2005\n"),
    ("IBAN_CODE", "at 12 people were seen there by me; GB82 WEST 1234; DE8937040044053201300"),
    ("CRYPTO", "1BvBMSEYst, 0x52908400098527886E0F7030069857D2E4169EE"),
    ("PHONE_NUMBER", "2019-03-03 10:15; 3.14159265; 10.0.0.1; 1 000 000; 1990-1995; 737-800 jets"),
    ("DATE_TIME", "page 1999; 1999 people; 3 may be; section 3.1.12; 45 march on; ratio 3/4; room 1210"),
    ("DATE_TIME", "1.2.3.4 is none and version 10.2.30 is none"),
    ("AGE", "47 people; page 47; Golden Age\n2.2 Science; age 5%"),
    ("GEO_COORDINATE", "0.25 and 0.75; 3.14, 2.71; 20 °C"),
    ("POSTCODE", "room 90210; SW1A; K1A; A1B2"),
    ("VEHICLE_ID", "AB12 CDE; 1M8GDM9AXKP04278; ABCDEFGHJKLMNPRST"),
    ("MEDICAL_RECORD", "a record 197 nations; the chart of 2017; patient 7"),
    ("CASE_NUMBER", "3/4 of them; 12/12/2019; 2012/12; and/or; 24/7"),
    ("ID_NUMBER", "12345678 of them; 1999; between 1992-1993; A4 paper; $123,456,789"),
    ("US_SSN", "078-05-112, 78-05-1120, 078-051-120, 123456789"),
    ("US_BANK_NUMBER", "12345678 of them"),
    ("UK_NINO", "AB 12 34 56; DA 12 34 56 C"),
    ("ES_NIF", "12345678; 1234567A"),
    ("IN_PAN", "ABCDE1234; ABCDE12345F"),
    ("EU_VAT", "DE12345678; ATU123; IT 1234"),
]

# (type, a value whose check holds, the same shape with a check that fails): hardly anything else looks like these
LOWERED = [
    ("CREDIT_CARD", "4111 1111 1111 1111", "4111 1111 1111 1112"),
    ("IBAN_CODE", "GB82 WEST 1234 5698 7654 32", "GB82 WEST 1234 5698 7654 33"),
    ("US_SSN", "078-05-1120", "078-00-1120"),
    ("US_SSN", "078-05-1120", "666-05-1120"),
    ("UK_NINO", "AB123456C", "BG123456C"),
    ("IP_ADDRESS", "192.168.1.1", "192.168.1.999"),
    ("PHONE_NUMBER", "+44 20 7946 0958", "+44 00 0000 0000"),
    ("DATE_TIME", "31/01/2019", "31/31/2019"),
    ("VEHICLE_ID", "1M8GDM9AXKP042788", "1M8GDM9A1KP042788"),
]

# The same, of shapes that many numbers have; a word that names the type.
HIDDEN = [
    ("CREDIT_CARD", "4111111111111111", "4111111111111112", "card"),
    ("US_ITIN", "994-75-8073", "994-66-8073", "ITIN"),
    ("ES_NIF", "07841053P", "07841053Q", "NIF"),
    ("BR_CPF", "394.654.568-88", "394.654.568-89", "CPF"),
    ("CRYPTO", BITCOIN, BITCOIN[:-1] + "3", "wallet"),
    ("FI_PERSONAL_IDENTITY_CODE", "131052-078C", "131052-078D", "HETU"),
    ("IT_FISCAL_CODE", "RCCMNL83S18D969H", "RCCMNL83S18D969A", "codice fiscale"),
    ("UK_NHS", "943 476 5919", "943 476 5918", "NHS"),
]


def of_type(text: str, kind: str, threshold: float = THRESHOLD) -> list[Mention]:
    return [m for m in PatternFinder(threshold=threshold).find(text) if m.type == kind]


@pytest.mark.parametrize(("kind", "before", "value", "after"), FOUND)
def test_found_exactly(kind: str, before: str, value: str, after: str) -> None:
    text = f"{before}{value}{after}"
    spans = [(m.start, m.end) for m in of_type(text, kind)]
    assert (len(before), len(before) + len(value)) in spans


@pytest.mark.parametrize(("kind", "text"), LEFT_ALONE)
def test_left_alone(kind: str, text: str) -> None:
    assert [text[m.start : m.end] for m in of_type(text, kind)] == []


@pytest.mark.parametrize(("kind", "good", "bad"), LOWERED)
def test_a_failing_check_lowers_but_never_hides(kind: str, good: str, bad: str) -> None:
    scores = []
    for value in (good, bad):
        text = f"It says {value} there"
        whole = [m for m in of_type(text, kind) if text[m.start : m.end] == value]
        assert whole, "hidden"
        scores.append(whole[0].score)
    assert scores[0] > scores[1]


@pytest.mark.parametrize(("kind", "good", "bad", "word"), HIDDEN)
def test_a_failing_check_hides_a_common_shape_unless_a_word_names_it(
    kind: str, good: str, bad: str, word: str
) -> None:
    assert of_type(f"It says {good} there", kind)
    assert not of_type(f"It says {bad} there", kind)
    assert of_type(f"The {word} says {bad} there", kind)


def test_a_long_number_needs_a_word_that_names_it() -> None:
    assert not of_type("A year has 315360000 seconds", "ID_NUMBER")
    assert of_type("Reference 315360000", "ID_NUMBER")
    assert of_type("A year has 315360000 seconds", "ID_NUMBER", RECALL_THRESHOLD)


def test_a_context_word_raises() -> None:
    bare, beside = "It says 078-05-1120 there", "The SSN says 078-05-1120 there"
    assert of_type(bare, "US_SSN")[0].score < of_type(beside, "US_SSN")[0].score


@pytest.mark.parametrize("value", ["762 168 2753", "12345678", "078051120", "A12345678"])
def test_below_the_threshold_everything_well_formed_is_still_there(value: str) -> None:
    found = {m.type: m for m in PatternFinder(threshold=0.0).find(f"It says {value} there")}
    fitting = {row.type for row in PATTERNS if not row.label and re.fullmatch(row.regex, value, re.ASCII)}
    assert fitting <= found.keys()


@pytest.mark.parametrize("stand_in", ["[{kind}_1]", "[{kind}]", "[{kind}_12345]", "********"])
def test_what_replaced_a_value_is_no_value(stand_in: str) -> None:
    for kind, before, _, after in FOUND:
        new = stand_in.format(kind=kind)
        text = f"{before}{new} {after}"
        for mention in PatternFinder().find(text):
            assert mention.end <= len(before) or mention.start >= len(before) + len(new), (kind, text)


def test_types_and_rows_tell_the_same() -> None:
    assert {row.type for row in PATTERNS} == TYPES.keys()
    assert {kind for kind, *_ in FOUND} == TYPES.keys()
    assert len(TYPES) >= 30
    assert all(description and "\n" not in description for description in TYPES.values())


def test_rows_are_well_formed() -> None:
    for row in PATTERNS:
        assert set(row.at) <= TRIGGERS.keys()
        assert 0 < row.score <= 1
        assert all(
            len(term.split()) in (0, 1, 2) and term == term.lower() for term in row.context.split(", ")
        )


def test_no_row_can_match_more_than_a_block_allows_for() -> None:
    parser = pytest.importorskip("re._parser")
    for row in PATTERNS:
        longest = parser.parse(row.label + row.regex).getwidth()[1]
        assert longest < LONGEST, row.type


def test_only_the_chosen_types() -> None:
    text = "jane@example.org, 078-05-1120"
    assert {m.type for m in PatternFinder(frozenset({"US_SSN"})).find(text)} == {"US_SSN"}
    assert list(PatternFinder(frozenset()).find(text)) == []
    with pytest.raises(UsageError, match="US_SNN"):
        list(PatternFinder(frozenset({"US_SNN"})).find(text))


@pytest.mark.parametrize(
    ("kind", "text", "key"),
    [
        ("EMAIL_ADDRESS", "Jane.Doe@Example.ORG", "jane.doe@example.org"),
        ("CREDIT_CARD", "4111-1111 1111 1111", "4111111111111111"),
        ("IBAN_CODE", "gb82 west 1234 5698 7654 32", "GB82WEST12345698765432"),
        ("PHONE_NUMBER", "+44 (0)20 7946 0958 ext. 7", "+442079460958x7"),
        ("PHONE_NUMBER", "0044 20 7946 0958", "+442079460958"),
        ("US_SSN", "078 05 1120", "078051120"),
        ("USERNAME", "@Jane", "@jane"),
        ("DATE_TIME", "3rd March 2019", "2019-03-03"),
    ],
)
def test_key_is_one_for_all_spellings(kind: str, text: str, key: str) -> None:
    assert key in {m.key for m in of_type(text, kind)}


def test_because_names_the_rule_and_never_the_text() -> None:
    mentions = of_type("my IBAN: GB82 WEST 1234 5698 7654 32", "IBAN_CODE")
    assert mentions[0].because == "pattern IBAN_CODE: check holds, context word near"
    for kind, before, value, after in FOUND:
        for mention in PatternFinder().find(f"{before}{value}{after}"):
            said = mention.because.removeprefix(f"pattern {mention.type}: ").split(", ")
            assert set(said) <= {
                "shape",
                "check holds",
                "check fails",
                "context word near",
                "split over lines",
            }
            assert kind  # every row of the table was read
