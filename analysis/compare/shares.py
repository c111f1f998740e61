"""What the seats win in two versions, deal by deal, and the difference: shares of the wins, or a payoff."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import astuple, dataclass, replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis.data.in_parallel import in_parallel
from analysis.data.results import Unanswered, all_together, interval, share_columns
from analysis.data.resumable import resumable
from analysis.data.sameness import same_game
from analysis.data.source import Source
from analysis.data.sources import SpecSource
from analysis.data.store import digest_of
from analysis.measures.quantities import BY_STRATEGY, MEAN, OF_CARD, Quantities, cards_in, known_families, own_measures
from analysis.measures.rows import NUMBERS, RATES
from analysis.measures.sampling import Estimand, Sampler, Sums
from analysis.openings import STRETCH
from analysis.seats.distance import DISTANCE, Ends, change, distance
from analysis.seats.shares import among_won
from analysis.stats.intervals import (
    bonferroni,
    difference_interval,
    pointwise,
    rate_interval,
    share_interval,
    simultaneous,
    widened,
    with_few,
)
from analysis.stats.moments import MIN_DEALS, Floats
from analysis.stats.multiple_testing import adjust, p_values
from simcore.judged import Judged
from simcore.running.batch import Spec, rows_of


@dataclass(frozen=True)
class Wins:
    """What every seat won in each deal."""

    spec: Spec  # what was played
    won: NDArray[np.int32] | Floats  # each seat's parts of what is judged, shape (deals, seats)
    games: int  # number of games in these deals
    tunings: Floats | None = None
    """Shares of the wins by each of several tunings, shape (tunings, seats), if players were tuned more than once. Then
    each deal was played by the players of every tuning, and `won` is their mean."""
    elsewhere: bool = False
    """Whether these games were not played here, so that their deals are known only if they are named."""
    named: NDArray[np.uint64] | None = None  # the deal of each game, if a table from elsewhere names them
    common: Judged | None = None
    """The scale of the parts, if it is not that of the run, but one that several versions have in common."""

    @property
    def judged(self) -> Judged:
        """What the parts are parts of."""
        return self.common or self.spec.judged

    def on(self, common: Judged) -> Wins:
        """Return the same on a scale that several versions have in common: a payoff may have other limits there."""
        own = self.judged
        if (own.least, own.parts) == (common.least, common.parts):
            return self
        won = self.won + (own.least - common.least) * self.spec.games_per_deal
        tunings = None if self.tunings is None else (own.amount(self.tunings) - common.least) / common.parts
        return replace(self, won=won, tunings=tunings, common=common)

    @property
    def deals(self) -> int:
        """Number of complete deals."""
        return len(self.won)

    @property
    def one_game(self) -> bool:
        """Whether all games are the same game, of which one deal stands for all."""
        return self.deals == 1 < self.games // self.spec.games_per_deal

    @property
    def shares(self) -> Floats:
        """Shares of what is judged, shape (deals, seats)."""
        return self.won / (self.judged.parts * self.spec.games_per_deal)

    @property
    def fair(self) -> Floats:
        """What each seat is meant to have, as an amount: its part of the games that somebody wins."""
        judged = self.spec.judged
        par = among_won(np.array(judged.par), float(self.shares.mean(axis=0).sum()), judged)
        return np.asarray(judged.amount(par))

    def widened(self, name: str, columns: dict[str, Any], lines: Floats, constant: float) -> dict[str, Any]:
        """Return the columns of an estimate of some lines, whose intervals also hold how much tunings differ.

        Players who were tuned twice win differently.  The variance between tunings is the mean of those of all lines.
        """
        if self.tunings is None:
            return columns
        count = len(self.tunings)
        spread = float(np.sqrt((self.tunings @ lines.T).var(axis=0, ddof=1).mean() / count))
        value, error, low, high = (columns[f"{name}{end}"] for end in ("", "_se", "_low", "_high"))
        ends = widened(value, low, high, spread, count, constant)
        return dict(zip(columns, (value, np.hypot(error, spread), *ends), strict=True))

    def pairs_with(self, other: Wins) -> bool:
        """Return whether the deals of two versions are the same."""
        if self.elsewhere or other.elsewhere:
            return len(self.shared(other)) > 1
        mine, yours = self.spec, other.spec
        return (mine.seed, mine.design, mine.games_per_deal) == (yours.seed, yours.design, yours.games_per_deal)

    def shared(self, other: Wins) -> NDArray[np.uint64]:
        """Return the named deals that two tables have in common, in ascending order."""
        if self.named is None or other.named is None:
            return np.zeros(0, np.uint64)
        return np.intersect1d(self.named, other.named)

    def means(self, deals: NDArray[np.uint64]) -> Floats:
        """Return the mean shares of the games of each of some named deals, shape (deals, seats)."""
        assert self.named is not None
        here = np.isin(self.named, deals)
        at = np.searchsorted(deals, self.named[here])
        total = np.zeros((len(deals), self.won.shape[1]))
        np.add.at(total, at, self.shares[here])
        return np.asarray(total / np.bincount(at, minlength=len(deals))[:, None])


def together(several: Sequence[Wins]) -> Wins:
    """Return the mean of what the players of several tunings won in the same deals."""
    if len(several) == 1:
        return several[0]
    each = np.ones((max(one.deals for one in several), 1))  # one game is that of every deal
    won = np.mean([one.won * each for one in several], axis=0)
    tunings = np.array([one.shares.mean(axis=0) for one in several])
    return Wins(several[0].spec, won, sum(one.games for one in several), tunings)


class Won:
    """What every seat won in each game so far, shape (games, seats)."""

    def __init__(self, games: int, players: int) -> None:
        self.won = np.zeros((games, players), np.int32)
        self.games = 0

    def add(self, won: NDArray[np.int32]) -> None:
        """Add the next games."""
        self.won[self.games : self.games + len(won)] = won
        self.games += len(won)


def totals(source: Source, threads: int | None = None, tick: Callable[[int], None] = lambda games: None) -> Wins:
    """Return what every seat won in each complete deal of a source.

    Raises UsageError if there is no complete deal, or all seats won or lost together in every game.
    """
    spec = source.spec
    source.require_seats()

    def read(stretch: Any) -> NDArray[np.int32]:
        return np.concatenate([source.won_in(columns) for _, columns in source.read(stretch, source.judged.columns)])

    digest = digest_of(spec, "totals", source.planned) if isinstance(source, SpecSource) else None
    total = Won(source.planned, source.players)
    with closing(resumable(total, digest, read, source.stretches(), threads, travels=digest is not None)) as results:
        for part in results:
            total.add(part)
            tick(total.games)
    games = total.games
    deals = games // spec.games_per_deal
    if not deals:
        raise Unanswered(
            "no_whole_deal",
            "{run}: {games} games are fewer than one complete deal of {deal}; play more games",
            run=source.label,
            games=games,
            deal=spec.games_per_deal,
        )
    whole = total.won[: deals * spec.games_per_deal]
    if not spec.judged.is_payoff and (whole == whole[:, :1]).all():
        raise all_together(source.label)
    won = whole.reshape(deals, spec.games_per_deal, spec.players).sum(axis=1, dtype=np.int32)
    won = _distinct(spec, won) if source.playable else won
    named = None
    if source.origin is not None and source.origin.deals:
        parts = (
            columns["deal"][:, 0] for stretch in source.stretches() for _, columns in source.read(stretch, ["deal"])
        )
        named = np.concatenate(list(parts)).astype(np.uint64)
    return Wins(spec, won, len(whole), elsewhere=source.origin is not None, named=named)


def _distinct(spec: Spec, won: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return what every seat won in each deal; in one deal, if all games are the same game."""
    return won[:1] if (won == won[0]).all() and same_game(spec) else won


