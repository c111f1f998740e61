"""What one player loses who is forbidden something: the same deals played with and without (Jaffe et al. 2012)."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis.cards.pairing import tested
from analysis.data.accumulate import in_order
from analysis.data.results import Inputs, Note, Result, Verdict, interval
from analysis.data.sources import row_columns
from analysis.stats.intervals import check_level, max_t_of, with_few
from analysis.stats.moments import MIN_DEALS, Floats, Moments
from analysis.stats.multiple_testing import adjust
from simcore.batch import MAX_GAMES, Spec, play_into
from simcore.errors import UsageError
from simcore.game import Game
from simcore.memory import Memory
from simcore.rules import Rules
from simcore.tally import SHARE
from strategies.model import Strategy
from strategies.restrictions import Restriction
from strategies.spec import assemble_spec

PLAYER = "(player)"
"""Name of the one who is forbidden something; none that a strategy file may have."""

STRETCH = 480
"""Games of each line-up that a thread plays at a time."""


@dataclass(frozen=True, eq=False)
class Restricted(Result):
    """What each restriction costs the one player who obeys it.

    Parameters
    ----------
    table
        One row a restriction, dearest first: its `kind` and what it is `about`; in how many deals the player's wins
        `moved`; win `share` under it, and the `cost`, share without less share with it; mean `score` and `score_cost`;
        `changed`, the share of games that somebody else won.  The intervals of `cost` hold for all restrictions at
        once, and so do those of `score_cost`; there are none where fewer than 30 deals moved.  `p`, `p_holm` test the
        cost.
    strategy, others
        Who plays, and who all others at the table are.
    share, score
        Of the player whom nothing is forbidden.
    """

    strategy: str
    others: str
    share: float
    score: float


def restricted(
    game: Game,
    player: Strategy,
    others: Strategy,
    rules: Rules,
    forbidden: Sequence[Restriction],
    players: int,
    deals: int,
    seed: int = 1,
    level: float = 0.95,
    threads: int | None = None,
    tick: Callable[[int], None] = lambda games: None,
) -> Restricted:
    """Return what restrictions cost a player, one at a time.

    Parameters
    ----------
    game, rules, players
        What is played.
    player
        Who is forbidden something, and sits in every seat in turn.
    others
        Everybody else at the table.
    forbidden
        From `strategies.restrictions.restrictions_of`.
    deals
        Deals, each played in every seat without and with each restriction.
    seed
        Key of all chance.
    level
        Confidence level, of all restrictions at once.
    threads
        How many play; changes no result.
    tick
        Called now and then with the number of games played so far.

    Raises
    ------
    UsageError
        If there is nothing to forbid, too many games, or seats have a role of their own.
    """
    check_level(level)
    if not forbidden:
        raise UsageError("restrict: nothing is forbidden; name something")
    if game.asymmetric:
        raise UsageError(f"restrict: {game.title} gives some seats a role of their own, so places cannot be changed")
    if not 1 <= deals * players <= MAX_GAMES:
        raise UsageError(f"--games: {deals * players:,} games of each; give 1 to {MAX_GAMES:,}")
    heroes = [replace(player, name=PLAYER, forbids=(*player.forbids, *names)) for names in _each(forbidden)]
    specs = [
        assemble_spec(game, players, [hero, *[others] * (players - 1)], rules, seed, "rotate", deals * players)
        for hero in heroes
    ]
    sums, done = _Sums(len(forbidden)), 0
    step = max(STRETCH // players, 1)
    work = [range(first, min(first + step, deals)) for first in range(0, deals, step)]
    table = _Table(specs)
    with closing(in_order(table.play, work, threads)) as found:
        for part in found:
            sums.merge(part)
            done += part.free.deals * players * len(specs)
            tick(done)
    inputs = _inputs(specs[0], player, others, deals, len(specs))
    return _result(inputs, forbidden, sums, level, player, others)


def _each(forbidden: Sequence[Restriction]) -> list[tuple[str, ...]]:
    """Return nothing, then each restriction alone."""
    return [(), *((one.name,) for one in forbidden)]


class _Sums:
    """Sums over deals: the free player, differences of shares and scores, and where they moved."""

    def __init__(self, count: int) -> None:
        self.free, self.share, self.score = Moments(2), Moments(count), Moments(count)
        self.changed: Floats = np.zeros(count)
        self.moved: NDArray[np.int64] = np.zeros((2, count), np.int64)

    def merge(self, other: _Sums) -> None:
        """Take in all that another holds."""
        for name in ("free", "share", "score"):
            getattr(self, name).merge(getattr(other, name))
        self.changed += other.changed
        self.moved += other.moved


class _Table:
    """Plays stretches of deals with the player free, then under each restriction."""

    def __init__(self, specs: Sequence[Spec]) -> None:
        self.specs = specs
        self.room = threading.local()

    def play(self, deals: range) -> _Sums:
        """Play some deals."""
        sums = _Sums(len(self.specs) - 1)
        (share, score, wins), *rest = (self._outcomes(spec, deals) for spec in self.specs)
        sums.free.add(np.column_stack([share, score]))
        if not rest:
            return sums
        shares, scores = share[:, None] - _stacked(rest, 0), score[:, None] - _stacked(rest, 1)
        sums.share.add(shares)
        sums.score.add(scores)
        sums.changed += [(wins != other).any(axis=1).mean() * len(deals) for _, _, other in rest]
        sums.moved += np.stack([(shares != 0).sum(axis=0), (scores != 0).sum(axis=0)])
        return sums

    def _outcomes(self, spec: Spec, deals: range) -> tuple[Floats, Floats, NDArray[Any]]:
        """Return the player's win share and score a deal, and everybody's win share a game."""
        players = spec.players
        if not hasattr(self.room, "memory"):
            self.room.memory = Memory(spec.game)
        rows = np.zeros(len(deals) * players**2, spec.game.row_dtype)
        play_into(spec, np.arange(deals.start * players, deals.stop * players), rows, self.room.memory)
        here = rows["strategy"] == 0
        columns = row_columns(spec, rows, ["share60", spec.game.score])
        own = [columns[name].ravel()[here].reshape(len(deals), players).sum(axis=1) for name in columns]
        return own[0] / (SHARE * players), own[1] / players, columns["share60"]


def _stacked(parts: Sequence[tuple[Any, ...]], place: int) -> Floats:
    return np.stack([part[place] for part in parts], axis=1)


def _inputs(spec: Spec, player: Strategy, others: Strategy, deals: int, lineups: int) -> Inputs:
    games = deals * spec.players * lineups
    names = (player.name, *[others.name] * (spec.players - 1))
    label = f"{spec.game.title}, {spec.players} players, {player.name} beside {others.name}"
    return Inputs(
        label, spec.game.name, spec.players, names, "rotate", spec.seed, spec.rules.name, spec.rules.digest,
        spec.rules.settings, "minimal", games, deals, 0, games,
    )  # fmt: skip


def _result(
    inputs: Inputs, forbidden: Sequence[Restriction], sums: _Sums, level: float, player: Strategy, others: Strategy
) -> Restricted:
    deals = sums.share.deals
    free_share, free_score = sums.free.mean
    columns: dict[str, Any] = {
        "restriction": [one.name for one in forbidden],
        "kind": [one.kind for one in forbidden],
        "about": [one.about for one in forbidden],
        "deals": [deals] * len(forbidden),
        "moved": sums.moved[0],
        "share": free_share - sums.share.mean,
    }
    for name, moments, moved in (("cost", sums.share, sums.moved[0]), ("score_cost", sums.score, sums.moved[1])):
        se, known = _errors(moments), moved >= MIN_DEALS
        constant = with_few(max_t_of(moments.covariance[np.ix_(known, known)], level), deals) if known.any() else np.nan
        columns |= interval(name, moments.mean, se, np.where(known, constant, np.nan))
    columns["score"] = free_score - sums.score.mean
    columns["changed"] = sums.changed / deals
    columns["p"] = tested(sums.share.mean, sums.moved[0], _errors(sums.share), np.full(len(forbidden), deals))
    columns["p_holm"] = adjust(columns["p"], "holm")
    table = pl.DataFrame(columns).sort("cost", descending=True)
    notes = []
    if deals < MIN_DEALS:
        notes.append(Note("few_deals", {"deals": deals, "least": MIN_DEALS}))
    if idle := table.filter(pl.col("changed") == 0)["restriction"].to_list():
        notes.append(Note("idle_restrictions", {"names": tuple(idle)}))
    verdicts = _verdicts(table, player.name, float(free_share), deals)
    return Restricted(
        (inputs,), level, table, verdicts, tuple(notes), player.name, others.name, float(free_share), float(free_score)
    )


def _errors(moments: Moments) -> Floats:
    return np.asarray(np.sqrt(np.maximum(np.diag(moments.covariance), 0)))


def _verdicts(table: pl.DataFrame, strategy: str, free: float, deals: int) -> tuple[Verdict, ...]:
    known = table.with_columns(pl.col("cost_low", "cost_high").fill_nan(None)).drop_nulls("cost_low")
    if known.is_empty():
        text = "Nothing that was forbidden changed enough deals to say what it costs."
        return (Verdict("restrict_unknown", "unknown", text, {"deals": deals}),)
    dear, spare = known.filter(pl.col("cost_low") > 0), known.filter(pl.col("cost_high") < 0)
    said = []
    if len(dear):
        row = dear.row(0, named=True)
        values = {
            "restriction": row["restriction"], "strategy": strategy, "free": free, "share": row["share"],
            "cost": 100 * row["cost"], "low": 100 * row["cost_low"], "high": 100 * row["cost_high"], "deals": deals,
        }  # fmt: skip
        text = (
            "Dearest to {strategy} is {restriction}: where it is forbidden, the player wins {share:.1%} instead of "
            "{free:.1%}, {cost:.1f} points less ({low:.1f} to {high:.1f}; {deals:,} deals)."
        )
        said.append(Verdict("restrict_dearest", "fact", text, values))
    text = "Of {count} restrictions {stand} cost wins beyond what chance explains."
    said.append(Verdict("restrict_count", "fact", text, {"count": len(table), "stand": len(dear)}))
    for row in spare.reverse().head(3).iter_rows(named=True):
        values = {
            "restriction": row["restriction"], "strategy": strategy, "gain": -100 * row["cost"],
            "low": -100 * row["cost_high"], "high": -100 * row["cost_low"], "deals": deals,
        }  # fmt: skip
        text = (
            "Where {restriction} is forbidden, {strategy} wins {gain:.1f} points more ({low:.1f} to {high:.1f}; "
            "{deals:,} deals): it makes poor use of it."
        )
        said.append(Verdict("restrict_better", "fact", text, values))
    return tuple(said)
