"""Databases that hold entities: their dialects, their rows, and how changes are followed."""
