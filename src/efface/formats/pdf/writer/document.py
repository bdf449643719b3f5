"""The edited document as bytes; a second reader is asked before anything leaves."""

from __future__ import annotations

import io
import re
import warnings
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pikepdf
from pikepdf import Stream

from efface.core import Document, Edit, Span, apply_edits
from efface.errors import Leak
from efface.formats.pdf.fonts.font_decoding import Fonts, GlyphCode
from efface.formats.pdf.fonts.subset import subset
from efface.formats.pdf.reader import strings
from efface.formats.pdf.reader.content import page_bytes, parse, serialise, stream_bytes
from efface.formats.pdf.reader.document import PageTexts, PdfOrigin, Root, TextBlock, draw, look, page_box
from efface.formats.pdf.reader.drawing import Drawing
from efface.formats.pdf.reader.inline_images import from_inline
from efface.formats.pdf.reader.interpreter import Interpreter
from efface.formats.pdf.reader.layout import INVISIBLE, Ref
from efface.formats.pdf.reader.object_walk import ObjGen, Step
from efface.formats.pdf.reader.opening import open_pdf
from efface.formats.pdf.reader.pdfium_text import ExpectedText, PdfiumPages
from efface.formats.pdf.reader.unmatched_text import missed
from efface.formats.pdf.scrub.document import scrub
from efface.formats.pdf.scrub.names import rename
from efface.formats.pdf.scrub.streams import clean_streams
from efface.formats.pdf.writer import images
from efface.formats.pdf.writer.annotations import blur
from efface.formats.pdf.writer.boxes import label_font
from efface.formats.pdf.writer.removal import GlyphChanges, GlyphCut, cuts_of, plan
from efface.formats.pdf.writer.resources import prune
from efface.formats.pdf.writer.rewrite import Rewriter, Rewriting
from efface.text.ordinary_words import is_ordinary

LocalEdit = tuple[int, int, str]
_PERSON = "PERSON"
_WORD = re.compile(r"[^\W\d_]{4,}")


