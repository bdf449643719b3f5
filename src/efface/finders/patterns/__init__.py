"""Identifiers with a shape: tables of patterns, their checks, and the engine that runs them."""
