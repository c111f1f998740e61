"""What `mend` says before and while players are tuned."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import typer

from analysis.data.results import Verdict
from equipoise.api.following import Stages
from equipoise.retuning import retune_all, say_by_habit, span
from simcore.running.batch import Spec
from strategies.tuning.retune import How, Retuned


@dataclass
class Tuning:
    """The tuning of players in a search for a mended game."""

    spec: Spec  # the game as it is
    how: How  # budget and threads of each tuning
    stages: Stages  # the bars of progress, which are closed before something is said
    quiet: bool  # whether to say nothing

    def agree(self, allow: Callable[[float], None], seconds: float, tuning: float) -> None:
        """Say how long the tuning takes, and ask `allow` whether the search may take so long."""
        allow(seconds)
        if tuning and not self.quiet:
            self.stages.close()
            told = f"Players are tuned for each change: at most {span(tuning)}. --habit answers without it."
            typer.echo(told, err=True)

    def say(self, answer: Verdict) -> None:
        """Say the answer by habit."""
        if not self.quiet:
            self.stages.close()
            say_by_habit(self.spec, [answer])

    def tune(self, specs: Sequence[Spec], number: int) -> tuple[Sequence[Spec], tuple[Retuned, ...]]:
        """Return runs with players who are tuned for their rules, and these players."""
        self.stages.close()
        return retune_all(specs, replace(self.how, number=number), self.quiet)
