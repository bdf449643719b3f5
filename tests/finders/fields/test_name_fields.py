"""A field called just "name" holds people or things, by its values and by the fields beside it."""

from __future__ import annotations

import pytest

from efface.finders.fields.labelled_fields import LabelledFields
from efface.finders.fields.name_fields import places_of_names
from tests.growth import assert_linear


def found(text: str) -> list[str]:
    return [text[mention.start : mention.end] for mention in LabelledFields().find(text)]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ('[{"name":"Precious"},{"name":"Blessing"}]', ["Precious", "Blessing"]),
        ('{"pupils": [{"name": "Gift"}, {"name": "Comfort"}]}', ["Gift", "Comfort"]),
        ('{"users": [{"id": 4, "name": "Gift"}]}', ["Gift"]),
        ('[{"parent": "Summer", "room": 4}, {"parent": "Gift", "room": 5}]', ["Summer", "Gift"]),
        ("name\tgrade\nSummer\t4\nPrecious\t6\nGift\t8\nComfort\t3\n", ["Summer", "Precious", "Gift", "Comfort"]),
        ("Name\tRoom\nPrecious Gift\t4\nSummer Rain\t6\n", ["Precious Gift", "Summer Rain"]),
        ("contact\tphone\nGift\t4\nSummer\t6\n", ["Gift", "Summer"]),
        ("staff\tward\nGift\tElm\nComfort\tOak\n", ["Gift", "Comfort"]),
        ("name\titem\nSummer\tLamp\nGift\tMug\nHope\tMug\n", ["Summer", "Gift", "Hope"]),
        ('<pupil name="Summer"/>', ["Summer"]),
        ("<class><pupil name='Gift' house='Elm'/><pupil name='Comfort'/></class>", ["Gift", "Comfort"]),
        ("<pupils><pupil><name>Gift</name></pupil><pupil><name>Comfort</name></pupil></pupils>", ["Gift", "Comfort"]),
        # One value without the shape of a name hides no others.
        ("name\tphone\nGift\t1\nComfort\t2\nRain\t3\nMercy 2\t4\n", ["Gift", "Comfort", "Rain", "Mercy 2"]),
    ],
)  # fmt: skip
def test_names_of_people(text: str, names: list[str]) -> None:
    assert found(text) == names


@pytest.mark.parametrize(
    "text",
    [
        "name\tprice\nWidget\t4\nRose\t3\nSummer\t4\n",
        "name\tversion\nRuby\t3.2\nJasmine\t2.1\n",
        '{"name":"react","version":"18.1"}',
        '[{"name":"Jasmine","version":"5"},{"name":"Grace","version":"1"}]',
        '[{"name":"Florence","population":4},{"name":"Sydney","population":5}]',
        '{"cities": [{"name":"Florence"},{"name":"Sydney"}]}',
        "name\tformula\nAcetone\tx\nRuby\ty\n",
        "name\tgrade\thardness\nRuby\t4\t9\nAmber\t3\t2\n",
        '[{"name":"Spring"},{"name":"Summer"},{"name":"Autumn"},{"name":"Winter"}]',
        '{"stages":[{"name":"Build"},{"name":"Test"},{"name":"Grace"}]}',
        '<file name="Summer"/><file name="Rose"/>',
        '<button name="Submit" class="wide"/>',
        '<color name="Rose"/>',
        '[{"name":"List","parent":"Object"},{"name":"Tree","parent":"List"}]',
        "name\tstudents\nWriting\t14\nDrawing\t12\n",
        "Name\tDose\nAspirin\t75 mg\n",
        '[{"name":"summer.txt","owner":"root"}]',
        "Parent\tNode\nObject\tList\nList\tTree\n",
    ],
)
def test_names_of_things(text: str) -> None:
    assert found(text) == []


def test_a_given_name_beside_a_surname() -> None:
    ward = '<ward name="Juniper"><patient id="R" surname="Stone" given="Hope"><b value="1"/></patient></ward>'
    assert "Hope" in found(ward)
    assert found('{"given": "Hope", "surname": "Stone"}') == ["Hope", "Stone"]


@pytest.mark.parametrize("piece", ['"name":"Summer",', '{"name":"', ' name="a', "<name>a", '"name" : "x"}'])
def test_the_time_goes_by_the_length(piece: str) -> None:
    assert_linear(lambda text: list(places_of_names(text)), piece, 5000 * len(piece), before="</")
