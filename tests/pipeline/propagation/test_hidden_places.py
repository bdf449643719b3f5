"""A name that is cut once, or denied, goes where it hides: letter by letter, or inside a token that is decoded."""

from __future__ import annotations

import base64
import bz2
import gzip
import lzma
import zlib

import pytest

from efface import Sanitizer
from efface.attacks.leaks import ForbiddenTerms, Removed, search
from efface.core import Document, Verdict
from efface.finders.lists import Listed, WordFinder
from efface.pipeline.propagation.hidden_places import hidden_places
from efface.pipeline.propagation.strings import PropagatedString
from tests.growth import assert_linear

DENY = Sanitizer({"find": {"deny": ["Whitcombe", "Project Falcon"], "names": "none"}})
NAMES = Sanitizer("names")

HIDDEN = (
    "W h i t c o m b e",
    "W\u00a0H\u00a0I\u00a0T\u00a0C\u00a0O\u00a0M\u00a0B\u00a0E",
    "W.h.i.t.c.o.m.b.e",
    "W*h*i*t*c*o*m*b*e",
    "W\nh\ni\nt\nc\no\nm\nb\ne",
    "WHIT COMBE",
    "W h 1 t c 0 m b e",
    "**Whit**combe",
    "&#87;hitcombe",
    "%57hitcombe",
    r"\u0057hitcombe",
    base64.b64encode(b"Whitcombe").decode(),
    "x57686974636f6d6265"[1:],
    "%2557hitcombe",
    "%u0057hitcombe",
    "&amp;#87;hitcombe",
    "&#87hitcombe",
    r"\u{57}hitcombe",
    "Whit<b>combe",
    "Whit<!-- x -->combe",
    "Whit\ncombe",
    "Whit-\n> combe",
    "57:68:69:74:63:6f:6d:62:65",
    base64.b64encode(b"see Whit&shy;combe").decode(),
    "\U0001f166\U0001f157\U0001f158\U0001f163\U0001f152\U0001f15e\U0001f15c\U0001f151\U0001f154",
    "ᴡʜɪᴛᴄᴏᴍʙᴇ",
    "ꓪhitcombe",
    "Whit, combe",
    "Whit\\,combe",
    "Whit{}combe",
    "W h itcombe",
    "Whi tco mbe",
    "Whitc om be",
    "Wh itc om be",
    "Whit\t\tcombe",
    "Whit | combe",
    "ebmoctihW",
    "EBMOCTIHW",
    "\uf057\uf068\uf069\uf074\uf063\uf06f\uf06d\uf062\uf065",  # as symbol fonts keep ASCII
    "🇼🇭🇮🇹🇨🇴🇲🇧🇪",
    "⠺⠓⠊⠞⠉⠕⠍⠃⠑",
    base64.b64encode(gzip.compress(b"Dear Whitcombe, hello", mtime=0)).decode(),
    base64.b64encode(zlib.compress(b"Dear Whitcombe, hello")).decode(),
    base64.b64encode(bz2.compress(b"Dear Whitcombe, hello")).decode(),
    base64.b64encode(lzma.compress(b"Dear Whitcombe, hello")).decode(),
)


@pytest.mark.parametrize("hidden", HIDDEN)
def test_a_denied_word_goes_where_it_hides(hidden: str) -> None:
    redaction = DENY.redact(f"signed below: {hidden} today")
    assert redaction.verdict is Verdict.HELD
    assert redaction.text == "signed below: [DENIED_1] today"


@pytest.mark.parametrize("hidden", HIDDEN)
def test_a_name_that_was_cut_goes_where_it_hides(hidden: str) -> None:
    redaction = NAMES.redact(f"Mr Jonathan Whitcombe came. The note says {hidden} in the end.")
    assert redaction.verdict is Verdict.HELD
    assert hidden not in redaction.text
    assert redaction.text.endswith("in the end.")


