from __future__ import annotations

import base64
import email
import email.headerregistry
import email.policy
from collections.abc import Sequence
from email.message import EmailMessage, Message
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from efface import formats
from efface.core import Document, Edit, apply_edits
from efface.errors import InputError, Refused
from efface.formats import get_format
from efface.formats.mail import message as mail
from efface.formats.mail.message import EML, MAX_DEPTH
from tests.formats.helpers import an_edit, edits_of, edits_within, read, redact, write

TERM = "Ann Lee"
FILLER = st.text("abz é€,.\"'<>=-\n名", max_size=30)
WORDS = st.text("abz é€,.\"'()<>@=-名", max_size=20).map(lambda text: " ".join(text.split()))
ENCODINGS = st.sampled_from(["quoted-printable", "base64", "8bit"])


@st.composite
def with_term(draw: st.DrawFn, filler: st.SearchStrategy[str] = FILLER) -> str:
    return f"{draw(filler)} {TERM} {draw(filler)}".strip()


@st.composite
def messages(draw: st.DrawFn, depth: int = 2) -> EmailMessage:
    """A MIME tree, built by the standard library."""
    message = EmailMessage(policy=email.policy.SMTP)
    message["Subject"] = draw(with_term(WORDS))
    message["From"] = email.headerregistry.Address(
        draw(with_term(st.text("ab é,.'", max_size=9))).strip(), "a", "x.org"
    )
    message["X-Note"] = draw(WORDS)
    message.set_content(draw(with_term()), cte=draw(ENCODINGS))
    if draw(st.booleans()):
        message.add_alternative(f"<p>{TERM} &amp; <b>co</b>", subtype="html", cte=draw(ENCODINGS))
    for _ in range(draw(st.integers(0, 2))):
        kind = draw(st.sampled_from(["csv", "json", "message"]))
        if kind == "message" and depth:
            message.add_attachment(draw(messages(depth - 1)))
        elif kind == "json":
            message.add_attachment(
                b'{"a": "Ann Lee"}', maintype="application", subtype="json", filename="é a.json"
            )
        else:
            message.add_attachment(
                f"n,x\n{TERM},1", subtype="csv", filename=f"{TERM}.csv", cte=draw(ENCODINGS)
            )
    return message


def contents(message: Message) -> list[Any]:
    """All that the standard library sees, part by part."""
    seen: list[Any] = []
    for part in message.walk():
        seen.append(part.get_content_type())
        seen += [str(value) for name, value in part.items() if name in ("Subject", "X-Note")]
        sender: Any = part["From"]
        seen += [address.display_name for address in sender.addresses] if sender else []
        seen.append(part.get_filename())
        if not part.is_multipart():
            payload = part.get_payload(decode=True)
            assert isinstance(payload, bytes)
            seen.append(payload.decode("utf-8"))
    return seen


@settings(max_examples=50)
@given(messages())
def test_a_term_goes_everywhere_and_all_else_stays(message: EmailMessage) -> None:
    data = message.as_bytes()
    document = EML.read(data, "x.eml")
    assert EML.write(document, ()) == data
    released = redact("x.eml", data, TERM, "[X_1]")
    before = contents(email.message_from_bytes(data, policy=email.policy.default))
    after = contents(email.message_from_bytes(released, policy=email.policy.default))
    assert after == [seen and seen.replace(TERM, "[X_1]") for seen in before]


@settings(max_examples=50)
@given(messages(depth=1), st.data())
def test_edits_anywhere_leave_a_readable_message(message: EmailMessage, data: st.DataObject) -> None:
    source = message.as_bytes()
    document = EML.read(source, "x.eml")
    edits = data.draw(edits_within(0, len(document.text)))
    types = [part.get_content_type() for part in email.message_from_bytes(source).walk()]
    try:
        released = EML.write(document, edits)
    except Refused:
        return
    again = email.message_from_bytes(released)
    assert [part.get_content_type() for part in again.walk()] == types
    assert len(again.keys()) == len(email.message_from_bytes(source).keys())


LINES = [
    "Subject: Ann",
    "Content-Type: multipart/mixed; boundary=b",
    "Content-Type: text/html",
    "Content-Type: message/rfc822",
    "Content-Transfer-Encoding: base64",
    "Content-Transfer-Encoding: quoted-printable",
    'Content-Disposition: attachment; filename="a.csv"',
    *(
        " folded",
        "",
        "--b",
        "--b--",
        "--c",
        "QW5u",
        "A=6En",
        "Ann",
        "<p>Ann",
        "From x",
        ": odd",
        "=?utf-8?q?A=6En?=",
    ),
]


