"""The page of what a player wins who sees everything."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.secrets import Secrets
from reports.page import Column, Report, Section, notes, sentences, table
from reports.pages.common import facts, for_players, method
from reports.steps import playing, steps
from reports.study.study import words_of
from reports.words import Words
from simcore.game import Game, load_game
from simcore.rules.files import Rules

SECRETS = (
    Column("role", "name"),
    Column("player", "name", "col.strategy"),
    Column("games", "count"),
    Column("share", "share", "col.seeing", digits=1),
    Column("usual", "share", "col.not_seeing", digits=1),
    Column("points", "points", "col.secrets", digits=1),
    Column("times", title="col.as_much"),
)


def compose_secrets(
    results: Sequence[Secrets], rules: Rules, words: Words, command: Sequence[str] = ("skill",)
) -> Report:
    """Return the report of what a player wins who sees everything.

    results: One result for each number of players.
    rules: The rules of the games.
    words: Language.
    command: Command line that made it, without the program's name.
    """
    inputs = [result.inputs[0] for result in results]
    game = load_game(inputs[0].game)
    words = words_of(game.name, rules, words)
    return Report(
        words("secrets.title", game=game.title),
        words("secrets.subtitle", players=words.listed([str(one.players) for one in inputs])),
        facts(words, results, rules, judged=False),
        tuple(said for result in results for said in sentences(words, result)),
        notes(words, *results),
        (*(_section(words, game, result) for result in results), method(words, command, "secrets")),
        words,
        players=tuple(one.players for one in inputs),
        steps=steps(words, rules, ("luck", f"luck {playing(rules, inputs[0].players)}")),
    )


def _section(words: Words, game: Game, result: Secrets) -> Section:
    players = result.inputs[0].players
    columns = SECRETS if game.asymmetric else SECRETS[1:]
    shown = table(words, f"secrets-{players}", words("table.secrets"), result.table, columns, words("caption.secrets"))
    return for_players(words, [shown], *result.inputs)
