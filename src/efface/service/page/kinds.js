// What a type of find is called where people read it.

const WORDS = {
  ABA_ROUTING_NUMBER: "US bank routing number", AGE: "age", AR_CUIT: "Argentinian tax number (CUIT, CUIL)",
  AT_SVNR: "Austrian social insurance number", AU_ABN: "Australian business number", AU_ACN: "Australian company number",
  AU_MEDICARE: "Australian Medicare card number", AU_TFN: "Australian tax file number", BE_NATIONAL_NUMBER: "Belgian national number",
  BG_EGN: "Bulgarian personal number (EGN)", BG_PNF: "Bulgarian number of a foreigner", BR_CNPJ: "Brazilian company number",
  BR_CPF: "Brazilian personal tax number", CASE_NUMBER: "case number", CA_BC_PHN: "British Columbia personal health number",
  CA_SIN: "Canadian social insurance number", CH_AHV: "Swiss social security number (AHV, AVS)", CL_RUT: "Chilean tax and identity number (RUT)",
  CN_RIC: "Chinese resident identity number", CN_USCC: "Chinese social credit code", CODE: "code", CO_NIT: "Colombian tax number (NIT)",
  CREDIT_CARD: "payment card", CRYPTO: "crypto address", CUSIP: "CUSIP of a security", CU_NI: "Cuban identity number",
  CZ_RC: "Czech and Slovak birth number", DATE_TIME: "date or time", DE_ID_CARD: "German identity card number", DE_PASSPORT: "German passport number",
  DE_SOCIAL_SECURITY: "German pension insurance number", DE_TAX_ID: "German tax identification number", DE_TAX_NUMBER: "German tax number",
  DK_CPR: "Danish personal number (CPR)", DO_CEDULA: "Dominican identity number", EC_CI: "Ecuadorian identity number", EE_IK: "Estonian personal code",
  EMAIL_ADDRESS: "e-mail address", ES_CCC: "Spanish bank account number (CCC)", ES_CIF: "Spanish company's tax number (CIF)",
  ES_NIE: "Spanish foreigner's number (NIE)", ES_NIF: "Spanish tax and identity number (NIF, DNI)", ES_NSS: "Spanish social security number",
  EU_VAT: "VAT number", FILE_PATH: "file path", FI_PERSONAL_IDENTITY_CODE: "Finnish personal identity code (HETU)",
  FR_CNI: "French identity card number", FR_NIF: "French tax number", FR_NIR: "French social security number (NIR)",
  FR_SIREN: "French company number (SIREN)", FR_SIRET: "French establishment number (SIRET)", GEO_COORDINATE: "coordinates",
  GR_AMKA: "Greek social security number (AMKA)", HK_ID: "Hong Kong identity card number",
  HR_OIB: "Croatian personal number (OIB)", IBAN_CODE: "IBAN", ID_NIK: "Indonesian identity number (NIK)", ID_NUMBER: "number",
  IE_PPS: "Irish personal public service number", IL_ID: "Israeli identity number", IMEI: "IMEI of a device", IN_AADHAAR: "Indian Aadhaar number",
  IN_GSTIN: "Indian goods and services tax number", IN_PAN: "Indian permanent account number", IN_PASSPORT: "Indian passport number",
  IN_VOTER: "Indian voter identity number (EPIC)", IP_ADDRESS: "IP address", ISIN: "ISIN of a security", IS_KENNITALA: "Icelandic identity number",
  IT_DRIVER_LICENSE: "Italian driving licence number", IT_FISCAL_CODE: "Italian fiscal code", IT_IDENTITY_CARD: "Italian identity card number",
  IT_PASSPORT: "Italian passport number", IT_VAT_CODE: "Italian VAT number (partita IVA)", JP_MY_NUMBER: "Japanese individual number",
  KE_PIN: "Kenyan tax number", KR_BRN: "South Korean business registration number", KR_RRN: "South Korean resident registration number",
  LEI: "LEI of a firm", LOCATION: "place", LT_ASMENS_KODAS: "Lithuanian personal code", LV_PERSONAS_KODS: "Latvian personal code",
  MAC_ADDRESS: "MAC address", MEDICAL_LICENSE: "US DEA number", MEDICAL_RECORD: "medical record number", MISC: "other name",
  MU_NID: "Mauritian national identity number", MX_CURP: "Mexican population register code", MX_RFC: "Mexican tax number",
  MY_NRIC: "Malaysian identity number (NRIC)", NL_BSN: "Dutch citizen service number (BSN)", NL_ID_DOCUMENT: "Dutch passport or identity card number",
  NO_BANK_ACCOUNT: "Norwegian bank account number", NO_FODSELSNUMMER: "Norwegian birth number", NRP: "group of people",
  NZ_IRD: "New Zealand tax number (IRD)", NZ_NHI: "New Zealand health index number", ORGANIZATION: "organisation", PERSON: "person",
  PE_CUI: "Peruvian identity number", PHONE_NUMBER: "phone number", PK_CNIC: "Pakistani identity number (CNIC)",
  PL_PESEL: "Polish personal number (PESEL)", POSTCODE: "postcode", PT_CC: "Portuguese citizen card number", PT_NIF: "Portuguese tax number (NIF)",
  PY_RUC: "Paraguayan tax number (RUC)", QUANTITY: "quantity", RO_CNP: "Romanian personal code (CNP)",
  RU_INN: "Russian tax number (INN)", RU_SNILS: "Russian insurance number (SNILS)", SECRET: "password or key",
  SE_ORGANISATIONSNUMMER: "Swedish organisation number", SE_PERSONNUMMER: "Swedish personal number",
  SG_NRIC_FIN: "Singaporean identity or foreigner's number", SG_UEN: "Singaporean entity number", SI_EMSO: "Slovenian personal number (EMSO)",
  STREET_ADDRESS: "street address", SWIFT_CODE: "SWIFT code of a bank", TH_TNIN: "Thai identity number", TR_NATIONAL_ID: "Turkish identity number",
  TR_VKN: "Turkish tax number", TW_ID: "Taiwanese identity number", UA_RNTRC: "Ukrainian taxpayer number",
  UK_DRIVING_LICENCE: "UK driving licence number", UK_NHS: "NHS number", UK_NINO: "UK national insurance number", UK_PASSPORT: "UK passport number",
  UK_UPN: "English pupil number", UK_UTR: "UK taxpayer reference", URL: "web address", USERNAME: "user name", US_ATIN: "US adoption tax number (ATIN)",
  US_BANK_NUMBER: "US bank account number", US_DRIVER_LICENSE: "US driver's license number", US_EIN: "US employer identification number",
  US_ITIN: "US individual taxpayer identification number", US_MBI: "US Medicare beneficiary identifier", US_NPI: "US national provider identifier",
  US_PASSPORT: "US passport number", US_SSN: "US social security number", UUID: "UUID", UY_RUT: "Uruguayan tax number (RUT)",
  VEHICLE_ID: "vehicle number", VE_RIF: "Venezuelan tax number (RIF)", ZA_ID_NUMBER: "South African identity number",
};

// Whether it is a type of efface's own, which a reviewer can say that a mark is.
export const isKnown = (type) => Object.hasOwn(WORDS, type);

// Types of a policy's own making are its own words.
export const inWords = (type) => WORDS[type] || type.replaceAll("_", " ").toLowerCase();
