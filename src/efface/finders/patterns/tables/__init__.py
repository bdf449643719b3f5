"""The tables of patterns. A row is an identifier type, a shape, a check and context words."""
