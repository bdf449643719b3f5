"""What an attacker reads in an HTML page: all of its text, the page as its own style sheets show it, the words that close
when something within them is hidden, what style sheets add to a text, and every attribute, comment and script."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from efface.attacks.readers.html_tokens import Kind, Token, tokens
from efface.text.placeholder_blank import APART_SIGN

APART = f"\n{APART_SIGN}\n"  # no finder reads across the mark

_INLINE = frozenset(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark q rp rt ruby s samp small span "
    "strike strong sub sup time tt u var wbr".split()
)
_UNSHOWN = frozenset("audio canvas datalist noembed noframes noscript object template title video".split())
_VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())
_BESIDE = frozenset(("rt", "rp"))  # how the word beside it is read
_HIDING = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|(?:font-size|opacity)\s*:\s*0(?![.\d]*[1-9])",
    re.IGNORECASE,
)
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_ESCAPE = re.compile(r"\\([0-9A-Fa-f]{1,6})\s?")
_MARKED = re.compile(r"[.#]([\w-]+)")
_ADDED = re.compile(r"content\s*:([^;}]*)", re.IGNORECASE)
_SAID = re.compile(r"\"([^\"]*)\"|'([^']*)'|attr\(\s*([\w-]+)\s*\)")
_WORD_BEFORE, _WORD_AFTER = re.compile(r"\S+\Z"), re.compile(r"\S+")
_NEAR = 120  # characters on either side of an element
# What a start tag ends that was left open.
_BLOCKS = frozenset(
    "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form h1 h2 h3 h4 "
    "h5 h6 header hr main menu nav ol p pre section table ul".split()
)
_ENDED_BY = {
    "p": _BLOCKS,
    "li": frozenset(["li"]),
    "option": frozenset(["option"]),
    **dict.fromkeys(("dt", "dd"), frozenset(("dt", "dd"))),
    **dict.fromkeys(("td", "th"), frozenset(("td", "th", "tr"))),
    **dict.fromkeys(("rt", "rp"), _BESIDE),
}
# Styles under which elements are shown in another order than they are written.
_TURNING = re.compile(r"reverse|\border\s*:|direction\s*:|float\s*:\s*right|\bdir\s*=", re.IGNORECASE)
_LITERAL = re.compile(r"\"([^\W\d_]{1,40})\"|'([^\W\d_]{1,40})'|`([^\W\d_]{1,40})`")
_SHORT = 60  # characters of an element that may be a piece of a word
_MOST_ADDED = 20_000  # texts with something added that are looked at


@dataclass(slots=True)
class _OpenElement:
    """An open element: where its text begins, and the text that is its own."""

    name: str
    names: frozenset[str]  # its classes and ids, and <its name>
    attributes: dict[str, str]
    start: int
    hidden: bool  # by itself or by an element around it
    own: list[str] = field(default_factory=list)
    children: list[str] = field(default_factory=list)  # what short elements inside say


class Page:
    """A page that was read once from its beginning to its end."""

    def __init__(self, source: str) -> None:
        self._sheets: list[str] = []
        self.asides: list[tuple[str, str]] = []
        self.words: list[str] = []  # that close when something is hidden, or that a style sheet adds to
        self._body: list[str] = []
        self._shown: list[str] = []
        self._length = 0
        self._open: list[_OpenElement] = [_OpenElement("", frozenset(), {}, 0, hidden=False)]
        self._count: Counter[str] = Counter()  # of open elements, by name
        self._within: list[tuple[int, int]] = []  # elements, by the place of their text
        self._turns = _TURNING.search(source) is not None
        listed = list(tokens(source))
        self._sheets = list(_rules(listed))
        self._hiding = frozenset(_names_of(self._sheets, _HIDING))
        self._adding = dict(_additions(self._sheets))
        for token in listed:
            self._read_token(token)
        while len(self._open) > 1:
            self._close()
        self.words += self._open[0].own if len(self._open[0].own) > 1 else []
        self.body = "".join(self._body)
        self.shown = "".join(self._shown)

    def _read_token(self, token: Token) -> None:
        if token.kind is Kind.START:
            self._start(token)
        elif token.kind is Kind.END:
            self._end(token.text)
        elif token.kind is Kind.TEXT:
            self._text(token.text)
        elif token.kind is Kind.RAW:
            self._add(token.text, own=False)
            literals = ["".join(found) for found in _LITERAL.findall(token.text)]
            self.words += map("".join, pairwise(literals))
        else:
            self.asides.append(("comment", token.text))

    def _start(self, token: Token) -> None:
        name = token.text
        attributes = dict(token.attributes)
        self.asides.extend((f"attribute {key}", value) for key, value in token.attributes if value)
        if name in _ENDED_BY.get(self._open[-1].name, ()):
            self._close()
        marks = f"{attributes.get('class', '')} {attributes.get('id', '')}".split()
        names = frozenset((f"<{name}>", *marks))
        hidden = self._open[-1].hidden or self._hides(name, names, attributes)
        element = _OpenElement(name, names, attributes, self._length, hidden)
        self._open.append(element)
        self._count[name] += 1
        if name not in _INLINE:
            self._add("\n", own=False)
        if name in _VOID:
            self._close()

    def _hides(self, name: str, names: frozenset[str], attributes: dict[str, str]) -> bool:
        if name in _UNSHOWN or "hidden" in attributes or not self._hiding.isdisjoint(names):
            return True
        if name == "dialog" and "open" not in attributes:
            return True
        return _HIDING.search(attributes.get("style", "")) is not None

    def _end(self, name: str) -> None:
        if not self._count[name]:
            return
        while self._open[-1].name != name:
            self._close()
        self._close()

    def _close(self) -> None:
        element = self._open[-1]
        if element.name not in _INLINE and element.name not in _VOID:
            self._add("\n", own=False)
        self._open.pop()
        self._count[element.name] -= 1
        if self._length > element.start:
            self._within.append((element.start, self._length))
        if len(element.own) > 1:
            self.words.append("".join(element.own))
        if self._turns:
            self._add_reversed_children(element)
        if self._adding and len(self.words) < _MOST_ADDED:
            self._add_content(element)

    def _add_reversed_children(self, element: _OpenElement) -> None:
        """What the elements inside say from the last to the first, as some styles show them."""
        own = "".join(element.own).strip() or "".join(element.children)
        if own and len(own) <= _SHORT:
            self._open[-1].children.append(own)
        if len(element.children) > 1:
            self.words.append("".join(reversed(element.children)))

    def _add_content(self, element: _OpenElement) -> None:
        """The element's text with what style sheets put before or after it."""
        for name in element.names & self._adding.keys():
            for content in self._adding[name]:
                said = "".join(
                    match[1] or match[2] or element.attributes.get(match[3] or "", "")
                    for match in _SAID.finditer(content)
                )
                own = "".join(element.own).strip()
                if said:
                    self.words += (said + own, own + said)

    def _text(self, text: str) -> None:
        if self._open[-1].name in _BESIDE:
            self.asides.append(("ruby", text))
        else:
            self._add(text, own=True)

    def _add(self, text: str, *, own: bool) -> None:
        self._body.append(text)
        self._length += len(text)
        if own:
            self._open[-1].own.append(text)
        if not self._open[-1].hidden:
            self._shown.append(text)

    def around_elements(self) -> Iterator[str]:
        """Yields each word that contains an element, without that element: a style sheet may hide it."""
        for start, end in self._within:
            left = _WORD_BEFORE.search(self.body[max(0, start - _NEAR) : start])
            right = _WORD_AFTER.match(self.body[end : end + _NEAR])
            if left and right:
                yield left.group() + right.group()


