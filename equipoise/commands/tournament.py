"""`equipoise tournament`: all strategies at tables with each other: who is strong, beaten by whom, and what holds."""

from __future__ import annotations

import json
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from equipoise.commands.report import Language
from equipoise.commands.simulate import GameOption, RulesOption, SeedOption, SetOption, split, strategy_names
from equipoise.examples import examples
from equipoise.experiments import (
    DEFAULT_FORMATS,
    FormatOption,
    LevelOption,
    OpenOption,
    deliver,
    destination,
    document,
)  # fmt: skip
from equipoise.output.numbers import whole
from equipoise.output.progress import Progress, hush
from simcore.errors import Interrupted, UsageError
from simcore.homes import GAMES

if TYPE_CHECKING:
    from analysis.tournament import Scores, Tournament
    from simcore.game import Game
    from simcore.rules.files import Rules
    from strategies.model import Strategy

EXAMPLES = examples(
    "equipoise tournament",
    "equipoise tournament --strategies planner,warlord,mine.toml --players 3,4",
    "equipoise tournament --strategies planner,warlord,scout --tables all --games 1e7 --out runs/cup",
)
PARTS = 1000
MOST_STRATEGIES = 100


class Tables(StrEnum):
    """Which tables sit down."""

    auto = "auto"
    all = "all"
    one_vs_rest = "one-vs-rest"


def tournament(
    context: typer.Context,
    strategies: Annotated[
        str | None,
        typer.Option(
            "--strategies",
            help="Two or more strategies, or role=strategy, separated by commas: a shipped name, a .toml file or "
            "module:attribute each.",
            show_default="all quick ones that are shipped",
            autocompletion=strategy_names,
        ),
    ] = None,
    game: GameOption = GAMES[0],
    players: Annotated[
        str | None,
        typer.Option(
            "--players",
            metavar="N,...",
            help="Players at the table; several numbers are separated by commas.",
            show_default="the game's usual one",
        ),
    ] = None,
    games: Annotated[str, typer.Option("--games", help="Games for each number of players, over all tables.")] = "1e6",
    tables: Annotated[
        Tables,
        typer.Option(
            "--tables",
            help="Line-ups to play: every combination, one against the rest, or whichever the number of games allows.",
        ),
    ] = Tables.auto,
    rules: RulesOption = "base",
    set_: SetOption = None,
    seed: SeedOption = "1",
    level: LevelOption = 0.95,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="FOLDER", help="Folder for the files.", show_default="runs/GAME-tournament-NUMBER"
        ),
    ] = None,
    format_: FormatOption = DEFAULT_FORMATS,
    lang: Annotated[Language, typer.Option("--lang", help="Language of the page: en or fr.")] = Language.en,
    open_: OpenOption = None,
    force: Annotated[bool, typer.Option("--force", help="Replace files of an earlier tournament.")] = False,
    json_: Annotated[bool, typer.Option("--json", help="Print the results as JSON.")] = False,
) -> None:
    """Let strategies play each other: rank them, show the matchups, and find an equilibrium mix."""
    from analysis.stats.intervals import check_level
    from simcore.game import load_game
    from simcore.rules.files import load_rules

    count, key = whole(games, "--games"), whole(seed, "--seed", 0, 2**64 - 1)
    check_level(level)
    found = load_game(game)
    resolved = load_rules(found, rules, set_ or ())
    entered = enter(found, split(strategies))
    tables_at = numbers_of_players(found, players)
    with destination("tournament", game, out, format_, force) as place:
        if json_:
            hush()
        scores = _play(found, entered, resolved, tables_at, (count, tables.value, key), json_)
        results = _judge(scores, level, json_)
        command = context.obj or ("tournament",)
        told = document(results, resolved, command)
        paths = []
        if place:
            from reports.tournament import compose_tournament
            from reports.words import Words

            page = compose_tournament(results, resolved, Words(lang.value), command)
            paths = deliver(place, page, results, told, open_)
    if json_:
        typer.echo(json.dumps(told, indent=2))
    else:
        from equipoise.output.standings import show

        show(results, paths)


