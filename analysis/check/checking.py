"""Compare the game with its baseline, and measure one, for the first time or again."""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from html import escape
from pathlib import Path
from typing import Any, Literal

import polars as pl

from analysis.check.baseline import (
    RULES_FILE,
    STRATEGY_FILE,
    AtTable,
    Baseline,
    Instead,
    Measured,
    Origin,
    Results,
    Setup,
    Value,
    as_measured,
    choices_of,
    copies,
    current,
    first_head,
    marked,
    named_beside,
    read_baseline,
    render,
    round_margin,
    rounded,
    rules_digest,
)
from analysis.check.claims import (
    SHARES_BY_CAMP,
    SHARES_OF,
    Claim,
    Finding,
    StoppingRule,
    Verdict,
    all_names,
    estimand_of,
    excused,
    family_of,
    guarded_families,
    judge,
    judge_stored,
    limit_claims,
    margin_text,
    measure_claims,
    name_of,
    overall,
    read_margin,
    somebody_wins,
    value_text,
)
from analysis.data.inputs import inputs_of
from analysis.data.player_notes import player_notes
from analysis.data.results import Inputs, Note
from analysis.data.source import Source
from analysis.data.sources import Data, SpecSource, open_source
from analysis.data.threads import usual_threads
from analysis.measures.quantities import BY_SEAT, OF_CARD, PAYOFF, SHARES, known_families
from analysis.measures.rows import ADDED
from analysis.measures.sampling import Estimand, Sampler, Sums
from analysis.pictured import Pictured
from analysis.runs.manifest import code_of_game, versions
from analysis.seats.levels import SEARCH, LevelTable, read_levels, searched_games, stored_level
from simcore.errors import UsageError, shown
from simcore.game import load_game
from simcore.homes import updating
from simcore.kernel.streams import STREAM_VERSION
from simcore.rules.files import Rules, differences, shipped_rules
from simcore.running.batch import Spec
from simcore.running.executors import execute
from simcore.toml_tables import flatten
from strategies.habit import Habit, habits
from strategies.library import shipped_strategies
from strategies.model import Strategy
from strategies.tuning.retune import Retuned

# --- Check a baseline: first its golden digests and then, if something changed, its balance ---


# --- What changed since a baseline was measured: rules, strategies, the code that plays, or the random streams ---


TEXTS = ("format", "game", "name", "title", "description", "provenance")
"""Keys of a strategy's file that do not affect how it plays."""

Kind = Literal["rules", "strategies", "code", "stream"]


@dataclass(frozen=True)
class Detail:
    """One value that changed; None means that there was, or is, no value."""

    key: str
    old: Any
    new: Any


@dataclass(frozen=True)
class Change:
    """A kind of change, with its details as far as they are known."""

    kind: Kind  # "rules", "strategies", "code" or "stream"
    details: tuple[Detail, ...] = ()  # changed values


def changes_since(origin: Origin, new: Setup) -> list[Change]:
    """Return the changes that the digests alone show, if the copies of rules and strategies are missing."""
    found = []
    if rules_digest(new.rules.to_toml().encode()) != origin.rules:
        found.append(Change("rules"))
    if new.digests != origin.strategies or list(new.seated) != origin.seated:
        names = [name for name, digest in new.digests.items() if origin.strategies.get(name) != digest]
        found.append(Change("strategies", tuple(Detail(name, "as measured", "another") for name in names)))
    return found


def _changes(old: Setup, new: Setup) -> Iterator[Change]:
    """Yield the differences of rules, whose names and titles do not count, and of strategies or their seats."""
    found = differences(old.rules, new.rules).items()
    if rules := tuple(Detail(key, pair.get("old"), pair.get("new")) for key, pair in found):
        yield Change("rules", rules)
    if strategies := tuple(_strategies(old, new)):
        yield Change("strategies", strategies)


def _strategies(old: Setup, new: Setup) -> Iterator[Detail]:
    if old.seated != new.seated:
        yield Detail("seated", ", ".join(old.seated), ", ".join(new.seated))
    known, now = ({strategy.name: strategy for strategy in setup.strategies} for setup in (old, new))
    for name in [name for name in now if name in known]:
        if known[name].digest != now[name].digest:
            yield from _weights(known[name], now[name])


