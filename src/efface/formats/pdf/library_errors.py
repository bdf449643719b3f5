"""Whatever a hostile file makes the libraries raise becomes one clear sentence."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from efface.errors import EffaceError, InputError


@contextmanager
def guarded() -> Iterator[None]:
    import pikepdf

    try:
        yield
    except EffaceError:
        raise
    except (
        pikepdf.PdfError,
        pikepdf.PikepdfError,
        ArithmeticError,
        AttributeError,
        LookupError,
        MemoryError,
        NotImplementedError,
        RecursionError,
        RuntimeError,
        TypeError,
        ValueError,
    ):
        raise InputError(
            "The PDF is damaged in a way that keeps it from being searched.",
            "Open it in a viewer and save or print it to a new PDF.",
        ) from None
