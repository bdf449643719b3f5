"""Numbers that a word names as something else: "ISBN 978-…", "Order no. 123456789", a column "EAN" or "Version".

One number in ten has a check digit that happens to be right, and with many kinds of identifiers most numbers of nine digits are
valid as one of them. Where a word says what a number is, a check alone does not make it something else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from efface.core import Mention, SpanSet
from efface.text.form_labels import label_words
from efface.text.spans import Span
from efface.text.tables.find import tables

# What follows is a number of this kind and no other.
_PRECISE = "isbn issn ean gtin upc asin doi barcode sku"
_VERSIONS = "version versions versie versione build firmware revision"
# What follows is one that somebody counted or gave, unless its shape is telling.
_GENERAL = (
    "order orders item items article artikel part parts lot batch ticket invoice product bestellung bestellnummer auftrag "
    "auftragsnummer artikelnummer rechnung rechnungsnummer commande facture pedido factura fattura ordine factuur bestelling"
)
_FOLLOWING = "no nr number numbers nummer num numero code id ref"
_PRECISE_WORDS, _VERSION_WORDS = frozenset(_PRECISE.split()), frozenset(_VERSIONS.split())
_GENERAL_WORDS = frozenset(_GENERAL.split())
_OTHER_WORDS = _PRECISE_WORDS | _VERSION_WORDS | _GENERAL_WORDS
_BESIDE = re.compile(
    rf"(?<![^\W_])({'|'.join(sorted(_OTHER_WORDS))})(?:[ -](?:{'|'.join(_FOLLOWING.split())}))?[ .:#°=-]{{1,3}}\Z",
    re.IGNORECASE,
)
_ORDER = re.compile(r"(?:\bE\.[ \u00a0]?O\.|\bExecutive Order(?: \(E\.O\.\))?)[ \u00a0](?:No\.[ \u00a0])?\Z")
# A browser tells its version so: "Chrome/118.0.0.0".
_BROWSER = re.compile(
    r"(?:Chrome|Chromium|Firefox|Safari|Version|Edge?|EdgA|OPR|Brave|HeadlessChrome|CriOS)/\Z"
)
# An amount of money: "1 251 300 000 euros", "EUR 251 300 000".
_CURRENCY = (
    r"(?:[€$£%]|(?:eur|euros?|usd|gbp|chf|sek|nok|dkk|kr|kronor|kroner|tl|lira|reais|dollars?|pounds?|francs?|franken|yen)"
    r"(?![^\W_]))"
)
_THEN_CURRENCY = re.compile(rf"[ \u00a0\u202f]?{_CURRENCY}", re.IGNORECASE)
_AFTER_CURRENCY = re.compile(rf"(?<![^\W_]){_CURRENCY}[ \u00a0\u202f]?\Z", re.IGNORECASE)
_REACH = 32  # characters before a number in which it is named
_UNTELLING = 0.5  # the score of a check that holds, for a shape that many numbers have
_NEAR = "context word near"
_NUMBER = re.compile(r"[0-9][0-9 .,/-]*")


def without_other_numbers(text: str, found: Iterable[Mention]) -> Iterator[Mention]:
    """The mentions without the numbers that a word before them, or the label of their column, names as something else."""
    columns: dict[str, SpanSet] | None = None
    for mention in found:
        if _is_order(text, mention) or _is_browser(text, mention):
            continue
        if _NEAR in mention.because or _NUMBER.fullmatch(text, mention.start, mention.end) is None:
            yield mention
            continue
        if mention.score <= _UNTELLING and _is_amount(text, mention):
            continue
        columns = _columns(text) if columns is None else columns
        words = {word for word, cells in columns.items() if cells.covers(mention.start, mention.end)}
        beside = _BESIDE.search(text[max(0, mention.start - _REACH) : mention.start])
        if beside is not None:
            words.add(beside[1].lower())
        if not _is_other(mention, words):
            yield mention


def _is_order(text: str, mention: Mention) -> bool:
    """Whether a number is that of an American president's order: "E.O. 13438"."""
    is_five = mention.end - mention.start == 5 and text[mention.start : mention.end].isdecimal()
    return is_five and _ORDER.search(text[max(0, mention.start - _REACH) : mention.start]) is not None


def _is_browser(text: str, mention: Mention) -> bool:
    before = text[max(0, mention.start - _REACH) : mention.start]
    return before.endswith("/") and _BROWSER.search(before) is not None


def _is_amount(text: str, mention: Mention) -> bool:
    """Whether a currency stands beside the number. A date or a telephone number beside a currency is no amount."""
    if mention.type in ("DATE_TIME", "PHONE_NUMBER"):
        return False
    before = text[max(0, mention.start - _REACH) : mention.start]
    return _THEN_CURRENCY.match(text, mention.end) is not None or _AFTER_CURRENCY.search(before) is not None


def _is_other(mention: Mention, words: set[str]) -> bool:
    if mention.type in ("DATE_TIME", "IP_ADDRESS"):
        return not words.isdisjoint(_VERSION_WORDS)
    if not words.isdisjoint(_PRECISE_WORDS | _VERSION_WORDS):
        return True
    return mention.score <= _UNTELLING and not words.isdisjoint(_GENERAL_WORDS)


def _columns(text: str) -> dict[str, SpanSet]:
    """The cells below each of the words that name other numbers."""
    cells: dict[str, list[Span]] = {}
    for table in tables(text, lambda label: not _OTHER_WORDS.isdisjoint(label_words(label))):
        for at, label in enumerate(table.labels):
            for word in _OTHER_WORDS.intersection(label_words(label)):
                cells.setdefault(word, []).extend(row[at] for row in table.rows)
    return {word: SpanSet(places) for word, places in cells.items()}
