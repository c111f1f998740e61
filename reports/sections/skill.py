"""How far does the answer depend on how well people play?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import polars as pl

from analysis.breakdowns import Breakdowns, breakdowns
from analysis.data.results import Result
from analysis.data.source import Source
from analysis.seats.by_skill import SeatsBySkill, seats_by_skill
from analysis.seats.distance import DISTANCE
from analysis.skill import CAMPS, CARDS, COLUMNS, RATES, SEATS, SHARES, Ladder, ladder, ladder_of_seats
from reports.commands import UNTYPED, playing
from reports.figures.ladder import Ladder as LadderFigure
from reports.figures.ladder import Steps
from reports.page import Block, Column, Datum, Picture, Remark, Section, Sentence, Table, basis, datum, sentences
from reports.sections.across import asked_of, card_effects, replayed
from reports.sections.common import failures, of_players, remarks
from reports.study.chapters import Asked, load_report
from reports.study.study import Study
from reports.words import Words

FEWEST = 100
"""Smallest number of cases for a rate."""


def skill(study: Study) -> Section:
    """Return the seats along the ladder of skill, then cards, the game's own panels and declared rates."""
    words = study.words
    title, short, players = words("section.skill"), words("nav.skill"), study.focus.players
    rungs, tables = study.rungs(players), seats_by_level(study)
    if len(rungs) < 2:
        at = playing(study.focus.spec.rules, command=study.commands).replace(UNTYPED, "FILE.toml")
        return Section("skill", title, blocks=(Remark(words("skill.single", at=at)),), short=short)
    names = tuple(study.names(rungs))
    more = [panel for ask in load_report(study.game.name).along for panel in ask(study, rungs)]
    asked = [*_seat_panel(study, tables), *_cards(study, rungs, names), *more, *_rates(study, rungs)]
    if not asked:
        return Section(
            "skill", title, (Sentence(words("cannot_say"), "unknown"),), notes=failures(study, "skill"), short=short
        )
    panels = [item.steps() for item in asked]
    if len(tables) > 1:
        panels.append(_distance_steps(study, tables, names))
    pictures = [
        Picture(
            key,
            words(f"figure.{key}", players=players),
            LadderFigure(names, own, words=_naming(study)),
            words("caption.skill"),
        )
        for key, own in (("skill", panels[:1]), ("skill_others", panels[1:]))
        if own
    ]
    blocks: list[Block] = [*pictures, _numbers(study, asked, tables)]
    results: list[Result] = [*(item.found for item in asked), *tables.values()]
    inputs = [item for result in results for item in result.inputs]
    return Section(
        "skill",
        title,
        tuple(_said(study, rungs[-1], asked, tables)),
        tuple(blocks),
        remarks(study, "skill", *tables.values()),
        basis(words, *inputs),
        short,
    )


def _naming(study: Study) -> Words:
    """Return words that also know the seats and the numbers of players by their keys."""
    seats = {f"seat {seat}": study.words("seat.number", seat=seat) for seat in range(1, max(study.players) + 1)}
    counts = {f"{count} players": study.words("players.number", players=count) for count in study.players}
    return study.words.naming(seats | counts)


def seats_by_level(study: Study) -> dict[int, SeatsBySkill]:
    """Return the seats at each level of skill, by number of players that has several levels."""
    return {count: found for count in study.players if (found := _seats(study, count))}


def _seats(study: Study, players: int) -> SeatsBySkill | None:
    """Return the seats of the runs with a number of players, if there are several levels of skill."""
    rungs = study.rungs(players)
    if len(rungs) < 2:
        return None
    limits, names = study.thresholds, study.names(rungs)
    return study.ask(f"skill:{players}", lambda: seats_by_skill(rungs, names, limits.level, limits.margin))


def climb(
    study: Study,
    key: str,
    asked: str,
    frames: Mapping[str, pl.DataFrame],
    results: Sequence[Result],
    centre: float = 0.0,
    **values: str,
) -> Ladder | None:
    """Return how some answers change along the ladder; None for a single rung. See `analysis.skill.ladder`."""
    if len(frames) < 2:
        return None
    inputs = [item for result in results for item in result.inputs]
    return study.ask(f"skill:{key}", lambda: ladder(asked, frames, inputs, study.thresholds.level, centre, values))


def _seat_ladder(study: Study, players: int, seats: SeatsBySkill) -> Ladder | None:
    """Return the seats along the ladder, or the camps if there are any; None for a payoff, which no ladder shows."""
    if study.focus.judged.is_payoff:
        return None
    return study.ask(f"skill:{SEATS}:{players}", lambda: ladder_of_seats(seats))


def _seat_panel(study: Study, tables: Mapping[int, SeatsBySkill]) -> Iterator[Asked]:
    players = study.focus.players
    found = _seat_ladder(study, players, tables[players]) if players in tables else None
    if found and found.asked == CAMPS:
        yield Asked(study.words("panel.camps"), found, "number", 2)
    elif found:
        named = pl.concat_str(pl.lit("seat "), "what")
        shown = replace(found, table=found.table.with_columns(what=named), moved=found.moved.with_columns(what=named))
        yield Asked(study.words("panel.seats"), shown, "share", 1, float(study.thresholds.margin.at(found.centre)))


def _cards(study: Study, rungs: Sequence[Source], names: Sequence[str]) -> Iterator[Asked]:
    cards = study.declarations.cards
    if cards is None or study.game.score is None:
        return
    if study.quick:
        rungs = [run for run in rungs if not run.spec.searches]
    results = card_effects(study, rungs)
    frames = {
        name: result.effects().select(
            what="card",
            value="effect",
            value_se="effect_se",
            value_low="effect_low",
            value_high="effect_high",
            deals="deals",
        )
        for name, result in results.items()
    }
    found = climb(study, CARDS, CARDS, frames, list(results.values()), nouns=f"{cards.noun}s")
    if found:
        yield Asked(study.words("panel.cards", nouns=study.words.plural(cards.noun)), found, "signed", 1)


