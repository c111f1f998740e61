"""The commands, and the only place where errors become one line and an exit code."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Sequence
from copy import copy
from functools import cache
from typing import Annotated, Any

import typer

from equipoise import uncompiled
from equipoise.command import command_of
from equipoise.commands import (
    bench,
    check,
    design_log,
    docs,
    export,
    help,
    import_table,
    index,
    lab,
    learn,
    listing,
    new_game,
    odds,
    replay,
    report,
    rules,
    self_test,
    simulate,
    test_game,
    tune,
    verify,
)
from equipoise.helptexts import Command, Group, panel_of
from equipoise.output.outlet import open_outlets
from equipoise.output.progress import announce
from equipoise.scarcity import SOME_MEMORY, lacking
from equipoise.signals import INTERRUPTED
from equipoise.typed import typed
from simcore.errors import Interrupted, KernelFault, NotCompiled, UsageError, printable, shortened

FAILED, UNUSABLE = 1, 2

PANIC = "PanicException"
"""The error that libraries in Rust, such as polars, raise when they fail; it is not an `Exception`."""

REWORDED = (
    ("Value error, ", ""),
    (". Did you mean", "; did you mean"),
    ("Input should be a valid integer, unable to parse string as an integer", "give a whole number"),
    ("Input should be a valid number, unable to parse string as a number", "give a number"),
)
"""Phrases of the command-line library, and ours instead of them."""

QUESTIONS = ("compare", "sweep", "sensitivity", "skill", "luck", "mend", "playtest", "tournament", "restrict")
"""The commands that are made from functions of `equipoise.questions`."""

app = typer.Typer(
    name="equipoise",
    cls=Group,
    help="Is the game balanced, and if not, what tilts it?",
    no_args_is_help=True,
    rich_markup_mode="markdown",
    epilog="`equipoise help all` lists all commands, and `equipoise help COMMAND` explains one. "
    "`equipoise docs glossary` explains the words.",
)
COMMANDS: tuple[tuple[Callable[..., object], str], ...] = (
    (simulate.simulate, simulate.EXAMPLES),
    (report.report, report.EXAMPLES),
    *map(command_of, QUESTIONS),
    (replay.replay, replay.EXAMPLES),
    (export.export, export.EXAMPLES),
    (verify.verify, verify.EXAMPLES),
    (design_log.log, design_log.EXAMPLES),
    (index.index, index.EXAMPLES),
    (lab.lab, lab.EXAMPLES),
    (listing.games, listing.GAMES_EXAMPLES),
    (listing.strategies, listing.STRATEGIES_EXAMPLES),
    (check.check, check.EXAMPLES),
    (tune.tune, tune.EXAMPLES),
    (learn.learn, learn.EXAMPLES),
    (odds.odds, odds.EXAMPLES),
    (new_game.new_game, new_game.EXAMPLES),
    (test_game.test_game, test_game.EXAMPLES),
    (bench.bench, bench.EXAMPLES),
    (self_test.self_test, self_test.EXAMPLES),
    (help.help_, help.EXAMPLES),
    (docs.docs, docs.EXAMPLES),
)
for command, examples in COMMANDS:
    name = command.__name__.replace("_", "-").strip("-")
    app.command(name, cls=Command, epilog=examples, rich_help_panel=panel_of(name))(command)
app.command("import", cls=Command, epilog=import_table.EXAMPLES, rich_help_panel=panel_of("import"))(
    import_table.import_table
)
app.add_typer(rules.app, rich_help_panel=panel_of("rules"))

simulate_app = typer.Typer(name="simulate", rich_markup_mode="markdown")
simulate_app.command(cls=Command, epilog=simulate.EXAMPLES)(simulate.simulate)


def _print_version(wanted: bool) -> None:
    if wanted:
        from analysis.runs.versions import versions

        typer.echo("\n".join(f"{name:<16}{number}" for name, number in versions().items()))
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", help="Print the versions in use.", is_eager=True, callback=_print_version)
    ] = False,
) -> None:
    """Accept the options before a command."""


@cache
def _built(command: typer.Typer, name: str = "") -> Any:
    """Return an application with the command that is named, or with all of them if this is not the name of one.

    To build all takes a tenth of the time of a short command.
    """
    named = [one for one in command.registered_commands if one.name == name]
    if named:
        command = copy(command)
        command.registered_commands, command.registered_groups = named, []
    return typer.main.get_command(command)


def run(command: typer.Typer, arguments: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit code.

    Parameters
    ----------
    command
        The application.
    arguments
        Command line.  If None, the command line of the process.
    """
    announce()
    given = list(sys.argv[1:] if arguments is None else arguments)
    first = given[0] if given and given[0] != "help" else ""
    built = _built(command, first)
    try:
        with typed(given if command is app else [command.info.name or "simulate", *given]):
            code: Any = built(given, standalone_mode=False)
    except NotCompiled as error:
        return _say(f"{error.game}: {uncompiled.without_compiler(error.game)}. Numba says: {error.reason}", UNUSABLE)
    except UsageError as error:
        return _say(error.on_command_line(_options_of(built, given)), UNUSABLE)
    except typer.exceptions.TyperException as error:
        return _say(_one_line(error), UNUSABLE)
    except KernelFault as error:
        return _say(str(error), FAILED)
    except (typer.Abort, Interrupted) as error:
        return _say(str(error) or "interrupted", INTERRUPTED)
    except OSError as error:
        _close_output()
        return _say(": ".join(filter(None, (error.filename, error.strerror or str(error)))), UNUSABLE)
    except MemoryError:
        return _say("not enough memory; play fewer games, or read fewer columns", UNUSABLE)
    except BaseException as error:
        if missing := lacking(SOME_MEMORY):
            return _say(missing, UNUSABLE)
        if uncompiled.is_off() and isinstance(error, Exception):
            return _say(uncompiled.told(error), FAILED)
        if type(error).__name__ != PANIC:
            raise
        return _say(f"a library failed on this data, which may be damaged: {str(error).splitlines()[0]}", FAILED)
    if code == INTERRUPTED:  # Typer has caught Ctrl-C
        return _say("interrupted", INTERRUPTED)
    return code if isinstance(code, int) else 0


def _close_output() -> None:
    """Discard what standard output still holds; otherwise Python would try, and fail, to write it again at its end."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _one_line(error: Exception) -> str:
    message = error.format_message() if hasattr(error, "format_message") else str(error)
    context = getattr(error, "ctx", None)
    for said, meant in REWORDED:
        message = message.replace(said, meant)
    line = " ".join(message.split()).rstrip(".")
    if not context or not line:
        return line
    return f"{line}{' See' if line.endswith('?') else '; see'} {context.command_path} --help"


def _options_of(command: Any, line: Sequence[str]) -> set[str]:
    """Return the options of the command that a command line calls."""
    for word in line:
        command = getattr(command, "commands", {}).get(word, command)
    return {name for parameter in command.params for name in parameter.opts}


def _say(message: str, code: int) -> int:
    if not message:  # no command was given, and the help is printed
        return code
    label = "interrupted" if code == INTERRUPTED else "error"
    text = message if message.startswith(label) else f"{label}: {message}"
    line = shortened(printable(text))
    typer.echo(line, err=True)
    return code


def main(command: typer.Typer = app) -> int:
    """Run the command line of this process and return its exit code."""
    open_outlets()
    return run(command)
