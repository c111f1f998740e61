"""Commands that can be copied: those that made a page, and what to do next."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from shlex import quote

from analysis.data.declarations import load_declarations
from reports.commands import named, playing
from reports.page import Listing, Step
from reports.portable import portable_command
from reports.words import Words
from simcore.game import load_game
from simcore.rules.files import Rules
from strategies.kit import EXPERTS, load_kit
from strategies.restrictions import restrictions_of
from strategies.skill import players_of

MENDED = "mended-1.toml"
"""File of the best rules that a search for a mended game writes."""


def steps(words: Words, rules: Rules, *wanted: tuple[str, str]) -> tuple[Step, ...]:
    """Return steps: the name of each one's phrase, and its command without the program's name.

    Those that the game of the rules cannot take are left out.
    """
    possible = [(name, command) for name, command in wanted if _applies(command.split(), rules)]
    return tuple(Step(words(f"step.{name}"), f"equipoise {command}") for name, command in possible)


def _applies(command: Sequence[str], rules: Rules) -> bool:
    """Return whether a game has what a command works with: weights, moves to forbid, values to change ..."""
    game = load_game(rules.game_name)
    match command[0]:
        case "tune":
            return bool(load_kit(rules.game_name).weighing)
        case "restrict":
            return bool(restrictions_of(rules.game_name, rules.values))
        case "sensitivity":
            return bool(rules.switches or rules.assumed)
        case "skill":
            return game.payoff is None
        case "learn":
            return game.search is not None and game.search.look is not None
        case "mend":
            return "--free" in command or bool(load_declarations(rules.game_name).levers)
    return True


def again(words: Words, *commands: Sequence[str]) -> tuple[Listing, ...]:
    """Return the command lines that make a page and its runs, each once; nothing if all was done from Python."""
    lines = dict.fromkeys(shlex.join(("equipoise", *portable_command(line))) for line in commands if line)
    return (Listing(words("commands"), tuple(lines)),) if lines else ()


def baseline(rules: Rules, at: str, name: str = "") -> tuple[str, str]:
    """Return the step that guards rules in a baseline of their own, given the options for them."""
    name = name or ("changed" if rules.settings else named(rules).removesuffix(".toml"))
    file = f"configs/{rules.game_name}/baselines/{name}.toml"
    return "baseline", f"check --update {quote(file)} {at}"


def restricting(rules: Rules, players: int) -> str:
    """Return the command that forbids the strongest player, in the first role, one thing at a time."""
    game = load_game(rules.game_name)
    role = game.role_names[0]
    who = f" --strategy {role}={players_of(game.name, EXPERTS)[role]}" * game.asymmetric
    return f"restrict {playing(rules, players)}{who}"


def tuning(rules: Rules, players: int, role: str = "", against: str = "") -> str:
    """Return the command that looks for a stronger player: in a game with roles, of a role or the first one."""
    game = load_game(rules.game_name)
    who = f" --against {against}" if against else ""
    who = f" --role {role or game.role_names[0]}" if game.asymmetric else who
    return f"tune {playing(rules, players)}{who} --budget 5m"
