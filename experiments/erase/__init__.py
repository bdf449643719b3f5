"""ERASE: the figures of the paper again, from its own generator, and its disease example on real data."""
