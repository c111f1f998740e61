"""Measure what an attacker wins at a table of one player."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import polars as pl

from analysis.attacks.attackers import Attacker, attackers_of
from analysis.attacks.known import Attack
from analysis.data.declarations import require_wins
from analysis.data.results import Inputs, Note, Result, Verdict
from analysis.strength import wins_of
from simcore.errors import UsageError
from simcore.game import Game
from simcore.roles import Role
from simcore.rules.files import Rules
from simcore.running.batch import Spec
from strategies.kit import EXPERTS
from strategies.library import load_strategy
from strategies.model import Strategy
from strategies.skill import players_of
from strategies.spec import assemble_spec

Tick = Callable[[int, int], None]

OFTEN = 20_000
"""Games by which the share of a defender who decides at once is measured in a game with several roles."""

COLUMNS = (
    "kind", "attacker", "role", "games", "share", "low", "high", "usual", "times", "times_low", "times_high", "making",
    "playing", "shares_value",
)  # fmt: skip


@dataclass(frozen=True, eq=False, repr=False)
class Attacks(Result):
    """What attackers win at a table of one player.

    table: One row for each attacker and role, the strongest first: `kind`, `attacker`, `role`, `games`, `share` of the
        wins with its interval `low` to `high`, `usual`: the share of a defender in its place, `times`: the share as a
        multiple of that, `making` and `playing`: processor minutes, and `shares_value`; see `Attack`.
    """

    defender: str  # name of the player who is attacked
    found: tuple[Attack, ...]  # the attacks themselves


def measure(
    rules: Rules,
    game: Game,
    players: int,
    role: Role,
    defender: Strategy,
    attacker: Attacker,
    games: int,
    seed: int = 1,
    level: float = 0.95,
) -> tuple[Attack, Inputs]:
    """Return what one attacker wins among defenders, and what was played; the game's experts play all other roles.

    rules, game, players: What is played.
    role: Role of attacker and defender.
    defender, attacker: Who plays.
    games, seed: Number of games, and random seed.
    level: Confidence level of the interval.  In a game with several roles, where what a defender wins is measured as
        well, it is so wide that it lies above `usual` only if the difference is certain at this level (the squares of
        both distances are added; Newcombe 1998, method 10).
    Raises UsageError if something cannot be played.
    """
    experts = players_of(game.name, EXPERTS)

    def seated(one: Strategy, count: int) -> Spec:
        line = {other.name: [load_strategy(game, experts[other.name])] for other in game.roles}
        line[role.name] = [one, *[defender] * (len(role.at(players)) - 1)]
        return assemble_spec(game, players, line, rules, seed, "rotate", count)

    begun = time.process_time()
    won, inputs = wins_of(seated(attacker.strategy, games), role, attacker.strategy.name, level)
    spent = (time.process_time() - begun) / 60
    usual, below, above = 1 / players, won["share"] - won["share_low"], won["share_high"] - won["share"]
    if game.asymmetric:
        own, _ = wins_of(seated(defender, games if defender.search else OFTEN), role, defender.name, level)
        usual = own["share"]
        below = math.hypot(below, own["share_high"] - usual)
        above = math.hypot(above, usual - own["share_low"])
    learned = [bool(one.search and one.search.foresights) for one in (attacker.strategy, defender)]
    return Attack(
        kind=attacker.kind,
        attacker=attacker.strategy.name,
        attacker_digest=attacker.strategy.digest,
        defender=defender.name,
        defender_digest=defender.digest,
        players=players,
        role=role.name,
        usual=usual,
        share=won["share"],
        low=max(won["share"] - below, 0.0),
        high=min(won["share"] + above, 1.0),
        games=inputs.games,
        making=attacker.making,
        playing=spent,
        shares_value=all(learned),
        rules_digest=rules.digest,
        date=datetime.now(UTC).date().isoformat(),
    ), inputs


def attack(
    rules: Rules,
    game: Game,
    players: int,
    defenders: Mapping[str, Strategy],
    games: int,
    seed: int = 1,
    level: float = 0.95,
    more: Sequence[Attacker] = (),
    tick: Tick = lambda done, total: None,
) -> Attacks:
    """Return what all attackers at hand win among one player.

    rules, game, players: What is played.
    defenders: Who is attacked, by role.
    games: Games of each attacker in each role.
    seed: Random seed.
    level: Confidence level of all intervals of one role together, as the strongest attacker is picked from them.
    more: Attackers in addition to those that come with the game.
    tick: Called with the number of games done, and of all games.
    Raises UsageError if nobody can attack, or something cannot be played.
    """
    require_wins(game, "skill")
    plans = [
        (role, defenders[role.name], attacker)
        for role in game.roles
        if role.name in defenders
        for attacker in (*attackers_of(game, players, role, defenders[role.name]), *more)
        if attacker.strategy.digest != defenders[role.name].digest
    ]
    if not plans:
        raise UsageError(f"no player of {game.title} looks ahead, so nobody can attack", "attack")
    found, inputs = [], []
    for number, (role, defender, attacker) in enumerate(plans):
        tick(number * games, len(plans) * games)
        rivals = sum(other is role for other, _, _ in plans)
        one, played = measure(rules, game, players, role, defender, attacker, games, seed, 1 - (1 - level) / rivals)
        found.append(one)
        inputs.append(played)
    tick(len(plans) * games, len(plans) * games)
    found.sort(key=lambda one: -one.times)
    rows = [
        vars(one) | {"times": one.times, "times_low": one.low / one.usual, "times_high": one.high / one.usual}
        for one in found
    ]
    notes = [Note("attacks_least")]
    if any(one.shares_value for one in found):
        notes.append(Note("attacks_share_value"))
    name = ", ".join(dict.fromkeys(one.name for one in defenders.values()))
    return Attacks(
        tuple(inputs),
        level,
        pl.DataFrame(rows).select(COLUMNS),
        tuple(_verdicts(game, found)),
        tuple(notes),
        name,
        tuple(found),
    )


def _verdicts(game: Game, found: Sequence[Attack]) -> Iterator[Verdict]:
    """Say for each role what the strongest attack wins."""
    for role in game.roles:
        own = [one for one in found if one.role == role.name]
        if own:
            yield verdict(max(own, key=lambda one: one.share))


def verdict(attack: Attack, printed: bool = True) -> Verdict:
    """Return what an attack says about its defender.

    attack: The attack that wins most.
    printed: Whether it was measured under the rules in force; otherwise the sentence says that it was not.
    """
    values = {
        "defender": attack.defender,
        "attacker": f"attack.{attack.kind}",
        "players": attack.players,
        "share": attack.share,
        "low": attack.low,
        "high": attack.high,
        "usual": attack.usual,
        "points": attack.points,
        "times": attack.times,
        "games": attack.games,
        "minutes": attack.minutes,
    }
    if math.isnan(attack.low):
        return Verdict("attack_few", "unknown", values)
    code = "attack_loses" if attack.low > attack.usual else "attack_holds"
    return Verdict(code if printed else f"{code}_printed", "fact", values)
