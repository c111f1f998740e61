"""The games of a playtest, and the levels of skill with which they are compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from analysis.playtest import Grid, Rung, Sheet, make_grid, play_table, read_log, read_sheet
from analysis.runs.load import load
from equipoise.api.arguments import listed
from equipoise.api.casting import climbed, refuse_both
from equipoise.api.following import Following, following, keeping
from equipoise.api.importing import runs_in
from simcore.errors import UsageError
from simcore.game import Game
from simcore.rules.files import Rules
from simcore.running.batch import Spec
from strategies.kit import EXPERTS, load_kit
from strategies.skill import skills_of
from strategies.spec import References, make_spec


def read_games(
    results: str | Path | None, logs: Sequence[str | Path], game: Game, rules: Rules
) -> tuple[Sheet, list[str]]:
    """Return all games, and the logs whose moves could not be checked."""
    sheet = Sheet((), grouped=True)
    if results is not None:
        path = Path(results)
        sheet = read_sheet([load(run) for run in runs_in([path])] if path.is_dir() else path, game)
    matches, unchecked = list(sheet.matches), []
    for path in map(Path, logs):
        match, checked = read_log(path, game, rules, sheet.by_role)
        matches.append(match)
        if not checked:
            unchecked.append(path.name)
    return replace(sheet, matches=tuple(matches)), unchecked


def specs_of(
    game: Game,
    rules: Rules,
    counts: Sequence[int],
    strategies: Sequence[References] | str,
    skill: str | None,
    games: int,
    seed: int,
) -> list[dict[int, Spec]]:
    """Return what is played at each level of skill, the strongest of which may be given, and each number of players."""
    refuse_both(skill, strategies)
    searched, most = load_kit(game.name).searched
    highest = skill or (skills_of(game.name)[-1] if most else EXPERTS)  # players who look ahead may be too slow
    lineups: Sequence[References] = listed(strategies) or [_seated(game, rung) for rung in climbed(game.name, highest)]
    if len(lineups) < 2:
        raise UsageError("a ladder has at least two levels of skill; name them, weakest first", "strategies")
    found = []
    for lineup in lineups:
        own = {players: make_spec(game.name, players, lineup, rules, (), seed, "rotate", games) for players in counts}
        for players, spec in own.items():
            if spec.mixed_roles:
                raise UsageError("a level of skill is one strategy, or one for each role; name one", "strategies")
            if spec.searches:
                own[players] = replace(spec, games=min(games, searched))
        found.append(own)
    return found


def _seated(game: Game, rung: Mapping[str, str]) -> References:
    return dict(rung) if game.asymmetric else next(iter(rung.values()))


def play_ladder(
    game: Game,
    rules: Rules,
    counts: Sequence[int],
    specs: Sequence[Mapping[int, Spec]],
    by_role: bool,
    threads: int | None,
    progress: Following,
) -> Grid:
    """Play the ladder of skill at all numbers of players, and return the results."""
    done, ladder = 0, []
    with keeping(), following(progress, "games", sum(spec.games for rung in specs for spec in rung.values())) as tick:

        def step(games: int) -> None:
            nonlocal done
            done += games
            tick(done)

        for rung in specs:
            tables = {players: play_table(spec, threads, step) for players, spec in rung.items()}
            names = tuple(dict.fromkeys(next(iter(rung.values())).strategies))
            ladder.append(Rung(names, tables))
    return make_grid(game, rules, ladder, counts, by_role)
