"""What a mended game looks like: shares of the wins, measures of the game and effects of cards, each within a band."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from functools import partial
from typing import Any, Protocol

import numpy as np

from analysis.compare.shares import judged_by, totals
from analysis.data.in_parallel import in_parallel
from analysis.data.sources import SpecSource
from analysis.data.store import digest_of, keep_plain, recall_plain
from analysis.measures.quantities import OF_CARD, PAYOFF, SHARES, cards_in, judging, of_whole_table
from analysis.measures.rows import LENGTH
from analysis.measures.sampling import Side
from analysis.seats.shares import SOME
from analysis.stats.margin import Margin
from analysis.stats.moments import Floats
from analysis.sweep.sweeping import CAMPS, SEATS, check_camps, lines_of
from simcore.errors import UsageError, nearest, shown
from simcore.rules.files import Rules, load_rules
from simcore.rules.levers import Lever, Point, settings_of
from simcore.running.batch import Spec
from simcore.running.executors import CHUNK
from strategies.spec import under_rules
from strategies.tuning.retune import Retuned

CARDS = "cards"

OUT_OF_LINE = 1.5
"""A card has too much effect if its effect is larger than this many times the median effect of all cards."""

KEPT_WITHIN = 0.1
"""Default part of its present value within which a measure is kept that a user names."""

SAME_GAME = 1 / 3
"""Part of its value within which each measure stays that makes the game what it is, if nobody says otherwise."""

NOTHING = "nothing"
"""What a user keeps who lets everything move."""

USED = 0.1
"""Uses in a game that a card or an action needs at least to be kept."""

AIM = 3
"""The search aims at a distance from the target that is this many times smaller than the margin."""

_EDGE = 1e-4
_SEAT = re.compile(r"seat[ _-]?\d+")
_VALUE = re.compile(r"([+-]?\d{1,9}(?:\.\d{1,9})?)\s*(%?)")


@dataclass(frozen=True)
class Line:
    """One number that has to lie within a band."""

    name: str  # "seat-3", a camp or role, a measure or a card
    kind: str  # "seat", "camp", "role", "strategy", "measure" or "card"
    parts: tuple[tuple[str, str, float], ...]  # the terms of its sum: family and member of a measure, and its factor
    is_share: bool  # whether it is a share or a rate
    wanted: float = float("nan")
    half: float = float("nan")
    """wanted, half: The middle of the band at which the search aims and half its width; NaN until the game as it is has
    been played."""
    kept: bool = False  # whether it must stay as it is
    tolerance: float = KEPT_WITHIN  # the part of its present value by which it may move
    players: int = 0  # the number of players at whose table it is measured
    par: bool = False
    """Whether a seat or camp is wanted to win its par; its value is then its share of the games that somebody wins."""

    def scaled(self, value: Floats | float) -> Floats:
        """Return values on the scale on which levers act evenly: log-odds for shares, or the values themselves."""
        if not self.is_share:
            return np.asarray(value, np.float64)
        part = np.clip(value, _EDGE, 1 - _EDGE)
        return np.asarray(np.log(part / (1 - part)))

    @property
    def near(self) -> float:
        """The distance from what is wanted that counts as close enough; without a margin, half the band."""
        return self.half if self.kept or self.kind == "card" else AIM * self.half

    @property
    def room(self) -> float:
        """Half the width of the band on that scale."""
        if not self.is_share:
            return self.half
        return float(self.half / np.clip(self.wanted * (1 - self.wanted), _EDGE, None))

    def settled(self, now: float, others: Sequence[float]) -> Line:
        """Return the line with its band, from the present values of the line and of all lines of its kind."""
        if self.kept:
            return replace(self, wanted=now, half=max(abs(now) * self.tolerance, _EDGE))
        if np.isnan(self.half):
            return replace(self, wanted=0.0, half=max(OUT_OF_LINE * float(np.median(np.abs(others))), _EDGE))
        return self


def read_lines(
    spec: Spec, targets: Sequence[str], keep: Sequence[str], margin: Margin, uses: Sequence[str] = ()
) -> tuple[Line, ...]:
    """Return the lines for the targets, and those that are kept.

    spec: The game as it is.
    targets: "seats", "camps", "cards", "cards=LIMIT", or a seat, role, camp, strategy or measure and its value, such as
        "lord=0.5", "runaway=20%" or "length=12".
    keep: Seats, roles, camps, strategies or measures that stay within a tenth of their value, or within another part of
        it, as in "lead_changes=20%".  Unless "nothing" is among them, changes of the lead, the length and `uses` are
        kept as well, within a third.
    margin: Distance from its value at which a target counts as met; the search aims at a third of it.
    uses: Columns that count how often a card or an action is used; patterns such as "played_*".
    Raises UsageError if there is no such measure, or a value is missing or impossible.
    """
    source = SpecSource(spec)
    shares = dict(lines_of(spec))
    measures = {
        name: Line(name, "measure", ((family, "", 1.0),), is_share)
        for name, (family, is_share) in of_whole_table(source).items()
    }
    for name in source.cast_names if source.mixed else ():  # the share of every strategy
        measures[name] = Line(name, "strategy", (("win_share_by_strategy", name, 1.0),), True)
    known = [SEATS, CAMPS, CARDS, *shares, *measures]
    found: dict[str, Line] = {}
    own_keep = [text for text in keep if text.strip() != NOTHING]
    for text, kept in [(text, False) for text in targets] + [(text, True) for text in own_keep]:
        name, equals, value = (part.strip() for part in text.partition("="))
        where = "keep" if kept else "target"
        if name == LENGTH and LENGTH not in measures:
            raise UsageError(f"{spec.game.title} has no column for the length of a game; name a measure", where)
        if name not in known or (kept and name in (SEATS, CAMPS, CARDS)):
            listed = [*shares, *measures] if kept else known
            seats = f"; the seats are seat-1 to seat-{spec.players}" if _SEAT.fullmatch(name) else nearest(name, listed)
            raise UsageError(f"'{shown(name)}' cannot be measured here{seats}", where)
        if name in (SEATS, CAMPS) and equals:
            raise UsageError(f"'{shown(text)}': write {name} alone, or one of them and its share", where)
        number = _number(text, value, where) if equals else None
        check_camps(spec, name)
        if name in (SEATS, CAMPS):
            made = [_share(spec, one, line) for one, line in lines_of(spec, name)]
            wanted = np.array([line @ np.array(spec.judged.par) for _, line in lines_of(spec, name)])
            half = spec.judged.distance(margin.room(spec.judged, wanted)) / AIM
            ends = zip(spec.judged.amount(wanted).tolist(), half.tolist(), strict=True)
            own = [
                replace(line, wanted=fair, half=wide, par=not spec.judged.is_payoff)
                for line, (fair, wide) in zip(made, ends, strict=True)
            ]
        elif name == CARDS:
            own = list(_cards(source, number))
        else:
            line = _share(spec, name, shares[name]) if name in shares else measures[name]
            own = [_of_one(spec, line, number, kept, margin, text, where)]
        found |= {line.name: line for line in own if not (kept and line.name in found)}
    if len(own_keep) == len(keep) and not spec.searches:
        patterns = ("lead_changes", LENGTH, *uses)
        same = [line for name, line in measures.items() if any(fnmatchcase(name, one) for one in patterns)]
        found = {line.name: replace(line, kept=True, tolerance=SAME_GAME) for line in same} | found
    return tuple(replace(line, players=spec.players) for line in sorted(found.values(), key=lambda line: line.kept))


def in_use(lines: Sequence[Line], values: Floats) -> tuple[Line, ...]:
    """Return the lines without the cards and actions that are hardly used, from the values of all lines."""
    pairs = zip(lines, values, strict=True)
    return tuple(line for line, value in pairs if line.tolerance != SAME_GAME or value * line.players >= USED)


def _of_one(spec: Spec, line: Line, number: float | None, kept: bool, margin: Margin, text: str, where: str) -> Line:
    """Return a line with the value that a user wants, or with the part of its value within which it is kept."""
    if kept:
        if number is not None and not 0 < number < 1:
            raise UsageError(f"'{shown(text)}': give the part of its value by which it may move, such as 20%", where)
        return replace(line, kept=True, tolerance=KEPT_WITHIN if number is None else number)
    if number is None:
        raise UsageError(f"'{shown(text)}': say which value it should have, as in {line.name}=VALUE", where)
    if line.is_share and not 0 < number < 1:
        raise UsageError(f"'{shown(text)}': write a share between 0 and 1, such as 0.25 or 25%", where)
    if line.parts[0][0] == PAYOFF:
        half = float(spec.judged.distance(margin.room(spec.judged, 0.0)))
    else:
        half = float(margin.at(number)) if line.is_share else margin.size * max(abs(number), _EDGE)
    return replace(line, wanted=number, half=half / AIM)


def _number(text: str, value: str, where: str) -> float:
    found = _VALUE.fullmatch(value)
    if not found:
        raise UsageError(f"'{shown(text)}': '{shown(value)}' is not a number such as 0.25, 25% or 12", where)
    return float(found[1]) / (100 if found[2] else 1)


def _share(spec: Spec, name: str, line: Floats) -> Line:
    family = PAYOFF if spec.judged.is_payoff else SHARES
    parts = tuple((family, f"seat-{seat + 1}", float(weight)) for seat, weight in enumerate(line) if weight)
    kind = "seat" if name.startswith("seat-") else "camp" if name in spec.camps else "role"
    return Line(name, kind, parts, not spec.judged.is_payoff)


def _cards(source: SpecSource, limit: float | None) -> Iterator[Line]:
    """Yield the effect of every card on the measure by which cards are judged."""
    names = cards_in(source)
    if not names:
        raise UsageError(f"{source.spec.game.title} declares no chance cards; choose another target", "target")
    if limit is not None and limit <= 0:
        raise UsageError("the largest effect that a card may have must be more than 0", "target")
    family, member = judged_by(source)[0]
    half = float("nan") if limit is None else limit
    for card in names:
        yield Line(card, "card", ((family, member, 1.0),), False, 0.0, half)


def distances(lines: Sequence[Line], values: Floats) -> Floats:
    """Return the distances of values from the middles of their bands, in half-widths; 1 is the edge of the band."""
    wanted, half = (np.array([getattr(line, name) for line in lines]) for name in ("wanted", "half"))
    return np.asarray(np.abs(values - wanted) / half)


def farthest(lines: Sequence[Line], values: Floats) -> float:
    """Return the largest distance of a target, or of a kept line if that is outside its band."""
    away = distances(lines, values)
    return max((one for one, line in zip(away, lines, strict=True) if not line.kept or one > 1), default=0.0)


# Play the rules at a point of the levers: on the same deals as other points, by one or several sets of players.


BLOCKS = 100
"""Number of blocks of deals, from which every error is computed."""

Retune = Callable[[Sequence[Spec], int], tuple[Sequence[Spec], tuple[Retuned, ...]]]
"""Function that lets players who know the rules play some runs, and returns who was tuned; it is called with the runs
and the number of the tuning, from 0."""

Who = tuple[int, ...]
"""Numbers of the players who play a point, each with an equal part of the games; if empty, the players as they are."""

Tick = Callable[[str, int, int], None]
"""Called from time to time with what is being done, the number done, and the total."""


@dataclass(frozen=True, eq=False)
class Seen:
    """The results at a point."""

    point: Point  # the values of the levers
    blocks: Floats  # means of every line in every block of deals, shape (blocks, lines)
    deals: int  # number of deals that were played
    fate: str  # digest of who won which deal
    apart: Floats | None = None
    """How much the players who know the point differ in each line, without chance (standard deviation); NaN for fewer
    than two players."""
    players: int = 1  # number of players who share the games
    variant: str = ""  # name of the rule set that was played instead of the point; if empty, the point itself

    @property
    def mean(self) -> Floats:
        """The mean of every line."""
        return np.asarray(self.blocks.mean(axis=0))

    @property
    def error(self) -> Floats:
        """The error of the means, from blocks."""
        return np.asarray(self.blocks.std(axis=0, ddof=1) / np.sqrt(len(self.blocks)))


class Trials(Protocol):
    """An object that plays points; this is all that a search knows about the game."""

    def see(self, point: Point, deals: int, games: int, who: Who, variant: str = "") -> Seen:
        """Play a point, or a variant, on a series of deals, with a number of games, by some players."""

    def learn(self, point: Point, number: int = 0, variant: str = "") -> int:
        """Return the number of the players of one of several tunings for a point; 0 if nobody was tuned."""


@dataclass(eq=False)
class GameTrials:
    """A game whose rules change with the levers."""

    specs: Sequence[Spec]  # the game as it is, at each number of players
    levers: Sequence[Lever]
    lines: Sequence[Line]
    """levers, lines: What may change, and what is measured."""
    tune: Retune | None = None  # function that tunes players.  If None, they stay as they are.
    threads: int | None = None  # number of threads.  If None, one for each processor.
    hear: Callable[[int], None] = lambda games: None
    """Function that is called with the number of games of every point that was played or recalled."""
    casts: list[Sequence[Spec]] = field(default_factory=list)
    retuned: list[Retuned] = field(default_factory=list)
    played: int = 0
    kept: int = 0
    _known: dict[tuple[Point, int, str], int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.casts.append(self.specs)

    def rules(self, point: Point, players: int, variant: str = "") -> Rules:
        """Return the rules at a point, or those of a variant, as they are at a number of players.

        Raises
        ------
        UsageError
            If the rules forbid these values together.
        """
        first = self.specs[0]
        if variant:
            return load_rules(first.game, variant).measuring(first.rules)
        return load_rules(first.game, first.rules, settings_of(self.levers, point, players))

    def specs_at(
        self, point: Point, deals: int, games: int, who: int = 0, part: int = 0, variant: str = ""
    ) -> list[Spec]:
        """Return the runs of a point by some players, at each number of players; 0 means the players as they are.

        Every part has its own deals.
        """
        series = [self.specs[0].seed, deals, *([part] if part else [])]
        seed = int(np.random.SeedSequence(series).generate_state(1, np.uint64)[0]) if deals else None
        found = []
        for cast in self.casts[who]:
            rules, per_deal = self.rules(point, cast.players, variant), cast.games_per_deal
            found.append(
                replace(
                    under_rules(cast, rules),
                    rules_reference=self.specs[0].rules_reference,
                    seed=cast.seed if seed is None else seed,
                    games=-(-games // (BLOCKS * per_deal)) * BLOCKS * per_deal,
                )
            )
        return found

    def see(self, point: Point, deals: int, games: int, who: Who, variant: str = "") -> Seen:
        """Play a point, or recall its stored results; several players share the games, each on other deals."""
        each, several = -(-games // max(len(who), 1)), len(who) > 1
        runs = [
            self._runs(self.specs_at(point, deals, each, one, one if several else 0, variant)) for one in who or (0,)
        ]
        blocks, fate = np.array([run[0] for run in runs]), hashlib.sha256("".join(run[1] for run in runs).encode())
        count = sum(run[2] for run in runs)
        return Seen(point, blocks.mean(axis=0), count, fate.hexdigest(), _apart(blocks), len(runs), variant)

    def _runs(self, specs: Sequence[Spec]) -> tuple[Floats, str, int]:
        """Return the blocks of all lines, the digest of outcomes and the number of deals at each number of players."""
        blocks = np.empty((BLOCKS, len(self.lines)))
        fates = []
        for spec in specs:
            own = [at for at, line in enumerate(self.lines) if line.players == spec.players]
            blocks[:, own], fate = self._run(spec, [self.lines[at] for at in own])
            fates.append(fate)
        return blocks, "".join(fates), specs[0].games // specs[0].games_per_deal

    def _run(self, spec: Spec, lines: Sequence[Line]) -> tuple[Floats, str]:
        """Return the blocks and the digest of outcomes of a run."""
        digest = digest_of(
            spec, "mend", *(str((line.kind == "card", line.name, line.parts, line.par)) for line in lines)
        )
        known = _whole(recall_plain(digest), len(lines))
        if known:
            self.kept += spec.games
        else:
            known = measure(spec, lines, self.threads)
            keep_plain(digest, {"blocks": known[0].tolist(), "fate": known[1]})
            self.played += spec.games
        self.hear(spec.games)
        return known

    def learn(self, point: Point, number: int = 0, variant: str = "") -> int:
        """Tune players for a point, only once for each number of the tuning."""
        if self.tune is None or (not variant and point == tuple(lever.value for lever in self.levers)):
            return 0
        key = point, number, variant
        if key not in self._known:
            specs = self.specs_at(point, 0, self.specs[0].games, 0, 0, variant)
            made, found = self.tune(specs, number)
            if not found:
                return 0
            self.casts.append(
                [replace(one, strategies=old.strategies) for one, old in zip(made, self.specs, strict=True)]
            )
            self.retuned += found
            self._known[key] = len(self.casts) - 1
        return self._known[key]


def _apart(blocks: Floats) -> Floats:
    """Return how much players differ beyond chance, from the blocks of each, shape (players, blocks, lines)."""
    players, count, lines = blocks.shape
    if players < 2:
        return np.full(lines, np.nan)
    chance = (blocks.var(axis=1, ddof=1) / count).mean(axis=0)
    return np.asarray(np.sqrt(np.maximum(blocks.mean(axis=1).var(axis=0, ddof=1) - chance, 0.0)))


def _whole(kept: Any, lines: int) -> tuple[Floats, str] | None:
    """Return the stored results of a point; None if they are incomplete."""
    try:
        blocks, fate = np.array(kept["blocks"], np.float64), str(kept["fate"])
    except (KeyError, TypeError, ValueError):
        return None
    return (blocks, fate) if blocks.shape == (BLOCKS, lines) and np.isfinite(blocks).all() else None


def measure(spec: Spec, lines: Sequence[Line], threads: int | None = None) -> tuple[Floats, str]:
    """Play a run; return the means of lines by block of deals, and a digest of the outcomes of all deals."""
    if any(line.kind == "card" for line in lines):
        return _with_cards(spec, lines, threads)
    families = {family for line in lines for family, _, _ in line.parts}
    if families in ({SHARES}, {PAYOFF}):
        values = spec.judged.amount(totals(SpecSource(spec), threads).shares)
        position = {(family, f"seat-{seat + 1}"): seat for family in families for seat in range(spec.players)}
    else:
        values, position = _measured(spec, sorted({*families, *judging(SpecSource(spec))}), threads)
    matrix = np.zeros((values.shape[1], len(lines)))
    for at, line in enumerate(lines):
        for family, member, weight in line.parts:
            matrix[position[family, member], at] += weight
    fate = hashlib.sha256(np.ascontiguousarray(values).tobytes()).hexdigest()
    means = values.reshape(BLOCKS, -1, values.shape[1]).mean(axis=1)
    blocks, par = means @ matrix, [at for at, line in enumerate(lines) if line.par]
    if par:
        won = means[:, [position[SHARES, f"seat-{seat + 1}"] for seat in range(spec.players)]].sum(axis=1)
        blocks[:, par] /= np.where((won > 0) & (won < 1 - SOME), won, 1.0)[:, None]
    return blocks, fate


def _measured(spec: Spec, families: Sequence[str], threads: int | None) -> tuple[Floats, dict[tuple[str, str], int]]:
    """Return the measures of every deal, and the position of each measure."""
    read = partial(_means, spec, tuple(families))
    with closing(in_parallel(read, SpecSource(spec).stretches(), threads, travels=True)) as results:
        return np.concatenate(list(results)), Side(spec, families, ()).position


def _means(spec: Spec, families: Sequence[str], games: range) -> Floats:
    """Play some games; return the measures of every deal."""
    deals = range(games.start // spec.games_per_deal, games.stop // spec.games_per_deal)
    return Side(spec, families, ()).play(deals, ())[0]


def _with_cards(spec: Spec, lines: Sequence[Line], threads: int | None) -> tuple[Floats, str]:
    """Return the same if lines are effects of cards: every deal that holds one is also played with a blank."""
    cards = [line.name for line in lines if line.kind == "card"]
    plain = [line for line in lines if line.kind != "card"]
    ((family, member, _),) = next(line.parts for line in lines if line.kind == "card")
    effects, held = _effects(spec, (family, member), cards, threads)
    with np.errstate(invalid="ignore"):
        blocks = effects.reshape(BLOCKS, -1, len(cards)).sum(axis=1) / held.reshape(BLOCKS, -1, len(cards)).sum(axis=1)
    overall = effects.sum(axis=0) / np.maximum(held.sum(axis=0), 1)  # in blocks without the card; 0 if none holds it
    blocks = np.where(np.isfinite(blocks), blocks, overall)
    found: dict[str, Any] = dict(zip(cards, blocks.T, strict=True))
    fate = hashlib.sha256(np.ascontiguousarray(effects).tobytes())
    if plain:
        others, more = measure(spec, plain, threads)
        found |= {line.name: others[:, at] for at, line in enumerate(plain)}
        fate.update(more.encode())
    return np.stack([found[line.name] for line in lines], axis=1), fate.hexdigest()


def _effects(spec: Spec, judged: tuple[str, str], cards: Sequence[str], threads: int | None) -> tuple[Floats, Floats]:
    """Return the effect of each card on a measure in each deal, and which deals hold it: shape (deals, cards)."""
    side = Side(spec, [OF_CARD + judged[0]], cards)
    at, deals, step = side.position[judged], spec.games // spec.games_per_deal, max(CHUNK // spec.games_per_deal, 1)

    def play(stretch: range) -> Floats:
        means, effects = side.play(stretch, cards)
        absent = np.zeros_like(means), np.zeros(len(means), bool)  # of a card that these rules leave out
        return np.stack(
            [(one[:, at], holding) for one, holding in (effects.get(card, absent) for card in cards)], axis=2
        )

    stretches = [range(first, min(first + step, deals)) for first in range(0, deals, step)]
    with closing(in_parallel(play, stretches, threads)) as results:
        effects, held = np.concatenate(list(results), axis=1)
    return effects, held
