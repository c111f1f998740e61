"""Check a baseline: first its golden digests and then, if something changed, its balance."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Literal

import polars as pl

from analysis.check.baseline import Baseline, Measured, Results
from analysis.check.causes import Change
from analysis.check.claims import limit_claims, measure_claims, name_of
from analysis.check.golden import compare_golden, fresh_seed
from analysis.check.judging import Claim, Finding, StoppingRule, Verdict, judge, judge_stored, overall
from analysis.check.reading import read_baseline
from analysis.check.setup import Instead, current
from analysis.data.player_notes import player_notes
from analysis.data.results import Note
from analysis.measures.sampling import Sampler, Sums
from analysis.pictured import Pictured
from simcore.errors import UsageError
from simcore.running.batch import Spec
from simcore.toml_tables import shown
from strategies.habit import Habit, habits
from strategies.tuning.retune import Retuned

FIRST_LOOK = 2000
"""Deals before the first verdict."""

NEXT_LOOK = 1.5
"""Factor between the numbers of deals before consecutive verdicts."""

EXIT_CODES: dict[Verdict, int] = {"pass": 0, "fail": 1, "inconclusive": 3}

AFTERWARDS = 2
"""Largest number of deals after a failure, in multiples of those before it: the verdict is then known."""

Tick = Callable[[int], None]
Retune = Callable[[Sequence[Spec]], tuple[Sequence[Spec], tuple[Retuned, ...]]]
"""Function that replaces players by ones tuned for the rules, under the old names; returns who was tuned."""

Against = Literal["digests", "paired", "stored", "results"]


@dataclass(frozen=True)
class Check(Pictured):
    """The result of a check."""

    baseline: Baseline  # the baseline that was checked
    title: str  # title of the game
    verdict: Verdict  # "pass", "fail" or "inconclusive"
    against: Against
    """What the game was compared with.  "digests": the golden digests were equal, and no further games were needed;
    "paired": the same deals, played as before the change; "stored": the values in the file; "results": the values that
    an earlier table of results gave, and nothing was played."""
    changes: tuple[Change, ...]  # what changed since the measurement
    unmoved: tuple[Change, ...]  # changes that altered none of the golden games
    findings: tuple[Finding, ...]  # one finding for each claim
    seed: int  # random seed of the fresh deals
    golden_games: int
    games: int
    """golden_games, games: Number of games played for the digests, and for the balance."""
    seconds: float  # how long the check took
    chosen_seed: bool = False  # whether the user chose the seed; then the result is not the verdict of the baseline
    habits: tuple[Habit, ...] = ()  # strategies that were tuned for other rules than those that they play here
    notes: tuple[Note, ...] = ()  # warnings about the players: they are too weak for verdicts, or play by habit
    retuned: tuple[Retuned, ...] = ()
    """Strategies that were tuned for the present rules, and played instead of those of the baseline."""
    results: str = ""  # name of the table of results that was judged; empty if games were played

    @property
    def table(self) -> pl.DataFrame:
        """One row for each finding: the measure, its verdict, and how far it moved; null if that is unknown."""
        return pl.DataFrame(
            [
                {
                    "players": one.claim.players,
                    "measure": one.claim.name,
                    "verdict": one.verdict,
                    "before": one.before,
                    "now": one.now,
                    "shift": one.shift,
                    "low": one.low,
                    "high": one.high,
                    "allowed": one.claim.high,
                }
                for one in self.findings
            ],
            infer_schema_length=None,
        )

    def __repr__(self) -> str:
        return f"<Check of {self.baseline.label}: {self.verdict}; see table>"

    def _repr_html_(self) -> str:
        return f"<p>{escape(repr(self)[1:-1])}</p>{self.table._repr_html_()}"

    @property
    def exit_code(self) -> int:
        """Exit code: 0 for "pass", 1 for "fail", 3 for "inconclusive"."""
        return EXIT_CODES[self.verdict]

    @property
    def failed(self) -> tuple[Finding, ...]:
        """The findings that fail."""
        return tuple(finding for finding in self.findings if finding.verdict == "fail")

    @property
    def undecided(self) -> tuple[Finding, ...]:
        """The findings that are inconclusive."""
        return tuple(finding for finding in self.findings if finding.verdict == "inconclusive")


def check(
    baseline: Baseline | Path | str,
    instead: Instead | None = None,
    full: bool = False,
    seed: int | None = None,
    games: int | None = None,
    tick: Tick = lambda games: None,
    retune: Retune | None = None,
) -> Check:
    """Check a baseline.

    Parameters
    ----------
    baseline
        The file, or the result of `read_baseline`.
    instead
        Rules or strategies to check instead of those that the baseline names.
    full
        Whether to play fresh deals even if the digests are equal.
    seed
        Random seed of the fresh deals.  By default it is derived from the digests, so that the same state of the game
        always gets the same verdict.
    games
        Largest number of fresh games at each player count.  If None, as the baseline says.
    tick
        Function that is called from time to time with the number of games done, at most `games` x player counts.
    retune
        Function that tunes players for the present rules; used only if fresh deals are played.

    Raises
    ------
    UsageError
        If the baseline cannot be used.
    """
    began = time.perf_counter()
    baseline = baseline if isinstance(baseline, Baseline) else read_baseline(Path(baseline))
    _refuse_results(baseline)
    setup = current(baseline, instead)
    measured = _measured(baseline)
    origin, judge_by = measured.origin, baseline.choices.judge
    golden = compare_golden(baseline, measured, setup)
    old = golden.old
    fresh = fresh_seed(measured, golden.digests) if seed is None else seed
    if fresh == origin.seed:
        raise UsageError(f"{baseline.label} was measured with seed {fresh}; give another for fresh deals", "seed")
    most = judge_by.games if games is None else games
    specs = {players: setup.spec(players, fresh, most) for players in baseline.choices.players}
    retuned: tuple[Retuned, ...] = ()
    if retune is not None and (golden.changes or full):
        tuned, retuned = retune(list(specs.values()))
        specs = dict(zip(specs, tuned, strict=True))
    befores = {players: old.spec(players, fresh, most) if old else None for players in specs}
    claims = {
        players: [*measure_claims(baseline, spec, befores[players]), *limit_claims(baseline, spec)]
        for players, spec in specs.items()
    }
    count = sum(len(group) for group in claims.values())
    if not count:
        raise UsageError(
            f"{baseline.label}: contains nothing to check; name measures in [margins] or rules in [limits]"
        )
    alpha = judge_by.false_alarms / count
    findings: list[Finding] = []
    played, last = 0, most
    for number, (players, spec) in enumerate(specs.items()):
        known: list[Finding] = []
        if not golden.changes and not full:
            known = [_unchanged(claim, measured, players, alpha, baseline.label) for claim in claims[players]]
        done = {finding.claim: finding for finding in known if finding.verdict != "inconclusive"}
        todo = [claim for claim in claims[players] if claim not in done]
        if todo:
            before = befores[players] if golden.paired else None
            deals = max(most // spec.games_per_deal, 1)
            stopping = StoppingRule(alpha, max(deals // 4, FIRST_LOOK), deals, judge_by.method)
            found, more, last = _play(
                spec,
                before,
                todo,
                stopping,
                last,
                lambda now, at=number * most: tick(at + now),  # type: ignore[misc]
            )
            done |= found
            played += more
        findings += [done[claim] for claim in claims[players]]
    return Check(
        baseline,
        setup.game.title,
        overall(findings),
        "digests" if not played else "paired" if golden.paired else "stored",
        tuple(golden.changes),
        tuple(golden.unmoved),
        tuple(findings),
        fresh,
        origin.golden_games * len(specs),
        played,
        time.perf_counter() - began,
        seed is not None,
        tuple(dict.fromkeys(habit for spec in specs.values() for habit in habits(spec))),
        tuple(dict.fromkeys(note for spec in specs.values() for note in player_notes(spec))),
        retuned,
    )


def _refuse_results(baseline: Baseline) -> None:
    """Raise `UsageError` if a baseline comes from a table of results."""
    if baseline.measured is not None and isinstance(baseline.measured.source, Results):
        file = shown(baseline.measured.source.file)
        raise UsageError(
            f"{baseline.label}: comes from a table of results, {file}, and no simulation stands behind it",
            way_out=("; name the run of a later table with", "results"),
        )


def _measured(baseline: Baseline) -> Measured:
    """Return the measured part; raise `UsageError` if it lacks something that the user's part asks for."""
    label, measured = baseline.label, baseline.measured
    if measured is None:
        raise UsageError(f"{label}: nothing is measured yet; run: equipoise check --update {label}")
    check_counts(baseline, measured)
    if baseline.choices.design != measured.origin.design:
        raise UsageError(f"{label}: design: not what was measured; run: equipoise check --update {label}")
    return measured


