"""`equipoise restrict`: what a strong player loses who is forbidden one thing at a time."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from equipoise.commands.report import Language
from equipoise.commands.simulate import (
    GameOption,
    PlayersOption,
    RulesOption,
    SeedOption,
    SetOption,
    split,
    strategy_names,
)
from equipoise.examples import examples
from equipoise.experiments import (
    DEFAULT_FORMATS,
    FormatOption,
    LevelOption,
    OpenOption,
    deliver,
    destination,
    document,
)
from equipoise.output.numbers import whole
from equipoise.output.progress import Progress, hush
from simcore.errors import Interrupted, UsageError
from simcore.homes import GAMES

if TYPE_CHECKING:
    from analysis.restricted_play import Restricted
    from simcore.game import Game
    from simcore.roles import Role
    from simcore.rules.files import Rules
    from strategies.model import Strategy
    from strategies.restrictions import Restriction

EXAMPLES = examples(
    "equipoise restrict",
    "equipoise restrict --forbid scout,robbery,foresight --games 1e6",
    "equipoise restrict --strategy mine.toml --against greedy --players 3",
    "equipoise restrict --list",
)


def restrict(
    context: typer.Context,
    strategy: Annotated[
        str | None,
        typer.Option(
            "--strategy",
            help="The strategy to restrict: a shipped name, a .toml file or module:attribute; or role=strategy.",
            show_default="the game's strongest",
            autocompletion=strategy_names,
        ),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(
            "--against",
            help="The strategy of all other seats; or role=strategy, separated by commas.",
            show_default="the same",
            autocompletion=strategy_names,
        ),
    ] = None,
    forbid: Annotated[
        str | None,
        typer.Option("--forbid", help="What to forbid, one thing at a time, separated by commas.", show_default="all"),
    ] = None,
    list_: Annotated[bool, typer.Option("--list", help="List what can be forbidden, and play nothing.")] = False,
    game: GameOption = GAMES[0],
    players: PlayersOption = None,
    games: Annotated[str, typer.Option("--games", help="Games without restrictions, and again with each one.")] = "1e5",
    rules: RulesOption = "base",
    set_: SetOption = None,
    seed: SeedOption = "1",
    level: LevelOption = 0.95,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FOLDER", help="Folder for the files.", show_default="runs/GAME-restrict-NUMBER"),
    ] = None,
    format_: FormatOption = DEFAULT_FORMATS,
    lang: Annotated[Language, typer.Option("--lang", help="Language of the page: en or fr.")] = Language.en,
    open_: OpenOption = None,
    force: Annotated[bool, typer.Option("--force", help="Replace files of an earlier command.")] = False,
    json_: Annotated[bool, typer.Option("--json", help="Print the results as JSON.")] = False,
) -> None:
    """Forbid a strategy one thing at a time, and measure what it loses."""
    from analysis.stats.intervals import check_level
    from simcore.game import load_game
    from simcore.rules.files import load_rules
    from strategies.restrictions import restrictions_of

    count, key = whole(games, "--games"), whole(seed, "--seed", 0, 2**64 - 1)
    check_level(level)
    found = load_game(game)
    resolved = load_rules(found, rules, set_ or ())
    if list_:
        for one in restrictions_of(game, resolved.values).values():
            typer.echo(one.name)
        return
    seats = found.default_players if players is None else players
    if seats not in found.players:
        first, last = found.players[0], found.players[-1]
        raise UsageError(f"--players: {found.title} is for {first} to {last} players, not {seats}")
    player, role, others = _seated(found, strategy, against)
    turns = len(role.at(seats))
    if count < turns:
        raise UsageError(f"--games: {count} are less than one deal, which takes {turns}; give more")
    forbidden = _forbidden(game, resolved, forbid)
    with destination("restrict", game, out, format_, force) as place:
        if json_:
            hush()
        result = _play(found, (player, role, others), resolved, forbidden, (seats, count // turns, key, level), json_)
        command = context.obj or ("restrict",)
        told = document([result], resolved, command)
        paths = []
        if place:
            from reports.restricted import compose_restricted
            from reports.words import Words

            page = compose_restricted(result, resolved, Words(lang.value), command)
            paths = deliver(place, page, [result], told, open_)
    if json_:
        typer.echo(json.dumps(told, indent=2))
    else:
        from equipoise.output.costs import show

        show(result, paths)


def _seated(game: Game, strategy: str | None, against: str | None) -> tuple[Strategy, Role, Mapping[str, Strategy]]:
    """Return who is forbidden something, in which role, and who plays each role beside it."""
    from strategies.kit import load_kit
    from strategies.library import load_strategy
    from strategies.seating import check_role, give_roles

    if strategy is None and game.asymmetric:
        roles = " or ".join(f"{role}=NAME" for role in game.role_names)
        raise UsageError(f"--strategy: {game.title} has several roles; write {roles}")
    kit = load_kit(game.name)
    found = give_roles(game, [strategy or kit.default_of(game.role_names[0])], "--strategy")
    role = next(role for role in game.roles if role.name in found)
    player = load_strategy(game, found[role.name][0], "--strategy")
    others = give_roles(game, split(against), "--against")
    for name, some in others.items():
        if len(some) > 1:
            raise UsageError(f"--against: {len(some)} given for the role '{name}'; give one")
    seated = {one: player if one == role.name else load_strategy(game, kit.default_of(one)) for one in game.role_names}
    seated |= {name: load_strategy(game, some[0], "--against") for name, some in others.items()}
    check_role(player, role.name, "--strategy")
    for name, one in seated.items():
        check_role(one, name, "--against")
    return player, role, seated


def _forbidden(game: str, rules: Rules, text: str | None) -> list[Restriction]:
    """Return what is forbidden; everything that can be where nothing is named."""
    from strategies.restrictions import find_restrictions, restrictions_of

    names = list(restrictions_of(game, rules.values)) if text is None else [name.strip() for name in text.split(",")]
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"--forbid: '{name[:80]}' is given twice; name each one once")
    return find_restrictions(game, rules.values, names, "--forbid")


def _play(
    game: Game, seated: tuple[Strategy, Role, Mapping[str, Strategy]], rules: Rules, forbidden: Sequence[Restriction],
    how: tuple[int, int, int, float], quiet: bool,
) -> Restricted:  # fmt: skip
    """Play everything, with a bar."""
    from analysis.restricted_play import restricted

    (player, role, others), (players, deals, seed, level) = seated, how
    try:
        with Progress("games", deals * len(role.at(players)) * (len(forbidden) + 1), quiet) as progress:
            return restricted(
                game, player, others, rules, forbidden, players, deals, seed, level, tick=progress.update,
                role=role.name,
            )  # fmt: skip
    except KeyboardInterrupt:
        raise Interrupted("nothing was written; run it again") from None
