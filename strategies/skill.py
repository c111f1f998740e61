"""How well the players of a game play: four levels of skill, and which strategies are too weak to judge a game.

`experts` are the players that every command plays if the user names none; `search` are players who look ahead.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from simcore.errors import UsageError, nearest
from simcore.game import load_game
from simcore.homes import ELSEWHERE
from simcore.kernel.driver import Memory
from simcore.running.batch import Spec
from strategies.kit import EXPERTS, SKILLS, load_kit
from strategies.library import load_strategy, shipped_strategies

BEGINNERS = ("random", "greedy")
"""Names of strategies that are too weak for verdicts in every game, and the lowest rungs where a game declares none."""

TRIED = 200
"""Number of games of a game in plain Python that show whether anybody has a choice in it."""

SIMPLE = 2
"""How many of the lowest rungs of a ladder are too weak for verdicts: random players, and a family's."""


def players_of(game: str, skill: str) -> dict[str, str]:
    """Return a game's strategies at a level of skill, by role.

    game: Name of the game.
    skill: "family", "club", "experts" or "search".
    Raises UsageError if there is no such level, or the game has no players for it.

    Examples
    --------
    >>> players_of("seigneurial", "experts")
    {'lord': 'overlord', 'tenant': 'freeholder'}
    """
    if skill not in SKILLS:
        raise UsageError(f"no skill '{skill}'{nearest(skill, SKILLS)}", "skill")
    kit, roles = load_kit(game), load_game(game).role_names
    declared = kit.default if skill == EXPERTS else kit.skills.get(skill, {})
    if not declared:
        there = ", ".join(skills_of(game))
        raise UsageError(f"{load_game(game).title} declares no players for '{skill}'; it has {there}", "skill")
    return dict(declared) if isinstance(declared, Mapping) else dict.fromkeys(roles, declared)


def quick_searchers(game: str) -> dict[str, str]:
    """Return the strategies of a game, by role, who look ahead where time is short; none if nobody looks ahead."""
    kit, roles = load_kit(game), load_game(game).role_names
    if kit.quick:
        return dict(kit.quick) if isinstance(kit.quick, Mapping) else dict.fromkeys(roles, kit.quick)
    return players_of(game, SKILLS[-1]) if SKILLS[-1] in kit.skills else {}


def skills_of(game: str) -> tuple[str, ...]:
    """Return the levels of skill for which a game has players, weakest first."""
    kit = load_kit(game)
    return tuple(skill for skill in SKILLS if skill == EXPERTS or skill in kit.skills)


def searchers_of(game: str) -> tuple[str, ...]:
    """Return the players who look ahead of a game that is played at random by default: the weak, then the strong."""
    if load_kit(game).default != BEGINNERS[0]:
        return ()
    names = shipped_strategies(load_game(game))
    return tuple(name for strong in names if f"{strong}_weak" in names for name in (f"{strong}_weak", strong))


def lookers(game: str) -> tuple[str, ...] | None:
    """Return the players who look ahead that a class or a library brings, weak ones first; None if a kernel plays."""
    kind = getattr(load_game(game).play_batch, "kind", None)
    if kind is None:
        return None
    from simcore.plain.game import PlainGame

    return tuple(name for name, one in kind.strategies.items() if one is PlainGame.rollout) or searchers_of(game)


@cache
def ladder(game: str, role: str = "") -> tuple[str, ...]:
    """Return a role's strategies in order of skill, weakest first: `random`, then those of each level.

    role: Name of the role.  If empty, the game's first role.
    """
    found = load_game(game)
    name = role or found.role_names[0]
    simple = BEGINNERS if not load_kit(game).skills else BEGINNERS[:1]
    shipped = shipped_strategies(found)
    lowest = [one for one in simple if one in shipped and load_strategy(found, one).role in ("", name)]
    return tuple(dict.fromkeys((*lowest, *(players_of(game, skill)[name] for skill in skills_of(game)))))


@cache
def rungs(game: str) -> tuple[dict[str, str], ...]:
    """Return a game's ladder, weakest players first: a strategy for each role, and its strongest if it has no more."""
    ladders = {role: ladder(game, role) for role in load_game(game).role_names}
    height = max(len(names) for names in ladders.values())
    return tuple({role: names[min(at, len(names) - 1)] for role, names in ladders.items()} for at in range(height))


@cache
def weak(game: str, role: str = "") -> tuple[str, ...]:
    """Return the strategies of a role that are too weak for verdicts: the lowest rungs; if empty, of all roles."""
    if game == ELSEWHERE or (role and role not in load_game(game).role_names):
        return ()
    roles = (role,) if role else load_game(game).role_names
    lowest = [name for one in roles for name in ladder(game, one)[:SIMPLE] if name != players_of(game, EXPERTS)[one]]
    return tuple(dict.fromkeys((*BEGINNERS[:1], *lowest, *BEGINNERS[1:])))


def weak_players(spec: Spec) -> tuple[str, ...]:
    """Return the strategies of a run because of which it says little about balance.

    Those are strategies too weak for verdicts, if all seats of a role are played by such, and if anybody has a choice.
    """
    seated: dict[str, list[str]] = {}
    for role, name in spec.cast:
        seated.setdefault(role.name, []).append(name)
    found = [name for role, names in seated.items() if set(names) <= set(weak(spec.game.name, role)) for name in names]
    return () if found and nobody_chooses(spec) else tuple(dict.fromkeys(found))


def nobody_chooses(spec: Spec) -> bool:
    """Return whether no seat of a game in plain Python ever has several moves, so that anybody plays it alike."""
    asks = getattr(spec.game.play_batch, "nobody_chooses", None)
    if asks is None:  # a kernel does not say how many moves there were, nor does a run whose game is not loaded
        return False
    memory = Memory(spec.game)
    lineup = memory.seated(spec.lineup_record, spec.players)
    asked = (spec.rules_record, lineup, memory.trace, TRIED, spec.players)
    return bool(asks(*asked))
