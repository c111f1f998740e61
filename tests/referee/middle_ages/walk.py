"""Follows one game from its second record to its last, and knows at every step what the log may say next."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar

from ..ranking import rank
from ..scroll import Scroll, show
from . import cards, greedy
from .header import Setup
from .rulebook import (
    BARRACKS,
    CHURCH,
    DOMAINS,
    EVENT_EVERY,
    EVENT_GAINS,
    EVENT_LOSSES,
    EXTENDED_LORDSHIP,
    FIELD,
    INDEX,
    LAST_REFILL,
    LAVISH_CEREMONIES,
    MARKET,
    MILL,
    PALACE,
    PENALTY,
    RECONSTRUCTION_AID,
    ROUNDS,
    ROWS,
)
from .table import Seat, Table, standing

T = TypeVar("T")
UNKNOWN = -1


def _domain(name: object) -> int | None:
    """Return the index of a Domain named in the log; null stays null."""
    if name is None:
        return None
    return INDEX.get(name, UNKNOWN) if type(name) is str else UNKNOWN


class Walk:
    """One game under way. `check` walks it; what is wrong lands in the scroll's violations."""

    def __init__(self, scroll: Scroll, setup: Setup) -> None:
        self.scroll = scroll
        self.setup = setup
        self.table = Table(setup)
        self.effects = (
            self.symbols,
            self.mill,
            self.village,
            self.rampart,
            self.symbols,
            self.barracks,
            self.church,
            self.palace,
        )

    def check(self) -> None:
        """Check every record from the first `deal` to `end`."""
        for row in range(ROWS):
            self.deal(0, row)
        for seat in self.table.seats:
            self.lord(0, seat, 0)
        for number in range(1, ROUNDS + 1):
            self.round(number)
        self.end()

    def choose(self, seat: Seat, fields: str, made: Any, options: Sequence[T], best: Callable[[], T]) -> T | None:
        """Return the option made, which must be legal, and the reference one where the seat plays `greedy`."""
        if not options:
            if made not in (None, (None, None)):
                self.scroll.stop(f"seat {seat.number}: {fields} {show(made)} is impossible, expected null")
            return None
        if made not in options:
            self.scroll.stop(f"seat {seat.number}: {fields} {show(made)} is illegal, expected one of {show(options)}")
        if seat.greedy and made != (wanted := best()):
            self.scroll.flag(f"seat {seat.number} is greedy: {fields} {show(made)}, expected {show(wanted)}")
        return made

    def deal(self, number: int, row: int) -> None:
        """Check that a row is filled from the stack in use, replaced exactly when it runs out, and sorted."""
        table, scroll = self.table, self.scroll
        missing = self.setup.players + 1
        batches = []
        while len(table.stack) < missing:
            scroll.read("stack")
            source, tiles = table.next_stack()
            scroll.agree(round=number, source=source, tiles=tiles)
            if not tiles:
                scroll.stop("there is no tile left to draw")
            batches.append((table.stack, len(table.stack)))
            missing -= len(table.stack)
            table.stack = set(tiles)
        batches.append((table.stack, missing))
        drawn = scroll.read("deal").get("drawn")
        wanted = self.setup.players + 1
        if type(drawn) is not list or len(drawn) != wanted or not all(type(tile) is int for tile in drawn):
            scroll.stop(f"drawn is {show(drawn)}, expected {wanted} tiles")
        rest = iter(drawn)
        for stack, count in batches:
            for _ in range(count):
                tile = next(rest)
                if tile not in stack:
                    scroll.stop(f"tile {tile} is drawn, but is not in the stack in use (or drawn before its turn)")
                stack.remove(tile)
        tiles = sorted(drawn, key=lambda tile: table.tiles[tile].number)
        scroll.agree(round=number, row=row, drawn=drawn, tiles=tiles)
        table.rows[row] = list(tiles)

    def lord(self, number: int, seat: Seat, row: int) -> None:
        """Check that a Lord goes to a free tile that nobody else has reserved."""
        table, record = self.table, self.scroll.read("lord")
        options = table.lord_options(seat, row)
        col = self.choose(seat, "col", record.get("col"), options, lambda: greedy.lord(table, seat, row, options))
        self.scroll.agree(round=number, seat=seat.number, row=row, col=col)
        assert col is not None  # a row has more tiles than there are players
        seat.lord = (row, col)
        if seat.scout and seat.scout[0] == row:
            seat.scout = None

    def round(self, number: int) -> None:
        """Check one round."""
        table, row = self.table, (number - 1) % ROWS
        self.discard(number, row)
        order = sorted(table.seats, key=lambda seat: seat.lord or (0, 0))
        for seat in order:
            self.turn(number, seat)
        if number <= LAST_REFILL:
            self.deal(number, row)
        if number % EVENT_EVERY == 0:
            self.event(number, order)
        self.scroll.read("round_end")
        self.scroll.agree(round=number, coins=[seat.coins for seat in table.seats])

    def discard(self, number: int, row: int) -> None:
        """Check that the tile without a Lord leaves the row."""
        table = self.table
        (col,) = set(range(len(table.rows[row]))) - {seat.lord[1] for seat in table.seats if seat.lord}
        tile = table.rows[row][col]
        assert tile is not None
        self.scroll.read("discard")
        self.scroll.agree(round=number, row=row, col=col, tile=tile)
        table.rows[row][col] = None
        table.discards.append(tile)

    def turn(self, number: int, seat: Seat) -> None:
        """Check one player's turn."""
        table, scroll = self.table, self.scroll
        assert seat.lord is not None
        row, col = seat.lord
        if number < ROUNDS:
            self.lord(number, seat, number % ROWS)
        tile = table.rows[row][col]
        assert tile is not None
        scroll.read("take")
        scroll.agree(round=number, seat=seat.number, row=row, col=col, tile=tile)
        table.rows[row][col] = None
        table.place(seat, tile)
        domain = table.tiles[tile].domain
        record = scroll.read("effect")
        scroll.agree(
            round=number, seat=seat.number, domain=DOMAINS[domain], **self.effects[domain](number, seat, domain, record)
        )
        tiles = seat.counted_tiles(domain)
        coins = tiles * seat.rates[domain]
        seat.coins += coins
        scroll.read("income")
        scroll.agree(round=number, seat=seat.number, domain=DOMAINS[domain], tiles=tiles, coins=coins)

    def symbols(self, number: int, seat: Seat, domain: int, record: dict[str, Any]) -> dict[str, Any]:
        """Field and Market."""
        coins = {FIELD: seat.peasants, MARKET: seat.chests}[domain]
        seat.coins += coins
        return {"coins": coins}

    def mill(self, number: int, seat: Seat, domain: int, record: dict[str, Any]) -> dict[str, Any]:
        """Tribute of everybody with fewer Mills."""
        table = self.table
        return {
            "paid": [
                {"seat": victim.number, "coins": table.collect(seat, victim)} for victim in table.victims(seat, MILL)
            ]
        }

    def village(self, number: int, seat: Seat, domain: int, record: dict[str, Any]) -> dict[str, Any]:
        """Restoration of one tile."""
        return {"tile": self.restoration(seat, "tile", record.get("tile"))}

    def restoration(self, seat: Seat, field: str, made: Any) -> int | None:
        """Take back a tile from the Cemetery, if there is one."""
        tile = self.choose(seat, field, made, seat.cemetery, lambda: greedy.restored(self.table, seat))
        if tile is not None:
            self.table.restore(seat, tile)
        return tile

    def rampart(self, number: int, seat: Seat, domain: int, record: dict[str, Any]) -> dict[str, Any]:
        """Placing of the Scout."""
        table = self.table
        options = table.scout_options(seat, (number - 1) % ROWS)
        made = (record.get("row"), record.get("col"))
        spot = self.choose(seat, "(row, col)", made, options, lambda: greedy.scout(table, seat, options))
        if spot is None:
            return {"row": None, "col": None}
        seat.scout = spot
        return {"row": spot[0], "col": spot[1]}

    def barracks(self, number: int, seat: Seat, domain: int, record: dict[str, Any]) -> dict[str, Any]:
        """Attack on everybody with fewer Ramparts than the seat has Barracks."""
        table, hits = self.table, []
        for victim in table.victims(seat, BARRACKS):
            tile = next((column[-1] for column in victim.columns if column), None)
            if tile is not None:
                table.bury(victim, tile)
            hits.append({"seat": victim.number, "tile": tile, "coins": table.collect(seat, victim)})
        return {"hits": hits}

    def church(self, number: int, seat: Seat, domain: int, record: dict[str, Any]) -> dict[str, Any]:
        """Placing of an extra-coin token."""
        options = self.table.church_options(seat)
        made = _domain(record.get("slot"))
        slot = self.choose(seat, "slot", made, options, lambda: greedy.church(seat, options))
        if slot is None:
            return {"slot": None}
        self.table.add_extra_coin(seat, slot)
        return {"slot": DOMAINS[slot]}

    def palace(self, number: int, seat: Seat, domain: int, record: dict[str, Any]) -> dict[str, Any]:
        """Placing of a plot token."""
        options = self.table.palace_options(seat)
        made = (_domain(record.get("slot")), _domain(record.get("token")))
        pair = self.choose(seat, "(slot, token)", made, options, lambda: greedy.palace(seat, options))
        if pair is None:
            return {"slot": None, "token": None}
        self.table.add_plot(seat, *pair)
        return {"slot": DOMAINS[pair[0]], "token": DOMAINS[pair[1]]}

    def event(self, number: int, order: Sequence[Seat]) -> None:
        """Check an Event card, seat by seat; `order` has the seats as they have played."""
        slot = number // EVENT_EVERY
        name = self.setup.events[slot - 1]
        seats = self.table.seats
        outcomes = self.scroll.read("event").get("outcomes")
        if type(outcomes) is not list or len(outcomes) != len(seats) or not all(type(one) is dict for one in outcomes):
            self.scroll.stop(f"outcomes is {show(outcomes)}, expected {len(seats)} objects")
        card = self.setup.cards.get(name)
        if card is None:
            expected = [self.outcome(name, seat, made) for seat, made in zip(seats, outcomes, strict=True)]
        else:
            hit = cards.those_hit(card, order, number)
            texts = [card if seat in hit else {} for seat in seats]
            expected = [self.outcome_of_card(*each) for each in zip(texts, seats, outcomes, strict=True)]
        self.scroll.agree(round=number, slot=slot, event=name, outcomes=expected)

    def outcome(self, name: str, seat: Seat, made: dict[str, Any]) -> dict[str, Any]:
        """Apply an Event to one seat and return what the log must say of it."""
        coins, buried, restored = 0, [], None
        if name in EVENT_LOSSES:
            buried = self.losses(seat, EVENT_LOSSES[name], made.get("buried"))
        elif name == "restoration":
            restored = self.restoration(seat, "restored", made.get("restored"))
        else:
            coins = self.event_coins(name, seat)
            seat.coins += coins
        return {"seat": seat.number, "coins": coins, "buried": buried, "restored": restored}

    def outcome_of_card(self, card: dict[str, Any], seat: Seat, made: dict[str, Any]) -> dict[str, Any]:
        """Apply a card that the booklet does not have; an empty one to a seat that it does not hit."""
        coins = cards.coins_of(card, seat)
        coins = coins if coins >= 0 else -self.table.payable(seat, -coins)
        seat.coins += coins
        buried, left = [], list(made.get("buried") or [])
        for domain in map(DOMAINS.index, card.get("buries", [])):
            if seat.columns[domain]:
                buried += self.losses(seat, [domain], left[:1])
                del left[:1]
        said = [made.get("restored"), *(made.get("also_restored") or []), *[None] * len(seat.cemetery)]
        number = min(card.get("restores", 0), len(seat.cemetery))
        back = [self.restoration(seat, "restored", tile) for tile in said[:number]]
        more = {"also_restored": back[1:]} if len(back) > 1 else {}
        return {"seat": seat.number, "coins": coins, "buried": buried, "restored": back[0] if back else None} | more

    def losses(self, seat: Seat, domains: Sequence[int], made: Any) -> list[int]:
        """Bury one tile of each of these Domains that the seat has."""
        table = self.table
        columns = [seat.columns[domain] for domain in domains if seat.columns[domain]]
        if type(made) is not list or len(made) != len(columns):
            self.scroll.stop(f"seat {seat.number}: buried is {show(made)}, expected {len(columns)} tiles")
        for tile, column in zip(made, columns, strict=True):
            options = list(column) if self.setup.owner_chooses else column[-1:]
            self.choose(seat, "buried", tile, options, partial(greedy.lost, table, options))
            table.bury(seat, tile)
        return made

    def event_coins(self, name: str, seat: Seat) -> int:
        """Return the coins that an Event without choices brings the seat, negative for a loss."""
        size = [len(column) for column in seat.columns]
        if name in EVENT_GAINS:
            rate, domains = EVENT_GAINS[name]
            return rate * sum(size[domain] for domain in domains)
        return {
            "skilled_trades": lambda: seat.peasants,
            "precious_goods": lambda: seat.chests,
            "reconstruction_aid": lambda: RECONSTRUCTION_AID * len(seat.cemetery),
            "extended_lordship": lambda: EXTENDED_LORDSHIP * sum(count > 0 for count in size),
            "lavish_ceremonies": lambda: -self.table.payable(seat, LAVISH_CEREMONIES * (size[CHURCH] + size[PALACE])),
        }[name]()

    def end(self) -> None:
        """Check the final scores, the ranking and that nothing follows."""
        seats = self.table.seats
        penalty = [PENALTY * sum(not column for column in seat.columns) for seat in seats]
        final = [seat.coins - lost for seat, lost in zip(seats, penalty, strict=True)]
        if self.setup.final_floor:
            final = [max(0, coins) for coins in final]
        place, share = rank(
            [
                standing(coins, [len(column) for column in seat.columns])
                for coins, seat in zip(final, seats, strict=True)
            ]
        )
        self.scroll.read("end")
        self.scroll.agree(
            coins=[seat.coins for seat in seats], penalty=penalty, final=final, place=place, share60=share
        )
        self.scroll.close()
