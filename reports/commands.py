"""How rules, players and times are written in commands that can be copied, and what asks players who look ahead."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from shlex import quote

from analysis.data.results import Inputs
from analysis.seats.levels import SEARCH, searched_games, seconds_of
from reports.portable import portable
from simcore.errors import UsageError
from simcore.game import Game, load_game
from simcore.homes import typed
from simcore.rules.files import Rules, differences, load_rules, shipped_rules
from simcore.running.batch import MAX_SEED, Spec
from strategies.kit import EXPERTS
from strategies.library import shipped_strategies
from strategies.skill import ladder, lookers, players_of, skills_of
from strategies.spec import make_spec

UNTYPED = "\0"
"""Stands in a command for what nobody can type, such as rules whose file is not there; such a command is no step."""

SPELT = 6
"""Largest number of values by which rules are spelt whose file is not there."""

CORES = 2
"""Processor cores of the machine for which a time is named."""

ASKED = 4_000
"""Games that players who look ahead are to play for a question about more than who wins: luck, or a tournament."""


def named(rules: Rules, command: Sequence[str] = ()) -> tuple[str, tuple[str, ...]]:
    """Return rules as commands take them: a shipped name or a file, and what is changed beside it.

    A file is looked for in the command that played the rules; if it is not there, a few values say the same.
    """
    game = load_game(rules.game_name)
    if rules.name in shipped_rules(game):
        return rules.name, rules.settings
    if file := _file(command, rules.name, game):
        return file, rules.settings
    base = load_rules(game)
    values = tuple(f"{key}={pair['new']}" for key, pair in differences(base, rules).items() if "new" in pair)
    with suppress(UsageError):
        if len(values) <= SPELT and not differences(rules, load_rules(game, base, values)):
            return base.name, values
    return UNTYPED, ()


def _file(command: Iterable[str], name: str, game: Game) -> str:
    """Return the path of the file in a command line that contains the rules of a name; "" if none."""
    for word in command:
        for part in word.replace("=", ",").split(","):
            if part.endswith(".toml") and Path(part).is_file():
                with suppress(UsageError):
                    if load_rules(game, part).name == name:
                        return quote(portable(part))
    return ""


def changed(settings: Iterable[str]) -> str:
    """Return the options for changes of rules, after a space."""
    return "".join(f" --set {quote(one)}" for one in settings)


def playing(rules: Rules, players: int | None = None, command: Sequence[str] = (), file: str = "") -> str:
    """Return the options for a game, its rules and a number of players."""
    name, settings = (quote(portable(file)), rules.settings) if file else named(rules, command)
    at = f"--game {typed(rules.game_name)}" + (f" --players {players}" if players else "")
    return at + (f" --rules {name}" if name != "base" else "") + changed(settings)


def casting(inputs: Inputs) -> str:
    """Return the option for players, after a space: nothing for experts, otherwise their skill or their names."""
    game, strategies, shipped = load_game(inputs.game), inputs.strategies, shipped_strategies(load_game(inputs.game))
    if inputs.namesakes:  # a file of the user's is not the shipped player of its name
        return f" {UNTYPED}"
    for skill in (EXPERTS, *skills_of(inputs.game)):
        if set(strategies) == set(players_of(inputs.game, skill).values()):
            return "" if skill == EXPERTS else f" --skill {skill}"
    alike = tuple(dict.fromkeys(strategies))
    if game.asymmetric or not set(alike) <= set(shipped):
        return f" {UNTYPED}"
    return f" --strategies {','.join(alike if len(alike) == 1 else strategies)}"


def played(inputs: Inputs, rules: Rules) -> Spec | None:
    """Return a run like the one that a result was made from; None if its players are not shipped, or look ahead."""
    cast = casting(inputs)
    if UNTYPED in cast or inputs.searches:
        return None
    names = dict.fromkeys(inputs.strategies)
    game = load_game(inputs.game)
    who = players_of(inputs.game, cast.split()[-1] if "--skill" in cast else EXPERTS) if game.asymmetric else [*names]
    return make_spec(inputs.game, inputs.players, who, rules)


def other_seed(seed: int) -> int:
    """Return a seed whose deals are others."""
    return (seed + 1) % (MAX_SEED + 1)


def asking_command(
    rules: Rules,
    players: int,
    question: str = "simulate",
    games: int = 0,
    tables: int = 1,
    file: str = "",
    command: Sequence[str] = (),
    beside: Sequence[str] = (),
    sized: bool = True,
) -> tuple[str, float]:
    """Return the command that asks players who look ahead, and about how many seconds it takes; 0 if unknown.

    rules, players, file, command: The table; see `playing`.
    games: Number of games that it has to be told; if 0, it plays as many as the game declares.
    tables: How many tables it plays so many games at.
    beside: Who plays against them.
    sized: Whether the question takes the number of players; a file of results says it.
    """
    count = games or searched_games(rules.game_name)
    ahead = lookers(rules.game_name)
    who = f"--skill {SEARCH}"
    if ahead:
        below = ladder(rules.game_name) if question.startswith("playtest ") else ()
        who = f"--strategies {quote('|'.join((*below, ahead[-1])))}"
    if ahead and beside:
        who = f"--strategies {','.join((*beside, ahead[-1]))}"
    who += f" --games {count}" if games or ahead else ""
    line = f"equipoise {question} {playing(rules, players if sized else None, command, file)} {who}".replace(
        UNTYPED, "FILE.toml"
    )
    return line, seconds_of(rules.game_name, players) * count * tables / CORES
