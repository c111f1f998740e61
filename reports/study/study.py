"""What a report is about: its runs, what is asked of them, and what the analyses answered."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar, cast

import polars as pl

from analysis.data.declarations import Declarations, load_declarations
from analysis.data.source import Source
from analysis.data.sources import played, source_of
from analysis.runs import Run
from analysis.seats.levels import are_usual, peers_of
from analysis.stats.intervals import check_level
from analysis.stats.margin import FAIR, Margin
from reports.portable import names_of
from reports.words import ENGLISH, Words
from simcore.errors import Damaged, UsageError
from simcore.game import Game, load_game
from simcore.rules.files import Rules, Settings
from simcore.running.batch import MAX_SEED, Spec
from strategies.kit import EXPERTS, SKILLS, load_kit
from strategies.library import load_strategy, quick_strategies, shipped_strategies
from strategies.skill import SIMPLE, ladder, players_of, quick_searchers, rungs, skills_of, weak
from strategies.spec import make_spec

# --- The runs that are needed to answer every question about a game, for users who have no run yet ---


OFFSETS = (0, 1, 3, 7, 12, 20)
"""Places of a company in the list of strategies; their differences are all distinct, so that most pairs meet."""

DETAIL = "full"


@dataclass(frozen=True)
class Planned:
    """One run that is to be played."""

    name: str  # name of its folder
    spec: Spec  # what is played
    detail: str  # level of detail of its table
    experts: str = ""  # name of the run whose verdict it answers, looking again and again; empty if it does not
    most: int = 0  # number of games at the last look, if that verdict is a tilt; otherwise, that of the specification


Company = tuple[str, ...] | dict[str, tuple[str, ...]]
"""Who sits at a table: a strategy for each seat or, in a game with roles, strategies by role."""


def place(source: Source) -> int:
    """Return a run's place on the ladder, from 0 (that of its best role); the ladder's height if it is not on it."""
    game, height = source.spec.game, len(rungs(source.spec.game.name))
    found = []
    for role, name in source.spec.cast:
        names = ladder(game.name, role.name)
        hasty = name not in names and name == quick_searchers(game.name).get(role.name)
        found.append(len(names) - 1 if hasty else names.index(name) if name in names else height)
    return max(found)


def companies(game: str, players: int) -> list[Company]:
    """Return tables of different strategies so that most pairs meet, without weak and slow strategies.

    In a game with roles, each table mixes the strategies of one role, and default strategies play the others.
    """
    found = load_game(game)
    names = sorted(set(quick_strategies(found)) - {weak(game)[0]})
    if not found.asymmetric:
        if len(names) <= players:
            return []
        steps = list(dict.fromkeys(step % len(names) for step in (*OFFSETS, *range(len(names)))))[:players]
        return [tuple(names[(first + step) % len(names)] for step in steps) for first in range(len(names))]
    kit, tables = load_kit(game), []
    usual = {role: (kit.default_of(role),) for role in found.role_names}
    for role in found.roles:
        own = [name for name in names if load_strategy(found, name).role in ("", role.name)]
        seats = len(role.at(players))
        if min(len(own), seats) < 2:
            continue
        for first in range(len(own) if len(own) > seats else 1):
            mixed = tuple(own[(first + seat) % len(own)] for seat in range(seats))
            tables.append(usual | {role.name: mixed})
    return list(tables)


def plan(
    game: str,
    games: int,
    rules: str | Path | Rules = "base",
    settings: Settings = None,
    seed: int = 1,
    quick: bool = False,
    players: Sequence[int] = (),
    asking: bool = False,
) -> list[Planned]:
    """Return the runs: the ladder of skill at every number of players, and companies of strategies at the usual number.

    The ladder has all its rungs at the usual number only; elsewhere it has the lowest two, the experts, and the players
    who look ahead, who play as many games as the game declares, or fewer if their answer is known earlier.  A full
    report also has the players who are nearly as strong as the experts.
    If the usual number is not among those that are wanted, the largest of these takes its place.
    Each company has a seed of its own, so that no two of them play the same deals.

    game: Name of the game.
    games: Number of games of each run; companies share this number.
    rules, settings, seed: As for `strategies.spec.make_spec`.
    quick: Whether to play only the ladder, with fewer games of players who look ahead; at the usual number of players
        if `players` is empty.
    players: Numbers of players.  If empty, all numbers that the game allows.
    asking: Whether players who look ahead play as many games in a quick report as in a full one.
    Raises UsageError if the game is not for one of the numbers of players, or something else cannot be used.
    """
    found = load_game(game)
    for number in players:
        if number not in found.players:
            raise UsageError(f"{found.title} is for {found.span}, not {number}", "players")
    counts = sorted(set(players)) or ([found.default_players] if quick else found.players)
    usual = found.default_players if found.default_players in counts else counts[-1]
    kit, runs = load_kit(game), list[Planned]()
    strongest = players_of(game, SKILLS[-1]) if SKILLS[-1] in skills_of(game) else None
    tables = [] if quick else companies(game, usual)
    for number, company in enumerate(tables, 1):
        each = max(games // len(tables), usual)
        own = (seed + number) % (MAX_SEED + 1)  # strengths take the companies' deals for independent
        spec = make_spec(game, usual, company, rules, settings, own, "rotate", each)
        runs.append(Planned(f"company-{number:02d}", spec, "standard"))
    for count in counts:
        for rung in rungs(game):
            top = rung == players_of(game, EXPERTS)
            seated = rung if found.asymmetric else list(rung.values())
            spec, most = make_spec(game, count, seated, rules, settings, seed, "rotate", games), 0
            if spec.searches:
                hasty = quick and not asking
                if hasty and rung == strongest:
                    rung = quick_searchers(game)
                    seated = rung if found.asymmetric else list(rung.values())
                    spec = make_spec(game, count, seated, rules, settings, seed, "rotate", games)
                spec = replace(spec, games=min(games, kit.searched[hasty]))
                most = spec.games if hasty else min(games, max(kit.most, spec.games))
            elif not (count == usual or top or rung in rungs(game)[:SIMPLE]):
                continue
            if not spec.games:
                continue
            deep = count == usual or top  # these are asked for every column, so that their games are not played again
            if top and not quick:
                for peer in peers_of(game, count, spec.rules.digest):
                    one = make_spec(game, count, peer, rules, settings, seed, "rotate", games)
                    runs.append(Planned(f"{count}p-{peer}", one, "standard"))
            names = ["-".join(dict.fromkeys(one.values())) for one in (rung, players_of(game, EXPERTS))]
            label, judge = (f"{count}p-{name}" for name in names)
            runs.append(Planned(label, spec, DETAIL if deep else "standard", judge if most else "", most))
    return runs


# --- What a report is about: its runs, what is asked of them, and what the analyses answered ---


R = TypeVar("R")

JUDGED = 25_000
"""Deals that are replayed to judge cards, if the user does not say how many."""

REPLAYED = 100_000
"""Games that are played again to see every column."""

TOLD = 20_000
"""Games that are played again to see their events."""

MAX_RUNS = 40


@dataclass(frozen=True)
class Thresholds:
    """The margin, the level and the number of deals of a report."""

    margin: Margin = FAIR  # distance from par that counts as fair
    level: float = 0.95  # confidence level of the intervals
    deals: int | None = None
    """Number of deals that the counterfactual plays.  If None, as many as the run has, 25,000 at most."""

    def __post_init__(self) -> None:
        check_level(self.level)


@dataclass(eq=False)
class Study:
    """Some runs of one game."""

    runs: tuple[Run, ...]
    """For each number of players, weaker players first; runs of players on the game's ladder are sorted.  See `focus`.
    """
    thresholds: Thresholds = field(default_factory=Thresholds)  # what counts as fair, and how certain the answers are
    words: Words = ENGLISH  # language of the report
    tick: Callable[[int, int, str], None] | None = None
    """Called from time to time with the number of sections that are done, that of all sections, and what is under way.
    """
    quick: bool = False  # whether only seats, skill and cards are asked about
    tell: Callable[[str], None] | None = None
    """Called with the first sentence of the answer, long before the rest is known."""

    def __post_init__(self) -> None:
        if not self.runs:
            raise UsageError("no runs; give a run folder, or name a game to have its runs simulated")
        if len(self.runs) > MAX_RUNS:
            raise UsageError(f"report: {len(self.runs)} runs; one page can show at most {MAX_RUNS}")
        games = list(dict.fromkeys(run.manifest.game for run in self.runs))
        if len(games) > 1:
            raise UsageError(f"report: runs of {' and '.join(games)}; a report is about one game, make one for each")
        self._done, self._sections, self._about = 0, 1, ""
        self._results: dict[str, Any] = {}
        self.failures: dict[str, UsageError] = {}
        known = words_of(self.game.name, self.runs[0].described.rules, self.words)
        self.words = known.naming(names_of(run.folder for run in self.runs))

    @cached_property
    def sources(self) -> tuple[Source, ...]:
        """The runs, ready to be read."""
        return tuple(source_of(run) for run in self.runs)

    @cached_property
    def game(self) -> Game:
        """The game."""
        return load_game(self.runs[0].manifest.game)

    @cached_property
    def commands(self) -> tuple[str, ...]:
        """The words of the commands that played the runs, among which their files are."""
        return tuple(dict.fromkeys(word for run in self.runs for word in run.manifest.command))

    @property
    def declarations(self) -> Declarations:
        """What the game declares about its columns."""
        return load_declarations(self.game.name)

    @cached_property
    def players(self) -> tuple[int, ...]:
        """Numbers of players, fewest first."""
        return tuple(sorted({source.players for source in self.sources}))

    @cached_property
    def focus(self) -> Source:
        """The run that answers single questions: the one of `strongest` with the game's usual number of players."""
        by_players = {source.players: source for source in self.strongest}
        return by_players.get(self.game.default_players, self.strongest[-1])

    @cached_property
    def deep(self) -> Source:
        """The focus with every column: the run itself, or its first games played again."""
        if self.focus.detail == "full" or not self.focus.playable:
            return self.focus
        return played(self.focus, min(self.focus.planned, REPLAYED), keeps=True)

    @cached_property
    def eventful(self) -> Source:
        """The focus with its events: the run itself, or its first games played again."""
        return with_events(self.focus, keeps=True)

    @property
    def rich(self) -> Source:
        """The focus, or `deep` if the focus lacks columns."""
        return self.deep if self.focus.detail == "minimal" else self.focus

    @property
    def deals(self) -> int:
        """Deals that the counterfactual plays."""
        return self.thresholds.deals or max(min(JUDGED, self.focus.planned // self.focus.spec.games_per_deal), 1)

    @cached_property
    def strongest(self) -> tuple[Source, ...]:
        """The last run on the ladder for each number of players, fewest first.

        Players who look ahead are left out if there are others: they are too slow for all the questions.
        """
        found = []
        for players in self.players:
            runs = self.ladder(players)
            found.append(next((run for run in reversed(runs) if not run.spec.searches), runs[-1]))
        return tuple(found)

    @cached_property
    def peers(self) -> tuple[Source, ...]:
        """The runs of players who are nearly as strong as the experts, beside a run of these by the same rules."""
        alike = [one for one in self.sources if not one.mixed]
        judged = {(one.players, one.spec.rules.digest) for one in alike if are_usual(self.game.name, one.strategies)}
        return tuple(
            one
            for one in alike
            if (one.players, one.spec.rules.digest) in judged
            and set(one.strategies) <= set(peers_of(self.game.name, one.players, one.spec.rules.digest))
        )

    def ladder(self, players: int) -> tuple[Source, ...]:
        """Return the runs with a number of players, weakest first: those of equal players if there are any.

        Of players who are nearly equally strong, only the experts stand on it.
        """
        found = [source for source in self.sources if source.players == players and source not in self.peers]
        return by_skill([source for source in found if not source.mixed] or found)

    def rungs(self, players: int) -> tuple[Source, ...]:
        """Return the runs of equal players under the rules of the focus: the last one for each level of skill."""
        digest = self.focus.spec.rules.digest
        runs = [run for run in self.ladder(players) if not run.mixed and run.spec.rules.digest == digest]
        return tuple({run.spec.lineup_record.tobytes(): run for run in runs}.values())

    def versions(self, players: int) -> tuple[Source, ...]:
        """Return the runs of the strongest players, which differ in something else, such as the rules."""
        runs = self.ladder(players)
        top = next(run for run in self.strongest if run.players == players)
        return tuple(run for run in runs if run.spec.lineup_record.tobytes() == top.spec.lineup_record.tobytes())

    @cached_property
    def labels(self) -> dict[str, str]:
        """The name of each run, by its source's label."""
        return dict(zip((source.label for source in self.sources), self.names(self.sources), strict=True))

    def names_of(self, source: Source) -> str:
        """Return the name of the players of a run."""
        return self.words.joined([self.words.name(name) for name in source.strategies])

    @cached_property
    def levels(self) -> tuple[str, ...]:
        """The names of the players of all levels of skill, weakest first."""
        most = max((self.rungs(players) for players in self.players), key=len)
        return tuple(dict.fromkeys(self.names_of(source) for source in most))

    def names(self, sources: Sequence[Source]) -> list[str]:
        """Return short names that distinguish some runs."""
        parts = [self._parts(source) for source in sources]
        telling = [number for number in range(len(parts[0])) if len({part[number] for part in parts}) > 1] or [1]
        printed = self.words("lab.printed")
        found = [", ".join(part[number] for number in telling if part[number]) or printed for part in parts]
        return found if len(set(found)) == len(found) else [f"{name} ({at})" for at, name in enumerate(found, 1)]

    def _parts(self, source: Source) -> tuple[str, ...]:
        rules = source.spec.rules
        return (
            self.words("players.number", players=source.players),
            self.names_of(source),
            "" if rules.name == "base" else rules.name,
            ", ".join(rules.settings),
        )

    def begin(self, done: int, sections: int, about: str) -> None:
        """Report how many sections of all are done, and which one is next."""
        self._done, self._sections, self._about = done, sections, about
        self.advance(0.0)

    def advance(self, share: float) -> None:
        """Report how far the present section is, from 0 to 1."""
        if self.tick is not None:
            self.tick(self._done, self._sections, f"{self._about}, {share:.0%}" if share else self._about)

    def ask(self, name: str, question: Callable[[], R]) -> R | None:
        """Return what an analysis answers; if it cannot answer, return None, and `failures` says why."""
        if name not in self._results:
            try:
                self._results[name] = question()
            except Damaged:
                raise
            except UsageError as error:
                self._results[name] = None
                self.failures[name] = error
        return cast("R | None", self._results[name])

    def found(self, name: str) -> Any:
        """Return the answer of an analysis that was asked before; None if it was not asked or gave no answer."""
        return self._results.get(name)

    @property
    def answered(self) -> bool:
        """Whether any analysis gave an answer so far."""
        return any(result is not None for result in self._results.values())


def with_events(source: Source, keeps: bool = False) -> Source:
    """Return a run that has the table of events, or the first games of another run, to be played again.

    `keeps` is that of `analysis.data.sources.SpecSource`.
    """
    if source.has_events or not source.playable:
        return source
    return played(source, min(source.planned, TOLD), keeps)


def game_titles(game: str, rules: Any, lang: str) -> dict[str, str]:
    """Return the names that a game gives to its things, in a language."""
    declared = load_declarations(game)
    named = (declared.cards and declared.cards.titles, declared.titles)
    found = [names(rules) for names in named if names]
    return {key: title[lang] for titles in found for key, title in titles.items()}


def words_of(game: str, rules: Rules, words: Words) -> Words:
    """Return words that contain a game's names for its things, its roles, its camps and its strategies."""
    known = words.of_game(game).naming(game_titles(game, rules.values, words.lang))
    return known.naming(_role_titles(load_game(game), known) | _strategy_titles(load_game(game), known))


def _role_titles(game: Game, words: Words) -> dict[str, str]:
    """Return the names of a game's roles and camps, by name and by title; nothing in a game without roles."""
    if not game.asymmetric:
        return {}
    titles = game.camp_titles | {role.name: role.title for role in game.roles}
    said = {name: words.known(name) or title for name, title in titles.items()}
    return said | {title: said[name] for name, title in titles.items()}


def _strategy_titles(game: Game, words: Words) -> dict[str, str]:
    """Return the names of the strategies that come with a game, translated if the language has a name for them."""
    return {name: words.known(name) or load_strategy(game, name).title.lower() for name in shipped_strategies(game)}


def by_skill(sources: Sequence[Source]) -> tuple[Source, ...]:
    """Return runs of one game, weakest players first, as far as they are on the game's ladder.

    Players who are too weak come first; the others on the ladder are sorted among themselves, and all other runs keep
    their places.
    """
    if not sources:
        return ()
    game = sources[0].spec.game.name
    height, low = len(rungs(game)), weak(game)
    places = {id(source): place(source) for source in sources}

    def at(source: Source) -> int:
        return places[id(source)]

    weakest = [source for source in sources if set(source.strategies) <= set(low)]
    others = [source for source in sources if source not in weakest]
    known = iter(sorted((source for source in others if at(source) < height), key=at))
    return (*sorted(weakest, key=at), *(next(known) if at(run) < height else run for run in others))


def labelled(frames: Sequence[tuple[str, pl.DataFrame]], column: str = "run") -> pl.DataFrame:
    """Stack frames, each with its label."""
    return pl.concat([frame.select(pl.lit(label).alias(column), pl.all()) for label, frame in frames], how="diagonal")
