"""Matches of two players: the deals of one log after another must make them up."""

from collections.abc import Sequence

from ..scroll import Scroll
from .header import Match, Setup
from .rulebook import MATCH_DEALS, MATCH_WON


class Matches:
    """Knows which deal has to come next; a log may begin in the middle of a match."""

    def __init__(self) -> None:
        self.next: Match | None = None
        self.known = False  # what comes next; not so before the first deal and after one that broke off
        self.ids: set[int] = set()
        self.strategies: tuple[str, ...] = ()  # of players 1 and 2

    def begin(self, scroll: Scroll, setup: Setup) -> None:
        """Check where a deal stands in its match."""
        match, expected = setup.match, self.next
        known, self.known = self.known, False
        if known and expected and match != expected:
            scroll.flag(f"match is {match}, expected {expected}")
        if match is None:
            return
        by_player = tuple(setup.strategies[match.player.index(player)] for player in (1, 2))
        if known and expected and by_player != self.strategies:
            scroll.flag(f"players 1 and 2 play {by_player}, expected {self.strategies} as before")
        if known and not expected and (match.deal != 1 or match.id in self.ids):
            scroll.flag(f"match is {match}, expected deal 1 of a new one")
        self.ids.add(match.id)
        self.strategies = by_player

    def finish(self, setup: Setup, share60: Sequence[int]) -> None:
        """Note what a deal brought."""
        match = setup.match
        self.known = True
        self.next = None
        if match is None:
            return
        won = tuple(match.won60[player - 1] + share60[match.player.index(player)] for player in (1, 2))
        if match.deal < MATCH_DEALS and max(won) < MATCH_WON:
            self.next = Match(match.id, match.deal + 1, match.player[::-1], won)
