"""The effects of cards: what each needs, whom it meets, and what it does."""

from collections import Counter
from collections.abc import Callable

from .dealer import Dealer
from .rulebook import (
    CHOOSE,
    CHURCH,
    FACES,
    LAND_TYPE,
    LORD,
    MILL,
    OTHERS_OPS,
    SQUARE_OPS,
    SQUARES,
    TYPE_OPS,
    TYPES,
    Card,
    Effect,
)
from .table import DECK, DISCARD, Place, hand


class Effects(Dealer):
    """Follows the effects of a card that a seat plays."""

    # --- what an effect finds ---

    def able(self, effect: Effect, player: int, who: int, what: str | None) -> bool:
        """Say whether one whom an effect may meet has what it needs."""
        table, now = self.table, self.table.now
        match effect.op:
            case "gain":
                return not table.zeros(who, str(what)) and table.drawable(str(what))
            case "lose" | "take":
                return table.resources(who) > 0
            case "barter":
                return table.resources(who) > 0 and table.resources(player) > 0
            case "trade":
                return table.resources(who) > 0 and not table.zeros(who, str(what))
            case "act":
                return (who, what) not in now.barred and self.can_act(who, str(what))
            case "heal":
                return any(table.tenants[who].pawns)
            case "sicken":
                return table.healthy(who) > 0
            case "bar":
                return (who, what) not in now.barred
            case "yield":
                return table.own_pawn_on(who, str(what))
            case "shelter" | "inspect" | "draws":
                open_hand = table.resources(who) > 0 and who not in now.sheltered
                return bool(table.short()) and open_hand and (effect.op != "inspect" or who not in now.inspected)
            case "cards":
                return table.drawable("lord" if who == LORD else "tenant")
            case "drop":
                return table.playing_cards(who).total() > 0
            case "gag" | "ward" | "waive":
                return who not in {"gag": now.gagged, "ward": now.warded, "waive": now.waived}[effect.op]
            case "reveal":
                return not table.tenants[who].revealed
            case "objective":
                return table.drawable("objective")
            case "rent":
                return now.demand is None
            case "advance":
                return table.square < self.setup.track[1] if effect.n > 0 else table.square > 0
            case "shift":
                return bool(table.short())
        return True  # favour

    def can_act(self, who: int, square: str) -> bool:
        """Say whether a pawn on a square would find something."""
        if square == MILL:
            return any(self.table.zeros(who, kind) for kind in TYPES)
        return self.table.drawable("tenant" if square == CHURCH else LAND_TYPE[square])

    def group(self, effect: Effect, player: int) -> list[int]:
        """Return those whom an effect may meet, in order."""
        if effect.who == "self":
            return [player]
        if effect.who == "lord":
            return [LORD]
        others = effect.who == "tenant" or effect.op in OTHERS_OPS
        left_out = self.table.now.warded if player == LORD else set()
        return [seat for seat in self.table.in_order() if seat not in left_out and (seat != player or not others)]

    def whats(self, effect: Effect) -> list[str | None]:
        """Return what an effect may be about."""
        if effect.what != CHOOSE:
            return [effect.what]
        assert effect.op in TYPE_OPS + SQUARE_OPS
        return [*(TYPES if effect.op in TYPE_OPS else SQUARES)]

    def finds(self, effect: Effect, player: int) -> bool:
        """Say whether an effect finds what it needs."""
        return any(
            self.able(effect, player, who, what) for who in self.group(effect, player) for what in self.whats(effect)
        )

    # --- what an effect does ---

    def play_effects(self, card: Card, player: int) -> None:
        """Go through the effects of a card; those that do not find what they need are skipped."""
        for effect in card.effects:
            if self.finds(effect, player):
                self.effect(effect, player)

    def effect(self, effect: Effect, player: int) -> None:
        """Choose whom and what an effect meets, then do it."""
        group, whats = self.group(effect, player), self.whats(effect)
        able: Callable[[int, str | None], bool] = lambda who, what: self.able(effect, player, who, what)  # noqa: E731
        whose = None
        if effect.who == "tenant":
            met = [who for who in group if any(able(who, what) for what in whats)]
            group = whose = [self.decide(player, "target", met)]
        what = effect.what
        if what == CHOOSE:
            options = [each for each in whats if any(able(who, each) for who in group)]
            what = self.decide(player, "what", options, context=(whose,))
        group = [who for who in group if able(who, what)]
        self.pen.tell("effect", op=effect.op, who=group, what=what, n=effect.n)
        if effect.op in ("rent", "shift"):
            getattr(self, f"_{effect.op}")(player, effect.n)
            return
        for who in group:
            getattr(self, f"_{effect.op}")(player, who, what, effect.n)

    def _gain(self, player: int, who: int, what: str, n: int) -> None:
        self.draw_resources(who, what, n, "card")

    def _lose(self, player: int, who: int, what: str, n: int) -> None:
        for _ in range(min(n, self.table.resources(who))):
            if what == "random":
                self.random_resource(who, DISCARD, "card")
            else:
                face = self.decide(who, "part", [*self.table.faces(who)])
                self.discard_resource(who, face, "card")

    def _take(self, player: int, who: int, what: None, n: int) -> None:
        for _ in range(min(n, self.table.resources(who))):
            self.random_resource(who, hand(player), "card")

    def _barter(self, player: int, who: int, what: None, n: int) -> None:
        for _ in range(n):
            if not (self.table.resources(who) and self.table.resources(player)):
                return
            mine = self.decide(player, "part", [*self.table.faces(player)])
            self.random_resource(who, hand(player), "card")
            self.move(FACES[mine][0], {mine: 1}, hand(player), hand(who), "card")

    def _trade(self, player: int, who: int, what: str, n: int) -> None:
        traded = 0
        while traded < n and self.table.resources(who):
            face = self.decide(who, "part", [None, *self.table.faces(who)])
            if face is None:
                break
            self.discard_resource(who, face, "card")
            traded += 1
        self.draw_resources(who, what, traded, "card")

    def _act(self, player: int, who: int, what: str, n: int) -> None:
        for _ in range(n):
            self.pawn(who, what)

    def _heal(self, player: int, who: int, what: None, n: int) -> None:
        pawns = self.table.tenants[who].pawns
        for _ in range(n):
            if any(pawns):
                pawns[pawns.index(max(pawns))] = 0

    def _sicken(self, player: int, who: int, what: None, n: int) -> None:
        pawns = self.table.tenants[who].pawns
        pawns[pawns.index(0)] = n

    def _bar(self, player: int, who: int, what: str, n: int) -> None:
        self.table.now.barred.add((who, what))

    def _yield(self, player: int, who: int, what: str, n: int) -> None:
        self.table.now.yields[who, what] += n

    def _shelter(self, player: int, who: int, what: None, n: int) -> None:
        self.table.now.sheltered.add(who)

    def _inspect(self, player: int, who: int, what: None, n: int) -> None:
        self.table.now.inspected.add(who)

    def _draws(self, player: int, who: int, what: None, n: int) -> None:
        self.table.now.draws[who] += n

    def _favour(self, player: int, who: int, what: None, n: int) -> None:
        self.favour(who, n)

    def _cards(self, player: int, who: int, what: None, n: int) -> None:
        if who == LORD:
            self.lord_draws(n, "card")
            return
        for _ in range(n):
            self.draw_card(who, "card")

    def _drop(self, player: int, who: int, what: None, n: int) -> None:
        cards = self.table.playing_cards(who)
        for _ in range(min(n, cards.total())):
            self.move("lord" if who == LORD else "tenant", cards, hand(who), DISCARD, "card")

    def _gag(self, player: int, who: int, what: None, n: int) -> None:
        self.table.now.gagged.add(who)

    def _ward(self, player: int, who: int, what: None, n: int) -> None:
        self.table.now.warded.add(who)

    def _waive(self, player: int, who: int, what: None, n: int) -> None:
        self.table.now.waived.add(who)

    def _reveal(self, player: int, who: int, what: None, n: int) -> None:
        self.table.tenants[who].revealed = True

    def _objective(self, player: int, who: int, what: None, n: int) -> None:
        tenant, held = self.table.tenants[who], self.table.cards["objective", hand(who)]
        for _ in range(n):
            self.draw("objective", hand(who), "card")
        kept = self.decide(who, "objective", [name for name in self.setup.objectives if held[name]])
        if kept != tenant.objective:
            tenant.objective, tenant.revealed = kept, False
        place: Place = hand(who)
        while others := held - Counter([kept]):
            self.move("objective", others, place, DECK, "card")

    def _rent(self, player: int, n: int) -> None:
        self.table.now.rent += n

    def _advance(self, player: int, who: int, what: None, n: int) -> None:
        self.table.square = min(max(self.table.square + n, 0), self.setup.track[1])

    def _shift(self, player: int, n: int) -> None:
        table = self.table
        options = [
            (source, goal, points)
            for source in table.short()
            for goal in TYPES
            if goal != source
            for points in range(1, min(n, table.unmet(source)) + 1)
        ]
        source, goal, points = self.decide(player, "shift", options)
        assert table.now.demand
        table.now.demand[source] -= points
        table.now.demand[goal] += points
