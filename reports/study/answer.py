"""The first screen of a report: is the game balanced, if not by how much, why, and what to do next."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from shlex import quote
from typing import Any

import polars as pl

from analysis.causes import Causes
from analysis.compare.result import Comparison
from analysis.cost import of_compare, seconds_a_game
from analysis.data.results import Verdict
from analysis.data.source import Source
from analysis.design_log import newest
from analysis.openings import Openings, openings
from analysis.precision import lasting
from analysis.restricted_play import Restricted
from analysis.seats.advantage import SeatAdvantage
from analysis.seats.agreement import FEW, SAME, SEVERAL, agreement, band, counterpart
from analysis.seats.by_skill import SeatsBySkill
from analysis.seats.levels import SEARCH
from reports.commands import UNTYPED, casting, named, other_seed, playing
from reports.figures.bars import SeatMultiples
from reports.figures.seats import SeatAdvantage as SeatsFigure
from reports.opinion import LEVEL, NOBODY, OPENINGS, UNASKED, Heard, Opinion, called, heard
from reports.page import Answer, Picture, Sentence, Step
from reports.pages.restrict import naming
from reports.portable import portable
from reports.sections.causes import change_named
from reports.sections.seats import by_seat
from reports.steps import MENDED, Wanted, changing, first_lever, mending, restricting, shortened, steps, tuning
from reports.study.study import Study
from reports.words import Words
from simcore.errors import UsageError
from simcore.homes import typed
from simcore.rules.files import load_rules
from simcore.running.batch import Spec
from simcore.running.executors import default_threads
from strategies.kit import EXPERTS
from strategies.openings import opens_like
from strategies.skill import players_of, weak_players
from strategies.spec import under_rules

# --- Why a game is tilted: the largest cause that was shown by playing with a change ---


def distance(verdict: Verdict) -> float:
    """Return the distance of a verdict's share from par, in margins."""
    values = verdict.values
    return abs(values["share"] - values["par"]) / values["margin"] if "share" in values else -1.0


def cause_of(study: Study, players: int) -> str:
    """Return a sentence on the largest cause that was shown by playing with a change, or that none was shown.

    Changes are played at the usual number of players, which the sentence names if the answer is about another number.
    """
    words, usual = study.words, study.focus.players
    told = _shown(study)
    if told is None:
        return words("cause.none")
    return told if usual == players else words("of_players", players=usual, text=told)


def _shown(study: Study) -> str | None:
    """Return the largest cause at the usual number of players; None if none was looked for."""
    compared: Comparison | None = study.found(f"compare:{study.focus.players}")
    moved = [one for one in compared.verdicts if one.code.startswith("compare_moved")] if compared else []
    if moved:
        return study.words.verdict(moved[0])
    found: Causes | None = study.found("causes")
    if found is None:
        return None
    named = [one for one in found.verdicts if "gone_low" in one.values]
    if not named or not found.table["tuned"].is_null().all():
        return " ".join(map(study.words.verdict, found.verdicts))
    count = len([one for one in named if not one.code.startswith("cause_pair")])
    changes = [change_named(study.words, row) for row in found.table.head(count).iter_rows(named=True)]
    kind = study.words.name(named[0].values["kind"])
    return study.words("cause.untuned", kind=kind, changes="; ".join(changes))


# --- What players who look ahead say to the verdict of a game's usual judge ---


def opinion(study: Study, players: int, verdict: Verdict, opened: Openings | None = None) -> Opinion:
    """Return what players who look ahead say to a verdict on the seats at a number of players.

    Drawn openings speak where nobody looked ahead, or where those who did left the opening to a player whom the verdict
    is about.
    """
    found, drawn = searched(study, players), of_openings(opened, verdict)
    if found is None or study.focus.spec.searches:
        return _unplayed(study, players, verdict).opinion if drawn.says == UNASKED else drawn
    source, result = found
    second, games = agreement(verdict, counterpart(verdict, result.verdicts)), result.inputs[0].games
    if drawn.says == OPENINGS and second.says in (SAME, SEVERAL) and opens_like(source.spec, study.focus.strategies):
        return Opinion(OPENINGS, {}, games)
    return Opinion(second.says, second.values, games)


