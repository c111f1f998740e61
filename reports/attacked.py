"""What is known about the players of a page: by how much attackers beat them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from analysis.attacks import Attack, judge, strongest_known
from analysis.data.results import Inputs
from reports.words import Words
from simcore.game import load_game
from simcore.homes import known_games


def _attacks_on(played: Inputs) -> Iterator[Attack]:
    """Yield the strongest known attack on every player of a table, in every role."""
    if played.game not in known_games():
        return
    for role in load_game(played.game).roles:
        for name in dict.fromkeys(played.strategies[seat] for seat in role.at(played.players)):
            found = strongest_known(played.game, played.players, role.name, name)
            if found and name not in played.namesakes:
                yield found


def attacked_sentences(words: Words, tables: Iterable[Inputs]) -> Sequence[str]:
    """Return what is known about the players of some tables, a sentence for each attack."""
    return list(
        dict.fromkeys(
            words.verdict(said)
            for table in tables
            for one in _attacks_on(table)
            for said in judge(one, one.rules_digest == table.rules_digest)
        )
    )
