"""What a designer can turn: every value of the rules, those first that the game declares as levers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from analysis.data.declarations import load_declarations
from reports.words import Words
from reports.words.edits import title
from simcore.errors import UsageError
from simcore.game import Game
from simcore.rules.files import Rules
from simcore.rules.levers import find_levers, rule_keys, whole_numbers

ON, OFF = "true", "false"


@dataclass(frozen=True)
class Knob:
    """One value of the rules."""

    key: str  # tables and key, joined by dots; the entries of a list are counted from 1
    title: str  # what the game calls it
    printed: str  # its printed value, as settings write it
    kind: str  # "number", "switch" or "choice"
    choices: tuple[str, ...] = ()  # the texts that a "choice" accepts
    lever: bool = False  # whether the game declares it as one that may be changed

    def matches(self, text: str) -> bool:
        """Return whether all words of a search are in its key or its title."""
        return all(word in f"{self.key} {self.title}".lower() for word in text.lower().split())


class Knobs:
    """All knobs of some rules for a number of players, levers first.

    game, rules, players: What is played; `rules` are the printed ones.
    words: The language, with the game's own words.
    """

    def __init__(self, game: Game, rules: Rules, players: int, words: Words) -> None:
        self.game, self.rules, self.players, self.words = game, rules, players, words

    @cached_property
    def all(self) -> tuple[Knob, ...]:
        """Every knob: levers first, then the others in the order of the rule file."""
        levers = self._levers
        numbers = whole_numbers(self.game, self.rules, self.players)
        found = [self._number(key, value, key in levers) for key, value in numbers]
        found += [
            Knob(one.key, title(self.words, one.key), one.value, "choice", one.choices)
            for one in rule_keys(self.game, self.rules)
            if one.choices and isinstance(one.value, str)
        ]
        order = list(levers)
        return tuple(sorted(found, key=lambda knob: order.index(knob.key) if knob.lever else len(order)))

    @cached_property
    def _levers(self) -> dict[str, tuple[int, int, int]]:
        """The range of each lever that the game declares."""
        declared = load_declarations(self.game.name).levers
        try:
            found = find_levers(self.game, self.rules, (self.players,), (), declared) if declared else ()
        except UsageError:  # rules under which some lever has no other value
            return {}
        return {one.key: (one.low, one.high, one.step) for one in found}

    def _number(self, key: str, value: int, lever: bool) -> Knob:
        if isinstance(value, bool):
            return Knob(key, title(self.words, key), ON if value else OFF, "switch", (OFF, ON), lever)
        return Knob(key, title(self.words, key), str(value), "number", (), lever)

    def span(self, knob: Knob) -> tuple[int, int, int]:
        """Return the least and the largest value of a slider, and its step.

        The range is the one that the game declares or, for other numbers, from 0 to twice the printed value as far as
        the rules allow it; a number field takes what lies beyond.
        """
        if knob.key in self._levers:
            return self._levers[knob.key]
        if knob.key not in self._spans:
            try:
                (lever,) = find_levers(self.game, self.rules, (self.players,), (knob.key,))
                self._spans[knob.key] = lever.low, lever.high, lever.step
            except UsageError:  # the rules allow no other value
                self._spans[knob.key] = int(knob.printed), int(knob.printed), 1
        return self._spans[knob.key]

    @cached_property
    def _spans(self) -> dict[str, tuple[int, int, int]]:
        return {}

    def find(self, key: str) -> Knob:
        """Return the knob of a key; raise `UsageError` if there is none."""
        for knob in self.all:
            if knob.key == key:
                return knob
        raise UsageError(f"no rule '{key}' that can be turned", "set")


def text_of(value: Any) -> str:
    """Return a value as settings write it."""
    if isinstance(value, bool):
        return ON if value else OFF
    return str(int(value)) if isinstance(value, int | float) else str(value)
