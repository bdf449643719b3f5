"""efface: sanitize documents with guarantees that are checked on the bytes that leave."""

__version__ = "0.1.0.dev0"
