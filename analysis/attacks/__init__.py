"""How far a player can be exploited: the most that one of several attackers wins at a table of that player."""

from analysis.attacks.attackers import KINDS, Attacker, attackers_of, defenders_of
from analysis.attacks.known import Attack, known_attacks, strongest_known
from analysis.attacks.measuring import Attacks, attack, measure, verdict

__all__ = [
    "KINDS", "Attack", "Attacker", "Attacks", "attack", "attackers_of", "defenders_of", "known_attacks", "measure",
    "strongest_known", "verdict",
]  # fmt: skip
