"""What players who look ahead say to a verdict, in words: every page, the terminal and JSON get it from here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from analysis.data.results import Inputs, Verdict
from analysis.precision import lasting
from analysis.seats.agreement import (
    FEW,
    OPPOSITE,
    OTHER,
    REFUTED,
    SAME,
    SEVERAL,
    TIMES,
    Agreement,
    agreement,
    counterpart,
)
from analysis.seats.levels import SEARCH, are_usual, looks_ahead, stored_level
from analysis.seats.looks import answerable
from reports.commands import asking_command
from reports.words import Words
from simcore.game import load_game
from simcore.homes import ELSEWHERE
from simcore.rules.files import Rules
from strategies.kit import EXPERTS
from strategies.library import shipped_strategies
from strategies.skill import lookers

if TYPE_CHECKING:
    from analysis.check.checking import Check

UNASKED, NOBODY, PLAYED, OPENINGS, LEVEL = "unasked", "nobody", "played", "openings", "level"
"""What is said where there is no agreement to speak of: nobody who looks ahead was asked; the game has no such players;
they are among the players of the verdict; drawn openings do not show the verdict, and nobody looked ahead, or only
after the same openings; the verdict is about one level of skill."""


@dataclass(frozen=True)
class Opinion(Agreement):
    """A second opinion on a verdict: an agreement, or one of the answers above."""

    games: int = 0  # number of games that it rests on
    command: str = ""  # what asks players who look ahead, if nobody did
    seconds: float = 0.0  # about how long that takes; 0 if unknown

    @property
    def doubts(self) -> bool:
        """Whether only the usual judge stands for the verdict."""
        return self.contradicts or self.says == OPENINGS

    @property
    def undoes(self) -> bool:
        """Whether the levels of play disagree so much that the answer is not known."""
        return self.says in (OPPOSITE, OTHER, REFUTED)

    def opens(self, words: Words, verdict: Verdict, who: str) -> str:
        """Return how the answer begins: "No, and players who look ahead agree"."""
        which = self._which(words, verdict)
        kind = "yes" if verdict.status == "fair" else "no"
        says = LEVEL if self.says in (UNASKED, PLAYED) or self.says.startswith(NOBODY) else self.says
        return words(f"answer.{kind}.{says}", who=who, games=self.games, which=which)

    def headline(self, words: Words, verdict: Verdict, who: str, players: int) -> str:
        """Return the answer where the levels disagree: what each of them says, in wins of a hundred games."""
        own, other = verdict.values, self.values
        kind = "_payoff" if "unit" in other else "" if other["par"] else "_points"
        scale = 1 if kind == "_payoff" else 100
        shown = {name: scale * own[name] if scale > 1 else own[name] for name in ("share", "par")}
        ends = ("share", "low", "high")
        others = {f"other_{name}": scale * other[name] if scale > 1 else other[name] for name in ends}
        named = str(own.get("seat", own.get("camp")))
        return words(
            f"answer.{OTHER if self.says == OTHER else OPPOSITE}{kind}",
            **shown,
            **others,
            unit=own.get("unit", ""),
            which=which_of(words, verdict, [named]),
            other=self._which(words, verdict),
            who=who,
            games=self.games,
            players=players,
        )

    def line(self, words: Words, verdict: Verdict | None, who: str) -> str:
        """Return which levels of play a verdict holds at."""
        if self.says == UNASKED:
            long = lasting(self.seconds) if self.seconds else ""
            return words(f"levels.{UNASKED}{'_timed' if long else ''}", command=self.command, long=long, who=who)
        says = "disagree" if self.undoes else self.says
        if says == SAME and verdict is not None:
            high = verdict.status != "fair" and verdict.values["share"] > verdict.values["par"]
            says = "same_fair" if verdict.status == "fair" else "same_high" if high else "same_low"
        return words(f"levels.{says}", who=who, games=self.games, which=self._which(words, verdict))

    def power(self, words: Words) -> str:
        """Return what too few games could have shown; "" if that is nothing worth telling."""
        chance = self.values.get("power") if self.says == FEW else None
        return "" if chance is None else words("answer.power", games=self.games, times=TIMES, power=chance)

    def _which(self, words: Words, verdict: Verdict | None) -> str:
        """Return which seat or camp stands out at the other level, or which of several; "" if there is none."""
        if self.says == SEVERAL:
            return which_of(words, verdict, self.values["which"])
        named = self.values.get("seat", self.values.get("camp"))
        return "" if named is None else which_of(words, self, [str(named)])


def which_of(words: Words, verdict: Any, names: Sequence[str]) -> str:
    """Return what to call one of some seats, or of some camps: "seat 1 or 2"."""
    first, last = [words.known(name) or name for name in names[:-1]], words.known(names[-1]) or names[-1]
    either = words("answer.or", first=words.listed(first), last=last) if first else last
    return words("answer.camp" if verdict is not None and "camp" in verdict.values else "answer.seat", name=either)


def others_of(game: str, strategies: Sequence[str]) -> set[str]:
    """Return the shipped strategies of a game that do not play at random, without some."""
    return set(shipped_strategies(load_game(game))) - {"random", *strategies}


def called(words: Words, inputs: Inputs) -> str:
    """Return what players are called in a sentence: experts where the game has others, and else by their names."""
    game, strategies = inputs.game, inputs.strategies
    shipped = game != ELSEWHERE and not inputs.namesakes
    if set(strategies) == {"random"} and not inputs.namesakes:
        return words("answer.random")
    if shipped and are_usual(game, strategies) and others_of(game, strategies):
        return words("answer.experts")
    return words.listed(list(dict.fromkeys(map(words.name, strategies))))


# --- Which levels of play a verdict holds at: by what is stored, or by who played ---


@dataclass(frozen=True)
class Heard:
    """A verdict of some players, and what players who look ahead say to it."""

    inputs: Inputs  # what the players of the verdict played
    verdict: Verdict | None  # None if the verdict is not one on seats or camps
    opinion: Opinion

    def who(self, words: Words) -> str:
        """Return what the players of the verdict are called."""
        return called(words, self.inputs)

    def line(self, words: Words) -> str:
        """Return which levels of play the verdict holds at."""
        return self.opinion.line(words, self.verdict, self.who(words))

    def sentence(self, words: Words, verdict: Verdict) -> tuple[str, str]:
        """Return a verdict of the page in words, and its status: if the levels disagree on it, both say theirs."""
        if verdict is self.verdict and self.opinion.undoes:
            return self.opinion.headline(words, verdict, self.who(words), self.inputs.players), "unclear"
        return words.verdict(verdict), verdict.status

    def to_dict(self, words: Words) -> dict[str, Any]:
        """Return this as plain values, for JSON."""
        one = self.opinion
        return {
            "players": self.inputs.players,
            "says": one.says,
            "text": self.line(words),
            "games": one.games,
            "command": one.command or None,
            "seconds": round(one.seconds, 1) or None,
        }


def heard(inputs: Inputs, rules: Rules | None, verdicts: Sequence[Verdict] = (), **asking: Any) -> Heard:
    """Return what players who look ahead say to the verdicts of a page, at one number of players.

    inputs: What the players of the verdicts played.
    rules: The rules that the verdicts are about; None if they are not known here.
    verdicts: The verdicts on seats or camps, most important first, if there are such; the first tilt is answered to, or
        else the first that says that all is fair.
    asking: How to ask them if nobody did; see `asking_command`.
    """
    verdict = answerable(verdicts)
    return Heard(inputs, verdict, _opinion(inputs, rules, verdict, asking))


def heard_limits(check: Check) -> tuple[Heard, ...]:
    """Return what players who look ahead say where a check holds seats to limits, at each number of players."""
    said = []
    for inputs in check.limited:
        assert check.rules is not None
        table = stored_level(inputs.game, inputs.players, EXPERTS, inputs.rules_digest)
        said.append(heard(inputs, check.rules, [] if table is None else [table.verdict()]))
    return tuple(said)


def _opinion(inputs: Inputs, rules: Rules | None, verdict: Verdict | None, asking: Mapping[str, Any]) -> Opinion:
    if inputs.game == ELSEWHERE:
        return Opinion(f"{NOBODY}_elsewhere")
    ahead = lookers(inputs.game)
    if inputs.searches or set(inputs.strategies) & set(ahead or ()):
        return Opinion(PLAYED)
    if rules is None or not (ahead or looks_ahead(inputs.game)):
        return Opinion(NOBODY if ahead is None else f"{NOBODY}_yet")
    if verdict is not None and are_usual(inputs.game, inputs.strategies) and not inputs.namesakes:
        table = stored_level(inputs.game, inputs.players, SEARCH, rules.digest)
        other = None if table is None else counterpart(verdict, [table.verdict(verdict)])
        if table is not None and other is not None and other.lines is not None:
            answer = agreement(verdict, other)
            return Opinion(answer.says, answer.values, table.games)
    return Opinion(UNASKED, {}, 0, *asking_command(rules, inputs.players, **asking))
