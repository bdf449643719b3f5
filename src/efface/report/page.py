"""Reports as one self-contained HTML page: no script, no font, no image from anywhere else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from html import escape
from importlib.resources import files

from efface import __version__
from efface.alignment import Alignment
from efface.core import Edit, Finding, Outcome, Report, Span, Verdict
from efface.report.bars import LEGEND, bars, shown, top_of
from efface.report.data import certificate

_ROWS = 2000  # of a table
_SHOWN = 200_000  # characters of text on the page; a longer document is cut, and the page says so
_WORDS = {
    Verdict.HELD: "Every guarantee holds on the released bytes.",
    Verdict.BROKEN: "At least one guarantee does not hold. Nothing may leave.",
    Verdict.UNPROVEN: "This document alone proves nothing: the guarantee speaks of a whole release.",
}


def review_page(report: Report) -> str:
    """For the reviewer: before and after side by side, reasons, counts, risk. Holds originals."""
    sections = [
        _verdict(report),
        _risk(report.outcomes),
        _guarantees(report.outcomes),
        _measures(report.outcomes),
        _remarks(report),
        _texts(report),
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
    checks = "".join(f"<li>{escape(check)}</li>" for check in data["checks"])
    sections = [
        _verdict(report),
        _guarantees(report.outcomes, counts=False),
        f"<section><h2>Checked</h2><ul>{checks}</ul></section>",
        f"<section><h2>The released file</h2><dl>{facts}</dl></section>",
    ]
    return _document("efface: certificate", "For publication. Holds nothing of the original.", sections)


def _document(title: str, subtitle: str, sections: Sequence[str]) -> str:
    style = files("efface.report").joinpath("page.css").read_text("utf-8")
    return (
        "<!doctype html>\n<html lang='en'><head><meta charset='utf-8'>"
        "<meta http-equiv='Content-Security-Policy' "
        "content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        "<meta name='viewport' content='width=device-width, initial-scale=1'>"
        f"<title>{title}</title><style>{style}</style></head><body><header><h1>{title}</h1>"
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
        f"<span>{_WORDS[report.verdict]}</span>{f'<ul>{leaks}</ul>' if leaks else ''}</section>"
    )


def _risk(outcomes: Sequence[Outcome]) -> str:
    """Bars for what disclosed before and what does after, by type."""
    rows = []
    for outcome in outcomes:
        before, after = _counts(outcome.before), _counts(outcome.after)
        top = max(before.values(), default=0)
        for name, count in sorted(before.items(), key=lambda item: (-item[1], item[0])):
            rows.append(_bars(name, count, after.get(name, 0), top))
    if not rows:
        return "<section><h2>Risk</h2><p>Nothing was found that discloses anything.</p></section>"
    legend = "<p class='legend'><i class='before'></i> before <i class='after'></i> after</p>"
    return f"<section><h2>Risk before and after</h2>{legend}<div class='risk'>{''.join(rows)}</div></section>"


def _counts(findings: Sequence[Finding]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for finding in findings:
        counts[finding.secret] += sum(len(term.mentions) for term in finding.terms)
    return counts


def _bars(name: str, before: int, after: int, top: int) -> str:
    def bar(kind: str, value: int, y: int) -> str:
        width = 300 * value / top if top else 0
        return f"<rect class='{kind}' x='0' y='{y}' width='{width:.1f}' height='8' rx='2'/>"

    return (
        f"<div><span>{escape(name)}</span><svg viewBox='0 0 300 20' role='img' aria-label='"
        f"{escape(name, quote=True)}: {before} before, {after} after'>"
        f"{bar('before', before, 1)}{bar('after', after, 11)}"
        f"</svg><span>{before} → {after}</span></div>"
    )


def _guarantees(outcomes: Sequence[Outcome], *, counts: bool = True) -> str:
    rows = []
    for outcome in outcomes:
        claim, plan = outcome.claim, outcome.plan
        parameters = ", ".join(f"{key} = {value}" for key, value in claim.parameters.items())
        cells = [claim.name, claim.sentence, parameters, outcome.verdict.value]
        if counts:
            known = f"{plan.optimality} (cost {plan.cost:g}, at least {plan.lower_bound:g})" if plan else ""
            cells += [str(len(outcome.before)), str(len(outcome.after)), known]
        rows.append("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>")
    heads = ["guarantee", "claim", "parameters", "verdict"]
    heads += ["findings before", "after", "plan"] if counts else []
    head = "".join(f"<th>{name}</th>" for name in heads)
    return f"<section><h2>Guarantees</h2><table><tr>{head}</tr>{''.join(rows)}</table></section>"


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
        f"<section><h2>Disclosure before and after</h2>{LEGEND}<table><tr>{head}</tr>{''.join(rows)}"
        "</table></section>"
    )


def _remarks(report: Report) -> str:
    """What the reviewer should know beside: notes, how the plans were made, and what nothing is known of."""
    lines = [escape(note) for note in report.notes]
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
    legend = LEGEND.replace("limit</p>", "chance</p>")
    table = f"<section>{legend}<table><tr>{head}</tr>{lines}</table></section>"
    return _document(escape(title), subtitle, [table])


def _texts(report: Report) -> str:
    text = report.document.text
    alignment = Alignment(report.edits)
    after = alignment.planned(report.document).text
    cut = "<p>Only the beginning is shown.</p>" if max(len(text), len(after)) > _SHOWN else ""
    before_html = "".join(_marked(text, [edit.span for edit in report.edits], report.edits, "gone"))
    after_html = "".join(_marked(after, alignment.inserted, report.edits, "new"))
    return (
        f"<section><h2>Before and after</h2>{cut}<div class='texts'>"
        f"<article><h3>before</h3><pre>{before_html}</pre>"
        f"</article><article><h3>after</h3><pre>{after_html}</pre></article></div></section>"
    )


def _marked(text: str, spans: Sequence[Span], edits: Sequence[Edit], kind: str) -> Iterator[str]:
    position = 0
    for span, edit in zip(spans, edits, strict=True):
        if span.start >= _SHOWN:
            break
        yield escape(text[position : span.start])
        title = escape(f"{edit.type}: {edit.reason}", quote=True)
        yield f"<mark class='{kind}' title='{title}'>{escape(text[span.start : span.end])}</mark>"
        position = span.end
    yield escape(text[position : max(position, _SHOWN)])


def _edits(report: Report) -> str:
    groups: dict[tuple[str, str, str], int] = Counter(
        (edit.type, edit.reason, edit.replacement or "") for edit in report.edits
    )
    rows = "".join(
        f"<tr><td>{escape(kind)}</td><td>{escape(new)}</td><td>{escape(reason)}</td><td>{count}</td></tr>"
        for (kind, reason, new), count in sorted(groups.items(), key=lambda item: (-item[1], item[0]))[:_ROWS]
    )
    return (
        f"<section><h2>{len(report.edits)} edits and their reasons</h2>"
        "<table><tr><th>type</th><th>replaced by</th>"
        f"<th>because</th><th>times</th></tr>{rows}</table></section>"
    )
