"""Fonts of a PDF: what their codes say, and font programs without what is no longer shown."""
