"""Parquet as `analysis.runs.parquet` writes it: the same table, and the same types, as polars makes of a frame."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pyarrow.parquet as pq
import pytest
from polars.testing import assert_frame_equal

from analysis.runs import thrift
from analysis.runs.frames import frame_of, schema_of
from analysis.runs.parquet import ParquetWriter
from simcore.batch import Spec, run_chunk
from simcore.columns import ColumnBuffer
from tests.specs import make_spec


def filled(spec: Spec, detail: str, first: int, games: int) -> ColumnBuffer:
    buffer = ColumnBuffer(spec, detail, games)
    buffer.begin(first)
    buffer.add(run_chunk(spec, first, games))
    return buffer


@pytest.mark.parametrize("detail", ["minimal", "standard", "full"])
@pytest.mark.parametrize(
    ("players", "strategies", "first", "games"),
    [
        (2, ["random", "greedy"], 0, 1),
        (3, ["random"], 4_000_000_000, 7),  # a game's number beyond 31 bits
        (4, ["greedy", "random", "greedy", "greedy"], 960, 2000),  # a strategy in several seats
        (5, ["random"], 0, 500),
    ],
)
def test_readers_find_what_a_frame_holds(
    tmp_path: Path, players: int, strategies: list[str], detail: str, first: int, games: int
) -> None:
    spec = make_spec(players=players, strategies=strategies, games=first + games, design="rotate")
    buffer = filled(spec, detail, first, games)
    ours, theirs = tmp_path / "ours.parquet", tmp_path / "theirs.parquet"
    ParquetWriter(spec, detail).write(ours, buffer)
    frame = frame_of(spec, buffer)
    frame.write_parquet(theirs)
    assert pl.read_parquet_schema(ours) == schema_of(spec, detail)
    assert_frame_equal(pl.read_parquet(ours), frame)
    assert_frame_equal(
        pl.scan_parquet(ours).filter(pl.col("seat") == 2).select("coins", "game_id").collect(),
        frame.filter(pl.col("seat") == 2).select("coins", "game_id"),
    )
    assert pq.read_table(ours).equals(pq.read_table(theirs))
    assert pq.read_schema(ours).equals(pq.read_schema(theirs), check_metadata=True)
    assert pq.ParquetFile(ours).schema.equals(pq.ParquetFile(theirs).schema)


def test_values_far_apart_are_written_as_they_are(tmp_path: Path) -> None:
    spec = make_spec(players=2, strategies=["random"], games=3)
    rows = run_chunk(spec, 0, 3)
    rows["coins"] = [-(2**31), 2**31 - 1, 0, 7, -1, 5]
    buffer = ColumnBuffer(spec, "minimal", 3)
    buffer.begin(0)
    buffer.add(rows)
    ParquetWriter(spec, "minimal").write(tmp_path / "x.parquet", buffer)
    assert pl.read_parquet(tmp_path / "x.parquet")["coins"].to_list() == rows["coins"].tolist()
    chunk = pq.ParquetFile(tmp_path / "x.parquet").metadata.row_group(0).column(4)
    assert chunk.path_in_schema == "coins"
    assert not chunk.has_dictionary_page


def test_every_width_of_a_dictionary(tmp_path: Path) -> None:
    """1 to 13 bits a value: the dictionary of a column has 2, 4, ... 8192 entries."""
    spec = make_spec(players=2, strategies=["random"], games=5000)
    rows = run_chunk(spec, 0, 5000)
    for width in range(1, 14):
        rows["coins"] = np.arange(len(rows)) * 7919 % 2**width - 3
        buffer = ColumnBuffer(spec, "minimal", 5000)
        buffer.begin(0)
        buffer.add(rows)
        ParquetWriter(spec, "minimal").write(tmp_path / "x.parquet", buffer)
        assert pq.read_table(tmp_path / "x.parquet")["coins"].to_pylist() == rows["coins"].tolist()


def test_thrift_by_hand() -> None:
    """Numbers from the description of Thrift's compact protocol: 50399 is DF 89 03; zigzag 1 is 2, -1 is 1."""
    assert thrift.varint(50399).hex() == "df8903"
    assert [thrift.whole(number).hex() for number in (0, -1, 1, -2, 64)] == ["00", "01", "02", "03", "8001"]
    assert thrift.text("ab").hex() == "026162"
    assert thrift.sequence(thrift.I32, [thrift.whole(3)] * 2).hex() == "250606"
    assert thrift.sequence(thrift.I32, [thrift.whole(0)] * 15).hex() == "f50f" + "00" * 15
    assert thrift.struct((1, thrift.I32, thrift.whole(3)), (5, thrift.I64, thrift.whole(-1))).hex() == "1506460100"


def test_thrift_finds_fields_again() -> None:
    inner = thrift.struct((1, thrift.TRUE, b""), (2, thrift.BINARY, thrift.text("x")))
    fields = [
        (1, thrift.I32, thrift.whole(300)),
        (3, thrift.LIST, thrift.sequence(thrift.STRUCT, [inner] * 20)),
        (4, thrift.STRUCT, inner),
        (12, thrift.BYTE, b"\x07"),
    ]
    assert thrift.fields(thrift.struct(*fields)) == fields
