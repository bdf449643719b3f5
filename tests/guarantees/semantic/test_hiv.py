"""The paper's text: the aim of recall at least 95 % with precision at least 70 % (detected terms)."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

from experiments.c_sanitization.__main__ import run
from experiments.c_sanitization.scoring import places, read_gold, score
from experiments.c_sanitization.settings import Row

from efface.api.sanitizer import Sanitizer
from efface.core import Verdict
from efface.finders.phrases import PhraseFinder


def test_the_default_setting_reaches_the_aim(shared_data: Path) -> None:
    text = (shared_data / "wiki" / "hiv.txt").read_text("utf-8")
    gold = read_gold(shared_data / "wiki" / "hiv.gold.json")
    trial = run(text, gold, "HIV", Row("virus", 2, "contextual"), PhraseFinder())
    assert trial.detected.recall >= 0.95
    assert trial.detected.precision >= 0.70
    assert trial.changed.f_measure >= 0.833  # the paper's best for HIV


def test_scores() -> None:
    text = "HIV and blood; blood and a cat"
    gold = places(text, ["hiv", "blood"])
    first_blood = places(text, ["blood"])["blood"][:1]
    found = score(
        gold, {"HIV": places(text, ["HIV"])["HIV"], "blood": first_blood, "cat": places(text, ["cat"])["cat"]}
    )
    assert (found.missed, found.needless) == (("blood",), ("cat",))
    assert (found.precision, found.recall) == (2 / 3, 0.5)
    assert score(gold, {}).f_measure == 0


def test_the_letter_of_the_demo_can_be_shown_to_a_doctor() -> None:
    folder = files("efface.demo") / "discharge"
    sanitizer = Sanitizer.from_text((folder / "discharge.yaml").read_text("utf-8"))
    report = sanitizer.sanitize((folder / "letter.txt").read_bytes(), name="letter.txt")
    assert report.verdict is Verdict.HELD and report.released is not None
    left = " ".join(report.released.decode().split())
    # The secret rank of a document decides between words: a disease, a condition or [TERM].
    assert left.count("[TERM_") <= 8
    thing = r"(?:a|the) (?:disease|condition|illness|\[TERM_\d\])"
    assert re.search(rf"came to us with {thing}, which the (?:chest )?(?:film|\[TERM_\d\]) confirmed\.", left)
    assert re.search(
        rf"We treated {thing} with (?:medicines|drugs|\[TERM_\d\]) and (?:oxygen|\[TERM_\d\])", left
    )
    assert "walks without help, sleeps through the night" in left and "in two weeks" in left
    assert not [word for word in ("HIV", "CD4", "viral", "retro", "Kaposi", "pneumonia") if word in left]
