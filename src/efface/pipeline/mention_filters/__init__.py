"""Filters of mentions: which of a finder's finds count, and where else they count."""
