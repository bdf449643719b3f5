"""The file format of arrays: what goes in comes out, and what cannot have been written is refused."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from efface.errors import InputError
from efface.files.array_file import (
    ArrayKind,
    ArrayStream,
    dump_arrays,
    load_arrays,
    open_arrays,
    stream_arrays,
    write_arrays,
)

KIND = ArrayKind("sample", limit=1 << 16)
ARRAYS: dict[str, NDArray[Any]] = {
    "numbers": np.arange(12, dtype=np.int32).reshape(3, 4),
    "scale": np.array(0.5, np.float32),
    "none": np.zeros((0, 3), np.uint64),
}


@pytest.mark.parametrize("packed", [False, True])
def test_arrays_keep_type_and_shape(packed: bool) -> None:
    opened = load_arrays(dump_arrays(KIND, {"of": 3}, ARRAYS, packed=packed), KIND, "sample")
    assert opened.facts == {"of": 3}
    for name, array in ARRAYS.items():
        assert opened.arrays[name].dtype == array.dtype and opened.arrays[name].shape == array.shape
        assert opened.arrays[name].tolist() == array.tolist()


def test_a_stream_and_a_whole_file_are_read_alike(tmp_path: Path) -> None:
    data = ARRAYS["numbers"].tobytes()
    seal = stream_arrays(tmp_path / "a", KIND, {}, {"numbers": ArrayStream(io.BytesIO(data), "<i4")})
    write_arrays(tmp_path / "b", KIND, {}, {"numbers": data})
    streamed = open_arrays(tmp_path / "a", KIND, seal=seal)
    assert streamed.arrays["numbers"].tolist() == list(range(12))
    assert open_arrays(tmp_path / "b", KIND).arrays["numbers"].tobytes() == data
    with pytest.raises(InputError, match="damaged"):
        open_arrays(tmp_path / "b", KIND, seal=seal)


def test_a_flipped_bit_and_a_cut_are_noticed_but_in_what_is_checked_later(tmp_path: Path) -> None:
    path = tmp_path / "a"
    stream_arrays(path, KIND, {}, {"later": ArrayStream(io.BytesIO(b"x" * 64), "|u1")})
    whole = path.read_bytes()
    for place in range(0, len(whole), 5):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        with pytest.raises(InputError):
            open_arrays(path, KIND)
    path.write_bytes(whole[:-1] + b"y")
    assert open_arrays(path, KIND, checked_later=["later"]).arrays["later"][-1] == ord("y")
    path.write_bytes(whole[:-1])
    with pytest.raises(InputError):
        open_arrays(path, KIND, checked_later=["later"])


def test_a_small_file_that_unpacks_to_a_huge_one_is_refused() -> None:
    data = dump_arrays(KIND, {}, {"zeros": np.zeros(1 << 17, np.uint8)}, packed=True)
    assert len(data) < 1000
    with pytest.raises(InputError, match="damaged"):
        load_arrays(data, KIND, "sample")


def test_objects_are_never_read() -> None:
    data = dump_arrays(KIND, {}, {"objects": np.zeros(2, "<u8")}).replace(b'"<u8"', b'"|O" ')
    import hashlib

    length = int.from_bytes(data[12:16], "little")
    sealed = data[:16] + hashlib.sha256(data[48 : 48 + length]).digest() + data[48:]
    with pytest.raises(InputError, match="damaged"):
        load_arrays(sealed, KIND, "sample")