def _unplayed(study: Study, players: int, verdict: Verdict) -> Heard:
    """Return what players who look ahead say to a verdict where none of them played: what is stored, if anything is."""
    source = next(one for one in study.strongest if one.players == players)
    return heard(source.inputs(0, 0, 0), source.spec.rules, [verdict], command=study.commands)


def of_openings(opened: Openings | None, verdict: Verdict) -> Opinion:
    """Return what drawn openings say to a verdict on a seat."""
    if opened is None or not opened.verdicts or verdict.status != "tilted":
        return Opinion(UNASKED)
    par, margin = verdict.values["par"], verdict.values["margin"]
    within = (pl.col("drawn_low") >= par - margin) & (pl.col("drawn_high") <= par + margin)
    rows = opened.table.filter((pl.col("seat") == verdict.values.get("seat")) & within)
    return Opinion(OPENINGS if len(rows) else UNASKED)


def searched(study: Study, players: int) -> tuple[Source, SeatAdvantage] | None:
    """Return the run of the strongest players who look ahead, and its seats; None if none of them played."""
    found: SeatsBySkill | None = study.found(f"skill:{players}")
    pairs = [] if found is None else list(zip(study.rungs(players), found.runs, strict=True))
    return next((pair for pair in reversed(pairs) if pair[0].spec.searches), None)


# --- What to do after a report: commands that can be copied, most useful first ---


STEPS = 3
"""Largest number of steps that are proposed."""


def _mend(study: Study, players: int, cast: str, spec: Spec | None) -> Wanted:
    """Return the step to try the result of a search next to the runs; without a search, the step that searches."""
    rules, game = study.focus.spec.rules, study.game.name
    for folder in dict.fromkeys(run.folder.parent for run in study.runs):
        search = newest(folder, "mend", game, players)
        if search and (search / MENDED).is_file():
            file = quote(portable(str(search / MENDED)))
            version, settings = named(rules, study.commands)
            at = f"--game {typed(game)} --players {players}{cast} --seed {other_seed(study.focus.spec.seed)}"
            with suppress(UsageError):
                changed = spec and under_rules(spec, load_rules(spec.game, search / MENDED))
                line = f"compare {UNTYPED if settings else version} {file} {at}"
                return shortened("mended", line, of_compare, changed)
    return mending(rules, players, spec, cast, study.commands)


def _change(study: Study, players: int, cast: str, spec: Spec | None) -> Wanted:
    """Return the step to try the largest cause that is a value of the rules, or else a value that may be changed."""
    causes: Causes | None = study.found("causes")
    shown = [one.values["change"] for one in causes.verdicts if one.code == "cause_rule"] if causes else []
    settings = [f"{edit.key}={edit.new}" for edit in shown[0]] if shown else []
    rules = study.focus.spec.rules
    name = "cause" if settings else "compare"
    return changing(name, rules, players, settings or [first_lever(rules, players)], spec, cast, study.commands)


