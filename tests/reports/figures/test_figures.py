"""What figures draw: scales that hold the data, names at the ends of lines, bars for counts, values on marks."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import matplotlib as mpl
import numpy as np
import polars as pl
import pytest
from matplotlib.collections import LineCollection
from matplotlib.colors import to_hex
from matplotlib.figure import Figure as Canvas
from matplotlib.text import Annotation

from reports.figures.bars import Bars, Counts, SeatMultiples, few
from reports.figures.base import Figure, apart
from reports.figures.curves import Curves, Ecdf, Slope, Swept
from reports.figures.forest import Forest, Grid, Panel
from reports.figures.ladder import Ladder, Steps
from reports.figures.seats import SeatAdvantage
from reports.render.images import drawing, svg
from reports.render.theme import PALETTE


def seats(*values: float) -> pl.DataFrame:
    """Return seats with wins in shares of par, and intervals of a twentieth on each side."""
    par = 1 / len(values)
    return pl.DataFrame(
        {"seat": range(1, len(values) + 1), "par": par, "games": 900, "share": [par * value for value in values]}
        | {f"share_{end}": [par * value + by * par for value in values] for end, by in (("low", -0.05), ("high", 0.05))}
        | {
            "par_normalised": values,
            "par_normalised_low": [value - 0.05 for value in values],
            "par_normalised_high": [value + 0.05 for value in values],
        }
    )


def counts(*games: list[int]) -> pl.DataFrame:
    """Return how many games end with 0, 1, 2 ..., by seat."""
    return pl.concat(
        pl.DataFrame({"series": str(seat), "x": np.arange(len(own)), "share": np.cumsum(own) / sum(own), "games": own})
        for seat, own in enumerate(games, 1)
    )


def lines(**series: list[float]) -> pl.DataFrame:
    return pl.DataFrame(
        [
            {
                "series": name,
                "row": name,
                "x": at,
                "rung": at,
                "at": str(at),
                "value": value,
                "low": value - 0.03,
                "high": value + 0.03,
                "stands": True,
            }
            for name, values in series.items()
            for at, value in enumerate(values, 1)
        ]
    )


NAMES = {"a": "first", "b": "second"}
TWO = lines(a=[0.2, 0.6, 0.9], b=[0.5, 0.4, 0.88])
FIGURES: dict[str, Figure] = {
    "multiples": SeatMultiples({2: seats(1.3, 0.7), 4: seats(2.0, 0.9, 0.6, 0.5)}),
    "seats": SeatAdvantage({"a run": seats(2.0, 0.9, 0.6, 0.5)}),
    "slope": Slope({"before": seats(1.6, 0.4), "after": seats(1.1, 0.9)}),
    "curves": Curves(TWO, NAMES, "x", "y"),
    "swept": Swept(TWO, NAMES, ("1", "2", "3"), "key", "y"),
    "forest": Forest(["a", "b"], [Panel("effect", TWO.filter(pl.col("x") == 1), True)], NAMES),
    "ladder": Ladder(("weak", "middle", "strong"), [Steps("question", TWO, ["a", "b"])]),
    "bars": Bars(pl.DataFrame({"row": ["x", "y"], "group": "g", "value": [3.0, -1.0]}), {"g": "all"}, "points"),
    "ecdf": Ecdf(counts([0, *range(1, 40)], [5] * 40), {"1": "one", "2": "two"}, "points"),
    "counts": Counts(counts([900, 70, 20, 10], [800, 150, 49, 1]), {"1": "one", "2": "two"}, "wins"),
    "grid": Grid(["p", "q"], ["p", "q"], pl.DataFrame({"row": ["p"], "column": ["q"], "value": [0.6], "half": [0.1]}),
                 0.5, 0.5, "t", "x"),
}  # fmt: skip


def drawn(figure: Figure) -> Any:
    canvas = Canvas(figsize=(7.7, figure.height(7.7)))
    figure.draw(canvas.add_subplot())
    canvas.canvas.draw()
    return canvas


def all_axes(canvas: Any) -> list[Any]:
    return [one for axes in canvas.axes for one in (axes, *axes.child_axes)]


@pytest.mark.parametrize("name", FIGURES)
def test_the_axes_hold_every_mark_and_every_interval(name: str) -> None:
    for axes in all_axes(drawn(FIGURES[name])):
        (left, right), (bottom, top) = sorted(axes.get_xlim()), sorted(axes.get_ylim())
        marks = [line.get_xydata() for line in axes.get_lines() if line.get_transform() == axes.transData]
        bars = [
            np.asarray(path)
            for part in axes.collections
            if isinstance(part, LineCollection)
            for path in part.get_segments()
        ]
        for points in (*marks, *bars):
            known = points[np.isfinite(points).all(axis=1)]
            assert ((known[:, 0] >= left - 1e-9) & (known[:, 0] <= right + 1e-9)).all()
            assert ((known[:, 1] >= bottom - 1e-9) & (known[:, 1] <= top + 1e-9)).all()


@pytest.mark.parametrize("name", FIGURES)
def test_every_mark_tells_its_value_on_a_page_only(name: str) -> None:
    text = svg(FIGURES[name], "x")
    told = re.findall(r'<circle class="tip" cx="([\d.]+)" cy="([\d.]+)" r="7"><title>([^<]+)</title>', text)
    data = FIGURES[name].data()
    assert len(told) == len(data.filter(pl.col("games") > 0) if name == "ecdf" else data)
    width, height = map(float, re.findall(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', text)[0])
    assert all(float(x) <= width and float(y) <= height for x, y, _ in told)
    assert all(re.search(r"\d", said) for *_, said in told)


def test_all_panels_of_seats_have_one_scale_and_no_line_joins_seats() -> None:
    panels = drawn(FIGURES["multiples"]).axes[0].child_axes
    assert len({panel.get_ylim() for panel in panels}) == 1
    for figure in ("multiples", "seats"):
        for axes in all_axes(drawn(FIGURES[figure])):
            assert not [
                line
                for line in axes.get_lines()
                if line.get_linestyle() == "-"
                and line.get_visible()
                and len(line.get_xdata()) > 1
                and len(set(line.get_xdata())) > 2
            ]


def test_titles_of_panels_leave_room_between_them() -> None:
    for counts in ((2, 3), (2, 3, 4, 5), (2, 3, 4, 5, 6)):
        canvas = drawn(SeatMultiples({players: seats(*[1.0] * players) for players in counts}))
        boxes = [panel.title.get_window_extent() for panel in canvas.axes[0].child_axes]
        assert all(right.x0 - left.x1 > 2 for left, right in pairwise(sorted(boxes, key=lambda box: box.x0))), counts


def test_small_differences_look_small() -> None:
    low, high = drawn(SeatMultiples({2: seats(1.01, 0.99)})).axes[0].child_axes[0].get_ylim()
    assert low < 0.8 and high > 1.2


@pytest.mark.parametrize("name", ["ladder", "slope"])
def test_a_line_s_name_stands_at_its_own_end_in_its_colour(name: str) -> None:
    """The ends at 0.9 and 0.88 are too close for two names: these keep their order, and leaders join the moved ones."""
    canvas = drawn(FIGURES[name])
    axes = next(one for one in all_axes(canvas) if any(isinstance(text, Annotation) for text in one.texts))
    labels = {text.get_text(): text for text in axes.texts if isinstance(text, Annotation)}
    ends = {"ladder": {"a": 0.9, "b": 0.88}, "slope": {"seat 1": 0.55, "seat 2": 0.45}}[name]
    assert list(labels) and set(labels) == set(ends)
    order = sorted(labels, key=lambda text: labels[text].xy[1])
    assert order == sorted(ends, key=ends.__getitem__)
    assert [to_hex(labels[text].get_color()).upper() for text in sorted(labels)] == [
        to_hex(colour).upper() for colour in PALETTE[:2]
    ]
    for text, value in ends.items():
        place = labels[text].xy[1]
        leaders = [np.asarray(line.get_ydata(), float) for line in axes.get_lines()]
        leader = any(len(ys) == 2 and np.allclose(ys, [value, place]) for ys in leaders)
        assert leader or abs(place - value) < 0.02


def test_names_keep_their_distance_and_their_order() -> None:
    placed = apart([1.0, 1.01, 1.02, 5.0], 0.5, 5.0)
    assert all(above - below >= 0.5 - 1e-9 for below, above in pairwise(placed))
    assert placed[-1] == 5.0


def test_few_numbers_get_bars_and_none_is_left_out() -> None:
    frame = counts([900, 70, 20, 10], [800, 150, 49, 1])
    assert few(frame)
    assert not few(counts([1] * 40))
    figure = Counts(frame, {"1": "one", "2": "two"}, "wins")
    assert figure.data().filter(pl.col("series") == "2")["part"].to_list() == [0.8, 0.15, 0.049, 0.001]
    axes = drawn(figure).axes[0]
    assert len(axes.patches) == 8
    assert [label.get_text() for label in axes.get_xticklabels()] == ["0", "1", "2", "3"]


def test_the_line_of_no_effect_ends_before_the_names_of_the_lines() -> None:
    axes = drawn(FIGURES["ladder"]).axes[0].child_axes[0]
    (centre,) = [line for line in axes.get_lines() if list(line.get_ydata()) == [0, 0]]
    names = [text.xy[0] for text in axes.texts if isinstance(text, Annotation)]
    assert max(centre.get_xdata()) < min(names)


def test_par_ends_before_the_names_of_the_seats() -> None:
    axes = next(one for one in all_axes(drawn(FIGURES["slope"])) if one.texts)
    (par,) = [line for line in axes.get_lines() if list(line.get_ydata()) == [0.5, 0.5]]
    names = [text.xy[0] for text in axes.texts if isinstance(text, Annotation)]
    left, right = axes.get_xlim()
    assert left + max(par.get_xdata()) * (right - left) == pytest.approx(1)
    assert min(names) > 1


def test_values_are_told_as_far_from_what_they_are_compared_with() -> None:
    frame = TWO.filter(pl.col("x") == 1)
    about = {centre: Forest(["a", "b"], [Panel("wins", frame, centre=centre)], NAMES).alt_text for centre in (0.0, 1.0)}
    assert "different from zero" in about[0.0]
    assert "different from 1." in about[1.0]


def test_neither_a_notebooks_style_nor_a_matplotlibrc_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Matplotlib reads the matplotlibrc of the current folder, which may be a stranger's and start LaTeX."""
    name = next(iter(FIGURES))
    plain = svg(FIGURES[name], "x")
    theirs = {
        "text.usetex": True,
        "axes.facecolor": "black",
        "lines.linewidth": 9.0,
        "savefig.dpi": 7,
        "axes.linewidth": 5,
    }
    for key, value in theirs.items():
        monkeypatch.setitem(mpl.rcParams, key, value)
    assert svg(FIGURES[name], "x") == plain
    assert mpl.rcParams["axes.facecolor"] == "black"


