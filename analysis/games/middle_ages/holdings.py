"""What a seat of Middle-Ages holds at the end, what it takes, and what goes with it; and the columns that say so."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from analysis.cards.counterfactual import with_families
from analysis.data.accumulate import Counts, accumulate
from analysis.data.results import Note, Result, Unanswered, Verdict, interval, rate_columns
from analysis.data.source import Array, Block, Source
from analysis.data.sources import Data, cautions, open_source, played
from analysis.estimate import AT_ONCE, DEAL, Sums
from analysis.stats.intervals import check_level, pointwise, rate_interval
from analysis.stats.moments import MIN_DEALS, Contrasts, Floats, Ratios
from analysis.stats.multiple_testing import adjust, of_rates, p_values, pick
from analysis.stats.regression import Clusters, Normal
from simcore.errors import UsageError
from simcore.games.middle_ages.rules import MiddleAgesRules
from simcore.games.middle_ages.state import DOMAIN_NAMES, ROUNDS
from simcore.running.replay import replays

if TYPE_CHECKING:
    from simcore.running.replay import Replay

# --- The columns of Middle-Ages: Domains held, tokens laid, tiles drafted, and components of the box ---


BANK = 40 * 1 + 18 * 5 + 36 * 10 + 18 * 50
"""Coins in the box (booklet, "Matériel")."""

ONES = 40
"""Coins of value 1 in the box."""


@dataclass(frozen=True)
class Offer:
    """One thing on offer, read from a replay."""

    round: int  # number of the round, from 1
    position: int  # place in its row, counted from 0 at the left
    kind: str  # its Domain
    number: int  # the number by which the game sorts rows
    taken: bool  # whether anybody took it


@dataclass(frozen=True)
class Component:
    """A component of which the box contains a limited number."""

    name: str
    title: str
    """name, title: Key, and display name."""
    column: str  # column that counts it
    whole_table: bool
    """True if each seat's row has the number for the whole table, False if the seats' numbers are added."""
    limit: Callable[[Any, int], int | None]
    """Function that takes the rules and the number of players and returns the number in the box; None if unlimited."""


def start(rules: MiddleAgesRules, players: int) -> Sequence[int]:
    """Return the score of each seat before round 1."""
    return rules.starting_coins[:players]


def domain_of(rules: MiddleAgesRules) -> Mapping[int, str]:
    """Return the Domain of each number."""
    found: dict[int, str] = {}
    for name, face in rules.tiles.faces.items():
        if found.setdefault(face.number, face.domain) != face.domain:
            raise Unanswered(
                "two_domains",
                "rules '{rules}': [{table}]: number {number} stands for two Domains, so the table does not show which "
                "was taken; give each Domain numbers of its own",
                rules=rules.name,
                table=f"tiles.faces.{name}",
                number=face.number,
            )
    return found


def offers_in(replay: Replay) -> Iterator[Offer]:
    """Yield what was in each row when it was chosen from; a row is complete when its last tile is discarded."""
    tiles = {tile["id"]: tile for tile in replay.header["tiles"]}
    rows: dict[int, list[int]] = {}
    for record in replay.records:
        if record["kind"] == "deal":
            rows[record["row"]] = record["tiles"]
        elif record["kind"] == "discard":
            for place, tile in enumerate(rows[record["row"]]):
                face = tiles[tile]
                yield Offer(record["round"], place, face["domain"], face["number"], place != record["col"])


DOMAIN, TILE, SCOUT = "Domain", "tile", "Scout"
"""The game's words for what a seat holds, for what it takes, and for the tile that looks for an Event."""

HELD = {name: f"tiles_{name}" for name in DOMAIN_NAMES}
"""By Domain, the column with the number of its tiles that a seat holds at the end."""

TOKENS = {
    "extra-coin token": {name: f"extra_{name}" for name in DOMAIN_NAMES},
    "plot token": {name: f"plot_{name}" for name in DOMAIN_NAMES},
}
"""By token and Domain, a "Boolean" column (laid or not) or an "Enum" whose first label means none."""

