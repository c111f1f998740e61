"""The website: every page of docs/ is on it, with reference and gallery, and a link that leads nowhere fails."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

import analysis.api
import equipoise
from studies.site import build as building
from studies.site import gallery

ROOT = Path(__file__).resolve().parents[2]


def test_the_website_has_every_page(tmp_path: Path) -> None:
    """With one entry of the gallery; `python -m studies.site` draws them all."""
    first = building.build(tmp_path, gallery.ENTRIES[:1])
    text = first.read_text(encoding="utf-8")
    for page in (ROOT / "docs").rglob("*.md"):
        name = page.relative_to(ROOT).with_suffix(".html").as_posix()
        assert (tmp_path / name).is_file()
        assert f'href="{name}"' in text
    reference = "".join(page.read_text(encoding="utf-8") for page in (tmp_path / "reference").glob("*.html"))
    for name in (*equipoise.__all__, *analysis.api.__all__):
        assert f'id="equipoise.{name}"' in reference
    assert "1-seats.svg" in (tmp_path / "gallery/index.html").read_text(encoding="utf-8")
    assert "Parameters" in reference
    assert "https://" not in "".join(line for line in text.splitlines() if "<script" in line or "stylesheet" in line)


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the page that can link to itself and to docs/cli.md, on a website of these two."""
    (tmp_path / "docs").mkdir()
    for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md"):
        (tmp_path / name).write_text("# Page\n", encoding="utf-8")
    (tmp_path / "docs/cli.md").write_text("# Commands\n\n## mend\n", encoding="utf-8")
    monkeypatch.setattr(building, "ROOT", tmp_path)
    monkeypatch.setattr(building.reference, "write", lambda folder: None)
    return tmp_path / "docs/log.md"


@pytest.mark.parametrize("link", ["[there](nowhere.md)", "[there](cli.md#no-such-heading)"])
def test_a_link_that_leads_nowhere_fails(link: str, small: Path, tmp_path: Path) -> None:
    small.write_text(f"# Log\n\n{link}\n", encoding="utf-8")
    with pytest.raises(subprocess.CalledProcessError):
        building.build(tmp_path / "out", ())


def test_a_link_that_leads_somewhere_passes(small: Path, tmp_path: Path) -> None:
    small.write_text("# Log\n\n[there](cli.md#mend), [home](../README.md)\n", encoding="utf-8")
    assert building.build(tmp_path / "out", ()).is_file()