@given(st.lists(st.sampled_from(LINES), max_size=14), st.sampled_from(["\n", "\r\n", "\r"]), st.data())
def test_no_message_is_too_broken(lines: list[str], end: str, data: st.DataObject) -> None:
    source = end.join(lines).encode()
    try:
        document = EML.read(source, "x.eml")
    except InputError:
        return
    assert EML.write(document, ()) == source
    edits = data.draw(edits_within(0, len(document.text)))
    try:
        EML.read(EML.write(document, edits), "x.eml")
    except (InputError, Refused):
        return


VALUE_BITS = st.one_of(
    st.sampled_from(["a", "b c", "é", " ", "\r\n ", ";", "=", '"', "\\", "(", ")", "<", ">", "@", ",", ":"]),
    st.sampled_from(
        ["%C3%A9", "%C3", "utf-8''", "=?utf-8?q?A=C3=A9?=", "=?utf-8?b?w6k=?=", "=?", "?=", "*", "0"]
    ),
    st.sampled_from(["; filename", "; name=", "; charset=utf-8", "; boundary=b", "; x-y=z", "text/plain"]),
    st.sampled_from(["; filename*=utf-8''x%20y", '; filename*0="p"; filename*1="q"']),
)
FIELDS = ["Subject", "From", "X-Odd", "Content-Type", "Content-Disposition", "Content-Transfer-Encoding"]


@given(st.sampled_from(FIELDS), st.lists(VALUE_BITS, max_size=8), st.data())
def test_no_field_is_too_odd(name: str, bits: list[str], data: st.DataObject) -> None:
    """Edits never add a field or lose one, and in free text reading again gives the edited text."""
    source = f"{name}: x{''.join(bits)}\r\nDate: 1 Jan\r\n\r\nbody".encode()
    try:
        document = EML.read(source, "x.eml")
    except InputError:
        return
    assert EML.write(document, ()) == source
    length = document.text.index("1 Jan")
    edits = data.draw(edits_within(0, length - 1, alphabet="x<>&;\"'\\=?é %_(,:@"))
    released = EML.write(document, edits)
    assert len(email.message_from_bytes(released).keys()) == 2
    if name in ("Subject", "From"):
        assert EML.read(released, "x.eml").text == apply_edits(document.text, edits)


HEADER_CASES = [
    # field, term, replacement, the field as it leaves
    ("Subject: About Ann", "Ann", "[X_1]", "Subject: About [X_1]"),
    ("Subject: A\r\n nn Lee", "A nn", "X", "Subject: X Lee"),
    ("Subject: Ann", "Ann", "x\r\nBcc: evil@x.org", "Subject: x  Bcc: evil@x.org"),
    ("Subject: Ann", "Ann", "é", "Subject: =?utf-8?b?w6k=?="),
    ("Subject: =?iso-8859-1?Q?J=F6rg_Ann?= x", "Ann", "[X_1]", "Subject: =?utf-8?b?SsO2cmcgW1hfMV0=?= x"),
    ("Subject: =?utf-8?B?w7w=?= =?utf-8?B?QW5u?=", "Ann", "", "Subject: =?utf-8?b?w7w=?="),
    ("Subject: =?utf-8?B?w7xBbm4=?=", "üAnn", "[X_1]", "Subject: [X_1]"),
    ("From: Ann Lee <ann@x.org>", "Ann Lee", "[X_1]", 'From: "[X_1]" <ann@x.org>'),
    ("From: Ann <ann@x.org>", "ann@x.org", "[X_1]", 'From: Ann <"[X_1]">'),
    ("From: Ann <ann@x.org>", "Ann", "Bo Ek", "From: Bo Ek <ann@x.org>"),
    (
        'To: "Lee, Ann" <a@x.org>, Ann <b@x.org>',
        "Ann",
        "[X_1]",
        'To: "Lee, [X_1]" <a@x.org>, "[X_1]" <b@x.org>',
    ),
    ('To: "Ann \\"A\\" Lee" <a@x.org>', "Lee", '"q', 'To: "Ann \\"A\\" \\"q" <a@x.org>'),
    ("X-Ann-Id: 1", "Ann", "[X_1]", "X-[X_1]-Id: 1"),
    ("Message-ID: <ann@x.org>", "ann@x.org", "[X_1]", "Message-ID: <efface@[X_1]>"),
    ("Received: from ann.x.org by y; 1 Jan", "ann.x.org", "[X_1]", "Received: from [X_1] by y; 1 Jan"),
    (
        'Content-Disposition: inline; filename="Ann 1.txt"',
        "Ann",
        "[X_1]",
        'Content-Disposition: inline; filename="[X_1] 1.txt"',
    ),
    (
        "Content-Disposition: inline; filename=Ann.txt",
        "Ann",
        "[X_1]",
        'Content-Disposition: inline; filename="[X_1].txt"',
    ),
    (
        "Content-Disposition: inline; filename=Ann.txt",
        "Ann",
        "Bo",
        "Content-Disposition: inline; filename=Bo.txt",
    ),
    (
        "Content-Disposition: inline; filename*=utf-8''J%C3%B6rg.txt",
        "Jörg",
        "é [1]",
        "Content-Disposition: inline; filename*=utf-8''%C3%A9%20%5B1%5D.txt",
    ),
    (
        'Content-Disposition: inline; filename*0="An"; filename*1="n.txt"',
        "Ann",
        "X",
        'Content-Disposition: inline; filename*0="X"; filename*1=".txt"',
    ),
    (
        'Content-Type: text/plain; name="=?utf-8?q?Ann?=.txt"',
        "Ann",
        "X",
        'Content-Type: text/plain; name="X.txt"',
    ),
    ("Content-Type: text/plain; x-ann=1", "x-ann", "[X_1]", "Content-Type: text/plain; [X_1]=1"),
]


