"""Figures as SVG for web pages, as PNG, and for the pages of a PDF."""

from __future__ import annotations

import io
import logging
import re
from collections.abc import Callable
from functools import cache
from html import escape
from typing import TYPE_CHECKING, Any, TypeVar

from reports.figures.base import tips_of
from reports.page import Picture
from reports.render.theme import DARK, theme
from simcore.errors import Interrupted, KernelFault, UsageError, bug

if TYPE_CHECKING:
    from reports.figures.base import Figure

WIDE, NARROW = 7.7, 3.7
"""Widths in inches: a column of the page, and a phone."""

_COLOURS = re.compile("|".join(re.escape(colour) for colour in DARK), re.IGNORECASE)
_ID = re.compile(r'\bid="([^"]+)"')
_REFERENCE = re.compile(r'url\(#([^)]+)\)|xlink:href="#([^"]+)"')
_FONT = re.compile(r"font(-family)?:([^;\"]*?)(,?\s*)'DejaVu Sans'[^;\"]*")
_ABOUT = re.compile(r'\bid="of-players-(\d+)[^"]*"')
_HEAD = re.compile(r"^.*?(?=<svg)", re.DOTALL)
_METADATA = re.compile(r"<metadata>.*?</metadata>", re.DOTALL)
_STYLE = re.compile(r"<defs>\s*<style.*?</style>\s*</defs>", re.DOTALL)
_JOINS = 'stroke-linejoin="round" stroke-linecap="butt"'
"""What the style sheet of Matplotlib's drawings says, as attributes."""

_NAMESPACE = re.compile(r'\s+xmlns(:\w+)?="[^"]*"|\s+version="[^"]*"')
_NUMBER = re.compile(r"(\d+\.\d{3})\d+")


@cache
def load_library() -> None:
    """Import all that figures are drawn with; raise ImportError if it cannot be loaded, which is no figure's fault."""
    with theme():
        import matplotlib.backends.backend_agg
        import matplotlib.backends.backend_svg
        import matplotlib.figure
        import matplotlib.layout_engine  # noqa: F401


def _drawn(figure: Figure, width: float) -> Any:
    """Return a drawn figure whose layout is final.

    The layout is made here once; otherwise Matplotlib would measure every text again for each file.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Canvas
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    canvas = Canvas(figsize=(width, figure.height(width)), layout="none")  # type: ignore[arg-type]  # see its documentation
    FigureCanvasAgg(canvas)  # one renderer measures all texts, and remembers them
    figure.draw(canvas.add_subplot())
    ConstrainedLayoutEngine().execute(canvas)
    return canvas


def svg(figure: Figure, name: str, width: float = WIDE) -> str:
    """Return a figure as SVG to embed in a page: no requests, no ids shared with other figures, the page's colours.

    name: A name that no other figure on the page has.
    width: Width in inches.
    """
    buffer = io.StringIO()
    with theme(**{"svg.fonttype": "none"}):
        canvas = _drawn(figure, width)
        canvas.savefig(buffer, format="svg", transparent=True, metadata={"Date": None})
        marks = _marks(canvas)
    drawn = buffer.getvalue().replace("</svg>", f"{marks}</svg>")
    text = _NAMESPACE.sub("", _METADATA.sub("", _HEAD.sub("", drawn)))
    # The page sets the colours and the font.
    text = _own_names(_NUMBER.sub(r"\1", text), name)
    text = _COLOURS.sub(lambda match: f"var({variable(match[0])}, {match[0].lower()})", text)
    return _FONT.sub(lambda match: f"font{match[1] or ''}:{match[2]}{match[3]}var(--sans, sans-serif)", text)


def drawing(figure: Figure, width: float) -> bytes:
    """Return a figure as SVG for the PDF, with a width in inches: letters are drawn, and bars have no hatching.

    The PDF library supports neither text nor patterns; bars that differ by hatching also differ by colour and label.
    Its older versions know no style sheet, so that the outermost group says how lines are joined.
    """
    from matplotlib.patches import Patch

    buffer = io.StringIO()
    with theme(**{"svg.fonttype": "path"}):
        canvas = _drawn(figure, width)
        for patch in canvas.findobj(Patch):
            patch.set_hatch(None)
        canvas.savefig(buffer, format="svg", transparent=True, metadata={"Date": None})
    text = _STYLE.sub("", _METADATA.sub("", buffer.getvalue()))
    return text.replace("<g ", f"<g {_JOINS} ", 1).encode()


def _marks(canvas: Any) -> str:
    """Return what the marks of a drawn figure say, as invisible circles, each with a title."""
    width, height = (72 * inches for inches in canvas.get_size_inches())
    return "".join(
        f'<circle class="tip" cx="{width * x:.1f}" cy="{height * y:.1f}" r="7"><title>{escape(text)}</title></circle>'
        for x, y, text in tips_of(canvas)
    )


def _own_names(text: str, name: str) -> str:
    """Prefix the ids that are referred to and drop the others; mark what concerns particular players."""
    text = _ABOUT.sub(r'data-players="\1"', text)
    used = {found for pair in _REFERENCE.findall(text) for found in pair if found}
    text = _ID.sub(lambda match: f'id="{name}-{match[1]}"' if match[1] in used else "", text)
    text = re.sub(r"url\(#", f"url(#{name}-", text)
    return re.sub(r'xlink:href="#', f'href="#{name}-', text)


def variable(colour: str) -> str:
    """Return the CSS variable for a colour in figures."""
    return f"--f-{colour.lstrip('#').lower()}"


def png(figure: Figure, width: float = WIDE, dots: int = 200) -> bytes:
    """Return a figure as PNG on white."""
    buffer = io.BytesIO()
    with theme():
        _drawn(figure, width).savefig(
            buffer, format="png", dpi=dots, facecolor="white", metadata={"Software": "Equipoise"}
        )
    return buffer.getvalue()


# --- What a report does if a part of it fails: one line says so, and the rest is shown ---


R = TypeVar("R")

LOG = logging.getLogger("equipoise")

SAID_ELSEWHERE = (UsageError, KernelFault, Interrupted, MemoryError, OSError)
"""Errors that the command line reports itself; they end the report."""


def say(what: str, error: Exception) -> None:
    """Say in one line that a part failed, and why.

    Raises KeyboardInterrupt if that is why: pydantic makes an error of its own of it.
    """
    one: BaseException | None = error
    while one is not None:
        if isinstance(one, KeyboardInterrupt):
            raise one
        one = one.__cause__ or one.__context__
    LOG.error("error: %s", bug(what, error))


def attempt(picture: Picture, game: str, draw: Callable[[], R]) -> R | None:
    """Return what draws a figure; if its code fails, name the figure and the game in one line, and return None."""
    load_library()
    try:
        return draw()
    except SAID_ELSEWHERE:
        raise
    except Exception as error:
        say(f"the figure '{picture.name}' of {game} cannot be drawn", error)
        return None
