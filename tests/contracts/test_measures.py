"""What every measure owes its users, because it is in the registry. What applies is chosen by what it costs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

import fairveil as fv
from fairveil.measures import MEASURES, Measure
from tests.contracts.people import GUARDS, SCHEMA, source

METHODS = [fv.Incognito(), fv.Mondrian(), fv.MDAV(k=3), fv.DMPD(generations=2, population=6, folds=2)]


@pytest.fixture(scope="module")
def comparison() -> fv.Frontier:
    table = source(rows=120)
    table = table.append_column("home", pa.array(np.arange(120) // 3))
    schema = replace(SCHEMA, household="home")
    return fv.explore(table, schema, guards=GUARDS, methods=METHODS, max_candidates=4)


@pytest.fixture(params=MEASURES, ids=lambda measure: measure.name)
def measure(request: pytest.FixtureRequest) -> Measure:
    known: Measure = request.param
    return known


def test_it_has_one_way_to_be_computed_and_a_plain_meaning(measure: Measure) -> None:
    ways = [measure.of_published is not None, measure.of_classes is not None]
    assert sum(ways) <= 1 and (measure.cost == "summary") == (not any(ways))
    assert not measure.trains or measure.cost == "published"
    assert measure.meaning and measure.range[0] < measure.range[1]


def test_candidates_of_all_methods_are_measured_within_its_range(measure: Measure, comparison: fv.Frontier) -> None:
    values = comparison.values(measure.name)
    assert len(values) == len(comparison)
    known = values[np.isfinite(values)]
    assert len(known), "it says nothing about any method"
    assert known.min() >= measure.range[0] - 1e-9 and known.max() <= measure.range[1] + 1e-9
    best = comparison.best_position(measure.name)
    assert values[best] == (np.nanmin(values) if measure.better == "lower" else np.nanmax(values))


def test_a_cheap_measure_is_in_the_evidence_and_the_others_are_not(measure: Measure, comparison: fv.Frontier) -> None:
    release = comparison.release(0)
    assert (measure.name in release.evidence()["measures"]) == (measure.cost == "summary")
    if measure.cost == "summary":
        assert release.measures[measure.name] == pytest.approx(comparison.values(measure.name)[0])


def test_a_mistyped_name_is_refused(measure: Measure) -> None:
    with pytest.raises(fv.BadInput, match="measure"):
        fv.measures.get(measure.name + "x")
