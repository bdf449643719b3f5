"""Finds the terms of an entity index in a text: every occurrence of every value in every spelling allowed."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import ClassVar

from efface.core import FinderTraits, Mention, Span
from efface.errors import InputError
from efface.finders.named_people import NamedPeople
from efface.finders.split_names import given_part, split_names
from efface.knowledge.entities.build_records import IDENTIFYING
from efface.knowledge.entities.build_segments import is_name_like
from efface.knowledge.entities.index import EntityIndex
from efface.knowledge.entities.matching import EXACT, Fuzziness, TermHit
from efface.knowledge.entities.passage import Passage
from efface.knowledge.entities.segment import Attribute
from efface.knowledge.entities.sources import name_columns
from efface.knowledge.entities.spellings.codes import LEAST_CODE, LEAST_DIGITS
from efface.knowledge.entities.spellings.kept_as_text import written_days
from efface.knowledge.entities.spellings.moments import quarters_on
from efface.knowledge.entities.spellings.signs import perhaps_negative
from efface.knowledge.entities.spellings.values import readings
from efface.text.folding import Folded, fold, foldings

_APART = " \u2016 "  # stands between names: nothing that a name holds
_VARIANT_SCORE = 0.8  # the score of a find that is not written as the database has it


@dataclass(frozen=True, slots=True)
class EntityFinder:
    """Marks what the index `name` knows. `types` gives attributes a type of their own: {"city": "LOCATION"}.

    With `fuzziness` a place may mean several values: there is a mention for each, with the same span.
    """

    index: EntityIndex
    name: str
    fuzziness: Fuzziness = EXACT
    types: Mapping[str, str] = field(default_factory=dict)

    traits: ClassVar[FinderTraits] = FinderTraits(known_to_reader=True)

    @property
    def fingerprint(self) -> str:
        return self.index.fingerprint

    def find(self, text: str) -> Iterator[Mention]:
        """Mentions in the order of the text, the longest first where several start; overlaps are kept."""
        if self.fuzziness.edits > self.index.fuzzy:
            raise InputError(
                f"The index {self.name} was not built for matching with {self.fuzziness.edits} edits.",
                f"Build it with fuzzy: {self.fuzziness.edits}.",
            )
        settings = (self.name, self.fuzziness, *sorted(self.types.items()))
        mark = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        found: tuple[Mention, ...] = self.index.kept.get(
            (settings, mark), lambda: tuple(self._best(text)), len
        )
        return iter(found)

    def _best(self, text: str) -> Iterator[Mention]:
        best: dict[tuple[int, int, str, str], Mention] = {}
        found = list(self._index_mentions(text))
        for mention in (*found, *self._in_known_zones(found), *self._given_names(text, found)):
            place = (mention.start, -mention.end, mention.key, mention.type)
            if place not in best or mention.score > best[place].score:
                best[place] = mention
        return (best[place] for place in sorted(best))

    def _index_mentions(self, text: str) -> Iterator[Mention]:
        in_fields = list(self._in_fields(text))
        for folded in foldings(text):
            passage = Passage.of(text, folded)
            named: dict[str, list[TermHit]] = {}
            columns: dict[str, dict[Attribute, None]] = {}
            for place, hit, attribute in in_fields:
                yield self._mention(place, hit, attribute)
                named[hit.key] = []
                columns.setdefault(hit.key, {})[attribute] = None
            for hit, attribute in self.index.find(passage, self.fuzziness):
                yield self._mention(folded.span(hit.start, hit.end), hit, attribute)
                if is_name_like(attribute.name):
                    named.setdefault(hit.key, []).append(hit)
                    columns.setdefault(hit.key, {})[attribute] = None
            for hit in NamedPeople(passage, named).others():
                for attribute in columns[hit.key]:
                    yield self._mention(folded.span(hit.start, hit.end), hit, attribute)
            yield from self._read_otherwise(folded)

    def _in_fields(self, text: str) -> Iterator[tuple[Span, TermHit, Attribute]]:
        """The places of the parts of a name that fields of a form or cells of a table hold."""
        parts = [(place, name) for place, name in split_names(text) if _APART not in name]
        names = list(dict.fromkeys(name for _, name in parts))
        if not names:
            return
        folded = fold(_APART.join(names).title())  # a name is written with capitals
        at = 0
        wholes: dict[tuple[int, int], str] = {}
        for name, written in zip(names, folded.text.split(_APART), strict=True):
            wholes[at, at + len(written)] = name
            at += len(written) + len(_APART)
        found: dict[str, list[tuple[TermHit, Attribute]]] = {}
        for hit, attribute in self.index.find(Passage.of(folded.text.title(), folded), self.fuzziness):
            name = wholes.get((hit.start, hit.end), "")
            if is_name_like(attribute.name):
                found.setdefault(name, []).append((hit, attribute))
        for place, name in parts:
            yield from ((place, hit, attribute) for hit, attribute in found.get(name, ()))

    def _read_otherwise(self, folded: Folded) -> Iterator[Mention]:
        """Dates, numbers and codes in other ways to write them."""
        read = list(readings(folded.text))
        read += [*perhaps_negative(folded.text, read), *written_days(read)]
        terms = self._terms_of({key for _, _, key in read})
        for start, end, key in read:
            for term, attribute in terms.get(key, ()):
                yield self._mention(folded.span(start, end), TermHit(start, end, 0, term, 0), attribute)

    def _in_known_zones(self, found: Sequence[Mention]) -> Iterator[Mention]:
        """The days among the finds, as each moment that they may be. Moments of one day are several crowds to a reader who
        knows in which time zone the text says the day."""
        quarters = self._quarters({mention.key for mention in found})
        for mention in found:
            for quarter, kinds in quarters.get(mention.key, ()):
                if mention.type in kinds:
                    yield replace(mention, key=quarter)

    def _quarters(self, keys: Collection[str]) -> Mapping[str, Sequence[tuple[str, set[str]]]]:
        """For the days among the keys, the quarters of an hour in which somebody has a moment that is this day in some zone,
        with the types of their columns. Most databases hold no moments with a zone, so the days in UTC are asked first."""
        days = {key: list(quarters_on(key)) for key in keys}
        known_days = self.index.attributes_of([day for parts in days.values() for day, _ in parts])
        if not known_days:
            return {}
        found: dict[str, list[tuple[str, set[str]]]] = {}
        for key, parts in days.items():
            terms = self.index.attributes_of(list(_moments(parts, known_days)))
            found[key] = [(term, set(map(self._kind, attributes))) for term, attributes in terms.items()]
        return found

    def _given_names(self, text: str, found: Sequence[Mention]) -> Iterator[Mention]:
        """What names tell of given names, where these have a column of their own: the initial in "J. Smithers", which is a
        find of the family's column. A viewer may be denied one of the columns."""
        identifying = (attribute for attribute in self.index.attributes if attribute.role == IDENTIFYING)
        given, family = name_columns(tuple(attribute.name for attribute in identifying))
        if not given or not family:
            return
        type_of_given, type_of_family = (self.types.get(name, name.upper()) for name in (given, family))
        names = [mention for mention in found if mention.type == type_of_family and " " in mention.key]
        full_names = self._full_names({mention.key for mention in names}, given, family)
        for mention in names:
            for first, part in _given_parts(text, mention, full_names[mention.key]):
                yield replace(mention, start=part.start, end=part.end, type=type_of_given, key=first)

    def _full_names(
        self, keys: Collection[str], given: str, family: str
    ) -> Mapping[str, Sequence[tuple[str, str]]]:
        """For each key the ways to read it as a given name and a family name that stand in these columns."""
        halves = {key: _halves(key) for key in keys}
        pairs = set(chain.from_iterable(halves.values()))
        known = self.index.attributes_of(sorted(set(chain.from_iterable(pairs))))

        def is_full_name(pair: tuple[str, str]) -> bool:
            first, last = pair
            return _is_in(given, known.get(first, ())) and _is_in(family, known.get(last, ()))

        return {key: list(filter(is_full_name, ways)) for key, ways in halves.items()}

    def _terms_of(self, keys: Collection[str]) -> Mapping[str, Sequence[tuple[str, Attribute]]]:
        """The terms of the index, with their columns, that a key stands for: itself, or a code in groups."""
        terms: dict[str, list[tuple[str, Attribute]]] = {}
        for key, attributes in self.index.attributes_of(list(keys)).items():
            terms[key] = [(key, attribute) for attribute in attributes]
        codes = [key for key in keys if _is_code(key)]
        for key, term, attributes in self.index.codes_of(codes) if codes else ():
            terms.setdefault(key, []).extend((term, attribute) for attribute in attributes)
        return terms

    def _mention(self, span: Span, hit: TermHit, attribute: Attribute) -> Mention:
        if hit.edits is None:
            score = _VARIANT_SCORE
        else:
            score = 1 - hit.edits / (len(hit.key) + 1)
        how = "term" if score == 1 else "near a term"
        because = f"{how} of {self.name}.{attribute.name}"
        return Mention(span.start, span.end, self._kind(attribute), hit.key, score, because)

    def _kind(self, attribute: Attribute) -> str:
        return self.types.get(attribute.name, attribute.name.upper())


def _moments(days: Iterable[tuple[str, Sequence[str]]], known: Container[str]) -> Iterator[str]:
    """The quarters of an hour of the days on which somebody has a moment, as the index writes them."""
    for day, quarters in days:
        if day in known:
            yield from (f"{day}{quarter}" for quarter in quarters)


def _given_parts(
    text: str, mention: Mention, full_names: Iterable[tuple[str, str]]
) -> Iterator[tuple[str, Span]]:
    """The given names that a written name may have, and where it writes each or its initial."""
    written = text[mention.start : mention.end]
    for given, family in full_names:
        part = given_part(written, given, family)
        if part is not None:
            yield given, Span(mention.start + part.start, mention.start + part.end)


def _halves(name: str) -> list[tuple[str, str]]:
    """Every way to part the words of a name in two."""
    words = name.split(" ")
    return [(" ".join(words[:at]), " ".join(words[at:])) for at in range(1, len(words))]


def _is_in(column: str, attributes: Sequence[Attribute]) -> bool:
    return any(attribute.name == column for attribute in attributes)


def _is_code(key: str) -> bool:
    """Whether the value may be kept in groups."""
    return key.isalnum() and len(key) >= (LEAST_DIGITS if key.isdigit() else LEAST_CODE)