NUMBER, POSITION, TURN, COINS = (
    tuple(f"{prefix}{number + 1}" for number in range(ROUNDS)) for prefix in ("tile_r", "column_r", "turn_r", "coins_r")
)
"""By round, the columns of the number taken, its place in the row, the turn position, and the coins afterwards."""

COMPONENTS = (
    Component("bank", "coins in circulation at once", "peak_coins", True, lambda rules, players: BANK),
    Component("ones", "coins of value 1 in circulation", "peak_ones", True, lambda rules, players: ONES),
    Component(
        "extra_tokens", "extra-coin tokens laid", "extra_tokens", False, lambda rules, players: rules.tokens.extra_coin
    ),
    Component(
        "plot_tokens",
        "plot tokens laid",
        "plot_tokens",
        False,
        lambda rules, players: (
            None
            if rules.plot_token_supply == "unlimited"
            else sum(getattr(rules.tokens.plot, name) for name in DOMAIN_NAMES)
        ),
    ),
)


# --- What a seat of Middle-Ages holds at the end, what it takes, and what goes with it ---


# --- What a seat holds at the end, and the associated win share and score: by number held, empty kind and token ---


OBSERVED = Note("observed")


@dataclass(frozen=True, eq=False, repr=False)
class Holdings(Result):
    """Win share and score by what seats hold at the end (an association, not an effect).

    Parameters
    ----------
    table
        One row for each kind and number held: `times` (number of seats), `par_normalised` win share, and `lead`, the
        final score minus the table's mean.
    empty
        One row for each kind: the `rate` of seats without it; `lead_empty`, `lead_held` and their difference `cost`
        (positive if an empty kind is associated with a lower score); and `share_cost`, the same for the win share
        divided by par.
    by_empty
        One row for each number of empty kinds: win share, lead, and the mean `penalty` paid.
    penalty_decides
        Share of games in which no winner would have been ahead if nobody had paid the penalty, with its interval.
    """

    empty: pl.DataFrame
    by_empty: pl.DataFrame
    penalty_decides: tuple[float, float | None, float | None]


def lead(score: Array) -> Floats:
    """Return final scores minus the table's mean, shape (games, players)."""
    return np.asarray(score - score.mean(axis=1, keepdims=True))


MOST = 32
"""Who holds more than so many of a kind counts as holding so many."""


