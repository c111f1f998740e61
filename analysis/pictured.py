"""What every result shows of itself: its figures on Matplotlib's axes, and its first sentence."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from simcore.errors import UsageError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

artist = ""
"""Name of the module that draws and speaks; analyses only compute, so the package that knows figures names it here."""


class Pictured:
    """A result that has figures: those of its page, or of its section of a report."""

    def figures(self, lang: str = "en") -> Mapping[str, Any]:
        """Return the figures by name, the most important first, before they are drawn.

        lang: Language of the labels, "en" or "fr".
        """
        figures: Mapping[str, Any] = _drawing().figures_of(self, lang)
        return figures

    @property
    def headline(self) -> str:
        """The most important conclusion as an English sentence; empty if nothing can be said."""
        return str(_drawing().headline(self)) if artist else ""

    def plot(self, ax: Axes | None = None, *, name: str | None = None, lang: str = "en") -> Axes:
        """Draw the first figure, or the one of a name, and return its Matplotlib axes.

        ax: Axes to draw on.  If None, those of a new figure of a suitable size.
        name: Name of the figure, one of the keys of `plots`.
        lang: Language of the labels, "en" or "fr".
        Raises UsageError if there is no figure, or none of that name.

        Examples
        --------
        >>> import equipoise as eq
        >>> axes = eq.simulate(games=1000).plot()
        >>> axes.get_ylabel()
        'share of wins'
        """
        axes: Axes = _drawing().plot(self.figures(lang), ax, name)
        return axes

    def plots(self, lang: str = "en") -> dict[str, Axes]:
        """Draw every figure, each on axes of its own, and return the axes by name."""
        axes: dict[str, Axes] = _drawing().plots(self.figures(lang))
        return axes


def _drawing() -> Any:
    if not artist:
        raise UsageError("no figures here: get the result from `equipoise`, such as eq.seat_advantage(run)")
    return import_module(artist)
