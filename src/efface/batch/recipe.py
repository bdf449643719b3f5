"""What beside the input decides an output, as two digests: the policy with all that it names, and our code."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from functools import cache
from pathlib import Path

from efface import __version__
from efface.batch.containers.members import Options
from efface.batch.engines.one_document import Engine
from efface.batch.manifest import Recipe
from efface.batch.work_folder import stamp
from efface.guarantees.abilities import HasFingerprint
from efface.policy.files import paths_of

_WHOLE = 64 << 20  # files up to this size are read, larger ones identified by their state


def recipe_of(engine: Engine, options: Options) -> Recipe:
    """The recipe of a batch. Rights that change in a database are not seen here: `--again` asks again."""
    spec = engine.spec
    digest = hashlib.sha256(bytes.fromhex(spec.key))
    said = {k: v for k, v in asdict(options).items() if k != "max_bytes"}
    for value in (spec.policy, spec.viewer, spec.follow, spec.refuses_unproven, said):
        digest.update(json.dumps(value, sort_keys=True).encode())
    for path in sorted(set(paths_of(engine.policy))):
        digest.update(_content(Path(spec.folder) / path))
    for name in sorted(engine.policy.knowledge):
        finder = engine.bound.finders[name]
        digest.update(str(finder.fingerprint if isinstance(finder, HasFingerprint) else "").encode())
    return Recipe(digest.hexdigest(), code())


def _content(path: Path) -> bytes:
    if path.is_dir():
        return b"".join(_content(one) for one in sorted(path.rglob("*")) if one.is_file())
    if not path.is_file():
        return b"-"
    status = path.stat()
    data = path.read_bytes() if status.st_size <= _WHOLE else stamp(status).encode()
    return hashlib.sha256(data).digest()


@cache
def code() -> str:
    """efface's version, and a digest of its code: a development version changes without its number."""
    root = Path(__file__).resolve().parents[1]
    digest = hashlib.sha256()
    for path in sorted(root.rglob("*.py")):
        digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes())
    return f"{__version__} {digest.hexdigest()[:16]}"
