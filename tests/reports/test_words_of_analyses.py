"""Whatever an analysis can say has an English and a French sentence: the sources are read for the codes."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest

import analysis
from analysis.seats.agreement import ANSWERS
from reports.words import Catalogue, catalogue, catalogue_of

ROOM = Path(analysis.__file__).parent

OFF_PAGE = ("check", "runs")
"""Folders of the room whose words never end up on a page: they stop a command of their own."""


@cache
def calls() -> list[tuple[str, ast.Call]]:
    """Return where modules whose words may end up on a page make a verdict, a note or no answer."""
    names = (path.relative_to(ROOM) for path in sorted(ROOM.rglob("*.py")))
    texts = [(str(name), (ROOM / name).read_text("utf-8")) for name in names if name.parts[0] not in OFF_PAGE]
    return [
        (name, node)
        for name, text in texts
        if re.search(r"\b(Verdict|Note|Unanswered)\(", text)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call) and node.args
    ]


def codes(name: str) -> list[tuple[str, str]]:
    """Return the code of every call of a class; of one that is put together, what it begins with, and "*"."""
    found = set()
    for module, call in calls():
        if getattr(call.func, "id", "") == name:
            code = call.args[0]
            parts = code.values if isinstance(code, ast.JoinedStr) else [code]
            first, end = parts[0], "*" if len(parts) > 1 else ""
            choices = (first.body, first.orelse) if isinstance(first, ast.IfExp) else (first,)
            found |= {(module, f"{one.value}{end}") for one in choices if isinstance(one, ast.Constant)}
    return sorted(found)


def words_of(module: str, lang: str) -> Catalogue:
    """Return the words that a module's sentences may be in: those of its game as well."""
    parts = Path(module).parts
    own = parts[0] == "games" and len(parts) > 2
    return catalogue_of(parts[1].replace("_", "-"), lang) if own else catalogue(lang)


def is_said(code: str, known: Iterable[str]) -> bool:
    """Return whether a code, or any that begins like it, has a sentence."""
    stem = code.removesuffix("*")
    return code in known or (code != stem and any(key.startswith(stem) or key == stem.rstrip("_") for key in known))


@pytest.mark.parametrize(("module", "code"), codes("Verdict"))
def test_verdicts_have_a_sentence_in_both_languages(module: str, code: str) -> None:
    for lang in ("en", "fr"):
        assert is_said(code, words_of(module, lang).verdicts), module


@pytest.mark.parametrize(("module", "code"), codes("Note"))
def test_remarks_have_a_sentence_in_both_languages(module: str, code: str) -> None:
    for lang in ("en", "fr"):
        assert is_said(code, words_of(module, lang).notes), module


@pytest.mark.parametrize(("module", "code"), codes("Unanswered"))
def test_reasons_for_no_answer_have_a_french_sentence(module: str, code: str) -> None:
    """In English the error itself has it."""
    assert code in words_of(module, "fr").notes


HOW = ("too_few", "tilted_high", "tilted_low", "fair", "unclear", "near")
STRENGTHS = ("best", "level", "even", "even_level", "model", "misfit")
RUNGS = ("none", "only", *ANSWERS)
COMPOSED = [
    *(f"{what}_{how}" for what in ("seats", "seats_mixed", "camps", "role_seats_mixed") for how in HOW),
    *(f"role_seats_{how}" for how in HOW if how != "too_few"),
    *(f"{what}_{how}" for what in ("seats", "role_seats") for how in ("confounded", "hidden", "mixed_unknown")),
    *(f"cards_{how}_{by}" for how in ("tilt", "level", "near", "unclear") for by in ("seat", "camp", "strategy")),
    *(
        f"{what}{many}"
        for what in ("cards_score", "cards_winner", "cards_does")
        for many in ("", "_level", "_many", "_none")
    ),
    *(f"strengths_{how}{role}" for how in STRENGTHS for role in ("", "_role")),
    *(f"tournament_best_{design}" for design in ("all", "one_vs_rest")),
    *(f"tournament_even_{how}" for how in ("played", "played_level", "model")),
    *(f"ladder_{what}_{how}" for what in ("seats", "camps") for how in RUNGS),
    *(f"breakdown_extremes_{unit}" for unit in ("share", "par", "number")),
    *(f"skill_{who}{how}" for who in ("", "camps_") for how in ("widens", "wider", "closes", "narrower", "unclear")),
]
"""Codes of verdicts that are put together from parts."""


