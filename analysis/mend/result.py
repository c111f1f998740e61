"""The result of a search for a mended game."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from analysis.compare.shares import CARD_GAMES, GAMES, what_moved
from analysis.data.edits import Edit, Edits, Keys
from analysis.data.results import Result, Verdict, as_amounts
from analysis.mend.search import DEAD, FRESH, STILL, SURELY, TURNS, Curve, Search
from analysis.mend.targets import GameTrials, Line, Seen, Tick, Who, distances, farthest
from analysis.seats.agreement import SAME, Agreement
from analysis.seats.distance import distance
from analysis.stats.intervals import bonferroni, share_interval, widened, with_few
from analysis.stats.moments import Floats
from simcore.errors import UsageError
from simcore.rules.files import Rules, differences, load_rules, shipped_rules
from simcore.rules.levers import Lever, settings_of, size_of
from simcore.running.batch import Spec
from strategies.tuning.retune import Retuned

MEETS, DENIED, MISSES, OPEN, CHANGES = "meets", "denied", "misses", "open", "changes"
"""Whether a change meets the target: surely, at most among experts, surely not, undecided, or only in another game."""


@dataclass(frozen=True)
class Ahead:
    """What players who look ahead say to a change with which the seats, or the camps, are fair among experts."""

    players: int  # the number of players at which they deny it, or say least
    given: Verdict  # that all is fair
    answer: Agreement
    games: int  # number of games that they played there

    @property
    def place(self) -> int:
        """How much they deny it: 0 if it is fair among them as well, 1 if their games are too few to say, or 2."""
        return 2 if self.answer.contradicts else int(self.answer.says != SAME)


@dataclass(frozen=True, eq=False, repr=False)
class Mend(Result):
    """The smallest changes that mend a game.

    table: One row for each change and line (a seat, camp, role, measure or card that has a band): `rank`, `change`,
        `players`, `name`, `kind`, `is_share`, `kept`, `wanted`, the band's `lowest` and `highest` value, `before` (the
        present rules and players), `habit` (the change, played by the present players) and `value` (the change, played
        by players tuned for it) with an interval that is simultaneous for all rows.  All values are from deals that the
        search did not use.
    """

    changes: pl.DataFrame
    """One row for each change: those that meet the target, smallest first, then undecided ones, closest first, then
    those that change the game; none that misses the target, unless all do.  No two touch the same things.  `rank`,
    `change`, `variant` (name of a rule set of the game, or None), `touched` (number of values), `size`, `farthest` (the
    distance of the farthest target, in half-widths of its band), `left` (how far apart the best and the worst seat or
    camp still are, with an interval, if the target is about all of them; with several numbers of players, where they
    are farthest, and `left_at_N` for each), `target` ("meets", "open", "changes" or "misses"; "denied" if it may meet
    it, but not among players who look ahead), `breaks` and `breaks_by` (what should stay as it is and changes most, and
    the part of its value that it gains or loses), `deals`, `decides` (number of games that would decide, for a change
    that is undecided), and `ahead` (what players who look ahead say to it: "same" if it is fair among them as well,
    "tilted", "few" if they played too few games to say, or None if they were not asked); of changes alike in `target`,
    what they deny comes last."""
    edits: pl.DataFrame
    """One row for each value that a change moves: `rank`, `key`, `old`, `new`, and the number of `players` whose rules
    change, or None for all."""
    curves: pl.DataFrame
    """One row for each lever, value and line: the `mean` and its `difference` from the present rules, with the present
    players on the same deals, with intervals that are simultaneous for all rows; and `shape`: "dead", "still", "even"
    or "turns"."""
    frontier: pl.DataFrame
    """The trade-off between the size of a change and the tilt that it leaves, one row for each change: `touched`,
    `size`, `change`, the line that is `farthest` and its value with an interval that is simultaneous for all rows,
    `off` (its distance from the wanted value), `distance` (the same in parts of what the search aims at), and `left`.
    """
    prices: pl.DataFrame
    """One row for each seat: the coins that it may cost so that all seats are worth the same.  Empty if the coins of
    the seats were not free."""
    moved: pl.DataFrame
    """What else each change moves; see `analysis.compare.result.Comparison.moved`.  `rank` identifies the change."""
    counts: tuple[int, ...]  # numbers of players
    target: str  # the target as requested
    best: tuple[Mapping[int, Rules], ...]  # the rules of each change, by number of players
    retuned: tuple[Retuned, ...] = ()  # players that were tuned for a change
    unit: str = ""  # the payoff's unit, in which the values of seats are then; empty if the game is played for wins
    ahead: tuple[Ahead | None, ...] = ()  # what players who look ahead say to each change; None if they were not asked

    @property
    def printable(self) -> list[int]:
        """The ranks of the changes that can be printed: all that neither miss the target nor change the game.

        None if the rules as they are meet the target, or if no change does more than hardly help.
        """
        if self.changes.is_empty() or any(verdict.code in ("mend_already", "mend_hardly") for verdict in self.verdicts):
            return []
        found: list[int] = self.changes.filter(pl.col("target").is_in([MEETS, OPEN, DENIED]))["rank"].to_list()
        return found

    @property
    def learned(self) -> bool:
        """Whether players were tuned for any change."""
        return bool(self.retuned)

    def surely_moved(self, rank: int) -> pl.DataFrame:
        """Return what else a change significantly moves, in order of size."""
        if self.moved.is_empty():
            return self.moved
        return self.moved.filter((pl.col("rank") == rank) & (pl.col("p_holm") < 1 - self.level))


# --- The rule sets that come with a game, judged beside the changes that a search finds ---


WHOLE = 2.0
"""Size of a changed value that is not free: it counts as moved over its whole range."""


@dataclass(frozen=True)
class Variant:
    """A rule set of the game."""

    edits: Edits  # what it changes
    size: float  # how large a change it is; see `simcore.rules.levers.size_of`


def variants_of(specs: Sequence[Spec], levers: Sequence[Lever]) -> dict[str, Variant]:
    """Return the rule sets of the game that can be played and differ from the present rules, by name."""
    first, most = specs[0], max(spec.players for spec in specs)
    known = {lever.key: lever for lever in levers}
    found = {}
    for name in shipped_rules(first.game):
        try:
            rules = load_rules(first.game, name)
            for spec in specs:
                first.game.pack(rules.values, spec.players)
        except UsageError:
            continue
        edits = Edits(_edits(first, rules, most))
        if edits:
            found[name] = Variant(edits, sum(_size(known.get(edit.key), edit) for edit in edits))
    return found


def _edits(spec: Spec, after: Rules, players: int) -> Iterator[Edit]:
    """Yield what differs; of a list by seat, only the seats in play."""
    for key, pair in differences(spec.rules, after).items():
        old, new = pair.get("old"), pair.get("new")
        if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
            seats = players if len(old) == spec.game.players[-1] else len(old)
            for number, (one, other) in enumerate(zip(old[:seats], new[:seats], strict=True), 1):
                if one != other:
                    yield Edit(f"{key}.{number}", one, other)
        elif key.rpartition(".")[2] != "assumed" and not any(isinstance(value, dict) for value in pair.values()):
            yield Edit(key, old, new)


def _size(lever: Lever | None, edit: Edit) -> float:
    if lever is None or not lever.width:
        return WHOLE
    return 1 + abs(float(edit.new) - lever.value) / lever.step / lever.width


# The order of changes: those that meet the target, smallest first, undecided ones, and what makes another game.


LOOKS = 2
"""How often a change may be looked at: once, and again after more deals if that settles the ranking."""

MORE = 8
"""Largest factor by which more deals are played for an undecided change before the ranking."""

POWER = 1.28
"""With this many more standard errors, nine of ten runs decide."""

MOST_GAMES = 10_000_000
"""A change that needs more games than this is too close to the limit to be decided."""

LEFT = ("left", "left_low", "left_high")
"""Columns of the distance that a change leaves between the best and the worst seat or camp."""

ALL = 1e-6
"""Accuracy with which the wanted shares of all seats add up to 1."""

Played = tuple[Seen, Who]
"""A change as it was judged, and the players who know it."""


@dataclass(frozen=True)
class Ranking:
    """Judges changes on deals that played no part in the search, and ranks them."""

    search: Search  # the search that found them
    variants: Mapping[str, Variant]  # rule sets that are judged beside them
    family: int  # number of changes that are judged; the intervals hold for all of them at once, at every look
    level: float  # confidence level of all intervals together
    played: Sequence[Played] = ()  # these changes, whose players show together how much tunings differ

    @property
    def lines(self) -> Sequence[Line]:
        """The targets, and what is kept."""
        return self.search.lines

    @property
    def constant(self) -> float:
        """Half the width of every interval in standard errors."""
        return bonferroni(self.level, max(self.family, 1) * len(self.lines) * LOOKS)

    def edits(self, seen: Seen) -> Edits:
        """Return what a change changes."""
        if seen.variant:
            return self.variants[seen.variant].edits
        pairs = zip(self.search.levers, seen.point, strict=True)
        return Edits(
            Edit(lever.key, lever.text(lever.value), lever.text(value), lever.players)
            for lever, value in pairs
            if value != lever.value
        )

    def size(self, seen: Seen) -> float:
        """Return the size of a change."""
        return self.variants[seen.variant].size if seen.variant else size_of(self.search.levers, seen.point)

    def idea(self, seen: Seen) -> str | frozenset[str]:
        """Return what tells ideas apart: the things that a change touches, or the rule set."""
        return seen.variant or self.search.idea(seen.point)

    def ends(self, seen: Seen, constant: float | None = None) -> tuple[Floats, Floats]:
        """Return the ends of the intervals of all lines, which hold the spread between tunings."""
        level = self.constant if constant is None else constant
        mean, error, wide = seen.mean, seen.error, float(with_few(level, len(seen.blocks)))
        part = np.array([line.is_share for line in self.lines])
        ends = share_interval(np.clip(mean, 0, 1), error, seen.deals, wide)
        low, high = np.where(part, ends[0], mean - wide * error), np.where(part, ends[1], mean + wide * error)
        return widened(mean, low, high, self._spread(seen), self._tunings(seen), level)

    def _spread(self, seen: Seen) -> Floats:
        """Return the standard error that the choice among tunings adds to every line.

        A few players tell little about how much players differ in one line, so all targets, and all lines that are
        kept, are put together, each in half-widths of its band; and so are all changes, unless this one differs more.
        """
        if seen.apart is None or seen.players < 2:
            return np.zeros(len(self.lines))
        half, kept = (np.array([getattr(line, name) for line in self.lines]) for name in ("half", "kept"))
        several = [one for one, _ in self.played if one.apart is not None and one.players > 1]
        parts = np.array([(one.apart / half) ** 2 for one in (seen, *several)])
        mean = np.stack([parts[:, kept == one].mean(axis=1) for one in kept], axis=1)
        if several:
            mean = np.stack([mean[0], np.average(mean[1:], axis=0, weights=[one.players - 1 for one in several])])
        return np.asarray(half * np.sqrt(mean.max(axis=0) / seen.players))

    def _tunings(self, seen: Seen) -> int:
        """Return how many tunings of one change tell as much about their differences as those of all changes."""
        groups = {who for _, who in self.played if len(who) > 1}
        return max(seen.players, len({one for who in groups for one in who}) - len(groups) + 1)

    def target(self, seen: Seen) -> str:
        """Return whether a change meets all targets, misses one of them, changes the game, or is undecided."""
        low, high = self.ends(seen)
        bands = [(line, line.wanted - line.near, line.wanted + line.near) for line in self.lines]
        ends = list(zip(bands, low, high, strict=True))
        if any(not line.kept and (least > top or most < bottom) for (line, bottom, top), least, most in ends):
            return MISSES
        if self.breaks(seen):
            return CHANGES
        met = all(least >= bottom and most <= top for (_, bottom, top), least, most in ends)
        return MEETS if met else OPEN

    def breaks(self, seen: Seen) -> list[tuple[Line, float]]:
        """Return the lines that should stay and do not, each with the part of its value that it gains or loses."""
        away = distances(self.lines, seen.mean)
        found = [
            (line, float(value) / line.wanted - 1)
            for line, value, one in zip(self.lines, seen.mean, away, strict=True)
            if line.kept and one > 1 and line.wanted
        ]
        return sorted(found, key=lambda pair: -abs(pair[1]))

    def needed(self, seen: Seen) -> float:
        """Return the factor by which more deals would decide, in nine of ten runs; they do not bring tunings closer."""
        whole, half = ((high - low) / 2 for low, high in (self.ends(seen), self.ends(replace(seen, apart=None))))
        room = np.array([line.near for line in self.lines]) - np.abs(seen.mean - [line.wanted for line in self.lines])
        rest = np.nan_to_num(np.sqrt(np.maximum(room**2 - (whole**2 - half**2), 0)))
        with np.errstate(divide="ignore"):
            factor = ((self.constant + POWER) / self.constant * half / rest) ** 2
        outside = [one for one, left, line in zip(factor, room, self.lines, strict=True) if left < 0 and not line.kept]
        return float(min(outside) if outside else factor[room >= 0].max())

    def decides(self, seen: Seen, games: int) -> int | None:
        """Return the number of games (`--games`) that would decide; None if no sensible number does."""
        wish = self.needed(seen) * games / SURELY
        if not wish < MOST_GAMES:
            return None
        digit = 10 ** max(len(str(int(wish))) - 2, 0)
        return int(math.ceil(wish / digit) * digit)

    def ranked(self, played: Sequence[Played]) -> list[Played]:
        """Return the changes that meet the target, smallest first, then undecided ones, then what changes the game.

        Of changes of the same things by other numbers, only the first is returned.  Those that miss the target are left
        out, unless all do; then the closest one is returned.  The intervals of all changes hold at once, so that these
        may be chosen.
        """
        targets = {id(seen): self.target(seen) for seen, _ in played}
        order = (MEETS, OPEN, CHANGES, MISSES)

        def place(pair: Played) -> tuple[int, float]:
            found = targets[id(pair[0])]
            far = self.size(pair[0]) if found == MEETS else farthest(self.lines, pair[0].mean)
            return order.index(found), far

        found: dict[str | frozenset[str], Played] = {}
        for pair in sorted(played, key=place):
            if targets[id(pair[0])] != MISSES or not found:
                found.setdefault(self.idea(pair[0]), pair)
        return list(found.values())

    def settled(self, played: Sequence[Played], games: int) -> list[Played]:
        """Play more deals for undecided changes that might come first: the first one, and all smaller ones."""
        found, first = list(played), self.ranked(played)[:1]
        for at, (seen, who) in enumerate(played):
            needed = self.needed(seen)
            if self.target(seen) == OPEN and self.size(seen) <= self.size(first[0][0]) and math.isfinite(needed):
                factor = math.ceil(min(needed, MORE))
                more = self.search.trials.see(seen.point, FRESH, factor * games, who, seen.variant)
                found[at] = more, who
        return found

    def gone(self, before: Seen, after: Seen) -> float:
        """Return which part of the distance from the target a change takes away, whatever else it changes."""
        aims = np.array([not line.kept for line in self.lines])
        was, now = (float(distances(self.lines, seen.mean)[aims].max()) for seen in (before, after))
        return 1 - now / was if was else 0.0

    def between(self, seen: Seen, players: int) -> dict[str, float | None]:
        """Return the distance that a change leaves between the best and the worst seat (or camp).

        None if the wins (or payoffs) of the seats, or the wins of the camps, are not all among the targets.
        """
        low, high = self.ends(seen)
        for kind in ("camp", "seat"):
            own = [
                at
                for at, line in enumerate(self.lines)
                if line.kind == kind and not line.kept and line.players in (0, players)
            ]
            wanted = [self.lines[at].wanted for at in own]
            payoffs = len(own) == players and not any(self.lines[at].is_share for at in own)
            if payoffs or sum(wanted) > 1 - ALL:
                found = distance(seen.mean[own], low[own], high[own], wanted)
                return dict(zip(LEFT, astuple(found), strict=True))
        return dict.fromkeys(LEFT)

    def already(self, before: Seen) -> bool:
        """Return whether the rules as they are meet the target with confidence."""
        low, high = self.ends(before, bonferroni(self.level, len(self.lines)))
        return all(
            line.kept or (least >= line.wanted - line.near and most <= line.wanted + line.near)
            for line, least, most in zip(self.lines, low, high, strict=True)
        )


# --- The verdicts of a search: the first change, levers that are dead or turn, and the prices of seats ---


_STATUS = {MEETS: "fair", MISSES: "tilted"}


def judge(
    found: Mend, edits: Edits, apart: float, curves: Sequence[Curve], already: bool, hardly: bool = False
) -> tuple[Verdict, ...]:
    """Return the verdicts: whether the present rules meet the target, otherwise the first change; and so on.

    found: The result, still without verdicts.
    edits: What the first change changes.
    apart: How far apart the best and the worst seat or camp are before the change.
    curves: What each lever does alone.
    already: Whether the present rules meet the target.
    hardly: Whether even the first change hardly helps.
    """
    players = tuple(map(str, found.counts))
    said = [Verdict("mend_already", "fair", {"target": found.target, "players": players})] if already else []
    missed = found.changes.is_empty() or found.changes["target"][0] == MISSES
    if hardly and not missed and not already:
        said.append(Verdict("mend_hardly", "unclear", {"change": edits, "target": found.target, "players": players}))
    elif not already:
        said.append(_first(found, edits, apart, players))
    for shape, code in ((DEAD, "mend_dead"), (STILL, "mend_still"), (TURNS, "mend_turns")):
        names = Keys(dict.fromkeys(curve.key for curve in curves if curve.shape == shape))
        if names:
            said.append(Verdict(code, "fact", {"names": names, "players": players, "count": len(names)}))
    if not found.prices.is_empty():
        price, high = found.prices["price"], found.prices["price_high"]
        prices, coins = (tuple(f"{amount:.0f}" for amount in column) for column in (price, price.max() - price))
        values = {"prices": prices, "coins": coins, "half": (high - price).max(), "players": players}
        said.append(Verdict("mend_prices", "fact", values))
    return tuple(said)


def by_habit(edits: Edits, before: float, left: float, error: float, unit: str, camps: bool) -> Verdict:
    """Return the answer with the players as they are, which is given while others are tuned."""
    kind = "none" if not edits else "payoff" if unit else "camps" if camps else "seats"
    values: dict[str, Any] = {"before": before, "left": left}
    return Verdict(f"mend_first_{kind}", "unclear", {"change": edits} | _amounts(values, error, unit, sign=""))


def _amounts(values: dict[str, Any], error: float | None, unit: str, sign: str = "+") -> dict[str, Any]:
    return as_amounts(values, error, sign) | {"unit": unit} if unit else values


def _first(search: Mend, edits: Edits, apart: float, players: tuple[str, ...]) -> Verdict:
    """Return the verdict on the first row."""
    if search.changes.is_empty():
        return Verdict("mend_nothing", "tilted", {"target": search.target, "players": players})
    first = search.changes.row(0, named=True)
    values: dict[str, Any] = {
        "change": edits,
        "target": search.target,
        "players": players,
        "deals": first["deals"],
        "decides": first["decides"],
        "broken": first["breaks"],
        "by": first["breaks_by"],
    }
    state = "close" if first["target"] == OPEN and first["decides"] is None else first["target"]
    if first["left"] is None:
        kind, more = _farthest(search.table.filter((pl.col("rank") == 1) & ~pl.col("kept")), search.unit)
    else:
        kind = "camps" if "camp" in set(search.table["kind"]) else "seats"
        kind = f"payoff_{kind}" if search.unit else kind
        more = {"left": first["left"], "low": first["left_low"], "high": first["left_high"], "before": apart}
        more = _amounts(more, (first["left_high"] - first["left_low"]) / 4, search.unit, sign="")
        denied = search.ahead[0] if first["target"] == DENIED else None
        if denied is not None:
            seen = {f"other_{end}": 100 * denied.answer.values[end] for end in ("share", "low", "high", "par")}
            who = str(denied.answer.values.get("seat", denied.answer.values.get("camp")))
            more |= seen | {"at": denied.players, "who": who, "games": denied.games}
            return Verdict(f"mend_denied_{kind}", "unclear", values | more)
    return Verdict(f"mend_{state}_{kind}", _STATUS.get(state, "unclear"), values | more)


def _farthest(own: pl.DataFrame, unit: str) -> tuple[str, dict[str, Any]]:
    """Return whether the line farthest from its target is a seat, another share or a number, and its values."""
    half = (own["highest"] - own["wanted"]).to_numpy()
    away = ((own["value"] - own["wanted"]).abs() / half).to_numpy()
    row = own.row(int(away.argmax()), named=True)
    named = {"name": row["name"], "seat": row["name"].rpartition("-")[2]}
    values = {
        "wanted": row["wanted"],
        "value": row["value"],
        "low": row["value_low"],
        "high": row["value_high"],
        "before": row["before"],
    }
    if row["kind"] == "seat" and unit:
        return "payoff_seat", named | _amounts(values, (row["value_high"] - row["value_low"]) / 4, unit)
    return "seat" if row["kind"] == "seat" else "share" if row["is_share"] else "number", named | values


# --- The tables of a search: the changes, what each does to every line, what it edits, and the frontier ---


def change_of(ranking: Ranking, seen: Seen) -> str:
    """Return the name of a change: its settings, or the name of the rule set; empty for the rules as they are."""
    if seen.variant:
        return seen.variant
    search = ranking.search
    counts = sorted({lever.players for lever in search.levers if lever.players})
    if not counts:
        return ", ".join(settings_of(search.levers, seen.point))
    told = [(players, settings_of(search.levers, seen.point, players)) for players in counts]
    return "; ".join(f"{players} players: {', '.join(settings)}" for players, settings in told if settings)


def lines_of(ranking: Ranking, rank: int, before: Seen, habit: Seen, seen: Seen) -> Iterator[dict[str, Any]]:
    """Yield one row for each line of a change."""
    low, high = ranking.ends(seen)
    for at, line in enumerate(ranking.lines):
        yield {
            "rank": rank,
            "change": change_of(ranking, seen),
            "players": line.players,
            "name": line.name,
            "kind": line.kind,
            "is_share": line.is_share,
            "kept": line.kept,
            "wanted": line.wanted,
            "lowest": line.wanted - line.near,
            "highest": line.wanted + line.near,
            "before": float(before.mean[at]),
            "habit": float(habit.mean[at]),
            "value": float(seen.mean[at]),
            "value_low": float(low[at]),
            "value_high": float(high[at]),
        }


def change_row(
    ranking: Ranking, rank: int, seen: Seen, counts: Sequence[int], games: int, ahead: Ahead | None
) -> dict[str, Any]:
    """Return the row of a change."""
    target = DENIED if ahead and ahead.place == 2 else ranking.target(seen)
    broken = ranking.breaks(seen)
    left = {players: ranking.between(seen, players) for players in counts}
    worst = max(left.values(), key=lambda one: one["left"] or 0.0)
    apart = {f"left_at_{players}": one["left"] for players, one in left.items()} if len(counts) > 1 else {}
    return {
        "rank": rank,
        "change": change_of(ranking, seen),
        "variant": seen.variant or None,
        "touched": len(ranking.edits(seen)),
        "size": ranking.size(seen),
        "farthest": farthest(ranking.lines, seen.mean),
        **worst,
        **apart,
        "target": target,
        "breaks": broken[0][0].name if broken else None,
        "breaks_by": broken[0][1] if broken else None,
        "deals": seen.deals,
        "decides": ranking.decides(seen, games) if target == OPEN else None,
        "ahead": ahead.answer.says if ahead else None,
    }


CHANGE_TYPES = {
    "variant": pl.String, "breaks": pl.String, "breaks_by": pl.Float64, "decides": pl.Int64, "left": pl.Float64,
    "left_low": pl.Float64, "left_high": pl.Float64, "ahead": pl.String,
}  # fmt: skip


def edit_rows(ranking: Ranking, rank: int, seen: Seen) -> Iterator[dict[str, Any]]:
    """Yield one row for each value that a change moves."""
    for edit in ranking.edits(seen):
        yield {"rank": rank, "key": edit.key, "old": str(edit.old), "new": str(edit.new), "players": edit.players}


def frontier(ranking: Ranking, seen: Sequence[Seen], counts: Sequence[int]) -> pl.DataFrame:
    """Return the size of each change and the distance that it leaves, smallest first."""
    rows = []
    targets = np.array([not line.kept for line in ranking.lines])
    order = {(one.point, one.variant): one for one in sorted(seen, key=ranking.size)}
    for one in order.values():
        low, high = ranking.ends(one)
        at = int(np.argmax(np.where(targets, distances(ranking.lines, one.mean), -1)))
        line = ranking.lines[at]
        left = max((ranking.between(one, players) for players in counts), key=lambda own: own["left"] or 0.0)
        rows.append(
            {
                "touched": len(ranking.edits(one)),
                "size": ranking.size(one),
                "change": change_of(ranking, one),
                "players": line.players,
                "farthest": line.name,
                "kind": line.kind,
                "is_share": line.is_share,
                "wanted": line.wanted,
                "value": float(one.mean[at]),
                "value_low": float(low[at]),
                "value_high": float(high[at]),
                "off": abs(float(one.mean[at]) - line.wanted),
                "off_low": max(float(low[at]) - line.wanted, line.wanted - float(high[at]), 0.0),
                "off_high": max(abs(float(high[at]) - line.wanted), abs(float(low[at]) - line.wanted)),
                "distance": float(distances(ranking.lines, one.mean)[at]),
                **left,
            }
        )
    return pl.DataFrame(rows)


def moved(
    trials: GameTrials, before: Seen, fresh: Sequence[Played], games: int, level: float, tick: Tick
) -> pl.DataFrame:
    """Return what else every change moves at each number of players, with players who know it."""
    if any(spec.searches for spec in trials.specs):
        return pl.DataFrame()
    most = min(games, GAMES) + min(games, CARD_GAMES)
    total = most * len(fresh) * len(trials.specs)
    frames: list[pl.DataFrame] = []
    for rank, (seen, who) in enumerate(fresh, 1):
        sides = (
            [trials.specs_at(before.point, FRESH, games)],
            [trials.specs_at(seen.point, FRESH, games, one, variant=seen.variant) for one in who or (0,)],
        )
        for old, new in zip(*(zip(*side, strict=True) for side in sides), strict=True):
            at = len(frames) * most
            found = what_moved(
                old,
                new,
                level,
                lambda done, at=at: tick("games of what else moved", at + done, total),  # type: ignore[misc]
            )
            frames.append(found.select(pl.lit(rank).alias("rank"), pl.lit(new[0].players).alias("players"), pl.all()))
    return pl.concat(frames) if frames else pl.DataFrame()
