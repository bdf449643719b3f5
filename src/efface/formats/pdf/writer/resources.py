"""Resource dictionaries cut down to what their content uses: what is not drawn must not be there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pikepdf
from pikepdf import Dictionary, Stream

from efface.formats.pdf.reader.drawing import Owner
from efface.formats.pdf.reader.object_walk import copied, members
from efface.formats.pdf.scrub.vocabulary import PRUNED

Names = set[tuple[str, str]]  # category and name
UsedNames = dict[Owner, Names]


def prune(pdf: pikepdf.Pdf, usage: Mapping[Owner, Names]) -> None:
    """Gives every owner with unused resources a copy without them; a shared dictionary is left to others."""
    for owner, names in usage.items():
        holder = holder_of(pdf, owner)
        resources = holder.get("/Resources") if holder is not None else None
        if isinstance(resources, Dictionary) and holder is not None:
            kept = trimmed(resources, names)
            if kept is not None:
                holder["/Resources"] = kept


def holder_of(pdf: pikepdf.Pdf, owner: Owner) -> pikepdf.Object | None:
    kind, number, generation = owner
    if kind == "page":
        return pdf.pages[number].obj
    holder = pdf.get_object((number, generation))
    return holder if isinstance(holder, (Dictionary, Stream)) else None


def trimmed(resources: Dictionary, names: Iterable[tuple[str, str]]) -> Dictionary | None:
    """A copy with only the named resources, or None when nothing is unused."""
    used = set(names)
    copy: Dictionary | None = None
    for category in PRUNED:
        entries = resources.get(category)
        if not isinstance(entries, Dictionary):
            continue
        keep = {str(key): value for key, value in members(entries) if (category, key) in used}
        if len(keep) < len(entries.keys()):
            copy = copy if copy is not None else copied(resources)
            copy[category] = Dictionary(keep)
    return copy
