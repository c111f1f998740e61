"""Middle-Ages tables set up by hand: tiles, coins and Lords where a test wants them, and decisions as it says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from simcore.game import load_game
from simcore.games.middle_ages import kernel
from simcore.games.middle_ages.rules import RULES, pack, tile_list
from simcore.games.middle_ages.state import CEMETERY, DOMAIN_NAMES, EXTRA, LORD, LOSS, PLOT, SCOUT, STATE
from simcore.kernel.intrinsics import popcount
from simcore.kernel.lineup import LINEUP
from simcore.kernel.pointers import Policy
from simcore.kernel.records import blank
from simcore.kernel.streams import begin
from simcore.kernel.trace import TRACE
from simcore.rules.files import load_rules

GAME = load_game("middle-ages")
SYMBOLS = ("plain", "peasant", "chest")
DECISIONS = {int(LORD): "lord", int(SCOUT): "scout", int(CEMETERY): "cemetery", int(EXTRA): "extra", int(PLOT): "plot",
             int(LOSS): "loss"}  # fmt: skip


class ByHand:
    """A table; seats and rounds from 1, rows and columns from 0, faces as "field_peasant" or "field" (the plainest).

    players: At the table.
    settings: Rules beside the booklet's, as "key=value".
    """

    def __init__(self, players: int = 3, *settings: str) -> None:
        values: Any = load_rules(GAME, "base", settings).values
        names = {face.number: name for name, face in values.tiles.faces.items()}
        self.rules: Any = pack(values, players)
        self.events = list(values.events)
        self.state: Any = blank(STATE)
        self.trace = blank(TRACE)
        self.players = players
        self.lineup: Any = blank(LINEUP)
        self.lineup["seated"] = range(len(self.lineup["seated"]))
        address = Policy(self._choose, (RULES, LINEUP, STATE)).address
        for member in self.lineup.members[:players]:
            member["policy"] = address
        self._left: dict[str, list[int]] = {}
        for tile in tile_list(values):
            self._left.setdefault(names[tile.number], []).append(tile.id)
        self.answers: list[int] = []
        self.asked: list[tuple[int, str, list[int]]] = []
        begin(self.state.rng, np.uint64(1), np.int64(0))
        self.state.extra_left = self.rules.extra_tokens
        self.state.plot_left[:] = self.rules.plot_tokens
        for seat in range(players):
            kernel.welcome(self.rules, self.state, seat)

    def _choose(self, rules: Any, lineup: Any, state: Any, seat: int) -> int:
        """Play the next answer; what was asked is kept."""
        legal = [move for move in range(64) if int(state.legal) >> move & 1]
        assert len(legal) == popcount(state.legal) > 1
        self.asked.append((seat + 1, DECISIONS[int(state.decision)], legal))
        return self.answers.pop(0)

    def tile(self, face: str) -> int:
        """Take a tile with a face out of the box."""
        names = [face] if face in self._left else [f"{face}_{symbol}" for symbol in SYMBOLS]
        return next(self._left[name] for name in names if self._left.get(name)).pop(0)

    def player(self, seat: int) -> Any:
        """Return a seat's record."""
        return self.state.players[seat - 1]

    def outcome(self, seat: int) -> Any:
        """Return what a seat has tallied for its row."""
        return self.player(seat).row

    def fief(self, seat: int, *faces: str, coins: int | None = None) -> list[int]:
        """Put tiles into a seat's Fief, without effect or Income, and set its coins."""
        tiles = [self.tile(face) for face in faces]
        for tile in tiles:
            kernel.place(self.rules, self.player(seat), tile)
        if coins is not None:
            self.player(seat).coins = coins
        return tiles

    def buried(self, seat: int, *faces: str) -> list[int]:
        """Put tiles into a seat's Cemetery."""
        tiles = self.fief(seat, *faces)
        for tile in tiles:
            domain = np.int64(self.rules.tiles[tile].domain)
            kernel.bury(self.rules, self.state, np.int64(seat - 1), domain, self.player(seat).tiles[domain] - 1)
        return tiles

    def row(self, row: int, *faces: str, lords: Sequence[int] = ()) -> list[int]:
        """Lay out a row, and the seats' Lords on its tiles from the left (0: none)."""
        tiles = [self.tile(face) for face in faces]
        self.state.tiles[row, : len(tiles)] = tiles
        self.state.occupied[row] = self.state.reserved[row] = 0
        for column, seat in enumerate(lords):
            if seat:
                self.state.occupied[row] |= 1 << column
                self.state.lords[row, column] = seat - 1
        return tiles

    def turn(self, seat: int, face: str, *answers: int, rnd: int = 16) -> int:
        """Take a turn with one tile and return the coins that the seat has gained; in round 16 no Lord moves."""
        self.state.round = rnd
        before = int(self.player(seat).coins)
        self.state.tiles[(rnd - 1) & 3, 0] = self.tile(face)
        self.answers = list(answers)
        kernel.take_turn(self.rules, self.lineup, self.state, np.int64(seat - 1), 0, 1, self.trace)
        self._check()
        return int(self.player(seat).coins) - before

    def round(self, rnd: int, *answers: int) -> None:
        """Play a whole round."""
        self.state.round = rnd - 1
        self.answers = list(answers)
        kernel.step(self.rules, self.lineup, self.state, self.trace)
        self._check()

    def event(self, name: str, *answers: int, slot: int = 0) -> list[int]:
        """Resolve an Event and return what each seat has gained or lost."""
        before = self.coins()
        self.state.cards[slot] = self.events.index(name)
        self.answers = list(answers)
        kernel.resolve_event(self.rules, self.lineup, self.state, slot, self.trace)
        self._check()
        return [after - held for after, held in zip(self.coins(), before, strict=True)]

    def settle(self) -> None:
        """End the game."""
        kernel.settle(self.rules, self.lineup, self.state, self.trace)
        for seat in range(1, self.players + 1):
            self.player(seat).row = self.state.rows[seat - 1]
        self._check()

    def _check(self) -> None:
        assert self.answers == []
        assert self.state.fault == 0

    def coins(self) -> list[int]:
        """Coins by seat."""
        return [int(self.player(seat).coins) for seat in range(1, self.players + 1)]

    def each(self, field: str) -> list[int]:
        """A field of every seat's row."""
        return [int(self.outcome(seat)[field]) for seat in range(1, self.players + 1)]

    def tiles(self, seat: int) -> dict[str, int]:
        """Tiles in a seat's Fief, Domains that hold one only."""
        counts = self.player(seat).tiles.tolist()
        return {name: count for name, count in zip(DOMAIN_NAMES, counts, strict=True) if count}

    def column(self, seat: int, domain: str) -> list[int]:
        """Tile ids of a Domain of a seat's Fief, lowest first."""
        number = DOMAIN_NAMES.index(domain)
        player = self.player(seat)
        return player.column[number, : player.tiles[number]].tolist()

    def cemetery(self, seat: int) -> list[int]:
        """Tile ids in a seat's Cemetery, in order of burial."""
        return self.player(seat).cemetery[: self.player(seat).buried].tolist()


def slot(domain: str, token: str | None = None) -> int:
    """Return the move that lays a token under a Domain."""
    number = DOMAIN_NAMES.index(domain)
    return number if token is None else 8 * number + DOMAIN_NAMES.index(token)
