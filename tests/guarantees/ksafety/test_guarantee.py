from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from efface.api.sanitizer import Sanitizer
from efface.core import Optimality, Report, Verdict
from efface.errors import Infeasible, PolicyError
from efface.finders.entities import EntityFinder
from efface.guarantees.ksafety.guarantee import KSafety
from efface.knowledge.entities.sources import Entity
from efface.knowledge.entities.store import build, open_index
from efface.operators import Operators
from efface.pipeline import sanitize as pipeline
from efface.pipeline.bound import BoundPolicy

WORDS = ["fever", "cough", "rash", "chills", "weight loss", "night sweats"]
contexts = st.dictionaries(
    st.sampled_from([f"e{i}" for i in range(7)]), st.sets(st.sampled_from(WORDS), max_size=5), min_size=1
)


def bound_to(
    folder: Path, entities: dict[str, set[str]], protected: set[str], **options: object
) -> BoundPolicy:
    rows = [Entity(id, tuple(("term", term) for term in sorted(terms))) for id, terms in entities.items()]
    build(rows, folder)
    index = open_index(folder)
    options = {"k": 3, **options}
    guarantee = KSafety(index, "things", protect=index.select(protected), **options)  # type: ignore[arg-type]
    return BoundPolicy({"things": EntityFinder(index, "things")}, (guarantee,), Operators(), types=("TERM",))


def crowd(entities: dict[str, set[str]], secret: str, kept: set[str]) -> int:
    """Definition 3.1, the entity itself included."""
    return sum(entities[secret] & kept <= context for context in entities.values())


def is_safe(entities: dict[str, set[str]], protected: set[str], kept: set[str], k: int) -> bool:
    return all(crowd(entities, secret, kept) >= k for secret in protected)


def left_in(report: Report) -> set[str]:
    assert report.released is not None
    text = report.released.decode()
    return {word for word in WORDS if word in text}


@settings(max_examples=120)
@given(contexts, st.data(), st.integers(1, 4))
def test_what_leaves_is_safe_and_as_much_as_can_be(
    tmp_path_factory: pytest.TempPathFactory, entities: dict[str, set[str]], data: st.DataObject, k: int
) -> None:
    protected = data.draw(st.sets(st.sampled_from(sorted(entities))))
    words = data.draw(st.lists(st.sampled_from(WORDS), max_size=8))
    bound = bound_to(tmp_path_factory.mktemp("index"), entities, protected, k=k)
    text = "Seen: " + ", ".join(words) + "."
    if protected and len(entities) < k:
        with pytest.raises(Infeasible):
            pipeline.sanitize(text.encode(), "d.txt", bound)
        return
    report = pipeline.sanitize(text.encode(), "d.txt", bound)
    assert report.verdict is Verdict.HELD
    kept = left_in(report)
    assert is_safe(entities, protected, kept, k)
    best = max(
        len(some)
        for size in range(len(set(words)) + 1)
        for some in combinations(sorted(set(words)), size)
        if is_safe(entities, protected, set(some), k)
    )
    assert len(kept) == best
    plan = report.outcomes[0].plan
    assert plan is None or plan.optimality is Optimality.PROVED


@settings(max_examples=60)
@given(contexts, st.data())
def test_unbounded_k_removes_every_term_of_a_protected_entity_and_nothing_else(
    tmp_path_factory: pytest.TempPathFactory, entities: dict[str, set[str]], data: st.DataObject
) -> None:
    protected = data.draw(st.sets(st.sampled_from(sorted(entities))))
    bound = bound_to(tmp_path_factory.mktemp("index"), entities, protected, k=None)
    report = pipeline.sanitize(", ".join(WORDS).encode(), "d.txt", bound)
    gone = set().union(*(entities[secret] for secret in protected))
    assert left_in(report) == set(WORDS) - gone


