"""The engine against its definition: every row alone, at every place, judged and sifted without any speed-up."""

from __future__ import annotations

import re
import subprocess
import sys
import tracemalloc
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from efface.finders.patterns import finder as patterns
from efface.finders.patterns.finder import NEAR_AFTER, NEAR_BEFORE, PATTERNS, PatternFinder
from efface.finders.patterns.row import (
    CHECK_FAILS,
    CHECK_HOLDS,
    CONTEXT_NEAR,
    LEAST,
    LINE_BREAK,
    THRESHOLD,
    TRIGGERS,
    Pattern,
    Trigger,
)
from tests.finders.patterns.test_pattern_table import FOUND

Seen = tuple[int, int, str, float]


def is_sign(trigger: Trigger, text: str, at: int) -> bool:
    if trigger.needles:
        return text.startswith(trigger.needles, at)
    if trigger.digits and not (text[at] in "0123456789" and (at == 0 or text[at - 1] not in "0123456789")):
        return False
    return re.compile(trigger.sign, re.ASCII).match(text, at) is not None


def may_begin(trigger: Trigger, text: str, at: int) -> bool:
    """At a sign, or at most `reach` before the next sign where the text looks like a start."""
    if not trigger.reach:
        return is_sign(trigger, text, at)
    signs = (
        sign for sign in range(at, min(at + trigger.reach + 1, len(text))) if is_sign(trigger, text, sign)
    )
    sign = next(signs, None)
    return sign is not None and re.compile(trigger.start, re.ASCII).match(text, at, sign + 1) is not None


def words(text: str) -> set[str]:
    """Single words and pairs, lower case; capitals inside a word begin a new one."""
    found = [word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+|/", text)]
    return {*found, *(f"{a} {b}" for a, b in pairwise(found))}


def score(row: Pattern, value: str, near: bool) -> float:
    total = row.score + CONTEXT_NEAR * near
    if row.check:
        total += CHECK_HOLDS if row.check(value) else CHECK_FAILS
    if not row.many_lines:
        total += LINE_BREAK * value.count("\n")
    return round(min(max(total, LEAST), 1.0), 2)


def oracle(text: str, threshold: float) -> set[Seen]:
    """All that the rows see in a plain text without line breaks."""
    seen: set[Seen] = set()
    for name, trigger in TRIGGERS.items():
        rows = [row for row in PATTERNS if {name, *trigger.also} & set(row.at)]
        for at in (at for at in range(len(text)) if may_begin(trigger, text, at)):
            fits = [(row, m) for row in rows if (m := _match(row, trigger, text, at))]
            end = max((m.end(1) for _, m in fits), default=at)
            around = words(text[max(0, at - NEAR_BEFORE) : at]) | words(text[end : end + NEAR_AFTER])
            for row, m in fits:
                near = not around.isdisjoint(row.context.split(", "))
                seen.add((m.start(1), m.end(1), row.type, score(row, m.group(1), near)))
    seen = {hit for hit in seen if hit[3] >= threshold}
    kept = {
        hit for hit in seen if not any(_hides(other, hit) or _is_part(hit, other, text) for other in seen)
    }
    return {_whole_code(hit, text) for hit in kept}


def _whole_code(hit: Seen, text: str) -> Seen:
    """A hit that is some code, with up to three pieces of it on either side, of capitals and digits, behind strokes or
    hyphens."""
    start, end, type_, points = hit
    if type_ not in ("ID_NUMBER", "CASE_NUMBER", "MEDICAL_RECORD", "PHONE_NUMBER"):
        return hit
    before = re.split("[/-]", re.search(r"[\w/.@-]*\Z", text[:start])[0])  # type: ignore[index]
    if before[-1] == "" and 2 <= len(before) <= 4 and all(map(_leads, before[:-1])):
        start -= sum(map(len, before)) + len(before) - 1
    after = re.split("[/-]", re.match(r"[\w/@-]*", text[end:])[0])  # type: ignore[index]
    if after[0] == "" and 2 <= len(after) <= 4 and all(map(_follows, after[1:])):
        end += sum(map(len, after)) + len(after) - 1
    return start, end, type_, points


def _leads(piece: str) -> bool:
    return re.fullmatch("[0-9]{0,6}[A-Z]{1,6}[0-9]{0,6}", piece) is not None


def _follows(piece: str) -> bool:
    return re.fullmatch("[A-Z]{1,3}[0-9]{0,6}|[0-9]{1,6}[A-Z]{0,2}", piece) is not None


def _match(row: Pattern, trigger: Trigger, text: str, at: int) -> re.Match[str] | None:
    return re.compile(f"{row.label}({row.regex}){trigger.after}", re.ASCII).match(text, at)


def _hides(other: Seen, hit: Seen) -> bool:
    contains = other[0] <= hit[0] and hit[1] <= other[1] and other[2] == hit[2]
    longer = (other[0], other[1]) != (hit[0], hit[1])
    return contains and (other[3] >= hit[3] if longer else other[3] > hit[3])


def _is_part(hit: Seen, number: Seen, text: str) -> bool:
    """Whether a hit is part of a longer number that scores more."""
    inside = number[0] <= hit[0] and hit[1] <= number[1] and number[:2] != hit[:2]
    return inside and number[3] > hit[3] and not re.search("[A-Za-z]", text[number[0] : number[1]])


@pytest.fixture(autouse=True)
def many_compiled_patterns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(re, "_MAXCACHE", 4096)


plain = st.text(st.sampled_from("aAnoxN 0159.-/:@(+'#=_,"), max_size=12)
values = st.sampled_from([value for _, _, value, _ in FOUND if value.isascii() and "\n" not in value])
labels = st.sampled_from([before for _, before, _, _ in FOUND if before.isascii()])
pieces = st.one_of(plain, values, labels)
texts = st.lists(pieces, max_size=5).flatmap(
    lambda found: st.sampled_from([" ", "", ", "]).map(lambda s: s.join(found))
)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(texts, st.sampled_from([THRESHOLD, 0.0]))
def test_as_the_definition_says(text: str, threshold: float) -> None:
    text = text.replace("\n", " ")
    found = {(m.start, m.end, m.type, m.score) for m in PatternFinder(threshold=threshold).find(text)}
    assert found == oracle(text, threshold)


SHOWN = [f"{before}{value}{after}" for _, before, value, after in FOUND if len(value) < 100]
SCRIPTS = {1: " ".join(SHOWN)[:400], 40: " ".join(SHOWN)[:6000], 1000: " ".join(SHOWN)}


@pytest.mark.parametrize("block", [1, 40, 1000])
@pytest.mark.parametrize(
    "disguise", [str, lambda text: text.replace("1", "1\u200b\u00ad").replace(" ", "\r\n  ")]
)
def test_blocks_lose_and_cut_nothing(monkeypatch: pytest.MonkeyPatch, block: int, disguise: object) -> None:
    assert callable(disguise)
    text = disguise(SCRIPTS[block])
    whole = list(PatternFinder().find(text))
    monkeypatch.setattr(patterns, "BLOCK", block)
    monkeypatch.setattr(patterns, "LONGEST", 160)
    monkeypatch.setattr(patterns, "MARGIN", 160 + 4 * NEAR_BEFORE)
    assert list(PatternFinder().find(text)) == whole
    assert len(whole) > 10


def test_what_begins_after_a_block_says_that_a_hit_before_it_is_two_numbers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = " 34778898880.\n 611\n 014\n 609.\n 74-816-460.\n 27UMQPE0299K1Z0."
    whole = list(PatternFinder().find(text))
    assert "NZ_IRD" in {mention.type for mention in whole}
    assert "PHONE_NUMBER" not in {mention.type for mention in whole}
    monkeypatch.setattr(patterns, "LONGEST", 160)
    monkeypatch.setattr(patterns, "MARGIN", 160 + 4 * NEAR_BEFORE)
    monkeypatch.setattr(patterns, "BLOCK", text.index("74-816"))
    assert list(PatternFinder().find(text)) == whole


def test_every_fourth_sample_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    text = " ".join(SHOWN[::4]).replace("1", "1\u200b\u00ad").replace(" ", "\r\n  ")[:2600]
    whole = list(PatternFinder().find(text))
    monkeypatch.setattr(patterns, "BLOCK", 1000)
    monkeypatch.setattr(patterns, "LONGEST", 160)
    monkeypatch.setattr(patterns, "MARGIN", 160 + 4 * NEAR_BEFORE)
    assert list(PatternFinder().find(text)) == whole


def test_memory_stays_far_below_the_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "BLOCK", 1 << 16)
    text = "Some words without any number in them. " * 50_000 + "jane@example.org"
    next(PatternFinder().find("jane@example.org"))
    tracemalloc.start()
    count = sum(1 for _ in PatternFinder().find(text))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 1
    assert peak < len(text) / 2


