"""Reads pictures of text: the `ocr` extra, whose models come with the package. Nothing is ever downloaded.

Words get boxes whose edges lie in the blank between them, so that clearing one leaves nothing of it and takes
nothing of its neighbours.
"""

from __future__ import annotations

import copy
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.util import find_spec
from itertools import pairwise
from math import hypot
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

from efface.errors import InputError
from efface.files.picture_blocks import Block, blocks

if TYPE_CHECKING:
    from PIL.Image import Image

Point = tuple[float, float]
# The corners of a text in its reading direction: top start, top end, bottom end, bottom start.
Corners = tuple[Point, Point, Point, Point]

LOWEST = 6  # pixels: lower letters cannot be recognised
LONGEST = 3000  # pixels of a picture's longer side that are looked at
_EDGE = 24  # pixels of background around what is looked at
_SMALL = 48  # pixels; a lower block is one line of small letters
_ENLARGED = 2  # times
_FAINT = 96  # levels between the lightest and the darkest; less is stretched before it is read
_UPRIGHT = 1.5  # times as tall as wide: the engine turns such a line
_BLANK = 0.2  # columns with less than this part of a line's contrast show no ink
_REACH = 0.7  # line heights around a guessed gap in which the true one is looked for
_LOCK = Lock()


@dataclass(frozen=True, slots=True)
class OcrWord:
    """A word and where it starts and ends along its line, from 0 to 1."""

    text: str
    start: float
    end: float


@dataclass(frozen=True, slots=True)
class OcrLine:
    """A line of text in pixels, with the engine's confidence and its words."""

    text: str
    score: float
    corners: Corners
    words: tuple[OcrWord, ...]


def available() -> bool:
    """Whether the extra is installed."""
    return find_spec("rapidocr") is not None and find_spec("onnxruntime") is not None


def lines(picture: Image) -> list[OcrLine]:
    """Every line of text in a picture, in its pixels."""
    colour = picture.convert("RGB")
    return [
        _in_picture_coordinates(line, block)
        for block in blocks(colour)
        for line in _block_lines(colour.crop(block))
    ]


def _block_lines(block: Image) -> list[OcrLine]:
    """The lines of a block, which is set on a wider ground and, when small, looked at enlarged."""
    scale = _ENLARGED if min(block.size) < _SMALL else 1
    framed = _framed(block, scale)
    return [_scaled(line, scale) for line in _detected(framed)]


def _framed(block: Image, scale: int) -> Image:
    """The block enlarged, with an edge of its own background."""
    from PIL import Image as PillowImage
    from PIL import ImageOps

    levels = block.convert("L").tobytes()
    if max(levels) - min(levels) < _FAINT:
        block = ImageOps.autocontrast(block)
    large = block.resize((block.width * scale, block.height * scale), PillowImage.Resampling.BICUBIC)
    corner = block.crop((0, 0, 1, 1)).tobytes()
    return ImageOps.expand(large, _EDGE, fill=tuple(corner))


def _in_picture_coordinates(line: OcrLine, block: Block) -> OcrLine:
    a, b, c, d = ((x + block.left, y + block.top) for x, y in line.corners)
    return replace(line, corners=(a, b, c, d))


def _scaled(line: OcrLine, scale: int) -> OcrLine:
    a, b, c, d = (((x - _EDGE) / scale, (y - _EDGE) / scale) for x, y in line.corners)
    return replace(line, corners=(a, b, c, d))


def _detected(colour: Image) -> list[OcrLine]:
    import numpy

    engine = _engine()
    with _LOCK:
        result = engine(
            numpy.asarray(colour)[:, :, ::-1],
            use_det=True,
            use_cls=True,
            return_word_box=True,
            text_score=0.0,
        )
        if result.txts is None:
            return []
        turned = _turned_lines(engine, len(result.txts))
    parts = result.word_results if len(result.word_results) == len(result.txts) else [()] * len(result.txts)
    found = []
    rows = zip(result.txts, result.scores, result.boxes, map(_SeenLine, parts, turned), strict=True)
    for text, score, box, seen in rows:
        if text.strip():
            found.append(_line(colour, text.strip(), float(score), box, seen))
    return found


