"""A guarantee that never comes to an end on documents that hold a word, as a plug-in."""

from __future__ import annotations

import time
from collections.abc import Sequence

from efface.core import Claim, Finding, Plan, Reading

WORD = "Sisyphus"
POLICY = """
find: {patterns: none, names: none, deny: [Brandt]}
guarantees:
  - custom: {use: "tests.service.endless:Endless"}
"""


class Endless:
    """Holds for every document; one with the word in it is judged for ever."""

    claim = Claim("endless", "Nothing is promised.", "documents")

    def assess(self, reading: Reading) -> tuple[Finding, ...]:
        while WORD in reading.document.text:
            time.sleep(0.05)
        return ()

    def plan(self, _reading: Reading, _findings: Sequence[Finding]) -> Plan:
        return Plan((), 0.0)
