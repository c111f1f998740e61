"""What players who look ahead say to the best changes of a search, before it says that they mend the game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from analysis.cost import seconds_a_game
from analysis.data.results import Verdict
from analysis.data.threads import usual_threads
from analysis.mend.result import MEETS, OPEN, Ahead, Played, Ranking
from analysis.mend.search import FRESH
from analysis.mend.targets import GameTrials, Seen, Tick
from analysis.seats.agreement import agreement, counterpart
from analysis.seats.levels import SEARCH, are_usual, looks_ahead, searched_games
from analysis.seats.looks import Looks, play_to
from analysis.stats.margin import Margin
from analysis.sweep.grid import CAMPS, SEATS
from simcore.running.batch import Spec
from strategies.kit import load_kit
from strategies.skill import players_of
from strategies.spec import make_spec


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
        name, who = spec.game.name, players_of(spec.game.name, SEARCH)
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
