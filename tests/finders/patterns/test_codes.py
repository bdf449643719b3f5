"""Codes that tell by their shape alone that they are somebody's reference, and those that everybody may look up."""

from __future__ import annotations

import pytest

from efface.finders.patterns.finder import PatternFinder


def _found(text: str) -> list[str]:
    return [text[one.start : one.end] for one in PatternFinder().find(text)]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("I gave it to him. WDL8X22K91B, something", "WDL8X22K91B"),
        ("RIDDOR told us 3C9A71F044 then", "3C9A71F044"),
        ("a job for Estates, E-558213.", "E-558213"),
        ("(mutatie PL1100-2024098817)", "PL1100-2024098817"),
        ("the study BRX-4402-301 ended", "BRX-4402-301"),
        ("form AR-BRX-2025-00087 was sent", "AR-BRX-2025-00087"),
        ("to Action Fraud (NFRC250806112233)", "NFRC250806112233"),
        ("ASI, No. MYS 2217", "MYS 2217"),
        ("a motor cycle, KA 09 HX 4471, came", "KA 09 HX 4471"),
        ("And its plate C84417R?", "C84417R"),
        ("by slip 11874.", "11874"),
        ("Case note ATN-RUH-26-00417", "ATN-RUH-26-00417"),
        ("budget code CH-2209-AD.", "CH-2209-AD"),
        ("file ETH26-031.", "ETH26-031"),
        ("on the card, ending 7741, in", "7741"),
        ("acudió el agente 4417.", "4417"),
        ("Durchwahl -418", "418"),
        ("late slots in Q3 2025.", "Q3 2025"),
        ("8/2 Moved.\n2/12 Viewed. Needs goods", "2/12"),
    ],
)
def test_a_code_goes_whole(text: str, code: str) -> None:
    assert code in _found(text)


@pytest.mark.parametrize(
    "text",
    [
        "patched CVE-2021-44228 at once",
        "certified to ISO-9001-2015 and BS-EN-60601-1-2",
        "caffeine is C8H10N4O2 here",
        "an A320-200, a B-52 and COVID-19",
        "trial NCT01234567 of RFC-2822",
        "1/2 Onion, chopped",
        "a Dell XPS13 with 16GB and HDMI2",
    ],
)
def test_what_everybody_may_look_up_stays(text: str) -> None:
    assert not _found(text)
