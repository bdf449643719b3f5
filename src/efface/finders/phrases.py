"""Noun phrases and other content words of a text, by word classes and the shape of an English noun phrase.

A small tagger (`knowledge/taxonomy/pos_tagger.py`) gives each word its class in its place. A phrase is adverb,
adjective or participle, noun, and never holds a verb. An acronym in brackets is tied to its long form: both get one
key, the two normal forms with a bar between them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

from efface.core import FinderTraits, Mention, Span, SpanSet
from efface.finders.broken_words import broken_words
from efface.finders.disguised_names import DisguisedNames
from efface.knowledge.corpus.text_runs import BREAK, CountedToken, kind_of, tokens
from efface.knowledge.taxonomy.concepts import lexicon
from efface.knowledge.taxonomy.pos_tagger import VERBS, Tagger, english
from efface.knowledge.taxonomy.words import Lexicon

TYPE = "TERM"
ALTERNATIVE = "|"
_HYPHENS = ("-", "‐", "‑")
_LETTERS = {"ns": "n", "np": "n", "nn": "n", "G": "n", "a": "a", "D": "a", "Z": "d"}
_SUBJECTS = frozenset(("X", "O", "ns", "np", "nn", "S", "M", "T"))  # a participle after them is a verb
_OPENERS = frozenset(("D", "G", "a", "C", ",", ".", "H"))  # a word in -ing after them is before a noun
_NUMBER_WORDS = frozenset(
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen "
    "twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion dozen".split()
)
# Plurals that stand before a noun; after other plurals a new phrase begins: `other antipsychotics clozapine may be tried`.
_PLURAL_MODIFIERS = frozenset(
    "sports arms sales savings customs goods news human-resources benefits claims accounts communications operations parents "
    "means earnings systems drugs women men children data politics physics economics mathematics electronics graphics series "
    "species statistics resources services standards rights affairs relations proceedings examinations admissions".split()
)
# After a noun these begin a phrase of their own: `of the disease months later`, `during treatment people may`.
_NEW_PHRASE = frozenset("people minutes hours days weeks months years decades".split())
_BEFORE_NEW_PHRASE = frozenset(
    "business city country town school office working calendar life visiting opening".split()
)
_NAMING = frozenset("spelled spelt called named termed dubbed nicknamed".split())  # verbs before a name
# A plural that is a verb before such a word: `results in`, `the association states that`.
_REPORTING = frozenset("states claims reports shows notes argues suggests holds warns finds".split())
_RESULTING = frozenset(("in", "from"))
# No phrase runs across a dash (`DISCHARGE LETTER - ward 4`), or across a tab, which parts the cells of tables.
_PARTING = re.compile(r"\s[-‐‑]+\s|\t")
_ALLERGEN = (
    r"(?:penicillin|amoxicillin|erythromycin|trimethoprim|sulfa drugs|sulfa|sulpha|sulfonamides|cephalosporins|aspirin|ibuprofen|"
    r"codeine|paracetamol|latex|iodine|contrast|chlorhexidine|plasters?|adhesive tape|nuts|tree nuts|peanuts|cashews?|almonds?|sesame|"
    r"eggs?|milk|lactose|gluten|wheat|soya?|celery|mustard|fish|shellfish|prawns|kiwi|bananas?|strawberries|pollen|grass|"
    r"(?:house )?dust(?: mites?)?|mould|mold|feathers|horses?|cats?|dogs?|bees?|wasps?|bee stings|wasp stings|nickel|perfume|hair dye)"
)
_ALLERGY = re.compile(
    rf"\b(?:allergic to|allergy to|allergies to|intolerant of|allergies:|allergic:)\s+{_ALLERGEN}"
    rf"(?:(?:,|,? and|,? or)\s+{_ALLERGEN})*\b",
    re.IGNORECASE,
)
# How people are addressed. It is no part of what is judged: of `Dear Dr Rao` at most the name may go.
_ADDRESS = frozenset("Dear Mr Mrs Ms Miss Mx Dr Prof Professor".split())
_MAX_PHRASE = 6  # words; a longer run is read as several phrases
_LONG_FORM = 10  # words before a bracket among which the long form is looked for


@dataclass(frozen=True, slots=True)
class _PhraseWord:
    """A token with its spelling, its class in this place, and whether a hyphen ties it to the one before."""

    token: CountedToken
    spelled: str
    tag: str
    tied: bool


@dataclass(frozen=True)
class PhraseFinder:
    """Finds noun phrases, and content words outside of them. Mentions do not overlap."""

    lexicon: Lexicon = field(default_factory=lexicon, repr=False)
    tagger: Tagger = field(default_factory=english, repr=False)
    # The names of what is hidden, in the form that `broken_words` takes.
    names: Mapping[str, str] = field(default_factory=dict, repr=False)
    telling: re.Pattern[str] | None = field(default=None, repr=False)  # phrases that are one term each

    traits: ClassVar[FinderTraits] = FinderTraits(overrules_keep=True)

    def find(self, text: str) -> Iterator[Mention]:
        aliases: dict[str, str] = {}
        named: list[Span] = []
        for acronym, long_form in _acronyms(text):
            long_key = _key(text[long_form.start : long_form.end], self.lexicon)
            pair = (_key(acronym, self.lexicon) or acronym, long_key)
            aliases.update(dict.fromkeys(pair, ALTERNATIVE.join(sorted(pair))))
            named.append(long_form)
        broken = [*broken_words(text, self.names, self.lexicon), *_acronyms_like_stop_words(text, aliases)]
        broken += _apart_from(self._disguised.find(text), SpanSet(span for span, _ in broken))
        found = list(self._mentions(text, broken, aliases, SpanSet(named)))
        told = list(
            _uncovered_phrases(text, self.telling, SpanSet(found), SpanSet(span for span, _ in broken))
        )
        found = list(self._mentions(text, [*broken, *told], aliases, SpanSet(named))) if told else found
        allergies = SpanSet(self._allergies(text))
        yield from (mention for mention in found if not allergies.covers(mention.start, mention.end))

    @cached_property
    def _disguised(self) -> DisguisedNames:
        return DisguisedNames(frozenset(self.names.values()))

    def _allergies(self, text: str) -> Iterator[Span]:
        """Where a text says to what someone is allergic: that tells no illness that would be treated with it. Not where one
        of the words is hidden itself, or stands elsewhere too, where it may have to go."""
        matches = list(_ALLERGY.finditer(text))
        if not matches or any(name.startswith("allerg") for name in self.names):
            return
        occurs = Counter(re.findall(r"\w+", text.lower()))
        for match in matches:
            if self._tells_nothing_else(match.group(), occurs):
                yield Span(*match.span())

    def _tells_nothing_else(self, said: str, occurs: Mapping[str, int]) -> bool:
        """Whether no word is hidden, and each stands alone here."""
        if self.telling is not None and self.telling.search(said):
            return False
        for word in tokens(said, self.lexicon):
            if word.kind == BREAK:
                continue
            if word.key.lower() in self.names or occurs[said[word.start : word.end].lower()] != 1:
                return False
        return True

    def _mentions(
        self, text: str, fixed: Sequence[tuple[Span, str]], aliases: Mapping[str, str], named: SpanSet
    ) -> Iterator[Mention]:
        """What is fixed beforehand, and the phrases and words of the rest."""
        for span, key in fixed:
            yield Mention(span.start, span.end, TYPE, aliases.get(key, key), 1.0, "content word")
        taken = SpanSet(span for span, _ in fixed)
        for run in _word_runs(text, self.lexicon, self.tagger, named, taken):
            for whole, why in _chunks(run):
                for words in _split(whole, aliases):
                    start, end = words[0].token.start, words[-1].token.end
                    key = _phrase_text(words)
                    yield Mention(start, end, TYPE, aliases.get(key, key), 1.0, why)


def _apart_from(found: Iterable[tuple[Span, str]], taken: SpanSet) -> Iterator[tuple[Span, str]]:
    """What was found where nothing is taken."""
    return ((span, key) for span, key in found if not taken.touches(span.start, span.end))


def _uncovered_phrases(
    text: str, pattern: re.Pattern[str] | None, found: SpanSet, taken: SpanSet
) -> Iterator[tuple[Span, str]]:
    """Where given phrases are that no term holds whole: `sent down`, but not the first words of `CD4 count`."""
    for match in pattern.finditer(text) if pattern is not None else ():
        if not found.covers(*match.span()) and not taken.touches(*match.span()):
            yield Span(*match.span()), " ".join(match.group().lower().split())


def _split(words: Sequence[_PhraseWord], aliases: Mapping[str, str]) -> Iterator[Sequence[_PhraseWord]]:
    """A phrase that ends in a long form is cut before it, so that the long form gets its acronym's key."""
    for at in range(1, len(words) - 1):
        if _phrase_text(words[at:]) in aliases:
            yield words[:at]
            yield words[at:]
            return
    yield words


