"""Results of tests and measurements that a names model takes for places: "CRP 43", "Na 138", "sats 96"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from efface.core import Mention

_NAMES = frozenset({"LOCATION", "ORGANIZATION", "PERSON", "NRP"})
# What laboratories and wards measure, as letters and charts abbreviate it.
_MEASURED = frozenset(
    """
    alb albumin alp alt amylase apache aptt ast bili bilirubin bm bmi bnp bp bun ca cd4 chol ck cr creat creatinine crp ddimer ef
    egfr esr ferritin fev1 fio2 folate ft4 fvc gcs gfr ggt glucose hb hba1c hco3 hct hdl hgb hr inr k lactate ldh ldl lvef lymph
    map mch mcv mews mg na neut news ntprobnp o2 pco2 pefr ph phos plt po2 po4 potassium psa pt pulse rbc resp rr sats sodium
    spo2 t3 t4 temp tg trop troponin tsh urea wbc wcc wt
    """.split()
)
_RESULT = re.compile(
    r"(?:(?P<what>[A-Za-z][A-Za-z0-9-]{0,11})(?:[ \u00a0]|[ \u00a0]?[:=][ \u00a0]?))?[<>]?(?P<value>[0-9]{1,4}(?:[./][0-9]{1,3})?)%?"
)


def without_measurements(text: str, mentions: Iterable[Mention]) -> Iterator[Mention]:
    """The mentions, without names that are results."""
    for mention in mentions:
        if mention.type not in _NAMES or not _is_result(text[mention.start : mention.end].strip()):
            yield mention


def _is_result(surface: str) -> bool:
    found = _RESULT.fullmatch(surface)
    if found is None:
        return False
    if found["what"] is None:
        return "." in found["value"]  # a bare number may be that of a house
    return found["what"].replace("-", "").lower() in _MEASURED
