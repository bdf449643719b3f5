"""Presidio's clients work unchanged: the requests of its API description, and answers of the same shape."""

from __future__ import annotations

from typing import Any

import pytest

from tests.service.hospital import House, Open

TEXT = "hello world, my name is Jane Doe. My number is: 034453334"
FOUND = [
    {"start": 24, "end": 32, "score": 0.8, "entity_type": "PERSON"},
    {"start": 48, "end": 57, "score": 0.95, "entity_type": "PHONE_NUMBER"},
]
ZIP = {
    "name": "Zip code Recognizer",
    "supported_language": "en",
    "patterns": [{"name": "zip code (weak)", "regex": r"(\b\d{5}(?:\-\d{4})?\b)", "score": 0.01}],
    "context": ["zip", "code"],
    "supported_entity": "ZIP",
}
LICENSE = "John Smith drivers license is AC432223"


def test_the_minimal_request(shared_house: House) -> None:
    answer = shared_house.client.post("/analyze", json={"text": LICENSE, "language": "en"})
    assert answer.status_code == 200 and answer.headers["content-type"] == "application/json"
    found = [row for row in answer.json() if row["entity_type"] == "US_DRIVER_LICENSE"]
    assert [(row["start"], row["end"], row["analysis_explanation"]) for row in found] == [(30, 38, None)]
    assert ("PERSON", 0, 10) in [(row["entity_type"], row["start"], row["end"]) for row in answer.json()]
    assert set(found[0]) == {"entity_type", "start", "end", "score", "analysis_explanation"}


def test_the_enhanced_request(shared_house: House) -> None:
    asked = {
        "text": f"{LICENSE} and the zip code is 12345",
        "language": "en",
        "return_decision_process": False,
        "correlation_id": "123e4567-e89b-12d3-a456-426614174000",
        "score_threshold": 0.6,
        "entities": ["US_DRIVER_LICENSE", "ZIP"],
        "trace": False,
        "ad_hoc_recognizers": [ZIP],
    }
    found = shared_house.client.post("/analyze", json=asked).json()
    assert [(row["entity_type"], row["start"], row["end"]) for row in found] == [
        ("US_DRIVER_LICENSE", 30, 38)
    ]
    found = shared_house.client.post("/analyze", json={**asked, "score_threshold": 0.3}).json()
    assert [(row["entity_type"], row["score"]) for row in found][1] == ("ZIP", 0.4)


def test_the_decision_process(shared_house: House) -> None:
    asked = {"text": LICENSE, "language": "en", "return_decision_process": True}
    why = shared_house.client.post("/analyze", json=asked).json()[0]["analysis_explanation"]
    assert set(why) == {
        "recognizer", "pattern_name", "pattern", "original_score", "score", "textual_explanation",
        "score_context_improvement", "supportive_context_word", "validation_result",
    }  # fmt: skip


def test_a_list_of_texts_gives_a_list_of_lists(shared_house: House) -> None:
    answer = shared_house.client.post(
        "/analyze", json={"text": ["a@b.org", "nothing"], "language": "en", "entities": ["EMAIL_ADDRESS"]}
    ).json()
    assert [[row["entity_type"] for row in rows] for rows in answer] == [["EMAIL_ADDRESS"], []]


def test_allowed_words_deny_lists_and_context(shared_house: House) -> None:
    mail: dict[str, Any] = {
        "text": "write to a@b.org or c@d.org",
        "language": "en",
        "entities": ["EMAIL_ADDRESS"],
    }
    mail["allow_list"] = ["a@b.org"]
    assert [row["start"] for row in shared_house.client.post("/analyze", json=mail).json()] == [20]
    pattern = {**mail, "allow_list": [r".@[bd]\.org"], "allow_list_match": "regex"}
    assert shared_house.client.post("/analyze", json=pattern).json() == []
    titles = {"name": "titles", "supported_entity": "TITLE", "deny_list": ["Mr.", "Mrs."]}
    asked = {"text": "Mr. Plum and mrs. Peacock", "language": "en", "ad_hoc_recognizers": [titles]}
    found = shared_house.client.post("/analyze", json={**asked, "entities": ["TITLE"]}).json()
    assert [(row["start"], row["end"], row["score"]) for row in found] == [(0, 3, 1.0), (13, 17, 1.0)]
    bare = {"text": "it is 123456789", "language": "en", "entities": ["US_BANK_NUMBER"]}
    helped = {**bare, "context": ["bank"]}
    assert shared_house.client.post("/analyze", json=bare).json() == []
    assert len(shared_house.client.post("/analyze", json=helped).json()) == 1


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"language": "en"}, 422),
        ({"text": "", "language": "en"}, 400),
        ({"text": "x"}, 422),
        ({"text": "x", "language": ""}, 400),
        ({"text": "x", "language": "en", "entities": ["NO_SUCH"]}, 400),
        ({"text": "x", "language": "en", "score_threshold": 2}, 422),
        ({"text": "x", "language": "en", "ad_hoc_recognizers": [{"supported_entity": "A", "patterns": [{"regex": "("}]}]}, 422),
    ],
)  # fmt: skip
def test_what_presidio_refuses_is_refused_with_an_error(
    shared_house: House, body: dict[str, Any], status: int
) -> None:
    answer = shared_house.client.post("/analyze", json=body)
    assert answer.status_code == status and answer.json()["error"]
    assert answer.json()["status"] == status, "and it is a problem document too"


