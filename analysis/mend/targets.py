"""What a mended game looks like: shares of the wins, measures of the game and effects of cards, each within a band."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

import numpy as np

from analysis.compare.moved import judged_by
from analysis.data.sources import SpecSource
from analysis.measures.quantities import LENGTH, PAYOFF, SHARES, cards_in, of_whole_table
from analysis.stats.margin import Margin
from analysis.stats.moments import Floats
from analysis.sweep.target import CAMPS, SEATS, lines_of
from simcore.errors import UsageError, nearest
from simcore.running.batch import Spec
from simcore.toml_tables import shown

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
    measures = {**dict(_measures(source)), **dict(_strategies(source))}
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
        if name == CAMPS and not spec.camps:
            raise UsageError(f"{spec.game.title} has no camps; write {SEATS}", where)
        if name in (SEATS, CAMPS):
            made = [_share(spec, one, line) for one, line in lines_of(spec, name)]
            wanted = np.array([line @ np.array(spec.judged.par) for _, line in lines_of(spec, name)])
            half = spec.judged.distance(margin.room(spec.judged, wanted)) / AIM
            ends = zip(spec.judged.amount(wanted).tolist(), half.tolist(), strict=True)
            own = [replace(line, wanted=fair, half=wide) for line, (fair, wide) in zip(made, ends, strict=True)]
        elif name == CARDS:
            own = list(_cards(source, number))
        else:
            line = _share(spec, name, shares[name]) if name in shares else measures[name]
            own = [_of_one(spec, line, number, kept, margin, text, where)]
        found |= {line.name: line for line in own if not (kept and line.name in found)}
    if len(own_keep) == len(keep) and not spec.searches:
        same = [line for name, line in measures.items() if name in ("lead_changes", LENGTH) or _matches(name, uses)]
        found = {line.name: replace(line, kept=True, tolerance=SAME_GAME) for line in same} | found
    return tuple(replace(line, players=spec.players) for line in sorted(found.values(), key=lambda line: line.kept))


def _matches(name: str, patterns: Sequence[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)


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


def _measures(source: SpecSource) -> Iterator[tuple[str, Line]]:
    """Yield every measure of the whole table by name."""
    for name, (family, is_share) in of_whole_table(source).items():
        yield name, Line(name, "measure", ((family, "", 1.0),), is_share)


def _strategies(source: SpecSource) -> Iterator[tuple[str, Line]]:
    """Yield the share of every strategy, if there are several at the table."""
    for name in source.cast_names if source.mixed else ():
        yield name, Line(name, "strategy", (("win_share_by_strategy", name, 1.0),), True)


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
