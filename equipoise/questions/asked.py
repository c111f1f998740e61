"""What questions share: the parameters that mean the same everywhere, and what is played, as one value."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property, partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypedDict, TypeVar, get_args

from equipoise.api.experiment import Experiment
from equipoise.output.progress import Tick, following, keeping
from equipoise.parameters import (
    SECTION,
    GameCount,
    Level,
    LineUp,
    PlayerCounts,
    Question,
    RuleChanges,
    RuleSet,
    Seed,
    ShowProgress,
    Skill,
    Threads,
    stated,
)
from simcore.errors import UsageError

if TYPE_CHECKING:
    from equipoise.output.progress import Following
    from simcore.game import Game
    from simcore.rules.files import Rules
    from simcore.running.batch import Spec
    from strategies.spec import References

# --- The parameters that questions share; a question takes those of one class as `**given: Unpack[Played]` ---


class Shared(TypedDict, total=False):
    """The parameters of every question."""

    threads: Threads
    progress: ShowProgress


class Ruled(Shared, total=False):
    """Those of a question that plays under some rules."""

    rules: RuleSet
    settings: RuleChanges
    seed: Seed


class Judged(Ruled, total=False):
    """Those of a question whose answer has intervals."""

    games: GameCount
    level: Level


class Tables(Judged, total=False):
    """Those of a question that may be asked for several numbers of players."""

    players: PlayerCounts


class Played(Tables, total=False):
    """Those of a question about any players."""

    strategies: LineUp
    skill: Skill


EARLY: Mapping[str, Any] = {"players": None, "strategies": (), "skill": None, "rules": "base", "settings": None}
"""Default values of what stands behind the game, before what a question has for itself."""

LATE: Mapping[str, Any] = {"games": 0, "seed": 1, "level": 0.95, "threads": None, "progress": None}
"""Default values of what stands at the end; each question says how many games it plays."""

RUNS_SAY = "the runs say what was played; leave out the option or the runs"
"""Why arguments that say what to play are refused where there are runs."""

RAISES = "Raises\n------\nUsageError\n    If an argument cannot be used; the message says which one, and why.\n\n"
"""What a docstring says of errors if its question does not say it."""

Values = ParamSpec("Values")
Answer = TypeVar("Answer")


def question(
    *examples: str, games: float = 0, **more: Any
) -> Callable[[Callable[Values, Answer]], Callable[Values, Answer]]:
    """Return what makes a question of a function: adds the parameters that it shares to its signature and docstring.

    examples: Command lines for the end of its help.
    games: Number of games by default.
    more: See `Question`.
    """

    def made(function: Callable[Values, Answer]) -> Callable[Values, Answer]:
        signature = _expanded(function, games)
        several = next((one.name for one in signature.parameters.values() if one.kind is one.VAR_POSITIONAL), "")

        @wraps(function)
        def ask(*values: Values.args, **named: Values.kwargs) -> Answer:
            try:
                bound = signature.bind(*values, **named)
            except TypeError as error:
                raise TypeError(f"{function.__name__}() {error}") from None
            bound.apply_defaults()
            call: Any = function
            return call(*bound.arguments.pop(several, ()), **bound.arguments)

        public: Any = ask
        public.__signature__ = signature
        public.__doc__ = _documented(ask)
        public.question = Question(examples, **more)
        return ask

    return made


def _expanded(function: Callable[..., Any], games: float) -> inspect.Signature:
    """Return the signature of a question with the parameters that it shares in place of `**given`.

    Where there are several, only the game and the number of players may be given by position.
    """
    signature = inspect.signature(function)
    *own, given = signature.parameters.values()
    if given.kind is not given.VAR_KEYWORD:
        return signature
    (shared,) = get_args(eval(given.annotation, function.__globals__))
    types = {name: one.__forward_arg__ for name, one in shared.__annotations__.items()}
    early, late = (
        [
            given.replace(name=name, default=value, annotation=types[name], kind=given.KEYWORD_ONLY)
            for name, value in usual.items()
            if name in types
        ]
        for usual in (EARLY, {**LATE, "games": games})
    )
    if early:
        at = [one.name for one in own].index("game") + 1
        behind = [one.replace(kind=given.KEYWORD_ONLY) for one in own[at:]]
        if early[0].name == "players":
            early[0] = early[0].replace(kind=given.POSITIONAL_OR_KEYWORD)
        own = [*own[:at], *early, *behind]
    return signature.replace(parameters=[*own, *late])


def _documented(function: Callable[..., Any]) -> str:
    """Return the docstring of a question with the text of each parameter."""
    text = inspect.getdoc(function) or ""
    entries = [
        f"{'*' * (one.kind is one.VAR_POSITIONAL)}{one.name}\n{textwrap.indent(textwrap.fill(said, 112), ' ' * 4)}"
        for one, _, _, said in stated(function)
    ]
    own = SECTION.search(text)
    if own:
        text = text.replace(own[1], "\n".join(entries), 1)
    return text if "\nRaises\n" in text else text.replace("References\n-", f"{RAISES}References\n-", 1)


# --- What is played ---


@dataclass(frozen=True)
class Asked:
    """What is played, and how: read and checked once, for a command, a call and JSON alike."""

    game: Game
    rules: Rules  # with the changes that were asked for
    reference: str  # how the rules were named
    players: tuple[int, ...]  # numbers of players at the table, each once
    strategies: References  # who plays; if empty, the game's strongest
    games: int  # at each number of players, or as the question says
    seed: int
    level: float  # confidence level of the intervals
    threads: int | None  # None for one for each processor
    progress: Following

    @cached_property
    def specs(self) -> list[Spec]:
        """What is played at each number of players."""
        from strategies.spec import make_spec

        played = (self.strategies, self.rules, (), self.seed, "rotate", self.games)
        specs = [make_spec(self.game.name, count, *played) for count in self.players]
        return [replace(spec, rules_reference=self.reference) for spec in specs]

    @contextmanager
    def playing(self, games: int) -> Iterator[Tick]:
        """Show how many games are played; if they are interrupted, say that what was played is kept."""
        with keeping(), following(self.progress, "games", games) as tick:
            yield tick

    def answer(self, what: str, results: Any, compose: Callable[..., Any]) -> Experiment:
        """Return the result, or several of them, with the function that makes their page."""
        several = results if isinstance(results, tuple) else (results,)
        return Experiment(what, several, self.rules, partial(compose, results, self.rules))


def asked(game: str, given: Mapping[str, Any]) -> Asked:
    """Return what is played; raise `UsageError` if a value cannot be used."""
    from analysis.stats.intervals import check_level
    from simcore.game import load_game
    from simcore.rules.files import Rules, load_rules
    from strategies.spec import seats_of, whole_games

    value = {**EARLY, **LATE, **given}
    check_level(value["level"])
    played = load_game(game)
    rules = load_rules(played, value["rules"], value["settings"])
    return Asked(
        played,
        rules,
        rules.name if isinstance(value["rules"], Rules) else str(value["rules"]),
        tuple(dict.fromkeys(seats_of(played, number) for number in listed(value["players"]) or [None])),
        cast(played, value["strategies"], value["skill"]),
        whole_games(value["games"]),
        value["seed"],
        value["level"],
        value["threads"],
        value["progress"],
    )


def listed(given: Any) -> list[Any]:
    """Return the things that an argument names: one text, path or number, several of them, or none."""
    if given is None:
        return []
    return [given] if isinstance(given, str | Path | int) else list(given)


def refuse(because: str, arguments: Mapping[str, Any]) -> None:
    """Raise `UsageError` if one of some arguments is given where something else says what it would say."""
    for name, value in arguments.items():
        if value not in (None, ()):
            raise UsageError(because, name)


def cast(game: Game, strategies: References, skill: str | None) -> References:
    """Return who plays: those that are named, or the game's players at a level of skill.

    Raises UsageError if both are given, or the game has no players of that skill.
    """
    from strategies.skill import players_of

    if skill is None:
        return strategies
    refuse_both(skill, strategies)
    by_role = players_of(game.name, skill)
    return by_role if game.asymmetric else next(iter(by_role.values()))


def refuse_both(skill: str | None, named: object, who: str = "do the strategies that you name") -> None:
    """Raise `UsageError` if a level of skill is given, and so are strategies."""
    if skill is not None and named:
        raise UsageError(f"says who plays, and so {who}; leave out one of the two", "skill")


def climbed(game: Game, skill: str) -> tuple[dict[str, str], ...]:
    """Return the rungs of a game's ladder up to a level of skill, weakest first, each a strategy for each role.

    Raises UsageError if the game has no players of that skill.
    """
    from strategies.skill import ladder, players_of, rungs

    heights = [ladder(game.name, role).index(name) for role, name in players_of(game.name, skill).items()]
    return rungs(game.name)[: max(heights) + 1]
