"""What authors of games import from the toolkit, as the docs tell them: these names keep their paths."""

from __future__ import annotations

import ast
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator

from tests.toy import PACKAGES, ROOT

ROOMS = ("simcore", "strategies", "analysis", "reports", "equipoise")


def sources() -> Iterator[str]:
    """Yield the Python that pages of docs show, and that `new-game` writes."""
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))):
        yield from re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    for template in sorted((ROOT / "equipoise/templates").rglob("*.py.jinja")):
        text = template.read_text(encoding="utf-8")
        imports = re.findall(
            r"^ *from [\w.]+ import (?:\([^)]*\)|.*)$", re.sub(r"\{[%{].*?[%}]\}", "", text), re.MULTILINE
        )
        yield from (one.strip() for one in imports)


def imported_by_authors() -> dict[str, set[str]]:
    """Return the names that the docs tell authors to import, now or at 7fa3fd5, by module."""
    names: dict[str, set[str]] = defaultdict(set)
    for module, words in tomllib.loads((PACKAGES / "imports.toml").read_text(encoding="utf-8")).items():
        names[module] |= set(words.split())
    for source in sources():
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.partition(".")[0] in ROOMS:
                names[node.module] |= {alias.name for alias in node.names}
    return names
