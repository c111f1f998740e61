"""TOML files as plain tables: reading within limits, merging, changing by key, and explaining errors of a model."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, get_args, get_origin

import tomli_w
from pydantic import AfterValidator, BaseModel, ConfigDict, ValidationError

from simcore.errors import UsageError, nearest, printable, shown

MAX_BYTES = 1_000_000
MAX_DEPTH = 12
_CROWDED = re.compile(r"(?:\.[^.,=\[\]{}]*){64}")
"""Pattern of a key with very many parts, for which tomllib would need quadratic time."""

Line = Annotated[str, AfterValidator(printable)]
"""Text that is only shown."""

KeyPath = tuple[str, ...]
"""A dotted key, split."""


def as_tuple(value: Any) -> Any:
    """Return a list of TOML as the tuple that a strict model wants; anything else as it stands."""
    return tuple(value) if isinstance(value, list) else value


class Table(BaseModel):
    """A model of a table that is strict about keys and types: no unknown key, no "3" for 3, no 3.0 for 3."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", allow_inf_nan=False)


def read_bytes(path: Path) -> bytes:
    """Return a file's bytes, at most one more than `parse` accepts.

    Raises UsageError if the file does not exist or cannot be read.
    """
    label = shown(str(path), 120)
    try:
        if not path.exists():
            raise UsageError(f"{label}: no such file")
        if not path.is_file():
            raise UsageError(f"{label}: not a file; name a TOML file")
        with path.open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        raise UsageError(f"{label}: cannot be read: {getattr(error, 'strerror', None) or error}") from None


def parse(data: bytes, label: str) -> dict[str, Any]:
    """Return the table in a TOML file.

    Raises UsageError if the file is empty, too large, not UTF-8, not TOML or nested too deeply.
    """
    if len(data) > MAX_BYTES:
        raise UsageError(f"{label}: larger than 1 MB; give a TOML file that a person could have written")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"{label}: not a text file in UTF-8 (byte {error.start}); write it as TOML") from None
    for number, line in enumerate(text.splitlines(), 1):
        if _CROWDED.search(line) and not line.lstrip().startswith("#"):
            raise UsageError(f"{label}: line {number}: nested too deeply; at most {MAX_DEPTH} levels")
    try:
        table = tomllib.loads(text)
    except RecursionError:
        raise UsageError(f"{label}: nested too deeply; at most {MAX_DEPTH} levels") from None
    except ValueError as error:
        told = str(error)
        reason = "a number has thousands of digits" if "set_int_max_str_digits" in told else shown(told, 200)
        raise UsageError(f"{label}: not valid TOML: {reason}") from None
    if not table:
        raise UsageError(f"{label}: the file is empty; it must set at least one key")
    check_depth(table, label)
    return table


def check_depth(value: Any, label: str) -> None:
    """Raise `UsageError` if tables and lists are nested more than MAX_DEPTH deep."""
    level = [value]
    for _ in range(MAX_DEPTH):
        level = [inner for outer in level if isinstance(outer, dict | list) for inner in _inside(outer)]
    if level:
        raise UsageError(f"{label}: nested too deeply; at most {MAX_DEPTH} levels")


def _inside(value: dict[str, Any] | list[Any]) -> Iterable[Any]:
    return value.values() if isinstance(value, dict) else value


