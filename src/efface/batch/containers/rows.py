"""A row of a table as a document: one text column is plain text, several are a JSON object read together."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from efface.errors import InputError


def document_of(row: Mapping[str, object], columns: Sequence[str]) -> tuple[str, bytes] | None:
    """(name, bytes) of the document; None where no column holds text."""
    texts = {name: value for name in columns if isinstance(value := row.get(name), str)}
    if not texts:
        return None
    try:
        if len(columns) == 1:
            return "row.txt", texts[columns[0]].encode()
        return "row.json", json.dumps(texts, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise InputError("Its text is not valid Unicode.") from None


def values_of(
    released: bytes | None, columns: Sequence[str], row: Mapping[str, object]
) -> dict[str, str | None]:
    """The columns as they may leave; what held no text stays empty."""
    empty: dict[str, str | None] = dict.fromkeys(columns)
    if released is None or not any(isinstance(row.get(name), str) for name in columns):
        return empty
    text = released.decode()
    if len(columns) == 1:
        return {columns[0]: text if isinstance(row.get(columns[0]), str) else None}
    values = json.loads(text)
    if not isinstance(values, dict) or not values.keys() <= set(columns):
        raise InputError(
            "Redaction changed a column's name, so the name discloses something.", "Rename the column."
        )
    return empty | values
