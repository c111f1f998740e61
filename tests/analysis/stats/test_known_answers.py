"""The known answers of the self-test: all are found, and a machine that computes otherwise is caught."""

from __future__ import annotations

from dataclasses import replace

import pytest
from statsmodels.stats.proportion import proportion_confint

from analysis.stats import known_answers
from analysis.stats.known_answers import KNOWN, Known


@pytest.mark.parametrize("known", KNOWN, ids=lambda known: known.name)
def test_the_published_answer_is_found_and_no_other(known: Known) -> None:
    assert known.is_right
    for place, value in enumerate(known.answer):
        other = (*known.answer[:place], value + 3 * known.digits + 1e-6, *known.answer[place + 1 :])
        assert not replace(known, answer=other).is_right


def test_the_intervals_that_it_begins_with_are_wilsons(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[tuple[float, ...]] = []
    monkeypatch.setattr(known_answers, "difference_interval", lambda *sides: given.extend(sides[:2]) or (0.0, 0.0))
    known_answers._newcombe()
    for side, hit, of in zip(given, (56, 48), (70, 80), strict=True):
        assert side == pytest.approx((hit / of, *proportion_confint(hit, of, method="wilson")), abs=5e-6)
