"""Court cases moved to another state: most that we have are from three or four of them, and whether a case tells
"against the Republic of Turkey" or "against the United Kingdom" says nothing of whom it identifies.

The state's full name, its short one and its adjective change together, so do the courts of last instance and,
each for itself, the towns.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from training.names.data import TYPES
from training.names.passages import TAGS, Passage

Phrase = tuple[str, ...]

# full name, short name, of it
_STATES = """
Republic of Turkey|Turkey|Turkish
Republic of Poland|Poland|Polish
United Kingdom of Great Britain and Northern Ireland|United Kingdom|British
United Kingdom of Great Britain and Northern Ireland|United Kingdom|United Kingdom
Republic of Austria|Austria|Austrian
Russian Federation|Russia|Russian
Federal Republic of Germany|Germany|German
French Republic|France|French
Italian Republic|Italy|Italian
Kingdom of Sweden|Sweden|Swedish
Kingdom of Denmark|Denmark|Danish
Kingdom of Norway|Norway|Norwegian
Kingdom of the Netherlands|Netherlands|Dutch
Kingdom of Belgium|Belgium|Belgian
Kingdom of Spain|Spain|Spanish
Republic of Finland|Finland|Finnish
Portuguese Republic|Portugal|Portuguese
Hellenic Republic|Greece|Greek
Swiss Confederation|Switzerland|Swiss
Slovak Republic|Slovakia|Slovak
Czech Republic|Czech Republic|Czech
Republic of Hungary|Hungary|Hungarian
Republic of Bulgaria|Bulgaria|Bulgarian
Republic of Croatia|Croatia|Croatian
Republic of Slovenia|Slovenia|Slovenian
Republic of Moldova|Moldova|Moldovan
Republic of Latvia|Latvia|Latvian
Republic of Lithuania|Lithuania|Lithuanian
Republic of Estonia|Estonia|Estonian
Republic of Armenia|Armenia|Armenian
Republic of Cyprus|Cyprus|Cypriot
Republic of Malta|Malta|Maltese
Ukraine|Ukraine|Ukrainian
Romania|Romania|Romanian
Georgia|Georgia|Georgian
Ireland|Ireland|Irish
""".strip().splitlines()
STATES: tuple[tuple[Phrase, Phrase, Phrase], ...] = tuple(
    (tuple(full.split()), tuple(short.split()), tuple(of_it.split()))
    for full, short, of_it in (line.split("|") for line in _STATES)
)
COURTS: tuple[Phrase, ...] = tuple(
    tuple(name.split())
    for name in (
        "Court of Cassation|Supreme Court|House of Lords|Supreme Administrative Court|Constitutional Court|"
        "Court of Appeal|Council of State|Federal Court|High Court|Supreme Court of Cassation|Divisional Court"
    ).split("|")
)
TOWNS: tuple[Phrase, ...] = tuple(
    (name,)
    for name in (
        "Istanbul Ankara Izmir Van Konya Warsaw Lublin Gdańsk Kraków London Leeds Bristol Glasgow Belfast Vienna "
        "Graz Linz Salzburg Moscow Rostov Kazan Berlin Munich Hamburg Paris Lyon Marseille Rome Milan Naples "
        "Stockholm Malmö Copenhagen Oslo Bergen Helsinki Tampere Brussels Antwerp Madrid Seville Lisbon Porto Athens "
        "Zürich Geneva Bratislava Prague Brno Budapest Szeged Sofia Plovdiv Zagreb Split Ljubljana Chişinău Riga "
        "Vilnius Tallinn Yerevan Nicosia Valletta Kyiv Kharkiv Odessa Lviv Bucharest Cluj Tbilisi Dublin Cork"
    ).split()
)


def moved(given: Passage, rng: random.Random) -> Passage:
    """A passage as if another state's courts had heard it."""
    changes: dict[Phrase, Phrase] = {}
    own = max(STATES, key=lambda state: sum(_count(given.words, phrase) for phrase in set(state)))
    other = rng.choice(STATES)
    for old, new in zip(own, other, strict=True):
        changes.setdefault(old, new)
    for names in (COURTS, TOWNS):
        held = [name for name in names if _count(given.words, name)]
        changes |= dict(zip(held, rng.sample(names, len(held)), strict=True))
    return exchanged(given, changes)


def _count(words: Sequence[str], phrase: Phrase) -> int:
    places = (at for at, word in enumerate(words) if word == phrase[0])
    return sum(tuple(words[at : at + len(phrase)]) == phrase for at in places)


def exchanged(given: Passage, changes: Mapping[Phrase, Phrase]) -> Passage:
    """Some phrases for others, which take over the first word's labels. Longer phrases come first."""
    longest = sorted(changes, key=len, reverse=True)
    new = Passage(given.source, [], [], [], [])
    at = 0
    while at < len(given.words):
        old = next((one for one in longest if tuple(given.words[at : at + len(one)]) == one), None)
        words = changes[old] if old else (given.words[at],)
        target, mask = given.targets[at], given.masks[at]
        new.words += words
        new.gaps += [given.gaps[at]] + [1] * (len(words) - 1)
        new.targets += [target] + [inside(target)] * (len(words) - 1)
        new.masks += [mask] * len(words)
        at += len(old) if old else 1
    return new


def inside(target: int) -> int:
    """What a further word of the same mention has for a target."""
    begins = target < len(TAGS) and target % 2 == 1
    return target + 1 if begins and TAGS[target][2:] in TYPES else target
