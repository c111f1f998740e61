"""Run folders: what a manifest says, how a table is read back, and what is refused."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import equipoise as eq
from analysis.runs import Manifest, folders, load_spec
from analysis.runs.export import write_table
from analysis.runs.folders import claim, free_folder
from analysis.runs.writer import RunWriter
from simcore.errors import UsageError
from simcore.running.batch import Spec, run_chunk
from simcore.running.columns import columns
from simcore.running.digest import Digest
from simcore.running.executors import execute
from tests.manifests import edit, manifest_of
from tests.specs import make_spec

GAMES = 8_000  # more than one part


def write_run(folder: Path, spec: Spec, detail: str = "full", form: str = "parquet") -> Manifest:
    claim(folder)
    writer = RunWriter(folder, spec, detail, form, ["simulate", "--games", str(spec.games)])
    return writer.close(execute(spec, 2, detail, writer.write, writer.finished))


@pytest.fixture(scope="module")
def spec() -> Spec:
    line = ["greedy", "random", "random"]
    return make_spec(
        3, line, ["shortfall=debt", "events.alliance.copies=2"], design="rotate", seed=2**64 - 1, games=GAMES
    )


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, spec: Spec) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "first"
    write_run(folder, spec, form="both")
    return folder


@pytest.fixture
def copy(tmp_path: Path, spec: Spec) -> Path:
    write_run(tmp_path / "run", spec, "minimal")
    return tmp_path / "run"


# --- the manifest ---


def test_manifest_says_what_was_played(made: Path, spec: Spec) -> None:
    table = json.loads((made / "manifest.json").read_text(encoding="utf-8"))
    digest = Digest()
    digest.add(run_chunk(spec, 0, GAMES), 0)
    expected = {
        "format": "equipoise-run/2", "status": "complete", "game": "middle-ages", "players": 3,
        "strategies": ["greedy", "random", "random"], "design": "rotate", "seed": 2**64 - 1, "games": GAMES,
        "games_written": GAMES, "rows": 3 * GAMES, "digest": digest.hexdigest(), "detail": "full",
        "table_format": "both", "rules_digest": spec.rules.digest,
        "settings": ["shortfall=debt", "events.alliance.copies=2"], "command": ["simulate", "--games", str(GAMES)],
    }  # fmt: skip
    assert {key: table[key] for key in expected} == expected
    assert table["rules"]["shortfall"] == "debt"
    assert [table["policy"] for table in table["strategy_tables"]] == ["greedy", "random", "random"]
    assert {"equipoise", "python", "numba", "numpy", "polars"} <= set(table["versions"])
    files = {f"games/{path.name}": hashlib.sha256(path.read_bytes()).hexdigest() for path in (made / "games").iterdir()}
    assert {part["file"]: part["sha256"] for part in table["parts"]} == files
    assert [(part["first"], part["games"]) for part in table["parts"][::2]] == [(0, 7_680), (7_680, 320)]
    assert table["started"].endswith("+00:00")


def test_a_run_can_be_played_again_from_its_manifest(made: Path, spec: Spec) -> None:
    again = load_spec(made)
    assert execute(again, 1).digest == eq.load(made).manifest.digest
    assert (again.strategies, again.design, again.rules.digest) == (spec.strategies, spec.design, spec.rules.digest)


# --- the table ---


def test_table_holds_the_rows(made: Path, spec: Spec) -> None:
    run = eq.load(made)
    frame = run.polars()
    assert isinstance(frame, pl.LazyFrame)
    read = frame.collect()
    assert read.schema == run.schema
    assert dict(read.schema) == {name: read[name].dtype for name in run.schema}
    rows = run_chunk(spec, 0, GAMES)
    for column in columns(spec.game, "full")[3:]:
        values = rows[column.field] if column.index is None else rows[column.field][:, column.index]
        found = read[column.name]
        if column.type == "Enum":
            found = found.to_physical()
        if column.divisor > 1:
            values = (values / column.divisor).astype("float32")
        if column.name == "strategy":  # seats 2 and 3 of the line-up play the same strategy
            values = values.clip(max=1)
        assert (found.to_numpy() == values).all(), column.name
    assert read["game_id"].is_sorted()
    assert read["strategy"].unique().sort().to_list() == ["greedy", "random"]
    assert read["event_1"].dtype == pl.Enum(list(spec.rules.values.model_dump()["events"]))


def test_parts_are_compressed_and_any_reader_of_parquet_sees_the_same(made: Path) -> None:
    run = eq.load(made)
    parts = [made / part.file for part in run.table]
    for part in parts:
        file = pq.ParquetFile(part)
        groups = [file.metadata.row_group(number) for number in range(file.metadata.num_row_groups)]
        assert {group.column(at).compression for group in groups for at in range(group.num_columns)} == {"ZSTD"}
    mine, theirs = run.polars().collect(), pl.from_arrow(pa.concat_tables(map(pq.read_table, parts)))
    assert isinstance(theirs, pl.DataFrame)
    assert theirs.cast(dict(run.schema)).equals(mine)


def test_pandas_gives_the_same(made: Path) -> None:
    run = eq.load(made)
    frame = run.pandas()
    assert isinstance(frame, pd.DataFrame)
    assert len(frame) == 3 * GAMES
    kinds = {
        name: str(frame[name].dtype) for name in ("game_id", "seat", "coins", "strategy", "turn_mean", "extra_mill")
    }
    assert kinds == {
        "game_id": "uint32", "seat": "uint8", "coins": "int32", "strategy": "category", "turn_mean": "float32",
        "extra_mill": "bool",
    }  # fmt: skip
    some = run.pandas(["seat", "coins"])
    assert list(some) == ["seat", "coins"]
    assert (some["coins"] == frame["coins"]).all()


@pytest.mark.parametrize("form", ["parquet", "csv"])
def test_export_is_the_table(made: Path, tmp_path: Path, form: str) -> None:
    run = eq.load(made)
    path = tmp_path / f"table.{form}"
    assert write_table(run, path, form) == 3 * GAMES
    whole = run.polars().collect()
    back = pl.read_parquet(path) if form == "parquet" else pl.read_csv(path, schema=run.schema)
    assert back.schema == whole.schema
    assert back.drop("turn_mean").equals(whole.drop("turn_mean"))
    write_table(run, path, form, ["coins", "seat"])
    back = pl.read_parquet(path) if form == "parquet" else pl.read_csv(path)
    assert back.columns == ["coins", "seat"]
    assert back["coins"].to_list() == whole["coins"].to_list()


# --- what is refused ---


def refuse(folder: Path, **options: Any) -> str:
    with pytest.raises(UsageError) as raised:
        eq.load(folder, **options).polars()
    assert "\n" not in str(raised.value)
    return str(raised.value)


def test_no_folder_and_no_run(tmp_path: Path) -> None:
    assert refuse(tmp_path / "none") == f"{tmp_path / 'none'}: no such run folder"
    assert refuse(tmp_path) == f"{tmp_path}: not a run folder; it has no manifest.json"


def test_missing_part(copy: Path) -> None:
    (copy / "games/part-000001.parquet").unlink()
    assert (
        refuse(copy)
        == f"{copy}/games/part-000001.parquet: missing; the run folder is incomplete; run the simulation again"
    )


@pytest.mark.parametrize("part", ["part-000000", "part-000001"])
@pytest.mark.parametrize("size", [0, 3, 8, 5000])
def test_truncated_part(copy: Path, part: str, size: int) -> None:
    path = copy / f"games/{part}.parquet"
    path.write_bytes(path.read_bytes()[:size])
    assert refuse(copy) == f"{path}: damaged: its end is missing; run the simulation again"


def test_part_that_is_something_else(copy: Path, tmp_path: Path) -> None:
    path = copy / "games/part-000000.parquet"
    path.write_bytes(b"PAR1" + b"\xff" * 100 + b"PAR1")
    assert "its SHA-256 does not match the manifest" in refuse(copy)
    assert "a part is damaged" in refuse(copy, verify=False)
    parts = manifest_of(copy)["parts"]
    edit(copy, parts=[parts[0] | {"sha256": hashlib.sha256(path.read_bytes()).hexdigest()}, parts[1]])
    assert f"{path}: damaged: " in refuse(copy)
    pl.DataFrame({"mine": [1]}).write_parquet(path)
    assert "the columns of the parts do not match the manifest" in refuse(copy, verify=False)


def test_part_damaged_inside_is_found_by_export(copy: Path, tmp_path: Path) -> None:
    path = copy / "games/part-000001.parquet"
    data = bytearray(path.read_bytes())
    for place in range(8, len(data) // 2):
        data[place] = 255
    path.write_bytes(data)
    with pytest.raises(UsageError, match="a part is damaged"):
        write_table(eq.load(copy, verify=False), tmp_path / "x.csv", "csv")


def test_manifest_of_another_version(copy: Path) -> None:
    manifest = copy / "manifest.json"
    manifest.write_text(manifest.read_text().replace("equipoise-run/2", "equipoise-run/3"))
    assert "format is 'equipoise-run/3', not 'equipoise-run/2'" in refuse(copy)


@pytest.mark.parametrize(
    ("key", "value"),
    [("games", "many"), ("status", "fine"), ("parts", None), ("detail", "all"), ("seconds", "long"), ("rules", [])],
)
def test_manifest_with_a_wrong_value(copy: Path, key: str, value: Any) -> None:
    manifest = copy / "manifest.json"
    manifest.write_text(json.dumps(json.loads(manifest.read_text()) | {key: value}))
    said = refuse(copy)
    assert said.startswith(f"{manifest}: {key}")
    assert said.endswith("the manifest was changed or damaged")


@pytest.mark.parametrize("part", ["../../etc/passwd", "/etc/passwd", "games/../../x.parquet"])
def test_manifest_may_not_lead_out_of_its_folder(copy: Path, part: str) -> None:
    manifest = copy / "manifest.json"
    manifest.write_text(json.dumps(json.loads(manifest.read_text()) | {"parts": [part]}))
    assert "parts" in refuse(copy)


PARTS = [{"file": f"games/part-00000{number}.parquet", "sha256": "0" * 64} for number in range(2)]
FIRST, SECOND = PARTS[0] | {"first": 0, "games": 7_680}, PARTS[1] | {"first": 7_680, "games": 320}


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"parts": [FIRST, FIRST]}, "manifest.json: parts: one is listed twice; the manifest"),
        ({"parts": [SECOND, FIRST]}, "parts: games/part-000001.parquet begins with game 7680, not with game 0"),
        (
            {"parts": [FIRST, SECOND | {"first": 7_679}]},
            "000001.parquet begins with game 7679, not with game 7680",
        ),
        (
            {"parts": [FIRST, SECOND | {"games": 321}]},
            "000001.parquet ends with game 8000, but the run has 8000 games",
        ),
        ({"parts": [FIRST]}, "manifest.json: games_written: 8000, but the parts hold 7680 games; the manifest"),
        ({"parts": [FIRST | {"sha256": "no"}]}, "manifest.json: parts: 0: sha256: "),
        ({"parts": []}, "manifest.json: games_written: 8000, but the parts hold 0 games; the manifest"),
        ({"games_written": 7}, "manifest.json: games_written: 7, but the parts hold 8000 games; the manifest"),
        ({"games": 9_000}, "manifest.json: games_written: 8000, but a complete run has all its 9000; the manifest"),
        ({"strategies": ["greedy"] * 3}, "manifest.json: the strategies do not match strategy_tables; the manifest"),
        ({"players": 4}, "its rows are not those of games 0 to 7679, one a game and seat"),
        ({"rows": 1}, "the parts hold 24,000 rows, the manifest says 1; the run was changed"),
        ({"rules_digest": "0" * 64}, "rules_digest does not match the rules; the manifest was changed or damaged"),
    ],
)
def test_a_manifest_that_contradicts_itself_or_the_parts(copy: Path, change: dict[str, Any], says: str) -> None:
    """Even with a checksum that fits."""
    edit(copy, **change)
    assert says in refuse(copy)


@pytest.mark.parametrize(
    ("key", "value"),
    [("seed", 7), ("design", "fixed"), ("digest", "0" * 64), ("settings", []), ("seconds", 1.0), ("versions", {})],
)
def test_an_edited_manifest_is_refused_by_its_checksum(copy: Path, key: str, value: Any) -> None:
    (copy / "manifest.json").write_text(json.dumps(manifest_of(copy) | {key: value}))
    said = f"{copy}/manifest.json: manifest_sha256 does not match its content; the manifest was changed or damaged"
    assert refuse(copy) == said
    with pytest.raises(UsageError, match="manifest_sha256"):
        load_spec(copy)
    assert eq.load(copy, verify=False).polars().collect().height == 3 * GAMES


def test_rules_edited_under_their_old_digest_are_refused(copy: Path) -> None:
    edit(copy, rules=manifest_of(copy)["rules"] | {"shortfall": "waive"})
    assert "rules_digest does not match the rules" in refuse(copy)


def test_one_flipped_bit_is_found(copy: Path) -> None:
    path = copy / "games/part-000001.parquet"
    data = bytearray(path.read_bytes())
    data[len(data) // 3] ^= 4
    path.write_bytes(data)
    said = f"{path}: damaged: its SHA-256 does not match the manifest; run the simulation again"
    assert refuse(copy) == said
    assert eq.load(copy, verify=False).manifest.games == GAMES


def test_a_part_of_another_run_is_found_even_under_its_own_checksum(copy: Path, tmp_path: Path, spec: Spec) -> None:
    """Exchanged parts hold the wrong games; `equipoise verify` finds a part of another seed."""
    paths = [copy / f"games/part-00000{number}.parquet" for number in range(2)]
    first, second = (path.read_bytes() for path in paths)
    paths[0].write_bytes(second)
    paths[1].write_bytes(first)
    assert "its SHA-256 does not match the manifest" in refuse(copy)
    parts = manifest_of(copy)["parts"]
    edit(copy, parts=[parts[0] | {"sha256": parts[1]["sha256"]}, parts[1] | {"sha256": parts[0]["sha256"]}])
    assert "part-000000.parquet: its rows are not those of games 0 to 7679" in refuse(copy)


def test_a_byte_order_mark_does_no_harm(copy: Path) -> None:
    """Editors of Windows write one."""
    manifest = copy / "manifest.json"
    manifest.write_bytes(b"\xef\xbb\xbf" + manifest.read_bytes())
    assert eq.load(copy).manifest.games == GAMES


def test_a_table_of_text_that_is_cut_short(tmp_path: Path, spec: Spec) -> None:
    write_run(tmp_path / "run", spec, "minimal", "csv")
    last = max((tmp_path / "run/games").iterdir())
    lines = last.read_bytes().splitlines(keepends=True)
    last.write_bytes(b"".join(lines)[:-1])
    assert "damaged: its end is missing" in refuse(tmp_path / "run")
    last.write_bytes(b"".join(lines[:-10]))
    assert "its SHA-256 does not match the manifest" in refuse(tmp_path / "run")
    said = refuse(tmp_path / "run", verify=False)
    assert "the parts hold 23,990 rows, the manifest says 24,000; the run was changed" in said


@pytest.mark.parametrize(
    ("status", "says"), [("running", "has not ended"), ("interrupted", "was interrupted"), ("failed", "failed")]
)
def test_a_run_that_did_not_end(copy: Path, status: str, says: str) -> None:
    edit(copy, status=status, digest=None, parts=manifest_of(copy)["parts"][:1], games_written=7_680, rows=3 * 7_680)
    assert refuse(copy) == (
        f"{copy}: the run {says} (7,680 of 8,000 games are complete); "
        "run it again, or read what there is with the option 'partial'"
    )
    assert eq.load(copy, partial=True).polars().collect().height == 3 * 7_680
    edit(copy, parts=[], games_written=0, rows=0)
    assert refuse(copy, partial=True) == f"{copy}: no rows; the run {says} before its first part"


# --- writing ---


def test_free_folder_is_the_first_that_is_free(tmp_path: Path) -> None:
    assert free_folder(tmp_path, "x") == tmp_path / "x-1"
    for number in (1, 2, 4):
        (tmp_path / f"x-{number}").mkdir()
    assert free_folder(tmp_path, "x") == tmp_path / "x-3"


def test_a_folder_that_another_process_takes_meanwhile_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[Path] = []

    def overtaken(base: Path, stem: str) -> Path:
        found.append(free_folder(base, stem))
        if len(found) < 3:
            claim(found[-1])
            (found[-1] / "manifest.json").touch()
        return found[-1]

    monkeypatch.setattr(folders, "free_folder", overtaken)
    assert folders.claim_free(tmp_path, "x") == tmp_path / "x-3"
    assert (tmp_path / "x-3/games").is_dir()


def test_manifest_is_kept_true_while_the_run_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = make_spec(2, games=8_000)
    claim(tmp_path / "run")
    writer = RunWriter(tmp_path / "run", spec, "minimal", "parquet", [])
    begun = Manifest.read(tmp_path / "run")
    assert (begun.status, begun.parts, begun.digest, begun.games_written) == ("running", [], None, 0)
    execute(spec, 1, "minimal", writer.write, writer.finished)
    writer.abandon("interrupted")
    ended = Manifest.read(tmp_path / "run")
    assert (ended.status, ended.games_written, len(ended.parts), ended.digest) == ("interrupted", 8_000, 2, None)


def test_reading_needs_no_compiler(made: Path) -> None:
    code = f"import sys, equipoise as eq; print(eq.load({str(made)!r}).manifest.games, 'numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.split()[0] == str(GAMES)
