"""The figures of docs/findings/middle-ages.md, from the numbers found."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import polars as pl
from matplotlib.ticker import MultipleLocator

from reports.figures.curves import Slope
from reports.figures.forest import Forest, Panel
from reports.figures.seats import SeatAdvantage
from reports.render.theme import theme
from reports.words import Words
from simcore.game import load_game
from simcore.rules.files import load_rules

Found = Mapping[str, Any]

mpl.use("svg")

LADDER = ("random", "greedy", "planner", "champion", "thinker")


def draw(found: Found, folder: Path) -> None:
    """Draw what can be drawn of the sections found."""
    if "seats" in found:
        _skill(found["seats"], folder / "middle-ages-skill.svg")
    if "mending" in found:
        _mending(found["mending"]["4"], folder / "middle-ages-mending.svg")
    if "events" in found:
        _events(found["events"], folder / "middle-ages-events.svg")


def _shares(told: Found) -> pl.DataFrame:
    return pl.DataFrame(told["seats"])


def _save(canvas: Any, path: Path) -> None:
    canvas.savefig(path, metadata={"Date": None})
    plt.close(canvas)


def _skill(seats: Found, path: Path) -> None:
    """Draw the seats along the ladder of skill, with one panel for each number of players."""
    with theme():
        canvas, grid = plt.subplots(2, 2, figsize=(10, 7.4))
        for axes, (players, levels) in zip(grid.flat, seats.items(), strict=True):
            Slope({level: _shares(levels[level]) for level in LADDER if level in levels}).draw(axes)
            axes.set_title(f"{players} players", fontsize=11)
            axes.yaxis.set_major_locator(MultipleLocator(0.05 if players == "2" else 0.1))
        canvas.set_layout_engine("constrained", rect=(0, 0, 0.97, 1))  # room for the names of the seats
        canvas.suptitle("Among players who plan, the first seat wins far too often", x=0.01, ha="left", weight="bold")
        _save(canvas, path)


def _mending(changes: Found, path: Path) -> None:
    """Draw the seats under changes of the rules, with players who know them."""
    names = {
        "printed": "as printed",
        "scoutless": "no Scout",
        "paid": "coins for later seats",
        "gentle": "gentler Barracks",
        "both": "gentler Barracks and coins",
    }
    runs = {name: _shares(changes[key].get("tuned", changes[key]["same"])) for key, name in names.items()}
    with theme():
        canvas, axes = plt.subplots(figsize=(9, 4.6))
        SeatAdvantage(runs).draw(axes)
        axes.legend(title="rules")
        axes.set_title("Four players who know the rule: what is left of the tilt", pad=20)
        _save(canvas, path)


def _events(found: Found, path: Path) -> None:
    """Draw what every Event does to champions and to greedy players."""
    levels = {"champion 4": "champions", "greedy 4": "greedy players"}

    def series(key: str, measure: str, value: str) -> pl.DataFrame:
        low, high = f"{value}_low", f"{value}_high"
        rows = [
            {
                "row": card,
                "series": key,
                "value": row[value],
                "low": row[low],
                "high": row[high],
                "stands": (row["p_holm"] or 0) < 0.05 if "p_holm" in row else True,
            }
            for card, row in found[key][measure].items()
        ]
        return pl.DataFrame(rows)

    changed = pl.concat([series(key, "changed", "winner_changed") for key in levels])
    coins = pl.concat([series(key, "score", "effect") for key in levels])
    order = changed.filter(pl.col("series") == "champion 4").sort("value", descending=True)["row"].to_list()
    titles = {name: event.title for name, event in load_rules(load_game("middle-ages")).values.events.items()}
    panels = [
        Panel("games that another player wins, %", changed, percent=True),
        Panel("coins of the average player", coins),
    ]
    figure = Forest(order, panels, levels, words=Words("en", titles))
    with theme():
        canvas, axes = plt.subplots(figsize=(10, figure.height(10) + 0.5))
        figure.draw(axes)
        canvas.suptitle("Every Event against a blank card, four players", x=0.01, ha="left", weight="bold")
        _save(canvas, path)
