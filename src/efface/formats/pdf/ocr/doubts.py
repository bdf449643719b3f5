"""Why a page's text may not be all that the page shows."""

from __future__ import annotations

from enum import Enum


class Doubt(Enum):
    SCAN = "a picture with hardly any text"
    PICTURE = "text, and pictures over much of the page"
    UNREADABLE = "text without characters"
    LYING = "text that says something else than it shows"


REASONS = {
    Doubt.SCAN: "is a scan, a picture without text",
    Doubt.UNREADABLE: "does not say which characters it shows",
    Doubt.LYING: "shows other characters than its text says",
}
