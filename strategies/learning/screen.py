"""Screening: how far a thinker should look, at how many tables, at which decisions, and with which value.

Everything is compared on the same deals, one thinker among bases, and the cheaper choice stays unless the dearer one
wins more by over one standard error of the difference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from strategies.learning.trial import Court, Trial
from simcore.roles import Role
from strategies.foresight import HOTTEST, Foresight
from strategies.value import Value

DEPTHS = (0, 1, 2, 4)
"""Rounds that are tried, until one wins less than the best so far."""

FEW, MANY = (8, 4), (24, 8)
"""Tables, and after how many each time the worse half of the moves is dropped."""

CAUTIONS = (0.5, 1.5)
TRIAL_GAMES = 960
KIND_GAMES = 240
COOLEST, TEMPERATURES = 0.25, 3
WARM_GAMES = 2400
NOTICED = 0.95
"""Part of its wins that a base keeps at the lowest temperature that is tried for imagined players, at most."""

NEEDED = -0.5
"""Standard errors of the lead over the base, below which a kind of decision that is searched alone is harmful."""

Tell = Callable[[str], None]


@dataclass(frozen=True)
class Screened:
    """A choice and the trial in which it was made."""

    foresight: Foresight
    trial: Trial


class Screen:
    """Finds out with what a thinker of one role looks ahead.

    court: Holds the trials.
    role: The role.
    seed: Seed of the deals, which are the same in all trials of a screening.
    tell: Called with a short description of each trial before it is held.
    """

    def __init__(self, court: Court, role: Role, seed: int, tell: Tell) -> None:
        self._court, self._role, self._seed, self._tell = court, role, seed, tell

    def settings(self, value: Value, win: float, known: Foresight | None = None) -> Screened:
        """Find the number of rounds, of tables, the caution and the kinds of decisions for a value, unless known."""
        if known:
            return self._try("as known", replace(known, value=value, win=win))
        best = self._try("0 rounds", Foresight(DEPTHS[0], *FEW, value, win, CAUTIONS[0]))
        for rounds in DEPTHS[1:]:
            tried = self._try(f"{rounds} rounds", replace(best.foresight, rounds=rounds))
            if best.trial.beats(tried.trial):
                break
            best = tried if tried.trial.beats(best.trial) else best
        tables, halving = MANY
        best = self._better(best, f"{tables} tables", replace(best.foresight, tables=tables, halving=halving))
        best = self._better(best, f"caution {CAUTIONS[1]}", replace(best.foresight, caution=CAUTIONS[1]))
        kinds = tuple(self._useful(best.foresight))
        if 0 < len(kinds) < len(self._court.plan.game.decisions):
            best = self._better(best, "some decisions", replace(best.foresight, decisions=kinds), at_par=True)
        return best

    def value(self, known: Screened, label: str, value: Value) -> Screened:
        """Return the better of the value that was screened and another one."""
        return self._better(known, label, replace(known.foresight, value=value))

    def temperatures(self) -> Iterator[float]:
        """Yield temperatures that may suit imagined players, each twice the one before.

        The first is the lowest at which a base with this noise wins clearly less among bases than one without.
        """
        base = self._court.plan.base
        if base.custom is not None:
            return
        cold = self._court.hold("cold", self._role, base, None, self._seed, WARM_GAMES)
        temperature = COOLEST
        while temperature <= HOTTEST:
            self._tell(f"a base at temperature {temperature:g}")
            warm = replace(base, temperature=base.temperature + temperature)
            hot = self._court.hold(f"base {temperature:g}", self._role, warm, None, self._seed, WARM_GAMES)
            if hot.mean <= NOTICED * cold.mean:
                found = (temperature * 2**step for step in range(TEMPERATURES))
                yield from (one for one in found if one <= HOTTEST)
                return
            temperature *= 2

    def _useful(self, foresight: Foresight) -> Iterator[tuple[int, str]]:
        """Yield the kinds of decisions that do no harm if they alone are searched."""
        base = self._court.hold("base", self._role, self._court.plan.base, None, self._seed, KIND_GAMES)
        for number, decision in enumerate(self._court.plan.game.decisions):
            alone = replace(foresight, decisions=((number, decision.name),))
            ahead, error = self._try(f"{decision.name} alone", alone, KIND_GAMES).trial.lead(base)
            if ahead >= NEEDED * error:
                yield number, decision.name

    def _better(self, known: Screened, label: str, foresight: Foresight, at_par: bool = False) -> Screened:
        """Return the better of a choice and another one; a tie goes to the other one if it is the cheaper."""
        tried = self._try(label, foresight)
        wins = tried.trial.mean >= known.trial.mean if at_par else tried.trial.beats(known.trial)
        return tried if wins else known

    def _try(self, label: str, foresight: Foresight, games: int = 0) -> Screened:
        self._tell(label)
        player = self._court.thinker({self._role.name: foresight}, "one")
        return Screened(foresight, self._court.hold(label, self._role, player, None, self._seed, games or TRIAL_GAMES))