def _phrase_text(words: Sequence[_PhraseWord]) -> str:
    return " ".join(word.token.key for word in words)


def _key(term: str, lexicon: Lexicon) -> str:
    return " ".join(token.key for token in tokens(term, lexicon) if token.kind != BREAK)


def _word_runs(
    text: str, lexicon: Lexicon, tagger: Tagger, named: SpanSet, taken: SpanSet
) -> Iterator[list[_PhraseWord]]:
    """Words between stop words and punctuation, each with its class. A long form holds no verb. Taken words end a run."""
    read = [t for t in tokens(text, lexicon) if text[t.start] != "\n" or not _is_wrap(text, t.start)]
    run: list[_PhraseWord] = []
    for token, tag, tied in zip(read, _classes(text, read, tagger), _ties(text, read), strict=True):
        spelled = text[token.start : token.end]
        is_border = token.kind == BREAK or spelled in _ADDRESS or taken.touches(token.start, token.end)
        if run and (is_border or _PARTING.search(text, run[-1].token.end, token.start)):
            yield run
            run = []
        if not is_border:
            if tag == "v" and named.touches(token.start, token.end):
                tag = "p"
            run.append(_PhraseWord(token, spelled, tag, bool(run) and tied))
    if run:
        yield run


def _ties(text: str, read: Sequence[CountedToken]) -> list[bool]:
    """Which words a hyphen ties to the one before."""
    ends = [0, *(token.end for token in read)]
    return [text[end : token.start] in _HYPHENS for end, token in zip(ends, read, strict=False)]


