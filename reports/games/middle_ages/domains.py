"""What is worth taking, and what is worth holding?"""

from __future__ import annotations

import polars as pl

from analysis.data.results import Result
from analysis.games.middle_ages.holdings import (
    DOMAIN,
    TILE,
    Holdings,
    PickRates,
    PickValues,
    TokenValues,
    holdings,
    pick_rates,
    pick_values,
    token_values,
)
from reports.figures.curves import Curves
from reports.figures.forest import Forest, Grid, Panel
from reports.page import Block, Column, Picture, Section, table
from reports.sections.across import GAMES, ask_each, grid, replayed
from reports.sections.common import answered, failed
from reports.study.study import Study

ALPHA = 0.05
ROUNDS = 5
"""Largest number of rounds that a figure shows, from the first to the last."""

PICKED = 20_000
"""Number of games from which the value of picks is estimated."""

FEWEST = 100
"""Smallest number of seats for a cell of a figure."""

HELD = (
    Column("kind", "name"), Column("held", "count"), Column("times", "count"), Column("par_normalised", "number"),
    Column("lead", "signed", digits=1),
)  # fmt: skip
EMPTY = (
    Column("kind", "name"),
    Column("rate", "share", "col.rate_empty", digits=1),
    Column("cost", "number", "col.cost_empty", digits=1),
    Column("share_cost", "number", "col.share_cost"),
    Column("p_holm", "p"),
)
BY_EMPTY = (
    Column("empty", "count", "col.empty_kinds"), Column("times", "count"), Column("par_normalised", "number"),
    Column("lead", "signed", digits=1), Column("penalty", "number", "col.penalty_paid", digits=1),
)  # fmt: skip
TOKENS = (
    Column("token", "name"), Column("place", "name"), Column("shows", "name"),
    Column("times", "count", "col.times_laid"), Column("value", "signed", "col.goes_with", digits=1),
    Column("share_value", "signed", "col.share_goes_with"), Column("p_holm", "p"),
)  # fmt: skip
TAKEN = (
    Column("kind", "name"), Column("round", "count"), Column("position", "count"),
    Column("times", "count", "col.times_taken"), Column("gain", "signed", "col.gain", digits=1),
    Column("lead", "signed", digits=1),
)  # fmt: skip
ADJUSTED = (
    Column("kind", "name"),
    Column("round", "count"),
    Column("value", "signed", "col.value_adjusted", digits=1),
    Column("p_holm", "p"),
)
NUMBERS = (
    Column("number", "count"), Column("kind", "name"), Column("rate", "share", "col.rate_taken", digits=1),
    Column("turn", "number", "col.turn_brought"), Column("gain", "signed", "col.gain", digits=1),
    Column("lead", "signed", digits=1),
)  # fmt: skip
RATES = (
    Column("kind", "name"), Column("round", "text", "col.round"), Column("position", "text"),
    Column("offered", "count"), Column("rate", "share", "col.rate_taken", digits=1),
)  # fmt: skip


def domains(study: Study) -> Section:
    """Return the wins and scores that go with holding and taking Domains, tiles and tokens."""
    words, level = study.words, study.thresholds.level
    title = words("section.domains", nouns=words.joined([words.plural(DOMAIN), words.plural(TILE)]))
    blocks: list[Block] = []
    rates = study.ask("domains:rates", lambda: pick_rates(study.focus, level=level))
    worth = study.ask("domains:picks", lambda: pick_values(study.deep, level, PICKED))
    held = study.ask("domains:holdings", lambda: holdings(study.rich, level))
    laid = study.ask("domains:tokens", lambda: token_values(study.deep, level))
    results: list[Result] = [result for result in (worth, rates, held, laid) if result is not None]
    if worth:
        blocks += _picks(study, worth, rates)
    if rates:
        blocks += _rates(study, rates)
    if held:
        blocks += [*_held(study, held), *_across(study)]
    if laid:
        blocks += _tokens(study, laid)
    if not results:
        return failed(study, "domains", title)
    return answered(study, "domains", title, blocks, *results, assuming=True)


def _picks(study: Study, worth: PickValues, rates: PickRates | None) -> list[Block]:
    """Return the value of a kind by round, and the value of a number."""
    words = study.words
    blocks: list[Block] = []
    every = sorted(worth.adjusted["round"].unique().to_list())
    shown = sorted({every[round(place * (len(every) - 1) / (ROUNDS - 1))] for place in range(ROUNDS)})
    half = (pl.col("value_high") - pl.col("value_low")) / 2
    frame = worth.adjusted.filter(pl.col("round").is_in(shown)).select(
        row="kind", column=pl.col("round").cast(pl.String), value="value", half=half
    )
    kinds = list(dict.fromkeys(worth.adjusted["kind"]))
    reach = max(float(frame["value"].abs().max() or 0), 1.0)  # type: ignore[arg-type]
    labels = {str(number): words("round.number", round=number) for number in shown}
    figure = Grid(
        kinds,
        [str(number) for number in shown],
        frame,
        0.0,
        reach,
        words("figure.picks"),
        "",
        False,
        words=words.naming(labels),
    )
    blocks.append(Picture("picks", words("figure.picks"), figure, words("caption.picks_figure")))
    numbers = worth.by_number
    if rates is not None:
        numbers = numbers.join(
            rates.by_number.select("number", "rate", "rate_low", "rate_high"), on="number", how="left"
        )
    frame = pl.concat(
        numbers.select(series=pl.lit(name), x="number", value=name, low=f"{name}_low", high=f"{name}_high")
        for name in ("gain", "lead")
    )
    names = {name: words(f"series.{name}") for name in ("gain", "lead")}
    curves = Curves(frame, names, words("axis.number"), words("axis.points"), (0.0, ""), joined=False, words=words)
    blocks.append(Picture("numbers", words("figure.numbers"), curves, words("caption.numbers")))
    blocks.append(table(words, "numbers", words("table.numbers"), numbers, NUMBERS, folded=True))
    blocks.append(table(words, "picks", words("table.picks"), worth.adjusted, ADJUSTED, words("caption.picks"), True))
    taken = worth.table.filter(pl.col("times") >= FEWEST)
    caption = words("caption.taken", least=FEWEST)
    blocks.append(table(words, "taken", words("table.taken"), taken, TAKEN, caption, folded=True))
    return blocks


