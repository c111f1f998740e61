"""What questions share: how parameters are typed on a command line, and the parameters that several of them have.

The text of a parameter stands in the docstring of its function, as numpydoc.  "If None, ..." or "If empty, ..." in it
says what the default is.  A parameter that means the same everywhere has its text here, and `questions.asked` puts it
into the docstring.
"""

from __future__ import annotations

import builtins
import inspect
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from importlib import import_module
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ForwardRef, get_args, get_origin

import typer

from analysis.tables import ENDINGS, start_of
from simcore import doors
from simcore.errors import UsageError
from simcore.homes import GAMES, check_rules, check_strategy, home, known_games
from simcore.imports import is_file

if TYPE_CHECKING:
    from analysis.compare.comparing import Reference
    from analysis.stats.margin import Margin
    from equipoise.output.progress import Following
    from simcore.game import Game
    from simcore.rules.files import Rules, Settings
    from strategies.spec import References

# --- What several commands accept: ranges of numbers, and how long they may play ---


MAX_THREADS = 1024
MAX_SEED = 2**64 - 1


def spanned(least: int, most: int) -> str:
    """Return a range in words."""
    return f"{least} to {'2**64 - 1' if most == MAX_SEED else f'{most:,}'}"


def patience(yes: bool, seconds: float) -> None:
    """Raise `UsageError` if the work takes more than half an hour and the user has not agreed to that."""
    from analysis.precision import LONG, lasting

    if seconds > LONG and not yes:
        raise UsageError(
            f"this would take about {lasting(seconds)} more; take fewer values or games",
            way_out=(", or confirm with", "yes"),
        )


# --- Numbers as people write them ---


MAX_DIGITS = 40
MANY = 10_000
"""Numbers that may be larger are written in short forms such as 1e6."""


def whole(text: str, option: str, least: int = 1, most: int = 2**32 - 1) -> int:
    """Parse a whole number such as "1e6", "250_000" or "2.5e5".

    Raises UsageError if the text is not a number, or the number has a fraction or is out of range.
    """
    how = "write 1000000, 1_000_000 or 1e6" if most > MANY else f"give a whole number from {least} to {most:,}"
    number = _parsed(text.replace("_", ""), option, how)
    if not number.is_finite() or not least <= number <= most:
        raise UsageError(f"{text} is out of range; give a whole number from {least} to {most:,}", option)
    if number != number.to_integral_value():
        raise UsageError(f"{text} has a fraction; give a whole number", option)
    return int(number)


def share_of(text: str, option: str) -> float:
    """Parse a share of everything, such as "0.05" or "5%".

    Raises UsageError if the text is not a number, or the number is not above 0, up to 1.
    """
    how = "give a share such as 0.05 or 5%"
    plain = text.strip().removesuffix("%")
    number = _parsed(plain, option, how) / (1 if plain == text.strip() else 100)
    if not 0 < number <= 1:
        raise UsageError(f"{text[:MAX_DIGITS]} is out of range; {how}", option)
    return float(number)


def _parsed(text: str, option: str, how: str) -> Decimal:
    """Return the number that a text is."""
    try:
        if len(text) > MAX_DIGITS or not (number := Decimal(text.strip())) == number:
            raise InvalidOperation
    except InvalidOperation:
        raise UsageError(f"'{text[:MAX_DIGITS]}' is not a number; {how}", option) from None
    return number


# --- Completion in a shell: names and settings that depend on the game that is typed ---


def rule_names(context: typer.Context) -> list[str]:
    """Return the completions of a rule set's name."""
    from simcore.game import load_game
    from simcore.rules.files import shipped_rules

    return shipped_rules(load_game(context.params.get("game") or GAMES[0]))


def strategy_names(context: typer.Context) -> list[str]:
    """Return the completions of a strategy's name, with the role in front in a game with roles."""
    from simcore.game import load_game
    from strategies.library import load_strategy, shipped_strategies

    game = load_game(context.params.get("game") or GAMES[0])
    names = shipped_strategies(game)
    if not game.asymmetric:
        return names
    able = {name: load_strategy(game, name).role for name in names}
    return [f"{role}={name}" for role in game.role_names for name in names if able[name] in ("", role)]


def card_names(context: typer.Context) -> list[str]:
    """Return the completions of a card's name."""
    from analysis.cards.table import things_of
    from simcore.game import load_game
    from simcore.rules.files import load_rules

    named = context.params.get("game")
    loaded = [load_game(game) for game in ([named] if named else GAMES)]
    return [card for game in loaded for thing in things_of(game) for card in thing.copies(load_rules(game).values)]


