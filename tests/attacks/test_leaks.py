from __future__ import annotations

import base64
import binascii
import quopri
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

import efface.attacks.leaks as leaks_module
from efface.attacks.leaks import ForbiddenTerms, Removed, _Allowed, _Sighting, search
from efface.attacks.readers.extract import extract
from efface.core import Document, Part, Span, SpanSet

SECRET = "Mireille Tanaka"


def leaks(released: str, kept: str = "", secret: str = SECRET) -> list[str]:
    found = search([Removed(secret, "PERSON")], [("body", released)], lambda: Document("d", "text", kept))
    return [leak.encoding for leak in found]


DISGUISES = [
    (f"x {SECRET} y", "plain"),
    ("x mireille   TANAKA y", "plain"),
    ("x Mireille\nTanaka y", "plain"),
    ("x Mir-\neille Tanaka y", "plain"),
    ("x Mireille\u200b Tanaka y", "plain"),
    ("to=" + quote(SECRET) + "&", "URL"),
    ("x Mireille&#32;Tanaka y", "HTML"),
    ("x &#77;ireille Tanaka y", "HTML"),
    ("x Mireille=20Tanaka y", "quoted-printable"),
    ("x Mireille Ta=\nnaka y", "quoted-printable"),
    ("x Mire**ille** Ta_na_ka y", "emphasis"),
    ("x **Mireille** Tanaka y", "emphasis"),
    ("x Mireille `Tanaka` y", "emphasis"),
    (r"x \u004direille Tanaka y", "escaped"),
    ("x M\0i\0r\0e\0i\0l\0l\0e\0 \0T\0a\0n\0a\0k\0a\0 y", "UTF-16"),
    (base64.b64encode(f"patient {SECRET} left".encode()).decode(), "base64"),
    (base64.b64encode(f"x {SECRET}".encode("utf-16-le")).decode(), "base64"),
    (base64.encodebytes(f"{'y ' * 60}{SECRET}".encode()).decode(), "base64"),
    (base64.urlsafe_b64encode(f"??>> {SECRET} ~~".encode()).decode(), "base64"),
    (f"patient {SECRET}".encode().hex(), "base64"),
    (base64.b64encode(SECRET.encode()).decode() + "\nnext,x", "base64"),
    ("begin 644 a.txt\n" + binascii.b2a_uu(SECRET.encode()).decode() + "`\nend\n", "uuencoded"),
    ("fromCharCode(" + ",".join(str(ord(letter)) for letter in SECRET) + ")", "character codes"),
    ("tok " + SECRET.encode().hex(), "base64"),
    ("x %254direille Tanaka y", "URL"),
    ("x &amp;#77;ireille Tanaka y", "HTML"),
    (r"x \u{4d}ireille Tanaka y", "escaped"),
    ("x Mir<b>eille</b> Tanaka y", "markup"),
    (":".join(f"{ord(letter):02x}" for letter in SECRET), "character codes"),
    (base64.b64encode(b"see %4direille Tanaka").decode(), "base64"),
    (base64.b64encode(base64.b64encode(f"see {SECRET}".encode())).decode(), "base64"),
]


@pytest.mark.parametrize(("released", "encoding"), DISGUISES)
def test_a_removed_string_is_seen_in_every_disguise(released: str, encoding: str) -> None:
    assert encoding in leaks(released)


@pytest.mark.parametrize(
    "released", ["", "nothing here", "Mireillex Tanaka", "Mireille and Tanaka", "Mireille"]
)
def test_what_is_not_there_is_no_leak(released: str) -> None:
    assert leaks(released) == []


def test_an_occurrence_kept_on_purpose_is_no_leak_but_another_is() -> None:
    kept = "Then he left with [PERSON_1] and the nurse."
    assert leaks(kept, kept, "He") == []
    assert leaks(kept + " He stayed.", kept, "He") == ["plain"]
    assert leaks("Then he left with He and the nurse.", kept, "He") == ["plain"]
    assert leaks("he slept; then he left with [PERSON_1]", kept, "He") == ["plain"]


@pytest.mark.parametrize("label", ["CITY", "CITY1", "ADDRESS_LINE_2", "A2_B"])
def test_a_placeholder_of_any_type_is_no_neighbour(label: str) -> None:
    """What is kept beside a placeholder is kept in every reading of the text, also without its emphasis."""
    text = f"Seen in [{label}_1] as state of m*a*ny, a state [{label}_12] of it."
    ours = [f"[{label}_1]", f"[{label}_12]"]
    assert not search([Removed("state", "X")], [("body", text)], Document("d", "text", text), ours)