def _classes(text: str, read: Sequence[CountedToken], tagger: Tagger) -> Iterator[str]:
    """n, v, a, p (participle before a noun), r, d (digits) or c (a number word); of words that end a run anything."""
    spelled: list[str] = []
    places: list[int] = []
    for token, tied in zip(read, _ties(text, read), strict=True):
        if tied:
            spelled.append("-")
        places.append(len(spelled))
        spelled.append(text[token.start : token.end])
    tags = [".", *tagger.tags(spelled)]
    for place in places:
        number = spelled[place].lower() in _NUMBER_WORDS and spelled[place + 1 : place + 2] != ["-"]
        following = spelled[place + 1].lower() if place + 1 < len(spelled) else ""
        if number:
            yield "c"
        elif _is_verb_before(spelled[place], following):
            yield "v"
        else:
            yield _class(spelled[max(0, place - 1) : place + 1], tags[max(0, place - 2) : place + 2])


def _is_verb_before(word: str, following: str) -> bool:
    """Whether what follows makes a verb of a word that could be a plural."""
    return (word in _REPORTING and following == "that") or (word == "results" and following in _RESULTING)


def _class(words: Sequence[str], tags: Sequence[str]) -> str:
    """The class of the last of these tagged words."""
    spelled, tag = words[-1], tags[-1]
    # `those who drink coffee`, `some people experience insomnia`
    of_people = words[0].lower() in ("who", "people") and "v" in lexicon().word_classes(spelled)
    if of_people or spelled in _NAMING:
        return "v"
    before = next((each for each in reversed(tags[:-1]) if each != "r"), ".")
    if tag in ("vn", "vd", "a") and spelled.endswith(("ed", "en")) and before == "X":
        return "v"  # `was given zidovudine`
    match tag:
        case "vn":
            is_verb = before in _SUBJECTS
        case "vd":
            is_verb = tags[-2] != "r" or before not in ("P", "D", "G", ".", ",")
        case "vg":
            is_verb = before not in _OPENERS
        case _:
            return _LETTERS.get(tag, "v" if tag in VERBS else "r")
    return "v" if is_verb else "p"


def _is_wrap(text: str, at: int) -> bool:
    """Whether a line ends here only because the page does: it goes on with a small letter."""
    following = text[at + 1 : at + 2]
    return following.islower() and text[at - 1 : at] not in ("", "\n")


def _chunks(run: Sequence[_PhraseWord]) -> Iterator[tuple[Sequence[_PhraseWord], str]]:
    """Noun phrases of a run, and what is left of it word by word."""
    at = 0
    while at < len(run):
        end = max(_phrase_end(run, at), at + 1)
        while end < len(run) and run[end].tied:  # a hyphen is never cut through: `part-time`
            end += 1
        words = run[at:end]
        if len(words) > 1 or (words[0].tag not in "dc" and len(words[0].spelled) > 1):
            yield words, "noun phrase" if _is_noun_phrase(words) else "content word"
        at = end


