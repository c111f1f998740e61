"""Warnings about the players whose games judge a game, who are weak or play by habit, and about odd values of rules."""

from __future__ import annotations

from functools import cache

from analysis.data.declarations import load_declarations
from analysis.data.edits import Edit, Edits
from analysis.data.results import Note
from simcore.errors import UsageError
from simcore.game import load_game
from simcore.homes import ELSEWHERE
from simcore.rules.files import load_rules
from simcore.rules.levers import find_levers, whole_numbers
from simcore.running.batch import Spec
from strategies.habit import habits
from strategies.kit import EXPERTS
from strategies.skill import nobody_chooses, players_of, weak_players


def player_notes(spec: Spec) -> tuple[Note, ...]:
    """Return warnings about a run that is to judge a game: players are weak or play by habit, or a value is odd."""
    return (*weak_notes(spec), *habit_notes(spec), *range_notes(spec))


@cache
def sensible_range(game: str, players: int, key: str) -> tuple[int, int] | None:
    """Return the range of a number of the printed rules that the lab slides through; None if it is not one.

    It is what the game declares, or else from 0 to twice the printed value.
    """
    played, declared = load_game(game), load_declarations(game).levers
    base = load_rules(played)
    if type(dict(whole_numbers(played, base, players)).get(key)) is not int:  # true and false are no range
        return None
    try:
        (lever,) = find_levers(played, base, (players,), (key,), declared)
    except (UsageError, ValueError):  # the rules allow no other value, or a list stands there
        return None
    return lever.low, lever.high


def range_notes(spec: Spec) -> tuple[Note, ...]:
    """Return remarks on values of the rules that lie beyond their sensible range."""
    if spec.game.name == ELSEWHERE:
        return ()
    base = dict(whole_numbers(spec.game, load_rules(spec.game), spec.players))
    notes = []
    for key, value in whole_numbers(spec.game, spec.rules, spec.players):
        ends = sensible_range(spec.game.name, spec.players, key) if value != base.get(key, value) else None
        if ends and not ends[0] <= value <= ends[1]:
            change = Edits([Edit(key, None, str(int(value)))])
            notes.append(Note("beyond_range", {"change": change, "low": ends[0], "high": ends[1]}))
    return tuple(notes)


def weak_notes(spec: Spec) -> tuple[Note, ...]:
    """Return the warning that only weak players play some role, and who would be better, if anybody is."""
    if nobody_chooses(spec):
        return (Note("nobody_chooses"),)
    weak = weak_players(spec)
    if not weak:
        return ()
    experts = tuple(players_of(spec.game.name, EXPERTS).values())
    if set(experts) <= set(weak):
        return (Note("weak_experts", {"strategies": weak}),)
    return (Note("weak_players", {"strategies": weak, "experts": experts}),)


def habit_notes(spec: Spec) -> tuple[Note, ...]:
    """Return notes on strategies that play by habit: they were tuned for other rules than the present ones."""
    found = habits(spec)
    notes = tuple(
        Note("habit_hardly", {"strategy": habit.player, "generations": habit.generations})
        if habit.generations is not None
        else Note("habit_known", {"strategy": habit.player, "rules": habit.rules, "keys": habit.keys})
        if habit.rules
        else Note("habit_unknown", {"strategy": habit.player})
        for habit in found
    )
    instead = dict.fromkeys(habit.instead for habit in found if habit.instead)
    return (*notes, *(Note("habit_instead", {"strategy": name}) for name in instead))
