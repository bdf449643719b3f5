"""An entity that hardly any document names: its readers have next to nothing to go by, so nothing is `held`."""

from __future__ import annotations

import pytest

from efface.api.sanitizer import Sanitizer
from efface.core import GapKind, Verdict

POLICY = """
find: {{patterns: none, names: none}}
accept: [{accept}]
guarantees:
  - semantic: {{hide: {{epilepsy: disorder, {entity}: disease}}, max_group: 1}}
"""


@pytest.mark.parametrize(
    ("entity", "accept", "verdict"),
    [
        ("endometriosis", "", Verdict.UNPROVEN),  # it was held, and the drugs for it stayed
        ("endometriosis", "knowledge", Verdict.HELD),
        ("malaria", "", Verdict.HELD),
    ],
)
def test_it_is_unproven_unless_the_policy_says_that_this_will_do(
    entity: str, accept: str, verdict: Verdict
) -> None:
    sanitizer = Sanitizer.from_text(POLICY.format(entity=entity, accept=accept))
    report = sanitizer.sanitize(b"The tram was late.", name="a.txt")
    assert report.verdict is verdict
    told = [gap for gap in report.coverage.unseen if gap.kind is GapKind.KNOWLEDGE]
    assert len(told) == (verdict is Verdict.UNPROVEN)
    assert all(entity not in gap.reason + gap.where and "entity 2" in gap.reason for gap in told)
