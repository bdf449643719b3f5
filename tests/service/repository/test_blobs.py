"""Stored files: in a folder, in the database and in object storage; encrypted, checked, and swept when nobody names them."""

from __future__ import annotations

import logging
import socket
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from efface.errors import InputError, UsageError
from efface.service.repository.blob_places import BlobPlace, DatabasePlace, FolderPlace, ObjectPlace
from efface.service.repository.blobs import Blobs, digest_of, open_blobs
from efface.service.settings import ServiceSettings
from efface.service.store import Store
from tests.service.hospital import NOTE, Open

KEY, OTHER = b"k" * 32, b"o" * 32
LARGE = bytes(range(256)) * 9000


@pytest.fixture(scope="module")
def s3() -> Iterator[dict[str, Any]]:
    """moto's server on the loopback address, with a bucket."""
    pytest.importorskip("s3fs", reason="s3fs is not installed")
    server = pytest.importorskip("moto.server", reason="moto is not installed")
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    running = server.ThreadedMotoServer(ip_address="127.0.0.1", port=port, verbose=False)
    running.start()
    options = {
        "key": "test",
        "secret": "test",
        "endpoint_url": f"http://127.0.0.1:{port}",
        "use_listings_cache": False,
    }
    import s3fs

    s3fs.S3FileSystem(**options).mkdir("efface-test")
    yield options
    running.stop()