def skill_names() -> list[str]:
    """Return the completions of a level of skill."""
    from strategies.kit import SKILLS

    return list(SKILLS)


def findings() -> list[str]:
    """Return what can be looked for among games."""
    from analysis.course.finding import KINDS

    return [*KINDS, "seat-1"]


def rule_settings(context: typer.Context) -> list[tuple[str, str]]:
    """Return the completions of a key of the rules, each with its present value and the values that it accepts."""
    from simcore.rules.levers import rule_keys

    game, rules = _typed(context)
    return [
        (f"{entry.key}=", f"{entry.takes}; now {json.dumps(entry.value, ensure_ascii=False)}")
        for entry in rule_keys(game, rules)
    ]


def lever_keys(context: typer.Context) -> list[tuple[str, str]]:
    """Return the completions of a whole number or switch that may be changed, each with its present value."""
    from simcore.rules.levers import whole_numbers

    game, rules = _typed(context)
    return [(key, f"now {value}") for key, value in whole_numbers(game, rules, game.default_players)]


def target_names(context: typer.Context) -> list[str]:
    """Return the completions of what should win its part: all seats or camps, or one of them with its share."""
    game, _ = _typed(context)
    seats = [f"seat-{seat + 1}=" for seat in range(game.default_players)]
    sides = dict.fromkeys(name for role in game.roles for name in (role.name, role.side)) if game.asymmetric else ()
    return ["seats", *(["camps"] if sides else []), *seats, *(f"{name}=" for name in sides)]


def parts_of_rules(context: typer.Context, incomplete: str) -> list[str]:
    """Return the completions of the last of several switches and tables with commas between."""
    from analysis.sensitivity import switches_and_tables

    before = incomplete[: incomplete.rfind(",") + 1]
    switches, tables = switches_and_tables(*_typed(context))
    return [f"{before}{name}" for name in (*switches, *tables)]


def _typed(context: typer.Context) -> tuple[Game, Rules]:
    """Return the game and the rules that were typed so far."""
    from simcore.game import load_game
    from simcore.rules.files import load_rules

    game = load_game(context.params.get("game") or GAMES[0])
    return game, load_rules(game, context.params.get("rules") or context.params.get("reference") or "base")


def role_names(context: typer.Context) -> list[str]:
    """Return the completions of a role's name."""
    from simcore.game import load_game

    return [*load_game(context.params.get("game") or GAMES[0]).role_names, "all"]


# What questions share: how parameters are typed on a command line, and the parameters that several of them have.


HEAVY = {
    "AnyRun": "equipoise.api.reporting", "Reference": "analysis.compare.comparing", "Margin": "analysis.stats.margin",
    "Following": "equipoise.output.progress", "References": "strategies.spec", "Rules": "simcore.rules.files",
    "Run": "analysis.runs", "Settings": "simcore.rules.files",
}  # fmt: skip
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
    choices: tuple[str, ...] = ()  # the only values, if there are few
    panel: str = ""  # heading of the option in help, if it is not the usual one
    argument: bool = False  # whether it is typed without the name of an option
    complete: Callable[..., Any] | None = None  # completes it in a shell
    check: Callable[[str, Any, str], None] = lambda game, value, name: None
    """Refuses what a game has not, before anything is loaded that plays; takes the game, the value and its name."""


@dataclass(frozen=True)
class Question:
    """What the command of a question needs beside its function."""

    examples: tuple[str, ...]  # command lines for the end of its help
    files: Callable[[Mapping[str, Any]], Sequence[str]] = lambda given: ()
    """Returns the names of the files that it writes beside the page, from its arguments."""
    lists: Callable[[Mapping[str, Any]], Sequence[str]] | None = None
    """If its command has `--list`: returns what that lists, from the arguments."""
    game: Callable[[Mapping[str, Any]], str] = itemgetter("game")
    """Returns the game from the arguments; the folder of its files is named after it."""
    stem: str = ""  # name of its page without the ending, if it is not the name of the question
    each: str = ""  # the parameter of which its command takes several, and asks for one after another
    here: bool = False  # whether its games are played here only, and never on a cluster
    only: Any = None  # class of the options that only its command has.  If None, those of an experiment.
    show: str = ""  # function that prints its answer, as "module:name"; a page says itself what to print


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


