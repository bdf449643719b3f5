from __future__ import annotations

from pathlib import Path

import pytest

from efface.errors import InputError, PolicyError
from efface.policy.bind import bind
from efface.policy.model import Policy, example, load, parse


def test_the_example_is_valid_and_short() -> None:
    policy = parse(example())
    assert [entry.term for entry in policy.find.deny] == ["Project Falcon", "He"]
    assert len(example().splitlines()) < 25


def test_everything_has_a_default() -> None:
    assert parse("") == parse("efface: 1") == Policy()


MISTAKES = [
    (
        "efface: 1\nfind:\n  paterns: default\n",
        "line 3: unknown key `find.paterns`; did you mean `patterns`?",
    ),
    ("find:\n  name: none\n", "line 2: unknown key `find.name`; did you mean `names`?"),
    ("efface: 2\n", "line 1: `efface`"),
    (
        "find:\n  deny:\n    - ok\n    - {trm: x}\n",
        "line 4: unknown key `find.deny.1.trm`; did you mean `term`?",
    ),
    ("find:\n  threshold: 7\n", "line 2: `find.threshold`"),
    (
        "guarantees:\n  - k-safty: {over: x}\n",
        "line 2: unknown key `guarantees.0.k-safty`; did you mean `k-safety`?",
    ),
    ("guarantees:\n  - k-safety:\n      over: x\n      k: 0\n", "at least 1"),
    ("guarantees:\n  - k-safety: {over: nobody}\n", "`over` names no entry of `knowledge`"),
    ("key: hunter2\n", "line 1: `key`"),
    (
        "knowledge:\n  p:\n    key: no\n",
        "line 3: `knowledge.p.key`: Input should be a valid string; write it in quotes",
    ),
    ("a: &x [1]\nb: *x\n", "line 2: this is not YAML: aliases are not allowed"),
    ("find: {}\nfind: {}\n", "line 2: this is not YAML: a key appears twice"),
    ("find: [", "this is not YAML"),
    ("- a\n", "a policy is a mapping"),
    ("efface: !!python/object:os.system 1\n", "this is not YAML"),
]


@pytest.mark.parametrize(("text", "message"), MISTAKES)
def test_a_mistake_names_its_line_and_the_nearest_key(text: str, message: str) -> None:
    with pytest.raises(PolicyError) as caught:
        parse(text)
    assert message in caught.value.message


def test_a_mistake_never_repeats_a_value() -> None:
    with pytest.raises(PolicyError) as caught:
        parse("find:\n  threshold: Project Falcon\n  deny: 7\n")
    assert "Falcon" not in caught.value.message


def test_missing_and_unreadable_policies(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not exist"):
        load(tmp_path / "none.yaml")
    (tmp_path / "latin.yaml").write_bytes(b"find: {deny: [\xe9]}")
    with pytest.raises(PolicyError, match="UTF-8"):
        load(tmp_path / "latin.yaml")


def test_the_key_comes_from_the_environment_or_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    policy = parse("key: env:SOME_KEY")
    with pytest.raises(PolicyError, match="missing or shorter"):
        policy.secret_key(tmp_path)
    monkeypatch.setenv("SOME_KEY", "k" * 32)
    assert policy.secret_key(tmp_path) == b"k" * 32
    (tmp_path / "key").write_text("f" * 20 + "\n")
    assert parse("key: file:key").secret_key(tmp_path) == b"f" * 20
    assert parse("").secret_key(tmp_path) is None


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("find: {patterns: [EMAIL]}", "did you mean `EMAIL_ADDRESS`?", "policy types"),
        ("find: {patterns: [SSN]}", "did you mean `US_SSN`?", "policy types"),
        ("operators: {RECORD: redact}", "did you mean `MEDICAL_RECORD`?", "policy types"),
        (
            "operators: {PERSON: {mask: {char: x}}}",
            "does not take these options",
            "masking_char, chars_to_mask",
        ),
        ("operators: {PERSON: {redact: {char: x}}}", "does not take these options", "It has no options"),
        ("operators: {PERSON: {mask: {masking_char: xx}}}", "one visible character", "docs/policy.md"),
        ("Dear Sir,", "a policy is a mapping", "policy example"),
        ("knowledge: {a: {entities: a.jsonl}}\nguarantees: [{k-safety: {over: x}}]", "names no entry", "`a`"),
        ("guarantees: [{k-safety: {over: x}}]", "names no entry", "docs/ksafety.md"),
    ],
)
def test_a_mistake_tells_the_next_step(text: str, message: str, hint: str) -> None:
    with pytest.raises(PolicyError) as caught:
        bind(parse(text))
    assert message in caught.value.message and hint in caught.value.hint


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("operators:\n  default: replace\n  EMAIL_ADDRES: mask\n", "line 3.*`EMAIL_ADDRESS`"),
        ("operators:\n  EMAIL_ADDRESS: maks\n", "line 2.*`mask`"),
        ("operators:\n  EMAIL_ADDRESS: {mask: {chars: 3}}\n", "line 2.*does not take these options"),
        ("find:\n  threshold: 0.5\n  patterns: [US_SNN]\n", "line 3.*`US_SSN`"),
    ],
)
def test_a_wrong_name_is_found_when_the_policy_is_bound(text: str, message: str) -> None:
    with pytest.raises(PolicyError, match=message):
        bind(parse(text))


def test_a_deny_file_brings_its_type(tmp_path: Path) -> None:
    (tmp_path / "terms.txt").write_text("Aurora\n")
    policy = parse("find: {patterns: none, names: none, deny_file: terms.txt}\noperators: {DENIED: redact}")
    bound = bind(policy, tmp_path)
    assert bound.denied.terms == ("Aurora",)
    assert bound.placeholders.fullmatch("[DENIED_1]")


def test_a_wrong_option_of_an_operator_names_its_line_and_the_next_step(tmp_path: Path) -> None:
    policy = parse("efface: 1\noperators:\n  PERSON: {mask: {chars_to_mask: -3}}\n", "p.yaml")
    with pytest.raises(
        PolicyError, match=r"p\.yaml, line 3: `operators\.PERSON`: mask: chars_to_mask"
    ) as told:
        bind(policy, tmp_path)
    assert told.value.hint
