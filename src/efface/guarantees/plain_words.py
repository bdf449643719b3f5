"""What finders find, in words for a layman."""

from __future__ import annotations

_TYPES = {"DATE_TIME": "date or time", "ID_NUMBER": "number", "MISC": "other name", "NRP": "group of people"}
_RULES = {
    "shape": "it has the shape of one",
    "check holds": "it passes the checks for one",
    "check fails": "it does not pass the checks for one, but the words around it tell",
    "context word near": "a word beside it says so",
}


def type_in_words(type: str) -> str:
    return _TYPES.get(type, type.replace("_", " ").lower())


def reason_in_words(because: str) -> str:
    """Why a finder took something for an identifier, without what it took it for."""
    source, _, rules = because.partition(": ")
    if source == "names model":
        return "the language model reads it as one"
    if not source.startswith("pattern "):
        return f"it is {because}"
    return ", ".join(_RULES.get(rule, rule) for rule in rules.split(", "))
