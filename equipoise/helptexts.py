"""How `--help` arranges commands and options, and what it calls the values of options."""

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand, TyperGroup

PANELS = {
    "Play, and look at the results": ("simulate", "report", "replay", "import", "export", "verify", "log", "index"),
    "What you can play with": ("games", "strategies"),
    "Change the rules": ("lab", "compare", "sweep", "sensitivity", "mend", "playtest", "rules", "check", "odds"),
    "Who plays, and how well": ("skill", "luck", "tournament", "restrict", "tune", "learn"),
    "Your own game": ("new-game", "test-game"),
    "This machine": ("bench", "self-test"),
    "Help": ("help", "docs"),
}
"""Commands by heading, in the order in which `equipoise help all` lists them."""

FIRST = (
    "simulate", "report", "import", "log", "games", "strategies",
    "lab", "compare", "sweep", "mend", "playtest", "rules", "check", "skill", "new-game",
)  # fmt: skip
"""The commands that a designer needs first: `equipoise --help` lists these, in the order of `PANELS`."""

ALL = "all"
"""What to say after `equipoise help` to list all commands."""

OTHERS = "More commands"
"""Heading of commands that nobody put under a heading."""

TAKES = {
    "N": (
        "--count",
        "--deals",
        "--games",
        "--index",
        "--memory-games",
        "--players",
        "--population",
        "--sample",
        "--seed",
        "--threads",
    ),
    "NAME": ("--game", "--strategy", "--start-from", "--base"),
    "NAME,...": ("--against", "--columns", "--forbid", "--only", "--strategies"),
    "RULES": ("--rules",),
    "KEY": ("--key",),
    "LANGUAGE": ("--lang",),
    "MARGIN": ("--margin",),
    "SHARE": ("--level",),
    "SECONDS": ("--seconds",),
    "STEPS": ("--sigma",),
    "TIME": ("--budget",),
    "FOLDER": ("--dir",),
    "FILE": ("--chart", "--gitlab", "--junit", "--markdown", "--out"),
}
"""Names that help uses for the values of options, if the option itself does not name them."""

PLAYED, AMOUNT, WRITTEN, HELP = "What to play", "How much to play, and how to judge it", "What to write", "Help"
TOPICS = {
    PLAYED: (
        "--game",
        "--players",
        "--strategies",
        "--skill",
        "--strategy",
        "--against",
        "--forbid",
        "--tables",
        "--role",
        "--start-from",
        "--base",
        "--rules",
        "--set",
        "--check-policies",
        "--no-compile",
        "--trust",
    ),
    AMOUNT: (
        "--games",
        "--deals",
        "--index",
        "--count",
        "--find",
        "--rounds",
        "--best",
        "--budget",
        "--retune",
        "--seed",
        "--design",
        "--threads",
        "--cluster",
        "--population",
        "--sigma",
        "--level",
        "--margin",
        "--target",
        "--plan",
        "--groups",
        "--yes",
        "--resume",
        "--precision",
    ),
    WRITTEN: (
        "--out",
        "--format",
        "--detail",
        "--columns",
        "--by-players",
        "--lang",
        "--open",
        "--force",
        "--quiet",
        "--json",
    ),
    HELP: ("--install-completion", "--show-completion", "--help"),
}
"""Headings for the options of commands that have many options; all other options come first."""

MANY = 10
"""Number of options from which on a command lists them under headings."""

_TOPIC = {option: topic for topic, options in TOPICS.items() for option in options}
_WORDS = {option: word for word, options in TAKES.items() for option in options}


class Command(TyperCommand):
    """A command whose help names the values of options in words, and shows no value for switches."""

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
        elif parameter.metavar is None:
            parameter.metavar = next((_WORDS[name] for name in parameter.opts if name in _WORDS), None)
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
