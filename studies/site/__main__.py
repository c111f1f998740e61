"""Builds the documentation as a website: python -m studies.site [FOLDER]

It needs `pip install -e '.[docs]'` and no network. A link that leads nowhere is an error.
Sphinx with MyST and furo makes it: mkdocs-material and zensical are quicker, but their search needs a
server, and Sphinx reads our docstrings itself.
"""

from __future__ import annotations

import sys
from pathlib import Path

from studies.site.build import build

if __name__ == "__main__":
    print(build(Path(sys.argv[1] if len(sys.argv) > 1 else "build/site")))
