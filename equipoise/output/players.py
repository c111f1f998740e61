"""The output of `tune` and `learn`: how strong the player is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import hypot
from pathlib import Path
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from analysis.data.results import Amount, digits_of
from equipoise.output.summary import print_whole

if TYPE_CHECKING:
    from analysis.seats.shares import Shares
    from equipoise.api.tuning import Learning, Tuning
    from simcore.running.batch import Spec
    from simcore.running.tally import Tally
    from strategies.learning import Made, Trial
    from strategies.model import Strategy
    from strategies.tuning import Plan, Tuned
    from strategies.tuning.search import Share

SEAT_GAMES = 20_000
"""Number of games to estimate what the seats win if all play the tuned strategy."""

START_GAMES = 60_000
"""Number of games to estimate what the starting strategy wins, in a game with roles, where that need not be par."""

SCORED = "Wins of one such player if all others play the strategy named, on deals that no candidate had played."
SCORED_BY_ROLE = (
    "Wins of a seat of the tuned role, on deals that no candidate had played: one such player among others of its "
    "role that play the strategy named, or the whole role against another role that plays it."
)


def ends(plan: Plan, opponent: Strategy, share: Share) -> tuple[float, float]:
    """Return the 95 % interval of a share, which also holds for a player who wins nearly all or nearly no games."""
    from analysis.stats.intervals import share_interval

    constant = NormalDist().inv_cdf(0.975)
    whole = opponent.role not in ("", plan.role.name)  # the role shares its wins among all its seats
    most = 1 / len(plan.role.at(share.players)) if whole else 1.0
    low, high = share_interval(share.mean / most, share.half_width / constant / most, share.deals, constant)
    return float(low) * most, float(high) * most


def gains(plan: Plan, share: Share, *values: float) -> Iterator[str]:
    """Yield shares as they are written: in percent or, in a game with a payoff, with the digits of their error."""
    from reports.words import ENGLISH

    judged = plan.judged(share.players)
    digits = digits_of(judged.distance(share.half_width) / 2)
    for value in values:
        yield ENGLISH.number(judged.amount(value), f"+.{digits}f") if judged.is_payoff else f"{value:.1%}"


def summary(plan: Plan, tuned: Tuned, out: Path) -> dict[str, Any]:
    """Return the result of a tuning, for JSON."""
    held = {role: [one.name for one in some] for role, some in plan.held.items()}
    return {
        "out": str(out),
        "game": plan.game.name,
        **({"role": plan.role.name, "held": held} if held else {}),
        "rules": plan.rules.name,
        "rules_digest": plan.rules.digest,
        "settings": list(plan.rules.settings),
        "seed": plan.seed,
        "generations": tuned.generations,
        "population": plan.population,
        "features": tuned.features,
        "champions": tuned.crowned,
        "finalist": tuned.finalist,
        "seconds": round(tuned.seconds, 1),
        "cpu_seconds": round(tuned.cpu_seconds, 1),
        "weights": dict(tuned.strategy.weights),
        **({"levers": {one.lever.key: one.to_dict() for one in tuned.strategy.levers}} if plan.levers else {}),
        "scores": [
            {
                "against": opponent.name,
                **({"role": opponent.role} if held else {}),
                "players": share.players,
                **_score(plan, opponent, share),
                "deals": share.deals,
            }
            for opponent, share in tuned.scores
        ],
        "conclusions": list(conclusions(plan, tuned, out)),
        "seats": [
            {"players": players, **_by_seat(plan, players, shares), "verdicts": texts}
            for players, shares, texts in seats(plan, tuned, out)
        ],
    }


def _score(plan: Plan, opponent: Strategy, share: Share) -> dict[str, Any]:
    """Return a held-out score, for JSON."""
    judged = plan.judged(share.players)
    low, high = (judged.amount(end) for end in ends(plan, opponent, share))
    if judged.is_payoff:
        par = judged.amount(share.par)
        return {"payoff": judged.amount(share.mean), "low": low, "high": high, "par": par, "unit": judged.unit}
    return {"win_share": share.mean, "low": low, "high": high, "of_par": share.of_par}


def conclusions(plan: Plan, tuned: Tuned, out: Path) -> Iterator[str]:
    """Yield a sentence if nothing better than the start was found; otherwise one for each number of players."""
    start = plan.start.name
    if tuned.finalist == "start":
        yield f"Nothing better than {start} was found: {out} plays as {start} does. A larger --budget may find more."
        return
    for opponent, share in tuned.scores:
        if opponent.name != start or opponent.role not in ("", plan.role.name):
            continue
        low, high = ends(plan, opponent, share)
        usual, width = _of_start(plan, share.players) if plan.held else (share.par, 0.0)
        mean, least, most, fair = gains(plan, share, share.mean, low, high, usual)
        there = f"a seat of {start} among copies of itself wins {fair}" if plan.held else f"par {fair}"
        payoff = plan.game.payoff
        won = f"gains {mean} {payoff.unit} a game" if payoff else f"wins {mean}"
        told = f"At {share.players} players it {won} if the others play {start} ({least} to {most}; {there})"
        lead, beyond = share.mean - usual, hypot(share.half_width, width)
        if abs(lead) <= beyond:
            yield f"{told}: it cannot be distinguished from {start}."
        else:
            yield f"{told}: it is {'stronger' if lead > 0 else 'weaker'} than {start}."


def _by_seat(plan: Plan, players: int, shares: Shares) -> dict[str, list[float]]:
    """Return what the seats win or gain, for JSON."""
    judged = plan.judged(players)
    return {"payoffs" if judged.is_payoff else "shares": [float(judged.amount(one.share)) for one in shares.estimates]}


def _played(plan: Plan, strategy: Strategy, players: int, games: int) -> tuple[Spec, Tally]:
    """Play games in which every seat of the role plays one strategy."""
    from simcore.running.executors import default_threads, execute
    from strategies.spec import assemble_spec

    seated = {role: list(some[:1]) for role, some in plan.held.items()} | {plan.role.name: [strategy]}
    spec = assemble_spec(plan.game, players, seated, plan.rules, plan.seed, "rotate", games)
    return spec, execute(spec, default_threads()).tally


def _of_start(plan: Plan, players: int) -> tuple[float, float]:
    """Return what a seat wins if its whole role plays the start, and the half-width of the 95 % interval."""
    from analysis.seats.shares import strategy_shares

    spec, tally = _played(plan, plan.start, players, START_GAMES)
    (found,) = (one for one in strategy_shares(spec, tally).estimates if one.role == plan.role.name)
    seats = len(plan.role.at(players))
    return found.share / seats, NormalDist().inv_cdf(0.975) * found.se / seats


def seats(plan: Plan, tuned: Tuned, out: Path) -> Iterator[tuple[int, Shares, tuple[str, ...]]]:
    """Yield what the seats win if the whole role plays the tuned strategy, and the verdicts on the seats."""
    from analysis.seats.shares import judge_totals, seat_shares
    from reports.words import ENGLISH

    named, words = replace(tuned.strategy, name=out.stem), ENGLISH.of_game(plan.game.name)
    for players in plan.players:
        spec, tally = _played(plan, named, players, SEAT_GAMES)
        yield players, seat_shares(spec, tally), tuple(map(words.verdict, judge_totals(spec, tally)))


def show_tuning(tuning: Tuning) -> None:
    """Print how strong the tuned player of each role is."""
    for part in tuning.parts:
        show(part.plan, part.tuned, part.file)


def show(plan: Plan, tuned: Tuned, out: Path) -> None:
    """Print how strong the tuned player is."""
    from reports.words import ENGLISH

    console = Console(highlight=False)
    console.print(
        Text(
            (f"{plan.role.title}: " if plan.held else "")
            + f"{tuned.generations:,} generation{'' if tuned.generations == 1 else 's'} of {plan.population} candidates"
            f" in {tuned.seconds:,.0f} s"
            f" ({tuned.cpu_seconds / 60:.1f} minutes of processor time); {tuned.features} weights moved;"
            f" chosen: {tuned.finalist}"
        )
    )
    table = Table(box=None, pad_edge=False, header_style="bold")
    payoff = plan.game.payoff
    of_par = () if payoff else ("of par",)
    for heading in ("players", "against", f"{payoff.unit} a game" if payoff else "wins", "95 % interval", *of_par):
        table.add_column(heading, justify="left" if heading == "against" else "right")
    for opponent, share in tuned.scores:
        low, high = ends(plan, opponent, share)
        if payoff:
            mean, least, most = gains(plan, share, share.mean, low, high)
            figures = [mean, f"{least} to {most}"]
        else:
            figures = [f"{share.mean:.2%}", f"{low:.2%} to {high:.2%}", f"{share.of_par:.3f}"]
        met = f"{opponent.role}={opponent.name}" if plan.held else opponent.name
        table.add_row(str(share.players), Text(met), *figures)
    if tuned.scores:
        console.print(table)
        scored = SCORED_BY_ROLE if plan.held else SCORED
        console.print(Text(scored.replace("Wins of", "Gain of") if payoff else scored, style="dim"))
    for sentence in conclusions(plan, tuned, out):
        console.print(Text(sentence, style="bold"))
    for players, shares, said in seats(plan, tuned, out):
        judged = plan.judged(players)
        if judged.is_payoff:
            amounts = (Amount.of(judged.amount(one.share), judged.distance(one.se)) for one in shares.estimates)
            won = " / ".join(ENGLISH.number(float(amount), amount.form) for amount in amounts) + f" {judged.unit}"
        else:
            won = " / ".join(f"{one.share:.1%}" for one in shares.estimates)
        console.print(Text(f"Seats at {players} players, if all of them play this strategy: {won}. {' '.join(said)}"))
    print_whole(console, f"Strategy  {out}")


# --- The output of `learn`: how strong the player is, and with what it looks ahead ---


LEARNER_SCORED = (
    "Wins as multiples of par, with 95 % intervals, on deals of no other trial: one thinker{of_role} if {base} plays "
    "all other seats, and one {base}{of_role} if thinkers play all other seats. Before that: how many rounds and "
    "tables it imagines, and how many hidden units its value has."
)

WRONG = 0.05
"""Part of a win by which a value must be wrong, at least, to be mentioned."""


def learning_summary(learning: Learning) -> dict[str, Any]:
    """Return the result of a learning, for JSON."""
    plan = learning.plan
    return {
        "out": str(learning.file),
        "game": plan.game.name,
        "rules": plan.rules.name,
        "rules_digest": plan.rules.digest,
        "settings": list(plan.rules.settings),
        "base": plan.base.name,
        "seed": plan.seed,
        "games": plan.games,
        "seconds": round(learning.seconds, 1),
        "cpu_seconds": round(learning.cpu_seconds, 1),
        "scores": [row for made in learning.made for row in _rows(made)],
        "conclusions": list(learning_conclusions(learning)),
    }


def _rows(made: Made) -> Iterator[dict[str, Any]]:
    for role, foresight in made.foresights.items():
        table = foresight.to_dict()
        yield {
            "players": made.players,
            "role": role,
            "rounds": foresight.rounds,
            "tables": foresight.tables,
            "hidden": foresight.value.hidden,
            "decisions": table.get("decisions", []),
            "foresees": made.r2[role],
            **{f"wins_{key}": value for key, value in _ends(made.wins[role]).items()},
            **{f"loses_{key}": value for key, value in _ends(made.loses[role]).items()},
            **{f"another_value_{key}": value for key, value in _ends(made.others[role]).items()},
            "error_of_value": list(made.biases[role]),
            "temperature": foresight.temperature,
            "deals": len(made.wins[role].deals),
            "self_play": made.rounds,
            "improvements": made.improvements,
        }


def _ends(trial: Trial) -> dict[str, float]:
    return dict(zip(("of_par", "low", "high"), (trial.mean, *trial.ends), strict=True))


def learning_conclusions(learning: Learning) -> Iterator[str]:
    """Yield a sentence for each number of players and role."""
    base = learning.plan.base.name
    for made in learning.made:
        for role in made.foresights:
            where = f"At {made.players} players" + (f", as {role}," if learning.plan.game.asymmetric else "")
            low, high = made.wins[role].ends
            told = (
                f"{where} one thinker wins {made.wins[role].mean:.2f} times par among {base} ({low:.2f} to {high:.2f})"
            )
            if learning.plan.game.asymmetric:
                yield f"{told}."
            elif low > 1:
                yield f"{told}: it is stronger than {base}."
            else:
                relation = "is weaker than" if high < 1 else "cannot be distinguished from"
                yield f"{told}: it {relation} {base}. A larger --budget or more --games may help."
            yield from _checked(made, role, where)


def _checked(made: Made, role: str, where: str) -> Iterator[str]:
    """Yield what the checks of a thinker found to be wrong with it."""
    other, error = made.others[role], made.biases[role]
    low, high = other.ends
    if low > 1:
        yield (
            f"{where} one thinker with a different value wins {other.mean:.2f} times as much as these thinkers do "
            f"({low:.2f} to {high:.2f}): there is room for improvement. Give a larger --budget."
        )
    if error.certain > WRONG:
        yield (
            f"{where} its value is too {'high' if error.mean > 0 else 'low'} in one phase of the game, for the seats "
            f"ahead or behind, by {abs(error.mean):.0%} of a win."
        )


def show_learning(learning: Learning) -> None:
    """Print how strong the player is."""
    console, plan = Console(highlight=False), learning.plan
    console.print(Text(f"{learning.seconds:,.0f} s ({learning.cpu_seconds / 60:.1f} minutes of processor time)"))
    table = Table(box=None, pad_edge=False, header_style="bold")
    headings = ["players", *(["role"] if plan.game.asymmetric else []), "rounds", "tables", "hidden"]
    for heading in (*headings, "one thinker", f"one {plan.base.name}"):
        table.add_column(heading, justify="left" if heading == "role" else "right", no_wrap=True)
    for made in learning.made:
        for role, one in made.foresights.items():
            cells = [str(made.players), *([role] if plan.game.asymmetric else []), str(one.rounds), str(one.tables)]
            cells.append(str(one.value.hidden))
            for trial in (made.wins[role], made.loses[role]):
                ends = _ends(trial)
                cells.append(f"{ends['of_par']:.2f} ({ends['low']:.2f} to {ends['high']:.2f})")
            table.add_row(*cells)
    console.print(table)
    of_role = " of the role" if plan.game.asymmetric else ""
    console.print(Text(LEARNER_SCORED.format(base=plan.base.name, of_role=of_role), style="dim"))
    for sentence in learning_conclusions(learning):
        console.print(Text(sentence, style="bold"))
    print_whole(console, f"Strategy  {learning.file}")
