"""The one look of everything that people open: the tokens of the service's page, inlined into reports."""

from __future__ import annotations

from importlib.resources import files


def style() -> str:
    """The style sheet of a report: colours and shapes shared with the page, and what only reports have."""
    folder = files("efface.report")
    return folder.joinpath("look.css").read_text("utf-8") + folder.joinpath("page.css").read_text("utf-8")
