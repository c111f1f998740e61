"""The result of playing a run."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analysis.data.player_notes import player_notes
from analysis.pictured import Pictured
from analysis.seats.shares import Estimate, camp_shares, seat_shares, strategy_shares
from analysis.seats.verdicts import judge_totals
from analysis.stats.margin import FAIR, OF_STAKE
from equipoise.api.notebook import shown
from simcore.errors import UsageError
from simcore.judged import Judged
from simcore.running.batch import Spec
from strategies.habit import habits
from strategies.skill import weak_players

if TYPE_CHECKING:
    import polars as pl

    from analysis.precision import Found
    from analysis.runs import Run
    from reports.figures.base import Figure
    from simcore.running.executors import Result
    from strategies.tuning.retune import Retuned


@dataclass(frozen=True, eq=False)
class Simulation(Pictured):
    """The result of playing a run; tables are polars frames."""

    spec: Spec  # what was played
    result: Result  # totals and digest
    seconds: float  # how long it took
    folder: Path | str | None  # the run folder, or its URL in an object store; None if no table was written
    retuned: tuple[Retuned, ...] | None = None
    """Players that were tuned for these rules first; None if the caller did not ask for that."""

    @property
    def seats(self) -> pl.DataFrame:
        """Each seat's share of the wins, with interval, par and mean score; one row for each seat."""
        return _frame(self.to_dict()["seats"])

    @property
    def by_strategy(self) -> pl.DataFrame:
        """Each strategy's share of the wins, with interval, par and mean score; one row for each strategy."""
        return _frame(self.to_dict()["by_strategy"])

    @property
    def camps(self) -> pl.DataFrame:
        """Each camp's share of the wins, with interval and par; empty if the game has no camps."""
        return _frame(self.to_dict().get("camps", []))

    @property
    def measures(self) -> pl.DataFrame:
        """What else the run was played to a precision of, such as scores, with intervals; empty if nothing."""
        return _frame(self.to_dict().get("measures", []))

    @property
    def verdicts(self) -> list[str]:
        """The conclusions as sentences, most important first."""
        from reports.words import ENGLISH

        words = ENGLISH.of_game(self.spec.game.name)
        return [words.verdict(verdict) for verdict in judge_totals(self.spec, self.result.tally)]

    @property
    def warnings(self) -> list[str]:
        """Sentences on strategies that are too weak for verdicts, or that were tuned for rules other than these."""
        from reports.words import ENGLISH

        return [ENGLISH.of_game(self.spec.game.name).note(note) for note in player_notes(self.spec)]

    @property
    def run(self) -> Run:
        """The run folder, opened to read its table; raises `UsageError` if none was written."""
        from analysis.runs import load

        if self.folder is None:
            raise UsageError("no table was written; simulate with out=True, or name a folder", "out")
        if isinstance(self.folder, str):
            raise UsageError(f"{self.folder} is in an object store; copy it to this machine to read it", "out")
        return load(self.folder)

    @property
    def measured(self) -> list[Found]:
        """What `measures` is made from."""
        if self.result.totals.more is None:
            return []
        from analysis.precision import measured

        return measured(self.result.totals)

    def figures(self, lang: str = "en") -> dict[str, Figure]:
        """Return the figure of the seats by its name."""
        from reports.figures.seats import SeatAdvantage
        from reports.study.study import words_of
        from reports.words import Words

        words = words_of(self.spec.game.name, self.spec.rules, Words(lang))
        who = words.listed(list(dict.fromkeys(map(words.name, self.spec.strategies))))
        shares = seat_shares(self.spec, self.result.tally)
        return {"seats": SeatAdvantage.of_shares({who: shares}, words=words)}

    def to_dict(self) -> dict[str, Any]:
        """Return everything that `simulate --json` prints; values that are undefined are None."""
        spec, tally = self.spec, self.result.tally
        shares = seat_shares(spec, tally)
        measures = [_measure(found) for found in self.measured]
        camps = [_plain(estimate, spec.judged) for estimate in camp_shares(spec, tally).estimates]
        return {
            "game": spec.game.name,
            "players": spec.players,
            "rules": spec.rules.name,
            "rules_digest": spec.rules.digest,
            "settings": list(spec.rules.settings),
            "strategies": list(spec.strategies),
            "weak": list(weak_players(spec)),
            "habits": [habit.to_dict() for habit in habits(spec)],
            "design": spec.design,
            "seed": spec.seed,
            "games": spec.games,
            "deals": shares.deals,
            **({"camps": camps} if camps else {}),
            "seats": [_plain(estimate, spec.judged) for estimate in shares.estimates],
            "by_strategy": [_plain(estimate, spec.judged) for estimate in strategy_shares(spec, tally).estimates],
            **({"measures": measures} if measures else {}),
            "level": shares.level,
            "margin": f"{OF_STAKE:.0%} of the stake" if spec.judged.is_payoff else str(FAIR),
            **({"unit": spec.judged.unit} if spec.judged.is_payoff else {}),
            "verdicts": [
                {"code": verdict.code, "status": verdict.status, "text": text}
                for verdict, text in zip(judge_totals(spec, tally), self.verdicts, strict=True)
            ],
            "seconds": round(self.seconds, 3),
            "digest": self.result.digest,
            "out": str(self.folder) if self.folder else None,
            **({} if self.retuned is None else {"retuned": [player.to_dict() for player in self.retuned]}),
        }

    def __repr__(self) -> str:
        return f"<Simulation of {self.spec}: {self.verdicts[0]}>"

    def _repr_html_(self) -> str:
        tables = [self.seats, *([self.by_strategy] if len(self.spec.cast) > len(self.spec.game.roles) else [])]
        return shown(repr(self.spec)[1:-1], [*self.verdicts, *self.warnings], tables)


def _frame(rows: list[dict[str, Any]]) -> pl.DataFrame:
    import polars as pl

    return pl.DataFrame(rows)


def _measure(found: Found) -> dict[str, Any]:
    values = {"name": found.name, "member": found.member, "value": found.value, "low": found.low, "high": found.high}
    return {key: None if isinstance(value, float) and math.isnan(value) else value for key, value in values.items()}


def _plain(estimate: Estimate, judged: Judged) -> dict[str, Any]:
    """Return an estimate as plain values; undefined values are None."""
    values: Mapping[str, Any] = {
        "name": estimate.name,
        **({"role": estimate.role} if estimate.role else {}),
        **({"camp": estimate.camp} if estimate.camp else {}),
        "payoff" if judged.is_payoff else "win_share": judged.amount(estimate.share),
        "low": judged.amount(estimate.low),
        "high": judged.amount(estimate.high),
        "par": judged.amount(estimate.par),
        **({} if judged.is_payoff else {"par_normalised": estimate.par_normalised}),
        "mean_score": estimate.score,
    }
    return {key: None if isinstance(value, float) and math.isnan(value) else value for key, value in values.items()}
