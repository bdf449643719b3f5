"""What kind of thing each entity type names. One table: generalising and faking both go by kind."""

from __future__ import annotations

from collections.abc import Mapping

# Presidio's type names first, then the column names people give such things in databases.
KINDS: Mapping[str, str] = {
    "PERSON": "person",
    "NAME": "person",
    "FIRST_NAME": "person",
    "LAST_NAME": "person",
    "SURNAME": "person",
    "PATIENT": "person",
    "DOCTOR": "person",
    "ORGANIZATION": "organization",
    "COMPANY": "organization",
    "EMPLOYER": "organization",
    "LOCATION": "place",
    "CITY": "place",
    "TOWN": "place",
    "ADDRESS": "address",
    "STREET": "address",
    "STREET_ADDRESS": "address",
    "DATE_TIME": "date",
    "DATE": "date",
    "BIRTH_DATE": "date",
    "DATE_OF_BIRTH": "date",
    "AGE": "age",
    "POSTCODE": "postcode",
    "POSTAL_CODE": "postcode",
    "ZIP": "postcode",
    "ZIP_CODE": "postcode",
    "US_ZIP_CODE": "postcode",
    "UK_POSTCODE": "postcode",
    "EMAIL_ADDRESS": "email",
    "EMAIL": "email",
    "PHONE_NUMBER": "phone",
    "PHONE": "phone",
    "CREDIT_CARD": "card",
    "IBAN_CODE": "iban",
    "IBAN": "iban",
    "US_SSN": "ssn",
    "US_ITIN": "ssn",
    "IP_ADDRESS": "ip",
    "MAC_ADDRESS": "mac",
    "URL": "url",
    "DOMAIN_NAME": "url",
    "USERNAME": "username",
    "NUMBER": "number",
    "AMOUNT": "number",
    "MONEY": "number",
    "SALARY": "number",
    "INCOME": "number",
}


def kind_of(type_name: str, chosen: str | None = None) -> str:
    """The kind the policy chose, or the table's; of an unknown type only the shape is known: an `id`."""
    return chosen or KINDS.get(type_name, "id")
