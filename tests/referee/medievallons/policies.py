"""The reference policies `collector` and `random`, to the letter of the rulings.

`min` and `max` keep the first among equals, and types stand in booklet order.
"""

from collections import Counter
from collections.abc import Collection, Iterable

from .rulebook import JESTER
from .table import Guild, Table

Decision = tuple[str, int | None, Guild | None, Counter[int]]  # action, type, guild of one's own, cards by type


def most_held(held: Counter[int], kinds: Iterable[int]) -> int:
    """Return the type named, taken or kept."""
    return max(sorted(kinds), key=lambda kind: held[kind])


def fewest_held(held: Counter[int], cards: int) -> Counter[int]:
    """Return the types of so many cards given."""
    left, given = Counter(held), Counter[int]()
    for _ in range(cards):
        kind = min(sorted(+left), key=lambda kind: left[kind])
        left[kind] -= 1
        given[kind] += 1
    return given


def full_guild(table: Table, seat: int, kind: int) -> Counter[int]:
    """Return all cards of a type with the fewest Jesters that make a guild."""
    held = table.held(seat)
    jesters = 0 if kind == JESTER else max(0, table.setup["guild_size"] - held[kind])
    return +Counter({kind: held[kind]}) + +Counter({JESTER: jesters})


def collect(table: Table, seat: int) -> Decision:
    """Return the action of `collector`."""
    held = table.held(seat)
    if layable := table.layable(seat):
        kind = most_held(held, layable)
        return "lay", kind, None, full_guild(table, seat, kind)
    if others := sorted(held.keys() - {JESTER}):
        kind = min(others, key=lambda kind: held[kind])
        return "play", kind, None, Counter([kind])
    if guilds := table.usable(seat):
        return "use", table.kind(guilds[0]), guilds[0], Counter()
    if held:
        return "play", JESTER, None, Counter([JESTER])
    return "pass", None, None, Counter()


def target(table: Table, seat: int, options: Collection[int]) -> int:
    """Return the player whom `collector` targets."""
    in_turn_order = [rival for rival in table.rivals(seat) if rival in options]
    return max(in_turn_order, key=lambda rival: (len(table.own(rival)), len(table.hand(rival))))


def guild_hit(table: Table, seat: int) -> Guild:
    """Return the guild that an Assassin or Rogue of `collector` hits."""
    guilds = table.rival_guilds(seat)
    victim = target(table, seat, {guild.seat for guild in guilds})
    return min(table.own(victim), key=lambda guild: len(table.cards[guild.place]))


def guild_copied(table: Table) -> Guild:
    """Return the guild that a Witch of `collector` copies."""
    return min(table.copyable(), key=table.kind)
