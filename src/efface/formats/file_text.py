"""Files as text, for those who only read: training, attacks, classes that a policy adds."""

from __future__ import annotations

from pathlib import Path

from efface.files.local import read_input
from efface.formats import detect, get_format


def text_of(path: Path) -> str:
    """The text of a file in any format that efface reads."""
    data = read_input(path)
    return get_format(detect(path.name, data)).read(data, path.name).text
