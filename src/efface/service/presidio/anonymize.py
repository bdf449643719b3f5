"""`POST /anonymize` and `/deanonymize`: Presidio's operators on spans that the client sends.

These do what a client asks and guarantee nothing: the result is not read again. `POST /v1/redact` does that.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from efface.service.presidio.forms import AnonymizeRequest, AnonymizerOperator, DeanonymizeRequest
from efface.service.problems import Problem

_HASHES = ("sha256", "sha512", "md5")
_BLOCK = 16  # bytes of a block of AES


def _require(condition: bool, message: str) -> None:
    if not condition:
        raise Problem("invalid", error=message)


def _replace(_text: str, type_: str, operator: AnonymizerOperator) -> str:
    return operator.new_value or f"<{type_}>"


def _redact(_text: str, _type: str, _operator: AnonymizerOperator) -> str:
    return ""


def _keep(text: str, _type: str, _operator: AnonymizerOperator) -> str:
    return text


def _mask(text: str, _type: str, operator: AnonymizerOperator) -> str:
    character, amount = operator.masking_char, operator.chars_to_mask
    _require(character is not None, "Expected parameter masking_char")
    _require(character is not None and len(character) <= 1, "Invalid input, masking_char must be a character")
    _require(amount is not None, "Expected parameter chars_to_mask")
    masked = min(len(text), max(amount or 0, 0))
    if operator.from_end:
        return text[: len(text) - masked] + (character or "") * masked
    return (character or "") * masked + text[masked:]


def _hash(text: str, _type: str, operator: AnonymizerOperator) -> str:
    """With a salt: the client's, or a new one, so that short values cannot be found by trying them all."""
    kind = operator.hash_type or "sha256"
    _require(kind in _HASHES, f"Parameter hash_type is not in range of values {list(_HASHES)}")
    salt = operator.salt.encode() if operator.salt is not None else os.urandom(32)
    _require(len(salt) >= 16, "Salt must be at least 16 bytes (128 bits).")
    return hashlib.new(kind, _bytes(text) + salt, usedforsecurity=False).hexdigest()


def _key(operator: AnonymizerOperator) -> bytes:
    _require(operator.key is not None, "Expected parameter key")
    key = (operator.key or "").encode()
    _require(len(key) in (16, 24, 32), "Invalid input, key must be of length 128, 192 or 256 bits")
    return key


def _encrypt(text: str, _type: str, operator: AnonymizerOperator) -> str:
    from cryptography.hazmat.primitives import padding
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

    padder = padding.PKCS7(8 * _BLOCK).padder()
    start = os.urandom(_BLOCK)
    cipher = Cipher(algorithms.AES(_key(operator)), modes.CBC(start)).encryptor()
    padded = padder.update(_bytes(text)) + padder.finalize()
    return base64.urlsafe_b64encode(start + cipher.update(padded) + cipher.finalize()).decode()


def _decrypt(text: str, _type: str, operator: AnonymizerOperator) -> str:
    from cryptography.hazmat.primitives import padding
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

    key = _key(operator)
    try:
        sealed = base64.urlsafe_b64decode(text)
        cipher = Cipher(algorithms.AES(key), modes.CBC(sealed[:_BLOCK])).decryptor()
        unpadder = padding.PKCS7(8 * _BLOCK).unpadder()
        padded = cipher.update(sealed[_BLOCK:]) + cipher.finalize()
        return (unpadder.update(padded) + unpadder.finalize()).decode()
    except (binascii.Error, ValueError):
        raise Problem("invalid", error="Invalid input, the text cannot be decrypted with this key") from None


_LONGEST = 16 << 20  # characters of a new text: a few bytes of a request can ask for far more

Operate = Callable[[str, str, AnonymizerOperator], str]
ANONYMIZERS: Mapping[str, Operate] = {
    "hash": _hash, "mask": _mask, "redact": _redact, "replace": _replace, "encrypt": _encrypt, "keep": _keep,
}  # fmt: skip
DEANONYMIZERS: Mapping[str, Operate] = {"decrypt": _decrypt, "deanonymize_keep": _keep}


