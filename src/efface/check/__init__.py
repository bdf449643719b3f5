"""Identifiers in a source tree: found by shape, reported by file and line, never quoted."""