def _rates(study: Study, rates: PickRates) -> list[Block]:
    words = study.words
    kinds = rates.table.filter((pl.col("round") == 0) & (pl.col("position") == 0))
    middle = float(kinds.filter(pl.col("kind") == "all")["rate"][0])
    own = kinds.filter(pl.col("kind") != "all").sort("rate", descending=True)
    outside = ((pl.col("rate_low") > middle) | (pl.col("rate_high") < middle)).fill_null(False)
    frame = own.select(row="kind", series=pl.lit("all"), value="rate", low="rate_low", high="rate_high", stands=outside)
    panel = Panel(words("axis.rate_taken"), frame, True, middle)
    figure = Forest(own["kind"].to_list(), [panel], {"all": words("series.all")}, words=words)
    caption = words("caption.rates", middle=middle)
    whole = pl.col("round").cast(pl.String).replace("0", words("all"))
    place = pl.col("position").cast(pl.String).replace("0", words("all"))
    frame = rates.table.filter((pl.col("kind") != "all") & ((pl.col("round") == 0) | (pl.col("position") == 0)))
    shown = frame.with_columns(round=whole, position=place)
    return [
        Picture("pick-rates", words("figure.rates"), figure, caption),
        table(words, "pick-rates", words("table.rates"), shown, RATES, words("caption.rates_table"), folded=True),
    ]


def _held(study: Study, held: Holdings) -> list[Block]:
    """Return the win share by number held, and the score that goes with an empty kind."""
    words = study.words
    known = held.table.filter(pl.col("times") >= FEWEST)
    most = min(int(known["held"].max() or 0), 7)  # type: ignore[arg-type]
    half = (pl.col("par_normalised_high") - pl.col("par_normalised_low")) / 2
    frame = known.filter(pl.col("held") <= most).select(
        row="kind", column=pl.col("held").cast(pl.String), value=100 * pl.col("par_normalised"), half=100 * half
    )
    kinds = list(dict.fromkeys(held.table["kind"]))
    columns = [str(number) for number in range(most + 1)]
    figure = Grid(
        kinds, columns, frame, 100, 100, words("figure.held"), words("axis.held"), False, words=words, digits=0
    )
    caption = words("caption.held", least=FEWEST)
    return [
        Picture("held", words("figure.held"), figure, caption),
        table(words, "held", words("table.held"), held.table, HELD, folded=True),
        table(words, "empty", words("table.empty"), held.empty, EMPTY, words("caption.empty")),
        table(words, "empty-kinds", words("table.by_empty"), held.by_empty, BY_EMPTY, folded=True),
    ]


def _across(study: Study) -> list[Block]:
    """Return the score that goes with an empty kind, run by run."""
    found = ask_each(study, "domains", lambda source: holdings(replayed(source), study.thresholds.level))
    frames = {
        label: result.empty.select(row="kind", value="cost", low="cost_low", high="cost_high")
        for label, result in found.items()
    }
    return grid(study, "empty-by-run", "empty_across", frames, games=GAMES)


def _tokens(study: Study, laid: TokenValues) -> list[Block]:
    """Return the score that goes with each placement of a token."""
    words = study.words
    blocks: list[Block] = []
    half = (pl.col("value_high") - pl.col("value_low")) / 2
    for (token,), rows in laid.table.group_by("token", maintain_order=True):
        known = rows.filter(pl.col("value_low").is_not_null())
        if known.is_empty():
            continue
        name, title = str(token), words("figure.token", token=words.plural(str(token)))
        if (known["shows"] != "").any():
            frame = known.select(row="shows", column="place", value="value", half=half)
            places = list(dict.fromkeys(laid.table["place"]))
            reach = max(float(frame["value"].abs().max() or 0), 1.0)  # type: ignore[arg-type]
            figure = Grid(
                [place for place in places if place in set(frame["row"])],
                places,
                frame,
                0.0,
                reach,
                title,
                words("axis.place"),
                False,
                words=words,
            )
            blocks.append(Picture(f"token-{name.replace(' ', '-')}", title, figure, words("caption.token")))
        else:
            own = known.sort("value", descending=True)
            stands = (pl.col("p_holm") < ALPHA).fill_null(False)
            frame = own.select(
                row="place", series=pl.lit("all"), value="value", low="value_low", high="value_high", stands=stands
            )
            panel = Panel(words("axis.goes_with"), frame)
            forest = Forest(own["place"].to_list(), [panel], {"all": words("series.all")}, words=words)
            blocks.append(Picture(f"token-{name.replace(' ', '-')}", title, forest, words("caption.token")))
    if len(laid.table):
        blocks.append(table(words, "tokens", words("table.tokens"), laid.table, TOKENS, words("caption.token"), True))
    return blocks
