"""Folders and documents, computed for the viewer who opens them."""
