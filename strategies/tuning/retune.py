"""Tune the players of a run for its rules first, if they were tuned for others; results are stored by digest."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from simcore.homes import home
from simcore.judged import Role
from simcore.kernel.cache import Store, cache_folder
from simcore.running.batch import Spec
from simcore.toml_tables import parse
from strategies.habit import generations, habits, hardly_tuned
from strategies.kit import load_kit
from strategies.library import Code, load_strategy, strategy_from_dict
from strategies.model import Strategy
from strategies.restrictions import obey
from strategies.tuning.journal import Journal
from strategies.tuning.plan import SELF, SIGMA, Budget, Named, Plan, default_population
from strategies.tuning.recipe import describe
from strategies.tuning.search import Status, tune

GENERATIONS = 15
"""Length of a tuning, if nothing else is said."""

TUNINGS = 3
"""How often players are tuned for changed rules; fewer times do not tell how much tunings differ."""

GAMES = 960
"""Games of a candidate in a generation: fewer than in `tune`, as the start is good and time is short."""

ROUNDS = 2
"""How often each role is tuned against the latest players of the others, if several roles are tuned."""

LONGEST = 40
"""Maximum length of a strategy's name."""

RETUNED = Store("retuned", ".toml")

Tick = Callable[[int, Status], None]
"""Called after every generation with the number of finished tunings, and the status of the current one."""


@dataclass(frozen=True)
class How:
    """How players are re-tuned."""

    budget: Budget  # the budget for each strategy and number of players
    threads: int  # number of threads that play
    versions: Mapping[str, str]  # versions of the packages in use, for the recipe
    number: int = 0
    """Which of several tunings this is, from 0; each has deals of its own, which follow the seed of the run."""


@dataclass(frozen=True)
class Retuned:
    """A strategy that was tuned for the rules of a run."""

    old: str  # name of the strategy before
    strategy: Strategy  # the strategy that plays now; its provenance says how it was made
    players: int  # number of players at the table
    par: float  # the share that such a player is meant to have
    path: Path  # where it is stored
    again: bool  # whether the result of an earlier tuning was used
    start: str  # name of the player that it was compared with in the end, if that one plays by habit; otherwise empty
    unit: str = ""  # the payoff's unit; empty if wins are what counts

    @property
    def provenance(self) -> Mapping[str, Any]:
        """How the weights were obtained."""
        search = self.strategy.search
        return search.base.provenance if search else self.strategy.provenance

    @property
    def better(self) -> bool:
        """Whether a player better than the old one was found."""
        return bool(self.provenance["finalist"] != "start")

    @property
    def generations(self) -> int:
        """For how many generations it was tuned for these rules."""
        return generations(self.provenance)

    @property
    def hardly(self) -> bool:
        """Whether it was tuned for few generations, or still got better when the tuning ended."""
        return hardly_tuned(self.provenance)

    @property
    def share(self) -> tuple[float, float, float] | None:
        """What one such player wins against those who play by habit, and the ends of its 95 % interval, if known."""
        scores: Mapping[str, list[float]] = self.provenance["held_out"]
        found = scores.get(f"{self.start}_at_{self.players}")
        return None if found is None else (found[0], found[1], found[2])

    def to_dict(self) -> dict[str, Any]:
        """Return these values as plain values, for JSON."""
        share = self.share
        return {
            "strategy": self.strategy.name,
            "was": self.old,
            "players": self.players,
            "better": self.better,
            "wins_among_old": None if share is None else dict(zip(("share", "low", "high"), share, strict=True)),
            "par": self.par,
            "generations": self.generations,
            "hardly_tuned": self.hardly,
            "seconds": self.provenance["seconds"],
            "kept_from_before": self.again,
            "path": str(self.path),
            "sentence": str(self),
        }

    def __str__(self) -> str:
        took = f"{self.generations:,} generation{'' if self.generations == 1 else 's'}, {self.provenance['seconds']} s"
        took += ", kept from an earlier run" if self.again else ""
        how = "hardly tuned" if self.hardly else "tuned"
        told = f"{self.strategy.name} is {self.old}, {how} for these rules with {self.players} players ({took})"
        if not self.better:
            told = f"Nothing better than {self.old} was found for these rules with {self.players} players ({took})"
        if self.share is None or not self.better:
            return f"{told}."
        share, low, high = self.share
        told += ". Against players by habit, it"
        if self.unit:
            return f"{told} gains {share:+.3g} {self.unit} a game ({low:+.3g} to {high:+.3g}; {self.par:g} is fair)."
        return f"{told} wins {share:.1%} ({low:.1%} to {high:.1%}; {self.par:.1%} is fair)."


