"""Numbers and phrases in two languages."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import pytest

from analysis.data.results import Counted, Note, Unanswered, Verdict
from analysis.stats.multiple_testing import Tied
from reports.page import Picture, Remark, Report, Table, notes
from reports.render.images import svg
from reports.words import ENGLISH, Words
from simcore.errors import UsageError
from strategies.habit import Habit
from tests.reports.conftest import place_roughly

FRENCH = Words("fr")
THIN = "\u202f"  # narrow no-break space, as the French rules of typography ask for
MINUS = "\u2212"


@pytest.mark.parametrize(
    ("value", "form", "english", "french"),
    [
        (1234567, ",", "1,234,567", f"1{THIN}234{THIN}567"),
        (-0.1234, ".1%", f"{MINUS}12.3%", f"{MINUS}12,3{THIN}%"),
        (0.0234, "+.1pp", "+2.3", "+2,3"),
        (-0.0001, ".2f", "0.00", "0,00"),
        (-0.0001, "+.1pp", "0.0", "0,0"),
        (-0.006, ".2f", f"{MINUS}0.01", f"{MINUS}0,01"),
        (1390, "", "1390", "1390"),
        (2.5, "", "2.5", "2,5"),
        (0.93, "~.0%", "93%", f"93{THIN}%"),
        (0.9996, "~.1%", "over 99.9%", f"plus de 99,9{THIN}%"),
        (1.0, "~.0%", "over 99%", f"plus de 99{THIN}%"),
        (0.0, "~.1%", "under 0.1%", f"moins de 0,1{THIN}%"),
    ],
)
def test_numbers(value: float, form: str, english: str, french: str) -> None:
    assert ENGLISH.number(value, form) == english
    assert FRENCH.number(value, form) == french


@pytest.mark.parametrize(
    ("value", "english", "french"),
    [
        (0, "0 games", "0 partie"),
        (1, "1 game", "1 partie"),
        (1.5, "1.5 games", "1,5 partie"),
        (2000, "2,000 games", f"2{THIN}000 parties"),
    ],
)
def test_a_number_is_followed_by_the_singular_or_the_plural(value: float, english: str, french: str) -> None:
    assert ENGLISH.number(value, ",|game|games") == english
    assert FRENCH.number(value, ",|partie|parties") == french


def test_one_game_of_an_incomplete_deal_is_said_in_the_singular() -> None:
    inputs = Counted(games=2000, deals=1000, excluded=1, planned=2001)
    assert ENGLISH.denominator(inputs) == "1,000 deals (2,000 games), 1 game of incomplete deals left out"
    assert FRENCH.denominator(inputs).endswith(", 1 partie de donne incomplète écartée")


def test_a_status_and_who_played_are_said_as_the_language_has_it() -> None:
    french = Words("fr")
    assert ENGLISH("status.said", status="Fair", text="seats") == "Fair: seats"
    assert french("status.said", status="Faussé", text="sièges") == "Faussé\u202f: sièges"
    assert ENGLISH("answer.judges", strategies="champion", games=1).endswith("; 1 game in all.")
    assert french("answer.judges", strategies="champion", games=1).endswith("; 1 partie en tout.")


def test_verdict_in_another_language_names_cards_and_denominator() -> None:
    words = FRENCH.naming({"alliance": "Alliance", "seat": "siège"})
    values = {"card": "alliance", "effect": 0.5, "low": 0.4, "high": 0.6, "deals": 1000, "of": 15}
    verdict = Verdict("cards_score", "fact", values)
    assert words.verdict(verdict) == (
        f"«{THIN}Alliance{THIN}» déplace le plus le score moyen{THIN}: +0,50 (+0,40 à +0,60{THIN}; 15 cartes, "
        f"1{THIN}000 donnes)."
    )
    told = Verdict(
        "seats_unclear",
        "unclear",
        {
            "seat": 1,
            "share": 0.5,
            "low": 0.4,
            "high": 0.6,
            "par": 0.5,
            "margin": 0.02,
            "least": 0.48,
            "most": 0.52,
            "needed": 4_000,
            "counted": Counted(2000, 1000, 3, 2003),
        },
    )
    assert f"1{THIN}000 donnes (2{THIN}000 parties), 3 parties de donnes incomplètes écartées" in words.verdict(told)


def test_a_verdict_without_words_is_a_plain_sentence_and_a_note_for_its_author() -> None:
    verdict = Verdict("siege_walls", "fact", {})
    assert ENGLISH.verdict(verdict) == "There is a result that has no sentence yet: siege_walls."
    assert ENGLISH.phrase_of("siege_walls") is None and ENGLISH.phrase_of("cards_score_more") is not None
    result: Any = SimpleNamespace(verdicts=(verdict, verdict), notes=())
    assert notes(ENGLISH, result) == (
        "For the author of the game: write these verdicts under [verdicts] in the game's words: siege_walls.",
    )
    assert notes(ENGLISH, SimpleNamespace(verdicts=(), notes=())) == ()


def test_an_error_without_a_translation_stays_as_it_is() -> None:
    assert FRENCH.refusal(UsageError("Never heard of.")) == "Never heard of."


def test_remarks_and_reasons_have_their_values_in_the_language() -> None:
    short = Note("cut_short", {"run": "runs/x", "games": 7_680, "planned": 8_001})
    assert ENGLISH.note(short) == "runs/x: cut short; it has 7,680 of 8,001 games."
    french = f"runs/x{THIN}: série interrompue{THIN}; elle compte 7{THIN}680 parties sur 8{THIN}001."
    assert FRENCH.note(short) == french
    alone = Unanswered("one_strategy", "{what}: {names} is the only strategy", what="matchups", names="'greedy'")
    assert ENGLISH.refusal(alone) == str(alone) == "matchups: 'greedy' is the only strategy"
    assert FRENCH.refusal(alone).startswith("'greedy' est la seule stratégie")


def test_parts_of_a_whole_are_listed_with_their_shares() -> None:
    told = Verdict(
        "economy_shares", "fact", {"unit": "coins", "deals": 9, "parts": (("income", 0.456), ("other", 0.544))}
    )
    assert ENGLISH.verdict(told) == "Of all coins earned: income 46%, other 54% (9 deals)."
    assert (
        FRENCH.naming({"income": "Revenu"}).verdict(told)
        == f"De tous les gains en coins{THIN}: Revenu 46{THIN}%, autre 54{THIN}% (9 donnes)."
    )


@pytest.mark.parametrize(
    ("code", "english", "french"),
    [
        (
            "cards_winner_many",
            "decides the largest number of games; these deals cannot tell which",
            "ces donnes ne disent pas laquelle",
        ),
        ("cards_score_many", "moves the mean score most; these deals cannot tell which", "ne disent pas laquelle"),
        (
            "cards_winner_level",
            "Which card decides the largest number of games is not certain",
            "On ne sait pas quelle carte",
        ),
        ("cards_score_level", "Which card moves the mean score most is not certain", "On ne sait pas quelle carte"),
    ],
)
def test_what_cannot_be_told_apart_is_not_called_equal(code: str, english: str, french: str) -> None:
    """13 of 15 cards of Middle-Ages whose rates lie between 8.9 and 38.6 %."""
    values = {"count": 13, "of": 15, "card": "Black Death", "cards": Tied(("Black Death", "Plague"))}
    verdict = Verdict(code, "fact", values | {"effect": 0.386, "low": 0.207, "high": 0.59, "deals": 200})
    assert english in ENGLISH.verdict(verdict)
    assert french in FRENCH.verdict(verdict)
    assert not re.search(r"about|same number|equally|à peu près", ENGLISH.verdict(verdict) + FRENCH.verdict(verdict))


def test_results_that_contradict_every_level_do_not_do_so_with_certainty() -> None:
    values = {"games": 40, "none": 0.99998, "before": 0.2, "trusting": 0.9991, "sceptical": 1.0}
    verdict = Verdict("playtest_contradicts", "fact", values)
    assert "no level explains them is over 99.9% (20% before them; starting from 5%, it is 99.9%," in ENGLISH.verdict(
        verdict
    )
    assert f"est de plus de 99,9{THIN}% (20{THIN}% auparavant" in FRENCH.verdict(verdict)
    assert "100" not in ENGLISH.verdict(verdict) + FRENCH.verdict(verdict)


def test_the_method_does_not_call_the_judge_the_strongest_player_there_is() -> None:
    """Those who look ahead are stronger, and the same section says so."""
    for words, judges, stronger in (
        (ENGLISH, "the strongest players who decide at once", "Players who look ahead are stronger"),
        (FRENCH, "les plus forts parmi ceux qui décident aussitôt", "Les joueurs qui anticipent sont plus forts"),
    ):
        assert judges in words("method.skill")
        assert stronger in words("method.skill")


def test_braces_in_names_are_text() -> None:
    values = {"weak": "{strong.__class__}", "strong": "{0}"}
    text = ENGLISH.verdict(Verdict("ladder_seats_none", "fact", values))
    assert text == "No seat is clearly too strong or too weak at any level of skill, from {strong.__class__} to {0}."


def test_unknown_language() -> None:
    with pytest.raises(UsageError, match="no language 'de'"):
        Words("de")


def test_the_first_series_of_a_breakdown_has_its_own_title_or_that_of_all() -> None:
    words = ENGLISH.naming({"laid": "By guild", "laid.first": "By first guild", "moved": "Cards moved"})
    assert words.name("laid.first") == "By first guild"
    assert words.name("moved.first") == "Cards moved"
    told = Verdict("breakdown_level", "fact", {"title": "moved.first"})
    assert words.verdict(told).startswith("Cards moved: ")


def test_the_words_about_habits_are_those_of_the_commands() -> None:
    known = Habit("rollout", "champion", "base", "0" * 64, ("effects.mill_coins", "a", "b", "c", "d", "e"))
    hardly = Habit("mine", "", "base", "0" * 64, (), 3)
    for habit, code in ((known, "known"), (Habit("mine", "", "", "0" * 64, ()), "unknown"), (hardly, "hardly")):
        code = f"habit_{code}"
        values = {"strategy": habit.player, "rules": habit.rules, "keys": habit.keys, "generations": habit.generations}
        assert ENGLISH.note(Note(code, values)) == str(habit)
        assert "--" not in str(habit), "the API knows no options of commands"
    named = ENGLISH.naming({"greedy": "the expert"})
    for name, begins in (("greedy", "The expert was"), ("mine", "mine was")):
        assert named.note(Note("habit_unknown", {"strategy": name})).startswith(begins)


TERMS = re.compile(r"\b(Holm|logit|log odds|counterfactual|contrefactuel|Benjamini|naive|naïve?)\b", re.IGNORECASE)


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_terms_of_statistics_stand_under_method_alone(
    lang: str, report: Report, french: Report, monkeypatch: pytest.MonkeyPatch
) -> None:
    place_roughly(monkeypatch)
    made = {"en": report, "fr": french}[lang]
    under_method = 0
    for section in made.sections:
        said = [sentence.text for sentence in section.sentences] + [*section.notes, section.basis, section.title]
        for block in section.blocks:
            if isinstance(block, Table):
                said += [block.title, block.caption, *block.headings]
            elif isinstance(block, Picture):
                said += [block.title, block.caption, block.figure.alt_text, svg(block.figure, "x")]
            elif isinstance(block, Remark):
                said.append(block.text)
        found = [text for text in said if TERMS.search(text)]
        under_method += len(found) if section.name == "method" else 0
        assert section.name == "method" or not found, found[0][:300]
    assert under_method


def test_the_glossary_explains_words_where_they_are_first_used(report: Report, page: str) -> None:
    explained = dict(re.findall(r'<abbr title="([^"]+)">([^<]+)</abbr>', page))
    assert {"par", "blank"} <= {term.lower() for term in explained.values()}
    for text in re.findall(r"<figcaption>.*?</figcaption>", page, re.DOTALL):
        terms = [term.lower() for term in re.findall(r">([^<]+)</abbr>", text)]
        assert len(terms) == len(set(terms))
    table = next(table for table in report.tables if table.name == "glossary")
    assert {row[0].text for row in table.rows} >= {"par", "deal"}