def next_steps(study: Study, status: str, players: int, verdict: Verdict, second: Opinion) -> Iterator[Step]:
    """Yield the next steps, most useful first: be certain, try the cause, look for a remedy, see everything."""
    words, focus = study.words, next(run for run in study.strongest if run.players == players)
    rules, cast = focus.spec.rules, casting(focus.inputs(0, 0, 0))
    at, everywhere = playing(rules, players, study.commands), playing(rules, command=study.commands)
    spec = focus.spec if focus.playable and UNTYPED not in cast and not focus.spec.searches else None
    stronger = Wanted("tune", tuning(rules, players, command=study.commands))
    everything = Wanted("full" if study.quick else "skill", f"report {everywhere}")
    weak, experts = weak_players(focus.spec), players_of(study.game.name, EXPERTS).values()
    wanted = [stronger if set(experts) <= set(weak) else everything] if weak else []
    if status == "unclear" and "needed" in verdict.values:
        number = 1.1 * verdict.values["needed"] * focus.spec.games_per_deal
        games = f"{number:.1e}".replace("e+0", "e")
        line = f"simulate {at}{cast} --games {games}"
        if spec:
            took = ("long", lasting(number * seconds_a_game(spec) / default_threads()))
            wanted.append(Wanted("games", line, "long", (took,)))
        else:
            wanted.append(Wanted("games", line))
    if second.doubts or (verdict.status == "tilted" and second.says in (FEW, SEVERAL)):
        seen = searched(study, players)
        who = casting(seen[0].inputs(0, 0, 0)) if seen else f" --skill {SEARCH}"
        wanted.append(Wanted("search", f"simulate {at}{who} --games {10 * max(second.games, 100)}"))
    if status == "tilted":
        wanted += [_change(study, players, cast, spec), _mend(study, players, cast, spec)]
    if study.quick or len(study.rungs(study.focus.players)) < 2:
        wanted.append(everything)
    wanted.append(Wanted("sensitivity", f"sensitivity {at}{cast}"))
    wanted.append(stronger)
    wanted.append(Wanted("restrict", restricting(rules, players, study.commands)))
    yield from steps(words, rules, *dict.fromkeys(wanted))[:STEPS]


# --- The first screen of a report: is the game balanced, if not by how much, why, and what to do next ---


STATUSES = ("tilted", "unconfirmed", "doubted", "opened", "unclear", "unknown", "fair")
"""Statuses of the verdict on the seats at a number of players, most important first: a tilt is "unconfirmed" if too few
games of players who look ahead were played to say, "doubted" if they contradict it, and "opened" if it goes with the
usual openings."""

OPENED = 4_000
"""Largest number of deals that are played with openings drawn at random."""

Voice = tuple[Verdict, Opinion]
"""A verdict, and the second opinion on it."""


@dataclass(frozen=True)
class _Found:
    """The first sentence of the answer, and what it rests on: a verdict, and what else was found."""

    sentence: Sentence
    players: int
    verdict: Verdict
    second: Opinion
    states: Mapping[int, str]
    opened: Openings | None


def answer(study: Study) -> Answer | None:
    """Return the first screen; None if no run says anything about the seats.

    The sections have to be made first, so that their analyses are not run again.
    """
    found = _find(study)
    if found is None:
        return None
    players, second = found.players, found.second
    others = tuple(_others(study, {count: state for count, state in found.states.items() if count != players}))
    power = second.power(study.words)
    unasked = _unasked(study, players, found.verdict, second)
    notes = (*([power] if power else []), *others, *_habits(study, found.opened), *unasked)
    notes = (*notes, _judges(study))
    return Answer(
        found.sentence,
        notes,
        cause_of(study, players),
        tuple(seat_pictures(study)),
        tuple(next_steps(study, found.sentence.status, players, found.verdict, second)),
        tuple(_levels(study)),
    )


def first_sentence(study: Study) -> Sentence | None:
    """Return the first sentence of the answer, once the seats are judged at all levels of skill."""
    found = _find(study)
    return None if found is None else found.sentence


def _find(study: Study) -> _Found | None:
    judged = {source.players: result for source in study.strongest if (result := study.found(f"seats:{source.label}"))}
    if not judged:
        return None
    opened = _opened(study)
    drawn = {study.focus.players: opened}
    banded = {players: _banded(study, players, result) for players, result in judged.items()}
    voices = {
        players: [(verdict, opinion(study, players, verdict, drawn.get(players))) for verdict in verdicts]
        for players, verdicts in banded.items()
    }
    states = {players: _state(found) for players, found in voices.items()}
    players, verdict, second = _worst(voices, states)
    return _Found(_sentence(study, players, verdict, states, second), players, verdict, second, states, opened)


def _banded(study: Study, players: int, result: SeatAdvantage) -> Sequence[Verdict]:
    """Return the verdicts at a number of players, the first one with the band over players of nearly the same skill."""
    runs = [source for source in study.peers if source.players == players]
    peers = {study.names_of(source): seats.verdict for source in runs if (seats := by_seat(study, source))}
    name = study.names_of(next(one for one in study.strongest if one.players == players))
    return [band(name, result.verdict, peers), *result.verdicts[1:]] if peers else result.verdicts


