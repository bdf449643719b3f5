"""Figure 5: a post redacted for k = 2 and k = 5. The post is ours, written for this page."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from efface.core import Document, Reading, apply_edits
from efface.guarantees.confusability.guarantee import Confusability
from experiments.inference_blocking.data import DataSet

POST = """\
Subject: Re: migraine after eating cheese

My doctor says that aged cheese is a common trigger of migraine, because it contains tyramine. She told me
to keep a food diary for a month and to write down every headache, how long the pain lasted and which drug
helped. So far the diet works better than the pills: two attacks instead of nine. Has anybody read a study
with real patients about this? The articles that I found in the library only treat side effects of the
medication, and the disease runs in my family, so I would like to know more before the next appointment.
"""
GROUP, TOP = "sci.med", "sci"


def write(data: DataSet, path: Path) -> None:
    lines = [
        "# A post redacted for k = 2 and k = 5",
        "",
        "Original (written for this page):",
        "",
        *_quoted(POST),
    ]
    reading = Reading(Document("post", "text", POST), ())
    for k in (2, 5):
        bound = Confusability(data.model, k, method="simple").bind(POST, GROUP, [TOP])
        plan = bound.plan(reading, bound.assess(reading))
        hidden = apply_edits(POST, [replace(edit, replacement="█" * 5) for edit in plan.edits])
        scores = data.model.scores(hidden)
        above = sorted(
            (
                name
                for name, score in zip(data.model.sensitive.names, scores, strict=True)
                if score > scores[data.model.sensitive.index(GROUP)]
            ),
        )
        lines += ["", f"k = {k}, {len(plan.edits)} words gone; now ahead of {GROUP}: {', '.join(above)}", ""]
        lines += _quoted(hidden)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _quoted(text: str) -> list[str]:
    return [f"> {line}" if line else ">" for line in text.strip().split("\n")]
