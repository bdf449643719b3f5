from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from efface.errors import InputError
from efface.formats.html.markup import HTML, Html
from efface.formats.plain.delimited import CSV, Delimited
from efface.formats.plain.encoding import Patch, charset, decode, to_ascii
from efface.formats.plain.json_text import JSON, Json
from efface.formats.plain.text import TEXT, PlainText
from tests.formats.helpers import edits_of

SAMPLE = "Zoë paid 5 € to Jürgen – 名前 😀\r\nnext\n"


@pytest.mark.parametrize(
    ("data", "text", "encoding"),
    [
        (b"", "", "utf-8"),
        (b"plain", "plain", "utf-8"),
        (SAMPLE.encode(), SAMPLE, "utf-8"),
        (b"\xef\xbb\xbf" + SAMPLE.encode(), SAMPLE, "utf-8"),
        (b"\xff\xfe" + SAMPLE.encode("utf-16-le"), SAMPLE, "utf-16-le"),
        (b"\xfe\xff" + SAMPLE.encode("utf-16-be"), SAMPLE, "utf-16-be"),
        (SAMPLE.encode("utf-16-le"), SAMPLE, "utf-16-le"),
        (SAMPLE.encode("utf-16-be"), SAMPLE, "utf-16-be"),
        (b"\xff\xfe\0\0" + SAMPLE.encode("utf-32-le"), SAMPLE, "utf-32-le"),
        ("Zoë – 5 €".encode("cp1252"), "Zoë – 5 €", "cp1252"),
        ("Zoë".encode("latin-1"), "Zoë", "cp1252"),
        (b"caf\xe9 \x81\x8d", "café \x81\x8d", "cp1252"),  # bytes that Windows-1252 leaves undefined
        (b"Jos\xc3\xa9 and Jos\xe9", "José and José", "utf-8"),  # two encodings in one file
        (b"a\0b and c", "a\0b and c", "utf-8"),
        (b"\xff\xfe\x00\xd8A\x00", "\ufffdA", "utf-16-le"),  # half a surrogate pair in the middle
    ],
)
def test_encodings_are_told_apart(data: bytes, text: str, encoding: str) -> None:
    decoded = decode(data)
    assert (decoded.text, decoded.encoding) == (text, encoding)
    assert decoded.splice([]) == data


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("1;Иван Кузнецов", "koi8-r"),
        ("1;Иван Кузнецов", "cp866"),
        ("1;Иван Кузнецов", "cp1251"),
        ("Γιώργος Παπαδόπουλος", "cp1253"),
        ("السيد أحمد المصري", "cp1256"),
        ("יוסי כהן", "cp1255"),
        ("id,name\n1,山田太郎\n2,佐藤花子\n", "shift_jis"),
        ("id,name\n1,山田太郎 and others", "euc_jp"),
        ("id,name\n1,王小明\n", "gb18030"),
        ("尊敬的王小明先生", "big5"),
        ("이순신 장군", "euc_kr"),
        ("이순신", "iso2022_kr"),
        ("Dr Jane Whitcombe of Leeds", "cp500"),
    ],
)
def test_a_text_in_an_encoding_that_nothing_tells_is_refused(text: str, encoding: str) -> None:
    with pytest.raises(InputError, match="does not say its character encoding"):
        decode(text.encode(encoding))


@pytest.mark.parametrize(
    "text",
    [
        "He said: «Où est Zoë…»—“là-bas”…’” ———— and ••••",
        "Größe, Öl für Jürgen; Þórður Ægisson; SÃO JOÃO; à é ù",
        "£££ 5 §§§§ ©®",
        "ÉÍÍÍÍÍÍÍÍ»\nº Jane º\nÈÍÍÍÍÍÍÍÍ¼",  # a frame of DOS
    ],
)
def test_western_text_is_read_with_its_signs_and_frames(text: str) -> None:
    assert decode(text.encode("cp1252")).text == text


def test_japanese_of_ascii_bytes_is_read() -> None:
    data = "To: 山田太郎様".encode("iso2022_jp")
    assert decode(data).text == "To: 山田太郎様"
    assert decode(data).splice([Patch(4, 8, "[PERSON_1]")]) == "To: [PERSON_1]様".encode("iso2022_jp")


