"""docs/reference/logs.md is true: it explains every record, and every field, of the golden logs of every game."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from simcore.game import GAMES, load_game
from simcore.log_records import undeclared
from studies.log_schema import PAGE as SCHEMA
from studies.log_schema import written as written_schema
from studies.record_tables import written as written_tables
from tests.golden.transcripts import CASES

PAGE = (Path(__file__).resolve().parents[1] / "docs/reference/logs.md").read_text(encoding="utf-8")
GENERAL = {"kind", "format", "game", "rules_digest", "seed", "game_id", "players", "strategies", "options"}
"""Fields of the first line of every game."""


def section(title: str) -> str:
    """Return what the page says about the log of a game."""
    return re.split(r"^##", PAGE.split(f"\n## {title}\n")[1], maxsplit=1, flags=re.MULTILINE)[0]


def names(text: str) -> set[str]:
    """Return all names in backticks."""
    return set(" ".join(re.findall("`([^`]+)`", text)).split())


def explained(text: str) -> dict[str, set[str]]:
    """Return the names in the row of each kind of record, and in the rows without a kind that follow it."""
    kinds: dict[str, set[str]] = {}
    for row in re.findall(r"^\| (?!kind).*", text, re.MULTILINE):
        first, fields = row.strip("|").split("|")[:2]
        if first.strip():
            (kind,) = names(first)
            kinds[kind] = set()
        kinds[kind] |= names(fields)
    return kinds


def written(game: str) -> tuple[set[str], dict[str, set[str]]]:
    """Return the fields of the first lines of a game's golden logs, and of each kind of record."""
    first: set[str] = set()
    kinds: dict[str, set[str]] = defaultdict(set)
    for case in CASES:
        if case.game == game:
            for line in case.path("jsonl").read_text(encoding="utf-8").splitlines():
                record: dict[str, Any] = json.loads(line)
                if record["kind"] == "game":
                    first |= set(record)
                else:
                    kinds[record["kind"]] |= set(record) - {"kind"}
    return first, kinds


@pytest.mark.parametrize("game", GAMES)
def test_page_explains_every_record_and_field(game: str) -> None:
    text = section(load_game(game).title)
    first, kinds = written(game)
    table = explained(text)
    everywhere = names("".join(re.findall(r"Every record[^.]* has [^.(]*", text)))

    assert first - GENERAL <= names(text)
    assert set(kinds) == set(table)
    assert {
        kind: fields - table[kind] - everywhere for kind, fields in kinds.items() if fields - table[kind] - everywhere
    } == {}


@pytest.mark.parametrize("game", GAMES)
def test_page_names_the_game(game: str) -> None:
    (row,) = re.findall(r"^\| `game` \|.*", PAGE, re.MULTILINE)
    assert game in names(row)


def test_tables_are_those_of_the_declarations() -> None:
    assert written_tables(PAGE) == PAGE, "write them again: python -m studies.record_tables"


@pytest.mark.parametrize("game", GAMES)
def test_every_record_of_the_golden_logs_is_declared(game: str) -> None:
    kinds = load_game(game).record_kinds
    for case in CASES:
        if case.game == game:
            lines = case.path("jsonl").read_text(encoding="utf-8").splitlines()
            records = [record for record in map(json.loads, lines) if record["kind"] != "game"]
            assert {undeclared(kinds, record) for record in records} == {""}


def test_the_schema_is_that_of_the_declarations() -> None:
    assert written_schema() == SCHEMA.read_text(encoding="utf-8"), "write it again: python -m studies.log_schema"


def shape(value: Any) -> Any:
    """Return a value with all that the schema tells apart: words as they are, numbers by type and sign."""
    if isinstance(value, dict):
        return value if value.get("kind") == "game" else {name: shape(one) for name, one in value.items()}
    if isinstance(value, list):
        return sorted({json.dumps(shape(one)) for one in value})
    return value if value is None or isinstance(value, str | bool) else [type(value).__name__, value < 0]


@pytest.mark.parametrize("game", GAMES)
def test_the_schema_accepts_the_golden_logs_and_nothing_else(game: str) -> None:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    records: dict[str, list[Any]] = defaultdict(list)  # a line can only be one of those of its kind
    for one in schema["$defs"][game]["oneOf"]:
        records[one["properties"]["kind"]["const"]].append(one)
    validators = {kind: jsonschema.Draft202012Validator({"oneOf": some}) for kind, some in records.items()}
    assert "chess" not in validators
    texts = [case.path("jsonl").read_text(encoding="utf-8") for case in CASES if case.game == game]
    lines = {json.dumps(shape(line)): line for text in texts for line in map(json.loads, text.splitlines())}
    kinds: dict[str, dict[str, Any]] = {}
    for line in lines.values():
        assert validators[line["kind"]].is_valid(line), line
        kinds[line["kind"]] = line

    for kind, line in kinds.items():
        validator = validators[kind]
        for field in GENERAL if kind == "game" else line:
            assert not validator.is_valid({name: value for name, value in line.items() if name != field}), field
        if kind != "game":
            assert not validator.is_valid(line | {"note": "hello"})


def test_the_schema_refuses_nonsense_and_knows_games_in_plain_python() -> None:
    """A validator that is given the file alone takes a line of any log, and no other."""
    validator = jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))
    assert not validator.is_valid({"kind": "nonsense"}) and not validator.is_valid({})
    head = {"kind": "game", "format": "equipoise-replay/1", "game": "nim", "rules_digest": "0" * 64, "seed": 1}
    head |= {"game_id": 0, "players": 2, "strategies": ["careful", "random"], "options": {"heaps": 3}}
    move = {"kind": "move", "seat": 1, "move": [1, 2], "says": "takes 2 from heap 2"}
    end = {"kind": "end", "place": [1, 2], "share60": [60, 0]}
    for line in (head, move, end):
        assert validator.is_valid(line), line
        assert not validator.is_valid(line | {"kind": "chess"})
    assert not validator.is_valid(move | {"note": "hello"})
    assert not validator.is_valid(head | {"game": "middle-ages"})  # which has options of its own
    case = next(case for case in CASES if case.game == "middle-ages")
    by_kind = {line["kind"]: line for line in map(json.loads, case.path("jsonl").read_text().splitlines())}
    assert all(map(validator.is_valid, by_kind.values()))
