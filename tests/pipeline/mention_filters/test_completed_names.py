"""No part of a name is left beside the cut of the rest."""

from __future__ import annotations

import pytest

from efface.pipeline.mention_filters.completed_names import with_rest_of_name


@pytest.mark.parametrize(
    ("text", "marked", "whole"),
    [
        ("(1) LLEUCU MAIR PROTHEROE   Applicant", "PROTHEROE", "LLEUCU MAIR PROTHEROE"),
        ("(1) LLEUCU MAIR PROTHEROE   Applicant", "LLEUCU", "LLEUCU MAIR PROTHEROE"),
        ("(1) LLEUCU MAIR PROTHEROE   Applicant", "MAIR", "LLEUCU MAIR PROTHEROE"),
        ("/s/ Xóchitl Ybarra-O'Keefe", "Ybarra", "Xóchitl Ybarra-O'Keefe"),
        ("[Cormac O'Shaughnessy](mailto:c@example.com)", "O'Shaughnessy", "Cormac O'Shaughnessy"),
        ("Seen by:\nCormac Whitcombe", "Whitcombe", "Cormac Whitcombe"),
    ],
)
def test_the_rest_of_a_name_goes_with_it(text: str, marked: str, whole: str) -> None:
    start = text.index(marked)
    low, high = with_rest_of_name(text, start, start + len(marked))
    assert text[low:high] == whole


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("MRS PROTHEROE", "PROTHEROE"),
        ("Card 1, IBAN [LOCATION_1]", "[LOCATION_1]"),
        ("BETWEEN PROTHEROE", "PROTHEROE"),
        ("PROTHEROE APPLICANT", "PROTHEROE"),
        ("PROTHEROE\nCORMAC", "PROTHEROE"),
        ("CORMAC  PROTHEROE", "PROTHEROE"),
        ("POLICE IN TEHRAN ARREST CORMAC PROTHEROE AGAIN", "PROTHEROE"),
        ("Today Whitcombe left", "Whitcombe"),
        ("Secretary Whitcombe left", "Whitcombe"),
        ("Tuesday Whitcombe left", "Whitcombe"),
        ("the Iranian Whitcombe left", "Whitcombe"),
        ("Treasury Janet Whitcombe left", "Janet Whitcombe"),
        ("the Whitcombe-Era rules", "Whitcombe"),
        ("Hej Whitcombe!", "Whitcombe"),
        ("Hola Whitcombe:", "Whitcombe"),
        ("Kære Whitcombe", "Whitcombe"),
        ("Lieber Whitcombe,", "Whitcombe"),
        ("Merhaba Whitcombe,", "Whitcombe"),
    ],
)
def test_other_words_stay_beside_a_name(text: str, marked: str) -> None:
    start = text.index(marked)
    assert with_rest_of_name(text, start, start + len(marked)) == (start, start + len(marked))
