"""Searching for many strings at once, and telling quickly which texts need no search."""
