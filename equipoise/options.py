"""Options and arguments that several commands share, and how `--help` shows them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import traceback
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from simcore.errors import UsageError

# --- Games without the compiler: Python's own errors, with file and line, in place of those of Numba ---


SWITCH = "NUMBA_DISABLE_JIT"
"""Variable of the environment that Numba reads when it is imported."""

PATIENCE = 60
"""Seconds after which one game in plain Python is given up."""

_LIBRARY = re.compile(r"/(numpy|numba|simcore/(kernel|running))/|/lib/python[\d.]+/(?!(site|dist)-packages/)|^<")
"""Files that are not to blame."""


def switch_off(wanted: bool) -> bool:
    """Compile nothing in this process if that is wanted.

    Raises UsageError if what compiles is imported already.
    """
    if wanted and not is_off():
        if "numba" in sys.modules:
            raise UsageError("this process has begun to compile; give the command to a new one", "no_compile")
        os.environ[SWITCH] = "1"
    return wanted


def is_off() -> bool:
    """Return whether this process compiles nothing."""
    return os.environ.get(SWITCH) == "1"


def told(error: Exception) -> str:
    """Return where an error was raised, and what it says, in one line."""
    frames = traceback.extract_tb(error.__traceback__)
    last = next((one for one in reversed(frames) if not _LIBRARY.search(Path(one.filename).as_posix())), frames[-1])
    said = " ".join(str(error).split())
    return f"{os.path.relpath(last.filename)}, line {last.lineno}, in {last.name}: {type(error).__name__}: {said}"


def without_compiler(game: str) -> str:
    """Play one game in plain Python, in a process of its own; return the error it ends with, or that it ends well."""
    from simcore.child_processes import environment, python  # a room that imports Numba

    try:
        done = subprocess.run(
            python("equipoise", "replay", "--game", game, "--no-compile"),
            env=environment(),
            timeout=PATIENCE,
            check=False,
            text=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
    except subprocess.TimeoutExpired:
        return f"a game in plain Python did not end in {PATIENCE} s"
    if done.returncode == 0:
        return "a game in plain Python ends without an error"
    said = done.stderr.strip().splitlines()[-1:] or [f"exit code {done.returncode}"]
    return f"in plain Python: {said[0].removeprefix('error: ')}"


# --- Options and arguments that several commands share ---


def given(context: typer.Context, name: str) -> bool:
    """Return whether an option is given on the command line, under the name of its parameter."""
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def refuse(context: typer.Context, *names: str, because: str) -> None:
    """Refuse options where something else says what they would say.

    names: The options' parameters.
    Raises UsageError if one of them is given.
    """
    for name in names:
        if given(context, name):
            raise UsageError(because, name.rstrip("_"))


def _call_in(context: typer.Context, where: str | None) -> str | None:
    """Let the workers of a cluster play until the command ends."""
    if where is not None and not context.resilient_parsing:
        from equipoise.api.clustering import cluster

        context.with_resource(cluster(where))
    return where


ClusterOption = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="WHERE",
        help="Play on a Dask cluster: its scheduler's address, or `local:N` for N processes here; the same results.",
        show_default="threads of this process",
        callback=_call_in,
    ),
]
"""A command that has this option can ignore its value: everything that plays many games finds the workers."""
OpenOption = Annotated[
    bool | None,
    typer.Option(
        "--open/--no-open",
        help="Show the page in a browser; `--no-open` does not.",
        show_default="on a desktop's terminal",
    ),
]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="No progress; print only the names of the files.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print the results as JSON.")]
NoCompileOption = Annotated[
    bool,
    typer.Option(
        "--no-compile",
        help="Play in plain Python, which is slow, so that an error in a game's own code names its line.",
        is_eager=True,
        callback=switch_off,
    ),
]

# --- How `--help` arranges commands and options, and what it calls the values of options ---


PANELS = {
    "Play, and look at the results": ("simulate", "report", "replay", "import", "export", "verify", "log", "index"),
    "What you can play with": ("games", "strategies"), "What the cards do": ("cards",),
    "Change the rules": ("lab", "compare", "sweep", "sensitivity", "mend", "playtest", "rules", "check", "odds"),
    "Who plays, and how well": ("skill", "luck", "tournament", "restrict", "tune", "learn"),
    "Your own game": ("new-game", "test-game"), "This machine": ("bench", "self-test"), "Help": ("help", "docs"),
}  # fmt: skip
"""Commands by heading, in the order in which `equipoise help all` lists them."""

FIRST = (
    "simulate", "report", "import", "log", "games", "strategies", "cards",
    "lab", "compare", "sweep", "mend", "playtest", "rules", "check", "skill", "new-game",
)  # fmt: skip
"""The commands that a designer needs first: `equipoise --help` lists these, in the order of `PANELS`."""

ALL = "all"
"""What to say after `equipoise help` to list all commands."""

OTHERS = "More commands"
"""Heading of commands that nobody put under a heading."""

PLAYED, AMOUNT, WRITTEN, HELP = "What to play", "How much to play, and how to judge it", "What to write", "Help"
TOPICS = {
    PLAYED: (
        "--game", "--players", "--strategies", "--skill", "--strategy", "--against", "--forbid", "--tables", "--role",
        "--start-from", "--base", "--rules", "--set", "--check-policies", "--no-compile", "--trust",
    ),
    AMOUNT: (
        "--games", "--deals", "--index", "--count", "--find", "--rounds", "--best", "--budget", "--retune", "--seed",
        "--design", "--threads", "--cluster", "--population", "--sigma", "--level", "--margin", "--target", "--plan",
        "--groups", "--yes", "--resume", "--precision",
    ),
    WRITTEN: (
        "--out", "--format", "--detail", "--columns", "--by-players", "--lang", "--open", "--force", "--quiet",
        "--json",
    ),
    HELP: ("--install-completion", "--show-completion", "--help"),
}  # fmt: skip
"""Headings for the options of commands that have many options; all other options come first."""

MANY = 10
"""Number of options from which on a command lists them under headings."""

_TOPIC = {option: topic for topic, options in TOPICS.items() for option in options}


class Command(TyperCommand):
    """A command whose help shows no value for switches."""

    def get_params(self, ctx: Any) -> Any:
        """Return options and arguments, with names for their values."""
        return _worded(super().get_params(ctx))


class Group(TyperGroup):
    """Commands in the order of their panels; Typer would put commands with subcommands last.

    The help of the whole program lists the first commands only, unless its context has `ALL`.
    """

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help."""
        ctx.meta[FIRST] = ctx.parent is None and ALL not in ctx.meta
        super().format_help(ctx, formatter)
        ctx.meta[FIRST] = False

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse a command line; without a command, show the help."""
        return super().parse_args(ctx, args or ([] if ctx.resilient_parsing else ["--help"]))

    def get_params(self, ctx: Any) -> Any:
        """Return options and arguments, with names for their values."""
        return _worded(super().get_params(ctx))

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of all commands."""
        names = super().list_commands(ctx)
        if ctx and ctx.meta.get(FIRST):
            return list(FIRST)
        order = [name for panel in PANELS.values() for name in panel]
        return sorted(names, key=lambda name: order.index(name) if name in order else names.index(name))


