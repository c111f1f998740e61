"""The page of attacks is made from what is stored."""

from __future__ import annotations

from studies.attacks import PAGE, cells, page


def test_the_page_shows_what_is_stored() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run `python -m studies.attacks write`"


def test_every_table_and_role_is_to_be_attacked() -> None:
    found = list(cells(["seigneurial"]))
    assert {(one.players, one.role.name) for one in found} == {
        (n, role) for n in (3, 4, 5) for role in ("lord", "tenant")
    }
