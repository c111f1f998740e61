"""What a strategy can be forbidden, and how it is made to obey, whatever its policy is.

A restricted member of a line-up is played by its game's wrapper, which shows the wrapped policy (`inner`) fewer legal
moves, or hides from it what it must not know.  If only forbidden moves are legal, they are allowed.  Effects
that a player forgoes do not happen to it; the game's own kernels take care of that.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from simcore.errors import UsageError, nearest
from simcore.game import load_game
from simcore.toml_tables import shown
from strategies.by_kind import moves_by_kind, restrained_by_kind
from strategies.kit import load_kit

if TYPE_CHECKING:
    from strategies.model import Strategy

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
    """Make a member of a line-up, filled by a strategy, obey the restrictions of that strategy."""
    if not strategy.forbids:
        return
    kit = load_kit(strategy.game)
    member = record["members"][entry]
    for found in check_restrictions(strategy, rules):
        member[found.kind] |= found.bits
        _ignore(member, strategy, found.ignores)
        if strategy.search is not None:
            _ignore(record["bases"][entry], strategy.search.base, found.ignores)
    wrapper = restrained_by_kind(load_game(strategy.game)) if kit.restrictions is None else kit.restrained
    if wrapper is not None:
        member["inner"], member["policy"] = member["policy"], wrapper.address


def _ignore(member: Any, strategy: Strategy, features: Iterable[str]) -> None:
    """Remove the weights of some features from a member that a strategy filled."""
    kit = load_kit(strategy.game)
    if strategy.custom is None and strategy.policy in kit.weighing:
        for feature in features:
            member["weights"][kit.index[feature]] = 0
