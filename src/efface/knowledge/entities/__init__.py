"""Entities of a database or a file, in an index that is read where it lies."""