class Writer:
    """One writing of one document."""

    def __init__(self, document: Document, edits: Sequence[Edit], origin: PdfOrigin) -> None:
        self._text = document.text
        self._edits = sorted(edits, key=lambda edit: edit.start)
        self._starts = [edit.start for edit in self._edits]
        self._ends = [edit.end for edit in self._edits]
        self._origin = origin
        self._wanted = ExpectedText([self._text[edit.start : edit.end] for edit in self._edits])
        self._pdf = open_pdf(origin.data)
        scrub(self._pdf)
        prune(self._pdf, origin.usage)
        self._uncomment()
        self._interpreter = Interpreter(self._pdf, Fonts())
        self._rewriter = Rewriter(self._pdf, label_font(self._pdf))
        self._images: dict[Any, pikepdf.Object] = {}
        self._codes: dict[ObjGen, Counter[GlyphCode]] = {}

    def run(self) -> bytes:
        """Carries out all edits, cuts and renames fonts, saves the file and reads the result again."""
        blocks = {block.root: block for block in self._origin.blocks}
        mark_edits = self._mark_edits()
        extra = self._unseen(blocks)
        for root in [*blocks, *(root for root in {**mark_edits, **extra} if root not in blocks)]:
            local = self._local(blocks[root].start, blocks[root].end) if root in blocks else []
            if local or root in mark_edits or root in extra:
                self._write_root(root, local, mark_edits.get(root, {}), extra.get(root, []))
        for item in self._origin.slots:
            if local := self._local(item.start, item.end):
                strings.replace(self._pdf, item.slot, _edited(self._text[item.start : item.end], local))
        # What no page shows any more must not stay in a font: its glyphs would tell the letters.
        subset(self._pdf, self._origin.codes, self._codes)
        terms = (edit.key for edit in self._edits)  # of a longer token, the term that was found in it
        rename(self._pdf, ExpectedText([*self._wanted.keys, *terms, *self._parts_of_persons()]))
        clean_streams(self._pdf)
        data = self._save()
        self._verify(data, blocks)
        return data

    def _parts_of_persons(self) -> set[str]:
        """The words of the persons' names that say nothing but who it is."""
        persons = (self._text[edit.start : edit.end] for edit in self._edits if edit.type == _PERSON)
        words = (word for name in persons for word in _WORD.findall(name))
        return {word for word in words if not is_ordinary(word.lower())}

    def _local(self, start: int, end: int) -> list[LocalEdit]:
        """The edits of a stretch in its own coordinates; the replacement is put where its edit starts."""
        first, last = bisect_right(self._ends, start), bisect_left(self._starts, end)
        return [
            (
                max(edit.start, start) - start,
                min(edit.end, end) - start,
                (edit.replacement or "") if edit.start >= start else "",
            )
            for edit in self._edits[first:last]
        ]

    def _mark_edits(self) -> dict[Root, dict[tuple[int, tuple[Step, ...]], str]]:
        found: dict[Root, dict[tuple[int, tuple[Step, ...]], str]] = {}
        for item in self._origin.marks:
            if local := self._local(item.start, item.end):
                text = _edited(self._text[item.start : item.end], local)
                found.setdefault(item.root, {})[item.mark, item.path] = text
        return found

    def _unseen(self, blocks: dict[Root, TextBlock]) -> dict[Root, list[frozenset[Ref]]]:
        """What PDFium reads as a removed string where our own text has none."""
        found: dict[Root, list[frozenset[Ref]]] = {}
        if not self._wanted.keys:
            return found
        with PdfiumPages(self._origin.data, otherwise=self._save) as witness:
            for number, seen in enumerate(witness.texts()):
                root = Root("page", number, (0, 0), (0, 0))
                block = blocks.get(root)
                own = self._text[block.start : block.end] if block else ""
                sightings = self._wanted.find(seen)
                if _surplus(sightings, self._wanted.find(own)):
                    view = look(draw(self._interpreter, root))
                    places = witness.boxes(number, [span for _, span in sightings])
                    known = [span for _, span in self._wanted.find(own)]
                    if refs := missed(view, places, known):
                        found[root] = refs
        return found

    def _write_root(
        self,
        root: Root,
        edits: list[LocalEdit],
        texts: dict[tuple[int, tuple[Step, ...]], str],
        extra: list[frozenset[Ref]],
    ) -> None:
        drawing = draw(self._interpreter, root)
        view = look(drawing)
        cuts = cuts_of(view, edits)
        cuts += [GlyphCut(refs, "", None) for refs in [*extra, *_spoken_for(view, texts, cuts)]]
        changes = plan(view.layout, cuts, self._centre(root))
        pictures = self._clear_images(drawing, changes)
        self._count(drawing, changes)
        self._rewriter.write(root, drawing, Rewriting(changes, texts, pictures))
        if root.kind == "page":
            blur(self._pdf.pages[root.page], changes.regions)

    def _centre(self, root: Root) -> float | None:
        if root.kind != "page":
            return None
        left, _, right, _ = page_box(self._pdf.pages[root.page])
        return (left + right) / 2

    def _clear_images(self, drawing: Drawing, changes: GlyphChanges) -> dict[tuple[int, int], pikepdf.Object]:
        """New images where removed text lay over old ones; invisible text gets a box only there."""
        found: dict[tuple[int, int], pikepdf.Object] = {}
        over: set[int] = set()
        for picture in drawing.pictures:
            hit = [number for number, quad in enumerate(changes.regions) if images.under(picture.ctm, [quad])]
            if not hit:
                continue
            over.update(hit)
            polygons = images.under(picture.ctm, [changes.regions[number] for number in hit])
            key = (picture.objgen, tuple(map(tuple, polygons)))
            if picture.objgen is None or key not in self._images:
                source = self._image(drawing, picture.use, picture.op, picture.objgen)
                self._images[key] = images.cleared(self._pdf, source, picture.ctm, polygons)
            found[picture.use, picture.op] = self._images[key]
        for number, box in enumerate(changes.boxes):
            box.visible = drawing.shows[box.show].mode not in INVISIBLE or number in over
        return found

    def _image(self, drawing: Drawing, use: int, op: int, objgen: ObjGen | None) -> Stream:
        image = self._pdf.get_object(objgen) if objgen is not None else None
        if isinstance(image, Stream):
            return image
        instruction: Any = drawing.uses[use].instructions[op]
        return from_inline(self._pdf, instruction.iimage, drawing.uses[use].resources)

    def _count(self, drawing: Drawing, changes: GlyphChanges) -> None:
        """Which codes of which fonts went."""
        for show, run, glyph in changes.removed:
            font, data = drawing.shows[show].font, drawing.shows[show].runs[run][1]
            start, end, _, _ = font.decode(data)[glyph]
            code: GlyphCode = data[start:end] if font.composite else data[start]
            self._codes.setdefault(font.objgen, Counter())[code] += 1

    def _uncomment(self) -> None:
        """Content with comments is written again without them."""
        for kind, number, generation in self._origin.commented:
            if kind == "page":
                page = self._pdf.pages[number]
                content = serialise(parse(self._pdf, page_bytes(page)))
                page.obj["/Contents"] = self._pdf.make_indirect(Stream(self._pdf, content))
            else:
                stream = self._pdf.get_object((number, generation))
                if isinstance(stream, Stream):
                    stream.write(serialise(parse(self._pdf, stream_bytes(stream))))

    def _save(self) -> bytes:
        """A full save: old revisions and everything that nothing refers to are not written."""
        if "/ID" in self._pdf.trailer:
            del self._pdf.trailer["/ID"]
        buffer = io.BytesIO()
        with warnings.catch_warnings(action="ignore"):  # about flaws that the file came with
            self._pdf.save(
                buffer,
                encryption=False,
                deterministic_id=True,
                object_stream_mode=pikepdf.ObjectStreamMode.generate,
                stream_decode_level=pikepdf.StreamDecodeLevel.none,
                preserve_pdfa=False,
                fix_metadata_version=False,
            )
        return buffer.getvalue()

    def _verify(self, data: bytes, blocks: dict[Root, TextBlock]) -> None:
        if not self._wanted.keys:
            return
        with PdfiumPages(data) as witness:
            for number, seen in enumerate(witness.texts()):
                sightings = self._wanted.find(seen)
                if not sightings:
                    continue
                block = blocks.get(Root("page", number, (0, 0), (0, 0)))
                kept = (
                    _edited(self._text[block.start : block.end], self._local(block.start, block.end))
                    if block
                    else ""
                )
                if _surplus(sightings, self._wanted.find(kept)):
                    raise Leak(
                        f"Page {number + 1} of the PDF still shows something that was removed.",
                        "Redact it with `efface redact --flatten`, which makes pictures of its pages.",
                    )


