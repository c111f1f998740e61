"""What every card of a game does, and how often it is seen and chosen."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, Annotated, Any, Unpack

from equipoise.api.experiment import Experiment
from equipoise.output.progress import Stages
from equipoise.parameters import GoAhead, MaybeGame, Typed, card_names, patience
from equipoise.questions.asked import Played, asked, question
from simcore.errors import UsageError
from simcore.homes import GAMES, typed

if TYPE_CHECKING:
    import polars as pl

    from analysis.data.declarations import Cards
    from simcore.rules.files import Rules
    from simcore.running.batch import Spec

LONG = 10.0
"""Seconds from which on the command says how long it will take."""

LEVELS = ("family", "club")
"""Levels of skill at which the page of one card shows it beside the usual one."""


@dataclass(frozen=True, eq=False, repr=False)
class CardTables(Experiment):
    """What the cards of a game do."""

    def played(self) -> pl.DataFrame:
        """Return what the Parquet file holds: the rows of all tables, with what they are and the number of players."""
        import polars as pl

        rows = [
            one.table.select(pl.lit(one.noun).alias("thing"), pl.lit(one.inputs[0].players).alias("players"), pl.all())
            for one in self.results
        ]
        return pl.concat(rows, how="diagonal_relaxed")


def game_of(given: Mapping[str, Any]) -> str:
    """Return the game: the one that is named, or else the first that has a card of the name."""
    if given["game"] or not given["name"] or given.get("rules", "base") != "base":
        return str(given["game"] or GAMES[0])
    return _sought(GAMES, given["name"])[0]


@question(
    "equipoise cards --game medievallons --quick",
    "equipoise cards jester",
    "equipoise cards 'black death' --players 3",
    "equipoise cards --game fief-2 --players 3,5 --within 3pp --yes",
    games=4_000,
    game=game_of,
    here=True,
)
def cards(
    game: MaybeGame = None,
    name: Annotated[str | None, Typed(takes="CARD", argument=True, complete=card_names)] = None,
    *,
    within: Annotated[str | None, Typed(takes="POINTS")] = None,
    quick: bool = False,
    yes: GoAhead = False,
    **given: Unpack[Played],
) -> CardTables:
    """Say what every card does for whoever holds it, and how often it is seen, chosen and held by the winner.

    Parameters
    ----------
    game
        Game, the path of a Python file with one, openspiel:GAME or pettingzoo:MODULE.ENV.  If None, the first that
        has a card of the name, or middle-ages.
    name
        One card, in any spelling.  If None, all cards.
    within
        Half-width of the range of what each card does, from which the number of deals follows.  If None, 2pp.
    quick
        Ranges of 5 points, and 600 deals at most.
    games
        Deals of each card at most.

    Raises
    ------
    UsageError
        If the game has no such card, or declares no cards, or the work would take too long.

    Returns
    -------
    CardTables
        Its results are `analysis.cards.table.CardTable`: one for each kind of thing and number of players or, of one
        card, for each level of play.

    References
    ----------
    * docs/cards.md

    Examples
    --------
    >>> import equipoise as eq
    >>> made = eq.cards("middle-ages", name="alliance", players=2, strategies="random", quick=True, games=40)
    >>> made.table["card"].to_list()
    ['alliance']
    """
    from analysis.cards.table import FEWER, QUICK, WITHIN, Rest, card_pilot, things_of
    from analysis.precision import lasting
    from analysis.stats.margin import as_margin
    from reports.pages.cards import compose_card, compose_cards
    from strategies.skill import skills_of

    it = asked(game_of({**given, "game": game, "name": name}), given)
    things = [thing for thing in things_of(it.game) if any(thing.copies(it.rules.values).values())]
    if not things:
        raise UsageError(f"{it.game.title} declares no cards; docs/reference/add-a-game.md says how", "game")
    if name and len(it.players) > 1:
        raise UsageError("one card is shown at one number of players; name one", "players")
    half = (QUICK if quick else WITHIN) if within is None else as_margin(within).size
    most = min(it.games, FEWER) if quick else it.games
    card = ""
    if name:
        _, place, card = _sought([it.game.name], name, it.rules)
        things = [things_of(it.game)[place]]

    def play(spec: Spec, one: Cards, race: bool, wide: float, count: int) -> Rest:
        def shown(done: int, total: int) -> None:
            tick(f"deals ({one.noun})", done, total)

        return card_pilot(spec, one, (card,) * bool(card), wide, count, it.level, it.threads, shown, race)

    with Stages(it.progress) as tick:
        rests = [play(spec, one, not quick, half, most) for spec in it.specs for one in things]
        if name and not given["strategies"] and given["skill"] is None:
            for level in (one for one in LEVELS if one in skills_of(it.game.name)):
                weaker = asked(it.game.name, {**given, "skill": level, "players": it.players[0]})
                rests.append(play(weaker.specs[0], things[0], False, QUICK, min(most, FEWER)))
        seconds, at_most = sum(rest.seconds for rest in rests), sum(rest.at_most for rest in rests)
        patience(yes, seconds)
        if at_most > LONG and it.progress is True:
            logging.getLogger("equipoise").info("about %s, at most %s", lasting(seconds), lasting(at_most))
        made = it.answer("cards", tuple(rest.table() for rest in rests), compose_card if name else compose_cards)
    return CardTables(made.what, made.results, made.rules, made.compose)


def _names(game: str, rules: Rules | None) -> dict[str, tuple[int, str]]:
    """Return the place of the thing and the key of every card of a game, by its key and its names in both languages.

    rules: Rules that may have cards of their own; if None, those that are printed.
    """
    from analysis.cards.table import things_of
    from reports.words import LANGUAGES, Words
    from simcore.game import load_game
    from simcore.rules.files import load_rules

    loaded = load_game(game)
    values, names = (rules or load_rules(loaded)).values, dict[str, tuple[int, str]]()
    for place, thing in enumerate(things_of(loaded)):
        titles = thing.titles(values)
        for key in thing.copies(values):
            titled = {lang: {card: title[lang] for card, title in titles.items()} for lang in LANGUAGES}
            spelt = [Words(lang).of_game(game).naming(titled[lang]).name(key) for lang in LANGUAGES]
            for one in (key, *spelt):
                names.setdefault(_plain(one), (place, key))
    return names


def _plain(name: str) -> str:
    """Return a name without capitals, accents, articles' apostrophes, spaces and plural."""
    from unicodedata import combining, normalize

    letters = "".join(letter for letter in normalize("NFKD", name.casefold()) if not combining(letter))
    return "".join(letter for letter in letters if letter.isalnum()).removesuffix("s")


def _sought(games: Sequence[str], name: str, rules: Rules | None = None) -> tuple[str, int, str]:
    """Return the game, the place of the thing and the key of a card: spelt so, or the only one that begins so.

    Raises UsageError, which names the nearest one, if there is none.
    """
    plain, spelt = _plain(name), dict[str, str]()
    for game in games:
        names = _names(game, rules)
        beginning = {card for one, card in names.items() if plain and one.startswith(plain)}
        card = names.get(plain) or (beginning.pop() if len(beginning) == 1 else None)
        if card is not None:
            return game, *card
        spelt |= {one: key for one, (_, key) in names.items()}
    close = get_close_matches(plain, spelt, n=1, cutoff=0.6)
    meant = f"did you mean '{spelt[close[0]]}'?" if close else f"`equipoise cards --game {typed(games[0])}` lists them"
    raise UsageError(f"there is no card '{name}'; {meant}")
