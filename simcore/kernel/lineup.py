"""Who sits where: the line-up of a run, and the design by which it is seated in each game."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cache
from typing import Any

import numpy as np

from simcore.kernel.compilation import inlined, kernel
from simcore.kernel.records import ADDRESS, layout
from simcore.kernel.streams import LINEUP as LINEUP_PURPOSE
from simcore.kernel.streams import MAX_STREAMS, begin, block

SEATS = MAX_STREAMS
WEIGHTS = 96
UNIT = 1024
"""One coin (or point) in the fixed-point scores and weights of policies."""

FIRST = np.int64(0)
FIXED, ROTATE, SHUFFLE = range(3)
DESIGNS = {"fixed": FIXED, "rotate": ROTATE, "shuffle": SHUFFLE}

ANSWERS = 1024
"""Largest number of answers within one step of a game that strategies that look ahead can repeat."""


@cache
def member_of(weights: int = WEIGHTS) -> np.dtype[Any]:
    """Return the record of a member of a line-up: one player, with room for a number of weights."""
    return layout(
        ("policy", ADDRESS),  # of the decision function
        ("blunder", np.uint64),  # chance of a uniform random move, in 2**-32
        ("temperature", np.int64),  # of the Gumbel noise added to every score, in UNIT
        ("inner", ADDRESS),  # where `policy` keeps another to its restrictions: that one
        ("draws", np.uint64),  # kinds of decisions that `policy` draws at random; see `strategies/openings.py`
        ("otherwise", ADDRESS),  # where it does: that of the policy that makes all other decisions
        ("watched", ADDRESS),  # where `policy` checks what another does: that one
        ("avoids", np.uint64),  # bits by game: moves that it does not make where others are legal
        ("forgoes", np.uint64),  # bits by game: effects that do not happen to it
        ("unseen", np.uint64),  # bits by game: what it does not know
        ("sees", np.uint64),  # 1: where it looks ahead, what is hidden is not drawn again
        ("value", ADDRESS),  # of the learned value by which it judges a table: see `strategies/value.py`
        ("weights", np.int64, weights),  # in UNIT, meaning by game
    )


@cache
def lineup_of(weights: int = WEIGHTS) -> np.dtype[Any]:
    """Return the record of a line-up whose members have room for a number of weights."""
    member = member_of(weights)
    return layout(
        ("design", np.int32),
        ("turns", np.int32),  # under `rotate`: games that share one chance stream
        ("first", np.int32, SEATS),  # by seat: first of the adjacent seats among which its player changes places
        ("among", np.int32, SEATS),  # by seat: how many these are; 1 where the player stays
        ("seated", np.uint8, SEATS),  # by seat: index of the member that plays it in this game
        ("culprit", np.int32),  # member whose policy broke the last rule
        ("noting", np.int32),  # 1: answers are kept, as somebody looks ahead
        ("asked", np.int32),  # answers since the last safe point
        ("told", np.int32),  # of them: played again so far
        ("retell", ADDRESS),  # the policy that gives the answers again
        ("left", np.int32),  # 1 + the number of decisions that the game may still ask for
        ("number", np.int32),  # what is imagined: number of the world
        ("tried", np.int64),  # and the move that is tried in it
        ("game", np.int64),  # index of the game in the run
        ("opened", np.int64, SEATS),  # by seat: 1 + index of the last game in which it has decided anything, if noted
        ("driver", ADDRESS),  # the function that plays the game on; see `driver.py`
        ("sandbox", ADDRESS),  # the memory to look ahead in; see `driver.py`
        ("answers", np.int16, ANSWERS),
        ("members", member, SEATS),
        ("bases", member, SEATS),  # by member: the policy with which it plays out what it imagines, if it does
        ("guests", member, SEATS),  # by member: who plays the other seats at every other table, if anybody else does
    )


LINEUP = lineup_of()
"""The line-up record of games that declare no number of weights."""


@inlined
def forgoes(lineup, seat, effect):
    """Whether an effect does not happen to the player of a seat."""
    return (lineup.members[lineup.seated[seat]].forgoes >> np.uint64(effect)) & np.uint64(1) != np.uint64(0)


@kernel
def seat_lineup(lineup, players, seed, game, rng):
    """Seat the members for one game, and point the generator at its deal.

    Members change seats within their role.  Under `rotate`, the `turns` games of a deal share one random stream.
    """
    deal = game
    turned = 0
    lineup.game = game
    if lineup.design == ROTATE:
        deal = game // lineup.turns
        turned = game % lineup.turns
    begin(rng, seed, deal)
    for seat in range(players):
        first = lineup.first[seat]
        lineup.seated[seat] = first + (seat - first + turned) % lineup.among[seat]
    if lineup.design == SHUFFLE:
        words = block(rng, LINEUP_PURPOSE, FIRST, FIRST, FIRST)
        more = block(rng, LINEUP_PURPOSE, FIRST, FIRST, FIRST + np.int64(1))
        drawn = (words[0], words[1], words[2], words[3], more[0], more[1], more[2], more[3])
        for seat in range(players):
            left = lineup.among[seat] - (seat - lineup.first[seat])
            other = seat + np.int64((drawn[seat] * np.uint64(left)) >> np.uint64(32))
            kept = lineup.seated[seat]
            lineup.seated[seat] = lineup.seated[other]
            lineup.seated[other] = kept
    return deal


def missing_address(lineup: np.ndarray[Any, Any], players: int) -> str:
    """Return the name of a field without which a line-up must not be played, as it has no address; "" if none lacks it.

    lineup: One line-up that somebody is about to play, shape (1,).
    players: Players at the table.
    """
    members = lineup["members"]
    needed: dict[str, Any] = {name: lineup[name] for name in ("driver", "sandbox")}
    needed["members.policy"] = members["policy"][:, :players]
    needed["members.inner"] = members["inner"][members["avoids"] != 0]
    if lineup["noting"].any():
        needed["retell"] = lineup["retell"]
        needed["bases.policy"] = lineup["bases"]["policy"].any(axis=1)
    return next((name for name, values in needed.items() if not values.all()), "")


def seat_groups(record: np.record, groups: Iterable[range]) -> None:
    """Write into a line-up the groups of adjacent seats within which players change seats; all others stay.

    record: A record of dtype `LINEUP`.
    groups: Ranges of seats, counted from 0.
    """
    found = list(groups)
    record["turns"] = math.lcm(*(len(group) for group in found))
    record["first"], record["among"] = np.arange(SEATS), 1
    for group in found:
        record["first"][group.start : group.stop] = group.start
        record["among"][group.start : group.stop] = len(group)
