"""What is asked of the lab, and what is known about it at a moment."""

from __future__ import annotations

from dataclasses import dataclass

from analysis.live import Seen
from strategies.kit import EXPERTS

KNOWN, HABIT, TAUGHT, OTHERS = "known", "habit", "taught", "others"
"""What players know: these rules, if they know any; the printed rules only; these rules, by teaching; other rules."""


@dataclass(frozen=True)
class View:
    """What a page shows."""

    settings: tuple[tuple[str, str], ...] = ()  # changes from the printed rules
    players: int = 0  # players at the table
    skill: str = EXPERTS  # how well they play

    @property
    def changes(self) -> list[str]:
        """The changes as settings write them."""
        return [f"{key}={value}" for key, value in self.settings]


@dataclass(frozen=True)
class Picture:
    """What is known at a moment."""

    view: View  # what was asked
    now: Seen | None = None
    printed: Seen | None = None
    """now, printed: The rules in force, and the printed rules; None before the first games."""
    ahead: Seen | None = None  # the rules in force among players who look ahead; None before they play
    busy: bool = True  # whether more games will come in
    knowledge: str = KNOWN  # "known", "habit", "taught" or "others"
    teachable: bool = False  # whether they can be taught the rules in force
    fault: str = ""  # why no games come in, or ""

    @property
    def state(self) -> str:
        """What goes on: "busy", "idle" or "fault"."""
        return "fault" if self.fault else "busy" if self.busy else "idle"
