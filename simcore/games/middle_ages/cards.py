"""Middle-Ages: the Event cards."""

from __future__ import annotations

import numpy as np

from simcore.kernel.decisions import choose
from simcore.games.middle_ages import log
from simcore.games.middle_ages.fief import EVENT_SLOT, ONE, bury, earn, payable, restore
from simcore.games.middle_ages.log import log1, log2
from simcore.games.middle_ages.state import CEMETERY, DOMAINS, LOSS, TOP
from simcore.kernel.compilation import kernel
from simcore.kernel.intrinsics import popcount
from simcore.kernel.lineup import forgoes
from simcore.kernel.trace import put


@kernel
def resolve_event(rules, lineup, state, number, trace):
    """Apply an Event card to every seat: coins, then burials, then what comes back."""
    card = rules.events[state.cards[number]]
    log2(trace, log.EVENT, number, state.cards[number])
    for seat in range(rules.players):
        player = state.players[seat]
        coins = event_coins(card, player)
        if coins < 0:
            coins = -payable(rules, player, -coins)
        earn(state, player, coins)
        player.row.event_coins[number] += coins
        log1(trace, log.OUTCOME, coins)
        draws = 0
        for i in range(4):
            domain = card.buries[i]
            if domain < 0:
                break
            if player.tiles[domain] > 0:
                tile = np.int64(lose_tile(rules, lineup, state, seat, np.int64(domain), number, draws))
                draws += 1
                if trace.on:
                    put(trace, tile)
        if trace.on:
            put(trace, -1)
        for _ in range(card.restores):
            if player.buried > 0 and not forgoes(lineup, seat, CEMETERY):
                tile = np.int64(restore(rules, lineup, state, seat, EVENT_SLOT + number, draws))
                draws += 1
                if trace.on:
                    put(trace, tile)
        if trace.on:
            put(trace, -1)
    state.peak_coins = max(state.peak_coins, state.circulation)


@kernel
def event_coins(card, player):
    """The coins that an Event pays to a player; negative if it takes coins."""
    coins = card.per_peasant * player.peasants + card.per_chest * player.chests + card.per_buried * player.buried
    for domain in range(DOMAINS):
        coins += card.per_tile[domain] * player.tiles[domain]
    return np.int64(coins) + card.per_domain * popcount(np.uint64(player.built))


@kernel
def lose_tile(rules, lineup, state, seat, domain, number, index):
    """Bury one tile of a Domain: the owner's choice, or the top tile."""
    player = state.players[seat]
    top = player.tiles[domain] - 1
    if rules.event_loss == TOP:
        return bury(rules, state, seat, domain, top)
    state.domain = domain
    legal = (ONE << np.uint64(player.tiles[domain])) - ONE
    picked = choose(rules, lineup, state, seat, LOSS, legal, EVENT_SLOT + number, index)
    return bury(rules, state, seat, domain, picked)
