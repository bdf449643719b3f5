"""Where a mention ends: names that a finder cut too short or too long by what stands beside them.

"High" of "High Street" goes with what it is, "River T. Ms Pond" are two people, in "09.02.23 DF" the letters are no
part of the date, and "ORLOV, Pavel b. 07/07/1994" is a person and a date.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from efface.core import Mention
from efface.learners.names import is_given_name
from efface.pipeline.mention_filters.by_type.dates import long_number, without_small_words
from efface.pipeline.mention_filters.by_type.firms import whole_firm
from efface.pipeline.mention_filters.by_type.people import whole_person
from efface.text.calendar_names import CALENDAR_WORDS, MONTH_NUMBERS
from efface.text.disguises.glued_tokens import FILE_ENDING
from efface.text.folding import fold_term
from efface.text.form_labels import LABELS
from efface.text.letter_classes import CAPITAL, SMALL
from efface.text.ordinary_words import Usage, usage
from efface.text.person_words import COURTESY_TITLE, COURTESY_TITLES, ROLES, TITLES

_PERSON, _PLACE, _FIRM, _DATE = "PERSON", "LOCATION", "ORGANIZATION", "DATE_TIME"
_PHONE = "PHONE_NUMBER"
_STREETS = (
    "Street|Road|Lane|Avenue|Close|Crescent|Terrace|Drive|Mews|Parade|Boulevard|Gardens|Grove|Yard|Cottage|Farm|House|"
    "Lodge|Court|Estate|Ward|Square|Hill|Bridge|Station"
)
_FIRMS = (
    "Haulage|Ltd|Limited|LLP|Solicitors|Hospital|Infirmary|Surgery|Clinic|Hospice|School|Academy|College|University|"
    "Nursery|Council|Bank|Church|Inn|Arms|Hotel|Trust|Foundation|Motors|Logistics|Transport|Builders|Electrical|"
    "Plumbing|Engineering|Holdings|Partners|Consulting|Services|Pharmacy|Bakery|Foods|Co|Company|plc|PLC|Inc|Primary|Infants|"
    "Nursing Home|Care Home|Practice|Therapy|Heating|Construction|Roofing|Scaffolding|Garage|Lettings|Traders|Trading|Dental|"
    "Club|Society|Association|Holding|Group|Design|Designs|Travel|Facilities|Storage|Removals|Catering|Cleaning|Security|Recruitment|"
    "Consultants|Consultancy|Architects|Surveyors|Associates|Estates|Properties|Homes|Housing|Insurance|Brokers|Finance|Ventures|"
    "Technologies|Software|Systems|Solutions|Media|Studios|Events|Florists|Tyres|Opticians|Kennels|Childcare|Fitness|Couriers|Joinery|"
    "Kitchens|Interiors|Landscapes|Drainage|Glazing|Publishing|Productions|Taxis|Tours|Airways|Shipping|Freight|"
    "Investments|Advisers|Project|Projects|Trucking|Mortgages|Chambers|Greyhounds|Rescue|Rovers|Athletic|Wanderers|Casuals|Harriers|AFC|RFC|FC"
)
_SORTS = (
    "Middle|High|Primary|Junior|Senior|Secondary|Infant|Grammar|Elementary|Medical|Parish|General|Community"
)
_KIND = re.compile(
    rf"(?:['’]s)?[ \u00a0](?:(?P<street>{_STREETS})|(?:(?:{_SORTS})[ \u00a0])?(?P<firm>{_FIRMS}))(?![^\W_])"
)
# A heading in capitals says what kind of club or school it is.
_KIND_IN_CAPITALS = re.compile(rf"[ \u00a0](?:[A-Z]{{3,20}}[ \u00a0])?(?:{_FIRMS.upper()})(?!\w)")
# What only a firm has behind its name, whatever the name was taken for: "STANTON HAULAGE LIMITED", "G. Nokes & Daughter".
_SURE_FIRM = re.compile(
    rf"(?:[ \u00a0](?:{_FIRMS}|{_FIRMS.upper()})){{0,2}}(?:,?[ \u00a0](?:Ltd|Limited|LLP|LLC|L\.L\.C\.|PLLC|Inc|INC|plc|LTD|LIMITED|PLC|GmbH|BV|B\.V\.)|"
    r"[ \u00a0](?:&|and)[ \u00a0](?:Sons?|Daughters?|Partners|Associates|Co|Company|SONS?|DAUGHTERS?|PARTNERS|ASSOCIATES|CO|COMPANY)(?:[ \u00a0](?:Ltd|Limited|LTD|LIMITED))?)"
    r"(?![^\W_])"
)
# Messages write streets small: "22 slade rd".
_SMALL_STREET = re.compile(
    r"[ ](?:rd|road|st|street|ave|avenue|ln|lane|close|cres|crescent|drive|way|terrace|grove|gdns|gardens|court)(?![\w'’-])"
)
_SMALL_HOUSE = re.compile(r"[0-9]{1,4}[a-z]? [a-z]+(?: [a-z]+)?")
_FIRM_END = re.compile(rf"(?<=\w)(?:{_SURE_FIRM.pattern})\Z")
# People who are told by their family: "the Tolliver brothers".
_FAMILY = re.compile(
    r"(?:[ \u00a0](?:brothers?|sisters?|twins?|siblings|family|families|children|kids|boys|girls|couple|household))+\Z"
)
_TRADING = re.compile(r"[ \u00a0][a-z]\Z")  # the "t" of "t/a", which a finder took for a part of the name
_TITLED = re.compile(rf"(?<=[.,;])\s+(?=(?:{COURTESY_TITLE}|Prof)\.?[ \u00a0]{CAPITAL})")
_TITLE_WITHIN = re.compile(rf"\s+(?=(?:{COURTESY_TITLE}|Prof)\.?[ \u00a0]{CAPITAL})")
_TITLED_BEFORE_FIRM = re.compile(rf"(?P<person>(?:{COURTESY_TITLE}|Prof)\.?[ \u00a0][^,]+),\s+")
_DATED_LETTERS = re.compile(r"(?<=\d)[ \u00a0](?P<letters>[A-Z]{2,4})\Z")
_NUMERIC_DATE = re.compile(
    r"(?<![\w./-])[0-9]{1,2}([./-])[0-9]{1,2}\1(?:[0-9]{4}|[0-9]{2})(?![\w/-]|\.[0-9])"
)
_BORN = re.compile(r"[\s,;:(]+(?:(?:b|d\.?o\.?b|born|aged)[.:]?[\s,(]*)?\Z", re.IGNORECASE)
_NAMED = re.compile(
    rf"{CAPITAL}[^\W\d_]+(?:[ \u00a0,.'’-]+[^\W\d_]+)*"
)  # words alone, the first with a capital
# "Hosp no K448190" is a label and a code.
_LABELLED_CODE = re.compile(
    r"[^\W\d_]+(?:[ \u00a0][^\W\d_]+)?[.:]?[ \u00a0](?=[A-Z]{0,3}[0-9]{4,12}[A-Z]?\Z)"
)
# The number of a house before its street or its name.
_STREET_END = re.compile(rf"(?<!\w)(?:{_STREETS}|St|Rd|Ave|Ln|Way|Rise|Row|Place|Walk)(?!\w)")
_HOUSE_NUMBER = re.compile(r"(?<![\w.,:/£$€#-])[0-9]{1,3}[A-Za-z]?[ \u00a0]\Z")
# What a hyphen joins to a name: "el-Sayed", "Summer-Lily".
_ARTICLE = re.compile(
    r"(?<![\w'’-])(?:(?:el|al|ul|as|ad|ben|bin)|(?!(?:Non|Ex|Anti|Pro|Post|Pre|Mid|Co|Sub|Vice)-)[A-Z][^\W\d_]{1,15})-\Z"
)
_PLACE_BEGINNING = re.compile(r"(?<![\w'’-])(?:Great|Little|Upper|Lower|Nether|Much)[ \u00a0]\Z")
_HOURS = frozenset("am pm ad bc ce bce gmt bst utc cet cest est edt pst pdt ist hrs h".split())
_LINE_BEFORE = re.compile(
    r"(?:(?:[0-9]{1,3}\.){3})?[0-9]{1,5}[.;]?[ \t]*\r?\n[ \t]*(?=[0-9]{4}-[0-9]{2}|[0-9]{1,2}[./][0-9]{1,2}[./]|[A-Z][a-z]{2} [ 0-9][0-9] [0-9]{2}:)"
)
_NUMBERED = re.compile(r"[ \u00a0][0-9]{1,2}\Z")  # the number of the next person in a list
_NEXT_WORD = re.compile(rf"[ \u00a0](?P<word>{CAPITAL}{SMALL}{{2,20}})(?!\w|['’-]\w)")
_SHORT_END = re.compile(r"(?<![\w.])(?P<word>[A-Z][a-z]{1,2})\.\Z")  # "Ely."
_ABBREVIATED = frozenset(
    "st ste mt ft rd dr mr mrs ms sr jr sen rep gov gen col sgt lt co inc ltd no ave sq pl ct bd av str".split()
)
# "Mob 07700 900 461" is a label and a number.
_TELEPHONE = re.compile(
    r"(?i:mob|mobile|fax|tel|cell|phone)[.:]?[ \u00a0](?=[+(]?[0-9][0-9 ()\u00a0-]{5,20}\Z)"
)
_FILE_ENDING = re.compile(rf"(?<=\w){FILE_ENDING}\Z")
_OPENING = re.compile(r"(?:(?P<letter>^[QA])\.|Pt|(?P<dated>Dated(?: this)?))\s{1,3}(?=\w)", re.MULTILINE)
_QUESTION, _ANSWER = re.compile(r"^Q\.\s", re.MULTILINE), re.compile(r"^A\.\s", re.MULTILINE)
_QUOTATION = {'"': '"', "“": "”"}  # the mark that opens one, and the one that closes it
_LONGEST_BEGINNING = 20  # characters before a mention that may belong to it
_LONGEST_KIND = 32  # characters behind a mention in which its kind stands
_LONGEST_FIRM = 60  # characters of a firm's name with its legal form


def with_right_edges(text: str, mentions: Iterable[Mention]) -> Iterator[Mention]:
    """The mentions, each as long as the name or the date is."""
    for found in mentions:
        for mention in _apart_from_dates(text, found):
            if mention.type == _DATE:
                yield _with_edges_of_date(text, _without_letters(text, _without_line_before(text, mention)))
            else:
                yield from _names(text, mention)


def _names(text: str, mention: Mention) -> Iterator[Mention]:
    if mention.type == _PERSON:
        mention = _without_opening(text, mention)
    named = _without_file_ending(text, _without_telephone_label(text, mention))
    for piece in _before_titles(text, named) if named is not None else ():
        ended = _with_quotation_mark(text, _without_end(text, _of_family(text, piece)))
        for whole in _with_kind(text, _whole_firm(text, _with_beginning(text, ended))):
            for place in _with_house_number(text, whole):
                yield _with_surname(text, place)


def _without_opening(text: str, mention: Mention) -> Mention:
    """A person without the "Q." of a transcript or the "Pt" of a note, and a date that "Dated" opens as one."""
    opening = _OPENING.match(text, mention.start, mention.end)
    if opening is None or (opening["letter"] and not (_QUESTION.search(text) and _ANSWER.search(text))):
        return mention
    type_ = _DATE if opening["dated"] else _PERSON
    return _piece(text, mention, opening.end(), mention.end, type_)


def _apart_from_dates(text: str, mention: Mention) -> Iterator[Mention]:
    """A name and the date that it was taken together with, each by itself."""
    dates = list(_NUMERIC_DATE.finditer(text, mention.start, mention.end))
    if not dates or mention.type not in (_PERSON, _PLACE, _FIRM, _DATE):
        yield mention
        return
    if mention.type == _DATE:
        yield from _behind_name(text, mention, dates[0].start())
        return
    start = mention.start
    for date in dates:
        yield from _between_dates(text, mention, start, date.start())
        yield _piece(text, mention, *date.span(), _DATE)
        start = date.end()
    yield from _between_dates(text, mention, start, mention.end)


def _behind_name(text: str, mention: Mention, date: int) -> Iterator[Mention]:
    """A date, and who was born on it, if a name stands before it: one word may be a label."""
    end = date - len(_trailing(_BORN, text[mention.start : date]))
    before = text[mention.start : end]
    words = [fold_term(word) for word in before.replace(",", " ").split()]
    is_name = _NAMED.fullmatch(before) is not None and len(words) > 1
    if not is_name or any(word in CALENDAR_WORDS or word in LABELS for word in words):
        yield mention
        return
    yield _piece(text, mention, mention.start, end, _PERSON)
    yield _piece(text, mention, date, mention.end, _DATE)


def _trailing(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.search(text)
    return found.group() if found else ""


def _between_dates(text: str, mention: Mention, start: int, end: int) -> Iterator[Mention]:
    """What a name has beside a date: a name, or a code without its label."""
    surface = text[start:end].strip(" \t\r\n,;:()\u00a0")
    if not any(map(str.isalnum, surface)):
        return
    low = text.index(surface, start)
    label = _LABELLED_CODE.match(surface)
    yield _piece(text, mention, low + (label.end() if label else 0), low + len(surface), mention.type)


def _with_beginning(text: str, mention: Mention) -> Mention:
    """A person with what a hyphen joins to the name, "el-Sayed", and a place that is the greater of two: "Great Tolland"."""
    if mention.type not in (_PERSON, _PLACE, _FIRM):
        return mention
    if mention.type == _PERSON:
        start = whole_person(text, mention.start, mention.end)
        mention = _piece(text, mention, start, mention.end, _PERSON)
    pattern = _ARTICLE if mention.type == _PERSON else _PLACE_BEGINNING
    before = _trailing(pattern, text[max(0, mention.start - _LONGEST_BEGINNING) : mention.start])
    return _piece(text, mention, mention.start - len(before), mention.end, mention.type)


def _whole_firm(text: str, mention: Mention) -> Mention:
    if mention.type != _FIRM:
        return mention
    return _piece(text, mention, *whole_firm(text, mention.start, mention.end, mention.score), _FIRM)


def _with_house_number(text: str, mention: Mention) -> Iterator[Mention]:
    """A street or a house, and with its number: "4 Market Hill". It is the same place where it stands without one."""
    street = _STREET_END.search(text, mention.start, mention.end)
    number = _trailing(_HOUSE_NUMBER, text[max(0, mention.start - 7) : mention.start])
    is_place = mention.type == _PLACE or (mention.type == _PERSON and street and street.end() == mention.end)
    if street is None or not number or not is_place:
        yield mention
        return
    yield _piece(text, mention, mention.start, mention.end, _PLACE)
    yield _piece(text, mention, mention.start - len(number), mention.end, _PLACE)


def _without_line_before(text: str, mention: Mention) -> Mention:
    """A date that begins a line, without the number that ends the line before: "host web-03\\nNov 10 08:03:11"."""
    found = _LINE_BEFORE.match(text, mention.start, mention.end)
    if found is None:
        return mention
    return _piece(text, mention, found.end(), mention.end, mention.type)


def _with_edges_of_date(text: str, mention: Mention) -> Mention:
    """A date without the small words behind it, and a group of a long number as that number."""
    number = long_number(text, mention.start, mention.end)
    if number is not None:
        return _piece(text, mention, *number, _PHONE)
    end = without_small_words(text, mention.start, mention.end)
    return _piece(text, mention, mention.start, end, _DATE)


def _without_letters(text: str, mention: Mention) -> Mention:
    """A date without the initials behind it."""
    found = _DATED_LETTERS.search(text, max(mention.start, mention.end - 6), mention.end)
    if found is None or found["letters"].lower() in _HOURS or found["letters"].lower() in MONTH_NUMBERS:
        return mention
    return _piece(text, mention, mention.start, found.start(), mention.type)


def _without_file_ending(text: str, mention: Mention) -> Mention | None:
    """A name without the ending of the file that is called by it. Nothing is left of "csv" and of "w" in "w.csv"."""
    start = max(0, mention.start - 1, mention.end - _LONGEST_BEGINNING)
    found = _FILE_ENDING.search(text, start, mention.end)
    if found is None or mention.type not in (_PERSON, _PLACE, _FIRM):
        return mention
    if sum(map(str.isalpha, text[mention.start : found.start()])) < 2:
        return None
    return _piece(text, mention, mention.start, found.start(), mention.type)


def _without_telephone_label(text: str, mention: Mention) -> Mention:
    """A number that was taken for a name with the label before it, as the number alone."""
    label = _TELEPHONE.match(text[mention.start : mention.end])
    if label is None or mention.type not in (_PERSON, _PLACE, _FIRM):
        return mention
    return _piece(text, mention, mention.start + label.end(), mention.end, _PHONE)


def _before_titles(text: str, mention: Mention) -> Iterator[Mention]:
    """The people of a mention that a sentence ends in: the next begins with a title."""
    start, type_ = mention.start, mention.type
    titled = _TITLE_WITHIN if type_ == _PLACE else _TITLED  # no place has a "Miss" in its middle
    for gap in titled.finditer(text, mention.start, mention.end):
        yield _piece(text, mention, start, gap.start(), type_)
        start, type_ = gap.end(), _PERSON
    yield _piece(text, mention, start, mention.end, type_)


def _of_family(text: str, mention: Mention) -> Mention:
    """A family that was taken for a firm or a place, as people of that name: "the Tollivers" goes with them."""
    family = _FAMILY.search(text, mention.start, mention.end)
    if family is None or mention.type not in (_PERSON, _PLACE, _FIRM) or family.start() == mention.start:
        return mention
    is_one_word = " " not in text[mention.start : family.start()]
    return _piece(text, mention, mention.start, family.start(), _PERSON) if is_one_word else mention


def _without_end(text: str, mention: Mention) -> Mention:
    """A name without what ends its sentence, begins the next entry of a list, or belongs to "t/a" behind it."""
    if text[mention.end : mention.end + 1] == "/" and mention.type in (_PERSON, _FIRM):
        letter = _TRADING.search(text, mention.start, mention.end)
        if letter is not None:
            mention = _piece(text, mention, mention.start, letter.start(), mention.type)
    if text[mention.end - 1] == "." and mention.type in (_PERSON, _PLACE):
        stop = _SHORT_END.search(text, max(mention.start, mention.end - 5), mention.end)
        if stop is not None and stop["word"].lower() not in _ABBREVIATED:
            mention = _piece(text, mention, mention.start, mention.end - 1, mention.type)
    return _without_number(text, mention)


def _with_quotation_mark(text: str, mention: Mention) -> Mention:
    """A name with the mark before it that opens the quotation within it: "Doc" Hanrahan."""
    before, surface = text[max(0, mention.start - 1) : mention.start], text[mention.start : mention.end]
    closing = _QUOTATION.get(before)
    if mention.type != _PERSON or closing is None or surface.count(closing) != 1 or surface.endswith(closing):
        return mention
    return _piece(text, mention, mention.start - 1, mention.end, mention.type)


def _without_number(text: str, mention: Mention) -> Mention:
    """A person without the number that begins the next entry of a list: "1. Miles Long 2. Robyn Banks"."""
    if mention.type != _PERSON or text[mention.end : mention.end + 1] not in (".", ")"):
        return mention
    number = _NUMBERED.search(text, mention.start, mention.end)
    return _piece(text, mention, mention.start, number.start(), _PERSON) if number else mention


def _with_surname(text: str, mention: Mention) -> Mention:
    """A given name with the surname behind it that is an ordinary word too: "Josie Park"."""
    found = _NEXT_WORD.match(text, mention.end)
    if mention.type != _PERSON or found is None:
        return mention
    given, surname = fold_term(text[mention.start : mention.end]), fold_term(found["word"])
    title, _, titled = given.replace(".", "").partition(" ")
    if title in COURTESY_TITLES and titled.isalpha():  # "Miss Xanthe Pettigrew"
        is_name = usage(surname) is Usage.NEVER and _is_surname(surname)
    else:
        is_name = is_given_name(given) and _is_surname(surname)
    if not is_name:
        return mention
    return _piece(text, mention, mention.start, found.end(), _PERSON)


def _is_surname(word: str) -> bool:
    """Whether a word with a capital may be somebody's surname, and is no day, no role and no word that is never a name."""
    if word in CALENDAR_WORDS or word in TITLES or word in ROLES or word in LABELS:
        return False
    return usage(word) is not Usage.ALWAYS


