"""The options of a question stay the same elements until another question is asked."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("nicegui")

from nicegui import Client, ui
from nicegui.page import page

from equipoise.lab.dialogs import PlayDialog
from reports.words import Words


def test_a_key_that_is_held_down_finds_its_option_again() -> None:
    with Client(page("/")):
        options = ui.element("div")
        panel: Any = SimpleNamespace(words=Words(), _options=options, _question=None, _choose=print)
        first, second = (
            SimpleNamespace(number=number, options=[SimpleNamespace(text="Sow", move=1)]) for number in range(2)
        )
        PlayDialog._show_options(panel, first)  # type: ignore[arg-type]
        (shown,) = options.default_slot.children
        PlayDialog._show_options(panel, first)  # type: ignore[arg-type]
        assert options.default_slot.children == [shown], "news of something else leaves the options alone"
        PlayDialog._show_options(panel, second)  # type: ignore[arg-type]
        (other,) = options.default_slot.children
        assert other is not shown and other._props["data-asked"] == "1"
        PlayDialog._show_options(panel, None)
        assert not options.default_slot.children
