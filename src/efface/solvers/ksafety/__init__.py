"""Solvers for k-safety: which terms to remove so that every protected entity keeps a crowd of k."""
