"""A finder, an operator, a guarantee and a format as somebody else would write them."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from efface.core import Claim, Document, Edit, Finding, Mention, Part, Plan, Reading, apply_edits
from efface.formats import FormatKind
from efface.policy.plugins import FormatPlugin


@dataclass(frozen=True)
class TicketFinder:
    """Numbers of a help desk. A text with POISON in it is more than it can take."""

    prefix: str = "T"
    types: tuple[str, ...] = ("TICKET",)

    def find(self, text: str) -> Iterator[Mention]:
        if "POISON" in text:
            raise ZeroDivisionError
        for match in re.finditer(rf"\b{self.prefix}-\d{{4,8}}\b", text):
            yield Mention(*match.span(), "TICKET", match[0].lower(), 0.9, "number of a ticket")


@dataclass(frozen=True)
class Starred:
    """As many stars as the policy asks for."""

    count: int = 3

    def fill(self, original: str, type: str, key: str) -> str | None:
        return "★" * self.count


@dataclass(frozen=True)
class NoExclamation:
    """A promise about punctuation."""

    @property
    def claim(self) -> Claim:
        return Claim("no-exclamation", "Nobody shouts.", "marks left")

    def assess(self, reading: Reading) -> tuple[Finding, ...]:
        return (
            (Finding("no-exclamation", "!", (), 1.0, 0.0, "a mark"),) if "!" in reading.document.text else ()
        )

    def plan(self, reading: Reading, findings: Sequence[Finding]) -> Plan:
        marks = re.finditer("!", reading.document.text)
        return Plan(tuple(Edit(*mark.span(), "MARK", "!", "shouting", ".") for mark in marks))


class Rot13:
    """Text that is turned by thirteen letters."""

    def read(self, data: bytes, name: str) -> Document:
        text = codecs.decode(data.decode("utf-8"), "rot13")
        return Document(name, "rot13", text, (Part("body", 0, len(text)),))

    def write(self, document: Document, edits: Sequence[Edit]) -> bytes:
        return codecs.encode(apply_edits(document.text, edits), "rot13").encode()


ROT13 = Rot13()
FORMAT = FormatPlugin(
    "rot13",
    FormatKind("tests.api.plugged.tickets:ROT13", (".rot13",), ("text/x-rot13",)),
    lambda data: iter([("body", codecs.decode(data.decode("utf-8"), "rot13"))]),
)
NOTHING = object()
