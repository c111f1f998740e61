"""Who attacks a player: searches that know it, a learned player, and weights tuned against it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from operator import itemgetter
from pathlib import Path

from simcore.errors import UsageError
from simcore.game import Game
from simcore.roles import Role
from simcore.toml_tables import shown
from strategies.foresight import FARTHEST
from strategies.kit import load_kit
from strategies.library import load_strategy, shipped_strategies
from strategies.model import Strategy
from strategies.searching import changed
from strategies.seating import by_role, check_role

STEP, SEARCH, DEEP, LEARNED, FURTHER, OTHER, LINEAR, BASE = KINDS = (
    "step", "search", "deep", "learned", "further", "other", "linear", "base",
)  # fmt: skip
"""How somebody attacks: by a search that ends after the present round; by one to the end, on 16 imagined tables or on
64; by the game's thinker, who judges tables by a learned value; by one that looks a round further, at every kind of
decision, on 64 tables; on a thinker, by one with a value that `equipoise learn` fitted to games of such thinkers; by
weights that were tuned against the player; and, if the player looks ahead, by the one that it imagines."""

TABLES, MANY = 16, 64


@dataclass(frozen=True)
class Attacker:
    """Somebody who attacks a player."""

    kind: str  # how; one of `KINDS`
    strategy: Strategy  # who
    making: float = 0.0  # processor minutes that it took to make it


def attackers_of(game: Game, players: int, role: Role, defender: Strategy) -> Iterator[Attacker]:
    """Yield the attackers at hand, who need no tuning.

    The searches imagine that the defender plays all seats; if the defender looks ahead itself, they imagine its base.

    game, players: The table.
    role: Role of attacker and defender.
    defender: Who is attacked.
    """
    policies = load_kit(game.name).searching
    shipped = [load_strategy(game, name) for name in shipped_strategies(game)]
    searcher = next((one for one in shipped if one.policy == "rollout" and one.role in ("", role.name)), None)
    if "rollout" in policies and searcher is not None and searcher.search is not None:
        base = defender.search.base if defender.search else defender
        if game.asymmetric:  # one base must play every role
            base = searcher.search.base
        for kind, tables, rounds in (
            (STEP, TABLES, 0),
            (SEARCH, TABLES, searcher.search.rounds),
            (DEEP, MANY, searcher.search.rounds),
        ):
            search = replace(searcher.search, base=base, rollouts=tables, rounds=rounds)
            yield Attacker(kind, replace(searcher, name=f"{kind}_attack", search=search, provenance={}))
    if defender.search is not None:
        yield Attacker(BASE, defender.search.base)
    place = players, role.name
    looking = [(one, one.search.foresights) for one in shipped if one.search]
    thinkers = [
        (foresights[place].tables, bool(one.provenance), one) for one, foresights in looking if place in foresights
    ]
    if thinkers:
        *_, thinker = max(thinkers, key=itemgetter(0, 1))
        minutes = float(thinker.provenance.get(f"players_{players}", {}).get("cpu_minutes", 0.0))
        yield Attacker(LEARNED, thinker, minutes)
        assert thinker.search is not None
        rounds = min(thinker.search.foresights[place].rounds + 1, FARTHEST)
        search = changed(thinker.search, {"tables": MANY, "rounds": rounds, "decisions": ()})
        yield Attacker(FURTHER, replace(thinker, name=f"{FURTHER}_attack", search=search, provenance={}), minutes)


def defenders_of(game: Game, named: str | Path, option: str = "attack") -> dict[str, Strategy]:
    """Return who is attacked, by role: a strategy in every role that it can play, or "role=one,role=other".

    game: The game.
    named: What the user wrote.
    option: Name of the option in which it was written, for messages.
    Raises UsageError if there is no such strategy or role.
    """
    references = by_role(game, str(named).split(","), option)
    if isinstance(references, Mapping):
        found = {role: load_strategy(game, names[-1], option) for role, names in references.items()}
    elif len(references) == 1:
        one = load_strategy(game, references[0], option)
        found = {role: one for role in game.role_names if one.role in ("", role)}
    else:
        raise UsageError(f"'{shown(str(named))}': name one player", option)
    for role, one in found.items():
        check_role(one, role, option)
    return found
