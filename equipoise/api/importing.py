"""Games that people or other programs have written down: `eq.import_table`, and the games of a playtest."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import typer

from analysis.data.results import Note
from analysis.data.sameness import require_contest
from analysis.playtest import Grid, Rung, Sheet, make_grid, play_table, read_log, read_sheet
from analysis.runs.folders import free_folder
from analysis.runs.load import load
from analysis.runs.manifest import FILE
from analysis.tables.importing import Imported
from analysis.tables.importing import import_table as read_table
from equipoise.output.progress import Following, following, keeping
from equipoise.process import command_line
from equipoise.questions.asked import climbed, listed, refuse_both
from reports.words import ENGLISH
from simcore.errors import UsageError
from simcore.game import Game
from simcore.rules.files import Rules
from simcore.running.batch import Spec
from strategies.kit import EXPERTS, load_kit
from strategies.skill import searchers_of, skills_of
from strategies.spec import References, make_spec

AnyRun = Any
"""A run, a run folder, or what `equipoise.api.reporting` takes for one."""


def import_table(
    path: str | Path,
    out: str | Path,
    columns: Mapping[str, str] | None = None,
    title: str = "",
    *,
    lowest_wins: bool = False,
    no_seats: bool = False,
    anonymous: bool = False,
    force: bool = False,
    decimal: str = "",
    teams: str = "",
) -> Imported:
    """Read a table of results, and write it as a run.

    Parameters
    ----------
    path
        A CSV or Parquet file with one row for each seat of each game, or with one row for each game and columns such as
        `score_1`, `score_2`; or the JSON file of BG Stats.  docs/your-results.md lists the columns.
    out
        Folder of the run.  If the table has several numbers of players, or several sets of rules, each has a run in a
        folder inside it.
    columns
        The file's name for some columns, such as ``{"seat": "Position"}``.
    title
        Name of the game, for pages.  In a file of BG Stats with several games, the one to read.
    lowest_wins
        Whether the lowest score wins.
    no_seats
        Whether the order of the players means nothing, although the table has one.
    anonymous
        Whether to write A, B, C ... instead of the names of people and groups.
    force
        Whether runs of an earlier import may be replaced.
    decimal
        "point" or "comma": what is before the decimals, where numbers such as 1,234 or 1.234 leave it open.
    teams
        The seats that win together, such as "1/234".  Each team's par is an equal part of the wins.

    Returns
    -------
    Imported
        `run`, the run with the most games; `runs`, all of them; and `notes` on what the table does not say.

    Raises
    ------
    UsageError
        If a row cannot be used, or the folder is not free; the message names the row, and nothing is written.

    References
    ----------
    * docs/reference/methods.md

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> import equipoise as eq
    >>> rows = [f"{game},{seat},{seat * game % 7}" for game in range(100) for seat in (1, 2, 3)]
    >>> with TemporaryDirectory() as folder:
    ...     table = Path(folder) / "results.csv"
    ...     _ = table.write_text("\\n".join(["game,seat,score", *rows]))
    ...     made = eq.import_table(table, Path(folder) / "mine")
    ...     eq.seat_advantage(made.run).table["games"].to_list()
    [100, 100, 100]
    """
    return read_table(
        Path(path),
        Path(out),
        columns,
        title,
        lowest_wins,
        not no_seats,
        anonymous,
        force,
        command_line(),
        decimal,
        teams,
    )


TABLES = (".csv", ".tsv", ".txt", ".parquet", ".json")
"""How files end that are tables of results, also where there are none."""


def runs_in(
    given: Sequence[AnyRun], decimal: str = "", teams: str = "", notes: list[Note] | None = None
) -> Iterator[AnyRun]:
    """Yield runs; a table of results is imported into a new folder, and a folder of imported runs stands for them.

    decimal, teams: See `import_table`; only a table takes them.
    notes: Takes what a table does not say, and what was left out.
    """
    paths = [Path(one) for one in given if isinstance(one, str | Path)]
    for path in paths:
        if not path.exists() and path.suffix not in TABLES:  # of a table, the import says it in its own words
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
    results: str | Path | None,
    logs: Sequence[str | Path],
    game: Game,
    rules: Rules,
    decimal: str = "",
    teams: str = "",
) -> tuple[Sheet, list[str]]:
    """Return all games, and the logs whose moves could not be checked; `decimal`, `teams`: see `import_table`."""
    sheet = Sheet((), grouped=True)
    if results is not None:
        path = Path(results)
        runs = [load(run) for run in runs_in([path], decimal, teams)] if path.is_dir() else path
        sheet = read_sheet(runs, game, decimal, teams)
    matches, unchecked = list(sheet.matches), []
    for path in map(Path, logs):
        match, checked = read_log(path, game, rules, sheet.by_role, sheet.teams)
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
    lineups: Sequence[References] = listed(strategies) or [_seated(game, rung) for rung in climbed(game, highest)]
    if not strategies and skill is None:
        lineups = [*lineups, *searchers_of(game.name)]
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
    sheet: Sheet,
    threads: int | None,
    progress: Following,
) -> Grid:
    """Play the ladder of skill at all numbers of players, and return the results."""
    require_contest([spec for rung in specs for spec in rung.values()])
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
    return make_grid(game, rules, ladder, counts, sheet.by_role, sheet.teams)


# --- The output of `import`: what was taken from a table, and where it is ---


def show(made: Imported, json_: bool = False) -> None:
    """Print what was imported: how the winner is known first, then the runs."""
    notes = [ENGLISH.note(note) for note in made.notes]
    if json_:
        typer.echo(json.dumps({"runs": [_about(run) for run in made.runs], "notes": notes}, indent=2))
        return
    for note in notes:
        typer.echo(note)
    for run in made.runs:
        one = _about(run)
        people = f", {len(made.origin.people):,} people" if made.origin.people else ""
        rules = f", rules '{one['rules']}'" if one["rules"] != "base" else ""
        typer.echo(f"{one['folder']}: {one['games']:,} games with {one['players']} players{people}{rules}")


def _about(run: object) -> dict[str, object]:
    from analysis.runs import Run

    assert isinstance(run, Run)
    made = run.manifest
    return {
        "folder": str(run.folder),
        "games": made.games_written,
        "players": made.players,
        "rules": made.rules["name"],
        "digest": made.digest,
    }
