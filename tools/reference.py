"""Writes docs/reference from the code: `python -m tools.reference`. `make docs` runs it; a test compares."""

from __future__ import annotations

import inspect
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum
from pathlib import Path
from typing import Any, Literal, cast, get_args, get_origin

from pydantic import BaseModel

from tools.policy_meanings import MEANINGS

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "reference"
MADE = "<!-- Made by `python -m tools.reference`; changes here are lost. -->\n"


def policy_page() -> str:
    """Every key of a policy, from the pydantic models."""
    from efface.policy.model import MODELS

    lines = [MADE, "# Every key of a policy\n"]
    lines.append(
        "How they work together: [policies](../policy.md). `efface policy check FILE` checks a policy.\n"
    )
    for model in MODELS:
        schema = _with_choices(model.model_json_schema(by_alias=True))
        properties, needed = schema["properties"], schema.get("required", ())
        lines += [f"## {PLACES[model.__name__]} {{#{model.__name__.lower()}}}\n", f"{_said(model)}\n"]
        rows = []
        for name, field in model.model_fields.items():
            key = field.alias or name
            default = "needed" if key in needed else _default(properties[key].get("default"))
            rows.append((f"`{key}`", MEANINGS[model.__name__][name], _kind(properties[key]), default))
        lines += [*_table(("key", "meaning", "value", "default"), rows), ""]
    return "\n".join(lines)


PLACES = {  # model → where it stands in a policy
    "Policy": "The policy",
    "Find": "`find`",
    "NamesEntry": "`find.names`",
    "DenyEntry": "an entry of `find.deny` or `find.keep`",
    "Knowledge": "`knowledge.NAME`",
    "AccessEntry": "`knowledge.NAME.access`",
    "LabelsEntry": "`knowledge.NAME.access.labels`",
    "UsersTable": "`…labels.users`, `…labels.columns`",
    "GrantsView": "`knowledge.NAME.access` by a view",
    "Roles": "`knowledge.NAME.access.postgres`",
    "GuaranteeEntry": "an entry of `guarantees`",
    "KSafetyEntry": "`k-safety`",
    "TogetherEntry": "`together`",
    "RememberedEntry": "`together.viewer`, `together.document`",
    "ConfusabilityEntry": "`k-confusability`",
    "TruthInDocument": "`k-confusability.truth`",
    "LearnedClass": "`k-confusability.learn.NAME`",
    "SemanticEntry": "`semantic`",
    "WebCounts": "`semantic.web`",
    "IdentifiersEntry": "`identifiers`",
    "ReviewEntry": "`review`",
    "RestoreEntry": "`restore`",
    "CustomEntry": "`find.custom`, `guarantees.custom`, `formats`",
}