def _weights(old: Strategy, new: Strategy) -> Iterator[Detail]:
    sides = [_decisive(strategy) for strategy in (old, new)]
    for key in sides[0] | sides[1]:
        before, after = (side.get(key) for side in sides)
        if before != after:
            yield Detail(f"{new.name}.{key}", before, after)


def _decisive(strategy: Strategy) -> dict[str, Any]:
    """Return everything that affects how a strategy plays, without values that are zero or empty."""
    table = {key: value for key, value in strategy.to_dict().items() if key not in TEXTS}
    return {key: value for key, value in flatten(table).items() if value}


# --- Golden digests: does the game still play a fixed small run as it did when the baseline was measured? ---


@dataclass
class Golden:
    """The present digests, compared with the stored ones."""

    old: Setup | None
    changes: list[Change] = field(default_factory=list)
    unmoved: list[Change] = field(default_factory=list)
    digests: dict[int, str] = field(default_factory=dict)
    paired: bool = False


def golden_digest(setup: Setup, players: int, seed: int, games: int) -> str:
    """Return the digest of a fixed small run."""
    return execute(setup.spec(players, seed, games), usual_threads()).digest


def _require_measures(baseline: Baseline, old: Rules | None, new: Rules) -> None:
    """Raise `UsageError` if a measure of the user's own may be another one than when the baseline was measured."""
    label, choices = baseline.label, baseline.choices
    before = old.values.measures if old else {}
    asked = (*choices.margins, *choices.limits.bounds)
    for name in dict.fromkeys(family_of(name).removesuffix(BY_SEAT) for name in asked):
        if name in ADDED:
            raise UsageError(f"{label}: {name}: eq.measure is not stored; write it into [measures] of the rules")
        if before.get(name) != new.values.measures.get(name):
            raise UsageError(
                f"{label}: {name}: the rules declare another measure than the one that was measured; "
                f"run: {updating(label)}"
            )


def compare_golden(baseline: Baseline, measured: Measured, setup: Setup) -> Golden:
    """Compare the golden digests, and find what changed."""
    origin = measured.origin
    found = Golden(as_measured(baseline))
    old = found.old
    _require_measures(baseline, old.rules if old else None, setup.rules)
    for players in baseline.choices.players:
        found.digests[players] = golden_digest(setup, players, origin.seed, origin.golden_games)
    same = all(digest == measured.tables[players].golden for players, digest in found.digests.items())
    changes = changes_since(origin, setup) if old is None else [*_changes(old, setup)]
    if origin.stream_version != STREAM_VERSION:  # the same seed deals other games
        stream = Detail("stream_version", origin.stream_version, STREAM_VERSION)
        found.changes = [Change("stream", (stream,)), *changes]
        return found
    if same:
        found.unmoved, found.paired = changes, bool(changes) and old is not None
        return found
    found.changes = changes
    if changes and old is not None:
        found.paired = all(
            golden_digest(old, players, origin.seed, origin.golden_games) == measured.tables[players].golden
            for players in found.digests
        )
    if not changes or (old is not None and not found.paired):
        found.changes = [*changes, Change("code")]
    return found


def fresh_seed(measured: Measured, digests: Mapping[int, str]) -> int:
    """Return a seed derived from what was measured and from how the game plays now."""
    parts = [table.golden for table in measured.tables.values()] + list(digests.values())
    return int.from_bytes(hashlib.sha256("\n".join(parts).encode()).digest()[:8], "big")