def _status(verdict: Verdict, second: Opinion) -> str:
    """Return the status of a verdict, with the second opinion on it."""
    if second.doubts:
        return "opened" if second.says == OPENINGS else "doubted"
    return "unconfirmed" if (verdict.status, second.says) == ("tilted", FEW) else verdict.status


def _state(found: Sequence[Voice]) -> str:
    """Return the most important status of the verdicts at a number of players."""
    return min((_status(*pair) for pair in found), key=STATUSES.index)


def _worst(voices: Mapping[int, Sequence[Voice]], states: Mapping[int, str]) -> tuple[int, Verdict, Opinion]:
    """Return the verdict that answers the question, its number of players, and the second opinion on it."""
    first = min(states.values(), key=STATUSES.index)
    found = [(players, *pair) for players, pairs in voices.items() for pair in pairs if _status(*pair) == first]
    return max(found, key=lambda one: distance(one[1]))


def _sentence(
    study: Study, players: int, verdict: Verdict, states: Mapping[int, str], second: Opinion, who: str = ""
) -> Sentence:
    """Return the sentence that answers."""
    if verdict.code in ("seats_together", "same_game", "seats_band"):
        return Sentence(study.words.verdict(verdict), verdict.status)
    if not who and weak_players(study.focus.spec):
        return Sentence(study.words("answer.weak", strategies=study.names_of(study.focus)), "unclear")
    counts = [count for count, state in states.items() if state == "fair"]
    fair = study.words.joined([str(count) for count in counts]) if counts else ""
    who = who or called(study.words, study.focus.inputs(0, 0, 0))
    return headline(study.words, verdict, second, who, players, fair)


def headline(words: Words, verdict: Verdict, second: Opinion, who: str, players: int, fair: str = "") -> Sentence:
    """Return a verdict on the seats as the answer to whether the game is balanced.

    words: Language.
    verdict: The verdict.
    second: The second opinion on it.
    who: What the players of the verdict are called.
    players: Players at the table.
    fair: The numbers of players at which a fair game is fair; that one, if empty.
    """
    if second.undoes:
        return Sentence(second.headline(words, verdict, who, players), "unclear", players)
    said = _headline(words, verdict, second.opens(words, verdict, who), players, fair)
    return replace(said, status="unclear") if second.doubts else said


def _headline(words: Words, verdict: Verdict, opens: str, players: int, fair: str) -> Sentence:
    """Return the answer that begins as given."""
    values, status = verdict.values, verdict.status
    if status == "fair":
        what = "camps" if verdict.code.startswith("camps") else "seats"
        if "unit" in values:
            what = verdict.code.removesuffix("_fair")
        return Sentence(words(f"answer.fair_{what}", **{**values, "opens": opens, "players": fair or players}), status)
    if "share" not in values:
        return Sentence(words("answer.unknown"), "unknown")
    kind = verdict.code.partition(f"_{status}")[0].removesuffix("_near")
    side = ("_high" if values["share"] > values["par"] else "_low") if status == "tilted" else ""
    named = {key: words.name(values[key]) for key in ("camp", "role", "strategy") if key in values}
    told = {**values, **named, **in_games(values), "players": players, "opens": opens}
    return Sentence(words(f"answer.{status}_{kind}{side}", **told), status, players)


