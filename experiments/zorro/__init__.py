"""ZoRRo's tables and figures again: `python -m experiments.zorro [--quick] -o DIR`."""
