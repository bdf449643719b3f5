"""The language of every stretch of a text: by its script, and where scripts are shared by its spelling.

A long enough line is judged by itself. A line of names, a row of a table or a heading takes the language of the lines
around it: changing the language from one line to the next has a cost, and the cheapest reading wins.
Languages that are seldom met must show more evidence than common ones.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from efface.text.ordinary_words import is_ordinary

UNKNOWN = "und"  # ISO 639's code for text whose language is unknown
PACKED = Path(__file__).parent / "data/languages.npz"

# Languages that are distinguished by spelling, and the script of each.
LATIN = (
    "en de fr es it nl pt da sv no fi tr pl cs sk af az ca cy et eu ga gl hr hu id is lt lv mt ms ro sl sq sw tl vi"
).split()
_CYRILLIC = "ru be bg kk ky mk mn sr tg tt uk".split()
SPELLED = (*LATIN, *_CYRILLIC)
_COMMON = frozenset("en de fr es it nl pt da sv no fi tr pl cs ru".split())

# Scripts that say the language, or that stand for all languages written in them.
_SCRIPTS = (
    ("zh", "\u2e80-\u2fdf\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"),
    ("ja", "\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9f"),
    ("ko", "\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\uac00-\ud7ff"),
    ("ar", "\u0600-\u06ff\u0750-\u077f\u08a0-\u08ff\ufb50-\ufdff\ufe70-\ufefe"),
    ("he", "\u0590-\u05ff\ufb1d-\ufb4f"),
    ("el", "\u0370-\u03ff\u1f00-\u1fff"),
    ("hi", "\u0900-\u097f"),
    ("bn", "\u0980-\u09ff"),
    ("ta", "\u0b80-\u0bff"),
    ("th", "\u0e00-\u0e7f"),
    ("ka", "\u10a0-\u10ff\u2d00-\u2d2f"),
    ("hy", "\u0530-\u058f"),
    ("am", "\u1200-\u139f"),
    ("cyrillic", "\u0400-\u052f\u1c80-\u1c8f\u2de0-\u2dff\ua640-\ua69f"),
    (
        UNKNOWN,
        "\u0700-\u074f\u0780-\u08ff\u0a00-\u0b7f\u0c00-\u0dff\u0e80-\u109f\u13a0-\u1cff\ua000-\ua63f\ua6a0-\uabff",
    ),
)
LANGUAGES = (*SPELLED, *(code for code, _ in _SCRIPTS if len(code) == 2))
_RUN = re.compile(
    "|".join(
        f"(?P<s{at}>[{letters}][{letters}\u0300-\u036f\u0640]*)" for at, (_, letters) in enumerate(_SCRIPTS)
    )
)
_OTHER = re.compile("[" + "".join(letters for _, letters in _SCRIPTS) + "]")
_LETTERS = re.compile(r"[^\W\d_]+")
_FEW = 2  # letters of another script that are no text of it: a Greek letter in a formula

# In these one letter may be a surname. A single kana is rather an arrow that a scan misread.
_BY_LETTER = ("zh", "ko")

_DEFAULT = "en"  # what a text is in that says nothing else
_LONGEST = 300  # characters of a line that are looked at
_WORDS, _SMALL = 2, 6  # how many words without a capital, with how many letters, say something
_ARTICLE = (2, 3)  # letters of a short first word
_FEW_WORDS = 5  # without a capital: of so few no other language is told where most are English
_LONG = 12  # letters of other words that say something
SHARED = 3  # letters of words that other languages have too
_NAMES = 0.4  # what other words are worth
_SURE = 20.0  # the score of a language that is certain, as a logarithm
_TOGETHER = 400  # lines that are judged at once
_FEATURE = 6  # bytes in the longest feature
_CHANGE, _RARE = 3.0, 8.0  # what a change of language costs, and one to a language that is seldom met
# What it costs to begin with another common language than English: a single short line says little.
_BEGIN = 2.0
_ENGLISH = frozenset(
    "the and of that was with which were from this have has had been they their not for his her".split()
)
_ENGLISH_SHARE, _ENGLISH_LEAST = 0.16, 4  # of a line's words, that it is English without a closer look

Floats = npt.NDArray[np.float32]
_REMEMBERED: dict[bytes, Floats] = {}  # the scores of what lines said
_MOST_REMEMBERED = 4096


@dataclass(frozen=True, slots=True)
class LanguageStretch:
    """A part of a text, `end` exclusive, and the ISO 639-1 code of its language (`und`: unknown)."""

    start: int
    end: int
    language: str


def languages(text: str, known: Collection[str] = ()) -> list[LanguageStretch]:
    """The text from beginning to end in stretches of one language. With `known`, only these are considered for
    letters that they share; another script is recognised all the same."""
    parts: list[tuple[int, int, str]] = []
    for line in _lines(text):
        parts += _by_script(text, *line)
    codes = [script for _, _, script in parts]
    for script, candidates in (("latin", LATIN), ("cyrillic", _CYRILLIC)):
        at = [number for number, (_, _, code) in enumerate(parts) if code == script]
        texts = [text[parts[number][0] : parts[number][1]] for number in at]
        for number, code in zip(
            at, _line_languages(texts, _candidate_languages(candidates, known)), strict=True
        ):
            codes[number] = code
    return list(_language_stretches([(start, end) for start, end, _ in parts], codes))


def _candidate_languages(candidates: Sequence[str], known: Collection[str]) -> list[str]:
    """The languages of a script that a text may be in; its first one where none of the known has the script."""
    among = [code for code in candidates if code in SPELLED and (not known or code in known)]
    return among or list(candidates[:1])


def uncovered(
    text: str, covered: Collection[str], stretches: Sequence[LanguageStretch] | None = None
) -> list[LanguageStretch]:
    """The stretches with letters whose language is not among the `covered` ones."""
    given = languages(text) if stretches is None else stretches
    return [
        one
        for one in given
        if one.language not in covered and _LETTERS.search(text, one.start, one.end) is not None
    ]


def _lines(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    while start < len(text):
        end = text.find("\n", start) + 1 or len(text)
        yield start, end
        start = end


def _by_script(text: str, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    """A line in parts of one script. What is of no script belongs to the part before it."""
    line = text[start:end]
    if line.isascii() or _OTHER.search(line) is None:
        yield start, end, "latin"
        return
    begin, script = 0, ""
    for low, found in _script_runs(line):
        if script and found != script:
            yield start + begin, start + low, script
            begin = low
        script = found
    yield start + begin, end, script or "latin"


def _script_runs(line: str) -> Iterator[tuple[int, str]]:
    """Where letters of a script begin. Japanese is written with Chinese letters too."""
    japanese = any("\u3040" <= char <= "\u30ff" for char in line)
    for match in re.finditer(_LETTERS, line):
        at = match.start()
        for run in _RUN.finditer(line, match.start(), match.end()):
            script = _SCRIPTS[int((run.lastgroup or "s0")[1:])][0]
            counts = run.end() - run.start() >= _FEW or script in _BY_LETTER
            script = "ja" if japanese and script == "zh" else script
            if run.start() > at:
                yield at, "latin"
            at = run.end()
            if counts:
                yield run.start(), script
        if at < match.end():
            yield at, "latin"


def _line_languages(lines: Sequence[str], among: Sequence[str]) -> list[str]:
    """The language of each line, judged together with its neighbours."""
    if not lines or len(among) == 1:
        return [among[0]] * len(lines)
    costs = np.array([_CHANGE if code in _COMMON else _RARE for code in among], np.float32)
    scores = _scores(lines, among)
    if _DEFAULT in among and not scores[:, among.index(_DEFAULT)].any():  # no line is likelier of another
        return [_DEFAULT] * len(lines)
    begin = np.where(costs == _CHANGE, np.float32(_BEGIN), costs)
    best = scores[0] - np.where(np.array(among) == _DEFAULT, 0, begin)
    before = np.zeros((len(lines), len(among)), np.int64)
    for number in range(1, len(lines)):
        top = int(best.argmax())
        stays = best >= best[top] - costs
        before[number] = np.where(stays, np.arange(len(among)), top)
        best = np.where(stays, best, best[top] - costs) + scores[number]
    told = [int(best.argmax())]
    for number in range(len(lines) - 1, 0, -1):
        told.append(int(before[number, told[-1]]))
    return [among[at] for at in reversed(told)]


def _scores(lines: Sequence[str], among: Sequence[str]) -> Floats:
    """How probable each language is by each line alone, as a logarithm; all 0 when a line says nothing."""
    scores = np.zeros((len(lines), len(among)), np.float32)
    english = among.index("en") if "en" in among else -1
    open_: list[int] = []
    said: list[bytes] = []
    weights: list[float] = []
    for number, line in enumerate(lines):
        line = line[:_LONGEST]
        if english >= 0 and _is_english(line):
            scores[number] = -_SURE
            scores[number, english] = 0
        elif (evidence := _evidence(line)) is not None:
            open_.append(number)
            said.append(evidence[0])
            weights.append(evidence[1])
    columns = np.array([SPELLED.index(code) for code in among], np.int64)
    for low in range(0, len(said), _TOGETHER):
        some = slice(low, low + _TOGETHER)
        judged = _known_scores(said[some])[:, columns] * np.array(weights[some], np.float32)[:, None]
        scores[open_[some]] = judged - judged.max(1, keepdims=True)
    for number in open_:
        if english >= 0 and scores[number, english] < 0 and _is_few_english_words(lines[number]):
            scores[number] = 0
    return scores


@lru_cache(maxsize=4096)  # each round, and the last look, ask for nearly all the same lines
def _is_english(line: str) -> bool:
    words = line.split()
    english = sum(word in _ENGLISH for word in words)
    return english >= _ENGLISH_LEAST and english >= _ENGLISH_SHARE * len(words)


def _evidence(line: str) -> tuple[bytes, float] | None:
    """The words of a line that tell its language, and their weight.

    Words with a capital may be names, which tell little. They count only if the line has nothing else. A short first
    word is more often an article than a name.
    """
    words = _LETTERS.findall(line)
    article = [word.lower() for word in words[:1] if len(word) in _ARTICLE and word[0].isupper()]
    small = article + [word for word in words if word[0].islower()]
    if len(small) >= _WORDS and sum(map(len, small)) >= _SMALL:
        said, weight = small, 1.0
    elif sum(map(len, words)) >= _LONG:
        said, weight = [word.lower() if word.isupper() else word for word in words], _NAMES
    else:
        return None
    return unicodedata.normalize("NFC", f" {' '.join(said)} ").encode("utf-8", "replace"), weight


def _is_few_english_words(line: str) -> bool:
    """Whether a line has few words, most of them ordinary ones of English ("steel, drug"). So few spellings tell no other
    language: of the short lines in other languages hardly one in a hundred looks so."""
    small = [word for word in _LETTERS.findall(line[:_LONGEST]) if word[0].islower()]
    return len(small) <= _FEW_WORDS and 2 * sum(map(is_english_word, small)) > len(small)


def is_english_word(word: str) -> bool:
    """Whether a word in lower case is an ordinary one of English that tells English from other languages."""
    return len(word) > SHARED and is_ordinary(word)


def _known_scores(lines: Sequence[bytes]) -> Floats:
    """The scores of lines by their spelling. What small words say does not change when names are cut, so each round, and
    the last look, ask for the same again."""
    known = {line: row for line in lines if (row := _REMEMBERED.get(line)) is not None}
    new = list(dict.fromkeys(line for line in lines if line not in known))
    if new:
        judged = dict(zip(new, _spelling_scores(new), strict=True))
        if len(_REMEMBERED) > _MOST_REMEMBERED:
            _REMEMBERED.clear()
        _REMEMBERED.update(judged)
        known |= judged
    return np.array([known[line] for line in lines], np.float32)


def _spelling_scores(lines: Sequence[bytes]) -> Floats:
    """A row for each line, a column for each of `SPELLED`."""
    keys, weights, scale, prior = _model()
    lengths = np.array([len(line) for line in lines], np.int64)
    numbers = _features(b"".join(lines), keys)
    of_line = np.repeat(np.arange(len(lines)), lengths)
    there = numbers >= 0
    pairs, counts = np.unique(of_line[there] * len(keys) + numbers[there], return_counts=True)
    sums = np.zeros((len(lines), len(SPELLED)), np.float32)
    if len(pairs):
        rows, features = pairs // len(keys), pairs % len(keys)
        values = weights[features] * (np.log1p(counts.astype(np.float32)) * scale)[:, None]
        firsts = np.flatnonzero(np.diff(rows, prepend=-1))
        sums[rows[firsts]] = np.add.reduceat(values, firsts)
    return np.asarray((sums + prior) / np.sqrt(np.maximum(lengths, 1))[:, None], np.float32)


def _features(data: bytes, keys: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
    """For each byte the number of the longest feature that ends with it, or -1."""
    codes = np.frombuffer(data, np.uint8).astype(np.uint64)
    found = np.full(len(codes), -1, np.int64)
    key = codes.copy()
    for length in range(2, min(_FEATURE, len(codes)) + 1):
        key[length - 1 :] |= codes[: len(codes) - length + 1] << np.uint64(8 * (length - 1))
        low, high = np.searchsorted(keys, np.array([length << 56, (length + 1) << 56], np.uint64))
        wanted = key[length - 1 :] | np.uint64(length << 56)
        at = np.minimum(low + np.searchsorted(keys[low:high], wanted), len(keys) - 1)
        hit = keys[at] == wanted
        found[length - 1 :][hit] = at[hit]
    return found


def key_of(feature: bytes) -> int:
    """A feature as a number: its length, then its bytes, the first one highest."""
    return len(feature) << 56 | int.from_bytes(feature, "big")


@lru_cache(maxsize=1)
def _model() -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.int8], np.float32, Floats]:
    with np.load(PACKED, allow_pickle=False) as packed:
        return packed["keys"], packed["weights"], np.float32(packed["scale"]), packed["prior"]


def _language_stretches(spans: Sequence[tuple[int, int]], codes: Sequence[str]) -> Iterator[LanguageStretch]:
    begin, last = 0, ""
    for (start, _), code in zip(spans, codes, strict=True):
        if last and code != last:
            yield LanguageStretch(begin, start, last)
            begin = start
        last = code
    if spans:
        yield LanguageStretch(begin, spans[-1][1], last)
