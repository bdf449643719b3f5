"""Libraries that only training needs, with a clear sentence when they are missing."""

from __future__ import annotations

import importlib
from typing import Any

from efface.errors import UsageError


def crfsuite() -> Any:
    return _library("pycrfsuite")


def scikit_learn_svm() -> Any:
    return _library("sklearn.svm")


def _library(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        raise UsageError(
            "Learning identifiers needs python-crfsuite and scikit-learn.",
            "Install them: pip install 'efface[identifiers]'.",
        ) from None
