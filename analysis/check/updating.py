"""Measure a baseline, for the first time or again."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from analysis.check.baseline import (
    RULES_FILE,
    STRATEGY_FILE,
    AtTable,
    Baseline,
    Measured,
    Origin,
    Setup,
    Value,
    choices_of,
    copies,
    current,
    first_head,
    marked,
    named_beside,
    render,
    round_margin,
    rounded,
    rules_digest,
)
from analysis.check.checking import golden_digest
from analysis.check.claims import (
    SHARES_BY_CAMP,
    SHARES_OF,
    Finding,
    all_names,
    estimand_of,
    excused,
    family_of,
    guarded_families,
    judge_stored,
    limit_claims,
    margin_text,
    name_of,
    read_margin,
    somebody_wins,
    value_text,
)
from analysis.data.source import Source
from analysis.data.sources import SpecSource
from analysis.measures.quantities import OF_CARD, PAYOFF, SHARES, known_families
from analysis.measures.sampling import Estimand, Sampler, Sums
from analysis.runs.manifest import code_of_game, versions
from simcore.game import load_game
from simcore.kernel.streams import STREAM_VERSION
from simcore.rules.files import shipped_rules
from strategies.library import shipped_strategies

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
    measured = Measured(origin, tables, values)
    broken = tuple(_broken(baseline, measured, setup))
    head = marked(baseline.head, {one.claim.key or family_of(one.claim.name): _seen(one) for one in reversed(broken)})
    text = render(head, measured)
    old = baseline.frozen.glob(STRATEGY_FILE.format("*")) if baseline.frozen.is_dir() else ()
    stale = tuple(path for path in old if path.name not in files)
    return Update(Baseline(baseline.path, head, choices, measured, text), text, files, stale, played, broken)


def _broken(baseline: Baseline, measured: Measured, setup: Setup) -> Iterator[Finding]:
    """Yield the limits of the file's own players that a measurement surely breaks, and no exception excuses."""
    choices = baseline.choices
    claims = [
        claim
        for players in choices.players
        for claim in limit_claims(baseline, setup.spec(players, choices.seed, choices.games))
        if not claim.level and name_of(claim.estimand) in measured.values[players]
    ]
    for players in choices.players:
        own = [claim for claim in claims if claim.players == players]
        somebody_wins((claim, measured.values[players][name_of(claim.estimand)].value) for claim in own)
    for claim in claims:
        stored, games = measured.values[claim.players][name_of(claim.estimand)], measured.tables[claim.players].games
        found = excused(judge_stored(claim, stored, games, choices.judge.false_alarms / len(claims)))
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