def wins_of(spec: Spec, deals: int, threads: int | None) -> Wins:
    """Return what every seat won in the first deals, which may be played in a way that no file describes."""
    per_deal = spec.games_per_deal

    def play(stretch: range) -> Any:
        won = spec.judged.of_rows(rows_of(spec, stretch)).reshape(len(stretch) // per_deal, per_deal, spec.players)
        return won.sum(axis=1, dtype=np.int32)

    games, step = deals * per_deal, STRETCH * per_deal
    parts = in_parallel(play, [range(at, min(at + step, games)) for at in range(0, games, step)], threads)
    spec = replace(spec, games=games)
    return Wins(spec, _distinct(spec, np.concatenate(list(parts))), games)


def share_differences(before: Wins, after: Wins, lines: Floats, level: float) -> dict[str, Any]:
    """Return the columns of a comparison: shares before and after, or amounts of a payoff, and their difference.

    `lines`, shape (rows, seats): the seats that make up each row. `level` holds for the intervals of all rows at once.
    """
    scale = before.judged.spanning(after.judged)
    before, after = before.on(scale), after.on(scale)
    paired, single = before.pairs_with(after), before.one_game or after.one_game
    if paired and before.elsewhere:
        deals_of_both = before.shared(after)
        old, new = before.means(deals_of_both) @ lines.T, after.means(deals_of_both) @ lines.T
    else:
        old, new = before.shares @ lines.T, after.shares @ lines.T
    deals = min(len(old), len(new))
    shares = {"before": old, "after": new}
    if single:  # the one game is that of every deal
        old, new = (np.broadcast_to(one, (max(len(old), len(new)), len(lines))) for one in (old, new))
    elif paired:
        old, new = shares["before"], shares["after"] = old[:deals], new[:deals]
    if paired:
        shift, covariance = (new - old).mean(axis=0), _covariance(new - old)
        changed = (new != old).mean(axis=0)
    else:
        shift, covariance = new.mean(axis=0) - old.mean(axis=0), _covariance(old) + _covariance(new)
        changed = np.full(len(lines), np.nan)
    error = np.sqrt(np.maximum(np.diag(covariance), 0))
    constant = simultaneous(covariance, level)
    if paired:  # a mean of differences lies within the share of the deals that differ
        few = changed * deals < MIN_DEALS
        most = rate_interval(
            changed, np.zeros(len(changed)), np.full(len(changed), deals), 1 - (1 - level) / len(lines)
        )
        half = with_few(constant, deals) * error
        half = np.where(few, np.fmax(half, most[1]), half)
        low, high = shift - half, shift + half
    else:  # also valid if a share is near 0 or 1 in both versions
        low, high = difference_interval(_ends(new, constant), _ends(old, constant))
    if single:  # chance plays no part in it, so there is no range
        low, high = np.full((2, len(lines)), np.nan)
    with np.errstate(divide="ignore", invalid="ignore"):
        gain = (np.diag(_covariance(old)) + np.diag(_covariance(new))) / np.diag(covariance)
    wide = bonferroni(level, len(lines))
    shifts = {"difference": shift, "difference_se": error, "difference_low": low, "difference_high": high}
    for side in (before, after):
        shifts = side.widened("difference", shifts, lines, wide)
    return {
        **amounts("before", before.widened("before", _shares("before", shares["before"], level), lines, wide), scale),
        **amounts("after", after.widened("after", _shares("after", shares["after"], level), lines, wide), scale),
        **amounts("difference", shifts, scale, apart=True),
        "changed": changed,
        "pairing_gain": gain if paired else np.ones(len(lines)),
        "paired": np.full(len(lines), paired),
        "deals": np.full(len(lines), deals),
    }


def amounts(name: str, columns: Mapping[str, Any], judged: Judged, apart: bool = False) -> dict[str, Any]:
    """Return the columns of an estimate as amounts; `apart` if it is a difference of two shares."""
    whole = judged.distance if apart else judged.amount
    return {key: (judged.distance if key == f"{name}_se" else whole)(value) for key, value in columns.items()}


def _ends(values: Floats, constant: float) -> tuple[Floats, Floats, Floats]:
    """Return shares of the wins with low and high ends at the level of a constant."""
    share, error = values.mean(axis=0), np.sqrt(np.maximum(np.diag(_covariance(values)), 0))
    return share, *share_interval(share, error, len(values), constant)


def _shares(name: str, values: Floats, level: float) -> dict[str, Any]:
    covariance = _covariance(values)
    error = np.sqrt(np.maximum(np.diag(covariance), 0))
    return share_columns(name, values.mean(axis=0), error, len(values), simultaneous(covariance, level))


def _covariance(values: Floats) -> Floats:
    """Return the covariance of the means; NaN for fewer than two deals."""
    if len(values) < 2:
        return np.full((values.shape[1], values.shape[1]), np.nan)
    centred = values - values.mean(axis=0)
    return np.asarray(centred.T @ centred / (len(values) - 1) / len(values))


def half_width(spec: Spec, deals: int, level: float) -> float:
    """Return the expected half-width of the interval of a difference between unrelated players."""
    par = min(spec.par, key=lambda share: abs(share - 0.5))
    return bonferroni(level, spec.players) * float(np.sqrt(2 * par * (1 - par) / max(deals, 1)))


# --- How far apart the best and the worst seat (or camp) are in two versions, and whether that changed ---


def camp_lines(spec: Spec) -> Floats:
    """Return which seats each camp has, shape (camps, seats)."""
    return np.array([[1.0 * (seat in own) for seat in range(spec.players)] for own in spec.camps.values()])


def distance_columns(before: Wins, after: Wins, level: float) -> dict[str, Any]:
    """Return the row of `Comparison.distances` for two versions.

    The change holds where three sets of intervals hold at once (before, after, and the difference), so each of them has
    a third of the errors.

    before, after: Two versions.
    level: Confidence level of each distance, and of the change.
    """
    spec = after.spec
    lines = camp_lines(spec) if spec.camps else np.eye(spec.players)
    pars = {"before": lines @ before.fair, "after": lines @ after.fair}
    table, strict = (share_differences(before, after, lines, one) for one in (level, 1 - (1 - level) / 3))
    found: dict[str, Any] = {"kind": "camp" if spec.camps else "seat"}
    for side, par in pars.items():
        columns = (name.replace("distance", side) for name in DISTANCE)
        seen = distance(table[side], table[f"{side}_low"], table[f"{side}_high"], par)
        found |= zip(columns, astuple(seen), strict=True)
    moved = pars | {"difference": pars["after"] - pars["before"]}
    ends = [Ends(strict[f"{name}_low"] - par, strict[f"{name}_high"] - par) for name, par in moved.items()]
    few = any(np.isnan(one.low).any() for one in ends)
    low, high = (None, None) if few else change(*ends)
    return found | {
        "change": found["after"] - found["before"],
        "change_low": low,
        "change_high": high,
        "deals": int(table["deals"].min()),
    }


# --- What else moved between two versions: the course of the game, strategies, cards, and columns of the table ---


GAMES, CARD_GAMES = 20_000, 8_000
"""Largest number of games of each version for all measures, and for the effects of cards."""

COURSE = (*NUMBERS, *RATES)
_NUMBERED = re.compile(r"_[a-z]?\d+$")
"""Ending of the names of columns in a series, such as one for each round."""


def what_moved(
    before: Sequence[Spec], after: Sequence[Spec], level: float, tick: Callable[[int], None] = lambda games: None
) -> pl.DataFrame:
    """Return what else moved, largest first; see `Comparison.moved`.

    before, after: Two versions, each by the players of one tuning or of several, with strategies of the same names.
        The tunings share the deals, and the intervals hold the differences between them.
    level: Simultaneous confidence level of all intervals, because the largest changes are chosen.
    tick: Function that is called from time to time with the number of games of each version so far, at most `GAMES` +
        `CARD_GAMES`.
    """
    before = [measuring(one, after[0]) for one in before]
    after = [measuring(one, before[0]) for one in after]
    pairs = [(before[at % len(before)], after[at % len(after)]) for at in range(max(len(before), len(after)))]
    sides = [SpecSource(spec) for spec in pairs[0]]
    known = [known_families(side) for side in sides]
    own = own_measures(sides[1])
    families = [name for name in known[1] if name in known[0] and (name in own or _wanted(name, sides[1]))]
    quantities = Quantities(sides[1], families)
    estimands = [Estimand(item.family, item.member) for item in quantities.items if item.family in families]
    cards = list(dict.fromkeys([*cards_in(sides[0]), *cards_in(sides[1])]))
    of_cards = [Estimand(family, member, card) for card in cards for family, member in judged_by(sides[1])]
    each = 1 - (1 - level) / max(len(estimands) + len(of_cards), 1)
    done = 0

    def played(asked: list[Estimand], named: Sequence[str], most: int) -> pl.DataFrame:
        nonlocal done
        several, part = [], max(min(after[0].games, most) // after[0].games_per_deal // len(pairs), 1)
        for at, (old, new) in enumerate(pairs):
            sampler = Sampler(new, old, asked)
            several.append(sampler.play(range(at * part, (at + 1) * part), named, _after(done, tick)))
            done += part * new.games_per_deal
        return _rows(several, asked, known[1], each)

    rows = played(estimands, (), GAMES)
    if of_cards:
        rows = pl.concat([rows, played(of_cards, cards, CARD_GAMES)])
    return rows.with_columns(pl.Series("p_holm", adjust(rows["p"], "holm"))).sort(
        pl.col("size").abs(), descending=True, nulls_last=True
    )


def measuring(spec: Spec, other: Spec) -> Spec:
    """Return the same games, measured as others are, too."""
    return replace(spec, rules=spec.rules.measuring(other.rules))


def _after(done: int, tick: Callable[[int], None]) -> Callable[[int], None]:
    return lambda games: tick(done + games)


def judged_by(source: SpecSource) -> list[tuple[str, str]]:
    """Return the measures by which cards are judged: the score or, without one, the wins of each camp or seat.

    If there are only two camps or seats, one is enough, because the other one loses what it gains.
    """
    if source.score:
        return [("score", "")]
    camps = [("win_share_by_camp", camp) for camp in source.spec.camps]
    seats = [("win_share_by_seat", f"seat-{seat + 1}") for seat in range(source.players)]
    found = camps or seats
    return found[:1] if len(found) == 2 else found


def _wanted(family: str, source: SpecSource) -> bool:
    """Return whether a family adds something to the shares of the seats."""
    if family in COURSE or family.endswith(BY_STRATEGY):
        return not family.startswith(OF_CARD)
    column = family.removeprefix(MEAN)
    known = column in (source.share, source.score, "place")
    return family.startswith(MEAN) and not family.endswith("_by_seat") and not known and not _NUMBERED.search(column)


def _rows(several: Sequence[Sums], estimands: list[Estimand], shares: Mapping[str, bool], level: float) -> pl.DataFrame:
    """Return a row for each estimand from the sums of each tuning."""
    values = np.array([sums.shift.values() for sums in several])
    now, then, shift = values[:, :3].mean(axis=0)
    error, count = np.sqrt((values[:, 3] ** 2).sum(axis=0)) / len(several), len(several)
    spread = values[:, 2].std(axis=0, ddof=1) / np.sqrt(count) if count > 1 else np.zeros(len(error))
    deals, moved = sum(sums.deals for sums in several), np.sum([sums.moved for sums in several], axis=0)
    told = (moved >= MIN_DEALS) & np.isfinite(shift)
    with np.errstate(divide="ignore", invalid="ignore"):
        size = shift / np.sqrt(np.mean([sums.spread() for sums in several], axis=0))
    ends = interval("difference", shift, error, np.where(told, pointwise(level, deals), np.nan))
    low, high = widened(shift, ends["difference_low"], ends["difference_high"], spread, count, bonferroni(level))
    ends |= {"difference_se": np.hypot(error, spread), "difference_low": low, "difference_high": high}
    return pl.DataFrame(
        {
            "group": [_group(estimand) for estimand in estimands],
            "measure": [
                estimand.card or estimand.member or estimand.family.removeprefix(MEAN) for estimand in estimands
            ],
            "of": pl.Series([one.member or None if one.card else None for one in estimands], dtype=pl.String),
            "family": [estimand.family for estimand in estimands],
            "is_share": [shares.get(estimand.family, False) for estimand in estimands],
            "before": then,
            "after": now,
            **ends,
            "size": np.where(told, size, np.nan),
            "changed": moved / np.maximum(deals, 1),
            "deals": deals,
            "p": np.where(told, p_values(shift, error, deals, spread, count), np.nan),
        }
    ).with_columns(pl.selectors.float().fill_nan(None))


def _group(estimand: Estimand) -> str:
    if estimand.card:
        return "cards"
    if estimand.family.endswith(BY_STRATEGY):
        return "strategies"
    return "course" if estimand.family in COURSE else "columns"
