"""Rows of streets with a house number.

The names model marks the street, but often not its number, and a number tells the house.
"""

from __future__ import annotations

from efface.finders.patterns.row import GERMAN_STREETS, STREETS, Pattern

_SHAPE = 0.65  # what the shape is worth: enough even where a line ends within it
_LETTER = r"[a-z\u00df-\u00ff]"
_NAME = rf"[A-Z\u00c0-\u00de](?:{_LETTER}|[.'-](?=[A-Za-z])[A-Z\u00c0-\u00de]?){{0,24}}\.?"
_NAMES = (
    rf"{_NAME}(?:[\s-](?:{_NAME}|(?:d'|l'){_NAME}|"
    r"(?:de|del|della|delle|dei|degli|di|du|des|do|da|dos|das|la|las|los|le|les|l'|e|y|et|en)\b|[IVX]{1,4}\b)){0,4}"
)
_OF = (
    r"(?:(?:de|du|des|del|della|delle|dei|degli|di|do|da|dos|das|la|le|les|las|los|el|al|aux?)\s"
    r"|[dl]'){0,2}"
)
_NUMBER = r"(?!(?:1[89]|20)[0-9]{2}\b)[0-9]{1,4}(?:\s?[A-Za-z](?![A-Za-z])|\s?(?:bis|ter)\b)?"
_UNTIL = r"(?:\s?[-/]\s?(?:[0-9]{1,4}[a-z]?|bis|hs|[IVX]{1,4})\b)?"
_FLOOR = (
    r"(?:,\s[0-9]{1,2}(?:\.?[oa])?\.?\s(?:(?i:izquierda|izq|derecha|dcha|dto|drt|esq|frente|fte|andar|piso|piano)\b\.?"
    r"|[A-Z](?![A-Za-z])))?"
)
_FRENCH = (
    r"(?i:rue|avenue|av\.|boulevard|bd\.?|allees?|place|chemin|impasse|quai|route|cours|square|passage|sentier|"
    r"faubourg|ruelle|montee|esplanade|promenade)"
)
_SOUTHERN = r"(?<![0-9A-Za-z])(?:Via|(?<=\sin\s)via|(?<=\salla\s)via|C/|Av\.|Avda\.|" + STREETS + ")"
_NUMBER_SIGN = r"(?:n\.?o?\.?\s|num\.\s|numero\s)?"
# German, Dutch and Scandinavian streets end with what they are. "Decade 5" and "Brigade 5" are no streets.
_ENDINGS = (
    r"(?:(?i:strasse|stra\u00dfe|str\.|allee|platz|gasse|weg|damm|ufer|steig|chaussee|graben|straat|laan|plein|gracht|"
    r"singel|dijk|steeg|dreef|plantsoen|vej|gatan|gata|vagen|veien|gaten)|(?<!De)kade|(?<!Bri)gade|(?<=[\s-])Ring)"
)
# English: a number, a name, and what kind of street it is. A date is no house number: "12 May Road works began".
_HOUSE = r"(?!(?:1[89]|20)[0-9]{2}\b)[0-9]{1,5}[A-Za-z]?(?:-[0-9]{1,4}[A-Za-z]?)?"
_NO_MONTH = r"(?!(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\b)"
_ENGLISH = (
    r"(?:Street|Road|Rd|Avenue|Ave|Lane|Crescent|Cres|Terrace|Terr|Tce|Gdns|Approach|Gardens|Grove|Mews|Boulevard|Blvd|Parade|Parkway|"
    r"Highway|Quay|Wharf|Villas|Cottages)"
)
# These kinds are other things too ("Google Drive", "High Court"), so the address must end with them.
_ENGLISH_LAST = (
    r"(?:Drive|Dr|St|Close|Court|Ct|Place|Pl|Square|Sq|Park|Hill|Green|Rise|View|Gate|Way|Walk|Row|Circle|Yard|Side|Croft|Drove)"
    r"(?=\.?\s{0,2}(?:[,;)\n]|\.\s|$))"
)
_NO_COURT = r"(?!(?:Supreme|High|Crown|County|District|Circuit|Federal|Appeals?|Family)\b)"
_GERMAN_TOWN = r"(?=,?\s{1,2}(?:D-)?[0-9]{5}\b)"  # "Am Montag 5" is no street: the postcode tells

# "Flat 3": within a house. A number with a unit is none.
_FLAT = (
    r"(?<![0-9A-Za-z])(?:Flat|Apt|Apartment|Maisonette|Bedsit)\.?\s(?!(?:1[89]|20)[0-9]{2}\b)[0-9]{1,4}[A-Za-z]?"
    r"(?!\s?(?:%|[kmc]?m\b|[kmc]?g\b|ml\b)|[.,:/-][0-9])"
)

ADDRESSES: tuple[Pattern, ...] = (
    Pattern("STREET_ADDRESS", _FLAT, _SHAPE, at=("flat",)),
    Pattern("STREET_ADDRESS", rf"{_NUMBER},?\s{_FRENCH}\s{_OF}{_NAMES}", _SHAPE),
    Pattern("STREET_ADDRESS", rf"{_HOUSE},? {_NO_MONTH}(?:{_NAME}\s){{1,3}}{_ENGLISH}\b", _SHAPE),
    Pattern(
        "STREET_ADDRESS", rf"{_HOUSE},? {_NO_MONTH}{_NO_COURT}(?:{_NAME}\s){{1,3}}{_ENGLISH_LAST}", _SHAPE
    ),
    Pattern(
        "STREET_ADDRESS",
        rf"(?:(?:{_NAME}[ -]){{1,3}}|(?:{_NAME}[ -]){{0,3}}[A-Z\u00c0-\u00de]{_LETTER}{{1,32}}){_ENDINGS}"
        rf"\s{_NUMBER}{_UNTIL}",
        _SHAPE,
        at=("house number",),
    ),
    Pattern(
        "STREET_ADDRESS",
        rf"{_SOUTHERN} {_OF}{_NAMES},?\s{_NUMBER_SIGN}{_NUMBER}{_FLOOR}",
        _SHAPE,
        at=("street",),
    ),
    Pattern(
        "STREET_ADDRESS",
        rf"(?<![0-9A-Za-z])(?:{'|'.join(GERMAN_STREETS)}) {_NAME}(?:[ -]{_NAME}){{0,2}} {_NUMBER}{_UNTIL}{_GERMAN_TOWN}",
        _SHAPE,
        at=("street",),
    ),
)
