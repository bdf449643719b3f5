"""One thing, one placeholder: the type and the key of every cut name, judged for the whole text."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from efface.core import Edit
from efface.finders.fields.labelled_fields import tells_whole_name
from efface.finders.introduced_names import names_same_person
from efface.finders.names.people import keys
from efface.pipeline.propagation.strings import FOLLOWED, NAMES, PERSON, bare, name_parts, without_kind
from efface.text.folding import fold_term
from efface.text.letter_classes import CAPITAL
from efface.text.person_words import COURTESY_TITLE

_INITIAL = re.compile(r"[^\W\d_]\.")
_HYPHENATED = re.compile(r"(?<=\s)[^\W\d_]+(?:-[^\W\d_]+)+\Z")  # "Oppong-Mensah" of Kwabena Oppong-Mensah

_CODE = re.compile(r"[^\W\d_]{0,3}[-/]?\d[\w/-]*")  # RX10023 and RX10024, taken for persons, are two of them


_NOUN_BEHIND = re.compile(rf"[ \u00a0]{CAPITAL}")
_ARTICLE_BEFORE = re.compile(r"(?<!\w)(?:the|both|die|der|den|de)[ \u00a0]\Z", re.IGNORECASE)

_BEFORE = 16  # characters before a name in which a title or a relation stands
_TITLE = re.compile(r"(?<!\w)(Mr|Mrs|Ms|Miss)\.?[ \u00a0]\Z")  # those that tell a man from a woman
_TITLED = re.compile(rf"(?:{COURTESY_TITLE}|Prof|Sir|Lady|Lord|Dame)\b")
# "J. Okafor (Janet)": the brackets tell what the initial stands for.
_ONE_INITIAL = re.compile(
    rf"(?P<initial>{CAPITAL})\.?[ \u00a0](?P<surname>[^\W\d_]{{2,}}(?:['’-][^\W\d_]+)*)"
)
_GIVEN_IN_BRACKETS = re.compile(rf"[ \u00a0]\((?P<given>{CAPITAL}[^\W\d_]{{1,30}})\)")
_WOMEN = frozenset("wife mother mum mom daughter sister aunt niece grandmother girlfriend widow".split())
_MEN = frozenset("husband father dad son brother uncle nephew grandfather boyfriend widower".split())
_RELATION = re.compile(rf"(?<!\w)({'|'.join(sorted(_WOMEN | _MEN))}),?[ \u00a0]\Z", re.IGNORECASE)

# "Quigley junior", "Quigley the elder": the word may stand outside of the cut.
_GENERATION = re.compile(
    r",?[ \u00a0](?P<one>(?i:junior|senior|jnr|snr|jr|sr)|the (?:elder|younger))(?![\w-])"
)
_GIVEN_BEFORE_SURNAME = re.compile(
    rf"[ \u00a0]\((?P<given>{CAPITAL}[^\W\d_]{{1,30}})[ \u00a0](?P<surname>[\w'’-]+)\)"
)
_GENERATIONS = {"j": "jr", "s": "sr", "the elder": "sr", "the younger": "jr"}

# A child has no Mr or Mrs: the label of a form, or the age, tells one.
_PUPIL_LABEL = re.compile(r"(?<!\w)(?i:pupil|child)(?: name)?:[ \t]*\Z")
_AGE = re.compile(r"\s{0,8}(?:\((?:aged )?|, aged |,? aged |[Aa]ge:? {0,2})(?P<years>[0-9]{1,2})(?![\w/.:])")
_GROWN = 16  # years: younger people are called by their given names


def one_thing(text: str, edits: Sequence[Edit]) -> list[Edit]:
    """The edits; those of names have one type and one key for each name, whatever a finder called it here or there.

    A name has the type with most evidence over all places; parts of a person's name are evidence for a person.
    """
    surfaces = _with_labelled_names(edits, _surfaces(text, edits))
    kinds = _kinds(surfaces)
    types = {edit: kinds.get(fold_term(surface), edit.type) for edit, surface in surfaces.items()}
    surfaces = _without_genitive(text, surfaces | _over_overlaps(text, surfaces))
    addressed = {edit: _addressed(text, edit, surface) for edit, surface in surfaces.items()}
    people = keys(addressed[edit] for edit in _outermost(surfaces) if types[edit] == PERSON)
    key_of = {edit: people.get(name, "") for edit, name in addressed.items() if types[edit] == PERSON}
    other_names = _other_names(text, key_of)
    wholes = _wholes(surface for edit, surface in surfaces.items() if types[edit] != PERSON)

    def key(edit: Edit, surface: str) -> str:
        person = "" if _CODE.fullmatch(surface) else key_of.get(edit, "")
        whole = fold_term(surface)
        return other_names.get(person, person) if person else wholes.get(whole, whole)

    told: list[Edit] = []
    for edit in edits:
        surface = surfaces.get(edit)
        if surface is None:  # not a name
            told.append(edit)
        else:
            told.append(replace(edit, type=types[edit], key=key(edit, surface)))
    return told


def _over_overlaps(text: str, surfaces: Iterable[Edit]) -> dict[Edit, str]:
    """The whole name for persons that two finders saw in part: "Pfleger Anton" and "Anton Riedl" are Pfleger Anton Riedl."""
    found: dict[Edit, str] = {}
    chain: list[Edit] = []
    for edit in _outermost(edit for edit in surfaces if edit.type == PERSON):
        if chain and edit.start >= chain[-1].end:
            chain = []
        chain.append(edit)
        if len(chain) > 1:
            found |= dict.fromkeys(chain, bare(text[chain[0].start : edit.end]))
    return found


def _without_genitive(text: str, surfaces: dict[Edit, str]) -> dict[Edit, str]:
    """The names; one in the genitive of German and its neighbours as it is without: "Wastlhubers Akte" is Wastlhuber's.

    A noun with a capital follows such a genitive, and "the Whitcombes" are a family.
    """
    stems = {
        edit: surface[:-1] for edit, surface in surfaces.items() if _may_be_genitive(text, edit, surface)
    }
    if not stems:
        return surfaces
    parts: set[str] = set()
    for surface in surfaces.values():
        names = name_parts(surface)
        parts.update(names if len(names) > 1 else ())
    # "Jones" of Ann Jones is no genitive.
    found = {edit: stem for edit, stem in stems.items() if stem in parts and surfaces[edit] not in parts}
    return surfaces | found


def _may_be_genitive(text: str, edit: Edit, surface: str) -> bool:
    if not surface.endswith("s") or _NOUN_BEHIND.match(text, edit.end) is None:
        return False
    return _ARTICLE_BEFORE.search(text, max(0, edit.start - _BEFORE), edit.start) is None


def _wholes(surfaces: Iterable[str]) -> dict[str, str]:
    """For the short form of a firm or a house the whole name, if it is of one alone: "Tanglewood", of Tanglewood House."""
    found: dict[str, set[str]] = defaultdict(set)
    for surface in surfaces:
        head = bare(without_kind(surface))
        if head:
            found[fold_term(head)].add(fold_term(surface))
    return {head: wholes.pop() for head, wholes in found.items() if len(wholes) == 1}


def _other_names(text: str, people: dict[Edit, str]) -> dict[str, str]:
    """For the key of a nickname that the text introduces, the key of its person: "Dean Purvis, known as Spider"."""
    found: dict[str, str] = {}
    last: Edit | None = None
    for edit in sorted(
        (edit for edit, key in people.items() if key), key=lambda edit: (edit.start, -edit.end)
    ):
        if last is not None and names_same_person(text, last.end, edit.start):
            one, other = found.get(people[last], people[last]), people[edit]
            # The longer name is the person's own: "Smudge (real name Lee Craven)".
            short, full = sorted((one, other), key=lambda key: len(key.split()))
            if one != other and full not in found:
                found[short] = full
        if last is None or edit.end > last.end:
            last = edit
    return found


def _addressed(text: str, edit: Edit, surface: str) -> str:
    """A person's name with the title that the words before it tell: "Mr" may stand outside of the cut, and a wife is no
    Mr. A given name in brackets behind it counts for its initial, and "junior" behind it is part of the name."""
    generation = _GENERATION.match(text, edit.end)
    if generation is not None:
        word = generation["one"].lower()
        given = _GIVEN_BEFORE_SURNAME.match(text, generation.end())
        whole = f"{given['given']} {surface}" if given and given["surname"] == surface else surface
        surface = f"{whole} {_GENERATIONS.get(word) or _GENERATIONS[word[0]]}"
    initial, told = _ONE_INITIAL.fullmatch(surface), _GIVEN_IN_BRACKETS.match(text, edit.end)
    if initial and told and told["given"].startswith(initial["initial"]):
        return f"{told['given']} {initial['surname']}"
    before = text[max(0, edit.start - _BEFORE) : edit.start]
    title = _TITLE.search(before)
    if title is not None:
        return f"{title[1]} {surface}"
    if _is_child(text, edit, before) and not _TITLED.match(surface):
        return f"Pupil {surface}"
    relation = _RELATION.search(before)
    if relation is None or _TITLED.match(surface):
        return surface
    return f"{'Mrs' if relation[1].lower() in _WOMEN else 'Mr'} {surface}"


def _is_child(text: str, edit: Edit, before: str) -> bool:
    age = _AGE.match(text, edit.end)
    return _PUPIL_LABEL.search(before) is not None or (age is not None and int(age["years"]) < _GROWN)


def _with_labelled_names(edits: Iterable[Edit], surfaces: dict[Edit, str]) -> dict[Edit, str]:
    """The names; where a label tells a surname and the field beside it the given name, the whole of it.

    Two people of one surname are two in a list of patients, though their cells read alike.
    """
    told = {(edit.start, edit.end): edit.key for edit in edits if tells_whole_name(edit)}
    if not told:
        return surfaces
    return {edit: told.get((edit.start, edit.end), surface) for edit, surface in surfaces.items()}


def one_type(text: str, edits: Sequence[Edit]) -> list[Edit]:
    """The edits; those of names have one type for each name."""
    surfaces = _surfaces(text, edits)
    kinds = _kinds(surfaces)
    types = {edit: kinds.get(fold_term(surface), edit.type) for edit, surface in surfaces.items()}
    return [
        edit if types.get(edit, edit.type) == edit.type else replace(edit, type=types[edit]) for edit in edits
    ]


def _surfaces(text: str, edits: Iterable[Edit]) -> dict[Edit, str]:
    """The names among the edits that wait for a placeholder, as they are written."""
    return {edit: _surface(text, edit) for edit in edits if edit.type in NAMES and edit.replacement is None}


def _outermost(edits: Iterable[Edit]) -> list[Edit]:
    """The edits that no longer one holds. "Mireille Tanaka" found within "Mireille Tanaka-Boyd" is no second person."""
    outermost: list[Edit] = []
    reached = -1
    for edit in sorted(edits, key=lambda edit: (edit.start, -edit.end)):
        if edit.end > reached:
            outermost.append(edit)
            reached = edit.end
    return outermost


def _surface(text: str, edit: Edit) -> str:
    """The name that an edit takes out; of a token that it is glued into, the name alone."""
    surface = bare(text[edit.start : edit.end])
    is_token = edit.reason.endswith(FOLLOWED) and not name_parts(surface)
    return edit.key if is_token else surface


def _kinds(surfaces: dict[Edit, str]) -> dict[str, str]:
    """For each folded name, the type with most evidence. Edits that only follow from another edit are no evidence."""
    votes: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for edit, surface in surfaces.items():
        if edit.reason.endswith(FOLLOWED):
            continue
        votes[fold_term(surface)][edit.type] += edit.score
        if edit.type == PERSON:
            for part in _parts_of_person(surface):
                votes[part][PERSON] += edit.score
    for name in list(votes):  # "the Whitcombes" are persons if Whitcombe is one
        singular = name.removesuffix("s")
        if singular != name and votes.get(singular, {}).get(PERSON):
            votes[name][PERSON] += votes[singular][PERSON]
    return {name: max(sorted(found), key=lambda kind: found[kind]) for name, found in votes.items()}


def _parts_of_person(surface: str) -> Iterator[str]:
    """The folded parts of a name for which it is evidence that they are a person's."""
    parts = name_parts(surface)
    if len(parts) > 1:
        for part in {*parts, *_HYPHENATED.findall(surface)}:
            yield fold_term(part)
        yield ".".join(part[0].lower() for part in parts)
    elif parts and _INITIAL.match(surface):  # "J. London" is evidence that London is a person
        yield fold_term(parts[0])
