"""Changes of the rules in the words of each game."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.data.declarations import load_declarations
from analysis.data.edits import Edit, Edits
from analysis.mend.result import variants_of
from reports.pages.compare import changed_rules, in_rulebook
from reports.words import Words, settings_told, title, told
from simcore.game import GAMES, load_game
from simcore.rules.files import load_rules
from simcore.rules.levers import find_levers
from strategies.spec import make_spec

COINS = [Edit(f"starting_coins.{seat}", 0, coins) for seat, coins in ((2, 17), (3, 25), (4, 34))]


@pytest.mark.parametrize(
    ("game", "setting", "needs"),
    [
        ("middle-ages", "starting_coins.2=3", "In the rulebook: 3 coins for seat 2. Only the text changes."),
        (
            "middle-ages",
            "events.alliance.copies=2",
            "In the rulebook and in the box: 2 instead of 1 cards of Alliance.",
        ),
        ("medievallons", "types.jester.copies=9", "In the rulebook and in the box: 9 cards of the Jester."),
        ("seigneurial", "track.4.2=12", "In the rulebook and in the box: 12 instead of 10 squares of the lord's track"),
        ("fief-2", "start.money=600", "In the rulebook: 600 instead of 500 écus at the start. Only the text changes."),
    ],
)
def test_a_rulebook_is_told_what_changes_and_whether_the_box_does(game: str, setting: str, needs: str) -> None:
    game_ = load_game(game)
    english, french = in_rulebook(load_rules(game_), load_rules(game_, settings=[setting]))
    assert english.startswith(needs)
    assert french.startswith("Dans le livret") and ("boîte" in french) == ("box" in needs)


@pytest.mark.parametrize(
    ("game", "edits", "english", "french"),
    [
        (
            "middle-ages",
            COINS,
            "17, 25 and 34 coins for seats 2, 3 and 4",
            "17, 25 et 34 pièces pour les sièges 2, 3 et 4",
        ),
        (
            "middle-ages",
            [Edit("starting_coins", [0, 0, 0, 0, 0], [0, 17, 25, 34, 0])],
            "17, 25 and 34 coins for seats 2, 3 and 4",
            "17, 25 et 34 pièces pour les sièges 2, 3 et 4",
        ),
        (
            "middle-ages",
            [Edit("starting_coins", 0, [3, 4])],
            "3 and 4 coins for seats 1 and 2",
            "3 et 4 pièces pour les sièges 1 et 2",
        ),
        ("middle-ages", [COINS[0]], "17 coins for seat 2", "17 pièces pour le siège 2"),
        ("middle-ages", [Edit("starting_coins.2", 0, 1)], "1 coin for seat 2", "1 pièce pour le siège 2"),
        (
            "middle-ages",
            [Edit("effects.barracks_buries", "true", "false")],
            "without Barracks that destroy tiles",
            "sans Casernes qui détruisent des tuiles",
        ),
        (
            "seigneurial",
            [Edit("objective_extra.4", 0, 2)],
            "2 instead of 0 points added to every Objective with 4 players",
            "2 au lieu de 0 points ajoutés à chaque Objectif à 4 joueurs",
        ),
        (
            "fief-2",
            [Edit("turns", 7, 9), Edit("prices.title", 700, 0)],
            "9 instead of 7 turns and 0 instead of 700 écus for a title of nobility",
            "9 au lieu de 7 tours et 0 au lieu de 700 écus pour un titre de noblesse",
        ),
        (
            "medievallons",
            [Edit("types.jester.copies", None, 0)],
            "0 cards of the Jester",
            "0 cartes Bouffon",
        ),
    ],
)
def test_changes_in_words(game: str, edits: list[Edit], english: str, french: str) -> None:
    for lang, said in (("en", english), ("fr", french)):
        assert told(Words(lang).of_game(game), Edits(edits)) == said


def test_a_change_that_differs_by_number_of_players_and_one_of_many_values() -> None:
    words = Words().of_game("middle-ages")
    two = [Edit("starting_coins.2", 0, 5, 2), Edit("starting_coins.3", 0, 9, 3)]
    assert told(words, Edits(two)) == "5 coins for seat 2 (2 players); 9 coins for seat 3 (3 players)"
    many = Edits(Edit(f"key_{number}", 1, 2) for number in range(9))
    assert told(words, many).endswith("2 instead of 1 key 5 and 3 more values")
    assert told(words, Edits()) == words("sweep.as_is")


def test_settings_of_a_list_in_words() -> None:
    words, settings = Words().of_game("middle-ages"), ["starting_coins=[0,17,25,34,0]", "effects.mill_coins=3"]
    said = "0, 17, 25, 34 and 0 coins for seats 1, 2, 3, 4 and 5 and 3 coins that a Mill takes"
    assert settings_told(words, settings) == said
    before = {"starting_coins": [0, 0, 0, 0, 0], "effects.mill_coins": 2}
    assert settings_told(words, settings, before) == said.replace(
        "0, 17, 25, 34 and 0 coins for seats 1, 2, 3, 4 and 5", "17, 25 and 34 coins for seats 2, 3 and 4"
    )


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_what_a_game_declares_or_ships_has_a_name_in_both_languages(game: str, lang: str) -> None:
    """No key of a lever reaches a sentence; of the rule sets, those that read the booklet otherwise may."""
    words = Words(lang).of_game(game)
    found = load_game(game)
    spec = make_spec(game, games=100)
    levers = find_levers(found, load_rules(found), [spec.players], (), load_declarations(game).levers)
    variants = variants_of([spec], levers)
    keys = [lever.key for lever in levers]
    keys += [edit.key for name, own in variants.items() if name != "other-readings" for edit in own.edits]
    for key in keys:
        assert "_" not in title(words, key) and ": " not in title(words, key)


def test_a_new_card_is_told_as_what_it_does() -> None:
    """Rather than as two dozen keys, in which nobody sees the card."""
    game = load_game("middle-ages")
    card = Path(__file__).parents[2] / "docs/example-card.toml"
    base, own = load_rules(game), load_rules(game, card)
    said = [changed_rules(Words(lang).of_game(game.name), base, own) for lang in ("en", "fr")]
    assert said == [
        "the card Tithe of the crown: The leader (on a tie, nobody) loses 20% of their coins, only after round 8, 12"
        " or 16",
        "la carte Dîme royale\u202f: Le joueur en tête (personne en cas d'égalité) perd 20\u202f% de ses pièces,"
        " seulement après le tour 8, 12 ou 16",
    ]


def test_a_new_card_of_fief_is_told_in_the_same_way() -> None:
    game = load_game("fief-2")
    base, own = load_rules(game), load_rules(game, Path(__file__).parents[2] / "docs/example-fief-card.toml")
    said = [changed_rules(Words(lang).of_game(game.name), base, own) for lang in ("en", "fr")]
    assert said == [
        "the card The King's levy: The family with the most points (on a tie, nobody) loses 40% of its écus",
        "la carte La levée du roi\u202f: La famille qui a le plus de points (aucune en cas d'égalité) perd 40\u202f% de"
        " ses écus",
    ]
