"""What the lab plays: the rules in force, the printed rules as their ghost, and players who look ahead when all rests.

Nothing here knows the browser.  A thread plays in small steps; a change makes it turn to the new rules at once, and
what was played is kept.  Players who look ahead have a thread of their own, as their kernels may have to be compiled.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from analysis.course.finding import findable
from analysis.data.declarations import require_wins
from analysis.live import MOST, Watched
from analysis.stats.margin import FAIR, Margin
from equipoise.api.casting import cast
from equipoise.lab.knobs import Knob, Knobs
from equipoise.lab.teaching import Taught, Teacher
from equipoise.lab.views import OTHERS, TAUGHT, Picture, View
from reports.study.study import words_of
from reports.words import Words
from simcore.errors import KernelFault, UsageError, bug
from simcore.game import load_game
from simcore.homes import GAMES
from simcore.rules.files import Rules, Settings, load_rules
from simcore.running.batch import Spec
from strategies.kit import EXPERTS, load_kit
from strategies.skill import skills_of
from strategies.spec import DEFAULT_DESIGN, DEFAULT_GAMES, Players, assemble_spec, load_players, seats_of
from strategies.tuning.retune import steps

SEARCH = "search"
RESTED = 2.0
"""Seconds without a change after which players who look ahead play as well."""

QUICK, SLOW = 0.02, 0.04
"""Seconds; a step that took less is followed by a larger one, and one that took more by a smaller one.  A change waits
for the end of a step."""

FIRST, LARGEST = 64, 4_096
"""Deals of the first step, and of the largest one."""

KEPT = 200
"""Number of rule sets whose results are kept."""

PATIENCE = 1.0
"""Seconds that a step gets to end with the lab; nobody waits for a compiler."""


class Session:
    """Rules that a designer turns, and the games that answer.

    game: Name of the game.
    rules: The printed rules: a shipped name, or the path of a file.
    players, skill: Who plays at first.
    settings: Changes at first, as in `eq.simulate`.
    seed, threads: Seed of the deals, and number of threads.
    lang: Language of the titles.
    margin: Distance from par that still counts as fair.
    Raises UsageError if the game, the rules, the players or the changes cannot be used.
    """

    def __init__(
        self,
        game: str = GAMES[0],
        rules: str = "base",
        players: int | None = None,
        skill: str = EXPERTS,
        settings: Settings = None,
        seed: int = 1,
        threads: int | None = None,
        lang: str = "en",
        margin: Margin = FAIR,
    ) -> None:
        self.game = load_game(game)
        require_wins(self.game, "the lab")
        self.reference, self.printed = rules, load_rules(self.game, rules)
        self.seed, self.threads, self.margin = seed, threads, margin
        self.words: Words = words_of(game, self.printed, Words(lang))
        self._knobs: dict[int, Knobs] = {}
        self._players: dict[str, Players] = {}
        self._kept: OrderedDict[tuple[object, ...], Watched] = OrderedDict()
        self._moved = threading.Condition()
        self._changed, self._paused, self._closed, self._seen = 0.0, False, False, True
        self.teacher = Teacher(threads, self._rest, self._again)
        self._history, self._at = [self._checked(View((), players or self.game.default_players, skill))], 0
        if settings:
            self._history = [self._checked(replace(self.view, settings=self._turned(settings)))]
        self._picture = Picture(self.view)
        self._threads = [
            threading.Thread(target=self._work, args=(play,), daemon=True) for play in (self._play, self._look_ahead)
        ]
        for thread in self._threads:
            thread.start()

    @property
    def view(self) -> View:
        """What is asked at present."""
        return self._history[self._at]

    @property
    def picture(self) -> Picture:
        """What is known at present; never of other rules than those in force."""
        return self._picture

    @property
    def knobs(self) -> Knobs:
        """What can be turned with the present number of players."""
        return self._of(self.view.players)

    def _of(self, players: int) -> Knobs:
        if players not in self._knobs:
            self._knobs[players] = Knobs(self.game, self.printed, players, self.words)
        return self._knobs[players]

    def _turned(self, settings: Settings) -> tuple[tuple[str, str], ...]:
        """Return changes as values of single knobs."""
        changed, most = load_rules(self.game, self.printed, settings), self.game.players[-1]
        values = {knob.key: knob.printed for knob in Knobs(self.game, changed, most, self.words).all}
        found = tuple((key, value) for key, value in values.items() if value != self.knob(key).printed)
        made = load_rules(self.game, self.printed, [f"{key}={value}" for key, value in found])
        if made.digest != changed.digest:
            raise UsageError("only single numbers, switches and choices can be turned; name a rules file", "set")
        return found

    @property
    def skills(self) -> tuple[str, ...]:
        """Levels of skill that the game has players for."""
        return skills_of(self.game.name)

    @property
    def rules(self) -> Rules:
        """The rules in force."""
        return load_rules(self.game, self.printed, self.view.changes)

    @property
    def spec(self) -> Spec:
        """Who plays the rules in force, and how."""
        return self._spec(self.view, self.teacher.who(self.view))

    @property
    def finds(self) -> tuple[str, ...]:
        """What can be looked for among games by the rules in force."""
        return findable(self._spec(self.view))

    def value(self, key: str) -> str:
        """Return the value of a key in force, as settings write it."""
        return dict(self.view.settings).get(key) or self.knob(key).printed

    def knob(self, key: str) -> Knob:
        """Return the knob of a key, also of a seat that is not in play; raise `UsageError` if there is none."""
        return self._of(self.game.players[-1]).find(key)

    def turn(self, key: str, value: str) -> None:
        """Change one value; raise `UsageError` and change nothing if the rules do not allow it."""
        settings = {name: old for name, old in self.view.settings if name != key}
        if value != self.knob(key).printed:
            settings[key] = value
        self.ask(replace(self.view, settings=tuple(settings.items())))

    def restore(self, players: str, skill: str, changes: Sequence[str]) -> None:
        """Show what an address says; raise `UsageError` and change nothing if it cannot be played."""
        count = int(players) if players.isdigit() else self.view.players
        self.ask(View(self._turned(tuple(changes)), count, skill or self.view.skill))

    def ask(self, view: View) -> None:
        """Show something else; raise `UsageError` and change nothing if it cannot be played."""
        if view == self.view:
            return
        checked = self._checked(view)
        self._history[self._at + 1 :] = [checked]
        self._go(self._at + 1)

    def undo(self) -> None:
        """Go back by one change, if there is one."""
        if self.can_undo:
            self._go(self._at - 1)

    def redo(self) -> None:
        """Go forward again by one change, if there is one."""
        if self.can_redo:
            self._go(self._at + 1)

    @property
    def can_undo(self) -> bool:
        """Whether there is a change to undo."""
        return self._at > 0

    @property
    def can_redo(self) -> bool:
        """Whether a change was undone."""
        return self._at + 1 < len(self._history)

    def reset(self) -> None:
        """Return to the printed rules."""
        self.ask(replace(self.view, settings=()))

    def teach(self) -> None:
        """Teach the players the rules in force, in the background."""
        self.teacher.teach(self.view, self._spec(self.view))

    @property
    def paused(self) -> bool:
        """Whether nothing is played until `play_on`."""
        return self._paused

    def pause(self) -> None:
        """Play nothing until `play_on`."""
        with self._moved:
            self._paused = True
            self._moved.notify_all()

    def play_on(self) -> None:
        """Play again."""
        with self._moved:
            self._paused = False
            self._moved.notify_all()

    def show_to(self, somebody: bool) -> None:
        """Say whether somebody looks; while nobody does, only the first games of each rule set are played."""
        with self._moved:
            self._seen = somebody
            self._moved.notify_all()

    def close(self) -> None:
        """Stop playing and teaching, and wait a moment for the end of both."""
        with self._moved:
            self._closed = True
            self._moved.notify_all()
        self.teacher.cancel()
        until = time.monotonic() + PATIENCE
        for thread in filter(None, (*self._threads, self.teacher.thread)):
            thread.join(max(until - time.monotonic(), 0))

    def _checked(self, view: View) -> View:
        """Return a view that can be played, as far as can be known without compiling anything."""
        if view.skill not in self.skills:
            raise UsageError(f"no players for '{view.skill}'; {self.game.title} has {', '.join(self.skills)}", "skill")
        self.game.pack(load_rules(self.game, self.printed, view.changes).values, seats_of(self.game, view.players))
        return view

    def _spec(self, view: View, taught: Taught | None = None) -> Spec:
        """Return what is played by those who were taught or, without them, by the players of the page's skill."""
        if view.skill not in self._players:
            self._players[view.skill] = load_players(self.game, cast(self.game.name, (), view.skill))
        players = taught.players if taught else self._players[view.skill]
        rules = load_rules(self.game, self.printed, view.changes)
        return assemble_spec(self.game, view.players, players, rules, self.seed, DEFAULT_DESIGN, DEFAULT_GAMES)

    def _go(self, at: int) -> None:
        with self._moved:
            self._at, self._changed = at, time.monotonic()
            self._picture = Picture(self.view)
            self._moved.notify_all()

    def _again(self) -> None:
        """Play what is asked with other players, or say what has become of them."""
        with self._moved:
            self._history[self._at] = replace(self.view)
            self._picture = replace(self._picture, view=self.view, busy=True)
            self._moved.notify_all()

    def _rest(self) -> None:
        """Wait until something may be played."""
        with self._moved:
            self._moved.wait_for(lambda: self._closed or not self._paused)

    def _await_eyes(self, view: View) -> None:
        """Wait until somebody looks at a view, or something else is asked."""
        with self._moved:
            self._moved.wait_for(lambda: self._seen or not self._goes_on(view))

    def _goes_on(self, view: View) -> bool:
        """Return whether a view is still what is asked."""
        return view is self.view and not (self._closed or self._paused)

    def _work(self, play: Callable[[View], None]) -> None:
        """Play what is asked, and wait until something else is asked."""
        done: View | None = None
        while not self._closed:
            view = self.view
            if view is not done and not self._paused:
                try:
                    play(view)
                except (UsageError, KernelFault) as error:
                    self._show(view, fault=str(error), busy=False)
                except Exception as error:  # nobody would notice the end of this thread
                    self._show(view, fault=bug("these rules cannot be played", error), busy=False)
                done = view if self._goes_on(view) else None
            with self._moved:
                if self._paused or done is self.view:
                    self._moved.wait()

    def _play(self, view: View) -> None:
        """Play the rules in force and, on the same deals, the printed rules."""
        printed = self._watched(replace(view, settings=()))
        now = self._watched(view, printed) if view.settings else printed
        knowledge = self.teacher.knowledge(view, now.spec)
        untaught = self._spec(view) if knowledge in (TAUGHT, OTHERS) else now.spec
        known = {"knowledge": knowledge, "teachable": bool(view.settings and steps(untaught))}

        def tell() -> None:
            self._show(view, now=now.seen(margin=self.margin), printed=printed.seen(margin=self.margin), **known)

        self._steps(view, now, tell)
        if self._goes_on(view):
            self._show(view, busy=False)

    def _look_ahead(self, view: View) -> None:
        """Play the rules in force among players who look ahead, once nothing has changed for a while."""
        if view.skill == SEARCH or SEARCH not in self.skills:
            return
        while self._goes_on(view) and (left := self._changed + RESTED - time.monotonic()) > 0:
            time.sleep(min(left, QUICK))
        self._await_eyes(view)
        if self._goes_on(view):
            now = self._watched(replace(view, skill=SEARCH))
            self._steps(view, now, lambda: self._show(view, ahead=now.seen(margin=self.margin)))

    def _steps(self, view: View, now: Watched, tell: Callable[[], None]) -> None:
        """Play more and more deals, and tell what each step has shown."""
        size = 1 if now.spec.searches else FIRST
        if now.deals:
            tell()
        while not now.complete and self._goes_on(view):
            began = time.perf_counter()
            now.step(size, self.threads)
            took = time.perf_counter() - began
            size = min(2 * size, LARGEST) if took < QUICK else max(size // 2, 1) if took > SLOW else size
            tell()
            self._await_eyes(view)

    def _show(self, view: View, **known: Any) -> None:
        with self._moved:
            if view is self.view:
                self._picture = replace(self._picture, **known)

    def _watched(self, view: View, printed: Watched | None = None) -> Watched:
        """Return what was played of some rules.

        What was played before is kept; the oldest is forgotten when there is too much.
        """
        taught = self.teacher.who(view)
        key = view.players, view.skill, frozenset(view.settings), taught and taught.view
        with self._moved:
            found = self._kept.get(key)
        if found is None:
            spec = self._spec(view, taught)
            found = Watched(spec, printed, load_kit(self.game.name).searched[0] if spec.searches else MOST)
        with self._moved:
            self._kept[key] = found
            self._kept.move_to_end(key)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return found
