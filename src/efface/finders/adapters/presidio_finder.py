"""Presidio's recognizers as a finder: `find.names: {presidio: analyzer.yaml}`, or `{presidio: default}`.

`default` is Presidio's predefined recognizers without a language model. A file is Presidio's own analyzer
configuration; the spaCy models that it names must be installed, because Presidio would download them.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar

import yaml

from efface.core import FinderTraits, Mention
from efface.errors import PolicyError
from efface.finders.adapters.text_chunks import pieces
from efface.text.folding import fold_term

SIZE = 100_000  # characters that are given to spaCy at once; its own limit is a million
_NO_MODEL = {"nlp_engine_name": "no_op", "models": [{"lang_code": "en", "model_name": "none"}]}


@dataclass(frozen=True, slots=True)
class PresidioFinder:
    """`types` chooses among Presidio's entities, all when empty."""

    configuration: str
    types: frozenset[str] = frozenset()
    threshold: float = 0.4

    traits: ClassVar[FinderTraits] = FinderTraits(
        reads_sentence=True, splits_at_placeholders=True, has_own_threshold=True
    )

    def find(self, text: str) -> Iterator[Mention]:
        """What the analyzer reports from the threshold on."""
        engine = _engine(self.configuration)
        language = engine.supported_languages[0]
        wanted = sorted(self.types) or None
        for offset, stretch in pieces(text, SIZE):
            for one in engine.analyze(stretch, language, entities=wanted, score_threshold=self.threshold):
                start, end = offset + one.start, offset + one.end
                because = f"Presidio: {one.entity_type}"
                yield Mention(
                    start, end, one.entity_type, fold_term(text[start:end]), float(one.score), because
                )


@lru_cache(maxsize=2)
def _engine(configuration: str) -> Any:
    try:
        from presidio_analyzer import AnalyzerEngine, AnalyzerEngineProvider
        from presidio_analyzer.nlp_engine import NlpEngineProvider
    except ImportError:
        raise PolicyError(
            "`find.names: {presidio: …}` needs Presidio.", "Install it: pip install presidio-analyzer."
        ) from None
    try:
        if configuration == "default":
            engine = NlpEngineProvider(nlp_configuration=_NO_MODEL).create_engine()
            return AnalyzerEngine(nlp_engine=engine, supported_languages=["en"])
        _refuse_downloads(Path(configuration))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Presidio warns about what it adds by itself
            return AnalyzerEngineProvider(analyzer_engine_conf_file=configuration).create_engine()
    except (OSError, ValueError, KeyError, TypeError, yaml.YAMLError):
        raise PolicyError(
            "Presidio cannot be set up from the file in `find.names`.", "Check it with Presidio itself."
        ) from None


def _refuse_downloads(path: Path) -> None:
    """Presidio fetches models that are missing; efface never goes to the network for that."""
    import spacy

    settings = yaml.safe_load(path.read_text("utf-8")).get("nlp_configuration")
    if not settings:
        raise PolicyError(
            "The Presidio configuration names no language model of its own.",
            "Give `nlp_configuration`: Presidio's default would be downloaded.",
        )
    for model in settings.get("models", []):
        name = model["model_name"]
        local = settings.get("nlp_engine_name") == "no_op" or (
            isinstance(name, str) and (spacy.util.is_package(name) or Path(name).is_dir())
        )
        if not local:
            raise PolicyError(
                "A model of the Presidio configuration is not installed here.", "Install it first."
            )
