"""`POST /analyze`: what the pattern finder sees, in Presidio's words."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

from efface.core import Mention
from efface.finders.patterns.finder import PATTERNS, THRESHOLD, TYPES, PatternFinder
from efface.finders.patterns.row import CONTEXT_NEAR
from efface.service.presidio.forms import AdHocRecognizer, AnalyzeRequest
from efface.service.problems import Problem

RECOGNIZER, NAME_RECOGNIZER = "EffacePatternRecognizer", "EffaceNameRecognizer"
NAMED = frozenset({"PERSON", "LOCATION", "ORGANIZATION", "NRP"})
_CONTEXT_BOOST, _LEAST_WITH_CONTEXT = 0.35, 0.4  # as in Presidio
_WORDS_BEFORE = 5  # as many as Presidio looks at
_SECONDS = 1.0  # seconds for all regular expressions of one request
_BELIEVED = 0.6  # what Presidio's recognizers give a pattern with its context; our threshold is scaled to it


def _scaled(score: float) -> float:
    """Our score on Presidio's scale, so that the thresholds that its clients use mean what they meant."""
    if score < THRESHOLD:
        return round(score * _BELIEVED / THRESHOLD, 4)
    return round(_BELIEVED + (score - THRESHOLD) * (1 - _BELIEVED) / (1 - THRESHOLD), 4)


def _unscaled(score: float) -> float:
    if score < _BELIEVED:
        return score * THRESHOLD / _BELIEVED
    return min(1.0, THRESHOLD + (score - _BELIEVED) * (1 - THRESHOLD) / (1 - _BELIEVED))


def analyze(request: AnalyzeRequest, names: bool) -> list[dict[str, Any]] | list[list[dict[str, Any]]]:
    """One list of results for a text, and a list of lists for a list. `names`: with the model of names."""
    if isinstance(request.text, str):
        return _results(request.text, request, names)
    return [_results(text, request, names) for text in request.text]


def wants_names(request: AnalyzeRequest) -> bool:
    return not request.entities or bool(NAMED & set(request.entities))


def check(request: AnalyzeRequest, names: bool) -> None:
    """What Presidio refuses too."""
    if not request.text:
        raise Problem("bad-request", error="No text provided")
    if not request.language:
        raise Problem("bad-request", error="No language provided")
    custom = {recognizer.supported_entity for recognizer in request.ad_hoc_recognizers or ()}
    if request.entities and not (set(request.entities) & (set(TYPES) | custom | (NAMED if names else set()))):
        raise Problem("bad-request", error="No matching recognizers were found to serve the request.")


def _results(text: str, request: AnalyzeRequest, names: bool) -> list[dict[str, Any]]:
    """What Presidio would answer: finds of patterns, names and the recognizers of the request, without the allow list."""
    threshold = request.score_threshold
    found = list(_analysis_results(text, request, _BELIEVED if threshold is None else threshold))
    if names:
        found += _names(text, request.entities, threshold or 0.0)
    if request.ad_hoc_recognizers:
        found += _ad_hoc(text, request.ad_hoc_recognizers, request.entities, threshold or 0.0)
    if request.allow_list:
        found = [
            result for result in found if not _is_allowed(text[result["start"] : result["end"]], request)
        ]
    found.sort(key=lambda result: (result["start"], -result["score"]))
    if not request.return_decision_process:
        for result in found:
            result["analysis_explanation"] = None
    return found


def _analysis_results(text: str, request: AnalyzeRequest, threshold: float) -> Iterator[dict[str, Any]]:
    types = frozenset(request.entities) & frozenset(TYPES) if request.entities else None
    if types is not None and not types:
        return
    boosted = _boosted(request.context)
    lowest = _unscaled(threshold) - (CONTEXT_NEAR if boosted else 0) - 1e-6
    for mention in _finder(types, round(max(lowest, 0.0), 6)).find(text):
        helped = mention.type in boosted and "context word near" not in mention.because
        score = _scaled(min(1.0, mention.score + CONTEXT_NEAR) if helped else mention.score)
        if score >= threshold:
            yield _analysis_result(mention, score, _scaled(mention.score), RECOGNIZER)


def _names(text: str, wanted: list[str] | None, threshold: float) -> Iterator[dict[str, Any]]:
    """Persons, places and organisations by the packaged model."""
    from efface.finders.names.finder import NameFinder

    types = NAMED & frozenset(wanted) if wanted else NAMED
    for mention in NameFinder(types=types).find(text):
        if mention.score >= threshold:
            yield _analysis_result(mention, round(mention.score, 4), round(mention.score, 4), NAME_RECOGNIZER)


