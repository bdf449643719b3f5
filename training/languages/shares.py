"""How often the texts of each source are used to train the network and the chains for languages other than English."""

from collections.abc import Mapping

FIRST = ("de", "fr", "es", "it", "nl", "pt")  # these count most
EMPTY = 0.4  # of the texts without any name
NETWORK_SHARES = {
    "de.europeana": 0.1,
    "de.germeval14": 1.0,
    "de.ler": 0.1,
    "de.mobie": 0.2,
    "de.uner-pud": 1.5,
    "de.wikiann": 0.4,
    "es.meddocan": 0.3,
    "es.pud-projected": 2.0,
    "es.wikiann": 1.0,
    "fr.europeana": 0.15,
    "fr.pud-projected": 2.0,
    "fr.wikiann": 1.0,
    "it.pud-projected": 2.5,
    "nl.europeana": 0.15,
    "nl.wikiann": 0.8,
    "pt.lener-br": 0.15,
    "pt.uner-pt-bosque": 0.6,
    "pt.uner-pud": 1.0,
    "pt.wikiann": 0.6,
    "da.uner-da-ddt": 0.7,
    "sv.swedish-ner-corpus": 0.5,
    "sv.uner-pud": 1.0,
    "sv.uner-sv-talbanken": 0.2,
    "no.norne": 0.2,
    "fi.finer-wikipedia": 0.6,
    "fi.pud-projected": 1.0,
    "fi.turku": 0.25,
    "tr.pud-projected": 1.0,
    "tr.turkish-wiki-ner": 0.15,
    "pl.pud-projected": 1.0,
    "pl.wikiann": 0.7,
    "cs.pud-projected": 1.5,
    "sk.uner-sk-snk": 0.3,
}
# Of which languages a chain learns, and how much of each.
KIN: Mapping[str, Mapping[str, float]] = {
    "de": {"de": 1.0},
    "fr": {"fr": 1.0, "it": 1.0, "es": 0.1},
    "es": {"es": 1.0, "pt": 0.15, "it": 0.6},
    "it": {"it": 2.0, "es": 0.4, "pt": 0.25, "fr": 0.3},
    "nl": {"nl": 1.0, "de": 0.2, "da": 0.3, "no": 0.1},
    "pt": {"pt": 1.0, "es": 0.1, "it": 0.4},
    "da": {"da": 1.5, "no": 0.25, "sv": 0.3},
    "sv": {"sv": 1.5, "da": 0.5, "no": 0.15},
    "no": {"no": 1.0, "da": 0.5, "sv": 0.2},
    "fi": {"fi": 1.0},
    "tr": {"tr": 1.0},
    "pl": {"pl": 1.5, "cs": 1.0, "sk": 0.3},
    "cs": {"cs": 3.0, "sk": 1.0, "pl": 0.5},
    "ru": {"ru": 1.5},
    "zh": {"zh": 1.5},
    "ja": {"ja": 1.0},
    "ar": {"ar": 1.5},
}
# Of silver labels, of noise and of one kind of text only, less.
LESS = {
    "de.europeana": 0.5,
    "de.ler": 0.35,
    "de.mobie": 0.6,
    "de.uner-pud": 1.5,
    "de.wikiann": 0.6,
    "es.meddocan": 0.7,
    "fr.europeana": 0.5,
    "nl.europeana": 0.35,
    "no.norne": 0.7,
    "pt.lener-br": 0.5,
    "tr.turkish-wiki-ner": 0.7,
}
# And less still of the kinds of text that only one language has, for its kin.
LESS_FOR_KIN = {"de.europeana": 0.1, "de.ler": 0.0, "de.mobie": 0.1}
