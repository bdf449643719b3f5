"""What pages mention in passing is right too: commands with their options, and pieces of policies."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
import typer

from efface.cli import main as cli
from efface.policy.model import Policy, parse

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    ROOT / "README.md",
    ROOT / "CHANGELOG.md",
    *(page for page in sorted((ROOT / "docs").rglob("*.md")) if page.parent.name != "reference"),
]
COMMAND = re.compile(r"(?:^(?: {4}|\$ )|`)efface ((?:[^`\n\\]|\\\n)+)", re.MULTILINE)
INDENTED = re.compile(r"(?:^ {4}.*\n(?:\n(?= {4}))?)+", re.MULTILINE)
KEYS = set(Policy.model_fields)


def _commands(page: Path) -> Iterator[list[str]]:
    for found in COMMAND.finditer(page.read_text("utf-8")):
        line = re.split(r"\s[#>|&]|\s…", found[1].replace("\\\n", " "))[0]
        if "<Tab>" not in line and re.match(r"[a-z-]", line):
            yield shlex.split(line)


@cache
def _all_commands() -> Any:
    return typer.main.get_command(cli.app)


def _understood(words: list[str]) -> bool:
    """Whether the words name a command (or a group) and only options that it has."""
    command = _all_commands()
    while words and words[0] in getattr(command, "commands", {}):
        command, words = command.commands[words[0]], words[1:]
    options = {name for parameter in command.params for name in parameter.opts}
    options |= {"-h", "--help", "--install-completion", "--version"}
    is_group = hasattr(command, "commands")
    return all(w in options for w in words if w.startswith("-") and w != "-") and not (
        is_group and words and not words[0].startswith("-")
    )


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_and_their_options_exist(page: Path) -> None:
    assert [" ".join(words) for words in _commands(page) if not _understood(list(words))] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_pieces_of_policies_are_valid(page: Path) -> None:
    for piece in _policies(page):
        assert parse(piece, page.name).model_fields_set


def _policies(page: Path) -> Iterator[str]:
    for block in INDENTED.findall(page.read_text("utf-8")):
        text = re.split(r"^efface ", dedent(block), flags=re.MULTILINE)[0]  # the command that uses it
        if text.partition(":")[0] in KEYS:
            yield text


def test_pieces_of_policies_are_found() -> None:
    assert sum(1 for page in PAGES for _ in _policies(page)) >= 3


def test_a_command_that_is_not_there_would_be_noticed() -> None:
    assert _understood(["redact", "IN", "-o", "OUT", "--report", "R.json"])
    assert not _understood(["redact", "IN", "--reprot", "R.json"]) and not _understood(["polcy", "check"])
    assert sum(1 for page in PAGES for _ in _commands(page)) > 100
