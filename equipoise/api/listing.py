"""`eq.games`, `eq.strategies`, `eq.rules`, `eq.rule_sets` and `eq.rule_keys`: what there is to play with."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import polars as pl

from simcore.game import Game, load_game
from simcore.homes import GAMES, known_games
from simcore.rules.files import Rules, Settings, differences, load_rules, shipped_rules
from simcore.rules.levers import rule_keys as keys_of
from strategies.kit import load_kit
from strategies.library import load_strategy, shipped_strategies


def games() -> pl.DataFrame:
    """Return the games that are installed, one row each.

    References
    ----------
    * docs/reference/commands.md

    Examples
    --------
    >>> import equipoise as eq
    >>> eq.games()["name"].to_list()[:2]
    ['middle-ages', 'medievallons']
    """
    return pl.DataFrame([describe_game(load_game(name)) for name in known_games()])


def strategies(game: str = GAMES[0]) -> pl.DataFrame:
    """Return the strategies that come with a game, one row each; `default` marks those that play if none is named.

    References
    ----------
    * docs/reference/strategies.md

    Examples
    --------
    >>> import equipoise as eq
    >>> "greedy" in eq.strategies("middle-ages")["name"].to_list()
    True
    """
    return pl.DataFrame(describe_strategies(load_game(game)))


def rules(game: str = GAMES[0], name: str | Path | Rules = "base", settings: Settings = None) -> Rules:
    """Return the complete rules of a game, to look at or to play with.

    Parameters
    ----------
    game
        Name of the game.
    name
        Name of a shipped rule set, path of a TOML file, or rules to change.
    settings
        Changes to make to these rules, such as `{"events.alliance.copies": 0}`.

    Raises
    ------
    UsageError
        If the rules cannot be used; the message names the file, the table and the key.

    References
    ----------
    * docs/change-a-rule.md

    Examples
    --------
    >>> import equipoise as eq
    >>> eq.rules(settings={"effects.mill_coins": 3}).values.effects.mill_coins
    3
    """
    return load_rules(load_game(game), name, settings)


def rule_sets(game: str = GAMES[0]) -> pl.DataFrame:
    """Return the rule sets that come with a game, one row each, with the number of values that differ from "base".

    References
    ----------
    * docs/change-a-rule.md

    Examples
    --------
    >>> import equipoise as eq
    >>> eq.rule_sets("middle-ages")["name"].to_list()[:2]
    ['base', 'gentler-barracks']
    """
    played = load_game(game)
    found = [load_rules(played, name) for name in shipped_rules(played)]
    return pl.DataFrame(
        [{"name": one.name, "title": one.title, "changes": len(differences(found[0], one))} for one in found]
    )


def rule_keys(game: str = GAMES[0], name: str | Path | Rules = "base") -> pl.DataFrame:
    """Return the keys that `settings` can change, one row each, with their values (as JSON) and what they accept.

    References
    ----------
    * docs/reference/keys.md

    Examples
    --------
    >>> import equipoise as eq
    >>> keys = eq.rule_keys("middle-ages")
    >>> keys.columns
    ['key', 'value', 'takes', 'switch', 'choices', 'meaning']
    """
    played = load_game(game)
    found = (asdict(key) for key in keys_of(played, load_rules(played, name)))
    return pl.DataFrame([row | {"value": json.dumps(row["value"], ensure_ascii=False)} for row in found])


def describe_game(game: Game) -> dict[str, Any]:
    """Return what `equipoise games --json` prints about a game."""
    return {
        "name": game.name,
        "title": game.title,
        "players": list(game.players),
        "default_players": game.default_players,
        "roles": [{"name": role.name, "title": role.title, "camp": role.side} for role in game.roles],
        "score": game.score,
        "rules": shipped_rules(game),
        "strategies": shipped_strategies(game),
    }


def describe_strategies(game: Game) -> list[dict[str, Any]]:
    """Return what `equipoise strategies --json` prints about a game's strategies."""
    kit = load_kit(game.name)
    defaults = {kit.default_of(role) for role in game.role_names}
    found = (load_strategy(game, name) for name in shipped_strategies(game))
    return [
        {
            "name": strategy.name,
            "title": strategy.title,
            "role": strategy.role or None,
            "policy": strategy.policy,
            "default": strategy.name in defaults,
            "description": strategy.description,
        }
        for strategy in found
    ]