def test_a_regular_expression_that_explodes_is_stopped(shared_house: House) -> None:
    bomb = {"supported_entity": "A", "patterns": [{"regex": "(x+x+)+y"}]}
    asked = {"text": "x" * 2000, "language": "en", "ad_hoc_recognizers": [bomb]}
    assert shared_house.client.post("/analyze", json=asked).status_code == 422


def test_anonymize_with_two_operators(shared_house: House) -> None:
    anonymizers = {
        "PERSON": {"type": "redact"},
        "PHONE_NUMBER": {"type": "replace", "new_value": "ANONYMIZED"},
    }
    body = {"text": TEXT, "anonymizers": anonymizers, "analyzer_results": FOUND}
    assert shared_house.client.post("/anonymize", json=body).json() == {
        "text": "hello world, my name is . My number is: ANONYMIZED",
        "items": [
            {
                "operator": "replace",
                "entity_type": "PHONE_NUMBER",
                "start": 40,
                "end": 50,
                "text": "ANONYMIZED",
            },
            {"operator": "redact", "entity_type": "PERSON", "start": 24, "end": 24, "text": ""},
        ],
    }


def test_anonymize_by_default(shared_house: House) -> None:
    default = {"DEFAULT": {"type": "replace", "new_value": "ANONYMIZED"}}
    body = {"text": TEXT[:33], "anonymizers": default, "analyzer_results": FOUND[:1]}
    assert (
        shared_house.client.post("/anonymize", json=body).json()["text"]
        == "hello world, my name is ANONYMIZED."
    )
    body = {"text": TEXT, "analyzer_results": FOUND}
    assert shared_house.client.post("/anonymize", json=body).json()["text"] == (
        "hello world, my name is <PERSON>. My number is: <PHONE_NUMBER>"
    )


OPERATORS = [
    ({"type": "mask", "masking_char": "*", "chars_to_mask": 4, "from_end": True}, "Jane****"),
    ({"type": "mask", "masking_char": "*", "chars_to_mask": 4, "from_end": False}, "**** Doe"),
    ({"type": "mask", "masking_char": "#", "chars_to_mask": 99}, "########"),
    ({"type": "mask", "masking_char": "#", "chars_to_mask": -1}, "Jane Doe"),
    ({"type": "keep"}, "Jane Doe"),
    ({"type": "redact"}, ""),
    ({"type": "replace"}, "<PERSON>"),
]


@pytest.mark.parametrize(("operator", "result"), OPERATORS)
def test_operators(shared_house: House, operator: dict[str, Any], result: str) -> None:
    body = {"text": TEXT[:33], "anonymizers": {"PERSON": operator}, "analyzer_results": FOUND[:1]}
    answer = shared_house.client.post("/anonymize", json=body).json()
    assert answer["text"] == f"hello world, my name is {result}."
    assert answer["items"][0]["text"] == result


@pytest.mark.parametrize(("kind", "length"), [(None, 64), ("sha256", 64), ("sha512", 128), ("md5", 32)])
def test_hashes_are_salted(shared_house: House, kind: str | None, length: int) -> None:
    def hashed(**more: Any) -> str:
        body = {"text": TEXT[:33], "anonymizers": {"PERSON": {"type": "hash", "hash_type": kind, **more}}}
        answer = shared_house.client.post("/anonymize", json={**body, "analyzer_results": FOUND[:1]}).json()
        text: str = answer["items"][0]["text"]
        return text

    assert len(hashed()) == length and hashed() != hashed()
    assert hashed(salt="s" * 16) == hashed(salt="s" * 16)


@pytest.mark.parametrize(
    "operator",
    [
        {"type": "mask", "masking_char": "**", "chars_to_mask": 4},
        {"type": "mask", "chars_to_mask": 4},
        {"type": "hash", "hash_type": "crc32"},
        {"type": "encrypt", "key": "short"},
        {"type": "encrypt"},
        {"type": "custom"},
        {"type": "nothing"},
    ],
)
def test_operators_that_are_not_right(shared_house: House, operator: dict[str, Any]) -> None:
    body = {"text": TEXT[:33], "anonymizers": {"PERSON": operator}, "analyzer_results": FOUND[:1]}
    answer = shared_house.client.post("/anonymize", json=body)
    assert answer.status_code == 422 and answer.json()["error"]
    assert "Jane" not in answer.text


