"""Replay logs: check the log of one game against the rules, and count its result."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

from analysis.playtest.matches import Match, places
from simcore.errors import UsageError, printable
from simcore.game import Game
from simcore.rules.files import Rules
from simcore.running.batch import MAX_GAMES, MAX_SEED
from simcore.running.replay import FORMAT, Replay, replay
from strategies.library import shipped_strategies
from strategies.spec import make_spec

MOST_BYTES = 5_000_000
MOST_TRIES = 8


def read_log(path: Path, game: Game, rules: Rules, by_role: bool = False) -> tuple[Match, bool]:
    """Return the game of a replay log, and whether all of its moves were checked.

    If the log names shipped strategies, a seed and a game, it is played again, and every line has to be the same.  Of
    any other log, the first line and the result are checked, but not the moves.

    path: Path of a log of one game, as docs/replay.md describes it.
    game, rules: What was played.
    by_role: Whether the places that may win are the roles.
    Raises UsageError if the file is no such log, has other rules, or has a line that does not follow from the rules.
    """
    lines = _lines(path)
    head, end = lines[0], lines[-1]
    players = _checked_head(path, head, game, rules)
    parts = _result(path, end, len(lines), game, players)
    by_place = [sum(parts[seat] for seat in seats) for seats in places(game, players, by_role).values()]
    won = tuple(part / game.share_unit for part in by_place)
    group = head.get("group", f"log {path.name}")
    score, checked = None, False
    if isinstance(head.get("strategies"), list) and set(map(str, head["strategies"])) <= set(shipped_strategies(game)):
        played = _again(path, lines, game, rules, players)
        checked = True
        if game.score is not None:
            column = next(item for item in game.columns if item.name == game.score)
            score = float((played.rows[column.field] / column.divisor).mean())
    return Match(printable(str(group)), players, won, score), checked


def _lines(path: Path) -> list[dict[str, Any]]:
    """Return the records of a log."""
    try:
        if path.stat().st_size > MOST_BYTES:
            _refuse(path, f"larger than {MOST_BYTES // 1_000_000} MB; give the log of one game")
        if path.exists() and not path.is_file():
            _refuse(path, "not a file; name a replay log")
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        _refuse(path, "not UTF-8 text; give a replay log")
    except OSError as error:
        _refuse(path, f"{(error.strerror or str(error)).lower()}; name a replay log")
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            record = None
        if not isinstance(record, dict):
            _refuse(path, f"line {number}: not a record of a replay log (docs/replay.md)")
        found.append(record)
    if len(found) < 2:
        _refuse(path, "no game in it; a replay log has a first line, and one line for each step")
    if any(record.get("kind") == "game" for record in found[1:]):
        _refuse(path, "more than one game in it; give each game a file of its own")
    return found


def _checked_head(path: Path, head: dict[str, Any], game: Game, rules: Rules) -> int:
    """Check the first line, and return the number of players."""
    if head.get("kind") != "game" or head.get("format") != FORMAT:
        _refuse(path, f"line 1: not the head of a replay log of format {FORMAT}")
    if head.get("game") != game.name:
        _refuse(path, f"line 1: a game of '{str(head.get('game'))[:40]}', not of '{game.name}'")
    if head.get("rules_digest") != rules.digest:
        _refuse(path, f"line 1: played by other rules than '{rules.name}'; name the rules of the log")
    players = head.get("players")
    if isinstance(players, bool) or not isinstance(players, int) or players not in game.players:
        _refuse(path, f"line 1: players: {game.title} is for {game.span}")
    return players


def _result(path: Path, end: dict[str, Any], number: int, game: Game, players: int) -> list[int]:
    """Return the parts of the win by seat from the last line."""
    parts = end.get(game.share)
    if end.get("kind") != "end" or not isinstance(parts, list):
        _refuse(path, f"line {number}: the game has no end; the last line has to say '{game.share}'")
    whole = [part for part in parts if isinstance(part, int) and not isinstance(part, bool) and part >= 0]
    if len(whole) != players or len(parts) != players or sum(whole) != game.share_unit:
        _refuse(path, f"line {number}: {game.share}: give {players} parts of a win that add up to {game.share_unit}")
    return whole


def _again(path: Path, lines: list[dict[str, Any]], game: Game, rules: Rules, players: int) -> Replay:
    """Return the game played again; raise `UsageError` at the first line that differs."""
    head = lines[0]
    seed, index = (_counted(path, head, name, most) for name, most in (("seed", MAX_SEED), ("game_id", MAX_GAMES - 1)))
    furthest = 0
    for seated, design in _line_ups(head["strategies"], game):
        try:
            spec = make_spec(game.name, players, seated, rules, (), seed, design, index + 1)
        except UsageError:
            continue
        played = replay(spec, index)
        if len(played.logs) > 1:
            _refuse(path, "one deal of a match; only whole games count")
        mine = [json.loads(line) for line in played.jsonl().splitlines()]
        mine[0] |= {key: value for key, value in lines[0].items() if key not in mine[0]}  # a group, a date
        if mine == lines:
            return played
        same = next((at for at, pair in enumerate(zip(mine, lines, strict=False)) if pair[0] != pair[1]), len(mine))
        furthest = max(furthest, same)
    _refuse(path, f"line {furthest + 1}: not what these players do by these rules")


def _counted(path: Path, head: dict[str, Any], name: str, most: int) -> int:
    """Return a whole number from the first line."""
    value = head.get(name)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
        _refuse(path, f"line 1: {name}: give a whole number from 0 to {most:,}")
    return value


def _line_ups(strategies: list[Any], game: Game) -> Iterator[tuple[Any, str]]:
    """Yield the line-ups and designs that may have put some strategies in their seats."""
    names = [str(name) for name in strategies[:MOST_TRIES]]
    if game.asymmetric:
        by_role = {role.name: [names[seat] for seat in role.at(len(names))] for role in game.roles}
        yield by_role, "fixed"
        yield by_role, "rotate"
        return
    yield names, "fixed"
    for turn in range(len(names) if len(set(names)) > 1 else 0):
        yield names[turn:] + names[:turn], "rotate"


def _refuse(path: Path, message: str) -> NoReturn:
    raise UsageError(f"{path}: {message}")