def enter(game: Game, names: Sequence[str]) -> list[list[Strategy]]:
    """Return the strategies that play, by role; all shipped ones that are quick where none is named.

    Raises
    ------
    UsageError
        If there are not two, too many, one is named twice, or a role has none.
    """
    from strategies.library import load_strategy, quick_strategies
    from strategies.seating import check_names, check_role, give_roles

    if names:
        given = give_roles(game, names)
        found = {role: [load_strategy(game, name) for name in given.get(role, ())] for role in game.role_names}
    else:
        quick = [load_strategy(game, name) for name in quick_strategies(game)]
        found = {role: [one for one in quick if one.role in ("", role)] for role in game.role_names}
    everybody = [one for some in found.values() for one in some]
    check_names(everybody)
    for role, some in found.items():
        seen: set[str] = set()
        for one in some:
            check_role(one, role, "--strategies")
            if one.name in seen:
                raise UsageError(f"--strategies: '{one.name}' is given twice; name each one once")
            seen.add(one.name)
    for role, some in found.items():
        if not some:
            raise UsageError(f"--strategies: nobody plays the role '{role}'; write {role}=NAME")
    if max(len(some) for some in found.values()) < 2:
        told = "every role has one strategy" if game.asymmetric else f"'{everybody[0].name}' has nobody to play"
        raise UsageError(f"--strategies: {told}; name two or more{' for one of them' if game.asymmetric else ''}")
    if len(everybody) > MOST_STRATEGIES:
        raise UsageError(f"--strategies: {len(everybody)} given; {MOST_STRATEGIES} is the most")
    return list(found.values())


def numbers_of_players(game: Game, text: str | None) -> list[int]:
    """Return the numbers of players that a user named with commas between; the game's usual one where none is."""
    if text is None:
        return [game.default_players]
    found = list(dict.fromkeys(whole(part, "--players", 1, 99) for part in text.split(",")))
    for number in found:
        if number not in game.players:
            first, last = game.players[0], game.players[-1]
            raise UsageError(f"--players: {game.title} is for {first} to {last} players, not {number}")
    return found


def _play(
    game: Game, entered: Sequence[Sequence[Strategy]], rules: Rules, tables_at: Sequence[int],
    how: tuple[int, str, int], quiet: bool,
) -> list[Scores]:  # fmt: skip
    """Play all tables, with one bar for all numbers of players."""
    from analysis.tournament import make_plan, play
    from simcore.kernel.warm import compiling_aside

    games, design, seed = how
    sizes = [len(some) for some in entered]
    plans = [make_plan(sizes, [len(role.at(number)) for role in game.roles], games, design) for number in tables_at]
    everybody = [one for some in entered for one in some]
    with compiling_aside(game.name):
        for strategy in everybody:
            strategy.address  # noqa: B018  compiles it
    found: list[Scores] = []
    try:
        with Progress("games", sum(plan.games for plan in plans), quiet) as progress:
            done = 0
            for plan in plans:
                tick = lambda games, before=done: progress.update(before + games)  # noqa: E731
                found.append(play(game, everybody, rules, plan, seed, tick=tick))
                done += plan.games
    except KeyboardInterrupt:
        raise Interrupted("nothing was written; run it again") from None
    return found


def _judge(scores: Sequence[Scores], level: float, quiet: bool) -> list[Tournament]:
    """Ask what the outcomes say."""
    from analysis.tournament import judge

    with Progress("parts of the analysis", PARTS * len(scores), quiet) as progress:
        return [
            judge(one, level, tick=lambda share, at=number: progress.update(int((at + share) * PARTS)))  # type: ignore[misc]
            for number, one in enumerate(scores)
        ]