def in_games(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the shares of a verdict in 100 games; nothing for a payoff, or for points beyond a share of a role."""
    ends = ("share", "low", "high", "par") if values["par"] and "unit" not in values else ()
    return {end: 100 * values[end] for end in ends}


def _others(study: Study, states: Mapping[int, str]) -> Iterator[str]:
    """Yield sentences on the other numbers of players."""
    for status in STATUSES:
        counts = [count for count, state in states.items() if state == status]
        if counts:
            yield study.words(f"answer.others_{status}", players=study.words.joined([str(count) for count in counts]))


def _opened(study: Study) -> Openings | None:
    """Return how the judge opens; None if that cannot be played."""
    source, limits = study.focus, study.thresholds
    if not source.playable or source.mixed or source.spec.searches or source.judged.is_payoff:
        return None
    games = min(study.deals, OPENED)
    return study.ask("openings", lambda: openings(source.spec, games, limits.margin, limits.level))


def _habits(study: Study, opened: Openings | None) -> Iterator[str]:
    """Yield what may be a habit of the judge and not of the game: it opens alike, or uses something badly."""
    yield from (study.words.verdict(verdict) for verdict in (opened.verdicts if opened else ()))
    for role in study.game.roles:
        held: Restricted | None = study.found(f"needs:{role.name}:{study.focus.players}")
        if held is not None:
            words = naming(study.words, held)
            yield from (words.verdict(one) for one in held.verdicts if one.code == "restrict_better")


def _unasked(study: Study, players: int, verdict: Verdict, second: Opinion) -> Iterator[str]:
    """Yield that players who look ahead did not play, if none did."""
    if not second.games and second.says in (UNASKED, OPENINGS, NOBODY):
        yield _unplayed(study, players, verdict).line(study.words)


def _levels(study: Study) -> Iterator[Sentence]:
    """Yield what the answer would be by the players of each other level of skill, with the level."""
    strongest = study.names_of(study.focus)
    for level in study.levels:
        found = {
            players: [(verdict, Opinion(LEVEL)) for verdict in result.verdicts]
            for players in study.players
            if (result := _level(study, players, level)) is not None
        }
        if level != strongest and found:
            states = {players: _state(pairs) for players, pairs in found.items()}
            players, verdict, second = _worst(found, states)
            yield replace(_sentence(study, players, verdict, states, second, level), level=level)


def _judges(study: Study) -> str:
    """Return a sentence on who played, and how many games."""
    words = study.words
    games = sum(run.manifest.games_written for run in study.runs)
    return words("answer.judges", games=games, strategies=study.names_of(study.focus))


def seat_pictures(study: Study) -> Iterator[Picture]:
    """Yield figures of the seats at all numbers of players, one for each level of skill, strongest first."""
    words, margin = study.words, study.thresholds.margin
    tables = {one.players: found.table for one in study.strongest if (found := study.found(f"seats:{one.label}"))}
    strongest = study.names_of(study.focus)
    payoff = study.focus.judged.is_payoff
    levels = {strongest: tables}
    for level in study.levels:
        results = {players: _level(study, players, level) for players in study.players}
        if level != strongest and not payoff:
            levels[level] = {players: result.table for players, result in results.items() if result is not None}
    for level, tables in levels.items():
        name, title = "seats", words("axis.payoff" if payoff else "figure.seats")
        if level != strongest:
            name, title = f"seats-{len(level)}-{_slug(level)}", words("figure.seats_of", strategies=level)
        if payoff or len(study.players) == 1:
            for players, frame in tables.items():
                alone = SeatsFigure({level: frame}, margin, words=words)
                yield Picture(f"{name}-{players}" if payoff else name, title, alone, words("caption.gains"), level)
        elif tables:
            yield Picture(name, title, SeatMultiples(tables, margin, words=words), _seats_caption(study), level)


def _seats_caption(study: Study) -> str:
    """Return what the chart of seats shows and, if seats have roles, the meaning of their initials."""
    words, roles = study.words, study.game.roles if study.game.asymmetric else ()
    titles = [words.name(role.name) for role in roles]
    said = words("caption.seats_roles", roles=words.listed([f"{title[:1]} ({title})" for title in titles]))
    return f"{words('caption.seats')} {said}" if titles else words("caption.seats")


def _slug(level: str) -> str:
    return "".join(letter if letter.isalnum() else "-" for letter in level.lower())


def _level(study: Study, players: int, level: str) -> SeatAdvantage | None:
    """Return the seats of the players of a level."""
    by_skill = study.found(f"skill:{players}")
    if by_skill is None:
        return None
    for source, result in zip(study.rungs(players), by_skill.runs, strict=True):
        if study.names_of(source) == level:
            return result
    return None
