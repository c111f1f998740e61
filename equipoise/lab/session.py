"""What the lab plays: the rules in force, the printed rules as their ghost, and players who look ahead when all rests.

Nothing here knows the browser.  A thread plays in small steps; a change makes it turn to the new rules at once, and
what was played is kept.  Players who look ahead have a thread of their own, as their kernels may have to be compiled.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from analysis.course.finding import findable
from analysis.data.declarations import load_declarations, require_wins
from analysis.live import MOST, Seen, Watched
from analysis.seats.levels import SEARCH, searched_games
from analysis.seats.looks import answerable, answered
from analysis.stats.margin import FAIR, Margin
from equipoise.questions.asked import cast
from equipoise.retuning import find_how
from reports.study.study import words_of
from reports.words import Words, title
from simcore.errors import KernelFault, UsageError, bug
from simcore.game import Game, load_game
from simcore.homes import GAMES
from simcore.rules.files import Rules, Settings, load_rules
from simcore.rules.levers import find_levers, rule_keys, whole_numbers
from simcore.running.batch import Spec
from strategies.habit import habits
from strategies.kit import EXPERTS, load_kit
from strategies.library import load_strategy
from strategies.model import Strategy
from strategies.skill import skills_of
from strategies.spec import DEFAULT_DESIGN, DEFAULT_GAMES, Players, assemble_spec, load_players, seats_of
from strategies.tuning.retune import GENERATIONS, How, Retuned, budget_of_each, retune, steps

# --- What is asked of the lab, and what is known about it at a moment ---


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


# --- What a designer can turn: every value of the rules, those first that the game declares as levers ---


ON, OFF = "true", "false"


@dataclass(frozen=True)
class Knob:
    """One value of the rules."""

    key: str  # tables and key, joined by dots; the entries of a list are counted from 1
    title: str  # what the game calls it
    printed: str  # its printed value, as settings write it
    kind: str  # "number", "switch" or "choice"
    choices: tuple[str, ...] = ()  # the texts that a "choice" accepts
    lever: bool = False  # whether the game declares it as one that may be changed

    def matches(self, text: str) -> bool:
        """Return whether all words of a search are in its key or its title."""
        return all(word in f"{self.key} {self.title}".lower() for word in text.lower().split())


class Knobs:
    """All knobs of some rules for a number of players, levers first.

    game, rules, players: What is played; `rules` are the printed ones.
    words: The language, with the game's own words.
    """

    def __init__(self, game: Game, rules: Rules, players: int, words: Words) -> None:
        self.game, self.rules, self.players, self.words = game, rules, players, words

    @cached_property
    def all(self) -> tuple[Knob, ...]:
        """Every knob: levers first, then the others in the order of the rule file."""
        levers = self._levers
        numbers = whole_numbers(self.game, self.rules, self.players)
        found = [self._number(key, value, key in levers) for key, value in numbers]
        found += [
            Knob(one.key, title(self.words, one.key), one.value, "choice", one.choices)
            for one in rule_keys(self.game, self.rules)
            if one.choices and isinstance(one.value, str)
        ]
        order = list(levers)
        return tuple(sorted(found, key=lambda knob: order.index(knob.key) if knob.lever else len(order)))

    @cached_property
    def _levers(self) -> dict[str, tuple[int, int, int]]:
        """The range of each lever that the game declares."""
        declared = load_declarations(self.game.name).levers
        try:
            found = find_levers(self.game, self.rules, (self.players,), (), declared) if declared else ()
        except UsageError:  # rules under which some lever has no other value
            return {}
        return {one.key: (one.low, one.high, one.step) for one in found}

    def _number(self, key: str, value: int, lever: bool) -> Knob:
        if isinstance(value, bool):
            return Knob(key, title(self.words, key), ON if value else OFF, "switch", (OFF, ON), lever)
        return Knob(key, title(self.words, key), str(value), "number", (), lever)

    def span(self, knob: Knob) -> tuple[int, int, int]:
        """Return the least and the largest value of a slider, and its step.

        The range is the one that the game declares or, for other numbers, from 0 to twice the printed value as far as
        the rules allow it; a number field takes what lies beyond.
        """
        if knob.key in self._levers:
            return self._levers[knob.key]
        if knob.key not in self._spans:
            try:
                (lever,) = find_levers(self.game, self.rules, (self.players,), (knob.key,))
                self._spans[knob.key] = lever.low, lever.high, lever.step
            except UsageError:  # the rules allow no other value
                self._spans[knob.key] = int(knob.printed), int(knob.printed), 1
        return self._spans[knob.key]

    @cached_property
    def _spans(self) -> dict[str, tuple[int, int, int]]:
        return {}

    def find(self, key: str) -> Knob:
        """Return the knob of a key; raise `UsageError` if there is none."""
        for knob in self.all:
            if knob.key == key:
                return knob
        raise UsageError(f"no rule '{key}' that can be turned", "set")


def text_of(value: Any) -> str:
    """Return a value as settings write it."""
    if isinstance(value, bool):
        return ON if value else OFF
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


# --- Players who are taught the rules in force: tuned in the background, as `--retune` tunes them ---


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
        how = find_how(GENERATIONS, self.threads)
        self.lesson = Lesson(view, steps(spec) * (budget_of_each(spec, how.budget).generations or 0))
        self.thread = threading.Thread(target=self._teach, args=(self.lesson, spec, how), daemon=True)
        self.thread.start()

    def cancel(self) -> None:
        """End the tuning after the generation that is being played."""
        self._is_cancelled.set()

    def _teach(self, lesson: Lesson, spec: Spec, how: How) -> None:
        def tick(*_: object) -> None:
            assert self.lesson is not None
            self.lesson = replace(self.lesson, done=min(self.lesson.done + 1, lesson.total))
            self.rest()
            if self._is_cancelled.is_set():
                raise _Cancelled

        fault = ""
        with suppress(_Cancelled):
            try:
                _, found = retune(spec, how, tick)
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


# What the lab plays: the rules in force, the printed rules as their ghost, and players who look ahead when all rests.


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
        count = int(players) if players.isdecimal() else self.view.players
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
            self._players[view.skill] = load_players(self.game, cast(self.game, (), view.skill))
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
            self._steps(view, now, lambda: self._show(view, ahead=now.seen(margin=self.margin)), self._answered)

    def _answered(self) -> bool:
        """Return whether players who look ahead have answered a tilt, or have played enough where there is none."""
        now, ahead = self._picture.now, self._picture.ahead
        given = answerable(now.verdicts) if now is not None and now.deals else None
        if given is None or given.status != "tilted":
            return ahead is not None and ahead.games >= searched_games(self.game.name)
        return ahead is not None and answered(given, ahead.verdicts)

    def _steps(
        self, view: View, now: Watched, tell: Callable[[], None], enough: Callable[[], bool] = lambda: False
    ) -> None:
        """Play more and more deals until there are enough, and tell what each step has shown."""
        size = 1 if now.spec.searches else FIRST
        least = min(size, 8)
        if now.deals:
            tell()
        while not now.complete and self._goes_on(view) and not enough():
            began = time.perf_counter()
            now.step(size, self.threads)
            took = time.perf_counter() - began
            size = min(2 * size, LARGEST) if took < QUICK else max(size // 2, least) if took > SLOW else size
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
            found = Watched(spec, printed, load_kit(self.game.name).most if spec.searches else MOST)
        with self._moved:
            self._kept[key] = found
            self._kept.move_to_end(key)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return found