def holdings(data: Data, level: float = 0.95) -> Holdings:
    """Return win share and score by what a seat holds at the end.

    Parameters
    ----------
    data
        A run (standard detail or more), a run folder, or a specification to play.
    level
        Confidence level of each interval.

    Raises
    ------
    UsageError
        If the run lacks the columns of Domains.

    References
    ----------
    * docs/findings/middle-ages.md

    Examples
    --------
    >>> import equipoise as eq
    >>> run = eq.make_spec(players=2, strategies="random", games=400)
    >>> found = eq.middle_ages.holdings(run)
    >>> found.table.columns[:3]
    ['kind', 'held', 'times']
    """
    check_level(level)
    source = open_source(data)
    names = [source.share, source.scored("the worth of holdings"), *HELD.values(), "penalty"]
    source.require(names, "win share by what is held")

    def count(sums: Counts, block: Block) -> None:
        score = block[names[1]].astype(np.float64)
        share, ahead = source.shares(block) / source.par, lead(score)
        held = [block[column] for column in HELD.values()]
        for number, mine, ours in zip(held, sums.share, sums.lead, strict=True):
            cell = np.minimum(number, MOST - 1)
            mine.scatter(cell, share, block.per_deal)
            ours.scatter(cell, ahead, block.per_deal)
        bare = np.stack([number == 0 for number in held], axis=2).astype(np.float64)
        none = block.totals(bare.sum(axis=1))
        some = source.players * block.per_deal - none
        for contrasts, value in ((sums.empty_share, share), (sums.empty_lead, ahead)):
            without, with_ = (block.totals(np.einsum("gs,gsk->gk", value, where)) for where in (bare, 1 - bare))
            contrasts.add(with_, some, without, none)
        penalty = block["penalty"].astype(np.float64)
        for ratios, value in zip(sums.number, (share, ahead, penalty), strict=True):
            ratios.scatter(bare.sum(axis=2), value, block.per_deal)
        before = score + penalty
        first = before == before.max(axis=1, keepdims=True)
        turned = ~(first & (share > 0)).any(axis=1, keepdims=True)
        sums.decided.add(turned, per_deal=block.per_deal)

    kinds = len(HELD)

    def empty() -> Counts:
        sums: dict[str, Any] = {name: [Ratios(MOST) for _ in HELD] for name in ("share", "lead")}
        sums |= {name: Contrasts(kinds) for name in ("empty_share", "empty_lead")}
        sums |= {"number": [Ratios(kinds + 1) for _ in range(3)], "decided": Ratios(1)}
        return Counts(count, "analysis.games.middle_ages.holdings._Held", **sums)

    sums, inputs = accumulate(source, names, empty)
    table = pl.concat(
        _by_cell(share, ahead, level, source.players).select(
            pl.lit(label).alias("kind"), pl.Series("held", np.arange(MOST)), pl.all()
        )
        for label, share, ahead in zip(HELD, sums.share, sums.lead, strict=True)
    ).filter(pl.col("times") > 0)
    empty_kinds = _empty(sums, level)
    by_empty = _by_cell(sums.number[0], sums.number[1], level, source.players)
    paid = sums.number[2].cells()
    by_empty = by_empty.select(
        pl.Series("empty", np.arange(kinds + 1)), pl.all(), pl.Series("penalty", paid.value)
    ).filter(pl.col("times") > 0)
    cell = sums.decided.cells()
    low, high = rate_interval(cell.value, cell.se, cell.deals, level)
    known = cell.deals[0] >= MIN_DEALS
    decides = (float(cell.value[0]), float(low[0]) if known else None, float(high[0]) if known else None)
    verdicts = _verdicts(empty_kinds, decides, level)
    notes = (*cautions(source, inputs), OBSERVED)
    return Holdings((inputs,), level, table, verdicts, notes, empty_kinds, by_empty, decides)


def _by_cell(share: Ratios, ahead: Ratios, level: float, players: int) -> pl.DataFrame:
    cells, leads = share.cells(), ahead.cells()
    constant = pointwise(level, cells.deals)
    return pl.DataFrame(
        {
            "times": cells.bottom.astype(np.int64),
            "deals": cells.deals,
            **rate_columns("par_normalised", cells.value / players, cells.se / players, cells.deals, level, players),
            **interval("lead", leads.value, leads.se, constant),
        }
    )


def _empty(sums: Counts, level: float) -> pl.DataFrame:
    held, none, cost, se = sums.empty_lead.values()
    _, _, share_cost, share_se = sums.empty_share.values()
    _, some, _, without = sums.empty_lead.sum.T
    deals = sums.empty_lead.deals
    constant = pointwise(level, deals)
    p = p_values(cost, se, deals)
    return pl.DataFrame(
        {
            "kind": list(HELD),
            "deals": deals,
            "times": without.astype(np.int64),
            "rate": without / (some + without),
            "lead_empty": none,
            "lead_held": held,
            **interval("cost", cost, se, constant),
            **interval("share_cost", share_cost, share_se, constant),
            "p": p,
            "p_holm": adjust(p, "holm"),
            "p_bh": adjust(p, "fdr_bh"),
        }
    )


def _verdicts(
    empty: pl.DataFrame, decides: tuple[float, float | None, float | None], level: float
) -> tuple[Verdict, ...]:
    worst = pick(empty.filter(pl.col("cost_low").is_finite()), "cost", "kind", level)
    if worst is None:
        return (Verdict("holdings_unknown", "unknown", {"noun": DOMAIN}),)
    values = {
        "noun": DOMAIN,
        "kind": worst.names,
        "example": worst.row["kind"],
        "times": worst.row["times"],
        **worst.ends("cost", "cost_"),
    }
    found = [Verdict("holdings_empty", "fact", values)]
    if decides[1] is not None:
        found.append(Verdict("holdings_penalty", "fact", dict(zip(("rate", "low", "high"), decides, strict=True))))
    return tuple(found)