def _with_kind(text: str, mention: Mention) -> Iterator[Mention]:
    """A place or a firm with the word for what it is: "High Street". One word that was taken for a person is one too."""
    if mention.type == _PLACE and _SMALL_HOUSE.fullmatch(text, mention.start, mention.end):
        street = _SMALL_STREET.match(text, mention.end)
        yield _piece(text, mention, mention.start, street.end() if street else mention.end, _PLACE)
        return
    firm = _SURE_FIRM.match(text, mention.end, mention.end + _LONGEST_FIRM)
    if firm is None:
        firm = _FIRM_END.search(text, mention.start, mention.end)
    if firm is not None and mention.type in (_PERSON, _PLACE, _FIRM):
        yield from _of_firm(text, mention, firm.end())
        return
    kind = _KIND.match(text, mention.end, mention.end + _LONGEST_KIND)
    capitals = _KIND_IN_CAPITALS.match(text, mention.end, mention.end + _LONGEST_FIRM)
    if (
        capitals is not None
        and mention.type in (_PLACE, _FIRM)
        and text[mention.start : mention.end].isupper()
    ):
        yield _piece(text, mention, mention.start, capitals.end(), _FIRM)
        return
    is_article = fold_term(text[mention.start : mention.end]) in ("the", "a", "an")
    words = text[mention.start : mention.end].split()
    # "Al Wafa Recruitment" is a firm, "Anna Wafa Security" may be two fields.
    is_person = not kind or kind["street"] or is_given_name(fold_term(words[0]))
    is_full_name = mention.type == _PERSON and len(words) > 1 and is_person
    if kind is None or is_article or is_full_name or mention.type not in (_PERSON, _PLACE, _FIRM):
        yield mention
        return
    type_ = mention.type
    if type_ == _PERSON:
        type_ = _PLACE if kind["street"] else _FIRM
    yield _piece(text, mention, mention.start, kind.end(), type_)


def _of_firm(text: str, mention: Mention, end: int) -> Iterator[Mention]:
    """A firm that ends there. A person with a title before it is somebody who works there: "Ms Oduya, Lamb & Partners"."""
    titled = _TITLED_BEFORE_FIRM.match(text, mention.start, mention.end)
    if titled is None:
        yield _piece(text, mention, mention.start, end, _FIRM)
        return
    yield _piece(text, mention, mention.start, titled.end("person"), _PERSON)
    yield _piece(text, mention, titled.end(), end, _FIRM)


def _piece(text: str, mention: Mention, start: int, end: int, type_: str) -> Mention:
    if (start, end, type_) == (mention.start, mention.end, mention.type):
        return mention
    return replace(mention, start=start, end=end, type=type_, key=fold_term(text[start:end]))
