"""Players who are taught the rules in force: tuned in the background, as `--retune` tunes them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace

from equipoise.lab.views import HABIT, KNOWN, OTHERS, TAUGHT, View
from equipoise.retuning import find_how
from simcore.errors import KernelFault, UsageError
from simcore.running.batch import Spec
from strategies.habit import habits
from strategies.library import load_strategy
from strategies.model import Strategy
from strategies.tuning.retune import GENERATIONS, Retuned, retune, steps


class _Cancelled(Exception):
    """Somebody does not want to wait for the end of a tuning."""


@dataclass(frozen=True)
class Taught:
    """Players who were taught a change."""

    view: View  # the rules, the number of players and the skill for which they were tuned
    players: dict[str, list[Strategy]]  # one strategy for each role
    hardly: bool  # whether they were still getting better at the end

    def fits(self, view: View) -> bool:
        """Return whether they were taught the rules of a view."""
        return set(self.view.settings) == set(view.settings)


@dataclass(frozen=True)
class Lesson:
    """A tuning."""

    view: View  # what it is for
    total: int
    done: int = 0
    """total, done: Number of generations, and how many are finished."""
    running: bool = True  # whether it goes on
    fault: str = ""  # why it failed, or ""


class Teacher:
    """Tunes players beside the games of the lab, one tuning at a time.

    threads: Number of threads that play.
    rest: Called after each generation; returns when the tuning may go on.
    taught: Called when players were taught.

    lesson : Lesson or None: The tuning that goes on, or the last one.
    """

    def __init__(self, threads: int | None, rest: Callable[[], None], taught: Callable[[], None]) -> None:
        self.threads, self.rest, self.taught = threads, rest, taught
        self.lesson: Lesson | None = None
        self._known: list[Taught] = []
        self._is_cancelled = threading.Event()
        self.thread: threading.Thread | None = None  # the tuning; None before the first

    @property
    def running(self) -> bool:
        """Whether a tuning goes on."""
        return self.lesson is not None and self.lesson.running

    def who(self, view: View) -> Taught | None:
        """Return who plays a view: those who were taught its rules, else those who were taught last, if any."""
        alike = [one for one in self._known if (one.view.players, one.view.skill) == (view.players, view.skill)]
        if not view.settings or not alike:
            return None
        return next((one for one in alike if one.fits(view)), alike[-1])

    def knowledge(self, view: View, spec: Spec) -> str:
        """Return what the players of a view know."""
        if (taught := self.who(view)) is not None:
            return TAUGHT if taught.fits(view) else OTHERS
        return HABIT if any(one.generations is None for one in habits(spec)) else KNOWN

    def teach(self, view: View, spec: Spec) -> None:
        """Begin to tune the players of a run, unless a tuning goes on or nobody can be tuned.

        view: What they are taught.
        spec: The run, with the players who know the printed rules.
        """
        if self.running or not steps(spec):
            return
        self._is_cancelled.clear()
        self.lesson = Lesson(view, steps(spec) * GENERATIONS)
        self.thread = threading.Thread(target=self._teach, args=(self.lesson, spec), daemon=True)
        self.thread.start()

    def cancel(self) -> None:
        """End the tuning after the generation that is being played."""
        self._is_cancelled.set()

    def _teach(self, lesson: Lesson, spec: Spec) -> None:
        def tick(*_: object) -> None:
            assert self.lesson is not None
            self.lesson = replace(self.lesson, done=min(self.lesson.done + 1, lesson.total))
            self.rest()
            if self._is_cancelled.is_set():
                raise _Cancelled

        fault = ""
        with suppress(_Cancelled):
            try:
                _, found = retune(spec, find_how(GENERATIONS, self.threads), tick)
                self._known.append(Taught(lesson.view, _seated(spec, found), any(one.hardly for one in found)))
            except (UsageError, KernelFault, OSError) as error:
                fault = str(error)
        self.lesson = replace(self.lesson or lesson, running=False, fault=fault)
        self.taught()


def _seated(spec: Spec, found: tuple[Retuned, ...]) -> dict[str, list[Strategy]]:
    """Return the players of each role: those who were tuned, and the others as they were."""
    tuned = {one.old: one.strategy for one in found}
    reference = dict(zip(spec.strategies, spec.references, strict=True))
    return {role.name: [tuned.get(name) or load_strategy(spec.game, reference[name])] for role, name in spec.cast}
