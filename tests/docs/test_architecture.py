"""The page on the architecture names every room, and what it says of places is true."""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from tools.walk import main as walk

import efface

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = Path(efface.__file__).parent
PAGE = (ROOT / "docs" / "architecture.md").read_text("utf-8")
GUIDE = (ROOT / "docs" / "guides" / "extending.md").read_text("utf-8")
PLACE = re.compile(r"`((?:src/efface/)?[a-z_]+(?:/[a-z_]+)+(?:\.py)?)`")
NAMED = re.compile(r"`([a-z_]+(?:/[a-z_]+)+\.py)` \(`([A-Za-z_.]+)`\)")
MOST = 20  # modules in one folder
LONGEST = 400  # lines of a module
# All rooms hand these nouns to one another. Whoever looks for one should have one place to look in.
LONGER = {"core.py"}


def _rooms() -> set[str]:
    return {folder.name for folder in PACKAGE.iterdir() if (folder / "__init__.py").exists()}


def test_every_room_is_named() -> None:
    rows = set(re.findall(r"^\| `([a-z_]+)` \|", PAGE, re.MULTILINE))
    assert _rooms() == rows


def test_only_the_nouns_and_the_errors_stand_at_the_top() -> None:
    found = {path.name for path in PACKAGE.glob("*.py")}
    assert found == {"__init__.py", "__main__.py", "core.py", "errors.py"}


def test_no_room_is_crowded() -> None:
    crowded = {}
    for folder in (PACKAGE, *(path for path in PACKAGE.rglob("*") if path.is_dir())):
        modules = [path for path in folder.glob("*.py") if path.name != "__init__.py"]
        if len(modules) > MOST:
            crowded[str(folder.relative_to(PACKAGE))] = len(modules)
    assert crowded == {}


def test_no_module_is_long() -> None:
    lengths = {path.relative_to(PACKAGE).as_posix(): _lines(path) for path in PACKAGE.rglob("*.py")}
    assert {place for place, length in lengths.items() if length > LONGEST} == LONGER


def _lines(path: Path) -> int:
    return len(path.read_text("utf-8").splitlines())


def test_a_statement_holds_one_comprehension() -> None:
    """Two of them in one statement hide a step that deserves a name."""
    dense = []
    for place, tree in _sources():
        dense += [f"{place}:{line}" for line in _dense_lines(tree)]
    assert dense == []


def _dense_lines(tree: ast.Module) -> list[int]:
    """The lines of statements with several comprehensions or generators, those of the statements inside them aside."""
    counts: Counter[ast.AST] = Counter()
    waiting: list[tuple[ast.AST, ast.AST]] = [(tree, tree)]
    while waiting:
        node, statement = waiting.pop()
        if isinstance(node, ast.stmt):
            statement = node
        elif isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
            counts[statement] += 1
        waiting += [(part, statement) for part in ast.iter_child_nodes(node)]
    definitions = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    dense = [one for one, count in counts.items() if count > 1 and isinstance(one, ast.stmt)]
    return [one.lineno for one in dense if not isinstance(one, definitions)]


def test_statements_with_two_comprehensions_are_told() -> None:
    source = """
a = [x for x in y]
if any(x for x in y):
    b = {x for x in y}, [x for x in y]
def f(a=[x for x in y], b=[x for x in y]):
    return [x for x in [z for z in y]]
"""
    assert sorted(_dense_lines(ast.parse(source))) == [4, 6]


def test_a_class_name_means_one_thing() -> None:
    """A leading underscore does not make another name: `_Row` and `Row` would be confused all the same."""
    homes: dict[str, list[str]] = defaultdict(list)
    for place, tree in _sources():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                homes[node.name.lstrip("_")].append(place)
    twice = {name: places for name, places in homes.items() if len(places) > 1}
    assert twice == {}