@dataclass(frozen=True, eq=False, repr=False)
class TokenValues(Result):
    """Win share and score by where seats lay their tokens (an association, not an effect).

    Parameters
    ----------
    table
        One row for each token, place and (if tokens show kinds) `shows`: the number of `times` a seat laid it, and the
        `rate`; the `lead` of seats with it; `value`, that lead minus the lead of seats without any such token there;
        `share_value`, the same for the win share divided by par; and p-values, with all rows of a token as a family.
    """


def token_values(data: Data, level: float = 0.95) -> TokenValues:
    """Return win share and score by the placement of tokens.

    Parameters
    ----------
    data
        A run in full detail, a run folder, or a specification to play.
    level
        Confidence level of each interval.

    Raises
    ------
    UsageError
        If the run lacks the columns of tokens.

    References
    ----------
    * docs/findings/middle-ages.md

    Examples
    --------
    >>> import equipoise as eq
    >>> run = eq.make_spec(players=2, strategies="random", games=400)
    >>> found = eq.middle_ages.token_values(run)
    >>> found.table.columns[:3]
    ['token', 'place', 'shows']
    """
    check_level(level)
    source = open_source(data)
    rows, cells = [], []
    for token, columns in TOKENS.items():
        source.require(list(columns.values()), "the value of tokens")
        for place, column in columns.items():
            shows = source.labels(column)[1:] if source.is_enum(column) else ("",)
            rows += [(token, place, label) for label in shows]
            cells += [(column, code) for code in range(1, len(shows) + 1)]
    names = [source.share, source.scored("the worth of holdings"), *dict.fromkeys(column for column, _ in cells)]

    def count(sums: Counts, block: Block) -> None:
        def by_deal(value: Floats | float, where: list[tuple[str, int]]) -> Array:
            seats = [(value * (block[column] == code)).sum(axis=1) for column, code in where]
            return block.totals(np.column_stack(seats))

        ahead, share = lead(block[names[1]].astype(np.float64)), source.shares(block) / source.par
        laid, bare = by_deal(1.0, cells), by_deal(1.0, empty)
        for contrasts, value in ((sums.lead, ahead), (sums.share, share)):
            contrasts.add(by_deal(value, cells), laid, by_deal(value, empty), bare)

    empty, size = [(column, 0) for column, _ in cells], len(cells)
    sums, inputs = accumulate(source, names, lambda: Counts(count, lead=Contrasts(size), share=Contrasts(size)))
    ahead, _, value, se = sums.lead.values()
    _, _, share_value, share_se = sums.share.values()
    laid, bare = sums.lead.sum[:, 1], sums.lead.sum[:, 3]
    deals = np.where(laid > 0, sums.lead.deals, 0)
    constant = np.where(laid >= MIN_DEALS, pointwise(level, deals), np.nan)
    table = pl.DataFrame(rows, schema=["token", "place", "shows"], orient="row").with_columns(
        **{
            key: pl.Series(np.asarray(item))
            for key, item in {
                "times": laid.astype(np.int64),
                "rate": laid / (inputs.games * source.players),
                "without": bare.astype(np.int64),
                "deals": deals,
                "lead": ahead,
                **interval("value", value, se, constant),
                **interval("share_value", share_value, share_se, constant),
                "p": np.where(laid >= MIN_DEALS, p_values(value, se, deals), np.nan),
            }.items()
        }
    )
    table = with_families(table.filter(pl.col("times") > 0), "token")
    best = _best_token(table, level)
    table = table.drop("deals")
    notes = (*cautions(source, inputs), OBSERVED)
    return TokenValues((inputs,), level, table, (best,), notes)


def _best_token(table: pl.DataFrame, level: float) -> Verdict:
    best = pick(table.filter(pl.col("value_low").is_finite()), "value", "place", level) if len(table) else None
    if best is None:
        return Verdict("tokens_unknown", "unknown")
    values = {key: best.row[key] for key in ("token", "place", "shows", "times")}
    values |= {**best.ends("value", "value_"), "count": len(best.names), "of": best.of}
    return Verdict(f"tokens_{'best' if best.sole else 'level'}{'_shown' if best.row['shows'] else ''}", "fact", values)


