"""How `--help` lists commands and options, and what it calls the values that options take."""

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand, TyperGroup

PANELS = {
    "Games": ("simulate", "report", "replay", "export", "verify", "log", "index"),
    "What there is": ("games", "strategies"),
    "Rules": ("compare", "sweep", "sensitivity", "mend", "playtest", "rules", "check", "odds"),
    "Strategies": ("tournament", "restrict", "tune"),
    "Your own game": ("new-game", "test-game"),
    "This machine": ("bench",),
}
"""Commands under their headings, in the order in which they are listed."""

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
    "NAME": ("--game", "--strategy", "--start-from"),
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
"""Options by what help says that they take, where the option itself does not say it."""

PLAYED, AMOUNT, WRITTEN, HELP = "What is played", "How much and by what chance", "What is written", "Help"
TOPICS = {
    PLAYED: (
        "--game",
        "--players",
        "--strategies",
        "--strategy",
        "--against",
        "--forbid",
        "--tables",
        "--role",
        "--start-from",
        "--rules",
        "--set",
        "--check-policies",
        "--trust",
    ),
    AMOUNT: (
        "--games",
        "--deals",
        "--index",
        "--count",
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
        "--shuffles",
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
"""The options of commands that have many, by the heading under which help lists them; all others come first."""

MANY = 10
"""Options from which on a command lists them by topic."""

_TOPIC = {option: topic for topic, options in TOPICS.items() for option in options}
_WORDS = {option: word for word, options in TAKES.items() for option in options}


class Command(TyperCommand):
    """A command whose help names values in words, and shows none for switches."""

    def get_params(self, ctx: Any) -> Any:
        """Return options and arguments."""
        return _worded(super().get_params(ctx))


class Group(TyperGroup):
    """Commands in the order of their panels; Typer puts those last that have commands of their own."""

    def get_params(self, ctx: Any) -> Any:
        """Return options and arguments."""
        return _worded(super().get_params(ctx))

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of all commands."""
        names = super().list_commands(ctx)
        order = [name for panel in PANELS.values() for name in panel]
        return sorted(names, key=lambda name: order.index(name) if name in order else names.index(name))


def panel_of(command: str) -> str:
    """Return the heading under which a command is listed."""
    return next(panel for panel, names in PANELS.items() if command.replace("_", "-") in names)


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
    """Return the heading of an option, its own first; arguments and options that only one command has are without."""
    if getattr(parameter, "rich_help_panel", None) in TOPICS:
        return str(parameter.rich_help_panel)
    return next((_TOPIC[name] for name in parameter.opts if name in _TOPIC), None)