def test_a_name_of_a_type_means_one_thing() -> None:
    """What a class is called no alias is called, unless it names arrays, a type variable or the options of a command."""
    classes: set[str] = set()
    aliases: dict[str, dict[str, str]] = defaultdict(dict)
    for place, tree in _sources():
        classes |= {node.name.lstrip("_") for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
        for name, value in _aliases(tree):
            aliases[name.lstrip("_")][value] = place
    told = {name: values for name, values in aliases.items() if name in classes or len(values) > 1}
    assert told == {}


def _aliases(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """The aliases of types in a module, with what each stands for."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name, value = node.targets[0].id, ast.unparse(node.value)
            is_type = re.fullmatch("_?[A-Z][a-z]+([A-Z][a-z]*)*", name) is not None
            if is_type and not re.search(r"\bNDArray\b|^TypeVar\(|^Annotated\[", value):
                yield name, value


def _sources(folder: str = "") -> Iterator[tuple[str, ast.Module]]:
    for path in sorted((PACKAGE / folder).rglob("*.py")):
        yield path.relative_to(PACKAGE).as_posix(), _tree(path)


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def _guarantee_classes() -> set[str]:
    classes = set()
    for _, tree in _sources("guarantees"):
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef) and not any("Protocol" in ast.unparse(b) for b in node.bases):
                methods = {part.name for part in node.body if isinstance(part, ast.FunctionDef)}
                if {"assess", "plan"} <= methods:
                    classes.add(node.name)
    return classes


def test_guarantees_are_built_where_a_policy_is_bound_and_nowhere_else() -> None:
    classes = _guarantee_classes()
    assert {"Absence", "Confusability", "DeniedColumns", "HiddenValues", "KSafety", "Semantic"} <= classes
    elsewhere = []
    for place, tree in _sources():
        if place.startswith(("guarantees/", "policy/bind")):
            continue
        called = {ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
        built = {name for name in called if name.split(".")[0] in classes}
        elsewhere += [f"{place}: {name}" for name in sorted(built)]
    assert elsewhere == []


def test_whoever_uses_guarantees_knows_their_abilities_and_no_class() -> None:
    known = []
    for room in ("api", "batch", "pipeline", "report", "service"):
        for place, tree in _sources(room):
            imports = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
            inside = {module for module in imports if module.startswith("efface.guarantees")}
            known += [f"{place}: {module}" for module in inside - {"efface.guarantees.abilities"}]
    assert known == []


def test_whoever_uses_formats_asks_for_an_ability_and_for_no_class() -> None:
    """A format that somebody adds has an origin of its own, which no `isinstance` on ours knows."""
    concrete = _concrete_classes("formats")
    assert "PdfOrigin" in concrete
    asked = []
    for room in ("api", "batch", "pipeline", "report", "service"):
        for place, tree in _sources(room):
            asked += [f"{place}: {name}" for name in sorted(_compared_classes(tree) & concrete)]
    assert asked == []


def _concrete_classes(room: str) -> set[str]:
    """The classes that a room defines, its protocols aside."""
    found = set()
    for _, tree in _sources(room):
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef) and not any("Protocol" in ast.unparse(b) for b in node.bases):
                found.add(node.name)
    return found


def _compared_classes(tree: ast.Module) -> set[str]:
    """The names of classes that a module gives to `isinstance`."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "isinstance":
            found |= {part.id for part in ast.walk(node.args[1]) if isinstance(part, ast.Name)}
    return found


def test_what_a_finder_can_do_is_asked_by_the_protocols_of_core() -> None:
    """A misspelled attribute in a `getattr` would be an ability that no finder has, and nobody would notice."""
    asked = []
    for place, tree in _sources():
        if place in {"core.py", "policy/plugins.py"}:  # the protocols, and the check of what a plugin brings
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "getattr":
                name = node.args[1]
                if isinstance(name, ast.Constant) and name.value in {"types", "languages", "traits"}:
                    asked.append(f"{place}:{node.lineno}")
    assert asked == []


def test_places_that_the_page_names_exist() -> None:
    for page in (PAGE, GUIDE):
        named = set(PLACE.findall(page))
        assert named
        assert [place for place in named if not _exists(place)] == []


def test_names_that_the_page_gives_stand_in_the_file_before_them() -> None:
    """`attacks/leaks.py` (`search`) promises that the file defines `search`."""
    missing = []
    for place, name in NAMED.findall(PAGE + GUIDE):
        path = PACKAGE / place if (PACKAGE / place).exists() else ROOT / place
        defined = _defined(ast.parse(path.read_text("utf-8")))
        if not set(name.split(".")) <= defined:
            missing.append(f"{place}: {name}")
    assert missing == []


def _defined(tree: ast.Module) -> set[str]:
    """Functions, classes and methods of a module, and the names that it assigns."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
    return names


def _exists(place: str) -> bool:
    path = PACKAGE / place.removeprefix("src/efface/")
    elsewhere = (ROOT / place, ROOT / "docs" / place)
    return path.exists() or path.with_suffix(".py").exists() or any(other.exists() for other in elsewhere)


def test_every_room_within_a_room_is_named_in_its_row() -> None:
    rows = dict(re.findall(r"^\| `([a-z_]+)` \| (.+) \|$", PAGE, re.MULTILINE))
    unnamed = []
    for inner in PACKAGE.glob("*/*/__init__.py"):
        room, name = inner.parts[-3:-1]
        if f"`{name}`" not in rows[room]:
            unnamed.append(f"{room}/{name}")
    assert unnamed == []


def test_each_extension_takes_three_files_at_most() -> None:
    """The table of the guide says which files to change, three at most for each kind of extension."""
    table = re.findall(r"^\| an? ([a-z ]+) \| (.+) \|$", GUIDE, re.MULTILINE)
    kinds = {"identifier type", "finder", "guarantee", "format", "operator", "database"}
    assert {kind for kind, _ in table} == kinds
    assert all(len(re.findall("`[^`]+`", places)) <= 3 for _, places in table)


def test_every_room_says_what_it_holds() -> None:
    silent = []
    for path in PACKAGE.rglob("__init__.py"):
        if not path.read_text("utf-8").lstrip().startswith('"""'):
            silent.append(str(path.parent.relative_to(PACKAGE)))
    assert silent == []


def test_the_walk_shows_the_way_of_a_document(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    note, policy = tmp_path / "note.txt", tmp_path / "p.yaml"
    note.write_text("Write to jane.doe@example.org.\n")
    policy.write_text("find: {names: none}\n")
    monkeypatch.setattr("sys.argv", ["walk", str(note), "--policy", str(policy)])
    walk()
    passed = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    stages = ["policy/bind", "pipeline/sanitize", "formats/plain/text", "pipeline/find", "attacks/leaks"]
    assert [stage for stage in passed if stage in stages] == stages