def _rates(study: Study, rungs: Sequence[Source]) -> Iterator[Asked]:
    """Yield the rates that the game asks to follow."""
    for item in study.declarations.breakdowns:
        if not item.along:
            continue

        def ask(source: Source, topic: str = item.topic) -> Breakdowns:
            return breakdowns(replayed(source), topic, study.thresholds.level)

        results: Mapping[str, Breakdowns] = asked_of(study, item.topic, ask, rungs)
        frames = {
            name: result.of(item.name)
            .filter((pl.col("series") == item.series[0]) & (pl.col("times") >= FEWEST))
            .select("^value.*$", what="row", deals=pl.lit(result.deals))
            .select(COLUMNS)
            for name, result in results.items()
        }
        title, par = item.name if len(item.series) == 1 else f"{item.name}.first", item.unit == "par"
        asked = RATES if par else SHARES
        found = climb(study, f"{asked}:{item.name}", asked, frames, list(results.values()), float(par), title=title)
        if found:
            yield Asked(study.words.name(title), found, "share" if item.unit == "share" else "number", 2)


def _distance_steps(study: Study, tables: Mapping[int, SeatsBySkill], names: Sequence[str]) -> Steps:
    """Return the panel of distances, with a line for each number of players, on the rungs that are drawn."""
    rung = pl.col("skill").replace_strict({name: number for number, name in enumerate(names, 1)}, default=None)
    frame = _distances(study, tables).select(row="what", rung=rung, value="value", low="value_low", high="value_high")
    shown = frame.drop_nulls("rung")
    return Steps(
        _distance_title(study),
        shown,
        shown["row"].unique(maintain_order=True).to_list(),
        None,
        percent=not study.focus.judged.is_payoff,
    )


def _distance_title(study: Study) -> str:
    if study.focus.judged.is_payoff:
        return study.words("panel.distances_payoff")
    return study.words("panel.distances_camps" if study.game.asymmetric else "panel.distances")


def _distances(study: Study, tables: Mapping[int, SeatsBySkill]) -> pl.DataFrame:
    """Return how far ahead the best seat is of the worst, by number of players and skill."""
    values = [pl.col(name).alias(name.replace("distance", "value")) for name in DISTANCE]
    return pl.concat(
        result.distances.select("skill", pl.lit(f"{players} players").alias("what"), *values)
        for players, result in tables.items()
    )


def _said(study: Study, top: Source, asked: Sequence[Asked], tables: Mapping[int, SeatsBySkill]) -> Iterator[Sentence]:
    """Yield what holds at the top of the ladder, and whether it holds lower down."""
    words, usual = study.words, study.focus.players
    if usual in tables and top is not study.focus:
        for said in sentences(words, tables[usual].runs[-1]):
            yield Sentence(words("of_skill", players=usual, skill=study.names_of(top), text=said.text), said.status)
    for item in asked:
        own = sentences(words, item.found)
        yield from of_players(study, usual, own) if item.found.asked in (SEATS, CAMPS) else own
    for players, result in tables.items():
        found = _seat_ladder(study, players, result) if players != usual else None
        own = sentences(words, found) if found else sentences(words, result, result.verdicts[:1])
        yield from of_players(study, players, own)


def _numbers(study: Study, asked: Sequence[Asked], tables: Mapping[int, SeatsBySkill]) -> Table:
    """Return the figure's numbers, a column for each rung, with the seats for the other numbers of players."""
    words, payoff = _naming(study), study.focus.judged.is_payoff
    parts = [(item.title, item.found.table, Column("value", item.kind, digits=item.digits)) for item in asked]
    for players, result in tables.items():
        if players != study.focus.players and study.game.asymmetric:
            found = _seat_ladder(study, players, result)
            title = words("of_players", players=players, text=words("panel.camps"))
            parts += [(title, found.table, Column("value", "number", digits=2))] if found else []
        elif players != study.focus.players or payoff:
            seat = pl.concat_str(pl.lit("seat "), "seat")
            name = "payoff" if payoff else "share"
            ends = {f"value{end}": f"{name}{end}" for end in ("", "_low", "_high")}
            frame = result.table.select("skill", what=seat, **ends)
            title = words("of_players", players=players, text=words("axis.payoff" if payoff else "panel.seats"))
            parts.append((title, frame, Column("value", *(("number", "", 3) if payoff else ("share", "", 1)))))
    if tables:
        apart = Column("value", "number", digits=3) if payoff else Column("value", "apart", digits=1)
        parts.append((_distance_title(study), _distances(study, tables), apart))
    skills = list(dict.fromkeys(skill for _, frame, _ in parts for skill in frame["skill"]))
    rows = []
    for title, frame, column in parts:
        for (what,), own in frame.group_by("what", maintain_order=True):
            by_skill = {row["skill"]: row for row in own.iter_rows(named=True)}
            cells = [datum(words, column, by_skill.get(skill, {"value": None})) for skill in skills]
            rows.append((Datum(title, title), Datum(words.name(str(what)), words.name(str(what))), *cells))
    columns = ("skill", "what", "value", "value_low", "value_high")
    frame = pl.concat(frame.select(pl.lit(title).alias("measure"), *columns) for title, frame, _ in parts)
    said = [words("caption.skill_points")] * (study.game.score is not None) + [words("caption.skill_table")]
    return Table(
        "skill",
        words("table.skill"),
        (words("col.measure"), words("col.rate_of"), *skills),
        (False, False, *(True for _ in skills)),
        tuple(rows),
        frame,
        " ".join(said),
        folded=True,
    )
