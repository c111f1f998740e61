"""Learning: self-play, a fit, a screening, and rounds in which the thinker's own games improve its value."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache as cached
from functools import cached_property
from itertools import groupby
from typing import Any

import numpy as np

from simcore.judged import Role
from simcore.running.batch import Spec
from strategies.learning.fit import Fit, fit_net, fit_sum, fitted_value, wins_alone
from strategies.learning.plan import Plan
from strategies.learning.self_play import Samples, self_play
from strategies.learning.trials import Bias, Court, Examiner, Foresights, Screen, Trial
from strategies.library import load_strategy, shipped_strategies
from strategies.model import Strategy
from strategies.searching import MOST_POINTS, Foresight, Searching
from strategies.tuning.journal import Journal
from strategies.tuning.plan import Budget
from strategies.value import Value

HIDDEN, BLUNDER, OPENING = 32, 0.06, 3
"""Hidden units of a value; the chance that a clumsy base blunders; most random moves before some games of self-play."""

LOOKS = 8
"""Times that a seat looks in a game, about."""

LEADS = 3.0
"""Standard deviations of the lead that a win is worth."""

OWN_GAMES = 4
"""A round's own games are this part of the games of the first round, as they take long."""

GATE_GAMES, SCORE_GAMES, PILOT_GAMES = 960, 1200, 40
DEALS = 1_000_003
"""Between the seeds of two purposes of deals."""


@dataclass(frozen=True)
class Status:
    """Where a learning is."""

    players: int  # players at the table
    round: int  # the round, from 1
    doing: str  # what is being done, in a few words


@dataclass(frozen=True)
class Made:
    """The thinker of one number of players."""

    players: int  # players at the table
    foresights: Foresights  # by role, with what it looks ahead
    rounds: int  # rounds of self-play
    improvements: int
    """Changes after the first round that stayed: new values, and a temperature of the imagined players."""
    r2: dict[str, float]  # by role: the part of the variance of outcomes that its value foresees, on held-out tables
    wins: dict[str, Trial]  # by role: what one thinker wins among bases, on fresh deals
    loses: dict[str, Trial]  # by role: what one base wins among thinkers, on fresh deals
    others: dict[str, Trial]
    """By role: what one thinker with another value wins among these, in times of what one of these wins."""
    biases: dict[str, Bias]  # by role: the largest mean error of the value in any part of the game


def learn(
    plan: Plan, budget: Budget, threads: int, journal: Journal, tick: Callable[[Status], None] = lambda status: None
) -> list[Made]:
    """Make a thinker.

    budget: Time for each number of players, or rounds of self-play.
    threads: Number of threads; they do not affect the result of a number of rounds.
    journal: Where outcomes are stored; a learning with the same plan resumes from there.
    tick: Called before every step.
    """
    return [_Learning(plan, players, journal, threads, tick).run(budget) for players in plan.players]


@dataclass(frozen=True)
class _Stage:
    """With what a thinker looks ahead at some time of its learning, and what its values foresee, by role."""

    foresights: Foresights
    r2: dict[str, float]


def _kind(alone: bool) -> str:
    """Return what labels say of a value."""
    return ", own games alone" if alone else ""


