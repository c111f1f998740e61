"""What a good cell of a sweep looks like: shares of the wins, or a measure, close enough to their targets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from analysis.data.sources import SpecSource
from analysis.measures.quantities import of_whole_table
from analysis.stats.margin import FAIR, Margin, as_margin
from analysis.stats.moments import Floats
from simcore.errors import UsageError, nearest
from simcore.running.batch import Spec

SEATS, CAMPS = "seats", "camps"
_VALUE = re.compile(r"(?P<name>[^=]+)=\s*(?P<value>[+-]?\d{1,9}(?:\.\d{1,9})?)\s*(?P<percent>%?)\s*")


@dataclass(frozen=True)
class Target:
    """What a good cell has: target shares of the wins, or a target value of a measure, each with room around it."""

    text: str  # the target as the user wrote it
    margin: Margin  # half the width of the band around each value
    name: str = ""
    wanted: float | None = None
    """name, wanted: One seat, role, camp or measure and its value; empty and None if all seats or camps should win
    their par."""

    def measure(self, spec: Spec) -> tuple[str, bool] | None:
        """Return the family of the measure and whether it is a share; None if seats, roles or camps are the target.

        Raises UsageError if the game has no seat, role, camp or measure with that name, or the value is impossible.
        """
        shares = dict(lines_of(spec))
        if self.wanted is None or (self.name in shares and spec.judged.is_payoff):
            return None
        measures = of_whole_table(SpecSource(spec))
        if self.name not in shares and self.name not in measures:
            known = [SEATS, *([CAMPS] if spec.camps else []), *shares, *measures]
            raise UsageError(
                f"{spec.game.title} with {spec.players} players has no '{self.name}'{nearest(self.name, known)}",
                "target",
            )
        found = None if self.name in shares else measures[self.name]
        if (found is None or found[1]) and not 0 < self.wanted < 1:
            raise UsageError(f"'{self.text[:40]}': write a share between 0 and 1, such as 0.25 or 25%", "target")
        return found

    def room(self, is_share: bool) -> float:
        """Return half the width of the band around the value of a measure."""
        assert self.wanted is not None
        return float(self.margin.at(self.wanted)) if is_share else self.margin.size * abs(self.wanted)

    def bands(self, spec: Spec) -> tuple[Floats, Floats, Floats]:
        """Return the seats of each share, shape (shares, seats), and the lowest and highest good value of each."""
        if self.wanted is None:
            lines = np.array([line for _, line in lines_of(spec, self.text)])
            wanted = lines @ np.array(spec.judged.par)
        else:
            lines = dict(lines_of(spec))[self.name][None, :]
            wanted = np.array([(self.wanted - spec.judged.least) / (spec.judged.parts if spec.judged.is_payoff else 1)])
        half = self.margin.room(spec.judged, wanted)
        return lines, wanted - half, wanted + half


def lines_of(spec: Spec, kind: str = "") -> Iterator[tuple[str, Floats]]:
    """Yield seats ("seat-3"), roles and camps with their seats; only seats, or only camps, if `kind` says so."""
    seats = np.eye(spec.players)
    if kind != CAMPS:
        yield from ((f"seat-{seat + 1}", seats[seat]) for seat in range(spec.players))
    if kind != SEATS:
        yield from ((camp, seats[list(own)].sum(axis=0)) for camp, own in spec.camps.items())
    if not kind and spec.game.asymmetric:
        for role in spec.game.roles:
            if role.name not in spec.camps:
                yield role.name, seats[list(role.at(spec.players))].sum(axis=0)


def read_target(text: str, margin: str | None = None) -> Target:
    """Parse a target such as "seats", "camps" or "NAME=VALUE", where VALUE may be 0.5 or 50%.

    Raises UsageError if the text is not a target, or the margin is not valid.
    """
    room = FAIR if margin is None else as_margin(margin)
    if text in (SEATS, CAMPS):
        return Target(text, room)
    found = _VALUE.fullmatch(text.strip())
    if not found or not found["name"].strip():
        raise UsageError(
            f"'{text[:40]}' is not a target; write seats, camps, a share of the wins such as seat-3=0.25, or a measure "
            "such as length=12",
            "target",
        )
    return Target(text, room, found["name"].strip(), float(found["value"]) / (100 if found["percent"] else 1))
