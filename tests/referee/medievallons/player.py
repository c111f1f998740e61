"""A slow, plain player of Médiévallons that writes honest logs, so that the referee has something to be tested on.

Written from the rulings alone and, on purpose, in another shape than the referee: all cards lie in one list, each
knows where it is and since when, and every question is answered by looking through all of them.
"""

import random
from collections.abc import Callable
from typing import Any

from .rulebook import NUMBERS, SWITCHES, TYPES, UNNAMED

Card = dict[str, Any]
DEFAULT_OPTIONS: dict[str, Any] = {name: value for name, (value, _) in (NUMBERS | UNNAMED).items()} | {
    name: values[0] for name, values in SWITCHES.items()
}


class DealOver(Exception):
    """The deal is over."""


class Deal:
    """One deal being played; `log` holds its records."""

    def __init__(self, seed: int, strategies: list[str], bout: dict[str, Any] | None = None, **options: Any) -> None:
        self.rng = random.Random(seed)
        self.options = DEFAULT_OPTIONS | options
        self.n = len(strategies)
        self.strategies = strategies
        self.cards: list[Card] = [
            {"id": 13 * copy + k, "type": name, "where": ("box",), "since": 0}
            for k, name in enumerate(TYPES)
            for copy in range(self.options["copies_per_type"])
        ]
        self.turn = self.clock = self.laid = 0
        self.side = "red" if self.n >= self.options["red_from_players"] else "yellow"
        if bout is None and self.n == 2 and self.options["match"]:
            bout = {"id": seed, "deal": 1, "player": [1, 2], "won60": [0, 0]}
        self.log: list[dict[str, Any]] = [
            {
                "kind": "game",
                "format": "equipoise-replay/1",
                "game": "medievallons",
                "rules_digest": "0" * 64,
                "seed": seed,
                "game_id": 0,
                "players": self.n,
                "strategies": strategies,
                "options": self.options,
                "cards": [{"id": card["id"], "type": card["type"]} for card in self.cards],
                "match": bout,
            }
        ]

    # --- looking ---

    def at(self, *where: Any) -> list[Card]:
        """Return the cards of a place, longest there first."""
        return sorted((card for card in self.cards if card["where"] == where), key=lambda card: card["since"])

    def hand(self, seat: int) -> list[Card]:
        return self.at("hand", seat)

    def guilds(self, *seats: int) -> list[tuple[Any, ...]]:
        """Return the places of these seats' guilds, first laid first."""
        places = {card["where"] for card in self.cards if card["where"][0] == "guild" and card["where"][1] in seats}
        return sorted(places, key=lambda place: place[2])

    def others(self, seat: int) -> list[int]:
        return [*range(seat + 1, self.n + 1), *range(1, seat)]

    def everybody(self) -> range:
        return range(1, self.n + 1)

    def type_of(self, cards: list[Card]) -> str:
        return ([card["type"] for card in cards if card["type"] != "jester"] + ["jester"])[0]

    def count(self, seat: int, name: str) -> int:
        return sum(card["type"] == name for card in self.hand(seat))

    def collects(self, seat: int) -> bool:
        return self.strategies[seat - 1] == "collector"

    # --- moving ---

    def write(self, kind: str, **fields: Any) -> None:
        self.log.append({"kind": kind, "turn": self.turn, **fields})

    def put(self, card: Card, where: tuple[Any, ...], why: str) -> None:
        names = ("zone", "seat", "guild")
        source, target = (dict(zip(names, place, strict=False)) for place in (card["where"], where))
        self.clock += 1
        card["where"], card["since"] = where, self.clock
        self.write("move", card=card["id"], **{"from": source, "to": target}, why=why)

    def shuffle(self, cards: list[Card]) -> None:
        order = self.rng.sample(cards, len(cards))
        for card in reversed(order):
            self.clock += 1
            card["where"], card["since"] = ("deck",), self.clock
        self.write("shuffle", end_card=self.side, cards=[card["id"] for card in order])

    def run_out(self) -> None:
        pile = self.at("discard")
        if self.side == "yellow" or len(pile) <= 1:
            raise DealOver("deck")
        self.side = "yellow"
        self.shuffle(pile[:-1])

    def draw(self, where: tuple[Any, ...], why: str) -> Card:
        if not self.at("deck"):
            self.run_out()
        card = self.at("deck")[-1]
        self.put(card, where, why)
        if self.options["deck_end"] == "last_card" and not self.at("deck"):
            self.run_out()
        return card

    def fill_up(self, seat: int, owed: int) -> None:
        while len(self.hand(seat)) < owed:
            self.draw(("hand", seat), "short")

    # --- choosing ---

    def pick(self, seat: int, options: list[Any], score: Callable[[Any], Any]) -> Any:
        """Return one of the options: any, or for a collector the first of the highest score."""
        if not self.collects(seat):
            return self.rng.choice(options)
        best = max(score(option) for option in options)
        return next(option for option in options if score(option) == best)

    def pick_type(self, seat: int, names: set[str], score: Callable[[str], Any]) -> str:
        return str(self.pick(seat, [name for name in TYPES if name in names], score))

    def pick_player(self, seat: int, options: list[int]) -> int:
        return int(self.pick(seat, options, lambda other: (len(self.guilds(other)), len(self.hand(other)))))

    def give(self, seat: int, number: int) -> list[Card]:
        hand = self.hand(seat)
        if self.collects(seat):
            rare = sorted(hand, key=lambda card: (self.count(seat, card["type"]), TYPES.index(card["type"])))
            cards = rare[:number]
        else:
            cards = self.rng.sample(hand, number)
        self.write("choice", seat=seat, choice="give", cards=[card["id"] for card in cards])
        return cards

    def some(self, cards: list[Card], name: str) -> Card:
        return next(card for card in cards if card["type"] == name)

    # --- the deal ---

    def play(self) -> list[dict[str, Any]]:
        """Play the deal to its end and return its records."""
        reason = "turn_limit"
        try:
            self.shuffle(self.cards)
            for seat in [*self.everybody()] * self.options["hand_size"]:
                self.draw(("hand", seat), "deal")
            self.draw(("discard",), "setup")
            for turn in range(1, self.options["max_turns"] + 1):
                self.turn = turn
                self.take_turn((turn - 1) % self.n + 1)
        except DealOver as over:
            reason = over.args[0]
        standing = [*zip(*self.totals().values(), strict=True)]
        place = [1 + sum(b > a for b in standing) for a in standing]
        share = [60 // place.count(1) * (each == 1) for each in place]
        self.write("end", reason=reason, **self.totals(), place=place, share60=share)
        return self.log

    def totals(self) -> dict[str, list[int]]:
        seats = self.everybody()
        return {
            "guilds": [len(self.guilds(seat)) for seat in seats],
            "members": [sum(card["where"][:2] == ("guild", seat) for card in self.cards) for seat in seats],
            "hands": [len(self.hand(seat)) for seat in seats],
        }

    def take_turn(self, seat: int) -> None:
        action, name, place, cards = self.collect(seat) if self.collects(seat) else self.dabble(seat)
        number = place[2] if place else None
        self.write("action", seat=seat, action=action, type=name, guild=number, cards=[card["id"] for card in cards])
        if action == "pass":
            for _ in range(self.options["pass_draws"]):
                self.draw(("hand", seat), "pass")
        else:
            for card in cards:
                self.put(card, place or ("play", seat), action)
            self.laid += action == "lay"
            if action == "lay" and len(self.guilds(seat)) >= self.options["guilds_to_win"]:
                raise DealOver("guilds")
            self.activate(seat, name)
            for card in self.at("play", seat):
                self.put(card, ("discard",), "discard")
            for _ in range(self.options["turn_draws"]):
                self.draw(("hand", seat), "draw")
        self.write("turn_end", seat=seat, deck=len(self.at("deck")), discard=len(self.at("discard")), **self.totals())

    def layable(self, seat: int) -> dict[str, list[Card]]:
        """Return the cards of each guild that can be laid, with all cards of the type and the fewest Jesters."""
        found, size = {}, self.options["guild_size"]
        jesters = [card for card in self.hand(seat) if card["type"] == "jester"]
        for name in TYPES:
            cards = [card for card in self.hand(seat) if card["type"] == name]
            if cards and name != "jester":
                cards += jesters[: max(0, size - len(cards))]
            if len(cards) >= size:
                found[name] = cards
        return found

    def with_power(self, seat: int) -> list[tuple[Any, ...]]:
        return [place for place in self.guilds(seat) if self.type_of(self.at(*place)) != "jester"]

    def collect(self, seat: int) -> tuple[Any, ...]:
        """Return the action of a collector."""
        options = self.layable(seat)
        if options:
            name = max(options, key=lambda name: self.count(seat, name))
            return "lay", name, ("guild", seat, self.laid + 1), options[name]
        others = {card["type"] for card in self.hand(seat)} - {"jester"}
        if others:
            name = self.pick_type(seat, others, lambda name: -self.count(seat, name))
            return "play", name, None, [self.some(self.hand(seat), name)]
        if self.with_power(seat):
            place = self.with_power(seat)[0]
            return "use", self.type_of(self.at(*place)), place, []
        if self.hand(seat):
            return "play", "jester", None, self.hand(seat)[:1]
        return "pass", None, None, []

    def dabble(self, seat: int) -> tuple[Any, ...]:
        """Return an action at random."""
        rng, hand = self.rng, self.hand(seat)
        fits = {place: self.fitting(seat, place) for place in self.guilds(seat)}
        fits = {place: names for place, names in fits.items() if names}
        ways: dict[str, Any] = {
            "play": {card["type"] for card in hand},
            "lay": self.layable(seat),
            "reinforce": fits,
            "use": self.with_power(seat),
        }
        action = rng.choice([way for way, instances in ways.items() if instances] or ["pass"])
        if action == "play":
            name = rng.choice(sorted(ways["play"]))
            return action, name, None, [self.some(hand, name)]
        if action == "lay":
            name = rng.choice([*ways["lay"]])
            return action, name, ("guild", seat, self.laid + 1), ways["lay"][name]
        if action == "reinforce":
            place = rng.choice([*fits])
            card = self.some(hand, rng.choice(fits[place]))
            return action, self.type_of([*self.at(*place), card]), place, [card]
        if action == "use":
            place = rng.choice(ways["use"])
            return action, self.type_of(self.at(*place)), place, []
        return "pass", None, None, []

    def fitting(self, seat: int, place: tuple[Any, ...]) -> list[str]:
        name = self.type_of(self.at(*place))
        return sorted(
            {card["type"] for card in self.hand(seat) if "jester" in (name, card["type"]) or card["type"] == name}
        )

    # --- powers ---

    def activate(self, seat: int, name: str) -> None:
        me, discard = ("hand", seat), ("discard",)

        def power(**fields: Any) -> None:
            self.write("power", seat=seat, power=name, **fields)

        match name:
            case "artisan":
                power()
                if self.at("discard"):
                    self.put(self.at("discard")[-1], me, name)
            case "assassin" | "rogue":
                self.strike(seat, name, me if name == "rogue" else discard)
            case "knight":
                target = self.pick_player(seat, self.others(seat))
                wanted = self.pick_type(seat, {*TYPES}, lambda each: self.count(seat, each))
                power(target=target, type=wanted)
                for card in [card for card in self.hand(target) if card["type"] == wanted][:1]:
                    self.put(card, me, name)
            case "star":
                power()
                for each in [seat, *self.others(seat)]:
                    for _ in range(self.options["star_draws"]):
                        self.draw(("hand", each), name)
            case "magician":
                power()
                before = {each: self.count(seat, each) for each in TYPES}
                drawn = [self.draw(me, name) for _ in range(self.options["magician_draws"])]
                in_order = sorted(drawn, key=lambda card: TYPES.index(card["type"]))
                kept = self.pick(seat, in_order, lambda card: before[card["type"]])
                self.write("choice", seat=seat, choice="keep", cards=[kept["id"]])
                for card in drawn:
                    if card is not kept:
                        self.put(card, discard, name)
            case "merchant":
                target, number = self.pick_player(seat, self.others(seat)), self.options["merchant_cards"]
                power(target=target)
                self.fill_up(seat, number)
                self.fill_up(target, number)
                mine, theirs = self.give(seat, number), self.give(target, number)
                for cards, where in ((mine, ("hand", target)), (theirs, me)):
                    for card in cards:
                        self.put(card, where, name)
            case "beggar":
                largest = max(len(self.hand(other)) for other in self.others(seat))
                if len(self.hand(seat)) > largest:
                    power(target=None)
                    self.draw(me, name)
                    return
                rich = [other for other in self.others(seat) if len(self.hand(other)) == largest]
                target = self.pick_player(seat, rich)
                power(target=target)
                self.fill_up(target, 1)
                self.put(self.rng.choice(self.hand(target)), me, name)
            case "monk":
                power()
                for _ in range(self.options["monk_draws"]):
                    self.draw(me, name)
            case "noble":
                power()
                asked = self.options["noble_givers"]
                for giver in self.others(seat)[:asked]:
                    self.fill_up(giver, 1)
                    self.put(self.give(giver, 1)[0], me, name)
                for _ in range(asked - len(self.others(seat))):
                    self.draw(me, name)
            case "priest":
                target = self.pick_player(seat, self.others(seat))
                power(target=target)
                self.fill_up(target, 1)
                seen = self.hand(target)
                wanted = self.pick_type(seat, {card["type"] for card in seen}, lambda each: self.count(seat, each))
                card = self.some(seen, wanted)
                self.write("choice", seat=seat, choice="take", cards=[card["id"]])
                self.put(card, me, name)
                self.put(self.give(seat, 1)[0], ("hand", target), name)
            case "witch":
                self.bewitch(seat)

    def strike(self, seat: int, name: str, where: tuple[Any, ...]) -> None:
        if not self.guilds(*self.others(seat)):
            self.write("power", seat=seat, power=name, target=None, guild=None, card=None)
            self.draw(("hand", seat), "replacement")
            return
        if self.collects(seat):
            target = self.pick_player(seat, [other for other in self.others(seat) if self.guilds(other)])
            place = min(self.guilds(target), key=lambda place: len(self.at(*place)))
        else:
            place = self.rng.choice(self.guilds(*self.others(seat)))
        cards = self.at(*place)
        by_type = (lambda each: each != "jester") if name == "assassin" else (lambda each: self.count(seat, each))
        card = self.some(cards, self.pick_type(seat, {card["type"] for card in cards}, by_type))
        self.write("power", seat=seat, power=name, target=place[1], guild=place[2], card=card["id"])
        self.put(card, where, name)
        rest = self.at(*place)
        if len(rest) < self.options["guild_size"]:
            for card in self.rng.sample(rest, len(rest)):
                self.put(card, ("hand", place[1]), "collapse")

    def bewitch(self, seat: int) -> None:
        names = {place: self.type_of(self.at(*place)) for place in self.guilds(*self.everybody())}
        options = [place for place, name in names.items() if name not in ("jester", "witch")]
        if options:
            place = self.pick(seat, options, lambda place: -TYPES.index(names[place]))
            self.write("power", seat=seat, power="witch", guild=place[2])
            self.activate(seat, names[place])
            return
        self.write("power", seat=seat, power="witch", guild=None)
        card = self.draw(("discard",), "witch")
        if card["type"] != "witch":
            self.activate(seat, card["type"])


def play_match(seed: int, strategies: list[str], **options: Any) -> list[list[dict[str, Any]]]:
    """Play a match of two players and return the logs of its deals."""
    logs: list[list[dict[str, Any]]] = []
    won, player = [0, 0], [1, 2]
    while len(logs) < 3 and max(won) < 120:
        place = {"id": seed, "deal": len(logs) + 1, "player": [*player], "won60": [*won]}
        names = [strategies[each - 1] for each in player]
        logs.append(Deal(3 * seed + len(logs), names, place, **options).play())
        for seat, each in enumerate(player):
            won[each - 1] += logs[-1][-1]["share60"][seat]
        player.reverse()
    return logs
