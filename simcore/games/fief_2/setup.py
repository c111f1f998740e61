"""Fief 2: an empty table."""

from __future__ import annotations

from simcore.games.fief_2.names import LORDS, NOBODY, SETUP, VILLAGES
from simcore.kernel.compilation import kernel


@kernel
def clear(rules, state):
    """Clear the table for a new game."""
    state.turn = state.first = state.over = 0
    state.phase = SETUP
    state.shown = NOBODY
    state.village = state.lord = state.other = state.rival = state.goal = state.card = 0
    state.steps = state.escort = state.own_points = state.their_points = state.standing = state.tried_prince = 0
    clear_families(rules, state)
    clear_map(state)
    clear_lords(state)
    state.at = state.size = state.shuffles = state.discards = state.fresh = 0
    for region in range(state.owner.shape[0]):
        state.owner[region] = state.keeper[region] = state.weather[region] = NOBODY
        state.famine[region] = state.taille[region] = NOBODY
    for see in range(state.tithe.shape[0]):
        state.tithe[see] = state.tithed[see] = NOBODY


@kernel
def clear_families(rules, state):
    """Take everything from the families."""
    for seat in range(state.money.shape[0]):
        state.asked[seat] = state.candidate[seat] = state.rolled[seat] = 0
        state.voted[seat] = NOBODY
        state.money[seat] = state.score[seat] = state.last[seat] = 0
        state.held[seat] = state.troops[seat] = state.army[seat] = state.lords[seat] = state.cards[seat] = 0
        for place in range(state.hand.shape[1]):
            state.hand[seat, place] = 0
        clear_row(state.rows[seat])
    state.rolled[NOBODY] = 0
    state.side[0] = state.side[1] = state.inside = 0


@kernel
def clear_map(state):
    """Empty the villages."""
    for village in range(VILLAGES):
        state.holder[village] = state.revolt[village] = NOBODY
        state.outside[village] = state.unmoved[village] = state.rebels[village] = 0
        state.free_at[village] = state.captive_at[village] = state.kept[village] = state.earned[village] = 0
        for seat in range(state.soldiers.shape[1]):
            state.soldiers[village, seat] = 0
    state.castles = state.cities = state.mills = state.presses = state.revolts = 0
    state.stormy = state.hungry = 0


@kernel
def clear_lords(state):
    """Put all lords into the box."""
    for lord in range(LORDS):
        state.family[lord] = state.captor[lord] = state.spouse[lord] = state.see[lord] = NOBODY
        state.where[lord] = state.captors[lord] = state.crowns[lord] = 0
    state.free = state.captive = state.bishops = state.cardinals = state.moved = state.out_lords = 0
    state.darc = state.king = state.queen = state.prince = NOBODY
    state.regency = state.kings_guard = state.queens_guard = 0


@kernel
def clear_row(row):
    """Set all counts to zero."""
    row.total = row.last = row.money = row.score = row.villages = row.titles = row.turns = 0
    row.won_by_titles = row.first_village = row.held = row.lords = row.soldiers = row.most_money = 0
    row.king_turns = row.queen_turns = row.title_turns = row.village_turns = 0
    row.attacks = row.won = row.defences = row.held_out = 0
    row.soldiers_lost = row.lords_lost = row.captured = row.ransoms = row.elected = row.regencies = 0
    for number in range(row.from_source.shape[0]):
        row.from_source[number] = 0
    for number in range(row.by_scoring.shape[0]):
        row.by_scoring[number] = 0
    for number in range(row.played.shape[0]):
        row.played[number] = 0
    for number in range(row.bought.shape[0]):
        row.bought[number] = 0
    for number in range(row.income.shape[0]):
        row.income[number] = 0
