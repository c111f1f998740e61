"""`equipoise index`: one page that links to all pages in a project folder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from equipoise.examples import examples
from equipoise.options import Language, LanguageOption, LevelOption, OpenOption

EXAMPLES = examples("equipoise index", "equipoise index my-game/runs --lang fr")


def index(
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="FOLDER", help="Folder that contains the pages, runs and experiments, up to four levels deep."
        ),
    ] = Path("runs"),
    level: LevelOption = 0.95,
    lang: LanguageOption = Language.en,
    open_: OpenOption = None,
) -> None:
    """Write index.html into a folder: links to all its pages with their first sentences, and what was tried."""
    from equipoise.api.design_log import index as make
    from equipoise.output.pages import has_desktop

    page = make(folder, lang.value, level).save()
    typer.echo(str(page))
    if has_desktop() if open_ is None else open_:
        typer.launch(str(page.resolve()))
