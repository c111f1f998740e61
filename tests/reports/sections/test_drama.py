"""The section on the course of games, for a game of any length."""

from __future__ import annotations

from tests.reports.conftest import Make, make_report


def test_a_game_of_any_length_has_a_section_on_drama(simulated: Make) -> None:
    options = "--game", "medievallons", "--players", 3, "--strategies", "regent", "--games", 100, "--detail", "full"
    folder = simulated("any-length", *options, "--tables", "events")
    report = make_report([folder], "fr")
    section = next(item for item in report.sections if item.name == "drama")
    assert any("prend définitivement la tête" in sentence.text for sentence in section.sentences)
    names = [block.name for block in section.blocks if hasattr(block, "name")]
    assert names[:5] == ["leader", "story", "behind", "tenths", "actions"]
    tables = {item.name: item.frame for item in report.tables}
    assert len(tables["tenths"]) == 10
    assert tables["actions"]["third"].unique().to_list() == [1, 2, 3]
