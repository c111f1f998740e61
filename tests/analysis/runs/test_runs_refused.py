"""Runs that are refused: damaged, cut short, edited, or of another version."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import equipoise as eq
from analysis.runs import load_spec
from analysis.runs.export import write_table
from simcore.errors import UsageError
from simcore.running.batch import Spec
from tests.analysis.runs.conftest import GAMES, write_run
from tests.manifests import edit, manifest_of


@pytest.fixture
def copy(tmp_path: Path, spec: Spec) -> Path:
    write_run(tmp_path / "run", spec, "minimal")
    return tmp_path / "run"


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
    [
        ("games", "many"),
        ("status", "fine"),
        ("parts", None),
        ("detail", "all"),
        ("seconds", "long"),
        ("rules", []),
        ("digest", "=1+1"),
    ],
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
