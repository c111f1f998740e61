"""What is asked of the lab, and what is known about it at a moment."""

from __future__ import annotations

from dataclasses import dataclass

from analysis.live import Seen
from strategies.kit import EXPERTS

KNOWN, HABIT, TAUGHT, OTHERS = "known", "habit", "taught", "others"
"""What players know: these rules, if they know any; the printed rules only; these rules, by teaching; other rules."""


@dataclass(frozen=True)
class View:
    """What a page shows.

    Parameters
    ----------
    settings
        Changes from the printed rules.
    players
        Players at the table.
    skill
        How well they play.
    """

    settings: tuple[tuple[str, str], ...] = ()
    players: int = 0
    skill: str = EXPERTS

    @property
    def changes(self) -> list[str]:
        """The changes as settings write them."""
        return [f"{key}={value}" for key, value in self.settings]


@dataclass(frozen=True)
class Picture:
    """What is known at a moment.

    Parameters
    ----------
    view
        What was asked.
    now, printed
        The rules in force, and the printed rules; None before the first games.
    ahead
        The rules in force among players who look ahead; None before they play.
    busy
        Whether more games will come in.
    knowledge
        "known", "habit", "taught" or "others".
    teachable
        Whether they can be taught the rules in force.
    fault
        Why no games come in, or "".
    """

    view: View
    now: Seen | None = None
    printed: Seen | None = None
    ahead: Seen | None = None
    busy: bool = True
    knowledge: str = KNOWN
    teachable: bool = False
    fault: str = ""

    @property
    def state(self) -> str:
        """What goes on: "busy", "idle" or "fault"."""
        return "fault" if self.fault else "busy" if self.busy else "idle"
