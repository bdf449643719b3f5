"""What others wrote works by argument, by policy and by entry point, in every engine."""

from __future__ import annotations

import codecs
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from email.message import EmailMessage
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

import efface
from efface import formats
from efface.attacks.readers import extract
from efface.batch.engines.one_document import Engine, Spec
from efface.batch.items import Item, State
from efface.core import Edit, Finder, Finding, Mention, Plan, Reading
from efface.errors import PlugInError, PolicyError
from efface.operators import Operators
from efface.policy import plugins
from efface.service.problems import Problem
from efface.service.repository.policies import inline
from tests.api.plugged.tickets import NoExclamation, Starred, TicketFinder
from tests.cli.in_process import efface as command_line

ROOT = Path(__file__).resolve().parents[2]
HERE = "tests.api.plugged.tickets"
NAMED: dict[str, Any] = {
    "find": {"names": "none", "custom": f"{HERE}:TicketFinder"},
    "operators": {"TICKET": {f"{HERE}:Starred": {"count": 2}}},
    "guarantees": [{"custom": f"{HERE}:NoExclamation"}],
    "formats": [f"{HERE}:FORMAT"],
}
TEXT = "See T-20931! Or mail ann@example.org."
SAFE = "See ★★. Or mail [EMAIL_ADDRESS_1]."


@pytest.fixture(autouse=True, scope="module")
def without_formats_of_others() -> Iterator[None]:
    """A format that these tests bring is gone after them: tests of other rooms count formats."""
    tables: tuple[dict[str, Any], ...] = (formats.FORMATS, formats.BY_ENDING, formats.BY_MEDIA_TYPE)
    tables = (*tables, extract.READERS, extract._BY_DECLARED_TYPE)
    before = [set(table) for table in tables]
    yield
    for table, names in zip(tables, before, strict=True):
        for name in set(table) - names:
            del table[name]


def test_by_argument() -> None:
    sanitizer = efface.Sanitizer(
        {"find": {"names": "none"}},
        finders={"tickets": TicketFinder()},
        operators={"TICKET": Starred(2)},
        guarantees=[NoExclamation()],
    )
    assert sanitizer.redact(TEXT).text == SAFE
    pd = pytest.importorskip("pandas")
    from efface.batch.frames import redact

    assert list(redact(pd.Series([TEXT]), policy=sanitizer).frame) == [SAFE]


def test_by_policy() -> None:
    assert efface.redact(TEXT, NAMED).text == SAFE
    options = {
        "find": {"names": "none", "custom": [{"use": f"{HERE}:TicketFinder", "options": {"prefix": "X"}}]}
    }
    assert efface.redact("T-20931 X-20931", options).text == "T-20931 [TICKET_1]"


def test_by_entry_point(monkeypatch: pytest.MonkeyPatch) -> None:
    points = {
        "finders": {"tickets": EntryPoint("tickets", f"{HERE}:TicketFinder", "efface.finders")},
        "operators": {"starred": EntryPoint("starred", f"{HERE}:Starred", "efface.operators")},
    }
    monkeypatch.setattr(plugins, "_entry_points", lambda kind: points.get(kind, {}))
    policy = {"find": {"names": "none", "custom": "tickets"}, "operators": {"TICKET": "starred"}}
    assert efface.redact("See T-20931.", policy).text == "See ★★★."
    with pytest.raises(PolicyError, match="did you mean `tickets`"):
        efface.redact("x", {"find": {"custom": "ticket"}})


