"""The thirteen powers: each begins with its record, then come its decisions and moves."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from ..scroll import show
from . import policies
from .dealer import Dealer, are_among
from .rulebook import ASSASSIN, INDEX, JESTER, TYPES, WITCH
from .table import DISCARD, Guild, Place, hand

UNKNOWN = -1


class Powers(Dealer):
    """Follows the power of a card or a guild of the acting player."""

    def power(self, kind: int) -> None:
        """Check the power of a type in full; Jesters have none."""
        if kind == JESTER:
            return
        name = TYPES[kind]
        follow: Callable[[dict[str, Any]], None] = getattr(self, name)
        follow(self.scroll.read("power"))

    def begin(self, kind: str, **fields: Any) -> None:
        """Check the record with which a power begins."""
        self.scroll.agree(turn=self.turn, seat=self.acting, power=kind, **fields)

    @property
    def home(self) -> Place:
        """The acting player's hand."""
        return hand(self.acting)

    def rival(self, record: dict[str, Any], power: str) -> int:
        """Return the player targeted, who must be another one."""
        options = self.table.rivals(self.acting)
        wanted = lambda: policies.target(self.table, self.acting, options)  # noqa: E731
        return self.choose(self.acting, f"target of {power}", record.get("target"), options, wanted)

    def by_number(self, number: object) -> Guild | None:
        """Return the guild of a number."""
        return next((guild for guild in self.table.guilds if guild.number == number), None)

    def telling(self, seat: int, cards: list[int]) -> list[int]:
        """Return cards in an order that would show a bias: those of types held least first."""
        held = self.table.held(seat)
        return sorted(cards, key=lambda card: (held[self.table.kinds[card]], self.table.kinds[card], card))

    def observe_cards(self, seat: int, what: str, options: Sequence[int], made: Sequence[int]) -> None:
        """Tell which cards a seat that plays `random` took."""
        if self.observer and self.plays(seat, "random"):
            self.observer.cards(what, options, made, self.table.kinds.__getitem__)

    def choice(self, seat: int, choice: str, options: list[int], count: int) -> list[int]:
        """Check a decision about cards and return those chosen."""
        made = self.scroll.read("choice").get("cards")
        if not are_among(made, options) or len(made) != count:
            self.scroll.stop(f"seat {seat}: cards is {show(made)}, expected {count} of {show(options)}")
        self.scroll.agree(turn=self.turn, seat=seat, choice=choice, cards=made)
        return made

    def given(self, seat: int, count: int, power: str) -> list[int]:
        """Check which cards of its hand a seat gives."""
        table = self.table
        cards = self.telling(seat, table.hand(seat))
        made = self.choice(seat, "give", cards, count)
        kinds = Counter(table.kinds[card] for card in made)
        self.hold(seat, self.named(kinds), lambda: self.named(policies.fewest_held(table.held(seat), count)))
        self.observe_cards(seat, f"cards given to {power}", cards, made)
        return made

    def held_most(self, kind: int, kinds: set[int], held: Counter[int]) -> None:
        """Hold the acting player to what a collector names, takes or keeps."""
        self.hold(self.acting, TYPES[kind], lambda: TYPES[policies.most_held(held, kinds)])

    def taken(self, cards: list[int], card: int, what: str) -> None:
        """Check what kind of card the acting player takes of those to be seen."""
        kinds = self.table.kinds
        seen = Counter(kinds[each] for each in cards)
        self.held_most(kinds[card], {*seen}, self.table.held(self.acting))
        options = sorted(seen, key=lambda kind: (seen[kind], kind))
        self.observe(self.acting, what, options, kinds[card])

    def artisan(self, record: dict[str, Any]) -> None:
        """Top of the discard pile to hand."""
        self.begin("artisan")
        top = self.table.cards[DISCARD][-1:]
        self.moves(top, DISCARD, self.home, "artisan")

    def assassin(self, record: dict[str, Any]) -> None:
        """One card of a rival guild to the discard pile."""
        self.hit(record, "assassin", DISCARD)

    def rogue(self, record: dict[str, Any]) -> None:
        """One card of a rival guild to hand."""
        self.hit(record, "rogue", self.home)

    def hit(self, record: dict[str, Any], power: str, target: Place) -> None:
        """Take a card out of a rival guild, which may fall apart."""
        table = self.table
        guilds = table.rival_guilds(self.acting)
        if not guilds:
            self.begin(power, target=None, guild=None, card=None)
            self.draws(self.acting, 1, "replacement")
            return
        wanted = lambda: policies.guild_hit(table, self.acting)  # noqa: E731
        made = self.by_number(record.get("guild"))
        guild = self.choose(self.acting, f"guild of {power}", made, guilds, wanted)
        assert guild is not None
        cards, card = table.cards[guild.place], record.get("card")
        if type(card) is not int or card not in cards:
            self.illegal(self.acting, card, cards)
        self.begin(power, target=guild.seat, guild=guild.number, card=card)
        if INDEX[power] == ASSASSIN:
            wanted_kind = table.kind(guild)
            self.hold(self.acting, TYPES[table.kinds[card]], lambda: TYPES[wanted_kind])
            options = [JESTER, wanted_kind] if len({table.kinds[each] for each in cards}) > 1 else [wanted_kind]
            self.observe(self.acting, "type hit by assassin", options, table.kinds[card])
        else:
            self.taken(cards, card, "type taken by rogue")
        self.moves([card], guild.place, target, power)
        if len(cards) < self.setup["guild_size"]:
            while cards:
                self.move(cards, guild.place, hand(guild.seat), "collapse")
            table.dissolve(guild)

    def knight(self, record: dict[str, Any]) -> None:
        """One card of a named type from a player who has it."""
        table = self.table
        target = self.rival(record, "knight")
        kind = next((kind for name, kind in INDEX.items() if name == record.get("type")), UNKNOWN)
        held = table.held(self.acting)
        named = sorted(range(len(TYPES)), key=lambda kind: (held[kind], kind))
        wanted = lambda: policies.most_held(held, named)  # noqa: E731
        self.choose(self.acting, "type named by knight", kind, named, wanted)
        self.begin("knight", target=target, type=TYPES[kind])
        cards = [card for card in table.hand(target) if table.kinds[card] == kind]
        if cards:
            self.move(cards, hand(target), self.home, "knight")

    def star(self, record: dict[str, Any]) -> None:
        """One card for everybody."""
        self.begin("star")
        for seat in [self.acting, *self.table.rivals(self.acting)]:
            self.draws(seat, self.setup["star_draws"], "star")

    def magician(self, record: dict[str, Any]) -> None:
        """The best of some cards drawn."""
        table = self.table
        self.begin("magician")
        held = table.held(self.acting)
        drawn = self.draws(self.acting, self.setup["magician_draws"], "magician")
        options = sorted(drawn, key=lambda card: (held[table.kinds[card]], table.kinds[card], card))
        (kept,) = self.choice(self.acting, "keep", options, 1)
        self.held_most(table.kinds[kept], {table.kinds[card] for card in drawn}, held)
        self.observe_cards(self.acting, "card kept by magician", options, [kept])
        self.moves([card for card in drawn if card != kept], self.home, DISCARD, "magician")

    def merchant(self, record: dict[str, Any]) -> None:
        """An exchange of cards."""
        target, count = self.rival(record, "merchant"), self.setup["merchant_cards"]
        self.begin("merchant", target=target)
        self.draw_up(self.acting, count)
        self.draw_up(target, count)
        mine = self.given(self.acting, count, "merchant")
        theirs = self.given(target, count, "merchant")
        self.moves(mine, self.home, hand(target), "merchant")
        self.moves(theirs, hand(target), self.home, "merchant")

    def beggar(self, record: dict[str, Any]) -> None:
        """A card by chance from the largest other hand."""
        table = self.table
        options = table.beggar_targets(self.acting)
        if not options:
            self.begin("beggar", target=None)
            self.draws(self.acting, 1, "beggar")
            return
        wanted = lambda: policies.target(table, self.acting, options)  # noqa: E731
        target = self.choose(self.acting, "target of beggar", record.get("target"), options, wanted)
        assert target is not None
        self.begin("beggar", target=target)
        self.draw_up(target, 1)
        cards = self.telling(target, table.hand(target))
        card = self.move(cards, hand(target), self.home, "beggar")
        self.observe_cards(self.acting, "card begged", cards, [card])

    def monk(self, record: dict[str, Any]) -> None:
        """Some cards."""
        self.begin("monk")
        self.draws(self.acting, self.setup["monk_draws"], "monk")

    def noble(self, record: dict[str, Any]) -> None:
        """One card from each of the next players, from the deck for want of players."""
        self.begin("noble")
        givers = self.table.rivals(self.acting)[: self.setup["noble_givers"]]
        for giver in givers:
            self.draw_up(giver, 1)
            self.moves(self.given(giver, 1, "noble"), hand(giver), self.home, "noble")
        self.draws(self.acting, self.setup["noble_givers"] - len(givers), "noble")

    def priest(self, record: dict[str, Any]) -> None:
        """A card chosen from a hand that is seen, and one given back."""
        target = self.rival(record, "priest")
        self.begin("priest", target=target)
        self.draw_up(target, 1)
        cards = self.table.hand(target)
        (card,) = self.choice(self.acting, "take", cards, 1)
        self.taken(cards, card, "type taken by priest")
        self.moves([card], hand(target), self.home, "priest")
        self.moves(self.given(self.acting, 1, "priest"), self.home, hand(target), "priest")

    def witch(self, record: dict[str, Any]) -> None:
        """The power of a guild on the table, or of the top card of the deck."""
        table = self.table
        guilds = table.copyable()
        if guilds:
            made = self.by_number(record.get("guild"))
            guild = self.choose(self.acting, "guild of witch", made, guilds, lambda: policies.guild_copied(table))
            assert guild is not None
            self.begin("witch", guild=guild.number)
            self.power(table.kind(guild))
            return
        self.begin("witch", guild=None)
        revealed = table.kinds[self.draw(DISCARD, "witch")]
        if revealed != WITCH:
            self.power(revealed)
