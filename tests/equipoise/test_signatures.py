"""What a question says of its parameters: texts from the docstring, defaults in words, ranges, and bare types."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Annotated, Any, Unpack

import pytest

import equipoise as eq
from equipoise.cli import QUESTIONS
from equipoise.parameters import GameName, LineUp, Players, Typed, bare, parameters_of, texts_of
from equipoise.questions.asked import Tables, question


def ask(
    *files: str,
    players: Players = None,
    best: Annotated[int, Typed(span=(1, 10))] = 3,
    who: LineUp = (),
    deep: bool = False,
) -> None:
    """Ask something.

    Parameters
    ----------
    *files
        Files to read.
    best
        Changes that are judged; and written.  If None, about 2.5 of
        them.
    deep
        Look ahead.
    """


def test_texts_come_from_the_docstring_or_from_what_questions_share() -> None:
    stated = {one.name: one for one in parameters_of(ask)}
    assert list(stated) == ["files", "players", "best", "who", "deep"]
    assert stated["files"].several and not stated["best"].several
    assert (stated["players"].text, stated["players"].unset) == ("Players at the table.", "the game's usual number")
    assert stated["best"].text == "Changes that are judged, 1 to 10; and written."
    assert stated["best"].unset == "about 2.5 of them"
    assert stated["who"].text.startswith("One strategy for all seats")
    assert stated["deep"].text == "Look ahead."


def test_a_parameter_without_a_text_is_refused() -> None:
    def silent(depth: int = 3) -> None:
        """Ask.

        Parameters
        ----------
        level
            Another one.
        """

    with pytest.raises(TypeError, match="the docstring says nothing of 'depth'"):
        list(parameters_of(silent))
    assert texts_of(silent) == {"level": "Another one."}
    assert texts_of(Path.exists) == {}


def test_help_in_python_shows_plain_types() -> None:
    assert str(bare(ask)).startswith(
        "(*files: 'str', players: 'int | None' = None, best: 'int' = 3, who: 'References' = ()"
    )


@pytest.mark.parametrize("name", QUESTIONS)
def test_no_question_shows_how_it_is_typed_to_python(name: str) -> None:
    shown = str(inspect.signature(getattr(eq, name)))
    assert "Typed" not in shown and "function" not in shown
    for alias in vars(__import__("equipoise.parameters", fromlist=["x"])):
        assert f": '{alias}'" not in shown


def wonder(game: GameName = "middle-ages", depth: int = 2, **given: Unpack[Tables]) -> dict[str, Any]:
    return {"game": game, "depth": depth, **given}


WORDS = "depth\n    How far.\ngames\n    Games of everybody.\nlevel\n    Confidence level of everything."
wonder.__doc__ = f"Wonder.\n\nParameters\n----------\n{WORDS}\n\nReferences\n----------\n* docs/cli.md\n"


def test_a_question_has_the_parameters_that_it_shares_with_their_defaults_and_texts() -> None:
    ask = question("equipoise wonder", games=300)(wonder)
    shown = inspect.signature(ask)
    assert list(shown.parameters) == [
        *("game", "players", "rules", "settings", "depth", "games", "seed", "level", "threads", "progress")
    ]
    taken = ask("fief-2", 4, level=0.9)  # type: ignore[call-arg, arg-type]
    assert taken == {name: one.default for name, one in shown.parameters.items()} | {
        "game": "fief-2",
        "players": 4,
        "games": 300,
        "level": 0.9,
    }
    texts = texts_of(ask)
    assert list(texts) == list(shown.parameters)
    assert (texts["depth"], texts["level"]) == ("How far.", "Confidence level of everything.")
    assert texts["seed"] == "Random seed."
    assert "UsageError" in (ask.__doc__ or "").partition("Raises")[2].partition("References")[0]
    with pytest.raises(TypeError, match="skill"):
        ask(skill="club")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="positional"):
        ask("fief-2", 4, "base")  # type: ignore[call-arg, arg-type]