class _SeenLine(NamedTuple):
    """The engine's details about a line: estimated places of its pieces, and whether it is upside down (None:
    unknown)."""

    pieces: Sequence[Any]
    turned: bool | None


class _Recorder:
    """A network of the engine that remembers its last answer: the engine turns a line and does not tell."""

    def __init__(self, network: Any) -> None:
        self._network = network
        self.answer: Any = None

    def __call__(self, *given: Any) -> Any:
        answer = self._network(*given)
        self.answer = copy.copy(answer)  # the engine drops lines from its own
        return answer

    def __getattr__(self, name: str) -> Any:
        return getattr(self._network, name)


def _turned_lines(engine: Any, count: int) -> list[bool | None]:
    """Which of the lines that the engine has just read it turned around. Lines without text are not among them."""
    judge, reader = getattr(engine, "text_cls", None), getattr(engine, "text_rec", None)
    if not (isinstance(judge, _Recorder) and isinstance(reader, _Recorder)):
        return [None] * count
    found: list[bool | None] = []
    for (label, score), text in zip(judge.answer.cls_res, reader.answer.txts, strict=True):
        if text.strip():
            found.append("180" in str(label) and score > judge.cls_thresh)
    return found if len(found) == count else [None] * count


def read_line(picture: Image) -> tuple[str, float]:
    """The text of a picture that is one line, and how sure that is."""
    import numpy

    with _LOCK:
        result = _engine()(
            numpy.asarray(picture.convert("RGB"))[:, :, ::-1],
            use_det=False,
            use_cls=False,
            return_word_box=False,
        )
    return (str(result.txts[0]), float(result.scores[0])) if result.txts else ("", 0.0)


def upright(picture: Image, corners: Corners) -> Image | None:
    """A line cut out and set upright; nothing when it lies outside or has no size."""
    width, height = round(_length(*corners[:2])), round(_length(corners[0], corners[3]))
    inside = all(-1 <= x <= picture.width + 1 and -1 <= y <= picture.height + 1 for x, y in corners)
    return _upright(picture, corners, width, height) if inside and width > 4 and height > 4 else None


def _upright(picture: Image, corners: Corners, width: int, height: int) -> Image:
    from PIL.Image import Transform

    (ax, ay), (bx, by), (cx, cy), (dx, dy) = corners
    return picture.transform((width, height), Transform.QUAD, (ax, ay, dx, dy, cx, cy, bx, by))


@cache
def _engine() -> Any:
    import rapidocr

    folder = Path(rapidocr.__file__).parent / "models"
    models = {
        kind: next(iter(sorted(folder.glob(f"*_{kind}_*.onnx"))), None) for kind in ("det", "cls", "rec")
    }
    if not all(models.values()):
        raise InputError("The OCR engine came without its models.", "Install the `ocr` extra again.")
    paths = {f"{kind.capitalize()}.model_path": str(path) for kind, path in models.items()}
    options = {
        "Global.log_level": "critical",
        "Global.max_side_len": LONGEST,
        "Det.limit_type": "max",  # by default a low picture is blown up to 736 pixels, and so 6000 wide
        "Det.limit_side_len": LONGEST,
        "Rec.rec_batch_num": 1,  # a third less memory than by the handful, and no slower
        "EngineConfig.onnxruntime.intra_op_num_threads": _threads(),
    }
    engine = rapidocr.RapidOCR(params={**paths, **options})
    for kind, path in models.items():
        load = getattr(engine, f"_load_{kind}_model", None)  # its own; another version may call it otherwise
        if load is not None:
            load().session.session = _calm_session(path)
    for attribute in ("text_cls", "text_rec"):
        if getattr(engine, attribute, None) is not None:
            setattr(engine, attribute, _Recorder(getattr(engine, attribute)))
    return engine


