"""The charts of the lab, as options of ECharts: the rules in force before their ghost, the printed rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from analysis.live import Ends, Seen
from reports.render.theme import DARK, GRID, INK, PALETTE, PAR, QUIET
from reports.words import Words

MARKS = ("circle", "triangle", "rect", "diamond")
"""Shapes of the rules in force, and of rules that were pinned."""

Options = dict[str, Any]


def seats_chart(
    words: Words, now: Seen, printed: Seen | None, pinned: Mapping[str, Seen], dark: bool = False
) -> Options:
    """Return the shares of the wins of all seats, with ranges, par, and the printed rules as a ghost."""
    seats = [words("seat.number", seat=seat + 1) for seat in range(now.spec.players)]
    roles = now.spec.game.role_names
    if len(roles) > 1:
        seats = [f"{seat}, {words.name(role.name)}" for seat, role in zip(seats, now.spec.roles, strict=True)]
    series = [_par(words("lab.par"), now.par.tolist(), dark)]
    if printed is not None and now is not printed:
        series += _ranged(words("lab.printed"), printed.seats, _colour(QUIET, dark), "emptyCircle")
    for number, (name, seen) in enumerate(pinned.items(), 1):
        series += _ranged(name, seen.seats, _colour(PALETTE[number % len(PALETTE)], dark), MARKS[number % len(MARKS)])
    series += _ranged(words("lab.now"), now.seats, _colour(PALETTE[0], dark), MARKS[0], bold=True)
    shown = [one["name"] for one in series if one["type"] == "scatter"]
    ink, grid = _colour(INK, dark), _colour(GRID, dark)
    return {
        "animation": False,
        "aria": {"enabled": True},
        "textStyle": {"fontFamily": "inherit"},
        "legend": {"data": shown, "top": 0, "textStyle": {"color": ink}},
        "grid": {"left": 8, "right": 24, "top": 34, "bottom": 30, "containLabel": True},
        "xAxis": {
            "type": "value",
            "min": 0,
            "name": words("lab.share"),
            "nameLocation": "middle",
            "nameGap": 26,
            "axisLabel": {":formatter": "value => Math.round(value * 100) + ' %'", "color": ink},
            "nameTextStyle": {"color": ink},
            "splitLine": {"lineStyle": {"color": grid}},
        },
        "yAxis": {"type": "category", "data": seats, "inverse": True, "axisLabel": {"color": ink}},
        "series": series,
    }


def uses_chart(
    words: Words, names: Sequence[str], now: Sequence[float], printed: Sequence[float], dark: bool
) -> Options:
    """Return how often things are used in a game, now and by the printed rules."""
    ink, grid = _colour(INK, dark), _colour(GRID, dark)
    bars = [
        {"name": words("lab.printed"), "type": "bar", "data": _rounded(printed), "color": _colour(QUIET, dark)},
        {"name": words("lab.now"), "type": "bar", "data": _rounded(now), "color": _colour(PALETTE[0], dark)},
    ]
    return {
        "animation": False,
        "aria": {"enabled": True},
        "textStyle": {"fontFamily": "inherit"},
        "legend": {"top": 0, "textStyle": {"color": ink}},
        "grid": {"left": 8, "right": 24, "top": 34, "bottom": 30, "containLabel": True},
        "xAxis": {
            "type": "value",
            "name": words("lab.times"),
            "nameLocation": "middle",
            "nameGap": 26,
            "axisLabel": {"color": ink},
            "nameTextStyle": {"color": ink},
            "splitLine": {"lineStyle": {"color": grid}},
        },
        "yAxis": {"type": "category", "data": list(names), "inverse": True, "axisLabel": {"color": ink}},
        "series": bars,
    }


def _par(name: str, par: Sequence[float], dark: bool) -> Options:
    data = [[share, seat] for seat, share in enumerate(par)]
    return {
        "name": name,
        "type": "scatter",
        "data": data,
        "symbol": "rect",
        "symbolSize": [3, 26],
        "color": _colour(PAR, dark),
        "silent": True,
    }


def _ranged(name: str, ends: Ends, colour: str, mark: str, bold: bool = False) -> list[Options]:
    """Return the series of some shares, and that of their ranges; a gap stands between the ranges of two seats."""
    share, low, high = ([float(value) for value in end] for end in ends)
    points = [[value, seat] for seat, value in enumerate(share)]
    gap: list[Any] = ["-", "-"]
    lines = [point for seat in range(len(share)) for point in ([max(low[seat], 0), seat], [high[seat], seat], gap)]
    return [
        {
            "name": name,
            "type": "line",
            "data": lines,
            "showSymbol": False,
            "color": colour,
            "silent": True,
            "lineStyle": {"width": 5 if bold else 3, "opacity": 0.55},
        },
        {
            "name": name,
            "type": "scatter",
            "data": points,
            "symbol": mark,
            "symbolSize": 13 if bold else 10,
            "color": colour,
        },
    ]


def _rounded(values: Sequence[float]) -> list[float]:
    return [round(value, 4) for value in values]


def _colour(colour: str, dark: bool) -> str:
    return DARK.get(colour, colour) if dark else colour
