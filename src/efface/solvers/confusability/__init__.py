"""Solvers for k-confusability: which words to suppress so that the true class is not the best guess."""
