"""Games that people or other programs have written down, and the games of a playtest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from analysis.data.results import Note
from analysis.data.sameness import require_contest
from analysis.playtest.posterior import Grid, Rung, play_table
from analysis.playtest.result import make_grid
from analysis.playtest.sheet import Sheet, read_log, read_sheet
from analysis.runs.folders import free_folder
from analysis.runs.load import load
from analysis.runs.manifest import FILE
from analysis.tables import ENDINGS
from equipoise.questions.asked import Asked, climbed, listed, refuse_both
from equipoise.questions.import_table import import_table
from simcore.errors import UsageError
from simcore.game import Game
from simcore.rules.files import Rules
from simcore.running.batch import Spec
from strategies.kit import EXPERTS, load_kit
from strategies.skill import searchers_of, skills_of
from strategies.spec import References, make_spec

AnyRun = Any
"""A run, a run folder, or what `equipoise.api.reporting` takes for one."""


def runs_in(
    given: Sequence[AnyRun], decimal: str = "", teams: str = "", notes: list[Note] | None = None
) -> Iterator[AnyRun]:
    """Yield runs; a table of results is imported into a new folder, and a folder of imported runs stands for them.

    decimal, teams: See `import_table`; only a table takes them.
    notes: Takes what a table does not say, and what was left out.
    """
    paths = [Path(one) for one in given if isinstance(one, str | Path)]
    for path in paths:
        if not path.exists() and path.suffix not in ENDINGS:  # of a table, the import says it in its own words
            raise UsageError(f"{path}: no such run folder")
    if (decimal or teams) and not any(path.is_file() or not path.exists() for path in paths):
        raise UsageError("only a table of results takes it; name one", "teams" if teams else "decimal")
    for one in given:
        if not isinstance(one, str | Path):
            yield one
            continue
        path = Path(one)
        if path.is_file() or not path.exists():
            made = import_table(path, free_folder(Path("runs"), path.stem), decimal=decimal, teams=teams)
            if notes is not None:
                notes += made.notes
            yield from made.runs
        elif path.is_dir() and not (path / FILE).exists() and (inside := sorted(path.glob(f"*/{FILE}"))):
            yield from (manifest.parent for manifest in inside)
        else:
            yield path


# --- The games of a playtest, and the levels of skill with which they are compared ---


def read_games(
    results: str | Path | None, logs: Sequence[str | Path], game: Game, rules: Rules, decimal: str = "", teams: str = ""
) -> tuple[Sheet, list[str]]:
    """Return all games, and the logs whose moves could not be checked; `decimal`, `teams`: see `import_table`."""
    sheet = Sheet((), grouped=True)
    if results is not None:
        path = Path(results)
        runs = [load(run) for run in runs_in([path], decimal, teams)] if path.is_dir() else path
        sheet = read_sheet(runs, game, decimal, teams)
    matches, unchecked, unwon = list(sheet.matches), list[str](), list[str]()
    for path in map(Path, logs):
        match, checked = read_log(path, game, rules, sheet.by_role, sheet.teams)
        if not any(match.won):
            unwon.append(path.name)
            continue
        matches.append(match)
        if not checked:
            unchecked.append(path.name)
    if not matches:
        raise UsageError(f"{logs[0]}: nobody won this game, or any other one; give games that somebody won")
    notes = [Note("playtest_unwon", {"games": len(unwon), "names": tuple(unwon)})] if unwon else []
    return replace(sheet, matches=tuple(matches), notes=(*sheet.notes, *notes)), unchecked


def specs_of(
    it: Asked, counts: Sequence[int], strategies: Sequence[References] | str, skill: str | None
) -> list[dict[int, Spec]]:
    """Return what is played at each level of skill, the strongest of which may be given, and each number of players."""
    refuse_both(skill, strategies)
    game = it.game
    searched, most = load_kit(game.name).searched
    highest = skill or (skills_of(game.name)[-1] if most else EXPERTS)  # players who look ahead may be too slow
    lineups: Sequence[References] = listed(strategies) or [
        dict(rung) if game.asymmetric else next(iter(rung.values())) for rung in climbed(game, highest)
    ]
    if not strategies and skill is None:
        lineups = [*lineups, *searchers_of(game.name)]
    if len(lineups) < 2:
        raise UsageError("a ladder has at least two levels of skill; name them, weakest first", "strategies")
    found = []
    for lineup in lineups:
        how = (lineup, it.rules, (), it.seed, "rotate", it.games)
        own = {players: make_spec(game.name, players, *how) for players in counts}
        for players, spec in own.items():
            if spec.mixed_roles:
                raise UsageError("a level of skill is one strategy, or one for each role; name one", "strategies")
            if spec.searches:
                own[players] = replace(spec, games=min(it.games, searched))
        found.append(own)
    return found


def play_ladder(it: Asked, counts: Sequence[int], specs: Sequence[Mapping[int, Spec]], sheet: Sheet) -> Grid:
    """Play the ladder of skill at all numbers of players, and return the results."""
    require_contest([spec for rung in specs for spec in rung.values()])
    done, ladder = 0, []
    with it.playing(sum(spec.games for rung in specs for spec in rung.values())) as tick:

        def step(games: int) -> None:
            nonlocal done
            done += games
            tick(done)

        for rung in specs:
            tables = {players: play_table(spec, it.threads, step) for players, spec in rung.items()}
            names = tuple(dict.fromkeys(next(iter(rung.values())).strategies))
            ladder.append(Rung(names, tables))
    return make_grid(it.game, it.rules, ladder, counts, sheet.by_role, sheet.teams)
