"""Completion in a shell: names and settings that depend on the game that is typed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import typer

from simcore.homes import GAMES

if TYPE_CHECKING:
    from simcore.game import Game
    from simcore.rules.files import Rules


def rule_names(context: typer.Context) -> list[str]:
    """Return the completions of a rule set's name."""
    from simcore.game import load_game
    from simcore.rules.files import shipped_rules

    return shipped_rules(load_game(context.params.get("game") or GAMES[0]))


def strategy_names(context: typer.Context) -> list[str]:
    """Return the completions of a strategy's name, with the role in front in a game with roles."""
    from simcore.game import load_game
    from strategies.library import load_strategy, shipped_strategies

    game = load_game(context.params.get("game") or GAMES[0])
    names = shipped_strategies(game)
    if not game.asymmetric:
        return names
    able = {name: load_strategy(game, name).role for name in names}
    return [f"{role}={name}" for role in game.role_names for name in names if able[name] in ("", role)]


def skill_names() -> list[str]:
    """Return the completions of a level of skill."""
    from strategies.kit import SKILLS

    return list(SKILLS)


def findings() -> list[str]:
    """Return what can be looked for among games."""
    from analysis.course.finding import KINDS

    return [*KINDS, "seat-1"]


def rule_settings(context: typer.Context) -> list[tuple[str, str]]:
    """Return the completions of a key of the rules, each with its present value and the values that it accepts."""
    from simcore.rules.levers import rule_keys

    game, rules = _typed(context)
    return [
        (f"{entry.key}=", f"{entry.takes}; now {json.dumps(entry.value, ensure_ascii=False)}")
        for entry in rule_keys(game, rules)
    ]


def lever_keys(context: typer.Context) -> list[tuple[str, str]]:
    """Return the completions of a whole number or switch that may be changed, each with its present value."""
    from simcore.rules.levers import whole_numbers

    game, rules = _typed(context)
    return [(key, f"now {value}") for key, value in whole_numbers(game, rules, game.default_players)]


def target_names(context: typer.Context) -> list[str]:
    """Return the completions of what should win its part: all seats or camps, or one of them with its share."""
    game, _ = _typed(context)
    seats = [f"seat-{seat + 1}=" for seat in range(game.default_players)]
    sides = dict.fromkeys(name for role in game.roles for name in (role.name, role.side)) if game.asymmetric else ()
    return ["seats", *(["camps"] if sides else []), *seats, *(f"{name}=" for name in sides)]


def parts_of_rules(context: typer.Context, incomplete: str) -> list[str]:
    """Return the completions of the last of several switches and tables with commas between."""
    from analysis.sensitivity import switches_and_tables

    before = incomplete[: incomplete.rfind(",") + 1]
    switches, tables = switches_and_tables(*_typed(context))
    return [f"{before}{name}" for name in (*switches, *tables)]


def _typed(context: typer.Context) -> tuple[Game, Rules]:
    """Return the game and the rules that were typed so far."""
    from simcore.game import load_game
    from simcore.rules.files import load_rules

    game = load_game(context.params.get("game") or GAMES[0])
    return game, load_rules(game, context.params.get("rules") or context.params.get("reference") or "base")


def role_names(context: typer.Context) -> list[str]:
    """Return the completions of a role's name."""
    from simcore.game import load_game

    return [*load_game(context.params.get("game") or GAMES[0]).role_names, "all"]
