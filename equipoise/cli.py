"""The commands, and the only place where errors become one line and an exit code."""

from __future__ import annotations

import contextlib
import os
import re
import sys
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any

import typer

from equipoise import HOMES, options
from equipoise.command import command_of
from equipoise.files import open_streams
from equipoise.options import FIRST, Command, Group, panel_of
from equipoise.output.progress import announce
from equipoise.process import INTERRUPTED, SOME_MEMORY, is_interrupted, lacking, typed
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

QUESTIONS = tuple(name for name, home in HOMES.items() if home.startswith("equipoise.questions."))
"""The functions of `equipoise.questions` from which commands are made; a command is the first word of its name."""

SIMULATE = "simulate"
"""The command that is also a program of its own."""

COMMANDS = {
    **{name.partition("_")[0]: name for name in QUESTIONS},
    "replay": "replay.replay",
    "export": "runs.export",
    "verify": "runs.verify",
    "lab": "lab.lab",
    "games": "listing.games",
    "strategies": "listing.strategies",
    "new-game": "authors.new_game",
    "test-game": "authors.test_game",
    "bench": "bench.bench",
    "self-test": "authors.self_test",
    "help": "help.help_",
    "docs": "help.docs",
    "rules": "",
}
"""The question of each command, or its function in `equipoise.commands`; importing all takes a tenth of a short one."""

if TYPE_CHECKING:
    app: typer.Typer
    simulate_app: typer.Typer


@cache
def program(*names: str) -> typer.Typer:
    """Return the application with the commands that are named."""
    made = typer.Typer(
        name="equipoise",
        cls=Group,
        help="Is the game balanced, and if not, what tilts it?",
        rich_markup_mode="markdown",
        epilog="`equipoise help all` lists all commands, and `equipoise help COMMAND` explains one. "
        "`equipoise docs glossary` explains the words.",
    )
    made.callback()(_options)
    for name in names:
        panel = panel_of(name)
        if name == "rules":
            made.add_typer(import_module("equipoise.commands.listing").app, rich_help_panel=panel)
        else:
            function = _function(name)
            made.command(name, cls=Command, epilog=function.examples, rich_help_panel=panel)(function)
    return made


def _function(name: str) -> Any:
    """Return the function of a command."""
    file, _, function = COMMANDS[name].partition(".")
    return getattr(import_module(f"equipoise.commands.{file}"), function) if function else command_of(file)


def __getattr__(name: str) -> typer.Typer:
    """Make an application when it is first asked for: `app` with all commands, or `simulate_app`."""
    if name == "app":
        return program(*COMMANDS)
    if name == "simulate_app":
        return simulate_alone()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


@cache
def simulate_alone() -> typer.Typer:
    """Return the application that only simulates."""
    made = typer.Typer(name=SIMULATE, rich_markup_mode="markdown")
    function = _function(SIMULATE)
    made.command(cls=Command, epilog=function.examples)(function)
    return made


def _print_version(wanted: bool) -> None:
    if wanted:
        from analysis.runs.manifest import versions

        typer.echo("\n".join(f"{name:<16}{number}" for name, number in versions().items()))
        raise typer.Exit


def _options(
    version: Annotated[
        bool, typer.Option("--version", help="Print the versions in use.", is_eager=True, callback=_print_version)
    ] = False,
) -> None:
    """Accept the options before a command."""


_built = cache(typer.main.get_command)


def run(command: typer.Typer, arguments: Sequence[str] | None = None) -> int:
    """Run a command line, or that of the process, and return its exit code."""
    announce()
    given = list(sys.argv[1:] if arguments is None else arguments)
    built = _built(command)
    try:
        with typed([SIMULATE, *given] if command.info.name == SIMULATE else given):
            _refuse_empty(built, given)
            code: Any = built(given, standalone_mode=False)
    except NotCompiled as error:
        return _say(f"{error.game}: {options.without_compiler(error.game)}. Numba says: {error.reason}", UNUSABLE)
    except UsageError as error:
        return _say(error.on_command_line(_options_of(built, given)), UNUSABLE)
    except typer.exceptions.TyperException as error:
        return _say(_one_line(error), UNUSABLE)
    except KernelFault as error:
        return _say(str(error), FAILED)
    except (typer.Abort, Interrupted) as error:
        if isinstance(error.__cause__, EOFError):  # a module that cannot be read; Typer takes it for Ctrl-D
            raise error.__cause__ from None
        return _say(str(error) or "interrupted", INTERRUPTED)
    except OSError as error:
        _close_output()
        return _say(": ".join(filter(None, (error.filename, error.strerror or str(error)))), UNUSABLE)
    except MemoryError:
        return _say("not enough memory; play fewer games, or read fewer columns", UNUSABLE)
    except BaseException as error:
        if is_interrupted() and isinstance(error, Exception):
            return _say("interrupted", INTERRUPTED)
        if missing := lacking(SOME_MEMORY):
            return _say(missing, UNUSABLE)
        if options.is_off() and isinstance(error, Exception):
            return _say(options.told(error), FAILED)
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
    if extra := re.search(r"extra argument\(s\) \((\S+)\)$", line):
        from equipoise.parameters import is_game

        line += f"; name the game with --game {extra[1]}" if is_game(extra[1]) else ""
    return f"{line}{' See' if line.endswith('?') else '; see'} {context.command_path} --help"


def _options_of(command: Any, line: Sequence[str], switches: bool = False) -> set[str]:
    """Return the options of the command that a command line calls; with `switches`, only those without a value."""
    for word in line:
        command = getattr(command, "commands", {}).get(word, command)
    wanted = [one for one in command.params if not switches or getattr(one, "is_flag", False)]
    return {name for parameter in wanted for name in parameter.opts}


def _refuse_empty(command: Any, line: Sequence[str]) -> None:
    """Refuse an empty argument, which a path would take for the current folder; an option may have an empty value."""
    for before, word in pairwise(["", *line]):
        if not word and (not before.startswith("-") or before in _options_of(command, line, switches=True)):
            raise UsageError("an argument is empty; write what it stands for, or leave it out")


def _say(message: str, code: int) -> int:
    label = "interrupted" if code == INTERRUPTED else "error"
    text = message if message.startswith(label) else f"{label}: {message}"
    line = shortened(printable(text))
    typer.echo(line, err=True)
    return code


def main(name: str = "equipoise") -> int:
    """Run the command line of this process and return its exit code; import only the command that is named."""
    open_streams()
    if name == SIMULATE:
        return run(simulate_alone())
    if sys.argv[1:] in ([], ["--help"]):
        return run(program(*FIRST))
    first = sys.argv[1] if len(sys.argv) > 1 else ""
    return run(program(*([first] if first in COMMANDS and first != "help" else COMMANDS)))