@pytest.mark.parametrize(
    ("seam", "is_leak"),
    [
        ("of the courts\nnational law says", False),
        ("as the National\nCourt says so", True),
        ("Nati\u2060onal", True),  # two halves as one word
        ("rights.\u2060national", False),
        ("national\u2060.rights", False),
        ("the\u2060National\n\nCourt\u2060so", False),
        ("National", True),
    ],
)
def test_of_two_lines_that_meet_only_what_runs_over_the_end_counts(seam: str, is_leak: bool) -> None:
    """A word that stays on purpose had other neighbours there, and a long report was refused for it."""
    kept = "In national law the courts of the land say so."
    parts = [("page 1", kept), ("page 1, columns", f"say so of\nall the land\n\n{seam}")]
    removed = [Removed("National", "ORGANIZATION"), Removed("National Court", "ORGANIZATION")]
    exempt = SpanSet([Span(3, 11)])
    found = search(removed, parts, lambda: Document("d", "text", kept), exempt=exempt)
    assert bool(found) == is_leak


def test_a_lone_copy_in_another_part_is_a_leak_unless_written_as_kept() -> None:
    kept = Document("d", "html", "Then he left.\nhe", (Part("page", 0, 14), Part("attribute alt", 14, 16)))
    parts = [("page", "Then he left."), ("attribute alt", "he")]
    assert search([Removed("He", "PERSON")], parts, lambda: kept) == ()
    parts.append(("attribute title", "He"))
    assert [leak.part for leak in search([Removed("He", "PERSON")], parts, lambda: kept)] == [
        "attribute title"
    ]


@pytest.mark.parametrize(
    ("released", "leaks_"),
    [
        ("Table 12 shows the total. She is [AGE_1] years old.", 0),  # another twelve
        ("She is 12 years old. Table shows the total.", 1),
        ("Totals: 4, 12, 9. She is [AGE_1] 12 years old.", 1),  # beside the placeholder
        ("12", 1),  # alone it may be any
    ],
)
def test_so_little_means_nothing_away_from_its_place(released: str, leaks_: int) -> None:
    kept = Document("d", "text", "She is [AGE_1] years old. Table shows the total.")
    removed = Removed("12", "AGE", ("She is ", " years old. Table shows the total."))
    assert len(search([removed], [("body", released)], kept)) == leaks_
    assert len(search([removed, Removed("12", "DENIED")], [("body", released)], kept)) == 1
    long = Removed("Lisbon", "LOCATION", removed.around)
    assert search([long], [("body", "To Lisbon!")], kept)


@given(st.text("ab .\n", max_size=40), st.text("ab .\n", max_size=40))
def test_a_planted_secret_is_always_seen(before: str, after: str) -> None:
    kept = f"{before} [PERSON_1] {after}"
    assert leaks(f"{before} {SECRET} {after}", kept)
    assert leaks(kept, kept) == []


@pytest.mark.parametrize(
    ("format", "data"),
    [
        ("text", SECRET.encode("utf-16")),
        ("text", SECRET.encode()),
        ("csv", b'a,b\n"Mireille Tanaka",2\n'),
        ("csv", b'a;b\n"Mireille ""M"" Tanaka";2\n'),
        ("json", b'{"Mireille Tanaka": 1}'),
        ("json", b'{"a": ["Mireille \\u0054anaka"]}'),
        ("json", b'{"a": 1, "a": "Mireille Tanaka"}'),
        ("json", b"[" * 100_000 + b'"Mireille Tanaka"' + b"]" * 100_000),
        ("jsonl", b'{"a": 1}\n{"b": "Mireille Tanaka"}\n'),
        ("html", b"<p>Mir<b>eille</b> <i>Tanaka</i></p>"),
        ("html", b"<img alt='Mireille Tanaka'>"),
        ("html", b"<!-- Mireille Tanaka -->"),
        ("html", b"<script>var x = 'Mireille Tanaka'</script>"),
        ("html", b"<a href='mailto:Mireille%20Tanaka'>x</a>"),
        ("eml", b"Subject: =?utf-8?b?" + base64.b64encode(SECRET.encode()) + b"?=\n\nx"),
        ("eml", b"Content-Transfer-Encoding: base64\n\n" + base64.b64encode(SECRET.encode())),
        (
            "eml",
            b"Content-Transfer-Encoding: quoted-printable\n\n"
            + quopri.encodestring(b"Mireille=Tanaka Mireille Tanaka"),
        ),
        (
            "eml",
            b'Content-Type: multipart/mixed; boundary="b"\n\npre\n--b\nContent-Type: message/rfc822\n\n'
            b"Subject: x\n\nMireille Tanaka\n--b--\n",
        ),
    ],
)
def test_the_independent_readers_see_every_place(format: str, data: bytes) -> None:
    secret = 'Mireille "M" Tanaka' if b'""' in data else SECRET
    assert search([Removed(secret, "PERSON")], extract(data, format), lambda: Document("d", format, ""))


