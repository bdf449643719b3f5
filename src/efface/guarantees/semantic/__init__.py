"""Semantic sanitization, (C, g(C)): no term or group says more of an entity than its generalisation."""
