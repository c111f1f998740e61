"""Measure the balance of games, and write their baselines; a file that exists is replaced only when all is measured."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from equipoise.api.following import Stages
from equipoise.files import check_file, claimed, whole_file
from simcore.errors import UsageError
from simcore.homes import ELSEWHERE

if TYPE_CHECKING:
    from analysis.check.baseline import Baseline, Instead
    from analysis.check.results import Tables
    from analysis.check.updating import Update
    from analysis.data.source import Source

PLACE = "configs/{}/baselines/default.toml"


def begin(
    path: Path | None, game: str | None, players: Sequence[int], instead: Instead, seed: int | None, games: int | None
) -> None:
    """Write a first baseline."""
    from analysis.check.updating import draft
    from strategies.spec import DEFAULT_GAMES, DEFAULT_SEED

    if game is None:
        raise UsageError("--update: there is no baseline here yet; name its game with --game")
    place = path or Path(PLACE.format(game))
    _check_name(place)
    baseline = draft(
        place,
        game,
        players,
        instead.strategies,
        instead.skill,
        instead.rules or "base",
        instead.settings,
        DEFAULT_SEED if seed is None else seed,
        DEFAULT_GAMES if games is None else games,
    )
    _measure([baseline])


def _check_name(path: Path) -> None:
    if path.suffix != ".toml":
        raise UsageError(f"{path}: the name of a baseline must end in .toml")


def renew(found: Sequence[Path], yes: bool) -> None:
    """Measure baselines again."""
    from analysis.check.baseline import read_choices

    baselines = [read_choices(path) for path in found]
    for baseline in baselines:
        if baseline.choices.game == ELSEWHERE:
            raise UsageError(
                f"{baseline.label}: comes from a table of results; name the run of a table with --results", "--update"
            )
    _measure(baselines, yes)


def record(path: Path, tables: Tables, yes: bool) -> None:
    """Write the baseline of a table of results, for the first time or again."""
    from analysis.check.baseline import read_choices
    from analysis.check.results import draft_results, update_results

    _check_name(path)
    began = time.perf_counter()
    with claimed(path, "--update"):
        baseline = read_choices(path) if path.exists() else draft_results(path, tables)
        made = update_results(baseline, tables)
        _compare(made.baseline, tables.sources, yes)
        _write(made)
    typer.echo(f"{made.baseline.label}: {made.games:,} games in {time.perf_counter() - began:.1f} s")


def _measure(baselines: Sequence[Baseline], yes: bool = False) -> None:
    """Measure baselines and write each file when it is complete, unless margins are broken and --yes is not given."""
    from analysis.check.updating import sources_of, update

    for baseline in baselines:
        check_file(baseline.path, True, "--update")
    sizes = [baseline.choices.games * len(baseline.choices.players) for baseline in baselines]
    with Stages(True) as show:
        for number, baseline in enumerate(baselines):
            began, before = time.perf_counter(), sum(sizes[:number])
            with claimed(baseline.path, "--update"):
                made = update(baseline, lambda now, at=before: show("games", at + now, sum(sizes)))  # type: ignore[misc]
                _compare(made.baseline, sources_of(baseline), yes)
                _write(made)
            typer.echo(f"{baseline.label}: {made.games:,} games in {time.perf_counter() - began:.1f} s")


def _write(made: Update) -> None:
    """Write a baseline and what lies in its folder."""
    baseline = made.baseline
    folder = baseline.frozen if made.copies else baseline.path.parent
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in made.copies.items():
        with whole_file(folder / name, True, "--update") as write:
            write(text.encode())
    with whole_file(baseline.path, True, "--update") as write:
        write(made.text.encode())
    for path in made.stale:
        path.unlink(missing_ok=True)


def _compare(after: Baseline, sources: Mapping[int, Source], yes: bool) -> None:
    """Print what moved since the last measurement; raise `UsageError` if margins are broken without --yes."""
    from analysis.check.baseline import read_baseline
    from analysis.check.updating import moved

    try:
        before = read_baseline(after.path)
    except (UsageError, OSError):  # not measured yet, or unreadable: there is nothing to compare with
        return
    found = moved(before, after, sources)
    for one in found:
        typer.echo(f"{'broken' if one.broken else 'moved '} {one}")
    broken = sum(one.broken for one in found)
    if broken and not yes:
        raise UsageError(
            f"--update: {after.label}: {broken} margins are broken, so the file was left as it is; "
            "if this is intended, give --yes"
        )