# --- What is taken: the value of a thing by kind, round and place in its row, and how often one on offer is taken ---


# --- The value of a thing that is taken, by kind, round and place in its row ---


MOST_GAMES = 100_000
"""Approximate number of games behind the values; more would hardly make them more precise."""


@dataclass(frozen=True, eq=False, repr=False)
class PickValues(Result):
    """The value of things to those who take them.

    Parameters
    ----------
    table
        One row for each kind, round and position (from 1 at the left) as taken: the number of `times`, `gain` (total
        change of the score in that round) and `lead` (final score minus the table's mean).
    adjusted
        One row for each kind and round: `value`, points of final score compared with the average kind in that round,
        for equal other picks and turn order (least squares); and p-values, with all rows as a family.
    by_kind
        One row for each kind: `value` over all rounds, weighted by how often the kind was taken in each.
    by_number
        One row for each number: its kind, `times`, `turn` (mean resulting position in the turn order), `gain` and
        `lead`.
    later_turn
        Points of final score for being one place later in the turn order of one round, for equal picks: value, low,
        high.
    gain_per_number
        Points of `gain` for a number that is higher by one: value, low, high.
    """

    adjusted: pl.DataFrame
    by_kind: pl.DataFrame
    by_number: pl.DataFrame
    later_turn: tuple[float, float | None, float | None]
    gain_per_number: tuple[float, float | None, float | None]


class _Taken:
    """Numbers, kinds, places and gains of a block, shape (games, rounds, seats), and leads, shape (games, seats)."""

    def __init__(self, source: Source, block: Block) -> None:
        def rounds(columns: tuple[str, ...]) -> Array:
            return np.stack([block[name] for name in columns], axis=1)

        kind_of = domain_of(source.values)
        table = np.zeros(max(kind_of) + 1, np.int64)
        for number, kind in kind_of.items():
            table[number] = DOMAIN_NAMES.index(kind)
        self.number, self.position, self.turn = (
            rounds(columns).astype(np.int64) for columns in (NUMBER, POSITION, TURN)
        )
        self.kind = table[self.number]
        score = rounds(COINS).astype(np.float64)
        before = np.broadcast_to(start(source.values, source.players), score[:, :1].shape)
        self.gain = np.diff(score, axis=1, prepend=before)
        self.lead = lead(block[source.scored("the worth of picks")].astype(np.float64))

    def regressors(self, kinds: int) -> Floats:
        """Return kind by round and the sum of turn positions, minus the table's mean: (games, seats, regressors)."""
        games, rounds, seats = self.kind.shape
        dense = np.zeros((games, seats, rounds * kinds + 1))
        game, round_, seat = np.ogrid[:games, :rounds, :seats]
        dense[game, seat, round_ * kinds + self.kind] = 1
        dense[:, :, -1] = self.turn.sum(axis=1)
        dense -= dense.mean(axis=1, keepdims=True)
        return dense


FITTED = 1920
"""Number of games whose regressors are laid out at a time."""


def _numbers_and_gains(taken: _Taken) -> tuple[Floats, Floats]:
    """Return numbers with a constant, and gains, both minus the mean of their round at the table."""
    number = (taken.number - taken.number.mean(axis=2, keepdims=True)).ravel()
    gain = taken.gain - taken.gain.mean(axis=2, keepdims=True)
    return np.stack([number, np.ones_like(number)], axis=1), gain.ravel()


