"""Seigneurial: what would correct the lord's share, with one step of one lever of the rules at a time."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from analysis.data.results import Note
from analysis.data.source import Source
from analysis.stats.intervals import bonferroni, share_interval
from analysis.stats.picking import Tied, contenders
from analysis.sweep import Cell, Sweep, sweep
from reports.figures.forest import Forest, Panel
from reports.games.seigneurial.again import replayable
from reports.page import Block, Column, Datum, Listing, Picture, Section, Sentence, Table, basis, datum
from reports.sections.common import failed, failures
from reports.study import Study
from simcore.errors import UsageError
from simcore.rules.files import Rules, load_rules

GAMES = 3_000
"""Largest number of games for each change and number of players."""

LORD = "lord"


@dataclass(frozen=True)
class Lever:
    """A number of the rules.

    Parameters
    ----------
    name
        Key in the files of words, after `lever.`.
    key
        Key of the rules; `{players}` is replaced by the number of players.
    place
        Index in the pair, if the value is a pair.
    step
        Size of a step down or up.
    """

    name: str
    key: str
    place: int | None = None
    step: int = 1

    def at(self, rules: Rules, players: int, steps: int) -> str:
        """Return the setting that moves the lever by some steps."""
        key = self.key.format(players=players)
        value, by = rules.flat()[key], self.step * steps
        if self.place is None:
            return f"{key}={value + by}"
        pair = [number + by * (place == self.place) for place, number in enumerate(value)]
        return f"{key}={pair}"


LEVERS = (
    Lever("objective_extra", "objective_extra.{players}", step=2),
    Lever("track", "track.{players}", 1),
    Lever("rent", "rent.{players}", 1),
    Lever("draws", "draws", 1),
    Lever("due", "due"),
    Lever("favour_price", "favour_price"),
    Lever("plays", "plays"),
    Lever("unpaid_cards", "unpaid_cards"),
)
"""Numbers that a designer could change in the booklet without any new wording."""


def mending(study: Study) -> Section | None:
    """Return what each lever does to the lord's share of the wins, at every number of players."""
    words, title = study.words, study.words("section.mending")
    runs = replayable(study)
    found = study.ask("mending", lambda: _swept(study, runs)) if runs else None
    if found is None:
        return failed(study, "mending", title) if failures(study, "mending") else None
    shares = found.table.filter((pl.col("kind") == "camp") & (pl.col("name") == LORD))
    moved = shares.drop_nulls("lever")
    said = tuple(_sentence(study, shares.filter(pl.col("players") == run.players)) for run in runs)
    blocks: list[Block] = [
        Picture("mending", words("figure.mending"), _figure(study, moved), words("caption.mending")),
        _table(study, shares),
        Listing(words("mending.further"), tuple(_command(study, run) for run in _in_order(runs))),
    ]
    habits = (Note("habit_variants", note.values) for note in found.notes if note.code == "habit_sweep")
    remarks = tuple(words.note(note) for note in habits)
    counted = basis(words, *found.inputs)
    return Section("mending", title, said, tuple(blocks), (*remarks, *failures(study, "mending")), counted)


def _in_order(runs: Sequence[Source]) -> list[Source]:
    return sorted(runs, key=lambda run: run.players)


def _swept(study: Study, runs: Sequence[Source]) -> Sweep:
    """Play the runs again, as they are and with every lever moved one step down and one step up."""
    cells = [cell for number, run in enumerate(_in_order(runs)) for cell in _cells(study, run, number)]
    return sweep(cells, None, study.thresholds.level, tick=lambda done, total: study.advance(done / total))


def _cells(study: Study, run: Source, number: int) -> Iterator[Cell]:
    """Yield a run's rules as they are, then every change that these rules allow."""
    spec = replace(run.spec, games=min(GAMES, study.deals, run.planned))
    yield Cell(spec, number, {})
    for lever in LEVERS:
        for steps in (-1, 1):
            try:
                rules = load_rules(study.game, spec.rules, [lever.at(spec.rules, run.players, steps)])
                record = study.game.pack(rules.values, run.players)
            except UsageError:
                continue
            values = {"lever": lever.name, "steps": str(steps)}
            yield Cell(replace(spec, rules=rules, rules_record=record), number, values)


def _lever(name: str) -> Lever:
    return next(lever for lever in LEVERS if lever.name == name)


