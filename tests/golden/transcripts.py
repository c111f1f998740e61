"""Golden transcripts: which games they show, and how they are written anew (python -m tests.golden.transcripts)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from simcore.running.replay import Replay, replay
from strategies.spec import make_spec

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Case:
    """One game."""

    name: str  # stem of its files; begins with the game's name
    game: str
    players: int
    strategies: tuple[str, ...]
    seed: int
    index: int
    settings: tuple[str, ...] = ()
    """game, players, strategies, seed, index, settings: What is played, as on the command line."""

    def play(self) -> Replay:
        """Play it now."""
        spec = make_spec(self.game, self.players, self.strategies, settings=self.settings, seed=self.seed)
        return replay(spec, self.index)

    def path(self, suffix: str) -> Path:
        """Return the file of one form."""
        return FOLDER / f"{self.name}.{suffix}"


CASES = (
    Case("middle-ages-2-duel", "middle-ages", 2, ("greedy", "random"), seed=1, index=0),
    # Three players draw the discards again, twice (rulings, Round structure).
    Case("middle-ages-3-greedy", "middle-ages", 3, ("greedy",), seed=2, index=0),
    # The orange stack, then the discards; every switch away from its default.
    Case(
        "middle-ages-5-other-readings", "middle-ages", 5, ("greedy", "random", "greedy", "random", "random"),
        seed=3, index=4,
        settings=(
            "starting_coins=[1, 2, 3, 4, 5]", "shortfall=debt", "final_floor=true", "plot_token_supply=unlimited",
            "slot_capacity=one", "event_loss=top",
        ),
    ),
    # A whole match: three deals, the starter alternating.
    Case("medievallons-2-match", "medievallons", 2, ("collector", "random"), seed=1, index=35),
    # Every power, guilds that fall apart, a Witch with nothing to copy; the deck ends the game.
    Case("medievallons-4-random", "medievallons", 4, ("random",), seed=1, index=79),
    # Other numbers, and the deck that ends with its last card.
    Case(
        "medievallons-6-other-numbers", "medievallons", 6, ("collector", "random") * 3, seed=3, index=38,
        settings=("deck_end=last_card", "hand_size=4", "guild_size=4", "magician_draws=4", "merchant_cards=1"),
    ),
    # The two policies that the rulings fix to the letter.
    Case("seigneurial-3-reference", "seigneurial", 3, ("bailiff", "gatherer", "gatherer"), seed=1, index=0),
    # Every switch away from its default.
    Case(
        "seigneurial-4-other-readings", "seigneurial", 4, ("random",), seed=1, index=1,
        settings=(
            "par=player", "first_tenant=rotates", "lord_draw=tenants", "improvement_needs_pawn=false",
            "zero_stops_draw=false", "mill_redraw=chosen", "payment=secret", "least=cards", "second_draw=same_tenant",
            "unpaid=any", "most=cards", "window_order=tenants_first",
        ),
    ),
    # A whole game with King, Queen and Prince, elections, sieges, prisoners and many kinds of decisions.
    Case("fief-2-3-steward", "fief-2", 3, ("steward",), seed=1, index=137),
    Case("fief-2-4-random", "fief-2", 4, ("random",), seed=1, index=145, settings=("turns=10",)),
    # Every switch away from its default.
    Case(
        "fief-2-6-other-readings", "fief-2", 6, ("steward", "random") * 3, seed=3, index=0,
        settings=(
            "alliances=marriage", "title_victory=on", "score=last", "election=majority", "title_loss=never",
            "first_player=fixed", "darc_over_18=cap", "turns=10",
        ),
    ),
)  # fmt: skip


def write_all() -> None:
    """Write every transcript."""
    for case in CASES:
        played = case.play()
        case.path("txt").write_text(played.text(), encoding="utf-8")
        case.path("jsonl").write_text(played.jsonl(), encoding="utf-8")


if __name__ == "__main__":
    write_all()
