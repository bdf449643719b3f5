"""The HTML report: the page's look, before and after, reasons, bars, and curves that name nothing."""

from __future__ import annotations

import re
import sqlite3
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from efface.api.sanitizer import Sanitizer
from efface.core import Finding, Mention, Report, Term
from efface.guarantees.semantic.limit_levels import levels_by_limit
from efface.pipeline.bound import BoundPolicy
from efface.pipeline.sanitize import sanitize
from efface.report.page import certificate_page, review_page
from efface.report.plot import PlotLine, Tradeoff, plot
from efface.report.strength import thresholds, tradeoffs
from efface.report.stylesheet import style

MAIL = "Write to ann@example.org or call 212-555-0142. <script>alert(1)</script> Born 1970-01-02."
HIV = "find: {patterns: none, names: none}\nguarantees: [{semantic: {hide: {HIV: virus}}}]\n"
LETTER = "The patient took zidovudine against HIV. The fever and the pneumonia were gone on Friday."


def run(policy: str, text: str) -> tuple[Report, BoundPolicy]:
    bound = Sanitizer.from_text(policy).bind()
    return sanitize(text.encode(), "letter.txt", bound), bound


@pytest.fixture(scope="module")
def memo(tmp_path_factory: pytest.TempPathFactory) -> tuple[Report, BoundPolicy]:
    """The demo's memo: which client it is about is hidden among three."""
    from efface.knowledge.classes import RecordFields, TrainingSettings, read_corpus, save, train

    folder = tmp_path_factory.mktemp("memo")
    for name in ("consulting.yaml", "memo.txt", "memos.jsonl"):
        source = files("efface.demo").joinpath("consulting", name)
        (folder / name).write_bytes(source.read_bytes())
    fields = RecordFields("client", ("industry",))
    learned = train(
        read_corpus(folder / "memos.jsonl", fields),
        TrainingSettings(sensitive="client", utility=("industry",)),
    )
    save(learned, folder / "clients.model", force=True)
    bound = Sanitizer.from_policy(folder / "consulting.yaml").bind()
    return sanitize((folder / "memo.txt").read_bytes(), "memo.txt", bound), bound


