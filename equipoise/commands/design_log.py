"""`equipoise log`: what was tried in a project folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from equipoise.examples import examples
from equipoise.options import JsonOption, Language, LanguageOption, LevelOption, OpenOption
from simcore.errors import UsageError

EXAMPLES = examples("equipoise log", "equipoise log my-game/runs --out log.html")


def log(
    folder: Annotated[
        Path,
        typer.Argument(metavar="FOLDER", help="Folder that contains the runs and experiments, up to four levels deep."),
    ] = Path("runs"),
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="File for the page.", show_default="none")
    ] = None,
    level: LevelOption = 0.95,
    lang: LanguageOption = Language.en,
    open_: OpenOption = None,
    force: Annotated[bool, typer.Option("--force", help="Replace FILE if it exists.")] = False,
    json_: JsonOption = False,
) -> None:
    """List what was tried: each run and experiment in a folder, its change, and how far apart the seats were."""
    from equipoise.api.design_log import log as read
    from equipoise.output.pages import check, has_desktop, write

    if out is not None:
        if out.suffix != ".html":
            raise UsageError(f"{out} must end in .html", "out")
        check([out], [], force)
    found = read(folder, lang.value, level)
    paths: list[Path] = []
    if out is not None:
        from reports.render.html import to_html

        paths = write([(out, lambda: to_html(found.report()).encode())], out, force)
        if has_desktop() if open_ is None else open_:
            typer.launch(str(out.resolve()))
    if json_:
        typer.echo(json.dumps(found.to_dict(), indent=2))
    else:
        from equipoise.output.logged import show

        show(found, paths)
