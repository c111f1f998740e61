"""A player who wins: weights for one who decides at once, or a value by which one judges who looks ahead."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Unpack

from equipoise.command import Printed
from equipoise.parameters import (
    GameCount,
    GameName,
    Player,
    Replace,
    Trust,
    Typed,
    comma_list,
    lever_keys,
    player_counts,
    role_names,
    skill_names,
    strategy_names,
)
from equipoise.questions.asked import Ruled, listed, question, refuse_both
from simcore.errors import UsageError
from simcore.homes import GAMES

if TYPE_CHECKING:
    from equipoise.api.tuning import Learning, Tuning

Counts = Annotated[int | Sequence[int], Typed(takes="N,...", read=player_counts)]
OutFile = Annotated[
    str | Path,
    Typed(
        "Strategy file to write, completely or not at all; the strategy takes its name from the file.  `FILE.journal` "
        "in the same folder keeps the progress, and the same command continues from there.",
        "FILE",
    ),
]


@question(
    "equipoise tune --budget 10m --out my_champion.toml",
    "equipoise tune --set effects.mill_coins=3 --players 3,4 --out knows_mills.toml",
    "equipoise tune --free effects.mill_coins=1..4 --free effects.barracks_coins=1..3 --out knows_coins.toml",
    "equipoise tune --against champion --players 2 --budget 5m --out exploiter.toml",
    "equipoise tune --skill club --budget 5m --out beats_the_club.toml",
    "equipoise tune --game fief-2 --only 'place_*' --budget 60 --out places_well.toml",
    "equipoise tune --against self,warlord --start-from scout --budget 200 --out better_scout.toml",
    only=Printed,
    show="equipoise.output.players:show_tuning",
)
def tune(
    game: GameName = GAMES[0],
    *,
    players: Counts = (),
    against: Annotated[
        str | Path | Sequence[str | Path], Typed(takes="NAME,...", read=comma_list, complete=strategy_names)
    ] = (),
    skill: Annotated[str | None, Typed(takes="NAME", complete=skill_names)] = None,
    role: Annotated[str | None, Typed(takes="ROLE", complete=role_names)] = None,
    rounds: int = 2,
    free: Annotated[str | Sequence[str], Typed(takes="KEY[=RANGE]", each=True, complete=lever_keys)] = (),
    only: Annotated[str | Sequence[str], Typed(takes="WEIGHT,...", read=comma_list)] = (),
    start_from: Player = None,
    budget: Annotated[str | int, Typed(takes="TIME")] = "10m",
    sigma: Annotated[float, Typed(takes="STEPS")] = 0.5,
    population: int | None = None,
    games: GameCount = 1920,
    out: OutFile = "tuned.toml",
    by_players: bool = False,
    force: Replace = False,
    trust: Trust = False,
    **given: Unpack[Ruled],
) -> Tuning:
    """Find weights that make a strategy win under your rules. For a player who looks ahead, see `learn`.

    Parameters
    ----------
    players
        Numbers of players at which the strategy is to be strong, separated by commas.  If empty, the game's usual
        number.
    against
        Opponents, each as a name, a file, or `role=opponent`, separated by commas; `self`: the best candidate so far
        and earlier champions.  If empty, self and the defaults of other roles, or the players of the skill.
    skill
        How well the opponents play, who then are the game's players of that skill: `family`, `club`, `experts` or
        `search` (players who look ahead, and are slow).  If None, as --against says.
    role
        Role to tune while the others stay as they are; `all`: every role in turn, each in a file `NAME_ROLE.toml`.  If
        None, the only one.
    rounds
        With the role `all`: how often every role is tuned, 1 to 100.
    free
        A whole number or switch of the rules that the player is to know, so that it needs no tuning when that value
        changes: `KEY=LOW..HIGH`, or `KEY` alone for the range that the game declares, or else from 0 to twice its
        value; may be repeated.
    only
        Weights that may move, as names or patterns such as `place_*` or `place_[!r]*`, separated by commas; all others
        stay as they are.  At one number of players, or several at which the start has the same weights; not with the
        role `all`.  If empty, all.
    start_from
        Strategy whose weights are the starting point; its policy, temperature and blunder rate stay the same.  If None,
        the game's default.
    budget
        A time, such as `90s`, `10m` or `2h`, or a number of generations.
    sigma
        Initial step size of the search (CMA-ES), in steps: the step of a weight is how far it has to move to matter.
    population
        Candidates in each generation, 4 to 1,024.  If None, by the number of weights.
    games
        Games that each candidate plays in a generation, 60 to 1,000,000.
    by_players
        Keep the weights that the file has for other numbers of players.

    Returns
    -------
    Tuning
        The attribute `file` can be named as a strategy; `scores` is a table of wins.

    Raises
    ------
    UsageError
        If an argument cannot be used; the message says which one, and why.
    Interrupted
        After Ctrl-C; the same call continues from there.

    References
    ----------
    * docs/reference/tuning.md
    * Hansen, N. (2016). The CMA evolution strategy: a tutorial. arXiv:1604.00772.

    Examples
    --------
    >>> import equipoise as eq
    >>> made = eq.tune(players=2, budget=1, population=4, games=120, out="mine.toml")
    >>> made.file.name
    'mine.toml'
    """
    from analysis.data.declarations import load_declarations
    from equipoise.api.tuning import ALL, How, Tuning, in_turn, opponents_of, strategy_name, tune_role
    from simcore.game import load_game
    from simcore.running.executors import default_threads
    from strategies.spec import whole_games
    from strategies.tuning import Budget, make_plan

    threads = given["threads"] or default_threads()
    how = How(Budget.parse(str(budget)), threads, by_players, force, given["progress"], trust)
    file, named, played = Path(out), listed(against), load_game(game)
    refuse_both(skill, named, "does 'against'")
    strategy_name(file)
    plan_of = partial(
        make_plan,
        game,
        listed(players),
        rules=given["rules"],
        settings=given["settings"],
        seed=given["seed"],
        sigma=sigma,
        population=population,
        games=whole_games(games),
        trust=trust,
        free=listed(free),
        only=listed(only),
        declared=load_declarations(played.name).levers if free else (),
    )
    if role == ALL:
        if only:
            raise UsageError(f"cannot be combined with the role '{ALL}'; tune one role at a time", "only")
        if skill is not None:
            raise UsageError(
                "each role meets the latest players of the others; tune one role, or leave out the skill", "skill"
            )
        return Tuning(tuple(in_turn(played, plan_of, named, start_from, rounds, file, how)))
    met = opponents_of(played, skill, role, listed(players)) if skill is not None else named
    return Tuning((tune_role(plan_of(role=role, start=start_from, against=met), file, how),))


@question(
    "equipoise learn --players 3,4 --out my_thinker.toml",
    "equipoise learn --set effects.mill_coins=3 --budget 10m --out thinks_of_mills.toml",
    "equipoise learn --base my_champion.toml --budget 3 --out my_thinker.toml",
    only=Printed,
    show="equipoise.output.players:show_learning",
)
def learn(
    game: GameName = GAMES[0],
    *,
    players: Counts = (),
    base: Player = None,
    budget: Annotated[str | int, Typed(takes="TIME")] = "5m",
    games: GameCount = 8_000,
    like: Player = None,
    out: OutFile = "learned.toml",
    by_players: bool = False,
    force: Replace = False,
    **given: Unpack[Ruled],
) -> Learning:
    """Make a player who looks ahead and judges by a learned value. For one who decides at once, see `tune`.

    Parameters
    ----------
    players
        Numbers of players, separated by commas, each of which gets values of its own.  If empty, the game's usual
        number.
    base
        Strategy that plays the imagined tables and most games of the first round; it may not look ahead itself.  Where
        the default differs by role or looks ahead, the base of the game's `rollout`.  If None, the game's default.
    budget
        For each number of players: a time such as `90s` or `5m`, 30 seconds or more, or a number of rounds of
        self-play, with which the result can be repeated.
    games
        Games of each of the three kinds of tables in the first round, 200 to 100,000.
    like
        Thinker whose rounds, tables, moves, caution, kinds of decisions and temperature to take, at the nearest number
        of players (the temperature only if both have the same base).  If None, these are found out.
    threads
        Number of threads; it does not affect what a number of rounds gives.  If None, all cores.
    by_players
        Keep what the file has for other numbers of players.

    Returns
    -------
    Learning
        The attribute `file` can be named as a strategy; `scores` is a table of wins.

    Raises
    ------
    UsageError
        If an argument cannot be used; the message says which one, and why.
    Interrupted
        After Ctrl-C; the same call continues from there.

    References
    ----------
    * docs/reference/tuning.md

    Examples
    --------
    >>> import equipoise as eq
    >>> made = eq.learn(players=2, base="random", budget=1, games=300, out="thinks.toml")
    >>> made.file.name
    'thinks.toml'
    """
    from equipoise.api.tuning import LEAST_SECONDS, How, learn_values, strategy_name
    from simcore.running.executors import default_threads
    from strategies.learning import make_plan
    from strategies.spec import whole_games
    from strategies.tuning import Budget

    file, threads = Path(out), given["threads"] or default_threads()
    how = How(Budget.parse(str(budget)), threads, by_players, force, given["progress"])
    if how.budget.seconds is not None and how.budget.seconds < LEAST_SECONDS:
        raise UsageError(
            f"{budget} is too short; the first values take about a minute, so give {LEAST_SECONDS}s or more", "budget"
        )
    strategy_name(file)
    plan = make_plan(
        game,
        listed(players),
        rules=given["rules"],
        settings=given["settings"],
        base=base,
        seed=given["seed"],
        games=whole_games(games),
        like=like,
    )
    return learn_values(plan, file, how)