HOSTILE = [
    *(
        "1",
        "a@",
        "a.",
        "-",
        "(",
        " ",
        "1-",
        "(1",
        "1\n",
        "\u200b",
        "/a",
        "12/12/",
        "http://",
        "sk-",
        "password=",
    ),
    *("-----BEGIN PRIVATE KEY-----", "a." * 60 + "@"),
]
RUN = """
import ast, signal, sys
from efface.finders.patterns.finder import PatternFinder
for argument in sys.argv[2:]:
    print(argument, flush=True)
    piece = ast.literal_eval(argument)
    signal.setitimer(signal.ITIMER_PROF, 5)  # processor time; it ends the process
    for _ in PatternFinder().find(piece * (int(sys.argv[1]) // len(piece))):
        pass
"""


def test_hostile_text_ends() -> None:
    """Five seconds of the processor for eight kilobytes of a piece: only a search that is not linear takes so long. One process
    tries all, since its start takes longer than a search."""
    pieces = list(map(ascii, HOSTILE))
    run = subprocess.run(
        [sys.executable, "-c", RUN, "8000", *pieces], capture_output=True, text=True, check=False
    )
    assert run.stdout.splitlines() == pieces, run.stderr  # the last line is the piece that took too long
    assert run.returncode == 0


def test_importing_loads_no_heavy_library() -> None:
    code = (
        "import sys, efface.finders.patterns.finder as p; list(p.PatternFinder().find('no candidates here')); "
        "print([m for m in sys.modules if m.split('.')[0] in ('phonenumbers', 'stdnum', 'numpy')])"
    )
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert run.stdout.strip() == "[]"


def test_a_number_that_goes_on_in_the_next_line_is_found() -> None:
    text = "He paid by card 4111 1111\n1111 1111, it says, and left,\nall in all, at once."
    assert "4111 1111\n1111 1111" in [text[m.start : m.end] for m in PatternFinder().find(text)]


def test_rows_of_an_export_are_not_joined() -> None:
    text = "7,card,4111111\n111111111,card,2\n8,card,3\n"
    assert not [
        m for m in PatternFinder(frozenset({"CREDIT_CARD"})).find(text) if "\n" in text[m.start : m.end]
    ]