def test_a_denied_phrase_goes_letter_by_letter() -> None:
    assert DENY.redact("see P R O J E C T  F A L C O N here").text == "see [DENIED_1] here"


def test_a_name_in_so_many_letters_takes_no_more_of_its_token() -> None:
    assert DENY.redact("see Whitcombe&amp;Sons here").text == "see [DENIED_1]&amp;Sons here"


def test_letters_in_cells_are_emptied() -> None:
    report = DENY.sanitize(b"a,b,c,d,e,f,g,h,i\nW,h,i,t,c,o,m,b,e\n", name="table.csv")
    assert report.verdict is Verdict.HELD
    assert report.released is not None
    assert b"h,i,t" not in report.released


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("a,b\nWhit,combe\n", "table.csv"),
        ('a,b\n"Whit","combe"\n', "table.csv"),
        ("a\tb\nWhit\tcombe\n", "table.tsv"),
        ('["Whit","combe"]', "list.json"),
        ("<table><tr><td>Whit</td><td>combe</td></tr></table>", "page.html"),
        ('<div style="float:left">Whit</div><div style="float:left">combe</div>', "page.html"),
    ],
)
def test_a_name_over_two_cells_goes(written: str, name: str) -> None:
    report = DENY.sanitize(written.encode(), name=name)
    assert report.verdict is Verdict.HELD
    assert report.released is not None
    assert b"combe" not in report.released


def test_names_in_two_cells_are_two() -> None:
    written = b"first,last,note\nJonathan,Whitcombe,\nx,y,Mr Jonathan Whitcombe came\n"
    report = NAMES.sanitize(written, name="table.csv")
    assert report.released == b"first,last,note\n[PERSON_1],[PERSON_1],\nx,y,Mr [PERSON_1] came\n"


@pytest.mark.parametrize("word", ["stressed", "regal"])
def test_an_ordinary_word_is_no_name_backwards(word: str) -> None:
    sanitizer = Sanitizer({"find": {"deny": [word[::-1]], "names": "none"}})
    assert sanitizer.redact(f"She was {word} then.").text == f"She was {word} then."


def test_a_kept_word_stays_letter_by_letter() -> None:
    sanitizer = Sanitizer({"find": {"keep": ["G o o d m a n"], "names": "default"}})
    text = "Mr Paul Goodman came. The shop is called G o o d m a n today."
    assert "G o o d m a n" in str(sanitizer.redact(text).text)


@pytest.mark.parametrize(
    "hidden", ["W h i t c o m b e", "W.h.i.t.c.o.m.b.e", "Whit combe", "W\nh\ni\nt\nc\no\nm\nb\ne"]
)
def test_the_search_of_a_release_sees_letters_apart(hidden: str) -> None:
    kept = Document("a.txt", "text", "")
    parts = [("text", f"he signed {hidden} below")]
    assert search([Removed("Whitcombe", "PERSON", glued=True)], parts, kept)
    assert search((), parts, kept, standing=ForbiddenTerms(("Whitcombe",)))
    assert not search([Removed("Goodman", "PERSON", glued=True)], [("text", "a good man came")], kept)


@pytest.mark.parametrize(
    "written",
    [
        *("Wh1tcombe", "Wh|tcombe", "WH1TC0MBE", "Whitc0mbe", "Wh1tc0mb3", "wh17c0mb3", "Whitcomb3"),
        *("Wh!tcombe", "Wh1tcom8e", "Whitcomb€", "WH!TC0M8€"),
    ],
)
def test_a_letter_that_a_digit_stands_for_hides_no_name(written: str) -> None:
    assert DENY.redact(f"see {written} here").text == "see [DENIED_1] here"
    released = NAMES.redact(f"Mr Jonathan Whitcombe came. The scan has {written} in the end.").text
    assert released is not None
    assert written not in released