@pytest.mark.parametrize(("field", "term", "replacement", "expected"), HEADER_CASES)
def test_headers(field: str, term: str, replacement: str, expected: str) -> None:
    rest = "\r\nDate: 1 Jan\r\n\r\nbody\r\n"
    document = read("x.eml", (field + rest).encode())
    edits = edits_of(document.text, term, replacement)
    released = write(document, edits)
    assert released.decode() == expected + rest
    again = read("x.eml", released).text
    assert again == apply_edits(document.text, edits) or "\n" in replacement


def test_redacted_addresses_still_parse() -> None:
    released = redact("x.eml", b"From: Ann Lee <ann@x.org>\r\n\r\nx", "Ann Lee", "[PERSON_1]")
    released = redact("x.eml", released, "ann@x.org", "[EMAIL_ADDRESS_1]")
    message = email.message_from_bytes(released, policy=email.policy.default)
    assert message["From"] == '"[PERSON_1]" <"[EMAIL_ADDRESS_1]">'


def multipart(*parts: str, boundary: str = "b1", head: str = "Subject: x") -> bytes:
    body = "".join(f"--{boundary}\r\n{part}\r\n" for part in parts)
    top = f'{head}\r\nContent-Type: multipart/mixed; boundary="{boundary}"\r\n\r\n'
    return f"{top}preamble\r\n{body}--{boundary}--\r\nepilogue\r\n".encode()


def test_only_touched_parts_are_encoded_again() -> None:
    odd = "Content-Transfer-Encoding: base64\r\n\r\nQm\r\nV\r\n0dHk="  # Betty, oddly folded
    soft = "Content-Transfer-Encoding: quoted-printable\r\n\r\nca=\r\nf=c3=A9"
    data = multipart(odd, soft, "\r\nAnn")
    assert redact("x.eml", data, "Ann", "X") == data.replace(b"Ann", b"X")
    assert redact("x.eml", data, "café", "X") == data.replace(b"ca=\r\nf=c3=A9", b"X")
    assert redact("x.eml", data, "Betty", "Bob") == data.replace(b"Qm\r\nV\r\n0dHk=", b"Qm9i")


def test_base64_keeps_its_line_length() -> None:
    code = base64.b64encode(b"Ann " * 20)
    lines = b"\r\n".join(code[at : at + 40] for at in range(0, len(code), 40))
    data = b"Content-Transfer-Encoding: base64\r\n\r\n" + lines + b"\r\n"
    again = base64.b64encode(b"Bob " * 20)
    expected = b"\r\n".join(again[at : at + 40] for at in range(0, len(again), 40))
    assert redact("x.eml", data, "Ann", "Bob") == data.replace(lines, expected)


def test_text_before_and_after_the_parts_is_searched() -> None:
    document = read("x.eml", multipart("\r\nbody"))
    assert "preamble" in document.text and "epilogue" in document.text


def test_an_edited_boundary_gives_way_to_a_fresh_one() -> None:
    data = multipart("\r\none", "\r\ntwo", boundary="ann-555-1234")
    document = read("x.eml", data)
    released = write(document, edits_of(document.text, "555-1234", "[X_1]"))
    assert released == data.replace(b"ann-555-1234", b"efface-part-0")
    assert b"555" not in released


