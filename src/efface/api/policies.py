"""A policy from whatever a caller has: nothing, a mapping, a YAML text, a preset's name, a path or a policy."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from efface.errors import PolicyError
from efface.policy.entries import Find
from efface.policy.model import PRESETS, Policy, load, parse, parse_value, preset

PolicyLike = Policy | Mapping[str, Any] | str | os.PathLike[str] | None
_YAML = re.compile(r"[\n{]|:(?:\s|$)")  # what a mapping in YAML has and the path of a file has not


def policy_of(given: PolicyLike) -> tuple[Policy, Path]:
    """The policy and the folder that its relative paths start from.

    A `str` with a colon and a blank, a brace or a line break is YAML; another is the name of a preset or a path.

    >>> from efface.api.policies import policy_of
    >>> policy_of("find: {deny: [Falcon]}")[0].find.deny[0].term
    'Falcon'
    """
    if given is None:
        return Policy(find=Find(names="default")), Path()
    if isinstance(given, Policy):
        return given, Path()
    if isinstance(given, Mapping):
        return parse_value(dict(given)), Path()
    if isinstance(given, str):
        return _from_text(given)
    if isinstance(given, os.PathLike):
        path = Path(given)
        return load(path), path.parent
    raise PolicyError("This is no policy.", "Give a mapping, a YAML text, a path or a Policy.")


def _from_text(given: str) -> tuple[Policy, Path]:
    if _YAML.search(given) or not given.strip():
        return parse(given), Path()
    if given in PRESETS and not Path(given).exists():
        return parse(preset(given), given), Path()
    return load(Path(given)), Path(given).parent