def run_of(text: str, name: str) -> Path:
    """Return the path of a run; one that is not there is refused before anything is loaded that reads."""
    path = Path(text)
    if not path.is_dir() and (is_game(text) or not path.exists()):
        hint = f"; for a report on the game, give --game: equipoise report --game {text}" if is_game(text) else ""
        raise UsageError(f"{text}: no such run folder{hint}")
    return path


def run_or_table_of(text: str, name: str) -> Path:
    """Return the path of a run or a table; what ends like no table is a run."""
    if Path(text).suffix not in ENDINGS:
        run_of(text, name)
    return table_of(text, name)


def table_of(text: str, name: str) -> Path:
    """Return the path of a table or a run; one that is not there is refused before anything is loaded that reads."""
    path = Path(text)
    if not path.is_dir():
        start_of(path)
    return path


def is_game(text: str) -> bool:
    """Return whether a text names a game, as in `--game`."""
    return text in known_games() or is_file(text) or doors.is_of_library(text)


def game_of(text: str, name: str) -> str:
    """Return the name of a game; an unknown one is refused before anything is loaded that plays."""
    game = doors.named(text)
    home(game)
    return game


def check_strategies(game: str, value: Any, name: str) -> None:
    """Refuse the name of a strategy that is none; of one for a role, or several for one, the command says more."""
    for one in value if isinstance(value, list) else [value]:
        if isinstance(one, list):
            check_strategies(game, one, name)
        elif "=" not in one and "," not in one:
            check_strategy(game, one, name)