@pytest.mark.parametrize("code", COMPOSED)
def test_verdicts_of_several_parts_have_a_sentence_of_their_own(code: str) -> None:
    for lang in ("en", "fr"):
        assert code in catalogue(lang).verdicts


def test_the_scan_finds_what_is_there() -> None:
    assert {"matchups_open*", "cards_too_few", "pick_rates_unknown"} <= {code for _, code in codes("Verdict")}
    assert {"dead_card", "confounded", "observed"} <= {code for _, code in codes("Note")}
    assert {"more_detail", "undeclared"} <= {code for _, code in codes("Unanswered")}


def test_double_punctuation_has_a_space_that_does_not_break() -> None:
    root = ROOM.parent
    files = [root / "reports/words/fr.toml", *sorted(root.glob("configs/*/words/fr.toml"))]
    assert len(files) > 3
    for file in files:
        for table in tomllib.loads(file.read_text(encoding="utf-8")).values():
            for key, phrase in table.items():
                assert not re.search(r"\w [:;?!»]|« |\d %", phrase), (file, key)


ASKING = ("startswith", "endswith", "find", "match", "search", "fullmatch", "removeprefix")
"""Methods that look for something in a text."""


TOLD = re.compile(r"\bstr\(\w+\)|error\.(message|args)")
"""What a module has to hold that asks for the text of an error; the others are not parsed."""


def reads_errors(tree: ast.Module) -> bool:
    """Return whether code asks what the text of an error says: with `in`, `==`, a method of strings or a pattern."""
    texts = {f"str({node.name})" for node in ast.walk(tree) if isinstance(node, ast.ExceptHandler) and node.name} | {
        "str(error)"
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            asked = [node.left, *node.comparators]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            asking = node.func.attr in (
                "startswith",
                "endswith",
                "find",
                "match",
                "search",
                "fullmatch",
                "removeprefix",
            )
            asked = [node.func.value, *node.args] if asking else []
        else:
            asked = [node.test] if isinstance(node, ast.If | ast.IfExp) else []
        if any(ast.unparse(one).startswith((*texts, "error.message", "error.args")) for one in asked):
            return True
    return False


READERS = {"analysis/runs/frames.py"}
"""Modules that read a library's message only to show it without a number that says nothing."""


@pytest.mark.parametrize("room", ["simcore", "strategies", "analysis", "reports", "equipoise"])
def test_the_text_of_an_error_steers_nothing(room: str) -> None:
    root = ROOM.parent
    found = {
        path.relative_to(root).as_posix()
        for path in (root / room).rglob("*.py")
        if TOLD.search(text := path.read_text(encoding="utf-8")) and reads_errors(ast.parse(text))
    }
    assert found <= READERS


@pytest.mark.parametrize(
    "line", ["if 'space' in str(failed): pass", "str(failed).startswith('no')", "PATTERN.search(str(failed))"]
)
def test_code_that_reads_an_error_is_found(line: str) -> None:
    assert TOLD.search(line) and reads_errors(ast.parse(f"try:\n    play()\nexcept OSError as failed:\n    {line}"))


def test_words_know_no_patterns() -> None:
    """Sentences are made from codes and values, and none is translated into another."""
    for path in (ROOM.parent / "reports/words").iterdir():
        assert path.is_dir() or not re.search(r"pattern|^import re$", path.read_text(encoding="utf-8"), re.MULTILINE)
