"""Writes docs/reference/logs.schema.json from the games' declarations: python -m studies.log_schema"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import NoneType
from typing import Any, Literal, get_args, get_origin

from simcore.game import GAMES, Game, load_game
from simcore.log_records import RECORD_KINDS, Field, RecordKind, returned
from simcore.rules.files import is_switch
from simcore.running.replay import FORMAT
from studies.record_tables import variants_of

PAGE = Path(__file__).resolve().parents[1] / "docs/reference/logs.schema.json"
Schema = dict[str, Any]

COUNT: Schema = {"type": "integer", "minimum": 0}
LIST: Schema = {"type": "array"}
PLAIN = {"seat": COUNT, "says": {"type": "string"}, "held": {"type": "object"}} | dict.fromkeys(
    ("hidden_from", "secret", "place", "payoffs", "returns", "share60", "share840"), LIST
)
"""What the fields of a game in plain Python hold."""

BASIC: dict[Any, str] = {
    int: "integer", bool: "boolean", str: "string", NoneType: "null", list: "array", dict: "object",
}  # fmt: skip


def schemas() -> Schema:
    """Return the JSON Schema, in which each game has the definition of a line of its log."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Lines of a replay log",
        "description": "Every line of a game's log is valid by the definition that has the name of the game; that of a "
        "game in plain Python, by 'plain'.",
        "anyOf": [{"$ref": f"#/$defs/{name}"} for name in (*GAMES, "plain")],
        "$defs": {**{name: lines_of(load_game(name)) for name in GAMES}, "plain": _plain()},
    }


def _plain() -> Schema:
    """Return the schema of a line of the log of a game in plain Python, whose moves may have any form."""
    first = _head({"type": "string", "not": {"enum": list(GAMES)}}, COUNT, {"type": "object"})
    lines = [
        {
            "type": "object",
            "properties": {"kind": {"const": kind.name}, **{one.name: PLAIN.get(one.name, {}) for one in kind.fields}},
            "required": ["kind", *(one.name for one in kind.fields if one.name in ("seat", "move", "place"))],
            "additionalProperties": False,
        }
        for kind in RECORD_KINDS
    ]
    return {"oneOf": [first, *lines]}


def lines_of(game: Game) -> Schema:
    """Return the schema of a line of a game's log."""
    records = [
        _record(game, kind, names, more)
        for kind in game.record_kinds
        for names, more in variants_of(kind) or [([], ())]
    ]
    return {"oneOf": [_first_line(game), *records]}


def _first_line(game: Game) -> Schema:
    model = game.rules.model_json_schema()["properties"]
    switches = {
        name: {key: value for key, value in model[name].items() if key not in ("switch", "title")}
        for name, found in game.rules.model_fields.items()
        if is_switch(found)
    }
    options = {"type": "object", "properties": switches, "required": list(switches)}
    return _head({"const": game.name}, {"enum": list(game.players)}, options)


def _head(game: Schema, players: Schema, options: Schema) -> Schema:
    """Return the schema of the first line."""
    fields = {
        "kind": {"const": "game"},
        "format": {"const": FORMAT},
        "game": game,
        "rules_digest": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
        "seed": COUNT,
        "game_id": COUNT,
        "players": players,
        "strategies": {"type": "array", "items": {"type": "string"}},
        "options": options,
    }
    return {"type": "object", "properties": fields, "required": list(fields)}


def _record(game: Game, kind: RecordKind, names: Sequence[str], more: Sequence[Field]) -> Schema:
    fields = {one.name: _schema(_type(game, kind, one)) for one in (*kind.fields, *more)}
    if names:
        fields[kind.by] = {"enum": list(names)}
    properties = {"kind": {"const": kind.name}, **fields}
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def _type(game: Game, kind: RecordKind, one: Field) -> Any:
    """Return the type of a field: of its word, of its group of words, or of an earlier field of that name."""
    if one.word is not None:
        return returned(one.word)
    written = [returned(group) for group in kind.written]
    known = [types[one.name] for types in written if one.name in types]
    known += [
        returned(other.word)
        for kind in game.record_kinds
        for other in kind.fields
        if other.name == one.name and other.word
    ]
    return known[0] if known else Any


def _schema(kind: Any) -> Schema:
    """Return the JSON Schema of a type."""
    if isinstance(kind, Mapping):
        properties = {name: _schema(inner) for name, inner in kind.items()}
        return {"type": "object", "properties": properties, "required": list(properties)}
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Literal:
        return {"enum": list(inner)}
    if origin is list:
        return {"type": "array", "items": _schema(inner[0])}
    if inner and origin not in BASIC and NoneType in inner:
        return {"type": [BASIC[one] for one in inner]}
    return {"type": BASIC[origin or kind]} if (origin or kind) in BASIC else {}


def written() -> str:
    """Return the file, in which each kind of line has a line of its own."""
    begin = '{"type": "object", "properties": {"kind": '
    return json.dumps(schemas(), ensure_ascii=False).replace(begin, f"\n{begin}") + "\n"


if __name__ == "__main__":
    PAGE.write_text(written(), encoding="utf-8")
