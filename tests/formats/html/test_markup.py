from __future__ import annotations

import html
from dataclasses import dataclass, field
from html.parser import HTMLParser

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from efface.api.sanitizer import Sanitizer
from efface.attacks.readers.extract import extract
from efface.core import Edit, Verdict, apply_edits
from efface.formats.html.markup import HTML, _scan
from tests.formats.helpers import Place, carried_out, edits_of, edits_within, read, redact, write

WORDS = st.text("ab &<>\"'é;#", max_size=5)


@dataclass
class Page:
    """A page under construction: its source, and by definition what its text shows."""

    draw: st.DrawFn
    source: str = ""
    flow: list[Place] = field(default_factory=list)
    asides: dict[str, list[Place]] = field(default_factory=dict)

    def text(self, text: str) -> None:
        self.source += self.spell(text, "&<>")
        self.flow.append(Place(text))

    def element(self, name: str, attributes: list[tuple[str, str]], depth: int) -> None:
        self.source += f"<{name}"
        for attribute, value in attributes:
            quote = self.draw(st.sampled_from("\"'"))
            self.source += f" {attribute}={quote}{self.spell(value, '&<>' + quote)}{quote}"
            self.aside(f"attribute {attribute}", value)
        self.source += ">"
        self.gap(name)
        self.children(depth)
        self.source += f"</{name}>"
        self.gap(name)

    def gap(self, name: str) -> None:
        if name not in ("b", "span"):
            self.flow.append(Place("\t" if name == "td" else "\n", free=False))

    def comment(self, text: str) -> None:
        self.source += f"<!--{self.spell(text, '&<>')}-->"
        self.aside("comment", text)

    def aside(self, part: str, text: str) -> None:
        self.asides.setdefault(part, []).append(Place(text))

    def children(self, depth: int) -> None:
        for kind in self.draw(st.lists(st.sampled_from("text comment b span p td".split()), max_size=3)):
            if kind == "text":
                self.text(self.draw(WORDS))
            elif kind == "comment":
                self.comment(self.draw(WORDS))
            elif depth:
                names = self.draw(
                    st.lists(st.sampled_from(["alt", "title", "value"]), max_size=2, unique=True)
                )
                self.element(kind, [(name, self.draw(WORDS)) for name in names], depth - 1)

    def spell(self, text: str, unsafe: str) -> str:
        return "".join(
            html.escape(char)
            if char in unsafe
            else self.draw(st.sampled_from([char, char, f"&#{ord(char)};"]))
            for char in text
        )

    def places(self) -> list[Place]:
        lines = [place for places in self.asides.values() for place in places]
        return self.flow + [piece for line in lines for piece in (Place("\n", free=False), line)]


@st.composite
def pages(draw: st.DrawFn) -> Page:
    page = Page(draw)
    page.children(3)
    return page