def _is_noun_phrase(words: Sequence[_PhraseWord]) -> bool:
    """Whether what was cut out can be replaced by a noun: `HIV-positive` by itself cannot."""
    return words[-1].tag == "n" or (
        len(words) > 1 and words[-1].tag == "p" and words[-1].spelled.endswith("ing")
    )


def _phrase_end(run: Sequence[_PhraseWord], start: int) -> int:
    """Where the noun phrase that begins here ends, or `start` if none does."""
    end = start
    for at in range(start, min(len(run), start + _MAX_PHRASE)):
        word = run[at]
        following = run[at + 1].tag if at + 1 < len(run) else ""
        is_number_first = word.tag == "d" and at == start
        is_adverb_alone = word.tag == "r" and following not in ("a", "p")
        if word.tag in "vc" or is_number_first or is_adverb_alone:
            break
        if at > start and _parts_phrases(run[at - 1], word):
            break
        is_gerund = word.tag == "p" and word.spelled.endswith("ing") and end == start < at
        if word.tag == "n" or is_gerund:
            end = at + 1
    return end


def _parts_phrases(before: _PhraseWord, word: _PhraseWord) -> bool:
    """Whether a phrase ends between a noun and the word after it."""
    if before.tag != "n" or word.tied or _is_possessive(before):
        return False
    if word.tag in "arp":  # `her death last winter`
        return not word.spelled[0].isupper()
    return word.tag == "n" and _begins_phrase(before.spelled, word.spelled)


def _begins_phrase(before: str, noun: str) -> bool:
    """Whether a noun after another one begins a new phrase, where both are common words."""
    if not (before.islower() and noun.islower()):
        return False
    if noun in _NEW_PHRASE:
        return before not in _BEFORE_NEW_PHRASE
    singular = lexicon().key(before)
    return singular != before and singular in lexicon().nouns and before not in _PLURAL_MODIFIERS


def _is_possessive(word: _PhraseWord) -> bool:
    return word.spelled.endswith(("'s", "’s", "'", "’"))


def _acronyms_like_stop_words(text: str, aliases: Mapping[str, str]) -> Iterator[tuple[Span, str]]:
    """Where acronyms of this text are that no term would hold otherwise: `ALL` of acute lymphoblastic leukemia."""
    for short in aliases:
        if short.isupper() and kind_of(short) == BREAK:
            for match in re.finditer(rf"(?<!\w){short}(?!\w)", text):
                yield Span(*match.span()), short


_BRACKET = re.compile(r"\(\s*([A-Za-z][A-Za-z0-9]{1,9})\s*\)")


def _acronyms(text: str) -> Iterator[tuple[str, Span]]:
    """Acronyms in brackets and where the words before them are that they stand for (Schwartz and Hearst, 2003)."""
    for match in _BRACKET.finditer(text):
        short = match.group(1)
        if sum(letter.isupper() for letter in short) < 2:
            continue
        begin = max(0, match.start() - 200)
        window = text[begin : match.start()].rstrip()
        words = list(re.finditer(r"[^\W_]+(?:-[^\W_]+)*", window))[-_LONG_FORM:]
        letters, starts = short.removesuffix("s").lower(), [word.start() for word in words]
        start = _by_initials(letters, window.lower(), starts)
        if start is None:
            start = _by_letters(letters, window.lower(), starts)
        if start is not None and not re.search(r"[.;:!?()\n]", window[start:]):
            yield short, Span(begin + start, begin + len(window))


def _by_initials(short: str, window: str, starts: Sequence[int]) -> int | None:
    """Where the long form begins when every letter begins a word: `tuberculin skin test (TST)`, not `test`."""
    last = starts[-len(short) :]
    return last[0] if len(short) > 1 and [window[start] for start in last] == list(short) else None


def _by_letters(short: str, window: str, starts: Sequence[int]) -> int | None:
    """Where the long form begins: each letter of the acronym from right to left, the first at a word."""
    at = len(window) - 1
    for index in range(len(short) - 1, -1, -1):
        while at >= 0 and (window[at] != short[index] or (index == 0 and at not in starts)):
            at -= 1
        if at < 0:
            return None
        at -= 1
    start = at + 1
    return start if sum(begin >= start for begin in starts) <= len(short) + 3 else None
