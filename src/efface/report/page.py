"""Reports as one self-contained HTML page: no script, no font, no image from anywhere else."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from html import escape

from efface import __version__
from efface.core import Document, Edit, Outcome, PartKind, Report, Span, SpanSet, Verdict
from efface.report.bars import LEGEND, LIMIT, bars, shown, top_of
from efface.report.counts import PlaceCount, found_places, place_counts
from efface.report.coverage import lines as coverage_lines
from efface.report.data import certificate
from efface.report.plot import Tradeoff, plot
from efface.report.stylesheet import style
from efface.text.alignment import Alignment

_ROWS = 2000  # rows of a table
_SHOWN = 200_000  # characters of text on the page; a longer document is cut, and the page says so
_LATER = "asked for in a later round"
_EMPTY_LINES = re.compile(r"\n(?:[ \t]*\n){2,}")  # web pages have many; in a report they are only gaps
_WORDS = {
    Verdict.HELD: "Every guarantee holds on the released bytes.",
    Verdict.BROKEN: "At least one guarantee does not hold. Nothing may leave.",
    Verdict.UNPROVEN: "This document alone proves nothing: the guarantee speaks of a whole release.",
}


def _verdict_sentence(report: Report) -> str:
    if report.verdict is Verdict.UNPROVEN and not report.coverage.is_whole:
        return "Not everything that the policy asks for could be looked at."
    return _WORDS[report.verdict]


def review_page(report: Report, tradeoffs: Sequence[Tradeoff] = ()) -> str:
    """For the reviewer: before and after side by side, reasons, counts, risk, curves. Holds originals."""
    sections = [
        _verdict(report),
        _texts(report),
        _risk(report),
        _measures(report.outcomes),
        _tradeoffs(tradeoffs),
        _guarantees(report.outcomes),
        _remarks(report),
        _edits(report),
    ]
    return _document(
        f"efface: {escape(report.document.name)}", "For the reviewer. Holds original text.", sections
    )


def certificate_page(report: Report) -> str:
    """For publication: the claims and the verdict, nothing of the original."""
    data = certificate(report)
    released = data["released"] or {}
    facts = "".join(f"<dt>{escape(str(k))}</dt><dd>{escape(str(v))}</dd>" for k, v in released.items())
    told = (*data["checks"], *coverage_lines(report.coverage))
    checks = "".join(f"<li>{escape(line)}</li>" for line in told)
    sections = [
        _verdict(report),
        _guarantees(report.outcomes, counts=False),
        f"<section><h2>Checked</h2><ul>{checks}</ul></section>",
        f"<section><h2>The released file</h2><dl>{facts}</dl></section>",
    ]
    return _document("efface: certificate", "For publication. Holds nothing of the original.", sections)


def _document(title: str, subtitle: str, sections: Sequence[str]) -> str:
    return (
        "<!doctype html>\n<html lang='en'><head><meta charset='utf-8'>"
        "<meta http-equiv='Content-Security-Policy' "
        "content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        "<meta name='viewport' content='width=device-width, initial-scale=1'>"
        "<meta name='color-scheme' content='light dark'>"
        f"<title>{title}</title><style>{style()}</style></head><body><header><h1>{title}</h1>"
        f"<p>{escape(subtitle)}</p></header><main>{''.join(sections)}</main>"
        f"<footer>efface {__version__}</footer></body></html>\n"
    )


def _verdict(report: Report) -> str:
    leaks = "".join(
        f"<li>{escape(leak.type)} in {escape(leak.part)}, {escape(leak.encoding)}</li>"
        for leak in report.leaks
    )
    return (
        f"<section class='verdict {report.verdict}'><strong>{report.verdict}</strong> "
        f"<span>{_verdict_sentence(report)}</span>{f'<ul>{leaks}</ul>' if leaks else ''}</section>"
    )


def _tradeoffs(found: Sequence[Tradeoff]) -> str:
    """What more or less privacy would have cost."""
    if not found:
        return ""
    return f"<section><h2>Privacy and what is kept</h2>{''.join(map(plot, found))}</section>"


def _risk(report: Report) -> str:
    """Bars for what disclosed before and what does after, by type."""
    rows = []
    on_finds = next((outcome for outcome in report.outcomes if outcome.on_finds), None)
    for outcome in report.outcomes:
        before = _places_by_type(found_places(outcome.before))
        if before and report.edits and outcome is on_finds:
            # All edits are for the sake of what finders find, so that sum is theirs.
            before = {**dict.fromkeys(before, 0), **_places_by_type(place_counts(report))}
        after = _places_by_type(found_places(outcome.after))
        top = max(before.values(), default=0)
        for name, count in sorted(before.items(), key=lambda item: (-item[1], item[0])):
            rows.append(_bars(name, count, after.get(name, 0), top))
    if not rows:
        return "<section><h2>Risk</h2><p>Nothing was found that discloses anything.</p></section>"
    legend = LEGEND.replace(LIMIT, "")
    return f"<section><h2>Risk before and after</h2>{legend}<div class='risk'>{''.join(rows)}</div></section>"


def _places_by_type(counts: Sequence[PlaceCount]) -> dict[str, int]:
    return {count.type: count.places for count in counts}


def _bars(name: str, before: int, after: int, top: int) -> str:
    picture = bars(name, before, after, None, top)
    return f"<div><span>{escape(name)}</span>{picture}<span>{before} → {after}</span></div>"


def _guarantees(outcomes: Sequence[Outcome], *, counts: bool = True) -> str:
    rows = []
    for outcome in outcomes:
        claim, plan = outcome.claim, outcome.plan
        parameters = ", ".join(f"{key} = {value}" for key, value in claim.parameters.items())
        cells = [claim.name, claim.sentence, parameters, outcome.verdict.value]
        if counts:
            known = f"{plan.optimality} (cost {plan.cost:g}, at least {plan.lower_bound:g})" if plan else ""
            cells += [str(len(outcome.before)), str(len(outcome.after)), known]
        shown_cells = [f"<td>{escape(cell)}</td>" for cell in cells]
        shown_cells[3] = f"<td><span class='state {outcome.verdict}'>{outcome.verdict}</span></td>"
        rows.append(f"<tr>{''.join(shown_cells)}</tr>")
    heads = ["guarantee", "claim", "parameters", "verdict"]
    heads += ["findings before", "after", "plan"] if counts else []
    head = "".join(f"<th>{name}</th>" for name in heads)
    return f"<section><h2>Guarantees</h2><div class='scroll' tabindex='0'><table><tr>{head}</tr>{''.join(rows)}</table></div></section>"


def _measures(outcomes: Sequence[Outcome]) -> str:
    """How much each secret was disclosed, before and after, against the limit: numbers and bars."""
    rows = []
    for outcome in outcomes:
        measures = (outcome.plan.measures if outcome.plan else ())[:_ROWS]
        top = top_of([value for m in measures for value in (m.before, m.after, m.limit)])
        for m in measures:
            numbers = "".join(f"<td>{shown(value)}</td>" for value in (m.before, m.after, m.limit))
            picture = bars(m.secret, m.before, m.after, m.limit, top)
            unit = escape(outcome.claim.unit)
            rows.append(f"<tr><td>{escape(m.secret)}</td>{numbers}<td>{unit}</td><td>{picture}</td></tr>")
    if not rows:
        return ""
    heads = ("secret", "before", "after", "limit", "unit", "")
    head = "".join(f"<th>{name}</th>" for name in heads)
    return (
        f"<section><h2>Disclosure before and after</h2>{LEGEND}<div class='scroll' tabindex='0'><table><tr>{head}</tr>{''.join(rows)}"
        "</table></div></section>"
    )


def _remarks(report: Report) -> str:
    """Remarks for the reviewer: notes, how the plans were made, and terms that no knowledge covers."""
    lines = [escape(note) for note in (*report.notes, *coverage_lines(report.coverage))]
    for one in report.coverage.exemptions[:_ROWS]:
        lines.append(
            f"Kept on purpose, {one.count} times: <code>{escape(one.word)}</code> ({escape(one.reason)})"
        )
    for outcome in report.outcomes:
        name = escape(outcome.claim.name)
        if outcome.plan is not None and outcome.plan.note:
            lines.append(f"{name}: {escape(outcome.plan.note)}")
        if outcome.plan is not None and outcome.plan.utility is not None:
            lines.append(f"{name}: {outcome.plan.utility:.0%} of the information content is kept")
        if outcome.unknown:
            terms = ", ".join(f"<code>{escape(term)}</code>" for term in outcome.unknown[:_ROWS])
            lines.append(f"{name}: nothing is known of {len(outcome.unknown)} terms that stay: {terms}")
    if not lines:
        return ""
    items = "".join(f"<li>{line}</li>" for line in lines)
    return f"<section><h2>Remarks</h2><ul>{items}</ul></section>"


def comparison_page(title: str, subtitle: str, rows: Sequence[tuple[str, float | None, float, float]]) -> str:
    """Shares before and after beside what chance gives: no text of any document is in it."""
    lines = "".join(
        f"<tr><td>{escape(name)}</td><td>{'-' if before is None else f'{before:.1%}'}</td><td>{after:.1%}</td>"
        f"<td>{chance:.1%}</td><td>{bars(name, before, after, chance, 1.0)}</td></tr>"
        for name, before, after, chance in rows
    )
    head = "".join(f"<th>{name}</th>" for name in ("attacker", "before", "after", "chance", ""))
    legend = LEGEND.replace(LIMIT, LIMIT.replace("limit</span>", "chance</span>"))
    table = f"<section>{legend}<div class='scroll' tabindex='0'><table><tr>{head}</tr>{lines}</table></div></section>"
    return _document(escape(title), subtitle, [table])


Line = tuple[str, str, Sequence[str]]  # a verdict, what it shows, and the documents whose reports show it


def contents_page(title: str, subtitle: str, scenes: Sequence[tuple[str, Sequence[Line]]]) -> str:
    """Links to the reports that lie beside documents, under one heading a scene."""
    sections = []
    for heading, lines in scenes:
        shown = "".join(_line(*line) for line in lines)
        sections.append(f"<section><h2>{escape(heading)}</h2><ul class='scenes'>{shown}</ul></section>")
    return _document(escape(title), subtitle, sections)


def _line(verdict: str, says: str, documents: Sequence[str]) -> str:
    links = (
        f"<a href='{escape(each)}.report.html'>{escape(each.rpartition('/')[2])}</a>" for each in documents
    )
    return (
        f"<li><span class='state {verdict}'>{verdict}</span> <span>{escape(says)}</span> "
        f"<span class='links'>{' '.join(links)}</span></li>"
    )


def _texts(report: Report) -> str:
    alignment = Alignment(report.edits)
    after = alignment.planned(report.document)
    is_long = max(len(report.document.text), len(after.text)) > _SHOWN
    cut = "<p>Only the beginning is shown.</p>" if is_long else ""
    reasons = _reasons(report)
    gone = [f"gone r-{reason}" for reason in reasons]
    before_html = "".join(
        _text_with_marks(report.document, [edit.span for edit in report.edits], report.edits, gone)
    )
    after_html = "".join(_text_with_marks(after, alignment.inserted, report.edits, ["new"] * len(reasons)))
    return (
        f"<section><h2>Before and after</h2>{cut}{_legend(report, reasons)}<div class='texts'>"
        f"<article><h3>before</h3><pre>{before_html}</pre>"
        f"</article><article><h3>after</h3><pre>{after_html}</pre></article></div>"
        f"{_unchanged(after, alignment.inserted)}</section>"
    )


def _markup(document: Document, spans: Sequence[Span]) -> list[Span]:
    """Names of styles, fonts and fields in which nothing was edited, each with the end of its line."""
    edited = SpanSet(spans)
    found = []
    for part in sorted(document.parts, key=lambda part: part.start):
        if part.kind is not PartKind.PROSE and not edited.touches(part.start, part.end):
            found.append(Span(part.start, part.end + document.text.startswith("\n", part.end)))
    return found


def _unchanged(document: Document, spans: Sequence[Span]) -> str:
    """What is not shown among the text, to be opened."""
    lines: list[str] = []
    for span in _markup(document, spans):
        lines += document.text[span.start : span.end].split("\n")
    names = [line for line in lines if line.strip()]
    if not names:
        return ""
    text = escape("\n".join(names)[:_SHOWN])
    return f"<details><summary>Styles, fonts and fields, unchanged: {len(names)}</summary><pre>{text}</pre></details>"


def _reasons(report: Report) -> list[str]:
    """For each edit the guarantee that asked for it; the first of several."""
    found: list[tuple[str, SpanSet]] = []
    for outcome in report.outcomes:
        terms = [term for finding in outcome.before for term in finding.terms]
        found.append((outcome.claim.name, SpanSet(m.span for term in terms for m in term.mentions)))
    other = found[0][0] if len(found) == 1 else "rounds"
    reasons = []
    for edit in report.edits:
        asking = (name for name, spans in found if spans.touches(edit.start, edit.end))
        reasons.append(next(asking, other))
    return reasons


def _legend(report: Report, reasons: Sequence[str]) -> str:
    words = {outcome.claim.name: outcome.claim.legend or outcome.claim.name for outcome in report.outcomes}
    items = "".join(
        f"<span><mark class='gone r-{name}'>ab</mark> {escape(words.get(name, _LATER))}</span>"
        for name in dict.fromkeys(reasons)
    )
    return f"<p class='legend'>{items}<span><mark class='new'>ab</mark> put in its place</span></p>"


def _text_with_marks(
    document: Document, spans: Sequence[Span], edits: Sequence[Edit], kinds: Sequence[str]
) -> Iterator[str]:
    text = document.text
    markup = _markup(document, spans)
    position = 0
    # Both sides lose the same empty lines, so they still stand side by side.
    for span, edit, kind in zip(spans, edits, kinds, strict=True):
        if span.start >= _SHOWN:
            break
        yield _shown_text(_text_without(text, position, span.start, markup))
        title = escape(f"{edit.type}: {edit.reason}", quote=True)
        yield f"<mark class='{kind}' title='{title}'>{escape(text[span.start : span.end])}</mark>"
        position = span.end
    yield _shown_text(_text_without(text, position, max(position, _SHOWN), markup))


def _shown_text(text: str) -> str:
    """The text between two marks. At most one empty line is left of several."""
    return escape(_EMPTY_LINES.sub("\n\n", text))


def _text_without(text: str, start: int, end: int, left_out: Sequence[Span]) -> str:
    """A stretch of the text without these places, which are in order."""
    pieces = []
    for span in left_out[bisect_left(left_out, start, key=lambda span: span.end) :]:
        if span.start >= end:
            break
        pieces.append(text[start : max(start, span.start)])
        start = max(start, span.end)
    return "".join([*pieces, text[start:end]])


def _edits(report: Report) -> str:
    if not report.edits:
        return ""
    groups: dict[tuple[str, str, str], int] = Counter(
        (edit.type, edit.reason, edit.replacement or "") for edit in report.edits
    )
    rows = "".join(
        f"<tr><td>{escape(kind)}</td><td>{escape(new)}</td><td>{escape(reason)}</td><td>{count}</td></tr>"
        for (kind, reason, new), count in sorted(groups.items(), key=lambda item: (-item[1], item[0]))[:_ROWS]
    )
    return (
        f"<section><h2>{len(report.edits)} edits and their reasons</h2>"
        "<div class='scroll' tabindex='0'><table><tr><th>type</th><th>replaced by</th>"
        f"<th>because</th><th>times</th></tr>{rows}</table></div></section>"
    )
