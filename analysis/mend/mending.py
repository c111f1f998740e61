"""Find changes of the rules that mend a game, judge them on fresh deals, and say what they do to everything else."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import polars as pl

from analysis.compare.result import drawn
from analysis.cost import seconds_a_game
from analysis.data.declarations import load_declarations
from analysis.data.edits import Edits
from analysis.data.player_notes import untuned_notes, weak_notes
from analysis.data.results import Note, Verdict
from analysis.data.sameness import require_contest
from analysis.data.sources import SpecSource
from analysis.data.threads import usual_threads
from analysis.mend.result import (
    CHANGE_TYPES,
    MEETS,
    OPEN,
    Ahead,
    Mend,
    Played,
    Ranking,
    Variant,
    by_habit,
    change_row,
    edit_rows,
    frontier,
    judge,
    lines_of,
    moved,
    variants_of,
)
from analysis.mend.search import (
    FRESH,
    LEVEL,
    RACE,
    SEARCH,
    SURELY,
    VARIANTS,
    Effort,
    Search,
    Surrogate,
    fair_prices,
    promised,
)
from analysis.mend.targets import (
    BLOCKS,
    NOTHING,
    GameTrials,
    Line,
    Retune,
    Seen,
    Tick,
    Who,
    distances,
    in_use,
    measure,
    read_lines,
)
from analysis.seats.agreement import agreement, counterpart
from analysis.seats.levels import SEARCH as AHEAD
from analysis.seats.levels import are_usual, looks_ahead, searched_games
from analysis.seats.looks import Looks, play_to
from analysis.seats.shares import some_unwon, won_in
from analysis.stats.intervals import check_level
from analysis.stats.margin import Margin
from analysis.sweep.sweeping import CAMPS, SEATS
from simcore.rules.levers import Lever
from simcore.running.batch import Spec
from simcore.running.executors import execute
from strategies.habit import habits
from strategies.kit import load_kit
from strategies.skill import players_of
from strategies.spec import make_spec
from strategies.tuning.retune import TUNINGS, Retuned

UNWON = 1_000
"""Number of deals, or those of one point, from which a search sees whether somebody wins every game."""

# --- What players who look ahead say to the best changes of a search, before it says that they mend the game ---


@dataclass(frozen=True)
class Asking:
    """Asks players who look ahead whether all seats, or camps, are fair with a change."""

    trials: GameTrials  # what was played by experts
    margin: Margin  # distance from par that counts as fair
    level: float  # confidence level of all answers together
    tick: Tick  # shows progress

    @classmethod
    def of(cls, trials: GameTrials, targets: Sequence[str], margin: Margin, level: float, tick: Tick) -> Asking | None:
        """Return whom to ask; None if the game has nobody, others than its experts search, or something else is asked.

        Without tuning, a search is to be quick.
        """
        spec = trials.specs[0]
        somebody = looks_ahead(spec.game.name) and load_kit(spec.game.name).searched[0] and not spec.judged.is_payoff
        fair = len(targets) == 1 and targets[0] in (SEATS, CAMPS)
        if trials.tune and somebody and fair and are_usual(spec.game.name, spec.strategies):
            return cls(trials, margin, level, tick)
        return None

    @property
    def seconds(self) -> float:
        """About how long one change takes at most."""
        specs = [self._seated(spec) for spec in self.trials.specs]
        return sum(spec.games * seconds_a_game(spec) for spec in specs) / (self.trials.threads or usual_threads())

    def ask(self, changes: Sequence[Played]) -> list[Ahead | None]:
        """Return what they say to each change that is to be printed."""
        each = 1 - (1 - self.level) / max(len(changes) * len(self.trials.specs), 1)
        return [self._ask(seen, each, at, len(changes)) for at, (seen, _) in enumerate(changes)]

    def _ask(self, seen: Seen, level: float, number: int, of: int) -> Ahead:
        """Return what they say to a change, at the number of players where they deny it most."""
        answers = []
        for at, spec in enumerate(self.trials.specs_at(seen.point, FRESH, 1, variant=seen.variant)):
            seated = self._seated(spec)
            first = number * len(self.trials.specs) + at
            goal = Looks.up_to(seated.games, _fair(seated), self.margin, level)
            total = of * len(self.trials.specs) * seated.games

            def tick(games: int, done: int = first * seated.games, total: int = total) -> None:
                self.tick("games of players who look ahead", done + games, total)

            tally = play_to(seated, goal, self.trials.threads, tick)
            assert goal.given is not None
            answer = agreement(goal.given, counterpart(goal.given, goal.judge(seated, tally)))
            answers.append(Ahead(spec.players, goal.given, answer, tally.games))
        return max(answers, key=lambda one: one.place)

    def _seated(self, spec: Spec) -> Spec:
        """Return a run of players who look ahead by the rules, and with the seed, of another run."""
        name, who = spec.game.name, players_of(spec.game.name, AHEAD)
        seated = who if len(who) > 1 else [*who.values()]
        return make_spec(name, spec.players, seated, spec.rules, (), spec.seed, "rotate", searched_games(name))


def _fair(spec: Spec) -> Verdict:
    """Return the verdict that all seats, or camps, are fair, which is about the first of them."""
    first = {"camp": next(iter(spec.game.camp_titles.values()))} if spec.camps else {"seat": 1}
    return Verdict("seats_fair", "fair", first)


def with_answers(
    ranking: Ranking, fresh: Sequence[Played], asking: Asking | None
) -> tuple[list[Played], list[Ahead | None]]:
    """Return changes and what players who look ahead say to them; what they deny comes after others that are as good.

    Only changes that can be printed are worth their time.
    """
    good = [pair for pair in fresh if ranking.target(pair[0]) in (MEETS, OPEN)] if asking else []
    answers: list[Ahead | None] = asking.ask(good) if asking else []
    pairs = list(zip(fresh, [*answers, *[None] * (len(fresh) - len(good))], strict=True))
    place = (MEETS, OPEN).index
    pairs[: len(good)] = sorted(
        pairs[: len(good)], key=lambda one: (place(ranking.target(one[0][0])), one[1].place if one[1] else 0)
    )
    return [change for change, _ in pairs], [answer for _, answer in pairs]


# --- Find changes of the rules that mend a game, judge them on fresh deals, and say what they do to everything else ---


# --- Does the first change mend the game, or do the players who know it only open differently? ---


def opening_notes(
    trials: GameTrials, before: Seen, first: Seen, who: Who, change: Edits, level: float
) -> Iterator[Note]:
    """Yield a note at each number of players where nothing is mended if all openings are drawn at random.

    trials: What was played.
    before, first: The rules as they are, and with the first change.
    who: The players who know the change; see `GameTrials.see`.
    change: The first change.
    level: Confidence level.
    """
    deals = before.deals
    for at, spec in enumerate(trials.specs):

        def runs(seen: Seen, players: Who, at: int = at, games: int = deals * spec.games_per_deal) -> list[Spec]:
            return [trials.specs_at(seen.point, FRESH, games, one, variant=seen.variant)[at] for one in players or (0,)]

        found = drawn(runs(before, ()), runs(first, who), level, trials.threads)
        if found is None:
            continue
        apart = found.distances
        if apart["change_high"] is None or apart["change_high"] >= 0:
            seats = {"seats": tuple(map(str, found.seats)), "count": len(found.seats)}
            ends = {name: apart[name] for name in ("before", "after", "after_low", "after_high")}
            values = {"change": change, "players": spec.players, **seats, **ends}
            yield Note(f"mend_opening_{apart['kind']}s", values)


# Find changes of the rules that mend a game, judge them on fresh deals, and say what they do to everything else.


HARDLY = 0.1
"""A change that takes away less than this part of the distance from the target hardly helps."""

LEAST_APART = 0.0005
"""Smallest difference among players, as a share of all wins, that a note mentions."""

Agree = Callable[[float, float, float], None]
"""Called with the seconds that a search will take, those of them for tuning, and those for asking players who look
ahead after it; raises an error if it takes too long."""


def mend(
    specs: Sequence[Spec],
    levers: Sequence[Lever],
    targets: Sequence[str],
    margin: Margin,
    keep: Sequence[str] = (),
    tune: Retune | None = None,
    effort: Effort | None = None,
    level: float = 0.95,
    threads: int | None = None,
    tick: Tick = lambda what, done, total: None,
    agree: Agree = lambda seconds, tuning, asking: None,
    tuning: float = 0.0,
    say: Callable[[Verdict], None] = lambda verdict: None,
) -> Mend:
    """Return the smallest changes that mend a game.

    Parameters
    ----------
    specs
        The game as it is, at each number of players; one change has to mend it at all of them.  All random numbers
        depend on the seed of the first.
    levers
        What may change; see `simcore.rules.levers.find_levers`.
    targets, margin, keep
        What a mended game looks like; see `analysis.mend.targets.read_lines`.
    tune
        Function that tunes players for a change.  If None, they play by habit.
    effort
        How much to play.
    level
        Confidence level.
    threads
        Number of threads.  If None, one for each processor.
    tick
        Function that shows progress.
    agree
        Function that is called with the time that the search will take, and its parts.
    tuning
        Approximate number of games that one tuning plays; if negative, the number of seconds that it takes.
    say
        Function that is called with the answer by habit before players are tuned.

    Raises
    ------
    UsageError
        If a target is unknown, no lever changes any game or, unless measures are the targets, all win or lose together.
    """
    check_level(level)
    effort = effort or Effort()
    declared = load_declarations(specs[0].game.name)
    counts = [spec.players for spec in specs]
    lines = [line for spec in specs for line in _lines(spec, targets, keep, margin, effort.games, threads)]
    planned, done = effort.planned(levers) * len(specs), 0

    def hear(games: int) -> None:
        nonlocal done
        done = min(done + games, planned)
        tick("games", done, planned)

    trials = GameTrials(specs, levers, lines, tune, threads, hear)
    search = Search(trials, levers, lines, effort, specs[0].seed % 2**31, level)
    asking = Asking.of(trials, targets, margin, level, tick)
    began = time.perf_counter()
    search.settle()
    if trials.played:
        each = (time.perf_counter() - began) / trials.played
        learning = tune is not None and _learns(trials, search)
        tunings = len(specs) * effort.tunings * learning
        waiting = tunings * (-tuning if tuning < 0 else each * tuning)
        agree(each * planned + waiting, waiting, effort.finalists * asking.seconds if asking else 0.0)
    search.trace()
    survey = search.survey()
    variants = variants_of(specs, levers)
    if tune is not None and (answer := _by_habit(search, survey, variants, counts, level, specs[0].judged.unit)):
        say(answer)
    picture, here, who = search.learned(survey)
    promising = search.race(picture, who)
    ideas = search.others(survey, promising[0]) if promising else []
    drastic = search.unkept(survey)
    smaller = search.fewer(survey, picture, who, search.touched(promising[0])) if promising else []
    points = [point for point in (*promising, *smaller, *ideas, drastic) if point not in (None, search.base)]
    judged = search.polish(search.judge(list(dict.fromkeys(points))), picture)
    games = SURELY * effort.games
    before = trials.see(search.base, FRESH, games, ())
    played = [(trials.see(one.point, FRESH, games, known), known) for one, known in judged]
    played += [(trials.see(search.base, FRESH, games, known, name), known) for name, known in _known(search, variants)]
    ranking = Ranking(search, variants, len(played), level, played)
    played = [pair for pair in played if ranking.gone(before, pair[0]) >= HARDLY] or played
    played = ranking.settled(played, games)
    fresh, ahead = with_answers(ranking, ranking.ranked(played)[: effort.finalists], asking)
    habit = [trials.see(one.point, FRESH, games, (), one.variant) if known else one for one, known in fresh]
    ranks = list(enumerate(zip(fresh, habit, strict=True), 1))
    rows = pl.DataFrame(
        [row for rank, ((seen, _), plain) in ranks for row in lines_of(ranking, rank, before, plain, seen)]
    )
    per_deal = specs[0].games_per_deal
    changes = pl.DataFrame(
        [
            change_row(ranking, rank, seen, counts, seen.deals * per_deal, ahead[rank - 1])
            for rank, ((seen, _), _) in ranks
        ],
        schema_overrides=CHANGE_TYPES,
    )
    edits = pl.DataFrame(
        [row for rank, ((seen, _), _) in ranks for row in edit_rows(ranking, rank, seen)],
        schema_overrides={"players": pl.Int64},
    )
    prices = pl.DataFrame()
    if declared.seat_coins and len(specs) == 1:
        prices = fair_prices(levers, search.lines, picture, here, declared.seat_coins, counts[0], level)
    elsewhere = moved(trials, before, fresh, games, level, tick)
    games, inputs = trials.played + trials.kept, SpecSource(specs[0]).inputs(specs[0].games, before.deals, 0)
    target = ", ".join([*targets, *(f"{name} kept" for name in keep if name != NOTHING)])
    notes = [
        *_unwon(search.lines, specs, effort.games, trials.threads),
        *_warnings(trials, fresh),
        *(untuned_notes(specs[0]) if tune else ()),
        *_tuned(trials.retuned),
        *_apart(ranking, fresh),
    ]
    if trials.kept:
        notes.append(Note("mend_kept", {"games": trials.kept, "total": trials.kept + trials.played}))
    found = Mend(
        inputs=(replace(inputs, games=games, planned=games),),
        level=level,
        table=rows,
        verdicts=(),
        notes=tuple(notes),
        changes=changes,
        edits=edits,
        curves=search.table_of_curves,
        frontier=frontier(ranking, [before, *(one for one, _ in played)], counts),
        prices=prices,
        moved=elsewhere,
        counts=tuple(counts),
        target=target,
        best=tuple({own: trials.rules(one.point, own, one.variant) for own in counts} for one, _ in fresh),
        retuned=tuple(trials.retuned),
        unit=specs[0].judged.unit,
        ahead=tuple(ahead),
    )
    first = ranking.edits(fresh[0][0]) if fresh else Edits()
    if fresh and changes["left"][0] is not None:
        found = replace(found, notes=(*opening_notes(trials, before, *fresh[0], first, level), *found.notes))
    apart = max((ranking.between(before, own)["left"] or 0.0 for own in counts), default=0.0)
    hardly = bool(fresh) and ranking.gone(before, fresh[0][0]) < HARDLY
    already = ranking.already(ranking.settled([(before, ())], SURELY * effort.games)[0][0])
    return replace(found, verdicts=judge(found, first, apart, search.curves, already, hardly))


def _unwon(lines: Sequence[Line], specs: Sequence[Spec], most: int, threads: int | None) -> Iterator[Note]:
    """Yield a note if nobody wins some games by the rules as they are, and seats or camps are wanted at par."""
    if any(line.par for line in lines):
        deals = min(UNWON, -(-most // specs[0].games_per_deal))
        some = (replace(spec, games=deals * spec.games_per_deal) for spec in specs)
        won = min(won_in(execute(spec, threads or usual_threads()).tally) for spec in some)
        if some_unwon(won, specs[0].judged):
            yield Note("mend_unwon", {"share": 1 - won})


def _lines(
    spec: Spec, targets: Sequence[str], keep: Sequence[str], margin: Margin, games: int, threads: int | None
) -> tuple[Line, ...]:
    """Return the targets and what is kept, without what is hardly used; the kernels are compiled on the way."""
    declared = load_declarations(spec.game.name)
    lines = read_lines(spec, targets, keep, margin, declared.uses)
    if any(line.kind != "measure" and not line.kept for line in lines):
        require_contest([spec])
    some = replace(spec, games=-(-games // (BLOCKS * spec.games_per_deal)) * BLOCKS * spec.games_per_deal)
    return in_use(lines, measure(some, lines, threads)[0].mean(axis=0))


def _by_habit(
    search: Search, survey: Surrogate, variants: dict[str, Variant], counts: Sequence[int], level: float, unit: str
) -> Verdict | None:
    """Return the answer with the players as they are: the change that the survey promises.

    None if the target is not about all seats or camps.
    """
    games = SURELY * search.effort.games
    wish = promised(survey, search.levers, search.lines) or search.base
    ranking = Ranking(search, variants, 1, level)
    before, after = (search.trials.see(point, LEVEL, games, ()) for point in (search.base, wish))
    left = [[ranking.between(one, own)["left"] for own in counts] for one in (before, after)]
    found = [max((apart for apart in some if apart is not None), default=None) for some in left]
    if found[0] is None or found[1] is None:
        return None
    error = float(before.error.max())
    camps = any(line.kind == "camp" for line in search.lines)
    return by_habit(ranking.edits(after), found[0], found[1], error, unit, camps)


def _known(search: Search, variants: dict[str, Variant]) -> list[tuple[str, tuple[int, ...]]]:
    """Return the rule sets closest to the target with the players as they are, and the players who know each."""

    def far(name: str) -> float:
        seen = search.trials.see(search.base, RACE, 2 * search.effort.games, (), name)
        away = distances(search.lines, seen.mean)
        return float(max(one for one, line in zip(away, search.lines, strict=True) if not line.kept))

    now, found = far(""), {name: far(name) for name in variants}
    close = [name for name in sorted(found, key=lambda name: found[name]) if found[name] < now][:VARIANTS]
    tuned = {name: [search.trials.learn(search.base, number, name) for number in range(TUNINGS)] for name in close}
    return [(name, tuple(one for one in some if one)) for name, some in tuned.items()]


def _learns(trials: GameTrials, search: Search) -> bool:
    """Return whether some player would play changed rules by habit, and therefore has to learn them."""
    first = search.levers[0]
    point = (first.low if first.down else first.high, *search.base[1:])
    return any(habits(spec) for spec in trials.specs_at(point, SEARCH, 1))


def _apart(ranking: Ranking, fresh: Sequence[Played]) -> list[Note]:
    """Return how much the players who know the best change differ in a wanted share."""
    for seen, who in fresh[:1]:
        shares = [line.is_share and not line.kept for line in ranking.lines]
        if seen.apart is not None and len(who) > 1 and any(shares):
            most = float(seen.apart[shares].max())
            values = {"players": len(who), "most": most, "change": ranking.edits(seen)}
            return [Note("mend_apart", values)] if most >= LEAST_APART else []
    return []


def _tuned(retuned: Sequence[Retuned]) -> list[Note]:
    """Return how often and for how long players were tuned, whether that was enough, and who is kept from before."""
    if not retuned:
        return []
    names = tuple(dict.fromkeys(player.old for player in retuned))
    hardly = sum(player.hardly for player in retuned)
    values = {"strategies": names, "count": len(retuned), "hardly": hardly}
    values["generations"] = min(player.generations for player in retuned)
    found = [Note("mend_tuned_hardly" if hardly else "mend_tuned", values)]
    again = sum(player.again for player in retuned)
    return [*found, Note("tuned_again", {"count": again, "of": len(retuned)})] if again else found


def _warnings(trials: GameTrials, fresh: Sequence[Played]) -> list[Note]:
    """Return warnings if the best changes were judged by weak players, or by players who do not know them."""
    specs = [spec for seen, _ in fresh for spec in trials.specs_at(seen.point, FRESH, 1, variant=seen.variant)]
    weak = list(dict.fromkeys(note for spec in specs for note in weak_notes(spec)))
    if any(who for _, who in fresh):
        return weak
    found = [habit for spec in specs for habit in habits(spec)]
    names = tuple(dict.fromkeys(one.strategy for one in found))
    return [*weak, *([Note("mend_habit", {"strategies": names})] if found else [])]
