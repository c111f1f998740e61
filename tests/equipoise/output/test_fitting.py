"""Tables in a terminal: what is left out in a narrow one, and in which order; nothing is ever cut off."""

from __future__ import annotations

import polars as pl
import pytest

from equipoise.output.terminal import fitted
from reports.page import Column, Table, table
from reports.words import Words

COLUMNS = (
    Column("key", "text", "col.key"),
    Column("before", "share", digits=1, bare=True),
    Column("changed", "share", digits=1, wide=True),
    Column("difference", "points", digits=1),
    Column("size", "signed", wide=True),
)
LEAST = 45
"""Width below which nothing more can be left out or folded."""


def _table(lang: str = "en", brief: int = 2) -> Table:
    frame = pl.DataFrame(
        {
            "key": [
                "effects.mill_coins",
                "the tile that an Event takes, chosen by the owner of the village or at random",
            ],
            "before": [0.25, 0.5],
            "before_low": [0.2, 0.4],
            "before_high": [0.3, 0.6],
            "changed": [0.123, 0.4],
            "difference": [0.125, -0.01],
            "difference_low": [0.1, -0.02],
            "difference_high": [0.15, 0.0],
            "size": [1.25, None],
        }
    )
    return table(Words(lang), "changes", "Changes", frame, COLUMNS, brief=brief)


def _shown(width: int, lang: str = "en", brief: int = 2) -> str:
    headings, rows = fitted(_table(lang, brief), width)
    lines = [*headings, *rows]
    assert all(len(line) <= max(width, LEAST) for line in lines)
    assert "…" not in "".join(lines) and "..." not in "".join(lines)
    return " ".join(" ".join(lines).split())


@pytest.mark.parametrize(
    "width, shown, left_out",
    [
        (200, ["deals that differ", "size (SD)", "(20.0% to 30.0%)", "(+10.0 to +15.0)"], []),
        (106, ["deals that differ", "(20.0% to 30.0%)", "(+10.0 to +15.0)"], ["size (SD)"]),
        (99, ["(20.0% to 30.0%)", "(+10.0 to +15.0)"], ["size (SD)", "deals that differ"]),
        (80, ["before", "25.0%", "(+10.0 to +15.0)"], ["(20.0% to 30.0%)", "deals that differ"]),
        (46, ["25.0%", "+12.5 pts"], ["(20.0% to 30.0%)", "(+10.0 to +15.0)"]),
        (20, ["25.0%", "+12.5 pts", "effects.mill_coins"], ["(20.0% to 30.0%)", "(+10.0 to +15.0)"]),
    ],
)
def test_a_narrow_terminal_leaves_out_wide_columns_first_and_intervals_last(
    width: int, shown: list[str], left_out: list[str]
) -> None:
    text = _shown(width)
    assert [one for one in shown if one not in text] == []
    assert [one for one in left_out if one in text] == []


def test_long_texts_are_folded_between_words_beside_their_figures() -> None:
    _, rows = fitted(_table(), 80)
    assert rows[0].startswith("effects.mill_coins") and "25.0%" in rows[0]
    assert len(rows) > 2 and "50.0%" in rows[1] and "50.0%" not in "".join(rows[2:])
    folded = " ".join(row[: rows[1].index("50.0%")].strip() for row in rows[1:])
    assert folded == "the tile that an Event takes, chosen by the owner of the village or at random"


def test_numbers_stay_with_their_french_units_and_signs() -> None:
    text = _shown(120, "fr")
    assert "20,0\u202f% à 30,0\u202f%" in "".join(fitted(_table("fr"), 120)[1])
    assert "−1,0 pts" in text


def test_only_the_marked_rows_are_shown() -> None:
    assert "Event" not in _shown(200, brief=1)
