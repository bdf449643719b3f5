"""Cleaning a PDF: everything that no page shows goes."""
