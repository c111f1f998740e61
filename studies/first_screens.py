"""The pictures of the README and of the tutorial: the first screens of reports, of mended games and of comparisons.

`python -m studies.first_screens` plays for some minutes, needs Chromium or Chrome, and writes
`docs/*-first-screen.png`; with names such as `tutorial-report`, only these.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

DOCS = Path(__file__).resolve().parents[1] / "docs"
PAGES = {
    "report": "report --game middle-ages --quick",
    "mend": "mend --players 4 --free starting_coins",
    "compare": "compare base seat-compensation --habit",
    "tutorial-report": "report --game middle-ages --quick --players 4 --games 2e3 --deals 200",
    "tutorial-mend": "mend --free starting_coins=0..40 --habit --games 1e3 --rounds 1 --best 1",
    "tutorial-compare": "compare base tutorial-mend/mended-1.toml --habit --seed 2 --games 2e3",
}
"""The command behind each picture; each can use what those above it wrote."""

WIDTH, HEIGHT = 1280, 760


def main(wanted: list[str]) -> None:
    """Play, and take the pictures that are wanted, or all."""
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if browser is None:
        raise SystemExit("no Chromium or Chrome on this machine")
    with tempfile.TemporaryDirectory() as folder:
        for name in wanted or PAGES:
            out = Path(folder) / name
            command = [sys.executable, "-m", "equipoise", *PAGES[name].split(), "--out", name, "--no-open", "--quiet"]
            subprocess.run(command, check=True, cwd=folder)
            shoot(browser, next(out.glob("*.html")), DOCS / f"{name}-first-screen.png")


def shoot(browser: str, page: Path, picture: Path) -> None:
    """Take a picture of the first screen of a page."""
    size = f"--window-size={WIDTH},{HEIGHT}"
    headless = [browser, "--headless", "--no-sandbox", "--hide-scrollbars", size, f"--screenshot={picture}"]
    subprocess.run([*headless, page.as_uri()], check=True, capture_output=True)


if __name__ == "__main__":
    main(sys.argv[1:])