@lru_cache(maxsize=64)
def _finder(types: frozenset[str] | None, threshold: float) -> PatternFinder:
    return PatternFinder(types=types, threshold=threshold)


def _boosted(context: Iterable[str] | None) -> frozenset[str]:
    """The types that the client's context words support."""
    given = {word.strip().lower() for word in context or ()}
    if not given:
        return frozenset()
    boosted = set()
    for row in PATTERNS:
        known = {word.strip().lower() for word in row.context.split(",")} if row.context else set()
        if known & given:
            boosted.add(row.type)
    return frozenset(boosted)


def _analysis_result(mention: Mention, score: float, original: float, recognizer: str) -> dict[str, Any]:
    explanation = {
        "recognizer": recognizer,
        "pattern_name": mention.type if recognizer == RECOGNIZER else None,
        "pattern": None,
        "original_score": original,
        "score": score,
        "textual_explanation": mention.because,
        "score_context_improvement": round(score - original, 4),
        "supportive_context_word": "",
        "validation_result": _checked(mention.because),
    }
    return {
        "analysis_explanation": explanation,
        "end": mention.end,
        "entity_type": mention.type,
        "score": score,
        "start": mention.start,
    }


def _checked(because: str) -> bool | None:
    return True if "check holds" in because else False if "check fails" in because else None


def _is_allowed(value: str, request: AnalyzeRequest) -> bool:
    if request.allow_list_match != "regex":
        return value in (request.allow_list or ())
    deadline = time.monotonic() + _SECONDS
    pattern = "|".join(request.allow_list or ())
    return any(span == (0, len(value)) for span in _spans(pattern, value, deadline))


def _ad_hoc(
    text: str, recognizers: Iterable[AdHocRecognizer], wanted: list[str] | None, threshold: float
) -> Iterator[dict[str, Any]]:
    """Regular expressions and deny lists of the request, all within one second."""
    deadline = time.monotonic() + _SECONDS
    for recognizer in recognizers:
        if wanted and recognizer.supported_entity not in wanted:
            continue
        for name, pattern, score in _patterns(recognizer):
            for start, end in _spans(pattern, text, deadline):
                word = _supporting(text, start, recognizer.context or ())
                better = min(1.0, max(score + _CONTEXT_BOOST, _LEAST_WITH_CONTEXT)) if word else score
                if better >= threshold:
                    yield _custom(recognizer, name, pattern, (start, end), (score, better), word)


def _patterns(recognizer: AdHocRecognizer) -> Iterator[tuple[str, str, float]]:
    import regex

    for pattern in recognizer.patterns or ():
        yield pattern.name, pattern.regex, pattern.score
    if recognizer.deny_list:
        listed = "|".join(regex.escape(word) for word in recognizer.deny_list)
        yield "deny_list", rf"(?:^|(?<=\W))({listed})(?:(?=\W)|$)", recognizer.deny_list_score


def _spans(pattern: str, text: str, deadline: float) -> Iterator[tuple[int, int]]:
    import regex

    try:
        compiled = regex.compile(pattern, regex.DOTALL | regex.MULTILINE | regex.IGNORECASE)
        left = max(0.001, deadline - time.monotonic())
        for match in compiled.finditer(text, timeout=left, concurrent=True):
            if match.end() > match.start():
                yield match.span()
    except TimeoutError:
        raise Problem("invalid", error="A regular expression of the request takes too long.") from None
    except (regex.error, RecursionError, OverflowError):
        raise Problem("invalid", error="A regular expression of the request is not right.") from None


def _supporting(text: str, start: int, context: Iterable[str]) -> str:
    """The first context word among the few words before a value."""
    before = text[max(0, start - 200) : start].lower().split()[-_WORDS_BEFORE:]
    near = " ".join(before)
    return next((word for word in context if word and word.lower() in near), "")


def _custom(
    recognizer: AdHocRecognizer,
    name: str,
    pattern: str,
    span: tuple[int, int],
    scores: tuple[float, float],
    word: str,
) -> dict[str, Any]:
    score, better = scores
    explanation = {
        "recognizer": recognizer.name,
        "pattern_name": name,
        "pattern": pattern,
        "original_score": score,
        "score": better,
        "textual_explanation": f"Detected by `{recognizer.name}` using pattern `{name}`",
        "score_context_improvement": round(better - score, 4),
        "supportive_context_word": word,
        "validation_result": None,
    }
    return {
        "analysis_explanation": explanation,
        "end": span[1],
        "entity_type": recognizer.supported_entity,
        "score": better,
        "start": span[0],
    }