class Seen(HTMLParser):
    """What the standard library sees: tags with attributes, text, comments."""

    def __init__(self, source: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.texts: list[str] = [""]
        self.values: list[str] = []
        self.feed(source)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.texts.append("")
        self.values += [value or "" for _, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        self.tags.append("/" + tag)
        self.texts.append("")

    def handle_data(self, data: str) -> None:
        self.texts[-1] += data

    def handle_comment(self, data: str) -> None:
        self.tags.append("!")


@given(pages(), st.data())
def test_edits_change_the_places_they_touch(page: Page, data: st.DataObject) -> None:
    source = page.source.encode()
    document = HTML.read(source, "x.html")
    places = page.places()
    assert document.text == "".join(place.text for place in places)
    assert HTML.write(document, ()) == source

    edits = data.draw(edits_within(0, len(document.text)))
    released = HTML.write(document, edits)
    after = carried_out(places, edits)
    assert HTML.read(released, "x.html").text == "".join(after)
    before, seen = Seen(page.source), Seen(released.decode())
    assert seen.tags == before.tags
    body = "".join(text for text, place in zip(after, page.flow, strict=False) if place.free)
    assert "".join(seen.texts).split() == body.replace("\0", "\ufffd").split() or "\0" in body


TEMPLATES = [
    # source around a place, and the text before and after what the place shows
    ("<p>{}</p>", "\n", "\n"),
    ("<title>{}</title><p>z", "\n", "\n\nz"),
    ("<textarea>{}</textarea>", "\n", "\n"),
    ("<!--{}--><p>z", "\nz\n", ""),
    ("<![CDATA[{}]]><p>z", "\nz\n", ""),
    ("<!{}><p>z", "\nz\n", ""),
    ("<?{}><p>z", "\nz\n", ""),
    ("</ {}><p>z", "\nz\n", ""),
    ("<script>{}</script><p>z", "\nz\n", ""),
    ("<style>{}</style><p>z", "\nz\n", ""),
    ("<xmp>{}</xmp><p>z", "\n\n\nz\n", ""),
    ('<a title="{}">z', "z\n", ""),
    ("<a title='{}'>z", "z\n", ""),
    ("<a title={}>z", "z\n", ""),
    ('<a href="{}">z', "z\n", ""),
    ("<a href={} alt=z>", "\n", "\nz"),
    ("<!--{}", "\n", ""),
    ("<title>{}", "\n", ""),
]
WORDLIKE = st.sampled_from(
    "é b n \" ' = & amp; &# 38 ; &not in; < / script style title > -- ! - ]] % 40 c3 %C3%A9 + ? \\ u0041 x41".split()
)
BITS = st.one_of(WORDLIKE, st.sampled_from([" ", "\n", "41 "]))


@pytest.mark.parametrize(("template", "before", "after"), TEMPLATES)
@settings(max_examples=20)
@given(data=st.data())
def test_no_edit_breaks_out_of_its_place(template: str, before: str, after: str, data: st.DataObject) -> None:
    """Whatever stands in a place and whatever the edits join, reading again gives the edited text."""
    source = template.format("".join(data.draw(st.lists(BITS, min_size=1, max_size=8))))
    same_places = len(list(_scan(source))) == len(list(_scan(template.format("x"))))
    document = HTML.read(source.encode(), "x.html")
    assume(same_places and document.text.startswith(before) and document.text.endswith(after))
    edits = data.draw(
        edits_within(len(before), len(document.text) - len(after), alphabet="x<>&;\"'-!]/\\ %+\n")
    )
    released = HTML.write(document, edits)
    assert HTML.write(document, ()) == source.encode()
    assert HTML.read(released, "x.html").text == apply_edits(document.text, edits)


CASES = [
    # input, term, replacement, output
    ("<p>Jo<b>hn</b>!</p>", "John", "[X_1]", "<p>[X_1]<b></b>!</p>"),
    ("<p>J&ouml;rg &amp; co</p>", "Jörg", "A & <B>", "<p>A &amp; &lt;B&gt; &amp; co</p>"),
    ("<p>&#74;o&shy;e</p>", "Jo\u00ade", "X", "<p>X</p>"),
    ("<img alt=\"Ann\" title='Ann' data-x=Ann>", "Ann", "a b", '<img alt="a b" title=\'a b\' data-x="a b">'),
    ('<i title="Ann">', "Ann", "\"'<", '<i title="&quot;\'&lt;">'),
    ("<i title='Ann'>", "Ann", "\"'<", "<i title='\"&#39;&lt;'>"),
    ("<i title=Ann>", "Ann", "", '<i title="">'),
    ('<a href="mailto:ann%40x.org">', "ann@x.org", "[X_1]", '<a href="mailto:[X_1]">'),
    ('<a href="/?q=Ann+Lee&amp;x=1">', "Ann Lee", "É b", '<a href="/?q=%C3%89%20b&amp;x=1">'),
    (
        '<a href="mailto:a+b@x.org?cc=c+d@x.org&amp;body=Ann+Lee">',
        "Ann Lee",
        "X",
        '<a href="mailto:a+b@x.org?cc=c+d@x.org&amp;body=X">',
    ),
    ('<a href="tel:+1%20555">', "+1 555", "[X_1]", '<a href="tel:[X_1]">'),
    ("<!-- Ann -->", "Ann", "-->", "<!-- --&gt; -->"),
    ("<!-- -Ann->", "Ann", "", "<!-- &#45;&#45;>"),  # joined it would end the comment
    (
        '<script>var a="Ann\\u0040x";</script>',
        "Ann@x",
        '"</script>',
        r'<script>var a="\u0022\u003c\u002fscript\u003e";</script>',
    ),
    ('<style>a::after{content:"Ann"}</style>', "Ann", '"}', r'<style>a::after{content:"\22 \7d "}</style>'),
    ("<p onclick=\"f('Ann')\">", "Ann", "');alert(1", "<p onclick=\"f('alert1')\">"),
    ("<ann@x.org> said", "ann@x.org", "[X_1]", "<x-[X_1]> said"),
    ("<p Ann>", "Ann", "[X_1]", "<p [X_1]>"),
    (
        "<title>Ann</title><textarea>Ann</textarea>",
        "Ann",
        "</title>",
        "<title>&lt;/title&gt;</title><textarea>&lt;/title&gt;</textarea>",
    ),
    ("a < b Ann", "Ann", "X", "a < b X"),
    ("<![CDATA[Ann]]>", "Ann", "]]>", "<![CDATA[]]&gt;]]>"),
    ("<!--[if IE]><p>Ann</p><![endif]-->", "Ann", "X", "<!--[if IE]><p>X</p><![endif]-->"),
    ("<!DOCTYPE Ann>", "Ann", "X", "<!DOCTYPE X>"),
    (
        "<noscript>Ann</noscript><template><p>Ann</template>",
        "Ann",
        "X",
        "<noscript>X</noscript><template><p>X</template>",
    ),
]


@pytest.mark.parametrize(("source", "term", "replacement", "expected"), CASES)
def test_cases(source: str, term: str, replacement: str, expected: str) -> None:
    document = read("x.html", source.encode())
    edits = edits_of(document.text, term, replacement)
    assert edits
    assert write(document, edits).decode() == expected


def test_what_says_how_to_read_the_page_is_no_text() -> None:
    source = b'<!DOCTYPE html><meta charset="utf-8"><meta content="text/html; charset=utf-8"><p>Ann'
    assert read("x.html", source).text.split() == ["Ann"]


def test_names_that_html_defines_are_no_text() -> None:
    assert read("x.html", b'<section class="a"><img alt="b"><table width=5>').text.split() == ["a", "b", "5"]


def test_parts_say_where_a_text_stands() -> None:
    source = b'<title>T</title><p>B<!--C--><img alt="A1"><img alt="A2" data-zz="D"><script>S</script>'
    document = read("x.html", source)
    named = {part.name: document.text[part.start : part.end].split() for part in document.parts}
    assert named == {
        "title": ["T"],
        "body": ["B"],
        "comment": ["C"],
        "attribute alt": ["A1", "A2"],
        "attribute name": ["data-zz"],
        "attribute": ["D"],
        "script": ["S"],
    }


def test_cells_and_blocks_part_words() -> None:
    assert read("x.html", b"<tr><td>Ann<td>Lee<br>x<p>y<b>z</b>").text.split() == ["Ann", "Lee", "x", "yz"]


@pytest.mark.parametrize(
    ("head", "encoding"),
    [
        ('<meta charset="windows-1251">', "cp1251"),
        ('<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">', "koi8-r"),
        ('<?xml version="1.0" encoding="iso-8859-5"?>', "iso8859-5"),
        ("<meta charset=utf-16>", "utf-8"),
        ("<meta charset=no-such-thing>", "utf-8"),
    ],
)
def test_the_declared_charset_is_honoured(head: str, encoding: str) -> None:
    data = (head + "<p>Иван и Анна").encode(encoding)
    released = redact("x.html", data, "Иван", "Łukasz")
    escaped = "Łukasz" if encoding == "utf-8" else "&#321;ukasz"
    assert released == (head + f"<p>{escaped} и Анна").encode(encoding)


@pytest.mark.parametrize(
    "source", ["<p Ann", '<p title="Ann', "</p Ann", "x<a href='Ann>", "<!-- Ann", "<script>Ann"]
)
def test_what_the_end_of_the_file_cuts_off_is_searched(source: str) -> None:
    document = read("x.html", source.encode())
    edits = edits_of(document.text, "Ann", "[X_1]")
    released = write(document, edits)
    assert b"Ann" not in released and len(edits) == 1
    assert write(document, ()) == source.encode()
    assert released.decode() in (source.replace("Ann", "[X_1]"), source.replace("Ann", "x[X_1]"))


@given(
    st.lists(st.one_of(BITS, st.sampled_from(["<", "<p", "</", "<!--", "<a b=", "p"])), max_size=12),
    st.data(),
)
def test_no_page_is_too_broken(bits: list[str], data: st.DataObject) -> None:
    source = "".join(bits).encode()
    document = HTML.read(source, "x.html")
    assert HTML.write(document, ()) == source
    edits = data.draw(edits_within(0, len(document.text)))
    HTML.read(HTML.write(document, edits), "x.html")


@pytest.mark.parametrize(
    "page",
    [
        "<ruby>田<rt>た</rt></ruby><ruby>中<rt>なか</rt></ruby>さん",
        "<ruby>田<rp>(</rp><rt>た</rt><rp>)</rp>中<rt>なか</ruby>さん",
        "<ruby>田<rt>た<rb>中<rt>なか</ruby>さん",
    ],
)
def test_a_reading_beside_a_word_does_not_part_it(page: str) -> None:
    text = HTML.read(page.encode(), "x.html").text
    assert text.startswith("田中さん\n")
    assert "た" in text
    assert "なか" in text


HIDDEN_WITHIN = [
    'Whit<span style="display:none">xx</span>combe',
    "Whit<span hidden>q</span>combe",
    'Whit<b style="color: red; visibility : hidden">q</b>combe',
    "Whit<i style='font-size:0px'>q</i>combe",
    'Whit<i style="opacity: 0.0">q</i>combe',
    "Whit<template>z</template>combe",
    "Whit<script>var a</script>combe",
    "Whit<style>p { color: red }</style>combe",
    "<b>Whit</b><span hidden>q</span><i>combe</i>",
]


@pytest.mark.parametrize("page", HIDDEN_WITHIN)
def test_what_browsers_do_not_show_parts_no_word(page: str) -> None:
    document = HTML.read(f"<p>Dear {page}, hello</p>".encode(), "x.html")
    assert "Dear Whitcombe, hello" in document.text
    place = document.text.index("Whitcombe")
    released = HTML.write(document, [Edit(place, place + 9, "DENIED", "whitcombe", "listed", "[P]")])
    assert b"Whit" not in released and b"combe" not in released


@pytest.mark.parametrize(
    "page", ["Whit<i style='opacity: 0.5'>q</i>combe", "Whit<i data-hidden-by=x>q</i>combe"]
)
def test_what_browsers_show_stays_in_its_word(page: str) -> None:
    assert "Whitqcombe" in HTML.read(f"<p>{page}</p>".encode(), "x.html").text


@pytest.mark.parametrize("rule", [".h { display: none }", "p .a, span#h{color:red;visibility:hidden}"])
@pytest.mark.parametrize("name", ["class=h", 'class="b h"', "id='h'"])
def test_a_style_sheet_of_the_page_hides(rule: str, name: str) -> None:
    page = f"<style>{rule}</style><p>Project <span {name}>x</span>Falcon by Whit<i {name}>x</i>combe</p>"
    assert "Project Falcon by Whitcombe" in HTML.read(page.encode(), "x.html").text
    shown = dict(extract(page.encode(), "html"))["page as it is shown"]
    assert "Project Falcon by Whitcombe" in shown


@pytest.mark.parametrize("inside", ["x", "<b>x</b>", "x&nbsp;y", "x" * 1500])
def test_a_word_with_something_in_it_that_may_be_hidden_is_not_released(inside: str) -> None:
    """What a style sheet elsewhere hides only a browser knows: the search of the release reads the word without it."""
    page = f"<link rel=stylesheet href=a.css><p>Dear Whit<span class=h>{inside}</span>combe</p>"
    policy = "find: {names: none, patterns: none, deny: [Whitcombe]}"
    report = Sanitizer.from_text(policy).sanitize(page.encode(), name="x.html")
    assert report.verdict is Verdict.BROKEN and report.released is None
