"""What leaves in the wheel and in the source archive: everything that efface needs, and nothing else."""

from __future__ import annotations

import ast
import email.message
import hashlib
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
import zlib
from collections.abc import Iterator
from email import message_from_string
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from hatchling.builders.sdist import SdistBuilder
from hatchling.builders.wheel import WheelBuilder
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from tools.packaging import sign, write_checksums

from efface import __version__

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "efface"
FOR_BUILDERS = {"dev", "docs", "experiments", "train"}  # extras that no command of efface needs
PATHLESS = {
    "psycopg",
    "uvloop",
    "httptools",
    "pyspark",
    "pyjwt",
    "python-multipart",
    "s3fs",
}  # loaded by name


@pytest.fixture(scope="module", autouse=True)
def without_compression() -> Iterator[None]:
    """What is packed is tested, not how small it is: at the usual level each build takes ten seconds."""

    def stored(_level: int = 0, *settings: Any) -> Any:
        return compressobj(0, *settings)

    compressobj = zlib.compressobj
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(zlib, "compressobj", stored)
        yield


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(next(WheelBuilder(str(ROOT)).build(directory=str(tmp_path_factory.mktemp("wheel")))))


@pytest.fixture(scope="module")
def names(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


@pytest.fixture(scope="module")
def metadata(wheel: Path) -> email.message.Message:
    with zipfile.ZipFile(wheel) as archive:
        return message_from_string(archive.read(f"efface-{__version__}.dist-info/METADATA").decode())


def test_the_wheel_holds_the_package_and_nothing_else(names: set[str]) -> None:
    source = {
        path.relative_to(SOURCE.parent).as_posix()
        for path in SOURCE.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert {name for name in names if ".dist-info/" not in name} == source
    assert not [name for name in source if re.search(r"\.(pyc|db|log|orig|swp|sqlite)$|/tests?/", name)]


@pytest.mark.parametrize(
    "name",
    [
        "efface/finders/names/data/names.onnx",
        "efface/finders/names/data/subject.onnx",
        "efface/finders/names/data/vocab.txt",
        "efface/knowledge/corpus/data/wikipedia.idx",
        "efface/knowledge/corpus/data/wikipedia.subjects",
        "efface/knowledge/taxonomy/data/wordnet-nouns.tax",
        "efface/knowledge/taxonomy/data/wordnet-nouns.LICENSE",
        "efface/knowledge/taxonomy/data/english.tags",
        "efface/knowledge/taxonomy/data/english.countability",
        "efface/knowledge/taxonomy/data/wordnet-definitions.def",
        "efface/learners/data/names.xz",
        "efface/policy/presets/hipaa-like.yaml",
        "efface/demo/hospital/hospital.sql",
        "efface/service/page/review/review.js",
        "efface/py.typed",
        f"efface-{__version__}.dist-info/licenses/LICENSE",
        f"efface-{__version__}.dist-info/licenses/NOTICE",
        f"efface-{__version__}.dist-info/entry_points.txt",
    ],
)
def test_what_must_come_along(names: set[str], name: str) -> None:
    assert name in names


def test_the_notice_names_every_file_of_data() -> None:
    notice = (ROOT / "NOTICE").read_text("utf-8")
    data = [path for path in SOURCE.rglob("data/*") if path.suffix not in (".py", ".pyc") and path.is_file()]
    assert len(data) > 5
    assert [path.name for path in data if path.name not in notice] == []


def test_the_version_stands_in_one_place(metadata: email.message.Message) -> None:
    assert metadata["Version"] == __version__
    assert "version" in tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dynamic"]


def test_every_dependency_is_used(metadata: email.message.Message) -> None:
    """What users install is imported somewhere; what is loaded by its name only stands in the table."""
    ours = imported()
    wanted = {Requirement(line) for line in metadata.get_all("Requires-Dist", ())}
    for requirement in wanted:
        name = canonicalize_name(requirement.name)
        extras = set(re.findall(r'extra == "([^"]+)"', str(requirement.marker or "")))
        if name == "efface" or name in PATHLESS or extras & FOR_BUILDERS:
            continue
        assert modules_of(name) & ours, name


def modules_of(name: str) -> set[str]:
    """The top modules of an installed distribution, from the list of its files."""
    files = distribution(name).files or ()
    return {file.parts[0].partition(".")[0] for file in files}


def imported() -> set[str]:
    """The top modules that the package imports, wherever the statement stands, and those it names in texts."""
    found: set[str] = set()
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level:
                found.add((node.module or "").split(".")[0])
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.add(node.value.split(".")[0])  # import_module("pycrfsuite")
    return found - set(sys.stdlib_module_names)


def test_the_source_archive_builds_the_same_version(tmp_path: Path) -> None:
    made = Path(next(SdistBuilder(str(ROOT)).build(directory=str(tmp_path))))
    with tarfile.open(made) as archive:
        inside = {name.split("/", 1)[-1] for name in archive.getnames()}
    assert made.name == f"efface-{__version__}.tar.gz"
    assert {
        "pyproject.toml",
        "README.md",
        "LICENSE",
        "NOTICE",
        "src/efface/core.py",
        "tests/conftest.py",
    } <= inside
    stray = r"(^|/)(__pycache__|\.git|\.venv|\.hypothesis|efface-demo|build)/|^shared/|\.pyc$"
    assert not [name for name in inside if re.search(stray, name)]


def test_two_builds_are_the_same_bytes(wheel: Path, tmp_path: Path) -> None:
    again = Path(next(WheelBuilder(str(ROOT)).build(directory=str(tmp_path))))
    assert again.name == wheel.name
    assert hashlib.sha256(again.read_bytes()).digest() == hashlib.sha256(wheel.read_bytes()).digest()


def test_signed_checksums_are_checked_by_the_usual_commands(tmp_path: Path) -> None:
    key = Ed25519PrivateKey.generate()
    pem = (Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    (tmp_path / "key.pem").write_bytes(key.private_bytes(*pem))
    (tmp_path / "efface-1.tar.gz").write_bytes(b"archive")
    checksums = write_checksums(tmp_path)
    assert subprocess.run(["sha256sum", "--check", checksums.name], cwd=tmp_path, check=False).returncode == 0
    signature = sign(checksums, tmp_path / "key.pem")
    key.public_key().verify(signature.read_bytes(), checksums.read_bytes())
