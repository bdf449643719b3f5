"""Bare initials of a cut person: "JW" and "J.W." of Jonathan Whitcombe go, abbreviations that everybody writes stay."""

from __future__ import annotations

import pytest

from efface.core import Edit
from efface.pipeline.propagation.initials import with_initials
from tests.pipeline.propagation.test_spread import cut


@pytest.mark.parametrize(
    ("name", "text", "gone"),
    [
        ("Jonathan Whitcombe", "Jonathan Whitcombe came. JW left, and JW's car too.", "JW"),
        ("Jonathan Whitcombe", "Jonathan Whitcombe (JW) came. Dictated by JW/hp, exhibit JW/1.", "JW"),
        ("Jonathan R. Whitcombe", "Jonathan R. Whitcombe came. JRW left. J.R.W. signed; so did JW.", "W"),
        ("Frank Will May", "Frank Will May signed. Exhibits: FWM/1, FWM/2.", "FWM"),
        ("Mary-Anne O'Sullivan", "Mary-Anne O'Sullivan signed. MAO was there.", "MAO"),
        ("Dean Rivers", "Dean Rivers ran. D.R. was cautioned; DR replied.", "DR"),
        ("Jack Rush", "Yours sincerely\nJack Rush\nJR\n", "JR"),
        ("Alan Baker", "Alan Baker (chair)\n1. AB thanked all.", "AB"),
        ("Jean-Pierre", "Jean-Pierre came. J-P left, and so did J.-P.", "P."),
        ("Brian Huxtable", "Brian Huxtable came. BH left.", "BH"),
        ("SW D Frost", "SW D Frost came. DF left.", "DF"),
        ("David Adeyemi-Ross", "- D.A.\nDavid Adeyemi-Ross, Head", "D.A"),
        ("Chas Dunmore", "Chas Dunmore (CD) came. CD left.", "CD"),
        ("Humbert Dray", "Sir Humbert Dray - HD\nActions: HD to sign.", "HD"),
        ("Raoul Entwhistle", 'Raoul Entwhistle (hereafter "RE") was asked.\nRE: A van.', "RE"),
        ("Raoul Entwhistle", "RE = Mr Raoul Entwhistle\n\nAction: RE to ring.", "RE"),
        ("Sandra Pike", "Sandra Pike came.\n3. SP referred to the policy. So did SP.", "SP"),
        ("Reg Mumford", "Reg Mumford (chair)\nRM reminded all of it.", "RM"),
        ("Ida Trench", "| IT | Ida Trench |\n| AB | somebody |\nIT will sign.", "IT"),
        ("Hannah de la Croix-Martin", "Hannah de la Croix-Martin came. HCM's bloods were normal.", "HCM"),
    ],
)
def test_bare_initials_go(name: str, text: str, gone: str) -> None:
    assert gone not in cut(text, name)


@pytest.mark.parametrize(
    ("name", "text", "left"),
    [
        ("Chas Dunmore", "Chas Dunmore bought a CD.", "a CD."),
        ("Carla Adams", "Carla Adams, CA 90210, left CA.", "left CA."),
        ("Raoul Entwhistle", "RE: Raoul Entwhistle\nHe rang.", "RE:"),
        ("Uri Stein", "Uri Stein left the US.", "the US."),
        ("Uri Stein", "Uri Stein left. US imposed a ban.", "US imposed"),
        ("Bob Parker", "Bob Parker came. BP is high. A BP recorded twice.", "BP is"),
        ("Dean Rivers", "Dean Rivers ran. DR PATEL came.", "DR PATEL"),
        ("Bob Parker", "Bob Parker came. BP 120/80.", "BP 120/80"),
        ("Sam Adler", "Sam Adler owns Finco SA.", "Finco SA"),
        ("Ian Nash", "Ian Nash came. MINUTES TAKEN IN LEEDS", "TAKEN IN LEEDS"),
        ("Ian Nash", "Ian Nash came in.", "came in."),
        ("Jonathan Whitcombe", "Jonathan Whitcombe read about the JWST and AJW.", "JWST and AJW."),
    ],
)
def test_other_abbreviations_stay(name: str, text: str, left: str) -> None:
    assert left in cut(text, name)


def test_initials_in_the_line_above_are_no_part_of_the_name() -> None:
    text = "- D.A.\nDavid Adeyemi-Ross"
    edit = Edit(7, len(text), "PERSON", "david adeyemi-ross", "test")
    assert with_initials(text, [edit], "PERSON", ()) == [edit]
