"""What a strategy can be forbidden, and how it is made to obey, whatever its policy is.

A restricted member of a line-up is played by its game's wrapper, which shows the wrapped policy (`inner`) fewer legal
moves, or hides from it what it must not know.  If only forbidden moves are legal, they are allowed.  Effects
that a player forgoes do not happen to it; the game's own kernels take care of that.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from simcore.errors import UsageError, nearest, shown
from simcore.game import Decision, Game, load_game
from simcore.kernel.compilation import inlined, instantiate
from simcore.kernel.pointers import Policy
from strategies.kit import load_kit
from strategies.restrained import decide_avoiding

if TYPE_CHECKING:
    from strategies.model import Strategy

# --- What players of any game can be forbidden without code of its own: the moves of its kinds of decisions ---


BITS = 64
"""Number of moves, of all kinds together, for which a member of a line-up has room."""

# Names that `instantiate` fills in for a game.
FIRST: Any = None
is_forbidden: Any = None


def moves_by_kind(game: Game) -> dict[str, int]:
    """Return the bits of every move of every kind of decision that there is room for, by name.

    A move has the name that its `Decision` gives it, such as "bet", or the kind with the number, such as "bid:3".  A
    name that several moves have forbids all of them.
    """
    bits: dict[str, int] = {}
    for decision, first in zip(game.decisions, first_bits(game), strict=True):
        for move in range(decision.options if first < BITS else 0):
            name = name_of(decision, move)
            bits[name] = bits.get(name, 0) | 1 << first + move
    return bits


def name_of(decision: Decision, move: int) -> str:
    """Return the name by which a move is forbidden."""
    return decision.moves[move] if decision.moves else f"{decision.name}:{move}"


def first_bits(game: Game) -> list[int]:
    """Return the bit of the first move of each kind; 64 for a kind for which there is no room."""
    firsts, used = [], 0
    for decision in game.decisions:
        fits = used + decision.options <= BITS
        firsts.append(used if fits else BITS)
        used += decision.options * fits
    return firsts


def forbidden_here(rules, lineup, state, seat, move):
    """Whether a player may not make a move in a decision of this kind."""
    first = FIRST[state.decision]
    avoids = lineup.members[lineup.seated[seat]].avoids
    return first < BITS and (avoids >> np.uint64(first + move)) & np.uint64(1) != np.uint64(0)


def without_forbidden(rules, lineup, state, seat):
    """Return the move of the wrapped policy, which sees only the moves that it may make."""
    return decide_avoiding(is_forbidden, rules, lineup, state, seat)


@cache
def restrained_by_kind(game: Game) -> Policy:
    """Return the wrapper that makes a policy obey what it is forbidden."""
    avoids = inlined(instantiate(forbidden_here, game.step, FIRST=np.array(first_bits(game), np.int64)))
    return Policy(instantiate(without_forbidden, game.step, is_forbidden=avoids), game.policy_records, cached=True)


# --- What a strategy can be forbidden, and how it is made to obey, whatever its policy is ---


AVOIDS, FORGOES, UNSEEN = "avoids", "forgoes", "unseen"
KINDS = (AVOIDS, FORGOES, UNSEEN)


@dataclass(frozen=True)
class Restriction:
    """Something that can be forbidden.

    Parameters
    ----------
    name
        The name by which users refer to it.
    kind
        "avoids": moves that are not made if others are legal; "forgoes": an effect that does not happen to the
        player; "unseen": something that the player does not know.
    about
        Key of what it concerns, for its wording in reports.
    bits
        Bits that are set in the line-up member's field of that kind; each game defines their meaning.
    ignores
        Features that have no weight for a player under it, because what they anticipate does not happen.
    """

    name: str
    kind: str
    about: str
    bits: int
    ignores: tuple[str, ...] = ()


def restrictions_of(game: str, rules: Any) -> Mapping[str, Restriction]:
    """Return what a game's players can be forbidden under some rules, by name.

    If the game declares nothing, these are the moves of its kinds of decisions.
    """
    declared = load_kit(game).restrictions
    if declared is None:
        return {name: Restriction(name, AVOIDS, name, bits) for name, bits in moves_by_kind(load_game(game)).items()}
    return {found.name: found for found in declared(rules)}


def find_restrictions(game: str, rules: Any, names: Iterable[str], where: str) -> list[Restriction]:
    """Return the restrictions with the given names.

    Raises UsageError if there is none of that name; `where` says where it was written.
    """
    known = restrictions_of(game, rules)
    if not known:
        raise UsageError(
            f"nothing can be forbidden in {game}: it declares no restrictions, and no kind of decision with at most "
            "64 moves",
            where,
        )
    for name in names:
        if name not in known:
            raise UsageError(f"nothing called '{shown(name)}' can be forbidden{nearest(name, known)}", where)
    return [known[name] for name in names]


def check_restrictions(strategy: Strategy, rules: Any) -> list[Restriction]:
    """Return the restrictions of a strategy; raise `UsageError` if its game has none of such a name."""
    if not strategy.forbids:
        return []
    return find_restrictions(strategy.game, rules, strategy.forbids, f"strategy '{strategy.name}' forbids")


def obey(record: Any, entry: int, strategy: Strategy, rules: Any) -> None:
    """Make a member of a line-up, filled by a strategy, obey the restrictions of that strategy and no others."""
    member = record["members"][entry]
    for kind in KINDS:
        member[kind] = 0
    if not strategy.forbids:
        return
    kit = load_kit(strategy.game)
    for found in check_restrictions(strategy, rules):
        member[found.kind] |= found.bits
        _ignore(member, strategy, found.ignores)
        if strategy.search is not None:
            _ignore(record["bases"][entry], strategy.search.base, found.ignores)
    wrapper = restrained_by_kind(load_game(strategy.game)) if kit.restrictions is None else kit.restrained
    if wrapper is not None and member["policy"] != wrapper.address:
        member["inner"], member["policy"] = member["policy"], wrapper.address


def _ignore(member: Any, strategy: Strategy, features: Iterable[str]) -> None:
    """Remove the weights of some features from a member that a strategy filled."""
    kit = load_kit(strategy.game)
    if strategy.custom is None and strategy.policy in kit.weighing:
        for feature in features:
            member["weights"][kit.index[feature]] = 0
