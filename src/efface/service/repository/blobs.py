"""Uploaded and released files, checked and encrypted, wherever they lie.

A file's name ends with the digest of what it holds; it appears whole or not at all, and is never changed. Equal files
have different names, so that deleting one leaves the others. With a key the digest is keyed too: the operator of the
storage can neither read a file nor compare it with a known one.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from efface.errors import InputError
from efface.service.repository.blob_places import BlobPlace, DatabasePlace, FolderPlace, ObjectPlace, missing
from efface.service.settings import ServiceSettings
from efface.service.store import Store

_ID = re.compile(r"[0-9a-f]{96}")
_SEALED = b"efface sealed 1\n"  # before the nonce and the ciphertext
_NONCE = 12  # bytes, as AES-GCM takes it (NIST SP 800-38D)


@dataclass(frozen=True)
class Blobs:
    """Files in a place, each checked against its name when it is read."""

    place: BlobPlace
    key: bytes | None = field(default=None, repr=False)
    past: tuple[bytes, ...] = field(default=(), repr=False)  # keys that read older files and write none

    def put(self, data: bytes) -> str:
        """The file's name, once it is stored."""
        id = secrets.token_hex(16) + _digest(self.key, data)
        self.place.write(id, data if self.key is None else _sealed(self.key, id, data))
        return id

    def get(self, id: str) -> bytes:
        if not _ID.fullmatch(id):
            raise missing()
        stored = self.place.read(id)
        if stored.startswith(_SEALED):
            stored = _opened(self._keys, id, stored)
        # A file from before there was a key is named by a digest without one.
        digests = [_digest(key, stored) for key in (None, *self._keys)]
        if not any(hmac.compare_digest(digest_of(id), each) for each in digests):
            raise _damaged()
        return stored

    @property
    def _keys(self) -> tuple[bytes, ...]:
        return (*(() if self.key is None else (self.key,)), *self.past)

    def delete(self, id: str) -> None:
        if not _ID.fullmatch(id):
            raise missing()
        self.place.delete(id)

    def older(self, moment: float) -> Iterator[str]:
        """The files written before a moment."""
        return (id for id in self.place.older(moment) if _ID.fullmatch(id))


def _digest(key: bytes | None, data: bytes) -> str:
    if key is None:
        return hashlib.sha256(data).hexdigest()
    return hmac.new(_subkey(key, b"names"), data, hashlib.sha256).hexdigest()


def _sealed(key: bytes, id: str, data: bytes) -> bytes:
    """AES-256-GCM; the name is authenticated too, so that no file can be put in the place of another."""
    nonce = secrets.token_bytes(_NONCE)
    return _SEALED + nonce + AESGCM(_subkey(key, b"files")).encrypt(nonce, data, id.encode())


def _opened(keys: Sequence[bytes], id: str, stored: bytes) -> bytes:
    if not keys:
        raise InputError("A stored file is encrypted.", "Set `blob_key` to the key it was written with.")
    body = stored[len(_SEALED) :]
    for key in keys:
        try:
            return AESGCM(_subkey(key, b"files")).decrypt(body[:_NONCE], body[_NONCE:], id.encode())
        except (InvalidTag, ValueError):
            continue
    raise InputError(
        "A stored file is damaged, or of another key.",
        "Add the key it was written with to `past_blob_keys`, or restore the file from a backup.",
    )


def _subkey(key: bytes, what: bytes) -> bytes:
    return hmac.new(key, b"efface blobs " + what, hashlib.sha256).digest()


def open_blobs(store: Store, settings: ServiceSettings) -> Blobs:
    """Where the settings say; otherwise beside a SQLite file a folder, and with a server the server itself, which other
    machines see too."""
    return Blobs(_blob_place(store, settings), settings.blob_key_bytes(), settings.past_blob_key_bytes())


def _blob_place(store: Store, settings: ServiceSettings) -> BlobPlace:
    if settings.blobs is None:
        return DatabasePlace(store) if store.is_postgres else FolderPlace(settings.home / "files")
    if settings.blobs == "database":
        return DatabasePlace(store)
    if settings.blobs.startswith("file:"):
        return FolderPlace(Path(settings.blobs.removeprefix("file:")))
    return ObjectPlace(settings.blobs, settings.blob_options)


def digest_of(id: str) -> str:
    """The digest of a file's content, from its name."""
    return id[32:]


def _damaged() -> InputError:
    return InputError("A stored file is damaged.", "Restore it from a backup.")
