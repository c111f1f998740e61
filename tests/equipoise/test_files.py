"""What `--force` replaces: files that our commands wrote, where a link leads, and never a device or a foreign file."""

from __future__ import annotations

from pathlib import Path

import pytest

from equipoise.files import check_file, claimed, whole_file, write_together
from equipoise.output.pages import check, write
from simcore.errors import UsageError
from tests.equipoise.conftest import Cli

OURS = {
    "x.csv": b"game_id,seat,coins\n0,1,7\n",
    "x.html": b'<!doctype html>\n<meta name="generator" content="Equipoise 1">',
    "x.json": b'{\n  "format": "equipoise-check/1",\n',
    "x.jsonl": b'{"kind":"game","format":"equipoise-replay/1"}\n',
    "x.md": b"## Balance\n",
    "y.md": b"<!-- Equipoise -->\n# Title\n",
    "x.parquet": b"PAR1....game_id....PAR1",
    "x.pdf": b"%PDF-1.3\n/Creator (Equipoise)\n",
    "x.png": b"\x89PNG....tEXtSoftware\0Equipoise....",
    "x.svg": b"<?xml?>\n<!-- Equipoise -->\n<svg>",
    "log": b"Pig: game 0 of seed 1, 2 players\n",
    "x.toml": b'format = "equipoise-strategy/1"\n',
    "x.txt": b"Pig: game 0 of seed 1, 2 players\n",
    "x.xml": b'<testsuites name="equipoise check" tests="1">',
    "empty": b"",
}
FOREIGN = {
    "thesis.md": b"# My thesis\n",
    "notes.md": b"# Notes\nWe use Equipoise.\n",
    "data.csv": b"This is no table; it is a letter.\n",
    "games.csv": b"date,group,players\n1,2,3\n",
    "figure-1.csv": b"a,b\n1,2\n",
    "hostname": b"myhost\n",
    "list": b"a,b,c\n",
    "data.json": b'{"game": 3}',
    "chess.json": b'{"game": "chess", "moves": []}',
    "picture.png": b"\x89PNG....",
    "picture.svg": b"<svg></svg>",
    "thesis.pdf": b"%PDF-1.7\n/Creator (TeX)\n",
    "other.parquet": b"PAR1....PAR1",
    "page.html": b"<!doctype html><title>mine</title>",
    "package.json": b'{"name": "mine"}',
    "pyproject.toml": b"[project]\n",
    "photo.png": b"GIF89a",
    "notes": b"remember the milk\n",
    "table.parquet": b"game_id,seat\n0,1\n",
}


def put(path: Path, force: bool = True) -> None:
    with whole_file(path, force) as write:
        write(b"new")


