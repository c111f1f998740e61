"""An hour of dragging in the lab: `python -m studies.lab_soak` drags a slider in a real browser, and measures.

It prints how long the first chart took, how long each drag waited for the first new shares, and the memory of the lab
and of the page over time.  `--minutes 8 --pause 0` makes about as many drags as an hour with pauses of a second and a
half.  It needs Linux, Chromium or Chrome, the extra `lab` and Playwright.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

FIRST = "document.body.dataset.games > 0"
SETTLED = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
ANSWERED = """([slider, key]) => {
  const value = slider.getAttribute("aria-valuenow"), { rules, games } = document.body.dataset;
  return rules === (value === "0" ? "" : `${key}=${value}`) && games > 0;
}"""
KEY = "starting_coins.3"

PATIENCE = 900
"""Seconds that a busy machine may take for an answer."""


def main(minutes: float, pause: float, skill: str) -> None:
    """Drag, and print what was measured."""
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if browser is None:
        raise SystemExit("no Chromium or Chrome on this machine")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as found:
        page = found.chromium.launch(executable_path=browser, args=["--no-sandbox"]).new_page()
        tools = page.context.new_cdp_session(page)
        begun = time.perf_counter()
        lab = subprocess.Popen(
            [sys.executable, "-m", "equipoise", "lab", "--no-open", "--players", "4", "--skill", skill],
            cwd=folder,
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            assert lab.stdout is not None
            page.goto(re.search(r"http://\S+", lab.stdout.readline())[0])
            page.wait_for_function(FIRST, timeout=1000 * PATIENCE)
            user, system = (int(ticks) for ticks in Path(f"/proc/{lab.pid}/stat").read_text().split()[13:15])
            used = (user + system) / os.sysconf("SC_CLK_TCK")
            took = time.perf_counter() - begun
            print(f"first chart after {took:.1f} s, {used:.1f} s of the processor; load {os.getloadavg()[0]:.1f}")
            print("drags  lab MiB  page MiB  load")
            waits, draws, start, rows = [], random.Random(1), time.monotonic(), 0
            while (passed := time.monotonic() - start) < 60 * minutes:
                if passed >= 5 * minutes * rows:
                    told(len(waits), lab.pid, tools)
                    rows += 1
                waits.append(drag(page, draws.random()))
                time.sleep(pause)
            told(len(waits), lab.pid, tools)
            ends = statistics.quantiles(waits, n=20)
            print(
                f"first shares: median {statistics.median(waits):.0f} ms, 95 % within {ends[-1]:.0f} ms, "
                f"longest {max(waits):.0f} ms; {len(waits)} drags in {minutes:g} min"
            )
        finally:
            lab.send_signal(signal.SIGINT)
            lab.wait(PATIENCE)


def drag(page: Any, place: float) -> float:
    """Drag the slider to a place from 0 to 1; return the milliseconds until the shares of its last value are there."""
    knob = page.locator(".knob", has_text=KEY)
    box = knob.locator(".q-slider__track-container").bounding_box()
    across, height = box["x"] + (0.02 + 0.96 * place) * box["width"], box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] / 2, height)
    page.mouse.down()
    page.mouse.move(across, height, steps=3)
    page.mouse.up()
    begun = time.perf_counter()
    page.evaluate(SETTLED)
    page.wait_for_function(ANSWERED, arg=[knob.locator("[role=slider]").element_handle(), KEY], timeout=1000 * PATIENCE)
    return 1000 * (time.perf_counter() - begun)


def told(drags: int, lab: int, tools: Any) -> None:
    """Print the memory of the lab and of the page."""
    tools.send("HeapProfiler.collectGarbage")
    heap = tools.send("Runtime.getHeapUsage")["usedSize"]
    resident = next(line for line in Path(f"/proc/{lab}/status").read_text().splitlines() if line.startswith("VmRSS"))
    print(
        f"{drags:5}  {int(resident.split()[1]) / 1024:7.0f}  {heap / 2**20:8.1f}  {os.getloadavg()[0]:.1f}", flush=True
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--pause", type=float, default=1.5, help="seconds between two drags")
    parser.add_argument("--skill", default="experts")
    asked = parser.parse_args()
    main(asked.minutes, asked.pause, asked.skill)