@dataclass(slots=True)
class _Spot:
    start: int
    end: int
    type: str
    score: float


def anonymize(request: AnonymizeRequest) -> dict[str, Any]:
    _require(bool(request.text), "Invalid input, text can not be empty")
    spots = [_Spot(row.start, row.end, row.entity_type, row.score) for row in request.analyzer_results]
    spots = _merged_neighbours(request.text, _outermost(_merged(_without_covered(request.text, spots))))
    return _operated(
        request.text, spots, request.anonymizers or {}, ANONYMIZERS, AnonymizerOperator(type="replace")
    )


def deanonymize(request: DeanonymizeRequest) -> dict[str, Any]:
    _require(bool(request.text), "Invalid input, text can not be empty")
    spots = [_Spot(row.start, row.end, row.entity_type, 1.0) for row in request.anonymizer_results]
    return _operated(
        request.text, _without_covered(request.text, spots), request.deanonymizers, DEANONYMIZERS, None
    )


def _without_covered(text: str, spots: list[_Spot]) -> list[_Spot]:
    for spot in spots:
        _require(spot.start < spot.end <= len(text), "Invalid input, start and end must be within the text")
    return sorted(spots, key=lambda spot: (spot.start, spot.end))


def _merged(spots: Sequence[_Spot]) -> list[_Spot]:
    """Overlapping spots of one type are one."""
    open_: dict[str, _Spot] = {}
    kept: list[_Spot] = []
    for spot in spots:
        last = open_.get(spot.type)
        if last is not None and spot.start < last.end:
            last.end, last.score = max(last.end, spot.end), max(last.score, spot.score)
        else:
            open_[spot.type] = spot
            kept.append(spot)
    return kept


def _outermost(spots: Sequence[_Spot]) -> list[_Spot]:
    """Without those inside another; of equal ones the surest. Where two overlap, the first one ends earlier."""
    kept: list[_Spot] = []
    for spot in sorted(spots, key=lambda spot: (spot.start, -spot.end, -spot.score)):
        if kept and spot.end <= kept[-1].end:
            continue
        if kept and spot.start < kept[-1].end:
            kept[-1].end = spot.start
        kept.append(spot)
    return [spot for spot in kept if spot.start < spot.end]


def _merged_neighbours(text: str, spots: Sequence[_Spot]) -> list[_Spot]:
    """Neighbours of one type with only spaces between them are one."""
    kept: list[_Spot] = []
    for spot in spots:
        between = text[kept[-1].end : spot.start] if kept else ""
        if kept and kept[-1].type == spot.type and between and not between.strip(" "):
            kept[-1].end = spot.end
        else:
            kept.append(spot)
    return kept


def _operated(
    text: str,
    spots: Sequence[_Spot],
    named: Mapping[str, AnonymizerOperator],
    operators: Mapping[str, Operate],
    default: AnonymizerOperator | None,
) -> dict[str, Any]:
    pieces: list[str] = []
    items: list[dict[str, Any]] = []
    position = length = 0
    for spot in spots:
        operator = named.get(spot.type) or named.get("DEFAULT") or default
        _require(operator is not None and operator.type in operators, "Invalid operator class for this type")
        assert operator is not None
        start = max(spot.start, position)
        new = operators[operator.type](text[start : spot.end], spot.type, operator)
        pieces += (text[position:start], new)
        length += start - position
        item = {"start": length, "end": length + len(new), "entity_type": spot.type, "text": new}
        items.append({**item, "operator": operator.type})
        length += len(new)
        position = spot.end
        if length > _LONGEST:
            raise Problem("too-large", error="The new text would be too long.")
    pieces.append(text[position:])
    return {"text": "".join(pieces), "items": items[::-1]}


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