RuleParts = Annotated[Sequence[str], Typed(takes="NAME,...", read=comma_list, complete=parts_of_rules)]
Targets = Annotated[str | Sequence[str], Typed(takes="TARGET", each=True, complete=target_names)]
GAME = "Game, the path of a Python file with one, openspiel:GAME or pettingzoo:MODULE.ENV."
GameName = Annotated[str, Typed(GAME, "NAME", game_of, complete=known_games)]
MaybeGame = Annotated[str | None, Typed(f"{GAME}  If None, {GAMES[0]}.", "NAME", game_of, complete=known_games)]
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
        check=check_strategies,
    ),
]
LineUps = Annotated[
    "Sequence[References] | str",
    Typed(takes="NAME|...", read=line_ups, complete=strategy_names, check=check_strategies),
]
Player = Annotated[str | Path | None, Typed(takes="NAME", complete=strategy_names, check=check_strategies)]
Skill = Annotated[
    str | None,
    Typed(
        "How well players play: `family`, `club`, `experts` or `search` (who look ahead, slowly).  "
        "If None, as experts.",
        "NAME",
        complete=skill_names,
    ),
]
RULES = "Shipped name, or path of a TOML file."
RuleSet = Annotated["str | Path | Rules", Typed(RULES, "RULES", complete=rule_names, check=check_rules)]
MaybeRules = Annotated[
    "str | Path | Rules | None",
    Typed(f"{RULES}  If None, base.", "RULES", complete=rule_names, check=check_rules),
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
Distance = Annotated[
    "Margin | float | str | None",
    Typed(
        "Distance from par that counts as close enough: `12%` of par or stake, or `3pp` (percentage points).  "
        "If None, 12%, or 6% of a stake.",
        "MARGIN",
    ),
]
Retune = Annotated[
    str | int | None,
    Typed(
        "First tune the players that were tuned for other rules.  Budget for each strategy and number of players: a "
        "number of generations, such as 15, or a time such as `60s`.  If None, no tuning; they play by habit.",
        "BUDGET",
    ),
]
Teams = Annotated[str, Typed("The seats that win together, such as 1/234.", "SEATS")]
DecimalMark = Annotated[str, Typed("What is before the decimals of a table.", "point|comma")]
Level = Annotated[float, Typed("Confidence level of the intervals.", "SHARE")]
Threads = Annotated[
    int | None,
    Typed("Number of threads; the results do not depend on it.  If None, all cores.", "N", span=(1, MAX_THREADS)),
]
GoAhead = Annotated[bool, Typed("Play even if it takes more than half an hour.")]
Replace = Annotated[bool, Typed("Replace the file if it exists.")]
Partial = Annotated[bool, Typed("Use runs that ended early, as far as they got.")]
Verify = Annotated[bool, Typed("Read the files of a run without checking them for damage.")]
"""The text is that of the option that switches it off."""
Lang = Annotated[str, Typed("Language of the page: `en` or `fr`.", "LANGUAGE", choices=("en", "fr"))]
Trust = Annotated[bool, Typed("Run the Python code that files or runs name as a strategy.")]
ShowProgress = Annotated["Following", Typed("How to show progress; see `equipoise.output.progress.Following`.")]


# --- What the signature and the docstring of a question say about its parameters ---


SECTION = re.compile(r"^Parameters\n-+\n(.*?)(?:\n\n|\Z)", re.MULTILINE | re.DOTALL)
ENTRY = re.compile(r"^(\S.*)\n((?: {4}.*(?:\n|\Z))+)", re.MULTILINE)
DEFAULT = re.compile(r"\s*If (?:None|empty), (.+?)\.(?=\s|$)")
"""The sentence of a text that says what the default is."""

UNSAID = {"progress"}
"""Parameters that have no option."""


@dataclass(frozen=True)
class Parameter:
    """A parameter of a question."""

    name: str  # its name
    kind: Any  # its type; a `ForwardRef` if the type is imported only when the function is called
    typed: Typed  # how it is typed on a command line
    text: str  # what it means
    default: Any  # its default value
    unset: str  # what the default is, in words.  Empty if the value says it.
    several: bool  # whether it takes any number of positional arguments


def parted(annotation: Any) -> tuple[Any, Typed]:
    """Return the type of an annotation, and how it is typed."""
    if get_origin(annotation) is not Annotated:
        return annotation, Typed()
    kind, *more = get_args(annotation)
    return kind, next((one for one in more if isinstance(one, Typed)), Typed())


def texts_of(function: Callable[..., Any]) -> dict[str, str]:
    """Return the text of each parameter from a numpydoc docstring."""
    section = SECTION.search(inspect.getdoc(function) or "")
    entries = ENTRY.findall(section[1] + "\n") if section else []
    return {
        name: " ".join(text.split()) for names, text in entries for name in re.split(r", \*{0,2}", names.lstrip("*"))
    }


def stated(function: Callable[..., Any]) -> Iterator[tuple[inspect.Parameter, Any, Typed, str]]:
    """Yield each parameter of a question with its type, how it is typed, and what it means.

    Raises TypeError if a parameter has no text.
    """
    texts, names = texts_of(function), names_of(function)
    for one in inspect.signature(function).parameters.values():
        kind, typed = parted(eval(one.annotation, names))
        text = texts.get(one.name) or " ".join(typed.text.split())
        if not text and one.name not in UNSAID:
            raise TypeError(f"{function.__name__}: the docstring says nothing of '{one.name}'")
        yield one, kind, typed, text


def names_of(function: Callable[..., Any]) -> dict[str, Any]:
    """Return the names that the annotations of a function use: Python's, those of questions, and of its own module."""
    return vars(builtins) | globals() | vars(inspect.getmodule(inspect.unwrap(function)))


def parameters_of(function: Callable[..., Any]) -> Iterator[Parameter]:
    """Yield the parameters of a question that can be typed; raise `TypeError` if one has no text."""
    for one, kind, typed, text in stated(function):
        if one.name not in UNSAID:
            yield _parameter(one, kind, typed, text)


def typed_in(signature: inspect.Signature) -> dict[str, Parameter]:
    """Return the parameters that say how they are typed, and what they mean, by name; Typer knows the others."""
    parts = {name: (one, *parted(one.annotation)) for name, one in signature.parameters.items()}
    return {name: _parameter(one, kind, typed, typed.text) for name, (one, kind, typed) in parts.items() if typed.text}


def _parameter(one: inspect.Parameter, kind: Any, typed: Typed, text: str) -> Parameter:
    unset = DEFAULT.search(text)
    if typed.span:
        text = re.sub(r"(?=[.;]( |$))", f", {spanned(*typed.span)}", text, count=1)
    plain, several = DEFAULT.sub("", text), one.kind is one.VAR_POSITIONAL
    return Parameter(one.name, kind, typed, plain, one.default, unset[1] if unset else "", several)


def bare(function: Callable[..., Any]) -> inspect.Signature:
    """Return the signature of a function with plain types, as `help` shows it."""
    signature, names = inspect.signature(function), names_of(function)
    plain = []
    for one in signature.parameters.values():
        said = str(one.annotation)
        annotation = eval(said, names) if said.startswith("Annotated[") else names.get(said)
        if get_origin(annotation) is Annotated:
            kind = parted(annotation)[0]
            text = kind.__forward_arg__ if isinstance(kind, ForwardRef) else inspect.formatannotation(kind)
            one = one.replace(annotation=text.replace("collections.abc.", ""))
        plain.append(one)
    return signature.replace(parameters=plain)