class Elements(HTMLParser):
    """Every element with its attributes, and whether all that open also close."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag not in ("meta", "rect", "line", "polyline") or self.get_starttag_text()[-2:] != "/>":  # type: ignore[index]
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open[-1] == "meta":
            self.open.pop()
        assert self.open.pop() == tag


def test_the_report_has_the_look_of_the_page() -> None:
    report, bound = run("find: {names: none}", MAIL)
    page = review_page(report, tradeoffs(report, bound))
    shared = files("efface.report").joinpath("look.css").read_text()
    assert shared in page and "prefers-color-scheme: dark" in shared
    named = set(re.findall(r"var\((--\w+)\)", page))
    defined = re.findall(r"(--\w+):", shared)
    assert named <= set(defined), "no colour that only one of them knows"
    assert all(defined.count(name) == 2 for name in defined), "each colour for light and for dark"
    elements = Elements(page)
    assert not [tag for tag, _ in elements.found if tag in ("script", "img", "link", "iframe", "object")]
    assert not [name for _, attributes in elements.found for name in attributes if name.startswith("on")]
    assert elements.open == []


def test_marks_tell_why_and_a_legend_explains_them() -> None:
    report, bound = run(
        "efface: 1\nfind: {names: none, deny: [zidovudine]}\nguarantees: [{semantic: {hide: {HIV: virus}}}]",
        LETTER,
    )
    page = review_page(report, tradeoffs(report, bound))
    assert re.search(r"<mark class='gone r-absence'[^>]*>zidovudine</mark>", page)
    assert re.search(r"<mark class='gone r-semantic'[^>]*>HIV</mark>", page)
    assert "looks like an identifier" in page and "tells a protected subject" in page


def test_a_curve_for_each_kind_of_strength(memo: tuple[Report, BoundPolicy]) -> None:
    report, bound = memo
    (curve,) = tradeoffs(report, bound)
    assert curve.places[0] == 1 and curve.chosen == 2 and 2 in curve.places
    kept = curve.lines[0].shares
    assert kept[0] == 1 and all(share is not None and share < 1 for share in kept[1:])
    assert len(curve.lines) == 2, "what should show is drawn too"
    (semantic,) = tradeoffs(*run(HIV, LETTER))
    shares = [share or 0 for share in semantic.lines[0].shares]
    assert len(shares) > 2 and shares == sorted(shares) and shares[-1] == 1
    (found,) = tradeoffs(*run("find: {names: none}", MAIL))
    assert found.lines[0].shares[0] is not None and found.lines[0].shares[0] < 1


def test_a_curve_for_crowds(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "people.db")
    with connection:
        connection.execute("CREATE TABLE person (id INTEGER PRIMARY KEY, name, city)")
        rows = [(n, f"Name{n}", "Oslo" if n < 4 else "Bern") for n in range(12)]
        connection.executemany("INSERT INTO person VALUES (?, ?, ?)", rows)
    connection.close()
    (tmp_path / "p.yaml").write_text(
        "find: {patterns: none, names: none}\n"
        "knowledge: {people: {database: 'sqlite:///people.db', entities: person, key: id, identifying: [name, city]}}\n"
        "guarantees: [{k-safety: {over: people, k: 3, protect: all}}]\n"
    )
    bound = Sanitizer.from_policy(tmp_path / "p.yaml").bind()
    report = sanitize(b"Somebody of Oslo wrote to Name7 of Bern.", "note.txt", bound)
    (curve,) = tradeoffs(report, bound)
    shares = dict(zip(curve.places, curve.lines[0].shares, strict=True))
    assert shares[1] == 1 and shares[1] > shares[2]  # type: ignore[operator]
    assert shares[2] == shares[4] > shares[5] > shares[10], "Oslo's four, then Bern's eight, are too few"  # type: ignore[operator]


def test_no_curve_names_anything_and_the_certificate_has_none(memo: tuple[Report, BoundPolicy]) -> None:
    report, bound = memo
    drawn = "".join(map(plot, tradeoffs(report, bound)))
    removed = {report.document.text[edit.start : edit.end] for edit in report.edits}
    assert drawn and not [word for word in removed if word in drawn]
    assert "Barclow" not in drawn
    published = certificate_page(report).replace(style(), "")  # a removed word may be one of CSS: "margin"
    assert "<polyline" not in published and not [word for word in removed if word in published]


def test_a_plot_says_its_numbers_in_words_too() -> None:
    page = plot(
        Tradeoff("a <b>", "k", (1.0, 2.0), (PlotLine("x", (1.0, 0.25)), PlotLine("y", (None, 0.5))), 2.0)
    )
    assert "a &lt;b&gt;" in page and "<td>25.0%</td>" in page and "<td>-</td>" in page
    points = re.findall(r"points='([^']+)'/?>", page)
    assert [len(line.split()) for line in points if line != "0,4 26,4"] == [2, 1]
    assert Elements(page).open == []


def finding(amount: float, *words: tuple[int, int], score: float = 1.0) -> Finding:
    terms = tuple(Term(f"{s}", "T", (Mention(s, e, "T", f"{s}", score, ""),)) for s, e in words)
    return Finding("semantic", "c", terms, amount, 1.0, "")


WORDS = st.integers(0, 9).map(lambda n: (10 * n, 10 * n + 3))


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.lists(st.tuples(st.floats(1.5, 9), st.lists(WORDS, min_size=1, max_size=3)), max_size=8))
def test_at_each_level_nothing_that_tells_more_is_whole(
    found: list[tuple[float, list[tuple[int, int]]]],
) -> None:
    findings = [finding(amount, *words) for amount, words in found]
    for value, gone in levels_by_limit(findings):
        for amount, words in found:
            assert amount <= value or gone & set(words), "a group is broken when one of its terms goes"


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.lists(st.tuples(WORDS, st.floats(0, 1)), max_size=8))
def test_at_each_threshold_the_surer_finds_go(found: list[tuple[tuple[int, int], float]]) -> None:
    for value, gone in thresholds(finding(1.0, word, score=score) for word, score in found):
        assert gone == {word for word, score in found if score >= value}


def test_names_of_styles_are_folded_away_unless_something_was_cut_there() -> None:
    """The text is what people wrote; "MacroText" is told below it, with a count."""
    data = files("efface.demo").joinpath("officer", "referral.docx").read_bytes()
    page = review_page(Sanitizer().sanitize(data, name="referral.docx"))
    texts, _, folded = page.partition("<details><summary>Styles, fonts and fields, unchanged: ")
    assert "Seen by" in texts and "records.example" in texts and "MacroText" not in texts
    assert int(folded.split("<", 1)[0]) == 4
    assert "MacroText" in folded and "Seen by" not in folded.partition("</details>")[0]


def test_a_page_shows_one_empty_line_where_a_web_page_has_many() -> None:
    report, _ = run("efface: 1", "Write to ann@example.org.\n \n\n\t\n\nThank you.")
    page = review_page(report)
    assert "ann@example.org</mark>.\n\nThank you." in page
    assert "[EMAIL_ADDRESS_1]</mark>.\n\nThank you." in page


def test_a_page_without_edits_has_no_empty_table() -> None:
    report, _ = run("find: {names: none}", "Thank you.")
    assert "edits and their reasons" not in review_page(report)
