"""`equipoise help` and `equipoise docs`: all commands by heading, the help of one, and pages of the documentation."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from equipoise.command import command
from equipoise.options import ALL, OpenOption
from equipoise.parameters import Typed
from simcore.errors import UsageError, nearest


@command("equipoise help all", "equipoise help mend", "equipoise help rules keys")
def help_(
    context: typer.Context,
    words: Annotated[
        Sequence[str],
        Typed(
            "A command, or `all` to list all commands by heading.  If empty, all.", "COMMAND", each=True, argument=True
        ),
    ] = (),
) -> None:
    """List all commands by heading, or show the help of one command."""
    here = context.find_root()
    if not words or list(words) == [ALL]:
        here.meta[ALL] = True
        words = ()
    for word in words:
        commands = getattr(here.command, "commands", {})
        if word not in commands:
            raise UsageError(f"COMMAND: no command '{word[:40]}'{nearest(word, commands)}")
        here = commands[word].make_context(word, [], parent=here, resilient_parsing=True)
    typer.echo(here.get_help())


# `equipoise docs`: a page of the documentation, in the browser where its website was built, else in the terminal.


ROOT = Path(__file__).resolve().parents[2]
PAGES = "equipoise/docs"
"""Where the pages are: in a checkout, this is a link to its `docs`."""

PARTS = {"": "The manual", "reference": "Reference", "findings": "Findings"}
"""The folders of the pages, in the order in which they are listed."""

SITES = "build/site", "equipoise/site"
"""Where the website is: built in a checkout, or as it came with the package."""

FIRST = "index"
EARLIER = {
    "cli": "commands",
    "compare": "change-a-rule",
    "cookbook": "python",
    "glossary": "numbers#Glossary",
    "lab": "change-a-rule#The lab",
    "mend": "find-a-change",
    "playtest": "your-results#Do real games agree with the simulation?",
    "replay-log": "logs",
    "rule-values": "keys",
    "rules": "change-a-rule",
    "schema": "columns",
    "skill": "whom-to-believe",
    "statistics": "methods",
    "sweep": "find-a-change#Which value is right?",
    "tables": "your-results",
}
"""What pages were called, and the page, or its section, that says it now."""


@command("equipoise docs", "equipoise docs mend", "equipoise docs glossary --no-open")
def docs(
    page: Annotated[str, Typed("A page by its name, such as `mend` or `glossary`.", "PAGE", argument=True)] = FIRST,
    open_: OpenOption = None,
) -> None:
    """Open a page of the documentation in a browser, or show it here."""
    from equipoise.output.pages import has_desktop

    home = ROOT / PAGES
    pages = {path.stem: path for folder in PARTS for path in sorted((home / folder).glob("*.md"))}
    if not pages:
        raise UsageError("the pages of the documentation are not in this installation; install Equipoise again")
    page, _, section = EARLIER.get(page, page).partition("#")
    if page not in (FIRST, *pages):
        raise UsageError(f"PAGE: no page '{page[:40]}'{nearest(page, [*pages, *EARLIER])}")
    name = "index.html" if page == FIRST else f"docs/{pages[page].relative_to(home).with_suffix('.html')}"
    built = next((path for site in SITES if (path := ROOT / site / name).is_file()), None)
    is_shown = has_desktop() if open_ is None else open_
    if built and (is_shown or open_ is False):
        typer.echo(str(built))
        if is_shown:
            typer.launch(str(built))
    elif page == FIRST:
        for folder, part in PARTS.items():
            typer.echo(f"{part}:")
            for name, path in pages.items():
                if path.parent == home / folder:
                    typer.echo(f"  {name:<16}{path.read_text(encoding='utf-8').partition(chr(10))[0].lstrip('# ')}")
    else:
        from rich.console import Console
        from rich.markdown import Markdown

        text = pages[page].read_text(encoding="utf-8")
        if section:
            text = f"## {section}\n" + text.partition(f"\n## {section}\n")[2].partition("\n## ")[0]
        Console(highlight=False).print(Markdown(text))
