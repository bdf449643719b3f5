"""A guarantee and a finder that never come to an end on documents that hold a word, as plug-ins."""

from __future__ import annotations

import time
from collections.abc import Sequence

from efface.core import Claim, Finding, Mention, Plan, Reading

WORD = "Sisyphus"
POLICY = """
find: {patterns: none, names: none, deny: [Brandt]}
guarantees:
  - custom: {use: "tests.service.endless:Endless"}
"""
LOOPING = """
find: {patterns: none, names: none, custom: [{use: "tests.service.endless:LoopingFinder"}]}
"""


class LoopingFinder:
    """Finds nothing; in a text with the word it looks for ever, and never waits."""

    types = ("STONE",)

    def find(self, text: str) -> tuple[Mention, ...]:
        while WORD in text:
            pass
        return ()


class Endless:
    """Holds for every document; one with the word in it is judged for ever."""

    claim = Claim("endless", "Nothing is promised.", "documents")

    def assess(self, reading: Reading) -> tuple[Finding, ...]:
        while WORD in reading.document.text:
            time.sleep(0.05)
        return ()

    def plan(self, _reading: Reading, _findings: Sequence[Finding]) -> Plan:
        return Plan((), 0.0)
