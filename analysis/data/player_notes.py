"""Warnings about the players whose games judge a game: they are weak, or they play by habit."""

from __future__ import annotations

from analysis.data.results import Note
from simcore.running.batch import Spec
from strategies.habit import habits
from strategies.kit import EXPERTS
from strategies.skill import nobody_chooses, players_of, weak_players


def player_notes(spec: Spec) -> tuple[Note, ...]:
    """Return warnings about the players of a run that is to judge a game: they are weak, or play by habit."""
    return (*weak_notes(spec), *habit_notes(spec))


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