@settings(max_examples=60)
@given(contexts, st.data(), st.sampled_from(["paragraph", "window(2)", "window(4)"]))
def test_scopes_are_each_safe(
    tmp_path_factory: pytest.TempPathFactory, entities: dict[str, set[str]], data: st.DataObject, scope: str
) -> None:
    entities |= {f"x{i}": set() for i in range(3)}
    protected = data.draw(st.sets(st.sampled_from(sorted(entities))))
    paragraphs = data.draw(st.lists(st.lists(st.sampled_from(WORDS[:4]), max_size=3), min_size=1, max_size=3))
    bound = bound_to(tmp_path_factory.mktemp("index"), entities, protected, k=3, scope=scope)
    text = "\n\n".join(" ".join(words) for words in paragraphs)
    report = pipeline.sanitize(text.encode(), "d.txt", bound)
    assert report.verdict is Verdict.HELD and report.released is not None
    released = report.released.decode()
    if scope == "paragraph":
        stretches = [part.split() for part in released.split("\n\n")]
    else:
        words, size = released.split(), int(scope[7:-1])
        stretches = [words[at : at + size] for at in range(max(1, len(words) - size + 1))]
    for stretch in stretches:
        assert is_safe(entities, protected, set(stretch), 3)


def test_a_paragraph_keeps_what_another_must_lose(tmp_path: Path) -> None:
    entities = {"secret": {"fever", "rash"}, "a": {"fever"}, "b": {"rash"}, "c": {"fever"}, "d": {"rash"}}
    bound = bound_to(tmp_path, entities, {"secret"}, k=3, scope="paragraph")
    report = pipeline.sanitize(b"fever rash\n\nfever\n\nrash", "d.txt", bound)
    assert report.released in (b"[TERM_1] rash\n\nfever\n\nrash", b"fever [TERM_1]\n\nfever\n\nrash")


def test_findings_and_measures_name_the_entity_and_its_crowd(tmp_path: Path) -> None:
    entities = {"secret": {"fever", "rash"}, "a": {"fever"}, "b": {"rash"}, "c": {"fever"}, "d": {"rash"}}
    report = pipeline.sanitize(b"fever, rash", "d.txt", bound_to(tmp_path, entities, {"secret"}, k=3))
    (outcome,) = report.outcomes
    (finding,) = outcome.before
    assert (finding.secret, finding.amount, finding.limit) == ("secret", 1.0, 3.0)
    assert {term.key for term in finding.terms} == {"fever", "rash"}
    assert outcome.plan is not None
    (measure,) = outcome.plan.measures
    assert (measure.before, measure.after) == (1.0, 3.0)


def test_too_few_entities_are_refused_or_all_goes_as_the_policy_says(tmp_path: Path) -> None:
    entities = {"secret": {"fever", "rash"}, "a": {"fever", "cough"}}
    with pytest.raises(Infeasible):
        pipeline.sanitize(b"fever rash cough", "d.txt", bound_to(tmp_path / "1", entities, {"secret"}, k=5))
    bound = bound_to(tmp_path / "2", entities, {"secret"}, k=5, remove_infeasible=True)
    report = pipeline.sanitize(b"fever rash cough", "d.txt", bound)
    assert left_in(report) == {"cough"}


