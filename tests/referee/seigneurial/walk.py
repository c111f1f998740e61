"""Goes through one game season by season, and knows at every step what may come next."""

from collections import Counter
from collections.abc import Mapping

from .effects import Effects
from .rulebook import ANY, DECKS, FACES, LAND_TYPE, LANDS, LORD, SEASONS, SQUARES, TYPES, Card
from .table import DISCARD, LAID, Now, hand, payments

WIN = 60


class Walk(Effects):
    """One game under way."""

    def run(self) -> None:
        """Go from the first shuffle to the end."""
        table = self.table
        self.set_up()
        over = None
        while over is None and table.season < self.setup["max_seasons"]:
            table.season += 1
            self.pen.turn = table.season
            self.take_season()
            self.pen.tell("season_end", **self.standing())
            over = self.over
        reason, winner = over or ("limit", None)
        shares = [WIN // self.setup.players if winner is None else WIN * (seat == winner) for seat in table.seats]
        self.pen.tell("end", reason=reason, winner=winner, share60=shares)

    def set_up(self) -> None:
        """Shuffle every deck and deal the Objectives."""
        self.over: tuple[str, int] | None = None
        table = self.table
        decks = [*DECKS]
        while decks:
            decks.remove(self.pen.shuffle(table, decks))
        for seat, tenant in table.tenants.items():
            tenant.objective = self.draw("objective", hand(seat), "deal") or ""

    def standing(self) -> dict[str, object]:
        """Return the check sum of a season."""
        table = self.table
        return {
            "square": table.square,
            "points": [table.points(seat) for seat in table.tenants],
            "resources": [table.resources(seat) for seat in table.tenants],
            "favour": [tenant.favour for tenant in table.tenants.values()],
            "cards": [table.playing_cards(seat).total() for seat in table.seats],
        }

    @property
    def season(self) -> str:
        """The season of the year."""
        return SEASONS[(self.table.season - 1) % len(SEASONS)]

    def take_season(self) -> None:
        """Go through one season."""
        table = self.table
        seats = [*table.tenants]
        rotating = seats[(table.season - 1) % len(seats)]
        options = {"random": seats, "rotates": [rotating], "fixed": seats[:1]}[self.setup.switch("first_tenant")]
        weights = dict.fromkeys(options, 1)
        table.now = Now(self.pen.chance("season", "first", weights, lambda first: {"season": self.season}))
        if self.season == "spring":
            number = self.setup.players - (self.setup.switch("lord_draw") == "tenants")
            self.lord_draws(number, "year")
        self.window("season")
        if self.season == "winter":
            for seat in table.in_order():
                self.winter(seat)
        for seat in table.in_order():
            self.place_pawns(seat)
        self.window("harvest")
        for seat in table.in_order():
            self.harvest(seat)
        self.window("rent")
        self.ask_for_rent()
        self.window("payment")
        self.pay()
        self.give_favour()
        self.window("draws")
        self.lord_takes()
        obtained = not table.short()
        self.clear_table()
        self.window("progress")
        self.progress(obtained)

    # --- windows ---

    def window(self, window: str) -> None:
        """Let the lord and the tenants play those cards that they held when the window opened."""
        held = {seat: Counter(self.table.playing_cards(seat)) for seat in self.table.seats}
        tenants = self.table.in_order()
        lord_first = self.setup.switch("window_order") == "lord_first"
        for seat in [LORD, *tenants] if lord_first else [*tenants, LORD]:
            while played := self.play(seat, window, self.choosable(seat, window, held[seat])):
                held[seat][played] -= 1
                self.table.now.played[seat] += 1

    def choosable(self, seat: int, window: str, held: Mapping[str, int]) -> list[Card]:
        """Return those of some cards that a seat may play, in the order of the table."""
        now = self.table.now
        if seat != LORD and (now.played[seat] >= self.setup["plays"] or seat in now.gagged):
            return []
        hand_now = self.table.playing_cards(seat)
        cards = self.setup.lord_cards if seat == LORD else self.setup.tenant_cards
        return [card for card in cards if held[card.id] and hand_now[card.id] and self.playable(card, seat, window)]

    def playable(self, card: Card, seat: int, window: str) -> bool:
        """Say whether a card is playable in a window of this season."""
        in_time = (window in card.when or ANY in card.when) and (not card.seasons or self.season in card.seasons)
        return in_time and self.finds(card.effects[0], seat)

    def play(self, seat: int, window: str, cards: list[Card]) -> str | None:
        """Have a seat play one of its playable cards, or pass; return the card's id."""
        if not cards:
            return None
        policy = self.policies.get(seat)
        play = getattr(policy, "play", None)
        wanted = (lambda: play(seat, cards)) if play else None
        options = [None, *(card.id for card in cards)]
        played: str | None = self.pen.decide(seat, "play", options, wanted, window=window)
        if played is None:
            return None
        deck = "lord" if seat == LORD else "tenant"
        held = self.table.playing_cards(seat)
        held[played] -= 1  # in play, in nobody's hand
        self.play_effects(next(card for card in cards if card.id == played), seat)
        held[played] += 1
        self.move(deck, {played: 1}, hand(seat), DISCARD, "played")
        return played

    # --- the steps ---

    def winter(self, seat: int) -> None:
        """Have a tenant pay the due of winter, or fall ill."""
        due = self.setup["due"]
        if not due or seat in self.table.now.waived:
            return
        if self.next_payments(seat, due) and self.decide(seat, "winter", [True, False]):
            while due > 0:
                face = self.decide(seat, "part", self.next_payments(seat, due))
                self.discard_resource(seat, face, "winter")
                due -= FACES[face][1]
            return
        if self.table.healthy(seat):
            pawns = self.table.tenants[seat].pawns
            pawns[pawns.index(0)] = self.setup["illness"]
            self.pen.tell("ill", seat=seat, turns=self.setup["illness"])

    def next_payments(self, seat: int, due: int) -> list[str]:
        """Return the faces that a tenant may pay next."""
        faces = self.table.faces(seat)
        values = Counter[int]()
        for face, number in faces.items():
            values[FACES[face][1]] += number
        allowed = payments(values, due)
        return [face for face in faces if FACES[face][1] in allowed]

    def place_pawns(self, seat: int) -> None:
        """Have a tenant place his healthy pawns; the ill ones wait a positioning less."""
        table = self.table
        policy = self.policies.get(seat)
        square = getattr(policy, "square", None)
        wanted = (lambda left, placed: square(seat, left, placed)) if square else None
        squares = table.open_squares(seat, SQUARES)
        table.now.placed[seat] = self.pen.place(seat, table.healthy(seat), squares, wanted)
        table.tenants[seat].pawns = [max(0, wait - 1) for wait in table.tenants[seat].pawns]

    def harvest(self, seat: int) -> None:
        """Have a tenant's pawns act."""
        for square in self.table.open_squares(seat, self.table.now.placed[seat]):
            self.pawn(seat, square)
        land = self.table.tenants[seat].improved
        if land and not self.setup.switch("improvement_needs_pawn"):
            self.draw_resources(seat, LAND_TYPE[land], self.setup["improvement"], "harvest")

    def ask_for_rent(self) -> None:
        """Have the lord ask for points of each type."""
        rent = self.table.rent()
        splits = [(wood, fish, rent - wood - fish) for wood in range(rent + 1) for fish in range(rent - wood + 1)]
        self.table.now.demand = dict(zip(TYPES, self.decide(LORD, "rent", splits), strict=True))

    def pay(self) -> None:
        """Have the tenants lay cards of the types asked for."""
        if self.setup.switch("payment") == "secret":
            for seat in self.table.in_order():
                while self.lay(seat):
                    pass
            return
        paying = self.table.in_order()
        while paying:
            paying = [seat for seat in paying if self.lay(seat)]

    def lay(self, seat: int) -> bool:
        """Have a tenant lay a card or pass; say whether he laid one."""
        now = self.table.now
        assert now.demand
        asked = [kind for kind in TYPES if now.demand[kind]]
        face = self.decide(seat, "lay", [None, *self.table.faces(seat, asked)])
        if face is None:
            return False
        kind, value = FACES[face]
        self.move(kind, {face: 1}, hand(seat), LAID, "lay")
        now.laid[seat, kind] += value
        now.laid_cards[seat] += 1
        return True

    def give_favour(self) -> None:
        """Give favour for what was laid, type by type, then exchange it."""
        table, now = self.table, self.table.now
        given = Counter[int]()
        assert now.demand
        for kind in TYPES:
            laid = {seat: now.laid[seat, kind] for seat in table.in_order()}
            if sum(laid.values()) <= now.demand[kind]:
                given.update(laid)
                continue
            for _ in range(now.demand[kind]):
                options = [seat for seat, left in laid.items() if left]
                seat = options[0]
                if len(options) > 1:
                    seat = self.decide(LORD, "split", options, type=kind)
                laid[seat] -= 1
                given[seat] += 1
        for seat in table.in_order():
            if given[seat]:
                self.favour(seat, given[seat])

    def lord_takes(self) -> None:
        """Let the lord draw from hands while a type is short."""
        table, now = self.table, self.table.now
        drawn = Counter[int]()

        def open_to(seat: int) -> bool:
            left = drawn[seat] < table.draw_limit(seat) and table.resources(seat) > 0
            return bool(table.short()) and left and seat not in now.sheltered

        def least(seat: int) -> int:
            if self.setup.switch("least") == "cards":
                return now.laid_cards[seat]
            return sum(now.laid[seat, kind] for kind in TYPES)

        called = list[int]()
        while waiting := [seat for seat in table.in_order() if seat not in called and open_to(seat)]:
            fewest = min(map(least, waiting))
            tied = [seat for seat in waiting if least(seat) == fewest]
            seat = self.decide(LORD, "next", tied) if len(tied) > 1 else tied[0]
            called.append(seat)
            while open_to(seat):
                drawn[seat] += 1
                self.lord_draws_from(seat)
                if self.setup.switch("second_draw") == "round":
                    break
        while again := [seat for seat in called if open_to(seat)]:
            for seat in again:
                if open_to(seat):
                    drawn[seat] += 1
                    self.lord_draws_from(seat)

    def lord_draws_from(self, seat: int) -> None:
        """Let the lord draw a card from a hand; he keeps it if its type is short."""
        table = self.table
        faces = [*table.faces(seat)]
        short = table.short()
        keeps = {face: FACES[face][0] in short for face in faces}
        if seat in table.now.inspected:
            face = self.decide(LORD, "pick", faces)
            self.pen.tell("draw", seat=seat, card=face, kept=keeps[face])
        else:
            fields = lambda face: {"seat": seat, "kept": keeps[face]}  # noqa: E731
            face = self.pen.chance("draw", "card", table.faces(seat), fields)
        if keeps[face]:
            kind, value = FACES[face]
            self.move(kind, {face: 1}, hand(seat), LAID, "draw")
            table.now.kept[kind] += value
            table.now.kept_cards += 1

    def clear_table(self) -> None:
        """Discard what was laid and kept; the lord draws a card if nothing was laid."""
        now = self.table.now
        while faces := Counter(
            {face: number for kind in TYPES for face, number in self.table.cards[kind, LAID].items()}
        ):
            face = self.pen.move(faces, LAID, lambda _: DISCARD, ["rent"])
            self.table.move(FACES[face][0], face, LAID, DISCARD)
        obtained = now.laid_cards.total()
        if self.setup.switch("unpaid") == "any":
            obtained += now.kept_cards
        if not obtained:
            self.lord_draws(self.setup["unpaid_cards"], "unpaid")

    def progress(self, obtained: bool) -> None:
        """Move the lord on, improve the lands at the middle, and see who has won."""
        table = self.table
        middle, end = self.setup.track
        if obtained:
            table.square = min(table.square + self.setup["step"], end)
        self.pen.tell("progress", obtained=obtained, square=table.square)
        if table.square >= middle and not table.after:
            table.after = True
            for seat in table.in_order():
                table.tenants[seat].improved = self.decide(seat, "improve", LANDS)
        self.over = self.victory()
        if self.over is None and self.season == SEASONS[-1]:
            self.move_all("lord", hand(LORD), DISCARD, "winter", "year")  # the page leaves open which

    def victory(self) -> tuple[str, int] | None:
        """Return why the game ends and who has won, if it does."""
        table = self.table
        if table.square >= self.setup.track[1]:
            return "track", LORD
        able = [seat for seat in table.in_order() if table.fulfilled(seat)]
        if not able:
            return None
        measure = table.resources if self.setup.switch("most") == "cards" else table.points
        most = max(map(measure, able))
        tied = [seat for seat in able if measure(seat) == most]
        return "objective", self.decide(LORD, "crown", tied) if len(tied) > 1 else tied[0]