@pytest.mark.parametrize("name", OURS)
def test_what_our_commands_wrote_is_replaced(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(OURS[name])
    with pytest.raises(UsageError, match="exists; name another file, or replace it with the option 'force'"):
        put(path, False)
    put(path)
    assert path.read_bytes() == b"new"


@pytest.mark.parametrize("name", FOREIGN)
def test_what_others_wrote_is_not_replaced(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(FOREIGN[name])
    with pytest.raises(UsageError, match="contains something that no command of this kind wrote"):
        put(path)
    assert path.read_bytes() == FOREIGN[name]
    assert list(tmp_path.iterdir()) == [path]


def test_files_that_belong_together_are_replaced_all_or_none(tmp_path: Path) -> None:
    page, table = tmp_path / "out/page.html", tmp_path / "out/page-data/table-x.csv"
    files = [(page, OURS["x.html"]), (table, OURS["x.csv"]), (tmp_path / "out/notes", b"new")]
    write_together(files[:2], page)
    (tmp_path / "out/notes").write_bytes(FOREIGN["notes"])
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    with pytest.raises(UsageError, match="contains something that no command of this kind wrote"):
        write_together([(path, b"new") for path, _ in files], page, force=True)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match="cannot be written"):
        write_together([(tmp_path / "new/page.html", b""), (tmp_path / "file/x.csv", b"")], tmp_path / "new/page.html")
    assert not (tmp_path / "new").exists()


def test_a_folder_that_is_a_link_is_written_by_one_process_and_not_two(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    page = tmp_path / "link/page.html"
    with claimed(page):
        write_together([(page, b"new")], page)
        put(page.with_suffix(".txt"), force=False)
    assert sorted(path.name for path in (tmp_path / "real").iterdir()) == ["page.html", "page.txt"]


@pytest.mark.parametrize("name", ["report.html", "report-data", "report-figures"])
def test_nothing_is_written_through_a_link_in_a_run(tmp_path: Path, name: str) -> None:
    run, elsewhere = tmp_path / "run", tmp_path / "elsewhere"
    elsewhere.mkdir()
    run.mkdir()
    (run / "manifest.json").write_text("{}")
    aim = elsewhere / "mine.html" if name.endswith(".html") else elsewhere
    if name.endswith(".html"):
        aim.write_bytes(OURS["x.html"])
    (run / name).symlink_to(aim)
    page = run / "report.html"
    inside = [page, run / name / "figure-a.csv"]
    with pytest.raises(UsageError, match="is a link in a run folder, which leads elsewhere; remove it"):
        check(inside[:1], [] if name.endswith(".html") else [run / name], force=True)
    with pytest.raises(UsageError, match="is a link in a run folder"):
        write([(inside[not name.endswith(".html")], lambda: b"new")], page, force=True)
    assert not [path for path in elsewhere.iterdir() if path.read_bytes() == b"new"]


@pytest.mark.parametrize(
    "question",
    [
        ("restrict", "--forbid", "mill", "--players", "2"),
        ("tournament", "--strategies", "random,greedy"),
    ],
    ids=lambda question: question[0],
)
def test_a_question_replaces_its_own_files_if_asked(tmp_path: Path, cli: Cli, question: tuple[str, ...]) -> None:
    line = (*question, "--games", "200", "--out", tmp_path / "new", "--format", "html,json,parquet,md,pdf", "--force")
    assert [cli(*line).code for _ in range(2)] == [0, 0]
    assert {path.suffix for path in (tmp_path / "new").iterdir()} >= {".html", ".json", ".parquet", ".md", ".pdf"}


def test_export_leaves_a_foreign_file_alone(tmp_path: Path, cli: Cli) -> None:
    assert cli("simulate", "--games", 100, "--strategies", "random", "--out", tmp_path / "run").code == 0
    (tmp_path / "letter.csv").write_text("Dear all,\n")
    said = cli("export", tmp_path / "run", "--out", tmp_path / "letter.csv", "--force")
    assert (said.code, said.err.count("\n")) == (2, 1)
    assert (tmp_path / "letter.csv").read_text() == "Dear all,\n"


def test_a_link_is_followed(tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    link, target = tmp_path / "link.txt", inner / "game.txt"
    target.write_bytes(OURS["x.txt"])
    link.symlink_to(target)
    put(link)
    assert link.is_symlink()
    assert target.read_bytes() == b"new"
    target.unlink()
    put(link)
    assert target.read_bytes() == b"new"
    assert link.is_symlink()
    link.unlink()
    link.symlink_to(link)
    with pytest.raises(UsageError, match="leads in a circle"):
        put(link)


@pytest.mark.skipif(not Path("/dev/null").exists() or not Path("/proc").is_dir(), reason="no /dev or no /proc")
def test_devices_are_not_replaced(tmp_path: Path) -> None:
    with (tmp_path / "out.txt").open("wb") as out:
        of_process = Path(f"/proc/self/fd/{out.fileno()}")
        link = tmp_path / "link"
        link.symlink_to("/dev/null")
        for path in (Path("/dev/null"), Path("/dev/new.txt"), of_process, link):
            with pytest.raises(UsageError, match=r"not an ordinary file|not a place for files"):
                check_file(path, True)
