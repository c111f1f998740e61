"""Siege: a warlord against a town.  A small game for tests, with roles, camps, hidden hands and no score."""

from siege.kernel import redraw, settle, start, step
from siege.log import RECORD_KINDS, header, narrate, records
from siege.rules import RULES, SiegeRules, pack, par, sharing
from siege.state import DECISIONS, PLAYERS, ROW, STATE
from siege.table import TABLETOP
from simcore.game import Column, Game, Role

ROLES = (
    Role("warlord", "Warlord", lambda players: range(1)),
    Role("burgher", "Burgher", lambda players: range(1, players), camp="town"),
)

GAME = Game(
    name="siege",
    title="Siege",
    players=range(3, PLAYERS + 1),
    default_players=4,
    roles=ROLES,
    par=par,
    sharing=sharing,
    rules=SiegeRules,
    pack=pack,
    rules_dtype=RULES,
    state_dtype=STATE,
    row_dtype=ROW,
    start=start,
    step=step,
    settle=settle,
    redraw=redraw,
    decisions=DECISIONS,
    columns=(
        Column("seasons", "UInt8", "seasons played", "seasons", detail="minimal"),
        Column("walls", "UInt8", "walls that stand at the end", "walls"),
        Column("demanded", "Int32", "units demanded", "demanded", role="warlord"),
        Column("given", "Int32", "cards given", "given", role="burgher"),
        Column("held", "Int32", "cards in the hand at the end", "held", role="burgher"),
    ),
    header=header,
    records=records,
    record_kinds=RECORD_KINDS,
    narrate=narrate,
    tabletop=TABLETOP,
)
