"""Every benchmark in its quick form, one after the other: `make bench`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def main() -> int:
    names = sorted(path.stem for path in Path(__file__).parent.glob("[a-z]*.py"))
    failed = []
    for name in names:
        print(f"\n== {name}", flush=True)
        if subprocess.run([sys.executable, "-m", f"benchmarks.{name}", "--quick"], check=False).returncode:
            failed.append(name)
    print(f"\n{len(names) - len(failed)} ran, {len(failed)} failed {' '.join(failed)}")
    return len(failed)


if __name__ == "__main__":
    sys.exit(main())
