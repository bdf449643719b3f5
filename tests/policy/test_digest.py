"""The digest of a policy changes with whatever decides what is hidden, and with nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from efface.policy.digest import content_digest
from efface.policy.model import parse

POLICY = """
key: file:surrogates.key
find: {deny_file: deny.txt}
knowledge:
  patients: {database: "sqlite:///p.db", entities: patient, key: id, identifying: [name], index: patients.index}
guarantees:
  - k-confusability: {people: people, k: 3}
"""


def digest(folder: Path) -> str:
    return content_digest(POLICY.encode(), parse(POLICY), folder)


@pytest.mark.parametrize(
    ("file", "counts"),
    [
        ("deny.txt", True),
        ("surrogates.key", True),  # machines with different keys write different surrogates
        ("people/about.json", True),  # approvals and other machines go by the digest
        ("people/segment/words.npy", True),
        ("patients.index/part", False),  # made from the database, on each machine
        ("other.txt", False),
    ],
)
def test_what_a_policy_names_is_in_its_digest(tmp_path: Path, file: str, counts: bool) -> None:
    (tmp_path / "people" / "segment").mkdir(parents=True)
    (tmp_path / "patients.index").mkdir()
    before = digest(tmp_path)
    found = []
    for content in ("one", "another"):
        (tmp_path / file).write_text(content)
        found.append(digest(tmp_path))
    assert len({before, *found}) == (3 if counts else 1)
