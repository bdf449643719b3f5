"""Requests of Presidio's clients, with the names and defaults of its API description."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from efface.service.request_bodies import ListOf

_MOST_OPERATORS = 1000  # types that a request says something about


class _Lenient(BaseModel):
    """Presidio passes over what it does not know, and takes null for nothing."""

    model_config = ConfigDict(extra="ignore")


class AdHocPattern(_Lenient):
    """A regular expression, with a limit on the time it may take."""

    name: str = ""
    regex: str = Field(max_length=2000)
    score: float = Field(0.5, ge=0, le=1)


class AdHocRecognizer(_Lenient):
    """A recognizer for one request."""

    name: str = ""
    supported_language: str | None = None
    supported_entity: str = Field(min_length=1, max_length=100)
    patterns: ListOf[AdHocPattern] | None = Field(None, max_length=50)
    deny_list: ListOf[str] | None = Field(None, max_length=1000)
    deny_list_score: float = Field(1.0, ge=0, le=1)
    context: ListOf[str] | None = Field(None, max_length=200)


class AnalyzeRequest(_Lenient):
    """`POST /analyze`. A list of texts gives a list of answers."""

    text: str | ListOf[str]
    language: str
    correlation_id: str | None = None
    score_threshold: float | None = Field(None, ge=0, le=1)
    entities: ListOf[str] | None = None
    return_decision_process: bool | None = None
    ad_hoc_recognizers: ListOf[AdHocRecognizer] | None = Field(None, max_length=50)
    context: ListOf[str] | None = Field(None, max_length=200)
    allow_list: ListOf[str] | None = Field(None, max_length=10_000)
    allow_list_match: Literal["exact", "regex"] | None = None


class Explanation(_Lenient):
    """Why something was found."""

    recognizer: str
    pattern_name: str | None = None
    pattern: str | None = None
    original_score: float
    score: float
    textual_explanation: str | None = None
    score_context_improvement: float = 0
    supportive_context_word: str = ""
    validation_result: bool | None = None


class AnalyzerResult(_Lenient):
    """Something found in the text."""

    entity_type: str
    start: int
    end: int
    score: float
    analysis_explanation: Explanation | None = None


class Detection(_Lenient):
    """Something that the analyzer found, sent back to be anonymized."""

    start: int = Field(ge=0)
    end: int = Field(ge=0)
    score: float = 1.0
    entity_type: str = Field(min_length=1)


class AnonymizerOperator(_Lenient):
    """The operator for a type. Which of the fields count depends on `type`."""

    type: str
    new_value: str | None = None
    masking_char: str | None = None
    chars_to_mask: int | None = None
    from_end: bool = False
    hash_type: str | None = None
    salt: str | None = None
    key: str | None = None


def _few(operators: Any) -> Any:
    """Refuse a mapping that is too large before any of its values is looked at."""
    if isinstance(operators, dict) and len(operators) > _MOST_OPERATORS:
        raise ValueError("there are not so many types")
    return operators


Operators = Annotated[dict[str, AnonymizerOperator], BeforeValidator(_few)]


class AnonymizeRequest(_Lenient):
    """`POST /anonymize`. The key `DEFAULT` stands for types that are not named."""

    text: str
    anonymizers: Operators | None = None
    analyzer_results: ListOf[Detection] = Field(max_length=100_000)


class AnalyzedPlace(_Lenient):
    """Where something was put in."""

    start: int = Field(ge=0)
    end: int = Field(ge=0)
    entity_type: str = Field(min_length=1)


class DeanonymizeRequest(_Lenient):
    """`POST /deanonymize`."""

    text: str
    deanonymizers: Operators
    anonymizer_results: ListOf[AnalyzedPlace] = Field(max_length=100_000)


class AnonymizedItem(_Lenient):
    """What is in a place now, and which operator put it there."""

    operator: str
    entity_type: str
    start: int
    end: int
    text: str


class Anonymized(_Lenient):
    """The new text and its items, the last one first, as Presidio gives them."""

    text: str
    items: list[AnonymizedItem]
