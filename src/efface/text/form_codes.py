"""Abbreviations that label the fields of forms, with a colon or without. They are no names."""

from __future__ import annotations

LABEL_CODES = frozenset(
    "dob dod mrn nhs nino ssn nok gp iban bic upn urn uprn imei vrm vin orcid isni".split()
)
