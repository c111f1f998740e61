"""The claims of a baseline: one for each measure, and its absolute limits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from analysis.cards.outcomes import Measures
from analysis.check.baseline import Baseline, Value
from analysis.check.judging import Claim
from analysis.check.margins import read_limit, read_margin
from analysis.data.source import Source
from analysis.data.sources import Data, open_source
from analysis.measures.quantities import BY_STRATEGY, OF_CARD, PAYOFF, SHARES, Quantities, cards_in, known_families
from analysis.measures.sampling import Estimand
from simcore.errors import UsageError, nearest
from simcore.running.batch import Spec
from simcore.toml_tables import shown

SHARES_BY_CAMP, SHARES_OF = "win_share_by_camp", "win_share" + BY_STRATEGY
EXACT = 0.0


def family_of(name: str) -> str:
    """Return the family of a measure's dotted name."""
    return name.partition(".")[0]


def estimand_of(name: str, alone: bool = False) -> Estimand:
    """Return the estimand for a measure's dotted name."""
    family, _, member = name.partition(".")
    if not family.startswith(OF_CARD):
        return Estimand(family, member, None, alone)
    card, _, member = member.partition(".")
    return Estimand(family.removeprefix(OF_CARD), member, card, alone)


def name_of(estimand: Estimand) -> str:
    """Return the dotted name of a measure."""
    family = (OF_CARD if estimand.card else "") + estimand.family
    return ".".join(part for part in (family, estimand.card, estimand.member) if part)


def guarded_families(baseline: Baseline, source: Source) -> dict[str, bool]:
    """Return the families that a baseline names, and whether each contains shares.

    Raises UsageError if a measure is unknown to the game.
    """
    known = known_families(source)
    for name in baseline.choices.margins:
        if family_of(name) not in known:
            raise UsageError(
                f"{baseline.label}: [margins] {shown(name)}: no such measure{nearest(family_of(name), known)}"
            )
    return {family_of(name): known[family_of(name)] for name in baseline.choices.margins}


def all_names(baseline: Baseline, data: Data) -> list[str]:
    """Return the dotted names of everything that has to be measured at one player count."""
    source = open_source(data)
    families = list(guarded_families(baseline, source))
    limits = (claim for claim in limit_claims(baseline, source))
    names = [name for family in families for name in _members(source, family)]
    return list(dict.fromkeys([*names, *(name_of(claim.estimand) for claim in limits)]))


def _members(source: Source, family: str) -> list[str]:
    """Return the dotted names of a family's measures."""
    base = family.removeprefix(OF_CARD)
    members = Quantities(source, [family]).members(base)
    if base == family:
        return [".".join(filter(None, (family, member))) for member in members]
    cards = cards_in(source)
    return [".".join(filter(None, (family, card, member))) for card in cards for member in members]


def measure_claims(baseline: Baseline, new: Data, old: Data | None = None) -> list[Claim]:
    """Return the claims about the measures of a baseline at one player count.

    baseline: A baseline that has been measured.
    new, old: The games as they are now, and as they were measured (None if that is unknown).
    Raises UsageError if a measure is unknown, has no suitable margin, or is not measured yet.
    """
    assert baseline.measured is not None
    sources = [open_source(data) for data in (new, old) if data]
    label, players = baseline.label, sources[0].players
    values, margins = baseline.measured.values[players], baseline.choices.margins
    families = guarded_families(baseline, sources[0])
    possible = {name for source in sources for family in families for name in _possible(source, family)}
    for name in margins:
        if not any(name in (family_of(value), value) for value in values):
            raise UsageError(
                f"{label}: [margins] {shown(name)}: not measured at {players} players; "
                f"check the name, or run: equipoise check --update {label}"
            )
    claims = []
    for name, value in values.items():
        family = family_of(name)
        if family not in families:
            continue
        if name not in possible and (old is not None or not family.startswith(OF_CARD)):
            raise UsageError(
                f"{label}: [measured.{players}-players] {shown(name)}: no such measure{nearest(name, possible)}"
            )
        given = name if name in margins else family
        if given not in margins:
            continue
        margin = read_margin(margins[given], families[family], f"{label}: [margins] {shown(given)}")
        if families[family] and (abs(value.value) > 1 or value.error > 1):
            raise UsageError(
                f"{label}: [measured.{players}-players] {shown(name)}: {value.value:g} is not a share; "
                f"restore the line, or run: equipoise check --update {label}"
            )
        claims.append(Claim(players, name, "measure", families[family], estimand_of(name), value, -margin, margin))
    return claims


