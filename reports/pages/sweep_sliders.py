"""The sliders on the page of a sweep: over the cells that were played, for each seat or camp."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

import polars as pl

from analysis.stats.margin import Margin
from reports.sliders import Slider, Sliders, Track, ordered
from reports.words import Words
from reports.words.edits import title

ENDS = ("value", "value_low", "value_high")


def sweep_sliders(
    words: Words,
    name: str,
    cells: pl.DataFrame,
    rows: pl.DataFrame,
    axes: Mapping[str, Sequence[str]],
    names: Mapping[str, str],
    margin: Margin,
) -> Sliders:
    """Return sliders over the cells of a sweep, which stand at the fairest cell at first.

    words, name: Language, and anchor.
    cells, rows: The cells of one number of players and line-up, and the rows of their seats or camps, those of the
        unchanged rules included.
    axes: The values of each key that has several.
    names: What each seat or camp is called.
    margin: The distance from par that counts as fair.
    """
    best = cells.drop_nulls(list(axes)).sort("distance", maintain_order=True).row(0, named=True)
    values = {key: ordered(played) for key, played in axes.items()}
    ways = list(product(*values.values()))
    percent = bool(rows["is_share"].all())
    tracks = []
    for one, called in names.items():
        own = list(rows.filter(pl.col("name") == one).with_columns(pl.col(ENDS).fill_nan(None)).iter_rows(named=True))
        played = {tuple(row[key] for key in axes): tuple(row[end] for end in ENDS) for row in own}
        printed, par = played.get((None,) * len(axes)), own[0]["par"]
        half = float(margin.at(par)) if percent else 0.0
        tracks.append(Track(called, par, half, printed[0] if printed else None, tuple(map(played.get, ways))))
    sliders = [Slider(key, title(words, key), found, found.index(best[key])) for key, found in values.items()]
    return Sliders(name, words("sliders.title"), tuple(sliders), tuple(tracks), percent)
