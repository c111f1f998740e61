"""Baselines of tables of results: later games of people are judged by earlier ones, and nothing is played."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from analysis.check.baseline import (
    AtTable,
    Baseline,
    Measured,
    Results,
    Value,
    choices_of,
    first_head_of_results,
    round_margin,
    rounded,
)
from analysis.check.checking import Check, Update, check_counts, check_margins, written
from analysis.check.claims import (
    Claim,
    Finding,
    all_names,
    estimand_of,
    excused,
    judge_stored,
    limit_claims,
    measure_claims,
    name_of,
    overall,
)
from analysis.data.accumulate import Counts, accumulate
from analysis.data.source import Block
from analysis.data.sources import RunSource
from analysis.measures.quantities import BY_SEAT, MEAN, SHARES, Quantities
from analysis.runs.load import Run
from analysis.runs.manifest import Origin, versions
from analysis.stats.moments import Moments
from simcore.errors import UsageError

MARGIN_OF_SHARES = "5pp"
SPREADS = 0.2
"""First margins of other measures, in standard deviations of a game."""


@dataclass(frozen=True)
class Tables:
    """Imported runs of one table of results."""

    sources: Mapping[int, RunSource]  # the games of each number of players

    @property
    def origin(self) -> Origin:
        """The file that they were read from."""
        origin = next(iter(self.sources.values())).origin
        assert origin
        return origin

    def at(self, players: int) -> RunSource:
        """Return the games of a number of players that a baseline names."""
        if players not in self.sources:
            raise UsageError(f"no games with {players} players, which the baseline names", "results")
        return self.sources[players]


def open_tables(runs: Iterable[Run]) -> Tables:
    """Return imported runs by number of players.

    Raises UsageError if games were simulated, or two runs have the same number of players.
    """
    found: dict[int, RunSource] = {}
    for run in runs:
        source = RunSource(run)
        if source.origin is None:
            raise UsageError(
                f"{source.label}: these games were simulated, not read from a table; check them without this option",
                "results",
            )
        if (other := found.setdefault(source.players, source)) is not source:
            raise UsageError(f"{other.label} and {source.label} have {source.players} players; name one", "results")
    return Tables(found)


def draft_results(path: Path, tables: Tables) -> Baseline:
    """Return a first baseline of a table of results, not measured yet, with margins that suit some hundred games."""
    margins: dict[str, float | str] = {SHARES: MARGIN_OF_SHARES} if tables.origin.seats else {}
    for family in ["score"] * tables.origin.score + [f"{MEAN}length"] * tables.origin.length:
        spread = max(_spread(source, family) for source in tables.sources.values())
        if spread:
            margins[family] = round_margin(SPREADS * spread)
    return choices_of(first_head_of_results(str(path), sorted(tables.sources), margins), path)


def _spread(source: RunSource, family: str) -> float:
    """Return how much a measure of the whole table varies between games."""
    moments, quantities = _moments(source, [family])
    at = quantities.members(family)[""]
    return math.sqrt(moments.covariance[at, at] * moments.deals) if moments.deals > 1 else 0.0


def _moments(source: RunSource, families: Sequence[str]) -> tuple[Moments, Quantities]:
    """Return sums of some quantities over games, and the quantities."""
    quantities = Quantities(source, families)

    def count(sums: Counts, block: Block) -> None:
        sums.moments.add(quantities.of(block))

    size = len(quantities.items)
    sums, _ = accumulate(source, quantities.columns, lambda: Counts(count, moments=Moments(size)))
    return sums.moments, quantities


def update_results(baseline: Baseline, tables: Tables) -> Update:
    """Measure everything that a baseline guards in a table of results.

    Raises UsageError if the user's part of the file cannot be used, or the table does not say what it guards.
    """
    at_tables, values = {}, {}
    for players in baseline.choices.players:
        source = tables.at(players)
        check_margins(baseline, source)
        values[players], games = _values(source, all_names(baseline, source))
        at_tables[players] = AtTable(golden=_digest(source), games=games)
    results = Results(
        simulated=False, equipoise=versions()["equipoise"], file=tables.origin.file, sha256=tables.origin.sha256
    )
    made, broken = written(baseline, Measured(results, at_tables, values), tables.sources)
    return Update(made, made.text, {}, (), sum(table.games for table in at_tables.values()), broken)


def _digest(source: RunSource) -> str:
    """Return the digest of all games of a table."""
    assert source.run.manifest.digest
    return source.run.manifest.digest


def _values(source: RunSource, names: Sequence[str]) -> tuple[dict[str, Value], int]:
    """Return measures of a table, and its number of games; every game counts for itself."""
    estimands = {name: estimand_of(name) for name in names}
    families = list(dict.fromkeys(one.family for one in estimands.values()))
    if any(family.endswith(BY_SEAT) for family in families):
        source.require_seats()
    moments, quantities = _moments(source, families)
    position = {(item.family, item.member): at for at, item in enumerate(quantities.items)}
    errors = np.sqrt(np.diag(moments.covariance))
    found = {}
    for name, one in estimands.items():
        at = position[one.family, one.member]
        if math.isfinite(errors[at]):
            found[name] = rounded(float(moments.mean[at]), float(errors[at]))
    return found, moments.deals


def check_results(baseline: Baseline, tables: Tables) -> Check:
    """Judge a table of results by a baseline that an earlier table gave.

    Raises UsageError if the baseline was simulated, or the table does not say what it guards.
    """
    began = time.perf_counter()
    measured = baseline.measured
    if measured is None or not isinstance(measured.source, Results):
        raise UsageError(
            f"{baseline.label}: was simulated; ask `equipoise playtest` whether real games fit a simulation", "results"
        )
    check_counts(baseline, measured)
    sources = {players: tables.at(players) for players in baseline.choices.players}
    claims = {
        players: [*measure_claims(baseline, source), *limit_claims(baseline, source)]
        for players, source in sources.items()
    }
    if not all(claims.values()):
        raise UsageError(f"{baseline.label}: contains nothing to check; name measures in [margins]")
    alpha = baseline.choices.judge.false_alarms / max(sum(map(len, claims.values())), 1)
    findings: list[Finding] = []
    games = 0
    for players, asked in claims.items():
        source = sources[players]
        same = _digest(source) == measured.tables[players].golden
        values, count = _values(source, [name_of(claim.estimand) for claim in asked])
        now = ((claim, values.get(name_of(claim.estimand))) for claim in asked)
        before = measured.tables[players].games
        findings += [excused(_finding(claim, value, count, alpha, same, before)) for claim, value in now]
        games += count
    return Check(
        baseline,
        tables.origin.title,
        overall(findings),
        "results",
        (),
        (),
        tuple(findings),
        0,
        0,
        games,
        time.perf_counter() - began,
        results=tables.origin.file,
    )


def _finding(claim: Claim, now: Value | None, games: int, alpha: float, same: bool, before: int) -> Finding:
    """Judge a claim by the present value and the baseline's, which both have an error unless the games are the same."""
    if same and claim.kind == "measure":
        return Finding(claim, "pass", games, claim.reference.value, 0.0)
    if now is None:
        return Finding(claim, "inconclusive", games)
    return judge_stored(claim, now, games, alpha, before if claim.kind == "measure" else 0)