def _rules(listed: list[Token]) -> Iterator[str]:
    """The rules of the page's own style sheets, without their comments and escapes."""
    for before, token in pairwise(listed):
        if token.kind is Kind.RAW and before.text == "style":
            sheet = _ESCAPE.sub(
                lambda found: chr(min(int(found[1], 16), 0xFFFF)), _COMMENT.sub("", token.text)
            )
            yield from sheet.split("}")


def _names_of(rules: list[str], declared: re.Pattern[str]) -> Iterator[str]:
    """The names, classes and ids in the rules that declare something."""
    for rule in rules:
        selector, _, declarations = rule.rpartition("{")
        if declared.search(declarations):
            yield from _last_names(selector)


def _additions(rules: list[str]) -> dict[str, list[str]]:
    """What rules put before or after an element, by its name, class or id."""
    found: dict[str, list[str]] = {}
    for rule in rules:
        selector, _, declarations = rule.rpartition("{")
        content = _ADDED.search(declarations)
        if content and re.search("before|after", selector, re.IGNORECASE):
            for name in _last_names(selector):
                found.setdefault(name, []).append(content[1])
    return found


def _last_names(selector: str) -> Iterator[str]:
    """What the element itself is called in a selector: "p .h::after" speaks of a class "h", "p i" of any <i>."""
    for one in selector.rpartition("{")[2].split(","):
        compound = re.split(r"[\s>+~]+", one.strip())[-1].partition(":")[0]
        marks = _MARKED.findall(compound)
        yield from marks or (f"<{compound.lower()}>",)


def read(source: str) -> Iterator[tuple[str, str]]:
    """Yields (place, text) for everything in the page."""
    page = Page(source)
    yield "page", page.body
    yield from page.asides
    if page.shown != page.body:
        yield "page as it is shown", page.shown
    yield "words around what may be hidden", APART.join((*page.words, *page.around_elements()))
