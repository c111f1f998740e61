"""Whatever an analysis can say has a French phrase: the sources are read, so that a new remark without one fails."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

import analysis
from reports.study import DAMAGE
from reports.words import Catalogue, catalogue, catalogue_of

ROOM = Path(analysis.__file__).parent
SAMPLES = ("7", "7 deals")
"""What a field of a remark may be filled with, as far as patterns care: a number or name, or a number and a noun."""

OFF_PAGE = ("check", "metagame", "runs", "tournament")
"""Folders of the room whose words never end up on the report's page: they stop a command of their own."""

ASKED = (
    "level: ",
    "deals: ",
    "games: ",
    "cards: ",
    "margin: ",
    "seats_by_skill: ",
    "ladder: ",
    "strengths: ",
    "restrict: ",
    "--games: ",
    "{}: no table ",
    "{}: no runs ",
)
"""Beginnings of messages that answer a caller's argument; the report gives none that could be wrong."""


def trees() -> Iterator[tuple[str, ast.Module]]:
    """Yield the modules whose words may end up on a page."""
    for path in sorted(ROOM.rglob("*.py")):
        name = path.relative_to(ROOM)
        if name.parts[0] not in OFF_PAGE:
            yield str(name), ast.parse(path.read_text(encoding="utf-8"))


def fields(node: ast.expr) -> list[str] | None:
    """Return the constant pieces of a text, between its fields; None for what is no text."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    if not isinstance(node, ast.JoinedStr):
        return None
    pieces = [""]
    for part in node.values:
        if isinstance(part, ast.Constant):
            pieces[-1] += part.value
        else:
            pieces.append("")
    return pieces


def calls(tree: ast.Module, *names: str) -> Iterator[ast.Call]:
    """Yield the calls of some functions."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) in names:
            yield node


def docstrings(tree: ast.Module) -> set[ast.expr]:
    """Return every string that stands alone, as documentation does."""
    return {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}


def remarks() -> Iterator[tuple[str, list[str]]]:
    """Yield every sentence that is no verdict's and no documentation, and every message of a failed analysis."""
    for name, tree in trees():
        spoken = {text for call in calls(tree, "Verdict") for text in ast.walk(call)} | docstrings(tree)
        templates = {node.value for node in ast.walk(tree) if isinstance(node, ast.Assign) and is_named(node, "text")}
        spoken |= {text for table in sentences(tree) for text in ast.walk(table)}
        errors = {call.args[0] for call in calls(tree, "UsageError") if call.args}
        inside = {part for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in ast.walk(node)} - {
            node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)
        }
        for node in ast.walk(tree):
            pieces = fields(node) if isinstance(node, ast.expr) else None
            if pieces is None or node in inside | spoken | templates:
                continue
            sentence = pieces[-1].endswith(".") and any(letter.isalpha() for letter in "".join(pieces))
            if sentence or node in errors:
                yield name, pieces


def sentences(tree: ast.Module) -> Iterator[ast.Dict]:
    """Yield the tables SENTENCES of a module: by what is judged and how, the sentence of the verdict `what_how`."""
    for node in tree.body:
        if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == "SENTENCES":
            assert isinstance(node.value, ast.Dict)
            yield node.value


def is_named(node: ast.Assign, name: str) -> bool:
    """Return whether an assignment is to a variable of this name."""
    return any(isinstance(target, ast.Name) and target.id == name for target in node.targets)


def reaches_a_page(pieces: list[str]) -> bool:
    whole = "{}".join(pieces)
    return not any(word in whole for word in DAMAGE) and not whole.startswith(ASKED)


REMARKS = sorted({(name, tuple(pieces)) for name, pieces in remarks() if reaches_a_page(pieces)})


@pytest.mark.parametrize(("module", "pieces"), REMARKS, ids=[pieces[-1][:50].strip() for _, pieces in REMARKS])
def test_remarks_have_a_phrase(module: str, pieces: tuple[str, ...]) -> None:
    patterns = [pattern for pattern, _ in catalogue("fr").notes]
    texts = [
        "".join(part for pair in zip(pieces, (*fill, ""), strict=True) for part in pair)
        for fill in product(SAMPLES, repeat=len(pieces) - 1)
    ]
    assert any(pattern.fullmatch(text) for pattern in patterns for text in texts), f"{module}: {texts[0]}"


def codes() -> Iterator[tuple[str, str]]:
    """Yield the code of every verdict; of one that is put together, what it begins with, up to an underscore."""
    for name, tree in trees():
        for call in calls(tree, "Verdict"):
            pieces = fields(call.args[0]) if call.args else None
            if pieces and pieces[0]:
                yield name, pieces[0]
        for table in sentences(tree):
            for what, sayings in ast.literal_eval(ast.unparse(_flat(table))).items():
                yield from ((name, f"{what}_{how}") for how in sayings)


def _flat(table: ast.Dict) -> ast.Dict:
    """Return a table of sentences with the sentences left out."""
    inner = [ast.Dict(keys=part.keys, values=[ast.Constant("")] * len(part.keys)) for part in table.values]  # type: ignore[attr-defined]
    return ast.Dict(keys=table.keys, values=list(inner))


def own_words(module: str) -> Catalogue:
    """Return the French words that a module's sentences may be in: those of its game as well."""
    parts = Path(module).parts
    return catalogue_of(parts[1].replace("_", "-"), "fr") if parts[0] == "games" and len(parts) > 2 else catalogue("fr")


@pytest.mark.parametrize(("module", "code"), sorted(set(codes())))
def test_verdicts_have_a_sentence(module: str, code: str) -> None:
    known = own_words(module).verdicts
    whole = not code.endswith("_")
    assert code in known if whole else any(key == code[:-1] or key.startswith(code) for key in known), module


def test_the_scan_finds_what_is_there() -> None:
    said = ["7".join(pieces) for _, pieces in REMARKS]
    assert any("is dead: it changed nothing" in text for text in said)
    assert any("needs column" in text for text in said)
    assert {"seats_fair", "cards_score", "pick_rates_unknown"} <= {code for _, code in codes()}
