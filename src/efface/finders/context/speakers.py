"""Who speaks in a conversation, by what stands before the colons of lines that follow one another: "Jazz: Morning all".

A form has labels there. Names are told from them by others in the same conversation that are nothing but names.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from efface.core import Mention
from efface.learners.names import is_given_name
from efface.text.folding import fold_term
from efface.text.form_labels import LABELS
from efface.text.letter_classes import CAPITAL
from efface.text.ordinary_words import Usage, usage
from efface.text.person_words import ROLES, TITLES

_PERSON = "PERSON"
_SCORE = 0.9  # surer than a bare shape, less sure than a label
SPEAKS = "speaks in a conversation"

_TURN = re.compile(
    r"^[ \t]{0,3}(?:[(\[]?[0-9]{1,2}[:.][0-9]{2}(?:[:.][0-9]{2})?(?:[ \u202f]?[AaPp][Mm])?[)\]]?(?: [-–])?[ \t]{1,3})?"
    rf"(?P<name>[^\W\d_][^\W\d_]{{0,20}}(?:['’-][^\W\d_]+)?(?: {CAPITAL}[^\W\d_]{{0,20}}){{0,2}}):[ \t]+\S",
    re.MULTILINE,
)
_FEWEST_TURNS = 4  # lines of a chat
_LONGEST_TURN = 1500  # characters from one turn to the next
# What people are called by what they do in a conversation, and what begins a line of notes.
_NO_SPEAKERS = (
    LABELS
    | ROLES
    | TITLES
    | frozenset(
        "a action actions advisor agenda all answer assistant audience bot caller chatbot comment customer decision example guest "
        "helpdesk host interviewee interviewer int me moderator narrator note operator outcome panel ps q question questioner "
        "reporter resp respondent review reviewer speaker summary support system task todo update user visitor voice warning you "
        "findings plan assessment background history impression subjective objective diet exercise pros cons english maths science "
        "monday tuesday wednesday thursday friday saturday sunday mum mom dad nan gran".split()
    )
)


def speakers(text: str) -> Iterator[Mention]:
    """The speakers of the conversations in a text, at each of their turns."""
    turns: list[re.Match[str]] = []
    for turn in _TURN.finditer(text):
        if turns and turn.start() - turns[-1].start() > _LONGEST_TURN:
            yield from _named(turns)
            turns = []
        turns.append(turn)
    yield from _named(turns)


def _named(turns: Sequence[re.Match[str]]) -> Iterator[Mention]:
    """Returns the turns that begin with somebody's name, if the lines are a conversation."""
    heads = Counter(turn["name"] for turn in turns)
    repeated = {head for head, times in heads.items() if times > 1}
    if len(turns) < _FEWEST_TURNS or len(heads) < 2 or not repeated or not any(map(_is_told, heads)):
        return
    for turn in turns:
        name = turn["name"]
        if _may_speak(name) and (name[0].isupper() or (name in repeated and _is_told(name))):
            yield Mention(*turn.span("name"), _PERSON, fold_term(name), _SCORE, SPEAKS)


def _may_speak(name: str) -> bool:
    return not any(word in _NO_SPEAKERS for word in fold_term(name).split())


def _is_told(name: str) -> bool:
    """Whether a head is a name and no label: a given name that is no word."""
    first = fold_term(name.split(maxsplit=1)[0])
    return _may_speak(name) and is_given_name(first) and usage(first) is Usage.NEVER
