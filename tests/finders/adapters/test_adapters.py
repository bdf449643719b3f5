"""Other people's finders in efface, and efface in theirs, with the real packages and blank models."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from efface.core import Mention
from efface.errors import PolicyError
from efface.finders.adapters import finder_of
from efface.finders.adapters.gliner_finder import LABELS, GlinerFinder
from efface.finders.adapters.text_chunks import pieces

TEXT = "Anna Novak of Acme met us in Oslo on 3 May 2021. Write to anna@example.org."


def _seen(text: str, mentions: list[Mention]) -> set[tuple[str, str]]:
    return {(text[m.start : m.end], m.type) for m in mentions}


@pytest.fixture
def pipeline(tmp_path: Path) -> Path:
    """A blank English pipeline with a few rules, saved as a user would have it."""
    spacy = pytest.importorskip("spacy", reason="spaCy is not installed")
    nlp = spacy.blank("en")
    ruler = nlp.add_pipe("entity_ruler")
    ruler.add_patterns(
        [
            {"label": "PERSON", "pattern": "Anna Novak"},
            {"label": "GPE", "pattern": "Oslo"},
            {"label": "ORG", "pattern": "Acme"},
            {"label": "CARDINAL", "pattern": "3"},
        ]
    )
    nlp.to_disk(tmp_path / "pipeline")
    return tmp_path / "pipeline"


def test_a_spacy_pipeline_finds(pipeline: Path) -> None:
    finder = finder_of(str(pipeline), None, None, frozenset(), 0.4)
    assert _seen(TEXT, list(finder.find(TEXT))) == {
        ("Anna Novak", "PERSON"),
        ("Oslo", "LOCATION"),
        ("Acme", "ORGANIZATION"),
    }


def test_a_spacy_pipeline_finds_the_chosen_types_in_long_texts(pipeline: Path) -> None:
    finder = finder_of(str(pipeline), None, None, frozenset({"PERSON"}), 0.4)
    text = "nothing here. " * 12_000 + TEXT
    (mention,) = finder.find(text)
    assert text[mention.start : mention.end] == "Anna Novak"


def test_presidio_finds_without_a_language_model() -> None:
    pytest.importorskip("presidio_analyzer", reason="presidio-analyzer is not installed")
    finder = finder_of(None, "default", None, frozenset({"EMAIL_ADDRESS"}), 0.4)
    assert _seen(TEXT, list(finder.find(TEXT))) == {("anna@example.org", "EMAIL_ADDRESS")}


def test_presidio_with_a_users_own_configuration(pipeline: Path, tmp_path: Path) -> None:
    pytest.importorskip("presidio_analyzer", reason="presidio-analyzer is not installed")
    path = tmp_path / "analyzer.yaml"
    path.write_text(
        "supported_languages: [en]\n"
        "default_score_threshold: 0\n"
        "nlp_configuration:\n"
        "  nlp_engine_name: spacy\n"
        f"  models: [{{lang_code: en, model_name: {pipeline}}}]\n"
    )
    finder = finder_of(None, str(path), None, frozenset({"PERSON"}), 0.4)
    assert _seen(TEXT, list(finder.find(TEXT))) == {("Anna Novak", "PERSON")}


@pytest.mark.parametrize(
    "models",
    ["", "nlp_configuration: {nlp_engine_name: spacy, models: [{lang_code: en, model_name: en_no_such}]}\n"],
)
def test_presidio_may_not_download(tmp_path: Path, models: str) -> None:
    pytest.importorskip("presidio_analyzer", reason="presidio-analyzer is not installed")
    path = tmp_path / "analyzer.yaml"
    path.write_text(f"supported_languages: [en]\n{models}")
    with pytest.raises(PolicyError):
        list(finder_of(None, str(path), None, frozenset(), 0.4).find(TEXT))


@pytest.mark.parametrize("model", ["en_no_such_model", "/no/such/folder"])
def test_a_missing_spacy_model_is_said_clearly(model: str) -> None:
    pytest.importorskip("spacy", reason="spaCy is not installed")
    with pytest.raises(PolicyError, match="not installed"):
        list(finder_of(model, None, None, frozenset(), 0.4).find(TEXT))


def test_a_missing_presidio_configuration_is_said_clearly(tmp_path: Path) -> None:
    pytest.importorskip("presidio_analyzer", reason="presidio-analyzer is not installed")
    with pytest.raises(PolicyError):
        list(finder_of(None, str(tmp_path / "none.yaml"), None, frozenset(), 0.4).find(TEXT))


class _Asked:
    """Stands where a GLiNER model would, with the same method."""

    def predict_entities(self, text: str, labels: list[str], threshold: float) -> list[dict[str, Any]]:
        at = text.find("Anna Novak")
        return [{"start": at, "end": at + 10, "label": labels[0], "score": threshold}] if at >= 0 else []


def test_gliner_is_asked_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("efface.finders.adapters.gliner_finder._model", lambda _folder: _Asked())
    text = "Nothing happens here. " * 200 + TEXT
    (mention,) = GlinerFinder("folder").find(text)
    assert (text[mention.start : mention.end], mention.type) == ("Anna Novak", next(iter(LABELS.values())))
    (other,) = GlinerFinder("folder", frozenset({"BANK_ACCOUNT"})).find(text)
    assert other.type == "BANK_ACCOUNT"


def test_a_missing_gliner_model_is_said_clearly(tmp_path: Path) -> None:
    with pytest.raises(PolicyError):
        list(finder_of(None, None, str(tmp_path / "none"), frozenset(), 0.4).find(TEXT))


def test_efface_inside_presidio() -> None:
    presidio = pytest.importorskip("presidio_analyzer", reason="presidio-analyzer is not installed")
    from presidio_analyzer.nlp_engine import NlpEngineProvider

    from efface.finders.adapters.presidio_recognizer import EffaceRecognizer

    none = {"nlp_engine_name": "no_op", "models": [{"lang_code": "en", "model_name": "none"}]}
    registry = presidio.RecognizerRegistry(recognizers=[], supported_languages=["en"])
    registry.add_recognizer(EffaceRecognizer())
    engine = NlpEngineProvider(nlp_configuration=none).create_engine()
    analyzer = presidio.AnalyzerEngine(registry=registry, nlp_engine=engine, supported_languages=["en"])
    found = {(TEXT[r.start : r.end], r.entity_type) for r in analyzer.analyze(TEXT, "en")}
    assert {("Anna Novak", "PERSON"), ("Oslo", "LOCATION"), ("anna@example.org", "EMAIL_ADDRESS")} <= found
    only = analyzer.analyze(TEXT, "en", entities=["LOCATION"])
    assert {r.entity_type for r in only} == {"LOCATION"}


def test_efface_inside_spacy() -> None:
    spacy = pytest.importorskip("spacy", reason="spaCy is not installed")
    import efface.finders.adapters.spacy_component  # noqa: F401  (the entry point does this in an installed package)

    nlp = spacy.blank("en")
    nlp.add_pipe("efface")
    doc = nlp(TEXT)
    found = {(span.text, span.label_) for span in doc.spans["efface"]}
    assert {("Anna Novak", "PERSON"), ("Oslo", "LOCATION")} <= found
    assert ("Anna Novak", "PERSON") in {(e.text, e.label_) for e in doc.ents}
    assert len(doc.spans["efface"].attrs["scores"]) == len(doc.spans["efface"])


@pytest.mark.parametrize("size", [3, 10, 40])
def test_pieces_are_the_whole_text(size: int) -> None:
    parts = list(pieces(TEXT, size))
    assert "".join(part for _, part in parts) == TEXT
    assert all(len(part) <= size and TEXT[at : at + len(part)] == part for at, part in parts)
