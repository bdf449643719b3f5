"""The paper's two data sets, as far as they are at hand, and the models learned from them."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from efface.knowledge.classes import ClassModel, LabelledDocument, RecordFields, read_corpus, train

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "data" / "classes"


@dataclass(frozen=True, slots=True, eq=False)
class DataSet:
    """Documents with the class to hide and the category to keep, and the model of all of them."""

    name: str
    documents: list[LabelledDocument]
    model: ClassModel


def industry_sector() -> DataSet:
    """Company pages: hide the industry, keep the sector (7 and 48 of the original 12 and 103)."""
    documents = list(read_corpus(industry_file(), RecordFields("industry", ("sector",))))
    return DataSet("Industry-Sector", documents, train(documents))


def industry_file() -> Path:
    return _file("industry-sector.jsonl.gz")


def newsgroups() -> DataSet:
    """Posts: hide the group, keep the top of its name (alt, comp, misc, rec, sci, soc, talk)."""
    found = read_corpus(_file("newsgroups20.jsonl.gz"), RecordFields("label"))
    documents = [LabelledDocument(d.text, d.sensitive, (d.sensitive.split(".")[0],)) for d in found]
    return DataSet("20 Newsgroups", documents, train(documents))


def _file(name: str) -> Path:
    path = FOLDER / name
    if not path.is_file():
        sys.exit(f"The data {name} is not there: it is expected beside the project, in shared/data/classes.")
    return path
