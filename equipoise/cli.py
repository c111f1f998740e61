"""The commands, and the one place where errors become one line and an exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from equipoise.commands import bench, export, replay, rules, simulate
from simcore.errors import KernelFault, UsageError
from simcore.executors import Interrupted

FAILED, UNUSABLE, INTERRUPTED = 1, 2, 130

app = typer.Typer(
    name="equipoise",
    help="Is the game balanced, and if not, what tilts it?",
    no_args_is_help=True,
    rich_markup_mode="markdown",
)
app.command(epilog=simulate.EXAMPLES)(simulate.simulate)
app.command(epilog=replay.EXAMPLES)(replay.replay)
app.command(epilog=export.EXAMPLES)(export.export)
app.command(epilog=bench.EXAMPLES)(bench.bench)
app.add_typer(rules.app)

simulate_app = typer.Typer(name="simulate", rich_markup_mode="markdown")
simulate_app.command(epilog=simulate.EXAMPLES)(simulate.simulate)


@app.callback()
def _options(
    version: Annotated[bool, typer.Option("--version", help="Print the version.", is_eager=True)] = False,
) -> None:
    if version:
        from analysis.runs.manifest import versions

        typer.echo(" · ".join(f"{name} {number}" for name, number in versions().items()))
        raise typer.Exit


def run(command: typer.Typer, arguments: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit code.

    Parameters
    ----------
    command
        The application.
    arguments
        Command line; that of the process if None.
    """
    try:
        code: Any = command(None if arguments is None else list(arguments), standalone_mode=False)
    except UsageError as error:
        return _say(str(error), UNUSABLE)
    except typer.exceptions.TyperException as error:
        return _say(_one_line(error), UNUSABLE)
    except KernelFault as error:
        return _say(str(error), FAILED)
    except (KeyboardInterrupt, typer.Abort, Interrupted) as error:
        return _say(str(error) or "interrupted", INTERRUPTED)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return code if isinstance(code, int) else 0


def _one_line(error: Exception) -> str:
    message = error.format_message() if hasattr(error, "format_message") else str(error)
    context = getattr(error, "ctx", None)
    hint = f"; see {context.command_path} --help" if context else ""
    return " ".join(message.split()).rstrip(".") + hint


def _say(message: str, code: int) -> int:
    label = "interrupted" if code == INTERRUPTED else "error"
    text = message if message.startswith(label) else f"{label}: {message}"
    typer.echo("".join(character if character.isprintable() else "?" for character in text), err=True)
    return code


def main() -> None:
    """Entry point `equipoise`."""
    sys.exit(run(app))


def simulate_main() -> None:
    """Entry point `simulate`, the same as `equipoise simulate`."""
    sys.exit(run(simulate_app))
