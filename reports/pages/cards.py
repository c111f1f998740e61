"""The pages of `equipoise cards`: all cards of a game, and one card."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from shlex import quote

import polars as pl

from analysis.cards.table import CardTable, things_of
from analysis.seats.levels import stored_card
from reports.commands import UNTYPED, casting, changed, named, playing
from reports.page import Block, Column, Listing, Report, Section, Sentence, assumed, basis, notes, sentences, table
from reports.pages.common import about, facts, method
from reports.sections.cards import card_blocks, name_of
from reports.steps import Wanted, steps
from reports.words import Words
from simcore.errors import UsageError
from simcore.game import Game
from simcore.homes import typed
from simcore.rules.files import Rules, load_rules
from simcore.rules.levers import whole_numbers

MANY = 12
"""Most levers of one card."""

PARTS = (
    Column("when", "name", "col.card_when"),
    Column("deals", "count", "col.deals_compared"),
    Column("does", "points", digits=1),
)
LEVELS = (
    Column("players", "text", "col.skill"), Column("does", "points", digits=1),
    Column("decides", "share", "col.card_decides", digits=1), Column("iwd", "points", digits=1),
    Column("played", "share", digits=0), Column("with_winner", "share", digits=0),
)  # fmt: skip
AGAINST = (
    Column("seat", "count"),
    Column("struck", "share", "col.struck", digits=0),
    Column("wins", "share", "col.wins_struck", digits=1),
)
OTHERS = (
    Column("other", "name", "col.other_card"),
    Column("deals", "count", "col.deals_compared"),
    Column("does", "points", "col.together", digits=1),
)
TOGETHER = 8
"""Other cards that the page of one card shows."""


def compose_cards(
    results: Sequence[CardTable], rules: Rules, words: Words, command: Sequence[str] = ("cards",)
) -> Report:
    """Return the report of what all cards and other things of a game do.

    results: One result for each kind of thing and number of players.
    """
    game, words = about(results[0], rules, words)
    sections = []
    for result in results:
        title = words("cards.section", noun=words.name(result.noun), players=result.inputs[0].players)
        blocks = tuple(card_blocks(words, result))
        sections.append(Section(name_of(result), title, (), blocks, notes(words, result), basis(words, *result.inputs)))
    counts = tuple(dict.fromkeys(result.inputs[0].players for result in results))
    best = results[0].table["card"][0]
    return Report(
        words("cards.title", game=game.title),
        words("cards.subtitle", within=100 * results[0].within),
        facts(words, results, rules),
        tuple(said for result in results for said in sentences(words, result)),
        assumed(words, rules),
        (*sections, method(words, command, "cards.blank", "cards.rates", "cards.tiers")),
        words,
        players=counts,
        steps=steps(
            words,
            rules,
            Wanted("card", f"cards {quote(best)} {playing(rules, counts[0], command)}"),
            Wanted("report", f"report {playing(rules, command=command)}"),
        ),
        kicker=words("cards.kicker"),
    )


def compose_card(
    results: Sequence[CardTable], rules: Rules, words: Words, command: Sequence[str] = ("cards",)
) -> Report:
    """Return the report of one card: as `compose_cards`, by level of play, and with games and commands.

    results: One result for each level of play, the one that is shown first, then the others from the weakest up.
    """
    game, words = about(results[0], rules, words)
    first = results[0]
    card, players = first.table["card"][0], first.inputs[0].players
    shown, at = words.name(card), playing(rules, players, command)
    blocks = card_blocks(words, first)
    if len(first.parts):
        parts = first.parts.with_columns(pl.format("held_{}", "when").alias("when"))
        blocks.append(table(words, "card-when", words("table.card_when"), parts, PARTS, words("caption.card_when")))
    if len(first.against):
        caption = words("caption.card_against")
        blocks.append(table(words, "card-against", words("table.card_against"), first.against, AGAINST, caption))
    if len(results) > 1:
        blocks.append(_levels(words, (*results[1:], first), card))
    others = first.together.filter(pl.col("does_low").is_not_null()).sort("does", descending=True)
    if len(others):
        ends = pl.concat([others.head(TOGETHER // 2), others.tail(TOGETHER // 2)]).unique("other", maintain_order=True)
        shared = first.parts.is_empty()
        caption = words("caption.card_events" if shared else "caption.card_hands")
        blocks.append(table(words, "card-together", words("table.card_together"), ends, OTHERS, caption))
    changes, games = tuple(_changes(game, rules, card, players, command)), tuple(_replays(first, rules, command))
    blocks += [
        Listing(words(f"cards.{name}"), lines) for name, lines in (("changes", changes), ("games", games)) if lines
    ]
    said = tuple(_own(words, first)) or sentences(words, first)
    own = [text for key, text in rules.values.in_words(words.lang).items() if key.rpartition(".")[2] == card]
    return Report(
        words("card.title", card=shown, game=game.title),
        " ".join([*own, words("cards.subtitle", within=100 * first.within)]),
        facts(words, results, rules),
        said,
        (*notes(words, first), *assumed(words, rules)),
        (
            Section("card", shown, (), tuple(blocks), (), basis(words, *first.inputs)),
            method(words, command, "cards.blank", "cards.rates"),
        ),
        words,
        players=(players,),
        steps=steps(
            words,
            rules,
            Wanted("cards", f"cards {at}"),
            *([Wanted("cards_search", f"cards {quote(card)} {at} --skill search --quick")] if game.search else []),
        ),
        kicker=words("cards.kicker"),
    )


def _levels(words: Words, results: Sequence[CardTable], card: str) -> Block:
    """Return what the card does by level of play, with what is stored of players who look ahead."""
    inputs, caption = results[-1].inputs[0], words("caption.card_levels")
    rows = [(one.inputs[0].strategies[0], one.table[:1]) for one in results]
    stored = stored_card(inputs.game, inputs.players, card, inputs.rules_digest)
    if stored is not None:
        rows.append((stored.strategies[0], pl.DataFrame([stored.model_dump(exclude={"strategies", "players"})])))
        caption = words("caption.card_levels_stored", games=stored.games)
    frames = [row.with_columns(players=pl.lit(words.name(name))) for name, row in rows]
    levels = pl.concat(frames, how="diagonal_relaxed")
    return table(words, "card-levels", words("table.card_levels"), levels, LEVELS, caption)


def _own(words: Words, result: CardTable) -> Iterator[Sentence]:
    """Yield what one card does, and how far the rates of winners are from it."""
    row = result.table.row(0, named=True)
    status = "fact" if row["needed"] is None else "unclear"
    named = row | {"card": words.name(row["card"])}
    for name in ("does", "decides"):
        if row[f"{name}_low"] is not None:
            yield Sentence(words(f"card.{name}", **named), status)
    if row["does_low"] is not None and row["iwd"] is not None:
        yield Sentence(words("card.gap", **named))
    if row["with_winner"] is not None and not row["role"]:  # in a role, it is a share of that role's wins
        yield Sentence(words("card.winner", **named))
    if row["needed"] is not None:
        yield Sentence(words("card.needed", within=result.within, **named), "unclear")


def _changes(game: Game, rules: Rules, card: str, players: int, command: Sequence[str]) -> Iterator[str]:
    """Yield commands: without the card, with one more, and with each of its values one step up and down."""
    version, settings = named(rules, command)
    if version == UNTYPED:
        return
    at = f"--game {typed(rules.game_name)} --players {players}"
    start = f"equipoise compare {version}"
    copies = {
        thing.key.format(card=card): thing.copies(rules.values)[card]
        for thing in things_of(game)
        if thing.key and card in thing.copies(rules.values)
    }
    own = {key: value for key, value in whole_numbers(game, rules, players) if card in key.split(".")}
    copies |= {key: value for key, value in own.items() if key.endswith("copies")}
    for key, value in list((copies | own).items())[:MANY]:
        for new in (0, value + 1) if key in copies else (value + 1, value - 1):
            setting = f"{key}={new}"
            if new != value and _allowed(game, rules, setting, players):
                yield f"{start}{changed((*settings, setting))} {at} --habit"


def _allowed(game: Game, rules: Rules, setting: str, players: int) -> bool:
    """Return whether rules accept a setting."""
    try:
        game.pack(load_rules(game, rules, [setting]).values, players)
    except UsageError:
        return False
    return True


def _replays(result: CardTable, rules: Rules, command: Sequence[str]) -> Iterator[str]:
    """Yield commands that show games that the card decided."""
    inputs = result.inputs[0]
    table = playing(rules, inputs.players, command) + casting(inputs)
    if UNTYPED in table:
        return
    for row in result.decided.iter_rows(named=True):
        yield f"equipoise replay {table} --seed {inputs.seed} --index {row['game']}"
