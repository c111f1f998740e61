"""A slow, plain player of Middle-Ages that writes honest logs, so that the referee has something to be tested on.

Written from the rulings alone and, on purpose, in another shape than the referee: a Fief is one list of tiles in the
order of placing, worths are found by playing the tile on a copy, and every sum is counted afresh.
"""

import random
from collections.abc import Callable
from typing import Any

from .rulebook import DOMAINS, EVENTS, standard_tiles

Tile = dict[str, Any]
Player = dict[str, Any]

INCOME = {
    "field": ("field",),
    "mill": ("mill",),
    "village": ("village", "rampart"),
    "rampart": ("field", "rampart"),
    "market": ("mill", "market"),
    "barracks": ("village", "barracks"),
    "church": ("church",),
    "palace": ("palace",),
}
DEFAULT_OPTIONS: dict[str, Any] = {
    "shortfall": "pay_available",
    "final_floor": False,
    "plot_token_supply": "shared",
    "slot_capacity": "one_of_each",
    "event_loss": "owner_chooses",
}


def count(tiles: list[Tile], *domains: str) -> int:
    """Count the tiles of these Domains."""
    return sum(tile["domain"] in domains for tile in tiles)


class Game:
    """One game being played; `log` holds its records."""

    def __init__(self, seed: int, strategies: list[str], events: list[str] | None = None, **options: Any) -> None:
        self.rng = random.Random(seed)
        n = len(strategies)
        self.options: dict[str, Any] = {"starting_coins": [0] * n} | DEFAULT_OPTIONS | options
        self.tiles = standard_tiles()
        self.events = events or self.rng.sample(EVENTS, 4)
        self.pile = self.shuffled([tile for tile in self.tiles if tile["stack"] == "blue"])
        self.spare = [tile for tile in self.tiles if tile["stack"] == "orange" and n >= 4]
        self.discards: list[Tile] = []
        self.rows: list[list[Tile | None]] = [[], [], [], []]
        self.coin_tokens, self.plot_tokens = 8, list(DOMAINS)
        self.players: list[Player] = [
            {
                "seat": seat + 1,
                "greedy": strategies[seat] == "greedy",
                "coins": self.options["starting_coins"][seat],
                "fief": [],
                "cemetery": [],
                "coin_slots": [],
                "plot_slots": {},
                "lord": None,
                "scout": None,
            }
            for seat in range(n)
        ]
        self.log: list[dict[str, Any]] = [
            {
                "kind": "game",
                "format": "equipoise-replay/1",
                "game": "middle-ages",
                "rules_digest": "0" * 64,
                "seed": seed,
                "game_id": 0,
                "players": n,
                "strategies": strategies,
                "options": self.options,
                "tiles": self.tiles,
                "events": self.events,
                "order": [*range(1, n + 1)],
            }
        ]

    def shuffled(self, tiles: list[Tile]) -> list[Tile]:
        return self.rng.sample(tiles, len(tiles))

    def write(self, kind: str, **fields: Any) -> None:
        self.log.append({"kind": kind, **fields})

    def pick(self, player: Player, options: list[Any], score: Callable[[Any], int]) -> Any:
        if not player["greedy"]:
            return self.rng.choice(options)
        scores = [score(option) for option in options]
        return options[scores.index(max(scores))]

    def others(self, player: Player) -> list[Player]:
        return [other for other in self.players if other is not player]

    def would_pay(self, player: Player, due: int) -> int:
        if self.options["shortfall"] == "debt" or player["coins"] >= due:
            return due
        return max(int(player["coins"]), 0)

    def hit_by(self, player: Player, domain: str) -> list[Player]:
        shield = "mill" if domain == "mill" else "rampart"
        strength = count(player["fief"], domain)
        return [other for other in self.others(player) if count(other["fief"], shield) < strength]

    def income(self, player: Player, domain: str) -> tuple[int, int]:
        domains = [*INCOME[domain]] + [token for slot, token in player["plot_slots"].items() if slot == domain]
        tiles = count(player["fief"], *domains)
        return tiles, tiles * self.rate(player, domain)

    def rate(self, player: Player, domain: str) -> int:
        return (3 if domain in ("church", "palace") else 2) + (domain in player["coin_slots"])

    def worth(self, player: Player, tile: Tile) -> int:
        domain = tile["domain"]
        bonus = 0 if count(player["fief"], domain) else 10
        player["fief"].append(tile)
        coins = self.income(player, domain)[1]
        if domain in ("field", "market"):
            coins += self.symbol_sum(player, domain)
        if domain in ("mill", "barracks"):
            coins += sum(self.would_pay(other, 2) for other in self.hit_by(player, domain))
        player["fief"].pop()
        return coins + bonus

    def symbol_sum(self, player: Player, domain: str) -> int:
        symbol: str = {"field": "peasants", "market": "chests"}[domain]
        return sum(int(tile[symbol]) for tile in player["fief"])

    def play(self) -> list[dict[str, Any]]:
        """Play the game to its end and return its records."""
        for row in range(4):
            self.fill(0, row)
        for player in self.players:
            self.place_lord(0, player, 0)
        for t in range(1, 17):
            row = (t - 1) % 4
            lords = [player["lord"][1] for player in self.players]
            (empty,) = [col for col in range(len(self.rows[row])) if col not in lords]
            tile = self.lift(row, empty)
            self.discards.append(tile)
            self.write("discard", round=t, row=row, col=empty, tile=tile["id"])
            for player in sorted(self.players, key=lambda player: player["lord"][1]):
                self.turn(t, row, player)
            if t <= 12:
                self.fill(t, row)
            if t in (4, 8, 12, 16):
                self.event(t)
            self.write("round_end", round=t, coins=[player["coins"] for player in self.players])
        self.finish()
        return self.log

    def lift(self, row: int, col: int) -> Tile:
        tile = self.rows[row][col]
        assert tile is not None
        self.rows[row][col] = None
        return tile

    def fill(self, t: int, row: int) -> None:
        drawn: list[Tile] = []
        for _ in range(len(self.players) + 1):
            if not self.pile:
                source = "orange" if self.spare else "discards"
                new = self.spare or self.discards
                self.write("stack", round=t, source=source, tiles=sorted(tile["id"] for tile in new))
                self.pile = self.shuffled(new)
                if self.spare:
                    self.spare = []
                else:
                    self.discards = []
            drawn.append(self.pile.pop())
        tiles = sorted(drawn, key=lambda tile: tile["number"])
        self.rows[row] = list(tiles)
        self.write("deal", round=t, row=row, drawn=[tile["id"] for tile in drawn], tiles=[tile["id"] for tile in tiles])

    def place_lord(self, t: int, player: Player, row: int) -> None:
        lords = [other["lord"] for other in self.players]
        scouts = [other["scout"] for other in self.others(player)]
        free = [col for col in range(len(self.rows[row])) if (row, col) not in lords + scouts]
        col = self.pick(player, free, lambda col: self.worth(player, self.rows[row][col]))
        player["lord"] = (row, col)
        if player["scout"] is not None and player["scout"][0] == row:
            player["scout"] = None
        self.write("lord", round=t, seat=player["seat"], row=row, col=col)

    def turn(self, t: int, row: int, player: Player) -> None:
        col = player["lord"][1]
        if t < 16:
            self.place_lord(t, player, t % 4)
        tile = self.lift(row, col)
        self.write("take", round=t, seat=player["seat"], row=row, col=col, tile=tile["id"])
        player["fief"].append(tile)
        domain = tile["domain"]
        self.write("effect", round=t, seat=player["seat"], domain=domain, **self.effect(t, player, domain))
        tiles, coins = self.income(player, domain)
        player["coins"] += coins
        self.write("income", round=t, seat=player["seat"], domain=domain, tiles=tiles, coins=coins)

    def effect(self, t: int, player: Player, domain: str) -> dict[str, Any]:
        if domain in ("field", "market"):
            coins = self.symbol_sum(player, domain)
            player["coins"] += coins
            return {"coins": coins}
        if domain == "mill":
            return {"paid": [{"seat": o["seat"], "coins": self.pay(o, player)} for o in self.hit_by(player, "mill")]}
        if domain == "village":
            return {"tile": self.restore(player)}
        if domain == "rampart":
            return self.send_scout(t, player)
        if domain == "barracks":
            return {"hits": [self.attack(player, other) for other in self.hit_by(player, "barracks")]}
        if domain == "church":
            return self.church(player)
        return self.palace(player)

    def pay(self, giver: Player, taker: Player) -> int:
        coins = self.would_pay(giver, 2)
        giver["coins"] -= coins
        taker["coins"] += coins
        return coins

    def restore(self, player: Player) -> int | None:
        if not player["cemetery"]:
            return None
        tile = self.pick(player, player["cemetery"], lambda tile: self.worth(player, tile))
        player["cemetery"].remove(tile)
        player["fief"].append(tile)
        return int(tile["id"])

    def bury(self, player: Player, tile: Tile) -> int:
        player["fief"].remove(tile)
        player["cemetery"].append(tile)
        return int(tile["id"])

    def send_scout(self, t: int, player: Player) -> dict[str, Any]:
        taken = [other["lord"] for other in self.players] + [other["scout"] for other in self.players]
        spots = [
            (row % 4, col)
            for row in (t, t + 1, t + 2, t + 3)
            for col, tile in enumerate(self.rows[row % 4])
            if tile and row % 4 != player["lord"][0] and (row % 4, col) not in taken
        ]
        if not spots:
            return {"row": None, "col": None}
        player["scout"] = self.pick(player, spots, lambda spot: self.worth(player, self.rows[spot[0]][spot[1]]))
        return {"row": player["scout"][0], "col": player["scout"][1]}

    def attack(self, player: Player, other: Player) -> dict[str, Any]:
        lost = None
        for domain in DOMAINS:
            column = [tile for tile in other["fief"] if tile["domain"] == domain]
            if column:
                lost = self.bury(other, column[-1])
                break
        return {"seat": other["seat"], "tile": lost, "coins": self.pay(other, player)}

    def church(self, player: Player) -> dict[str, Any]:
        full = list(player["coin_slots"])
        if self.options["slot_capacity"] == "one":
            full += player["plot_slots"]
        slots = [domain for domain in DOMAINS if domain not in full]
        if not self.coin_tokens or not slots:
            return {"slot": None}
        slot = self.pick(player, slots, lambda slot: self.income(player, slot)[0])
        player["coin_slots"].append(slot)
        self.coin_tokens -= 1
        return {"slot": slot}

    def palace(self, player: Player) -> dict[str, Any]:
        full = list(player["plot_slots"])
        if self.options["slot_capacity"] == "one":
            full += player["coin_slots"]
        pairs = [
            (slot, token)
            for slot in DOMAINS
            for token in DOMAINS
            if slot not in full and token in self.plot_tokens and token not in INCOME[slot]
        ]
        if not pairs:
            return {"slot": None, "token": None}
        slot, token = self.pick(player, pairs, lambda pair: count(player["fief"], pair[1]) * self.rate(player, pair[0]))
        player["plot_slots"][slot] = token
        if self.options["plot_token_supply"] == "shared":
            self.plot_tokens.remove(token)
        return {"slot": slot, "token": token}

    def event(self, t: int) -> None:
        name = self.events[t // 4 - 1]
        outcomes = []
        for player in self.players:
            outcome = {"seat": player["seat"], "coins": 0, "buried": [], "restored": None}
            outcome |= self.strike(player, name)
            player["coins"] += outcome["coins"]
            outcomes.append(outcome)
        self.write("event", round=t, slot=t // 4, event=name, outcomes=outcomes)

    def strike(self, player: Player, name: str) -> dict[str, Any]:
        fief = player["fief"]
        match name:
            case "skilled_trades":
                return {"coins": self.symbol_sum(player, "field")}
            case "precious_goods":
                return {"coins": self.symbol_sum(player, "market")}
            case "alliance":
                return {"coins": 3 * count(fief, "church", "palace")}
            case "barbarian_invasion":
                return {"buried": self.lose(player, "mill") + self.lose(player, "field")}
            case "black_death":
                return {"buried": self.lose(player, "village") + self.lose(player, "barracks")}
            case "new_defences":
                return {"coins": 3 * count(fief, "rampart")}
            case "triumphant_return":
                return {"coins": 2 * count(fief, "market", "barracks")}
            case "birth_peak":
                return {"coins": 2 * count(fief, "mill", "village")}
            case "peasant_revolt":
                return {"buried": self.lose(player, "palace")}
            case "restoration":
                return {"restored": self.restore(player)}
            case "good_harvest":
                return {"coins": 2 * count(fief, "field")}
            case "reconstruction_aid":
                return {"coins": 3 * len(player["cemetery"])}
            case "extended_lordship":
                return {"coins": 2 * len({tile["domain"] for tile in fief})}
            case "lavish_ceremonies":
                return {"coins": -self.would_pay(player, 2 * count(fief, "church", "palace"))}
            case "earthquake":
                return {"buried": self.lose(player, "rampart")}
        raise ValueError(name)

    def lose(self, player: Player, domain: str) -> list[int]:
        column = [tile for tile in player["fief"] if tile["domain"] == domain]
        if not column:
            return []
        if self.options["event_loss"] == "top":
            return [self.bury(player, column[-1])]
        return [self.bury(player, self.pick(player, column, lambda tile: -tile["peasants"] - tile["chests"]))]

    def finish(self) -> None:
        coins = [player["coins"] for player in self.players]
        penalty = [10 * (8 - len({tile["domain"] for tile in player["fief"]})) for player in self.players]
        final = [a - b for a, b in zip(coins, penalty, strict=True)]
        if self.options["final_floor"]:
            final = [max(each, 0) for each in final]

        def standing(seat: int) -> list[int]:
            fief = self.players[seat]["fief"]
            return [final[seat]] + [count(fief, domain) for domain in reversed(DOMAINS)]

        seats = range(len(self.players))
        place = [1 + sum(standing(b) > standing(a) for b in seats) for a in seats]
        winners = sum(each == 1 for each in place)
        share = [60 // winners if each == 1 else 0 for each in place]
        self.write("end", coins=coins, penalty=penalty, final=final, place=place, share60=share)