def check_counts(baseline: Baseline, measured: Measured) -> None:
    """Raise `UsageError` unless every number of players of a baseline is measured."""
    label = baseline.label
    for players in baseline.choices.players:
        if players not in measured.tables:
            raise UsageError(f"{label}: players: {players} is not measured yet; run: equipoise check --update {label}")


def _unchanged(claim: Claim, measured: Measured, players: int, alpha: float, label: str) -> Finding:
    """Judge a claim if the game plays as before: measures pass, and limits are judged by the stored values."""
    deals = measured.tables[players].games
    if claim.kind == "measure":
        return Finding(claim, "pass", deals, claim.reference.value, 0.0)
    stored = measured.values[players].get(name_of(claim.estimand))
    if stored is None:
        name = claim.name.partition(".")[0]
        raise UsageError(f"{label}: [limits] {name}: not measured yet; run: equipoise check --update {label}")
    return judge_stored(claim, stored, deals, alpha)


def _play(
    spec: Spec, before: Spec | None, claims: Sequence[Claim], stopping: StoppingRule, last: int, tick: Tick
) -> tuple[dict[Claim, Finding], int, int]:
    """Play fresh deals until every claim is decided or the largest number is reached.

    Return the findings, the number of games played, and the last deal to play; see `AFTERWARDS`.
    """
    sampler = Sampler(spec, before, [claim.estimand for claim in claims])
    sums, findings = Sums.empty(len(claims)), dict[int, Finding]()
    open_ = dict(enumerate(claims))
    look = FIRST_LOOK
    most = stopping.most
    while open_ and sums.deals < min(most, last):
        deals = range(sums.deals, min(look, most))
        cards = list(dict.fromkeys(claim.estimand.card for claim in open_.values() if claim.estimand.card))
        at = sums.deals * spec.games_per_deal
        sums.merge(sampler.play(deals, cards, lambda games, at=at: tick(at + games)))  # type: ignore[misc]
        findings |= judge(open_, sums, before is not None, stopping, sampler.gone)
        open_ = {number: claim for number, claim in open_.items() if findings[number].verdict == "inconclusive"}
        if any(finding.verdict == "fail" for finding in findings.values()):
            last = min(last, sums.deals * AFTERWARDS)
        look = int(look * NEXT_LOOK)
    return {claims[number]: finding for number, finding in findings.items()}, sums.games, last
