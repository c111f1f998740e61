"""How results show themselves in a notebook."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl


def shown(title: str, sentences: Iterable[str] = (), tables: Iterable[pl.DataFrame] = ()) -> str:
    """Return HTML: a title, a paragraph for each sentence, and tables."""
    parts = [f"<p><strong>{escape(title)}</strong></p>"]
    parts += [f"<p>{escape(sentence)}</p>" for sentence in sentences]
    from analysis.data.results import first_columns

    parts += [first_columns(table)._repr_html_() for table in tables]
    return "".join(parts)


def framed(page: str, height: int = 720) -> str:
    """Return HTML that shows a whole page inside a notebook, with the page's own style and script."""
    return (
        f'<iframe srcdoc="{escape(page)}" sandbox="allow-scripts" '
        f'style="width:100%;height:{height}px;border:1px solid #ccc"></iframe>'
    )