def retune(spec: Spec, how: How, tick: Tick = lambda done, status: None) -> tuple[Spec, tuple[Retuned, ...]]:
    """Tune the players of a run who play by habit for its rules, and let the tuned players play it.

    Each starts from its present weights and plays against itself.  In a game with roles, one role after the other is
    tuned against the latest players of the others.  A result is stored in a folder next to the compiled kernels, under
    a digest of everything that determines it, and is used again.

    spec: The run.
    how: Budget and threads.
    tick: Called to show progress.
    Returns Spec, tuple of Retuned: The run with its new players; the same run if nobody plays by habit.
    Raises UsageError if a player's Python code cannot be found again.
    """

    def play(before: int, plan: Plan, key: str, budget: Budget) -> Strategy:
        return _play(plan, key, budget, how, partial(tick, before))

    spec, made, _ = _walk(spec, how, play)
    return spec, made


def waiting(spec: Spec, how: How) -> list[str]:
    """Return the names of the strategies that `retune` has to tune, one for each tuning that is not kept from before.

    What is tuned against a player who is still to be tuned, or begins with it, is still to be tuned as well.
    """
    return _walk(spec, how, lambda *_: None)[2]


def steps(spec: Spec) -> int:
    """Return how many tunings `retune` needs, each with `budget_of_each`."""
    seats = list(_in_turn(spec))
    return _rounds(seats) * len(seats)


def budget_of_each(spec: Spec, budget: Budget) -> Budget:
    """Return the budget of each tuning of `retune`: in several rounds, the part of one of them."""
    return _budget(budget, _rounds(list(_in_turn(spec))))


def _walk(
    spec: Spec, how: How, play: Callable[[int, Plan, str, Budget], Strategy | None]
) -> tuple[Spec, tuple[Retuned, ...], list[str]]:
    """Go through all tunings of a run; return it with its new players, these, and who could not be tuned.

    play: Makes what is not kept from before, from the number of tunings before, the plan, its key and the budget; None
        leaves it for later, with all that depends on it.
    """
    seats, old = list(_in_turn(spec)), spec.strategies
    rounds = _rounds(seats)
    done: dict[int, Retuned] = {}
    later: dict[int, Role] = {}
    left: list[str] = []
    for before in range(rounds * len(seats)):
        number, at = divmod(before, len(seats))
        role, entries = seats[at]
        depends = any(entry in entries or other is not role for entry, other in later.items())
        found = None if depends else _tuned(spec, role, entries[0], how, (number, rounds), partial(play, before))
        if found is None:
            later |= dict.fromkeys(entries, role)
            left.append(old[entries[0]])
            continue
        if first := done.get(entries[0]):
            found = replace(found, old=first.old, again=first.again and found.again)
        spec = _seated(spec, entries, found)
        done |= dict.fromkeys(entries, found)
    return spec, tuple({item.strategy.name: item for item in done.values()}.values()), left


def _rounds(seats: list[tuple[Role, list[int]]]) -> int:
    """Return in how many rounds some entries are tuned."""
    return ROUNDS if len({role.name for role, _ in seats}) > 1 else 1


def _in_turn(spec: Spec) -> Iterator[tuple[Role, list[int]]]:
    """Yield what is to be tuned: the role, and the entries of the line-up that one strategy has in it."""
    by_habit = {habit.strategy for habit in habits(spec)}
    weighing = load_kit(spec.game.name).weighing
    for role, name in spec.cast:
        entries = [at for at in role.at(spec.players) if spec.strategies[at] == name]
        if name in by_habit and _core(_strategy(spec, entries[0])).policy in weighing:
            yield role, entries


def _strategy(spec: Spec, entry: int) -> Strategy:
    """Return who sits at an entry of the line-up."""
    table = spec.strategy_tables[entry]
    if table.get("source_sha256") is None:
        return strategy_from_dict(spec.game, table)
    return load_strategy(spec.game, spec.references[entry], code=Code.TRUSTED)  # the run has loaded the same code


def _core(strategy: Strategy) -> Strategy:
    """Return the strategy whose weights are tuned: for a player who looks ahead, its base."""
    return strategy.search.base if strategy.search else strategy