def _edited(text: str, edits: Sequence[LocalEdit]) -> str:
    return apply_edits(text, [Edit(start, end, "", "", "", replacement=label) for start, end, label in edits])


def _surplus(seen: list[tuple[str, Span]], known: list[tuple[str, Span]]) -> bool:
    """Whether a string was seen more often than it is known."""
    times_known = Counter(key for key, _ in known)
    times_seen = Counter(key for key, _ in seen)
    return bool(times_seen - times_known)  # the difference of counters keeps what is above zero


def _spoken_for(
    view: PageTexts, texts: dict[tuple[int, tuple[Step, ...]], str], cuts: Sequence[GlyphCut]
) -> list[frozenset[Ref]]:
    """Glyphs whose ActualText is edited while they themselves say something else: they go with it."""
    gone = {ref[0] for cut in cuts for ref in cut.refs}
    found = []
    for number, path in texts:
        mark = view.drawing.marks[number]
        if path != ("/ActualText",) or any(mark.first <= show < mark.last for show in gone):
            continue
        found.append(
            frozenset(
                (show, run, glyph)
                for show in range(mark.first, mark.last)
                for run in range(len(view.drawing.shows[show].runs))
                for glyph in range(len(view.drawing.shows[show].run_glyphs(run)))
            )
        )
    return found