def pick_values(data: Data, level: float = 0.95, most: int = MOST_GAMES) -> PickValues:
    """Estimate the value of things to those who take them.

    Parameters
    ----------
    data
        A run in full detail, its folder, or a specification to play.
    level
        Confidence level of each interval.
    most
        Approximate number of games to use, from the first of the run.

    Raises
    ------
    UsageError
        If the run lacks the columns of what is taken.

    References
    ----------
    * docs/findings/middle-ages.md

    Examples
    --------
    >>> import equipoise as eq
    >>> run = eq.make_spec(players=2, strategies="random", games=400)
    >>> found = eq.middle_ages.pick_values(run)
    >>> found.table.columns[:3]
    ['kind', 'round', 'position']
    """
    check_level(level)
    source = open_source(data)
    names = [source.share, source.scored("the worth of picks"), *NUMBER, *POSITION, *TURN, *COINS]
    source.require(names, "the value of picks")
    kinds, kind_of = len(DOMAIN_NAMES), domain_of(source.values)
    shape = kinds, ROUNDS, source.players + 1

    def pieces(block: Block) -> Iterator[tuple[_Taken, Floats]]:
        """Divide a block into pieces of complete deals, with their regressors."""
        step = max(FITTED // block.per_deal, 1) * block.per_deal
        for first in range(0, block.games, step):
            some = {name: values[first : first + step] for name, values in block.columns.items()}
            taken = _Taken(source, Block(block.per_deal, some))
            yield taken, taken.regressors(kinds)

    def count(sums: Counts, block: Block) -> None:
        taken = _Taken(source, block)
        ahead = np.broadcast_to(taken.lead[:, None, :], taken.kind.shape)
        round_ = np.broadcast_to(np.arange(ROUNDS)[None, :, None], taken.kind.shape)
        cell = np.ravel_multi_index((taken.kind, round_, taken.position), shape)
        sums.gain.scatter(cell, taken.gain, block.per_deal)
        sums.lead.scatter(cell, ahead, block.per_deal)
        for ratios, values in zip(sums.by_number, (taken.turn, taken.gain, ahead), strict=True):
            ratios.scatter(taken.number, values, block.per_deal)
        sums.slope.add(*_numbers_and_gains(taken))
        for part, dense in pieces(block):
            sums.normal.add(dense.reshape(-1, dense.shape[2]), part.lead.ravel())

    def empty() -> Counts:
        cells, normal = int(np.prod(shape)), Normal(ROUNDS * kinds + 1)
        by_number = [Ratios(max(kind_of) + 1) for _ in range(3)]
        return Counts(
            count, gain=Ratios(cells), lead=Ratios(cells), by_number=by_number, slope=Normal(2), normal=normal
        )

    def residuals(sums: Counts, block: Block) -> None:
        """Add to the standard errors of the fits, in a second pass."""
        for taken, dense in pieces(block):
            deals = len(dense) // block.per_deal
            sums.value.add(dense.reshape(deals, -1, dense.shape[2]), taken.lead.reshape(deals, -1))
            number, gain = _numbers_and_gains(taken)
            sums.slope.add(number.reshape(deals, -1, 2), gain.reshape(deals, -1))

    sums, inputs = accumulate(source, names, empty, most=most)
    value, slope = sums.normal.fit(), sums.slope.fit()
    errors, _ = accumulate(
        source, names, lambda: Counts(residuals, value=Clusters(value), slope=Clusters(slope)), most=most
    )
    deals = inputs.deals
    constant = float(pointwise(level, deals))
    adjusted = _adjusted(errors.value, deals, constant)
    gain, ahead = sums.gain.cells(), sums.lead.cells()
    by_kind = _by_kind(errors.value, gain.bottom.reshape(shape).sum(axis=2), deals, constant)
    numbers = _by_number(source, sums, level)

    def told(clusters: Clusters, number: int) -> tuple[float, float | None, float | None]:
        value, se = clusters.coefficients[number], np.sqrt(max(clusters.covariance[number, number], 0))
        if deals < MIN_DEALS:
            return float(value), None, None
        return float(value), float(value - constant * se), float(value + constant * se)

    later, per_number = told(errors.value, -1), told(errors.slope, 0)
    index = np.indices(shape).reshape(3, -1)
    wide = pointwise(level, gain.deals)
    table = pl.DataFrame(
        {
            "kind": np.array(DOMAIN_NAMES)[index[0]],
            "round": index[1] + 1,
            "position": index[2] + 1,
            "times": gain.bottom.astype(np.int64),
            "deals": gain.deals,
            **interval("gain", gain.value, gain.se, wide),
            **interval("lead", ahead.value, ahead.se, wide),
        }
    ).filter(pl.col("times") > 0)
    notes = [*cautions(source, inputs), OBSERVED]
    if inputs.games < source.planned:
        notes.append(Note("picks_first_games", {"games": inputs.games}))
    verdicts = _of_picks(adjusted, later, per_number, level)
    return PickValues((inputs,), level, table, verdicts, tuple(notes), adjusted, by_kind, numbers, later, per_number)


def _adjusted(fit: Clusters, deals: int, constant: float) -> pl.DataFrame:
    rounds, kinds = ROUNDS, len(DOMAIN_NAMES)
    value = fit.coefficients[:-1]
    se = np.sqrt(np.maximum(np.diag(fit.covariance)[:-1], 0))
    p = p_values(value, np.where(se > 0, se, np.nan), np.full(len(value), deals))
    return pl.DataFrame(
        {
            "kind": np.tile(DOMAIN_NAMES, rounds),
            "round": np.repeat(np.arange(1, rounds + 1), kinds),
            "deals": np.full(len(value), deals),
            **interval("value", value, se, np.where(se > 0, constant, np.nan)),
            "p": p,
            "p_holm": adjust(p, "holm"),
            "p_bh": adjust(p, "fdr_bh"),
        }
    )


def _by_kind(fit: Clusters, taken: Floats, deals: int, constant: float) -> pl.DataFrame:
    """Return the mean of `_adjusted` over the rounds, weighted by `taken`, shape (kinds, rounds)."""
    kinds, rounds = taken.shape
    weights = np.zeros((kinds, rounds, kinds))
    weights[np.arange(kinds), :, np.arange(kinds)] = taken / np.maximum(taken.sum(axis=1, keepdims=True), 1)
    flat = weights.reshape(kinds, -1)
    value = flat @ fit.coefficients[:-1]
    se = np.sqrt(np.maximum(np.diag(flat @ fit.covariance[:-1, :-1] @ flat.T), 0))
    return pl.DataFrame(
        {
            "kind": DOMAIN_NAMES,
            "times": taken.sum(axis=1).astype(np.int64),
            "deals": np.full(kinds, deals),
            **interval("value", value, se, np.where(se > 0, constant, np.nan)),
        }
    ).filter(pl.col("times") > 0)


def _by_number(source: Source, sums: Counts, level: float) -> pl.DataFrame:
    turn, gain, ahead = (ratios.cells() for ratios in sums.by_number)
    kind_of = domain_of(source.values)
    constant = pointwise(level, turn.deals)
    return pl.DataFrame(
        {
            "number": np.arange(len(turn.value)),
            "kind": [kind_of.get(number, "") for number in range(len(turn.value))],
            "times": turn.bottom.astype(np.int64),
            "deals": turn.deals,
            **interval("turn", turn.value, turn.se, constant),
            **interval("gain", gain.value, gain.se, constant),
            **interval("lead", ahead.value, ahead.se, constant),
        }
    ).filter(pl.col("times") > 0)


def _of_picks(
    adjusted: pl.DataFrame,
    later: tuple[float, float | None, float | None],
    slope: tuple[float, float | None, float | None],
    level: float,
) -> tuple[Verdict, ...]:
    if later[1] is None:
        return (Verdict("picks_unknown", "unknown"),)
    names = ("value", "low", "high")
    values = dict(zip(names, later, strict=True))
    values |= {f"slope_{key}": item for key, item in zip(names, slope, strict=True)}
    found = [Verdict("picks_order", "fact", values)]
    best = pick(adjusted.filter(pl.col("value_low").is_finite()), "value", "kind", level)
    if best and best.low > 0:
        told = {"noun": DOMAIN, "kind": best.row["kind"], "round": best.row["round"]}
        told |= {**best.ends("value", "value_"), "count": len(best.names), "of": best.of}
        found.append(Verdict("picks_best" if best.sole else "picks_level", "fact", told))
    return tuple(found)


# --- How often a thing on offer is taken, by kind, round and place in its row, from replays ---


REPLAYED = 1_000
"""Default number of games to replay."""


@dataclass(frozen=True, eq=False, repr=False)
class PickRates(Result):
    """How often a thing on offer is taken.

    Parameters
    ----------
    table
        One row for each kind, round and position, each of which may be "all" (0 for numbers): `offered`, `taken`, and
        `rate` with its interval.
    by_number
        The same by the number by which rows are sorted.
    """

    by_number: pl.DataFrame


def pick_rates(
    data: Data, games: int = REPLAYED, level: float = 0.95, tick: Callable[[int], None] = lambda games: None
) -> PickRates:
    """Return how often things on offer are taken, from replays, because a run's table contains only what was taken.

    Parameters
    ----------
    data
        A run, a run folder, or a specification; its first games are replayed.
    games
        Number of games, rounded up to complete deals.
    level
        Confidence level of each interval.
    tick
        Function that is called after each deal with the number of games done.

    Raises
    ------
    UsageError
        If the number of games is out of range.

    References
    ----------
    * docs/findings/middle-ages.md

    Examples
    --------
    >>> import equipoise as eq
    >>> run = eq.make_spec(players=2, strategies="random", games=400)
    >>> found = eq.middle_ages.pick_rates(run, games=20)
    >>> found.table.columns[:3]
    ['kind', 'round', 'position']
    """
    check_level(level)
    if games < 1:
        raise UsageError(f"games: {games} is out of range; give a whole number from 1 up")
    source = played(data, 1)
    per_deal = source.spec.games_per_deal
    deals = -(-games // per_deal)
    source = played(data, deals * per_deal)
    where = ("kind", "round", "position")
    rows: list[tuple[int, ...]] = []
    both = [(pl.lit(0, pl.Int64).alias(name), pl.col(name)) for name in where]  # 0 stands for all
    sums = [Sums({"rate": pl.col("taken")}, by) for by in (*product(*both), (pl.col("number"),))]
    for deal in range(deals):
        for replay in replays(source.spec, deal * per_deal, per_deal):
            rows += [
                (deal, DOMAIN_NAMES.index(one.kind) + 1, one.round, one.position + 1, one.number, one.taken)
                for one in offers_in(replay)
            ]
        if len(rows) >= AT_ONCE or deal + 1 == deals:
            offers = pl.DataFrame(rows, [DEAL, *where, "number", "taken"], orient="row")
            for one in sums:
                one.take(offers)
            rows.clear()
        tick((deal + 1) * per_deal)
    *tables, numbered = (_rates(one, level) for one in sums)
    table = pl.concat(tables).sort(where)
    table = table.with_columns(pl.col("kind").replace_strict(dict(enumerate(["all", *DOMAIN_NAMES]))))
    kind = pl.col("number").replace_strict(domain_of(source.values), return_dtype=pl.String)
    by_number = numbered.select("number", kind.alias("kind"), pl.exclude("number"))
    inputs = source.inputs(deals * per_deal, deals, 0)
    kinds = table.filter((pl.col("kind") != "all") & (pl.col("round") == 0) & (pl.col("position") == 0)).sort("rate")
    most, least = (pick(kinds, "rate", "kind", level, by, of_rates) for by in ("largest", "smallest"))
    verdict = Verdict("pick_rates_unknown", "unknown")
    if most and least and deals >= MIN_DEALS:
        values = {
            "most": most.names,
            **most.ends("most_rate", "most_"),
            "least": least.names,
            **least.ends("least_rate", "least_"),
            "games": inputs.games,
        }
        verdict = Verdict("pick_rates", "fact", values)
    return PickRates((inputs,), level, table, (verdict,), cautions(source, inputs), by_number)


def _rates(sums: Sums, level: float) -> pl.DataFrame:
    rates = sums.estimates()
    low, high = rate_interval(rates["rate"], rates["rate_se"], rates["rate_deals"], level)
    taken = pl.col("rate_sum").cast(pl.Int64)
    counts = pl.col("rows").alias("offered"), taken.alias("taken"), pl.col("rate_deals").alias("deals")
    return rates.select(*sums.by, *counts, "rate", "rate_se", rate_low=low, rate_high=high)