def _default(value: object) -> str:
    if value in (None, "", [], {}):
        return ""
    if isinstance(value, dict) and set(value) != {"default"}:
        return "all defaults"
    if isinstance(value, dict):
        return "`{default: " + str(value["default"]) + "}`"
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def _with_choices(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema with the values of each enumeration in the place of its name, which no user knows."""
    choices = {f"#/$defs/{name}": kind for name, kind in schema.get("$defs", {}).items() if "enum" in kind}

    def told(value: Any) -> Any:
        if isinstance(value, list):
            return [told(one) for one in value]
        if not isinstance(value, dict):
            return value
        reference = value.get("$ref")
        if isinstance(reference, str) and reference in choices:
            value = {**choices[reference], **{key: one for key, one in value.items() if key != "$ref"}}
        return {key: told(one) for key, one in value.items()}

    return cast("dict[str, Any]", told(schema))


def _kind(schema: dict[str, Any]) -> str:
    """A JSON schema in a few words."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{PLACES[name]}](#{name.lower()})" if name in PLACES else name
    if "anyOf" in schema:
        kinds = (_kind(one) for one in schema["anyOf"] if one.get("type") != "null")
        return " or ".join(dict.fromkeys(kinds))
    if "allOf" in schema:
        return _kind(schema["allOf"][0])
    if "const" in schema:
        return f"`{schema['const']}`"
    if "enum" in schema:
        return ", ".join(f"`{value}`" for value in schema["enum"])
    kind = schema.get("type")
    if kind == "array":
        inner = schema.get("items") or (schema.get("prefixItems") or [{}])[0]
        return f"list of {_kind(inner)}"
    if kind == "object":
        inner = schema.get("additionalProperties")
        return f"mapping to {_kind(inner)}" if isinstance(inner, dict) else "mapping"
    return _scalar(schema, kind)


def _scalar(schema: dict[str, Any], kind: str | None) -> str:
    names = {"string": "text", "integer": "whole number", "number": "number", "boolean": "true or false"}
    bounds = (
        ("minimum", "at least"), ("exclusiveMinimum", "above"), ("maximum", "at most"),
    )  # fmt: skip
    limits = [f"{word} {schema[name]:g}" for name, word in bounds if name in schema]
    if schema.get("format") == "path":
        return "path"
    return ", ".join([names.get(kind or "", "anything"), *limits])


def http_page() -> str:
    """Every route, from the service's OpenAPI description."""
    from efface.service.app import Service, build
    from efface.service.settings import ServiceSettings

    with tempfile.TemporaryDirectory() as home:
        service = Service.open(ServiceSettings(home=Path(home)))
        try:
            schema = build(service).openapi()
        finally:
            service.close()
    lines = [MADE, "# Every route\n"]
    lines.append(
        "Who may ask for what, and what it means: [the service](../service.md). A running service gives the"
    )
    lines.append("same as OpenAPI at `/openapi.json`. Errors are problem documents (RFC 9457).\n")
    groups: dict[str, list[str]] = {}
    for path, operations in schema["paths"].items():
        for verb, operation in operations.items():
            tag = (operation.get("tags") or ["other"])[0]
            groups.setdefault(tag, []).extend(_route(path, verb, operation, schema["components"]["schemas"]))
    for tag, routes in groups.items():
        lines += [f"## {tag.capitalize()}\n", *routes]
    return "\n".join(lines)


def _route(path: str, verb: str, operation: dict[str, Any], schemas: dict[str, Any]) -> Iterator[str]:
    yield f"### `{verb.upper()} {path}`\n"
    yield " ".join((operation.get("description") or operation.get("summary", "")).split()) + "\n"
    rows: list[tuple[str, ...]] = [
        (f"`{one['name']}`", one["in"], _kind(one["schema"]), "yes" if one.get("required") else "")
        for one in operation.get("parameters", ())
    ]
    kinds = operation.get("requestBody", {}).get("content", {})
    for kind in kinds.values():
        rows += _fields(kind.get("schema", {}), schemas)
    if rows:
        yield from _table(("parameter", "in", "value", "needed"), rows)
        yield ""
    if kinds:
        yield f"Body: {', '.join(f'`{kind}`' for kind in kinds)}.\n"
    answers = {code: answer for code, answer in operation["responses"].items() if code.startswith("2")}
    said = "; ".join(
        f"{code} ({', '.join(answer.get('content', {})) or 'no body'})" for code, answer in answers.items()
    )
    if said:
        yield f"Answers: {said}.\n"


def _fields(schema: dict[str, Any], schemas: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    """The fields of a request's body."""
    found = schemas.get(schema["$ref"].rpartition("/")[2], {}) if "$ref" in schema else schema
    for name, field in found.get("properties", {}).items():
        yield f"`{name}`", "body", _kind(field), "yes" if name in found.get("required", ()) else ""


def cli_page() -> str:
    """Every command, from Typer."""
    import typer

    from efface.cli.main import app

    root = typer.main.get_command(app)
    lines = [MADE, "# Every command\n", f"{root.help}\n", f"{root.epilog}\n"]
    lines += _commands(root, "efface")
    return "\n".join(lines)


def _commands(group: Any, path: str) -> Iterator[str]:
    for name in group.list_commands(None):  # in the order of `--help`
        command = group.commands[name]
        if hasattr(command, "commands"):
            yield from _commands(command, f"{path} {name}")
        else:
            yield from _command(command, f"{path} {name}")


def _command(command: Any, path: str) -> Iterator[str]:
    said, _, example = (command.help or "").partition("Example: ")
    yield f"## `{path}`\n"
    yield " ".join(said.split()) + "\n"
    if example:
        yield f"    {' '.join(example.split())}\n"
    rows = []
    for option in command.params:
        if option.name == "help":
            continue
        is_argument = option.param_type_name == "argument"
        shown = _argument(option) if is_argument else ", ".join(option.opts)
        default = "needed" if option.required else _shown_default(option)
        choices = ", ".join(f"`{one}`" for one in _choices(option.type_descriptor.annotation))
        meaning = f"{_plain(option.help or '')} One of {choices}." if choices else _plain(option.help or "")
        rows.append((f"`{shown}`", meaning, default))
    if rows:
        yield from _table(("argument or option", "meaning", "default"), rows)
        yield ""


def _plain(text: str) -> str:
    from rich.text import Text

    return " ".join(Text.from_markup(text).plain.split()).replace("|", "\\|")


def _choices(kind: Any) -> tuple[str, ...]:
    """The values of a Literal, also of one that may be left out."""
    if get_origin(kind) is Literal:
        return get_args(kind)
    return next((found for one in get_args(kind) if (found := _choices(one))), ())


def _argument(option: Any) -> str:
    name = option.metavar or option.name.upper()
    return f"{name}…" if option.nargs == -1 else name


def _shown_default(option: Any) -> str:
    from enum import Enum

    if isinstance(option.show_default, str):
        return option.show_default
    value = option.default.value if isinstance(option.default, Enum) else option.default
    if value is None or value is False or value in ("", [], ()) or callable(value):
        return ""
    return f"`{value}`" if not str(value).startswith("Sentinel") else ""


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def python_page() -> str:
    """Every public name of the package, from its docstrings."""
    import efface

    lines = [
        MADE,
        "# Every name in Python\n",
        "All of these are imported from `efface`. The tests run the examples.\n",
    ]
    for name in efface.__all__:
        if not name.startswith("__"):
            lines += _described(name, getattr(efface, name), "##")
    return "\n".join(lines)


def _said(found: Any) -> str:
    """The docstring without its examples."""
    return (inspect.getdoc(found) or "").partition(">>> ")[0].strip()


def _described(name: str, found: Any, head: str) -> Iterator[str]:
    """A name with its signature and what its docstring says; of a class also its public members."""
    is_class = inspect.isclass(found)
    callable_ = found.__func__ if isinstance(found, classmethod | staticmethod) else found
    yield f"{head} `{name}{'' if isinstance(found, property) else _signature(callable_)}`\n"
    said, mark, example = (inspect.getdoc(callable_) or "").partition(">>> ")
    yield said.strip() + "\n"
    if mark:
        yield f"```pycon\n{mark}{example.rstrip()}\n```\n"
    for attribute, member in vars(found).items() if is_class else ():
        is_method = inspect.isfunction(member) or isinstance(member, property | classmethod | staticmethod)
        is_ours = not attribute.startswith(("_", "model_"))  # pydantic adds methods called model_…
        if is_ours and is_method:
            yield from _described(f"{name}.{attribute}", member, "###")


def _signature(found: Any) -> str:
    if inspect.isclass(found) and issubclass(found, BaseModel):
        return ""  # its keys stand on a page of their own
    if inspect.isclass(found) and issubclass(found, Enum):
        return ""  # versions of Python differ in what they say of it
    try:
        return str(inspect.signature(found)).replace("'", "")
    except ValueError:  # a subclass of str
        return ""


PAGES: dict[str, Callable[[], str]] = {
    "policy.md": policy_page,
    "http.md": http_page,
    "cli.md": cli_page,
    "python.md": python_page,
}


def main() -> None:
    """Write the pages that changed."""
    FOLDER.mkdir(exist_ok=True)
    for name, make in PAGES.items():
        path, text = FOLDER / name, make().rstrip() + "\n"
        if not path.exists() or path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
