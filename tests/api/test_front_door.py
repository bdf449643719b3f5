"""`efface.redact`, `efface.assess` and `Sanitizer`, as a newcomer calls them."""

from __future__ import annotations

import copy
import io
import pickle
import re
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import efface
from efface.core import Mention, Verdict
from efface.errors import InputError, PolicyError, Refused, UsageError
from efface.policy.bound_policy_cache import bind_cached
from efface.policy.model import Policy, parse

QUICK: dict[str, Any] = {"find": {"names": "none", "deny": ["Falcon"]}}


def test_first_line_of_a_newcomer() -> None:
    r = efface.redact("Mail bob@example.com to Anna Kowalska")
    assert r.verdict is Verdict.HELD
    assert r.text == "Mail [EMAIL_ADDRESS_1] to [PERSON_1]"
    assert r.mapping == {"[EMAIL_ADDRESS_1]": "bob@example.com", "[PERSON_1]": "Anna Kowalska"}
    assert [edit.type for edit in r.edits] == ["EMAIL_ADDRESS", "PERSON"]
    assert r.restore(r.text) == "Mail bob@example.com to Anna Kowalska"


def test_assess_says_what_a_text_discloses() -> None:
    report = efface.assess("Mail bob@example.com", QUICK)
    assert report.verdict is Verdict.BROKEN


@pytest.mark.parametrize("kind", ["dict", "policy", "yaml", "path", "path as text"])
def test_policy_in_every_form(kind: str, tmp_path: Path) -> None:
    text = "find: {names: none, deny: [Falcon]}"
    file = tmp_path / "policy.yaml"
    file.write_text(text, "utf-8")
    forms: dict[str, Any] = {
        "dict": QUICK,
        "policy": parse(text),
        "yaml": text,
        "path": file,
        "path as text": str(file),
    }
    assert efface.Sanitizer(forms[kind]).redact("Falcon flies").text == "[DENIED_1] flies"


def test_paths_of_a_policy_are_relative_to_its_file(tmp_path: Path) -> None:
    (tmp_path / "terms.txt").write_text("Falcon\n", "utf-8")
    (tmp_path / "policy.yaml").write_text("find: {names: none, deny_file: terms.txt}", "utf-8")
    assert efface.Sanitizer(tmp_path / "policy.yaml").redact("Falcon").text == "[DENIED_1]"


def test_wrong_policies_are_errors() -> None:
    with pytest.raises(PolicyError, match="did you mean `deny`"):
        efface.Sanitizer({"find": {"denny": ["x"]}})
    with pytest.raises(PolicyError):
        efface.Sanitizer(7)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["\0", "a\ud800.yaml", "x" * 5000])
def test_name_that_no_file_can_have_is_an_error(name: str) -> None:
    with pytest.raises(InputError):
        efface.Sanitizer(name)


def test_str_is_a_text_in_redact_even_if_it_names_a_file(tmp_path: Path) -> None:
    file = tmp_path / "note.txt"
    file.write_text("secret", "utf-8")
    assert efface.redact(
        str(file), {"find": {"patterns": "none", "names": "none", "deny": ["x y"]}}
    ).text == str(file)


@pytest.mark.parametrize(
    "begins", ["%PDF-1.4 ", "PK\x03\x04 ", "{\\rtf1 ", "GIF8 ", "BZh ", "ID3 ", "\ufeff"]
)
def test_str_is_a_text_whatever_it_begins_with(begins: str) -> None:
    text = f"{begins}bob@example.com"
    assert efface.redact(text, QUICK).text == f"{begins}[EMAIL_ADDRESS_1]"
    assert efface.assess(text, QUICK).verdict is Verdict.BROKEN


def test_one_bad_text_among_many_is_broken_and_the_next_is_done() -> None:
    made = list(efface.Sanitizer(QUICK).redact_many(["Falcon", "\ud800", None, "a\0b Falcon", "Falcon"]))  # type: ignore[list-item]
    assert [str(one.verdict) for one in made] == ["held", "broken", "broken", "held", "held"]
    assert all(one.reason for one in made if one.verdict is Verdict.BROKEN)


@pytest.mark.parametrize(
    "given", ["Mail bob@example.com.", b"Mail bob@example.com.", bytearray(b"x"), None, 7]
)
def test_one_text_is_not_taken_for_many(given: Any) -> None:
    with pytest.raises(UsageError) as refused:
        list(efface.Sanitizer("patterns").redact_many(given))
    assert refused.value.__notes__ == [refused.value.hint]  # the next step stands below the message


