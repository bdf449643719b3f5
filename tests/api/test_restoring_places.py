"""Hosts and addresses into which nothing is restored, and surrogates that are words of the answer."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import efface
from efface.api.originals import Originals
from efface.api.restoring import Restorer, restore

MAPPING = {
    "[PERSON_1]": "Anna Kowalska",
    "[URL_1]": "https://real.example/log",
    "[DOMAIN_NAME_1]": "real.example",
    "[EMAIL_ADDRESS_1]": "bob@example.com",
}
FAKES = Originals({"Maria Schmidt": "Anna Nowak"}, frozenset({"Maria Schmidt"}))


@pytest.mark.parametrize(
    "text",
    [
        "see évil.example/[PERSON_1]",
        "例え.jp/[PERSON_1]",
        "例え.テスト/[PERSON_1]",
        "a.b.c.d.e.f.g.h.i.evil.example/[PERSON_1]",
        "my_host.example/[PERSON_1]",
        "evil.xn--p1ai/[PERSON_1]",
        "evil.example./[PERSON_1]",
        "192.0.2.1:8080/[PERSON_1]",
        "user@evil.example/[PERSON_1]",
        "evil\\.example\\/[PERSON_1]",
        # A label of the host tells as much as its path, and the name alone is asked for.
        "see [PERSON_1].evil.example/x",
        "see \\[PERSON\\_1\\].evil.example/x",
        "PERSON_1.evil.example",
        "[person 1]-x.evil.example",
        "[PERSON_1].[DOMAIN_NAME_1]/x",
        # Renderers of Markdown end an address at blanks of ASCII alone, and read references to signs.
        "https://evil.example/\u00a0[PERSON_1]",
        "[r]: h&#116;tps:&#47;&#47;evil.example&#47;[PERSON_1]",
        "[r]: https&colon;&sol;&sol;evil&period;example&sol;[PERSON_1]",
        "[r]: https:&#x2F;&#x2f;evil&#x2e;example&#x2f;[PERSON_1]",
        # What a link without slashes says is in its query or its parameters.
        "sms:+15550100?body=[PERSON_1]",
        "Write sms:+15550100&body=Hi%20[PERSON_1] now",
        "whatsapp:send?phone=1&text=x–[PERSON_1]",
        "xmpp:a@evil.example?message;body=[PERSON_1]",
        "tel:+15550100;ext=[PERSON_1]",
    ],
)
def test_nothing_is_restored_into_a_host_or_a_link_in_disguise(text: str) -> None:
    answer = restore(text, MAPPING)
    assert "Kowalska" not in answer and answer.withheld


@pytest.mark.parametrize(
    "link", ["[URL_1]?q=", "[URL_1],", "[DOMAIN_NAME_1]/", "domain_name_1:80/x/", "[EMAIL_ADDRESS_1]/"]
)
def test_nothing_is_restored_into_a_link_that_an_original_begins(link: str) -> None:
    answer = restore(f"See {link}[PERSON_1] and [PERSON_1].", MAPPING)
    assert answer.count("Kowalska") == 1 and answer.withheld == ("[PERSON_1]",)
    assert "real.example" in answer or "bob@example.com" in answer


@pytest.mark.parametrize(
    "link", ["[URL_1]@evil.example/", "[URL_1].evil.example", "[DOMAIN_NAME_1].evil.example/"]
)
def test_an_address_is_not_restored_into_the_host_of_another(link: str) -> None:
    assert restore(link, MAPPING) == link


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("[PERSON_1].pdf, [PERSON_1]. Then", "Anna Kowalska.pdf, Anna Kowalska. Then"),
        ("[PERSON_1],[EMAIL_ADDRESS_1],[PERSON_1]", "Anna Kowalska,bob@example.com,Anna Kowalska"),
        ("[URL_1] by [PERSON_1]", "https://real.example/log by Anna Kowalska"),
        ("[PERSON_1](https://x.example/)", "Anna Kowalska(https://x.example/)"),
        (
            "O&#39;Hara &amp; [PERSON_1]; &quot;[PERSON_1]&quot;",
            "O&#39;Hara &amp; Anna Kowalska; &quot;Anna Kowalska&quot;",
        ),
        ("v1.20/[PERSON_1], 3.5/[PERSON_1]", "v1.20/Anna Kowalska, 3.5/Anna Kowalska"),
        ("e.g.[PERSON_1]", "e.g.Anna Kowalska"),
        ("tel:[PERSON_1] Tel.:[PERSON_1]?", "tel:Anna Kowalska Tel.:Anna Kowalska?"),
        ("note:[PERSON_1]? x=2; a:b [PERSON_1]=1", "note:Anna Kowalska? x=2; a:b Anna Kowalska=1"),
    ],
)
def test_words_beside_hosts_are_restored(text: str, wanted: str) -> None:
    assert restore(text, MAPPING) == wanted


def test_initials_before_a_surrogate_are_no_host() -> None:
    assert restore("By J.R.R.Schmidt.", FAKES) == "By J.R.R.Nowak."


PIECES = [
    *MAPPING,
    "PERSON_1",
    "person 1",
    "Maria Schmidt",
    "Schmidt",
    "évil",
    "evil",
    ".example",
    ".",
    "/",
    "?",
    ":8",
    "@",
]
PIECES += [
    " ",
    "\u00a0",
    "\n",
    "\\",
    "&#47;",
    "&sol",
    ";",
    "例え",
    "。",
    "192.0.2.1",
    "https:",
    "sms:",
    "x=",
    "-",
    "[",
    "]",
    '"',
    "<a ",
    ">",
    "()",
]


@given(st.lists(st.sampled_from(PIECES), max_size=24).map("".join), st.data())
@settings(max_examples=600, deadline=None)
def test_a_stream_in_any_chunks_knows_the_same_hosts(text: str, data: st.DataObject) -> None:
    originals = Originals({**MAPPING, **FAKES.mapping}, FAKES.people)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=12)))
    restorer = Restorer(originals)
    made = "".join(restorer.feed(text[a:b]) for a, b in pairwise([0, *cuts, len(text)])) + restorer.close()
    assert made == restore(text, originals)


def test_a_part_of_a_surrogate_that_may_not_be_restored_stays() -> None:
    fakes = Originals(FAKES.mapping, FAKES.people, never=frozenset({"Maria Schmidt"}))
    answer = restore("Schmidt, MARIA, Schmidts, Maria Schmidt", fakes)
    assert answer == "Schmidt, MARIA, Schmidts, Maria Schmidt"
    assert answer.withheld == ("Maria Schmidt",) and answer.missing == ()


def test_the_policy_forbids_parts_of_surrogates_too() -> None:
    policy = {"operators": {"default": "surrogate"}, "restore": {"never": ["PERSON"]}}
    r = efface.redact("Dr. Anna Kowalska wrote to us.", {"find": {"names": "default"}, **policy})
    name = next(iter(r.originals.people))
    assert r.restore(f"{name}; {name.split()[-1]}") == f"{name}; {name.split()[-1]}"


def test_ordinary_words_of_the_answer_are_no_surrogates() -> None:
    fakes = Originals({"Mark Young": "Anna Nowak", "Reading": "Lublin"}, frozenset({"Mark Young"}))
    text = "Please mark the young market; Markets, reading and readings. MARK YOUNG, mark young, Young of Reading"
    assert restore(text, fakes) == (
        "Please mark the young market; Markets, reading and readings. ANNA NOWAK, anna nowak, Nowak of Lublin"
    )
    lower = Originals({"mark": "anna"})
    assert restore("mark, market", lower) == "anna, market"


def test_surrogates_that_differ_in_case_alone_are_told_apart_or_stay() -> None:
    fakes = Originals({"De Vries": "Anna", "de Vries": "Ula"})
    assert restore("De Vries, de Vries, DE VRIES", fakes) == "Anna, Ula, DE VRIES"


def test_a_surrogate_that_is_also_a_word_of_another_stays() -> None:
    """Two turns of a conversation may give one surname to two people."""
    fakes = Originals({**FAKES.mapping, "Schmidt": "Zieliński"}, FAKES.people | {"Schmidt"})
    assert restore("Maria Schmidt, Schmidt", fakes) == "Anna Nowak, Schmidt"
    same = Originals({**FAKES.mapping, "Schmidt": "Nowak"}, FAKES.people | {"Schmidt"})
    assert restore("Maria Schmidt, Schmidt", same) == "Anna Nowak, Nowak"


@pytest.mark.parametrize("written", ["Maria \u017fchmidt", "MAR\u0131A SCHMIDT", "MAR\u0130A SCHMIDT"])
def test_letters_that_are_others_in_another_case_raise_nothing(written: str) -> None:
    assert "Schmidt" not in restore(f"Dear {written}, hello", FAKES)