def _possible(source: Source, family: str) -> Sequence[str]:
    return _members(source, family) if family in known_families(source) else ()


def limit_claims(baseline: Baseline, data: Data) -> Iterator[Claim]:
    """Yield the claims of a baseline's absolute limits at one player count.

    Raises UsageError if a limit makes no sense for the game or its line-up.
    """
    limits, label, source = baseline.choices.limits, f"{baseline.label}: [limits]", open_source(data)
    spec = source.spec
    seats = [f"seat-{seat + 1}" for seat in range(spec.players)]
    if limits.max_seat_deviation is not None:
        if spec.mixed_roles:
            where = spec.mixed_roles[0].title if spec.camps else "here"
            raise UsageError(
                f"{label} max_seat_deviation: strategies of different strength play {where}, which hides what a seat "
                "is worth; name one strategy, or remove the limit"
            )
        allowed = read_limit(limits.max_seat_deviation, f"{label} max_seat_deviation")
        judged = spec.judged
        family = PAYOFF if judged.is_payoff else SHARES
        room = judged.distance(allowed.room(judged, judged.par))
        for seat, fair, most in zip(seats, judged.fair.tolist(), room.tolist(), strict=True):
            name, estimand = f"max_seat_deviation.{seat}", Estimand(family, seat, None, True)
            yield _limit(spec, name, estimand, Value(value=fair, error=EXACT), -most, most)
    if limits.max_camp_deviation is not None:
        allowed = read_limit(limits.max_camp_deviation, f"{label} max_camp_deviation")
        if not spec.camps:
            raise UsageError(f"{label} max_camp_deviation: {spec.game.title} has no camps; remove it")
        for camp, members in spec.camps.items():
            par = Value(value=sum(spec.par[seat] for seat in members), error=EXACT)
            most = float(allowed.at(par.value))
            yield _limit(
                spec, f"max_camp_deviation.{camp}", Estimand(SHARES_BY_CAMP, camp, None, True), par, -most, most
            )
    if limits.max_card_swing is not None:
        allowed, pars = read_limit(limits.max_card_swing, f"{label} max_card_swing"), Measures(source).pars
        if not source.declarations.cards:
            raise UsageError(f"{label} max_card_swing: {spec.game.title} has no chance cards; remove it")
        families = {"seat": SHARES, "camp": SHARES_BY_CAMP, "strategy": SHARES_OF}
        groups = [
            (families[by], f"seat-{name}" if by == "seat" else name, float(allowed.at(par)))
            for (by, name), par in pars.items()
        ]
        nothing = Value(value=0.0, error=EXACT)
        for card in cards_in(source):
            for family, member, most in groups:
                name = f"max_card_swing.{card}.{member}"
                yield _limit(spec, name, Estimand(family, member, card, True), nothing, -most, most)
    if limits.no_dominant_strategy is not None:
        if not source.mixed:
            raise UsageError(f"{label} no_dominant_strategy: needs several strategies at the table; name them")
        nothing = Value(value=0.0, error=EXACT)
        seated = list(zip(spec.roles, spec.strategies, strict=True))
        for who, name in zip(spec.cast, Measures(source).strategies(), strict=True):
            if who[0] not in spec.mixed_roles:
                continue
            most = min(limits.no_dominant_strategy * seated.count(who), 1.0)
            yield _limit(
                spec, f"no_dominant_strategy.{name}", Estimand(SHARES_OF, name, None, True), nothing, -1.0, most
            )


def _limit(spec: Spec, name: str, estimand: Estimand, reference: Value, low: float, high: float) -> Claim:
    return Claim(spec.players, name, "limit", estimand.family != PAYOFF, estimand, reference, low, high)
