"""`efface text`: the text of a file, as the guarantees see it."""

from __future__ import annotations

import sys

from efface.cli.shared import options
from efface.cli.shared.console import Stages


def text(source: options.Source, max_size: options.MaxSize = 256) -> None:
    """Print the text in which offsets count: code points, as the guarantees see it.

    Example: efface text note.docx
    """
    from efface.files.local import read_input
    from efface.formats import detect, get_format

    data = read_input(source, max_size << 20)
    with Stages("reading"):
        document = get_format(detect(source.name, data)).read(data, source.name)
    sys.stdout.flush()
    sys.stdout.buffer.write(document.text.encode("utf-8", "surrogatepass"))
    sys.stdout.buffer.flush()