@pytest.mark.parametrize(
    ("declared", "data", "text"),
    [
        ("windows-1251", "Иван".encode("cp1251"), "Иван"),
        ("iso-8859-15", "5 €".encode("iso8859-15"), "5 €"),
        ("ISO-8859-1", "5 €".encode("cp1252"), "5 €"),  # as browsers read it
        ("shift_jis", "名前".encode("shift_jis"), "名前"),
        ("iso-2022-jp", "名前 x".encode("iso2022_jp"), "名前 x"),
        ("gb2312", "姓名".encode("gbk"), "姓名"),
        ("iso-8859-1", "Zoë".encode(), "Zoë"),  # UTF-8 whatever it says
        ("unknown-8bit", "Zoë".encode(), "Zoë"),
        ("us-ascii", "Zoë".encode(), "Zoë"),
        ("utf-16", "Zoë".encode("utf-16-le"), "Zoë"),
    ],
)
def test_a_declared_encoding_counts(declared: str, data: bytes, text: str) -> None:
    decoded = decode(data, declared)
    assert decoded.text == text
    assert decoded.splice([]) == data


@pytest.mark.parametrize(
    "name", ["utf-7", "rot13", "base64", "unicode_escape", "idna", "no-such", "x" * 5000]
)
def test_encodings_that_could_hide_text_are_refused(name: str) -> None:
    with pytest.raises(InputError):
        charset(name)


@pytest.mark.parametrize(
    "data",
    [
        bytes(range(256)) * 8,
        b"\0" * 1000,
        b"\x89PNG\r\n\x1a\n" + b"\0" * 20,
        b"%PDF-1.7\n1 0 obj",
        b"PK\x03\x04rest",
        b"{\\rtf1 text}",
    ],
)
def test_what_is_no_text_is_refused(data: bytes) -> None:
    with pytest.raises(InputError, match="not a text file"):
        decode(data)


@pytest.mark.parametrize(
    "data",
    [
        b"\xff\xfe" + "name".encode("utf-16-le")[:-1],
        b"\xff\xfe" + "na😀".encode("utf-16-le")[:-2],
        "a long enough text".encode("utf-16-be")[:-1],
        b"\xff\xfe\0\0" + b"a\0\0\0b\0",
    ],
)
def test_a_cut_off_file_is_refused(data: bytes) -> None:
    with pytest.raises(InputError, match="cut off"):
        decode(data)


def test_a_wrong_multi_byte_declaration_is_refused() -> None:
    with pytest.raises(InputError, match="declared encoding"):
        decode(b"\x81\xff\xff text", "shift_jis")


@given(st.binary(max_size=60), st.sampled_from([None, "utf-8", "windows-1251", "iso-8859-8", "koi8-r"]))
def test_every_byte_returns_and_no_lone_surrogate_appears(data: bytes, declared: str | None) -> None:
    try:
        decoded = decode(data, declared)
    except InputError:
        return
    assert decoded.splice([]) == data
    decoded.text.encode("utf-8")


@given(
    st.binary(max_size=30),
    st.sampled_from([b"", b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"]),
    st.data(),
)
def test_a_patch_changes_its_own_characters_only(data: bytes, mark: bytes, draw: st.DataObject) -> None:
    try:
        decoded = decode(mark + data)
    except InputError:
        return
    start = draw.draw(st.integers(0, len(decoded.text)))
    end = draw.draw(st.integers(start, len(decoded.text)))
    whole = Patch(0, len(decoded.text), "")
    before = decoded.splice([whole._replace(start=start)])
    after = decoded.splice([whole._replace(end=end)])[len(decoded.mark) :]
    assert decoded.splice([Patch(start, end, "[X]")]) == before + "[X]".encode(decoded.encoding) + after


def test_the_nearest_ascii_spelling() -> None:
    assert to_ascii("Straße “5 €” Ørsted 名") == 'Strasse "5 EUR" Orsted _'


@pytest.mark.parametrize("declared", ["us-ascii", "iso-8859-1", "koi8-r"])
@pytest.mark.parametrize(
    ("reader", "source"),
    [
        (TEXT, "Ann"),
        (CSV, "a,b\nAnn,1"),
        (JSON, '{"Ann": "Ann"}'),
        (
            HTML,
            "<p title=Ann><b title='Ann'><i title=\"Ann\"><a href=Ann><!--Ann--><script>Ann</script><Ann Ann>Ann",
        ),
        (HTML, "<style>Ann</style><p style='Ann'><![CDATA[Ann]]><?Ann><title>Ann</title><p Ann"),
    ],
)
@settings(max_examples=20)
@given(replacement=st.text("é名😀\x80a", max_size=4))
def test_no_replacement_is_beyond_an_encoding(
    reader: PlainText | Delimited | Json | Html, source: str, declared: str, replacement: str
) -> None:
    document = reader.read(source.encode(), "x", declared)
    released = reader.write(document, edits_of(document.text, "Ann", replacement))
    assert b"Ann" not in released
    decode(released, declared)


def test_a_western_file_gets_no_question_marks() -> None:
    document = TEXT.read(b"caf\xe9 Ann", "x.txt")
    assert (
        TEXT.write(document, edits_of(document.text, "Ann", "Zoë – Łódź 名"))
        == b"caf\xe9 Zo\xeb \x96 L\xf3dz _"
    )