def panel_of(command: str) -> str:
    """Return the heading under which a command is listed."""
    return next((panel for panel, names in PANELS.items() if command in names), OTHERS)


def _worded(parameters: Any) -> Any:
    for parameter in parameters:
        if parameter.metavar is None and getattr(parameter, "is_flag", False):
            parameter.metavar = ""
        if parameter.param_type_name == "argument":  # its name says what it takes, and not "list[str]"
            parameter.display_type_rich = lambda ctx: None
    if len(parameters) < MANY:
        return parameters
    for parameter in parameters:
        if topic := _topic_of(parameter):
            parameter.rich_help_panel = topic
    order = (None, *TOPICS)
    return sorted(parameters, key=lambda parameter: order.index(_topic_of(parameter)))


def _topic_of(parameter: Any) -> str | None:
    """Return the heading of an option, if possible its own; None for arguments and options of a single command."""
    if getattr(parameter, "rich_help_panel", None) in TOPICS:
        return str(parameter.rich_help_panel)
    return next((_TOPIC[name] for name in parameter.opts if name in _TOPIC), None)


# --- Examples at the end of a command's help ---


def examples(*lines: str) -> str:
    """Return command lines as a Markdown list for the end of `--help`."""
    return "\n\n".join(["Examples:", *(f"- `{line}`" for line in lines)])
