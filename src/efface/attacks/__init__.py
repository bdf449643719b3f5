"""Adversaries that see only what was released."""