# --- Check a baseline: first its golden digests and then, if something changed, its balance ---


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
    limited: tuple[Inputs, ...] = ()  # the tables whose players are held to a limit
    level_games: int = 0  # number of games of players of other levels, whom limits are about
    rules: Rules | None = None  # the present rules; None if a table of results was judged

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
                    "level": one.claim.level,
                    "excused": one.excused,
                    "allowed": one.claim.high if math.isfinite(one.claim.high) else None,
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
    def played_alike(self) -> bool:
        """Whether the golden games, which are as they were, were the only ones."""
        return self.against == "digests" and not self.level_games

    @property
    def failed(self) -> tuple[Finding, ...]:
        """The findings that fail."""
        return tuple(finding for finding in self.findings if finding.verdict == "fail")

    @property
    def excused(self) -> tuple[Finding, ...]:
        """The findings that would not pass without an exception."""
        return tuple(finding for finding in self.findings if finding.excused)

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
        Function that is called from time to time with the number of games done, at most `games` x player counts for
        the players of the file, and as many for each of `most_levels`.
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
    names = dict.fromkeys(claim.level for group in claims.values() for claim in group if claim.level)
    levels = {name: current(baseline, replace(instead or Instead(), strategies=(), skill=name)) for name in names}
    findings: list[Finding] = []
    notes = {note: None for spec in specs.values() for note in player_notes(spec)}
    played, level_games, last = 0, 0, most

    def tick_from(stage: int) -> Tick:
        return lambda now: tick(stage * most + now)

    for number, (players, spec) in enumerate(specs.items()):
        known: list[Finding] = []
        if not golden.changes and not full:
            values = measured.values[players]
            named = ((claim, name_of(claim.estimand)) for claim in claims[players] if not claim.level)
            somebody_wins((claim, values[name]) for claim, name in named if name in values)
            known = [
                _unchanged(claim, measured, spec, alpha, baseline.label) for claim in claims[players] if not claim.level
            ]
        done = {finding.claim: finding for finding in known if finding.verdict != "inconclusive"}
        stage = number * (1 + len(levels))
        for at, (level, own) in enumerate(levels.items(), stage):
            if some := [claim for claim in claims[players] if claim.level == level]:
                answers, more, asked = _at_level(own.spec(players, fresh, most), level, some, alpha, tick_from(at))
                done |= answers
                notes |= dict.fromkeys(asked)
                level_games += more
        todo = [claim for claim in claims[players] if claim not in done]
        if todo:
            before = befores[players] if golden.paired else None
            deals = max(most // spec.games_per_deal, 1)
            stopping = StoppingRule(alpha, max(deals // 4, FIRST_LOOK), deals, judge_by.method)
            found, more, last = _play(spec, before, todo, stopping, last, tick_from(stage + len(levels)))
            done |= found
            played += more
        findings += [excused(done[claim]) for claim in claims[players]]
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
        tuple(notes),
        retuned,
        limited=tuple(
            inputs_of(spec, 0, 0)
            for players, spec in specs.items()
            if any(claim.kind == "limit" for claim in claims[players])
        ),
        level_games=level_games,
        rules=setup.rules,
    )


def _at_level(
    spec: Spec, level: str, claims: Sequence[Claim], alpha: float, tick: Tick
) -> tuple[dict[Claim, Finding], int, list[Note]]:
    """Return the findings on limits of the players of a level, the number of games, and what was not played again.

    Players who look ahead are slow: what is stored of them counts, else they play as many games as the game declares.
    """
    table = stored_level(spec.game.name, spec.players, level, spec.rules.digest) if level == SEARCH else None
    shares = _shares(spec, table) if table else {}
    answers = {
        claim: judge_stored(claim, shares[claim.name], table.games, alpha)
        for claim in claims
        if table and claim.name in shares
    }
    notes = list[Note]()
    if table and answers and (file := read_levels(spec.game.name)):
        notes = [Note("level_stored", {"players": spec.players, "games": table.games, "played": f"{file.played}"})]
    claims = [claim for claim in claims if claim not in answers]
    if not claims:
        return answers, 0, notes
    if not spec.searches:
        most = spec.games // spec.games_per_deal
        stopping = StoppingRule(alpha, max(most // 4, FIRST_LOOK), most)
        found, games, _ = _play(spec, None, claims, stopping, most, tick)
        return answers | found, games, notes
    games = min(spec.games, searched_games(spec.game.name))
    deals = max(games // spec.games_per_deal, 2)
    sums = Sampler(spec, None, [claim.estimand for claim in claims]).play(range(deals), (), tick)
    value, _, _, error = sums.shift.values()
    stored = [Value(value=float(value[at]), error=float(error[at])) for at in range(len(claims))]
    made = {claim: judge_stored(claim, one, deals, alpha) for claim, one in zip(claims, stored, strict=True)}
    return answers | made, sums.games, notes


def _shares(spec: Spec, table: LevelTable) -> dict[str, Value]:
    """Return the shares of the wins that a stored answer has, by the names of the measures."""
    camps = {title: name for name, title in spec.game.camp_titles.items()}
    names = [f"{SHARES_BY_CAMP}.{camps.get(camp, camp)}" for camp in table.camps]
    names = names or [f"{SHARES}.seat-{at}" for at in range(1, len(table.share) + 1)]
    pairs = zip(table.share, table.se, strict=True)
    values = [Value(value=share, error=error) for share, error in pairs]
    return dict(zip(names, values, strict=True))


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
        raise UsageError(f"{label}: nothing is measured yet; run: {updating(label)}")
    check_counts(baseline, measured)
    if baseline.choices.design != measured.origin.design:
        raise UsageError(f"{label}: design: not what was measured; run: {updating(label)}")
    return measured


def check_counts(baseline: Baseline, measured: Measured) -> None:
    """Raise `UsageError` unless every number of players of a baseline is measured."""
    label = baseline.label
    for players in baseline.choices.players:
        if players not in measured.tables:
            raise UsageError(f"{label}: players: {players} is not measured yet; run: {updating(label)}")


def _unchanged(claim: Claim, measured: Measured, spec: Spec, alpha: float, label: str) -> Finding:
    """Judge a claim if the game plays as before: measures pass, and limits are judged by the stored values."""
    players = spec.players
    deals = measured.tables[players].games // spec.games_per_deal
    if claim.kind == "measure":
        return Finding(claim, "pass", deals, claim.reference.value, 0.0)
    stored = measured.values[players].get(name_of(claim.estimand))
    if stored is None:
        name = claim.name.partition(".")[0]
        raise UsageError(f"{label}: [limits] {shown(name)}: not measured yet; run: {updating(label)}")
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
        if any(excused(finding).verdict == "fail" for finding in findings.values()):
            last = min(last, sums.deals * AFTERWARDS)
        look = int(look * NEXT_LOOK)
    return {claims[number]: finding for number, finding in findings.items()}, sums.games, last


# --- Measure a baseline, for the first time or again ---


GOLDEN_GAMES = 2000
NOTABLE = 3
"""Number of standard errors of the difference above which a measure counts as moved."""

CARD_PART = 10
"""One in this number of deals is played again without its cards."""

PILOT = 2000
"""Number of games from which first margins are derived."""

MARGIN_OF_SHARES = "0.5pp"
SPREADS = 0.05
"""First margins of all other measures, in standard deviations of a deal."""


@dataclass(frozen=True)
class Update:
    """A new measurement."""

    baseline: Baseline  # the baseline with its new measurement
    text: str  # text of the file
    copies: dict[str, str]  # texts of the files in its folder, by name
    stale: tuple[Path, ...]  # files of an earlier measurement in that folder that are no longer needed
    games: int  # number of games played
    broken: tuple[Finding, ...] = ()  # limits that the new measurement breaks; their lines say so


@dataclass(frozen=True)
class Moved:
    """A measure whose value differs in a new measurement."""

    players: int  # number of players at the table
    name: str  # dotted name of the measure
    old: Value | None
    new: Value | None
    """old, new: Its old and new value; None if there was, or is, no such measure."""
    is_share: bool  # whether it is a share
    margin: float | None  # how far it may move; None if the file has no margin for it

    @property
    def broken(self) -> bool:
        """Whether it moved beyond its margin, or no longer exists."""
        if self.new is None:
            return True
        return self.old is not None and self.margin is not None and abs(self.new.value - self.old.value) > self.margin

    @property
    def notable(self) -> bool:
        """Whether it is new, no longer exists, or moved more than chance explains."""
        if self.old is None or self.new is None:
            return True
        return abs(self.new.value - self.old.value) > NOTABLE * math.hypot(self.new.error, self.old.error)

    def __str__(self) -> str:
        """Return one readable line."""
        was, now = (
            "nothing" if value is None else value_text(value.value, self.is_share) for value in (self.old, self.new)
        )
        allowed = "" if self.margin is None else f", margin {margin_text(self.margin, self.is_share)}"
        return f"{self.name} at {self.players} players: {was} before, {now} now{allowed}"


def sources_of(baseline: Baseline) -> dict[int, SpecSource]:
    """Return the games that a baseline is measured with, by number of players."""
    choices, setup = baseline.choices, current(baseline)
    return {players: SpecSource(setup.spec(players, choices.seed, choices.games)) for players in choices.players}


def moved(before: Baseline, after: Baseline, sources: Mapping[int, Source]) -> list[Moved]:
    """Return the measures that differ between two measurements of a baseline by more than chance explains.

    before, after: The baseline as it was and as it is measured now.
    sources: The games that it is measured with now, by number of players.
    """
    assert before.measured is not None
    assert after.measured is not None
    choices = after.choices
    found = []
    for players, values in before.measured.values.items():
        if players not in after.measured.values:
            continue
        shares = known_families(sources[players])
        for name in dict.fromkeys([*values, *after.measured.values[players]]):
            old, new = values.get(name), after.measured.values[players].get(name)
            is_share = shares.get(family_of(name), False)
            given = next((key for key in (name, family_of(name)) if key in choices.margins), None)
            label = f"{after.label}: [margins] {given}"
            margin = None if given is None else read_margin(choices.margins[given], is_share, label)
            one = Moved(players, name, old, new, is_share, margin)
            if one.broken or one.notable:
                found.append(one)
    return found


def update(baseline: Baseline, tick: Callable[[int], None] = lambda games: None) -> Update:
    """Measure everything that a baseline guards, with the present rules and strategies.

    tick: Function that is called from time to time with the number of games done, of `games` x player counts.
    Raises UsageError if the user's part of the file cannot be used.
    """
    choices = baseline.choices
    setup = current(baseline)
    spec = setup.spec(choices.players[0], choices.seed, choices.games)
    check_margins(baseline, SpecSource(spec))
    tables, values, played = {}, {}, 0
    for number, players in enumerate(choices.players):
        found, games = _measure(baseline, setup, players, lambda now, at=number * choices.games: tick(at + now))  # type: ignore[misc]
        golden = golden_digest(setup, players, choices.seed, GOLDEN_GAMES)
        tables[players], values[players] = AtTable(golden=golden, games=choices.games), found
        played += games
    files = copies(setup)
    origin = Origin(
        equipoise=versions()["equipoise"],
        code=code_of_game(choices.game),
        stream_version=STREAM_VERSION,
        seed=choices.seed,
        design=choices.design,
        golden_games=GOLDEN_GAMES,
        rules=rules_digest(files[RULES_FILE].encode()),
        seated=list(setup.seated),
        strategies=setup.digests,
    )
    old = baseline.frozen.glob(STRATEGY_FILE.format("*")) if baseline.frozen.is_dir() else ()
    stale = tuple(path for path in old if path.name not in files)
    specs = {players: setup.spec(players, choices.seed, choices.games) for players in choices.players}
    made, broken = written(baseline, Measured(origin, tables, values), specs)
    return Update(made, made.text, files, stale, played, broken)


def written(baseline: Baseline, measured: Measured, data: Mapping[int, Data]) -> tuple[Baseline, tuple[Finding, ...]]:
    """Return a baseline with a new measurement, the lines of the limits that it breaks marked, and those limits.

    data: What was measured, by number of players.
    """
    broken = tuple(_broken(baseline, measured, data))
    head = marked(baseline.head, {one.claim.key or family_of(one.claim.name): _seen(one) for one in reversed(broken)})
    return Baseline(baseline.path, head, baseline.choices, measured, render(head, measured)), broken


def _broken(baseline: Baseline, measured: Measured, data: Mapping[int, Data]) -> Iterator[Finding]:
    """Yield the limits of the file's own players that a measurement surely breaks, and no exception excuses."""
    choices = baseline.choices
    claims = [
        claim
        for players in choices.players
        for claim in limit_claims(baseline, data[players])
        if not claim.level and name_of(claim.estimand) in measured.values[players]
    ]
    for players in choices.players:
        own = [claim for claim in claims if claim.players == players]
        somebody_wins((claim, measured.values[players][name_of(claim.estimand)]) for claim in own)
    for claim in claims:
        stored = measured.values[claim.players][name_of(claim.estimand)]
        deals = measured.tables[claim.players].games // open_source(data[claim.players]).spec.games_per_deal
        found = excused(judge_stored(claim, stored, deals, choices.judge.false_alarms / len(claims)))
        if found.verdict == "fail":
            yield found


def _seen(finding: Finding) -> str:
    """Return the value that breaks a limit, as a remark says it."""
    return f"{value_text(finding.now or 0.0, finding.claim.is_share)} at {finding.claim.players} players"


def check_margins(baseline: Baseline, source: Source) -> None:
    """Raise `UsageError` unless every margin can be used."""
    for name, is_share in guarded_families(baseline, source).items():
        for key in [key for key in baseline.choices.margins if family_of(key) == name]:
            read_margin(baseline.choices.margins[key], is_share, f"{baseline.label}: [margins] {key}")


def _measure(
    baseline: Baseline, setup: Setup, players: int, tick: Callable[[int], None]
) -> tuple[dict[str, Value], int]:
    """Return every measure at one player count."""
    choices = baseline.choices
    spec = setup.spec(players, choices.seed, choices.games)
    names = all_names(baseline, spec)
    sampler = Sampler(spec, None, [estimand_of(name) for name in names])
    deals = choices.games // spec.games_per_deal
    part = deals // CARD_PART
    cards = list(dict.fromkeys(estimand.card for estimand in sampler.estimands if estimand.card))
    sums = sampler.play(range(part), cards, tick)
    sums.merge(sampler.play(range(part, deals), (), lambda games: tick(part * spec.games_per_deal + games)))
    value, _, _, error = sums.shift.values()
    known = [at for at in range(len(names)) if math.isfinite(error[at])]  # not a card that one deal or none holds
    return {names[at]: rounded(float(value[at]), float(error[at])) for at in known}, sums.games


def draft(
    path: Path,
    game: str,
    players: Sequence[int],
    strategies: Sequence[str],
    skill: str | None,
    rules: str,
    settings: Sequence[str],
    seed: int,
    games: int,
) -> Baseline:
    """Return a first baseline, not measured yet, with measures that suit the game and margins from a short run.

    Raises UsageError if something that is named cannot be found or used.
    """
    kind = load_game(game)
    seats = list(players) or list(kind.players)
    parts = [name.rpartition("=") for name in strategies]
    named = [f"{role}{sign}{named_beside(path, name, shipped_strategies(kind))}" for role, sign, name in parts]
    reference = named_beside(path, rules, shipped_rules(kind))
    chosen = {"game": game, "rules": reference, "settings": list(settings), "players": seats, "strategies": named}
    head = partial(first_head, str(path), chosen | {"skill": skill, "seed": seed, "games": games})
    bare = choices_of(head({}), path)
    setup = current(bare)
    mixed = bool(setup.spec(seats[0], seed, PILOT).mixed_roles)
    margins: dict[str, float | str] = {SHARES_BY_CAMP: MARGIN_OF_SHARES} if kind.asymmetric else {}
    if kind.payoff is None:
        margins[SHARES] = MARGIN_OF_SHARES
    if mixed:
        margins[SHARES_OF] = MARGIN_OF_SHARES
    guarded = (PAYOFF if kind.payoff else "score", "lead_changes")
    spread = max((_spread(setup, count, seed, guarded[0]) for count in seats), key=lambda found: found[0])
    for name, size in zip(guarded, spread, strict=True):
        if size > 0:
            margins[name] = round_margin(SPREADS * size)
    if SpecSource(setup.spec(seats[0], seed, PILOT)).declarations.cards and "score" in margins:
        margins[f"{OF_CARD}score"] = margins["score"]
    return choices_of(head(margins), path)


def _spread(setup: Setup, players: int, seed: int, first: str) -> tuple[float, float]:
    """Return how much the score (or the payoff of seat 1) and the lead changes vary between deals, 0 if unknown."""
    spec = setup.spec(players, seed, PILOT)
    estimands = [Estimand(first, "seat-1" if first == PAYOFF else ""), Estimand("lead_changes", "")]
    sums: Sums = Sampler(spec, None, estimands).play(range(PILOT // spec.games_per_deal), ())
    score, changes = sums.spread() ** 0.5
    return float(score), float(changes)
