"""What is added to a table of the code is told on the pages that the guide to extending names."""

from __future__ import annotations

import re
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest

from efface.core import GapKind
from efface.formats import BY_ENDING
from efface.knowledge.databases.dialects import DIALECTS
from efface.operators import OPERATORS
from efface.policy.guarantee_entries import GuaranteeEntry
from efface.policy.model import Policy

ROOT = Path(__file__).resolve().parents[2]
FOR_DEVELOPERS = {"docs", "experiments", "train", "dev"}
GUARANTEES = {field.alias or name for name, field in GuaranteeEntry.model_fields.items()} - {"custom"}


def _page(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def test_every_ending_is_on_the_page_of_formats() -> None:
    assert set(BY_ENDING) - set(re.findall(r"\.[a-z0-9]+", _page("docs/formats.md"))) == set()


def test_every_operator_is_told_with_its_options() -> None:
    quoted = set(re.findall(r"`([^`]+)`", _page("docs/policy.md").partition("**Operators.**")[2]))
    options = {option.name for operator in OPERATORS.values() for option in fields(operator)}
    assert (set(OPERATORS) | options) - quoted == set()


@pytest.mark.parametrize("page", ["README.md", "docs/index.md", "docs/policy.md"])
def test_every_guarantee_is_in_the_tables(page: str) -> None:
    told = "\n".join(line for line in _page(page).splitlines() if line.startswith("|"))
    assert {name for name in GUARANTEES if name not in told} == set()


def test_every_database_is_in_the_guide_for_its_administrator() -> None:
    page = _page("docs/guides/dba.md")
    assert {row.title for row in DIALECTS.values() if row.title not in page} == set()


def test_every_extra_is_on_the_page_about_installing() -> None:
    extras = set(tomllib.loads(_page("pyproject.toml"))["project"]["optional-dependencies"]) - FOR_DEVELOPERS
    assert (
        extras - set(re.findall(r"^\| `(\w+)` \| [^0-9]", _page("docs/guides/packaging.md"), re.MULTILINE))
        == set()
    )


def test_the_kinds_of_gaps_that_a_policy_may_accept_are_told() -> None:
    page = _page("docs/reference/policy.md")
    row = next(line for line in page.splitlines() if line.startswith("| `accept` |"))
    assert {kind for kind in GapKind if f"`{kind}`" not in row} == set()


def test_every_first_key_of_a_policy_is_on_its_page() -> None:
    page = _page("docs/policy.md")
    assert {key for key in Policy.model_fields if f"`{key}" not in page} == set()
