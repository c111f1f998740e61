"""Commands that can be copied: those that made a page, and what to do next.

`steps` is the only place that recommends: it leaves out what the game, its players or this installation cannot do, and
says how long the rest takes.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import count, pairwise
from pathlib import Path
from shlex import quote
from typing import Any

from analysis.check.baseline import read_choices
from analysis.cost import of_compare, of_mend
from analysis.data.declarations import load_declarations
from analysis.precision import LONG, lasting
from reports.commands import UNTYPED, changed, named, playing
from reports.page import Listing, Step
from reports.portable import portable_command
from reports.words import Words
from simcore.errors import UsageError
from simcore.game import load_game
from simcore.homes import naming, typed
from simcore.rules.files import Rules, load_rules
from simcore.rules.levers import find_levers
from simcore.running.batch import Spec
from strategies.kit import EXPERTS
from strategies.learning import make_plan as plan_learning
from strategies.restrictions import restrictions_of
from strategies.skill import players_of, skills_of
from strategies.spec import under_rules
from strategies.tuning import make_plan as plan_tuning

MENDED = "mended-1.toml"
"""File of the best rules that a search for a mended game writes."""


@dataclass(frozen=True)
class Wanted:
    """A step that is wanted."""

    name: str  # of its phrase
    command: str  # without the program's name
    form: str = "said"  # of what is said with it: "said", or "short", "long", "both" or "instead" with times
    times: tuple[tuple[str, str], ...] = ()  # the times that are said, by the names that phrases have for them


def steps(words: Words, rules: Rules, *wanted: Wanted) -> tuple[Step, ...]:
    """Return steps with their commands, without those that the game of the rules cannot take."""
    possible = [one for one in wanted if UNTYPED not in one.command and _applies(shlex.split(one.command), rules)]
    return tuple(
        Step(words(f"step.{one.form}", text=words(f"step.{one.name}"), **dict(one.times)), f"equipoise {one.command}")
        for one in possible
    )


def _applies(command: Sequence[str], rules: Rules) -> bool:
    """Return whether a game has what a command works with: weights, moves to forbid, values to change ..."""
    game = load_game(rules.game_name)
    given = dict(pairwise(command))
    if given.get("--skill", EXPERTS) not in skills_of(game.name):
        return False
    match command[0]:
        case "tune":
            role, against = given.get("--role"), given.get("--against", "")
            return _plans(plan_tuning, game.name, role=role, against=[against] if against else [])
        case "restrict":
            return bool(restrictions_of(rules.game_name, rules.values))
        case "sensitivity":
            return game.payoff is None and bool(rules.switches or rules.assumed)
        case "skill":
            return game.payoff is None
        case "learn":
            return _plans(plan_learning, game.name)
        case "mend":
            free = [one for before, one in pairwise(command) if before == "--free"]
            return _plans(find_levers, game, rules, (int(given["--players"]),), free, _levers(rules))
    return True


def _plans(plan: Any, *values: Any, **named: Any) -> bool:
    """Return whether a command would begin: whether what plans it refuses nothing."""
    try:
        plan(*values, **named)
    except UsageError:
        return False
    return True


def _levers(rules: Rules) -> tuple[str, ...]:
    return load_declarations(rules.game_name).levers


def again(words: Words, *commands: Sequence[str]) -> tuple[Listing, ...]:
    """Return the command lines that make a page and its runs, each once; nothing if all was done from Python."""
    lines = dict.fromkeys(shlex.join(("equipoise", *portable_command(line))) for line in commands if line)
    return (Listing(words("commands"), tuple(lines)),) if lines else ()


# --- The commands, each with what it needs ---


def mending(rules: Rules, players: int, spec: Spec | None, options: str = "", command: Sequence[str] = ()) -> Wanted:
    """Return the search for the smallest changes; `spec` is a run of its players, if they can be played."""
    return shortened("mend", f"mend {playing(rules, players, command)}{options}", of_mend, spec)


def changing(
    name: str,
    rules: Rules,
    players: int,
    settings: Sequence[str],
    spec: Spec | None,
    options: str = "",
    command: Sequence[str] = (),
) -> Wanted:
    """Return the comparison of rules with changes of them; `name` is that of the step's phrase."""
    version, before = named(rules, command)
    line = f"compare {version} --game {typed(rules.game_name)} --players {players}{options}"
    try:
        spec = spec and under_rules(spec, load_rules(spec.game, rules, settings))
    except UsageError:
        return Wanted(name, UNTYPED)
    return shortened(name, f"{line}{changed((*before, *settings))}", of_compare, spec)


def shortened(name: str, line: str, cost: Callable[[Spec], tuple[float, float]], spec: Spec | None) -> Wanted:
    """Return a step that takes long in its short form, with the times of both; without times if there is no run."""
    if spec is None:
        return Wanted(name, line)
    short, long = cost(spec)
    asks = line.startswith("mend ")  # before it plays for long
    yes = " --yes" if short > LONG and asks else ""
    times = ("short", lasting(short)), ("long", lasting(long))
    if long <= short:
        return Wanted(name, f"{line}{yes}", "short", times)
    return Wanted(name, f"{line} --habit{yes}", "instead" if long > LONG and asks else "both", times)


def first_lever(rules: Rules, players: int) -> str:
    """Return a change that is worth a try: what the game declares for that first, halfway to its far end.

    Of a list by seat, it is the value of the last seat, who is most often behind.
    """
    with suppress(UsageError):
        levers = find_levers(load_game(rules.game_name), rules, (players,), (), _levers(rules))
        lever = [one for one in levers if one.idea == levers[0].idea][-1]
        far = max(lever.low, lever.high, key=lambda value: abs(value - lever.value))
        return f"{lever.key}={lever.text(lever.nearest((lever.value + far) / 2))}"
    return UNTYPED


def baseline(rules: Rules, players: int, at: str, name: str = "", command: Sequence[str] = ()) -> Wanted:
    """Return the step that guards rules in a baseline of their own, given the options for them."""
    name = name or ("changed" if rules.settings else Path(named(rules, command)[0]).stem)
    for number in count(1):
        file = f"configs/{rules.game_name}/baselines/{name}{f'-{number}' * (number > 1)}.toml"
        if not Path(file).exists():
            break
        if _guards(Path(file), rules, players):
            return Wanted("check", f"check {quote(file)}{naming(rules.game_name)}")
    return Wanted("baseline", f"check --update {quote(file)} {at} --players {players}")


def _guards(path: Path, rules: Rules, players: int) -> bool:
    """Return whether a baseline is about some rules at a number of players."""
    try:
        choices = read_choices(path).choices
        own = load_rules(load_game(rules.game_name), str(choices.rules), choices.settings)
    except UsageError:
        return False
    return choices.game == rules.game_name and own.digest == rules.digest and players in choices.players


def restricting(rules: Rules, players: int, command: Sequence[str] = ()) -> str:
    """Return the command that forbids the strongest player, in the first role, one thing at a time."""
    game = load_game(rules.game_name)
    role = game.role_names[0]
    who = f" --strategy {role}={players_of(game.name, EXPERTS)[role]}" * game.asymmetric
    return f"restrict {playing(rules, players, command)}{who}"


def tuning(rules: Rules, players: int, role: str = "", against: str = "", command: Sequence[str] = ()) -> str:
    """Return the command that looks for a stronger player: in a game with roles, of a role or the first one."""
    game = load_game(rules.game_name)
    who = f" --against {against}" if against else ""
    who = f" --role {role or game.role_names[0]}" if game.asymmetric else who
    return f"tune {playing(rules, players, command)}{who} --budget 5m"
