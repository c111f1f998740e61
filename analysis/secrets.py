"""The value of secrets: what a player who looks ahead wins if it sees everything that is hidden.

One such player sits among copies that look ahead honestly.  It tries its moves on the table as it is: all hands, and
all decks as far as their order is settled.  What is still to be drawn, shuffled or rolled is drawn again for both.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from analysis.attacks import AttackedTable, Attacker
from analysis.data.declarations import require_wins
from analysis.data.inputs import inputs_of
from analysis.data.results import Inputs, Note, Result, Verdict
from analysis.strength import Tick
from simcore.errors import UsageError
from simcore.game import Game
from simcore.kernel.decisions import nothing_hidden
from simcore.rules.files import Rules
from strategies.kit import EXPERTS
from strategies.library import load_strategy
from strategies.model import Strategy
from strategies.skill import players_of
from strategies.spec import assemble_spec

NAME = "sees_everything"
ENDS = ("", "_low", "_high")


@dataclass(frozen=True, eq=False, repr=False)
class Secrets(Result):
    """What a player wins who sees everything.

    table: One row for each role: `role`; `player`; `games`; `share`: the part of the wins of one player who sees
        everything among copies who do not; `usual`: that of a copy in its place; `points`: the difference; `times`: the
        share as a multiple of `usual`; all but `usual` with an interval (`_low`, `_high`).  If the game hides nothing,
        no game is played, `points` is 0, `times` is 1, and the shares are null.
    """

    hides: bool  # whether the game hides anything


def hides_something(game: Game) -> bool:
    """Return whether a seat of a game can lack knowledge that another seat has, or nobody."""
    if not game.compiled:
        return bool(game.play_batch.hides)  # type: ignore[attr-defined]
    return game.redraw not in (None, nothing_hidden)


def value_of_secrets(
    rules: Rules,
    game: Game,
    players: int,
    seated: Mapping[str, Strategy],
    games: int,
    seed: int = 1,
    level: float = 0.95,
    tick: Tick = lambda done, total: None,
) -> Secrets:
    """Return what one player wins who sees everything, among copies who look ahead honestly.

    seated: Who looks ahead, by role; the game's experts play the other roles.
    level: Confidence level of all intervals together.
    tick: Called with the number of games done, and of all games.
    Raises UsageError if a player does not look ahead, or the game is not played for wins.
    """
    require_wins(game, "skill")
    for honest in seated.values():
        if not honest.looks_ahead:
            raise UsageError(f"'{honest.name}' does not look ahead; name a player who does", "secrets")
        if honest.sees_everything:
            raise UsageError(f"'{honest.name}' sees everything already; name a player who does not", "secrets")
    roles = [role for role in game.roles if role.name in seated]
    if not hides_something(game):
        return _nothing(rules, game, players, seated, seed, level)
    rows: list[dict[str, Any]] = []
    inputs: list[Inputs] = []
    for number, role in enumerate(roles):
        tick(number * games, len(roles) * games)
        honest = seated[role.name]
        seer = replace(honest, name=NAME, sees_everything=True)
        table = AttackedTable(rules, game, players, role, honest, seed, 1 - (1 - level) / len(roles))
        one, played = table.measure(Attacker(NAME, seer), games)
        inputs.append(played)
        shares = dict(zip(ENDS, (one.share, one.low, one.high), strict=True))
        found = {f"share{end}": share for end, share in shares.items()} | {"usual": one.usual}
        found |= {f"points{end}": share - one.usual for end, share in shares.items()}
        found |= {f"times{end}": share / one.usual for end, share in shares.items()}
        rows.append({"role": role.name, "player": honest.name, "games": one.games} | found)
    tick(len(roles) * games, len(roles) * games)
    verdicts = tuple(
        _verdict(row | {"role": role.title, "players": players}, game.asymmetric)
        for row, role in zip(rows, roles, strict=True)
    )
    return Secrets(tuple(inputs), level, pl.DataFrame(rows), verdicts, (Note("secrets_seen"),), True)


def _nothing(
    rules: Rules, game: Game, players: int, seated: Mapping[str, Strategy], seed: int, level: float
) -> Secrets:
    """Return the result for a game that hides nothing: the player who sees everything is the honest one."""
    experts = players_of(game.name, EXPERTS)
    line = {role.name: [seated.get(role.name) or load_strategy(game, experts[role.name])] for role in game.roles}
    spec = assemble_spec(game, players, line, rules, seed, "rotate", 1)
    known = {f"{name}{end}": value for name, value in (("points", 0.0), ("times", 1.0)) for end in ENDS}
    empty = dict.fromkeys(("share", "share_low", "share_high", "usual"))
    rows = [{"role": role, "player": one.name, "games": 0} | empty | known for role, one in seated.items()]
    table = pl.DataFrame(rows).with_columns(pl.col(*empty).cast(pl.Float64))
    verdict = Verdict("secrets_none", "fact", {"players": players})
    return Secrets((inputs_of(spec, 0, 0),), level, table, (verdict,), (), False)


def _verdict(row: dict[str, Any], asymmetric: bool) -> Verdict:
    """Return what the games of one role say."""
    role = "_role" if asymmetric else ""
    if math.isnan(row["points_low"]):
        return Verdict(f"secrets_few{role}", "unknown", row)
    code = "open" if row["points_low"] <= 0 <= row["points_high"] else "gain" if row["points"] > 0 else "loss"
    return Verdict(f"secrets_{code}{role}", "fact", row)
