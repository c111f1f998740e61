"""Compare versions of a game: play the same deals, and measure what each seat gained or lost."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from analysis.compare.distances import camp_lines, distance_columns
from analysis.compare.moved import CARD_GAMES, GAMES, what_moved
from analysis.compare.result import HABIT, KNOWN, PLAYED, SAME, Comparison
from analysis.compare.shares import Wins, differences, half_width, totals
from analysis.compare.verdicts import cautions, judge
from analysis.compare.versions import Version
from analysis.data.results import Inputs, Note, tidy
from analysis.data.source import Source
from analysis.data.sources import RunSource, SpecSource, player_notes
from analysis.data.summary_source import SummarySource
from analysis.stats.intervals import check_level
from analysis.stats.moments import MIN_DEALS
from simcore.running.batch import Spec
from strategies.habit import habits
from strategies.tuning.retune import Retuned

HALF_POINT = 0.005

Retune = Callable[[Sequence[Spec]], tuple[Sequence[Spec], tuple[Retuned, ...]]]
"""Function that replaces players in runs by ones tuned for the rules, and returns who was tuned."""

Tick = Callable[[str, int, int], None]
"""Function that is called from time to time with what is counted (games), the number done, and the total."""


def needs_tuning(versions: Sequence[Version]) -> bool:
    """Return whether somebody plays some version by habit; nobody is tuned for a run that has been played."""
    return any(habits(spec) for item in versions if not item.runs for spec in item.specs.values())


def sized(versions: Sequence[Version], level: float) -> Note:
    """Return a note on how precise the comparison of tuned players will be, before they are played.

    Different players hardly pair, so playing the same deals does not make the intervals narrower.
    """
    spec = next(iter(versions[0].specs.values()))
    deals = spec.games // spec.games_per_deal
    half = half_width(spec, deals, level)
    return Note(
        "compare_sized", {"games": spec.games, "half": half, "needed": round(spec.games * (half / HALF_POINT) ** 2, -2)}
    )


def compare_versions(
    versions: Sequence[Version],
    tune: Retune | None,
    level: float = 0.95,
    threads: int | None = None,
    tick: Tick = lambda what, done, total: None,
) -> Comparison:
    """Return the comparison of versions.

    Parameters
    ----------
    versions
        The versions; each is compared with the first.
    tune
        Function that tunes players for the versions that somebody plays by habit.  If None, they only play by habit.
    level
        Confidence level.
    threads
        Number of threads.  If None, one for each processor.
    tick
        Function that shows progress.
    """
    check_level(level)
    by_habit = needs_tuning(versions)
    runs = any(version.runs for version in versions)
    sides = {PLAYED if runs else HABIT if by_habit else SAME: [_sources(version) for version in versions]}
    notes: list[Note] = []
    retuned: tuple[Retuned, ...] = ()
    if by_habit and tune is not None and not runs:
        known, retuned = _knowing(versions, tune)
        sides[KNOWN] = known
        notes.append(sized(versions, level))
    labels = tuple(version.label for version in versions)
    counts = list(versions[0].specs)
    table, distances, inputs = _seats(sides, labels, counts, level, threads, tick)
    moved = _moved(sides, labels, counts, level, tick)
    best = list(sides.values())[-1]
    titles = versions[0].specs[counts[0]].game.camp_titles
    notes += [*cautions(table), *tuning_notes(retuned), *_of_deals(table, inputs)]
    warned = (player_notes(source.spec) for version in best for source in version.values())
    notes += dict.fromkeys(note for some in warned for note in some)
    rules = {version.label: version.specs[counts[0]].rules for version in versions}
    verdicts = judge(table, distances, rules, titles)
    return Comparison(inputs, level, table, verdicts, tuple(notes), distances, moved, labels, retuned)


def compare_sources(sources: Mapping[str, Source], level: float = 0.95) -> Comparison:
    """Return the comparison of runs by label, for a report: each with the first, without what else moved."""
    (players,) = {source.players for source in sources.values()}
    sides = {PLAYED: [{players: source} for source in sources.values()]}
    table, distances, inputs = _seats(sides, tuple(sources), [players], level, None, lambda *told: None)
    titles = next(iter(sources.values())).spec.game.camp_titles
    rules = {label: source.spec.rules for label, source in sources.items()}
    verdicts = judge(table, distances, rules, titles)
    return Comparison(
        inputs, level, table, verdicts, tuple(_of_deals(table, inputs)), distances, pl.DataFrame(), tuple(sources)
    )


Sides = Mapping[str, Sequence[Mapping[int, Source]]]
"""The games of each version by number of players, for each kind of players."""


def _sources(version: Version) -> dict[int, Source]:
    return {players: version.source(players) for players in version.specs}


def _knowing(versions: Sequence[Version], tune: Retune) -> tuple[list[dict[int, Source]], tuple[Retuned, ...]]:
    """Return the games of players who are tuned for each version, under their old names."""
    specs = [spec for version in versions for spec in version.specs.values()]
    found, players = tune(specs)
    named = iter([replace(new, strategies=old.strategies) for new, old in zip(found, specs, strict=True)])
    return [{count: SpecSource(next(named)) for count in version.specs} for version in versions], players


def _seats(
    sides: Sides, labels: Sequence[str], counts: Sequence[int], level: float, threads: int | None, tick: Tick
) -> tuple[pl.DataFrame, pl.DataFrame, tuple[Inputs, ...]]:
    """Play, and return the rows of seats and camps, the distances, and the data that they were counted from."""
    todo = {id(source): source for some in sides.values() for version in some for source in version.values()}
    kept: dict[bytes, Wins] = {}
    total, done = sum(source.planned for source in todo.values()), 0
    inputs: list[Inputs] = []

    def play(source: Source) -> Wins:
        nonlocal done
        spec = source.spec
        key = b"|".join((source.label.encode(), spec.rules_record.tobytes(), spec.lineup_record.tobytes()))
        if key not in kept:
            kept[key] = totals(source, threads, lambda games: tick("games", done + games, total))
            inputs.append(source.inputs(kept[key].games, kept[key].deals, source.planned - kept[key].games))
        done += source.planned
        return kept[key]

    frames, apart = [], []
    each = 1 - (1 - level) / (len(counts) * (len(labels) - 1))
    for who, some in sides.items():
        for count in counts:
            first, *others = [play(version[count]) for version in some]
            for label, other in zip(labels[1:], others, strict=True):
                head = {"version": label, "against": labels[0], "players": count, "who": who}
                frames += [_headed(head, frame) for frame in _rows(first, other, each)]
                apart.append(head | distance_columns(first, other, each))
    return tidy(pl.concat(frames)), pl.DataFrame(apart), tuple(inputs)


def _headed(head: Mapping[str, Any], frame: Mapping[str, Any]) -> pl.DataFrame:
    types = {"seat": pl.Int64, "role": pl.String, "camp": pl.String}
    return pl.DataFrame(frame, schema_overrides=types).select(
        *(pl.lit(value).alias(name) for name, value in head.items()), pl.all()
    )


def _rows(before: Wins, after: Wins, level: float) -> list[dict[str, Any]]:
    """Return the rows of seats, and of camps in a game with camps."""
    spec = after.spec
    seats, none = range(1, spec.players + 1), [None] * spec.players
    roles = [role.name for role in spec.roles] if spec.camps else none
    sides = [role.side for role in spec.roles] if spec.camps else none
    frames: list[dict[str, Any]] = [{"kind": "seat", "seat": list(seats), "role": roles, "camp": sides}]
    if spec.camps:
        blank = [None] * len(spec.camps)
        frames.append({"kind": "camp", "seat": blank, "role": blank, "camp": list(spec.camps)})
    return [
        frame | {"par": lines @ np.array(spec.par), **differences(before, after, lines, level)}
        for frame, lines in zip(frames, (np.eye(spec.players), camp_lines(spec)), strict=False)
    ]


def _moved(
    sides: Sides, labels: Sequence[str], counts: Sequence[int], level: float, tick: Tick
) -> pl.DataFrame:  # fmt: skip
    """Return what else moved, with the best informed players; only for runs whose games can be played again."""
    who, best = list(sides.items())[-1]
    frames, total = [], GAMES + CARD_GAMES
    for count in counts:
        first, *others = [version[count] for version in best]
        for label, other in zip(labels[1:], others, strict=True):
            if not (first.playable and other.playable) or first.spec.searches:
                continue
            before, after = (
                source.run.spec if isinstance(source, RunSource | SummarySource) else source.spec
                for source in (first, other)
            )
            if before.games_per_deal != after.games_per_deal:
                continue
            found = what_moved(before, after, level, lambda games: tick("games of what else moved", games, total))
            head = {"version": label, "players": count, "who": who}
            frames.append(found.select(*(pl.lit(value).alias(name) for name, value in head.items()), pl.all()))
    return pl.concat(frames) if frames else pl.DataFrame()


def tuning_notes(retuned: Sequence[Retuned]) -> list[Note]:
    """Return notes on who was tuned for some rules, and with which result."""
    found = []
    for player in retuned:
        values = {
            "old": player.old, "players": player.players, "generations": player.provenance["generations"],
            "seconds": player.provenance["seconds"], "par": player.par,
        }  # fmt: skip
        if not player.better:
            found.append(Note("compare_same_player", values))
        elif player.share is None:
            found.append(Note("compare_new_player", values))
        else:
            share, low, high = player.share
            found.append(Note("compare_better_player", values | {"share": share, "low": low, "high": high}))
    return found


def _of_deals(table: pl.DataFrame, inputs: Sequence[Inputs]) -> list[Note]:
    """Return the notes on the deals."""
    notes = []
    if table["deals"].min() < MIN_DEALS:  # type: ignore[operator]
        notes.append(Note("few_deals", {"deals": min(item.deals for item in inputs), "least": MIN_DEALS}))
    for (who,), rows in table.filter(pl.col("kind") == "seat").group_by("who", maintain_order=True):
        if not rows["paired"].all():
            notes.append(Note("compare_unpaired", {"who": f"compare_{who}"}))
    return notes