def test_no_edit_makes_a_delimiter() -> None:
    document = read("x.eml", multipart("\r\n-x-b1\r\n"))
    with pytest.raises(Refused):
        write(document, edits_of(document.text, "x-", "-"))


def test_seven_bit_parts_stay_seven_bit() -> None:
    data = b"Content-Type: text/html; charset=utf-8\r\n\r\n<p>Ann"
    assert redact("x.eml", data, "Ann", "é") == data.replace(b"Ann", b"&#233;")
    document = read("x.eml", b"Content-Type: text/plain; charset=utf-8\r\n\r\nAnn")
    assert write(document, edits_of(document.text, "Ann", "Zoë")).endswith(b"\r\n\r\nZoe")


@pytest.mark.parametrize(
    ("charset", "encoding"),
    [("iso-8859-1", "latin-1"), ("koi8-r", "koi8-r"), ("iso-2022-jp", "iso2022_jp"), ("gb2312", "gbk")],
)
def test_charsets_of_bodies(charset: str, encoding: str) -> None:
    text = {"latin-1": "Zoë", "koi8-r": "Иван", "iso2022_jp": "名前", "gbk": "姓名"}[encoding]
    head = f"Content-Type: text/plain; charset={charset}\r\n".encode()
    plain = head + b"\r\n" + f"Ann {text}".encode(encoding)
    assert redact("x.eml", plain, "Ann", "X") == head + b"\r\n" + f"X {text}".encode(encoding)
    coded = (
        head + b"Content-Transfer-Encoding: base64\r\n\r\n" + base64.b64encode(f"Ann {text}".encode(encoding))
    )
    assert text in read("x.eml", coded).text


def test_messages_in_messages_whatever_their_wrapping() -> None:
    inner = b"Subject: Ann\r\n\r\nAnn again"
    for head, body in [
        (b"Content-Type: message/rfc822\r\n\r\n", inner),
        (
            b"Content-Type: message/rfc822\r\nContent-Transfer-Encoding: base64\r\n\r\n",
            base64.b64encode(inner),
        ),
        (
            b'Content-Type: application/octet-stream; name="m.eml"\r\nContent-Transfer-Encoding: base64\r\n\r\n',
            base64.b64encode(inner),
        ),
    ]:
        assert read("x.eml", redact("x.eml", head + body, "Ann", "X")).text.count("X") == 2


@pytest.mark.parametrize(
    ("source", "why"),
    [
        (b"Content-Type: image/png\r\n\r\nx", "no picture"),
        (b"Content-Type: application/octet-stream; name=a.exe\r\n\r\nMZ", "attachment"),
        (b"Content-Transfer-Encoding: base64\r\n\r\nAnn is no base64!", "base64"),
        (b"Content-Transfer-Encoding: x-uuencode\r\n\r\nx", "encoded in a way"),
        (
            b"Content-Type: multipart/mixed; boundary=b\r\nContent-Transfer-Encoding: base64\r\n\r\nx",
            "encoded in a way",
        ),
        (b"Content-Type: text/plain\r\nContent-Type: text/html\r\n\r\nx", "twice"),
        (b"Content-Type: text/plain; charset=utf-7\r\n\r\n+AEE-", "encoding"),
        (b"Content-Type: application/json\r\n\r\n{Ann", "line 1"),
        (b"Content-Type: text/plain\r\n\r\n" + bytes(range(256)), "not a text file"),
    ],
)
def test_what_cannot_be_judged_is_refused(source: bytes, why: str) -> None:
    with pytest.raises(InputError, match=why) as caught:
        read("x.eml", source)
    assert "Ann" not in str(caught.value)


def test_depth_and_number_of_parts_are_bounded() -> None:
    nested = b"Content-Type: message/rfc822\r\n\r\n" * (MAX_DEPTH + 2)
    with pytest.raises(InputError, match="levels deep"):
        read("x.eml", nested)
    boxed = b"x"
    for _ in range(MAX_DEPTH + 2):
        head = b"Content-Type: message/rfc822\r\nContent-Transfer-Encoding: base64\r\n\r\n"
        boxed = head + base64.b64encode(boxed)
    with pytest.raises(InputError, match="levels deep"):
        read("x.eml", boxed)
    with pytest.raises(InputError, match="parts"):
        read("x.eml", b"Content-Type: multipart/mixed; boundary=b\r\n\r\n" + b"--b\r\n\r\nx\r\n" * 12_000)


@pytest.mark.parametrize(
    "source",
    [b"", b"just text", b"\r\n\r\n", b"Subject: x", b"Subject: x\r\n", b"From ann Mon\nSubject: x\n\ny"],
)
def test_little_is_enough_of_a_message(source: bytes) -> None:
    assert write(read("x.eml", source), ()) == source