def test_encrypt_and_back(shared_house: House) -> None:
    key = "WmZq4t7w!z%C&F)J"
    body = {
        "text": TEXT,
        "anonymizers": {"PERSON": {"type": "encrypt", "key": key}},
        "analyzer_results": FOUND[:1],
    }
    sealed = shared_house.client.post("/anonymize", json=body).json()
    places = [{name: item[name] for name in ("start", "end", "entity_type")} for item in sealed["items"]]
    back = {"text": sealed["text"], "anonymizer_results": places}
    opened = shared_house.client.post(
        "/deanonymize", json={**back, "deanonymizers": {"PERSON": {"type": "decrypt", "key": key}}}
    )
    assert opened.json() == {
        "text": TEXT,
        "items": [
            {"start": 24, "end": 32, "operator": "decrypt", "text": "Jane Doe", "entity_type": "PERSON"}
        ],
    }
    wrong = {"DEFAULT": {"type": "decrypt", "key": "x" * 16}}
    assert shared_house.client.post("/deanonymize", json={**back, "deanonymizers": wrong}).status_code == 422


def test_the_sample_of_the_description_is_deanonymized(shared_house: House) -> None:
    """Made by Presidio itself: its cipher is ours."""
    body = {
        "text": "My name is S184CMt9Drj7QaKQ21JTrpYzghnboTF9pn/neN8JME0=",
        "deanonymizers": {"PERSON": {"type": "decrypt", "key": "WmZq4t7w!z%C&F)J"}},
        "anonymizer_results": [{"start": 11, "end": 55, "entity_type": "PERSON"}],
    }
    answer = shared_house.client.post("/deanonymize", json=body)
    assert answer.status_code == 200 and answer.json()["text"].startswith("My name is ")


@pytest.mark.parametrize(
    ("rows", "text"),
    [
        ([(0, 4, "A", 0.5), (0, 4, "B", 0.9)], "<B> Doe"),
        ([(0, 8, "A", 0.5), (5, 8, "B", 0.9)], "<A>"),
        ([(0, 4, "A", 0.5), (5, 8, "A", 0.9)], "<A>"),
        ([(0, 4, "A", 0.5), (5, 8, "B", 0.9)], "<A> <B>"),
        ([(0, 6, "A", 0.5), (4, 8, "B", 0.9)], "<A><B>"),
        ([(0, 6, "A", 0.5), (4, 8, "A", 0.9)], "<A>"),
        ([], "Jane Doe"),
    ],
)
def test_overlaps_as_presidio_resolves_them(
    shared_house: House, rows: list[tuple[int, int, str, float]], text: str
) -> None:
    results = [dict(zip(("start", "end", "entity_type", "score"), row, strict=True)) for row in rows]
    answer = shared_house.client.post("/anonymize", json={"text": "Jane Doe", "analyzer_results": results})
    assert answer.json()["text"] == text


@pytest.mark.parametrize(
    "body",
    [
        {"text": "", "analyzer_results": []},
        {"text": "x", "analyzer_results": [{"start": 0, "end": 9, "score": 1, "entity_type": "A"}]},
        {"text": "x", "analyzer_results": [{"start": 1, "end": 1, "score": 1, "entity_type": "A"}]},
        {"text": "x", "analyzer_results": [{"start": -1, "end": 1, "score": 1, "entity_type": "A"}]},
        {"text": "x"},
    ],
)
def test_spans_that_are_not_right(shared_house: House, body: dict[str, Any]) -> None:
    answer = shared_house.client.post("/anonymize", json=body)
    assert answer.status_code == 422 and answer.json()["error"]


def test_lists(shared_house: House) -> None:
    get = shared_house.client.get
    assert {"PHONE_NUMBER", "US_SSN", "IBAN_CODE"} <= set(get("/supportedentities?language=en").json())
    assert get("/recognizers?language=en").json() == ["EffacePatternRecognizer", "EffaceNameRecognizer"]
    assert {"hash", "mask", "redact", "replace", "encrypt"} <= set(get("/anonymizers").json())
    assert "decrypt" in get("/deanonymizers").json()
    assert get("/health").text == "efface service is up"


def test_names_can_be_left_out(open_house: Open) -> None:
    house = open_house(names=False)
    body = {"text": LICENSE, "language": "en"}
    assert "PERSON" not in {row["entity_type"] for row in house.client.post("/analyze", json=body).json()}
    assert house.client.post("/analyze", json={**body, "entities": ["PERSON"]}).status_code == 400
    assert "PERSON" not in house.client.get("/supportedentities").json()


def test_the_routes_can_be_closed(open_house: Open) -> None:
    closed, locked = open_house(presidio="off"), open_house(presidio="token")
    body = {"text": "a@b.org", "language": "en"}
    assert closed.client.post("/analyze", json=body).status_code == 404
    assert locked.client.post("/analyze", json=body).status_code == 401
    assert locked.post("low", "/analyze", json=body).status_code == 403
    assert locked.post("reviewer", "/analyze", json=body).status_code == 200


def test_a_short_request_asks_for_no_endless_text(shared_house: House) -> None:
    """Twenty thousand places, each replaced by as many letters, would be four hundred million."""
    places = [{"start": at, "end": at + 1, "score": 1, "entity_type": "A"} for at in range(0, 20_000, 2)]
    anonymizers = {"DEFAULT": {"type": "replace", "new_value": "x" * 20_000}}
    body = {"text": "ab" * 10_000, "anonymizers": anonymizers, "analyzer_results": places}
    assert shared_house.client.post("/anonymize", json=body).status_code == 413
