"""Single changes of rules, such as `events.alliance.copies=0`, as text or as a mapping."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

from simcore.errors import UsageError, nearest
from simcore.toml_tables import KeyPath, check_depth, flatten, merge, shown, write

Settings = str | Sequence[str] | Mapping[str, Any] | None
"""Changes of rules: "dotted.key=value", several of these, or a mapping of keys to values, whose tables may nest."""


def as_settings(settings: Settings) -> tuple[str, ...]:
    """Return settings as "dotted.key=value".

    Parameters
    ----------
    settings
        None; one such text; several; or a mapping of keys to values, in which tables may be mappings themselves.
    """
    if settings is None:
        return ()
    if isinstance(settings, str):
        return (settings,)
    if isinstance(settings, Mapping):
        return tuple(f"{key}={_written(value)}" for key, value in flatten(_plain(settings)).items())
    return tuple(settings)


def _plain(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return a mapping with plain dictionaries for all mappings in it."""
    return {str(key): _plain(value) if isinstance(value, Mapping) else value for key, value in table.items()}


def _written(value: Any) -> str:
    """Return a value as the text of a setting that is read as this value."""
    if isinstance(value, str) and _value(value) == value:
        return value
    try:
        return write({"value": value}).removeprefix("value = ").strip()
    except TypeError:
        raise UsageError(
            f"'{shown(str(value))}' is no value of TOML; give a number, text or list", "settings"
        ) from None


def change(table: Mapping[str, Any], setting: str) -> tuple[dict[str, Any], KeyPath]:
    """Apply one "dotted.key=value" to a table; return the new table and the key's path.

    Parameters
    ----------
    table
        The full table; the tables on the way to the key must be in it.
    setting
        The value is taken as TOML, and as a bare string where it is none.

    Raises
    ------
    UsageError
        If the setting is malformed or leads through a table that is not there.
    """
    label = f"setting {shown(setting)}"
    name, equals, text = setting.partition("=")
    path = tuple(part.strip() for part in name.split("."))
    if not equals or not all(path):
        raise UsageError(f"{label}: write key=value, with dots between tables and key")
    here: Any = table
    for depth, part in enumerate(path[:-1], 1):
        if part not in here:
            raise UsageError(f"{label}: no table '{shown('.'.join(path[:depth]))}'{nearest(part, here)}")
        here = here[part]
        if not isinstance(here, dict):
            raise UsageError(f"{label}: '{shown('.'.join(path[:depth]))}' is not a table; set it as a whole")
    value = _value(text.strip())
    check_depth(value, label)
    if any(inner == {} for inner in flatten({"value": value}).values()):
        raise UsageError(f"{label}: an empty table changes nothing; name a key and its value")
    for part in reversed(path):
        value = {part: value}
    return merge(table, value), path


def _value(text: str) -> Any:
    """Read a value as TOML, or take it as it stands."""
    try:
        table = tomllib.loads(f"value = {text}")
    except (ValueError, RecursionError):
        return text
    return table["value"] if list(table) == ["value"] else text
