"""Follows one deal from its second record to its last, and knows at every step what the log may say next."""

from collections import Counter
from typing import Any

from ..ranking import rank
from ..scroll import show
from . import policies
from .dealer import Over, are_among
from .powers import Powers
from .rulebook import JESTER, TYPES
from .table import DECK, DISCARD, Guild


class Walk(Powers):
    """One deal under way. `check` walks it; what is wrong lands in the scroll's violations."""

    def check(self) -> list[int]:
        """Check every record from the first `shuffle` to `end`; return the shares of the win by seat."""
        reason = "turn_limit"
        try:
            self.set_up()
            while self.turn < self.setup["max_turns"]:
                self.take_turn()
        except Over as over:
            (reason,) = over.args
        return self.end(reason)

    def set_up(self) -> None:
        """Check the first shuffle and the hands dealt."""
        self.shuffle(self.setup.kinds)
        for _ in range(self.setup["hand_size"]):
            for seat in self.table.seats:
                self.draws(seat, 1, "deal")
        self.draw(DISCARD, "setup")

    def take_turn(self) -> None:
        """Check one turn."""
        table = self.table
        self.acting = self.turn % self.setup.players + 1
        self.turn += 1
        action, kind, guild, cards = self.read_action()
        if action == "pass":
            self.draws(self.acting, self.setup["pass_draws"], "pass")
        else:
            getattr(self, action)(kind, guild, cards)
            self.draws(self.acting, self.setup["turn_draws"], "draw")
        self.scroll.read("turn_end")
        self.scroll.agree(
            turn=self.turn,
            seat=self.acting,
            deck=len(table.cards[DECK]),
            discard=len(table.cards[DISCARD]),
            **table.counts(),
        )

    def play(self, kind: int, guild: None, cards: list[int]) -> None:
        """Check the play of a card, which is nowhere while its power runs."""
        place = ("play", self.acting)
        self.moves(cards, self.home, place, "play")
        self.power(kind)
        self.moves(cards, place, DISCARD, "discard")

    def lay(self, kind: int, guild: Guild, cards: list[int]) -> None:
        """Check the laying of a guild, which may win."""
        self.moves(cards, self.home, self.table.found(self.acting).place, "lay")
        if len(self.table.own(self.acting)) >= self.setup["guilds_to_win"]:
            raise Over("guilds")
        self.power(kind)

    def reinforce(self, kind: int, guild: Guild, cards: list[int]) -> None:
        """Check the reinforcement of a guild."""
        self.moves(cards, self.home, guild.place, "reinforce")
        self.power(kind)

    def use(self, kind: int, guild: Guild, cards: list[int]) -> None:
        """Check the use of a guild."""
        self.power(kind)

    def read_action(self) -> tuple[str, Any, Any, list[int]]:
        """Read the action of a turn, which must be legal; return action, type, guild and cards."""
        scroll, table, seat = self.scroll, self.table, self.acting
        record = scroll.read("action")
        action, cards = record.get("action"), record.get("cards")
        if record.get("seat") != seat:
            scroll.stop(f"seat is {show(record.get('seat'))}, expected {seat}")
        options = table.actions(seat)
        if action not in options:
            self.illegal(seat, action, options)
        if not are_among(cards, table.hand(seat)):
            scroll.stop(f"seat {seat}: cards is {show(cards)}, expected different cards of {show(table.hand(seat))}")
        guild = Guild(seat, table.laid + 1) if action == "lay" else self.guild_of_action(action, record.get("guild"))
        kind = self.kind_of_action(action, guild, cards)
        scroll.agree(
            turn=self.turn,
            seat=seat,
            action=action,
            cards=cards,
            type=None if kind is None else TYPES[kind],
            guild=guild and guild.number,
        )
        decision = (action, kind, None if action == "lay" else guild, Counter(table.kinds[card] for card in cards))
        self.hold(seat, decision, lambda: policies.collect(table, seat))
        if self.plays(seat, "random"):
            self.check_random(options, *decision)
        return action, kind, guild, cards

    def guild_of_action(self, action: str, number: object) -> Guild | None:
        """Return the guild of one's own that is reinforced or used."""
        if action not in ("reinforce", "use"):
            return None
        table, seat = self.table, self.acting
        options = table.usable(seat) if action == "use" else table.reinforceable(seat)
        guild = self.by_number(number)
        if guild not in options:
            self.illegal(seat, {"guild": number}, [guild.number for guild in options])
        return guild

    def kind_of_action(self, action: str, guild: Guild | None, cards: list[int]) -> int | None:
        """Return the type of an action whose cards must go together and be as many as it takes."""
        table = self.table
        before = table.cards[guild.place] if guild and action != "lay" else []
        types = table.types([*before, *cards])
        size = self.setup["guild_size"]
        least, most = {"play": (1, 1), "lay": (size, 999), "reinforce": (1, 999)}.get(action, (0, 0))
        if len(types) > 1 or not least <= len(cards) <= most:
            self.illegal(self.acting, {action: self.named(Counter(table.kinds[card] for card in cards))}, (least, most))
        return None if action == "pass" else next(iter(types), JESTER)

    def check_random(
        self, options: list[str], action: str, kind: int | None, guild: Guild | None, cards: Counter[int]
    ) -> None:
        """Hold a seat that plays `random` to the form of its actions."""
        table, seat = self.table, self.acting
        held = table.held(seat)
        self.observe(seat, "action", options, action)
        if action == "play":
            self.observe(seat, "type played", sorted(held, key=lambda each: (held[each], each)), kind)
        elif action == "lay":
            assert kind is not None
            if cards != (wanted := policies.full_guild(table, seat, kind)):
                self.scroll.flag(f"seat {seat} is random: lays {self.named(cards)}, expected {self.named(wanted)}")
            self.observe(seat, "type laid", sorted(table.layable(seat), key=lambda each: (held[each], each)), kind)
        elif action == "reinforce":
            assert guild is not None
            if cards.total() != 1:
                self.scroll.flag(f"seat {seat} is random: reinforces with {cards.total()} cards, expected 1")
            self.observe(seat, "guild reinforced", table.reinforceable(seat), guild)
            fitting = sorted(table.fitting(seat, guild), key=lambda each: (held[each], each))
            self.observe(seat, "type added", fitting, next(iter(cards)))
        elif action == "use":
            self.observe(seat, "guild used", table.usable(seat), guild)

    def end(self, reason: str) -> list[int]:
        """Check the final counts, the ranking and that nothing follows."""
        counts = self.table.counts()
        place, share = rank([*zip(*counts.values(), strict=True)])
        self.scroll.read("end")
        self.scroll.agree(turn=self.turn, reason=reason, **counts, place=place, share60=share)
        self.scroll.close()
        return share
