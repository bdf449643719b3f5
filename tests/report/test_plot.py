"""Plots: every line can be told from the others."""

from __future__ import annotations

import re
from importlib.resources import files

from efface.report import plot


def test_no_two_lines_look_alike() -> None:
    look = files("efface.report").joinpath("look.css").read_text("utf-8")
    styles = dict(re.findall(r"\.plot \.(line\d+) \{ ([^}]*) \}", look))
    drawn = [(re.findall(r"stroke: (\S+?);?(?:\s|$)", style), re.findall(r"dasharray: ([\d ]+)", style))
             for style in styles.values()]  # fmt: skip
    assert set(styles) == {f"line{number}" for number in range(1, plot._STYLES + 1)}
    assert len({str(one) for one in drawn}) == len(drawn)
    page = files("efface.service.page").joinpath("plot.js").read_text("utf-8")
    assert f"const STYLES = {plot._STYLES};" in page
