"""Finders, guarantees, operators and formats of other packages.

They come as objects (`Extras`), by a policy that names them (`mycompany.tickets:TicketFinder`), or by an entry point
(`efface.finders`, `efface.guarantees`, `efface.operators`, `efface.formats`) whose name a policy uses. A name with a
colon is an import; another is an entry point. Only what a policy names is imported, but for formats: they are
known by the endings of files, so all installed ones are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any, cast

from efface.attacks.readers.extract import add_reader
from efface.core import Finder, Guarantee
from efface.errors import PolicyError
from efface.formats import BY_ENDING, BY_MEDIA_TYPE, FORMATS, FormatKind
from efface.operators import Operator, is_operator
from efface.policy.yaml_text import nearest


@dataclass(frozen=True)
class Extras:
    """Objects that a caller adds to a policy. They stay in this process."""

    finders: Mapping[str, Finder] = field(default_factory=dict)
    guarantees: tuple[Guarantee, ...] = ()
    operators: Mapping[str, Operator] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for given, by in (("finders", "name"), ("operators", "type")):
            if not isinstance(getattr(self, given), Mapping):
                raise PolicyError(
                    f"`{given}` is no mapping.", f"Give a dict: an object of yours for each {by}."
                )
        for name, finder in self.finders.items():
            check_finder(finder, name)
        for guarantee in self.guarantees:
            check_guarantee(guarantee, type(guarantee).__name__)
        for name, operator in self.operators.items():
            check_operator(operator, name)

    def __bool__(self) -> bool:
        return bool(self.finders or self.guarantees or self.operators)


NO_EXTRAS = Extras()


def made(kind: str, name: str, options: Mapping[str, Any], where: str) -> Any:
    """The object that a policy names. A class is called with the options; an instance takes none."""
    found = _imported(name, where) if ":" in name else _installed(kind, name, where)
    if not isinstance(found, type):
        if options:
            raise PolicyError(f"{where}: what is named takes no options.", "Name the class, not an object.")
        return found
    try:
        return found(**options)
    except (TypeError, ValueError):
        raise PolicyError(f"{where}: it does not take these options.", "Compare its signature.") from None


def _imported(name: str, where: str) -> Any:
    module, _, attribute = name.partition(":")
    try:
        found: Any = import_module(module)
        for part in attribute.split("."):
            found = getattr(found, part)
    except Exception as error:  # the module's own code runs here and may raise anything
        raise PolicyError(
            f"{where}: `{name}` cannot be imported ({type(error).__name__}).",
            "Install its package where efface runs, as `module:name`.",
        ) from None
    return found


def _installed(kind: str, name: str, where: str) -> Any:
    known = _entry_points(kind)
    if name not in known:
        near = nearest(name, known)
        raise PolicyError(
            f"{where}: no installed package brings `{name}`{near}", "Install it, or write `module:name`."
        )
    return _loaded(known[name], where)


def _loaded(point: EntryPoint, where: str) -> Any:
    """Loads an entry point. A broken package is reported under the name of its entry point."""
    try:
        return point.load()
    except Exception as error:  # the package's own code runs here and may raise anything
        raise PolicyError(
            f"{where}: the entry point `{point.name}` ({point.value}) cannot be loaded ({type(error).__name__}).",
            "Repair or uninstall the package that brings it.",
        ) from None


@lru_cache(maxsize=8)
def _entry_points(kind: str) -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=f"efface.{kind}")}


def is_installed(kind: str, name: str) -> bool:
    """Whether an entry point of that kind has this name."""
    return name in _entry_points(kind)


def check_finder(found: object, name: str) -> Finder:
    """A finder has `find(text)` and says its `types`."""
    if isinstance(found, type):
        raise PolicyError(f"`{name}` is a class, not a finder.", "Give an object of it.")
    types = getattr(found, "types", None)
    named = isinstance(types, tuple | list | set | frozenset) and all(isinstance(one, str) for one in types)
    if not callable(getattr(found, "find", None)) or not types or not named:
        raise PolicyError(
            f"`{name}` is no finder.", "A finder has `find(text)` and `types`, a tuple of names."
        )
    return cast("Finder", found)


def check_guarantee(found: object, name: str) -> Guarantee:
    """A guarantee has `claim`, `assess` and `plan`."""
    methods = callable(getattr(found, "assess", None)) and callable(getattr(found, "plan", None))
    if not methods or not hasattr(found, "claim"):
        raise PolicyError(f"`{name}` is no guarantee.", "A guarantee has `claim`, `assess` and `plan`.")
    return cast("Guarantee", found)


def check_operator(found: object, name: str) -> Operator:
    """An operator is one of efface's, or has `fill(original, type, key)`."""
    if not is_operator(found):
        raise PolicyError(
            f"`{name}` is no operator.", "An operator is one of efface's, or has `fill(original, type, key)`."
        )
    return cast("Operator", found)


@dataclass(frozen=True)
class FormatPlugin:
    """A format from elsewhere: its row of the table, and the attackers' own reader, which must share no code with it."""

    name: str
    kind: FormatKind
    reader: Any  # (bytes) → iterable of (part, text)


def add_format(plugin: object, name: str) -> None:
    """Make a format known in this process. One of efface's own cannot be replaced."""
    if not isinstance(plugin, FormatPlugin) or not callable(plugin.reader):
        raise PolicyError(f"`{name}` is no format.", "Give an `efface.policy.plugins.FormatPlugin`.")
    if FORMATS.get(plugin.name) == plugin.kind:
        return
    taken = [ending for ending in plugin.kind.endings if ending in BY_ENDING]
    if plugin.name in FORMATS or taken:
        raise PolicyError(
            f"The format `{plugin.name}` is known already.", "Choose another name and other endings."
        )
    FORMATS[plugin.name] = plugin.kind
    BY_ENDING.update(dict.fromkeys(plugin.kind.endings, plugin.name))
    BY_MEDIA_TYPE.update(dict.fromkeys(plugin.kind.media_types, plugin.name))
    add_reader(plugin.name, plugin.reader, plugin.kind.endings, plugin.kind.media_types)


@lru_cache(maxsize=1)
def add_installed_formats() -> None:
    """The formats of installed packages, once in a process."""
    for name, point in _entry_points("formats").items():
        add_format(_loaded(point, "formats"), name)