def test_a_sign_for_a_letter_hides_no_name_and_costs_no_other_word() -> None:
    deny = Sanitizer(
        {"find": {"deny": ["Zanzibarov", "Bondi", "Sassari"], "names": "none", "patterns": "none"}}
    )
    kept = "Call Bond! It costs $5, US$ 12 or 7€; ask info@example.org"
    assert deny.redact(f"Z@nzib@rov, 2anzi8arov, Sa$$ari. {kept}").text == (
        f"[DENIED_1], [DENIED_1], [DENIED_2]. {kept}"
    )


@pytest.mark.parametrize(
    "mark",
    ["{{x}}", "{{ first name }}", "${y}", "#{y}", "{%- endif -%}", "<%= z %>", "[[n]]", "«Name»", "{0}"],
)
def test_the_mark_of_a_template_hides_no_name(mark: str) -> None:
    written = f"Whit{mark}combe"
    assert DENY.redact(f"see {written} here").text == f"see [DENIED_1]{mark}[DENIED_1] here"
    released = NAMES.redact(f"Mr Jonathan Whitcombe came. The draft has {written} in the end.").text
    assert released is not None
    assert "combe" not in released
    parts = [("text", f"he signed {written} below")]
    assert search([Removed("Whitcombe", "PERSON")], parts, Document("a.txt", "text", ""))


@pytest.mark.parametrize("mark", ["[^1]", "[^note]", "[1]", "[^1][^2]"])
def test_the_mark_of_a_footnote_hides_no_name(mark: str) -> None:
    written = f"Whit{mark}combe"
    assert DENY.redact(f"see {written} here").text == "see [DENIED_1] here"
    released = NAMES.redact(f"Mr Jonathan Whitcombe came. The note has {written} in the end.").text
    assert released is not None
    assert "combe" not in released
    parts = [("text", f"he signed {written} below")]
    assert search([Removed("Whitcombe", "PERSON")], parts, Document("a.txt", "text", ""))


EMPHASIS = Sanitizer({"find": {"deny": ["Falcon Ridge", "Al-Ali"], "names": "none", "patterns": "none"}})


@pytest.mark.parametrize(
    ("written", "left"),
    [
        ("**Falcon** Ridge", "[DENIED_1]"),
        ("Falcon *Ridge*", "[DENIED_1]"),
        ("*Falcon* _Ridge_", "[DENIED_1]"),
        ("**Falcon Ridge**", "**[DENIED_1]**"),
        ("`Falcon` Ridge, co_author", "[DENIED_1], co_author"),
        ("Al-`Ali", "[DENIED_1]"),
        ("**Al**-Ali", "[DENIED_1]"),
        ("Al-**Ali**", "[DENIED_1]"),
        ("`Al`-`Ali`", "`[DENIED_1]`"),
        ("Hamid-Al-`Ali", "Hamid-[DENIED_1]"),
        ("**Falcon** of the Ridge", "**Falcon** of the Ridge"),
        ("Total-`Ali", "Total-`Ali"),
    ],
)
@pytest.mark.parametrize("before", ["", "h*i* "])
def test_emphasis_between_words_hides_no_phrase(before: str, written: str, left: str) -> None:
    """A mark within another word changes nothing: the search of the release reads over all marks at once."""
    redaction = EMPHASIS.redact(f"{before}see {written} here")
    assert redaction.verdict is Verdict.HELD
    assert redaction.text == f"{before}see {left} here"


def test_a_phrase_does_not_go_on_in_the_next_paragraph() -> None:
    written = "Falcon Ridge. A falcon\n\n*Ridge* roads.\n\n*Ridge* again."
    assert EMPHASIS.redact(written).text == written.replace("Falcon Ridge", "[DENIED_1]")


