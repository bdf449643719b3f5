"""Pages of a PDF that must be read as pictures."""
