"""`python -m efface`: the command line."""

from __future__ import annotations

from efface.cli.main import main

main()
