"""Views of Word files and PDFs for several viewers of a real server, looked at with other programs' readers."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import unicodedata
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from efface.api.sanitizer import Sanitizer
from efface.core import Verdict
from efface.knowledge.databases.relation import engine
from efface.pipeline.bound import BoundPolicy
from efface.pipeline.sanitize import sanitize
from tests.access.view_files import PDF, WORD
from tests.real_postgres import real_postgres

SETUP = """
CREATE ROLE efface_app LOGIN BYPASSRLS; CREATE ROLE north LOGIN; CREATE ROLE south LOGIN; CREATE ROLE clerk LOGIN;
GRANT north, south, clerk TO efface_app;
CREATE TABLE patient (id integer PRIMARY KEY, name text, account text, illness text, ward text);
INSERT INTO patient VALUES
  (1, 'Aurelio Brandtmar', '4929-1044-2217', 'sarcoidosis', 'north'),
  (2, 'Wilhelmina Okafore', '5510-8823-9046', 'trichinosis', 'south'),
  (3, 'Teodora Valkenrij', '6011-3387-1250', 'leptospirosis', 'north');
ALTER TABLE patient ENABLE ROW LEVEL SECURITY;
CREATE POLICY n ON patient TO north USING (ward = 'north');
CREATE POLICY s ON patient TO south USING (ward = 'south');
CREATE POLICY c ON patient TO clerk USING (true);
GRANT SELECT ON patient TO efface_app, north, south;
GRANT SELECT (id, name, ward) ON patient TO clerk;
"""
POLICY = """
find: {{patterns: none, names: none}}
knowledge:
  patients:
    database: {url}
    entities: patient
    identifying: [name, account]
    sensitive: [illness]
    access: postgres
guarantees:
  - k-safety: {{over: patients, k: 2, protect: denied}}
"""
ROW = {"first": "Aurelio", "last": "Brandtmar", "account": "4929-1044-2217", "illness": "sarcoidosis"}
# What must not be read by each viewer. A clerk is shown names, and neither accounts nor illnesses.
HIDDEN = {
    "north": (),
    "south": ("aurelio", "brandtmar", "492910442217", "sarcoidosis"),
    "clerk": ("492910442217", "sarcoidosis"),
}
WORLDS = [(".docx", name) for name in WORD] + [(".pdf", name) for name in PDF]


@pytest.fixture(scope="module")
def bound(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[str, BoundPolicy]]:
    """The policy, bound to each viewer once. Whom they may see is asked for each file all the same."""
    folder = tmp_path_factory.mktemp("views")
    with real_postgres(SETUP) as root:
        weak = root.replace("postgres:@", "efface_app:@")
        (folder / "policy.yaml").write_text(POLICY.format(url=weak))
        made = Sanitizer.from_policy(folder / "policy.yaml")
        yield {viewer: made.bind(viewer) for viewer in HIDDEN}
        engine(weak).dispose()


def readings(data: bytes, suffix: str, folder: Path) -> Iterator[str]:
    """The released bytes as unzip and pdftotext give them, and as they are."""
    if suffix == ".docx":
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for name in archive.namelist():
                text = archive.read(name).decode("utf-8", "replace")
                yield text
                yield re.sub(r"<[^>]*>", "", text)
        return
    if shutil.which("pdftotext") is None:
        pytest.skip("needs pdftotext")
    (folder / "out.pdf").write_bytes(data)
    for option in ("-raw", "-layout", "-bbox"):
        command = ["pdftotext", option, str(folder / "out.pdf"), "-"]
        text = subprocess.run(command, capture_output=True, check=True).stdout.decode()
        yield re.sub(r"<[^>]*>", "", text)
    yield data.decode("latin-1")


def bare(text: str) -> str:
    """Letters and digits alone, whatever parts them."""
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKD", text)).casefold()


@pytest.mark.parametrize(("suffix", "world"), WORLDS)
def test_what_a_viewer_may_not_read_is_in_no_reading_of_the_file(
    bound: Mapping[str, BoundPolicy], tmp_path: Path, suffix: str, world: str
) -> None:
    file = (WORD if suffix == ".docx" else PDF)[world](ROW)
    wrong = []
    for viewer, hidden in HIDDEN.items():
        report = sanitize(file, f"note{suffix}", bound[viewer])
        if report.released is None or report.verdict is not Verdict.HELD:
            wrong.append(f"{viewer}: refused")
            continue
        for reading in map(bare, readings(report.released, suffix, tmp_path)) if hidden else ():
            wrong += [f"{viewer}: {value}" for value in hidden if value in reading]
        if viewer == "north" and report.edits:
            wrong.append("north: something was removed")
    assert not wrong, sorted(set(wrong))
