"""The page of how far a player can be exploited."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from analysis.attacks import Attacks
from reports.page import Column, Report, Section, notes, sentences, table
from reports.pages.common import facts, for_players, method
from reports.steps import playing, steps
from reports.study.study import words_of
from reports.words import Words
from simcore.game import Game, load_game
from simcore.rules.files import Rules

ATTACKS = (
    Column("kind", "name", "col.attack"),
    Column("role", "name"),
    Column("games", "count"),
    Column("share", "share", digits=1),
    Column("usual", "share", digits=1),
    Column("times", title="col.as_much"),
    Column("minutes", "number", digits=1),
)


def compose_attacks(
    results: Sequence[Attacks], rules: Rules, words: Words, command: Sequence[str] = ("skill",)
) -> Report:
    """Return the report of how far a player can be exploited.

    results: One result for each number of players.
    rules: The rules of the games.
    words: Language.
    command: Command line that made it, without the program's name.
    """
    inputs = [result.inputs[0] for result in results]
    game = load_game(inputs[0].game)
    words = words_of(game.name, rules, words)
    return Report(
        words("attacks.title", game=game.title, defender=results[0].defender),
        words("attacks.subtitle", players=words.listed([str(one.players) for one in inputs])),
        facts(words, results, rules, judged=False),
        tuple(said for result in results for said in sentences(words, result)),
        notes(words, *results),
        (*(_section(words, game, result) for result in results), method(words, command, "attacks")),
        words,
        players=tuple(one.players for one in inputs),
        steps=steps(words, rules, ("think", f"learn {playing(rules, inputs[0].players)} --out thinker.toml")),
    )


def _section(words: Words, game: Game, result: Attacks) -> Section:
    players = result.inputs[0].players
    rows = result.table.with_columns(
        kind=pl.format("attack.{}", "kind"),
        minutes=pl.col("making") + pl.col("playing"),
        share_low="low",
        share_high="high",
    )
    columns = ATTACKS if game.asymmetric else [column for column in ATTACKS if column.field != "role"]
    shown = table(words, f"attacks-{players}", words("table.attacks"), rows, columns, words("caption.attacks"))
    return for_players(words, [shown], *result.inputs)
