"""Commands that can be copied: how rules are typed, and what asks players who look ahead."""

from __future__ import annotations

from shlex import quote

from analysis.seats.levels import SEARCH, seconds_of
from simcore.game import load_game
from simcore.homes import typed
from simcore.rules.files import Rules, shipped_rules
from strategies.kit import load_kit

CORES = 2
"""Processor cores of the machine for which a time is named."""

LEAST = 400
"""Games of players who look ahead where a game does not say how many are enough."""


def named(rules: Rules) -> str:
    """Return the name of rules as commands take it; a user has to fill in the path of a file."""
    return rules.name if rules.name in shipped_rules(load_game(rules.game_name)) else "FILE.toml"


def changed(rules: Rules) -> str:
    """Return the options for what rules change beside their file, after a space."""
    return "".join(f" --set {quote(one)}" for one in rules.settings)


def playing(rules: Rules, players: int | None = None, file: str = "") -> str:
    """Return the options for a game, its rules and a number of players.

    file: The file of the rules, if it is known.
    """
    at = f"--game {typed(rules.game_name)}" + (f" --players {players}" if players else "")
    own = quote(file) if file else named(rules)
    return at + (f" --rules {own}" if own != "base" else "") + changed(rules)


def asking_command(
    rules: Rules, players: int, question: str = "simulate", games: int = 0, tables: int = 1, file: str = ""
) -> tuple[str, float]:
    """Return the command that asks players who look ahead, and about how many seconds it takes; 0 if unknown.

    rules, players, file: The table; see `playing`.
    question: The command that asks.
    games: Number of games that it has to be told; if 0, it plays as many as the game declares.
    tables: How many tables it plays so many games at.
    """
    count = games or load_kit(rules.game_name).searched[0] or LEAST
    more = f" --games {games}" if games else ""
    command = f"equipoise {question} {playing(rules, players, file)} --skill {SEARCH}{more}"
    return command, seconds_of(rules.game_name, players) * count * tables / CORES
