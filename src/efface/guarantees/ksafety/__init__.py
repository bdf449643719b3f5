"""k-safety: every protected entity stays one of at least k that fit the text."""