def test_a_number_is_no_name() -> None:
    assert (
        DENY.redact("see 1010 and B01 and l0l and 5th here").text == "see 1010 and B01 and l0l and 5th here"
    )
    iolo = Sanitizer({"find": {"deny": ["Iolo"], "names": "none"}})
    assert iolo.redact("bits 1 0 1 0 here").text == "bits 1 0 1 0 here"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Bob \u202eWhitcombe sings and eats.\nWhitcombe sleeps.", ["sings and eats.", "sleeps."]),
        ("\u202esgnis ebmoctihW won\nWhitcombe sleeps.", ["sgnis", "won", "sleeps."]),
        ("See \u202eebmoctihW\u202c now, all of you.", ["See", "now, all of you."]),
    ],
)
def test_of_letters_in_the_other_order_only_the_name_goes(text: str, left: list[str]) -> None:
    """An override reaches to the end of its line. The rest of the line is nobody's name."""
    done = DENY.redact(text)
    assert done.verdict is Verdict.HELD
    assert all(words in done.text for words in left), done.text
    assert "hitcombe" not in done.text and "ebmoctih" not in done.text


def test_an_override_behind_a_name_does_not_take_the_rest_of_the_line_with_it() -> None:
    done = NAMES.redact(
        "Bob \u202eMiller wrote that the pump works. Krause & Söhne came later and sang a song."
    )
    assert done.verdict is Verdict.HELD
    assert "wrote that the pump works." in done.text and "came later and sang a song." in done.text
    assert "Miller" not in done.text and "Krause" not in done.text


@pytest.mark.parametrize(
    "split",
    [
        "<w>Whit</w><w>combe</w>",
        "<h>WHIT</h><h>COMBE</h>",
        '<run id="1">Whit</run><run id="2">com</run><run>be</run>',
        "<a>Wh</a><c><a>itcombe</a></c>",
    ],
)
def test_a_word_that_the_tags_of_a_data_file_break_goes_and_the_tags_stay(split: str) -> None:
    source = f'<?xml version="1.0"?><d><x>{split}</x><p>Whitcombe came.</p></d>'
    report = DENY.sanitize(source.encode(), name="x.xml", allow_unproven=True)
    assert report.released is not None
    released = report.released.decode()
    assert "combe" not in released.lower() and "whit" not in released.lower()
    assert released.count("<") == source.count("<")


def test_ordinary_words_in_two_elements_stay() -> None:
    source = '<?xml version="1.0"?><d><x>good</x><x>man</x><p>Whitcombe came.</p></d>'
    keen = Sanitizer({"find": {"deny": ["Goodman"], "names": "none"}})
    report = keen.sanitize(source.encode(), name="x.xml")
    assert report.released is not None and b"<x>good</x><x>man</x>" in report.released


@pytest.mark.parametrize(
    "text", ["we met Whit-\n\nPage 1\n\nA report\n\ncombe there", "| Whit | a |\n|---|---|\n| combe | b |\n"]
)
def test_both_halves_of_a_name_are_places(text: str) -> None:
    name = PropagatedString("whitcombe", "PERSON", "cut elsewhere", 1.0)
    places = hidden_places(text, {name.string: name}, lambda *_: True)
    assert [text[span.start : span.end] for _, span in places] == ["Whit", "combe"]


@pytest.mark.parametrize("tag", ["<xyz>", "</xyz>", '<x a="1"/>', "<br>", "</first><last>"])
def test_a_denied_word_goes_from_both_sides_of_a_tag(tag: str) -> None:
    """The tag stays: a file of data needs it."""
    redaction = DENY.redact(f"signed below: Whit{tag}combe today")
    assert redaction.verdict is Verdict.HELD
    assert redaction.text == f"signed below: [DENIED_1]{tag}[DENIED_1] today"


@pytest.mark.parametrize("text", ["<p>Whit</p><p>combes</p>", "<p>Whit</p> and <p>combe</p>"])
def test_words_beside_tags_that_are_no_denied_word_stay(text: str) -> None:
    assert DENY.redact(text).text == text


def test_time_of_tags_grows_with_the_length() -> None:
    finder = WordFinder((Listed("Whitcombe"),), glued=True)
    assert_linear(lambda text: list(finder.find(text)), "Whit<x>", 16_000)
