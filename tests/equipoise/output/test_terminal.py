"""A page in a terminal: every part once, no line too long, no number apart from its unit."""

from __future__ import annotations

from pathlib import Path

import pytest

from equipoise.output.terminal import show_page
from reports.page import Report, Sentence
from reports.words import Words

THIN = "\u202f"


@pytest.mark.parametrize("width", [40, 80])
def test_what_a_page_says_first(
    width: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    shares = " ".join(f"le siège {seat} gagne 50,{seat}{THIN}% des parties" for seat in range(1, 9))
    facts = (("parties", f"3{THIN}600"), ("règles", "base"))
    verdicts = (Sentence(shares, "tilted"), Sentence("Rien d'autre."))
    show_page(Report("Titre", "4 joueurs", facts, verdicts, ("Attention.",), (), Words("fr")), [tmp_path / "a.html"])
    *lines, last = capsys.readouterr().out.splitlines()
    assert last == str(tmp_path / "a.html")
    assert all(len(line) <= width for line in lines)
    assert " ".join(lines) == (
        f"Titre 4 joueurs {shares} Rien d'autre. Attention. parties{THIN}: 3{THIN}600 · règles{THIN}: base"
    )
    assert all(f"50,{seat}{THIN}%" in line for seat in range(1, 9) for line in lines if f"50,{seat}" in line)
