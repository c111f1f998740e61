"""What is known about the players of a page: by how much attackers beat them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from analysis.attacks import Attack, strongest_known, verdict
from reports.words import Words
from simcore.game import load_game
from simcore.homes import known_games
from simcore.running.batch import Spec
from strategies.library import namesakes


@dataclass(frozen=True)
class Table:
    """Who plays at a table, and by which rules.

    Parameters
    ----------
    game, players, strategies
        As in a run's specification; one name for each seat.
    rules_digest
        Digest of the rules.
    namesakes
        Names of shipped strategies that others have here; nothing is known about those.
    """

    game: str
    players: int
    strategies: tuple[str, ...]
    rules_digest: str
    namesakes: tuple[str, ...] = ()

    def attacks(self) -> Iterator[Attack]:
        """Yield the strongest known attack on every player of the table, in every role."""
        if self.game not in known_games():
            return
        for role in load_game(self.game).roles:
            for name in dict.fromkeys(self.strategies[seat] for seat in role.at(self.players)):
                found = strongest_known(self.game, self.players, role.name, name)
                if found and name not in self.namesakes:
                    yield found


def table_of(spec: Spec) -> Table:
    """Return the table of a run."""
    other = namesakes(spec.game, spec.strategy_tables)
    return Table(spec.game.name, spec.players, tuple(spec.strategies), spec.rules.digest, other)


def attacked_facts(words: Words, tables: Iterable[Table]) -> tuple[tuple[str, str], ...]:
    """Return by how many points the strongest known attack beats the players of some tables; empty if it does not."""
    found = [(one, table) for table in tables for one in table.attacks() if one.low > one.usual]
    if not found:
        return ()
    worst, table = max(found, key=lambda pair: pair[0].points)
    printed = worst.rules_digest == table.rules_digest
    name = words("fact.attacked" if printed else "fact.attacked_printed")
    return ((name, words("fact.points", points=round(100 * worst.points))),)


def attacked_sentences(words: Words, tables: Iterable[Table]) -> Sequence[str]:
    """Return what is known about the players of some tables, a sentence for each attack."""
    return list(
        dict.fromkeys(
            words.verdict(verdict(one, one.rules_digest == table.rules_digest))
            for table in tables
            for one in table.attacks()
        )
    )
