"""Warnings about the players whose games judge a game, who are weak or play by habit, and about odd values of rules."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from analysis.data.declarations import load_declarations
from analysis.data.edits import Edit, Edits
from analysis.data.results import Note
from simcore.errors import UsageError
from simcore.game import load_game
from simcore.homes import ELSEWHERE, typed
from simcore.rules.files import load_rules
from simcore.rules.levers import find_levers, whole_numbers
from simcore.running.batch import Spec
from strategies.habit import habits, tuned_for
from strategies.kit import EXPERTS
from strategies.skill import BEGINNERS, lookers, nobody_chooses, players_of, weak_players


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
        ahead = lookers(spec.game.name)
        if ahead:
            return (Note("weak_lookers", {"strategies": weak, "ahead": ahead[-1]}),)
        return (Note("weak_experts" if ahead is None else "weak_class", {"strategies": weak}),)
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
