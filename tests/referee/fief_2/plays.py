"""The cards phase: discards, draws, and what every card does."""

from . import rulebook as rule
from .own_cards import Card, families_hit, money_of
from .realm import Realm
from .table import Lord


class Plays(Realm):
    """Follows the second phase of a turn."""

    def cards(self) -> None:
        """Follow the whole phase."""
        table = self.table
        table.prince_tried = False
        if table.turn > 1:
            for seat in table.order():
                self.discard(seat)
            for seat in table.order():
                while len(table.zones.hands[seat]) < rule.HAND and self.draw(seat):
                    pass
        for seat in table.order():
            plays = 0
            while plays < rule.PLAYS:
                played = self.play(seat)
                if played is None:
                    break
                plays += played

    def discard(self, seat: int) -> None:
        """Follow what a family discards."""
        zones = self.table.zones
        if not zones.hands[seat]:
            return
        self.pen.begin()
        card = self.decide(seat, "discard", [None, *zones.hands[seat]], self.legal)
        if card is not None:
            zones.hands[seat].remove(card)
            zones.discard.add(card)
            self.move_card(card, "hand", "discard", seat)

    def move_card(self, card: int, source: str, target: str, seat: int) -> None:
        """Tell that a card moves from or to a family's hand."""
        places = [{"zone": zone} | ({"seat": seat} if zone == "hand" else {}) for zone in (source, target)]
        self.pen.note("move", card=card, **{"from": places[0], "to": places[1]})

    def draw(self, seat: int) -> bool:
        """Have a family draw a card; say whether there was one."""
        zones = self.table.zones
        if not zones.deck:
            self.reshuffle()
        if not zones.deck:
            return False
        self.pen.begin()
        card = zones.deck.pop(0)
        zones.hands[seat].append(card)
        self.move_card(card, "deck", "hand", seat)
        return True

    def reshuffle(self) -> None:
        """Make a deck of the discards; families without lords may claim one before."""
        table, zones = self.table, self.table.zones
        for seat in table.order():
            lords = [card for card in rule.LORDS if card in zones.discard]
            if not lords or table.own(seat) or not table.army(seat):
                continue
            self.pen.begin()
            card = self.decide(seat, "claim_lord", [None, *lords])
            if card is not None:
                zones.discard.remove(card)
                self.move_card(card, "discard", "play", seat)
                home = max(table.villages, key=lambda village: village.soldiers[seat])
                self.arrive(seat, card, home.id)
        if zones.discard:
            zones.deck = self.pen.order("reshuffle", zones.discard)
            zones.discard = set()

    def arrive(self, seat: int, card: int, village: int) -> Lord:
        """Put a new lord on the map; he takes the titles that his family keeps."""
        lord = self.table.lords[card] = Lord(card, seat, village)
        self.report(lord)
        self.give_kept(lord, [seat])
        self.settle(village)
        return lord

    # --- what can be played ---

    def legal(self, seat: int, card: int) -> bool:
        """Say whether a family can play a card."""
        kind = self.setup.kinds[card]
        if kind in self.setup.own_cards:
            return bool(families_hit(self.table, self.setup.own_cards[kind], seat))
        if kind == "lord":
            return bool(self.places(seat)) or self.may_be_prince(seat, card)
        return kind != "justice" and bool(self.targets(seat, kind))

    def places(self, seat: int) -> list[int]:
        """Return where a family can put a new lord."""
        table = self.table
        if len(table.own(seat)) >= rule.MOST_LORDS:
            return []
        return table.held(seat) or [
            village.id for village in table.villages if not village.rebels and not table.present(village.id)
        ]

    def may_be_prince(self, seat: int, card: int) -> bool:
        """Say whether a lord can be played as Prince."""
        table = self.table
        king, queen = table.wears("king"), table.wears("queen")
        if not king or not queen or table.wears("prince") or table.regency is not None or table.prince_tried:
            return False
        wed = king.spouse == queen.id and king.free and queen.free
        room = len(table.own(king.seat)) < rule.MOST_LORDS
        return card in rule.MEN and wed and room and seat in (king.seat, queen.seat)

    def targets(self, seat: int, kind: str) -> list[int]:
        """Return at what a family can play a card."""
        table = self.table
        regions = range(len(rule.REGIONS))
        own = table.own(seat)
        unwed = [lord for lord in own if lord.spouse is None and lord.id not in table.crown.values()]
        match kind:
            case "darc":
                return [lord.id for lord in unwed if not lord.man and not table.titles_of(lord)]
            case "bishop":
                return [lord.id for lord in unwed if lord.man and lord.bishopric is None]
            case "tithe":
                own_bishoprics = [lord.bishopric for lord in own if lord.bishopric is not None]
                return sorted(each for each in own_bishoprics if each not in table.tithe)
            case "taille":
                return [region for region in table.titles_owned(seat) if region not in table.taille]
            case "plague":
                return [*regions]
            case "famine" | "bad_weather":
                lying = table.famine if kind == "famine" else table.weather
                return [region for region in regions if region not in lying]
            case "sun" | "good_harvest":
                return sorted(table.weather if kind == "sun" else table.famine)
            case "revolt":
                if table.rebels() >= rule.MOST_REBELS:
                    return []
                return [each.id for each in table.villages if each.holder is not None and not each.rebels]
            case "escape":
                return sorted({lord.village for lord in own if not lord.free})
        return sorted(table.lords)  # assassination

    # --- plays ---

    def play(self, seat: int) -> int | None:
        """Follow a card played; return how many plays it used, None if the family stops."""
        hand = self.table.zones.hands[seat]
        legal = [card for card in hand if self.legal(seat, card)]
        if not legal:
            return None
        self.pen.begin()
        card = self.decide(seat, "play", [None, *legal], self.targets)
        if card is None:
            return None
        kind = self.setup.kinds[card]
        self.pen.begin("play", kind)
        if kind in self.setup.own_cards:
            return self.play_own(seat, card, self.setup.own_cards[kind])
        if kind == "lord":
            return self.play_lord(seat, card)
        target = self.decide(seat, f"target_{kind}", self.targets(seat, kind))
        self.lay(seat, card)
        getattr(self, f"play_{kind}")(seat, card, target)
        return 1

    def play_lord(self, seat: int, card: int) -> int:
        """Follow a lord played, as Prince or not."""
        table = self.table
        king, queen = table.wears("king"), table.wears("queen")
        places = self.places(seat)
        if self.may_be_prince(seat, card):
            assert king and queen
            if self.decide(seat, "as_prince", [False, True] if places else [True]):
                table.prince_tried = True
                if not self.decide(queen.seat if seat == king.seat else king.seat, "consent", [False, True]):
                    return 0
                self.lay(seat, card)
                prince = Lord(card, king.seat, king.village)
                table.lords[card] = prince
                self.report(prince)
                self.wear("prince", prince)
                self.settle(king.village)
                return 1
        village = self.decide(seat, "place_lord", places)
        self.lay(seat, card)
        if not table.own(seat) and not table.army(seat):
            self.soldiers(seat, village, rule.RETURN_SOLDIERS)
        lord = self.arrive(seat, card, village)
        self.crown_new(lord)
        return 1

    def crown_new(self, lord: Lord) -> None:
        """Have a new lord take a title from another."""
        table = self.table
        options = list[int]()
        for giver in table.free(lord.seat):
            titles = table.titles_of(giver)
            for region in titles if giver is not lord else []:
                left = [rule.TITLE_POINTS[other] for other in titles if other != region]
                options += [region] * (rule.TITLE_POINTS[region] <= max(left, default=0))
        if options:
            region = self.decide(lord.seat, "crown_new", [None, *sorted(options)])
            if region is not None:
                self.give_title(region, lord, None)

    def play_own(self, seat: int, card: int, own: Card) -> int:
        """Follow a card that the box does not have."""
        self.lay(seat, card)
        for family in families_hit(self.table, own, seat):
            money = money_of(self.table, own, family)
            if money > 0:
                self.pay(rule.BANK, family, money)
            else:
                self.pay(family, rule.BANK, -money)
        self.bury(card)
        return 1

    def play_darc(self, seat: int, card: int, target: int) -> None:
        """Make a woman d'Arc."""
        self.table.lords[target].darc = True

    def play_bishop(self, seat: int, card: int, target: int) -> None:
        """Make a man bishop."""
        self.table.lords[target].bishopric = card - rule.FIRST_BISHOP

    def play_tithe(self, seat: int, card: int, target: int) -> None:
        """Lay a tithe beside a bishopric."""
        self.table.tithe[target] = card

    def play_taille(self, seat: int, card: int, target: int) -> None:
        """Lay a taille beside a region."""
        self.table.taille[target] = card

    def play_famine(self, seat: int, card: int, target: int) -> None:
        """Have a famine begin."""
        self.table.famine[target] = card

    def play_bad_weather(self, seat: int, card: int, target: int) -> None:
        """Have bad weather begin."""
        self.table.weather[target] = card

    def play_sun(self, seat: int, card: int, target: int) -> None:
        """Have bad weather end."""
        self.bury(card, self.table.weather.pop(target))

    def play_good_harvest(self, seat: int, card: int, target: int) -> None:
        """Have a famine end."""
        self.bury(card, self.table.famine.pop(target))

    def play_revolt(self, seat: int, card: int, target: int) -> None:
        """Have peasants revolt."""
        die = self.pen.die("revolt")
        self.table.villages[target].revolt = card
        self.rebels(target, min(die, rule.MOST_REBELS - self.table.rebels()))

    def play_plague(self, seat: int, card: int, target: int) -> None:
        """Have the plague pass through a region."""
        table = self.table
        for village in table.of_region(target):
            for family in table.seats:
                self.soldiers(family, village.id, -(village.soldiers[family] // 2))
                for guard, number in table.guards(family, village.id).items():
                    wearer = table.wears(guard)
                    assert wearer
                    self.guards(guard, wearer, -(number // 2))
            there = sorted(lord.id for lord in table.lords.values() if lord.village == village.id)
            for number in there:
                if self.pen.die("plague", number) <= rule.PLAGUE_KILLS:
                    self.die(table.lords[number])
            self.settle(village.id)
        self.bury(card)

    def play_escape(self, seat: int, card: int, target: int) -> None:
        """Have a family's prisoners escape from a village."""
        table = self.table
        prisoners = [lord for lord in table.own(seat) if not lord.free and lord.village == target]
        goal = self.decide(seat, "escape_to", range(len(table.villages)), prisoners)
        for lord in prisoners:
            self.set_free(lord, goal)
        self.settle(goal)
        self.bury(card)

    def play_assassination(self, seat: int, card: int, target: int) -> None:
        """Have a lord murdered; another family may have justice done."""
        table = self.table
        victim = table.lords[target]
        self.die(victim)
        self.settle(victim.village)
        self.bury(card)
        justice = rule.CARDS.index("justice")
        safe = [table.crown["king"], table.crown["prince"]]
        safe += [table.crown["queen"]] * (table.regency is not None)
        guilty = [lord.id for lord in table.own(seat) if lord.id not in safe]
        for other in table.order():
            if other == seat or justice not in table.zones.hands[other] or not guilty:
                continue
            condemned = self.decide(other, "justice", [None, *guilty], victim.seat)
            if condemned is not None:
                self.lay(other, justice)
                lord = table.lords[condemned]
                self.die(lord)
                self.settle(lord.village)
                self.bury(justice)