def policy(folder: Path, extra: str = "", guarantee: str = 'protect: "type = rare"') -> Sanitizer:
    rows = [
        {"id": "r1", "terms": ["fever", "rash"], "type": "rare"},
        {"id": "c1", "terms": ["fever"], "type": "common"},
        {"id": "c2", "terms": ["rash", "fever"], "type": "common"},
        {"id": "c3", "terms": ["rash"], "type": "common"},
    ]
    (folder / "d.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    path = folder / "p.yaml"
    path.write_text(
        "find: {patterns: none, names: none}\nknowledge:\n  things: {entities: d.jsonl}\n"
        f"guarantees:\n  - k-safety: {{over: things, k: 3, {guarantee}}}\n{extra}"
    )
    return Sanitizer.from_policy(path)


def test_a_policy_over_a_file_builds_its_index_and_follows_the_file(tmp_path: Path) -> None:
    sanitizer = policy(tmp_path)
    source = tmp_path / "n.txt"
    source.write_text("fever and rash")
    assert sanitizer.sanitize(source).verdict is Verdict.HELD
    assert len(sanitizer.sanitize(source).edits) == 1
    with (tmp_path / "d.jsonl").open("a") as file:
        file.write('{"id": "c4", "terms": ["rash", "fever"]}\n')
    assert sanitizer.sanitize(source).edits == ()


def test_a_damaged_index_is_made_again(tmp_path: Path) -> None:
    sanitizer = policy(tmp_path)
    sanitizer.bind()
    segment = next((tmp_path / "things.index").glob("segment-*"))
    data = bytearray(segment.read_bytes())
    data[len(data) // 2] ^= 0xFF
    segment.write_bytes(data)
    assert len(sanitizer.sanitize(b"fever and rash", name="n.txt").edits) == 1


@pytest.mark.parametrize(
    ("guarantee", "message"),
    [
        ('protect: "colour = red"', "do not have"),
        ("protect: [nobody]", "not among the entities"),
        ('protect: "nonsense"', "a filter"),
    ],
)
def test_what_cannot_be_protected_is_a_policy_error(tmp_path: Path, guarantee: str, message: str) -> None:
    with pytest.raises(PolicyError, match=message):
        policy(tmp_path, guarantee=guarantee).bind()


def test_a_surrogate_that_is_a_term_itself_does_not_stay(tmp_path: Path) -> None:
    """Whatever stands in a removed term's place must not point to anybody either."""
    extra = "operators: {default: {replace: {template: 'rash'}}}\n"
    report = policy(tmp_path, extra).sanitize(b"fever and rash", name="n.txt")
    assert report.verdict is Verdict.HELD
    assert report.released is not None
    assert not (b"fever" in report.released and b"rash" in report.released)


def policy_over(folder: Path, entities: dict[str, list[str]], options: str) -> Sanitizer:
    lines = (json.dumps({"id": id, "terms": terms, "type": "x"}) for id, terms in entities.items())
    (folder / "things.jsonl").write_text("\n".join(lines))
    policy = folder / "policy.yaml"
    policy.write_text(
        "find: {patterns: none, names: none}\n"
        "knowledge: {things: {entities: things.jsonl}}\n"
        f"guarantees: [k-safety: {{over: things, {options}}}]\n"
    )
    return Sanitizer.from_policy(policy)


@pytest.mark.parametrize("protect", ["'type = y'", "[]"])
def test_a_choice_of_nobody_is_a_mistake(tmp_path: Path, protect: str) -> None:
    sanitizer = policy_over(tmp_path, {"a": ["fever"], "b": ["cough"]}, f"k: 2, protect: {protect}")
    with pytest.raises(PolicyError, match="chooses no entity"):
        sanitizer.bind()


def test_ids_may_be_numbers(tmp_path: Path) -> None:
    sanitizer = policy_over(tmp_path, {"1": ["fever"], "2": ["cough"]}, "k: 2, protect: [1]")
    report = pipeline.sanitize(b"fever and cough", "d.txt", sanitizer.bind())
    assert report.released == b"[TERM_1] and cough"


def test_a_placeholder_is_not_a_term_of_anything(tmp_path: Path) -> None:
    sanitizer = policy_over(tmp_path, {"a": ["TERM_1"], "b": ["fever"], "c": ["cough"]}, "k: 2")
    report = pipeline.sanitize(b"fever", "d.txt", sanitizer.bind())
    assert report.released == b"[REDACTED]"
    assert report.verdict is Verdict.HELD


def test_two_documents_at_once_do_not_share_their_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who is denied is asked anew for each document, also when another is begun in the middle of one."""
    monkeypatch.setattr("efface.guarantees.ksafety.guarantee._SCOPES", 1)
    entities = {"e1": {"fever", "cough"}, "e2": {"rash", "chills"}, "e3": {"weight loss"}}
    bound = bound_to(tmp_path, entities, set(), scope="paragraph")
    questions: list[tuple[str, ...]] = []
    reports: list[Report] = []

    def denied(ids: Sequence[str]) -> Collection[str]:
        questions.append(tuple(ids))
        if len(questions) == 2:  # the first document asks about its second paragraph
            with ThreadPoolExecutor(1) as pool:
                reports.append(pool.submit(pipeline.sanitize, b"weight loss", "b.txt", shared).result(300))
        return ids

    (guarantee,) = bound.guarantees
    assert isinstance(guarantee, KSafety)
    shared = replace(bound, guarantees=(replace(guarantee, protect=denied),))
    text = b"fever and cough\n\nfever, cough, rash and chills"
    reports.append(pipeline.sanitize(text, "a.txt", shared))
    assert questions == [("e1",), ("e2",), ("e3",)]
    assert [report.verdict for report in reports] == [Verdict.HELD, Verdict.HELD]
    assert [left_in(report) for report in reports] == [set(), set()]
