"""Warnings about the players whose games judge a game: they are weak, or they play by habit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from analysis.data.results import Note
from simcore.homes import typed
from simcore.running.batch import Spec
from strategies.habit import habits, tuned_for
from strategies.kit import EXPERTS
from strategies.skill import BEGINNERS, nobody_chooses, players_of, weak_players


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


def untuned_notes(spec: Spec) -> tuple[Note, ...]:
    """Return notes on players who stay as they are when the rules change, as nobody tuned them; `random` may."""
    never = {str(table["name"]): table for table in spec.strategy_tables if not _was_tuned(table, spec.players)}
    names = [name for name in never if name != BEGINNERS[0]]
    by_hand = tuple(name for name in names if never[name].get("weights") or never[name].get("players"))
    fixed = tuple(name for name in names if name not in by_hand)
    if not spec.game.compiled:
        looks = getattr(spec.game.play_batch, "rolls_out", lambda name: False)
        stay = tuple(name for name in fixed if not looks(name))
        return (Note("untuned_plain", {"strategies": stay}),) if stay else ()
    start = f" --start-from {by_hand[0]}" if by_hand else ""
    return (
        *(
            [Note("untuned_by_hand", {"strategies": by_hand, "game": typed(spec.game.name), "start": start})]
            * bool(by_hand)
        ),
        *([Note("untuned_fixed", {"strategies": fixed})] * bool(fixed)),
    )


def _was_tuned(table: Mapping[str, Any], players: int) -> bool:
    """Return whether a strategy, or the one by which it looks ahead, was tuned for some rules."""
    base = (table.get("search") or {}).get("base")
    return any(tuned_for(one, players) is not None for one in (table, base) if one)


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