def _calm_session(model: Path | None) -> Any:
    """What runs a network. Its threads sleep while they wait for each other: by default they spin, which takes nearly
    twice the processor time, and the engine has no setting for it."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.enable_cpu_mem_arena = False
    options.intra_op_num_threads = max(0, _threads())  # 0: as many as there are processors
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])


def _threads() -> int:
    """As many as other libraries may use: one in a worker that has others beside it."""
    given = os.environ.get("OMP_NUM_THREADS", "")
    return int(given) if given.isdecimal() and int(given) else -1  # -1: the engine's choice


def _line(picture: Image, text: str, score: float, box: Any, seen: _SeenLine) -> OcrLine:
    a, b, c, d = ((float(x), float(y)) for x, y in box)
    wide, tall = _length(a, b), _length(a, d)
    whole = (OcrWord(" ".join(text.split()), 0.0, 1.0),)
    if tall >= _UPRIGHT * wide:  # read sideways, from an unknown end, so the line stays whole
        return OcrLine(text, score, (b, c, d, a), whole)
    words = text.split()
    places = _guessed_centres(words, (a, b, c, d), seen.pieces) if len(words) > 1 else []
    if len(places) != len(words) or seen.turned is None:
        return OcrLine(text, score, (a, b, c, d), whole)
    # The engine guesses places as if the line stood upright, so on its head they count from the other end.
    corners = (c, d, a, b) if seen.turned else (a, b, c, d)
    return OcrLine(text, score, corners, _placed_words(picture, words, corners, places))


def _placed_words(
    picture: Image, words: Sequence[str], corners: Corners, places: Sequence[tuple[float, float]]
) -> tuple[OcrWord, ...]:
    """The words of a line with their edges in the blanks."""
    width, height = max(1, round(_length(*corners[:2]))), max(1, round(_length(corners[0], corners[3])))
    blank = _blank_columns(picture, corners, width, height)
    edges = [0.0]
    for (start, end), (after, _) in pairwise(places):
        edges.append(max(edges[-1], _gap(blank, width * end, width * after, height, width * start) / width))
    edges.append(1.0)
    return tuple(OcrWord(word, edges[at], edges[at + 1]) for at, word in enumerate(words))


def _guessed_centres(
    words: Sequence[str], corners: Corners, guessed: Sequence[Any]
) -> list[tuple[float, float]]:
    """Where the engine guesses each word; nothing when its pieces do not spell the words."""
    places: list[tuple[float, float]] = []
    pieces = iter([(str(piece[0]).strip(), piece[2]) for piece in guessed if str(piece[0]).strip()])
    for word in words:
        spelled, ends = "", []
        while len(spelled) < len(word):
            piece, box = next(pieces, ("", None))
            if not piece or box is None:
                return []
            spelled += piece
            ends += [_along(corners, (float(x), float(y))) for x, y in box]
        if spelled != word:
            return []
        places.append((min(ends), max(ends)))
    return places


def _along(corners: Corners, point: Point) -> float:
    """How far along a line a point lies."""
    (x, y), (end_x, end_y) = corners[:2]
    dx, dy = end_x - x, end_y - y
    part = ((point[0] - x) * dx + (point[1] - y) * dy) / (dx * dx + dy * dy or 1.0)
    return min(1.0, max(0.0, part))


def _blank_columns(picture: Image, corners: Corners, width: int, height: int) -> list[bool]:
    """Which columns of a line, set upright, show no ink."""
    import numpy

    crop = _upright(picture, corners, width, height)
    inner = numpy.asarray(crop.convert("L"), dtype=numpy.int16)[height // 8 : max(1, height - height // 8)]
    contrast = inner.max(axis=0) - inner.min(axis=0)
    return [bool(blank) for blank in contrast <= _BLANK * max(1, int(inner.max() - inner.min()))]


def _gap(blank: Sequence[bool], end: float, start: float, height: int, least: float) -> float:
    """The middle of the widest blank near a guessed gap between two words."""
    low = max(0, int(max(least, min(end, start) - _REACH * height)))
    high = min(len(blank), int(max(end, start) + _REACH * height) + 1)
    runs = sorted(_blank_runs(blank, low, high), key=lambda run: run[0] - run[1])
    return (runs[0][0] + runs[0][1]) / 2 if runs else (end + start) / 2


def _blank_runs(blank: Sequence[bool], low: int, high: int) -> Iterator[tuple[int, int]]:
    first = -1
    for at in range(low, high + 1):
        if at < high and blank[at]:
            first = at if first < 0 else first
        elif first >= 0:
            yield first, at
            first = -1


def _length(one: Point, other: Point) -> float:
    return hypot(other[0] - one[0], other[1] - one[1])