@pytest.mark.parametrize("source", ["def f(:", "raise SystemError('x')", "import nothing_of_this_name"])
def test_module_that_cannot_be_imported_is_named(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = f"efface_test_plugin_{abs(hash(source))}"
    (tmp_path / f"{name}.py").write_text(source, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(PolicyError, match=f"{name}:X` cannot be imported"):
        efface.Sanitizer({"find": {"names": "none", "custom": f"{name}:X"}}).bind()


def test_format_by_policy() -> None:
    data = codecs.encode("Mail ann@example.org.", "rot13").encode()
    report = efface.Sanitizer(NAMED).sanitize(data, name="note.rot13")
    assert report.released == codecs.encode("Mail [EMAIL_ADDRESS_1].", "rot13").encode()


def test_attachment_in_a_format_by_policy_is_read_by_the_attackers() -> None:
    mail = EmailMessage()
    mail["Subject"] = "A note"
    mail.set_content("See the note.")
    turned = codecs.encode("Mail ann@example.org.", "rot13").encode()
    mail.add_attachment(turned, "application", "octet-stream", filename="note.rot13")
    efface.Sanitizer(NAMED).sanitize(turned, name="note.rot13")  # the format is known from here on
    assert ("attachment body", "Mail ann@example.org.") in list(extract.extract(mail.as_bytes(), "eml"))


def test_operator_by_argument_is_not_asked_about_another_find() -> None:
    class Last:
        def fill(self, original: str, type: str, key: str) -> str:
            return f"…{original[-1]}"

    class Overlapping:
        types = ("CODE",)

        def find(self, text: str) -> Iterator[Mention]:
            for match in re.finditer(r"31 \w+", text):
                yield Mention(*match.span(), "CODE", match[0], 0.9, "a code")

    finders: dict[str, Finder] = {"tickets": TicketFinder(), "codes": Overlapping()}
    operators = {"TICKET": Last()}
    sanitizer = efface.Sanitizer({"find": {"names": "none"}}, finders=finders, operators=operators)
    assert sanitizer.redact("See T-20931.").text == "See …1."
    assert sanitizer.redact("See T-20931 Zo.").text == "See [TICKET_1]."


TELLING: dict[str, Callable[[str], str]] = {
    "backward": lambda said: said[::-1],
    "words backward": lambda said: " ".join(word[::-1] for word in said.split()),
    "words in another order": lambda said: ", ".join(reversed(said.split())),
    "moved in the alphabet": lambda said: codecs.encode(said, "rot13"),
    "moved by three": lambda said: "".join(chr(ord(sign) + 3) if sign.isalpha() else sign for sign in said),
    "with digits between": "1".join,
    "with letters between": "x".join,
    "every letter twice": lambda said: "".join(sign * 2 for sign in said),
    "digits for letters": lambda said: said.translate(str.maketrans("aeiost", "431057")),
    "without the last": lambda said: said[:-1],
    "without the first": lambda said: said[1:],
    "first letter last": lambda said: f"{said[1:]}{said[0]}ay",
}


@pytest.mark.parametrize("how", TELLING)
def test_operator_that_spells_its_original_is_not_obeyed(how: str) -> None:
    class Telling:
        def fill(self, original: str, type: str, key: str) -> str:
            return TELLING[how](original)

    operators = dict.fromkeys(("PERSON", "PHONE_NUMBER"), Telling())
    sanitizer = efface.Sanitizer("names", operators=operators)
    text = "The manager, Anna Kowalska, called 020 7946 0958 about the invoice yesterday."
    safe = "The manager, [PERSON_1], called [PHONE_NUMBER_1] about the invoice yesterday."
    assert sanitizer.redact(text).text == safe


def test_operator_may_show_a_little() -> None:
    class Shortened:
        def fill(self, original: str, type: str, key: str) -> str:
            return "A. K." if type == "PERSON" else f"…{original[-4:]}"

    operators = dict.fromkeys(("PERSON", "PHONE_NUMBER"), Shortened())
    sanitizer = efface.Sanitizer("names", operators=operators)
    text = "The manager, Anna Kowalska, called 020 7946 0958 about the invoice."
    assert sanitizer.redact(text).text == "The manager, A. K., called …0958 about the invoice."


def test_operator_that_writes_another_original_is_not_obeyed() -> None:
    class Stale:
        last = "nobody"

        def fill(self, original: str, type: str, key: str) -> str:
            self.last, before = original, self.last
            return f"~{before}~"

    sanitizer = efface.Sanitizer("names", operators={"PERSON": Stale()})
    text = sanitizer.redact("Anna Kowalska met Omar Haddad and then Julia Whitcombe.").text
    assert not any(name in text for name in ("Anna", "Kowalska", "Omar", "Haddad", "Julia", "Whitcombe"))


def test_broken_package_is_told_by_its_entry_point(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = EntryPoint("ours", f"{HERE}:Missing", "efface.formats")
    monkeypatch.setattr(plugins, "_entry_points", lambda kind: {"ours": broken} if kind == "formats" else {})
    with pytest.raises(PolicyError, match="entry point `ours`"):
        plugins.add_installed_formats.__wrapped__()


PARTS: dict[str, tuple[type, str]] = {
    "finders": (TicketFinder, "find"),
    "operators": (Starred, "fill"),
    "guarantees": (NoExclamation, "assess"),
}


@pytest.mark.parametrize("part", PARTS)
def test_crash_of_a_plug_in_names_it_and_quotes_nothing(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(*given: object) -> None:
        raise KeyError(str(given))

    monkeypatch.setattr(*PARTS[part], crash)
    refused = next(efface.Sanitizer(NAMED).redact_many([TEXT]))
    assert refused.verdict is efface.Verdict.BROKEN
    assert "KeyError in " in refused.reason and f", called {__name__}:" in refused.reason
    assert "20931" not in refused.reason


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("find", {"custom": f"{HERE}:NOTHING"}),
        ("find", {"custom": f"{HERE}:Missing"}),
        ("find", {"custom": "no.such.module:X"}),
        ("find", {"custom": [{"use": f"{HERE}:TicketFinder", "options": {"colour": 1}}]}),
        ("operators", {"EMAIL_ADDRESS": f"{HERE}:NOTHING"}),
        ("operators", {"EMAIL_ADDRESS": f"{HERE}:TicketFinder"}),
        ("guarantees", [{"custom": f"{HERE}:Starred"}]),
        ("formats", [f"{HERE}:ROT13"]),
    ],
)
def test_what_is_none_is_an_error(key: str, value: Any) -> None:
    with pytest.raises(PolicyError):
        efface.redact("Mail ann@example.org.", {key: value})


def test_object_that_is_no_operator_is_an_error_not_a_placeholder() -> None:
    for wrong in ("mask", object(), Starred, None):
        with pytest.raises(PolicyError, match="no operator"):
            Operators(wrong)  # type: ignore[arg-type]
        with pytest.raises(PolicyError, match="no operator"):
            efface.Sanitizer(operators={"PERSON": wrong})  # type: ignore[dict-item]


def test_operator_that_repeats_the_original_is_not_believed() -> None:
    class Echo:
        def fill(self, original: str, type: str, key: str) -> str:
            return original

    sanitizer = efface.Sanitizer({"find": {"names": "none"}}, operators={"EMAIL_ADDRESS": Echo()})
    assert sanitizer.redact("Mail ann@example.org.").text == "Mail [EMAIL_ADDRESS_1]."


@pytest.mark.parametrize(
    "text",
    [
        f"find: {{custom: '{HERE}:TicketFinder'}}",
        f"operators: {{default: '{HERE}:Starred'}}",
        f"operators: {{default: {{'{HERE}:Starred': {{}}}}}}",
        f"guarantees: [{{custom: '{HERE}:NoExclamation'}}]",
        f"formats: ['{HERE}:FORMAT']",
    ],
)
def test_policy_in_a_request_imports_nothing(text: str) -> None:
    with pytest.raises(Problem):
        inline(text)


def test_command_line_and_batch(tmp_path: Path) -> None:
    (tmp_path / "policy.yaml").write_text(
        f"find: {{names: none, custom: '{HERE}:TicketFinder'}}\noperators: {{TICKET: '{HERE}:Starred'}}\n",
        "utf-8",
    )
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text("See T-20931.", "utf-8")
    environment = {**os.environ, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"}
    commands = (
        ["redact", "in/a.txt", "-o", "a.txt", "--policy", "policy.yaml"],
        ["batch", "in", "out", "--policy", "policy.yaml", "--workers", "1"],
    )
    for command in commands:
        done = subprocess.run(
            [sys.executable, "-c", "from efface.cli.main import main; main()", *command],
            cwd=tmp_path, env=environment, capture_output=True, text=True, check=False, timeout=600,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
    assert (tmp_path / "a.txt").read_text("utf-8") == "See ★★★."
    assert (tmp_path / "out" / "a.txt").read_text("utf-8") == "See ★★★."


_WRONG: dict[str, list[Any]] = {
    "before the text": [Mention(-3, 3, "TICKET", "x", 1.0, "")],
    "behind the text": [Mention(0, 1000, "TICKET", "x", 1.0, "")],
    "backwards": [Mention(5, 2, "TICKET", "x", 1.0, "")],
    "empty": [Mention(2, 2, "TICKET", "x", 1.0, "")],
    "no score": [Mention(0, 3, "TICKET", "x", float("nan"), "")],
    "words for a score": [Mention(0, 3, "TICKET", "x", "high", "")],  # type: ignore[arg-type]
    "half a place": [Mention(0, 2.5, "TICKET", "x", 1.0, "")],  # type: ignore[arg-type]
    "no type": [Mention(0, 3, "", "x", 1.0, "")],
    "no mention": [(0, 3)],
}


@pytest.mark.parametrize("wrong", [*_WRONG, "nothing"])
def test_finder_that_tells_no_place_is_refused_by_its_name(wrong: str) -> None:
    """A place before the text's beginning put words twice into a text that was told held."""

    class Wrong:
        types = ("TICKET",)

        def find(self, text: str) -> Any:
            return _WRONG.get(wrong)

    sanitizer = efface.Sanitizer({"find": {"names": "none"}}, finders={"ours": Wrong()})
    with pytest.raises(efface.Refused, match="finder `custom ours`"):
        sanitizer.redact(TEXT)
    with pytest.raises(efface.Refused, match="finder `custom ours`"):
        sanitizer.assess_text(TEXT)


@pytest.mark.parametrize("place", [(-4, 3), (0, 1000), (5, 2)])
def test_guarantee_that_asks_for_no_place_is_refused_by_its_name(place: tuple[int, int]) -> None:
    class Wrong(NoExclamation):
        def plan(self, reading: Reading, findings: Sequence[Finding]) -> Plan:
            return Plan((Edit(*place, "MARK", "!", "shouting", "."),))

    with pytest.raises(efface.Refused, match="guarantee no-exclamation"):
        efface.Sanitizer({"find": {"names": "none"}}, guarantees=[Wrong()]).redact(TEXT)


def test_class_of_a_finder_is_no_finder() -> None:
    with pytest.raises(PolicyError, match="is a class"):
        efface.Sanitizer({"find": {"names": "none"}}, finders={"ours": TicketFinder})  # type: ignore[dict-item]


@pytest.mark.parametrize("given", ["finders", "operators"])
def test_extras_without_names_are_refused_with_the_shape_they_have(given: str) -> None:
    with pytest.raises(PolicyError, match=f"`{given}`") as raised:
        efface.Sanitizer({"find": {"names": "none"}}, **{given: [TicketFinder()]})  # type: ignore[arg-type]
    assert raised.value.hint


@pytest.mark.parametrize("written", ["\ud800", "T - 2 0 9 3 1", "(t/2.0.9.3.1)"])
def test_operator_that_writes_half_a_character_or_the_original_in_pieces_is_not_believed(
    written: str,
) -> None:
    class Odd:
        def fill(self, original: str, type: str, key: str) -> str:
            return written

    sanitizer = efface.Sanitizer(
        {"find": {"names": "none"}}, finders={"ours": TicketFinder()}, operators={"TICKET": Odd()}
    )
    assert sanitizer.redact("See T-20931.").text == "See [TICKET_1]."


@pytest.mark.parametrize("code", [0, None, "See T-20931."])
def test_plug_in_that_ends_the_process_is_no_success(
    code: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exit code 0 says that a file was written, and Python prints a code that is a text."""

    def leave(finder: object, text: str) -> list[Mention]:
        sys.exit(code)

    monkeypatch.setattr(TicketFinder, "find", leave)
    (tmp_path / "a.txt").write_text("See T-20931.", "utf-8")
    (tmp_path / "p.yaml").write_text(f"find: {{names: none, custom: '{HERE}:TicketFinder'}}\n", "utf-8")
    done = command_line("redact", "a.txt", "-o", "b.txt", "--policy", "p.yaml", cwd=tmp_path)
    assert done.returncode == 2 and "plug-in" in done.stderr and "20931" not in done.stderr
    assert not (tmp_path / "b.txt").exists()


def _lazy(text: str) -> Iterator[Mention]:
    yield Mention(0, 3, "TICKET", "x", 1.0, "")
    raise KeyError(text)


def _at_once(text: str) -> Iterator[Mention]:
    raise KeyError(text)


@pytest.mark.parametrize("crash", [_lazy, _at_once])
def test_crash_of_a_callers_finder_is_told_by_its_name_and_quotes_nothing(crash: Any) -> None:
    """Its own message may quote the text, and a pipeline would log it."""

    class Broken:
        types = ("TICKET",)
        find = staticmethod(crash)

    sanitizer = efface.Sanitizer({"find": {"names": "none"}}, finders={"mine": Broken()})
    for call in (sanitizer.redact, lambda text: sanitizer.sanitize(text.encode(), name="a.txt")):
        with pytest.raises(PlugInError, match="custom mine") as caught:
            call(TEXT)
        told = f"{caught.value.message} {caught.value.hint}"
        assert "KeyError" in told and "20931" not in told
        assert caught.value.__suppress_context__ and caught.value.__cause__ is None


def test_crash_of_a_callers_operator_is_told_and_quotes_nothing() -> None:
    class Broken:
        def fill(self, original: str, type: str, key: str) -> str:
            raise KeyError(original)

    sanitizer = efface.Sanitizer({"find": {"names": "none"}}, operators={"EMAIL_ADDRESS": Broken()})
    with pytest.raises(PlugInError, match=r"operator of EMAIL_ADDRESS failed.*KeyError") as caught:
        sanitizer.redact("Mail ann@example.org.")
    assert "ann@" not in str(caught.value) and caught.value.__suppress_context__


@pytest.mark.parametrize(
    ("error", "told"),
    [(KeyError, "custom"), (None, "no mentions")],
)
def test_a_document_on_which_a_plug_in_crashes_is_tried_again_by_the_next_run(
    error: type[Exception] | None, told: str
) -> None:
    """One that is refused is not: a finder that gives nothing is a wrong finder for every run."""

    class Broken:
        types = ("TICKET",)

        def find(self, text: str) -> Any:
            if error is not None:
                raise error(text)

    sanitizer = efface.Sanitizer({"find": {"names": "none"}}, finders={"mine": Broken()})
    spec = Spec.of(sanitizer.policy, Path(), None, b"k" * 32, 1 << 20)
    done = Engine(spec, sanitizer.extras).do(Item(b"a.txt", 0, "a.txt", data=b"See T-20931."))
    assert done.state is (State.QUARANTINED if error else State.REFUSED)
    assert told in done.reason and "20931" not in done.reason