class _Learning:
    """The learning at one number of players."""

    def __init__(
        self, plan: Plan, players: int, journal: Journal, threads: int, tick: Callable[[Status], None]
    ) -> None:
        self.plan, self.players, self.threads, self.tick = plan, players, threads, tick
        self.journal = journal
        self.court = Court(plan, players, journal, threads)
        self.round = 1
        self._played: list[Samples] = []
        self._owed: list[Callable[[], Samples]] = []
        self.examiner = Examiner(self.court, self._seed, GATE_GAMES, self._say)

    def run(self, budget: Budget) -> Made:
        """Learn until the budget is used up."""
        began = self.journal.seconds
        self._owed.append(self._first_games)
        foresights: dict[str, Foresight] = {}
        r2 = {}
        for role in self.plan.roles:
            screen = Screen(self.court, role, self._seed("screen"), self._say)
            value, r2_of_sum = self._fit(role, None)
            with_sum = screen.settings(value, self.win, self.plan.foresight(role, self.players))
            net, r2_of_net = self._fit(role, value)
            best = screen.better(with_sum, f"{HIDDEN} hidden units", replace(with_sum.foresight, value=net))
            foresights[role.name] = best.foresight
            r2[role.name] = r2_of_sum if best is with_sum else r2_of_net
        stages = [_Stage(foresights, r2)]
        while not budget.spent(self.round, self.journal.seconds - began):
            self.round += 1
            stages.append(self._improved(stages[-1]))
        if self.plan.like is None:
            stages.append(self._warmed(stages[-1]))
        stages = [stage for stage, _ in groupby(stages)]  # without those that changed nothing
        best_stage = self.examiner.best([stage.foresights for stage in stages])
        return self._measured(stages[best_stage], best_stage)

    # --- rounds ---

    def _improved(self, stage: _Stage) -> _Stage:
        """Learn from games of the present thinker; keep a new value that passes the gate."""
        present, seed = stage.foresights, self._seed(f"own {self.round}")
        self._owed.append(lambda: self._own_games(present, seed))
        foresights, r2 = dict(present), dict(stage.r2)
        for role in self.plan.roles:
            for alone in (False, True):
                value, value_r2 = self._fit(role, None, alone)
                if foresights[role.name].value.hidden:
                    value, value_r2 = self._fit(role, value, alone)
                challenger = replace(foresights[role.name], value=value, win=self._worth(alone))
                if self._passes(f"round {self.round}{_kind(alone)}", role, challenger, foresights):
                    foresights[role.name], r2[role.name] = challenger, value_r2
        return _Stage(foresights, r2)

    def _warmed(self, stage: _Stage) -> _Stage:
        """Let those whom a thinker imagines err, the more the better it gets by that."""
        foresights = dict(stage.foresights)
        for role in self.plan.roles:
            for temperature in Screen(self.court, role, self._seed("warm"), self._say).temperatures():
                challenger = replace(foresights[role.name], temperature=temperature)
                if self._passes(f"temperature {temperature:g}", role, challenger, foresights):
                    foresights[role.name] = challenger
        return replace(stage, foresights=foresights)

    def _passes(self, label: str, role: Role, challenger: Foresight, present: Foresights) -> bool:
        """Return whether a challenger wins among present thinkers, on fresh deals, and does not pay for it among bases.

        What it wins among thinkers, times what it wins among bases, must not fall, apart from measurement error.
        """
        new, old = (self.court.thinker({role.name: one}) for one in (challenger, present[role.name]))
        self._say(f"gate of {label}")
        seed = self._seed(f"gate of {label}")
        own = self.court.hold(f"{label} among thinkers", role, new, present, seed, GATE_GAMES)
        if self.plan.game.asymmetric:
            own = own.times(self.court.hold(f"{label} stays", role, old, present, seed, GATE_GAMES))
        if own.mean - 1 <= own.se:
            return False
        seed = self._seed(f"{label} among bases")
        won, before = (
            self.court.hold(f"{label} {name} among bases", role, one, None, seed, GATE_GAMES)
            for name, one in (("new", new), ("old", old))
        )
        return not before.beats(won) or own.mean * won.mean >= before.mean

    def _measured(self, stage: _Stage, improvements: int) -> Made:
        """Measure the thinker on fresh deals."""
        foresights = stage.foresights
        wins, loses, others, biases = {}, {}, {}, {}
        games = cached(lambda: self._own_games(foresights, self._seed("check"), with_bases=False))
        self._say("score")
        for role in self.plan.roles:
            one = self.court.thinker({role.name: foresights[role.name]})
            wins[role.name] = self.court.hold("score", role, one, None, self._seed("score"), SCORE_GAMES)
            loses[role.name] = self.court.hold(
                "score of the base", role, self.plan.base, foresights, self._seed("score") + 1, SCORE_GAMES // 2
            )
            others[role.name] = self.examiner.outsider(role, foresights, games, self.win)
            biases[role.name] = self.examiner.bias(role, foresights[role.name], games)
        return Made(self.players, foresights, self.round, improvements, stage.r2, wins, loses, others, biases)

    # --- games ---

    @cached_property
    def every(self) -> int:
        """At every how many ticks of the clock a seat looks."""
        spec = self.court.seated([self.plan.base], self._seed("pilot", 1), PILOT_GAMES)
        samples = self_play([spec], PILOT_GAMES, 1, 0, self.threads)
        return max(1, round(len(samples.lead) / PILOT_GAMES / self.players / LOOKS))

    @cached_property
    def win(self) -> float:
        """The points that a win is worth, from the spread of leads in games of the base."""

        def measure() -> list[float]:
            self._say("pilot")
            spec = self.court.seated([self.plan.base], self._seed("pilot", 1), PILOT_GAMES)
            return [LEADS * float(self_play([spec], PILOT_GAMES * 10, 1, 0, self.threads).lead.std())]

        points = round(float(self.journal.recall(f"{self.players} win", 1, measure)[0]))
        return max(1.0, min(points, MOST_POINTS))

    def _first_games(self) -> Samples:
        """Games of the base, of the base with blunders, and of mixed styles; half of them after drawn openings."""
        plan, base = self.plan, self.plan.base
        mixed = []
        draw = np.random.default_rng([plan.seed, self.players])
        for number in range(4):
            able = [plan.styles_of(plan.game.role_at(seat, self.players)) for seat in range(self.players)]
            line = [some[draw.integers(len(some))] for some in able]
            mixed.append(self.court.seated(line, self._seed("mixed", 1) + number, plan.games // 4))
        specs = [
            self.court.seated([base], self._seed("games", 1), plan.games),
            self.court.seated([replace(base, name="clumsy", blunder=BLUNDER)], self._seed("clumsy", 1), plan.games),
        ]
        self._say("self-play")
        alike = self_play(specs, plan.games, self.every, OPENING, self.threads)
        return Samples.joined([alike, self_play(mixed, plan.games // 4, self.every, OPENING, self.threads)])

    def _own_games(self, present: Foresights, seed: int, with_bases: bool = True) -> Samples:
        """Games of the present thinker against itself, and perhaps as many against bases."""
        player, games = self.court.thinker(present), self.plan.games // OWN_GAMES
        line: list[Strategy] = [player if seat % 2 else self.plan.base for seat in range(self.players)]
        specs: list[Spec] = [self.court.seated([player], seed, games)]
        if with_bases:
            specs.append(self.court.seated(line, seed + 1, games))
        self._say("self-play")
        return self_play(specs, games, max(1, self.every // 2), OPENING, self.threads)

    def _rows(self, alone: bool) -> Samples:
        """Return all rows so far, or those of thinkers' own games alone; games that are still owed are played now."""
        while self._owed:
            self._played = [*self._played[:1], Samples.joined([*self._played[1:], self._owed.pop(0)()])]
        return self._played[1] if alone else Samples.joined(self._played)

    # --- fits ---

    def _worth(self, alone: bool) -> float:
        """Return the points that a win is worth."""
        return wins_alone(self.win) if alone else self.win

    def _fit(self, role: Role, start: Value | None, alone: bool = False) -> tuple[Value, float]:
        """Return a fitted value, a sum or, from a sum, with hidden units, and its held-out R2.

        It is fitted to leads and wins in all games, or to wins alone in the thinkers' own games.
        """
        hidden, win = 0 if start is None else HIDDEN, self._worth(alone)  # an outcome that comes before that of the fit

        def fit() -> Fit:
            samples = self._rows(alone).of(role.at(self.players))
            self._say("fit")
            return (
                fit_sum(samples, win) if start is None else fit_net(samples, win, HIDDEN, self.plan.seed, start.floats)
            )

        label = f"{self.players} {role.name} round {self.round}{_kind(alone)} fit {hidden}"
        return fitted_value(self.journal, label, self.plan.inputs, hidden, fit)

    # --- other ---

    def _seed(self, purpose: str, of_round: int = 0) -> int:
        """Return the seed of the deals of a purpose at this number of players, in a round, or else in this one."""
        number = sum(ord(letter) * 31**place for place, letter in enumerate(purpose)) % 99_991
        return int((self.plan.seed * DEALS + 1000 * number + 100 * self.players + (of_round or self.round)) % 2**63)

    def _say(self, doing: str) -> None:
        self.tick(Status(self.players, self.round, doing))


# --- How a thinker was made, written in its file: enough to make it again ---


MEASURED = (
    "times par: what one thinker wins if the base plays all other seats, and what one base wins if thinkers play all"
    " other seats; what one thinker with another value wins among these, times what one of these wins; on deals of no"
    " other trial, seats rotated within the role; mean and 95 % interval from deals; and the error of the value,"
    " as part of a win, in the phase where it is most certainly wrong, positive if it is optimistic, with an"
    " interval that allows for this choice"
)


def described(
    plan: Plan, thinkers: Sequence[Made], name: str, seconds: float, cpu: float, versions: Mapping[str, str]
) -> Strategy:
    """Return the thinker with its name, texts and provenance.

    plan: The learning.
    thinkers: What was made, by number of players.
    name: Name of the strategy, and of its file.
    seconds, cpu: Time that it took, and processor time.
    versions: Of the packages in use.
    """
    foresights = {(made.players, role): one for made in thinkers for role, one in made.foresights.items()}
    parts = {
        f"players_{made.players}": _provenance(plan, made, name, seconds / len(thinkers), cpu / len(thinkers), versions)
        for made in thinkers
    }
    return Strategy(
        plan.game.name,
        name,
        "thinker",
        title=name.replace("_", " ").capitalize(),
        description=(
            f"Looks a little ahead on imagined tables, on which {plan.base.name} plays on, and judges them by a value"
            f" learnt from self-play under the rules '{plan.rules.name}'."
        ),
        provenance=parts,
        search=Searching(plan.base, foresights=foresights),
        role=plan.base.role,
    )


def joined(before: Strategy, new: Strategy) -> Strategy:
    """Return a thinker that plays as the new one at its numbers of players, and as before at others."""
    assert before.search is not None and new.search is not None
    search = replace(new.search, foresights={**before.search.foresights, **new.search.foresights})
    parts = dict(sorted({**before.provenance, **new.provenance}.items()))
    return replace(new, title=before.title, description=before.description, search=search, provenance=parts)


def shipped_name(plan: Plan) -> str:
    """Return the name of the base if it is shipped with the game, so that a file need only name it; otherwise ""."""
    name = plan.base.name
    shipped = name in shipped_strategies(plan.game) and load_strategy(plan.game, name) == plan.base
    return name if shipped else ""


def _provenance(
    plan: Plan, made: Made, name: str, seconds: float, cpu: float, versions: Mapping[str, str]
) -> dict[str, Any]:
    held_out = {}
    for role in made.wins:
        for word, trial in (
            ("one_thinker", made.wins[role]),
            ("one_base", made.loses[role]),
            ("another_value", made.others[role]),
        ):
            held_out[f"{word}_{role.replace('-', '_')}"] = _rounded(trial.mean, *trial.ends)
    return {
        "recipe": command(plan, made, name),
        "rules_digest": plan.rules.digest,
        "base_digest": plan.base.digest,
        "rounds": made.rounds,
        "improvements": made.improvements,
        "foresees": {role: round(one, 3) for role, one in made.r2.items()},
        "seconds": round(seconds),
        "cpu_minutes": round(cpu / 60, 1),
        "versions": dict(versions),
        "measured": MEASURED,
        "held_out": held_out,
        "error_of_value": {role: _rounded(*error) for role, error in made.biases.items()},
    }


def _rounded(*numbers: float) -> list[float]:
    return [round(number, 3) for number in numbers]


def command(plan: Plan, made: Made, name: str) -> str:
    """Return the command line that makes the values of one number of players again."""
    words = ["equipoise", "learn", "--game", plan.game.name, "--players", str(made.players), "--rules", plan.named]
    words += [word for setting in plan.rules.settings for word in ("--set", setting)]
    words += ["--base", plan.base.reference or plan.base.name, "--seed", str(plan.seed), "--games", str(plan.games)]
    words += ["--like", plan.like.reference or plan.like.name] if plan.like else []
    return shlex.join([*words, "--budget", str(made.rounds), "--out", f"{name}.toml", "--by-players"])
