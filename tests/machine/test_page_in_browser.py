"""The page in a real browser: no error, no request, tables that sort, nothing wider than a phone."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from analysis.runs import load
from reports.render.html import to_html
from reports.study.compose import compose
from reports.study.study import Study, Thresholds
from tests.reports.conftest import Make

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None)

pytestmark = pytest.mark.skipif(BROWSER is None, reason="no Chromium or Chrome on this machine")

PROBE = """
<script>
document.documentElement.style.scrollBehavior = "auto";
const told = {};
const pictures = [...document.querySelectorAll("figure [role=img]")];
const seen = () => pictures.filter((part) => part.offsetParent && part.checkVisibility());
told.height = document.documentElement.scrollHeight;
told.first = seen()[0].getBoundingClientRect().top + scrollY;
told.folded = seen().length;
document.getElementById("open-all").click();
const numbers = (table, place) => [...table.tBodies[0].rows].map((row) => Number(row.cells[place].dataset.v));
const sorted = (values, sign) => values.every((value, at) => !at || sign * (values[at - 1] - value) <= 0);
const table = document.getElementById("table-seats");
const heads = [...table.tHead.rows[0].cells];
const button = heads[2].querySelector("button");
told.buttons = document.querySelectorAll("table.sortable th button").length;
told.heads = document.querySelectorAll("table.sortable th").length;
button.click();
told.down = sorted(numbers(table, 2), -1) && heads[2].getAttribute("aria-sort") === "descending";
button.click();
told.up = sorted(numbers(table, 2), 1) && heads[2].getAttribute("aria-sort") === "ascending";
told.rows = table.tBodies[0].rows.length;
told.width = document.documentElement.scrollWidth;
told.window = innerWidth;
told.beyond = [];
for (const part of seen()) {
  const box = part.closest("figure").getBoundingClientRect();
  for (const text of part.querySelectorAll("text")) {
    const own = text.getBoundingClientRect();
    const out = own.right > box.right + 1 || own.left < box.left - 1;
    if (own.width && out) told.beyond.push(text.textContent);
  }
}
const scrolls = [...document.querySelectorAll(".scroll")];
told.clipped = scrolls.filter((part) => part.scrollWidth > part.clientWidth + 1).length;
told.tables = document.querySelectorAll("table").length;
const width = (part) => part.querySelector("svg").getBoundingClientRect().width;
told.figures = seen().map((part) => [part.getAttribute("aria-label").length, width(part)]);
told.figureCount = document.querySelectorAll("figure:not([hidden])").length;
const change = (name, value) => {
  const field = document.getElementById(`switch-${name}`);
  field.value = value;
  field.dispatchEvent(new Event("change", { bubbles: true }));
};
const shown = () => [...document.querySelectorAll("figure[data-level]:not([hidden])")].map((one) => one.dataset.level);
told.levels = [shown()];
change("level", document.getElementById("switch-level").options[1].value);
told.levels.push(shown());
change("level", "");
const events = document.querySelector("table[id^=table-cards-]");
const filter = events.closest(".table").querySelector("input[type=search]");
filter.value = "no such row";
filter.dispatchEvent(new Event("input"));
told.filtered = [...events.tBodies[0].rows].filter((row) => !row.hidden).length;
const mark = seen()[0].querySelector(".tip").getBoundingClientRect();
const at = { clientX: mark.x + 4, clientY: mark.y + 4 };
seen()[0].querySelector("svg").dispatchEvent(new PointerEvent("pointermove", at));
told.tip = document.getElementById("tip").textContent;
const saved = [];
HTMLAnchorElement.prototype.click = function () { saved.push([this.download, decodeURIComponent(this.href)]); };
const shownFigures = [...document.querySelectorAll("figure:not([hidden])")];
told.offers = shownFigures.map((figure) => {
  const own = [...figure.querySelectorAll(".offers button")];
  own.find((one) => one.textContent === "SVG").click();
  const csv = figure.querySelector(".offers a.csv");
  const lines = atob(csv.href.split(",")[1]).match(/\\n/g).length;
  return [figure.id, own.map((one) => one.textContent), csv.download, lines];
});
told.saved = saved.map(([name, address]) => [name, address.slice(0, 4000)]);
saved.length = 0;
shownFigures[0].querySelector(".offers button:last-child").click();
const sections = [...document.querySelectorAll("main > section")];
told.marked = sections.map((section) => {
  section.scrollIntoView();
  dispatchEvent(new Event("scroll"));
  return [...document.querySelectorAll("nav a[aria-current]")].map((link) => link.hash);
});
told.sections = sections.map((section) => `#${section.id}`);
for (const part of document.querySelectorAll("details.more")) part.open = false;
const last = shownFigures.at(-1);
location.hash = last.querySelector("a.anchor").getAttribute("href");
told.ground = getComputedStyle(document.body).backgroundColor;
told.asked = performance.getEntriesByType("resource").map((entry) => entry.name);
setTimeout(() => {
  told.png = saved.map(([name, address]) => [name, address.slice(0, 30)]);
  told.linked = [last.checkVisibility(), Math.abs(last.getBoundingClientRect().top) < innerHeight];
  document.body.dataset.told = JSON.stringify(told);
}, 300);
</script>
"""


def browse(file: Path, *flags: str) -> tuple[dict[str, Any], list[str]]:
    """Open a file; return what the probe found, and what the console said."""
    assert BROWSER
    done = subprocess.run(
        [
            BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions",
            "--host-resolver-rules=MAP * ~NOTFOUND", "--enable-logging=stderr", "--allow-file-access-from-files",
            "--virtual-time-budget=60000", f"--user-data-dir={file.parent / 'profile'}", *flags,
            "--dump-dom", file.as_uri(),
        ],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    found = re.search(r'<body[^>]* data-told="([^"]*)"', done.stdout)
    assert found, done.stderr[-2000:]
    return json.loads(unescape(found[1])), [line for line in done.stderr.splitlines() if "CONSOLE" in line]


def written(page: str, folder: Path) -> Path:
    """Put a page with the probe into a folder."""
    file = folder / "page.html"
    file.write_text(page.replace("</body>", PROBE + "</body>"), encoding="utf-8")
    return file


Told = tuple[dict[str, Any], list[str]]


@pytest.fixture(scope="module")
def seen(page: str, tmp_path_factory: pytest.TempPathFactory) -> Told:
    """What the probe finds on a desktop, and what the console says."""
    return browse(written(page, tmp_path_factory.mktemp("desktop")), "--window-size=1280,900")


def test_page_opens_without_errors_or_requests_and_sorts(seen: Told) -> None:
    told, console = seen
    assert console == []
    assert [address for address in told["asked"] if not address.startswith("data:")] == []
    assert told["buttons"] == told["heads"] > 20
    assert told["down"]
    assert told["up"]
    assert told["rows"] == 4
    assert told["width"] <= told["window"]
    assert told["beyond"] == []
    assert told["clipped"] == 0 < told["tables"]
    assert len(told["figures"]) == told["figureCount"]
    assert all(length > 40 and width > 450 for length, width in told["figures"])


def test_the_first_screen_holds_the_chart_and_eight_hold_the_page(seen: Told) -> None:
    told, _ = seen
    assert told["first"] < 600
    assert told["height"] < 8 * 900
    assert 4 < told["folded"] <= len(told["sections"]) < told["figureCount"], "one figure in a section"


def test_marks_tell_their_values_and_the_switch_and_the_filter_act(seen: Told) -> None:
    told, _ = seen
    assert "planner, seat 1: " in told["tip"] and "%" in told["tip"]
    assert told["levels"] == [["planner"], ["greedy"]]
    assert told["filtered"] == 0


def test_every_figure_offers_svg_png_and_csv(seen: Told) -> None:
    told, _ = seen
    names = [figure.removeprefix("figure-") for figure, *_ in told["offers"]]
    assert [name for name, _ in told["saved"]] == [f"{name}.svg" for name in names]
    for _, address in told["saved"]:
        assert "http://www.w3.org/2000/svg" in address
        assert "var(--" not in address
    for figure, buttons, csv, lines in told["offers"]:
        assert (buttons, csv) == (["SVG", "PNG"], f"{figure.removeprefix('figure-')}.csv")
        assert lines > 2
    assert told["png"] == [[f"{names[0]}.png", "data:image/png;base64,iVBORw0K"]]


def test_the_contents_mark_the_current_section_and_links_open_what_is_folded(seen: Told) -> None:
    told, _ = seen
    assert len(told["sections"]) > 5
    assert told["marked"][:-1] == [
        [section] for section in told["sections"][:-1]
    ]  # the last may be too short to reach the top
    assert told["linked"] == [True, True]


SWITCHED = """
<script>
const change = (name, value) => {
  const field = document.getElementById(`switch-${name}`);
  field.value = value;
  field.dispatchEvent(new Event("change", { bubbles: true }));
};
document.getElementById("open-all").click();
for (const part of document.querySelectorAll("details")) part.open = true;
const faint = (part) => getComputedStyle(part).display === "none" || getComputedStyle(part).opacity < 0.5;
const about = (query, key) => [...document.querySelectorAll(query)].map((part) => [part.dataset[key], faint(part)]);
const state = () => ({
  sentences: about("main li[data-players]", "players"),
  panels: about("figure:not([hidden]) .wide svg [data-players]", "players"),
  rows: about("tbody tr[data-players]", "players"),
  columns: about("th[data-players]", "players"),
  levels: [...about("th[data-level]", "level"), ...about("tbody tr[data-level]", "level")],
});
const told = { before: state() };
change("players", "2");
told.two = state();
change("players", "");
told.after = state();
change("level", document.getElementById("switch-level").options[1].value);
told.level = [document.getElementById("switch-level").value, state()];
const heads = [...document.querySelectorAll("header p[data-level]:not([hidden])")];
told.heads = heads.map((part) => [part.dataset.level, part.className]);
told.cards = about("main li[data-level]", "level");
document.body.dataset.told = JSON.stringify(told);
</script>
"""


def test_the_switch_acts_on_the_whole_page(runs: dict[str, Path], simulated: Make, tmp_path: Path) -> None:
    """On sentences, on panels of the chart, and on rows and columns of tables."""
    two = [
        simulated(f"two-{name}", "--players", 2, "--games", 400, "--strategies", name) for name in ("greedy", "planner")
    ]
    folders = [*two, runs["weak"], runs["strong"]]
    study = Study(tuple(map(load, folders)), Thresholds(deals=20), quick=True)
    file = tmp_path / "page.html"
    file.write_text(to_html(compose(study)).replace("</body>", SWITCHED + "</body>"), encoding="utf-8")
    told, console = browse(file, "--window-size=1280,900")
    assert console == []
    assert told["after"] == told["before"]
    kinds = [kind for kind, found in told["before"].items() if found]
    assert {"sentences", "panels", "levels"} < set(kinds) and {"rows", "columns"} & set(kinds)
    for kind in set(kinds) - {"levels"}:
        assert not any(off for _, off in told["before"][kind])
        assert [off for _, off in told["two"][kind]] == [players != "2" for players, _ in told["two"][kind]], kind
    level, shown = told["level"]
    assert [one for one, _ in told["heads"]] == [level, level], "the headline and its cause follow"
    assert told["heads"][0][1].startswith("answer ")
    assert told["cards"] and all(off for one, off in told["cards"] if one != level), "cards of other players go"
    assert [off for _, off in shown["levels"]] == [one != level for one, _ in shown["levels"]]


def test_axe_finds_no_violation(page: str, tmp_path: Path) -> None:
    found = pytest.importorskip("axe_playwright_python", reason="axe-core comes with the test extra")
    script = (Path(found.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
    ask = """
