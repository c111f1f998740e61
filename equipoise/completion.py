"""Completion in a shell: names and settings that depend on the game that is typed."""

from __future__ import annotations

import json

import typer

from simcore.homes import GAMES


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


def rule_settings(context: typer.Context) -> list[tuple[str, str]]:
    """Return the completions of a key of the rules, each with its present value and the values that it accepts."""
    from simcore.game import load_game
    from simcore.rules.files import load_rules
    from simcore.rules.keys import rule_keys

    game = load_game(context.params.get("game") or GAMES[0])
    rules = load_rules(game, context.params.get("rules") or context.params.get("reference") or "base")
    return [
        (f"{entry.key}=", f"{entry.takes}; now {json.dumps(entry.value, ensure_ascii=False)}")
        for entry in rule_keys(game, rules)
    ]


def role_names(context: typer.Context) -> list[str]:
    """Return the completions of a role's name."""
    from simcore.game import load_game

    return [*load_game(context.params.get("game") or GAMES[0]).role_names, "all"]
