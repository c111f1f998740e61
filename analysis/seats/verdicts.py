"""What the shares of seats and camps say: camp against camp first, then the seats of a role among each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from analysis.data.results import Inputs, Verdict
from analysis.data.source import Source
from analysis.stats.intervals import deals_to_tell
from analysis.stats.moments import MIN_DEALS


def judge(
    source: Source, table: pl.DataFrame, camps: pl.DataFrame | None, inputs: Inputs, margin: float
) -> tuple[Verdict, ...]:
    """Return the verdicts on a run, the most important first.

    Parameters
    ----------
    source
        The run.
    table, camps
        As in `SeatAdvantage`.
    inputs
        What they were counted from.
    margin
        Win share either side of par that counts as fair.
    """
    values = {"game": source.spec.game.title, "players": source.players, "margin": margin}
    values |= {"denominator": inputs.denominator}
    if camps is None:
        if source.confounded:
            return (_said("seats", "confounded", "unknown", values),)
        return (_judged("seats", "seat", table["seat"].to_list(), table, "share", table["par"].to_list(), values),)
    titles = source.spec.game.camp_titles
    names = [titles[name] for name in camps["camp"]]
    found = [_judged("camps", "camp", names, camps, "share", camps["par"].to_list(), values)]
    if inputs.deals < MIN_DEALS:
        return tuple(found)
    for role in source.spec.game.roles:
        seats = table.filter(pl.col("role") == role.name)
        if len(seats) < 2:
            continue
        own = values | {"role": role.title}
        if role in source.spec.mixed_roles and source.spec.design == "fixed":
            found.append(_said("role_seats", "confounded", "unknown", own))
        else:
            found.append(_judged("role_seats", "seat", seats["seat"].to_list(), seats, "edge", [0.0] * len(seats), own))
    return tuple(found)


def _said(what: str, how: str, status: str, values: Mapping[str, Any]) -> Verdict:
    return Verdict(f"{what}_{how}", status, values)


def _judged(
    what: str, key: str, names: Sequence[Any], table: pl.DataFrame, column: str, pars: Sequence[float],
    values: Mapping[str, Any],
) -> Verdict:  # fmt: skip
    """Say which of some shares is surely outside the margin around par, or that all are surely inside."""
    deals, margin, par = int(table["deals"][0]), values["margin"], np.array(pars)
    if deals < MIN_DEALS:
        return _said(what, "too_few", "unknown", dict(values) | {"par": pars[0]})
    share, low, high = (table[name].to_numpy() for name in (column, f"{column}_low", f"{column}_high"))

    def about(pick: int) -> dict[str, Any]:
        shown = {key: names[pick], "share": share[pick], "low": low[pick], "high": high[pick], "par": par[pick]}
        return dict(values) | shown

    above, below = low > par + margin, high < par - margin
    if above.any():
        return _said(what, "tilted_high", "tilted", about(int(np.where(above, share - par, -1).argmax())))
    if below.any():
        return _said(what, "tilted_low", "tilted", about(int(np.argmin(share - par))))
    worst = about(int(np.abs(share - par).argmax()))
    if ((low >= par - margin) & (high <= par + margin)).all():
        return _said(what, "fair", "fair", worst)
    size, half = np.abs(share - par), (high - low) / 2
    needed = [deals_to_tell(margin - size[at], half[at], margin, deals) for at in range(len(share))]
    beyond = [number for number, far in zip(needed, size > margin, strict=True) if far]
    return _said(what, "unclear", "unclear", worst | {"needed": min(beyond) if beyond else max(needed)})
