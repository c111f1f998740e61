"""Changes of single rules, such as `events.alliance.copies=0`, as text or as a mapping."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from simcore.errors import UsageError, nearest, nearest_key
from simcore.toml_tables import KeyPath, check_depth, flatten, merge, shown, write

Settings = str | Sequence[str] | Mapping[str, Any] | None
"""Changes of rules: "dotted.key=value", several of these, or a mapping from keys to values, which may be nested."""


def as_settings(settings: Settings) -> tuple[str, ...]:
    """Return settings as "dotted.key=value".

    settings: None; one such text; several; or a mapping from keys to values, in which tables may be mappings.
    """
    if settings is None:
        return ()
    if isinstance(settings, str):
        return (settings,)
    if isinstance(settings, Mapping):
        return tuple(f"{key}={_written(value)}" for key, value in flatten(_plain(settings)).items())
    return tuple(settings)


def _plain(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return a mapping in which all mappings are plain dictionaries."""
    return {str(key): _plain(value) if isinstance(value, Mapping) else value for key, value in table.items()}


def _written(value: Any) -> str:
    """Return a value as the text of a setting that is read back as the same value."""
    if isinstance(value, str) and _value(value) == value:
        return value
    try:
        return write({"value": value}).removeprefix("value = ").strip()
    except TypeError:
        raise UsageError(
            f"'{shown(str(value))}' is not a TOML value; give a number, text or list", "settings"
        ) from None


def change(table: Mapping[str, Any], setting: str) -> tuple[dict[str, Any], KeyPath]:
    """Apply one "dotted.key=value" to a table; return the new table and the key's path.

    Parameters
    ----------
    table
        The full table, which must contain the tables on the path to the key.  An entry of a list of tables is named by
        its `id`, as in "tenant_card.windfall.copies=4", and an entry of a list of values by its number, counted from 1,
        as in "starting_coins.3=2".
    setting
        The change.  Its value is read as TOML or, if it is not valid TOML, as plain text.

    Raises
    ------
    UsageError
        If the setting is malformed, or a table on the path does not exist.
    """
    label = f"setting {shown(setting)}"
    name, equals, text = setting.partition("=")
    path = tuple(part.strip() for part in name.split("."))
    if not equals or not all(path):
        raise UsageError(f"{label}: write key=value, with dots between tables and key")
    value = _value(text.strip())
    check_depth(value, label)
    if any(inner == {} for inner in flatten({"value": value}).values()):
        raise UsageError(f"{label}: an empty table changes nothing; name a key and its value")
    if (whole := _with_entry(table, path, value, label)) is not None:
        path, value = path[:-1], whole
    if len(path) == 1 and path[0] not in table and any(key.endswith(f".{path[0]}") for key in flatten(table)):
        raise UsageError(f"{label}: {path[0]}: unknown key{nearest_key(path[0], flatten(table))}")
    tables = list(_way(table, path[:-1], label))
    changed: Any = merge(tables[-1], {path[-1]: value})
    for above, part in zip(reversed(tables[:-1]), reversed(path[:-1]), strict=True):
        changed = {**above, part: changed} if isinstance(above, dict) else _replaced(above, part, changed)
    listed = next((depth for depth, here in enumerate(tables) if isinstance(here, list)), len(path))
    return changed, path[:listed]


def _with_entry(table: Mapping[str, Any], path: KeyPath, value: Any, label: str) -> list[Any] | None:
    """Return a list of values with one entry replaced; None if the path does not lead to such an entry."""
    here: Any = table
    for part in path[:-1]:
        here = here.get(part) if isinstance(here, dict) else None
    if not isinstance(here, list) or not path[-1].isdecimal() or (here and _has_ids(here)):
        return None
    number = int(path[-1])
    if not 1 <= number <= len(here):
        raise UsageError(f"{label}: '{shown('.'.join(path[:-1]))}' has {len(here)} entries, counted from 1")
    return [*here[: number - 1], value, *here[number:]]


def _way(table: Mapping[str, Any], path: KeyPath, label: str) -> Iterator[Any]:
    """Yield a table and the tables on the path to a key; a list of tables with an `id` counts as a table of these."""
    here: Any = table
    yield here
    for depth, part in enumerate(path, 1):
        inside = here if isinstance(here, dict) else {entry["id"]: entry for entry in here}
        if part not in inside:
            raise UsageError(f"{label}: no table '{shown('.'.join(path[:depth]))}'{nearest(part, inside)}")
        here = inside[part]
        last = depth == len(path)
        if not isinstance(here, dict) and (last or not _has_ids(here)):
            raise UsageError(f"{label}: '{shown('.'.join(path[:depth]))}' is not a table; set it as a whole")
        yield here


def _has_ids(value: Any) -> bool:
    """Return whether a value is a list of tables that have an `id`."""
    return isinstance(value, list) and all(isinstance(entry, dict) and "id" in entry for entry in value)


def _replaced(entries: list[dict[str, Any]], name: str, entry: dict[str, Any]) -> list[dict[str, Any]]:
    """Return a list of tables in which the table with an `id` is replaced."""
    return [entry if each["id"] == name else each for each in entries]


def _value(text: str) -> Any:
    """Read a value as TOML, or return it as plain text."""
    try:
        table = tomllib.loads(f"value = {text}")
    except (ValueError, RecursionError):
        return text
    return table["value"] if list(table) == ["value"] else text
