"""A PDF that is broken only by what no page shows leaves as pictures of its pages; one that shows it does not."""

from __future__ import annotations

from dataclasses import replace

import pypdfium2

from efface.core import Finding, Mention, Report, Term, Verdict
from efface.pipeline.bound import BoundPolicy
from efface.pipeline.flatten import without_hiding_places
from efface.pipeline.sanitize import attempt, sanitize, verify
from efface.policy.bind import bind
from efface.policy.model import parse
from efface.text.entity_types import HIDDEN_SOURCE, HIDDEN_TEXT
from tests.formats.pdf.build import line, new_pdf, save

POLICY = "efface: 1\nfind: {patterns: none, names: none, deny: [Zanzibarov]}\n"


def broken(bound: BoundPolicy, source: str) -> Report:
    """A release in which something of this source is left."""
    report = attempt(save(new_pdf(line("A letter to Zanzibarov about nothing"))), "x.pdf", bound)
    term = Term("letter", HIDDEN_TEXT, (Mention(2, 8, HIDDEN_TEXT, "letter", 1.0, "under a box"),), source)
    left = Finding("absence", HIDDEN_TEXT, (term,), 1, 0, "under a box")
    outcomes = (replace(one, after=(left,), verdict=Verdict.BROKEN) for one in report.outcomes)
    return replace(report, outcomes=tuple(outcomes), verdict=Verdict.BROKEN)


def test_what_only_hides_is_gone_from_a_picture(engine: None) -> None:
    bound = bind(parse(POLICY))
    mended = without_hiding_places(broken(bound, HIDDEN_SOURCE), bound)
    assert mended.verdict is Verdict.HELD
    assert mended.released is not None
    with pypdfium2.PdfDocument(mended.released) as pdf:
        assert pdf[0].get_textpage().get_text_range().strip() == ""
    assert verify(mended.released, "x.pdf", bound).verdict is Verdict.HELD


def test_what_a_page_shows_stays_broken(engine: None) -> None:
    bound = bind(parse(POLICY))
    report = broken(bound, "deny")
    assert without_hiding_places(report, bound) is report


def test_properties_of_marks_that_are_not_understood(engine: None) -> None:
    content = line("A letter about nothing") + b"(Zanzibarov) pop /X <</A (Zanzibarov)>> DP\n"
    report = sanitize(save(new_pdf(content)), "x.pdf", bind(parse(POLICY)))
    assert report.verdict is Verdict.HELD
    assert report.released is not None and b"Zanzibarov" not in report.released