def test_short_and_western_disguises() -> None:
    assert leaks("U21pdGg=", secret="Smith") == ["base64"]
    assert leaks("68616c64656e", secret="halden") == ["base64"]
    assert leaks("Jos%E9%20Garcia", secret="José Garcia") == ["URL"]
    assert leaks("Jos=E9 Garcia", secret="José Garcia") == ["quoted-printable"]


def test_structure_is_no_leak() -> None:
    page = b"<div class='x'><table><tr><td>ok</td></tr></table></div>"
    removed = [Removed("div", "DENIED"), Removed("table", "DENIED"), Removed("class", "DENIED")]
    assert search(removed, extract(page, "html"), lambda: Document("d", "html", "ok\nx")) == ()


def test_a_very_long_word_is_searched_and_one_wrapped_over_lines_is_seen() -> None:
    """Not in a time that grows with the square of the word: that would not end here."""
    nothing = Document("d.txt", "text", "")
    removed = [Removed("hello there", "X")]
    assert search(removed, [("body", "x" * 400_000)], nothing) == ()
    assert search(removed, [("body", "a<!--" * 60_000)], nothing) == ()
    wrapped = base64.encodebytes(b"padding " * 20 + b"hello there my friend").decode()
    assert [leak.encoding for leak in search(removed, [("body", f"see:\n{wrapped}")], nothing)] == ["base64"]


@pytest.mark.parametrize(
    ("released", "seen"),
    [
        ("[URL_26]", False),
        ("URL_26", False),
        ("URL_26]", True),
        ("URL_2626 26", True),
        ("x%5BURL_26%5Dy", False),  # as a link's target holds it
        ("[URL_26] 26", True),
        ("[ROOM_26]", True),  # no placeholder of ours
        ("[URL_26", True),
    ],
)
def test_the_number_of_a_placeholder_is_no_leak(released: str, seen: bool) -> None:
    kept = Document("x", "text", "aged [AGE_1], see [URL_26]")
    leaks = search([Removed("26", "AGE")], [("links", released)], kept, ["[AGE_1]", "[URL_26]"])
    assert bool(leaks) is seen


@pytest.mark.parametrize(
    "released", ["[EMAIL_ADDRESS_1] Mire**ille** Tanaka", "[EMAIL_ADDRESS_2] Mi_reille Tanaka"]
)
def test_a_placeholder_hides_no_emphasis_beside_it(released: str) -> None:
    placeholders = ["[EMAIL_ADDRESS_1]", "[EMAIL_ADDRESS_2]"]
    leaks = search([Removed(SECRET, "PERSON")], [("body", released)], Document("x", "text", ""), placeholders)
    assert [leak.encoding for leak in leaks] == ["emphasis"]


def test_a_placeholder_is_read_as_it_is_though_words_beside_it_are_emphasised() -> None:
    """Without its mark "[WORD_3]" would say word3."""
    released = "an _old_ [WORD_3] and a ta_ll tree"
    assert not search(
        [Removed("word3", "WORD")], [("body", released)], Document("x", "text", ""), ["[WORD_3]"]
    )


@pytest.mark.parametrize("length", [10, 11, 12])
def test_hexadecimal_runs_of_odd_length_are_read(length: int) -> None:
    """A digit too many at the end changes nothing."""
    released = f"id {b'Tanaka'.hex()[:length]}"
    found = search([Removed("Tanak", "PERSON")], [("body", released)], Document("x", "text", ""))
    assert bool(found) is (length < 12)


def _explained_slowly(sighting: _Sighting, allowed: list[_Sighting]) -> bool:
    """The obvious way: compare with every occurrence that is kept."""

    def agree(one: str, other: str) -> bool:
        return one.startswith(other) or other.startswith(one)

    return any(
        (sighting.key, sighting.surface) == (other.key, other.surface)
        and agree(sighting.before[::-1], other.before[::-1])
        and agree(sighting.after, other.after)
        for other in allowed
    )


_near = st.text("ab", max_size=4)
_sightings = st.builds(
    _Sighting, st.sampled_from(["may", "he"]), st.sampled_from(["May", "may"]), _near, _near
)