def _tuned(
    spec: Spec,
    role: Role,
    entry: int,
    how: How,
    turn: tuple[int, int],
    play: Callable[[Plan, str, Budget], Strategy | None],
) -> Retuned | None:
    """Return the strategy of an entry, tuned for the run's rules: from the folder, or as `play` makes it, if it does.

    `turn` is the number of the round, and that of all rounds.
    """
    strategy = _strategy(spec, entry)
    plan, key = _planned(spec, role, entry, how, turn)
    known = _recalled(plan, key)
    core = known or play(plan, key, _budget(how.budget, turn[1]))
    if core is None:
        return None
    name = _name(spec, role, strategy)
    prefix = f"{role.name}_" if plan.held else ""
    path = RETUNED.path(key)
    made = replace(core, name=name, reference=str(path))
    if strategy.search is not None:
        made = replace(strategy, name=name, search=replace(strategy.search, base=core), reference="")
    start = prefix + plan.start.name if turn[1] == 1 else ""
    par, judged = plan.par(spec.players), plan.judged(spec.players)
    return Retuned(strategy.name, made, spec.players, judged.amount(par), path, known is not None, start, judged.unit)


def _planned(spec: Spec, role: Role, entry: int, how: How, turn: tuple[int, int]) -> tuple[Plan, str]:
    """Return the tuning of an entry, and the key of its result, which depends on everything that determines it."""
    strategy, budget = _strategy(spec, entry), _budget(how.budget, turn[1])
    reference = spec.references[entry] if strategy.search is None else ""
    deals = np.random.SeedSequence([spec.seed, how.number, turn[0]])  # other deals than those of the run
    plan = _plan(spec, role, _core(strategy), reference, int(deals.generate_state(1)[0]))
    kernels = [cache_folder().name, cache_folder(home(plan.game.name).package).name]
    decisive = plan.describe() | {"budget": [budget.generations, budget.seconds], "kernels": kernels}
    return plan, hashlib.sha256(json.dumps(decisive, sort_keys=True).encode()).hexdigest()


def _budget(whole: Budget, rounds: int) -> Budget:
    """Return the budget of one of several rounds."""
    generations, seconds = whole.generations, whole.seconds
    return replace(
        whole,
        generations=generations and max(generations // rounds, 1),
        seconds=seconds and seconds / rounds,
    )


def _plan(spec: Spec, role: Role, start: Strategy, reference: str, seed: int) -> Plan:
    """Return the tuning of one role's player, against itself and the players of the other roles."""
    game, players = spec.game, spec.players
    held = {
        other.name: tuple({one.digest: one for one in (_strategy(spec, at) for at in other.at(players))}.values())
        for other in game.roles
        if other is not role
    }
    alone = len(role.at(players)) == 1
    told = [f"{name}={one.name}" for name, some in held.items() for one in some]
    own = [] if alone else [f"{role.name}={SELF}" if held else SELF]
    named = Named(",".join([*own, *told]), spec.rules_reference or spec.rules.name, reference or start.name)
    return Plan(
        game=game,
        rules=spec.rules,
        players=(players,),
        start=start.under(spec.rules),
        opponents=(),
        self_play=not alone,
        seed=seed,
        sigma=SIGMA,
        population=default_population(len(start.index)),
        games=GAMES,
        named=named,
        role=role,
        held=held,
    )


def _recalled(plan: Plan, key: str) -> Strategy | None:
    """Return the result of an earlier tuning; None if there is none, or its file was changed."""
    text = RETUNED.recall(key)
    return None if text is None else strategy_from_dict(plan.game, parse(text, str(RETUNED.path(key))))


def _play(plan: Plan, key: str, budget: Budget, how: How, tick: Callable[[Status], None]) -> Strategy:
    """Tune, and store the result."""
    tuned = tune(plan, budget, how.threads, Journal(None, {}), tick, halfway=True)
    made = describe(plan, tuned, _suffixed(plan.start.name, "_retuned"), how.versions)
    RETUNED.keep(key, made.to_toml().encode())
    return made


def _name(spec: Spec, role: Role, strategy: Strategy) -> str:
    """Return the name of the new player; players of two roles that differ must not have the same name."""
    own = f"_{role.name.replace('-', '_')}" if spec.game.asymmetric and not strategy.role else ""
    return _suffixed(strategy.name, f"{own}_retuned")


def _suffixed(name: str, suffix: str) -> str:
    return name.removesuffix(suffix)[: LONGEST - len(suffix)] + suffix


def _seated(spec: Spec, entries: list[int], found: Retuned) -> Spec:
    """Return a run in which another strategy sits at some entries of the line-up."""
    record = spec.lineup_record.copy()
    names, tables, references = list(spec.strategies), list(spec.strategy_tables), list(spec.references)
    for entry in entries:
        found.strategy.under(spec.rules).fill(record, entry, spec.players)
        obey(record, entry, found.strategy, spec.rules.values)
        names[entry], tables[entry] = found.strategy.name, found.strategy.to_dict()
        references[entry] = found.strategy.reference or found.strategy.name
    return replace(
        spec, lineup_record=record, strategies=tuple(names), strategy_tables=tuple(tables), references=tuple(references)
    )
