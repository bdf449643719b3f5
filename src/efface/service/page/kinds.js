// What a type of find is called where people read it.

const WORDS = {
  DATE_TIME: "date or time", EMAIL_ADDRESS: "e-mail address", GEO_COORDINATE: "coordinates", ID_NUMBER: "number",
  IBAN_CODE: "IBAN", IMEI: "IMEI", IP_ADDRESS: "IP address", ISIN: "ISIN", LEI: "LEI", MISC: "other name", MRN: "hospital number",
  NRP: "group of people", SWIFT_CODE: "SWIFT code", URL: "web address", USERNAME: "user name", UUID: "UUID",
};
const OF_A_COUNTRY = /^[A-Z]{2}_/;

export function inWords(type) {
  if (WORDS[type]) return WORDS[type];
  const words = type.replaceAll("_", " ");
  return OF_A_COUNTRY.test(type) ? words : words.toLowerCase(); // US SSN: short names of countries and numbers
}