def test_values_below_an_axis_do_not_touch() -> None:
    ticks = ("0", "1", "8", "30", "60")
    frame = pl.DataFrame({"series": ["a"] * 5, "at": ticks, "value": [0.5] * 5, "low": [0.4] * 5, "high": [0.6] * 5})
    axes = Canvas(figsize=(6.4, 3.6)).add_subplot()
    Swept(frame, {"a": "a"}, ticks, "coins", "wins").draw(axes)
    assert [label.get_text() for label in axes.get_xticklabels()] == ["0", "8", "30", "60"]


def test_a_single_panel_is_named_in_words_on_a_phone_too() -> None:
    axes = Canvas(figsize=(3.4, 2.6)).add_subplot()
    SeatMultiples({4: seats(2.0, 0.9, 0.6, 0.5)}).draw(axes)
    assert axes.child_axes[0].get_title() + axes.child_axes[0].get_title(loc="left") == "4 players"


def test_drawings_for_the_pdf_hold_no_tag_that_its_library_ignores() -> None:
    """The oldest version that we support wrote a warning for each of Matplotlib's style sheets."""
    text = drawing(Counts(counts([1, 2, 3], [3, 2, 1]), {"1": "one", "2": "two"}, "wins"), 6.0).decode()
    assert set(re.findall(r"<([a-z]\w*)", text)) <= {"svg", "defs", "g", "path", "use", "clipPath", "rect"}
    assert text.count('stroke-linejoin="round"') == 1
