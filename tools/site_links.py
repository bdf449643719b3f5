"""A hook of mkdocs: links to files of the repository that are not on the site become plain text.

A link to a file that is nowhere is left as it is, and the strict build fails on it.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(((?:\.\./)+[^)#\s]+)\)")


def on_page_markdown(markdown: str, *, page: Any, config: Any, **_: object) -> str:
    """The page with such links taken out."""
    source, site = Path(page.file.abs_src_path).parent, Path(config["docs_dir"])

    def shown(link: re.Match[str]) -> str:
        target = (source / link[2]).resolve()
        if target.is_relative_to(site) or not target.exists():
            return link[0]
        return f"{link[1]} (`{target.relative_to(site.parent)}`)"

    return LINK.sub(shown, markdown)
