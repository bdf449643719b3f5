"""What the words before a name say for it: titles, kinship, and the end of a letter, in languages other than English.

Who is called "Hr." or "tía" is a person, whatever else the word after it means: "Hr. Lykke", "fetter Dag". So is who signs
below "Beijos," and who stands in a list below "Deltagere:". The readers learned from news, where hardly anybody is an aunt.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from efface.finders.names.chain import KINDS
from efface.finders.names.tokens import LETTER, MIXED, TITLE, UPPER, WordPieces
from efface.learners.names import dictionary, is_given_name
from efface.text.calendar_names import CALENDAR_WORDS
from efface.text.folding import fold_term
from efface.text.form_labels import LABELS
from efface.text.letter_classes import CAPITAL, SMALL
from efface.text.ordinary_words import Usage, usage
from efface.text.person_words import COURTESY_TITLE, PARTICLES, TITLES

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]

SURE = 0.8  # how probable a person is after such a word
_LIKELY = 0.5  # how probable a person is whom the network found by itself
_PERSON = KINDS.index("PERSON")
_CAPITALS = frozenset({TITLE, UPPER, LETTER, MIXED})
_NEW_LINE = 2  # the gap before a word that begins a line
_MOST_SIGNED = 4  # words of a signature, and of a line in a list of people
_MOST_TITLES = 8  # words and full stops from a title to the name
_MOST_CLOSING = 6  # words of the line above a signature

# Folded words after which a person's name follows: titles first, then kinship.
INTRODUCING = {
    "de": "herr herrn frau fraulein hr hrn fr fam familie ra rain onkel tante oma opa grossmutter grossvater cousin cousine neffe nichte",
    "fr": "m mme mlle mm monsieur madame mademoiselle maitre soussigne soussignee tonton oncle tante tata papi papy mamie "
    "cousin cousine neveu niece me",
    "es": "sr sra srta don dona d dna fdo senor senora senorita tio tia abuelo abuela primo prima sobrino sobrina cunado cunada",
    "pt": "sr sra srta dom dona d seu eng enga arq senhor senhora tio tia vovo avo primo prima sobrinho sobrinha cunhado cunhada",
    "it": "sig sigra geom ing arch avv rag prof profssa dr drssa signor signora signorina dott dottssa zio zia nonno nonna cugino cugina nipote sottoscritto sottoscritta",
    "da": "hr fru froken onkel tante moster faster morbror farbror mormor morfar farmor farfar fætter fetter kusine",
    "no": "herr hr fru froken onkel tante mormor morfar farmor farfar bestemor bestefar fætter fetter kusine",
    "sv": "herr hr fru froken farbror morbror faster moster tant mormor morfar farmor farfar kusin",
    "nl": "heer meneer dhr mevrouw mevr mw oom tante opa oma neef nicht",
    "fi": "herra rouva neiti hra rva nti seta eno tati mummo ukki vaari serkku",
    "pl": "pan pani pana pania panu panna wujek ciocia babcia dziadek kuzyn kuzynka",
    "cs": "pan pani pana panem slecna stryc strycek teta babicka deda dedecek bratranec sestrenice",
    "tr": "sayin bay bayan sevgili",
    "en": "mr mrs ms mx",  # the English network knows more by itself
}
# And words that follow a person's name.
FOLLOWING = {"tr": "hanim bey beyin beye teyze amca dayi hala abla abi nine dede efendi"}
# Folded words that follow such a word and are no names: offices, and other titles.
_NO_NAMES = frozenset(
    "doktor doctor professor prof prasident prasidentin president presidente direktor direktorin directeur directrice "
    "director directora diretor diretora direttore minister ministerin ministre ministro ministra kanzler kanzlerin "
    "burgermeister burgermeisterin maire alcalde alcaldesa kollege kollegin rechtsanwalt rechtsanwaltin doutor doutora "
    "avvocato ingegner juge juiz juiza juez jueza richter richterin statsminister burgemeester juge maitre".split()
)
# The first words of the line above a signature.
CLOSING = frozenset(
    "gruss grusse grussen hochachtungsvoll mfg vg lg "
    "cordialement bises bisous amicalement salutations "
    "saludos abrazo beso besos atentamente cordialmente afectuosamente "
    "beijos beijo abraco abracos cumprimentos atenciosamente "
    "saluti baci abbracci cordiali distinti "
    "hilsen hilsner hilsener knus kram kramar halsning halsningar klem mvh vh "
    "groet groeten groetjes liefs hoogachtend "
    "terveisin terveiset pozdrowienia pozdrawiam pozdravem sevgiler sevgilerle saygilarimla selamlar".split()
)
# What a list of people is called.
GATHERED = frozenset(
    "teilnehmer teilnehmende anwesend anwesende entschuldigt zeugen participants presents presentes excuses temoins asistentes "
    "testigos participantes presenti partecipanti deltagere deltakere deltagare narvarande stede aanwezig aanwezigen deelnemers "
    "attendees attending apologies participants witnesses lasna osallistujat obecni uczestnicy pritomni ucastnici katilanlar".split()
)

_FEWEST_TURNS = 3  # turns of a conversation
# What stands before a colon again and again and is no name: fields of forms, and roles.
_NO_SPEAKERS = LABELS | frozenset(
    "frage antwort arzt arztin interviewer moderator hinweis anmerkung beispiel question reponse medecin docteur exemple "
    "pregunta respuesta medico entrevistador ejemplo domanda risposta medico esempio vraag antwoord arts voorbeeld pergunta "
    "resposta exemplo sporgsmal svar laege fraga lakare sporsmal lege kysymys vastaus laakari soru cevap doktor note nota ps".split()
)

_PARTICLE = "|".join(sorted(PARTICLES))
_ENGLISH_TITLE = re.compile(
    rf"(?<!\w){COURTESY_TITLE}\.?[ \u00a0]{{1,2}}(?:(?:{_PARTICLE})[ \u00a0])*(?P<name>{CAPITAL}[^\W\d_]+)"
)
# Officers: "PC Lorimer". A rank is another word too, so the name must be none.
_RANKED = re.compile(
    rf"(?<![\w.-])(?:PC|WPC|PCSO|PS|DC|WDC|DS|DI|DCI|Sgt|Insp)[ \u00a0](?P<name>{CAPITAL}{SMALL}+)(?![\w@])"
)
# "Mr Chairman" is addressed by an office, and "Miss World" and "Dr Pepper" are no persons of a document.
_NO_ENGLISH_NAMES = frozenset(
    "chair chairman chairwoman chairperson president speaker secretary minister justice mayor ambassador commissioner director "
    "governor attorney america universe world pepper and or".split()
)
_FULL_NAME = re.compile(
    rf"(?<![\w.'’-])(?P<given>{CAPITAL}{SMALL}+)[ \u00a0](?P<surname>{CAPITAL}{SMALL}+)(?![\w-]|['’]\w|[ \u00a0]{CAPITAL})"
)
_FREQUENT = "s"  # the list of frequent surnames
_HEADING = re.compile(r"^[ \t]*(.{0,60}):[ \t]*$", re.MULTILINE)


def lists_people(text: str) -> bool:
    """Whether a line of a text in English announces a list of people."""
    return any(not GATHERED.isdisjoint(line[1].lower().split()) for line in _HEADING.finditer(text))


def after_english_titles(text: str, starts: Ints, chances: Floats) -> list[int]:
    """Which of the words that start at `starts` are "Mr", "Mrs" or "Dr" with a name that the network missed, and that
    name. It may see none in a line of telegraphic notes: "Mr King, 90M, fall"."""
    places: list[int] = []
    ranked = (match for match in _RANKED.finditer(text) if usage(fold_term(match["name"])) is Usage.NEVER)
    for match in (*_ENGLISH_TITLE.finditer(text), *ranked):
        if match["name"][0].isupper() and match["name"].lower() not in _NO_ENGLISH_NAMES:
            first, last = np.searchsorted(starts, [match.start(), match.end()])
            if first < last and chances[last - 1, _PERSON] < _LIKELY:
                places.extend(range(first, last))
    return places


def full_english_names(text: str, starts: Ints, chances: Floats) -> list[int]:
    """Which words are a given name that is nothing else and a frequent surname behind it, if the network was not sure of
    them. It may see none in a note: "spoke w Bev Marsh bleep 2231"."""
    places: list[int] = []
    for match in _FULL_NAME.finditer(text):
        given, surname = fold_term(match["given"]), fold_term(match["surname"])
        if not is_given_name(given) or usage(given) is not Usage.NEVER or given in CALENDAR_WORDS:
            continue
        if _FREQUENT not in dictionary().get(surname, "") or surname in LABELS:
            continue
        first, last = np.searchsorted(starts, match.span())
        if chances[first:last].max(initial=0) < _LIKELY:
            places.extend(range(first, last))
    return places


def made_persons(chances: Floats, places: Sequence[int]) -> Floats:
    """How probable each of `KINDS` is, with the words at these places made persons."""
    left = np.array(chances)
    for at in places:
        left[at] *= np.float32(1 - SURE)
        left[at, _PERSON] = max(chances[at, _PERSON], SURE)
    return left


def introduced(chances: Floats, words: WordPieces, texts: Sequence[str], language: str) -> Floats:
    """How probable each of `KINDS` is, with the words made persons that a title, a closing or a list tells to be."""
    known = frozenset(INTRODUCING.get(language, "").split())
    if not known or not len(words):
        return chances
    after = frozenset(FOLLOWING.get(language, "").split())
    folded = [fold_term(text) if text[0].isalpha() else text for text in texts]
    capital = [case in _CAPITALS for case in words.cases.tolist()]
    places = [*_after_titles(folded, capital, known), *_in_lines(folded, capital, words)]
    places += speakers(folded, capital, _lines(words))
    places += [
        at for at, word in enumerate(folded[1:]) if word in after and capital[at] and folded[at] not in known
    ]
    return made_persons(chances, places)


def _after_titles(folded: Sequence[str], capital: Sequence[bool], known: frozenset[str]) -> Iterator[int]:
    """The first word with a capital after a title, over further titles, their full stops, and particles."""
    for at, word in enumerate(folded):
        if word not in known:
            continue
        place = at + 1
        while place < len(folded) and (
            folded[place] == "." or _stands_between(folded[place], capital[place], known)
        ):
            place += 1
        is_name = place < len(folded) and capital[place] and folded[place].isalpha()
        if is_name and place - at <= _MOST_TITLES and folded[place] not in _NO_NAMES | known:
            yield place


def _stands_between(word: str, capital: bool, known: frozenset[str]) -> bool:
    return word in TITLES or word in known or (word in PARTICLES and not capital)


def _in_lines(folded: Sequence[str], capital: Sequence[bool], words: WordPieces) -> Iterator[int]:
    """The names in the line below a closing, and in the lines of a list of people."""
    lines = _lines(words)
    listed = False
    for number, (first, last) in enumerate(lines):
        if listed and folded[first] not in "-*•–":
            listed = False
        above = lines[number - 1] if number else (0, 0)
        if listed or _is_closing(folded[above[0] : above[1]]):
            yield from _short_line(folded, capital, first, last)
        if folded[last - 1] == ":" and not GATHERED.isdisjoint(folded[first:last]):
            listed = True


def speakers(
    folded: Sequence[str], capital: Sequence[bool], lines: Sequence[tuple[int, int]]
) -> Iterator[int]:
    """Who speaks in a conversation: the first words of lines that follow one another, each before a colon. One of them
    must speak twice, or it may be a form."""
    turns: list[int] = []
    for first, last in [*lines, (0, 0)]:  # an empty line ends the last conversation
        has_words = last - first > 2 and len(folded[first]) > 1
        if has_words and capital[first] and folded[first + 1] == ":":
            turns.append(first)
            continue
        names = {folded[at] for at in turns}
        if len(turns) >= _FEWEST_TURNS and len(names) < len(turns):
            yield from (at for at in turns if folded[at].isalpha() and folded[at] not in _NO_SPEAKERS)
        turns = []


def _is_closing(line: Sequence[str]) -> bool:
    """Whether a line ends a letter. A sentence about kisses is longer, or ends with a full stop."""
    return 0 < len(line) <= _MOST_CLOSING and line[-1] != "." and not CLOSING.isdisjoint(line)


def _short_line(folded: Sequence[str], capital: Sequence[bool], first: int, last: int) -> Iterator[int]:
    words = [at for at in range(first, last) if folded[at].isalpha()]
    if len(words) <= _MOST_SIGNED:
        yield from (at for at in words if capital[at] and folded[at] not in TITLES | _NO_NAMES)


def _lines(words: WordPieces) -> list[tuple[int, int]]:
    starts = [0, *(np.flatnonzero(words.gaps[1:] >= _NEW_LINE) + 1).tolist()]
    return list(zip(starts, [*starts[1:], len(words)], strict=True))
