"""The text of a mark of a figure when the pointer is over it: stored with the drawing, and left out on paper."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def add_tips(axes: Axes, x: Iterable[Any], y: Iterable[Any], texts: Sequence[str]) -> None:
    """Attach texts to the marks of a figure, in the coordinates of its data; they are never drawn."""
    from matplotlib.lines import Line2D

    line: Any = Line2D(list(x), list(y), visible=False)
    line.tips = tuple(texts)
    axes.add_artist(line)


def tips_of(canvas: Any) -> Iterator[tuple[float, float, str]]:
    """Yield the texts of a drawn figure with their places, from 0 to 1 from the left and from the top."""
    width, height = canvas.bbox.width, canvas.bbox.height
    for line in canvas.findobj(lambda artist: hasattr(artist, "tips")):
        for (x, y), text in zip(line.get_transform().transform(line.get_xydata()), line.tips, strict=True):
            if isfinite(x) and isfinite(y):  # a value that is not known has no place
                yield x / width, 1 - y / height, text
