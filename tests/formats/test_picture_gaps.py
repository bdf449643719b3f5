"""What is said of pictures that were not read is made of sentences."""

from __future__ import annotations

import pytest

from efface.core import Coverage
from efface.formats import picture_gaps
from efface.report.coverage import unread


@pytest.mark.parametrize(
    "say", [picture_gaps.unread, picture_gaps.doubtful, picture_gaps.kept, picture_gaps.removed]
)
def test_a_line_about_pictures_is_made_of_sentences(say: object) -> None:
    assert callable(say)
    (gap,) = say(1)
    (line,) = unread(Coverage((), (gap,)))
    for sentence in (*line.removesuffix(".").split(". "), picture_gaps.sentence(gap)):
        assert sentence[:1].isupper() or sentence[:1].isdigit(), line
    assert " were " not in line