def merge(under: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Return `under` changed by `over`: tables are merged key by key, everything else is replaced."""
    merged = dict(under)
    for key, value in over.items():
        before = merged.get(key)
        merged[key] = merge(before, value) if isinstance(before, dict) and isinstance(value, dict) else value
    return merged


def paths(table: Mapping[str, Any], above: KeyPath = ()) -> Iterator[KeyPath]:
    """Yield the path of every key of a table and of the tables in it."""
    for key, value in table.items():
        yield (*above, key)
        if isinstance(value, dict):
            yield from paths(value, (*above, key))


def flatten(table: Mapping[str, Any], above: str = "") -> dict[str, Any]:
    """Return the table as dotted keys and their values; lists are values."""
    flat: dict[str, Any] = {}
    for key, value in table.items():
        if isinstance(value, dict) and value:
            flat |= flatten(value, f"{above}{key}.")
        else:
            flat[above + key] = value
    return flat


def write(table: Mapping[str, Any]) -> str:
    """Return a table as TOML, each list on one line."""
    return re.sub(r"(?<== )\[\n((?: {4}.+,\n)+)\]$", _on_one_line, tomli_w.dumps(table), flags=re.MULTILINE)


def _on_one_line(found: re.Match[str]) -> str:
    return "[" + ", ".join(line.strip().removesuffix(",") for line in found[1].splitlines()) + "]"


def explain(error: ValidationError, model: type[BaseModel], blame: Mapping[KeyPath, str], label: str) -> str:
    """Return one line that says why a model refuses a table.

    blame: The file or setting that set each path.
    label: The file to name for a missing value.
    """
    problems = sorted(error.errors(include_url=False), key=lambda problem: problem["type"] != "extra_forbidden")
    problem = problems[0]
    place = [part for part in problem["loc"] if part != "[key]"]
    names = [str(part) for part in place if isinstance(part, str)]
    entries = "".join(f", entry {part + 1}" for part in place if isinstance(part, int))
    sources = [blame[tuple(names[:n])] for n in range(len(names), 0, -1) if tuple(names[:n]) in blame]
    if problem["type"] == "value_error":  # what belongs together was set in several places; the last one changed it
        sources = [who for path, who in blame.items() if path[: len(names)] == tuple(names)][-1:] or sources
    source = sources[0] if sources else label
    table = ".".join(shown(name) for name in names[:-1])
    where = (f"[{table}] " if table else "") + (shown(names[-1]) if names else "the file") + entries
    more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
    return f"{source}: {where}: {_complaint(problem, model, names, blame)}{more}"


_SAYS = {
    "bool_type": "must be true or false",
    "dict_type": "must be a table",
    "finite_number": "must be a finite number",
    "float_type": "must be a number",
    "greater_than": "must be more than {gt}",
    "greater_than_equal": "must be {ge} or more",
    "int_type": "must be a whole number",
    "less_than": "must be less than {lt}",
    "less_than_equal": "must be {le} or less",
    "list_type": "must be a list",
    "literal_error": "must be {expected}",
    "model_type": "must be a table",
    "string_pattern_mismatch": "must be lower-case letters, digits and _",
    "string_too_long": "must have at most {max_length} characters",
    "string_type": "must be text",
    "too_long": "must have at most {max_length} entries",
    "too_short": "must have at least {min_length} entries",
    "tuple_type": "must be a list",
}


def _complaint(problem: Any, model: type[BaseModel], names: list[str], blame: Mapping[KeyPath, str]) -> str:
    """Say what is wrong with one value."""
    above = names[:-1]
    if problem["type"] == "extra_forbidden":
        return f"unknown key{nearest(names[-1], _known_keys(model, above))}"
    if problem["type"] == "missing":
        siblings = [path[-1] for path in blame if above and path[:-1] == tuple(above[:-1]) and path[-1] != above[-1]]
        meant = nearest(above[-1], siblings) if siblings else ""
        return f"key is missing{meant if 'did you mean' in meant else ''}"
    if problem["type"] in _SAYS:
        return f"{_SAYS[problem['type']].format(**problem.get('ctx', {}))}, not {_quoted(problem['input'])}"
    return str(problem.get("ctx", {}).get("error", problem["msg"]))


def _known_keys(model: type[BaseModel], names: Iterable[str]) -> list[str]:
    """Return the keys that the table at a path may have."""
    kind: Any = model
    for name in names:
        while get_origin(kind) in (tuple, list):
            kind = get_args(kind)[0]
        if get_origin(kind) is dict:
            kind = get_args(kind)[1]
        else:
            kind = kind.model_fields[name].annotation
            if get_origin(kind) is UnionType:
                kind = get_args(kind)[0]
    while get_origin(kind) in (tuple, list):
        kind = get_args(kind)[0]
    return list(kind.model_fields)


def _quoted(value: Any) -> str:
    """Return a value as in TOML or JSON, shortened."""
    try:
        return shown(json.dumps(value, default=str, ensure_ascii=False), 40)
    except (ValueError, RecursionError):
        return "that huge value"
