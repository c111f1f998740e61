"""The keys of a game's rules, with their values and the values that they accept."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from simcore.rules.files import RuleSet

if TYPE_CHECKING:
    from simcore.game import Game
    from simcore.rules.files import Rules

Schema = Mapping[str, Any]


@dataclass(frozen=True)
class RuleKey:
    """One key that settings and rule files may change."""

    key: str  # tables and key, joined by dots
    value: Any  # the value in the rules; None if the key has no value
    takes: str  # the values that the key accepts, such as "0 to 1,000" or "true or false"
    switch: bool  # whether the key chooses between two readings of the rulebook
    choices: tuple[str, ...] = ()  # the values, if the key accepts only some texts
    meaning: str = ""  # what the key decides, if the model says so


def rule_keys(game: Game, rules: Rules) -> list[RuleKey]:
    """Return every key of some rules, in the order of the rule file.

    Parameters
    ----------
    game
        The game, whose model defines the values that a key accepts.
    rules
        The rules, which have the present values.  The names and titles of rule sets are left out.
    """
    model: Schema = game.rules.model_json_schema()
    keys = []
    for key, value in rules.flat().items():
        if key not in RuleSet.model_fields:
            schema = _schema_of(model, key)
            choices, meaning = tuple(_choices(model, schema)), schema.get("description", "")
            keys.append(RuleKey(key, value, _takes(model, schema), bool(schema.get("switch")), choices, meaning))
    return keys


def _schema_of(model: Schema, key: str) -> Schema:
    """Return the part of the model's JSON schema for a dotted key."""
    here = model
    for name in key.split("."):
        here = _resolved(model, here)
        named = here.get("properties", {})
        matching = (inner for pattern, inner in here.get("patternProperties", {}).items() if re.search(pattern, name))
        here = named[name] if name in named else next(matching, here.get("additionalProperties") or {})
    return _resolved(model, here)


def _resolved(model: Schema, schema: Schema) -> Schema:
    """Follow a reference into the model's definitions."""
    while isinstance(schema, Mapping) and "$ref" in schema:
        schema = model["$defs"][schema["$ref"].rpartition("/")[2]]
    return schema


def _choices(model: Schema, schema: Schema) -> list[str]:
    """Return the texts that a schema accepts, if it accepts only some."""
    schema = _resolved(model, schema)
    if "anyOf" in schema:
        return [choice for inner in schema["anyOf"] for choice in _choices(model, inner)]
    names = schema.get("enum", [schema["const"]] if "const" in schema else [])
    return [name for name in names if isinstance(name, str)]


def _takes(model: Schema, schema: Schema) -> str:
    """Return the values that a schema accepts, in words."""
    schema = _resolved(model, schema)
    if "anyOf" in schema:
        kinds = [inner for inner in schema["anyOf"] if inner.get("type") != "null"]
        return " or ".join(dict.fromkeys(_takes(model, inner) for inner in kinds))
    if "enum" in schema or "const" in schema:
        return _either(list(map(str, schema.get("enum", [schema.get("const")]))))
    kind = schema.get("type")
    if kind == "boolean":
        return "true or false"
    if kind in ("integer", "number"):
        return "".join(_bounds(schema)) or ("a whole number" if kind == "integer" else "a number")
    if kind == "array":
        inner: Schema = schema.get("items") or next(iter(schema.get("prefixItems", ())), {})
        most = f" (at most {schema['maxItems']})" if "maxItems" in schema else ""
        return f"list of: {_takes(model, inner)}{most}"
    return {"string": "text", "object": "a table"}.get(str(kind), "see the rule file")


def _either(names: list[str]) -> str:
    return ", ".join(names[:-1]) + f" or {names[-1]}" if len(names) > 1 else names[0]


def _bounds(schema: Schema) -> Iterator[str]:
    """Yield the words for the range of a number."""
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is not None and high is not None:
        yield f"{low:,} to {high:,}"
    elif low is not None:
        yield f"{low:,} or more"
    elif high is not None:
        yield f"{high:,} or less"