WRONG: dict[str, Callable[[], object]] = {
    "name": lambda: efface.Sanitizer(QUICK).sanitize(b"Falcon", name=7),  # type: ignore[arg-type]
    "text of a policy": lambda: efface.Sanitizer.from_text(7),  # type: ignore[arg-type]
    "guarantees": lambda: efface.Sanitizer(QUICK, guarantees=7),  # type: ignore[arg-type]
    "key in a str": lambda: efface.Sanitizer(QUICK, key="k" * 32),  # type: ignore[arg-type]
    "no key": lambda: efface.Sanitizer(QUICK, key=b""),
    "short key": lambda: efface.Sanitizer(QUICK, key=b"short"),
    "mapping": lambda: efface.Restorer([("[PERSON_1]", "Anna")]),  # type: ignore[arg-type]
    "original": lambda: efface.Restorer({"[PERSON_1]": 7}),  # type: ignore[dict-item]
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_arguments_are_told_by_an_error_of_efface(case: str) -> None:
    with pytest.raises(efface.EffaceError):
        WRONG[case]()


def test_folder_of_a_policy_may_be_a_str(tmp_path: Path) -> None:
    (tmp_path / "terms.txt").write_text("Falcon\n")
    policy = {"find": {"patterns": "none", "names": "none", "deny_file": "terms.txt"}}
    assert efface.Sanitizer(policy, str(tmp_path)).redact("Falcon").text == "[DENIED_1]"


def test_error_in_a_finder_is_the_fate_of_one_text() -> None:
    class Poison:
        types = ("TICKET",)

        def find(self, text: str) -> list[Mention]:
            return [1 // 0] if "bad" in text else []  # type: ignore[list-item]

    sanitizer = efface.Sanitizer(QUICK, finders={"poison": Poison()})
    made = list(sanitizer.redact_many(["fine", "bad", "fine"]))
    assert [str(one.verdict) for one in made] == ["held", "broken", "held"]
    assert made[1].reason is not None
    told = rf"The finder `custom poison` failed\. Internal error \(ZeroDivisionError in [\w/]+\.py:\d+, called {re.escape(__name__)}:\d+\)\."
    assert re.fullmatch(told, made[1].reason)


def test_text_given_for_a_path_is_not_quoted() -> None:
    for given in ("Patient Zanzibarov is ill.", "a\0b", "x" * 5000):
        with pytest.raises(InputError) as caught:
            efface.Sanitizer(QUICK).sanitize(given)
        assert given not in f"{caught.value.message} {caught.value.hint}"
        assert "redact" in caught.value.hint


def test_sanitize_takes_paths_bytes_and_streams(tmp_path: Path) -> None:
    sanitizer = efface.Sanitizer(QUICK)
    file = tmp_path / "note.csv"
    file.write_bytes(b"a,b\nFalcon,1\n")
    wanted = b"a,b\n[DENIED_1],1\n"
    assert sanitizer.sanitize(file).released == wanted
    assert sanitizer.sanitize(str(file)).released == wanted
    assert sanitizer.sanitize(b"a,b\nFalcon,1\n", name="x.csv").released == wanted
    with file.open("rb") as stream:
        assert sanitizer.sanitize(stream).released == wanted
    assert sanitizer.sanitize(io.BytesIO(b"a,b\nFalcon,1\n"), name="x.csv").released == wanted


@pytest.mark.parametrize("given", [io.StringIO("Falcon"), 7, None])
def test_what_is_no_document_is_an_error(given: Any) -> None:
    with pytest.raises(UsageError):
        efface.Sanitizer(QUICK).sanitize(given)


@pytest.mark.parametrize("given", [b"Falcon", None, 7])
def test_what_is_no_text_is_an_error(given: Any) -> None:
    with pytest.raises(UsageError, match=f"not {type(given).__name__}"):
        efface.assess(given)
    with pytest.raises(UsageError, match=f"not {type(given).__name__}"):
        efface.redact("Mail bob@example.com.", policy="names").restore(given)
    with pytest.raises(UsageError, match=f"not {type(given).__name__}"):
        efface.redact(given, QUICK)


def test_odd_texts_come_back_whole_or_are_refused() -> None:
    sanitizer = efface.Sanitizer(QUICK)
    for text in ("", " ", "\r\n a \r", "\ufeffFalcon", "naïve 李伟 😀", "tab\there"):
        assert sanitizer.redact(text).text == text.replace("Falcon", "[DENIED_1]")
    for text in ("F\0a\0l\0c\0o\0n\0", "half \ud800 character"):
        with pytest.raises(InputError):
            sanitizer.redact(text)


def test_text_of_a_refused_one_raises() -> None:
    sanitizer = efface.Sanitizer(QUICK)
    made = sanitizer.redact("Falcon")
    broken = replace(made, verdict=Verdict.BROKEN, _text=None)
    with pytest.raises(Refused):
        _ = broken.text


def test_redact_many_goes_on_after_a_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    sanitizer = efface.Sanitizer(QUICK)
    from efface.pipeline import sanitize as pipeline

    real = pipeline.sanitize

    def refusing(data: bytes, *rest: Any, **named: Any) -> Any:
        if b"poison" in data:
            raise Refused("The guarantees do not all hold.")
        return real(data, *rest, **named)

    monkeypatch.setattr(pipeline, "sanitize", refusing)
    made = list(sanitizer.redact_many(["Falcon", "poison", "Falcon again"]))
    assert [str(one.verdict) for one in made] == ["held", "broken", "held"]
    assert made[2].text == "[DENIED_1] again"


def test_ten_threads_on_one_sanitizer_agree() -> None:
    policy = {"find": {"names": "none"}, "operators": {"default": "surrogate"}}
    texts = [f"Mail person{n % 7}@example.com or call +1 202 555 01{n % 10}0." for n in range(60)]
    sanitizer = efface.Sanitizer(policy)
    with ThreadPoolExecutor(10) as threads:
        made = [one.text for one in threads.map(sanitizer.redact, texts)]
    assert made == [sanitizer.redact(text).text for text in texts]
    assert len({one for one in made if "person" in one}) == 0


def test_surrogates_are_the_same_in_all_calls_of_one_sanitizer() -> None:
    policy = {"find": {"names": "none"}, "operators": {"default": "surrogate"}}
    one, other = efface.Sanitizer(policy), efface.Sanitizer(policy)
    text = "Mail bob.miller@example.com, alice@example.com and carol@example.com."
    assert one.redact(text).text == one.redact(text).text
    assert one.redact(text).text != other.redact(text).text  # a drawn key belongs to one sanitizer


def test_binding_is_kept_by_the_policys_content(tmp_path: Path) -> None:
    (tmp_path / "terms.txt").write_text("Falcon\n", "utf-8")
    text = "find: {names: none, deny_file: terms.txt}"
    first = bind_cached(parse(text), tmp_path)
    assert bind_cached(parse(text), tmp_path).finders is first.finders
    assert bind_cached(parse(text), tmp_path).operators.key != first.operators.key
    (tmp_path / "terms.txt").write_text("Falcon\nEagle\n", "utf-8")
    assert bind_cached(parse(text), tmp_path).denied.terms == ("Falcon", "Eagle")
    assert bind_cached(Policy(), tmp_path).finders is not first.finders


def test_import_is_light() -> None:
    """The package itself imports nothing heavy."""
    code = "import efface, sys; print(sorted(m for m in sys.modules if m.split('.')[0] in {'numpy','pydantic','yaml','lxml'}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


class Trickle(io.BytesIO):
    """A stream that gives a few bytes at a time, as a socket does."""

    def read(self, size: int | None = -1, /) -> bytes:
        return super().read(size if size is None or size < 0 else min(size, 7))


def test_a_stream_that_gives_little_at_a_time_is_read_to_its_end() -> None:
    data = b"Project Falcon is late, mail bob@example.com."
    sanitizer = efface.Sanitizer(QUICK, max_bytes=len(data))
    assert (
        sanitizer.sanitize(Trickle(data), name="a.txt").released
        == sanitizer.sanitize(data, name="a.txt").released
    )
    with pytest.raises(InputError, match="longer"):
        sanitizer.sanitize(Trickle(data + b"!"), name="a.txt")


def test_a_stream_that_would_wait_is_an_error() -> None:
    class Empty(io.RawIOBase):
        def read(self, size: int = -1, /) -> bytes | None:
            return None if size else b""

    with pytest.raises(InputError, match="nothing to read"):
        efface.Sanitizer(QUICK).sanitize(Empty(), name="a.txt")  # type: ignore[arg-type]


@pytest.mark.parametrize("is_used", [False, True])
def test_a_sanitizer_travels_to_another_process_with_its_key(is_used: bool) -> None:
    sanitizer = efface.Sanitizer({"find": {"names": "none"}, "operators": {"default": "surrogate"}})
    text = "Mail bob@example.com."
    if is_used:
        sanitizer.redact(text)
    twin = pickle.loads(pickle.dumps(sanitizer))
    assert twin.redact(text).text == sanitizer.redact(text).text == copy.deepcopy(sanitizer).redact(text).text
