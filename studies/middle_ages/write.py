"""Write docs/findings/middle-ages.md from template and numbers, and say which of its sentences no longer hold."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import jinja2

from simcore.game import load_game
from simcore.rules.files import load_rules
from studies.measured import stamped

Found = Mapping[str, Any]


def share(value: float, digits: int = 1) -> str:
    """Write a share in percent."""
    return f"{100 * value:.{digits}f} %"


def between(row: Found, key: str, scale: float = 100, digits: int = 1, signed: bool = False) -> str:
    """Write a value and half the width of its interval."""
    low, high = row.get(f"{key}_low"), row.get(f"{key}_high")
    value = f"{scale * row[key]:{'+' if signed else ''}.{digits}f}"
    return value if low is None or high is None else f"{value} ± {scale * (high - low) / 2:.{digits}f}"


def tilt(told: Found) -> str:
    """Write the tilt with its interval."""
    value, low, high = told["tilt"]
    return f"{value:.2f} ({low:.2f} to {high:.2f})"


def write(found: Found, path: Path) -> None:
    """Write the page, or say what has to be measured first; name the sentences that the numbers do not support."""
    try:
        path.write_text(page(found), encoding="utf-8")
    except jinja2.UndefinedError as error:
        print(f"not written, measure first: {error}", file=sys.stderr)
        return
    for sentence in broken(found):
        print(f"no longer true: {sentence}", file=sys.stderr)


def page(found: Found) -> str:
    """Return the page; raises jinja2.UndefinedError if something was not measured yet."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
    environment.filters.update(share=share, between=between, tilt=tilt)
    events = load_rules(load_game("middle-ages")).values.events
    titles = {name: event.title for name, event in events.items()}
    text = environment.get_template("page.md.j2").render(found, titles=titles)
    return stamped("middle-ages", re.sub(r" +$", "", re.sub(r"\n{3,}", "\n\n", text), flags=re.MULTILINE))


def broken(found: Found) -> Iterator[str]:
    """Yield the statements of the template's prose that the numbers do not support."""
    return (sentence for sentence, holds in claims(found) if not holds)


def claims(found: Found) -> Iterator[tuple[str, bool]]:
    """Yield what the prose says beyond the numbers that are filled in, and whether it is true."""
    seats, mend = found["seats"], found["mending"]["4"]
    for n, levels in seats.items():
        yield f"{n} champions: every seat wins more than the next", falls(levels["champion"])
        yield (
            f"{n} greedy players: the last seat is best",
            max(shares(levels["greedy"])) == shares(levels["greedy"])[-1],
        )
        yield f"{n} random players: no tilt is seen", levels["random"]["tilt"][1] < 0.05
    pairs = zip(shares(mend["paid"]["same"]), shares(mend["paid"]["tuned"]), strict=True)
    yield "coins: with players tuned for them, no share moves by two points", max(abs(a - b) for a, b in pairs) < 0.02
    for n, rows in found["mending"].items():
        one, left = seats[n]["thinker"]["seats"][0], rows["paid"]["thinkers"]["seats"][0]
        yield f"{n} thinkers favour seat 1, and coins for later seats less", one["share_low"] > left["share_high"]
        yield (
            f"{n} thinkers: coins leave seat 1 more than par, with three and more",
            n == "2" or left["share_low"] > left["par"],
        )
    searched = shares(seats["4"]["thinker"])
    yield (
        "search at all seats: seat 1 is best, seat 4 worst",
        (max(searched), min(searched)) == (searched[0], searched[3]),
    )
    tilts = [seats[n]["champion"]["tilt"] for n in sorted(seats)]
    yield "the tilt is larger with each player more", all(few[2] < more[1] for few, more in pairwise(tilts))
    found_by_search = seats["4"]["thinker"]["tilt"]
    yield "search tilts the seats the same way", found_by_search[1] > 0.12

    four = found["restrictions"]["4"]["rows"]
    dear = sorted(four, key=lambda name: -four[name]["cost"])
    lowest = four[dear[0]]["cost_low"]
    domains = [name for name in dear if name in found["domains"]["rates"]]
    yield (
        "Ramparts are what a champion certainly misses most",
        dear[0] == "rampart" and all((four[name]["cost_high"] or 0) < lowest for name in dear[1:]),
    )
    yield "Market may be the Domain missed least", "market" in found["restrictions"]["4"]["cheapest"]
    yield "no Domain is dead", all(four[name]["cost_low"] > 0 for name in domains)
    three, two = (found["restrictions"][n]["rows"] for n in ("3", "2"))
    yield "Market is worth more at two and three players", min(two["market"]["cost"], three["market"]["cost"]) > 0.03
    yield "foresight is worth something at two players", two["foresight"]["cost_low"] > 0

    standing = {(row["card"], row["group"]): row["effect"] for row in found["events"]["champion 4"]["standing"]}
    for card, sign in (("restoration", -1), ("reconstruction_aid", -1), ("new_defences", 1)):
        yield f"{card} moves the wins of seat 1 as the page says", sign * standing.get((card, "1"), 0) > 0
    dead = [
        name for told in found["events"].values() for name, row in told["changed"].items() if not row["winner_changed"]
    ]
    yield "no Event is dead at any number of players", not dead

    booklet, gentle = mend["printed"]["same"]["tilt"][0], mend["gentle"]
    yield "gentler Barracks look nearly fair to those who do not know them", gentle["same"]["tilt"][2] < booklet / 4
    yield "and the late seats are ahead", sum(shares(gentle["same"])[2:]) > 0.5
    yield "and are not fair to those who do", gentle["tuned"]["tilt"][1] > gentle["same"]["tilt"][2]
    yield "gentler Barracks halve the tilt at least", gentle["tuned"]["tilt"][2] < booklet / 2
    yield "it is not the Mills' robbery that is left", mend["robless"]["tuned"]["tilt"][1] > booklet / 6
    yield "without the Scout half of the tilt is left at least", mend["scoutless"]["tuned"]["tilt"][1] > booklet / 2
    yield "and the Scout adds to it", mend["scoutless"]["tuned"]["tilt"][2] < mend["printed"]["same"]["tilt"][1]
    for key in ("paid", "both"):
        yield f"coins leave a quarter of the tilt at most ({key})", mend[key]["tuned"]["tilt"][2] < booklet / 4
    wide = [row for row in found["domains"]["by_empty"] if 2 <= row["empty"] <= 4]
    yield "Fiefs with two to four empty Domains win their par", all(row["par_normalised_high"] > 1 for row in wide)
    for n, told in found["course"].items():
        enough = all(row["most"] <= row["limit"] for row in told["box"].values())
        yield f"the box holds enough coins ({n})", enough
    turns = [row["turn"] for row in seats["4"]["champion"]["seats"]]
    yield "all seats move about equally early", max(turns) - min(turns) < 0.1
    yield "the pages' seeds are two", found["seeds"]["judged"] != found["seeds"]["chosen"]


def shares(told: Found) -> list[float]:
    """Return win shares by seat."""
    return [row["share"] for row in told["seats"]]


def falls(told: Found) -> bool:
    """Return whether every seat wins more than the next."""
    return shares(told) == sorted(shares(told), reverse=True)
