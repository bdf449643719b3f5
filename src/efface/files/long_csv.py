"""The csv module for cells as long as documents. Its limit is the whole process's, so it is set here, once."""

from __future__ import annotations

import csv

csv.field_size_limit(1 << 30)

__all__ = ["csv"]