def test_a_multipart_without_parts_is_text() -> None:
    data = b"Content-Type: multipart/mixed; boundary=b\r\n\r\nAnn wrote"
    assert redact("x.eml", data, "Ann") == data.replace(b"Ann", b"[X_1]")


def test_parts_are_named_without_their_content() -> None:
    data = multipart(
        'Content-Type: text/csv; name="Ann.csv"\r\n\r\na,b\r\n', "Content-Type: text/html\r\n\r\n<p alt=q>"
    )
    names = [part.name for part in read("x.eml", data).parts]
    assert names == [
        "header Subject", "header Content-Type", "between parts", "header Content-Type", "attachment 1",
        "header Content-Type", "body", "attribute alt", "between parts",
    ]  # fmt: skip


def test_an_edit_over_two_pieces_is_shared() -> None:
    document = read("x.eml", b"Subject: An\r\n\r\nn Lee")
    at = document.text.index("An")
    released = write(document, [an_edit(at, document.text.index(" Lee"), "[X_1]")])
    assert released == b"Subject: [X_1]\r\n\r\n Lee"


class Scrubbing:
    """A format that drops what hides, edits or not."""

    def read(self, data: bytes, name: str) -> Document:
        return Document(name, "scrubbing", "shown", origin=data)

    def write(self, document: Document, edits: Sequence[Edit]) -> bytes:
        return b"shown"


@pytest.mark.parametrize("wrapped", [False, True])
def test_attachments_without_edits_still_lose_what_hides(
    monkeypatch: pytest.MonkeyPatch, wrapped: bool
) -> None:
    monkeypatch.setattr(
        mail, "get_format", lambda name, *given: Scrubbing() if name == "pdf" else get_format(name, *given)
    )
    data = b"Content-Type: application/pdf\r\n\r\nshown and hidden"
    if wrapped:
        head = b"Content-Type: message/rfc822\r\nContent-Transfer-Encoding: base64\r\n\r\n"
        data = head + base64.b64encode(data)
    released = EML.write(EML.read(data, "x.eml"), ())
    assert b"hidden" not in (base64.b64decode(released.split(b"\r\n\r\n")[1]) if wrapped else released)


def test_text_in_a_charset_that_its_format_does_not_take_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A format from elsewhere would read other letters than the recipient sees, and say `held`."""
    plain = formats.FORMATS["text"]._replace(endings=(".srt",), media_types=(), takes_charset=False)
    monkeypatch.setitem(formats.FORMATS, "subtitles", plain)
    monkeypatch.setitem(formats.BY_ENDING, ".srt", "subtitles")
    for charset, well in (("utf-8", True), ("koi8-r", False), ("utf-16", False)):
        message = EmailMessage()
        message.set_content("see the attachment")
        message.add_attachment(
            "Сергей".encode(charset), "text", "plain", params={"charset": charset}, filename="a.srt"
        )
        if well:
            assert "Сергей" in formats.get_format("eml").read(message.as_bytes(), "m.eml").text
        else:
            with pytest.raises(InputError, match="charset"):
                formats.get_format("eml").read(message.as_bytes(), "m.eml")


def test_parsers_of_mail_read_the_ids_of_a_release() -> None:
    source = (
        b"Message-ID: <ann@x.org>\r\nReferences: <ann@x.org>\r\n <bo@x.org>\r\nMIME-Version: 1.0\r\n\r\nHello"
    )
    document = read("a.eml", source)
    assert "1.0" not in document.text  # says how to read the message, as names of fields do
    released = write(document, edits_of(document.text, "ann@x.org", "[X_1]"))
    parsed = email.message_from_bytes(released, policy=email.policy.default)
    assert parsed["Message-ID"] == "<efface@[X_1]>"
    assert read("a.eml", released).text == document.text.replace("ann@x.org", "[X_1]")


@pytest.mark.parametrize("kind", ["text/calendar; method=REQUEST", "text/vcard", "text/x-vcard; name=a.vcf"])
def test_a_folded_name_in_a_calendar_or_a_card_is_one_name(kind: str) -> None:
    card = "BEGIN:VCARD\r\nNOTE:Call Ann\r\n  Lee.\r\nEND:VCARD\r\n"
    source = f"Content-Type: {kind}\r\n\r\n{card}".encode()
    document = read("a.eml", source)
    assert "Call Ann Lee." in document.text
    assert b"NOTE:Call [X_1]." in write(document, edits_of(document.text, TERM, "[X_1]"))
