"""Whether a text is the address of a server on the web."""

from __future__ import annotations

from urllib.parse import urlsplit


def is_web_address(text: str) -> bool:
    """Whether it is http or https with a host, and a port that there can be."""
    try:
        parts = urlsplit(text)
        has_host = bool(parts.hostname) and parts.port != 0  # reading the port raises for one that cannot be
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and has_host and not any(map(str.isspace, text))
