"""The tables of switches in the docs are those of the models, and every switch says what it decides."""

from __future__ import annotations

import pytest

from simcore.game import load_game
from simcore.homes import GAMES
from simcore.rules.files import load_rules
from simcore.rules.levers import rule_keys
from studies.switch_tables import DOCS, TABLES, written


@pytest.mark.parametrize("page", sorted({home for home, _ in TABLES.values()}))
def test_tables_of_switches_are_made_from_the_models(page: str) -> None:
    text = (DOCS / page).read_text(encoding="utf-8")
    assert written(page, text) == text, "write them again: python -m studies.switch_tables"
    row = next(line for line in text.splitlines() if line.startswith(("| `event_loss`", "| `election`")))
    assert written(page, text.replace(row, "| `gone` | | |")) == text


@pytest.mark.parametrize("name", GAMES)
def test_every_switch_says_what_it_decides(name: str) -> None:
    assert name in TABLES
    game = load_game(name)
    assert [one.key for one in rule_keys(game, load_rules(game)) if one.switch and not one.meaning] == []