<script>axe.run(document, {resultTypes: ["violations"]}).then((told) => {
  const found = told.violations.map((one) => [one.id, one.nodes.map((node) => node.html)]);
  document.body.dataset.told = JSON.stringify(found);
});</script></body>"""
    file = tmp_path / "axe.html"
    opened = page.replace('<details class="more">', '<details class="more" open>')
    file.write_text(opened.replace("</body>", f"<script>{script}</script>{ask}"), encoding="utf-8")
    for flags in ((), ("--blink-settings=preferredColorScheme=0",)):
        told, _ = browse(file, "--window-size=1280,900", *flags)
        assert not told


def test_the_browser_would_tell(page: str, tmp_path: Path) -> None:
    """A request and an error are seen, so that none above means none."""
    bad = "<img src='https://example.invalid/x.png'><script>nothing.here()</script></body>"
    _, console = browse(written(page.replace("</body>", bad), tmp_path))
    assert any("Content Security Policy" in line for line in console)
    assert any("nothing is not defined" in line for line in console)


def test_page_fits_a_phone(page: str, tmp_path: Path) -> None:
    """Chromium's own window is no narrower than 500 pixels, so the page stands in a frame of 390."""
    inner = written(page, tmp_path)
    text = inner.read_text(encoding="utf-8").replace(
        "document.body.dataset.told =", "parent.document.body.dataset.told ="
    )
    inner.write_text(text, encoding="utf-8")
    frame = tmp_path / "frame.html"
    frame.write_text(f'<body><iframe src="{inner.as_uri()}" style="width:390px;height:800px;border:0"></iframe></body>')
    told, console = browse(frame, "--window-size=800,900")
    assert console == []
    assert told["window"] == 390
    assert told["width"] <= 390
    assert told["beyond"] == []
    assert len(told["figures"]) == told["figureCount"]
    assert all(300 < width <= 390 for _, width in told["figures"])


def test_page_is_dark_where_it_is_wanted(page: str, tmp_path: Path) -> None:
    told, _ = browse(written(page, tmp_path), "--blink-settings=preferredColorScheme=0")
    red, green, blue = map(int, re.findall(r"\d+", told["ground"])[:3])
    assert max(red, green, blue) < 60
