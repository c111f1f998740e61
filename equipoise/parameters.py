"""What questions share: how parameters are typed on a command line, and the parameters that several of them have.

The text of a parameter stands in the docstring of its function, as numpydoc.  "If None, ..." or "If empty, ..." in it
says what the default is.  A parameter that means the same everywhere has its text here, and the docstring refers to
`eq.simulate` or repeats it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from equipoise.completion import (
    parts_of_rules,
    rule_names,
    rule_settings,
    skill_names,
    strategy_names,
    target_names,
)
from equipoise.limits import MAX_SEED, MAX_THREADS
from equipoise.typed_numbers import share_of, whole
from simcore.homes import GAMES, known_games

if TYPE_CHECKING:
    from analysis.compare import Reference
    from analysis.stats.margin import Margin
    from simcore.rules.files import Rules, Settings
    from strategies.spec import References

HEAVY = {
    "Reference": "analysis.compare",
    "Margin": "analysis.stats.margin",
    "References": "strategies.spec",
    "Rules": "simcore.rules.files",
    "Settings": "simcore.rules.files",
}
"""Types whose modules are imported when a function is called, not when the command line is built."""


@dataclass(frozen=True)
class Typed:
    """How a parameter is typed on a command line."""

    text: str = ""  # what it means, unless the docstring of its function says it
    takes: str | None = None  # what help calls its value
    read: Callable[[str, str], Any] | None = None
    """Returns the value from the text that was typed and the name of the parameter.  If None, Typer reads a truth
    value, number, path or choice, and everything else is text."""
    each: bool = False  # whether the option may be repeated; the value is then a list
    span: tuple[int, int] | None = None  # the least and the largest number
    option: str = ""  # name of the option, if it is not that of the parameter
    argument: bool = False  # whether it is typed without the name of an option
    complete: Callable[..., Any] | None = None  # completes it in a shell


@dataclass(frozen=True)
class Question:
    """What the command of a question needs beside its function."""

    examples: tuple[str, ...]  # command lines for the end of its help
    show: str = ""
    """Module whose function `show` prints the experiment.  If empty, a terminal shows what its page says first."""
    files: Callable[[Mapping[str, Any]], Sequence[str]] = lambda given: ()
    """Returns the names of the files that it writes beside the page, from its arguments."""
    lists: Callable[[Mapping[str, Any]], Sequence[str]] | None = None
    """If its command has `--list`: returns what that lists, from the arguments."""
    game: Callable[[Mapping[str, Any]], str] = itemgetter("game")
    """Returns the game from the arguments; the folder of its files is named after it."""
    stem: str = ""  # name of its page without the ending, if it is not the name of the question
    here: bool = False  # whether its games are played here only, and never on a cluster


def heavy(name: str) -> Any:
    """Return a type that `HEAVY` names; raise `AttributeError` if it names no such type."""
    if name not in HEAVY:
        raise AttributeError(name)
    return getattr(import_module(HEAVY[name]), name)


def comma_list(text: str, name: str) -> list[str]:
    """Return the parts of a text between commas."""
    return [part.strip() for part in text.split(",")]


def player_counts(text: str, name: str) -> list[int]:
    """Return the numbers of players in a list separated by commas."""
    return [whole(part, name, 1, 99) for part in text.split(",")]


def shares(text: str, name: str) -> list[float]:
    """Return the numbers in a list separated by commas, each a share such as 0.05 or 5%."""
    return [share_of(part, name) for part in text.split(",")]


def line_ups(text: str, name: str) -> list[list[str]]:
    """Return the line-ups in a text, each with its strategies; "|" stands between line-ups."""
    return [comma_list(part, name) if part else [] for part in text.split("|")]


def seed_of(text: str, name: str) -> int:
    """Return a random seed."""
    return whole(text, name, 0, MAX_SEED)


RuleParts = Annotated[Sequence[str], Typed(takes="NAME,...", read=comma_list, complete=parts_of_rules)]
Targets = Annotated[str | Sequence[str], Typed(takes="TARGET", each=True, complete=target_names)]
GameName = Annotated[
    str,
    Typed(
        "Game, the path of a Python file with one, openspiel:GAME or pettingzoo:MODULE.ENV.",
        "NAME",
        complete=known_games,
    ),
]
MaybeGame = Annotated[
    str | None,
    Typed(
        f"Game, the path of a Python file with one, openspiel:GAME or pettingzoo:MODULE.ENV.  If None, {GAMES[0]}.",
        "NAME",
        complete=known_games,
    ),
]
Players = Annotated[int | None, Typed("Players at the table.  If None, the game's usual number.", "N")]
PlayerCounts = Annotated[
    int | Sequence[int] | None,
    Typed(
        "Players at the table; several numbers are separated by commas.  If None, the game's usual number.",
        "N,...",
        player_counts,
    ),
]
LineUp = Annotated[
    "References",
    Typed(
        "One strategy for all seats, one for each seat, or `role=strategy`, separated by commas; each is a shipped "
        "name, a `.toml` file or `module:attribute`.  If empty, the game's strongest.",
        "NAME,...",
        comma_list,
        complete=strategy_names,
    ),
]
LineUps = Annotated["Sequence[References] | str", Typed(takes="NAME|...", read=line_ups, complete=strategy_names)]
Player = Annotated[str | Path | None, Typed(takes="NAME", complete=strategy_names)]
Skill = Annotated[
    str | None,
    Typed(
        "How well the players play: `family`, `club`, `experts` or `search` (players who look ahead, and are slow).  "
        "If None, as experts.",
        "NAME",
        complete=skill_names,
    ),
]
RuleSet = Annotated["str | Path | Rules", Typed("Shipped name, or path of a TOML file.", "RULES", complete=rule_names)]
MaybeRules = Annotated[
    "str | Path | Rules | None",
    Typed("Shipped name, or path of a TOML file.  If None, base.", "RULES", complete=rule_names),
]
Version = Annotated["Reference", Typed(takes="VERSION", argument=True, complete=rule_names)]
RuleChanges = Annotated[
    "Settings",
    Typed(
        "Change one rule value or switch; may be repeated.  `equipoise rules keys` lists them.",
        "KEY=VALUE",
        each=True,
        option="set",
        complete=rule_settings,
    ),
]
GameCount = Annotated[float, Typed(takes="N", read=whole)]
Seed = Annotated[int, Typed("Random seed.", "N", seed_of, span=(0, MAX_SEED))]
MaybeGames = Annotated[float | None, Typed(takes="N", read=whole)]
MaybeSeed = Annotated[int | None, Typed("Random seed.  If None, 1.", "N", seed_of, span=(0, MAX_SEED))]
Distance = Annotated["Margin | float | str", Typed(takes="MARGIN")]
Retune = Annotated[str | int | None, Typed(takes="BUDGET")]
Level = Annotated[float, Typed("Confidence level of the intervals.", "SHARE")]
Threads = Annotated[
    int | None,
    Typed("Number of threads; the results do not depend on it.  If None, all cores.", "N", span=(1, MAX_THREADS)),
]
GoAhead = Annotated[bool, Typed("Play even if it takes more than half an hour.")]
