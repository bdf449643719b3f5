"""Every file that efface writes and reads again names its version. Another version is refused, with the way out."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa

from efface.batch import manifest
from efface.batch.manifest import Manifest, Recipe
from efface.check import scan
from efface.check.scan import baseline_of, load_baseline
from efface.cli.shared.release_report import verified_with
from efface.errors import EffaceError
from efface.files import array_file
from efface.files.array_file import ArrayKind, dump_arrays, open_arrays, write_arrays
from efface.knowledge.classes import files as class_files
from efface.knowledge.classes.labels import LabelledDocument
from efface.knowledge.entities.build_segments import SEGMENT
from efface.knowledge.identifiers import files as identifier_files
from efface.knowledge.people import files as people_files
from efface.knowledge.people.build import build_people
from efface.knowledge.people.files import ABOUT
from efface.knowledge.people.index import PeopleIndex
from efface.operators.placeholders import SEAL
from efface.operators.seal import opened_tokens, sealer
from efface.policy.model import parse
from efface.report import certificates
from efface.report.data import ASSESSMENT_SCHEMA, CERTIFICATE_SCHEMA, REVIEW_SCHEMA
from efface.service import store
from efface.service.store import Store, meta

RECIPE = Recipe("policy", "code")
KEY = b"k" * 32


def corpus_counts(folder: Path) -> None:
    path = folder / "corpus"
    write_arrays(path, ArrayKind("corpus"), {}, {"words": b"word"})
    data = bytearray(path.read_bytes())
    data[8] += 1
    path.write_bytes(data)
    open_arrays(path, ArrayKind("corpus"))


def corpus_of_another_version(folder: Path) -> None:
    path = folder / "corpus"
    path.write_bytes(dump_arrays(ArrayKind("corpus", 2), {}, {"words": b"word"}))
    open_arrays(path, ArrayKind("corpus"))


def people_index(folder: Path) -> None:
    path = folder / "people.index"
    build_people([LabelledDocument("opera medal", "Ada")], path)
    about = path / ABOUT
    about.write_text(about.read_text("utf-8").replace(people_files.FORMAT, "efface-people 2"), "utf-8")
    PeopleIndex.open(path)


def class_model(folder: Path) -> None:
    class_files.loads(replace(class_files._FILE, version=9).dumps({}))


def identifier_model(folder: Path) -> None:
    identifier_files.loads(replace(identifier_files._FILE, version=9).dumps({}))


def earlier_model(folder: Path) -> None:
    class_files.loads(b"efface-classes 2 0123\nPK")


def batch_manifest(folder: Path) -> None:
    path = folder / "manifest"
    made = Manifest(path, RECIPE)
    made.note("version", "0")
    made.close()
    Manifest(path, RECIPE)


def service_store(folder: Path) -> None:
    url = f"sqlite:///{folder / 'store.db'}"
    made = Store.open(url)
    with made.write() as connection:
        connection.execute(sa.update(meta).where(meta.c.key == "schema").values(value="99"))
    made.engine.dispose()
    Store.open(url)


def check_baseline(folder: Path) -> None:
    path = folder / "baseline.json"
    path.write_text(baseline_of([], Path()).replace("efface.check/1", "efface.check/9"), "utf-8")
    load_baseline(path)


def certificate(folder: Path) -> None:
    certificates.parse(json.dumps({"schema": "efface.certificate/9"}))


def reviewers_report(folder: Path) -> None:
    path = folder / "report.json"
    path.write_text(json.dumps({"schema": "efface.review/9"}), "utf-8")
    verified_with(path)


def encrypted_term(folder: Path) -> None:
    token = sealer(KEY, "a letter")("PERSON", "Ada Example", 0)
    assert opened_tokens(token, KEY)[0][2] == "Ada Example"
    opened_tokens(token.replace("efface1", "efface2"), KEY)


def policy(folder: Path) -> None:
    parse("efface: 9\n")


OLDER_OR_NEWER: list[Callable[[Path], None]] = [
    corpus_counts,
    corpus_of_another_version,
    earlier_model,
    people_index,
    class_model,
    identifier_model,
    batch_manifest,
    service_store,
    check_baseline,
    certificate,
    reviewers_report,
    policy,
    encrypted_term,
]


@pytest.mark.parametrize("open_it", OLDER_OR_NEWER, ids=lambda case: case.__name__)
def test_another_version_is_refused_with_the_way_out(open_it: Callable[[Path], None], tmp_path: Path) -> None:
    with pytest.raises(EffaceError, match="version") as told:
        open_it(tmp_path)
    assert told.value.hint


@pytest.mark.parametrize(
    "told",
    [
        f"`{REVIEW_SCHEMA}`, `{CERTIFICATE_SCHEMA}`, `{ASSESSMENT_SCHEMA}`",
        f"`{scan.FORM}`",
        f"`efface-index {SEGMENT.version}`",
        f"`{people_files.FORMAT}`, `efface-classes {class_files._FILE.version}`",
        f"`efface-identifiers {identifier_files._FILE.version}`",
        f"| counts of a corpus | {array_file.VERSION} |",
        f"| manifest of a batch | {manifest._VERSION} |",
        f"| store of the service | {store.SCHEMA} |",
        f"`{SEAL.strip(':.')}`",
    ],
)
def test_the_page_tells_the_version(told: str) -> None:
    page = Path(__file__).parents[2] / "docs" / "guides" / "packaging.md"
    assert told in page.read_text("utf-8")


def test_a_store_of_another_version_is_left_as_it_was(tmp_path: Path) -> None:
    with pytest.raises(EffaceError):
        service_store(tmp_path)
    with closing(sqlite3.connect(tmp_path / "store.db", isolation_level=None)) as connection:
        found = connection.execute("SELECT value FROM efface_meta WHERE key = 'schema'").fetchone()
    assert found == ("99",)
