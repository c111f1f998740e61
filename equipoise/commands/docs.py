"""`equipoise docs`: the website of the documentation, where it was built."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from equipoise.examples import examples
from equipoise.options import OpenOption
from simcore.errors import UsageError, nearest

EXAMPLES = examples("equipoise docs", "equipoise docs mend", "equipoise docs glossary --no-open")
ROOT = Path(__file__).resolve().parents[2]
SITES = "build/site", "equipoise/site"
"""Where the website is: built in a checkout, or as it came with the package."""

FIRST = "index"


def docs(
    page: Annotated[
        str, typer.Argument(metavar="PAGE", help="A page by its name, such as `mend` or `glossary`.")
    ] = FIRST,
    open_: OpenOption = None,
) -> None:
    """Open the documentation in a browser, or say how to build it."""
    from equipoise.output.pages import has_desktop

    site = next((ROOT / place for place in SITES if (ROOT / place / "index.html").is_file()), ROOT / SITES[0])
    pages = {FIRST: site / "index.html"} | {path.stem: path for path in (site / "docs").glob("*.html")}
    if not pages[FIRST].is_file():
        typer.echo("The pages are not built. In a checkout: pip install -e '.[docs]' && python -m studies.site")
        return
    if page not in pages:
        raise UsageError(f"PAGE: no page '{page[:40]}'{nearest(page, pages)}")
    typer.echo(str(pages[page]))
    if has_desktop() if open_ is None else open_:
        typer.launch(str(pages[page]))