def _told(study: Study, name: str, steps: str, short: str = "") -> str:
    """Return a change in words; with `short=".short"`, in a few words."""
    by = _lever(name).step * int(steps)
    return study.words("mending.step", lever=study.words.name(f"lever.{name}{short}"), by=study.words.number(by, "+d"))


def _sentence(study: Study, shares: pl.DataFrame) -> Sentence:
    """Return the lord's share with a number of players, and the changes that may bring it nearest to par.

    The interval of the nearest one is simultaneous for all changes, because it was chosen among them.
    """
    words, level = study.words, study.thresholds.level
    now = shares.filter(pl.col("lever").is_null()).row(0, named=True)
    par, half = now["par"], float(study.thresholds.margin.at(now["par"]))
    if now["value_low"] is None:
        return Sentence(words("mending.few", players=now["players"], deals=now["deals"]))
    start = {"players": now["players"], "par": par, "now": now["value"]}
    start |= {"now_low": now["value_low"], "now_high": now["value_high"]}
    if par - half <= now["value_low"] and now["value_high"] <= par + half:
        return Sentence(words("mending.fair", **start))
    tried = shares.drop_nulls("lever")
    value, error, deals = (tried[name].to_numpy() for name in ("value", "value_se", "deals"))
    away = np.abs(value - par)
    if away.min() >= abs(now["value"] - par):
        return Sentence(words("mending.none", **start))
    nearest = contenders(-away, error, deals, level)
    best = nearest[0]
    low, high = share_interval(value[best], error[best], deals[best], bonferroni(level, len(tried)))
    names = Tied(_told(study, *tried.select("lever", "steps").row(at)) for at in nearest)
    ends = {"value": float(value[best]), "value_low": float(low), "value_high": float(high), "count": len(tried)}
    first = _told(study, *tried.select("lever", "steps").row(best))
    return Sentence(words("mending.best", **start, **ends, changes=words.tied(names), first=first))


def _figure(study: Study, moved: pl.DataFrame) -> Forest:
    """Return by how much each change moves the lord's share, with a series for each number of players."""
    low, high = pl.col("difference_low"), pl.col("difference_high")
    told = [_told(study, name, steps, ".short") for name, steps in moved.select("lever", "steps").rows()]
    shown = moved.select(
        row=pl.Series(told), series=pl.col("players").cast(pl.String), value="difference", low=low, high=high,
        stands=((low > 0) | (high < 0)).fill_null(False),
    )  # fmt: skip
    names = {str(players): study.words("players.number", players=players) for players in moved["players"].unique()}
    panel = Panel(study.words("axis.mending"), shown, True)
    return Forest(shown["row"].unique(maintain_order=True).to_list(), [panel], names, words=study.words)


def _table(study: Study, shares: pl.DataFrame) -> Table:
    """Return the lord's share by change and number of players."""
    words, column = study.words, Column("value", "share", digits=1)
    counts = shares["players"].unique(maintain_order=True).to_list()
    rows = []
    for (lever, steps), own in shares.group_by("lever", "steps", maintain_order=True):
        name = words("mending.as_is") if lever is None else _told(study, lever, steps)
        by_players = {row["players"]: row for row in own.iter_rows(named=True)}
        cells = (datum(words, column, by_players.get(count, {"value": None})) for count in counts)
        rows.append((Datum(name, name), *cells))
    headings = (words("col.mending_change"), *(words("players.number", players=count) for count in counts))
    numeric = (False, *(True for _ in counts))
    return Table("mending", words("table.mending"), headings, numeric, tuple(rows), shares, words("caption.mended"))


def _command(study: Study, run: Source) -> str:
    """Return the command that searches for a complete remedy, with players who learn every change."""
    spec, roles = run.spec, study.game.roles
    seated = ",".join(f"{role.name}={spec.references[role.at(run.players).start]}" for role in roles)
    line = ["--game", study.game.name, "--players", str(run.players), "--strategies", seated]
    if (named := spec.rules_reference or spec.rules.name) != "base":
        line += ["--rules", named]
    for setting in spec.rules.settings:
        line += ["--set", setting]
    lord = sum(spec.par[seat] for seat in spec.camps[LORD])
    return shlex.join(["equipoise", "mend", *line, "--target", f"{LORD}={lord:.3g}"])
