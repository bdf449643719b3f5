"""What a hidden entity is called, and where a name of it means the entity and not something else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, islice

from efface.core import Gap, GapKind
from efface.errors import PolicyError
from efface.guarantees.semantic.disclosure_bits import HiddenEntity
from efface.guarantees.semantic.near_names import NearNames
from efface.guarantees.semantic.rivals import kinds
from efface.guarantees.semantic.telling_phrases import phrase_pattern, telling_phrases
from efface.guarantees.semantic.term_queries import TermQueries
from efface.knowledge.corpus.counts import Query
from efface.knowledge.corpus.text_runs import term_key
from efface.knowledge.taxonomy.concepts import Taxonomy

_KINDS = 200  # kinds of an entity that are its names too
_MEANT = 0.2  # the share of a synonym's documents that hold another name of the entity


@dataclass(frozen=True, slots=True)
class EntityNaming:
    """Makes hidden entities of the names in a policy, by the taxonomies and by what the judge has counted."""

    judge: TermQueries
    taxonomies: Sequence[Taxonomy]

    def entity(self, name: str, general: str | None, telling: Sequence[str]) -> HiddenEntity:
        """An entity by its name in a policy, with phrases that are as good as a name of it."""
        keys = self._keys(name, general)
        if not keys or "" in keys:
            raise PolicyError("An entity in `hide` has no word.", "Name it by a word or a phrase.")
        general_key = None if general is None else term_key(general)
        if general_key in keys:
            raise PolicyError(
                "An entity in `hide` is its own generalisation: nothing would be hidden.",
                "Name something broader, or nothing for plain C-sanitization.",
            )
        whole = None if general_key is None else (self.judge.query(general_key) or ((general_key,),))
        near = NearNames(keys)
        meant = self._disambiguating_query(name, keys, whole)
        return HiddenEntity(name, tuple((key,) for key in keys), whole, meant, near, phrase_pattern(telling))

    def telling_phrases(self, name: str, general: str | None) -> tuple[str, ...]:
        """The listed phrases of an entity under any of its names, of its kinds, and of what its name names too (`type 2
        diabetes`), unless that may be known."""
        words = name.split()
        runs = (" ".join(words[start:end]) for start, end in combinations(range(len(words) + 1), 2))
        known = None if general is None else term_key(general)
        subjects = dict.fromkeys((*map(term_key, runs), *self._keys(name, general)))
        return tuple(
            dict.fromkeys(phrase for key in subjects if key != known for phrase in telling_phrases(key))
        )

    def _keys(self, name: str, general: str | None) -> tuple[str, ...]:
        """The names of an entity in the taxonomies, in the sense that its generalisation covers, and the names of its
        kinds: who writes `neurosyphilis` writes about syphilis."""
        names = [name]
        doubtful: list[str] = []  # names that may mean something else
        for taxonomy in self.taxonomies:
            senses = taxonomy.senses(name)
            covered = (sense for sense in senses if general is None or taxonomy.is_below(sense, general))
            sense = next(covered, None)
            if sense is not None:
                own = taxonomy.names(sense)
                names += [each for each in own if taxonomy.senses(each) == (sense,)]
                names += islice(kinds(taxonomy, sense), _KINDS)
                doubtful += own
        sure = tuple(dict.fromkeys(map(term_key, names)))
        others = dict.fromkeys(map(term_key, doubtful))
        return (*sure, *(key for key in others if key not in sure and self._is_meant(key, sure)))

    def _disambiguating_query(self, name: str, keys: tuple[str, ...], general: Query | None) -> Query:
        """Where an entity's own name has several senses and mostly means another (`STD`, `depression`): the documents
        that hold another name of it, or its generalisation beside it. Empty where the name mostly means the entity.
        """
        if len(keys) == 1 or all(len(taxonomy.senses(name)) < 2 for taxonomy in self.taxonomies):
            return ()
        own = term_key(name)
        others: Query = tuple((key,) for key in keys if key != own)
        beside: Query = tuple((own, *part) for part in (*others, *(general or ())))
        together = self.judge.count(beside)
        if not together or together >= _MEANT * self.judge.count(((own,),)):
            return ()
        return (*others, *beside)

    def _is_meant(self, synonym: str, names: Sequence[str]) -> bool:
        """Whether a synonym that means other things too mostly means the entity: `TB` does, and `dose` is no STD."""
        together = self.judge.count(tuple((synonym, name) for name in names))
        return together >= _MEANT * max(1, self.judge.count(((synonym,),)))


def little_known(guarantee: str, number: int) -> Gap:
    """What stands against `held` where hardly any document names an entity: its readers have next to nothing to go by."""
    return Gap(
        GapKind.KNOWLEDGE,
        guarantee,
        f"Hardly any document of the corpus names entity {number} of `hide`, so little is known of what tells it.",
        "Add texts about it (`efface corpus build`, `corpora`), hide a wider thing that is better known, or write "
        "`accept: [knowledge]` if this will do.",
    )