@pytest.fixture(params=["folder", "database", "memory", "s3"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> BlobPlace:
    if request.param == "folder":
        return FolderPlace(tmp_path / "files")
    if request.param == "database":
        return DatabasePlace(Store.open(f"sqlite:///{tmp_path}/efface.db"))
    if request.param == "memory":
        pytest.importorskip("fsspec", reason="fsspec is not installed")
        return ObjectPlace(f"memory://{tmp_path.name}")
    return ObjectPlace(f"s3://efface-test/{tmp_path.name}", request.getfixturevalue("s3"))


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("key", [None, KEY], ids=["plain", "encrypted"])
def test_what_is_put_is_what_is_got(place: BlobPlace, key: bytes | None) -> None:
    blobs = Blobs(place, key)
    ids = [blobs.put(data) for data in (NOTE, NOTE, b"", LARGE)]
    assert len(set(ids)) == 4 and digest_of(ids[0]) == digest_of(ids[1])
    assert [blobs.get(id) for id in ids] == [NOTE, NOTE, b"", LARGE]
    assert (NOTE in place.read(ids[0])) == (key is None)
    blobs.delete(ids[0])
    with pytest.raises(InputError):
        blobs.get(ids[0])
    assert blobs.get(ids[1]) == NOTE, "an equal file is another"
    assert set(blobs.older(time.time() + 60)) == set(ids[1:])
    assert list(blobs.older(time.time() - 3600)) == []


def test_a_key_hides_what_a_name_would_tell(tmp_path: Path) -> None:
    import hashlib

    blobs = Blobs(FolderPlace(tmp_path), KEY)
    assert digest_of(blobs.put(NOTE)) != hashlib.sha256(NOTE).hexdigest()


def test_a_file_that_was_touched_moved_or_of_another_key_is_not_given(tmp_path: Path) -> None:
    place = FolderPlace(tmp_path)
    blobs = Blobs(place, KEY)
    one, two = blobs.put(NOTE), blobs.put(b"other")
    whole = place.read(one)
    touched = whole[:-1] + bytes([whole[-1] ^ 1])  # a fixed last byte may be the one that is there
    for damaged in (place.read(two), touched, b"plain text", b""):
        (tmp_path / one[:2] / one).write_bytes(damaged)
        with pytest.raises(InputError):
            blobs.get(one)
    for other in (OTHER, None):
        with pytest.raises(InputError):
            Blobs(place, other).get(two)
    with pytest.raises(InputError):
        blobs.get("../../etc/passwd")


def test_files_from_before_there_was_a_key_stay_readable(tmp_path: Path) -> None:
    place = FolderPlace(tmp_path)
    old = Blobs(place).put(NOTE)
    assert Blobs(place, KEY).get(old) == NOTE


def test_a_key_is_changed_and_older_files_stay_readable(place: BlobPlace) -> None:
    old = Blobs(place, KEY).put(NOTE)
    both = Blobs(place, OTHER, (KEY,))
    new = both.put(NOTE)
    assert both.get(old) == both.get(new) == NOTE
    with pytest.raises(InputError) as told:
        Blobs(place, OTHER).get(old)
    assert "past_blob_keys" in told.value.hint
    with pytest.raises(InputError):
        Blobs(place, KEY).get(new)
    moved = place.read(old)
    place.delete(new)
    place.write(new, moved)
    with pytest.raises(InputError):
        both.get(new)


def test_settings_name_the_keys_of_the_past(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEW_KEY", "n" * 40)
    (tmp_path / "old").write_text("o" * 40)
    given: dict[str, Any] = {"blob_key": "env:NEW_KEY", "past_blob_keys": (f"file:{tmp_path / 'old'}",)}
    blobs = open_blobs(Store.open("sqlite://"), ServiceSettings(home=tmp_path, **given))
    assert (blobs.key, blobs.past) == (b"n" * 40, (b"o" * 40,))


def test_files_of_others_in_the_folder_stay(tmp_path: Path) -> None:
    place = FolderPlace(tmp_path)
    own = Blobs(place).put(NOTE)
    others = tmp_path / "letters" / "will.odt"
    others.parent.mkdir()
    others.write_bytes(b"mine")
    (tmp_path / "letters" / "deep").mkdir()
    left = tmp_path / own[:2] / ".efface-abc"
    left.write_bytes(b"half")
    assert list(place.older(time.time() + 60)) == [own]
    assert others.read_bytes() == b"mine" and not left.exists()


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_storage_that_is_away_says_so_without_addresses(open_house: Open) -> None:
    pytest.importorskip("s3fs", reason="s3fs is not installed")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        nobody = f"http://127.0.0.1:{probe.getsockname()[1]}"
    client = {"connect_timeout": 1, "retries": {"max_attempts": 0}}
    options = {"key": "k", "secret": "s", "endpoint_url": nobody, "config_kwargs": client}
    house = open_house(blobs="s3://efface-away/files", blob_options=options)
    answer = house.post("reviewer", "/v1/folders/wards/documents", files={"file": ("n.txt", NOTE)})
    assert answer.status_code == 503 and "efface-away" not in answer.text and "127.0.0.1" not in answer.text
    assert house.service.repository.folders() and not house.get("reviewer", "/v1/documents").json()["total"]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_service_on_object_storage(
    open_house: Open, s3: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EFFACE_TEST_KEY", "k" * 40)
    house = open_house(blobs="s3://efface-test/service", blob_options=s3, blob_key="env:EFFACE_TEST_KEY")
    id = house.add("note.txt", NOTE)
    assert b"Brandt" in house.get("high", f"/v1/documents/{id}").content
    file = house.service.repository.stored([id])[id].file
    assert NOTE not in house.service.blobs.place.read(file)
    orphan = house.service.blobs.put(b"nobody's")
    monkeypatch.setattr("efface.service.jobs.queue._ORPHAN", -60.0)
    house.service.jobs._sweep_orphans()
    assert list(house.service.blobs.older(time.time() + 60)) == [file], "what nobody names is swept"
    assert orphan
    assert not (house.service.settings.home / "files").exists()


def test_settings_say_where(tmp_path: Path) -> None:
    for good in ("database", "file:/srv/files", "s3://bucket/efface", None):
        ServiceSettings(blobs=good)
    for bad in ("files", "file:relative", "s3:bucket"):
        with pytest.raises(ValueError, match="blobs"):
            ServiceSettings(blobs=bad)


@pytest.mark.parametrize("absent", ["fsspec", "s3fs"])
def test_object_storage_without_its_extra_says_what_to_install(
    absent: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, absent, None)
    for name in [name for name in sys.modules if name.startswith(f"{absent}.")]:
        monkeypatch.delitem(sys.modules, name)
    if absent == "s3fs":
        pytest.importorskip("fsspec", reason="fsspec is not installed")
        registry = sys.modules["fsspec.registry"]
        monkeypatch.delitem(registry._registry, "s3", raising=False)  # an earlier test may have loaded it
    with pytest.raises(UsageError, match="object storage") as told:
        ObjectPlace("s3://bucket/efface").read("a")
    assert "efface[objects]" in told.value.hint
