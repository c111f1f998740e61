"""What a good cell of a sweep looks like: shares of the wins that are close enough to their targets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from analysis.stats.margin import FAIR, Margin, as_margin
from analysis.stats.moments import Floats
from simcore.errors import UsageError, nearest
from simcore.running.batch import Spec

SEATS, CAMPS = "seats", "camps"
_SHARE = re.compile(r"(?P<name>[^=]+)=\s*(?P<share>[0-9.]+)\s*(?P<percent>%?)\s*")


@dataclass(frozen=True)
class Target:
    """Target shares of the wins, and the distance from them that is close enough.

    Parameters
    ----------
    text
        The target as the user wrote it.
    margin
        Half the width of the band around each share.
    name, share
        One seat, role or camp and what it should win; empty and None if all seats or camps should win their par.
    """

    text: str
    margin: Margin
    name: str = ""
    share: float | None = None

    def bands(self, spec: Spec) -> tuple[Floats, Floats, Floats]:
        """Return the seats of each share, shape (shares, seats), and the lowest and highest good value of each share.

        Raises
        ------
        UsageError
            If the game has no seat, role or camp with that name.
        """
        if self.share is None:
            lines = np.array([line for _, line in lines_of(spec, self.text)])
            wanted = lines @ np.array(spec.par)
        else:
            known = dict(lines_of(spec))
            if self.name not in known:
                raise UsageError(
                    f"{spec.game.title} with {spec.players} players has no '{self.name}'{nearest(self.name, known)}",
                    "target",
                )
            lines, wanted = known[self.name][None, :], np.array([self.share])
        half = self.margin.at(wanted)
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
    """Parse a target such as "seats", "camps" or "NAME=SHARE", where SHARE may be 0.5 or 50%.

    Raises
    ------
    UsageError
        If the text is not a target, or the margin is not valid.
    """
    room = FAIR if margin is None else as_margin(margin)
    if text in (SEATS, CAMPS):
        return Target(text, room)
    found = _SHARE.fullmatch(text.strip())
    try:
        share = float(found["share"]) / (100 if found["percent"] else 1) if found else 0.0
    except ValueError:
        share = 0.0
    if not found or not 0 < share < 1:
        raise UsageError(
            f"'{text[:40]}' is not a target; write seats, camps, or a share of the wins, such as seat-3=0.25", "target"
        )
    return Target(text, room, found["name"].strip(), share)