@given(st.lists(_sightings, max_size=12), st.lists(_sightings, max_size=8))
def test_kept_occurrences_explain_as_the_slow_way_says(kept: list[_Sighting], seen: list[_Sighting]) -> None:
    allowed = _Allowed()
    for one in kept:
        allowed.add(one)
    assert [allowed.explains(one) for one in seen] == [_explained_slowly(one, kept) for one in seen]


@given(
    st.lists(st.sampled_from(["may", "he", "mireille tanaka", "tana", "李伟", "-"]), max_size=4),
    st.text("mayhe -李伟", max_size=30),
    st.text("mayhe -李伟", max_size=30),
)
def test_standing_terms_are_searched_as_removed_ones(terms: list[str], released: str, kept: str) -> None:
    document = Document("d", "text", kept)
    removed = search([Removed(term, "DENIED") for term in terms], [("body", released)], document)
    assert search((), [("body", released)], document, standing=ForbiddenTerms(tuple(terms))) == removed


@pytest.mark.parametrize("count", [3000, 12000])
def test_search_with_many_kept_occurrences_compares_each_once(
    count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """8,000 kept "may" beside a denied "May" took 11 s: every one was compared with every other."""
    compared = 0
    real = leaks_module._context_of

    def counting(*arguments: Any) -> Any:
        nonlocal compared
        compared += 1
        return real(*arguments)

    monkeypatch.setattr(leaks_module, "_context_of", counting)
    kept = " ".join(f"we may go{n}" for n in range(count))
    assert search([Removed("May", "PERSON")], [("body", kept)], Document("d", "text", kept)) == ()
    assert compared <= 20 * count


def test_a_denied_term_is_seen_inside_a_longer_token_that_only_the_bytes_hold() -> None:
    parts = [("properties", "saved by JTanaka1957")]
    found = search([], parts, Document("d", "text", "nothing"), standing=ForbiddenTerms(("Tanaka",)))
    assert [leak.word for leak in found] == ["Tanaka"]
    assert (
        search([], parts, Document("d", "text", "saved by JTanaka1957"), standing=ForbiddenTerms(("Tanaka",)))
        == ()
    )


def test_a_word_kept_in_its_place_is_none_where_other_letters_are_quoted() -> None:
    kept = "ﬁne — the brown coat — and n=24 of them"
    exempt = SpanSet([Span(kept.index("brown"), kept.index("brown") + 5)])
    removed = [Removed("Brown", "PERSON")]
    assert search(removed, [("body", kept)], Document("d", "text", kept), exempt=exempt) == ()
    assert search(removed, [("body", kept + " =42rown")], Document("d", "text", kept), exempt=exempt)


def test_a_short_number_counts_in_its_place_alone() -> None:
    removed = [Removed("2.8", "DATE_TIME", ("it was on ", " that they came"))]
    kept = Document("d", "text", "")
    assert search(removed, [("sheet", "4.5\n\n2.8\n\n5")], kept) == ()
    assert search(removed, [("body", "it was on 2.8 that they came")], kept)


def test_initials_count_everywhere() -> None:
    removed = [Removed("J.W.", "PERSON", ("signed by ", " in May"))]
    assert search(removed, [("body", "seen again by J.W. on the stairs")], Document("d", "text", ""))


def test_a_kept_word_is_known_by_its_neighbours_on_both_sides() -> None:
    """Eight letters on one side may be those of a place where it should have gone."""
    kept = Document("d", "pdf", "domicilio actual en (calle, número, piso)")
    exempt = SpanSet([Span(kept.text.index("calle"), kept.text.index("calle") + 5)])
    assert search([Removed("CALLE", "PERSON")], [("page", kept.text)], kept, exempt=exempt) == ()
    elsewhere = [("content", "domicilio actual en (calle, in the hills)")]
    assert search([Removed("CALLE", "ORGANIZATION")], elsewhere, kept, exempt=exempt)


def test_letters_of_signs_explain_the_words_beside_them_and_nothing_else() -> None:
    """A page shows a black square and its content has the letter n, beside a word that stays."""
    kept = Document("a.pdf", "pdf", "lmas■). On [DATE_TIME_1] the court dismissed it. Σμιτη left.")
    removed = [Removed("court", "ORGANIZATION"), Removed("smith", "PERSON")]
    content = "lmas\nn\n). On [DATE_TIME_1] the court dismissed it."
    assert not search(removed, [("content", content)], kept)
    assert search(removed, [("content", content.replace("n\n", "x\n"))], kept)
    assert search(removed, [("content", "Smith left.")], kept), "the font of signs hides no name"
