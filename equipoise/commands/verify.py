"""`equipoise verify`: do the games of a run, played again, give what its files say?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from equipoise.examples import examples
from equipoise.options import PartialOption, TrustOption, opened
from equipoise.output.progress import Progress
from equipoise.typed_numbers import whole

EXAMPLES = examples(
    "equipoise verify runs/first",
    "equipoise verify runs/first runs/second --sample 1e4",
)


def verify(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN", help="Run folders.")],
    sample: Annotated[
        str | None,
        typer.Option("--sample", help="Number of games, chosen at random, to play again.", show_default="all games"),
    ] = None,
    partial: PartialOption = False,
    game: Annotated[
        str | None,
        typer.Option(
            "--game",
            metavar="FILE",
            help="The Python file of the game, if it is one.",
            show_default="none",
            callback=opened,
        ),
    ] = None,
    trust: TrustOption = False,
) -> None:
    """Check that runs are genuine, by playing their games again.

    The checksums of the manifest and the files, the order of the games and the digest of the rules show that nothing
    was damaged. Playing all games again shows that the table and the digest of outcomes belong to the game, players,
    rules and seed that the manifest names; --sample shows this for some games only. The exit code is 0, 1 (games
    differ) or 2 (a run cannot be read or is damaged).
    """
    from analysis.data.verifying import verify_run
    from analysis.runs import load

    games = None if sample is None else whole(sample, "--sample")
    opened = [load(folder, partial, trust=trust) for folder in runs]
    wanted = [min(run.manifest.games_written, games or run.manifest.games_written) for run in opened]
    false = 0
    with Progress("games", sum(wanted)) as progress:
        for number, run in enumerate(opened):
            before = sum(wanted[:number])
            found = verify_run(run, games, lambda done, at=before: progress.update(at + done))  # type: ignore[misc]
            typer.echo(f"{run.folder}: {found.describe()}")
            false += found.difference is not None
    if false:
        raise typer.Exit(1)
