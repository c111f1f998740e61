"""What only one role has is null in the rows of the others, in both kinds of files, and analyses read it as before."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from analysis.data.sources import RunSource, SpecSource
from analysis.runs import load
from analysis.seats.advantage import seat_advantage
from equipoise.cli import app, run
from tests.toy import TOY


@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_what_one_role_has_is_null_for_the_others(tmp_path: Path, kind: str) -> None:
    folder = tmp_path / kind
    assert run(app, ["simulate", "-q", "--game", TOY, "--games", "40", "--format", kind, "--out", str(folder)]) == 0
    found = load(folder)
    table = found.polars().collect()
    lords = table["role"] == "warlord"
    assert table["demanded"].is_null().to_list() == (~lords).to_list()
    assert table["given"].is_null().to_list() == lords.to_list()
    assert table["walls"].null_count() == 0
    means = table.group_by("role").agg(pl.col("given").mean())
    assert means.filter(pl.col("role") == "warlord")["given"][0] is None
    played = SpecSource(found.spec)
    names = ["given", "demanded", "walls"]
    (_, read), (_, fresh) = (next(iter(one.read(one.stretches()[0], names))) for one in (RunSource(found), played))
    assert all((read[name] == fresh[name]).all() for name in names)
    assert seat_advantage(found).table.equals(seat_advantage(played).table)
