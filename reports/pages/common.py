"""What the pages of questions have in common: what was played, and how to play it again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from analysis.data.results import Inputs, Result
from reports.opinion import Heard
from reports.page import Block, Remark, Report, Section, Sentence, Step, basis, notes, sentences
from reports.steps import again
from reports.study.study import words_of
from reports.words import Words, settings_told
from simcore.game import Game, load_game
from simcore.rules.files import Rules


def facts(
    words: Words,
    results: Sequence[Result],
    rules: Rules | None,
    *first: tuple[str, str],
    games: str = "games",
    judged: bool = True,
) -> tuple[tuple[str, str], ...]:
    """Return the facts of a page: labels and values.

    rules: The rules; None if the page compares several.
    first: The page's own facts: names of their labels' phrases, and values.
    games: Name of the phrase for the games.
    judged: Whether to name the strategies, as those by which something is judged.
    """
    inputs = [item for result in results for item in result.inputs]
    strategies = dict.fromkeys(words.name(name) for item in inputs for name in item.strategies)
    named = [
        *first,
        (games, words.number(sum(result.games for result in results), ",")),
        ("players", words.listed([*dict.fromkeys(str(item.players) for item in inputs)])),
        *([("rules", rules_told(words, rules))] if rules else []),
        *([("skill", words.listed([*strategies]))] if judged else []),
        ("seed", str(inputs[0].seed)),
    ]
    return tuple((words(f"fact.{name}"), value) for name, value in named)


def page(
    words: Words,
    stem: str,
    results: Sequence[Result],
    rules: Rules | None,
    sections: Sequence[Section],
    next_steps: tuple[Step, ...],
    *own: tuple[str, str],
    heard: tuple[Heard, ...] = (),
    warnings: tuple[str, ...] | None = None,
    by_players: bool = False,
    fact_of_games: str = "games",
    judged: bool = True,
    **named: Any,
) -> Report:
    """Return the page of a question whose phrases begin with a stem.

    own, fact_of_games, judged: As `first`, `games` and `judged` of `facts`.
    warnings: What comes before everything else; if None, the notes of the results.
    by_players: Whether each result is about a number of players, among which a reader may choose.
    named: What the title and the subtitle name beside the game and the numbers of players.
    """
    counts = tuple(dict.fromkeys(item.players for result in results for item in result.inputs))
    named = {
        "game": load_game(results[0].inputs[0].game).title,
        "players": words.listed([str(count) for count in counts]),
        **named,
    }
    said = [
        replace(one, players=result.inputs[0].players if by_players else None)
        for result in results
        for one in sentences(words, result)
    ]
    return Report(
        words(f"{stem}.title", **named),
        words(f"{stem}.subtitle", **named),
        facts(words, results, rules, *own, games=fact_of_games, judged=judged),
        (*said, *level_lines(words, *heard)),
        notes(words, *results) if warnings is None else warnings,
        tuple(sections),
        words,
        players=counts if by_players else (),
        steps=next_steps,
        heard=heard,
    )


def about(result: Result, rules: Rules, words: Words) -> tuple[Game, Words]:
    """Return the game that a result is about, and the words of its page."""
    game = load_game(result.inputs[0].game)
    return game, words_of(game.name, rules, words)


def level_lines(words: Words, *voices: Heard) -> tuple[Sentence, ...]:
    """Return which levels of play the verdicts of a page hold at: a sentence for each number of players."""
    if len(voices) == 1:
        return (Sentence(voices[0].line(words)),)
    said = {one.inputs.players: one.line(words) for one in voices}
    return tuple(Sentence(words("of_players", players=players, text=text)) for players, text in said.items())


def for_players(words: Words, blocks: Sequence[Block], *inputs: Inputs) -> Section:
    """Return the section about one number of players: blocks, and the games that they rest on."""
    players = inputs[0].players
    title = words("sweep.section", players=players)
    return Section(f"players-{players}", title, (), tuple(blocks), (), basis(words, *inputs))


def rules_told(words: Words, rules: Rules, first: Rules | None = None) -> str:
    """Return the name of some rules, with what their settings change, in words; they may be those of `first`."""
    before = first.flat() if first and first.name == rules.name and not first.settings else {}
    changes = settings_told(words, rules.settings, before)
    return words("rules.with", rules=rules.name, changes=changes) if rules.settings else rules.name


def method(words: Words, command: Sequence[str], *parts: str | Block, basis: str = "") -> Section:
    """Return the section on the method, which ends with the command; a paragraph is the name of its phrase."""
    blocks = (Remark(words(f"method.{part}")) if isinstance(part, str) else part for part in parts)
    return Section("method", words("section.method"), (), (*blocks, *again(words, command)), (), basis)
